"""Explores all courses of a campaign: every choice, and every end of every mission, step by step from the start.

Courses with equal kept data are one, so the result is a graph. Its nodes are what can be kept between two steps; its
edges are the paths through a step.

The exploration simplifies, and repeats with less simplification where something seems wrong:

- The data of pieces (their numbers, their zones) matters only to missions. Courses that differ only there, or in the
  order within a zone, count as one at first. A suspected flaw is explored again with every difference.

- As in content tests, missions do not change kept data. A flaw that remains is explored once more with all that
  missions may alter of the stats that the campaign reads.

- Chance in the steps themselves is that of one seed.

States with a new value or a new place come first (novelty search: Lipovetzky and Geffner, "Width and serialization of
classical planning problems", ECAI 2012). So the search soon reaches what can come true, even if there are too many
states to explore.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import compress
from operator import itemgetter
from typing import Any

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.carry_over import CarryOver, carry_over, give
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import ACTION, DONE, ENDINGS, NONE, OPEN, SINGLES_ASKED, TAGS, THING, Option
from fcbdsl.play.campaign.journey import Journey, fresh

MOST_STATES = 4_000
"""Most states that are explored."""
MOST_WAYS = 400
"""Most paths through one step."""
MOST_POSITIONS = 20_000
"""Most positions, within all steps, that one exploration visits. A step may have many courses, so a limit of states is
not enough."""
MOST_SINGLY = 16
"""Most things that missions are assumed to put into a zone one at a time; then all of them at once."""
SEED = 1

_NAMING = (THING, TAGS.index("definition"), *ENDINGS)
"""Tags of options that name a thing or a definition."""

ENDED = -1
"""The target of an edge that ends the campaign."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A path through a step: from one state to another, or to the end. `answers`: the options that were taken."""

    before: int
    after: int
    answers: tuple[Option, ...]
    outcome: int = OPEN


@dataclass(frozen=True, slots=True)
class Altered:
    """A kept value (its index in `Image.kept_stats`) and all values that a mission may leave there."""

    place: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AlteredZone:
    """A kept zone (its index in `Image.kept_zones`) and the things that a mission may put there: one, all, or none."""

    place: int
    things: tuple[int, ...]


Alteration = Altered | AlteredZone


@dataclass(frozen=True, slots=True)
class Flaw:
    """A flaw in a step of a state, after some answers: a broken invariant (its number), or a fault."""

    state: int
    answers: tuple[Option, ...]
    invariant: int = -1
    reason: str = ""
    span: int = -1


@dataclass(slots=True)
class Explored:
    """The result of an exploration. `edges[s]`: the edges from state s, None if it was not explored.

    `due`: prospects (their numbers) with the definitions for which no explored state fulfills them. `whole`: whether
    all states were explored; `looked`: how many were. `merged`: whether courses with different kept data count as one.
    `saved`: states from which an end can be reached through what missions may alter. `dismissed`: whether some of these
    reach no end, only states that were not explored.
    """

    campaign: int
    states: list[CarryOver] = field(default_factory=list)
    edges: list[list[Edge] | None] = field(default_factory=list)
    came: list[Edge | None] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)
    due: dict[int, list[int]] = field(default_factory=dict)
    whole: bool = True
    looked: int = 0
    merged: bool = False
    saved: dict[int, None] = field(default_factory=dict)
    dismissed: bool = False

    def ways(self) -> Iterator[Edge]:
        """Yield every path through a step that was found."""
        for edges in self.edges:
            yield from edges or ()

    def course(self, state: int) -> list[Edge]:
        """Return the first course that was found from the start to a state."""
        out: list[Edge] = []
        edge = self.came[state]
        while edge is not None:
            out.append(edge)
            edge = self.came[edge.before]
        out.reverse()
        return out


def explore(
    image: Image,
    campaign: str,
    players: int = 0,
    most: int = MOST_STATES,
    *,
    closely: bool = False,
    altered: Sequence[Alteration] = (),
) -> Explored:
    """Explore a campaign for a number of players (0: the fewest possible).

    `most`: limit of the states; `closely`: states that differ in any way stay apart; `altered`: the changes of kept
    data that missions may cause, one at a time.
    """
    return _Explorer(image, campaign, players or image.program.players[0], most, closely, altered).explore()


def _refilled(game: Game, altered: AlteredZone) -> Iterator[Game]:
    """Yield the game with each content that missions may leave in a zone."""
    carried = carry_over(game)
    now = carried.zones[altered.place]
    more = [thing for thing in altered.things if thing not in now]
    contents = [(*now, thing) for thing in more[:MOST_SINGLY]] + ([(*now, *more)] if len(more) > 1 else [])
    contents += [()] if now else []
    for things in contents:
        zones = [tuple([thing for thing in zone if thing not in things]) for zone in carried.zones]
        zones[altered.place] = things
        left = game.clone()
        give(left, CarryOver(carried.values, tuple(zones)))
        yield left


def subjects_of_answers(image: Image, answers: tuple[Option, ...]) -> list[int]:
    """Return the definitions that the answers of a step name: things chosen or acted on, and missions, in order."""
    definition_of = image.layout.definition_of
    out: list[int] = []
    for option in answers:
        if option[0] in (NONE, DONE):
            continue
        if option[0] == ACTION:
            thing = option[3] if option[3] >= 0 else option[2]
            out.append(definition_of[thing])
        elif option[0] in _NAMING and option[1] >= 0:
            out.append(option[1] if option[0] != THING else definition_of[option[1]])
    return [number for number in dict.fromkeys(out) if number >= 0]


def outlining(image: Image) -> Callable[[CarryOver], CarryOver]:
    """Return a function that reduces a state to its identity: without data of pieces, and with unordered zones."""
    low, high = image.pieces
    stats = [not low <= thing < high for _, thing in image.kept_stats]
    owner = image.layout.zone_owner
    zones = [not low <= owner[zone] < high for zone in image.kept_zones]

    def outline(carried: CarryOver) -> CarryOver:
        lying = compress(carried.zones, zones)
        return CarryOver(
            tuple(compress(carried.values, stats)),
            tuple([tuple(sorted(things)) if len(things) > 1 else things for things in lying]),
        )

    return outline


class _Outlines:
    """Reduces the states of games like `outlining`, each state once."""

    def __init__(self, image: Image) -> None:
        low, high = image.pieces
        owner = image.layout.zone_owner
        rows = zip(image.kept_cells, image.kept_stats, strict=True)
        self._values = _picking([cell for cell, (_, thing) in rows if not low <= thing < high])
        self._zones = _picking([zone for zone in image.kept_zones if not low <= owner[zone] < high])
        self._outlines: dict[object, CarryOver] = {}

    def outline(self, game: Game) -> CarryOver:
        """Return the identity of the state of a game."""
        state = self._values(game.world.mem), self._zones(game.world.zones)
        outline = self._outlines.get(state)
        if outline is None:
            values, zones = state
            outline = CarryOver(
                values, tuple([tuple(sorted(things)) if len(things) > 1 else things for things in zones])
            )
            self._outlines[state] = outline
        return outline


def _picking(places: Sequence[int]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the elements of a row at some places."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda row: tuple([row[place] for place in places])


class _Explorer:
    def __init__(
        self, image: Image, campaign: str, players: int, most: int, closely: bool, altered: Sequence[Alteration]
    ) -> None:
        journey = Journey(image, campaign, players, SEED)
        self.image = image
        self.most = most
        self.altered = altered
        self.base = journey.base
        definitions = image.program.definitions
        self.explored = Explored([row.id for row in definitions].index(campaign))
        self.numbers: dict[CarryOver, int] = {}
        self.key: Callable[[Game], CarryOver] = carry_over if closely else _Outlines(image).outline
        self.seen: dict[tuple[int, int], None] = {}
        self.fresh: deque[int] = deque()
        self.rest: list[int] = []
        self.inspected: dict[CarryOver, None] = {}
        self.broken: dict[tuple[int, str], None] = {}
        self.positions = 0
        for number, prospect in enumerate(image.program.prospects):
            self.explored.due[number] = list(self.base.definitions_of(prospect.kind))

    def explore(self) -> Explored:
        self._state(self.base, self.key(self.base), None)
        while self.fresh or self.rest:
            number = self.fresh.popleft() if self.fresh else self.rest.pop()
            if self.explored.looked >= self.most or self.positions >= MOST_POSITIONS:
                self.explored.whole = False
                break
            self.explored.looked += 1
            self._look(number)
        return self.explored

    def _state(self, game: Game, key: CarryOver, came: Edge | None) -> int:
        """Return the number of the state of a game; a new one is queued for exploration. `key` identifies the state."""
        earlier = self.numbers.get(key)
        if earlier is not None:
            self.explored.merged = self.explored.merged or self.explored.states[earlier] != carry_over(game)
            return earlier
        number = self.numbers[key] = len(self.explored.states)
        self.explored.states.append(carry_over(game))
        self.explored.edges.append(None)
        self.explored.came.append(came)
        if self._brings_news(key):
            self.fresh.append(number)
        else:
            self.rest.append(number)
        return number

    def _brings_news(self, carried: CarryOver) -> bool:
        """Return whether a state has a value, or a thing in a zone, that no earlier state had."""
        atoms = [*enumerate(carried.values)]
        atoms += [(-1 - zone, thing) for zone, things in enumerate(carried.zones) for thing in things]
        news = [atom for atom in atoms if atom not in self.seen]
        self.seen.update(dict.fromkeys(news))
        return bool(news)

    def _look(self, number: int) -> None:
        """Find all edges from a state."""
        edges: dict[tuple[int, int, tuple[int, ...]], Edge] = {}
        for count, (answers, game) in enumerate(self._ways(number), 1):
            edge = Edge(number, ENDED, answers, game.world.outcome)
            key = self.key(game)
            if not game.world.outcome:
                after = self.numbers.get(key, len(self.explored.states))
                edge = Edge(number, after, answers)
                self._state(game, key, edge)
            self._inspect(number, answers, game, key)
            edges.setdefault((edge.after, edge.outcome, tuple(subjects_of_answers(self.image, answers))), edge)
            if count >= MOST_WAYS:
                self.explored.whole = False
                break
        self.explored.edges[number] = list(edges.values())

    def _ways(self, number: int) -> Iterator[tuple[tuple[Option, ...], Game]]:
        """Yield every path through the step of a state, with its answers; inspect each position on the way."""
        image = self.image
        first = fresh(image, self.base, self.explored.states[number])
        first.world.flags |= SINGLES_ASKED  # a course includes decisions with a single option
        stack: list[tuple[tuple[Option, ...], Game]] = [((), first)]
        while stack:
            if self.positions >= MOST_POSITIONS:
                self.explored.whole = False
                return
            self.positions += 1
            answers, game = stack.pop()
            ask = game.run()
            if ask is None:
                yield answers, game
                continue
            self._inspect(number, answers, game, self.key(game))
            homecomings = [*self._altered(game)] if ask.kind == "mission" else []
            for index in range(len(ask.options) - 1, -1, -1):
                for ahead in [*(homecoming.clone() for homecoming in homecomings), game.clone() if index else game]:
                    ahead.answer(index)
                    stack.append(((*answers, ask.options[index]), ahead))

    def _altered(self, game: Game) -> Iterator[Game]:
        """Yield the game with each change that missions may leave."""
        base = self.image.layout.base
        for altered in self.altered:
            if isinstance(altered, AlteredZone):
                yield from _refilled(game, altered)
                continue
            field, thing = self.image.kept_stats[altered.place]
            at = base[field] + thing
            for value in altered.values:
                if value != game.world.mem[at]:
                    left = game.clone()
                    left.world.write(at, value)
                    left.world.bearers = {}
                    yield left

    # ── invariants and prospects ───────────────────────────────────────────────────────────────

    def _inspect(self, number: int, answers: tuple[Option, ...], game: Game, key: CarryOver) -> None:
        """Test the invariants and prospects in a position. `key` identifies its state."""
        program = self.image.program
        if game.world.fault is not None:
            self._flaw(Flaw(number, answers, -1, game.world.fault.reason, game.world.fault.span))
            return
        if key in self.inspected:
            return
        self.inspected[key] = None
        for at, invariant in enumerate(program.invariants):
            if invariant.kind < 0 and (at, "") not in self.broken and not game.test(invariant.code):
                self._flaw(Flaw(number, answers, at))
        for at, due in self.explored.due.items():
            if due:
                code = program.prospects[at].code
                due[:] = [definition for definition in due if not self._fulfilled(game, code, definition)]

    def _flaw(self, flaw: Flaw) -> None:
        """Record a flaw once: each invariant, and each fault by its reason."""
        key = (flaw.invariant, flaw.reason)
        if key not in self.broken:
            self.broken[key] = None
            self.explored.flaws.append(flaw)

    def _fulfilled(self, game: Game, code: int, definition: int) -> bool:
        image = self.image
        first = image.layout.first[definition]
        for thing in range(first, first + image.layout.instances[definition]):
            self_, this = game.selves(thing)
            if game.test(code, self_, this):
                return True
        return False
