"""The graph of a campaign follows from its courses, and is drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.campaign.chart import chart
from fcbdsl.play.campaign.exploration import explore
from fcbdsl.play.campaign.graph import Graph, campaign_graph, can_be_won
from fcbdsl.project.project import check_project
from tests.campaign.small_campaign import program

FOLDER = Path(__file__).parents[1] / "cases" / "campaigns"
SYSTEM = (FOLDER / "system.fcb").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def image() -> Image:
    return Image(program((FOLDER / "sound.fcb").read_text(encoding="utf-8"), SYSTEM))


@pytest.fixture(scope="module")
def made(image: Image) -> Graph:
    return campaign_graph(image, explore(image, "journey"))


def name(image: Image, number: int) -> str:
    return image.program.definitions[number].id


def test_campaign_graph_has_places_and_arrows(image: Image, made: Graph) -> None:
    assert [name(image, node.definition) for node in made.nodes] == ["journey", "village", "bridge", "tower", "coast"]
    arrows = [(name(image, arrow.before), name(image, arrow.after), arrow.mission) for arrow in made.arrows]
    assert arrows == [
        ("village", "bridge", "won"),
        ("village", "tower", "won"),
        ("tower", "coast", ""),
    ]


def test_incoming_mission_is_beside_its_place(image: Image, made: Graph) -> None:
    brings = {name(image, n.definition): [name(image, what) for what, _ in n.brings] for n in made.nodes}
    assert brings["tower"] == ["seal"]
    assert brings["bridge"] == ["toll"]
    assert brings["coast"] == []


def test_missions_and_endings_are_grouped_by_place(image: Image, made: Graph) -> None:
    missions = {name(image, n.definition): n.mission for n in made.nodes}
    assert name(image, missions["village"]) == "skirmish"
    assert missions["bridge"] == -1
    assert [name(image, node.definition) for node in made.nodes if can_be_won(node)] == ["coast"]


def test_graph_boxes_do_not_overlap(image: Image, made: Graph) -> None:
    svg = chart(image, made, "en", {"skirmish": "#123456"})
    root = ElementTree.fromstring(svg)
    boxes = [rect for rect in root.iter("{http://www.w3.org/2000/svg}rect") if rect.get("class") == "box"]
    places = [tuple(int(rect.get(side) or 0) for side in ("x", "y", "width", "height")) for rect in boxes]
    assert len(places) == len(made.nodes)
    for at, (x, y, width, height) in enumerate(places):
        for other_x, other_y, *_ in places[at + 1 :]:
            assert not (x <= other_x < x + width and y <= other_y < y + height)
    assert svg.count("#123456") == 2  # the village and the coast are fought for
    assert svg.count('<path class="way') == len(made.arrows)
    assert svg.count('<path class="key"') == 1, "the bridge brings what the coast asks for"


def test_poster_is_portrait_and_names_difficulty(image: Image, made: Graph) -> None:
    svg = chart(image, made, "en", {"skirmish": "#f2c200"}, {"skirmish": "yellow"})
    root = ElementTree.fromstring(svg)
    boxes = [rect for rect in root.iter("{http://www.w3.org/2000/svg}rect") if rect.get("class") == "box"]
    assert len({rect.get("y") for rect in boxes}) == 4, "one row for each step"
    assert "Skirmish (yellow)" in svg
    assert svg.count('style="fill: #14171a">') == 2, "dark letters on the light colour"
    assert "opens up" in svg, "each sort of line is explained"


def test_graph_is_deterministic(image: Image, made: Graph) -> None:
    assert chart(image, made) == chart(image, campaign_graph(image, explore(image, "journey")))


def test_graph_names_winner_of_each_arrow() -> None:
    """What is open is a definition that a kept stat names."""
    model, _ = check_project([FOLDER.parents[1] / "systems" / "foxhunt"])
    season = Image(lower(model))
    graph = campaign_graph(season, explore(season, "autumn"))
    arrows = {
        (name(season, arrow.before), name(season, arrow.after), name(season, arrow.by) if arrow.by >= 0 else "")
        for arrow in graph.arrows
    }
    assert arrows == {
        ("autumn", "first-hunt", ""),
        ("first-hunt", "last-hunt", "hounds"),
        ("first-hunt", "moor", "foxes"),
        ("moor", "last-hunt", "hounds"),
    }
    for language, words in (("en", "won by foxes"), ("fr", "victoire\u00a0: renards")):
        assert words in chart(season, graph, language)
