"""A game in which persons and bots answer in turn, with taking back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fcbdsl.sim.playout import Record, close
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.world import Ask, World

if TYPE_CHECKING:
    from fcbdsl.sim.bots import Bot


@dataclass(frozen=True, slots=True)
class _Mark:
    """How things stood when a person was asked."""

    world: World
    decisions: int


class Session:
    """One game. `bots` answer for their players; all other questions wait for a person."""

    def __init__(self, machine: Machine, world: World, record: Record, bots: Mapping[int, Bot]) -> None:
        self.machine = machine
        self.world = world
        self.record = record
        self._bots = bots
        self._marks: list[_Mark] = []

    def advance(self) -> Ask | None:
        """Play on to the next question to a person; None when the game is over."""
        ask = self.machine.run(self.world)
        while ask is not None and (bot := self._bot(ask)) is not None:
            self._take(bot.choose(self.machine, self.world, ask))
            ask = self.machine.run(self.world)
        close(self.machine, self.world, self.record)
        return ask

    def choose(self, index: int) -> None:
        """Let the person take option `index`. Raises IndexError if there is none of that number."""
        if self.world.ask is None or not 0 <= index < len(self.world.ask.options):
            raise IndexError(f"there is no option {index}")
        self._marks.append(_Mark(self.machine.clone(self.world), len(self.record.decisions)))
        self._take(index)

    def can_undo(self) -> bool:
        """Whether a person has decided anything yet."""
        return bool(self._marks)

    def revealed(self) -> bool:
        """Whether chance or something secret has shown since the last decision of a person."""
        return bool(self._marks) and self._marks[-1].world.reveals != self.world.reveals

    def undo(self) -> None:
        """Go back to before the last decision of a person, if there is one and nothing has shown since."""
        if self.can_undo() and not self.revealed():
            mark = self._marks.pop()
            self.world = mark.world
            del self.record.decisions[mark.decisions :]

    def interrupt(self) -> None:
        """Leave the record fit to be kept although the game was stopped at any point of its course."""
        self.record.outcome = "open"
        self.record.digest = ""

    def _take(self, index: int) -> None:
        self.record.decisions.append(index)
        self.machine.answer(self.world, index)

    def _bot(self, ask: Ask) -> Bot | None:
        """The bot that answers a question. The team's questions wait for a person if there is one."""
        if ask.who >= 0:
            return self._bots.get(ask.who)
        return self._bots[0] if len(self._bots) == self.record.players else None
