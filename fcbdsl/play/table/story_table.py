"""A finished game at a table, step by step. People can play on from each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from fcbdsl.base.locales import interface_texts
from fcbdsl.play.session.playout import Record
from fcbdsl.play.table.table import GameTable, Reason
from fcbdsl.play.table.table_protocol import ChooseCommand, TakeBack, TurnRow, TurnTo

if TYPE_CHECKING:
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.bots.bots import Bot

FAR = 10
"""Steps of a large turn."""


class StoryTable:
    """A finished game. `table`: that of the present step, or of the game that people play on from one."""

    def __init__(self, image: Image, record: Record, bots: Callable[[Record], Mapping[int, Bot]]) -> None:
        """`bots`: those of a game that people play on. Raises CannotStart, or Divergence if a decision of the record
        does not fit."""
        self._image = image
        self._record = record
        self._bots = bots
        GameTable(image, self._at(len(record.decisions)), {})
        self.table = GameTable(image, self._at(0), {}, is_story=True)

    @property
    def step(self) -> int:
        """The number of decisions before the present position."""
        return len(self.table.record.decisions)

    def obey(self, seats: tuple[int, ...], command: ChooseCommand | TakeBack | TurnTo) -> Reason:
        """Turn to a step, or play on; return why that is not possible. The choice that was taken leads to the next
        step, and another one begins a new game."""
        if not seats:
            return "not-yours"
        if command.n != self.table.n:
            return "stale"
        if isinstance(command, TurnTo) and command.step is None:
            self.table = GameTable(self._image, self._at(self.step), self._bots(self._record))
            return ""
        if isinstance(command, ChooseCommand) and command.choice != self._record_choice():
            if self.table.ask is None or not 0 <= command.choice < len(self.table.ask.options):
                return "no-choice"
            record = self._at(self.step)
            record.decisions.append(command.choice)
            self.table = GameTable(self._image, record, self._bots(record))
            return ""
        return self._turn(command.step or 0 if isinstance(command, TurnTo) else self.step + _forward(command))

    def turns(self, language: str) -> tuple[TurnRow, ...]:
        """Return the steps to which a page offers to turn, in a language."""
        words = interface_texts("table", language)
        last, step, rows = len(self._record.decisions), self.step, []
        if step:
            rows += [TurnRow(words["story-first"], "0", 0), TurnRow(words["story-back"], ",", step - 1)]
        if (taken := self._record_choice()) is not None:
            question = self.table.scene(tuple(range(self._record.players)), language).question
            label = question.choices[taken].label if question is not None and question.choices else ""
            rows += [TurnRow(words["story-next"].format(label), ".", step + 1)]
            rows += [TurnRow(words["story-far"].format(FAR), "-", step + FAR)] if step + FAR < last else []
            rows += [TurnRow(words["story-last"], "e", last)]
        return (*rows, TurnRow(words["story-play"], "p")) if self.table.ask is not None else tuple(rows)

    def place(self, language: str) -> str:
        """Return the number of the present step in words."""
        return interface_texts("table", language)["story-step"].format(self.step, len(self._record.decisions))

    def _turn(self, step: int) -> Reason:
        decisions = self._record.decisions
        if not 0 <= step <= len(decisions):
            return "nothing"
        if step < self.step:
            self.table = GameTable(self._image, self._at(step), {}, is_story=True)
        for index in decisions[self.step : step]:
            self.table.choose(self.table.asked(), self.table.n, index)
        return ""

    def _at(self, step: int) -> Record:
        """Return the open record of a step."""
        return replace(self._record, decisions=self._record.decisions[:step], outcome="open", digest="")

    def _record_choice(self) -> int | None:
        """Return the choice that was taken here; None at the end."""
        decisions = self._record.decisions
        return decisions[self.step] if self.step < len(decisions) else None


def _forward(command: ChooseCommand | TakeBack) -> int:
    return 1 if isinstance(command, ChooseCommand) else -1
