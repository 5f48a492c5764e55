"""A game in which persons and bots answer in turn, with undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.session.playout import Record, close_record

if TYPE_CHECKING:
    from fcbdsl.play.bots.bots import Bot


@dataclass(frozen=True, slots=True)
class _Mark:
    """The state of a game when a person was asked."""

    game: Game
    decisions: int


class Session:
    """One game. `bots` answer for their players; all other questions wait for a person."""

    def __init__(self, game: Game, record: Record, bots: Mapping[int, Bot]) -> None:
        self.game = game
        self.record = record
        self._bots = bots
        self._marks: list[_Mark] = []

    def advance(self) -> Ask | None:
        """Advance to the next question to a person and return it; None when the game is over."""
        ask = self.game.run()
        while ask is not None and (bot := self._bot(ask)) is not None:
            self._take(bot.choose(self.game, ask))
            ask = self.game.run()
        close_record(self.game, self.record)
        return ask

    def pending(self) -> Ask | None:
        """Play on to the next question, whether it goes to a person or a bot. Return None when the game is over."""
        ask = self.game.run()
        if ask is None:
            close_record(self.game, self.record)
        return ask

    def step(self) -> bool:
        """Let a bot answer the pending question. Return False if the question goes to a person, or there is none."""
        ask = self.pending()
        bot = self._bot(ask) if ask is not None else None
        if ask is None or bot is None:
            return False
        self._take(bot.choose(self.game, ask))
        return True

    def waits(self) -> bool:
        """Return whether a bot answers the pending question."""
        ask = self.pending()
        return ask is not None and self._bot(ask) is not None

    def retrace(self, index: int) -> None:
        """Repeat a decision of a record; decisions of a person stay undoable."""
        if self.waits():
            self._take(index)
        else:
            self.choose(index)

    def choose(self, index: int) -> None:
        """Let the person take option `index`. Raise IndexError if there is no such option."""
        if self.game.world.ask is None or not 0 <= index < len(self.game.world.ask.options):
            raise IndexError(f"there is no option {index}")
        self._marks.append(_Mark(self.game.clone(), len(self.record.decisions)))
        self._take(index)

    def can_undo(self) -> bool:
        """Return whether a person has decided anything yet."""
        return bool(self._marks)

    def revealed(self) -> bool:
        """Return whether chance or a secret was revealed since the last decision of a person."""
        return bool(self._marks) and self._marks[-1].game.world.reveals != self.game.world.reveals

    def undo(self) -> None:
        """Undo the last decision of a person, if there is one and no secret or chance was revealed since."""
        if self.can_undo() and not self.revealed():
            mark = self._marks.pop()
            self.game = mark.game
            del self.record.decisions[mark.decisions :]

    def interrupt(self) -> None:
        """Mark the record as open, for saving after an interruption."""
        self.record.outcome = "open"
        self.record.digest = ""

    def _take(self, index: int) -> None:
        self.record.decisions.append(index)
        self.game.answer(index)

    def _bot(self, ask: Ask) -> Bot | None:
        """Return the bot that answers a question. A question to several players waits for a person if one of them
        is."""
        asked = deciding_seats(self.game, ask.who)
        return self._bots[asked[0]] if all(seat in self._bots for seat in asked) else None
