"""Tree search over guessed worlds."""

from __future__ import annotations

from math import isqrt

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import DONE, NONE, OPEN, Ask, Option
from fcbdsl.play.bots.bot_names import BUDGET
from fcbdsl.play.bots.bots import LOST, WON, Bot, judge
from fcbdsl.play.bots.determinize import Hidden, guess
from fcbdsl.play.bots.thumb import best_answer, preferences_for, worth

BITS = 16
ONE = 1 << BITS
"""The value of a won game; a lost game is worth 0, and an open game between a quarter and three quarters of this."""
CURIOSITY = 3 * ONE // 5
"""Weight of exploration (answers with few playouts) relative to the mean value, as C in the UCB1 formula."""
FEWEST = 4
"""The number of playouts for each answer that is tried at all."""
SLOWLY = 8
"""Progressive widening: below the root a second answer is tried after this many playouts, the next after four times as
many."""

NEVER = 1 << 60
"""A time that no game reaches."""

Edge = tuple[int, int, Option]
"""An answer to a question: the asked player, the span that asks, and the option."""


class SearchNode:
    """A node of the tree: statistics of one sequence of answers.

    `total`: the sum of the values of its playouts for the player who gave the last answer; `offered`: how often that
    answer was available.
    """

    __slots__ = ("children", "offered", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Edge, SearchNode] = {}
        self.visits = 0
        self.offered = 0
        self.total = 0


class SearchAnswer:
    """An answer to the question at the root. `results`: per sampled world, the value of the answer and whether the game
    was over."""

    __slots__ = ("index", "node", "results")

    def __init__(self, index: int) -> None:
        self.index = index
        self.node = SearchNode()
        self.results: list[tuple[int, bool]] = []

    def worth(self, scale: int) -> int:
        """Return the sum of the values of all playouts."""
        return sum([_share(worth, over, scale) for worth, over in self.results])


class SearchBot(Bot):
    """Plays many games to a later point in guessed worlds and learns in a tree which answers lead to success. It
    follows the program's preferences unless another answer proves to be better.

    Single-observer information set Monte Carlo tree search: P. I. Cowling, E. J. Powley, D. Whitehouse, Information Set
    Monte Carlo Tree Search, IEEE Transactions on Computational Intelligence and AI in Games 4 (2012). In each world the
    player's unknowns are guessed and chance is replaced. The tree contains only answers, and how often each was
    available. Every player is assumed to want the best result for themselves.

    Budgets are small compared with the number of options, and most options are worse than the preferred one. So:

    - The search tries the answers that preferences value most, and others only if the budget is large.

    - All answers meet the same worlds and the same chance. The worse half is dropped repeatedly (Z. Karnin, T. Koren,
      O. Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013).

    - Playouts follow the preferences until a new part of the story (a round) begins. So the evaluation compares all
      answers at the same moment of the game. With an evaluation after each action, "done" was always worse than an
      idle action, because the same later events came later.

    - Before the first part begins, playouts go to the end of the game. The choices made there (players, equipment)
      have no effect yet, and the evaluation would see only the starting equipment.

    - The preferred answer is taken unless another one wins by more than chance explains: the sum of the differences,
      world by world, exceeds its standard deviation.

    All arithmetic is on integers: the same seed gives the same answers on every machine.
    """

    FAR = 100
    """Most questions that a playout answers."""
    FARTHEST = 1000
    """Most questions that a playout answers if it goes to the end of the game."""

    def __init__(self, seed: int, budget: int = BUDGET) -> None:
        """Take the number of playouts for each decision."""
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
                if not self._scale:  # the first results show how far evaluations differ here
                    far = [abs(worth) for runner in running for worth, over in runner.results if not over]
                    self._scale = 1 + sum(far) // max(1, len(far))
            running = self._better_half(running)
        return self._taken(running)

    def _ordered(self, world: Game, ask: Ask) -> list[int]:
        """Return all answers by descending preference, in random order among equals."""
        first = best_answer(world, ask, self._chance)
        rows = preferences_for(world, ask)
        others: list[tuple[int, int, int]] = []
        for index, option in enumerate(ask.options):
            value = 2 * worth(world, ask, rows, option)
            if option[0] in (NONE, DONE):  # as in `best_answer`: "done" is better than any idle answer
                value = 1 if ask.kind == "action" else -1
            if index != first:
                others.append((-value, self._chance.below(1 << 30), index))
        return [first] + [index for _, _, index in sorted(others)]

    def _better_half(self, running: list[SearchAnswer]) -> list[SearchAnswer]:
        """Return the preferred answer, and the better half of the others."""
        worths = [(-runner.worth(self._scale), place) for place, runner in enumerate(running) if place]
        better = sorted(worths)[: max(1, len(running) // 2)]
        return [running[0]] + [running[place] for _, place in better]

    def _taken(self, running: list[SearchAnswer]) -> int:
        """Return the preferred answer, or the one that is better by the largest significant margin."""
        first = running[0]
        best, best_sum = first, 0
        for runner in running[1:]:
            gaps = [
                _share(one[0], one[1], self._scale) - _share(other[0], other[1], self._scale)
                for one, other in zip(runner.results, first.results, strict=False)
            ]
            ahead = sum(gaps)
            if ahead > best_sum and ahead * ahead > sum([gap * gap for gap in gaps]):
                best, best_sum = runner, ahead
        return best.index

    def _iteration(self, start: Game, ask: Ask, hidden: Hidden, runner: SearchAnswer) -> None:
        """Play from an answer in the next world, first along the tree, then by preferences. Record the improvement of
        the evaluation, or the value of a finished game."""
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
        runner.results.append(self._judged(start, world, ask.who))
        for node, who in zip(path, deciders, strict=True):
            worth, over = self._judged(start, world, who)
            node.total += _share(worth, over, self._scale)

    def _judged(self, start: Game, world: Game, who: int) -> tuple[int, bool]:
        """Return the value of a playout for a player, and whether the game is over."""
        if world.world.outcome != OPEN:
            return judge(world, who), True
        if who not in self._before:
            self._before[who] = start.outlook(who)
        return world.outlook(who) - self._before[who], False

    def _until(self, world: Game) -> int:
        """Return the time (see `_time`) at which a playout from here ends, if the game does not end before."""
        now = self._time(world)
        return now + 1 if now or not self._clock else NEVER

    def _time(self, world: Game) -> int:
        """Return a number that grows when a new part of the story begins."""
        mem = world.world.mem
        return sum([mem[at] for at in self._clock])

    def _descend(self, world: Game, ask: Ask, node: SearchNode, chance: Generator) -> tuple[int, SearchNode]:
        """Choose the answer to try at a node, and return it with its child node: a new one, or the best by UCB1."""
        children: list[tuple[int, SearchNode]] = []
        fresh: list[int] = []
        for index, option in enumerate(ask.options):
            child = node.children.get((ask.who, ask.span, option))
            if child is None:
                fresh.append(index)
            else:
                child.offered += 1
                children.append((index, child))
        tried = sum([child.visits for _, child in children])
        if fresh and len(children) <= isqrt(tried // SLOWLY):
            index = self._likeliest(world, ask, fresh, chance)
            child = node.children[ask.who, ask.span, ask.options[index]] = SearchNode()
            child.offered = 1
            return index, child
        best, best_value = children[0], -1
        for index, child in children:
            unsure = isqrt((log2(child.offered) << BITS) // child.visits)
            value = child.total // child.visits + (CURIOSITY * unsure >> BITS)
            if value > best_value:
                best, best_value = (index, child), value
        return best

    def _likeliest(self, world: Game, ask: Ask, fresh: list[int], chance: Generator) -> int:
        """Return one of the answers that preferences value most."""
        if len(fresh) == len(ask.options):
            return best_answer(world, ask, chance)
        rows = preferences_for(world, ask)
        worths = [worth(world, ask, rows, ask.options[index]) for index in fresh]
        best = max(worths)
        likely = [index for index, each in zip(fresh, worths, strict=True) if each == best]
        return likely[chance.below(len(likely))]

    def _play_on(self, world: Game, ask: Ask | None, until: int, chance: Generator) -> None:
        """Play by the preferences to the end of this part of the story."""
        for _ in range(self.FARTHEST if until == NEVER else self.FAR):
            if ask is None or self._time(world) >= until:
                return
            world.answer(0 if len(ask.options) == 1 else best_answer(world, ask, chance))
            ask = world.run()


def _clock(game: Game) -> list[int]:
    """Return the memory addresses of the numbers that count the parts of the story."""
    layout = game.layout
    return [
        layout.base[number] + layout.range_of("game")[0] for number, row in enumerate(game.program.fields) if row.heads
    ]


def _share(worth: int, over: bool, scale: int) -> int:
    """Return the value of a playout, from 0 to ONE."""
    if over:
        return ONE if worth == WON else 0 if worth == LOST else ONE // 2
    return ONE // 2 + ONE // 4 * worth // (abs(worth) + scale)


def log2(number: int) -> int:
    """Return the binary logarithm of a number from 1 on, rounded down to a multiple of 1 / ONE."""
    whole = number.bit_length() - 1
    rest, fraction = (number << 32) >> whole, 0
    for _ in range(BITS):
        rest = rest * rest >> 32
        fraction <<= 1
        if rest >> 33:
            rest >>= 1
            fraction += 1
    return (whole << BITS) + fraction
