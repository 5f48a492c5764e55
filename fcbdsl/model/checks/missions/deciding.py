"""What is certain of a condition on a space before anything is played."""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.model import ir
from fcbdsl.model.checks.missions.ground import Ground
from fcbdsl.model.checks.missions.said import SELF_AND_THIS, Bound
from fcbdsl.model.checks.missions.spaces import spaces_named
from fcbdsl.model.content import Cell
from fcbdsl.model.declarations import Trait

_DEEPEST = 8

Cells = Mapping[int, Cell]
"""Slots of locals, and the space that each of them is taken to be."""


def meant_among(cells: list[Cell], expr: ir.Expr, ground: Ground, bound: Bound, depth: int = 0) -> list[Cell]:
    """Those of some spaces that an expression may mean while their terrain is what the map shows."""
    named = spaces_named(expr, ground.board, bound)
    if named is not None:
        return [cell for cell in cells if cell.id in named.ids]
    match expr:
        case ir.Var(slot=slot) if slot in bound and depth < _DEEPEST:
            found = [meant_among(cells, value, ground, bound, depth + 1) for value in bound[slot]]
            return [cell for cell in cells if any(cell in some for some in found)]
        case ir.Select(source=source, it=it, where=where) if depth < _DEEPEST:
            within = cells if source is None else meant_among(cells, source, ground, bound, depth + 1)
            return [cell for cell in within if where is None or decided(where, {it: cell}, ground) is not False]
    return cells


def decided(condition: ir.Expr, cells: Cells, ground: Ground, depth: int = 0) -> bool | None:
    """Whether a condition holds of spaces while their terrain is what the map shows; None if that depends on play."""
    match condition:
        case ir.Const(value=value, type=type) if type == ir.FLAG:
            return bool(value)
        case ir.Not(operand=operand):
            found = decided(operand, cells, ground, depth)
            return None if found is None else not found
        case ir.Binary(op="and" | "or" as op, left=left, right=right):
            both = (decided(left, cells, ground, depth), decided(right, cells, ground, depth))
            settles = op == "or"
            return settles if settles in both else None if None in both else not settles
        case ir.Apply(args=(ir.Var(slot=slot), *_)) if slot in cells:
            return _related(condition, cells, ground, depth)
    return None


def _related(found: ir.Apply, cells: Cells, ground: Ground, depth: int) -> bool | None:
    """Whether a relation holds whose subject is such a space."""
    subject, form = found.args[0], found.form
    cell = cells[subject.slot] if isinstance(subject, ir.Var) else None
    second = found.args[1] if len(found.args) > 1 else None
    if cell is None:
        return None
    if Trait.ASKS_PASSABLE in form.traits:
        return None if ground.standable(cell) else False
    if Trait.ASKS_MARK in form.traits and isinstance(second, ir.Const):
        return second.label in cell.marks
    if Trait.ASKS_TERRAIN in form.traits and isinstance(second, ir.Const):
        return second.label == cell.terrain
    if form.body is None or len(form.body.statements) != 1 or depth >= _DEEPEST:
        return None
    answer = form.body.statements[0]
    given = {SELF_AND_THIS + at: arg for at, arg in enumerate(found.args)}
    known = {slot: cells[arg.slot] for slot, arg in given.items() if isinstance(arg, ir.Var) and arg.slot in cells}
    return decided(answer.value, known, ground, depth + 1) if isinstance(answer, ir.Answer) else None
