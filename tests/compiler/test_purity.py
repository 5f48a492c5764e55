"""Pure codes may not ask, roll or change anything."""

from __future__ import annotations

from textwrap import dedent

import pytest

from fcbdsl.base.diagnostics.natives import Disturbing
from fcbdsl.language.compiler import looking_problems, lower
from fcbdsl.machine.vm.verify.verifier import verify_program
from tests.compiler.sources import model_of

SYSTEM = """
system own "Own":
  languages: en
  board: square
die coin "coin":
  faces: 1..2
kind game:
  stat total: number 0..
kind pawn is piece:
  name: "pawn", plural "pawns"
  stat HP: number 0.., starts 3
kind trick is card:
  held by: pawn
  answers: offered
  field worth: formula, optional
  field fits: condition, optional
  when pawn jumps: stop
zone heap of trick: any
event leap:
  takes: who (pawn)
  form: who jumps
measure luck:
  gives: number
  effect:
    roll x: coin
    answer x
measure double luck:
  gives: number
  value: luck * 2
relation lucky:
  takes: who (pawn)
  effect:
    if luck > 1: answer yes
    answer no
relation hurting:
  takes: who (pawn)
  effect:
    who's HP -1
    answer yes
measure guess:
  gives: number
  effect:
    choose some: pawn
    answer some's HP
"""

LOOKS = {
    "needs": 'action hop "Hop":\n  by: pawn\n  form: hops\n  needs: luck > 1\n  effect: win',
    "by": 'action hop "Hop":\n  by: pawn where it is lucky\n  form: hops\n  effect: win',
    "with": 'action hop "Hop":\n  by: pawn\n  with: trick where guess > 2\n  form: hops\n  effect: win',
    "costs": 'action hop "Hop":\n  by: pawn\n  form: hops\n  costs: double luck HP\n  effect: win',
    "starts": "kind horse is pawn:\n  stat age: number 0.., starts luck",
    "limit": "zone hand of trick: limit luck",
    "limit of a kind": "kind horse is pawn:\n  zone bag of trick: limit luck",
    "usable": 'kind prank is trick:\n  usable: luck > 1\n  when pawn jumps: stop\nprank fool "Fool"',
    "formula": 'trick fool "Fool":\n  worth: luck',
    "condition": 'trick fool "Fool":\n  fits: self is hurting',
    "default": 'kind prank is trick:\n  field weight: formula, default luck\nprank fool "Fool"',
    "listener": 'rule r "R":\n  when pawn jumps, if luck > 1: total +1',
    "slot": 'rule r "R":\n  when pawn where it is lucky jumps: total +1',
    "while": 'rule r "R":\n  while luck > 1:\n    pawn has +1 HP',
    "modifier": 'rule r "R":\n  always:\n    pawn has + luck HP',
    "modified": 'rule r "R":\n  always:\n    pawn where it is lucky has +1 HP',
    "until": 'rule r "R":\n  when pawn jumps:\n    until leap:\n      pawn has + luck HP',
    "preference": 'action hop "Hop":\n  by: pawn\n  effect: win\npreferences:\n  hop: luck',
    "preference, if": 'action hop "Hop":\n  by: pawn\n  effect: win\npreferences:\n  hop, if luck > 1: 1',
    "invariant": 'invariant calm "Calm.": luck > 0',
    "window": "window leap:\n  order: luck",
    "window of all events": "window any:\n  order: 0 - double luck",
    "expect": 'test "t":\n  map square:\n    art: |\n      +--+\n      |. |\n      +--+\n  expect luck > 0',
}
"""Codes that must be pure, each with an impure expression."""

HARMLESS = {
    "effect": 'action hop "Hop":\n  by: pawn\n  form: hops\n  effect:\n    let x = luck\n    if x > 1: win',
    "begin": 'action hop "Hop":\n  by: pawn\n  form: hops\n  effect:\n    require luck > 1\n    win',
    "body": 'rule r "R":\n  when pawn jumps:\n    if luck > 1: total +1',
    "do": 'test "t":\n  map square:\n    art: |\n      +--+\n      |. |\n      +--+\n  do total becomes luck',
}

UNUSED = """
relation spent:
  takes: sort (pawn definition)
  effect:
    let one = instance of sort
    for each pawn:
      if one's HP > pawn's HP: answer no
    answer yes
"""
"""A relation that reads a piece in the box, and is not inlined."""

UNUSED_LOOKS = {
    "needs": 'action hop "Hop":\n  by: pawn\n  form: hops\n  needs: any pawn definition where spent\n  effect: win',
    "condition": 'trick fool "Fool":\n  fits: any pawn definition where spent',
    "listener": 'rule r "R":\n  when pawn jumps, if any pawn definition where spent: total +1',
    "invariant": 'invariant calm "Calm.": any pawn definition where spent',
}


@pytest.mark.parametrize("name", UNUSED_LOOKS)
def test_a_look_at_a_piece_in_the_box_does_not_renew_it(name: str) -> None:
    model, errors = model_of("own.fcb", f"{SYSTEM}{UNUSED}{UNUSED_LOOKS[name]}\n".encode())
    assert not errors
    assert looking_problems(model) == []
    assert verify_program(lower(model, tests=True)) == []


@pytest.mark.parametrize("name", LOOKS)
def test_impure_condition_is_reported_where_verifier_refuses(name: str) -> None:
    model, errors = model_of("own.fcb", f"{SYSTEM}{LOOKS[name]}\n".encode())
    assert not errors
    problems = looking_problems(model)
    assert [problem.code for problem in problems] == [Disturbing.code]
    assert problems[0].span.line > SYSTEM.count("\n")
    assert any("must not change or ask" in finding.reason for finding in verify_program(lower(model, tests=True)))


def test_each_of_equal_lines_is_reported_at_its_place() -> None:
    map = "  map square:\n    art: |\n      +--+\n      |. |\n      +--+\n"
    tests = [f'test "{title}":\n{map}  expect total = 0\n  expect luck > 0\n' for title in "abc"]
    calm = f'test "calm":\n{map}  expect total = 0\n'
    model, errors = model_of("own.fcb", f"{SYSTEM}{calm}{tests[0]}{calm}{tests[1]}{tests[2]}".encode())
    assert not errors
    lines = [problem.span.line for problem in looking_problems(model)]
    source = model.tests[0].span.source.text.split("\n")
    assert [source[line - 1].strip() for line in lines] == ["expect luck > 0"] * 3
    assert len(set(lines)) == 3


def test_impure_listener_in_a_test_is_reported() -> None:
    map = "  map square:\n    art: |\n      +--+\n      |. |\n      +--+\n"
    test = f'test "t":\n{map}  if total = 0:\n    until leap:\n      pawn has + luck HP'
    model, errors = model_of("own.fcb", f"{SYSTEM}{test}\n".encode())
    assert not errors
    assert [problem.code for problem in looking_problems(model)] == [Disturbing.code]


@pytest.mark.parametrize("name", HARMLESS)
def test_effects_can_change_anything(name: str) -> None:
    model, errors = model_of("own.fcb", f"{SYSTEM}{HARMLESS[name]}\n".encode())
    assert not errors
    assert looking_problems(model) == []
    assert verify_program(lower(model, tests=True)) == []


def test_diagnostic_examples_show_mistake_and_fix() -> None:
    for text, codes in ((Disturbing.bad, [Disturbing.code]), (Disturbing.good, [])):
        model, errors = model_of("own.fcb", f'system own "Own":\n  languages: en\n\n{dedent(text).strip()}\n'.encode())
        assert not errors
        assert [problem.code for problem in looking_problems(model)] == codes


@pytest.mark.parametrize(
    "chosen", ["choose foe: pawn where it is lucky", "let most = luck; choose few: pawn, up to most"]
)
def test_secret_choice_must_be_pure(chosen: str) -> None:
    body = f"  effect:\n    for each pawn{{}}:\n      {chosen.replace('; ', chr(10) + '      ')}\n      hurt pawn\n"
    hurt = "verb hurt:\n  takes: who (pawn)\n  effect: who's HP -1\n"
    for how, codes in ((", in secret", [Disturbing.code]), ("", [])):
        model, errors = model_of("own.fcb", f"{SYSTEM}{hurt}verb bid:\n{body.format(how)}".encode())
        assert not errors
        assert [problem.code for problem in looking_problems(model)] == codes
