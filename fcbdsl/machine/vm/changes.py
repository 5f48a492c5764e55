"""All changes of a game's state: values, places, zones, terrain. Each writes the log."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm import departures, subscribers
from fcbdsl.machine.vm.frames import call
from fcbdsl.machine.vm.world import L_BOARD, L_CHANGE, L_MOVE, OWNER, Unmixed, marker_key

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game

BOX: Final = 0
"""The zone of things that are not in play."""


def set_value(g: Game, field: int, thing: int, value: int, span: int) -> None:
    """Set a mutable field of a thing, clamped to the field's bounds. Do nothing for -1 and for things without the
    field."""
    layout = g.layout
    base = layout.base[field]
    if base < 0 or not layout.field_low[field] <= thing < layout.field_high[field]:
        return
    row = g.image.fields[field]
    if row.builtin:
        _set_builtin(g, row.builtin, thing, value, span)
        return
    value = row.clamp(value)
    before = g.world.mem[base + thing]
    if before != value:
        if row.counter and value == 0:
            departures.note_loss(g, thing)
            if row.owned >= 0:
                _clear_owners(g, field, thing)
        g.world.write(base + thing, value)
        if row.counter and (before == 0 or value == 0):
            g.world.bearers = {}
        if thing >= layout.sides_low:
            g.world.ground = None  # a barrier may have opened
        g.note((L_CHANGE, span, field, thing, -1, before, value))


def start_value(g: Game, field: int, thing: int, code: int) -> None:
    """Set a stat of a thing to its start value, the answer of a code; -1: leave it unchanged."""
    if code >= 0:
        value = call(g, code, g.selves(thing) if not g.image.held[thing] else [thing, thing], [])
        g.world.write(g.layout.base[field] + thing, g.image.fields[field].clamp(value))


def renew(g: Game, thing: int) -> None:
    """Reset a thing to its start values."""
    layout = g.layout
    g.world.bearers = {}
    for number in g.image.stats_of(layout.kind_of[thing]):
        row = g.image.fields[number]
        g.world.write(layout.base[number] + thing, row.empty)
        if row.starts:
            start_value(g, number, thing, g.image.start_codes(number)[thing - layout.field_low[number]])


def begin_again(g: Game, thing: int, span: int) -> None:
    """Reset the stats and markers of a thing and its parts to their start values, and put what it held into the box.

    What a campaign keeps stays, and so do zones with contents from the start."""
    layout, image, w = g.layout, g.image, g.world
    for stat in image.resettable_stats(thing):
        value = stat.value
        if stat.code >= 0:
            value = call(g, stat.code, g.selves(thing) if not image.held[thing] else [thing, thing], [])
            value = image.fields[stat.field].clamp(value)
        if w.mem[stat.base + thing] != value:
            set_value(g, stat.field, thing, value, span)
    for zone in layout.zones_of.get(thing, ()):
        declared = g.program.zones[layout.zone_row[zone]]
        if w.zones[zone] and declared.starts < 0 and not declared.kept:
            for held in w.lying(zone):
                _move(g, held, -1, BOX, -1, False, span)
    for held in w.carried.get(thing, ()):
        _move(g, held, -1, BOX, -1, False, span)
    for part in layout.parts_of[thing]:
        begin_again(g, part, span)


def _set_builtin(g: Game, name: str, thing: int, value: int, span: int) -> None:
    """Set a built-in column by the corresponding change."""
    if name == "place":
        place_thing(g, thing, value, span)
    elif name == "zone":
        put(g, thing, value, True, span)
    elif name == "holder":
        set_holder(g, thing, value, span)
    elif name == "terrain":
        set_terrain(g, thing, value, span)
    else:
        at = (g.layout.controller if name == "controller" else g.layout.value) + thing
        before = g.world.mem[at]
        g.world.write(at, value)
        g.note((L_CHANGE, span, g.image.builtin_number(name), thing, -1, before, value))


# ── markers with owners ────────────────────────────────────────────────────────────────────────


def _marker(g: Game, field: int, thing: int, owner: int) -> int:
    """Return the key of an owner's markers on a thing; -1: there can be none."""
    layout = g.layout
    kind = g.image.fields[field].owned
    if kind < 0 or not layout.field_low[field] <= thing < layout.field_high[field] or not layout.is_a(owner, kind):
        return -1
    return marker_key(field, thing, owner)


def owned_count(g: Game, field: int, thing: int, owner: int) -> int:
    """Return the number of an owner's markers on a thing."""
    return g.world.markers.get(_marker(g, field, thing, owner), 0)


def marker_owners(g: Game, field: int, thing: int) -> tuple[int, ...]:
    """Return the things in play that have markers on a thing, by number."""
    if g.image.fields[field].owned < 0 or not g.layout.field_low[field] <= thing < g.layout.field_high[field]:
        return ()
    if not g.world.mem[g.layout.base[field] + thing]:
        return ()
    return tuple(sorted([key & OWNER for key in _markers_on(g, field, thing) if g.in_play(key & OWNER)]))


def set_owned(g: Game, field: int, thing: int, owner: int, value: int, span: int) -> None:
    """Set the number of an owner's markers on a thing, clamped to zero and the field's limit."""
    key = _marker(g, field, thing, owner)
    if key < 0:
        return
    value = min(max(value, 0), g.image.fields[field].limit)
    markers = g.world.markers
    before = markers.get(key, 0)
    if before != value:
        markers[key] = value
        if not value:
            del markers[key]
        at = g.layout.base[field] + thing
        g.world.write(at, g.world.mem[at] + value - before)
        g.world.bearers = {}
        g.note((L_CHANGE, span, field, thing, owner, before, value))


def _markers_on(g: Game, field: int, thing: int) -> list[int]:
    """Return the keys of all markers on a thing."""
    first = marker_key(field, thing, 0)
    return [key for key in g.world.markers if key & ~OWNER == first]


def _clear_owners(g: Game, field: int, thing: int) -> None:
    for key in _markers_on(g, field, thing):
        del g.world.markers[key]


# ── places ─────────────────────────────────────────────────────────────────────────────────────


def place_thing(g: Game, thing: int, space: int, span: int) -> bool:
    """Put a thing on a space of the board; -1: off the board, into the box. Return whether that was done."""
    if not 0 <= thing < g.layout.body:
        return False
    if space < 0:
        in_box = g.world.mem[g.layout.zone + thing] == BOX
        return _move(g, thing, -1, BOX, -1, False, span) and not in_box
    return g.is_space(space) and _move(g, thing, space, -1, g.world.mem[g.layout.holder + thing], False, span)


def set_holder(g: Game, thing: int, holder: int, span: int) -> bool:
    """Give a thing a holder and take it out of the box (and of any zone); -1: back into the box.

    Return whether that was done."""
    if not 0 <= thing < g.layout.body:
        return False
    where = g.world.mem[g.layout.place + thing]
    if holder >= 0:
        return _move(g, thing, where, -1, holder, False, span)
    if g.world.mem[g.layout.zone + thing] == -1 and where < 0:
        return _move(g, thing, -1, BOX, -1, False, span)
    return _move(g, thing, where, g.world.mem[g.layout.zone + thing], -1, False, span)


def put(g: Game, thing: int, zone: int, top: bool, span: int) -> bool:
    """Put a thing into a zone, on top or at the bottom, unless it is full; see `_holder_in`.

    Return whether that was done."""
    if not 0 <= zone < g.layout.zones or not 0 <= thing < g.layout.body:
        return False
    if zone != BOX and g.world.mem[g.layout.zone + thing] != zone and len(g.world.zones[zone]) >= g.capacity(zone):
        return False
    return _move(g, thing, -1, zone, _holder_in(g, thing, zone), not top, span)


def _holder_in(g: Game, thing: int, zone: int) -> int:
    """Return who holds a thing in a zone: the zone's owner. In a zone without an owner, a piece keeps its holder."""
    owner = g.layout.zone_owner[zone]
    if owner < 0 and zone != BOX and g.image.is_piece[thing]:
        return g.world.mem[g.layout.holder + thing]
    return owner


def lay(g: Game, thing: int, zone: int, span: int) -> None:
    """Put a thing on top of a zone, full or not."""
    _move(g, thing, -1, zone, _holder_in(g, thing, zone), False, span)


def _move(g: Game, thing: int, space: int, zone: int, holder: int, bottom: bool, span: int) -> bool:
    """Change where a thing is. The last of a zone's list is its top. Return False if it cannot move."""
    layout, w = g.layout, g.world
    if not 0 <= thing < layout.body or not g.image.movable[thing]:
        return False
    mem = w.mem
    old = mem[layout.zone + thing]
    if old > 0:
        lying = w.lying(old)
        w.lay(old, lying[:-1] if lying and lying[-1] == thing else tuple([t for t in lying if t != thing]))
    if zone > 0:
        alone = (thing,)
        w.lay(zone, alone + w.lying(zone) if bottom else w.lying(zone) + alone)
    if old > 0 and g.secret(old) and not (zone > 0 and g.secret(zone)):
        w.reveals += 1
    moved_in_or_out = (old == BOX) != (zone == BOX)
    auras: list[departures.Aura] = []
    held_by = mem[layout.holder + thing]
    place = mem[layout.place + thing]
    if (old == BOX and zone != BOX) or (place < 0 <= space):
        departures.back(g, thing)
    elif (zone == BOX and old != BOX) or (place >= 0 > space):
        departures.note_leaving(g, thing)
        auras = departures.auras(g, thing)
    elif g.image.modifying[thing] and held_by >= 0 and held_by != holder:
        departures.note_loss(g, held_by)
    if moved_in_or_out:
        come_or_gone(g, thing, old == BOX)
    if g.image.is_piece[thing]:
        subscribers.step_over(g, thing, place, space)
    if place != space:
        w.write(layout.place + thing, space)
    if old != zone:
        w.write(layout.zone + thing, zone)
    if held_by != holder:
        w.write(layout.holder + thing, holder)
    if g.image.is_carried[thing]:
        subscribers.hand_over(g, thing, held_by if old < 0 else -1, holder if zone < 0 else -1)
    subscribers.update_liveness(g, thing)
    if moved_in_or_out or held_by != holder:
        subscribers.refresh_held(g, thing)
    if auras:
        departures.keep_auras(g, auras)
    g.note((L_MOVE, span, thing, space, zone, holder))
    if moved_in_or_out and zone == BOX:
        departures.gone(g, thing)
    return True


def come_or_gone(g: Game, thing: int, come: bool) -> None:
    """Update the cached lists of things in play after a thing, with its parts, has come into play or left it."""
    w, image = g.world, g.image
    w.own_tables()
    if w.bearers:
        w.bearers = {}
    for kind in image.lineages[g.layout.kind_of[thing]]:
        selected = w.selected[kind]
        if selected is None:
            continue
        if image.plain_kinds[kind]:
            at = bisect_left(selected, thing)  # they are sorted
            is_there = at < len(selected) and selected[at] == thing
            if come and not is_there:
                alone = (thing,)
                w.selected[kind] = selected[:at] + alone + selected[at:]
            elif is_there and not come:
                w.selected[kind] = selected[:at] + selected[at + 1 :]
        else:
            w.selected[kind] = None
    for part in g.layout.parts_of[thing]:
        _forget(g, part)


def _forget(g: Game, thing: int) -> None:
    """Invalidate the cached lists of things in play for the kinds of a thing and its parts."""
    for kind in g.image.lineages[g.layout.kind_of[thing]]:
        g.world.selected[kind] = None
    for part in g.layout.parts_of[thing]:
        _forget(g, part)


def exchange_zones(g: Game, zones: dict[int, tuple[int, ...]], filled: Sequence[int] | None = None) -> None:
    """Exchange the contents of zones (determinization); together the zones keep the same things.

    Stats without a start value, statuses and tokens of a thing are moved to the thing at its position, if that thing
    has them. Nothing is logged, because it is a guess. `filled`: the result of `fields_in_use`, if it is available.
    """
    layout, w = g.layout, g.world
    before: list[int] = []
    after: list[int] = []
    moved: list[int] = []
    for zone, things in zones.items():
        before += w.lying(zone)
        after += things
        w.lay(zone, things)
        for thing in things:
            if w.mem[layout.zone + thing] != zone:
                w.write(layout.zone + thing, zone)
                w.write(layout.holder + thing, _holder_in(g, thing, zone))
                moved.append(thing)
    for field in fields_in_use(g) if filled is None else filled:
        _carry(g, field, before, after)
    for thing in moved:
        subscribers.update_liveness(g, thing)


def shuffle_lazily(g: Game, zone: int, unmixed: Unmixed) -> None:
    """Put the things of a zone into a random order that is drawn on demand (see `is_mere_order`)."""
    w = g.world
    w.unmixed = {**w.unmixed, zone: unmixed}


def fields_in_use(g: Game) -> list[int]:
    """Return the fields, among `Image.movable_fields`, in which some thing has a value."""
    layout, mem = g.layout, g.world.mem
    used = []
    for field in g.image.movable_fields:
        low, high = layout.base[field] + layout.field_low[field], layout.base[field] + layout.field_high[field]
        if list(mem[low:high]).count(g.image.fields[field].empty) < high - low:
            used.append(field)
    return used


def is_mere_order(g: Game, things: Sequence[int], filled: Sequence[int]) -> bool:
    """Return whether things have no values in the fields `filled`, so that exchanging them changes only zones."""
    layout, mem = g.layout, g.world.mem
    for field in filled:
        low, high, base = layout.field_low[field], layout.field_high[field], layout.base[field]
        empty = g.image.fields[field].empty
        for thing in things:
            if low <= thing < high and mem[base + thing] != empty:
                return False
    return True


def _carry(g: Game, field: int, before: list[int], after: list[int]) -> None:
    """Move the values of a column from things to the things at the same positions; `empty` where there is no value."""
    layout, mem = g.layout, g.world.mem
    low, high = layout.field_low[field], layout.field_high[field]
    base, empty = layout.base[field], g.image.fields[field].empty
    values = [mem[base + thing] if low <= thing < high else empty for thing in before]
    for at, thing in enumerate(after):
        if low <= thing < high and mem[base + thing] != values[at]:
            g.world.write(base + thing, values[at])
            g.world.bearers = {}


def set_guessed_field(g: Game, field: int, thing: int, value: int) -> None:
    """Change a mutable field of a thing in a guess. Nothing is logged."""
    g.world.write(g.layout.base[field] + thing, value)
    g.world.bearers = {}
    if g.side_number(thing) >= 0:
        g.world.ground = None  # a barrier may have opened


# ── the board ──────────────────────────────────────────────────────────────────────────────────


def set_terrain(g: Game, space: int, terrain: int, span: int) -> None:
    """Change the terrain of a space (-1: plain)."""
    if not g.is_space(space) or not -1 <= terrain < len(g.program.terrains):
        return
    at = g.layout.terrain + space
    before = g.world.mem[at]
    if before != terrain:
        g.world.write(at, terrain)
        g.world.ground = None
        g.note((L_BOARD, span, space, before, terrain))


def set_barrier(g: Game, side: int, barrier: int, span: int) -> None:
    """Change the barrier (-1: none) of a side, given by its number on the board, and reset the values of the side to
    those of the barrier."""
    if side < 0 or not -1 <= barrier < len(g.program.barriers):
        return
    at = g.layout.barriers + side
    before = g.world.mem[at]
    if before != barrier:
        g.world.write(at, barrier)
        g.world.ground = None
        g.note((L_BOARD, span, -2 - side, before, barrier))
        for field, value in g.program.barriers[barrier].values if barrier >= 0 else ():
            set_value(g, field, g.side(side), value, span)
