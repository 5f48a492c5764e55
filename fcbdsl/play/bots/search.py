"""Tree search over guessed worlds."""

from __future__ import annotations

from math import isqrt

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import DONE, NONE, OPEN, Ask, Option
from fcbdsl.play.bots.bots import LOST, WON, Bot, judge
from fcbdsl.play.bots.determinize import Hidden, guess
from fcbdsl.play.bots.naming import BUDGET
from fcbdsl.play.bots.thumb import about, preferred, worth

BITS = 16
ONE = 1 << BITS
"""What a won game is worth; a lost one is worth nothing, and one that goes on something between a quarter and three."""
CURIOSITY = 3 * ONE // 5
"""How much weight what is little known of an answer has beside what it has come to."""
FEWEST = 4
"""So many playouts there are for each answer that is tried at all."""
SLOWLY = 8
"""Below the first question a further answer is tried after so many playouts, another one after four times as many."""

NEVER = 1 << 60
"""A time that does not come."""

Edge = tuple[int, int, Option]
"""An answer to a question: who is asked, the span that asks, and the option."""


class SearchNode:
    """What is known of a course of answers. `total`: of what its playouts were worth to whoever gave the last one;
    `offered`: how often that answer could have been given."""

    __slots__ = ("children", "offered", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Edge, SearchNode] = {}
        self.visits = 0
        self.offered = 0
        self.total = 0


class SearchAnswer:
    """An answer to the question that is to be decided. `found`: what it came to in one world after the other, and
    whether the game was over then."""

    __slots__ = ("found", "index", "node")

    def __init__(self, index: int) -> None:
        self.index = index
        self.node = SearchNode()
        self.found: list[tuple[int, bool]] = []

    def worth(self, scale: int) -> int:
        """What all its playouts were worth."""
        return sum([_share(worth, over, scale) for worth, over in self.found])


class SearchBot(Bot):
    """Plays many games on in worlds that it guesses, and learns in a tree which answers come to something. It does as
    the rule of thumb would, unless another answer has shown to be better.

    Single-observer information set Monte Carlo tree search: P. I. Cowling, E. J. Powley, D. Whitehouse, Information
    Set Monte Carlo Tree Search, IEEE Transactions on Computational Intelligence and AI in Games 4 (2012). In each
    world what is secret to the player is guessed anew, and chance is replaced; the tree knows answers alone, and
    how often each could have been given. Whoever is asked is taken to want what is good for himself.

    Budgets are small beside what there is to choose from, and most of it is worse than what preferences say. So:

    - The answers that preferences hold to be worth most are tried, the others only if the budget is large.
    - All meet the same worlds and the same chance. The worse half drops out, again and again (Z. Karnin, T. Koren, O.
      Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013).
    - Playouts go on by the preferences until a new part of the story begins (a round): the outlook judges all at the
      same moment of the game. Where it judged after each action, to be done was always worse than to go on with
      something idle, for whatever comes then comes later.
    - Before the first part has begun they go on to the end of the game: nothing has come yet of what is chosen there
      (who is to play, with what), and an outlook sees only what one has to begin with.
    - Of two answers the preferred one is taken unless the other has won by more than chance would explain: the sum of
      the differences, world by world, is more than one standard deviation of it.

    There is no fraction in it: the same seed gives the same answers everywhere."""

    FAR = 100
    """Most questions that a playout answers,"""
    FARTHEST = 1000
    """but for one that goes on to the end of the game."""

    def __init__(self, seed: int, budget: int = BUDGET) -> None:
        """`budget`: how many playouts each decision may take."""
        self._chance = Generator(seed, "bot")
        self._budget = budget
        self._before: dict[int, int] = {}
        self._clock: list[int] = []
        self._worlds = 0
        self._scale = 0

    def choose(self, game: Game, ask: Ask) -> int:
        if len(ask.options) == 1:
            return 0
        start = game.clone()
        guess(start, ask.who, self._chance)
        hidden = Hidden(start, ask.who)
        self._before = {}
        self._clock = _clock(game)
        self._worlds = self._chance.below(1 << 40)
        self._scale = 0
        order = self._ordered(start, ask)
        running = [SearchAnswer(index) for index in order[: max(2, self._budget // FEWEST)]]
        left = self._budget
        while left:
            halvings = (len(running) - 1).bit_length()
            for _ in range(max(1, left // halvings // len(running))):
                for runner in running[:left]:
                    self._iteration(start, ask, hidden, runner)
                    left -= 1
                if not self._scale:  # from now on it is known how far outlooks differ here
                    far = [abs(worth) for runner in running for worth, over in runner.found if not over]
                    self._scale = 1 + sum(far) // max(1, len(far))
            running = self._better_half(running)
        return self._taken(running)

    def _ordered(self, world: Game, ask: Ask) -> list[int]:
        """All answers, those that preferences hold to be worth most first, equals by lot."""
        first = preferred(world, ask, self._chance)
        rows = about(world, ask)
        others: list[tuple[int, int, int]] = []
        for index, option in enumerate(ask.options):
            value = 2 * worth(world, ask, rows, option)
            if option[0] in (NONE, DONE):  # as `preferred` has it: nothing to be done is better than anything idle
                value = 1 if ask.kind == "action" else -1
            if index != first:
                others.append((-value, self._chance.below(1 << 30), index))
        return [first] + [index for _, _, index in sorted(others)]

    def _better_half(self, running: list[SearchAnswer]) -> list[SearchAnswer]:
        """The preferred answer, and of the others those that have come to most."""
        worths = [(-runner.worth(self._scale), place) for place, runner in enumerate(running) if place]
        kept = sorted(worths)[: max(1, len(running) // 2)]
        return [running[0]] + [running[place] for _, place in kept]

    def _taken(self, running: list[SearchAnswer]) -> int:
        """The preferred answer, or the one that has shown to be most better."""
        first = running[0]
        best, best_sum = first, 0
        for runner in running[1:]:
            gaps = [
                _share(one[0], one[1], self._scale) - _share(other[0], other[1], self._scale)
                for one, other in zip(runner.found, first.found, strict=False)
            ]
            ahead = sum(gaps)
            if ahead > best_sum and ahead * ahead > sum([gap * gap for gap in gaps]):
                best, best_sum = runner, ahead
        return best.index

    def _iteration(self, start: Game, ask: Ask, hidden: Hidden, runner: SearchAnswer) -> None:
        """Play on from an answer in the next world, first as the tree has it, then freely; remember by how much the
        outlook is better than it was, or the verdict on a game that is over."""
        world = start.clone()
        chance = Generator(self._worlds + runner.node.visits, "world")
        guess(world, ask.who, chance, hidden)
        world.reseed(chance.below(1 << 62))
        until = self._until(world)
        world.answer(runner.index)
        pending = world.run()
        node = runner.node
        node.visits += 1
        path: list[SearchNode] = []
        deciders: list[int] = []
        while pending is not None and node.visits > 1 and self._time(world) < until:
            index, node = self._descend(world, pending, node, chance)
            path.append(node)
            deciders.append(pending.who)
            node.visits += 1
            world.answer(index)
            pending = world.run()
        self._play_on(world, pending, until, chance)
        runner.found.append(self._judged(start, world, ask.who))
        for node, who in zip(path, deciders, strict=True):
            worth, over = self._judged(start, world, who)
            node.total += _share(worth, over, self._scale)

    def _judged(self, start: Game, world: Game, who: int) -> tuple[int, bool]:
        """What a playout has come to for somebody, and whether the game is over."""
        if world.world.outcome != OPEN:
            return judge(world, who), True
        if who not in self._before:
            self._before[who] = start.outlook(who)
        return world.outlook(who) - self._before[who], False

    def _until(self, world: Game) -> int:
        """When a playout from here ends (see `_time`), if the game has not ended before."""
        now = self._time(world)
        return now + 1 if now or not self._clock else NEVER

    def _time(self, world: Game) -> int:
        """A number that grows when a new part of the story begins."""
        mem = world.world.mem
        return sum([mem[at] for at in self._clock])

    def _descend(self, world: Game, ask: Ask, node: SearchNode, chance: Generator) -> tuple[int, SearchNode]:
        """The answer that is tried at a node, and what is known of it: a new one, or the one of the best prospects."""
        found: list[tuple[int, SearchNode]] = []
        fresh: list[int] = []
        for index, option in enumerate(ask.options):
            child = node.children.get((ask.who, ask.span, option))
            if child is None:
                fresh.append(index)
            else:
                child.offered += 1
                found.append((index, child))
        tried = sum([child.visits for _, child in found])
        if fresh and len(found) <= isqrt(tried // SLOWLY):
            index = self._likeliest(world, ask, fresh, chance)
            child = node.children[ask.who, ask.span, ask.options[index]] = SearchNode()
            child.offered = 1
            return index, child
        best, best_value = found[0], -1
        for index, child in found:
            unsure = isqrt((log2(child.offered) << BITS) // child.visits)
            value = child.total // child.visits + (CURIOSITY * unsure >> BITS)
            if value > best_value:
                best, best_value = (index, child), value
        return best

    def _likeliest(self, world: Game, ask: Ask, fresh: list[int], chance: Generator) -> int:
        """Of some answers one that preferences hold to be worth most."""
        if len(fresh) == len(ask.options):
            return preferred(world, ask, chance)
        rows = about(world, ask)
        worths = [worth(world, ask, rows, ask.options[index]) for index in fresh]
        best = max(worths)
        likely = [index for index, each in zip(fresh, worths, strict=True) if each == best]
        return likely[chance.below(len(likely))]

    def _play_on(self, world: Game, ask: Ask | None, until: int, chance: Generator) -> None:
        """Go on by the rule of thumb to the end of this part of the story."""
        for _ in range(self.FARTHEST if until == NEVER else self.FAR):
            if ask is None or self._time(world) >= until:
                return
            world.answer(0 if len(ask.options) == 1 else preferred(world, ask, chance))
            ask = world.run()


def _clock(game: Game) -> list[int]:
    """Where the numbers stand that head parts of the story."""
    layout = game.layout
    return [
        layout.base[number] + layout.range_of("game")[0] for number, row in enumerate(game.program.fields) if row.heads
    ]


def _share(worth: int, over: bool, scale: int) -> int:
    """What a playout was worth, 0 to ONE."""
    if over:
        return ONE if worth == WON else 0 if worth == LOST else ONE // 2
    return ONE // 2 + ONE // 4 * worth // (abs(worth) + scale)


def log2(number: int) -> int:
    """The logarithm of a number from 1 on to the base of 2, rounded down to 1 / ONE."""
    whole = number.bit_length() - 1
    rest, fraction = (number << 32) >> whole, 0
    for _ in range(BITS):
        rest = rest * rest >> 32
        fraction <<= 1
        if rest >> 33:
            rest >>= 1
            fraction += 1
    return (whole << BITS) + fraction
