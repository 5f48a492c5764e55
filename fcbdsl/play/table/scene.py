"""The view of a game that a seat may see, as plain data. Nothing else of a game is ever sent to a seat.

A thing has a key that is private to its seat. It loses the key when the seat loses sight of it, because the machine's
own numbers would identify a card that was shuffled.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Cell, Field
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import ACTION, TAGS, Ask, Frame, Option
from fcbdsl.play.session.log_text import occasion
from fcbdsl.play.session.view import View

QUIET = ("none", "done")
"""Tags of choices that do nothing."""
MOST_CARDS = 12
"""Most cards of an open pile that are listed: its top ones."""


@dataclass(frozen=True, slots=True)
class CountView:
    """A number of equal things, such as tokens on a space."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Gauge:
    """A number with a name. `high`: the value that it begins with, if that is a maximum."""

    name: str
    value: int
    high: int | None = None


@dataclass(frozen=True, slots=True)
class CardView:
    """A card whose face the seat sees. `look`: its face in the dressing (``kind/id``)."""

    key: str
    look: str
    name: str
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards of a zone. `cards`: the top ones, the top last; none if they lie face down for this seat."""

    name: str
    count: int
    open: bool = True
    cards: tuple[CardView, ...] = ()


@dataclass(frozen=True, slots=True)
class SpaceView:
    """A space that has something on it, or whose ground has changed. `ground`: its new ground."""

    space: int
    ground: str | None = None
    tokens: tuple[CountView, ...] = ()
    states: tuple[str, ...] = ()
    piles: tuple[Pile, ...] = ()


@dataclass(frozen=True, slots=True)
class BarrierView:
    """A barrier between two spaces. `look`: its line in the dressing. `open`: None if it can't open."""

    first: int
    second: int
    look: str
    name: str
    open: bool | None = None
    gauges: tuple[Gauge, ...] = ()
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece on the board, or a holder of cards off the board (`space` is None). `player`: its controller."""

    key: str
    look: str
    name: str
    code: str
    sort: str = ""
    space: int | None = None
    player: int | None = None
    gauges: tuple[Gauge, ...] = ()
    states: tuple[str, ...] = ()
    piles: tuple[Pile, ...] = ()


@dataclass(frozen=True, slots=True)
class TierState:
    """A tier of a track: the value from which it is on."""

    at: int
    name: str
    on: bool = False


@dataclass(frozen=True, slots=True)
class TrackState:
    """A track in play. `marks`: the values at which something happens."""

    look: str
    name: str
    value: int
    low: int
    high: int
    marks: tuple[int, ...] = ()
    tiers: tuple[TierState, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player, with the keys of the pieces that the player decides for."""

    seat: int
    name: str
    pieces: tuple[str, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    states: tuple[str, ...] = ()
    piles: tuple[Pile, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """The thing that a choice is about, as far as the seat sees it. `actor`: the piece that would act."""

    space: int | None = None
    piece: str | None = None
    card: str | None = None
    look: str | None = None
    player: int | None = None
    side: tuple[int, ...] = ()
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A choice of a question. `label`: its full name; `short`: the same without its actor; `quiet`: it does nothing."""

    label: str
    short: str = ""
    quiet: bool = False
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. A seat that does not answer sees only which seats do."""

    to: tuple[int, ...]
    asked: str
    yours: bool = False
    text: str = ""
    why: tuple[str, ...] = ()
    choices: tuple[ChoiceView, ...] = ()


@dataclass(frozen=True, slots=True)
class SceneView:
    """All that a seat sees at one moment. `left`: pieces on the board for which no player decides, by their sort."""

    spaces: tuple[SpaceView, ...] = ()
    sides: tuple[BarrierView, ...] = ()
    pieces: tuple[PieceView, ...] = ()
    tracks: tuple[TrackState, ...] = ()
    players: tuple[PlayerView, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    states: tuple[str, ...] = ()
    piles: tuple[Pile, ...] = ()
    left: tuple[CountView, ...] = ()
    step: str = ""
    question: Question | None = None
    outcome: str | None = None


Numbers = tuple[tuple[Gauge, ...], tuple[str, ...]]
FactsOfSpace = tuple[str | None, tuple[CountView, ...], tuple[str, ...]]
PublicFacts = dict[tuple[str | int, ...], Any]
"""The facts of a position that all seats may know, in one language."""


class _FieldOfKind(NamedTuple):
    """A field of the things of a kind, with the code of its initial value (-1: it is empty)."""

    number: int
    row: Field
    code: int


class SceneMaker:
    """Makes the views of one seat, or of several seats at one screen, in one language."""

    def __init__(self, image: Image, language: str, seats: Collection[int] | None, together: bool = False) -> None:
        """`seats`: none of them for spectators; None for everybody together. `together`: see `View`."""
        self.view = View(image, language, seats)
        self.view.together = together
        self.image = image
        self.program = image.program
        self.seats = seats
        self._keys: dict[int, str] = {}
        self._seen: dict[int, str] = {}
        self._last = 0
        self._tokens = [number for number, row in enumerate(self.program.fields) if row.sort == "token"]
        self._fields = [
            (number, row)
            for number, row in enumerate(self.program.fields)
            if row.title >= 0 and row.sort not in ("const", "builtin")
        ]
        self._by_kind: dict[int, list[_FieldOfKind]] = {}
        self._public: PublicFacts = {}
        self._looks: dict[int, str] = {}
        self._stages = {row.code: self.view.names.text(row.title) for row in self.program.stages}

    def fork(self) -> SceneMaker:
        """Return an independent scene with the same keys."""
        other = copy.copy(self)
        other._keys = self._keys.copy()
        return other

    def look(self, game: Game, ask: Ask | None, public: PublicFacts | None = None) -> SceneView:
        """Return what the seat sees now. `ask`: the pending question; None when the game is over. `public`: the facts
        that scenes of this position in the same language have in common, filled by the first of them."""
        self._seen = {}
        self._public = {} if public is None else public
        piles = self._piles_by_owner(game)
        spaces, sides = (self._spaces(game, piles), self._sides(game)) if game.world.board >= 0 else ((), ())
        placed = tuple(self._piece(game, thing, piles, game.cell(thing)) for thing in game.placed_pieces())
        players = tuple(self._player(game, number, piles) for number in range(game.world.players))
        own = tuple(piles.pop(-1, ()))
        others = tuple(self._piece(game, owner, piles, None) for owner in sorted(piles) if self._is_apart(game, owner))
        low, high = self.image.layout.range_of("game")
        numbers = [self._numbers(game, thing) for thing in range(low, high)]
        view = SceneView(
            spaces=spaces,
            sides=sides,
            pieces=placed + others,
            tracks=tuple(self._tracks(game)),
            players=players,
            gauges=tuple(gauge for gauges, _ in numbers for gauge in gauges),
            states=tuple(state for _, states in numbers for state in states),
            piles=own,
            left=_tallied([piece.sort for piece in placed if piece.player is None and piece.sort]),
            step=self._step(game),
            question=self._question(game, ask) if ask is not None else None,
            outcome=self.view.outcome(game) if ask is None else None,
        )
        self._keys = self._seen
        return view

    # ── keys ───────────────────────────────────────────────────────────────────────────────────

    def _key(self, thing: int) -> str:
        """Return the key of a thing in this view; a new one if the last view did not show the thing."""
        if thing not in self._seen:
            if thing not in self._keys:
                self._last += 1
                self._keys[thing] = f"k{self._last}"
            self._seen[thing] = self._keys[thing]
        return self._seen[thing]

    def key_of(self, thing: int) -> str | None:
        """Return the key of a thing in the last view; None if the view did not show it."""
        return self._keys.get(thing)

    def look_of(self, thing: int) -> str:
        """Return the name of a thing's look in the dressing."""
        layout = self.image.layout
        number = layout.definition_of[thing] if 0 <= thing < layout.things else -1
        return self._look(number) if number >= 0 else self.program.kinds[layout.kind_of[thing]].name

    def _look(self, definition: int) -> str:
        if definition not in self._looks:
            row = self.program.definitions[definition]
            self._looks[definition] = f"{self.program.kinds[row.kind].name}/{row.id}"
        return self._looks[definition]

    # ── the board ──────────────────────────────────────────────────────────────────────────────

    def _spaces(self, game: Game, piles: dict[int, list[Pile]]) -> tuple[SpaceView, ...]:
        """Return the spaces that have something on them besides pieces."""
        low, high = self.image.layout.spaces_low, self.image.layout.spaces_high
        facts = self._facts_of_spaces(game)
        held = {owner - low: tuple(piles.pop(owner)) for owner in [*piles] if low <= owner < high}
        return tuple(
            [SpaceView(at, *facts.get(at, (None, (), ())), held.get(at, ())) for at in sorted(facts.keys() | held)]
        )

    def _facts_of_spaces(self, game: Game) -> dict[int, FactsOfSpace]:
        facts_of_spaces = self._public.get(("spaces",))
        if facts_of_spaces is None:
            cells = self.program.boards[game.world.board].cells
            rows = [(at, self._facts_of_space(game, at, cell)) for at, cell in enumerate(cells)]
            facts_of_spaces = {at: facts for at, facts in rows if facts != (None, (), ())}
            if not any(field.row.secret for at in range(len(cells)) for field in self._fields_of(game.space(at))):
                self._public["spaces",] = facts_of_spaces
        return facts_of_spaces

    def _facts_of_space(self, game: Game, at: int, cell: Cell) -> FactsOfSpace:
        """Return the new ground of a space, its tokens and its states."""
        thing, names = game.space(at), self.view.names
        low, high = self.image.layout.field_low, self.image.layout.field_high
        counts = [(field, game.base_value(field, thing)) for field in self._tokens if low[field] <= thing < high[field]]
        tokens = tuple([CountView(names.field(field), count) for field, count in counts if count > 0])
        terrain, ground = game.terrain(at), None
        if terrain != cell.terrain:
            ground = names.value(game, "terrain", terrain) if terrain >= 0 else names.say("plain")
        gauges, states = self._numbers(game, thing, tokens=False)
        return ground, tokens, states + tuple([f"{gauge.name} {gauge.value}" for gauge in gauges])

    def _sides(self, game: Game) -> tuple[BarrierView, ...]:
        out = []
        pairs = game.shape().sides
        for number, barrier in enumerate(game.barriers()):
            if barrier < 0:
                continue
            row, thing = self.program.barriers[barrier], game.side(number)
            gauges, states = self._numbers(game, thing, but=row.hinge)
            name = self.view.names.text(row.title, row.name)
            opened = self.view.drawing.is_open(game, number, barrier) if row.hinge >= 0 else None
            out.append(BarrierView(*pairs[number], row.name, name, opened, gauges, states))
        return tuple(out)

    def _piece(self, game: Game, thing: int, piles: dict[int, list[Pile]], space: int | None) -> PieceView:
        gauges, states = self._numbers(game, thing)
        player = game.controller(thing)
        return PieceView(
            key=self._key(thing),
            look=self.look_of(thing),
            name=self.view.names.thing(game, thing),
            code=self.view.drawing.code(thing),
            sort=self._sort(thing),
            space=space,
            player=player if player >= 0 else None,
            gauges=gauges,
            states=states,
            piles=tuple(piles.pop(thing, ())),
        )

    def _sort(self, thing: int) -> str:
        """Return the title of the nearest kind of a thing that has one."""
        kind = self.image.layout.kind_of[thing]
        while kind >= 0 and self.program.kinds[kind].title < 0:
            kind = self.program.kinds[kind].parent
        return self.view.names.text(self.program.kinds[kind].title) if kind >= 0 else ""

    def _is_apart(self, game: Game, owner: int) -> bool:
        """Return whether an owner of piles is in play, but neither on the board nor in a pile."""
        return game.zone_of(owner) <= 0 and game.space_of(owner) < 0 and game.in_play(owner)

    # ── numbers ────────────────────────────────────────────────────────────────────────────────

    def _fields_of(self, thing: int) -> list[_FieldOfKind]:
        """Return the fields that a table may show of a thing. Things of a kind have the same."""
        layout = self.image.layout
        kind = layout.kind_of[thing]
        if kind not in self._by_kind:
            low, high = layout.field_low, layout.field_high
            rows = [(at, row) for at, row in self._fields if low[at] <= thing < high[at]]
            self._by_kind[kind] = [_FieldOfKind(at, row, self.view.start_code(at, kind)) for at, row in rows]
        return self._by_kind[kind]

    def _numbers(self, game: Game, thing: int, tokens: bool = True, but: int = -1) -> Numbers:
        """Return the numbers and states of a thing that a table shows. Initial values are left out, except numbers that
        run down."""
        key = ("numbers", thing, tokens, but)
        shown = self._public.get(key)
        if shown is None:
            fields = self._fields_of(thing)
            shown = self._numbers_of(game, thing, fields, tokens, but)
            if not any(field.row.secret for field in fields):
                self._public[key] = shown
        return shown

    def _numbers_of(self, game: Game, thing: int, fields: list[_FieldOfKind], tokens: bool, but: int) -> Numbers:
        view, names = self.view, self.view.names
        gauges: list[Gauge] = []
        states: list[str] = []
        for number, row, code in fields:
            if number == but or (row.sort == "token" and not tokens):
                continue
            if row.secret and not view.knows(game, thing, row):
                continue
            value = game.value(number, thing)
            if row.sort in ("status", "token"):
                if value > 0:
                    name = names.field(number, names.marks(game, thing))
                    states.append(name if row.limit == 1 else f"{name} {value}")
                continue
            start = game.test(code, thing, thing) if code >= 0 else row.empty
            if row.tag == "number":
                if start > 0 or value != start:
                    gauges.append(Gauge(names.field(number), value, start if 0 < start >= value else None))
            elif value != start and self._is_shown(game, row, value):
                name = names.field(number, names.marks(game, thing))
                if row.tag == "flag":
                    states.append(name if value else names.say("no-more", name))
                else:
                    states.append(names.say("does", name, names.value(game, row.tag, value, row.enum)))
        return tuple(gauges), tuple(states)

    def _is_shown(self, game: Game, row: Field, value: int) -> bool:
        """Return whether a table shows a value: it is not empty, and no thing that only the game itself refers to."""
        if row.tag == "thing":
            return value >= 0 and self.view.shows_reference(game, row, value)
        return value >= 0 or row.tag == "enum"

    def _tracks(self, game: Game) -> Iterator[TrackState]:
        layout, names = self.image.layout, self.view.names
        for number, track in enumerate(self.program.tracks):
            thing = layout.first[track.definition]
            if not game.in_play(thing):
                continue
            tiers = [(at, tier) for at, tier in enumerate(self.program.tiers) if tier.track == number]
            yield TrackState(
                look=self._look(track.definition),
                name=names.thing(game, thing),
                value=game.track_value(number),
                low=track.low,
                high=track.high,
                marks=tuple(dict.fromkeys([at for at, _ in track.steps] + ([track.high] if track.end >= 0 else []))),
                tiers=tuple(TierState(t.at, names.text(t.title), game.tier_track(at) >= 0) for at, t in tiers),
            )

    def _player(self, game: Game, number: int, piles: dict[int, list[Pile]]) -> PlayerView:
        thing = self.image.layout.players_low + number
        gauges, states = self._numbers(game, thing)
        pieces = tuple(self._key(figure) for figure in self.view.names.figures(game, number))
        held = tuple(piles.pop(thing, ()))
        return PlayerView(number, self.view.names.who(game, number), pieces, gauges, states, held)

    # ── piles ──────────────────────────────────────────────────────────────────────────────────

    def _piles_by_owner(self, game: Game) -> dict[int, list[Pile]]:
        """Return the piles that are not empty, by owner (-1: the game)."""
        layout, out = self.image.layout, dict[int, list[Pile]]()
        for zone in range(1, layout.zones):
            if game.world.zones[zone]:
                out.setdefault(layout.zone_owner[zone], []).append(self._pile(game, zone))
        return out

    def _pile(self, game: Game, zone: int) -> Pile:
        row = self.program.zones[self.image.layout.zone_row[zone]]
        name = self.view.names.text(row.title, row.name.replace("-", " "))
        things = game.contents(zone)
        if not self.view.sees(game, zone):
            return Pile(name, len(things), open=False)
        return Pile(name, len(things), cards=tuple(self._card(game, thing) for thing in things[-MOST_CARDS:]))

    def _card(self, game: Game, thing: int) -> CardView:
        gauges, states = self._numbers(game, thing)
        notes = [*states, *(f"{gauge.name} {gauge.value}" for gauge in gauges if gauge.value != gauge.high)]
        for zone in self.image.layout.zones_of.get(thing, ()):
            if game.world.zones[zone]:
                notes.append(self.view.contents(game, zone))
        return CardView(self._key(thing), self.look_of(thing), self.view.names.thing(game, thing), tuple(notes))

    # ── the question ───────────────────────────────────────────────────────────────────────────

    def _question(self, game: Game, ask: Ask) -> Question:
        to = deciding_seats(game, ask.who)
        asked = self.view.names.who(game, ask.who)
        if self.seats is None or not set(to) & set(self.seats):
            return Question(to, asked)
        text, *why = self.view.asked(game, ask, occasion(self.view, game, ask)).split("\n")
        labels = self.view.options(game, ask)
        choices = tuple(self._choice(game, option, label) for option, label in zip(ask.options, labels, strict=True))
        return Question(to, asked, True, text, tuple(why), choices)

    def _choice(self, game: Game, option: Option, label: str) -> ChoiceView:
        tag, names = TAGS[option[0]], self.view.names
        short = ""
        if option[0] == ACTION:
            row = self.program.actions[option[1]]
            title = names.text(row.title, row.name.replace("-", " "))
            short = names.say("does", title, names.thing(game, option[3])) if option[3] >= 0 else title
        target = self._target(game, option)
        return ChoiceView(label, short, tag in QUIET, target if target != Target() else None)

    def _target(self, game: Game, option: Option) -> Target:
        match TAGS[option[0]]:
            case "action":
                return self._at(game, option[3], self._seen.get(option[2]))
            case "thing":
                return self._at(game, option[1])
            case "definition" if 0 <= option[1] < len(self.program.definitions):
                return Target(look=self._look(option[1]))
            case "listener" if option[3] >= 0:
                return self._at(game, option[3], self._seen.get(option[2]))
        return Target()

    def _at(self, game: Game, thing: int, actor: str | None = None) -> Target:
        """Return a thing as the target of a choice."""
        layout = self.image.layout
        if thing < 0:
            return Target(actor=actor)
        if layout.spaces_low <= thing < layout.spaces_high:
            return Target(space=thing - layout.spaces_low, actor=actor)
        if layout.sides_low <= thing < layout.sides_high:
            number = thing - layout.sides_low
            pairs = game.shape().sides if game.world.board >= 0 else ()
            return Target(side=pairs[number] if number < len(pairs) else (), actor=actor)
        if layout.players_low <= thing < layout.players_high:
            return Target(player=thing - layout.players_low, actor=actor)
        if thing < layout.body and game.space_of(thing) >= 0:
            return Target(game.cell(thing), self._seen.get(thing), look=self.look_of(thing), actor=actor)
        return Target(card=self._seen.get(thing), look=self.look_of(thing), actor=actor)

    def _step(self, game: Game) -> str:
        """Return the title of the current step of the game's flow; empty if it has none."""
        running = [item.code for item in game.world.stack if isinstance(item, Frame)]
        titles = [self._stages[code] for code in running if self._stages.get(code)]
        return titles[-1] if titles else ""


def _tallied(names: list[str]) -> tuple[CountView, ...]:
    """Return names with their counts, in order of first occurrence."""
    return tuple(CountView(name, names.count(name)) for name in dict.fromkeys(names))
