"""Saved campaigns: data by name, so that a save survives content changes that do not touch these names.

A save contains only differences from the start: a stat that it does not mention has the value that the content gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fcbdsl.base import versions
from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.carry_over import CarryOver, carry_over
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Field
from fcbdsl.machine.vm.serialization import Json
from fcbdsl.play.campaign.journey import Journey, campaigns

FORMAT = versions.CAMPAIGN
NOTHING = "nothing"
"""The text for no thing, definition or die."""


class Unknown(Exception):
    """A name that no longer exists."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The result of resuming a save: the journey, or the `lost` names for which it was refused.

    `migrated`: the content has changed since, but all names still exist.
    """

    journey: Journey | None
    lost: tuple[str, ...] = ()
    migrated: bool = False


# ── names ──────────────────────────────────────────────────────────────────────────────────────


class SavedNames:
    """Names of the things, definitions and values that can be kept, in both directions."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.program = image.program
        layout = image.layout
        self._things = {self.thing(thing): thing for thing in range(layout.body)}
        self._definitions = {self.definition(number): number for number in range(len(self.program.definitions))}

    def thing(self, thing: int) -> str:
        """Return a name such as ``card deed``, ``card deed#2``, ``player 1`` or ``game``."""
        layout = self.image.layout
        if thing < 0:
            return NOTHING
        number, kind = layout.definition_of[thing], layout.kind_of[thing]
        if number >= 0:
            copy = thing - layout.first[number] + 1
            return self.definition(number) + (f"#{copy}" if copy > 1 else "")
        name = self.program.kinds[kind].name
        many = self.program.kinds[kind].policy != "single"
        return f"{name} {thing - layout.low[kind] + 1}" if many else name

    def definition(self, number: int) -> str:
        """Return a name such as ``card deed``."""
        if number < 0:
            return NOTHING
        row = self.program.definitions[number]
        return f"{self.program.kinds[row.kind].name} {row.id}"

    def value(self, row: Field, value: int) -> Json:
        """Return a value of a stat as JSON: a number, a boolean, or a name."""
        match row.tag:
            case "flag":
                return bool(value)
            case "enum":
                return self.program.enums[row.enum].values[value] if value >= 0 else NOTHING
            case "thing":
                return self.thing(value)
            case "definition":
                return self.definition(value)
            case "die":
                return self.program.dice[value].name if value >= 0 else NOTHING
        return value

    def number(self, row: Field, written: object) -> int:
        """Return the value for a saved one. Raise Unknown if the field cannot have it."""
        if row.tag == "number" and type(written) is int:
            low, high = row.low, row.limit if row.sort == "status" else row.high
            if (low is None or written >= low) and (high is None or written <= high):
                return written
        if row.tag == "flag" and type(written) is bool:
            return int(written)
        if not isinstance(written, str):
            raise Unknown(str(written))
        if written == NOTHING and row.tag in ("enum", "thing", "definition", "die"):
            return -1
        if row.tag == "enum" and written in self.program.enums[row.enum].values:
            return self.program.enums[row.enum].values.index(written)
        if row.tag == "thing":
            return self.find(written)
        if row.tag == "definition" and written in self._definitions:
            return self._definitions[written]
        dice = [die.name for die in self.program.dice]
        if row.tag == "die" and written in dice:
            return dice.index(written)
        raise Unknown(written)

    def find(self, name: object) -> int:
        """Return the thing with a name. Raise Unknown if there is none."""
        if not isinstance(name, str) or name not in self._things:
            raise Unknown(str(name))
        return self._things[name]


# ── writing ────────────────────────────────────────────────────────────────────────────────────


def journey_to_json(journey: Journey) -> dict[str, Json]:
    """Return a journey at the start of its present step, as JSON data without any number of the program."""
    return {
        "format": FORMAT,
        "program": journey.image.program.hash,
        "system": journey.image.program.name,
        "campaign": journey.campaign,
        "players": journey.players,
        "seed": str(journey.seed),
        "steps": journey.steps,
        "switches": dict(sorted(journey.switches.items())),
        "kept": named_differences(journey.image, journey.kept(), carry_over(journey.base)),
    }


def named_differences(image: Image, carried: CarryOver, start: CarryOver) -> dict[str, Json]:
    """Return the differences from the start, by the names of things: their stats and the contents of their zones."""
    register, layout = SavedNames(image), image.layout
    out: dict[str, dict[str, Any]] = {}

    def entry(thing: str, sort: str) -> dict[str, Any]:
        of_thing: dict[str, Any] = out.setdefault(thing, {})
        inner: dict[str, Any] = of_thing.setdefault(sort, {})
        return inner

    for (field, thing), value, first in zip(image.kept_stats, carried.values, start.values, strict=True):
        if value != first:
            row = image.program.fields[field]
            entry(register.thing(thing), "stats")[row.name] = register.value(row, value)
    for zone, things, first_things in zip(image.kept_zones, carried.zones, start.zones, strict=True):
        if things != first_things:
            owner = layout.zone_owner[zone]
            name = image.program.zones[layout.zone_row[zone]].name
            entry(TABLE if owner < 0 else register.thing(owner), "zones")[name] = [register.thing(t) for t in things]
    return {name: out[name] for name in sorted(out)}


TABLE = "table"
"""The owner of zones without an owner."""


# ── reading ────────────────────────────────────────────────────────────────────────────────────


def resume(image: Image, data: Json) -> Resumed:
    """Resume a saved campaign. The content may differ, if every name in the save still exists.

    Raise `setup.CannotStart` if it can't be played with that number of players.
    """
    shapes = {"format": str, "program": str, "system": str, "campaign": str, "players": int, "seed": str, "steps": int}
    shapes |= {"switches": dict, "kept": dict}
    if not isinstance(data, dict) or set(data) != set(shapes):
        return Resumed(None, ("it is not a saved campaign",))
    wrong = [name for name, shape in shapes.items() if type(data[name]) is not shape]
    seed = str(data["seed"])
    if not wrong and data["format"] != FORMAT:
        return Resumed(None, (versions.refusal(data["format"], FORMAT),))
    if wrong or not seed.lstrip("-").isdecimal():
        return Resumed(None, (f"it is not a saved campaign of the format {FORMAT}",))
    written: Any = data
    lost = list(_terms(image, written))
    if lost:
        return Resumed(None, tuple(lost))
    start = carry_over(setup.start_game(image, written["campaign"], written["players"], int(seed), written["switches"]))
    reading = _Reading(image, start)
    carried = reading.read(written["kept"])
    if reading.lost:
        return Resumed(None, tuple(reading.lost))
    terms = (written["campaign"], written["players"], int(seed), written["switches"])
    return Resumed(Journey(image, *terms, carried, written["steps"]), (), written["program"] != image.program.hash)


def _terms(image: Image, written: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the settings of a campaign that no longer exist."""
    program = image.program
    if written["system"] != program.name:
        yield f"system {written['system']}"
    elif written["campaign"] not in campaigns(image):
        yield f"campaign {written['campaign']}"
    values = {switch.name: switch.values for switch in program.switches}
    for name, value in written["switches"].items():
        if value not in values.get(name, ()):
            yield f"variant {name} is {value}"


class _Reading:
    """Turns names into kept data, and collects unknown names."""

    def __init__(self, image: Image, start: CarryOver) -> None:
        self.image = image
        self.register = SavedNames(image)
        self.lost: list[str] = []
        layout, program = image.layout, image.program
        self._values = list(start.values)
        self._zones = list(start.zones)
        self._stats = {
            (thing, program.fields[field].name): (at, program.fields[field])
            for at, (field, thing) in enumerate(image.kept_stats)
        }
        self._piles = {
            (layout.zone_owner[zone], program.zones[layout.zone_row[zone]].name): at
            for at, zone in enumerate(image.kept_zones)
        }

    def read(self, written: Mapping[str, Any]) -> CarryOver:
        """Return the kept data; names that could not be read are added to `lost`."""
        for name, entry in written.items():
            try:
                thing = -1 if name == TABLE else self.register.find(name)
            except Unknown:
                self.lost.append(name)
                continue
            if not isinstance(entry, dict) or not all(isinstance(entry.get(sort, {}), dict) for sort in _SORTS):
                self.lost.append(name)
                continue
            for stat, value in entry.get("stats", {}).items():
                self._stat(name, thing, stat, value)
            for pile, things in entry.get("zones", {}).items():
                self._pile(name, thing, pile, things)
        self._settle()
        return CarryOver(tuple(self._values), tuple(self._zones))

    def _stat(self, name: str, thing: int, stat: str, value: object) -> None:
        place = self._stats.get((thing, stat))
        if place is None:
            self.lost.append(f"{stat} of {name}")
            return
        try:
            self._values[place[0]] = self.register.number(place[1], value)
        except Unknown as unknown:
            self.lost.append(f"{unknown} ({stat} of {name})")

    def _pile(self, name: str, thing: int, pile: str, things: object) -> None:
        at = self._piles.get((thing, pile))
        if at is None or not isinstance(things, list):
            self.lost.append(f"{pile} of {name}")
            return
        lying_there: list[int] = []
        for lying in things:
            try:
                lying_there.append(self.register.find(lying))
            except Unknown as unknown:
                self.lost.append(f"{unknown} ({pile} of {name})")
        self._zones[at] = tuple(lying_there)

    def _settle(self) -> None:
        """Record things that are in two places."""
        seen: dict[int, None] = {}
        for things in self._zones:
            for thing in things:
                if thing in seen or not self.image.movable[thing]:
                    self.lost.append(f"{self.register.thing(thing)} (twice)")
                seen[thing] = None


_SORTS = ("stats", "zones")
