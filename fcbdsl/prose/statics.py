"""What is known of an expression without playing: constants, and conditions over constants."""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.model import ir
from fcbdsl.model.ir.operators import calculate
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


def mentions(node: object, slot: int) -> bool:
    """Whether a tree reads a slot."""
    return any(isinstance(one, ir.Var) and one.slot == slot for one in ir.walk(node))
