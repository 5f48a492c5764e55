"""Reading of values: base values, and the effect of modifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.base.words import MODES
from fcbdsl.machine.vm import subscribers
from fcbdsl.machine.vm.frames import call
from fcbdsl.machine.vm.linked_rows import OF_COUNTER, OF_LASTING, OF_THINGS, OF_TIER
from fcbdsl.machine.vm.world import NO_LISTS, EventActivation

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.linked_rows import LinkedModifier
    from fcbdsl.machine.vm.position import Position


def read_stat(g: Game, field: int, thing: int) -> int:
    """Return the value of a thing's field with modifiers, between the field's bounds."""
    value = base_value(g, field, thing)
    rows = g.modifiers[field]
    if rows is None or thing < 0:
        return value
    g.spend(1 + (len(rows) >> 3))
    if g.world.parted:
        last = last_modifiers(g, field, thing)
        if last is not None:
            for mode, amount in last:
                value = _changed(MODES[mode], value, amount)
            return g.image.fields[field].within(value)
        if any(row[1] == field and row[2] == thing for row in g.world.lingering):
            for mode, amount in modifiers_on(g, field, thing):
                value = _changed(MODES[mode], value, amount)
            return g.image.fields[field].within(value)
    acting = g.world.acting.get(field)
    if acting is None:
        acting = [number for number in rows if _may_act(g, g.image.modifiers[number])]
        g.world.acting[field] = acting
    if acting:
        value = _modified(g, acting, thing, value)
    return g.image.fields[field].within(value)


def last_modifiers(g: Game, field: int, thing: int) -> list[tuple[int, int]] | None:
    """Return the modifiers that a thing last had, if it has left play in an event that is not over; else None."""
    for item in reversed(g.world.stack):
        if isinstance(item, EventActivation) and item.left and any(row[1] == thing for row in item.left):
            return [(row[2], row[3]) for row in item.left if row[0] == field and row[1] == thing]
    return None


def modifiers_on(g: Game, field: int, thing: int) -> list[tuple[int, int]]:
    """Return the modifiers of a field that hold for a thing: mode (of `MODES`) and amount, in order."""
    applied: list[tuple[int, int]] = []
    _modified(g, g.modifiers[field] or [], thing, base_value(g, field, thing), applied)
    lingering = [(row[3], row[4]) for row in g.world.lingering if row[1] == field and row[2] == thing]
    return sorted([*applied, *lingering], key=_mode_first) if lingering else applied


def _mode_first(change: tuple[int, int]) -> int:
    return change[0]


def modifier_on(g: Game, modifier: LinkedModifier, bearer: int, thing: int) -> list[tuple[int, int]]:
    """Return the mode and amount of a bearer's modifier if it holds for a thing; else nothing."""
    applied: list[tuple[int, int]] = []
    _applied(g, modifier, g.selves(bearer), NO_LISTS, thing, 0, applied)
    return applied


def base_value(g: Position, field: int, thing: int) -> int:
    """Return the value of a thing's field before modifiers; the field's `empty` for nothing or a thing without it."""
    layout = g.layout
    if not layout.field_low[field] <= thing < layout.field_high[field]:
        return g.image.fields[field].empty
    base = layout.base[field]
    if base == layout.controller and layout.controllers[field]:
        return g.master(thing)
    if base >= 0:
        return g.world.mem[base + thing]
    return g.image.tables[field][thing - layout.field_low[field]]


def _may_act(g: Game, modifier: LinkedModifier) -> bool:
    """Return False if a modifier certainly has no live bearer; a quick test."""
    if modifier.scope != OF_THINGS:
        return True
    return list(g.world.live[modifier.first : modifier.last]).count(1) > 0


def _modified(g: Game, rows: list[int], thing: int, value: int, applied: list[tuple[int, int]] | None = None) -> int:
    """Apply the modifiers that hold, mode by mode, for each live instance that they belong to.

    `applied` is given the mode and amount of each."""
    w, table = g.world, g.image.modifiers
    for number in rows:
        modifier = table[number]
        if not modifier.low <= thing < modifier.high:
            continue
        scope, own = modifier.scope, modifier.own
        if scope == OF_THINGS:
            if own and modifier.first <= thing < modifier.last and not g.image.held[thing]:
                if w.live[thing]:
                    value = _applied(g, modifier, [thing, thing], NO_LISTS, thing, value, applied)
                continue
            for bearer in range(modifier.first, modifier.last):
                if w.live[bearer]:
                    r = g.selves(bearer)
                    if not own or r[0] == thing:
                        value = _applied(g, modifier, r, NO_LISTS, thing, value, applied)
        elif scope == OF_COUNTER:
            for bearer in subscribers.bearers(g, modifier.owner):
                if not own or bearer == thing:
                    value = _applied(g, modifier, [bearer, bearer], NO_LISTS, thing, value, applied)
        elif scope == OF_LASTING:
            for effect in w.effects:
                if effect.template == modifier.owner and (not own or effect.r[0] == thing):
                    value = _applied(g, modifier, list(effect.r), list(effect.s), thing, value, applied)
        elif scope == OF_TIER:
            track = g.tier_track(modifier.owner)
            if track >= 0:
                r = g.selves(track)
                if not own or r[0] == thing:
                    value = _applied(g, modifier, r, NO_LISTS, thing, value, applied)
        elif not own:  # a rule has no bearer
            value = _applied(g, modifier, [-1, -1], NO_LISTS, thing, value, applied)
    return value


def _applied(
    g: Game,
    modifier: LinkedModifier,
    r: list[int],
    s: list[tuple[int, ...]],
    thing: int,
    value: int,
    applied: list[tuple[int, int]] | None,
) -> int:
    """Return a value after a modifier, given the registers of its owner; unchanged if the modifier does not apply."""
    given = _with(r, modifier.it, thing)
    if modifier.condition >= 0 and not call(g, modifier.condition, given, s):
        return value
    if modifier.where >= 0 and not call(g, modifier.where, given, s):
        return value
    amount = call(g, modifier.amount, given, s)
    mode = modifier.mode
    if applied is not None:
        applied.append((MODES.index(mode), amount))
    return _changed(mode, value, amount)


def _changed(mode: str, value: int, amount: int) -> int:
    """Return a value after a modifier with a mode and an amount."""
    if mode == "add":
        return value + amount
    if mode == "set":
        return amount
    if mode == "double":
        return value * 2
    if mode == "least":
        return amount if amount > value else value
    return amount if amount < value else value


def _with(r: list[int], it: int, thing: int) -> list[int]:
    """Return registers with the candidate inserted."""
    if it == 2 and len(r) == 2:  # nearly always
        return [r[0], r[1], thing]
    if it <= len(r):
        return [*r[:it], thing, *r[it + 1 :]]
    return [*r, *([-1] * (it - len(r))), thing]
