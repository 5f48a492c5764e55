"""The report of many games as a page: whole, well-formed, the same for any number of processes, in both languages."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from chromium import AXE, Browser
from cli_runner import Shell
from hypothesis import given
from hypothesis import strategies as st
from pond_game import image, pond

from fcbdsl.base import locales
from fcbdsl.machine.vm.program import Board, Cell
from fcbdsl.play.session.story import Heading, StoryLine
from fcbdsl.play.simulation.cell_statistics import Tally, cell_summary
from fcbdsl.play.simulation.games import Matchup, play_once
from fcbdsl.play.simulation.telling import shorten_story
from fcbdsl.tools.reports import simulation_page, wording
from fcbdsl.tools.reports.charts import MOST_BARS, SHADES, heat_map, histogram, shade_of, steps_of
from fcbdsl.tools.reports.simulation_page import render_simulation_page

WORDS = locales.interface_texts("report", "fr")
ASKED = ("simulate", "crossing", "--games", "12", "--bot", "random")


def page(project: Shell, *more: str) -> str:
    done = project.fcb(*ASKED, *more, "--format", "html")
    assert done.code in (0, 1)
    return done.out


def tree(text: str) -> ElementTree.Element:
    """Return the page as XML; elements that HTML may leave open are closed."""
    closed = re.sub(r"<(meta [^>]*|br)>", r"<\1/>", text.removeprefix("<!doctype html>\n"))
    return ElementTree.fromstring(closed)


def text_of(of: ElementTree.Element) -> str:
    return " ".join("".join(of.itertext()).split())


@pytest.mark.long
def test_report_page_is_equal_for_any_number_of_processes(project: Shell) -> None:
    text = page(project, "-j", "1")
    assert page(project, "-j", "3") == text
    whole = text_of(tree(text))
    for part in ("At a glance", "How games ended", "The heron wakes.", "Hop", "Never entered: B2", "care", "seed"):
        assert part in whole, part
    assert not re.search(r"<script|https?:|src=|@import|url\(", text)
    assert all(line == line.rstrip() for line in re.findall(r"<p.*", text))


@pytest.mark.long
def test_report_page_shows_impact_of_actions(project: Shell) -> None:
    data = json.loads(project.fcb(*ASKED, "-j", "1", "--worth", "12", "--format", "json").out)
    whole = tree(page(project, "-j", "1", "--worth", "12"))
    tables = [table for table in whole.iter("table") if table.get("class") == "worths"]
    rows = [text_of(row) for table in tables for row in table.iter("tr") if row.get("class") is None and len(row) == 5]
    assert len([row for row in rows if "Points" not in row]) == sum(len(setup["worths"]) for setup in data)
    assert "Impact of each action and card" in text_of(whole)
    assert "--worth 100" in text_of(tree(page(project, "-j", "1")))
    assert "Effet de chaque action et carte" in text_of(tree(page(project, "-j", "1", "--worth", "12", "--lang", "fr")))


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Where pieces left the board: "), ("fr", "ont quitté le plateau")]
)
def test_spaces_that_pieces_left_have_a_map(language: str, title: str) -> None:
    cell = Matchup("crossing", 2, bot="random")
    game = replace(play_once(image(), cell, 1), left={"frog": {"A1": 3, "B2": 1}})
    tally = Tally([game, game])
    summary = cell_summary(pond(), cell, tally, language)
    whole = tree(render_simulation_page(pond(), [(summary, tally)], {}, {}, language, 1))
    details = [row for row in whole.iter("details") if title in text_of(row)]
    titles = {text.text for row in details for text in row.iter("title")}
    assert len(details) == 1
    assert {"6", "2", "0"} == {(text or "").rpartition(":")[2].strip() for text in titles}


@pytest.mark.long
def test_map_counts_equal_data(project: Shell) -> None:
    data = json.loads(project.fcb(*ASKED, "-j", "1", "--format", "json").out)
    shapes = [div for div in tree(page(project, "-j", "1")).iter("div") if div.get("class") == "map"]
    counts = []
    for setup in data:
        happened = [event["spaces"] for event in setup["events"] if event["spaces"]]
        everywhere = [{name: times.get(name, 0) for name in setup["spaces"]} for times in happened]
        counts += [setup["spaces"], setup["stood"], *setup["left"].values(), *everywhere]
    for counted, shape in zip(counts, shapes, strict=True):
        titles = [title.text for title in shape.iter("title")]
        assert titles == [f"{name}: {times}" for name, times in counted.items()]
        written = {space[-1].text: int(space[-2].text or "") for space in shape.iter("g")}
        assert written == counted


@pytest.mark.long
def test_report_page_shows_events_and_tracks(project: Shell) -> None:
    system = project.folder / "systems" / "pond.fcb"
    text = system.read_text(encoding="utf-8")
    text = text.replace(
        "  form: who croaks\n", '  form: who croaks\n  text en: "{who} croaks"\n  text fr: "{who} coasse"\n'
    )
    text = text.replace('stat leaps "leaps": number 0..\n', 'stat leaps "leaps": number 0.., heads stories\n')
    text = text.replace('"Loudly", fr "Fort": announce croak self', '"Loudly", fr "Fort": scare')
    text += "\nverb scare:\n  effect:\n    announce croak self\n    for each frog: frog's energy becomes 0\n"
    system.write_text(text, encoding="utf-8")
    whole = tree(page(project, "-j", "1", "--players", "2", "--lang", "fr"))
    cards = {text_of(card)[:30]: card for card in whole.iter("div") if "card" in (card.get("class") or "").split()}
    happened = next(card for name, card in cards.items() if name.startswith("Événements, et où"))
    assert re.search(r"… coasse – \d,\d par partie, dans \d+ parties?", text_of(happened))
    assert next(happened.iter("svg")) is not None
    taken = text_of(next(card for name, card in cards.items() if name.startswith("Changements causés")))
    assert re.search(r"énergie : Rainette ?Grenouille verte ?\d,\d ?–", taken)
    tracks = next(card for name, card in cards.items() if name.startswith("Pistes en fin"))
    assert [path.get("class") for path in tracks.iter("path")] == ["spread", "middle"]


def test_report_page_is_in_requested_language(project: Shell) -> None:
    text = page(project, "-j", "1", "--players", "1", "--lang", "fr")
    whole = text_of(tree(text))
    assert '<html lang="fr">' in text
    for part in (
        "Le héron se réveille.",
        "Sauter",
        "Durée des parties",
        "La partie la plus courte",
        "intervalle à 95\u202f%",
    ):
        assert part.replace("\u202f", " ") in whole.replace("\u202f", " "), part
    assert not re.search(r"\w[ ][;:!?%]", " ".join(wording.report_text("fr", word, *"123456") for word in WORDS))


def test_report_page_escapes_titles(project: Shell) -> None:
    system = project.folder / "systems" / "pond.fcb"
    system.write_text(
        system.read_text(encoding="utf-8").replace('action hop "Hop"', 'action hop "<b>&Hop"'), encoding="utf-8"
    )
    text = page(project, "-j", "1", "--players", "1")
    assert "&lt;b&gt;&amp;Hop" in text
    assert "<b>&amp;Hop" not in text
    assert "<b>&Hop" in text_of(tree(text))


def test_target_band_is_drawn_and_judged(project: Shell) -> None:
    with (project.folder / "fcb.toml").open("a", encoding="utf-8") as file:
        file.write('\n[wins]\nall = "98%..100%"\n')
    text = page(project, "-j", "1", "--players", "1", "--gate")
    assert '<rect class="band" x="352.8" y="2" width="7.2"' in text
    assert "✗ outside the target band" in text_of(tree(text))


@pytest.mark.long
def test_report_shows_some_games_and_names_the_others(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_page, "MOST_TOLD", 1)
    text = page(project, "-j", "1", "--players", "1")
    stories = [
        details
        for details in tree(text).iter("details")
        if any(div.get("class") == "story" for div in details.iter("div"))
    ]
    assert len(stories) == 3
    assert re.search(r"The shortest game – seed \d+, \d+ decisions? (Won|Lost): ", text_of(stories[0]))
    assert len(list(stories[0].iter("p"))) > 3
    command = "fcb play crossing --bot random --players 1 --seed {} --lang en --transcript -"
    for story in stories[1:]:
        seed = re.search(r"seed (\d+)", text_of(story))
        assert seed is not None
        assert command.format(seed[1]) in text_of(story)
    assert project.fcb(*command.format(seed[1]).split()[1:]).code == 0


def test_report_cuts_the_middle_of_a_long_game_and_repeats_headings() -> None:
    entries: list[Heading | StoryLine] = []
    for number in range(9):
        if number % 3 == 0:
            entries.append(Heading(1, f"Round {number // 3}", number))
        entries.append(StoryLine(number, 1, 0, f"line {number}", "", ()))
    beginning, cut, end = shorten_story(entries, 2, 2)
    assert [entry.text for entry in beginning] == ["Round 0", "line 0", "line 1"]
    assert cut == 5
    assert [entry.text for entry in end] == ["Round 2", "line 7", "line 8"]
    assert shorten_story(entries, 5, 4) == (tuple(entries), 0, ())


@given(st.lists(st.integers(-50, 5000), min_size=1, max_size=60))
def test_histogram_counts_each_value_once(values: list[int]) -> None:
    drawn = histogram(Counter(values))
    assert len(drawn.bars) <= MOST_BARS
    assert sum(bar.games for bar in drawn.bars) == len(values)
    for bar in drawn.bars:
        assert bar.games == sum(bar.low <= value <= bar.high for value in values)
    assert min(values) <= drawn.bars[0].high
    assert max(values) >= drawn.bars[-1].low


@given(st.integers(0, 5000))
def test_shades_follow_counts(most: int) -> None:
    steps = steps_of(most)
    assert [low for _, low, _ in steps[1:]] == [high + 1 for _, _, high in steps[:-1]]
    assert shade_of(0, most) == -1
    if most:
        assert (steps[0][1], steps[-1][2], shade_of(most, most)) == (1, most, len(SHADES) - 1)


def lightness(color: str) -> float:
    """The relative luminance of a color (WCAG 2)."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_shades_differ_without_color() -> None:
    steps = [lightness(fill) + 0.05 for fill, _ in SHADES]
    assert all(light / dark > 1.25 for light, dark in pairwise(steps))
    for fill, ink in SHADES:
        low, high = sorted((lightness(fill) + 0.05, lightness(ink) + 0.05))
        assert high / low >= 4


def test_areas_have_shapes_of_mission_sheet() -> None:
    around = ((0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2))
    cells = (Cell("a", 0, 0, covers=around), Cell("b", 1, 1, covers=((1, 1),)), Cell("c", 3, 0, covers=((3, 0),)))
    drawn = heat_map(pond(), Board("areas", cells, ((1, 0, 0),), ((0, 1, -1), (0, 2, -1))), {"a": 1, "b": 2, "c": 0})
    assert not drawn.net
    rim, hole = drawn.spaces[0].outlines
    assert len(rim) == len(hole) == 4
    assert set(hole) == set(drawn.spaces[1].outlines[0])
    assert {point for line in drawn.lines for point in line} == set(hole)  # the barrier between a and b
    assert drawn.spaces[0].path.count("Z") == 2


def test_graph_map_follows_the_compass_as_print_does() -> None:
    first = len(pond().texts)
    named = ({"en": "north"}, {"en": "east"}, {"en": "south"}, {"en": "west"})
    program = replace(pond(), texts=(*pond().texts, *named), directions=tuple(range(first, first + 4)))
    cells = (Cell("dock", 0, 0), Cell("mill", 1, 0), Cell("attic", 2, 0), Cell("well", 3, 0))
    board = Board("graph", cells, links=((0, 1, 1), (1, 2, 0), (3, 0, 0), (2, 3, -1)))
    drawn = heat_map(program, board, dict.fromkeys(("dock", "mill", "attic", "well"), 1))
    dock, mill, attic, well = (space.middle for space in drawn.spaces)
    assert dock[0] < mill[0]
    assert abs(dock[1] - mill[1]) < 1
    assert attic[1] < mill[1] < well[1]


def test_graph_map_is_drawn_by_its_links() -> None:
    cells = (Cell("dock", 0, 0), Cell("a-place-with-a-long-name", 1, 0), Cell("attic", 2, 0))
    board = Board("graph", cells, links=((0, 1, -1), (1, 0, -1), (1, 2, -1)))
    drawn = heat_map(pond(), board, {"dock": 0, "a-place-with-a-long-name": 7, "attic": 1})
    middles = [space.middle for space in drawn.spaces]
    assert drawn.lines == ((middles[0], middles[1]), (middles[1], middles[2]))
    assert len(set(middles)) == 3
    assert [space.short for space in drawn.spaces] == ["dock", "a-place-with-a…", "attic"]
    assert [space.times for space in drawn.spaces] == [0, 7, 1]
    number = next(at for at, text in enumerate(pond().texts) if text.keys() >= {"en", "fr"})
    titled = replace(board, cells=(replace(cells[0], title=number), *cells[1:]))
    for language in ("en", "fr"):
        assert heat_map(pond(), titled, {"dock": 1}, language).spaces[0].title == pond().texts[number][language]


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_games_open_by_click(project: Shell, browser: Browser, width: int, language: str) -> None:
    project.fcb(*ASKED, "--format", "html", "--lang", language, "-o", "report.html")
    browser.size(width, 900)
    browser.go((project.folder / "report.html").as_uri())
    assert browser.see("document.documentElement.scrollWidth") <= width
    stories = browser.see("document.querySelectorAll('.story').length")
    assert stories > 2
    for number in range(stories):
        story = f"document.querySelectorAll('.story')[{number}]"
        assert not browser.see(f"{story}.checkVisibility()")
        browser.click(f"{story}.parentElement.querySelector('summary')")
        browser.wait(f"{story}.checkVisibility() && {story}.innerText.length > 100")
    assert browser.see("document.documentElement.scrollWidth") <= width
    assert browser.complaints == []


@pytest.mark.long
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (make axe)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_report_page_is_accessible(project: Shell, browser: Browser, scheme: str) -> None:
    project.fcb(*ASKED, "--worth", "12", "--format", "html", "-o", "report.html")
    for width in (390, 1400):
        browser.size(width, 900, scheme)
        browser.go((project.folder / "report.html").as_uri())
        browser.see("document.querySelectorAll('details').forEach(one => { one.open = true })")
        assert (width, browser.violations()) == (width, "")
