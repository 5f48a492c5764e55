"""Bots: they answer questions without knowing any game.

A bot is a plain object with a seed of its own; the same bot, seed and questions give the same answers. Its lots are no
part of the game's chance: a game is replayed from the decisions that its record holds, never by asking bots again, and
a bot that takes up a game which was left begins its lots anew.
"""

from __future__ import annotations

from typing import Protocol

from fcbdsl.game.generator import Generator
from fcbdsl.sim.guessing import guess
from fcbdsl.vm.machine import MOST_STACK, Machine
from fcbdsl.vm.ops.asking import Offer
from fcbdsl.vm.world import DONE, DRAW, FAULT, NONE, WIN, Ask, Frame, World


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


class FirstBot:
    """Takes the first option: the automatic mode. Where ways are equal that is the way of the lowest directions, for
    spaces are offered by direction."""

    def __init__(self, seed: int) -> None:
        """`seed` is of no account."""

    def choose(self, machine: Machine, world: World, ask: Ask) -> int:
        return 0


class SensibleBot:
    """Looks ahead to where an option leads and takes what leaves the best outlook for whoever is asked.

    Each option is played on clones of the game in which chance has been replaced and whatever is secret to the player
    has been guessed anew (see `guessing.guess`): a bot foresees no dice and sees through no card. They go to the end
    of the action that it begins or is part of: of the questions on the way that only ask the same side how (which
    target, which option), the best answer counts; all others are declined if that is possible. What is part of no
    action is judged at the next question of another sort. To be done is worth what the position is worth as it
    stands, and is preferred to what is worth no more.
    A position is judged by the `outlook` that the system declares; a won game is best and a lost one worst.
    Options that look equal are chosen among by chance. A system without an outlook leaves only wins and losses to see.
    """

    WON, EVEN, LOST = 1 << 40, 0, -(1 << 40)
    FAR = 30
    """Most questions that are answered to see the end of what an option begins."""

    def __init__(self, seed: int, width: int = 24, inner: int = 4, depth: int = 2, looks: int = 3) -> None:
        """`width`: options looked at, a fair sample if there are more; `inner`: as many of each question that follows;
        `depth`: how many such questions are followed; `looks`: how often each option is played."""
        self._chance = Generator(seed, "bot")
        self._width = width
        self._inner = inner
        self._depth = depth
        self._looks = looks

    def choose(self, machine: Machine, world: World, ask: Ask) -> int:
        if len(ask.options) == 1:
            return 0
        futures = [machine.clone(world) for _ in range(self._looks)]
        for future in futures:
            guess(machine, future, ask.who, self._chance)
            machine.reseed(future, self._chance.below(1 << 62))
        best: list[int] = []
        best_value = self._looks * self.LOST - 1
        for index in self._sample(len(ask.options), self._width):
            value = sum(self._value(machine, future, ask, index) for future in futures)
            if value > best_value:
                best, best_value = [index], value
            elif value == best_value:
                best.append(index)
        idle = [index for index in best if ask.kind == "action" and ask.options[index] == (DONE,)]
        return idle[0] if idle else best[self._chance.below(len(best))]

    def _sample(self, count: int, most: int) -> list[int]:
        """All option numbers, or a fair sample of `most` of them in order; the last (often: done) is among them."""
        indices = list(range(count))
        while len(indices) > most:
            del indices[self._chance.below(len(indices) - 1)]
        return indices

    def _value(self, machine: Machine, world: World, ask: Ask, index: int) -> int:
        """What taking an option is worth in one future."""
        if ask.kind == "action" and ask.options[index] == (DONE,):
            return machine.outlook(world, ask.who)
        return self._look(machine, world, index, ask.who, self._depth, under_way(machine, world))

    def _look(self, machine: Machine, world: World, index: int, who: int, depth: int, floor: int) -> int:
        """The outlook for a player after option `index`, once the stack is down to `floor`."""
        ahead = machine.clone(world)
        machine.answer(ahead, index)
        ask = machine.run(ahead)
        for _ in range(self.FAR):
            if ask is None:
                break
            if depth and who in (ask.who, -1) and ask.kind in ("choose", "option"):
                sample = self._sample(len(ask.options), self._inner)
                return max(self._look(machine, ahead, inner, who, depth - 1, floor) for inner in sample)
            if len(ahead.stack) <= floor:
                break
            machine.answer(ahead, _declined(ask))
            ask = machine.run(ahead)
        return machine.outlook(ahead, who) if ask is not None else self._judge(machine, ahead, who)

    def _judge(self, machine: Machine, world: World, who: int) -> int:
        """What a game that is over is worth to a player (-1: to the team)."""
        if world.outcome in (DRAW, FAULT):
            return self.EVEN if world.outcome == DRAW else self.LOST
        own = world.side < 0 or world.side == machine.layout.players_low + who
        return self.WON if (world.outcome == WIN) == own else self.LOST


def under_way(machine: Machine, world: World) -> int:
    """How high the stack is without the action under way; no stack is higher if there is none."""
    for height in range(len(world.stack), 0, -1):
        item = world.stack[height - 1]
        # An offer that asks stands at its op; one whose action is under way stands at the next.
        if isinstance(item, Frame) and Offer in map(type, machine.code(item.code)[max(item.pc - 1, 0) : item.pc + 1]):
            return height
    return MOST_STACK


def _declined(ask: Ask) -> int:
    """The option that declines, or the first one if none does."""
    return next((index for index, option in enumerate(ask.options) if option[0] in (NONE, DONE)), 0)


def make_bot(name: str, seed: int) -> Bot:
    """Return a new bot by its name (a key of BOTS)."""
    return BOTS[name](seed)


BOTS: dict[str, type[RandomBot] | type[FirstBot] | type[SensibleBot]] = {
    "random": RandomBot,
    "first": FirstBot,
    "sensible": SensibleBot,
}
"""Bots by the name `fcb play --bot` takes."""
