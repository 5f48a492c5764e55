"""Bots: they answer questions without knowing any game.

A bot is a plain object with a seed of its own; the same bot, seed and questions give the same answers.
"""

from __future__ import annotations

from typing import Protocol

from fcbdsl.game.generator import Generator
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.world import DRAW, FAULT, WIN, Ask, World


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
    """Looks ahead to where an option leads and takes what leaves the best outlook for whoever is asked.

    Each option is played on a clone whose chance has been replaced (a bot must not foresee dice), up to the next
    question; if that only asks the same player how (which target, which option), the best of its answers counts.
    A position is judged by the `outlook` that the system declares; a won game is best and a lost one worst.
    The bot sees the whole state, secrets too.
    Options that look equal are chosen among by chance. A system without an outlook leaves only wins and losses to see.
    """

    WON, EVEN, LOST = 1 << 40, 0, -(1 << 40)

    def __init__(self, seed: int, width: int = 24, inner: int = 4, depth: int = 2) -> None:
        """`width`: options looked at, a fair sample if there are more; `inner`: as many of each question that follows;
        `depth`: how many such questions are followed."""
        self._chance = Generator(seed, "bot")
        self._width = width
        self._inner = inner
        self._depth = depth

    def choose(self, machine: Machine, world: World, ask: Ask) -> int:
        best: list[int] = []
        best_value = self.LOST - 1
        fresh = machine.clone(world)
        machine.reseed(fresh, self._chance.below(1 << 62))
        for index in self._sample(len(ask.options), self._width):
            value = self._look(machine, fresh, index, ask.who, self._depth)
            if value > best_value:
                best, best_value = [index], value
            elif value == best_value:
                best.append(index)
        return best[self._chance.below(len(best))]

    def _sample(self, count: int, most: int) -> list[int]:
        """All option numbers, or a fair sample of `most` of them in order."""
        indices = list(range(count))
        while len(indices) > most:
            del indices[self._chance.below(len(indices))]
        return indices

    def _look(self, machine: Machine, world: World, index: int, who: int, depth: int) -> int:
        """The outlook for a player after taking option `index`."""
        ahead = machine.clone(world)
        machine.answer(ahead, index)
        ask = machine.run(ahead)
        if ask is None:
            return self._judge(machine, ahead, who)
        if depth and ask.who == who and ask.kind in ("choose", "option"):
            return max(
                self._look(machine, ahead, inner, who, depth - 1)
                for inner in self._sample(len(ask.options), self._inner)
            )
        return machine.outlook(ahead, who)

    def _judge(self, machine: Machine, world: World, who: int) -> int:
        """What a game that is over is worth to a player (-1: to the team)."""
        if world.outcome in (DRAW, FAULT):
            return self.EVEN if world.outcome == DRAW else self.LOST
        own = world.side < 0 or world.side == machine.layout.players_low + who
        return self.WON if (world.outcome == WIN) == own else self.LOST


def make_bot(name: str, seed: int) -> Bot:
    """Return a new bot by its name (a key of BOTS)."""
    return BOTS[name](seed)


BOTS: dict[str, type[RandomBot] | type[SensibleBot]] = {"random": RandomBot, "sensible": SensibleBot}
"""Bots by the name `fcb play --bot` takes."""
