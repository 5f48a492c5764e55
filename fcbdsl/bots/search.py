"""Tree search over guessed worlds."""

from __future__ import annotations

from math import isqrt

from fcbdsl.bots.bots import LOST, WON, Bot, judge
from fcbdsl.bots.determinize import guess
from fcbdsl.bots.naming import BUDGET
from fcbdsl.bots.thumb import about, preferred, worth
from fcbdsl.game.generator import Generator
from fcbdsl.vm.game import Game
from fcbdsl.vm.world import OPEN, Ask, Option

BITS = 16
ONE = 1 << BITS
"""What a won game is worth; a lost one is worth nothing, and one that goes on something between a quarter and three."""
CURIOSITY = 3 * ONE // 5
"""How much weight what is little known of an answer has beside what it has come to."""
FIRST_FEW = 8
"""Playouts after which it is known how far outlooks differ here; what they have come to is counted then."""

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


class SearchBot(Bot):
    """Plays many games on in worlds that it guesses, learns in a tree which answers have come to something, and takes
    the one that it has tried most.

    Single-observer information set Monte Carlo tree search: P. I. Cowling, E. J. Powley, D. Whitehouse, Information
    Set Monte Carlo Tree Search, IEEE Transactions on Computational Intelligence and AI in Games 4 (2012). In each
    iteration what is secret to the player is guessed anew, and chance is replaced; the tree knows answers alone, and
    how often each could have been given. Whoever is asked is taken to want what is good for himself.

    Two things are ours, for budgets are small: answers are tried first that the game's preferences hold to be worth
    more, and a further one only when the known ones have been tried often enough (R. Coulom's progressive widening,
    2007); playouts follow the preferences, too, but for one decision of eight, and end with the action under way,
    where the outlook judges. There is no fraction in it: the same seed gives the same answers everywhere."""

    ACTIONS = 0
    """How many actions a playout goes on for behind the tree."""
    FAR = 16
    """Most questions that a playout answers."""

    def __init__(self, seed: int, budget: int = BUDGET) -> None:
        """`budget`: how many playouts each decision may take."""
        self._chance = Generator(seed, "bot")
        self._budget = budget
        self._before: dict[int, int] = {}

    def choose(self, game: Game, ask: Ask) -> int:
        if len(ask.options) == 1:
            return 0
        root = SearchNode()
        self._before = {}
        start = game.clone()
        guess(start, ask.who, self._chance)
        scale = 0
        waiting: list[tuple[list[SearchNode], list[tuple[int, bool]]]] = []
        for number in range(self._budget):
            waiting.append(self._iteration(start, ask, root))
            if number + 1 == min(FIRST_FEW, self._budget):
                far = [abs(worth) for _, ends in waiting for worth, over in ends if not over]
                scale = 1 + sum(far) // max(1, len(far))
            if scale:
                for path, ends in waiting:
                    for node, (worth, over) in zip(path, ends, strict=True):
                        node.total += _share(worth, over, scale)
                waiting = []
        return self._most_tried(ask, root)

    def _iteration(self, game: Game, ask: Ask, root: SearchNode) -> tuple[list[SearchNode], list[tuple[int, bool]]]:
        """Play on in a world that is guessed, first as the tree has it, then freely. Returns the nodes that were come
        to, and for each what it came to in the end for whoever chose it: by how much the outlook is better than at the
        root, or the verdict on a game that is over."""
        world = game.clone()
        guess(world, ask.who, self._chance)
        world.reseed(self._chance.below(1 << 62))
        path: list[SearchNode] = []
        deciders: list[int] = []
        node, pending = root, world.world.ask
        while pending is not None:
            index, node = self._descend(world, pending, node)
            path.append(node)
            deciders.append(pending.who)
            if pending.who not in self._before:
                self._before[pending.who] = game.outlook(pending.who)
            node.visits += 1
            world.answer(index)
            pending = world.run()
            if node.visits == 1:
                break
        self._play_on(world, pending)
        over = world.world.outcome != OPEN
        known: dict[int, tuple[int, bool]] = {}
        for who in deciders:
            if who not in known:
                known[who] = (judge(world, who) if over else world.outlook(who) - self._before[who], over)
        return path, [known[who] for who in deciders]

    def _descend(self, world: Game, ask: Ask, node: SearchNode) -> tuple[int, SearchNode]:
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
        if fresh and len(found) <= isqrt(2 * tried):
            index = self._likeliest(world, ask, fresh)
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

    def _likeliest(self, world: Game, ask: Ask, fresh: list[int]) -> int:
        """Of some answers one that preferences hold to be worth most."""
        rows = about(world, ask)
        worths = [worth(world, ask, rows, ask.options[index]) for index in fresh]
        best = max(worths)
        likely = [index for index, each in zip(fresh, worths, strict=True) if each == best]
        return likely[self._chance.below(len(likely))]

    def _play_on(self, world: Game, ask: Ask | None) -> None:
        """Play a few actions on, up to the next one."""
        left = self.ACTIONS
        for _ in range(self.FAR):
            if ask is None or (ask.kind == "action" and not left):
                return
            left -= ask.kind == "action"
            freely = not world.program.preferences or not self._chance.below(8)
            options = len(ask.options)
            world.answer(self._chance.below(options) if freely else preferred(world, ask, self._chance))
            ask = world.run()

    def _most_tried(self, ask: Ask, root: SearchNode) -> int:
        """The answer that was tried most; of several the one that has come to most."""
        best, best_value = 0, (-1, -1)
        for index, option in enumerate(ask.options):
            child = root.children.get((ask.who, ask.span, option))
            if child is not None and (child.visits, child.total) > best_value:
                best, best_value = index, (child.visits, child.total)
        return best


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
