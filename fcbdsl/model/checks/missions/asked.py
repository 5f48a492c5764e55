"""Pieces of a map that a condition asks for: it names them, or there must be none of their sort left."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.model import ir
from fcbdsl.model.checks.missions.ground import Ground
from fcbdsl.model.content import Definition
from fcbdsl.model.declarations import Trait
from fcbdsl.model.ir import conjuncts, walk

Shown = list[tuple[str, Definition]]
"""Spaces of a map, each with a piece that it shows there."""


def pieces_asked(condition: ir.Expr, shown: Shown) -> Iterator[tuple[str, Definition, ir.Expr]]:
    """The pieces of a map that a condition asks for in any case, and the phrase that does."""
    for part in conjuncts(condition):
        for node in walk(part):
            if isinstance(node, ir.Instance):
                yield from ((at, one, node) for at, one in shown if one.id == node.id and one.kind.id == node.kind)
        if isinstance(part, ir.Quantified) and part.quantifier == "no" and part.test is None:
            for at, one in _selected(part.select, shown):
                yield at, one, part.select


def _selected(select: ir.Expr, shown: Shown) -> Shown:
    """The pieces that a selection holds when the game begins; those of which that is not certain are left out."""
    if not isinstance(select, ir.Select):
        return []
    among = _selected(select.source, shown) if select.source is not None else shown
    kind = select.type.name
    of_kind = [(at, one) for at, one in among if any(above.id == kind for above in one.kind.lineage())]
    return [row for row in of_kind if all(_holds(test, select.it, row[1]) for test in conjuncts(select.where))]


def _holds(test: ir.Expr, it: int, piece: Definition) -> bool:
    """Whether it is certain that a condition on the candidate holds for a piece on the map as the game begins."""
    match test:
        case ir.Apply(form=form, args=(ir.Var(slot=slot),)):
            return slot == it and Trait.ASKS_BOARD in form.traits
        case ir.Not(operand=ir.Binary(op=">", left=ir.Get(of=ir.Var(slot=slot), field=counter), right=ir.Const())):
            return slot == it and counter.sort == "status"
        case ir.Binary(op="=", left=ir.Get(of=ir.Var(slot=slot), field=field), right=ir.Def(id=id)):
            return slot == it and field.id == "definition" and id == piece.id
        case ir.Get(of=ir.Var(slot=slot), field=field) if slot == it and field.sort == "field":
            value = piece.values.get(field.id)
            expr = value.expr if value is not None else field.default
            return isinstance(expr, ir.Const) and expr.value != 0
    return False


def pieces_shown(ground: Ground, by_id: dict[str, list[Definition]]) -> Shown:
    """All pieces that a map shows."""
    cells = ground.board.cells
    return [(cell.id, one) for cell in cells for id in cell.places for one in by_id.get(id, ())[:1]]
