"""Bots: they answer questions without knowing any game.

A bot is a plain object with its own seed; the same bot, seed and questions give the same answers. Its random numbers
are no part of the game's chance: a replay uses the recorded decisions and never asks a bot again. A bot that continues
an interrupted game starts its random numbers again.
"""

from __future__ import annotations

from typing import Protocol

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.frames import MOST_STACK
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.milestones import Milestone
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops.asking import Offer
from fcbdsl.machine.vm.teams import EVERYBODY, deciding_seats, is_of
from fcbdsl.machine.vm.world import DONE, DRAW, FAULT, NONE, WIN, Ask, Frame, World
from fcbdsl.play.bots.determinize import Hidden, guess


class Bot(Protocol):
    """Answers a question with the index of one of its options."""

    def choose(self, game: Game, ask: Ask) -> int:
        """Return the index of the option taken. Must not change `game`."""
        ...


class RandomBot(Bot):
    """Takes any option, all equally likely."""

    def __init__(self, seed: int) -> None:
        self._chance = Generator(seed, "bot")

    def choose(self, game: Game, ask: Ask) -> int:
        return self._chance.below(len(ask.options))


class FirstBot(Bot):
    """Takes the first option: the automatic mode. Among equal paths it takes the one with the lowest directions, since
    spaces are offered by direction."""

    def __init__(self, seed: int) -> None:
        """Ignore `seed`: this bot uses no chance."""

    def choose(self, game: Game, ask: Ask) -> int:
        return 0


class SensibleBot(Bot):
    """Looks ahead and takes the option after which the evaluation function is best for the player or team that is
    asked.

    The bot plays each option on copies of the game. In these copies chance is replaced and every secret of other
    players is guessed (`determinize.guess`), so the bot foresees no dice and no hidden cards. Each copy is played to
    the end of the action that the option begins or belongs to. For questions on the way that only ask the same side how
    (which target, which option), the best answer counts; all others are declined if possible. An option outside of any
    action is evaluated at the next question of another sort. "Done" is worth the evaluation of the current position,
    and wins ties.

    The system declares the evaluation function as `outlook`. A won game is best and a lost game worst.

    An option that meets no chance and no hidden information is played once, since every copy gives the same result. The
    same holds for each answer to a question on the way that all copies reach.

    The bot chooses at random among options of equal value. Without an `outlook` it sees only wins and losses.
    """

    FAR = 30
    """Most questions that are answered to see the end of what an option begins."""

    def __init__(self, seed: int, width: int = 24, inner: int = 4, depth: int = 2, looks: int = 3) -> None:
        """Set the limits of the search. `width`: options examined, a fair sample if there are more; `inner`: the same
        for each follow-up question; `depth`: follow-up questions searched; `looks`: times that each option is played.
        """
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
            seen = Glimpse(alike, any(same[1:]))
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
        """Replace in a clone of the game all that the asked player or team cannot know."""
        guess(game, ask.who, self._chance, hidden)

    def _sample(self, count: int, most: int) -> list[int]:
        """Return all option numbers, or a fair sample of `most` in order. It includes the last option (often: done)."""
        indices = list(range(count))
        while len(indices) > most:
            del indices[self._chance.below(len(indices) - 1)]
        return indices

    def _value(self, game: Game, ask: Ask, index: int, floor: int, seen: Glimpse) -> int:
        """Return the value of an option in one future."""
        if ask.kind == "action" and ask.options[index] == (DONE,):
            seen.certain = seen.alike
            return game.outlook(ask.who)
        return self._look(game, index, ask.who, self._depth, floor, seen)

    def _look(self, game: Game, index: int, who: int, depth: int, floor: int, seen: Glimpse) -> int:
        """Return the evaluation for a player after option `index`, once the stack is down to `floor`.

        `seen` holds the results of this option in other futures.
        """
        states, before, reveals = game.world.rng[:], game.world.rng, game.world.reveals
        here, last = seen, seen.milestone
        while here.milestone is not None and here.milestone.chance is not None:
            last, before = here.milestone, states[:]
            reveals += here.milestone.chance.count
            here = here.after(here.milestone.chance.drawn(states))
        if here.known:
            return here.value
        if here.milestone is not None:
            ahead, left = here.milestone.enter(game, states), here.milestone.left
        elif last is not None:
            ahead, left = last.enter(game, before), last.left
        else:
            ahead, left = game.ahead(), self.FAR
        try:
            ask = ahead.world.ask
            if here.milestone is None:
                ahead.stops_at_chance = here.same
                if last is None:
                    ahead.answer(index)
                ask, left = self._play_on(ahead, left, who, depth, floor)
                while ahead.chance is not None:
                    here.same = here.same and ahead.world.unmixed is game.world.unmixed
                    if here.same and ahead.world.reveals == reveals:
                        here.milestone = Milestone(ahead, left)
                        reveals += ahead.chance.count
                        here = here.after(ahead.chance.drawn(ahead.world.rng[:]))
                    else:
                        ahead.stops_at_chance = False
                    ask, left = self._play_on(ahead, left, who, depth, floor)
            if ahead.world.reveals != reveals:
                here.alike = here.same = False
            here.same = here.same and ahead.world.unmixed is game.world.unmixed
            if ask is None:
                here.value = judge(ahead, who) if ahead.world.ask is None else ahead.outlook(who)
                here.certain, here.known = here.alike, here.same
                return here.value
            if here.same and here.milestone is None:
                here.milestone = Milestone(ahead, left)
            best = LOST - 1
            every = len(ask.options) <= self._inner
            certain, all_known = here.alike and every, here.same and every
            for inner in self._sample(len(ask.options), self._inner):
                following = here.following(inner)
                best = max(best, self._look(ahead, inner, who, depth - 1, floor, following))
                certain = certain and following.certain
                all_known = all_known and following.known
            here.value, here.certain, here.known = best, certain, all_known
            return best
        finally:  # also after an exception: look-ahead writes to the memory of the game itself
            ahead.take_back()

    def _play_on(self, ahead: Game, left: int, who: int, depth: int, floor: int) -> tuple[Ask | None, int]:
        """Run a look-ahead game, in which at most `left` questions are answered.

        Return the next question to search, or None when the stack is down to `floor`, or at a stop before chance; and
        how many questions are left.
        """
        ask = ahead.run() if ahead.chance is None else ahead.go_on()
        while ask is not None and ahead.chance is None and left:
            left -= 1
            if depth and ask.kind in ("choose", "option") and decide_together(ahead, who, ask.who):
                return ask, left
            if len(ahead.world.stack) <= floor:
                break
            ahead.answer(_declined(ask))
            ask = ahead.run()
        return None, left


class Glimpse:
    """The results of playing an option, in one future after another.

    `alike`: no chance and no revealed secret on the way; `certain`: nor in what follows, so that other futures hardly
    differ. `same`: also no read of anything that differs between equal futures (see `_likeness`). `known`: nor in what
    follows, so that `value` is the value in all of these futures. `milestone`: how these futures begin, up to a
    question or to the next dice; what follows is in the records by what the dice show.
    """

    __slots__ = ("_after", "_following", "alike", "certain", "known", "milestone", "same", "value")

    def __init__(self, alike: bool, same: bool) -> None:
        self.alike = alike
        self.same = same
        self.certain = False
        self.known = False
        self.value = 0
        self.milestone: Milestone | None = None
        self._following: dict[int, Glimpse] = {}
        self._after: dict[tuple[int, ...], Glimpse] = {}

    def following(self, index: int) -> Glimpse:
        """Return the record of an answer to the question that follows."""
        following = self._following.get(index) if self.same else None
        if following is None:
            following = Glimpse(self.alike, self.same)
            self._following[index] = following
        return following

    def after(self, shown: tuple[int, ...]) -> Glimpse:
        """Return the record of what follows when the dice show these values."""
        after = self._after.get(shown)
        if after is None:
            after = self._after[shown] = Glimpse(False, True)
        return after


def _likeness(futures: list[Game], who: int) -> tuple[bool, list[bool]]:
    """Compare several guesses of a game, as seen by a player before any secret is revealed.

    Return two values:

    - Whether all look alike: no secret stat differs and the evaluation is equal.

    - For each guess, whether it is the same as the first one, except for chance and the order of unshuffled zones. Both
      must leave these zones unshuffled, and the player must not look at them. Such guesses look alike.
    """
    first = futures[0]
    unmixed = first.world.unmixed
    outlook = first.cache_evaluation(who)
    sealed = [item for item in first.world.stack if isinstance(item, Frame) and item.sealed]
    unseen = first.world.unmixed is unmixed and not sealed
    same = [unseen and _differ_in_order(first.world, other.world) for other in futures]
    for other, is_same in zip(futures, same, strict=True):
        if is_same:
            other.root_cache = first.root_cache
            continue
        for low, high in first.image.secret_cells:
            if list(other.world.mem[low:high]) != list(first.world.mem[low:high]):
                return False, same
        if other.cache_evaluation(who) != outlook:
            return False, same
    return True, same


def _differ_in_order(a: World, b: World) -> bool:
    """Return whether two guesses of one world differ at most in chance and in the order of zones unshuffled in both."""
    alike = a.token is b.token and a.zones == b.zones and a.unmixed.keys() == b.unmixed.keys()
    return alike and a.markers == b.markers and a.effects == b.effects and a.used == b.used


WON, EVEN, LOST = 1 << 40, 0, -(1 << 40)
"""The values of finished games."""


def judge(game: Game, who: int) -> int:
    """Return the value of a finished game for the player or team `who`."""
    world = game.world
    if world.outcome in (DRAW, FAULT):
        return EVEN if world.outcome == DRAW else LOST
    own = world.side < 0 or any(is_of(game, who, side) for side in (world.side, *world.others))
    return WON if (world.outcome == WIN) == own else LOST


def decide_together(game: Game, who: int, other: int) -> bool:
    """Return whether `who`, who looks ahead, answers the questions to `other`: a team and its players decide as one."""
    if who in (other, EVERYBODY):
        return True
    seated = deciding_seats(game, other) if min(who, other) < EVERYBODY else ()
    return any(seat in seated for seat in deciding_seats(game, who))


def under_way(game: Game) -> int:
    """Return the height of the stack below the action under way, or `MOST_STACK` if there is none."""
    for height in range(len(game.world.stack), 0, -1):
        item = game.world.stack[height - 1]
        # An offer that is asking is the current op; while its action runs, the offer is the op before it.
        if isinstance(item, Frame) and any(isinstance(op, Offer) for op in _around(game, item)):
            return height
    return MOST_STACK


def _around(game: Game, frame: Frame) -> list[Op]:
    """Return the op that a frame has reached, and the one before it."""
    return game.image.code(frame.code)[max(frame.pc - 1, 0) : frame.pc + 1]


def _declined(ask: Ask) -> int:
    """Return the option that declines, or the first one if none does."""
    return next((index for index, option in enumerate(ask.options) if option[0] in (NONE, DONE)), 0)
