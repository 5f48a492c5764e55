"""Conditions that can never hold, gaps between conditions, and definitions without copies are found."""

from __future__ import annotations

import pytest
from small import checked

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.dead import NeverMet, NeverTaken, NoneApplies, NoneThere, TooFewCopies
from fcbdsl.language.model.checks.outcomes import outcomes


def found(text: str) -> list[Diagnostic]:
    """Return the findings in a text without errors, except warnings about its tracks."""
    model, problems = checked(text)
    assert [one for one in problems if one.severity == "error"] == []
    return list(outcomes(model))


@pytest.mark.parametrize("cls", [NeverMet, NeverTaken, NoneApplies, NoneThere, TooFewCopies], ids=lambda cls: cls.code)
def test_diagnostic_examples_show_mistake_and_fix(cls: type[Diagnostic]) -> None:
    assert {one.code for one in found(cls.bad)} == {cls.code}
    assert found(cls.good) == []


MISSION = """
kind hero is piece:
  field max-HP: number 1..
  field armor: number 0.., default 1
  stat HP: number 0.., starts max-HP
kind mission:
  field objective: condition, default yes, attainable
mark gate
hero bo "Bo":
  copies: 2
  max-HP: 3
measure damage:
  takes: of a (hero)
  gives: number
  value: a's max-HP - a's HP
flow: raise power; raise heat
mission m "M":
  objective: {}
  map square:
    art: |
      +--+
      |. |
      +--+
  gauge power "Power":
    range: 0..3
  gauge heat "Heat":
    range: 1..2
"""
OBJECTIVES = {
    "power's value > 3": True,
    "power's value >= 3": False,
    "power's value + heat's value = 6": True,
    "power's value + heat's value = 5": False,
    "power's value = 2 and power's value = 3": True,  # each of them can hold
    "power's value = 2 or power's value = 4": False,
    "heat's value < 1 or any hero": False,  # an unknown condition may hold
    "not heat's value >= 1": True,
    "any hero where it's HP < 0": True,
    "any hero where it's HP > 99": False,  # something may raise it
    "number of (hero where it's armor < 0) >= 1": True,
    "any hero where damage of it > 500": False,
    "power's value * 2 = 6": False,
    "power's value * 2 > 6": True,
    "any hero where it's HP / 2 > 20": False,
    "number of hero >= 3": True,  # there are two
    "number of (hero where it's HP = 0) = 2": False,
    "number of hero > 1 + heat's value": True,
    "number of space > 1": True,  # the map has one
    "number of space = 1": False,
    "number of (space marked gate) > 0": True,
    "not number of hero > 2": False,
    "number of (hero where it's HP > 0) + number of (hero where it's HP = 0) > 4": True,
    "number of player > 1": True,  # this game is for one
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_objective_beyond_ranges_is_error(objective: str) -> None:
    wrong = found(MISSION.replace("{}", objective))
    assert {one.code for one in wrong} <= {"FCB0669"}
    assert [one.severity for one in wrong if one.severity == "error"] == ["error"] * OBJECTIVES[objective]


def test_a_part_beside_an_or_that_can_never_be_true_is_a_warning() -> None:
    wrong = found(MISSION.replace("{}", "power's value = 2 or number of hero = 4 or any hero where damage of it > 500"))
    assert [(one.severity, one.span.source.text[one.span.start : one.span.end]) for one in wrong] == [
        ("warning", "number of hero = 4")
    ]


def test_the_message_on_a_count_says_how_many_there_are() -> None:
    wrong = found(MISSION.replace("{}", "number of hero >= 3"))
    assert "`number of hero` is at most 2" in wrong[0].message


CREW = """
kind hero is piece:
  field max-HP: number 1..
  stat HP: number 0.., starts max-HP
  zone orders of order: any
kind order is card:
  held by: hero
  field valid: condition, default yes
measure damage:
  takes: of a (hero, default self)
  gives: number
  value: a's max-HP - a's HP
relation tired:
  takes: a (hero)
  is: damage of a >= 2
hero bo "Bo":
  max-HP: 4
flow:
  for each hero:
    choose card: order in orders of hero where it's valid{}
"""
GAPS = {
    ("damage < 1", "damage >= 2"): "HP = 3",
    ("damage < 2", "damage >= 2"): "",
    ("damage < 2", "self is tired"): "",
    ("damage < 1", "self is tired"): "HP = 3",
    ("damage > 0", "damage > 1"): "HP = 4",  # play begins there
    ("damage < 3", "damage = 3"): "",  # at the end of the range
    ("damage = 0", "damage = 1"): "HP = 1 or 2",
    ("damage < 1", "any hero where it is not bo"): "",  # that may hold
    ("damage < 1", ""): "",
}


def crew(conditions: tuple[str, str], options: str = "") -> str:
    cards = [
        f'order o{n} "O{n}" for bo' + (f":\n  valid: {one}\n" if one else "\n") for n, one in enumerate(conditions)
    ]
    return CREW.replace("{}", options) + "".join(cards)


@pytest.mark.parametrize("conditions", GAPS)
def test_uncovered_value_of_choice_is_reported(conditions: tuple[str, str]) -> None:
    wrong = [one.arguments["gap"] for one in found(crew(conditions)) if one.code == "FCB0667"]
    assert wrong == ([GAPS[conditions]] if GAPS[conditions] else [])


def test_optional_choice_needs_no_full_cover() -> None:
    assert found(crew(("damage < 1", "damage >= 2"), ", or none")) == []


def test_never_applying_card_is_warning() -> None:
    wrong = found(crew(("damage < 5", "damage > 4")))
    assert [(one.code, one.severity, one.arguments["name"]) for one in wrong] == [("FCB0669", "warning", "o1")]


def test_modified_stat_has_no_fixed_value() -> None:
    text = crew(("damage < 1", "damage >= 2")) + 'rule sturdy "Sturdy":\n  always: hero has +1 max-HP\n'
    assert found(text) == []


def test_list_with_a_card_without_copies_is_reported_at_its_line() -> None:
    text = """
kind trick is card
kind hero is piece:
  field kit: many trick definition, optional
trick wink "Wink":
  copies: 0
trick nod "Nod":
  copies: 0
hero bo "Bo":
  kit: wink
flow: stop
"""
    (wrong,) = found(text)  # of the other one there is none, and nothing names it
    assert (wrong.code, wrong.span.line, [one.span.line for one in wrong.related]) == ("FCB0668", 6, [10])


COPIES = """
kind trick is card
kind hero is piece:
  field kit: many trick definition, optional
trick wink "Wink":
  copies: {copies}
hero bo "Bo":
  kit: {kit}
flow: stop
"""


@pytest.mark.parametrize(
    ("copies", "kit", "codes"),
    [(1, "wink, wink", ["FCB0670"]), (2, "wink, wink", []), (2, "wink, wink, wink", ["FCB0670"]), (1, "wink", [])],
)
def test_list_with_too_many_copies_is_reported(copies: int, kit: str, codes: list[str]) -> None:
    assert [one.code for one in found(COPIES.format(copies=copies, kit=kit))] == codes


ACTIONS = """
kind hero is piece:
  stat HP: number 0..3, starts 3
kind scout is hero
kind cat is piece:
  stat HP: number 0..3, starts 3
team dogs "dogs": player 1
action test-it:
  by: {}
  needs: {}
  effect: stop
flow:
  offer {}
"""


@pytest.mark.parametrize(
    ("by", "needs", "offer", "found_there"),
    [
        ("hero", "yes", "hero", False),
        ("scout", "yes", "hero", False),
        ("piece", "yes", "hero", False),
        ("hero", "yes", "scout", False),
        ("hero", "yes", "cat", True),
        ("hero", "yes", "player", True),
        ("team", "yes", "player", False),
        ("hero", "self's HP > 2", "hero", False),
        ("hero", "self's HP > 3", "hero", True),
        ("hero", "self's HP > 3 or any cat on board", "hero", False),
    ],
)
def test_action_without_actor_is_reported(by: str, needs: str, offer: str, found_there: bool) -> None:
    codes = [one.code for one in found(ACTIONS.format(by, needs, offer))]
    assert codes == (["FCB0672"] if found_there else [])


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ("choose sort: hero definition", True),
        ("choose sort: piece definition", True),
        ("choose sort: hero definition where it's copies > 0", False),
        ("let sort = bo", False),
    ],
)
def test_selectable_definition_without_copies_is_reported(choice: str, told: bool) -> None:
    text = f"""
kind hero is piece:
  stat HP: number 0..
hero bo "Bo"
hero cy "Cy":
  copies: 0
flow:
  {choice}
  let who = instance of sort
"""
    assert [one.code for one in found(text)] == (["FCB0668"] if told else [])


def test_single_actor_offers_count_by_kind() -> None:
    codes = [one.code for one in found(ACTIONS.format("hero", "yes", "player 1"))]
    assert codes == ["FCB0672"]
