"""Bots: they answer questions without knowing any game.

A bot is a plain object with a seed of its own; the same bot, seed and questions give the same answers. Its lots are no
part of the game's chance: a game is replayed from the decisions that its record holds, never by asking bots again, and
a bot that takes up a game which was left begins its lots anew.
"""

from __future__ import annotations

from typing import Protocol

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.game import MOST_STACK, Game
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops.asking import Offer
from fcbdsl.machine.vm.teams import EVERYBODY, is_of, seats
from fcbdsl.machine.vm.world import DONE, DRAW, FAULT, NONE, WIN, Ask, Frame, World
from fcbdsl.play.bots.determinize import Hidden, guess


class Bot(Protocol):
    """Answers a question with the index of one of its options."""

    def choose(self, game: Game, ask: Ask) -> int:
        """Return the index of the option taken. Must not change `game`."""
        ...


class RandomBot(Bot):
    """Takes any option, each as likely as another."""

    def __init__(self, seed: int) -> None:
        self._chance = Generator(seed, "bot")

    def choose(self, game: Game, ask: Ask) -> int:
        return self._chance.below(len(ask.options))


class FirstBot(Bot):
    """Takes the first option: the automatic mode. Where ways are equal that is the way of the lowest directions, for
    spaces are offered by direction."""

    def __init__(self, seed: int) -> None:
        """`seed` is of no account."""

    def choose(self, game: Game, ask: Ask) -> int:
        return 0


class SensibleBot(Bot):
    """Looks ahead to where an option leads and takes what leaves the best outlook for whoever is asked.

    Each option is played on copies of the game in which chance has been replaced and whatever is secret to the player
    has been guessed anew (`determinize.guess`): a bot foresees no dice and sees through no card. They go to the end
    of the action that it begins or is part of: of the questions on the way that only ask the same side how (which
    target, which option), the best answer counts; all others are declined if that is possible. What is part of no
    action is judged at the next question of another sort. To be done is worth what the position is worth as it
    stands, and is preferred to what is worth no more.
    A position is judged by the `outlook` that the system declares; a won game is best and a lost one worst.
    What meets no chance on its way, and nothing that is hidden, is played once instead: it would go the same way each
    time, and count as much. So is each answer to a question on the way that all futures come to.
    Options that look equal are chosen among by chance. A system without an outlook leaves only wins and losses to see.
    """

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

    def choose(self, game: Game, ask: Ask) -> int:
        if len(ask.options) == 1:
            return 0
        futures = [game.clone() for _ in range(self._looks)]
        hidden = Hidden(game, ask.who)
        for future in futures:
            self._hide(future, ask, hidden)
            future.reseed(self._chance.below(1 << 62))
        alike, same = _likeness(futures, ask.who)
        floor = under_way(game)
        best: list[int] = []
        best_value = self._looks * LOST - 1
        for index in self._sample(len(ask.options), self._width):
            seen = Glimpse(alike, True)
            value = self._value(futures[0], ask, index, floor, seen)
            if seen.certain:
                value *= len(futures)
            else:
                for future, is_same in zip(futures[1:], same[1:], strict=True):
                    value += self._value(future, ask, index, floor, seen if is_same else Glimpse(False, False))
            if value > best_value:
                best, best_value = [index], value
            elif value == best_value:
                best.append(index)
        idle = [index for index in best if ask.kind == "action" and ask.options[index] == (DONE,)]
        return idle[0] if idle else best[self._chance.below(len(best))]

    def _hide(self, game: Game, ask: Ask, hidden: Hidden) -> None:
        """Replace in a clone of the game what whoever is asked may not know."""
        guess(game, ask.who, self._chance, hidden)

    def _sample(self, count: int, most: int) -> list[int]:
        """All option numbers, or a fair sample of `most` of them in order; the last (often: done) is among them."""
        indices = list(range(count))
        while len(indices) > most:
            del indices[self._chance.below(len(indices) - 1)]
        return indices

    def _value(self, game: Game, ask: Ask, index: int, floor: int, seen: Glimpse) -> int:
        """What taking an option is worth in one future."""
        if ask.kind == "action" and ask.options[index] == (DONE,):
            seen.certain = seen.alike
            return game.outlook(ask.who)
        return self._look(game, index, ask.who, self._depth, floor, seen)

    def _look(self, game: Game, index: int, who: int, depth: int, floor: int, seen: Glimpse) -> int:
        """The outlook for a player after option `index`, once the stack is down to `floor`. `seen`: what looks at the
        same in other futures have come to."""
        if seen.known:
            return seen.value
        ahead = game.ahead()
        try:
            ask = self._begin(ahead, index, who, depth, floor)
            if ahead.world.reveals != game.world.reveals:
                seen.alike = seen.same = False
            if ask is None:
                seen.value = judge(ahead, who) if ahead.world.ask is None else ahead.outlook(who)
                seen.certain = seen.alike
                seen.known = seen.same = seen.same and ahead.world.unmixed is game.world.unmixed
                return seen.value
            seen.same = seen.same and ahead.world.unmixed is game.world.unmixed
            best = LOST - 1
            every = len(ask.options) <= self._inner
            certain, known = seen.alike and every, seen.same and every
            for inner in self._sample(len(ask.options), self._inner):
                following = seen.following(inner)
                best = max(best, self._look(ahead, inner, who, depth - 1, floor, following))
                certain = certain and following.certain
                known = known and following.known
            seen.value, seen.certain, seen.known = best, certain, known
            return best
        finally:  # whatever ends the look: it is the memory of the game itself
            ahead.take_back()

    def _begin(self, ahead: Game, index: int, who: int, depth: int, floor: int) -> Ask | None:
        """Take an option in a game that looks ahead, and go on to a question that is to be followed, and return it; or
        until the stack is down to `floor`."""
        ahead.answer(index)
        ask = ahead.run()
        for _ in range(self.FAR):
            if ask is None:
                break
            if depth and decide_together(ahead, who, ask.who) and ask.kind in ("choose", "option"):
                return ask
            if len(ahead.world.stack) <= floor:
                break
            ahead.answer(_declined(ask))
            ask = ahead.run()
        return None


class Glimpse:
    """What looking at an option has come to, in one future after the other.

    `alike`: whether no chance has been met on the way, and nothing secret shown; `certain`: nor in what follows, so
    that it would hardly come to anything else in another future. `same`: whether, besides, nothing has been looked at
    on the way in which futures differ that are the same (see `_likeness`); `known`: nor in what follows, so that
    `value` is what it comes to in all of these."""

    __slots__ = ("_following", "alike", "certain", "known", "same", "value")

    def __init__(self, alike: bool, same: bool) -> None:
        self.alike = alike
        self.same = same
        self.certain = False
        self.known = False
        self.value = 0
        self._following: dict[int, Glimpse] = {}

    def following(self, index: int) -> Glimpse:
        """The same of an answer to the question that follows."""
        found = self._following.get(index) if self.same else None
        if found is None:
            found = Glimpse(self.alike, self.same)
            self._following[index] = found
        return found


def _likeness(futures: list[Game], who: int) -> tuple[bool, list[bool]]:
    """How far some guesses of a game are alike to whoever judges them before any of what is hidden shows.

    - Whether all look alike: no stat that is secret says different things, and the outlook is one.
    - Which of them are the same as the first, but for chance, and for the order of what is unmixed in both and not
      looked at by who judges them. These look alike."""
    first = futures[0]
    unmixed = first.world.unmixed
    outlook = first.keep_outlook(who)
    sealed = [item for item in first.world.stack if isinstance(item, Frame) and item.sealed]
    unseen = first.world.unmixed is unmixed and not sealed
    same = [unseen and _differ_in_order(first.world, other.world) for other in futures]
    for other, is_same in zip(futures, same, strict=True):
        if is_same:
            other.kept = first.kept
            continue
        for low, high in first.image.secret_cells:
            if list(other.world.mem[low:high]) != list(first.world.mem[low:high]):
                return False, same
        if other.keep_outlook(who) != outlook:
            return False, same
    return True, same


def _differ_in_order(a: World, b: World) -> bool:
    """Whether two worlds, guesses of one, differ at most in chance and in the order of what is unmixed in both."""
    alike = a.token is b.token and a.zones == b.zones and a.unmixed.keys() == b.unmixed.keys()
    return alike and a.markers == b.markers and a.effects == b.effects and a.used == b.used


WON, EVEN, LOST = 1 << 40, 0, -(1 << 40)
"""What games that are over are worth."""


def judge(game: Game, who: int) -> int:
    """What a game that is over is worth to whom `who` stands for."""
    world = game.world
    if world.outcome in (DRAW, FAULT):
        return EVEN if world.outcome == DRAW else LOST
    own = world.side < 0 or is_of(game, who, world.side)
    return WON if (world.outcome == WIN) == own else LOST


def decide_together(game: Game, who: int, other: int) -> bool:
    """Whether `who`, who is looking ahead, answers what `other` is asked: a team and its players decide as one."""
    if who in (other, EVERYBODY):
        return True
    seated = seats(game, other) if min(who, other) < EVERYBODY else ()
    return any(seat in seated for seat in seats(game, who))


def under_way(game: Game) -> int:
    """How high the stack is without the action under way; no stack is higher if there is none."""
    for height in range(len(game.world.stack), 0, -1):
        item = game.world.stack[height - 1]
        # An offer that asks stands at its op; one whose action is under way stands at the next.
        if isinstance(item, Frame) and any(isinstance(op, Offer) for op in _around(game, item)):
            return height
    return MOST_STACK


def _around(game: Game, frame: Frame) -> list[Op]:
    """The op at which a running code stands, and the one before it."""
    return game.image.code(frame.code)[max(frame.pc - 1, 0) : frame.pc + 1]


def _declined(ask: Ask) -> int:
    """The option that declines, or the first one if none does."""
    return next((index for index, option in enumerate(ask.options) if option[0] in (NONE, DONE)), 0)
