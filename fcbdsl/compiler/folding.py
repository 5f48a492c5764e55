"""Values that are known while compiling."""

from __future__ import annotations

from fcbdsl.compiler.assembler import Known
from fcbdsl.compiler.frames import BodyFrame, held
from fcbdsl.model import ir
from fcbdsl.model.ir import Expr
from fcbdsl.model.ir.operators import calculate


def fold(frame: BodyFrame, expr: Expr) -> int | None:
    """The value of `expr` if it is the same in every game, else None."""
    match expr:
        case ir.Const():
            return frame.unit.constant(expr)
        case ir.Text():
            return frame.unit.text(expr.value)
        case ir.Def():
            return frame.unit.definition_number(expr)
        case ir.Not():
            operand = fold(frame, expr.operand)
            return None if operand is None else int(not operand)
        case ir.Binary():
            return _binary(frame, expr)
        case _:
            place = held(frame, expr)
            return place.value if isinstance(place, Known) else None


def _binary(frame: BodyFrame, expr: ir.Binary) -> int | None:
    left = fold(frame, expr.left)
    right = fold(frame, expr.right)
    if expr.op in {"and", "or"}:
        decisive = int(expr.op == "or")
        if left is not None and bool(left) == bool(decisive):
            return decisive
        if left is not None and right is not None:
            return int(bool(right))
        return None
    if left is None or right is None:
        return None
    return calculate(expr.op, left, right)
