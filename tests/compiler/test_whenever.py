"""`whenever` listeners: they run after each change, and are saved and bounded."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.language.compiler import looking_problems, lower
from fcbdsl.machine.vm import loading, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.linker import Telling
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import ACTION, FAULT, WIN
from tests.compiler.sources import model_of

SYSTEM = """
system own "Own":
  languages: en
  players: 1..1
kind game:
  stat heat "heat": number 0..
  stat rings "rings": number 0..
  stat noise "noise": number 0..
  stat told "told": number 0..
kind player:
  stat pride: number 0..
action stoke "Stoke":
  by: player
  form: stokes
  effect:
    heat +1
    told becomes rings
mission hearth "Hearth"
"""
FLOW = """
flow:
  heat becomes 2
  heat becomes 0
  heat becomes 2
  repeat:
    offer player
"""
RING = 'rule bell "Bell":\n  whenever heat >= 2: rings +1\n'


def program_of(*parts: str) -> Program:
    model, errors = model_of("own.fcb", "\n".join(parts).encode())
    assert not errors, errors
    program = lower(model)
    assert not list(verify_program(program))
    return program


def game_of(*parts: str) -> Game:
    game = setup.start_game(Image(program_of(*parts)), "hearth", 1, 1)
    game.run()
    return game


def stat(game: Game, name: str) -> int:
    number = next(n for n, row in enumerate(game.program.fields) if row.name == name)
    return game.value(number, game.layout.range_of("game")[0])


def test_whenever_is_not_tested_before_first_offer() -> None:
    game = game_of(SYSTEM, FLOW, RING)
    assert stat(game, "rings") == 1  # a condition that holds then has become true, once


def test_whenever_runs_before_next_statement() -> None:
    game = game_of(SYSTEM, FLOW, 'rule bell "Bell":\n  whenever heat = 3: rings +1\n')
    game.answer(0)
    game.run()
    assert (stat(game, "rings"), stat(game, "told")) == (1, 1)


def test_saved_game_with_whenever_continues_equally() -> None:
    game = game_of(SYSTEM, FLOW, RING)
    again = loading.load_game(game.image, game.save())
    copy = game.clone()
    for played in (game, again, copy):
        played.answer(0)
        played.run()
    assert game.digest() == again.digest() == copy.digest()
    assert stat(game, "rings") == stat(again, "rings") == 1


def test_asking_whenever_can_be_saved() -> None:
    rule = 'rule bell "Bell":\n  whenever heat = 3:\n    choose one:\n      "Ring": rings +1\n      "Wait": nothing\n'
    game = game_of(SYSTEM, FLOW, rule)
    game.answer(0)
    assert game.run() is not None
    again = loading.load_game(game.image, game.save())
    again.answer(0)
    again.run()
    assert (stat(again, "rings"), stat(again, "told")) == (1, 1)


def test_simultaneous_whenevers_run_in_order() -> None:
    rules = (
        'rule a "A":\n  whenever heat = 3: rings becomes rings * 10 + 1\n'
        'rule b "B":\n  whenever heat = 3: rings becomes rings * 10 + 2\n'
        'rule c "C":\n  whenever rings = 1: rings becomes rings * 10 + 3\n'
    )
    game = game_of(SYSTEM, FLOW, rules)
    game.answer(0)
    game.run()
    assert stat(game, "rings") == 132  # changes of the first listener are checked before the second one runs


def test_whenever_that_became_false_waits() -> None:
    rules = 'rule a "A":\n  whenever heat = 3, once: heat becomes 0\nrule b "B":\n  whenever heat = 3, once: rings +1\n'
    game = game_of(SYSTEM, FLOW, rules)
    for wanted in (0, 0, 0, 1):
        game.answer(0)
        game.run()
        assert stat(game, "rings") == wanted


def test_endless_whenever_is_fault_with_place() -> None:
    rule = 'rule a "A":\n  whenever heat = 3:\n    heat becomes 2\n    heat becomes 3\n'
    game = game_of(SYSTEM, FLOW, rule)
    game.answer(0)
    assert game.run() is None
    assert game.world.outcome == FAULT
    assert game.world.fault is not None
    assert game.world.fault.span >= 0


def test_win_in_whenever_is_immediate() -> None:
    game = game_of(SYSTEM, FLOW, 'rule a "A":\n  whenever heat = 3: win "Hot."\n')
    game.answer(0)
    assert game.run() is None
    assert game.world.outcome == WIN


def test_whenever_without_bearer_does_nothing() -> None:
    plain, other = program_of(SYSTEM, FLOW), program_of(SYSTEM, FLOW, RING)
    assert "changed" not in plain.content()
    assert not any(event.name == "change" for event in plain.events)
    for program, telling in ((plain, False), (other, True)):
        image = Image(program)
        wrapped = [isinstance(op, Telling) for number in range(len(program.codes)) for op in image.code(number)]
        assert any(wrapped) is telling


EMBER = """
kind ember is card:
  name: "ember", plural "embers"
  whenever heat >= 1: rings +1
zone hearth of ember: any
ember coal "Coal"
action draw "Draw":
  by: player
  form: draws
  effect:
    heat +1
    put instance coal into hearth
    told becomes rings
action drop "Drop":
  by: player
  form: drops
  effect:
    for each glow in contents hearth: remove glow
    heat becomes 0
    heat +1
    told becomes rings
"""


def test_whenever_is_checked_while_its_bearer_is_in_play() -> None:
    game = game_of(SYSTEM, FLOW.replace("heat becomes 2", "heat becomes 0"), EMBER)
    for action, rings in (("stoke", 0), ("draw", 1), ("stoke", 1), ("drop", 1), ("stoke", 1), ("draw", 1)):
        ask = game.run()
        assert ask is not None
        names = [game.program.actions[option[1]].name if option[0] == ACTION else "" for option in ask.options]
        game.answer(names.index(action))
        game.run()
        assert (stat(game, "rings"), stat(game, "told")) == (rings, rings), action


def test_verifier_requires_parts_of_whenever() -> None:
    program = program_of(SYSTEM, FLOW, RING)
    (row,) = program.listeners
    for spoilt in ({"limit": -1}, {"condition": -1}, {"timing": "before"}, {"offered": True}):
        bad = replace(program, listeners=(replace(row, **spoilt),))
        assert list(verify_program(bad)), spoilt
    deaf = replace(program, changed=-1)
    assert list(verify_program(deaf))


def test_whenever_condition_is_pure() -> None:
    luck = "die coin:\n  faces: 1..2\nmeasure luck:\n  gives: number\n  effect:\n    roll n: coin\n    answer n\n"
    text = "\n".join((SYSTEM, FLOW, luck, 'rule a "A":\n  whenever luck > 1: rings +1\n'))
    model, errors = model_of("own.fcb", text.encode())
    assert [problem.code for problem in (*errors, *looking_problems(model))] == ["FCB0811"]
