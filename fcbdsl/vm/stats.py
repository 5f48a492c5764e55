"""Reading values: base values, and what modifiers make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.vm import subscribers
from fcbdsl.vm.world import VMFault

if TYPE_CHECKING:
    from fcbdsl.vm.game import Game
    from fcbdsl.vm.linked_rows import LinkedModifier

DEEPEST: Final = 24
"""How deep pure codes may be nested in one another through modifiers."""


def base_value(g: Game, field: int, thing: int) -> int:
    """The value of a thing's field before modifiers; the field's `empty` for nothing or a thing without it."""
    layout = g.layout
    if not layout.field_low[field] <= thing < layout.field_high[field]:
        return g.image.fields[field].empty
    base = layout.base[field]
    if base == layout.controller and layout.controllers[field]:
        return g.master(thing)
    if base >= 0:
        return g.world.mem[base + thing]
    return g.image.tables[field][thing - layout.field_low[field]]


def definition_value(g: Game, field: int, definition: int) -> int:
    """The value that a definition gives a const field; `empty` if it gives none."""
    return g.image.values[field].get(definition, g.image.fields[field].empty)


def read(g: Game, field: int, thing: int) -> int:
    """The value of a thing's field with modifiers, between the field's bounds."""
    value = base_value(g, field, thing)
    rows = g.modifiers[field]
    if rows is None or thing < 0:
        return value
    g.spend(1 + (len(rows) >> 3))
    acting = g.world.acting.get(field)
    if acting is None:
        acting = [number for number in rows if _may_act(g, g.image.modifiers[number])]
        g.world.acting[field] = acting
    if acting:
        value = _modified(g, acting, thing, value)
    return g.image.fields[field].within(value)


def _may_act(g: Game, modifier: LinkedModifier) -> bool:
    """Whether a modifier may have a bearer that is live, as far as only that decides it."""
    if modifier.scope not in ("kind", "definition"):
        return True
    return g.world.live.find(1, *g.image.scope_range(modifier.scope, modifier.owner)) >= 0


def _modified(g: Game, rows: list[int], thing: int, value: int) -> int:
    """Apply the modifiers that hold, mode by mode."""
    table = g.image.modifiers
    for number in rows:
        modifier = table[number]
        if g.layout.is_a(thing, modifier.kind):
            for r, s in _holders(g, modifier, thing):
                if modifier.own and r[0] != thing:
                    continue
                if _applies(g, modifier, r, s, thing):
                    amount = g.call(modifier.amount, _with(r, modifier.it, thing), s)
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
    if it == len(r):
        return [*r, thing]
    if it < len(r):
        return [*r[:it], thing, *r[it + 1 :]]
    return [*r, *([-1] * (it - len(r))), thing]


def _applies(g: Game, modifier: LinkedModifier, r: list[int], s: list[tuple[int, ...]], thing: int) -> bool:
    if modifier.condition >= 0 and not g.call(modifier.condition, _with(r, modifier.it, thing), s):
        return False
    return modifier.where < 0 or g.call(modifier.where, _with(r, modifier.it, thing), s) != 0


def _holders(g: Game, modifier: LinkedModifier, thing: int) -> list[tuple[list[int], list[tuple[int, ...]]]]:
    """The registers of each live instance that the modifier belongs to."""
    w = g.world
    scope, owner = modifier.scope, modifier.owner
    none: list[tuple[int, ...]] = []
    if scope == "rule":
        return [([-1, -1], none)]
    if scope == "lasting":
        return [(list(e.r), list(e.s)) for e in w.effects if e.template == owner]
    if scope == "tier":
        track = g.tier_track(owner)
        return [(g.selves(track), none)] if track >= 0 else []
    if scope == "counter":
        base, low, high = g.layout.base[owner], g.layout.field_low[owner], g.layout.field_high[owner]
        if modifier.own:
            return [([thing, thing], none)] if low <= thing < high and w.mem[base + thing] > 0 else []
        return [([t, t], none) for t in subscribers.bearers(g, owner)]
    first, last = g.image.scope_range(scope, owner)
    live = w.live
    if modifier.own and first <= thing < last and not g.image.held[thing]:
        return [([thing, thing], none)] if live[thing] else []
    return [(g.selves(t), none) for t in range(first, last) if live[t]]


def guard_depth(g: Game) -> None:
    """Raise VMFault if pure codes are nested too deeply."""
    if g.depth >= DEEPEST:
        raise VMFault("conditions and modifiers refer to each other too deeply")
