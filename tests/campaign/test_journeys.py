"""Journeys through the toy's winter: what passes from night to night, how it is saved, and what is taken up again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fcbdsl.campaign.journey import Journey, begin
from fcbdsl.campaign.saved import resume, to_json
from fcbdsl.compiler import lower
from fcbdsl.game.generator import Generator
from fcbdsl.project import check_project
from fcbdsl.sim.bots import RandomBot
from fcbdsl.sim.content_tests import run_test
from fcbdsl.sim.naming import Names
from fcbdsl.sim.playout import play_out
from fcbdsl.vm.keeping import give, taken
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.setup import CannotStart
from fcbdsl.vm.verify import verify
from fcbdsl.vm.world import LOSE, WIN, World

TOY = Path(__file__).parents[1] / "systems" / "lanterns"


@pytest.fixture(scope="module")
def machine() -> Machine:
    model, problems = check_project([TOY])
    assert [problem.message for problem in problems] == []
    program = lower(model, tests=True)
    assert not verify(program)
    return Machine(program)


@pytest.fixture
def journey(machine: Machine) -> Journey:
    return begin(machine, "long-winter", 2, 7)


def options(journey: Journey) -> list[str]:
    """The options of the pending question, by name."""
    assert journey.ask is not None
    return Names(journey.machine).options(journey.world, journey.ask.options)


def take(journey: Journey, words: str) -> None:
    """Take the option that begins with these words."""
    journey.choose(next(n for n, option in enumerate(options(journey)) if words in option))


def thing(machine: Machine, id: str) -> int:
    return machine.layout.first[[row.id for row in machine.program.definitions].index(id)]


def stat(journey: Journey | Machine, world: World, name: str, id: str = "") -> int:
    """A stat of a thing, or of the game."""
    machine = journey.machine if isinstance(journey, Journey) else journey
    field = [row.name for row in machine.program.fields].index(name)
    return machine.value(world, field, thing(machine, id) if id else machine.layout.range_of("game")[0])


def put(machine: Machine, world: World, name: str, value: int, id: str = "") -> None:
    """Set a stat by hand."""
    field = [row.name for row in machine.program.fields].index(name)
    at = thing(machine, id) if id else machine.layout.range_of("game")[0]
    world.mem[machine.layout.base[field] + at] = value


def ended(world: World, outcome: int) -> World:
    """A mission that is over, by hand."""
    world.stack.clear()
    world.ask, world.outcome = None, outcome
    return world


# ── playing ────────────────────────────────────────────────────────────────────────────────────


def test_a_campaign_begins_with_its_first_question(journey: Journey) -> None:
    assert journey.outcome == "open"
    assert options(journey) == ["The Long Winter: Do a job – Casks on the quay", "Done"]
    assert journey.mission == ""


def test_a_mission_is_asked_for_and_what_it_keeps_comes_home(journey: Journey, machine: Machine) -> None:
    take(journey, "Casks")
    assert journey.mission == "vintners-cellar"
    world = journey.embark()
    assert machine.run(world) is not None
    put(machine, world, "hoard", 2)
    put(machine, world, "behind-bars", 1, "whisper")
    put(machine, world, "round", 5)
    journey.arrive(ended(world, WIN))
    assert journey.steps == 1
    assert stat(journey, journey.world, "hoard") == 3
    assert stat(journey, journey.world, "behind-bars", "whisper") == 1
    assert stat(journey, journey.world, "round") == 0
    assert "The Long Winter: Do a job – What the ledgers say" in options(journey)


def test_the_next_mission_begins_with_what_was_kept(journey: Journey, machine: Machine) -> None:
    take(journey, "Casks")
    world = journey.embark()
    put(machine, world, "hoard", 2)
    put(machine, world, "behind-bars", 1, "whisper")
    journey.arrive(ended(world, WIN))
    take(journey, "ledgers")
    assert stat(journey, journey.world, "hoard") == 2  # three, but the tip was paid for, in the same step
    world = journey.embark()
    assert stat(machine, world, "hoard") == 2
    machine.run(world)
    assert world.mem[machine.layout.place + thing(machine, "whisper")] == -1
    assert world.mem[machine.layout.place + thing(machine, "eel")] >= 0


def test_cards_kept_in_a_hand_are_in_the_hand_of_the_next_mission(journey: Journey, machine: Machine) -> None:
    hand = machine.kept_zones[-2:]
    assert [machine.layout.zone_owner[zone] for zone in hand] == [machine.layout.players_low + n for n in (0, 1)]
    take(journey, "Casks")
    world = journey.embark()
    machine.run(world)
    held = [world.zones[zone] for zone in hand]
    assert all(len(cards) >= 2 for cards in held)
    journey.arrive(ended(world, LOSE))
    assert [journey.world.zones[zone] for zone in hand] == held
    take(journey, "Casks")
    again = journey.embark()
    assert [again.zones[zone] for zone in hand] == held
    machine.run(again)
    assert all(len(again.zones[zone]) == 3 for zone in hand)  # a limit of three, of which some were there


def test_a_lost_mission_is_lost(journey: Journey) -> None:
    for lost in range(3):
        assert journey.outcome == "open"
        assert stat(journey, journey.world, "failures") == lost
        take(journey, "Casks")
        journey.arrive(ended(journey.embark(), LOSE))
    assert journey.outcome == "lose"
    assert journey.ask is None


def test_a_campaign_is_played_to_its_end(journey: Journey) -> None:
    take(journey, "Casks")
    world = journey.embark()
    put(journey.machine, world, "hoard", 1)
    journey.arrive(ended(world, WIN))
    take(journey, "ledgers")
    journey.arrive(ended(journey.embark(), WIN))
    assert journey.outcome == "win"


def test_bots_play_whole_nights_between_the_steps(journey: Journey, machine: Machine) -> None:
    nights = 0
    while journey.ask is not None and nights < 2:
        if journey.mission:
            world = journey.embark()
            play_out(machine, world, [RandomBot(nights), RandomBot(9)])
            journey.arrive(world)
            nights += 1
        else:
            journey.choose(0)
    assert nights == 2


def test_a_campaign_that_is_not_there(machine: Machine) -> None:
    with pytest.raises(CannotStart, match="no campaign `vintners-cellar`"):
        begin(machine, "vintners-cellar", 2, 7)
    with pytest.raises(CannotStart, match="players"):
        begin(machine, "long-winter", 5, 7)


def test_the_mission_s_record_says_how_its_world_begins(journey: Journey, machine: Machine) -> None:
    take(journey, "Casks")
    record = journey.voyage()
    assert (record.program, record.mission, record.players) == (machine.program.hash, "vintners-cellar", 2)
    assert record.switches == {"tied-lead": "swap"}
    world = journey.embark()
    assert world.rng == machine.start("vintners-cellar", 2, record.seed, {}).rng
    assert journey.voyage() == record


def test_embarking_needs_a_mission(journey: Journey) -> None:
    with pytest.raises(ValueError, match="no mission"):
        journey.embark()
    take(journey, "Casks")
    with pytest.raises(ValueError, match="not over"):
        journey.arrive(journey.embark())


def test_seeds_differ_from_step_to_step_and_are_the_same_again(machine: Machine) -> None:
    seen = []
    for _ in range(2):
        journey = begin(machine, "long-winter", 2, 7)
        chances = []
        for _ in range(2):
            take(journey, "Casks")
            world = journey.embark()
            chances.append(tuple(world.rng))
            journey.arrive(ended(world, LOSE))
        seen.append(chances)
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[0][1]


# ── saving ─────────────────────────────────────────────────────────────────────────────────────


def wandered(machine: Machine, seed: int, decisions: int) -> Journey:
    """A journey of random decisions; missions end at random, with random things kept."""
    chance = Generator(seed, "wanderer")
    journey = begin(machine, "long-winter", 2, seed)
    for _ in range(decisions):
        if journey.ask is None:
            break
        if journey.mission:
            world = journey.embark()
            machine.run(world)
            put(machine, world, "hoard", chance.below(4))
            put(machine, world, "behind-bars", chance.below(2), "eel")
            journey.arrive(ended(world, WIN if chance.below(3) else LOSE))
        else:
            journey.choose(chance.below(len(journey.ask.options)))
    return journey


@pytest.mark.parametrize("seed", range(12))
def test_a_journey_saved_at_any_step_goes_on_as_if_it_had_not_been(machine: Machine, seed: int) -> None:
    journey = wandered(machine, seed, seed)
    data = json.loads(json.dumps(to_json(journey)))
    found = resume(machine, data)
    assert found.lost == ()
    assert not found.migrated
    again = found.journey
    assert again is not None
    assert again.kept() == journey.kept()
    assert to_json(again) == data
    fresh = Journey(machine, "long-winter", 2, seed, kept=journey.kept(), steps=journey.steps)
    assert fresh.ask == again.ask
    assert machine.digest(fresh.world) == machine.digest(again.world)
    if not journey.mission:
        assert again.ask == journey.ask


def test_a_saved_journey_holds_names(machine: Machine) -> None:
    journey = begin(machine, "long-winter", 2, 7)
    take(journey, "Casks")
    world = journey.embark()
    put(machine, world, "hoard", 2)
    put(machine, world, "behind-bars", 1, "eel")
    journey.arrive(ended(world, WIN))
    assert to_json(journey)["kept"] == {
        "game": {"stats": {"hoard": 3}},
        "table": {"zones": {"tips": ["job ledgers"], "memories": ["job casks"]}},
        "thief eel": {"stats": {"behind-bars": True}},
    }


BAD: list[tuple[dict[str, Any], str]] = [
    ({"thief eel": {"stats": {"warts": 2}}}, "warts of thief eel"),
    ({"thief adder": {"stats": {}}}, "thief adder"),
    ({"game": {"stats": {"hoard": -1}}}, "-1 (hoard of game)"),
    ({"game": {"stats": {"hoard": "much"}}}, "much (hoard of game)"),
    ({"game": {"stats": {"hoard": True}}}, "True (hoard of game)"),
    ({"table": {"zones": {"tips": ["job heist"]}}}, "job heist (tips of table)"),
    ({"table": {"zones": {"cupboard": []}}}, "cupboard of table"),
    ({"table": {"zones": {"tips": ["job casks"], "memories": ["job casks"]}}}, "job casks (twice)"),
    ({"table": 3}, "table"),
    ({"player 3": {"zones": {"hand": []}}}, "player 3"),
]


@pytest.mark.parametrize(("kept", "lost"), BAD, ids=[lost for _, lost in BAD])
def test_a_name_that_means_nothing_any_more_is_refused_by_name(
    machine: Machine, journey: Journey, kept: dict[str, Any], lost: str
) -> None:
    found = resume(machine, {**to_json(journey), "kept": kept})
    assert found.journey is None
    assert found.lost == (lost,)


def test_all_lost_names_are_told_at_once(machine: Machine, journey: Journey) -> None:
    kept: dict[str, Any] = {"thief adder": {}, "table": {"zones": {"tips": ["job heist", "job fraud"]}}}
    found = resume(machine, {**to_json(journey), "kept": kept})
    assert found.lost == ("thief adder", "job heist (tips of table)", "job fraud (tips of table)")


@pytest.mark.parametrize(
    ("changed", "lost"),
    [
        ({"system": "whist"}, "system whist"),
        ({"campaign": "summer"}, "campaign summer"),
        ({"switches": {"tied-lead": "sometimes"}}, "variant tied-lead is sometimes"),
        ({"format": "fcb-campaign/0"}, "it has the format 'fcb-campaign/0'; this fcb reads 'fcb-campaign/1'"),
        ({"steps": "two"}, "it is no saved campaign of the format fcb-campaign/1"),
        ({"seed": "x"}, "it is no saved campaign of the format fcb-campaign/1"),
        ({"more": 1}, "it is no saved campaign"),
    ],
)
def test_terms_that_are_gone_are_refused(
    machine: Machine, journey: Journey, changed: dict[str, Any], lost: str
) -> None:
    assert resume(machine, {**to_json(journey), **changed}).lost == (lost,)
    assert resume(machine, [1]).lost == ("it is no saved campaign",)


def test_changed_content_whose_names_still_fit_is_migrated(machine: Machine, journey: Journey) -> None:
    found = resume(machine, {**to_json(journey), "program": "another"})
    assert found.migrated
    assert found.journey is not None


# ── what is kept ───────────────────────────────────────────────────────────────────────────────


def test_giving_what_is_there_changes_nothing(machine: Machine) -> None:
    world = wandered(machine, 5, 9).world
    before = machine.digest(world)
    give(machine, world, taken(machine, world))
    assert machine.digest(world) == before


def test_every_thing_is_where_it_was_and_nowhere_else(machine: Machine) -> None:
    journey = wandered(machine, 3, 4)
    while not journey.mission and journey.ask is not None:
        journey.choose(0)
    world = journey.embark()
    machine.run(world)
    layout = machine.layout
    listed = sorted(thing for things in world.zones for thing in things)
    assert listed == sorted(t for t in range(layout.body) if world.mem[layout.zone + t] > 0)
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("number", range(5))
def test_content_tests_answer_missions(machine: Machine, number: int) -> None:
    program = machine.program
    files = [program.files[program.spans[test.span].file] for test in program.tests]
    tests = [n for n, file in enumerate(files) if file.endswith("winter.fcb")]
    assert run_test(machine, tests[number]).failure is None
