"""Abilities that lower an amount below zero, so that a loss becomes a gain."""

from __future__ import annotations

import pytest
from small import codes

GAME = """\
kind hero is piece:
  stat HP: number 0.., starts 5
  stat shield: number 0..
hero bo "Bo":
  {listener}
verb hurt:
  takes: who (hero), amount ({range})
  event: who is hurt by amount
  effect: {effect}
verb strike:
  takes: who (hero), force (number)
  event: who is struck by force
  effect: hurt who {passed}
flow: strike bo#1 1
"""
LOWERED = "before self is hurt by any: amount -3"
HARM = "who's HP becomes who's HP - amount"


def codes_of(listener: str, effect: str = HARM, range: str = "number", passed: str = "force") -> list[tuple[int, str]]:
    text = GAME.format(listener=listener, effect=effect, range=range, passed=passed)
    return [(line, code) for line, code in codes(text) if code not in ("FCB0664", "FCB0315")]


@pytest.mark.parametrize(
    "listener",
    [
        LOWERED,
        "before self is hurt by any: amount becomes amount - self's shield",
        "before self is hurt by any: amount becomes 2 * (amount - 1)",
        "before self is struck by any: force -1",
    ],
)
@pytest.mark.parametrize(
    "effect",
    [
        HARM,
        "who's HP becomes highest of 0, who's HP - amount",
        "who's HP becomes who's HP + amount",
    ],
)
def test_amount_that_an_ability_lowers_below_zero_is_reported(listener: str, effect: str) -> None:
    assert codes_of(listener, effect) == [(5, "FCB0524")]


@pytest.mark.parametrize(
    ("listener", "effect", "range", "passed"),
    [
        (LOWERED, HARM, "number 0..", "force"),
        (LOWERED, "who's HP becomes amount", "number", "force"),
        (LOWERED, "who's HP becomes who's HP - (highest of 0, amount)", "number", "force"),
        ("before self is hurt by any: amount becomes highest of 0, amount - 3", HARM, "number", "force"),
        ("before self is hurt by any, if amount > 3: amount -3", HARM, "number", "force"),
        ("before self is hurt by any: amount +3", HARM, "number", "force"),
        ("before self is hurt by any: amount becomes amount / 2", HARM, "number", "force"),
        ("before self is struck by any: force -1", HARM, "number 0..", "force"),
        ("before self is struck by any: force -1", HARM, "number", "1"),
        ("when self is hurt by any: self's shield becomes amount - 3", HARM, "number", "force"),
    ],
)
def test_bounded_amount_is_not_reported(listener: str, effect: str, range: str, passed: str) -> None:
    assert [row for row in codes_of(listener, effect, range, passed) if row[1] == "FCB0524"] == []


CALLED = """\
kind hero is piece:
  stat HP: number 0.., starts 5
  stat force: number 0..
  stat armor: number 0..
hero bo "Bo"
verb hurt:
  takes: who (hero), amount ({range})
  effect:
    {guard}
    who's HP becomes who's HP - amount
verb note:
  takes: who (hero), amount (number)
  effect: who's force becomes amount
verb strike:
  takes: who (hero), from other (hero)
  effect:
    {call}
flow: strike bo#1 from bo#1
"""
CALLS = {
    "hurt who (other's force - who's armor)": True,
    "hurt who (2 * (other's force - 3))": True,
    "hurt who -3": True,
    "let left = other's force - who's armor; hurt who left": False,  # only what the argument itself says
    "hurt who other's force": False,
    "hurt who (other's force + 3)": False,
    "hurt who (highest of 0, other's force - who's armor)": False,
    "note who (other's force - who's armor)": False,
    "if other's force > who's armor: hurt who (other's force - who's armor)": False,
    "require other's force > who's armor; hurt who (other's force - who's armor)": False,
    "if other's force < who's armor: stop; hurt who (other's force - who's armor)": False,
}


def called(call: str, guard: str = "nothing", range: str = "number") -> list[str]:
    text = CALLED.format(call=call.replace("; ", "\n    "), guard=guard, range=range)
    return [code for _, code in codes(text) if code == "FCB0524"]


@pytest.mark.parametrize("call", CALLS)
def test_argument_that_can_be_negative_is_reported(call: str) -> None:
    assert called(call) == ["FCB0524"] * CALLS[call]


@pytest.mark.parametrize("guard", ["if amount < 1: stop", "require amount > 0"])
def test_verb_that_asks_for_its_amount_takes_any(guard: str) -> None:
    assert called("hurt who (other's force - who's armor)", guard) == []


def test_bounded_parameter_takes_any_argument() -> None:
    assert called("hurt who (other's force - who's armor)", range="number 0..") == []
