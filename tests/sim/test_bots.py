"""What the sensible bot takes and leaves."""

from __future__ import annotations

from pond import crossing, machine

from fcbdsl.sim.bots import SensibleBot, under_way
from fcbdsl.vm.world import DONE, Ask, World


def asked_to_act(energy: int) -> tuple[World, Ask]:
    """A new game at its first offer, its frog with so much energy."""
    world = crossing()
    assert machine().run(world) is not None
    machine().answer(world, 0)
    ask = machine().run(world)
    assert ask is not None
    assert ask.kind == "action"
    layout = machine().layout
    field = next(number for number, row in enumerate(machine().program.fields) if row.name == "energy")
    low, high = layout.range_of("frog")
    for frog in range(low, high):
        world.mem[layout.base[field] + frog] = energy
    return world, ask


def name(ask: Ask, index: int) -> str:
    option = ask.options[index]
    return "done" if option == (DONE,) else machine().program.actions[option[1]].name


def test_it_takes_what_gains_something() -> None:
    """A hop is a leap, although only the answer to where makes it one."""
    world, ask = asked_to_act(energy=3)
    assert name(ask, SensibleBot(1).choose(machine(), world, ask)) == "hop"


def test_it_is_done_rather_than_do_what_gains_nothing() -> None:
    world, _ = asked_to_act(energy=0)
    offered = machine().actions(world, tuple(range(*machine().layout.range_of("frog"))))
    ask = Ask(-1, "action", (*(option for option in offered if name_of(option) != "hop"), (DONE,)))
    assert len(ask.options) > 1
    world.ask = Ask(-1, "action", ask.options, span=world.ask.span if world.ask else -1)
    assert name(world.ask, SensibleBot(1).choose(machine(), world, world.ask)) == "done"


def name_of(option: tuple[int, ...]) -> str:
    return machine().program.actions[option[1]].name


def test_looking_changes_nothing() -> None:
    world, ask = asked_to_act(energy=3)
    before = machine().digest(world)
    SensibleBot(1).choose(machine(), world, ask)
    assert machine().digest(world) == before


def test_the_same_seed_takes_the_same() -> None:
    world, ask = asked_to_act(energy=3)
    assert len({SensibleBot(5).choose(machine(), world, ask) for _ in range(3)}) == 1


def test_within_an_action_it_looks_to_the_end_of_that_action() -> None:
    """The offer that the action answers stands below it, at what it does next."""
    world, ask = asked_to_act(energy=3)
    hop = next(number for number in range(len(ask.options)) if name(ask, number) == "hop")
    offering = len(world.stack)
    machine().answer(world, hop)
    assert under_way(machine(), world) == offering < len(world.stack)
