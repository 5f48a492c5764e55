"""Reading values: base values, and what modifiers make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.vm.world import VMFault

if TYPE_CHECKING:
    from fcbdsl.vm.machine import Machine
    from fcbdsl.vm.program import Modifier

DEEPEST = 24
"""How deep pure codes may be nested in one another through modifiers."""


def base_value(m: Machine, field: int, thing: int) -> int:
    """The value of a thing's field before modifiers; the field's `empty` for nothing or a thing without it."""
    layout = m.layout
    if not layout.field_low[field] <= thing < layout.field_high[field]:
        return m.program.fields[field].empty
    base = layout.base[field]
    if base == layout.controller and layout.is_controller(field):
        return m.master(thing)
    if base >= 0:
        return m.w.mem[base + thing]
    return m.tables[field][thing - layout.field_low[field]]


def definition_value(m: Machine, field: int, definition: int) -> int:
    """The value that a definition gives a const field; `empty` if it gives none."""
    return m.values[field].get(definition, m.program.fields[field].empty)


def read(m: Machine, field: int, thing: int) -> int:
    """The value of a thing's field with modifiers, between the field's bounds."""
    value = base_value(m, field, thing)
    rows = m.modifiers[field]
    if rows is None or thing < 0:
        return value
    value = _modified(m, rows, thing, value)
    row = m.program.fields[field]
    if row.low is not None and value < row.low:
        return row.low
    return row.high if row.high is not None and value > row.high else value


def _modified(m: Machine, rows: list[int], thing: int, value: int) -> int:
    """Apply the modifiers that hold, mode by mode."""
    table = m.program.modifiers
    m.spend(1 + (len(rows) >> 3))
    for number in rows:
        modifier = table[number]
        if m.layout.is_a(thing, modifier.kind):
            for r, s in _holders(m, number, modifier, thing):
                if modifier.own and r[0] != thing:
                    continue
                if _applies(m, modifier, r, s, thing):
                    amount = m.call(modifier.amount, _with(r, modifier.it, thing), s)
                    value = _change(modifier.mode, value, amount)
    return value


def _change(mode: str, value: int, amount: int) -> int:
    if mode == "add":
        return value + amount
    if mode == "set":
        return amount
    if mode == "double":
        return value * 2
    return max(value, amount) if mode == "least" else min(value, amount)


def _with(r: list[int], it: int, thing: int) -> list[int]:
    """Registers with the candidate in its place."""
    if it < len(r):
        return [*r[:it], thing, *r[it + 1 :]]
    return [*r, *([-1] * (it - len(r))), thing]


def _applies(m: Machine, modifier: Modifier, r: list[int], s: list[tuple[int, ...]], thing: int) -> bool:
    if modifier.condition >= 0 and not m.call(modifier.condition, _with(r, modifier.it, thing), s):
        return False
    return modifier.where < 0 or m.call(modifier.where, _with(r, modifier.it, thing), s) != 0


def _holders(m: Machine, number: int, modifier: Modifier, thing: int) -> list[tuple[list[int], list[tuple[int, ...]]]]:
    """The registers of each live instance that the modifier belongs to."""
    w = m.w
    scope, owner = modifier.scope, modifier.owner
    none: list[tuple[int, ...]] = []
    if scope == "rule":
        return [([-1, -1], none)]
    if scope == "lasting":
        return [(list(e.r), list(e.s)) for e in w.effects if e.template == owner]
    if scope == "tier":
        track = m.tier_track(owner)
        return [(m.selves(track), none)] if track >= 0 else []
    if scope == "counter":
        base, low, high = m.layout.base[owner], m.layout.field_low[owner], m.layout.field_high[owner]
        if modifier.own:
            return [([thing, thing], none)] if low <= thing < high and w.mem[base + thing] > 0 else []
        return [([t, t], none) for t in range(low, high) if w.mem[base + t] > 0]
    first, last = m.scope_range(scope, owner)
    live = w.live
    if modifier.own and first <= thing < last and not m.held[thing]:
        return [([thing, thing], none)] if live[thing] else []
    return [(m.selves(t), none) for t in range(first, last) if live[t]]


def guard_depth(m: Machine) -> None:
    """Raise Trouble if pure codes are nested too deeply."""
    if m.depth >= DEEPEST:
        raise VMFault("conditions and modifiers refer to each other too deeply")
