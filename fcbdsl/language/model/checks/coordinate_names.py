"""Spaces named by their coordinates: only a text that belongs to a map can use them."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.base.diagnostics.phrases import SpaceWithoutMap, UnknownSpace
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.content import Board, Definition, Preference, Test
from fcbdsl.language.model.declarations import Declared
from fcbdsl.language.model.declaring.context import Context


def coordinates(context: Context, all: Sequence[Facts]) -> None:
    """Report coordinates in texts without a map, and coordinates that are not on the map of a mission.

    Coordinates in tests with a map are skipped, because they were checked when the test was read.
    """
    for facts in all:
        board = _board_of_test(context, facts.owner) if isinstance(facts.owner, Test) else _board(facts.owner)
        if isinstance(facts.owner, Test) and board is not None:
            continue
        for node in facts.spaces:
            if board is None:
                context.report(SpaceWithoutMap(node.span, space=node.id))
                continue
            for word in node.id.split("/"):  # a side is called by two of them
                if not any(cell.id == word for cell in board.cells):
                    context.report(UnknownSpace(node.span, space=word))
                    break


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
