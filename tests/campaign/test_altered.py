"""Campaigns that continue by the results of missions: the winner, and changes of kept data."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import DRAW, FAULT, LOSE, WIN
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.campaign.altered import facts_changed_by_missions
from fcbdsl.play.campaign.exploration import explore
from fcbdsl.play.campaign.journey import Journey
from fcbdsl.play.campaign.review import review
from fcbdsl.play.session.playout import play_out
from fcbdsl.project.project import check_project
from tests.campaign.small_campaign import program, sources

CHAIN = """
system chain "Chain":
  board: square
  players: 2
team cats "cats": player 1
team mice "mice": player 2
kind campaign:
  field opening: chapter definition
kind chapter is card:
  field scene: mission definition
  field by-cats: chapter definition, optional
  field by-mice: chapter definition, optional
kind game:
  stat chapter: chapter definition, kept
  stat begun: flag, kept
  stat last: number 0..2, kept
mission cellar "Cellar":
  map square:
    art: |
      +--+
      |. |
      +--+
prospect played "is never played" for chapter: chapter = self's definition
campaign war "War":
  opening: one
chapter one "One":
  scene: cellar
  by-cats: two
  by-mice: three
chapter two "Two":
  scene: cellar
chapter three "Three":
  scene: cellar
"""
BY_VALUE = """
journey:
  if not begun:
    begun becomes yes
    chapter becomes campaign's opening
  if chapter is nothing: win "Over."
  last becomes 0
  play chapter's scene
  if last = 1: chapter becomes chapter's by-cats
  else if last = 2: chapter becomes chapter's by-mice
"""
BY_TEAM = """
journey:
  if not begun:
    begun becomes yes
    chapter becomes campaign's opening
  if chapter is nothing: win "Over."
  play chapter's scene:
    won by cats: chapter becomes chapter's by-cats
    won by mice: chapter becomes chapter's by-mice
"""
KEEPS = """
flow:
  choose one, by player 1:
    "Cats":
      last becomes 1
      win cats "Caught."
    "Mice":
      last becomes 2
      win mice "Gone."
"""


def ends(statement: str) -> str:
    return f"flow: {statement}\n"


def problems_of(text: str) -> list[tuple[str, str]]:
    made = program(text, CHAIN)
    return [(problem.code, problem.message) for problem in review(made, sources(text, CHAIN))]


def test_value_left_by_mission_is_no_dead_end() -> None:
    assert problems_of(BY_VALUE + KEEPS) == []


def test_conditions_without_dead_end_count_as_run() -> None:
    """Otherwise, a cached result would hide that a mission has other effects now."""
    text = BY_VALUE + KEEPS
    made = program(text, CHAIN)
    image = Image(made)
    assert review(made, sources(text, CHAIN), image=image) == []
    assert made.flow in image.ran()


def test_value_left_by_no_mission_is_dead_end() -> None:
    codes = [code for code, _ in problems_of(BY_VALUE + ends('win cats "Caught."'))]
    assert codes == ["FCB1002", "FCB1001", "FCB1001"]


def test_changed_value_does_not_open_unreachable_course() -> None:
    """No course with the last value continues to the third chapter."""
    text = BY_VALUE.replace("last = 2", "last = 7") + KEEPS
    assert problems_of(text) == [("FCB1001", "In every course of the campaign, the chapter `three` is never played.")]


def test_changeable_values_are_written_by_missions_and_read_by_campaign() -> None:
    image = Image(program(BY_VALUE + KEEPS, CHAIN))
    names = [image.program.fields[field].name for field, _ in image.kept_stats]
    left = facts_changed_by_missions(image, explore(image, "war"))
    assert [(names[loss.place], loss.values) for loss in left] == [("last", (0, 1, 2))]


def test_campaign_continues_by_winner() -> None:
    assert problems_of(BY_TEAM + ends('win cats "Caught."')) == []


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('win cats "Caught."', [("won", "cats"), ("won", "mice")]),
        ('lose cats "Starved."', [("won", "cats"), ("won", "mice")]),
        ('win player 1 "Caught."', [("won", "cats"), ("won", "mice")]),
        ('win "Peace."', [("won", "")]),
        ('draw "Nobody."', [("won", ""), ("drawn", "")]),
        ('lose "Fire."', [("won", ""), ("lost", "")]),
    ],
)
def test_ends_that_the_campaign_distinguishes_are_explored_separately(
    statement: str, expected: list[tuple[str, str]]
) -> None:
    made = program(BY_TEAM + ends(statement), CHAIN)
    assert [(row.sort, made.definitions[row.team].id if row.team >= 0 else "") for row in made.endings] == expected


def test_missions_without_winner_rows_are_won_or_lost() -> None:
    assert program(BY_VALUE + KEEPS, CHAIN).endings == ()


@pytest.mark.parametrize(
    ("statement", "chapter"),
    [
        ('win cats "Caught."', "two"),
        ('lose cats "Starved."', "three"),
        ('lose player 2 "Caught."', "two"),
        ('win mice "Gone."', "three"),
    ],
)
def test_row_of_winner_is_used(statement: str, chapter: str) -> None:
    image = Image(program(BY_TEAM + ends(statement), CHAIN))
    journey = Journey(image, "war", 2, 1)
    assert journey.mission == "cellar"
    mission = journey.embark()
    mission.run()
    journey.arrive(mission)
    (place,) = [n for n, (field, _) in enumerate(image.kept_stats) if image.program.fields[field].name == "chapter"]
    assert image.program.definitions[journey.kept().values[place]].id == chapter


def test_mission_end_without_a_rule_is_a_fault() -> None:
    """A flow that runs out is a draw, and nothing in the game speaks of one."""
    image = Image(program(BY_TEAM + 'flow:\n  if begun: nothing\n  else: win cats "Caught."\n', CHAIN))
    journey = Journey(image, "war", 2, 1)
    mission = journey.embark()
    mission.run()
    assert mission.world.outcome == DRAW
    journey.arrive(mission)
    assert journey.game.world.outcome == FAULT
    assert "the `play` of this mission has no row for this result" in str(journey.game.world.fault)


TOGETHER = """
flow:
  if begun:
    for each player: ending of player becomes 1
    win player where it's ending = 1 "Both."
  else: win cats "Caught."
"""
ENDING = CHAIN.replace("kind game:", "kind player:\n  stat ending: number 0..\nkind game:")
BOTH_ROWS = BY_TEAM + "    won: chapter becomes nothing\n"


def test_shared_win_uses_row_for_every_win() -> None:
    image = Image(program(BOTH_ROWS + TOGETHER, ENDING))
    journey = Journey(image, "war", 2, 1)
    mission = journey.embark()
    mission.run()
    assert (mission.world.outcome, len(mission.world.others)) == (WIN, 1)
    journey.arrive(mission)
    chapters = [n for n, (field, _) in enumerate(image.kept_stats) if image.program.fields[field].name == "chapter"]
    assert [journey.kept().values[place] for place in chapters] == [-1]


def test_beast_campaign_continues_by_results() -> None:
    model, _ = check_project([Path(__file__).parents[1] / "systems" / "foxhunt"])
    image = Image(lower(model))
    names = [row.id for row in image.program.definitions]
    foxes = image.layout.first[names.index("foxes")]
    (place,) = [n for n, (field, _) in enumerate(image.kept_stats) if image.program.fields[field].name == "next"]
    seen = set()
    for seed in range(12):
        journey = Journey(image, "autumn", 3, seed)
        assert journey.ask is not None
        journey.choose(0)
        mission = journey.embark()
        play_out(mission, [RandomBot(seed + seat) for seat in range(3)])
        assert mission.world.outcome in (WIN, DRAW, LOSE)
        journey.arrive(mission)
        wanted = "first-hunt"
        if mission.world.outcome == WIN:
            wanted = "moor" if mission.world.side == foxes else "last-hunt"
        seen.add(wanted)
        assert names[journey.kept().values[place]] == wanted
    assert seen == {"first-hunt", "moor", "last-hunt"}


LOG = CHAIN.replace(
    "kind game:",
    'kind note is card:\n  copies: 1\nnote burned "Burned"\nnote freed "Freed"\n'
    'zone log "log" of note: any, kept\nprospect noted "is never noted" for note: self in log\nkind game:',
)
NOTES = """
journey:
  if not begun:
    begun becomes yes
    chapter becomes campaign's opening
  if chapter is nothing: win "Over."
  play chapter's scene
  if chapter is campaign's opening: chapter becomes chapter's by-cats
  else if burned in log: chapter becomes campaign's opening's by-mice
  else: chapter becomes nothing
"""


def notes(journey: str, flow: str) -> list[str]:
    made = program(journey + flow, LOG)
    return [problem.message for problem in review(made, sources(journey + flow, LOG))]


def test_cards_in_kept_zone_open_branches() -> None:
    assert notes(NOTES, 'flow:\n  put burned into log\n  win "Caught."\n') == []


def test_unused_kept_zone_keeps_its_cards() -> None:
    texts = notes(NOTES, 'flow:\n  win "Caught."\n')
    assert [text for text in texts if "is never noted" in text] != []
    assert [text for text in texts if "three" in text] != []
