"""Questions about typed trees that several parts of the compiler ask."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from fcbdsl.compiler.natives import op_of
from fcbdsl.model import ir
from fcbdsl.model.declarations import Form
from fcbdsl.model.ir import Body, Expr, Stmt

EXPRESSIONS = (
    ir.Const, ir.Text, ir.Var, ir.Def, ir.Instance, ir.Variant, ir.Get, ir.ZoneOf, ir.Apply, ir.Binary, ir.Not,
    ir.IsA, ir.Select, ir.Quantified, ir.ListOf, ir.Dice,
)  # fmt: skip
NODES = (*EXPRESSIONS, ir.Criterion, ir.Body, ir.Row, ir.Option, ir.Listener, ir.Modifier, ir.Slot)


SIMPLE = 4
"""Nodes of a condition that may be read twice."""
NOT_CHILDREN = frozenset({"span", "type", "slots", "field", "form", "event", "kind", "until", "limit"})
"""Attributes of nodes that refer to declarations or say something of the node itself."""

UNSHAPED = frozenset({"span", "noun", "name"})
"""Attributes of nodes that do not change what an expression says."""

_CHILD_NAMES = {
    kind: tuple(f.name for f in fields(kind) if f.name not in NOT_CHILDREN)
    for kind in vars(ir).values()
    if isinstance(kind, type) and is_dataclass(kind)
}


_ALL_NAMES = {
    kind: tuple(f.name for f in fields(kind) if f.name not in UNSHAPED)
    for kind in vars(ir).values()
    if isinstance(kind, type) and is_dataclass(kind)
}


def child_names(node: Any) -> tuple[str, ...]:
    """The attributes of a node that hold nodes."""
    return _CHILD_NAMES[type(node)]


def children(node: Any) -> Iterator[Any]:
    """The nodes directly inside a node, in order."""
    for name in _CHILD_NAMES[type(node)]:
        value = getattr(node, name)
        for item in value if isinstance(value, tuple) else (value,):
            if type(item) in _CHILD_NAMES:
                yield item


def expressions(node: Any) -> Iterator[Expr]:
    """Every expression in `node`, itself included, outermost first."""
    if isinstance(node, EXPRESSIONS):
        yield node
    for child in children(node):
        yield from expressions(child)


def slots_read(expr: Expr) -> frozenset[int]:
    """The slots that an expression mentions, those it binds included."""
    found = {node.slot for node in expressions(expr) if isinstance(node, ir.Var)}
    return frozenset(found)


def source_text(expr: Expr) -> str:
    """An expression as it stands in its source: from the first to the last of what it is made of."""
    source = expr.span.source
    spans = [node.span for node in expressions(expr) if node.span.source is source]
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    return " ".join(source.text[start:end].split())


def slots_bound(expr: Expr) -> frozenset[int]:
    """The slots that an expression binds itself: the candidates of its selections."""
    return frozenset(n.it for n in expressions(expr) if isinstance(n, ir.Select | ir.Quantified))


def conjuncts(expr: Expr) -> list[Expr]:
    """The parts of a chain of `and`, in order; what is not `a or b` is neither `a` nor `b`."""
    if isinstance(expr, ir.Binary) and expr.op == "and":
        return conjuncts(expr.left) + conjuncts(expr.right)
    if isinstance(expr, ir.Not):
        inner = expr.operand
        if isinstance(inner, ir.Not):
            return conjuncts(inner.operand)
        if isinstance(inner, ir.Binary) and inner.op == "or":
            return [part for side in (inner.left, inner.right) for part in conjuncts(replace(expr, operand=side))]
    return [expr]


def invariant(expr: Expr, bound: set[int]) -> bool:
    """Whether `expr` mentions none of the slots in `bound`."""
    return not (slots_read(expr) - slots_bound(expr)) & bound


CHEAP = (
    ir.Const, ir.Text, ir.Var, ir.Def, ir.Instance, ir.Variant, ir.Get, ir.ZoneOf, ir.Binary, ir.Not, ir.IsA, ir.Apply
)  # fmt: skip


def is_cheap(expr: Expr) -> bool:
    """Whether an expression costs so little that it may be computed without need: no loop, call or search."""
    return all(
        isinstance(node, CHEAP)
        and (not isinstance(node, ir.Get) or node.field.type.base not in {"condition", "formula"})
        and (not isinstance(node, ir.Apply) or _is_cheap_form(node.form))
        for node in expressions(expr)
    )


def _is_cheap_form(form: Form) -> bool:
    op = op_of(form)
    return op is not None and (not form.gives.many or op.cheap)


def size(expr: Expr) -> int:
    """How many nodes an expression has."""
    return sum(1 for _ in expressions(expr))


def shape(expr: Any, bound: Mapping[int, Hashable]) -> Hashable:
    """What an expression says: equal for expressions that differ in nothing but their places in the source, the slots
    of their own candidates, slots for which `bound` has the same, and the kinds that their variables are known to be
    of (which only tell zones of one name apart)."""
    own = bound
    if isinstance(expr, ir.Select | ir.Quantified):
        own = {**own, expr.it: ("own", sum(isinstance(place, tuple) for place in own.values()))}
    parts: list[Hashable] = [type(expr).__name__]
    if isinstance(expr, ir.ZoneOf):
        parts.append(expr.of.type)
    for name in _ALL_NAMES[type(expr)]:
        value = getattr(expr, name)
        if name in {"slot", "it"}:
            parts.append(own.get(value, value))
        elif isinstance(value, tuple):
            parts.append(tuple(shape(item, own) if type(item) in _ALL_NAMES else item for item in value))
        elif type(value) in _ALL_NAMES and not isinstance(value, ir.Type):
            parts.append(shape(value, own))
        elif name in {"field", "form"}:
            parts.append(id(value))
        elif isinstance(expr, ir.Var) and isinstance(value, ir.Type):
            parts.append((value.base, value.many))
        else:
            parts.append(value)
    return tuple(parts)


def sole_answer(body: Body | None) -> Expr | None:
    """The expression of a body that does nothing but answer it; of a body that decides between conditions
    (`if A: answer no`, …, `answer B`) the condition that says the same."""
    return None if body is None else answer_of(body.statements, lambda _: None)


def answer_of(statements: tuple[Stmt, ...], other: Callable[[tuple[Stmt, ...]], Expr | None]) -> Expr | None:
    """The expression that statements answer; `other` says what those do that are no such decision."""
    first = statements[0] if statements else None
    if isinstance(first, ir.Answer):
        return first.value
    if isinstance(first, ir.ForEach):
        return _answer_of_each(first, statements, other)
    if not isinstance(first, ir.If) or len(first.then.statements) != 1 or first.otherwise.statements:
        return other(statements)
    early, later = answer_of(first.then.statements, lambda _: None), answer_of(statements[1:], other)
    if early is None or later is None or early.type != ir.FLAG or later.type != ir.FLAG:
        return None
    test, span = first.condition, first.span
    if isinstance(early, ir.Const):
        if early.value:
            return ir.Binary("or", test, later, ir.FLAG, span)
        return ir.Binary("and", ir.Not(test, ir.FLAG, span), later, ir.FLAG, span)
    if size(test) > SIMPLE:
        return None
    yes = ir.Binary("and", test, early, ir.FLAG, span)
    no = ir.Binary("and", ir.Not(test, ir.FLAG, span), later, ir.FLAG, span)
    return ir.Binary("or", yes, no, ir.FLAG, span)


def _answer_of_each(
    loop: ir.ForEach, statements: tuple[Stmt, ...], other: Callable[[tuple[Stmt, ...]], Expr | None]
) -> Expr | None:
    """What a loop answers that only looks for something (`for each x in XS: if A: answer no`), and what follows it."""
    inner = loop.body.statements
    test = inner[0] if len(inner) == 1 else None
    if not isinstance(test, ir.If) or len(test.then.statements) != 1 or test.otherwise.statements:
        return other(statements)
    answer = test.then.statements[0]
    later = answer_of(statements[1:], other)
    if not isinstance(answer, ir.Answer) or not isinstance(answer.value, ir.Const) or answer.value.type != ir.FLAG:
        return other(statements)
    if later is None or later.type != ir.FLAG:
        return None
    word, op = ("any", "or") if answer.value.value else ("no", "and")
    found = ir.Quantified(word, loop.items, loop.var.slot, test.condition, ir.FLAG, loop.span)
    return ir.Binary(op, found, later, ir.FLAG, loop.span)


class Purity:
    """Whether an expression can be read without asking, rolling or changing anything."""

    def __init__(self) -> None:
        self._forms: dict[int, bool] = {}

    def of(self, expr: Expr) -> bool:
        """Whether reading `expr` is free of effects."""
        return self.culprit(expr) is None

    def culprit(self, expr: Expr) -> Expr | None:
        """The outermost expression in `expr` that asks, rolls or changes something."""
        for node in expressions(expr):
            pure = self._of_form(node.form) if isinstance(node, ir.Apply) else not isinstance(node, ir.Dice)
            if not pure:
                return node
        return None

    def _of_form(self, form: Form) -> bool:
        if form.op is not None:
            op = op_of(form)
            return op is None or op.pure
        known = self._forms.get(id(form))
        if known is None:
            self._forms[id(form)] = True  # a recursive mention decides nothing
            known = form.body is not None and all(self._of_statement(s) for s in form.body.statements)
            self._forms[id(form)] = known
        return known

    def _of_statement(self, statement: Stmt) -> bool:
        allowed = (ir.Let, ir.If, ir.ForEach, ir.Repeat, ir.Answer, ir.Break, ir.Stop, ir.Require)
        if not isinstance(statement, allowed):
            return False
        for child in children(statement):
            if isinstance(child, Body):
                if not all(self._of_statement(s) for s in child.statements):
                    return False
            elif isinstance(child, EXPRESSIONS) and not self.of(child):
                return False
        return True
