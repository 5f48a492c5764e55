"""The only ways in which a game's state changes: values, places, zones, ground. Each writes the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.vm.world import L_BOARD, L_CHANGE, L_MOVE, OWNER, marker_key

if TYPE_CHECKING:
    from fcbdsl.vm.machine import Machine
    from fcbdsl.vm.program import Field

BOX = 0
"""The zone of what is not in play."""


def set_value(m: Machine, field: int, thing: int, value: int, span: int) -> None:
    """Set a mutable field of a thing, held between the field's bounds. Nothing, or a thing without it: no change."""
    layout = m.layout
    base = layout.base[field]
    if base < 0 or not layout.field_low[field] <= thing < layout.field_high[field]:
        return
    row = m.program.fields[field]
    if row.sort == "builtin":
        _set_builtin(m, row.name, thing, value, span)
        return
    value = clamp(row, value)
    mem = m.w.mem
    before = mem[base + thing]
    if before != value:
        if row.owned >= 0 and value == 0:
            _clear_owners(m, field, thing)
        mem[base + thing] = value
        m.note(L_CHANGE, span, (field, thing, -1, before, value))


def clamp(row: Field, value: int) -> int:
    """Hold a value between a field's bounds, and counters between none and their limit."""
    if row.low is not None and value < row.low:
        value = row.low
    if row.high is not None and value > row.high:
        value = row.high
    if row.sort in ("status", "token"):
        value = max(value, 0)
        if row.limit is not None and row.owned < 0:
            value = min(value, row.limit)
    return value


def _set_builtin(m: Machine, name: str, thing: int, value: int, span: int) -> None:
    """Set a built-in column by the change that it stands for."""
    if name == "place":
        place(m, thing, value, span)
    elif name == "zone":
        put(m, thing, value, True, span)
    elif name == "holder":
        take(m, thing, value, span)
    elif name == "terrain":
        set_terrain(m, thing, value, span)
    else:
        at = (m.layout.controller if name == "controller" else m.layout.value) + thing
        before = m.w.mem[at]
        m.w.mem[at] = value
        m.note(L_CHANGE, span, (m.builtin_number(name), thing, -1, before, value))


# ── markers with owners ────────────────────────────────────────────────────────────────────────


def _marker(m: Machine, field: int, thing: int, owner: int) -> int:
    """The key of an owner's markers on a thing among all that lie about; -1: there can be none."""
    layout = m.layout
    kind = m.program.fields[field].owned
    if kind < 0 or not layout.field_low[field] <= thing < layout.field_high[field] or not layout.is_a(owner, kind):
        return -1
    return marker_key(field, thing, owner)


def owned_count(m: Machine, field: int, thing: int, owner: int) -> int:
    """How many markers of that owner are on a thing."""
    return m.w.markers.get(_marker(m, field, thing, owner), 0)


def owners(m: Machine, field: int, thing: int) -> tuple[int, ...]:
    """The things in play that have markers on a thing, by number."""
    if m.program.fields[field].owned < 0 or not m.layout.field_low[field] <= thing < m.layout.field_high[field]:
        return ()
    if not m.w.mem[m.layout.base[field] + thing]:
        return ()
    return tuple(sorted([key & OWNER for key in _markers_on(m, field, thing) if m.in_play(key & OWNER)]))


def set_owned(m: Machine, field: int, thing: int, owner: int, value: int, span: int) -> None:
    """Set how many markers of an owner are on a thing, between none and the field's limit."""
    key = _marker(m, field, thing, owner)
    if key < 0:
        return
    row = m.program.fields[field]
    value = max(value, 0)
    if row.limit is not None:
        value = min(value, row.limit)
    markers = m.w.markers
    before = markers.get(key, 0)
    if before != value:
        markers[key] = value
        if not value:
            del markers[key]
        m.w.mem[m.layout.base[field] + thing] += value - before
        m.note(L_CHANGE, span, (field, thing, owner, before, value))


def _markers_on(m: Machine, field: int, thing: int) -> list[int]:
    """The keys of all markers on a thing."""
    first = marker_key(field, thing, 0)
    return [key for key in m.w.markers if key & ~OWNER == first]


def _clear_owners(m: Machine, field: int, thing: int) -> None:
    for key in _markers_on(m, field, thing):
        del m.w.markers[key]


# ── places ─────────────────────────────────────────────────────────────────────────────────────


def place(m: Machine, thing: int, space: int, span: int) -> None:
    """Put a thing on a space of the board; -1: off the board, into the box."""
    if space < 0:
        _move(m, thing, -1, BOX, -1, False, span)
    elif m.is_space(space):
        _move(m, thing, space, -1, m.w.mem[m.layout.holder + thing] if 0 <= thing < m.layout.body else -1, False, span)


def take(m: Machine, thing: int, holder: int, span: int) -> None:
    """Give a thing a holder and take it out of the box (and of any zone); -1: back into the box."""
    if not 0 <= thing < m.layout.body:
        return
    where = m.w.mem[m.layout.place + thing]
    if holder >= 0:
        _move(m, thing, where, -1, holder, False, span)
    elif m.w.mem[m.layout.zone + thing] == -1 and where < 0:
        _move(m, thing, -1, BOX, -1, False, span)
    else:
        _move(m, thing, where, m.w.mem[m.layout.zone + thing], -1, False, span)


def put(m: Machine, thing: int, zone: int, top: bool, span: int) -> None:
    """Put a thing into a zone, on top or at the bottom, unless it is full; the zone's owner becomes its holder."""
    if not 0 <= zone < m.layout.zones or not 0 <= thing < m.layout.body:
        return
    if zone != BOX and m.w.mem[m.layout.zone + thing] != zone and len(m.w.zones[zone]) >= m.capacity(zone):
        return
    _move(m, thing, -1, zone, m.layout.zone_owner[zone], not top, span)


def lay(m: Machine, thing: int, zone: int, span: int) -> None:
    """Put a thing on top of a zone, full or not."""
    _move(m, thing, -1, zone, m.layout.zone_owner[zone], False, span)


def _move(m: Machine, thing: int, space: int, zone: int, holder: int, bottom: bool, span: int) -> None:
    """Change where a thing is. The last of a zone's list is its top."""
    layout, w = m.layout, m.w
    if not 0 <= thing < layout.body or not m.movable(thing):
        return
    mem = w.mem
    old = mem[layout.zone + thing]
    if old > 0:
        w.zones[old] = tuple([t for t in w.zones[old] if t != thing])
    if zone > 0:
        w.zones[zone] = (thing, *w.zones[zone]) if bottom else (*w.zones[zone], thing)
    if old > 0 and m.secret(old) and not (zone > 0 and m.secret(zone)):
        w.reveals += 1
    moved_in_or_out = (old == BOX) != (zone == BOX)
    changes_hands = mem[layout.holder + thing] != holder
    if moved_in_or_out:
        w.selected = {}
    mem[layout.place + thing] = space
    mem[layout.zone + thing] = zone
    mem[layout.holder + thing] = holder
    m.wake(thing)
    if moved_in_or_out or changes_hands:
        m.wake_held(thing)
    m.note(L_MOVE, span, (thing, space, zone, holder))


# ── the board ──────────────────────────────────────────────────────────────────────────────────


def set_terrain(m: Machine, space: int, terrain: int, span: int) -> None:
    """Change the terrain of a space (-1: plain)."""
    if not m.is_space(space) or not -1 <= terrain < len(m.program.terrains):
        return
    at = m.layout.terrain + space
    before = m.w.mem[at]
    if before != terrain:
        m.w.mem[at] = terrain
        m.w.ground = None
        m.note(L_BOARD, span, (space, before, terrain))


def set_barrier(m: Machine, a: int, b: int, barrier: int, span: int) -> None:
    """Change the barrier between two neighbouring spaces (-1: none)."""
    if m.w.board < 0 or not -1 <= barrier < len(m.program.barriers):
        return
    side = m.shape().side(m.cell(a), m.cell(b)) if m.is_space(a) and m.is_space(b) else -1
    if side < 0:
        return
    at = m.layout.barriers + side
    before = m.w.mem[at]
    if before != barrier:
        m.w.mem[at] = barrier
        m.w.ground = None
        m.note(L_BOARD, span, (-2 - side, before, barrier))
