"""Named endings of missions: in play, in campaigns, in reports and on sheets."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.loading import load_game
from fcbdsl.machine.vm.saving import BadSave, save
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import LOST, WON
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.campaign.chart import chart
from fcbdsl.play.campaign.exploration import explore
from fcbdsl.play.campaign.graph import campaign_graph
from fcbdsl.play.campaign.journey import Journey, begin_campaign
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.playout import Record, play_out
from fcbdsl.play.session.view import View
from fcbdsl.play.simulation.cell_statistics import Tally, cell_summary
from fcbdsl.play.simulation.games import Matchup, play_once
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.print.pieces.sheets import sheet_of
from fcbdsl.project.project import check_project
from fcbdsl.tools.reports.simulation_text import simulation_report
from tests.campaign.small_campaign import program

TOY = Path(__file__).parents[1] / "systems" / "attic"
POUR, SEARCH = 0, 1


@pytest.fixture(scope="module")
def model() -> Model:
    model, problems = check_project([TOY])
    assert [problem.message for problem in problems] == []
    return model


@pytest.fixture(scope="module")
def image(model: Model) -> Image:
    program = lower(model, tests=True)
    assert verify_program(program) == []
    return Image(program)


def thing(image: Image, id: str) -> int:
    return image.layout.first[[row.id for row in image.program.definitions].index(id)]


def played(image: Image, mission: str, *choices: int) -> Game:
    """Return a game of one player after some decisions."""
    game = setup.start_game(image, mission, 1, 1)
    game.run()
    for choice in choices:
        game.answer(choice)
        game.run()
    return game


def after(journey: Journey, *choices: int) -> Journey:
    """Return a journey after its mission was played with some decisions."""
    game = journey.embark()
    game.run()
    for choice in choices:
        game.answer(choice)
        game.run()
    journey.arrive(game)
    return journey


def kept(journey: Journey) -> dict[str, int]:
    """Return the kept numbers of a journey by name."""
    fields = journey.image.program.fields
    values = zip(journey.image.kept_stats, journey.kept().values, strict=True)
    return {fields[field].name: value for (field, _), value in values}


# ── play ───────────────────────────────────────────────────────────────────────────────────────


def test_content_tests_expect_endings(image: Image) -> None:
    failures = [run_test(image, number).failure for number in range(len(image.program.tests))]
    assert failures == [None] * 6


def test_game_remembers_its_ending(image: Image) -> None:
    assert played(image, "attic", SEARCH, SEARCH).world.ending == -1
    assert played(image, "attic", SEARCH, SEARCH, SEARCH).world.ending == thing(image, "dark")
    assert played(image, "attic", POUR, POUR, POUR).world.ending == thing(image, "fire")


def test_end_is_shown_with_title_reason_and_story(image: Image) -> None:
    burned = played(image, "attic", POUR, POUR, POUR)
    assert View(image).outcome(burned) == "Lost: The House Burns. The lamp fell. By morning there is only ash."
    french = View(image, "fr").outcome(burned)
    assert french == ("Défaite\u00a0: La maison brûle. La lampe est tombée. Au matin, il ne reste que des cendres.")


def test_ending_without_story_and_reason_is_its_title(image: Image) -> None:
    assert View(image).outcome(played(image, "cellar", POUR, POUR)) == "Lost: The Water Rises"


def test_saved_game_keeps_its_ending(image: Image) -> None:
    game = played(image, "attic", POUR, POUR, POUR)
    saved = save(game)
    assert load_game(image, saved).world.ending == thing(image, "fire")
    assert load_game(image, saved).digest() == game.digest() == game.clone().digest()
    plain = played(image, "attic", SEARCH)
    assert "ending" not in save(plain)
    assert load_game(image, save(plain)).world.ending == -1
    assert isinstance(saved, dict)
    with pytest.raises(BadSave):
        load_game(image, {**saved, "ending": thing(image, "attic")})


def test_replay_of_log_reaches_same_ending(image: Image) -> None:
    record = Record(image.program.hash, "attic", 1, 3, {})
    first = setup.start_game(image, "attic", 1, 3)
    play_out(first, [RandomBot(3)], record)
    again = setup.start_game(image, "attic", 1, 3)
    again.run()
    for choice in record.decisions:
        again.answer(choice)
        again.run()
    assert (again.world.ending, again.digest()) == (first.world.ending, first.digest())


# ── campaigns ──────────────────────────────────────────────────────────────────────────────────


def test_each_mission_offers_its_own_results(image: Image) -> None:
    journey = begin_campaign(image, "nights", 1, 7)
    assert journey.ask is not None
    attic = journey.ask.options[0][1]
    dark, fire = thing(image, "dark"), thing(image, "fire")
    assert {*journey.ask.options} == {(LOST, attic), (WON, attic, -1, dark), (LOST, attic, -1, fire)}
    assert all(image.is_option("mission", option) for option in journey.ask.options)
    assert not image.is_option("mission", (WON, attic, -1, attic))
    assert not image.is_option("mission", (WON, attic, dark, fire))
    names = Names(image, "fr").options(journey.game, journey.ask.options)
    assert "Le Grenier\u00a0: mission gagnée\u00a0: Dans le noir" in names
    after(journey, SEARCH, SEARCH, SEARCH)
    assert journey.ask is not None
    results = {option[0] for option in journey.ask.options}, {option[3:] for option in journey.ask.options}
    assert results == ({WON, LOST}, {(), (thing(image, "flood"),)})


def test_row_of_ending_runs(image: Image) -> None:
    assert kept(after(begin_campaign(image, "nights", 1, 7), SEARCH, SEARCH, SEARCH)) == {"stage": 1, "burned": 0}
    assert kept(after(begin_campaign(image, "nights", 1, 7), POUR, POUR, POUR)) == {"stage": 1, "burned": 1}


def test_result_without_ending_runs_general_row(image: Image) -> None:
    journey = after(begin_campaign(image, "nights", 1, 7), 2, 2, 2, 2)
    assert journey.outcome == "lose"
    assert View(image).outcome(journey.game) == "Lost: Nobody came back."


def test_exploration_follows_each_ending(image: Image) -> None:
    explored = explore(image, "nights")
    assert explored.whole
    fields = [image.program.fields[field].name for field, _ in image.kept_stats]
    states = [dict(zip(fields, state.values, strict=True)) for state in explored.states]
    assert {"stage": 1, "burned": 1} in states
    assert {"stage": 1, "burned": 0} in states


BRANCHES = """
ending left "Left" for hill
ending right "Right" for hill
place west "West":
  scene: hill
place east "East":
  scene: hill
place start "Start":
  scene: hill
campaign trek "Trek":
  first: start
flow:
  choose one:
    "Left": win as left
    "Right": win as right
journey:
  if size of chart = 0: put start into chart
  choose next: place in chart where seen = 0
  next's seen +1
  if next is start:
    play start's scene:
      won as left: put west into chart
      won as right: put east into chart
  else: win "There."
"""


def test_graph_labels_ways_with_endings() -> None:
    image = Image(program(BRANCHES))
    graph = campaign_graph(image, explore(image, "trek"))
    ids = [row.id for row in image.program.definitions]
    arrows = {(ids[arrow.before], ids[arrow.after], arrow.mission, arrow.ending) for arrow in graph.arrows}
    assert ("start", "west", "won", ids.index("left")) in arrows
    assert ("start", "east", "won", ids.index("right")) in arrows
    picture = chart(image, graph)
    assert ">Left<" in picture
    assert ">Right<" in picture


TEAMS = """
team cats "cats": player 1
team mice "mice": other players
ending dusk "Dusk"
campaign trek "Trek"
kind game:
  stat last: number 0.., kept
flow:
  choose one, by player 1:
    "Cats": win cats as dusk
    "Mice": win mice as dusk
    "Plain": win mice "Plain."
    "Lose": lose cats as dusk
journey:
  if last > 0: win "Over."
  play hill:
    won by mice as dusk: last becomes 1
    won as dusk: last becomes 2
    won by mice: last becomes 3
    won: last becomes 4
"""


@pytest.mark.parametrize(("choice", "last"), [(0, 2), (1, 1), (2, 3), (3, 1)])
def test_rows_tell_teams_apart(choice: int, last: int) -> None:
    image = Image(program(TEAMS))
    journey = begin_campaign(image, "trek", 2, 1)
    game = journey.embark()
    game.run()
    game.answer(choice)
    game.run()
    assert journey.ask is not None
    journey.arrive(game)
    fields = [image.program.fields[field].name for field, _ in image.kept_stats]
    assert dict(zip(fields, journey.kept().values, strict=True))["last"] == last


def test_ending_of_own_kind_is_no_named_ending() -> None:
    plain = program('kind ending is card\nending dusk "Dusk"\nflow: win "Over."')
    assert plain.endings == ()


# ── reports and print ──────────────────────────────────────────────────────────────────────────


def test_simulation_counts_endings(image: Image) -> None:
    cell = Matchup("attic", 1, bot="random")
    playouts = [play_once(image, cell, seed) for seed in range(30)]
    summary = cell_summary(image.program, cell, Tally(playouts), "en")
    counted = {end.ending: end.games for end in summary.ends if end.ending}
    ids = {"Into the Dark": "dark", "The House Burns": "fire"}
    assert counted
    assert counted == {
        title: games for title, id in ids.items() if (games := sum(playout.ending == id for playout in playouts))
    }
    assert summary.missed == tuple(title for title in ids if title not in counted)
    lines = simulation_report(image.program, [summary], "en").split("\n")
    assert any("loss: The House Burns. The lamp fell." in line for line in lines)


def test_simulation_lists_endings_that_no_game_reached(image: Image) -> None:
    cell = Matchup("attic", 1, bot="first")
    summary = cell_summary(image.program, cell, Tally([play_once(image, cell, 1)]), "fr")
    assert "Dans le noir" in summary.missed
    report = simulation_report(image.program, [summary], "fr")
    assert f"fins qu’aucune partie n’a atteintes\u00a0: {', '.join(summary.missed)}" in report


def test_win_of_a_campaign_is_no_aim_of_its_missions(image: Image) -> None:
    cell = Matchup("attic", 1, bot="random")
    summary = cell_summary(image.program, cell, Tally([play_once(image, cell, seed) for seed in range(4)]), "en")
    assert [aim.titles for aim in summary.aims] == [("oil",)]


@pytest.mark.parametrize(
    ("language", "title", "rule", "words"),
    [
        (
            "en",
            "Endings",
            "Whenever the oil is at 0: you win with the ending “Into the Dark”. The last lamp went out.",
            "Into the Dark. You crawl out through the roof. Nobody sees you.",
        ),
        (
            "fr",
            "Fins",
            "Chaque fois que l’huile est à 0 : vous gagnez avec la fin « Dans le noir ». "
            "La dernière lampe s’est éteinte.",
            "Dans le noir. Vous sortez par le toit. Personne ne vous voit.",
        ),
    ],
)
def test_sheet_prints_endings(model: Model, language: str, title: str, rule: str, words: str) -> None:
    sheet, problems = sheet_of(model.definitions["mission", "attic"], model, language)
    assert problems == []
    sections = {
        section.title: [text.plain().replace("\u00a0", " ") for text in section.text] for section in sheet.sections
    }
    assert [words] == sections[title][:1]
    assert any(rule in text for text in [text for texts in sections.values() for text in texts])
    other, _ = sheet_of(model.definitions["mission", "cellar"], model, language)
    titles = [text.plain().strip() for section in other.sections if section.title == title for text in section.text]
    assert titles == [{"en": "The Water Rises.", "fr": "L’eau monte."}[language]]
