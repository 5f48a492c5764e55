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

    Coordinates in tests are skipped, because they were checked when the test was read.
    """
    for facts in all:
        if isinstance(facts.owner, Test) or not facts.spaces:
            continue
        board = _board(facts.owner)
        for node in facts.spaces:
            if board is None:
                context.report(SpaceWithoutMap(node.span, space=node.id))
                continue
            for word in node.id.split("/"):  # a side is called by two of them
                if not any(cell.id == word for cell in board.cells):
                    context.report(UnknownSpace(node.span, space=word))
                    break


def _board(owner: Declared | None) -> Board | None:
    """Return the map that a text belongs to: that of its mission, or of the mission that its card is for."""
    if isinstance(owner, Preference):
        owner = owner.mission
    if not isinstance(owner, Definition):
        return None
    return owner.board or (owner.target.board if owner.target is not None else None)
