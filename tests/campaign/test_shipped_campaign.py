"""The shipped campaign: all its courses are sound, and real games of its missions pass on what they keep."""

from __future__ import annotations

import json

import games
import pytest
import shipped
from shipped import CAMPAIGN, explored

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.campaign.chart import chart
from fcbdsl.play.campaign.dead_ends import stuck_parts
from fcbdsl.play.campaign.exploration import MOST_STATES
from fcbdsl.play.campaign.graph import campaign_graph, can_be_won
from fcbdsl.play.campaign.journey import Journey, begin_campaign
from fcbdsl.play.campaign.saved import journey_to_json, resume
from fcbdsl.play.soak.inspection import Inspector
from fcbdsl.play.soak.soak import Wanderer


@pytest.fixture(scope="module")
def image() -> Image:
    return shipped.image()


def test_shipped_campaign_has_no_problem() -> None:
    exploration = explored()
    assert exploration.whole
    assert len(exploration.states) < MOST_STATES
    assert stuck_parts(exploration) == []
    assert exploration.flaws == []


def test_every_mission_is_reachable_and_end_can_be_won(image: Image) -> None:
    made = campaign_graph(image, explored())
    program = image.program
    rows = [row for row in program.definitions if program.kinds[row.kind].policy == "mission"]
    missions = {row.id for row in rows if "tests/" not in program.files[program.spans[row.span].file]}
    assert len(missions) == 15
    assert {program.definitions[node.mission].id for node in made.nodes if node.mission >= 0} == missions
    assert any(can_be_won(node) for node in made.nodes)
    for language in ("en", "fr"):
        assert chart(image, made, language).endswith("</svg>\n")


def played(game: Game, seed: int) -> Game:
    """Return a mission that was played at random to its end, and inspected at intervals."""
    inspector, wanderer, decisions = Inspector(game.image), Wanderer(seed), 0
    ask = game.run()
    while ask is not None:
        if decisions % 25 == 0:
            assert inspector.look(game, ask, decisions) is None
        game.answer(wanderer.choose(game, ask))
        decisions += 1
        ask = game.run()
    assert inspector.look(game, None, decisions) is None
    return game


def again(image: Image, journey: Journey) -> Journey:
    """The journey saved and taken up again."""
    resumed = resume(image, json.loads(json.dumps(journey_to_json(journey))))
    assert resumed.lost == ()
    assert resumed.journey is not None
    assert resumed.journey.kept() == journey.kept()
    return resumed.journey


@pytest.mark.parametrize("seed", range(3))
def test_played_missions_pass_on_kept_state(image: Image, seed: int) -> None:
    """Random games. The first counts as won, so that the test plays chained missions, too."""
    journey = begin_campaign(image, CAMPAIGN, 2 + seed, seed)
    wanderer = Wanderer(seed + 10)
    for number in range(3):
        while journey.ask is not None and not journey.mission:
            journey.choose(wanderer.choose(journey.game, journey.ask))
            if not journey.mission and journey.ask is not None:
                journey = again(image, journey)
        if journey.ask is None:
            return
        game = played(journey.embark(), seed * 10 + number)
        journey.arrive(game)
        journey = again(image, journey) if journey.ask is not None and not journey.mission else journey


@pytest.mark.parametrize(
    ("figure", "stats", "zones"),
    [
        ("boris", set(), {"weapons", "loot", "stunts", "reactions", "mutations"}),
        ("rosie", {"fled"}, {"loot"}),
    ],
)
def test_chained_missions_pass_on_figure_state(image: Image, figure: str, stats: set[str], zones: set[str]) -> None:
    """FCB-CAMP-08: wounds, markers and cards stay as they are; MP and the rest of a mission start afresh."""
    wounds = {"HP", "Stunned", "Impaired", "Bleeding", "Poison", "Shield"}
    program, layout = image.program, image.layout
    thing = layout.first[[row.id for row in program.definitions].index(figure)]
    names = {program.fields[field].name for field, owner in image.kept_stats if owner == thing}
    assert names == wounds | stats | {"veteran", "along", "extra-HP", "extra-slots"}
    assert {
        row.name for zone, row in enumerate(program.zones) if layout.zone_base[zone] + thing in image.kept_zones
    } >= zones


def test_operation_keeps_only_orders() -> None:
    """FTZ-CAMP-03a: the campaign keeps nothing else."""
    made = games.image("fireteam-zero")
    zones = made.program.zones
    layout = made.layout
    bases = {layout.zone_base[number]: row.name for number, row in enumerate(zones)}
    assert made.kept_stats == []
    assert [bases[zone] for zone in made.kept_zones] == ["orders", "done-orders"]
