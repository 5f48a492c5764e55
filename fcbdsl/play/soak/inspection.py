"""Checks games for violations: in the machine's own data, and of the invariants that a program declares."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import loading, subscribers
from fcbdsl.machine.vm.changes import BOX
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.saving import BadSave
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.session.naming import Names

MOST_DECISIONS = 5_000
"""A game with more decisions counts as endless."""

ENDLESS, SAVED = "end", "saving"
"""Names of breaches that a search for a shorter game treats differently."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A violation. `name`: the invariant, or a word for what the machine must keep; `says`: the rule that is violated;
    `detail`: the actual state. Two games fail in the same way if `way` is equal."""

    name: str
    says: str
    detail: str = ""

    @property
    def way(self) -> tuple[str, str]:
        """Return what identifies the kind of failure: a shorter game must have the same."""
        return self.name, self.says


class Inspector:
    """Inspects the games of one image. `saves`: number of decisions between two saves and loads (0: never)."""

    def __init__(self, image: Image, saves: int = 0) -> None:
        self.image = image
        self._names = Names(image)
        self._saves = saves

    def look(self, game: Game, ask: Ask | None, decisions: int) -> Breach | None:
        """Return the first violation in a game after so many decisions; None if there is none."""
        return next(self._breaches(game, ask, decisions), None)

    def _breaches(self, game: Game, ask: Ask | None, decisions: int) -> Iterator[Breach]:
        if game.world.fault is not None:
            yield Breach("fault", game.world.fault.reason, self._names.place(game.world.fault.span))
            return
        if ask is not None and decisions >= MOST_DECISIONS:
            yield Breach(ENDLESS, f"A game ends within {MOST_DECISIONS} decisions.")
        yield from self._zones(game)
        yield from self._places(game)
        yield from self._values(game)
        yield from self._tracks(game)
        if ask is None:
            return
        yield from self._question(game, ask)
        yield from self._declared(game)
        if self._saves and decisions % self._saves == 0:
            yield from self._saved(game)

    # ── where things are ───────────────────────────────────────────────────────────────────────

    def _zones(self, game: Game) -> Iterator[Breach]:
        """Check that each thing knows its zone, and that no zone is over its limit."""
        layout = self.image.layout
        says = "A thing lies in one zone, once, and that zone's owner holds it."
        listed = 0
        for zone, things in enumerate(game.world.zones):
            if not things:
                continue
            listed += len(things)
            if zone == BOX:
                yield Breach("zones", says, "the box lists its contents")
            for thing in things:
                if game.zone_of(thing) != zone or game.holder(thing) != layout.zone_owner[zone]:
                    yield Breach("zones", says, f"{self._name(game, thing)}, {self._names.zone(game, zone)}")
            yield from self._capacity(game, zone, len(things))
        if listed != sum(1 for thing in range(layout.body) if game.zone_of(thing) > BOX):
            yield Breach("zones", says, "something is listed twice, or nowhere")

    def _capacity(self, game: Game, zone: int, held: int) -> Iterator[Breach]:
        layout = self.image.layout
        row, owner = layout.zone_row[zone], layout.zone_owner[zone]
        limit = self.image.program.zones[row].limit if row >= 0 else -1
        if limit >= 0 and held > game.test(limit, owner, owner):
            yield Breach("capacity", "A zone holds no more than its limit.", f"{self._names.zone(game, zone)}: {held}")

    def _places(self, game: Game) -> Iterator[Breach]:
        """Check that a thing with a space is on the board and in no zone."""
        for thing in range(self.image.layout.body):
            space = game.space_of(thing)
            if space >= 0 and (game.zone_of(thing) >= 0 or not game.is_space(space)):
                yield Breach("places", "What stands on a space lies in no zone.", self._name(game, thing))

    # ── numbers ────────────────────────────────────────────────────────────────────────────────

    def _values(self, game: Game) -> Iterator[Breach]:
        """Check that every stat and counter is within its declared limits."""
        layout = self.image.layout
        for number, row in enumerate(self.image.program.fields):
            low, high = layout.field_low[number], layout.field_high[number]
            if layout.base[number] < 0 or row.sort == "builtin" or low == high:
                continue
            values = [game.base_value(number, thing) for thing in range(low, high)]
            counter = row.sort in ("status", "token")
            least = max(row.low or 0, 0) if counter else row.low
            most = row.limit if counter and row.owned < 0 else row.high
            if (least is not None and min(values) < least) or (most is not None and max(values) > most):
                detail = f"{self._names.field(number)}: {min(values)} to {max(values)}"
                yield Breach("limits", "A number keeps to its limits.", detail)
            if row.owned >= 0:
                yield from self._owned(game, number, values)

    def _owned(self, game: Game, field: int, sums: list[int]) -> Iterator[Breach]:
        """Check that a marker's count is the sum of the counts by owner."""
        low = self.image.layout.field_low[field]
        totals = [0] * len(sums)
        for key, count in game.world.markers.items():
            number, thing = divmod(key >> 14, 1 << 14)
            if number == field:
                totals[thing - low] += count
        if totals != sums or min(game.world.markers.values(), default=1) < 1:
            yield Breach("owners", "Markers are those of their owners.", self._names.field(field))

    def _tracks(self, game: Game) -> Iterator[Breach]:
        for number, track in enumerate(self.image.program.tracks):
            if not track.low <= game.track_value(number) <= track.high:
                yield Breach("tracks", "A track stays between its ends.", self._names.definition(track.definition))

    # ── questions, and what the program declares ───────────────────────────────────────────────

    def _question(self, game: Game, ask: Ask) -> Iterator[Breach]:
        """Check that a question is put to a player in the game, and that its options differ."""
        if not ask.options or len(set(ask.options)) < len(ask.options):
            yield Breach("options", "A question offers something, and nothing twice.", str(ask.options))
        if not ask.who < game.world.players or not deciding_seats(game, ask.who):
            yield Breach("asked", "A question is put to somebody who plays.", str(ask.who))

    def _declared(self, game: Game) -> Iterator[Breach]:
        for row in self.image.program.invariants:
            if row.kind < 0 and not game.test(row.code):
                yield Breach(row.name, self._names.text(row.title), self._names.place(row.span))

    def _saved(self, game: Game) -> Iterator[Breach]:
        """Check that a clone, and a world that was saved and loaded, equal the original, caches included."""
        says = "A world that was saved and loaded is the same."
        before = game.digest()
        if game.clone().digest() != before:
            yield Breach(SAVED, "A clone is the same world.")
        try:
            loaded = loading.load_game(self.image, json.loads(json.dumps(game.save())))
        except BadSave as error:
            yield Breach(SAVED, says, str(error))
            return
        if loaded.digest() != before:
            yield Breach(SAVED, says)
        if _hearing(loaded) != _hearing(game):
            yield Breach(SAVED, "Who is heard follows from the state alone.")
        if _cached_facts(loaded, game) != _cached_facts(game, game):
            says = (
                "What is in play, who bears markers, and where pieces stand in the way, follows from the state alone."
            )
            yield Breach(SAVED, says)

    def _name(self, game: Game, thing: int) -> str:
        return f"{self._names.thing(game, thing)} (thing {thing})"


def _cached_facts(game: Game, asked: Game) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], bytes]:
    """Return the cached selections and marked things of a game that another game has cached, and the blocked cells."""
    game.refuel()
    crowd = game.crowd() if game.world.board >= 0 else b""
    marked = [subscribers.bearers(game, field) for field in sorted(asked.world.bearers)]
    kinds = [kind for kind, selected in enumerate(asked.world.selected) if selected is not None]
    return [game.select(kind) for kind in kinds], marked, crowd


def _hearing(game: Game) -> tuple[list[int], list[list[int]]]:
    """Return what is live, and the listeners of each event, in any order."""
    return list(game.world.live), [sorted(heard.things) for heard in game.world.subscribers]
