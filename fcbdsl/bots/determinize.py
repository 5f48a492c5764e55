"""What a player may take a game for who must not see secrets: the same game, what is hidden from him drawn anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fcbdsl.game.generator import Generator
from fcbdsl.vm import changes, saving
from fcbdsl.vm.game import Game
from fcbdsl.vm.ops.flow import Secret
from fcbdsl.vm.program import Field, Zone
from fcbdsl.vm.teams import insiders, seats
from fcbdsl.vm.world import LISTENER, NOWHERE, RANDOM_ASKED, SINGLES_ASKED, STAGED, SUPPOSING, TAGS, Frame

MOST_TRIES = 20
"""How often what is supposed of a thing is tried."""

ASKING = RANDOM_ASKED | SINGLES_ASKED
"""Flags of games in which somebody is asked what chance would decide."""


def guess(game: Game, who: int, chance: Generator) -> None:
    """Replace in `game` what `who` (see `vm.teams`; several know what any of them knows) cannot know by a guess.

    - What lies in secret zones is mixed: within a deck (of the game, or somebody's that he may not look into either),
      among the hands of the others, and between these hands and the one deck whose cards are of their kind: that of
      whoever holds them if he has one, else the game's (several such decks are not mixed: cards keep to theirs). How
      much lies where is public, and stays. What the pending question names is known to whoever is asked, and stays too.
    - A secret stat that says something: a space becomes any free one of the same ground, other values change places
      among those who have one.

    What a kind says that is supposed of its things (`supposing`) is done then, for each of which something is hidden:
    what was mixed and drawn by itself then fits together, if chance comes by it. What others have chosen in secret,
    they choose again, by chance, from what they would have to choose from if all this were true.

    Nothing of the guess depends on the truth: worlds that differ in nothing but what `who` cannot know become equal."""
    known = set(_named(game))
    for zones in _pools(game, who):
        _mix(game, zones, known, chance)
    for number, row in enumerate(game.program.fields):
        if row.secret:
            _forget(game, number, who, chance)
    for thing, code in game.image.supposing():
        if game.in_play(thing) and _keeps_secrets(game, thing, who):
            _suppose(game, thing, code, chance)
    for item in game.world.stack:
        if isinstance(item, Frame) and item.sealed:
            item.sealed = [_chosen_again(game, item, row, who, chance) for row in item.sealed]


def _hidden(game: Game, thing: int, secret: Field | Zone, who: int) -> bool:
    """Whether what is secret about a thing is hidden from whom `who` stands for."""
    known = insiders(game, thing, secret)
    return all(seat not in known for seat in seats(game, who))


def _named(game: Game) -> Iterable[int]:
    """The things that the pending question names."""
    for option in game.world.ask.options if game.world.ask is not None else ():
        if option[0] == LISTENER:
            yield from option[2:]
        elif TAGS[option[0]] in ("thing", "action"):
            yield option[-1]
    yield from game.world.ask.picked if game.world.ask is not None else ()


def _pools(game: Game, who: int) -> list[list[int]]:
    """The secret zones that hold something, those together whose contents could be each other's."""
    layout = game.layout
    decks: list[list[int]] = []
    loose: list[int] = []
    for zone in range(1, layout.zones):
        if not game.world.zones[zone] or not game.secret(zone):
            continue
        owner, row = layout.zone_owner[zone], game.program.zones[layout.zone_row[zone]]
        if not _hidden(game, owner, row, who):
            continue
        if owner < 0 or row.unseen:
            decks.append([zone])
        else:
            loose.append(zone)
    hands: dict[int, list[int]] = {}
    for zone in loose:
        own = _fitting(game, decks, layout.zone_owner[zone], [zone])
        if own:
            own[0].append(zone)
        else:
            hands.setdefault(layout.zone_row[zone], []).append(zone)
    for held in hands.values():
        fitting = _fitting(game, decks, -1, held)
        if fitting:
            fitting[0] += held
        else:
            decks.append(held)
    return decks


def _fitting(game: Game, decks: Sequence[list[int]], owner: int, held: Sequence[int]) -> list[list[int]]:
    """The one deck of somebody (-1: of the game) whose cards are of the kinds that are held, or none."""
    kinds = _kinds(game, held)
    found = [deck for deck in decks if game.layout.zone_owner[deck[0]] == owner and _kinds(game, deck) == kinds]
    return found if len(found) == 1 else []


def _kinds(game: Game, zones: Sequence[int]) -> list[int]:
    return sorted({game.layout.kind_of[thing] for zone in zones for thing in game.world.zones[zone]})


def _mix(game: Game, zones: Sequence[int], known: set[int], chance: Generator) -> None:
    """Deal what lies in some zones anew, as many to each; what is known stays in its place."""
    loose = sorted([thing for zone in zones for thing in game.world.zones[zone] if thing not in known])
    chance.shuffle(loose)
    dealt: dict[int, tuple[int, ...]] = {}
    for zone in zones:
        dealt[zone] = tuple([thing if thing in known else loose.pop() for thing in game.world.zones[zone]])
    changes.exchange(game, dealt)


def _forget(game: Game, field: int, who: int, chance: Generator) -> None:
    """Guess a secret stat wherever it says something that the player cannot know."""
    layout, row = game.layout, game.program.fields[field]
    if layout.base[field] < 0:
        return
    bearers = range(layout.field_low[field], layout.field_high[field])
    told = [t for t in bearers if game.base_value(field, t) != row.empty and _hidden(game, t, row, who)]
    values = sorted([game.base_value(field, thing) for thing in told])
    chance.shuffle(values)
    for thing, value in zip(told, values, strict=True):
        changes.rewrite(game, field, thing, _elsewhere(game, value, chance) if game.is_space(value) else value)


def _elsewhere(game: Game, space: int, chance: Generator) -> int:
    """A free space of the same ground."""
    ground = game.terrain(game.cell(space))
    alike = [
        game.space(cell)
        for cell, occupied in enumerate(game.occupancy(-1))
        if not occupied and game.terrain(cell) == ground
    ]
    return alike[chance.below(len(alike))] if alike else space


# ── what fits together ─────────────────────────────────────────────────────────────────────────


def _keeps_secrets(game: Game, thing: int, who: int) -> bool:
    """Whether something of a thing is hidden."""
    layout, program = game.layout, game.program
    secrets: list[Field | Zone] = [program.zones[layout.zone_row[zone]] for zone in layout.zones_of.get(thing, ())]
    secrets += [row for n, row in enumerate(program.fields) if layout.field_low[n] <= thing < layout.field_high[n]]
    return any(row.secret and _hidden(game, thing, row, who) for row in secrets)


def _suppose(game: Game, thing: int, code: int, chance: Generator) -> None:
    """Let what is supposed of a thing come about; as it was if that fails too often."""
    for _ in range(MOST_TRIES):
        before = saving.clone(game.world)
        if _comes_about(game, thing, code, chance):
            w = game.world
            w.rng, w.reveals, w.log = before.rng, before.reveals, before.log
            return
        game.world = before


def _comes_about(game: Game, thing: int, code: int, chance: Generator) -> bool:
    """Run an effect beside whatever is under way; False if it does not come to its end."""
    w = game.world
    under_way, alert = (w.stack, w.ask, w.flags), game.alert
    game.alert = False  # nothing happens: it is only how things may have been all along
    game.reseed(chance.below(1 << 62))
    w.stack, w.ask, w.flags = [], None, (w.flags | STAGED) & ~ASKING
    game.begin(code, *game.selves(thing))
    asked = game.run()
    w.stack, w.ask, w.flags = under_way
    game.alert = alert
    return asked is None and not w.outcome and game.result == 1


# ── what is chosen in secret ───────────────────────────────────────────────────────────────────


def _chosen_again(game: Game, frame: Frame, row: tuple[int, ...], who: int, chance: Generator) -> tuple[int, ...]:
    """What somebody may have chosen in secret: as it is for those who decide with him; nothing if he had nothing."""
    chose = game.controller(row[1])
    if any(seat in seats(game, chose) for seat in seats(game, who)):
        return row
    op = game.image.code(frame.code)[row[0]]
    if not isinstance(op, Secret):
        return row[:2]
    again = frame.copy()
    again.batch, again.sealed, again.out, again.pc = None, None, NOWHERE, op.at
    again.s[op.items], again.r[op.index] = (row[1],), -1
    other = game.clone()
    other.alert = False
    other.reseed(chance.below(1 << 62))
    w = other.world
    w.stack, w.ask, w.flags = [again], None, (w.flags | STAGED | SUPPOSING) & ~ASKING
    ask = other.run()
    while ask is not None:
        other.answer(chance.below(len(ask.options)))
        ask = other.run()
    return again.sealed[0] if again.sealed else row[:2]
