"""Patterns of statements: each function recognizes one sort of statement, or compares what statements do."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import same, shape
from fcbdsl.language.model.ir.operators import evaluate_constant, reads_slot
from fcbdsl.language.prose.filters import both


def join_nested_ifs(statement: ir.If) -> tuple[ir.Expr, ir.Body]:
    """Return the condition and the body of an `if`; nested single ones are joined."""
    wanted, then = statement.condition, statement.then
    while len(then.statements) == 1 and isinstance(inner := then.statements[0], ir.If):
        if statement.otherwise.statements or inner.otherwise.statements:
            break
        wanted, then = both(wanted, inner.condition), inner.then
    return wanted, then


def doubling_key(value: ir.Expr, target: ir.Expr) -> str:
    """Return the key of the text for a value doubled or halved; empty for other changes."""
    if not isinstance(value, ir.Binary):
        return ""
    left, right = same(value.left, target), same(value.right, target)
    if value.op == "+" and left and right:
        return "doubled"
    if value.op == "*" and (
        (left and evaluate_constant(value.right) == 2) or (right and evaluate_constant(value.left) == 2)
    ):
        return "doubled"
    return "halved" if value.op == "/" and left and evaluate_constant(value.right) == 2 else ""


def effect_key(statements: Sequence[ir.Stmt], begin: int, end: int) -> Hashable:
    """Return a key of the effect of some statements, equal for equal effects; unique if others read their locals."""
    own: dict[int, Hashable] = {}
    for statement in statements[begin:end]:
        if isinstance(statement, ir.Choose | ir.Let | ir.Roll) and statement.var is not None:
            own[statement.var.slot] = ("bound", len(own))
    rest = [*statements[:begin], *statements[end:]]
    if begin == end or any(
        reads_slot(statement, slot) for statement in rest for slot in own if not only_rebinds(statement, slot)
    ):
        return (begin, end)
    return tuple([shape(stmt, own) for stmt in statements[begin:end]])


def only_rebinds(statement: ir.Stmt, slot: int) -> bool:
    """Return whether a statement only chooses or computes a local."""
    return (
        isinstance(statement, ir.Choose | ir.Let | ir.Roll)
        and statement.var is not None
        and (
            statement.var.slot == slot
            and not any(reads_slot(child, slot) for child in ir.children(statement) if child is not statement.var)
        )
    )


def is_optional(body: ir.Body) -> bool:
    """Return whether an effect is only one that the reader may decline."""
    if len(body.statements) != 1:
        return False
    statement = body.statements[0]
    return (
        isinstance(statement, ir.ChooseOne)
        and len(statement.options) == 1
        and statement.optional
        and statement.by is None
    )
