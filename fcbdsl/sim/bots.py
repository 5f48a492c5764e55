"""Bots: they answer questions without knowing any game.

A bot is a plain object with a seed of its own; the same bot, seed and questions give the same answers.
"""

from __future__ import annotations

from typing import Protocol

from fcbdsl.game.generator import Generator
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.world import DRAW, WIN, Ask, World


class Bot(Protocol):
    """Answers a question with the index of one of its options."""

    def choose(self, machine: Machine, world: World, ask: Ask) -> int:
        """Return the index of the option taken. Must not change `world`."""
        ...


class RandomBot:
    """Takes any option, each as likely as another."""

    def __init__(self, seed: int) -> None:
        self._chance = Generator(seed, "bot")

    def choose(self, machine: Machine, world: World, ask: Ask) -> int:
        return self._chance.below(len(ask.options))


class SensibleBot:
    """Looks one decision ahead and takes what leaves the best outlook.

    Each option is played on a clone whose chance has been replaced (a bot must not foresee dice), up to the
    next question, and judged by the `outlook` that the system declares; a won game is best and a lost one worst.
    The bot sees the whole state, secrets too.
    Options that look equal are chosen among by chance. A system without an outlook leaves only wins and losses to see.
    """

    WON, EVEN, LOST = 1 << 40, 0, -(1 << 40)

    def __init__(self, seed: int, looks: int = 1, width: int = 24) -> None:
        """`looks`: clones played per option; `width`: options looked at, a fair sample if there are more."""
        self._chance = Generator(seed, "bot")
        self._looks = looks
        self._width = width

    def choose(self, machine: Machine, world: World, ask: Ask) -> int:
        best: list[int] = []
        best_value = self.LOST - 1
        for index in self._sample(len(ask.options)):
            value = sum(self._look(machine, world, index, ask.who) for _ in range(self._looks))
            if value > best_value:
                best, best_value = [index], value
            elif value == best_value:
                best.append(index)
        return best[self._chance.below(len(best))]

    def _sample(self, count: int) -> list[int]:
        """All option numbers, or a fair sample of `width` of them in order."""
        indices = list(range(count))
        while len(indices) > self._width:
            del indices[self._chance.below(len(indices))]
        return indices

    def _look(self, machine: Machine, world: World, index: int, who: int) -> int:
        """The outlook for a player at the question after taking option `index`."""
        ahead = machine.clone(world)
        machine.reseed(ahead, self._chance.below(1 << 62))
        machine.answer(ahead, index)
        machine.run(ahead)
        if not ahead.outcome:
            return machine.outlook(ahead, who)
        if ahead.outcome == DRAW:
            return self.EVEN
        own = ahead.side < 0 or ahead.side == machine.layout.players_low + who
        return self.WON if (ahead.outcome == WIN) == own else self.LOST


def make_bot(name: str, seed: int) -> Bot:
    """Return a new bot by its name (a key of BOTS)."""
    return BOTS[name](seed)


BOTS: dict[str, type[RandomBot] | type[SensibleBot]] = {"random": RandomBot, "sensible": SensibleBot}
"""Bots by the name `fcb play --bot` takes."""
