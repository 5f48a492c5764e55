"""Which spaces of a map an expression names, as far as that can be known before anything is played."""

from __future__ import annotations

from dataclasses import dataclass

from fcbdsl.model import ir
from fcbdsl.model.checks.missions.said import Bound
from fcbdsl.model.content import Board
from fcbdsl.model.declarations import Trait
from fcbdsl.model.ir import conjuncts

_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Spaces:
    """Spaces that an expression can mean. `exact`: it means all of them; else there may be fewer, but no others.

    `label`: how the author called them."""

    ids: tuple[str, ...]
    exact: bool
    label: str


def spaces_named(expr: ir.Expr, board: Board, bound: Bound, depth: int = 0) -> Spaces | None:
    """The spaces of `board` that an expression names; None if that shows only in play."""
    if depth > _DEEPEST:
        return None
    match expr:
        case ir.Instance(kind="space", id=id):
            return Spaces((id,), True, id)
        case ir.ListOf(items=items):
            return _union([spaces_named(item, board, bound, depth + 1) for item in items])
        case ir.Var(slot=slot) if slot in bound:
            found = _union([spaces_named(value, board, bound, depth + 1) for value in bound[slot]])
            return Spaces(found.ids, False, found.label) if found is not None else None
        case ir.Apply(form=form, args=(ir.Const(label=label), *_)) if Trait.NAMES_SPACES in form.traits:
            return Spaces(tuple(board.zones.get(label, ())), True, label)
        case ir.Select():
            return _selected(expr, board, bound, depth)
    return None


def _selected(select: ir.Select, board: Board, bound: Bound, depth: int) -> Spaces | None:
    """Spaces of a mark or terrain, or of another list, perhaps with further conditions."""
    found: Spaces | None = None
    if select.source is not None:
        found = spaces_named(select.source, board, bound, depth + 1)
    elif select.type.name != "space":
        return None
    for test in conjuncts(select.where):
        listed = _tested(test, select.it, board)
        if listed is None:
            found = Spaces(found.ids, False, found.label) if found is not None else None
        elif found is None:
            found = listed
        else:
            both = tuple(id for id in found.ids if id in listed.ids)
            found = Spaces(both, found.exact and listed.exact, found.label)
    if found is not None and select.where is not None and not _all_known(select, board):
        return Spaces(found.ids, False, found.label)
    return found


def _all_known(select: ir.Select, board: Board) -> bool:
    return all(_tested(test, select.it, board) is not None for test in conjuncts(select.where))


def _tested(test: ir.Expr, it: int, board: Board) -> Spaces | None:
    """The spaces for which a condition on the candidate holds: that of a mark or terrain."""
    match test:
        case ir.Apply(form=form, args=(ir.Var(slot=slot), ir.Const(label=label), *_)) if slot == it:
            if Trait.ASKS_MARK in form.traits:
                return Spaces(tuple(cell.id for cell in board.cells if label in cell.marks), True, label)
            if Trait.ASKS_TERRAIN in form.traits:
                return Spaces(tuple(cell.id for cell in board.cells if cell.terrain == label), True, label)
    return None


def _union(found: list[Spaces | None]) -> Spaces | None:
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    ids = tuple(dict.fromkeys(id for one in known for id in one.ids))
    return Spaces(ids, all(one.exact for one in known), ", ".join(dict.fromkeys(one.label for one in known)))
