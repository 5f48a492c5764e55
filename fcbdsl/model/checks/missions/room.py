"""Room for all who must stand somewhere at once: fewer spaces than pieces, where one piece fills a space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fcbdsl.diagnostics.missions import NoRoom
from fcbdsl.model import ir
from fcbdsl.model.checks.missions.scene import Scene
from fcbdsl.model.checks.missions.spaces import Spaces, spaces_named
from fcbdsl.model.content import Board
from fcbdsl.model.declarations import Trait
from fcbdsl.model.ir import conjuncts
from fcbdsl.source import Span

_MORE = {">=": 0, "=": 0, ">": 1}
"""By how many a count must exceed a number at least, by comparison."""
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class _Gathering:
    """Pieces that must stand on certain spaces at once: how many, None for all of the players'."""

    kind: str
    number: int | None
    spaces: Spaces
    span: Span


def check_room(
    scene: Scene, asked: ir.Expr, here: Span, actors: Mapping[str, None], reached: Mapping[str, None]
) -> None:
    """Report spaces that are too few for the pieces that a condition wants on them at once.

    Counted are spaces that can be reached; of the players' pieces there is at least one for each player."""
    model, board = scene.context.model, scene.mission.board
    assert board is not None
    most = (scene.mission.players or model.players)[1]
    for found in _gatherings(asked, board, 0):
        kind = model.kinds.get(found.kind)
        if kind is None or not any(above.alone for above in kind.lineage()):
            continue
        if found.number is None and found.kind not in actors:
            continue
        number = most if found.number is None else found.number
        room = sum(id in reached for id in found.spaces.ids)
        if 0 < room < number:
            span = found.span if found.span.beside(here) else here
            who = f"{number} players" if found.number is None else "any number of players"
            report = NoRoom(span, players=who, pieces=number, name=found.spaces.label, room=room)
            scene.context.report(report)


def _gatherings(expr: ir.Expr, board: Board, depth: int) -> Iterator[_Gathering]:
    """The gatherings that a condition asks for in any case."""
    for part in conjuncts(expr):
        match part:
            case ir.Quantified(quantifier="every", select=select, test=test, it=it) if test is not None:
                yield from _gathered(select, test, it, None, part.span, board)
            case ir.Quantified(quantifier="no", select=ir.Select() as select, test=None):
                for test in conjuncts(select.where):
                    if isinstance(test, ir.Not):
                        yield from _gathered(select, test.operand, select.it, None, part.span, board)
            case ir.Binary(
                op=op,
                left=ir.Quantified(quantifier="number", select=ir.Select() as select),
                right=ir.Const(value=value),
            ) if op in _MORE:
                for test in conjuncts(select.where):
                    yield from _gathered(select, test, select.it, value + _MORE[op], part.span, board)
            case ir.Apply(form=form) if form.op is None and form.body is not None and depth < _DEEPEST:
                last = form.body.statements
                if len(last) == 1 and isinstance(last[0], ir.Answer):
                    for found in _gatherings(last[0].value, board, depth + 1):
                        yield _Gathering(found.kind, found.number, found.spaces, part.span)


def _gathered(
    select: ir.Expr, test: ir.Expr, it: int, number: int | None, span: Span, board: Board
) -> Iterator[_Gathering]:
    """The gathering that a test of each of some pieces makes: all must stand on these spaces."""
    match test:
        case ir.Apply(form=form, args=(ir.Var(slot=slot), where)) if (
            Trait.ASKS_PLACE in form.traits and slot == it and where is not None
        ):
            spaces = spaces_named(where, board, {})
            if spaces is not None:
                yield _Gathering(select.type.name, number, spaces, span)
