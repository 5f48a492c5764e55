"""Conditions that can never hold, gaps between conditions, and definitions without copies are found."""

from __future__ import annotations

import pytest
from small import checked

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.dead import (
    AlwaysMet,
    NeverMarkedSo,
    NeverMet,
    NeverTaken,
    NeverThere,
    NoneApplies,
    NoneThere,
    TooFewCopies,
)
from fcbdsl.language.model.checks.outcomes import outcomes


def warnings_of(text: str) -> list[Diagnostic]:
    """Return the findings in a text without errors, except warnings about its tracks."""
    model, problems = checked(text)
    assert [problem for problem in problems if problem.severity == "error"] == []
    return list(outcomes(model))


FOUND = [AlwaysMet, NeverMarkedSo, NeverMet, NeverTaken, NeverThere, NoneApplies, NoneThere, TooFewCopies]


@pytest.mark.parametrize("cls", FOUND, ids=lambda cls: cls.code)
def test_diagnostic_examples_show_mistake_and_fix(cls: type[Diagnostic]) -> None:
    assert {problem.code for problem in warnings_of(cls.bad)} == {cls.code}
    assert warnings_of(cls.good) == []


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
    "any hero where it's HP > 99": True,  # no effect raises it
    "any hero where it's HP > 2": False,
    "number of (hero where it's armor < 0) >= 1": True,
    "any hero where damage of it > 500": True,
    "any hero where damage of it > 2": False,
    "power's value * 2 = 6": False,
    "power's value * 2 > 6": True,
    "any hero where it's HP / 2 > 20": True,
    "any hero where it's HP / 2 > 0": False,
    "power's value > 9 or any hero where it's HP > 2": False,
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
    wrong = warnings_of(MISSION.replace("{}", objective))
    assert {problem.code for problem in wrong} <= {"FCB0669", "FCB0673"}
    assert [problem.severity for problem in wrong if problem.severity == "error"] == ["error"] * OBJECTIVES[objective]


ALWAYS = {
    "yes": True,
    "power's value >= 0": True,
    "power's value < 4 and number of hero <= 2": True,
    "any hero or no hero": True,
    "any hero or yes": True,
    "not any hero where it's HP > 3": True,
    "power's value > 0": False,
    "any hero": False,
    "no hero where it's HP = 0": False,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("objective", ALWAYS)
def test_objective_that_is_always_true_is_warning(objective: str) -> None:
    wrong = warnings_of(MISSION.replace("{}", objective))
    assert [(problem.code, problem.severity) for problem in wrong] == [("FCB0673", "warning")] * ALWAYS[objective]


REWARD = """
kind reward is card:
  field met: condition, attainable
  field bonus: effect, optional
zone pile of reward
reward gift "Gift":
  met: {}
  bonus: {}
reward other "Other":
  met: any reward in pile
flow: fill pile with reward
"""


@pytest.mark.parametrize(
    ("met", "bonus", "is_reported"),
    [("yes", "win", False), ("yes", "", True), ("number of reward >= 0", "win", True)],
)
def test_card_with_an_effect_may_be_unconditional(met: str, bonus: str, is_reported: bool) -> None:
    text = REWARD.format(met, bonus) if bonus else REWARD.replace("  bonus: {}\n", "").format(met)
    assert [problem.code for problem in warnings_of(text)] == ["FCB0673"] * is_reported


MARKED = """
mark gate
mark well
mark both
kind cat is piece:
  field armor: number, default 1
kind mission:
  field objective: condition, default yes, attainable
cat tom "Tom"
flow:
  offer cat
action drink:
  by: cat
  needs: {}
  effect: win
mission m "M":
  objective: {}
  map square:
    art: |
      +--+--+--+
      |g  w  b |
      +--+--+--+
    legend:
      "g": gate
      "w": well
      "b": both, gate
"""
TOGETHER = {
    ("self marked gate and self marked well", "any cat"): True,
    ("self marked gate and tom#1 is tom and self marked well", "any cat"): True,
    ("self marked gate and self marked both", "any cat"): False,
    ("self marked gate and not self marked well", "any cat"): False,
    ("self marked gate and tom#1 marked well", "any cat"): False,  # they may be two pieces
    ("self marked gate or self marked well", "any cat"): False,
    ("yes", "any cat where it is on (space marked gate) and it is on (space marked well)"): True,
    ("yes", "any cat where it is on A1 and it marked well"): True,
    ("yes", "any cat where it is on B1 and it marked well"): False,
    ("yes", "any cat is on (space marked gate where it marked well)"): True,
    ("yes", "any cat is on (space marked gate where it marked both)"): False,
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("needs", "objective"), TOGETHER)
def test_marks_that_no_space_has_together_are_reported(needs: str, objective: str) -> None:
    wrong = [problem.code for problem in warnings_of(MARKED.format(needs, objective))]
    assert wrong == ["FCB0675"] * TOGETHER[needs, objective]


OPPOSITES = {
    "any hero and no hero": True,
    "bo#1's HP > 2 and power's value = 1 and bo#1's HP <= 2": True,
    "not (any hero where it's armor = 2) and (any hero where it's armor = 2)": True,
    "(any hero where it's HP > 1) and (no hero where it's HP > 2)": False,
    "any hero or no hero": False,
}


@pytest.mark.parametrize("objective", OPPOSITES)
def test_condition_and_its_opposite_are_never_true_together(objective: str) -> None:
    wrong = [problem.code for problem in warnings_of(MISSION.replace("{}", objective)) if problem.severity == "error"]
    assert wrong == ["FCB0669"] * OPPOSITES[objective]


def test_a_part_beside_an_or_that_can_never_be_true_is_a_warning() -> None:
    wrong = warnings_of(
        MISSION.replace("{}", "power's value = 2 or number of hero = 4 or any hero where damage of it > 2")
    )
    assert [
        (problem.severity, problem.span.source.text[problem.span.start : problem.span.end]) for problem in wrong
    ] == [("warning", "number of hero = 4")]


def test_message_on_count_gives_available_number() -> None:
    wrong = warnings_of(MISSION.replace("{}", "number of hero >= 3"))
    assert "`number of hero` is at most 2" in wrong[0].message


RAISED = (
    MISSION.replace("objective: {}", "objective: any hero where it's HP > 90")
    + """
kind gem is card:
  field worth: number
verb change:
  takes: target (hero), by amount (number)
  effect: {}
rule r:
  when power moves: change bo#1 by 1
"""
)
CHANGES = {
    "target's HP becomes 5": ["error"],
    "target's HP becomes lowest of target's max-HP, target's HP + amount": ["error"],
    "let whole = target's max-HP; target's HP becomes whole": ["error"],
    "target's HP -1": ["error"],
    "target's HP becomes highest of 0, target's HP - amount": ["warning"],  # a negative amount would raise it
    "target's HP +1": [],
    "target's HP becomes amount": [],
    "target's HP becomes target's HP + amount": [],
    "target's HP becomes target's HP * 2": [],
    "target's HP becomes highest of target's max-HP, amount": [],
    "let amount = 5; target's HP becomes amount": [],  # the parameter has other values before
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("change", CHANGES)
def test_stat_that_no_effect_raises_so_far_is_reported(change: str) -> None:
    wrong = warnings_of(RAISED.replace("{}", change))
    assert [problem.severity for problem in wrong if problem.code == "FCB0669"] == CHANGES[change]


def test_upgrades_of_a_printed_number_give_an_estimate() -> None:
    growing = RAISED.replace(
        "  field armor", "  stat growth: number 0..\n  always: self has + growth max-HP\n  field armor"
    )
    text = growing.replace("{}", "target's growth becomes target's growth + amount")
    assert [problem.severity for problem in warnings_of(text) if problem.code == "FCB0669"] == ["warning"]
    assert [
        problem.code for problem in warnings_of(text.replace("HP > 90", "HP > 7")) if problem.code == "FCB0669"
    ] == []


DRAFT = """
system pond "Pond":
  players: 1..3
  board: square
kind hero is piece:
  stat luck: number
kind crab is piece:
  copies: 9
kind mission:
  field objective: condition, default yes, attainable
mark gate
hero ann "Ann"
hero bob "Bob"
hero eve "Eve"
hero kim "Kim"
hero lou "Lou"
crab nip "Nip"
verb enlist:
  takes: owner (player)
  effect:
    choose sort: hero definition, by owner
    let figure = instance of sort
    take figure for owner
verb reward:
  effect:
    choose sort: hero definition
    let figure = instance of sort
    figure's luck becomes 1
setup:
  for each player: enlist player
flow:
  {flow}
  raise power
mission m "M":
  objective: {objective}
  map square:
    art: |
      +--+
      |g |
      +--+
    legend:
      "g": gate
  gauge power "Power":
    range: 0..3
"""
DRAFTS = {
    ("reward", "number of hero > 3"): True,  # each of three players takes one
    ("reward", "number of hero > 2"): False,
    ("for each player where number > 1: enlist player", "number of hero > 5"): True,
    ("for each player where number > 1: enlist player", "number of hero > 4"): False,
    ("repeat 2 times: enlist player 1", "number of hero > 4"): False,
    ("take ann#1 for player 1", "number of hero > 4"): True,
    ("take ann#1 for player 1", "number of hero > 3"): False,
    ("for each hero: enlist hero's controller", "number of hero > 3"): False,
}


@pytest.mark.parametrize(("flow", "objective"), DRAFTS)
def test_players_take_a_fixed_number_of_figures(flow: str, objective: str) -> None:
    wrong = warnings_of(DRAFT.replace("{flow}", flow).replace("{objective}", objective))
    assert [problem.code for problem in wrong if problem.severity == "error"] == ["FCB0669"] * DRAFTS[flow, objective]


NAMED = {
    "ann#1's luck > 0": ["FCB0674"],
    "ann#1's place = A1": ["FCB0674"],
    "any hero where it is ann": ["FCB0674"],
    "any hero and ann#1's luck = 1": ["FCB0674"],
    "ann#1's luck = 0": [],
    "not ann#1's luck > 0": [],
    "any hero or ann#1's luck > 0": [],
    "any hero": [],
    "nip#1's place = A1": ["FCB0674"],  # nothing brings it into play
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("objective", NAMED)
def test_objective_about_a_figure_that_nobody_must_choose_is_warning(objective: str) -> None:
    text = DRAFT.replace("{flow}", "reward").replace("{objective}", objective)
    assert [problem.code for problem in warnings_of(text)] == NAMED[objective]
    assert [
        problem.code
        for problem in warnings_of(text.replace("  reward\n", "  take ann#1 for player 1\n  take nip#1 for player 1\n"))
    ] == []
    everybody = text.replace("players: 1..3", "players: 5..5").replace("nip#1", "ann#1")
    assert [problem.code for problem in warnings_of(everybody)] == []


STOCK = """
kind hero is piece:
  field strength: number 0..9
  zone bag of gem: limit 2
kind gem is card:
  field worth: number 1..9
  copies: 3
kind crab is piece:
  copies: 9
kind omen is card:
  field objective: condition, default yes, attainable
kind mission:
  field objective: condition, default yes, attainable
  field crew: many hero definition, optional
  field gems: many gem definition, optional
  field omens: many omen definition, optional
zone out of hero: any
zone trove of gem: any
zone reef of crab: any
zone deck of omen: any
hero ann "Ann":
  strength: 4
hero bob "Bob":
  strength: 2
hero eve "Eve":
  strength: 9
gem bead "Bead":
  worth: 1
gem pearl "Pearl":
  worth: 5
crab nip "Nip"
crab big "Big":
  copies: 4
measure riches:
  gives: number
  effect:
    let sum = 0
    for each hero in out:
      for each gem in bag of hero: let sum = sum + gem's worth
    answer sum
measure lead:
  gives: number
  effect:
    let best = 0
    for each hero: let best = highest of best, hero's strength
    if best > 3: answer best - 1
    answer best
measure power of:
  takes: times (number)
  gives: number
  effect:
    let sum = 0
    repeat times times: let sum = sum + 1
    answer sum
flow:
  for each sort in mission's crew: put (instance of sort) into out
  for each sort in mission's gems: put (instance of sort) into trove
  fill deck with mission's omens
omen raid "Raid":
  objective: {omen}
mission short "Short":
  objective: {}
  crew: ann, bob
  gems: bead, bead, pearl
  omens: raid
  map square:
    art: |
      +--+--+
      |n  n |
      +--+--+
    legend:
      "n": nip
{more}
"""
WITHIN_STOCK = {
    "number of hero >= 3": True,  # three are declared, and this mission lists two
    "number of hero = 2": False,
    "number of (hero where it in out) > 1": False,
    "number of (hero where it's strength > 4) > 0": True,  # the strong one is not listed
    "number of (hero where it's strength > 3) = 1": False,
    "number of (hero where it is ann) > 1": True,
    "number of crab > 2": True,  # the map has two, and nothing brings more
    "number of crab = 2": False,
    "any crab where it is big": True,
    "size of trove > 3": True,  # each row of the list comes once
    "size of trove = 3": False,
    "size of (bag of ann#1) > 2": True,  # the limit of the zone
    "size of (bag of ann#1) = 2": False,
    "riches > 7": True,  # one bead more than it lists: its copies do not count
    "riches = 7": False,
    "riches < 0": True,
    "riches - 10 > 0": True,
    "2 * riches = 14": False,
    "2 * riches > 14": True,
    "lead > 4": True,
    "lead = 3": False,  # the second answer is not seen to be at most 3
    "power of 3 > 100": False,  # a loop that is not analyzed
    "riches > 7 or number of crab > 2": True,
    "riches > 7 or number of crab > 1": False,
    "riches > 3 and number of crab > 2": True,
}


@pytest.mark.parametrize("objective", WITHIN_STOCK)
def test_objective_above_listed_things_is_error(objective: str) -> None:
    wrong = warnings_of(STOCK.replace("{}", objective).replace("{omen}", "any hero").replace("{more}", ""))
    assert [problem.code for problem in wrong if problem.severity == "error"] == ["FCB0669"] * WITHIN_STOCK[objective]


MORE = """
mission long "Long":
  crew: ann, bob, eve
  omens: {}
  map square:
    art: |
      +--+
      |. |
      +--+
"""


@pytest.mark.parametrize(
    ("others", "severity"),
    [("raid", "warning"), ("", "error")],  # the other mission has enough heroes; none else lists the card
)
def test_listed_condition_is_tried_in_each_mission(others: str, severity: str) -> None:
    more = MORE.replace("{}", others) if others else MORE.replace("  omens: {}\n", "")
    wrong = warnings_of(STOCK.replace("{}", "any hero").replace("{omen}", "number of hero > 2").replace("{more}", more))
    assert [(problem.code, problem.severity) for problem in wrong] == [("FCB0669", severity)]
    assert "`number of hero` is at most 2 in `short`" in wrong[0].message


@pytest.mark.parametrize(
    "effect",
    [
        "put (instance of big) into reef",
        "for each sort in (crab definition): put (instance of sort) into reef",
        "for each crab: put (instance of crab's definition) into reef",
    ],
)
def test_pieces_that_an_effect_brings_count_with_all_copies(effect: str) -> None:
    rule = f'rule surge "Surge":\n  when any has acted:\n    {effect}'
    assert (
        warnings_of(STOCK.replace("{}", "number of crab > 3").replace("{omen}", "any hero").replace("{more}", rule))
        == []
    )


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
        f'order o{n} "O{n}" for bo' + (f":\n  valid: {condition}\n" if condition else "\n")
        for n, condition in enumerate(conditions)
    ]
    return CREW.replace("{}", options) + "".join(cards)


PAIR = """
enum mood: calm, wild, sad
kind hero is piece:
  stat HP: number 0..4, starts 4
  stat anger: number 0..
  stat awake: flag
  stat mood: mood
kind order is card:
  held by: hero
  field valid: condition, default yes
status Wet "Wet":
  on: hero
  limit: 2
hero bo "Bo"
flow:
  for each hero:
    choose card: order where it's valid
"""
PAIRS = {
    ("self's HP > 2", "self's HP <= 2 and self's anger < 2", "self's HP <= 2 and self's anger > 2"): (
        "HP = 1 and anger = 2, or HP = 2 and anger = 2"
    ),
    ("self's HP > 2", "self's HP <= 2 and self's anger < 2", "self's HP <= 2 and self's anger >= 2"): "",
    ("self's anger < 2", "self's anger > 2"): "anger = 2",
    ("self's anger < 2", "self's anger >= 2"): "",
    ("self's awake", "not self's awake and self's HP > 2"): "awake = no and HP = 1, or awake = no and HP = 2",
    ("self's awake", "not self's awake"): "",
    ("self's mood = calm", "self's mood = sad"): "mood = wild",
    ("self's mood = calm", "self's mood = sad", "self's mood = wild"): "",
    ("self is Wet", "self's HP > 0"): "",  # at the end of the range, figures may have left play
    ("Wet on self > 0 and self's HP > 1", "self's HP <= 1"): "Wet = 0 and HP = 2, or Wet = 0 and HP = 3",
    ("number of hero < 2", "number of hero >= 2"): "",
    (
        "self's HP > self's anger",
        "self's HP < self's anger",
    ): "HP = 1 and anger = 1, or HP = 2 and anger = 2",
}


@pytest.mark.parametrize("conditions", PAIRS)
@pytest.mark.parametrize("target", [" for bo", ""])
def test_uncovered_combination_of_choice_is_reported(conditions: tuple[str, ...], target: str) -> None:
    if not target:
        conditions = tuple(condition.replace("self's", "bo#1's").replace("self", "bo#1") for condition in conditions)
    cards = [f'order o{n} "O{n}"{target}:\n  valid: {condition}\n' for n, condition in enumerate(conditions)]
    wrong = [problem.arguments["gap"] for problem in warnings_of(PAIR + "".join(cards)) if problem.code == "FCB0667"]
    expected = PAIRS[tuple(condition.replace("bo#1's", "self's").replace("bo#1", "self") for condition in conditions)]
    assert wrong == ([expected] if expected else [])


@pytest.mark.parametrize("conditions", GAPS)
def test_uncovered_value_of_choice_is_reported(conditions: tuple[str, str]) -> None:
    wrong = [problem.arguments["gap"] for problem in warnings_of(crew(conditions)) if problem.code == "FCB0667"]
    assert wrong == ([GAPS[conditions]] if GAPS[conditions] else [])


def test_optional_choice_needs_no_full_cover() -> None:
    assert warnings_of(crew(("damage < 1", "damage >= 2"), ", or none")) == []


def test_never_applying_card_is_warning() -> None:
    wrong = warnings_of(crew(("damage < 5", "damage > 4")))
    assert [(problem.code, problem.severity, problem.arguments["name"]) for problem in wrong] == [
        ("FCB0669", "warning", "o1")
    ]


def test_modified_stat_has_no_fixed_value() -> None:
    text = crew(("damage < 1", "damage >= 2")) + 'rule sturdy "Sturdy":\n  always: hero has +1 max-HP\n'
    assert warnings_of(text) == []


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
    wrong = [
        (problem.code, problem.span.line, [place.span.line for place in problem.related])
        for problem in warnings_of(text)
    ]
    assert wrong == [("FCB0668", 6, [10]), ("FCB0668", 8, [])]


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
    assert [problem.code for problem in warnings_of(COPIES.format(copies=copies, kit=kit))] == codes


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
    codes = [problem.code for problem in warnings_of(ACTIONS.format(by, needs, offer))]
    assert codes == (["FCB0672"] if found_there else [])


@pytest.mark.parametrize(
    ("choice", "is_reported"),
    [
        ("choose sort: hero definition", True),
        ("choose sort: piece definition", True),
        ("choose sort: hero definition where it's copies > 0", False),
        ("let sort = bo", True),
    ],
)
def test_selectable_definition_without_copies_is_reported(choice: str, is_reported: bool) -> None:
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
    assert [problem.code for problem in warnings_of(text)] == (["FCB0668"] if is_reported else [])


def test_single_actor_offers_count_by_kind() -> None:
    codes = [problem.code for problem in warnings_of(ACTIONS.format("hero", "yes", "player 1"))]
    assert codes == ["FCB0672"]
