"""Determinization: replace all that a player cannot know by a random guess that is consistent with the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import changes, saving
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.ops.flow import Secret
from fcbdsl.machine.vm.program import Field, Zone
from fcbdsl.machine.vm.teams import deciding_seats, insiders
from fcbdsl.machine.vm.world import (
    LISTENER,
    NOWHERE,
    RANDOM_ASKED,
    SINGLES_ASKED,
    STAGED,
    SUPPOSING,
    TAGS,
    Frame,
    Unmixed,
)

MOST_TRIES = 20
"""How often `supposing` of one thing is tried."""

ASKING = RANDOM_ASKED | SINGLES_ASKED
"""Flags of games in which a player is asked for the results of chance."""


class Hidden:
    """The unknowns of a player or team (see `vm.teams`), as far as they are equal for all guesses from equal worlds."""

    __slots__ = ("fields_in_use", "named", "pools")

    def __init__(self, game: Game, who: int) -> None:
        self.named = set(_named(game))
        """The things that the pending question names."""
        self.fields_in_use = changes.fields_in_use(game)
        self.pools = [pool for zones in _pools(game, who) if len((pool := _Pool(game, zones, self)).loose) > 1]


class _Pool:
    """Secret zones that may have each other's contents.

    `loose`: their unknown contents, by number. A program can put a thing into a zone that is not declared to hold it;
    with several zones, this thing keeps its place. For a single zone only: `things`, its contents, and `mere_order`:
    whether no fact refers to these, so that only their order is unknown.
    """

    __slots__ = ("loose", "mere_order", "things", "zones")

    def __init__(self, game: Game, zones: list[int], hidden: Hidden) -> None:
        lying = game.world.zones
        self.zones = zones
        loose = [(thing, zone) for zone in zones for thing in lying[zone] if thing not in hidden.named]
        self.loose = sorted([thing for thing, zone in loose if len(zones) == 1 or _may_hold(game, zone, thing)])
        self.things: tuple[int, ...] = ()
        self.mere_order = False
        if len(zones) == 1 and len(self.loose) > 1:
            zone = zones[0]
            # their order matters only if some of them have to keep their places
            self.things = lying[zone] if len(self.loose) == len(lying[zone]) else game.world.lying(zone)
            self.mere_order = changes.is_mere_order(game, self.things, hidden.fields_in_use)


def guess(game: Game, who: int, chance: Generator, hidden: Hidden | None = None) -> None:
    """Replace all that `who` (see `vm.teams`; several know what any of them knows) cannot know by a guess.

    Things in secret zones are shuffled within a deck, if it belongs to the game or its owner may not look into it. They
    are shuffled also between a player's other zones and the decks that may contain their cards. These are the player's
    own decks; without any, they are the decks of the game and such zones of other players. A zone gets only what it may
    contain by its declaration.

    The number of things in each zone is public and does not change. Public facts about a thing in its place (stats
    without an initial value, tokens, statuses) do not move. Things that the pending question names are known and do not
    move.

    A secret stat with a value gets any value that it may have; a space becomes any free one. Numbers without bounds,
    and things that are not spaces, are exchanged between their bearers.

    Then the `supposing` code of each thing with a secret runs: it makes the parts that were shuffled separately fit
    together, if chance allows. Secret choices of others are made again at random, from the options of the guessed
    world.

    Except for exchanged values, the guess does not depend on the truth: worlds that differ only in what `who` cannot
    know become equal. `hidden`: the result for an equal game, if the caller has it.
    """
    hidden = hidden or Hidden(game, who)
    for pool in hidden.pools:
        if len(pool.zones) == 1:
            _mix_alone(game, pool, hidden, chance)
        else:
            _mix(game, pool, hidden, chance)
    for number in game.image.secret_fields:
        _forget(game, number, who, chance)
    for thing, code in game.image.supposing():
        if game.in_play(thing) and _keeps_secrets(game, thing, who):
            _suppose(game, thing, code, chance)
    for item in game.world.stack:
        if isinstance(item, Frame) and item.sealed:
            item.sealed = [_chosen_again(game, item, row, who, chance) for row in item.sealed]


def _hidden(game: Game, thing: int, secret: Field | Zone, who: int) -> bool:
    """Return whether a secret of a thing is hidden from the player or team `who`."""
    seats = insiders(game, thing, secret)
    return all(seat not in seats for seat in deciding_seats(game, who))


def _named(game: Game) -> Iterable[int]:
    """Return the things that the pending question names."""
    for option in game.world.ask.options if game.world.ask is not None else ():
        if option[0] == LISTENER:
            yield from option[2:]
        elif TAGS[option[0]] in ("thing", "action"):
            yield option[-1]
    yield from game.world.ask.picked if game.world.ask is not None else ()


def _pools(game: Game, who: int) -> list[list[int]]:
    """Return the secret zones, grouped by those that may have each other's contents."""
    layout, rows = game.layout, game.program.zones
    owner = layout.zone_owner
    hidden = [zone for zone in layout.secret_zones if _hidden(game, owner[zone], rows[layout.zone_row[zone]], who)]
    decks = [zone for zone in hidden if owner[zone] < 0 or rows[layout.zone_row[zone]].unseen]
    pools = {zone: [zone] for zone in hidden}
    loose = [deck for deck in decks if owner[deck] < 0]
    for zone in hidden:
        if zone in decks:
            continue
        near = [deck for deck in decks if owner[deck] == owner[zone] and _akin(game, deck, zone)]
        if not near:
            near = [other for other in loose if _akin(game, other, zone)]
            loose.append(zone)
        for other in near:
            _join(pools, other, zone)
    return [pool for zone, pool in pools.items() if zone == pool[0]]


def _akin(game: Game, a: int, b: int) -> bool:
    """Return whether a thing could be in either of two zones, by their declared contents."""
    one, other = (game.program.zones[game.layout.zone_row[zone]].holds for zone in (a, b))
    return -1 in (one, other) or game.layout.descends(one, other) or game.layout.descends(other, one)


def _may_hold(game: Game, zone: int, thing: int) -> bool:
    """Return whether a zone is declared to hold things of this kind."""
    holds = game.program.zones[game.layout.zone_row[zone]].holds
    return holds < 0 or game.layout.is_a(thing, holds)


def _join(pools: dict[int, list[int]], a: int, b: int) -> None:
    """Merge the pools of two zones."""
    if pools[a] is not pools[b]:
        pools[a].extend(pools[b])
        for zone in pools[b]:
            pools[zone] = pools[a]


def _mix(game: Game, pool: _Pool, hidden: Hidden, chance: Generator) -> None:
    """Deal the contents of several zones again: as many to each zone as before, and only what it may contain.

    Known things keep their places. Facts about a thing in a place then apply to the new thing in that place.
    """
    layout, zones, moved = game.layout, pool.zones, set(pool.loose)
    before = {zone: game.world.lying(zone) for zone in zones}
    loose = pool.loose[:]
    chance.shuffle(loose)
    holds = {zone: game.program.zones[layout.zone_row[zone]].holds for zone in zones}
    dealt: dict[int, tuple[int, ...]] = {}
    for zone in sorted(zones, key=lambda zone: _breadth(game, holds[zone])):  # narrow zones choose first
        fitting = iter([thing for thing in loose if holds[zone] < 0 or layout.is_a(thing, holds[zone])])
        dealt[zone] = tuple([next(fitting) if thing in moved else thing for thing in before[zone]])
        taken = set(dealt[zone])
        loose = [thing for thing in loose if thing not in taken]
    changes.exchange_zones(game, dealt, hidden.fields_in_use)


def _mix_alone(game: Game, pool: _Pool, hidden: Hidden, chance: Generator) -> None:
    """Shuffle a zone whose contents can be nowhere else.

    If no fact refers to these, the order is drawn only when a reader needs it (see `world.Unmixed`): most zones of a
    guessed world are never read.
    """
    unmixed = Unmixed(pool.things, pool.loose, chance.state)
    chance.skip(len(pool.loose) - 1)  # so many are drawn; 2**57 guesses see one more
    if pool.mere_order:
        changes.shuffle_lazily(game, pool.zones[0], unmixed)
    else:
        changes.exchange_zones(game, {pool.zones[0]: unmixed.drawn()}, hidden.fields_in_use)


def _breadth(game: Game, kind: int) -> int:
    """Return how many things are of a kind (-1: any)."""
    return game.layout.high[kind] - game.layout.low[kind] if kind >= 0 else game.layout.body


def _forget(game: Game, field: int, who: int, chance: Generator) -> None:
    """Guess a secret stat for all bearers whose value the player cannot know. A flag always has a value."""
    layout, row = game.layout, game.program.fields[field]
    if layout.base[field] < 0:
        return
    bearers = range(layout.field_low[field], layout.field_high[field])
    bearing = [
        thing
        for thing in bearers
        if (game.in_play(thing) if row.tag == "flag" else game.base_value(field, thing) != row.empty)
        and _hidden(game, thing, row, who)
    ]
    values = sorted([game.base_value(field, thing) for thing in bearing])
    chance.shuffle(values)
    for thing, value in zip(bearing, values, strict=True):
        possible = _possible(game, row, value)
        changes.set_guessed_field(game, field, thing, possible[chance.below(len(possible))] if possible else value)


def _possible(game: Game, row: Field, value: int) -> Sequence[int]:
    """Return the values that a field may have instead of `value`, such as the free spaces; empty if unknown."""
    match row.tag:
        case "thing" if game.is_space(value):
            return [game.space(cell) for cell, occupied in enumerate(list(game.occupancy(-1))) if not occupied]
        case "flag":
            return (0, 1)
        case "enum":
            return range(len(game.program.enums[row.enum].values))
        case "terrain":
            return sorted({game.terrain(cell) for cell in range(game.ground().size)} - {-1})
        case "number" if row.low is not None and row.high is not None:
            return range(row.low, row.high + 1)
        case _:
            return ()


# ── values that fit together ───────────────────────────────────────────────────────────────────


def _keeps_secrets(game: Game, thing: int, who: int) -> bool:
    """Return whether some fact about a thing is hidden from `who`."""
    layout, program = game.layout, game.program
    secrets: list[Field | Zone] = [program.zones[layout.zone_row[zone]] for zone in layout.zones_of.get(thing, ())]
    secrets += [row for n, row in enumerate(program.fields) if layout.field_low[n] <= thing < layout.field_high[n]]
    return any(row.secret and _hidden(game, thing, row, who) for row in secrets)


def _suppose(game: Game, thing: int, code: int, chance: Generator) -> None:
    """Run the `supposing` code of a thing; change nothing if it fails too often."""
    for _ in range(MOST_TRIES):
        before = saving.clone(game.world)
        if _comes_about(game, thing, code, chance):
            w = game.world
            w.rng, w.reveals, w.log, w.happened = before.rng, before.reveals, before.log, before.happened
            return
        game.world = before


def _comes_about(game: Game, thing: int, code: int, chance: Generator) -> bool:
    """Run an effect apart from the game under way. Return False if it does not reach its end."""
    w = game.world
    under_way, hears_changes = (w.stack, w.ask, w.flags), game.hears_changes
    game.hears_changes = False  # listeners hear no event: the effect only describes how the world may have been before
    game.reseed(chance.below(1 << 62))
    w.stack, w.ask, w.flags = [], None, (w.flags | STAGED) & ~ASKING
    game.begin(code, *game.selves(thing))
    asked = game.run()
    w.stack, w.ask, w.flags = under_way
    game.hears_changes = hears_changes
    return asked is None and not w.outcome and game.result == 1


# ── secret choices ─────────────────────────────────────────────────────────────────────────────


def _chosen_again(game: Game, frame: Frame, row: tuple[int, ...], who: int, chance: Generator) -> tuple[int, ...]:
    """Return the row of a secret choice: the real one if `who` takes part in it, else a guess."""
    chose = game.controller(row[1])
    if any(seat in deciding_seats(game, chose) for seat in deciding_seats(game, who)):
        return row
    op = game.image.code(frame.code)[row[0]]
    if not isinstance(op, Secret):
        return row[:2]
    again = frame.copy()
    again.batch, again.sealed, again.out, again.pc = None, [], NOWHERE, op.at
    again.s[op.items], again.r[op.index] = (row[1],), -1
    other = game.clone()
    other.hears_changes = False
    other.reseed(chance.below(1 << 62))
    w = other.world
    w.stack, w.ask, w.flags = [again], None, (w.flags | STAGED | SUPPOSING) & ~ASKING
    ask = other.run()
    while ask is not None:
        other.answer(chance.below(len(ask.options)))
        ask = other.run()
    return again.sealed[0] if again.sealed else row[:2]
