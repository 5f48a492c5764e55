"""All the courses a campaign can take: every choice, and every end of every mission, step by step from the start.

Two courses that keep the same are one, so what is explored is a graph: its nodes are what can be kept between two
steps, its edges the ways through a step. What pieces keep (their numbers, what they hold) is for missions: courses that
differ in nothing else, or in the order of what lies in a zone, are at first taken for one; what then seems wrong is
looked for again with every difference. In a mission nothing that is kept changes, as in content tests; what then still
seems wrong is looked for once more, with whatever missions may alter of what the campaign goes by. Chance in the steps
themselves falls as it falls for one seed. States that bring something new are looked at first (a value or a place
that nothing had before: Lipovetzky and Geffner, "Width and serialization of classical planning problems", ECAI 2012),
so that what can come true is soon seen to, even where there are too many states to see them all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import compress

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.carry_over import CarryOver, taken
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import ACTION, DONE, ENDINGS, NONE, OPEN, SINGLES_ASKED, TAGS, THING, Option
from fcbdsl.play.campaign.journey import Journey, fresh

MOST_STATES = 4_000
"""Most states that are looked at."""
MOST_WAYS = 400
"""Most ways through one step."""
SEED = 1

_NAMING = (THING, TAGS.index("definition"), *ENDINGS)
"""Tags of options that name a thing or a definition."""

ENDED = -1
"""Where an edge leads that ends the campaign."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A way through a step: from one state to another, or to the end. `answers`: the options that were taken."""

    before: int
    after: int
    answers: tuple[Option, ...]
    outcome: int = OPEN


@dataclass(frozen=True, slots=True)
class Altered:
    """A kept value (its place in `Image.kept_stats`) and all that a mission may leave there."""

    place: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong in a step of a state, after some answers: an invariant (its number), or a fault."""

    state: int
    answers: tuple[Option, ...]
    invariant: int = -1
    reason: str = ""
    span: int = -1


@dataclass(slots=True)
class Explored:
    """What was found. `edges[s]`: the ways on from state s, None where nobody has looked yet.

    `due`: prospects (their numbers) with the definitions for which none of the states seen fulfils them. `whole`:
    whether everything has been seen. `looked`: how many states have been looked at. `merged`: whether courses that
    keep different things have been taken for one. `saved`: states from which an end can be reached by what missions
    may alter."""

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

    def ways(self) -> Iterator[Edge]:
        """Yield every way through a step that was found."""
        for edges in self.edges:
            yield from edges or ()

    def course(self, state: int) -> list[Edge]:
        """The first way that was found from the start to a state."""
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
    altered: Sequence[Altered] = (),
) -> Explored:
    """Explore a campaign for a number of players (0: as few as can play); `closely`: with every difference; `altered`:
    what missions may leave of what is kept, one thing of it at a time."""
    return _Explorer(image, campaign, players or image.program.players[0], most, closely, altered).explore()


def subjects(image: Image, answers: tuple[Option, ...]) -> list[int]:
    """The definitions that the answers of a step name: things chosen or acted on, and missions, in order."""
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
    """Return what makes of a state that which tells it from others: nothing of pieces, and zones without order."""
    low, high = image.pieces
    stats = [not low <= thing < high for _, thing in image.kept_stats]
    owner = image.layout.zone_owner
    zones = [at for at, zone in enumerate(image.kept_zones) if not low <= owner[zone] < high]

    def outline(kept: CarryOver) -> CarryOver:
        lying = [kept.zones[at] for at in zones]
        return CarryOver(
            tuple(compress(kept.values, stats)),
            tuple([tuple(sorted(things)) if len(things) > 1 else things for things in lying]),
        )

    return outline


class _Explorer:
    def __init__(
        self, image: Image, campaign: str, players: int, most: int, closely: bool, altered: Sequence[Altered]
    ) -> None:
        journey = Journey(image, campaign, players, SEED)
        self.image = image
        self.most = most
        self.altered = altered
        self.base = journey.base
        definitions = image.program.definitions
        self.found = Explored([row.id for row in definitions].index(campaign))
        self.known: dict[CarryOver, int] = {}
        self.key: Callable[[CarryOver], CarryOver] = (lambda kept: kept) if closely else outlining(image)
        self.seen: dict[tuple[int, int], None] = {}
        self.fresh: deque[int] = deque()
        self.rest: list[int] = []
        self.inspected: dict[CarryOver, None] = {}
        self.broken: dict[tuple[int, str], None] = {}
        for number, prospect in enumerate(image.program.prospects):
            self.found.due[number] = list(self.base.definitions_of(prospect.kind))

    def explore(self) -> Explored:
        first = taken(self.base)
        self._state(first, self.key(first), None)
        while self.fresh or self.rest:
            number = self.fresh.popleft() if self.fresh else self.rest.pop()
            if self.found.looked >= self.most:
                self.found.whole = False
                break
            self.found.looked += 1
            self._look(number)
        return self.found

    def _state(self, kept: CarryOver, key: CarryOver, came: Edge | None) -> int:
        """The number of a state; a new one waits to be looked at. `key`: what tells it from others."""
        known = self.known.get(key)
        if known is not None:
            self.found.merged = self.found.merged or self.found.states[known] != kept
            return known
        number = self.known[key] = len(self.found.states)
        self.found.states.append(kept)
        self.found.edges.append(None)
        self.found.came.append(came)
        if self._brings_news(key):
            self.fresh.append(number)
        else:
            self.rest.append(number)
        return number

    def _brings_news(self, kept: CarryOver) -> bool:
        """Whether a state has a value, or something in a zone, that no state had before."""
        atoms = [*enumerate(kept.values)]
        atoms += [(-1 - zone, thing) for zone, things in enumerate(kept.zones) for thing in things]
        news = [atom for atom in atoms if atom not in self.seen]
        self.seen.update(dict.fromkeys(news))
        return bool(news)

    def _look(self, number: int) -> None:
        """Find all ways on from a state."""
        edges: dict[tuple[int, int, tuple[int, ...]], Edge] = {}
        for count, (answers, game) in enumerate(self._ways(number), 1):
            edge = Edge(number, ENDED, answers, game.world.outcome)
            if not game.world.outcome:
                kept = taken(game)
                key = self.key(kept)
                after = self.known.get(key, len(self.found.states))
                edge = Edge(number, after, answers)
                self._state(kept, key, edge)
            self._inspect(number, answers, game)
            edges.setdefault((edge.after, edge.outcome, tuple(subjects(self.image, answers))), edge)
            if count >= MOST_WAYS:
                self.found.whole = False
                break
        self.found.edges[number] = list(edges.values())

    def _ways(self, number: int) -> Iterator[tuple[tuple[Option, ...], Game]]:
        """Every way through the step of a state, with its answers; looks at each position on the way."""
        image = self.image
        first = fresh(image, self.base, self.found.states[number])
        first.world.flags |= SINGLES_ASKED  # a course tells of them, too
        stack: list[tuple[tuple[Option, ...], Game]] = [((), first)]
        while stack:
            answers, game = stack.pop()
            ask = game.run()
            if ask is None:
                yield answers, game
                continue
            self._inspect(number, answers, game)
            homecomings = [*self._altered(game)] if ask.kind == "mission" else []
            for index in range(len(ask.options) - 1, -1, -1):
                for ahead in [*(one.clone() for one in homecomings), game.clone() if index else game]:
                    ahead.answer(index)
                    stack.append(((*answers, ask.options[index]), ahead))

    def _altered(self, game: Game) -> Iterator[Game]:
        """The game as missions may leave it that alter something."""
        base = self.image.layout.base
        for one in self.altered:
            field, thing = self.image.kept_stats[one.place]
            at = base[field] + thing
            for value in one.values:
                if value != game.world.mem[at]:
                    left = game.clone()
                    left.world.write(at, value)
                    left.world.bearers = {}
                    yield left

    # ── what must hold, and what must come ─────────────────────────────────────────────────────

    def _inspect(self, number: int, answers: tuple[Option, ...], game: Game) -> None:
        program = self.image.program
        if game.world.fault is not None:
            self._flaw(Flaw(number, answers, -1, game.world.fault.reason, game.world.fault.span))
            return
        key = self.key(taken(game))
        if key in self.inspected:
            return
        self.inspected[key] = None
        for at, invariant in enumerate(program.invariants):
            if (at, "") not in self.broken and not game.test(invariant.code):
                self._flaw(Flaw(number, answers, at))
        for at, due in self.found.due.items():
            if due:
                code = program.prospects[at].code
                due[:] = [definition for definition in due if not self._fulfilled(game, code, definition)]

    def _flaw(self, flaw: Flaw) -> None:
        """Note a flaw once: each invariant, and each fault by its reason."""
        key = (flaw.invariant, flaw.reason)
        if key not in self.broken:
            self.broken[key] = None
            self.found.flaws.append(flaw)

    def _fulfilled(self, game: Game, code: int, definition: int) -> bool:
        image = self.image
        first = image.layout.first[definition]
        for thing in range(first, first + image.layout.instances[definition]):
            self_, this = game.selves(thing)
            if game.test(code, self_, this):
                return True
        return False
