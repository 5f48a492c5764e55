"""Prepares the lowering of expressions, without emitting code.

They concern constants, places at hand, the order of a loop's conditions, and the values to hoist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler.assembler import BodyFrame, Known, Place
from fcbdsl.language.compiler.native_forms import native_op
from fcbdsl.language.compiler.walk import inside, is_cheap, is_loop_invariant, size
from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import Expr, conjuncts
from fcbdsl.language.model.ir.operators import calculate
from fcbdsl.machine.vm.op import Op


def constant_fold(frame: BodyFrame, expr: Expr) -> int | None:
    """Return the value of `expr` if it is constant, else None."""
    if expr.__class__ not in _FOLDED:
        place = available_place(frame, expr)
        return place.value if isinstance(place, Known) else None
    match expr:
        case ir.Const():
            return expr.value if expr.type.base == "number" else frame.unit.constant(expr)
        case ir.Text():
            return frame.unit.text(expr.value)
        case ir.Def():
            return frame.unit.definition_number(expr)
        case ir.Not():
            operand = constant_fold(frame, expr.operand)
            return None if operand is None else int(not operand)
        case ir.Binary():
            return _fold_binary(frame, expr)
    return None


_FOLDED = frozenset(get_args(ir.Const | ir.Text | ir.Def | ir.Not | ir.Binary))
"""Classes of expressions whose value may be known without a place. A look-up is faster than several patterns."""


def _fold_binary(frame: BodyFrame, expr: ir.Binary) -> int | None:
    left = constant_fold(frame, expr.left)
    if left is None:
        return None
    connective = expr.op in {"and", "or"}
    if connective and bool(left) == (expr.op == "or"):
        return int(bool(left))
    right = constant_fold(frame, expr.right)
    if right is None:
        return None
    return int(bool(right)) if connective else calculate(expr.op, left, right)


def available_place(frame: BodyFrame, expr: Expr) -> Place | None:
    """Return the place that already contains `expr`, if any."""
    if not isinstance(expr, ir.Var):
        return frame.hoisted.get(id(expr))
    place = frame.slots.get(expr.slot)
    return frame.place_of(expr) if place is None else place


@dataclass(frozen=True, slots=True)
class CandidateLoop:
    """A loop over candidates: their source list, the slots that hold one, and the conditions to meet."""

    source: Expr
    its: tuple[int, ...]
    parts: tuple[Expr, ...]


def candidate_loop(frame: BodyFrame, items: Expr) -> CandidateLoop:
    """Return the loop over `items`: unordered selections, also nested ones, are filtered during iteration."""
    its: tuple[int, ...] = ()
    parts: tuple[Expr, ...] = ()
    items = frame.unit.inliner.expanded(items)
    while isinstance(items, ir.Select) and not items.order and available_place(frame, items) is None:
        its = (*its, items.it)
        if items.where is not None:
            parts = (*conjuncts(items.where, negated=True), *parts)
        if items.source is None:
            items = ir.Select(None, items.it, None, (), items.type, items.span)
            break
        items = items.source
    return CandidateLoop(items, its, _near_first(frame, its, parts))


def _near_first(frame: BodyFrame, its: tuple[int, ...], parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return the conditions of a candidate in the order of evaluation.

    A test that it is near something comes first, because few candidates pass it. That the candidate is on the board is
    tested before, if that test is among the conditions.
    """
    for near, part in enumerate(parts):
        op = _asked_of(part, its)
        if op is None or op.presumes is None or not all(map(frame.unit.purity.of, parts[: near + 1])):
            continue
        for there, other in enumerate(parts[:near]):
            if _asked_of(other, its) is op.presumes:
                return (other, part, *parts[:there], *parts[there + 1 : near], *parts[near + 1 :])
    return parts


def _asked_of(part: Expr, its: tuple[int, ...]) -> type[Op] | None:
    """Return the native op that a condition first tests the candidate with; None if there is none."""
    if not isinstance(part, ir.Apply) or part.form.op is None or not part.args:
        return None
    first = part.args[0]
    return native_op(part.form) if isinstance(first, ir.Var) and first.slot in its else None


MOST_AGAIN = 6
"""Largest size, in nodes, of a condition that is duplicated to avoid computing unneeded values."""


def leading_conditions(frame: BodyFrame, parts: Sequence[Expr], its: set[int]) -> list[Expr]:
    """Return the conditions to test before the values that the other conditions need are computed.

    The result is empty if these values are cheap.
    """
    if len(parts) < 2 or not _may_lead(parts[0]):
        return []
    for number, part in enumerate(parts):
        needed = worth_hoisting(frame, part, its)
        if needed:
            return list(parts[:number]) if sum(map(size, needed)) >= WORTH_WAITING else []
        if not _may_lead(part):
            return []
    return []


def _may_lead(part: Expr) -> bool:
    return is_cheap(part) and size(part) <= MOST_AGAIN


WORTH_WAITING = 3
"""Least size, in nodes, of values that are computed only for a candidate which passes the other conditions."""


def worth_hoisting(frame: BodyFrame, expr: Expr, its: set[int], always: bool = True) -> list[Expr]:
    """Return the outermost loop-invariant parts of `expr` that are worth hoisting.

    Where they would not `always` be computed, only cheap parts count.
    """
    if isinstance(expr, ir.Var) or available_place(frame, expr) is not None or constant_fold(frame, expr) is not None:
        return []
    if is_loop_invariant(expr, its):
        return [expr] if frame.unit.purity.of(expr) and (always or is_cheap(expr)) else []
    if isinstance(expr, ir.Select | ir.Quantified):
        inner = its | {expr.it}
        return [expr for child in inside(expr) for expr in worth_hoisting(frame, child, inner, always=False)]
    if isinstance(expr, ir.Binary) and expr.op in {"and", "or"}:
        right = worth_hoisting(frame, expr.right, its, always=False)
        return worth_hoisting(frame, expr.left, its, always) + right
    parts = inside(expr)
    native = isinstance(expr, ir.Apply) and expr.form.op is not None
    literals = [part for part in parts if constant_fold(frame, part) is not None] if native else []
    return literals + [expr for part in parts for expr in worth_hoisting(frame, part, its, always)]
