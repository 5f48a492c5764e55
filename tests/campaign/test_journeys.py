"""Journeys through the toy's winter: kept data from night to night, saves, and resuming."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.carry_over import carry_over, give
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import LOSE, WIN
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.campaign.journey import Journey, begin_campaign
from fcbdsl.play.campaign.saved import journey_to_json, resume
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.playout import play_out
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.project import check_project

TOY = Path(__file__).parents[1] / "systems" / "lanterns"


@pytest.fixture(scope="module")
def image() -> Image:
    model, problems = check_project([TOY])
    assert [problem.message for problem in problems] == []
    program = lower(model, tests=True)
    assert not verify_program(program)
    return Image(program)


@pytest.fixture
def journey(image: Image) -> Journey:
    return begin_campaign(image, "long-winter", 2, 7)


def options(journey: Journey) -> list[str]:
    """Return the options of the pending question, by name."""
    assert journey.ask is not None
    return Names(journey.image).options(journey.game, journey.ask.options)


def take(journey: Journey, words: str) -> None:
    """Take the option that begins with these words."""
    journey.choose(next(n for n, option in enumerate(options(journey)) if words in option))


def thing(image: Image, id: str) -> int:
    return image.layout.first[[row.id for row in image.program.definitions].index(id)]


def stat(game: Game, name: str, id: str = "") -> int:
    """Return a stat of a thing, or of the game."""
    image = game.image
    field = [row.name for row in image.program.fields].index(name)
    return game.value(field, thing(image, id) if id else image.layout.range_of("game")[0])


def put(game: Game, name: str, value: int, id: str = "") -> None:
    """Set a stat directly."""
    image = game.image
    field = [row.name for row in image.program.fields].index(name)
    at = thing(image, id) if id else image.layout.range_of("game")[0]
    game.world.write(image.layout.base[field] + at, value)


def ended(game: Game, outcome: int) -> Game:
    """Return a finished mission with that outcome."""
    game.world.stack.clear()
    game.world.ask, game.world.outcome = None, outcome
    return game


# ── playing ────────────────────────────────────────────────────────────────────────────────────


def test_campaign_starts_with_first_question(journey: Journey) -> None:
    assert journey.outcome == "open"
    assert options(journey) == ["The Long Winter: Do a job – Casks on the quay", "Done"]
    assert journey.mission == ""


def test_mission_result_returns_to_campaign(journey: Journey, image: Image) -> None:
    take(journey, "Casks")
    assert journey.mission == "vintners-cellar"
    game = journey.embark()
    assert game.run() is not None
    put(game, "hoard", 2)
    put(game, "behind-bars", 1, "whisper")
    put(game, "round", 5)
    journey.arrive(ended(game, WIN))
    assert journey.steps == 1
    assert stat(journey.game, "hoard") == 3
    assert stat(journey.game, "behind-bars", "whisper") == 1
    assert stat(journey.game, "round") == 0
    assert "The Long Winter: Do a job – What the ledgers say" in options(journey)


def test_next_mission_starts_with_kept_state(journey: Journey, image: Image) -> None:
    take(journey, "Casks")
    game = journey.embark()
    put(game, "hoard", 2)
    put(game, "behind-bars", 1, "whisper")
    journey.arrive(ended(game, WIN))
    take(journey, "ledgers")
    assert stat(journey.game, "hoard") == 2  # three, but the tip was paid for, in the same step
    game = journey.embark()
    assert stat(game, "hoard") == 2
    game.run()
    assert game.world.mem[image.layout.place + thing(image, "whisper")] == -1
    assert game.world.mem[image.layout.place + thing(image, "eel")] >= 0


def test_kept_hand_is_dealt_in_next_mission(journey: Journey, image: Image) -> None:
    hand = image.kept_zones[-2:]
    assert [image.layout.zone_owner[zone] for zone in hand] == [image.layout.players_low + n for n in (0, 1)]
    take(journey, "Casks")
    game = journey.embark()
    game.run()
    held = [game.world.zones[zone] for zone in hand]
    assert all(len(cards) >= 2 for cards in held)
    journey.arrive(ended(game, LOSE))
    assert [journey.game.world.zones[zone] for zone in hand] == held
    take(journey, "Casks")
    again = journey.embark()
    assert [again.world.zones[zone] for zone in hand] == held
    again.run()
    assert all(len(again.world.zones[zone]) == 3 for zone in hand)  # a limit of three, of which some were there


def test_lost_mission_uses_lost_row(journey: Journey) -> None:
    for lost in range(3):
        assert journey.outcome == "open"
        assert stat(journey.game, "failures") == lost
        take(journey, "Casks")
        journey.arrive(ended(journey.embark(), LOSE))
    assert journey.outcome == "lose"
    assert journey.ask is None


def test_campaign_is_played_to_end(journey: Journey) -> None:
    take(journey, "Casks")
    game = journey.embark()
    put(game, "hoard", 1)
    journey.arrive(ended(game, WIN))
    take(journey, "ledgers")
    journey.arrive(ended(journey.embark(), WIN))
    assert journey.outcome == "win"


def test_bots_play_missions_between_steps(journey: Journey, image: Image) -> None:
    nights = 0
    while journey.ask is not None and nights < 2:
        if journey.mission:
            game = journey.embark()
            play_out(game, [RandomBot(nights), RandomBot(9)])
            journey.arrive(game)
            nights += 1
        else:
            journey.choose(0)
    assert nights == 2


def test_unknown_campaign_is_refused(image: Image) -> None:
    with pytest.raises(CannotStart, match="no campaign `vintners-cellar`"):
        begin_campaign(image, "vintners-cellar", 2, 7)
    with pytest.raises(CannotStart, match="players"):
        begin_campaign(image, "long-winter", 5, 7)


def test_mission_record_contains_start_state(journey: Journey, image: Image) -> None:
    take(journey, "Casks")
    record = journey.voyage()
    assert (record.program, record.mission, record.players) == (image.program.hash, "vintners-cellar", 2)
    assert record.switches == {"tied-lead": "swap"}
    game = journey.embark()
    assert game.world.rng == setup.start_game(image, "vintners-cellar", 2, record.seed, {}).world.rng
    assert journey.voyage() == record


def test_play_without_mission_is_refused(journey: Journey) -> None:
    with pytest.raises(ValueError, match="no mission"):
        journey.embark()
    take(journey, "Casks")
    with pytest.raises(ValueError, match="not over"):
        journey.arrive(journey.embark())


def test_seeds_of_steps_differ_and_repeat(image: Image) -> None:
    seen = []
    for _ in range(2):
        journey = begin_campaign(image, "long-winter", 2, 7)
        chances = []
        for _ in range(2):
            take(journey, "Casks")
            game = journey.embark()
            chances.append(tuple(game.world.rng))
            journey.arrive(ended(game, LOSE))
        seen.append(chances)
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[0][1]


# ── saving ─────────────────────────────────────────────────────────────────────────────────────


def wandered(image: Image, seed: int, decisions: int) -> Journey:
    """Return a journey after random decisions; missions end at random and keep random things."""
    chance = Generator(seed, "wanderer")
    journey = begin_campaign(image, "long-winter", 2, seed)
    for _ in range(decisions):
        if journey.ask is None:
            break
        if journey.mission:
            game = journey.embark()
            game.run()
            put(game, "hoard", chance.below(4))
            put(game, "behind-bars", chance.below(2), "eel")
            journey.arrive(ended(game, WIN if chance.below(3) else LOSE))
        else:
            journey.choose(chance.below(len(journey.ask.options)))
    return journey


@pytest.mark.parametrize("seed", range(12))
def test_campaign_saved_at_any_step_continues_equally(image: Image, seed: int) -> None:
    journey = wandered(image, seed, seed)
    data = json.loads(json.dumps(journey_to_json(journey)))
    resumed = resume(image, data)
    assert resumed.lost == ()
    assert not resumed.migrated
    again = resumed.journey
    assert again is not None
    assert again.kept() == journey.kept()
    assert journey_to_json(again) == data
    fresh = Journey(image, "long-winter", 2, seed, carried=journey.kept(), steps=journey.steps)
    assert fresh.ask == again.ask
    assert fresh.game.digest() == again.game.digest()
    if not journey.mission:
        assert again.ask == journey.ask


def test_saved_campaign_contains_names(image: Image) -> None:
    journey = begin_campaign(image, "long-winter", 2, 7)
    take(journey, "Casks")
    game = journey.embark()
    put(game, "hoard", 2)
    put(game, "behind-bars", 1, "eel")
    journey.arrive(ended(game, WIN))
    assert journey_to_json(journey)["kept"] == {
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


@pytest.mark.parametrize(("carried", "lost"), BAD, ids=[lost for _, lost in BAD])
def test_unknown_name_in_saved_campaign_is_reported(
    image: Image, journey: Journey, carried: dict[str, Any], lost: str
) -> None:
    resumed = resume(image, {**journey_to_json(journey), "kept": carried})
    assert resumed.journey is None
    assert resumed.lost == (lost,)


def test_all_lost_names_are_reported_together(image: Image, journey: Journey) -> None:
    carried: dict[str, Any] = {"thief adder": {}, "table": {"zones": {"tips": ["job heist", "job fraud"]}}}
    resumed = resume(image, {**journey_to_json(journey), "kept": carried})
    assert resumed.lost == ("thief adder", "job heist (tips of table)", "job fraud (tips of table)")


@pytest.mark.parametrize(
    ("changed", "lost"),
    [
        ({"system": "whist"}, "system whist"),
        ({"campaign": "summer"}, "campaign summer"),
        ({"switches": {"tied-lead": "sometimes"}}, "variant tied-lead is sometimes"),
        ({"format": "fcb-campaign/0"}, "it has the format 'fcb-campaign/0'; this fcb reads 'fcb-campaign/1'"),
        ({"steps": "two"}, "it is not a saved campaign of the format fcb-campaign/1"),
        ({"seed": "x"}, "it is not a saved campaign of the format fcb-campaign/1"),
        ({"more": 1}, "it is not a saved campaign"),
    ],
)
def test_removed_variants_are_refused(image: Image, journey: Journey, changed: dict[str, Any], lost: str) -> None:
    assert resume(image, {**journey_to_json(journey), **changed}).lost == (lost,)
    assert resume(image, [1]).lost == ("it is not a saved campaign",)


def test_changed_content_with_same_names_is_accepted(image: Image, journey: Journey) -> None:
    resumed = resume(image, {**journey_to_json(journey), "program": "another"})
    assert resumed.migrated
    assert resumed.journey is not None


# ── kept data ──────────────────────────────────────────────────────────────────────────────────


def test_giving_present_state_changes_nothing(image: Image) -> None:
    game = wandered(image, 5, 9).game
    before = game.digest()
    give(game, carry_over(game))
    assert game.digest() == before


def test_things_are_restored_to_their_zones(image: Image) -> None:
    journey = wandered(image, 3, 4)
    while not journey.mission and journey.ask is not None:
        journey.choose(0)
    game = journey.embark()
    game.run()
    layout = image.layout
    listed = sorted(thing for things in game.world.zones for thing in things)
    assert listed == sorted(t for t in range(layout.body) if game.world.mem[layout.zone + t] > 0)
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("number", range(5))
def test_content_tests_can_set_mission_results(image: Image, number: int) -> None:
    program = image.program
    files = [program.files[program.spans[test.span].file] for test in program.tests]
    tests = [n for n, file in enumerate(files) if file.endswith("winter.fcb")]
    assert run_test(image, tests[number]).failure is None
