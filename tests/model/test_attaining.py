"""Stats that no effect can change, and effects that wait for each other."""

from __future__ import annotations

import pytest
from small import sound

from fcbdsl.base.diagnostics.dead import NeverMet, NeverTaken
from fcbdsl.language.model.checks.outcomes import outcomes

HEAD = """system keep "Keep":
  board: square
  languages: en
kind hero is piece:
  name: "hero"
kind mission:
  field objective: condition, attainable
kind game:
  stat oiled: flag
  stat lit: flag
  stat stage: number 0..9
  stat mood: mood, starts calm
enum mood: calm, wild, mad
kind task is card:
  name: "task"
  field met: condition, attainable
  stat complete: flag
  whenever not this's complete and this's met: fulfil this
zone row of task
verb fulfil:
  takes: task (task)
  event: task is met
  effect: task's complete becomes yes
event bell:
  form: bell rings
hero bo "Bo"
measure tally:
  gives: number
  effect:
    let sum = 0
    for each hero: let sum = sum + 1
    answer sum
flow:
  for each sort in task definition: put (instance of sort) into row
  offer hero
"""
MISSION = """
mission m "M":
  objective: {}
  map square:
    art: |
      +--+
      |. |
      +--+
"""


def why(objective: str, rest: str) -> list[str]:
    """Return why conditions and actions of a small game can never be true, or be taken."""
    model = sound(HEAD + rest + MISSION.format(objective))
    problems = [problem for problem in outcomes(model) if isinstance(problem, NeverMet | NeverTaken)]
    return [str(problem.arguments["why"]) for problem in problems]


def action(name: str, needs: str, effect: str) -> str:
    """Return an action of the heroes."""
    return f"action {name}:\n  by: hero\n  form: {name}s\n  needs: {needs}\n  effect: {effect}\n"


OIL, LIGHT = "oiled becomes yes", "lit becomes yes"
LIT = action("light", "oiled", LIGHT)
NEEDING_LIGHT = "\n    require lit\n    oiled becomes yes"
WARM = action("warm", "oiled or lit or stage = 0", "mood becomes wild")
RANG = "rule toll:\n  when bell rings: oiled becomes yes\n"
REACHED = {
    ("oiled", action("oil", "any hero", OIL)): True,
    ("oiled", action("oil", "any hero", "nothing")): True,  # FCB0678 reports a stat that nothing changes
    ("oiled", action("oil", "lit", OIL) + LIT): False,
    ("oiled", action("oil", "lit", OIL) + action("light", "any hero", LIGHT)): True,
    ("oiled", action("oil", "not lit", OIL) + LIT): True,
    ("oiled", action("oil", "lit or stage = 0", OIL) + LIT): True,
    ("oiled", action("oil", "any hero", "if lit: oiled becomes yes") + LIT): False,
    (
        "oiled",
        action("oil", "any hero", NEEDING_LIGHT) + LIT,
    ): False,
    ("oiled", action("oil", "any hero", "\n    if not lit: stop\n    oiled becomes yes") + LIT): False,
    ("stage = 2", action("climb", "any hero", "stage becomes 1")): False,
    ("tally > 0 and tally = 0", ""): False,
    ("tally > 0 and tally < 2", ""): True,
    ("stage = 1", action("climb", "any hero", "stage becomes 1")): True,
    ("stage = 2", action("climb", "any hero", "stage +1")): True,
    ("mood is mad", action("rave", "mood is wild", "mood becomes mad")): False,
    (
        "mood is mad",
        action("rave", "mood is wild", "mood becomes mad") + WARM,
    ): True,
    ("oiled", RANG + action("ring", "oiled", "announce bell")): False,
    ("oiled", RANG + action("ring", "any hero", "announce bell")): True,
}


@pytest.mark.parametrize(("objective", "rest"), REACHED)
def test_stat_is_changed_only_by_effects_that_may_run(objective: str, rest: str) -> None:
    reasons = why(objective, rest)
    assert (reasons == []) == REACHED[objective, rest]


def test_effects_that_wait_for_each_other_are_named_so() -> None:
    reasons = why("oiled", action("oil", "lit", OIL) + LIT)
    assert all("wait for each other" in reason for reason in reasons)
    assert why("stage = 1", action("oil", "stage = 2", "stage becomes 1")) != []


TASKS = {
    ("any hero", "first#1 is complete"): [],
    ("second#1 is complete", "first#1 is complete"): ["second", "first"],
    ("second#1 is complete or any hero", "first#1 is complete"): [],
    ("first#1 is complete", "any hero"): ["first"],
}


@pytest.mark.parametrize(("first", "second"), TASKS)
def test_objectives_that_wait_for_each_other_are_reported(first: str, second: str) -> None:
    cards = f'task first "First":\n  met: {first}\ntask second "Second":\n  met: {second}\n'
    model = sound(f"{HEAD}{cards}{MISSION.format('second#1 is complete')}")
    never = [problem for problem in outcomes(model) if isinstance(problem, NeverMet)]
    whole = [problem for problem in never if problem.arguments["name"] != "m"]
    assert sorted({str(problem.arguments["name"]) for problem in whole if problem.severity == "error"}) == sorted(
        {"first", "second"} if TASKS[first, second] == ["second", "first"] else set(TASKS[first, second])
    )
