"""Indexes of the world: live things, the listeners of each event, the things held by each thing, the pieces on each
space. They are updated whenever a thing moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.world import SubscriberList

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game

MOST_ATTACHED: Final = 8
"""Deepest nesting of attachments; deeper ones have no bearer."""


def update_liveness(g: Game, thing: int) -> None:
    """Update whether a thing, its parts and the contents of its zones are live, after it has moved."""
    w = g.world
    now = is_live(g, thing)
    if (w.live[thing] != 0) != now:
        w.own_tables()
        w.live[thing] = 1 if now else 0
        if g.image.modifying[thing]:
            w.acting = {}
        for event in g.image.thing_events[thing]:
            things = w.subscribers[event].things
            heard = [t for t in things if t != thing]
            if now:
                ranks = g.image.ranks
                heard.insert(len([t for t in heard if ranks[t] < ranks[thing]]), thing)
            w.subscribers[event] = SubscriberList(tuple(heard))
        zones = g.layout.zones_of.get(thing)
        if zones is not None:
            for zone in zones:
                for lying in w.lying(zone):
                    update_liveness(g, lying)
    for part in g.layout.parts_of[thing]:
        update_liveness(g, part)


def refresh_held(g: Game, thing: int, depth: int = 0) -> None:
    """Update the things that a thing holds outside any zone, after it has come, gone or changed hands."""
    if depth > MOST_ATTACHED or not g.world.carried:
        return
    for held in g.world.carried.get(thing, ()):
        update_liveness(g, held)
        refresh_held(g, held, depth + 1)


def hand_over(g: Game, thing: int, before: int, after: int) -> None:
    """Update the holder of a thing outside any zone (-1: none)."""
    if before != after:
        g.world.own_tables()
        _pass_on(g.world.carried, thing, before, after)


def step_over(g: Game, piece: int, before: int, after: int) -> None:
    """Update the space of a piece (-1: none)."""
    if before != after:
        g.world.own_tables()
        _pass_on(g.world.standing, piece, before, after)
        g.world.crowd = None


def _pass_on(table: dict[int, tuple[int, ...]], thing: int, before: int, after: int) -> None:
    """Move a thing in an index from one key to another (-1: none)."""
    if before >= 0:
        there = table.get(before)
        if there is not None:
            left = tuple([other for other in there if other != thing])
            if left:
                table[before] = left
            else:
                del table[before]
    if after >= 0:
        there = table.get(after)
        table[after] = (thing,) if there is None else tuple(sorted((*there, thing)))


def bearers(g: Game, field: int) -> tuple[int, ...]:
    """Return the things in play that bear markers of some sort, by number."""
    things = g.world.bearers.get(field)
    if things is None:
        base, low, high = g.layout.base[field], g.layout.field_low[field], g.layout.field_high[field]
        column = g.world.mem[base + low : base + high]
        things = tuple([low + i for i, count in enumerate(column) if count > 0 and g.in_play(low + i)])
        g.world.bearers[field] = things
    return things


def update_players(g: Game) -> None:
    """Update which players are live after their number has changed. They must have no listeners or modifiers (see
    `Image.hears_players`), and no list of things in play may depend on their number."""
    g.world.own_tables()
    for thing in g.image.of_players():
        g.world.live[thing] = 1 if is_live(g, thing) else 0


def refresh_all(g: Game) -> None:
    """Rebuild the indexes of listeners and modifiers."""
    w, image = g.world, g.image
    where, secret = w.mem[g.layout.zone : g.layout.zone + g.layout.body], g.layout.secret
    holders = w.mem[g.layout.holder : g.layout.holder + g.layout.body]
    w.carried = {}
    for thing in image.carried:
        if where[thing] < 0:
            hand_over(g, thing, -1, holders[thing])
    w.standing, w.crowd, w.bearers = {}, None, {}
    w.selected = [None] * len(g.program.kinds)
    for piece in range(*image.pieces):
        step_over(g, piece, -1, w.mem[g.layout.place + piece])
    live, w.acting = [0] * g.layout.things, {}
    for thing in image.lying:
        zone = where[thing]
        if zone < 0 or (zone > 0 and not secret[zone]):
            live[thing] = 1
    for thing in image.carried:
        if holders[thing] >= 0:
            live[thing] = is_live(g, thing)
    for thing in image.fixed:
        live[thing] = is_live(g, thing)
    w.live = numbers(live)
    hearing: list[list[int]] = [[] for _ in g.program.events]
    for thing in image.hearers:
        if live[thing]:
            for event in image.thing_events[thing]:
                hearing[event].append(thing)
    w.subscribers = [SubscriberList(tuple(things)) for things in hearing]


def is_live(g: Game, thing: int) -> bool:
    """Return whether a thing's listeners and modifiers are active."""
    image = g.image
    if image.is_lying[thing]:
        zone = g.world.mem[g.layout.zone + thing]
        return zone < 0 or (zone > 0 and not g.layout.secret[zone])
    if image.is_carried[thing]:
        bearer = g.bearer(thing)
        return bearer >= 0 and g.in_play(bearer)
    if image.policies[thing] == "parts":
        owner = g.layout.owner_of[thing]
        return owner >= 0 and is_live(g, owner)
    if image.policies[thing] == "players":  # no code reads their number: see `Image.hears_players`
        return thing < g.layout.players_low + g.world.players
    return g.in_play(thing)
