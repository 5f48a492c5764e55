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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import compress
from operator import itemgetter
from typing import Any, NamedTuple

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.carry_over import CarryOver, carry_over, give
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import ACTION, ENDINGS, OPEN, SINGLES_ASKED, TAGS, THING, Option
from fcbdsl.play.campaign.journey import begin_step, start_of_steps

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
    due: Mapping[int, Sequence[int]] | None = None,
) -> Explored:
    """Explore a campaign for a number of players (0: the fewest possible).

    `most`: limit of the states; `closely`: states that differ in any way stay apart; `altered`: the changes of kept
    data that missions may cause, one at a time. `due`: the prospects that are of interest, with their definitions;
    None: all.
    """
    return _Explorer(image, campaign, players or image.program.players[0], most, closely, altered, due).explore()


def _refilled(carried: CarryOver, altered: AlteredZone) -> Iterator[CarryOver]:
    """Yield kept data with each content that missions may leave in a zone."""
    now = carried.zones[altered.place]
    more = [thing for thing in altered.things if thing not in now]
    contents = [(*now, thing) for thing in more[:MOST_SINGLY]] + ([(*now, *more)] if len(more) > 1 else [])
    contents += [()] if now else []
    for things in contents:
        zones = [tuple([thing for thing in zone if thing not in things]) for zone in carried.zones]
        zones[altered.place] = things
        yield CarryOver(carried.values, tuple(zones))


def subjects_of_answers(image: Image, answers: tuple[Option, ...]) -> list[int]:
    """Return the definitions that the answers of a step name: things chosen or acted on, and missions, in order."""
    subjects = [_subject(image.layout.definition_of, option) for option in answers]
    return [number for number in dict.fromkeys(subjects) if number >= 0]


def _subject(definition_of: Sequence[int], option: Option) -> int:
    """Return the definition that an answer names, or -1."""
    if option[0] == ACTION:
        return definition_of[option[3] if option[3] >= 0 else option[2]]
    if option[0] in _NAMING and option[1] >= 0:
        return option[1] if option[0] != THING else definition_of[option[1]]
    return -1


def outlining(image: Image) -> Callable[[CarryOver], CarryOver]:
    """Return a function that reduces a state to its identity: without data of pieces, and with unordered zones."""
    low, high = image.pieces
    stats = [not low <= thing < high for _, thing in image.kept_stats]
    owner = image.layout.zone_owner
    zones = [not low <= owner[zone] < high for zone in image.kept_zones]

    def outline(carried: CarryOver) -> CarryOver:
        return _unordered(tuple(compress(carried.values, stats)), tuple(compress(carried.zones, zones)))

    return outline


class _Identities:
    """Numbers the states of games. States with the same number count as one: see `outlining`.

    `closely`: states that differ in any way have different numbers.
    """

    def __init__(self, image: Image, closely: bool) -> None:
        low, high = image.pieces
        owner = image.layout.zone_owner
        cells = zip(image.kept_cells, image.kept_stats, strict=True)
        self._values = _picking([cell for cell, (_, thing) in cells if closely or not low <= thing < high])
        self._zones = _picking([zone for zone in image.kept_zones if closely or not low <= owner[zone] < high])
        self._closely = closely
        self._exact: dict[object, int] = {}
        self._numbers: dict[CarryOver, int] = {}
        self.outlines: list[CarryOver] = []
        """The identities, by number."""

    def number(self, game: Game) -> int:
        """Return the number of the state of a game."""
        state = self._values(game.world.mem), self._zones(game.world.zones)
        number = self._exact.get(state)
        if number is None:  # states repeat in any order of their zones, so most need no sorting
            outline = CarryOver(*state) if self._closely else _unordered(*state)
            number = self._exact[state] = self._numbers.setdefault(outline, len(self.outlines))
            if number == len(self.outlines):
                self.outlines.append(outline)
        return number


def _unordered(values: tuple[int, ...], zones: tuple[tuple[int, ...], ...]) -> CarryOver:
    """Return kept data without the order within zones."""
    return CarryOver(values, tuple([tuple(sorted(things)) if len(things) > 1 else things for things in zones]))


def _picking(places: Sequence[int]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the elements of a row at some places."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda row: tuple([row[place] for place in places])


class _Path(NamedTuple):
    """A path into a step, up to a question or the end: its answers, what they name, and the game there."""

    answers: tuple[Option, ...]
    subjects: tuple[int, ...]
    game: Game


class _Explorer:
    def __init__(
        self,
        image: Image,
        campaign: str,
        players: int,
        most: int,
        closely: bool,
        altered: Sequence[Alteration],
        due: Mapping[int, Sequence[int]] | None,
    ) -> None:
        self.image = image
        self.most = most
        self.altered = altered
        self.base = start_of_steps(image, campaign, players, SEED)
        for kind, plain in enumerate(image.plain_kinds):
            if not plain:
                self.base.select(kind)  # computed once: all games of the exploration share them
        definitions = image.program.definitions
        self.explored = Explored([row.id for row in definitions].index(campaign))
        self.identities = _Identities(image, closely)
        self.numbers: dict[int, int] = {}
        self.seen: dict[tuple[int, int], None] = {}
        self.fresh: deque[int] = deque()
        self.rest: list[int] = []
        self.inspected: dict[int, None] = {}
        self.broken: dict[tuple[int, str], None] = {}
        self.positions = 0
        for number, prospect in enumerate(image.program.prospects):
            self.explored.due[number] = list(self.base.definitions_of(prospect.kind) if due is None else due[number])

    def explore(self) -> Explored:
        self._state(self.base, self.identities.number(self.base), None)
        while self.fresh or self.rest:
            number = self.fresh.popleft() if self.fresh else self.rest.pop()
            if self.explored.looked >= self.most or self.positions >= MOST_POSITIONS:
                self.explored.whole = False
                break
            self.explored.looked += 1
            self._look(number)
        return self.explored

    def _state(self, game: Game, identity: int, came: Edge | None) -> None:
        """Add the state of a game; a new one is queued for exploration."""
        earlier = self.numbers.get(identity)
        if earlier is not None:
            self.explored.merged = self.explored.merged or self.explored.states[earlier] != carry_over(game)
            return
        number = self.numbers[identity] = len(self.explored.states)
        self.explored.states.append(carry_over(game))
        self.explored.edges.append(None)
        self.explored.came.append(came)
        if self._brings_news(self.identities.outlines[identity]):
            self.fresh.append(number)
        else:
            self.rest.append(number)

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
        first = begin_step(self.base.branch(), self.explored.states[number])
        first.world.flags |= SINGLES_ASKED  # a course includes decisions with a single option
        for count, (answers, subjects, game) in enumerate(self._ways(number, first), 1):
            outcome = game.world.outcome
            identity = self.identities.number(game)
            after = ENDED if outcome else self.numbers.get(identity, len(self.explored.states))
            way = (after, outcome, subjects)
            edge = edges.get(way)
            if edge is None:
                edge = edges[way] = Edge(number, after, answers, outcome)
            if not outcome:
                self._state(game, identity, edge)
            self._inspect(number, answers, game, identity)
            if count >= MOST_WAYS:
                self.explored.whole = False
                break
        first.take_back()
        self.explored.edges[number] = list(edges.values())

    def _ways(self, number: int, first: Game) -> Iterator[_Path]:
        """Yield every path through the step of a state, which begins in `first`; inspect each position on the way.

        All games of a step write into the memory of `first`. Before a game takes another option of a question, the
        memory is restored.
        """
        undo = first.world.undo
        assert undo is not None
        path = _Path((), (), first)
        ahead: list[tuple[_Path, int, CarryOver | None, int]] = []
        while True:
            if self.positions >= MOST_POSITIONS:
                self.explored.whole = False
                return
            self.positions += 1
            ask = path.game.run()
            if ask is None:
                yield path
            else:
                self._inspect(number, path.answers, path.game, self.identities.number(path.game))
                left = [*self._altered(carry_over(path.game))] if self.altered and ask.kind == "mission" else []
                for index in range(len(ask.options) - 1, -1, -1):
                    ahead += [(path, index, changed, len(undo)) for changed in [*left, None]]
            if not ahead:
                return
            before, index, changed, written = ahead.pop()
            before.game.world.take_back(written)
            path = self._taken(before, index, changed, last=not ahead or ahead[-1][0] is not before)

    def _taken(self, before: _Path, index: int, changed: CarryOver | None, *, last: bool) -> _Path:
        """Return a path with one more answer. `changed`: what the mission has left; `last`: `before` is not needed
        again."""
        answers, subjects, game = before
        ask = game.world.ask
        assert ask is not None
        option = ask.options[index]
        if not last:
            game = game.branch()
        if changed is not None:
            give(game, changed)
        game.answer(index)
        subject = _subject(self.image.layout.definition_of, option)
        return _Path((*answers, option), subjects if subject < 0 or subject in subjects else (*subjects, subject), game)

    def _altered(self, carried: CarryOver) -> Iterator[CarryOver]:
        """Yield kept data with each change that missions may leave."""
        for altered in self.altered:
            if isinstance(altered, AlteredZone):
                yield from _refilled(carried, altered)
                continue
            values = carried.values
            for value in altered.values:
                if value != values[altered.place]:
                    yield CarryOver((*values[: altered.place], value, *values[altered.place + 1 :]), carried.zones)

    # ── invariants and prospects ───────────────────────────────────────────────────────────────

    def _inspect(self, number: int, answers: tuple[Option, ...], game: Game, identity: int) -> None:
        """Test the invariants and prospects in a position. `identity`: the number of its state."""
        program = self.image.program
        if game.world.fault is not None:
            self._flaw(Flaw(number, answers, -1, game.world.fault.reason, game.world.fault.span))
            return
        if identity in self.inspected:
            return
        self.inspected[identity] = None
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
