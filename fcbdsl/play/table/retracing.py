"""The decisions of a game, taken again on a changed program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.session.playout import Record
from fcbdsl.play.session.view import View


class Parted(Exception):
    """A decision that the changed program does not offer. `number`: which one, from 1."""

    def __init__(self, number: int) -> None:
        super().__init__(f"decision {number} is not offered any more")
        self.number = number


def retrace_record(old: Image, record: Record, new: Image) -> Record:
    """Return the record of a game of the `old` program for the `new` one: with the options of the same names.

    Raises Parted if a question goes to another player or lacks the option, and CannotStart.
    """
    pair = [
        setup.start_game(image, record.mission, record.players, record.seed, record.switches) for image in (old, new)
    ]
    views = [View(image, old.program.language, None) for image in (old, new)]
    decisions: list[int] = []
    for number, index in enumerate(record.decisions, 1):
        before, after = (game.run() for game in pair)
        assert before is not None
        if after is None or (after.who, after.kind) != (before.who, before.kind):
            raise Parted(number)
        named = [view.options(game, ask) for view, game, ask in zip(views, pair, (before, after), strict=True)]
        matching = _same(index, *named)
        if matching is None:
            raise Parted(number)
        pair[0].answer(index)
        pair[1].answer(matching)
        decisions.append(matching)
    return replace(record, program=new.program.hash, decisions=decisions, outcome="open", digest="")


def _same(index: int, old: Sequence[str], new: Sequence[str]) -> int | None:
    """Return the option that has the name of the old one, or that alone was renamed; None if there is none."""
    if len(old) == len(new) and all(new[at] == name for at, name in enumerate(old) if at != index):
        return index
    return new.index(old[index]) if new.count(old[index]) == 1 and old.count(old[index]) == 1 else None
