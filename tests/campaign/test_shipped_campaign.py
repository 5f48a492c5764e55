"""The shipped campaign: all its courses are sound, and real games of its missions pass on what they keep."""

from __future__ import annotations

import json

import pytest
import shipped
from shipped import CAMPAIGN, explored

from fcbdsl.campaign.chart import chart
from fcbdsl.campaign.exploration import MOST_STATES
from fcbdsl.campaign.graph import can_be_won, graph
from fcbdsl.campaign.journey import Journey, begin
from fcbdsl.campaign.saved import resume, to_json
from fcbdsl.campaign.verdicts import verdicts
from fcbdsl.sim.inspection import Inspector
from fcbdsl.sim.soak import Wanderer
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.world import World


@pytest.fixture(scope="module")
def machine() -> Machine:
    return shipped.machine()


def test_all_its_courses_are_seen_and_sound() -> None:
    found = explored()
    assert found.whole
    assert len(found.states) < MOST_STATES
    assert verdicts(found) == []
    assert found.flaws == []


def test_every_mission_has_its_place_and_the_end_can_be_won(machine: Machine) -> None:
    made = graph(machine, explored())
    program = machine.program
    rows = [row for row in program.definitions if program.kinds[row.kind].policy == "mission"]
    missions = {row.id for row in rows if "tests/" not in program.files[program.spans[row.span].file]}
    assert len(missions) == 15
    assert {program.definitions[node.mission].id for node in made.nodes if node.mission >= 0} == missions
    assert any(can_be_won(node) for node in made.nodes)
    for language in ("en", "fr"):
        assert chart(machine, made, language).endswith("</svg>\n")


def played(machine: Machine, world: World, seed: int) -> World:
    """A mission played at random to its end, looked at now and then."""
    inspector, wanderer, decisions = Inspector(machine), Wanderer(seed), 0
    ask = machine.run(world)
    while ask is not None:
        if decisions % 25 == 0:
            assert inspector.look(world, ask, decisions) is None
        machine.answer(world, wanderer.choose(machine, world, ask))
        decisions += 1
        ask = machine.run(world)
    assert inspector.look(world, None, decisions) is None
    return world


def again(machine: Machine, journey: Journey) -> Journey:
    """The journey saved and taken up again."""
    found = resume(machine, json.loads(json.dumps(to_json(journey))))
    assert found.lost == ()
    assert found.journey is not None
    assert found.journey.kept() == journey.kept()
    return found.journey


@pytest.mark.parametrize("seed", range(3))
def test_real_missions_pass_on_what_they_keep(machine: Machine, seed: int) -> None:
    """Random games, the first of them counted as won, so that chained missions come to be played, too."""
    journey = begin(machine, CAMPAIGN, 2 + seed, seed)
    wanderer = Wanderer(seed + 10)
    for number in range(3):
        while journey.ask is not None and not journey.mission:
            journey.choose(wanderer.choose(machine, journey.world, journey.ask))
            if not journey.mission and journey.ask is not None:
                journey = again(machine, journey)
        if journey.ask is None:
            return
        world = played(machine, journey.embark(), seed * 10 + number)
        journey.arrive(world)
        journey = again(machine, journey) if journey.ask is not None and not journey.mission else journey


@pytest.mark.parametrize(
    ("figure", "stats", "zones"),
    [
        ("boris", set(), {"weapons", "loot", "stunts", "reactions", "mutations"}),
        ("rosie", {"fled"}, {"loot"}),
    ],
)
def test_a_chain_passes_on_the_state_of_a_figure(
    machine: Machine, figure: str, stats: set[str], zones: set[str]
) -> None:
    """FCB-CAMP-08: wounds, markers and cards stay as they are; MP and the rest of a mission start afresh."""
    wounds = {"HP", "Stunned", "Impaired", "Bleeding", "Poison", "Shield"}
    program, layout = machine.program, machine.layout
    thing = layout.first[[row.id for row in program.definitions].index(figure)]
    kept = {program.fields[field].name for field, owner in machine.kept_stats if owner == thing}
    assert kept == wounds | stats | {"veteran", "along", "extra-HP", "extra-slots"}
    assert {
        row.name for zone, row in enumerate(program.zones) if layout.zone_base[zone] + thing in machine.kept_zones
    } >= zones
