"""Finds the campaign stats and zones that missions may alter: mission code writes them and campaign code reads them.

Codes are assigned to the campaign or to missions by reachability; a code that might belong to a mission counts as
mission code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.ops import OPS
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import ACTION
from fcbdsl.play.campaign.exploration import Alteration, Altered, AlteredZone, Explored

MOST_VALUES = 16
"""Most values that are tried of a number."""

WRITING = ("written", "owned")
"""The required capabilities of fields that an op writes."""


def facts_changed_by_missions(image: Image, explored: Explored) -> list[Alteration]:
    """Return what missions may alter of the facts that the explored campaign reads. Stats without a known list of
    values, and zones of any things, are left out."""
    program = image.program
    own = {option[1] for edge in explored.ways() for option in edge.answers if option[0] == ACTION}
    others = [row.body for number, row in enumerate(program.actions) if number not in own]
    reached = _reached(program, [*_codes_of_missions(program), *others])
    for code in reached:
        image.code(code)  # loaded codes are recorded: cached results depend on them, as if they had run
    written = _fields(program, reached, WRITING)
    asked = [program.journey, program.offers, *(program.actions[number].body for number in sorted(own))]
    asked += [*(row.code for row in program.prospects), *(row.code for row in program.invariants)]
    asking = _reached(program, asked)
    read = _fields(program, asking, ("read",))
    out: list[Alteration] = []
    for place, (field, _) in enumerate(image.kept_stats):
        if field in written and field in read:
            values = _values(image, explored, place, field)
            out += [Altered(place, values)] if values else []
    return [*out, *_altered_zones(image, reached, asking)]


def codes_of_campaigns(program: Program) -> dict[int, None]:
    """Return the codes that only the journey of a campaign reaches."""
    if program.journey < 0:
        return {}
    others = _reached(program, [*_codes_of_missions(program), *(row.body for row in program.actions)])
    return {code: None for code in _reached(program, [program.journey]) if code not in others}


def _codes_of_missions(program: Program) -> list[int]:
    """Return the codes with which the behavior of missions begins, except for actions."""
    waiting = [code for heard in program.listeners for code in (heard.body, heard.spends)]
    tracks = [code for track in program.tracks for code in (track.end, *(step for _, step in track.steps))]
    tiers = [code for tier in program.tiers for code in (tier.enter, tier.leave)]
    cards = [value for card in program.definitions for field, value in card.values if program.fields[field].codes]
    return [program.flow, *program.setup, *waiting, *tracks, *tiers, *cards]


def _altered_zones(image: Image, missions: Iterable[int], campaign: Iterable[int]) -> Iterator[AlteredZone]:
    """Yield the kept zones that code of missions uses and code of the campaign reads, with what may be in them.

    Every zone that missions use counts, because a code may put a thing into a zone that another code names.
    """
    layout, rows = image.layout, image.program.zones
    used, read = _zones(image.program, missions), _zones(image.program, campaign)
    for place, zone in enumerate(image.kept_zones):
        row = layout.zone_row[zone]
        holds = rows[row].holds
        if row in used and row in read and holds >= 0:
            things = range(layout.low[holds], layout.high[holds])
            first = {layout.definition_of[thing]: thing for thing in reversed(things)}
            yield AlteredZone(place, tuple(sorted(first.values())))


def _zones(program: Program, codes: Iterable[int]) -> dict[int, None]:
    return {value: None for code in codes for kind, value, _ in _operands(program, code) if kind == "zone"}


def _values(image: Image, explored: Explored, place: int, field: int) -> tuple[int, ...]:
    """Return the known possible values of a kept stat."""
    program, layout = image.program, image.layout
    row = program.fields[field]
    if row.tag == "flag":
        return (0, 1)
    if row.tag == "enum":
        return tuple(range(-1, len(program.enums[row.enum].values)))
    if row.tag == "number":
        low = row.low or 0
        high = low + MOST_VALUES if row.high is None else min(row.high, low + MOST_VALUES)
        return tuple(range(low, high + 1))
    seen = [value for state in explored.states if (value := state.values[place]) >= 0]
    if row.tag == "definition":
        kinds = {program.definitions[value].kind for value in seen}
        return (-1, *(number for number, definition in enumerate(program.definitions) if definition.kind in kinds))
    if row.tag == "thing":
        ranges = [(layout.players_low, layout.players_high), (layout.teams_low, layout.teams_high)]
        for kind in sorted({layout.kind_of[value] for value in seen}):
            ranges.append((layout.low[kind], layout.high[kind]))
        return tuple(dict.fromkeys((-1, *(thing for low, high in ranges for thing in range(low, high)))))
    return ()


def _reached(program: Program, codes: Iterable[int]) -> dict[int, None]:
    """Return some codes and all that they call."""
    reached: dict[int, None] = {}
    todo = [code for code in codes if code >= 0]
    while todo:
        code = todo.pop()
        if code not in reached:
            reached[code] = None
            called = [row for row in _operands(program, code) if row[0] in ("code", "verb")]
            todo += [program.verbs[value].code if kind == "verb" else value for kind, value, _ in called]
    return reached


def _fields(program: Program, codes: Iterable[int], fit: Collection[str]) -> dict[int, None]:
    """Return the fields that some codes use in a way that `fit` lists."""
    out: dict[int, None] = {}
    for code in codes:
        out |= {value: None for kind, value, wanted in _operands(program, code) if kind == "field" and wanted in fit}
    return out


def _operands(program: Program, code: int) -> Iterator[tuple[str, int, str]]:
    """Yield the operands of a code: its kind of thing, which one, and what the field must be able to do."""
    ints = program.codes[code].ints
    at = 0
    while at < len(ints):
        operands = OPS[program.ops[ints[at]]].operands
        for operand, value in zip(operands, ints[at + 1 : at + 1 + len(operands)], strict=True):
            yield operand.kind, value, operand.fit
        at += 1 + len(operands)
