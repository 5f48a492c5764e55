"""Spaces and sides named by coordinates: only a text that belongs to a map can use them."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.base.diagnostics.phrases import SpaceWithoutMap, UnknownSpace
from fcbdsl.base.diagnostics.values import NotNeighbours
from fcbdsl.base.source import Span
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.content import Board, Definition, Preference, Test
from fcbdsl.language.model.declarations import Declared
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.geometry import numbers_of, shape_of


def coordinates(context: Context, all: Sequence[Facts]) -> None:
    """Report coordinates in texts without a map, and those that the map of a mission or test does not have.

    Spaces of tests with a map are skipped, because they were checked when the test was read.
    """
    for facts in all:
        board = _board_of_test(context, facts.owner) if isinstance(facts.owner, Test) else _board(facts.owner)
        read_before = isinstance(facts.owner, Test) and board is not None
        for span, id in facts.spaces:
            if board is None:
                context.report(SpaceWithoutMap(span, space=id))
            elif "/" in id or not read_before:
                _check_on_map(context, board, span, id, read_before)


def _check_on_map(context: Context, board: Board, span: Span, id: str, read_before: bool) -> None:
    """Report the name of a space or side that a map does not have."""
    words = id.split("/")  # a side is called by two of them
    unknown = [word for word in words if not any(cell.id == word for cell in board.cells)]
    if unknown and not read_before:
        context.report(UnknownSpace(span, space=unknown[0]))
    elif not unknown and len(words) == 2:
        _report_apart(context, board, words, span)


def _report_apart(context: Context, board: Board, words: list[str], span: Span) -> None:
    """Report the name of a side if its two spaces have no common side."""
    shape, numbers = shape_of(board), numbers_of(board)
    first, second = numbers[words[0]], numbers[words[1]]
    if shape.side(first, second) < 0:
        why = "only meet at a corner" if second in shape.neighbours[first] else "are not adjacent"
        context.report(NotNeighbours(span, first=words[0], second=words[1], why=why))


def _board_of_test(context: Context, test: Test) -> Board | None:
    """Return the map of a test, or that of the mission that it uses."""
    if test.board is not None or test.mission is None:
        return test.board
    mission = context.model.definitions.get(test.mission)
    return mission.board if mission is not None else None


def _board(owner: Declared | None) -> Board | None:
    """Return the map that a text belongs to: that of its mission, or of the mission that its card is for."""
    if isinstance(owner, Preference):
        owner = owner.mission
    if not isinstance(owner, Definition):
        return None
    return owner.board or (owner.target.board if owner.target is not None else None)
