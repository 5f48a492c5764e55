"""What is hidden of a game – decks, face-down tiles, tasks to come – shows nowhere: not in what a player is
shown of the table, not in the log he reads, not in what bots make of it.

Two worlds that differ in nothing but what is hidden must look the same. The other world is made by guessing anew what
nobody can know, so what it looks like depends on nothing that is hidden."""

from __future__ import annotations

from collections.abc import Iterator

import games
import pytest

from fcbdsl.game.generator import Generator
from fcbdsl.sim.bots import SensibleBot
from fcbdsl.sim.guessing import guess
from fcbdsl.sim.happenings import happenings
from fcbdsl.sim.soak import Wanderer
from fcbdsl.sim.view import View
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.world import Ask, World

GAME = "far-cry-beyond"
PLAYERS = 3
NEVER_BACK = ("tile-pile", "sealed-list")
MOST = 150
"""Most decisions of a game that is looked at."""


def machine() -> Machine:
    return games.machine(GAME)


def positions(mission: str, seed: int) -> Iterator[tuple[World, Ask]]:
    """The positions of a random game, at each decision."""
    world = machine().start(mission, PLAYERS, seed, {})
    wanderer = Wanderer(seed)
    ask = machine().run(world)
    for _ in range(MOST):
        if ask is None:
            return
        yield world, ask
        machine().answer(world, wanderer.choose(machine(), world, ask))
        ask = machine().run(world)


def shown(view: View, world: World) -> list[str]:
    """All that an onlooker is shown of a position, but for the log."""
    assert world.ask is not None
    return [view.table(world), view.question(world, world.ask), *view.options(world, world.ask), *view.kept(world)]


def hidden(world: World) -> list[str]:
    """The titles of tiles that nobody has turned up, and of tasks that nobody has come to: they never go back there."""
    layout, program, names = machine().layout, machine().program, View(machine()).names
    piles = [zone for zone in range(1, layout.zones) if program.zones[layout.zone_row[zone]].name in NEVER_BACK]
    things = [thing for zone in piles for thing in world.zones[zone]]
    within = {layout.definition_of[thing] for thing in things}
    without = {layout.definition_of[thing] for thing in range(layout.body) if thing not in things}
    return [names.definition(number) for number in sorted(within - without)]


@pytest.mark.parametrize("mission", ["drowned-valley", "sluice-night", "ridge-signal"])
def test_what_is_hidden_shows_nowhere(mission: str) -> None:
    views = {seat: View(machine(), "en", (seat,)) for seat in range(PLAYERS)} | {-1: View(machine())}
    chance, looked, listed = Generator(7, "secrets"), 0, 0
    for number, (world, ask) in enumerate(positions(mission, 5)):
        if number % 12:
            continue
        for who, view in views.items():
            other = machine().clone(world)
            guess(machine(), other, who, chance)
            looked += machine().digest(other) != machine().digest(world)
            assert shown(view, other) == shown(view, world)
            assert happenings(view, other) == happenings(view, world)
            told = "\n".join(happenings(view, world))
            assert [name for name in hidden(world) if name in told] == []
            listed += len(hidden(world))
        assert ask == world.ask
    assert looked > 20
    assert listed or mission == "ridge-signal"


@pytest.mark.parametrize("mission", ["drowned-valley", "sluice-night"])
def test_bots_make_nothing_of_what_is_hidden(mission: str) -> None:
    chance = Generator(8, "secrets")
    for number, (world, ask) in enumerate(positions(mission, 6)):
        if number % 30 != 29:
            continue
        other = machine().clone(world)
        guess(machine(), other, ask.who, chance)
        choices = [SensibleBot(number, looks=1).choose(machine(), each, ask) for each in (world, other)]
        assert choices[0] == choices[1]


def test_face_down_tiles_are_hidden_until_they_are_seen() -> None:
    """Where each lies is known to the machine alone; once one is seen, it lies in the pile no more."""
    layout = machine().layout
    lurks = next(number for number, row in enumerate(machine().program.fields) if row.name == "lurks")
    view, told = View(machine()), 0
    assert machine().program.fields[lurks].secret
    for world, _ in positions("drowned-valley", 5):
        low, high = layout.field_low[lurks], layout.field_high[lurks]
        lying = [thing for thing in range(low, high) if world.mem[layout.base[lurks] + thing] >= 0]
        assert all(machine().secret(world.mem[layout.zone + thing]) for thing in lying)
        assert not any(view.stats(world, thing) for thing in lying)
        told += len(lying)
    assert told
