"""Looking for what must not be: in the machine's own books, and by the invariants that a program declares."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from fcbdsl.sim.naming import Names
from fcbdsl.vm.changes import BOX
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.saving import BadSave
from fcbdsl.vm.world import Ask, World

MOST_DECISIONS = 5_000
"""A game that asks for more is taken to have no end."""

ENDLESS, SAVED = "end", "saving"
"""Names of breaches that a search for a shorter game treats differently."""


@dataclass(frozen=True, slots=True)
class Breach:
    """Something that must not be. `name`: of the invariant, or a word for what the machine must keep; `says`: what was
    to hold, or what went wrong; `detail`: what there is instead. Two games fail in the same way if `way` is equal."""

    name: str
    says: str
    detail: str = ""

    @property
    def way(self) -> tuple[str, str]:
        """What a shorter game must have in common."""
        return self.name, self.says


class Inspector:
    """Looks at the worlds of one machine. `saves`: every how many decisions a world is saved and loaded (0: never)."""

    def __init__(self, machine: Machine, saves: int = 0) -> None:
        self.machine = machine
        self._names = Names(machine)
        self._saves = saves

    def look(self, world: World, ask: Ask | None, decisions: int) -> Breach | None:
        """The first thing that is wrong with a world that has been run after so many decisions; None if all is well."""
        return next(self._breaches(world, ask, decisions), None)

    def _breaches(self, world: World, ask: Ask | None, decisions: int) -> Iterator[Breach]:
        if world.fault is not None:
            yield Breach("fault", world.fault.reason, self._names.place(world.fault.span))
            return
        if ask is not None and decisions >= MOST_DECISIONS:
            yield Breach(ENDLESS, f"A game ends within {MOST_DECISIONS} decisions.")
        yield from self._zones(world)
        yield from self._places(world)
        yield from self._values(world)
        yield from self._tracks(world)
        if ask is None:
            return
        yield from self._question(world, ask)
        yield from self._declared(world)
        if self._saves and decisions % self._saves == 0:
            yield from self._saved(world)

    # ── where things are ───────────────────────────────────────────────────────────────────────

    def _zones(self, world: World) -> Iterator[Breach]:
        """What lies in a zone knows it, and no zone is overfull."""
        layout, mem = self.machine.layout, world.mem
        says = "A thing lies in one zone, once, and that zone's owner holds it."
        listed = 0
        for zone, things in enumerate(world.zones):
            if not things:
                continue
            listed += len(things)
            if zone == BOX:
                yield Breach("zones", says, "the box lists its contents")
            for thing in things:
                holder = mem[layout.holder + thing]
                if mem[layout.zone + thing] != zone or holder != layout.zone_owner[zone]:
                    yield Breach("zones", says, f"{self._name(world, thing)}, {self._names.zone(world, zone)}")
            yield from self._capacity(world, zone, len(things))
        if listed != sum(1 for zone in mem[layout.zone : layout.zone + layout.body] if zone > BOX):
            yield Breach("zones", says, "something is listed twice, or nowhere")

    def _capacity(self, world: World, zone: int, held: int) -> Iterator[Breach]:
        layout = self.machine.layout
        row, owner = layout.zone_row[zone], layout.zone_owner[zone]
        limit = self.machine.program.zones[row].limit if row >= 0 else -1
        if limit >= 0 and held > self.machine.test(world, limit, owner, owner):
            yield Breach("capacity", "A zone holds no more than its limit.", f"{self._names.zone(world, zone)}: {held}")

    def _places(self, world: World) -> Iterator[Breach]:
        """What stands on a space stands on the board, and lies in no zone."""
        layout, mem = self.machine.layout, world.mem
        self.machine.enter(world)
        for thing, space in enumerate(mem[layout.place : layout.place + layout.body]):
            if space >= 0 and (mem[layout.zone + thing] >= 0 or not self.machine.is_space(space)):
                yield Breach("places", "What stands on a space lies in no zone.", self._name(world, thing))

    # ── numbers ────────────────────────────────────────────────────────────────────────────────

    def _values(self, world: World) -> Iterator[Breach]:
        """Every stat and counter is within the limits it is declared with."""
        layout = self.machine.layout
        for number, row in enumerate(self.machine.program.fields):
            low, high = layout.field_low[number], layout.field_high[number]
            if layout.base[number] < 0 or row.sort == "builtin" or low == high:
                continue
            values = world.mem[layout.base[number] + low : layout.base[number] + high]
            counter = row.sort in ("status", "token")
            least = max(row.low or 0, 0) if counter else row.low
            most = row.limit if counter and row.owned < 0 else row.high
            if (least is not None and min(values) < least) or (most is not None and max(values) > most):
                detail = f"{self._names.field(number)}: {min(values)} to {max(values)}"
                yield Breach("limits", "A number keeps to its limits.", detail)
            if row.owned >= 0:
                yield from self._owned(world, number, values)

    def _owned(self, world: World, field: int, sums: list[int]) -> Iterator[Breach]:
        """A marker's count is the sum of what each owner has put there."""
        low = self.machine.layout.field_low[field]
        found = [0] * len(sums)
        for key, count in world.markers.items():
            number, thing = divmod(key >> 14, 1 << 14)
            if number == field:
                found[thing - low] += count
        if found != sums or min(world.markers.values(), default=1) < 1:
            yield Breach("owners", "Markers are those of their owners.", self._names.field(field))

    def _tracks(self, world: World) -> Iterator[Breach]:
        layout = self.machine.layout
        for track in self.machine.program.tracks:
            value = world.mem[layout.value + layout.first[track.definition]]
            if not track.low <= value <= track.high:
                yield Breach("tracks", "A track stays between its ends.", self._names.definition(track.definition))

    # ── questions, and what the program declares ───────────────────────────────────────────────

    def _question(self, world: World, ask: Ask) -> Iterator[Breach]:
        """A question is put to somebody who plays, and offers different things."""
        if not ask.options or len(set(ask.options)) < len(ask.options):
            yield Breach("options", "A question offers something, and nothing twice.", str(ask.options))
        if not -1 <= ask.who < world.players:
            yield Breach("asked", "A question is put to somebody who plays.", str(ask.who))

    def _declared(self, world: World) -> Iterator[Breach]:
        for row in self.machine.program.invariants:
            if not self.machine.test(world, row.code):
                yield Breach(row.name, self._names.text(row.title), self._names.place(row.span))

    def _saved(self, world: World) -> Iterator[Breach]:
        """A clone, and what is loaded of what was saved, are the same world; also in what is worked out from it."""
        machine = self.machine
        says = "A world that was saved and loaded is the same."
        before = machine.digest(world)
        if machine.digest(machine.clone(world)) != before:
            yield Breach(SAVED, "A clone is the same world.")
        try:
            loaded = machine.load(json.loads(json.dumps(machine.save(world))))
        except BadSave as trouble:
            yield Breach(SAVED, says, str(trouble))
            return
        if machine.digest(loaded) != before:
            yield Breach(SAVED, says)
        if loaded.live != world.live or [sorted(ears) for ears in loaded.ears] != [sorted(e) for e in world.ears]:
            yield Breach(SAVED, "Who is heard follows from the state alone.")

    def _name(self, world: World, thing: int) -> str:
        return f"{self._names.thing(world, thing)} (thing {thing})"
