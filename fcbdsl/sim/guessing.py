"""What a player may take a game for who must not see secrets: the same game, what is hidden from him drawn anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fcbdsl.game.generator import Generator
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.world import LISTENER, TAGS, World


def guess(machine: Machine, world: World, who: int, chance: Generator) -> None:
    """Replace in `world` what player `who` (-1: the team, who know what any of them knows) cannot know by a guess.

    - What lies in secret zones is mixed: within a deck, among the hands of the others, and between these hands and the
      one deck whose cards are of their kind (several such decks are not mixed: cards keep to theirs). How much lies
      where is public, and stays. What the pending question names is known to whoever is asked, and stays too.
    - A secret stat that says something: a space becomes any free one of the same ground, other values change places
      among those who have one.

    Nothing of the guess depends on the truth: worlds that differ in nothing but what `who` cannot know become equal."""
    machine.enter(world)
    known = set(_named(world))
    for zones in _pools(machine, world, who):
        _mix(machine, world, zones, known, chance)
    for number, row in enumerate(machine.program.fields):
        if row.secret:
            _forget(machine, world, number, who, chance)


def _hidden(machine: Machine, thing: int, who: int) -> bool:
    """Whether what is secret about a thing is hidden from a player."""
    player = machine.controller(thing)
    return player != who if who >= 0 else player < 0


def _named(world: World) -> Iterable[int]:
    """The things that the pending question names."""
    for option in world.ask.options if world.ask is not None else ():
        if option[0] == LISTENER:
            yield from option[2:]
        elif TAGS[option[0]] in ("thing", "action"):
            yield option[-1]
    yield from world.ask.picked if world.ask is not None else ()


def _pools(machine: Machine, world: World, who: int) -> list[list[int]]:
    """The secret zones that hold something, those together whose contents could be each other's."""
    layout = machine.layout
    decks: list[list[int]] = []
    hands: dict[int, list[int]] = {}
    for zone in range(1, layout.zones):
        if not world.zones[zone] or not machine.secret(zone):
            continue
        owner = layout.zone_owner[zone]
        if owner < 0:
            decks.append([zone])
        elif _hidden(machine, owner, who):
            hands.setdefault(layout.zone_row[zone], []).append(zone)
    for held in hands.values():
        kinds = _kinds(machine, world, held)
        fitting = [deck for deck in decks if _kinds(machine, world, deck) == kinds]
        if len(fitting) == 1:
            fitting[0] += held
        else:
            decks.append(held)
    return decks


def _kinds(machine: Machine, world: World, zones: Sequence[int]) -> list[int]:
    return sorted({machine.layout.kind_of[thing] for zone in zones for thing in world.zones[zone]})


def _mix(machine: Machine, world: World, zones: Sequence[int], known: set[int], chance: Generator) -> None:
    """Deal what lies in some zones anew, as many to each; what is known stays in its place."""
    layout, mem = machine.layout, world.mem
    loose = sorted([thing for zone in zones for thing in world.zones[zone] if thing not in known])
    chance.shuffle(loose)
    moved: list[int] = []
    for zone in zones:
        dealt = [thing if thing in known else loose.pop() for thing in world.zones[zone]]
        world.zones[zone] = tuple(dealt)
        for thing in dealt:
            if mem[layout.zone + thing] != zone:
                mem[layout.zone + thing] = zone
                mem[layout.holder + thing] = layout.zone_owner[zone]
                moved.append(thing)
    for thing in moved:
        machine.wake(thing)


def _forget(machine: Machine, world: World, field: int, who: int, chance: Generator) -> None:
    """Guess a secret stat wherever it says something that the player cannot know."""
    layout, mem = machine.layout, world.mem
    base, empty = layout.base[field], machine.program.fields[field].empty
    if base < 0:
        return
    bearers = range(layout.field_low[field], layout.field_high[field])
    told = [thing for thing in bearers if mem[base + thing] != empty and _hidden(machine, thing, who)]
    values = sorted([mem[base + thing] for thing in told])
    chance.shuffle(values)
    for thing, value in zip(told, values, strict=True):
        mem[base + thing] = _elsewhere(machine, world, value, chance) if machine.is_space(value) else value


def _elsewhere(machine: Machine, world: World, space: int, chance: Generator) -> int:
    """A free space of the same ground."""
    low, terrain = machine.layout.spaces_low, machine.layout.terrain
    alike = [
        low + cell
        for cell, crowd in enumerate(machine.crowd(-1))
        if not crowd and world.mem[terrain + low + cell] == world.mem[terrain + space]
    ]
    return alike[chance.below(len(alike))] if alike else space
