"""Purity check: expressions that the machine evaluates at any time must not ask, roll or change anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.natives import Disturbing
from fcbdsl.language.compiler.walk import Purity
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition, Reference, Test, Value
from fcbdsl.language.model.declarations import Field
from fcbdsl.language.model.ir import Expr
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

    `walked`: all behavior of the model, if the caller has it."""
    purity = Purity()
    problems: dict[tuple[str, int, int], Diagnostic] = {}
    for use, expr in looks(model, walked_roots(model) if walked is None else walked):
        culprit = purity.culprit(expr)
        if culprit is not None:
            span = culprit.span
            phrase = culprit.form.id if isinstance(culprit, ir.Apply) else span.source.text[span.start : span.end]
            problems.setdefault(span.place, Disturbing(span, phrase=phrase, use=use))
    return list(problems.values())


def looks(model: Model, walked: Sequence[Walked]) -> Iterator[Look]:
    """Yield every expression of a model that must be pure. `walked`: all of its behavior."""
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
    for test in model.tests:
        yield from steps_looked_at(test)
    for node in (node for _, _, nodes in walked for node in nodes):
        if isinstance(node, ir.Listener):
            for test_ in (node.condition, *[slot.condition for slot in node.binds]):
                if test_ is not None:
                    yield "who hears of an event", test_
        elif isinstance(node, ir.ForEach):
            for chosen in node.body.statements[: node.secret]:
                for child in ir.children(chosen):
                    if isinstance(child, Expr):
                        yield "what is chosen in secret", child
        elif isinstance(node, ir.Modifier):
            for part in (node.where, node.condition, node.amount):
                if part is not None:
                    yield "what a modifier does", part


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


def steps_looked_at(test: Test) -> Iterator[Look]:
    """Yield the expressions that the steps of a test name and expect."""
    for step in test.steps:
        if step.sort in ACTING:
            continue
        references: list[Reference] = step.references
        for expr in (step.expr, step.who, *[reference.expr for reference in references]):
            if expr is not None:
                yield "what a test looks at", expr
