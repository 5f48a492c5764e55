"""Purity check: expressions that the machine evaluates at any time must not ask, roll or change anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.natives import Disturbing
from fcbdsl.language.compiler.walk import DISTURBING_NOTES, Purity
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition, Step, Test, Value
from fcbdsl.language.model.declarations import Field
from fcbdsl.language.model.ir import ByClass, Expr, walk
from fcbdsl.language.model.roots import Walked, walked_roots
from fcbdsl.language.model.whole import Model

Look = tuple[str, Expr]
"""The purpose of an expression, in words after "decides", and the expression."""

LOOKED_AT = ("condition", "formula")
"""Types of fields whose values are computed at every access."""
ACTING = ("given", "do", "opening")
"""Steps of tests that may change something."""


def looking_problems(model: Model, walked: Sequence[Walked] | None = None) -> list[Diagnostic]:
    """Return a problem for every expression that must be pure but is not, at the phrase that asks, rolls or changes.

    `walked`: all behavior of the game, if the caller has it."""
    purity = Purity()
    problems: dict[tuple[str, int, int], Diagnostic] = {}
    for use, expr in _looks(model, walked_roots(model) if walked is None else walked):
        culprit = purity.culprit(expr)
        if culprit is not None:
            span = culprit.span
            phrase = culprit.form.id if isinstance(culprit, ir.Apply) else span.source.text[span.start : span.end]
            problems.setdefault(span.place, Disturbing(span, phrase=phrase, use=use))
    return list(problems.values())


def _looks(model: Model, walked: Sequence[Walked]) -> Iterator[Look]:
    """Yield every expression of a game that must be pure, and those of tests in which one is not.

    `walked`: all behavior of the game.
    """
    for kind in model.kinds.values():
        if kind.usable is not None:
            yield from _body("whether a card may be used", kind.usable)
        for column in kind.fields.values():
            yield from _column(column)
        for zone in kind.zones.values():
            if zone.limit is not None:
                yield "what a zone holds", zone.limit
    for zone in model.zones.values():
        if zone.limit is not None:
            yield "what a zone holds", zone.limit
    for action in model.actions.values():
        for part in (action.by, action.subject, action.needs, *[cost for _, cost in action.costs]):
            if part is not None:
                yield "what is on offer", part
    for rule in model.rules.values():
        if rule.condition is not None:
            yield "when a rule holds", rule.condition
    for window in model.windows.values():
        for body in (window.order, window.forced):
            yield from _body("who answers an event first", body) if body is not None else ()
    for invariant in model.invariants.values():
        if invariant.condition is not None:
            yield "whether an invariant holds", invariant.condition
    for prospect in model.prospects.values():
        if prospect.condition is not None:
            yield "whether a prospect has come true", prospect.condition
    if model.outlook is not None:
        yield from _body("what a position is worth", model.outlook)
    for preference in model.preferences:
        for body in (preference.condition, preference.worth):
            yield from _body("what is preferred", body) if body is not None else ()
    for definition in model.definitions.values():
        yield from _values(definition)
    for _, _, nodes in walked:
        yield from _in_nodes(nodes)
    pure = PureTests()
    for test in model.tests:
        if not pure.has(test):
            for step in test.steps:
                yield from _in_step(step)


def _in_nodes(nodes: Iterable[ir.Node]) -> Iterator[Look]:
    for node in nodes:
        looks_in = _LOOK_NOTES.get(node.__class__)
        if looks_in is not None:
            yield from looks_in(node)


_LOOK_NOTES = ByClass()
"""Functions that return the expressions in a node that must be pure, by its class."""


@_LOOK_NOTES.of(ir.Listener)
def _in_listener(node: ir.Listener) -> list[Look]:
    tests = (node.condition, *[slot.condition for slot in node.binds])
    return [("who hears of an event", test) for test in tests if test is not None]


@_LOOK_NOTES.of(ir.ForEach)
def _in_loop(node: ir.ForEach) -> list[Look]:
    children = [child for chosen in node.body.statements[: node.secret] for child in ir.children(chosen)]
    return [("what is chosen in secret", child) for child in children if isinstance(child, Expr)]


@_LOOK_NOTES.of(ir.Modifier)
def _in_modifier(node: ir.Modifier) -> list[Look]:
    parts = (node.where, node.condition, node.amount)
    return [("what a modifier does", part) for part in parts if part is not None]


def _body(use: str, body: ir.Body) -> Iterator[Look]:
    """Yield the values that a body answers; it contains nothing else."""
    for statement in body.statements:
        if isinstance(statement, ir.Answer):
            yield use, statement.value


def _column(column: Field) -> Iterator[Look]:
    if column.default is not None and (column.sort == "stat" or column.type.base in LOOKED_AT):
        yield "what a field is at first", column.default


def _values(definition: Definition) -> Iterator[Look]:
    """Yield the conditions and formulas of a definition and its parts."""
    for value in definition.values.values():
        yield from _value(value)
    for part in definition.parts:
        yield from _values(part)


def _value(value: Value) -> Iterator[Look]:
    if value.field.type.base in LOOKED_AT:
        if value.expr is not None:
            yield "what a field is worth", value.expr
        if value.body is not None:
            yield from _body("what a field is worth", value.body)


_EXAMINED = frozenset([*DISTURBING_NOTES, *_LOOK_NOTES])
"""The classes of nodes that may be impure, or contain an expression that must be pure."""


class PureTests:
    """Finds the tests in which every expression that must be pure is. Steps that equal lines share are read once."""

    def __init__(self) -> None:
        self._purity = Purity()
        self._steps: dict[int, bool] = {}  # by identity: the tests of a model keep their steps alive

    def has(self, test: Test) -> bool:
        """Return whether every expression in a test that must be pure is."""
        return all(self._is_pure(step) for step, _ in test.rows)

    def _is_pure(self, step: Step) -> bool:
        pure = self._steps.get(id(step))
        if pure is None:
            nodes = walk([step.body, step.expr, step.who, [reference.expr for reference in step.references]])
            pure = _EXAMINED.isdisjoint([node.__class__ for node in nodes])  # so most are
            pure = self._steps[id(step)] = pure or all(self._purity.of(expr) for _, expr in _in_step(step))
        return pure


def _in_step(step: Step) -> Iterator[Look]:
    """Yield the expressions in a step that must be pure, such as those that it names and expects."""
    if step.sort not in ACTING:
        for named in (step.expr, step.who, *[reference.expr for reference in step.references]):
            if named is not None:
                yield "what a test looks at", named
    for root in (step.body, step.expr):
        yield from _in_nodes(walk(root))
