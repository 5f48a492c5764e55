"""What is known of an expression without playing: constants, and conditions over constants."""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.model import ir
from fcbdsl.model.ir.arithmetic import calculate
from fcbdsl.model.whole import Model

Settings = Mapping[str, int]
"""Variant switch to the index of its value."""


def constant(
    expr: ir.Expr, known: Mapping[int, int | None] | None = None, settings: Settings | None = None
) -> int | None:
    """The value of an expression if it is fixed: literals, `known` slots, variant `settings`."""
    match expr:
        case ir.Const():
            return expr.value
        case ir.Var() if known is not None:
            return known.get(expr.slot)
        case ir.Variant() if settings is not None:
            return settings.get(expr.id)
        case ir.Not():
            inner = constant(expr.operand, known, settings)
            return None if inner is None else int(not inner)
        case ir.Binary():
            left, right = constant(expr.left, known, settings), constant(expr.right, known, settings)
            return None if left is None or right is None else calculate(expr.op, left, right)
        case _:
            return None


def project_settings(model: Model) -> dict[str, int]:
    """The settings of a project, before any mission changes them."""
    return {switch.id: switch.set_to for switch in model.switches.values()}


def holds(condition: ir.Expr | None, known: Mapping[int, int | None], settings: Settings) -> bool:
    """Whether a text's condition is sure to hold; what can't be known here doesn't."""
    return condition is None or bool(constant(condition, known, settings))


def conjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    """The conditions joined by `and`."""
    if expr is None:
        return []
    if isinstance(expr, ir.Binary) and expr.op == "and":
        return conjuncts(expr.left) + conjuncts(expr.right)
    return [expr]


def mentions(node: object, slot: int) -> bool:
    """Whether a tree reads a slot."""
    if isinstance(node, ir.Var):
        return node.slot == slot
    if isinstance(node, tuple):
        return any(mentions(item, slot) for item in node)
    parts = ir.parts_of(node)
    return parts is not None and any(mentions(part, slot) for part in parts.values())


def same(left: object, right: object) -> bool:
    """Whether two trees say the same, wherever they stand in the text."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if type(left) is not type(right):
        return False
    ours, theirs = ir.parts_of(left), ir.parts_of(right)
    if ours is None or theirs is None:
        return left == right
    return all(same(part, theirs[name]) for name, part in ours.items() if name != "span")
