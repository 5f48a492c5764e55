"""Unused content is reported in each game, and nothing else."""

from __future__ import annotations

import re

import pytest
from games import GAMES, ROOT, model_with
from small import sound

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.dead import (
    ChangeByZero,
    DeadBranch,
    NeverHappens,
    OnlyOption,
    StrayCondition,
    UnusedCard,
    UnusedForm,
    UnusedName,
)
from fcbdsl.language.model.checks.idle import idle
from fcbdsl.project.analysis import CHECKS

CLASSES = (OnlyOption, DeadBranch, StrayCondition, UnusedCard, NeverHappens)


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[] if name == "beast" else pytest.mark.long) for name in GAMES]
)
def test_unused_declarations_planted_in_a_game_are_reported(game: str) -> None:
    path = ROOT / "tests" / "cases" / "idle" / f"{game}.fcb"
    wanted = [
        (str(path), number, code)
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        for code in re.findall(r"# (FCB\d{4})$", line)
    ]
    assert {code for _, _, code in wanted} == {cls.code for cls in (*CLASSES, UnusedForm, UnusedName)}
    places = [
        (str(ROOT / problem.span.source.name), problem.span.line, problem.code)
        for problem in idle(model_with(game, path))
    ]
    assert sorted(places) == sorted(wanted)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.code)
def test_diagnostic_examples_show_mistake_and_fix(cls: type[Diagnostic]) -> None:
    assert {problem.code for problem in idle(sound(cls.bad))} == {cls.code}
    assert list(idle(sound(cls.good))) == []
    assert cls.severity == "warning"


def test_idle_check_is_separate_pass_without_tests() -> None:
    (check,) = [check for check in CHECKS if check.name == "idle"]
    assert check.sound
    assert not check.tests


COURT = """
kind knight is piece:
  stat HP: number 1..5
  stat arm: number -2..2
  stat rank: number 0..
status Dazed "dazed":
  on: knight
  limit: 2
"""
CONDITIONS = {
    "who's HP > 5": "never",
    "who's HP >= 0": "always",
    "who's HP >= 1": "",  # for no thing it is 0
    "who's arm < -2": "never",
    "who's arm = 3": "never",
    "who's arm != 3": "always",
    "who's rank > 900": "",
    "Dazed on who > 2": "never",
    "number of knight < 0": "never",
    "not number of knight < 0": "always",
    "number of knight >= 0 and who's HP = 2": "always",
    "number of knight >= 0 or who's HP = 2": "always",
    "who's HP + 1 > 6": "never",
    "who's HP + who's rank > 6": "",
    "2 > 1": "always",
}


STRAYS = {
    "no knight where it's HP > 2 and who's HP = 1": ["who's HP = 1"],
    "no knight where it's HP > 2 and who's arm = 1 and it is Dazed and who is Dazed": ["who's arm = 1", "Dazed"],
    "number of knight where it's HP > 2 and who is Dazed > 1": ["Dazed"],
    "every knight where it's HP > 2 and who is Dazed is Dazed": ["Dazed"],
    "any knight where it's HP > 2 and who's HP = 1": [],  # which is equivalent
    "no knight where who's HP = 1": [],
    "no knight where it's HP > 2 and it's HP > who's HP": [],
    "who's HP = 1 and no knight where it's HP > 2": [],
    "(no knight where it's HP > 2) and who's HP = 1": [],
}


@pytest.mark.parametrize(("condition", "strays"), STRAYS.items())
def test_misplaced_condition_in_where_is_named(condition: str, strays: list[str]) -> None:
    text = f"{COURT}verb duel:\n  takes: who (knight)\n  effect:\n    if {condition}: stop"
    stray = [problem for problem in idle(sound(text)) if isinstance(problem, StrayCondition)]
    assert [problem.span.source.text[problem.span.start : problem.span.end] for problem in stray] == strays


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS.items())
def test_condition_is_decided_by_the_ranges_of_its_numbers(condition: str, holds: str) -> None:
    text = f"{COURT}verb duel:\n  takes: who (knight)\n  effect:\n    if {condition}: stop"
    assert [problem.arguments["always"] for problem in idle(sound(text))] == ([holds] if holds else [])


CARDS = """
kind trick is card:
  copies: 1
  field suit: suit
  field rare: flag, default no
enum suit: cups, coins
zone deck of trick
trick ace "Ace":
  suit: cups
trick deuce "Deuce":
  suit: coins
  rare: yes
"""
PICKED = {
    "fill deck with trick": [],
    "fill deck with (trick where it's suit is cups)": ["deuce"],
    "fill deck with (trick where it is rare)": ["ace"],
    "fill deck with (trick where not it is rare and it's suit is cups)": ["deuce"],
    "fill deck with (trick where it's suit is cups or number of player > 1)": [],
    "put ace into deck": ["deuce"],
    "shuffle deck": [],  # nothing brings things of that kind into play
}


@pytest.mark.parametrize(("effect", "left"), PICKED.items())
def test_unselectable_card_is_reported(effect: str, left: list[str]) -> None:
    text = f"{CARDS}flow: {effect}"
    assert [problem.arguments["name"] for problem in idle(sound(text))] == left


VERB = """
kind knight is piece:
  stat HP: number 0..
verb swoon:
  takes: who (knight)
  event: who swoons
  effect: who's HP becomes 0
rule pity:
  when knight swoons: stop
"""


@pytest.mark.parametrize(("flow", "lines"), {"stop": [9], "for each knight: swoon knight": []}.items())
def test_trigger_on_unused_verb_is_reported(flow: str, lines: list[int]) -> None:
    problems = list(idle(sound(f"{VERB}flow: {flow}")))
    assert [(problem.span.line, problem.code) for problem in problems] == [(line, "FCB0664") for line in lines]


SIPS = """
kind cup is card:
  copies: 2
zone shelf of cup
kind ant is piece:
  stat HP: number 0..9
verb sip:
  takes: who (ant), amount (number)
  effect: repeat amount times: who's HP becomes who's HP + 1
verb shift:
  takes: who (ant), amount (number)
  effect: who's HP becomes who's HP + amount
cup oak "Oak"
ant amy "Amy"
"""
AMOUNTS = {
    "sip ant number of cup": [],
    "sip ant lowest of 0, number of cup": ["0"],
    "sip ant (number of cup - 2)": ["never above 0"],
    "sip ant (number of cup - 1)": [],
    "shift ant (number of cup * 0)": ["0"],
}


@pytest.mark.parametrize(("effect", "amounts"), AMOUNTS.items())
def test_calculated_amount_that_is_never_above_0_is_reported(effect: str, amounts: list[str]) -> None:
    flow = "flow:\n  put oak into shelf\n  for each ant: rest ant\n"
    text = f"{SIPS}{flow}verb rest:\n  takes: ant (ant)\n  effect: {effect}"
    zeros = [problem for problem in idle(sound(text)) if isinstance(problem, ChangeByZero)]
    assert [problem.arguments["amount"] for problem in zeros] == amounts
