"""The code of offers: it skips the actions of other missions together, and needs no values that no test reads."""

from __future__ import annotations

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.disasm import disassemble
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import ACTION
from tests.compiler.sources import model_of
from tests.compiler.test_lowering import ops

SYSTEM = b"""
system own "Own":
  languages: en
  players: 1..1
kind game:
  stat heat "heat": number 0..
kind player:
  stat coins "coins": number 0..
verb pay up:
  takes: amount (number)
  effect:
    heat becomes amount
action stoke "Stoke":
  by: player
  form: stokes
  effect:
    choose who: player where coins < 3
    pay up heat + 1
action rest "Rest":
  by: player
  form: rests
  needs: coins >= 1
  effect:
    heat becomes 0
flow:
  repeat:
    offer player
"""
FOREST = b"""
use own
mission forest "Forest"
action chop "Chop":
  by: player
  form: chops
  needs: coins >= 1 and heat >= 0
  effect:
    heat +1
action haul "Haul":
  by: player
  form: hauls
  effect:
    heat +2
action carry "Carry":
  by: player
  form: carries
  effect:
    heat +2
"""
RIVER = b"""
use own
mission river "River"
action swim "Swim":
  by: player
  form: swims
  effect:
    heat becomes 0
"""


def program() -> Program:
    model, errors = model_of("own.fcb", SYSTEM, {"forest.fcb": FOREST, "river.fcb": RIVER})
    assert not errors, errors
    lowered = lower(model)
    assert not list(verify_program(lowered))
    return lowered


def test_actions_of_mission_are_offered_only_there() -> None:
    image = Image(program())
    for mission, offered in (("forest", ["stoke", "haul", "carry"]), ("river", ["stoke", "swim"])):
        game = setup.start_game(image, mission, 1, 1)
        ask = game.run()
        assert ask is not None
        names = [image.program.actions[option[1]].name for option in ask.options if option[0] == ACTION]
        assert sorted(names) == sorted(offered)


def test_actions_of_other_missions_are_skipped_before_their_tests() -> None:
    lines = disassemble(program(), "offers").splitlines()[1:]
    skipped = []
    for line in lines:
        _, op, *operands = line.partition(";")[0].split()
        if op == "ELSEWHERE":
            first, last = lines.index(line) + 1, int(operands[-1])
            skipped.append([other.partition("action ")[2].partition(",")[0] for other in lines[first:last]])
    assert [[name for name in names if name] for names in skipped] == [["chop"], ["haul", "carry"], ["swim"]]


def test_arguments_of_first_effect_are_not_computed() -> None:
    names = ops(disassemble(program(), "offers"))
    assert not {"ADD", "ADDI"} & set(names)
