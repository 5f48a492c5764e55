"""What statements may make of ground and barriers that part spaces for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from fcbdsl.model import ir
from fcbdsl.model.checks.missions.deciding import meant_among
from fcbdsl.model.checks.missions.ground import Ground
from fcbdsl.model.checks.missions.said import Bound
from fcbdsl.model.checks.missions.spaces import spaces_named
from fcbdsl.model.content import Cell
from fcbdsl.model.declarations import Terrain, Trait


def open_up(ground: Ground, call: ir.Do, bound: Bound) -> None:
    """Note what a statement that sets terrain or a barrier may open."""
    if Trait.SETS_TERRAIN in call.form.traits:
        shut = [cell for cell in ground.cells.values() if not ground.standable(cell)]
        ground.opened.update({cell.id: None for cell in turned(shut, Terrain.standable, ground, call, bound)})
    elif not _shuts(ground, call):
        found = [spaces_named(arg, ground.board, bound) for arg in _spaces(call)]
        ends = [one.ids for one in found if one is not None]
        if len(ends) == 2:
            ground.opened.update(dict.fromkeys((a, b) for a in ends[0] for b in ends[1]))
        else:
            ground.all_open = True


def turned(cells: list[Cell], fits: Callable[[Terrain], bool], ground: Ground, call: ir.Do, bound: Bound) -> list[Cell]:
    """Those of some spaces that a statement which sets terrain may turn into such as fits."""
    into = [ground.model.terrains.get(arg.label) for arg in call.args if _is_const(arg, "terrain")]
    if any(terrain is not None and not fits(terrain) for terrain in into):
        return []
    for arg in _spaces(call):
        cells = meant_among(cells, arg, ground, bound)
    return cells


def _shuts(ground: Ground, call: ir.Do) -> bool:
    """Whether what a statement sets between two spaces opens nothing."""
    into = [ground.model.barriers.get(arg.label) for arg in call.args if _is_const(arg, "barrier")]
    return any(barrier is not None and barrier.shuts for barrier in into)


def _spaces(call: ir.Do) -> list[ir.Expr]:
    return [arg for arg in call.args if arg is not None and arg.type == ir.SPACE]


def _is_const(arg: ir.Expr | None, sort: str) -> TypeGuard[ir.Const]:
    return isinstance(arg, ir.Const) and arg.type.base == sort
