"""Conditions on the number of the round are compared with the round in which the mission ends."""

from __future__ import annotations

import pytest
from small import checked, core

from fcbdsl.base.diagnostics.dead import DeadBranch
from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.checks.idle import idle
from fcbdsl.language.model.checks.number_values import Numbers
from fcbdsl.language.syntax.parser import parse

HEAD = """system pond "Pond":
  board: square
  languages: en
kind frog is piece:
  name: "frog"
  stat fed: flag
kind game:
  stat round: number 0..
kind mission:
  field rounds: number 1.., default 9
frog ann "Ann"
"""
CLOCK = f"""{HEAD}
flow:
  for each frog: place frog on A1
  repeat: play a round
verb play a round:
  effect:
    round becomes round + 1
    for each frog: frog's fed becomes yes
    tick
verb tick:
  effect: pass 2
verb pass:
  takes: steps (number)
  effect:
    repeat steps times:
      for each countdown: advance countdown
"""
LIMIT = f"""{HEAD}
flow:
  for each frog: place frog on A1
  repeat: play a round
verb play a round:
  effect:
    round +1
    if last: lose "Late."
relation last:
  is: round >= mission's rounds
"""
MISSION = """
mission shore "Shore":
  rounds: 4
  when frog moves: nothing
  map square:
    art: |
      +--+--+
      |a  . |
      +--+--+
    legend:
      "a": ann
  countdown dusk "Dusk":
    length: 6
    at 2: {step}
    at end: {end}
"""


def most(text: str) -> int | None:
    """Return the greatest value of the number of the round in the only mission."""
    model = checked(text.replace("  when frog moves: nothing\n", ""))[0]
    numbers = Numbers(model)
    mission = next(definition for definition in model.definitions.values() if definition.board is not None)
    return numbers.clocks.most(model.kinds["game"].fields["round"], mission)


LOST, HUSH = 'lose "Dark."', "for each frog: frog's fed becomes no"
ENDS = {
    (CLOCK, HUSH, LOST): 6,
    (CLOCK, LOST, HUSH): 2,
    (CLOCK, HUSH, HUSH): None,  # the mission does not end with the countdown
    (CLOCK, "lower dusk 1", LOST): None,  # the countdown may go back
    (CLOCK.replace("effect: pass 2", "effect: pass 0"), HUSH, LOST): None,
    (CLOCK.replace("    tick\n", "    if round = 3: tick\n"), HUSH, LOST): None,  # not in each round
    (CLOCK.replace("    tick\n", "    if round = 3: stop\n    tick\n"), HUSH, LOST): None,
    (LIMIT, HUSH, HUSH): 4,
    (LIMIT.replace(">=", ">"), HUSH, HUSH): 5,
    (LIMIT.replace("round +1", "round +2"), HUSH, HUSH): None,  # it may skip the last round
    (LIMIT.replace("mission's rounds", "7"), HUSH, HUSH): 7,
}


@pytest.mark.parametrize(("system", "step", "end"), ENDS)
def test_last_round_of_a_mission_is_known(system: str, step: str, end: str) -> None:
    assert most(system + MISSION.format(step=step, end=end)) == ENDS[system, step, end]


CONDITIONS = {
    "round > 4": "never",
    "round >= 4": "",
    "round = 9": "never",
    "round < 0": "never",
    "round >= 0": "always",
    "round <= 4": "always",
    "any frog where it is fed and round <= 4": "",
}


@pytest.mark.parametrize(("condition", "always"), CONDITIONS.items())
def test_condition_of_content_is_compared_with_the_last_round(condition: str, always: str) -> None:
    heard = f"frog naps, if {condition}: {HUSH}"
    mission = MISSION.format(step=HUSH, end=HUSH).replace("frog moves: nothing", heard).partition("  countdown")[0]
    system = (
        f"{LIMIT.replace('round +1', 'for each frog: nap frog')}\nverb nap:\n  takes: who (frog)\n  event: who naps\n"
    )
    system += "  effect: round becomes round + 1\n"
    system = system.replace("place frog on A1", "frog's fed becomes yes")
    files = [
        parse(Source(name, text))[0] for name, text in (("system.fcb", system), ("mission.fcb", f"use pond\n{mission}"))
    ]
    model, problems = check([*core(), *files])
    assert problems == []
    found_here = [problem for problem in idle(model) if isinstance(problem, DeadBranch)]
    assert [problem.arguments["always"] for problem in found_here] == ([always] if always else [])
