"""The review of campaigns reports each mistake at its definition, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fcbdsl.base.diagnostics import Diagnostic, all_diagnostics
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import DONE, LOST, WIN, WON
from fcbdsl.play.campaign.exploration import ENDED, explore
from fcbdsl.play.campaign.journey import Journey
from fcbdsl.play.campaign.review import review
from tests.campaign.small_campaign import program, sources

FOLDER = Path(__file__).parents[1] / "cases" / "campaigns"
SYSTEM = (FOLDER / "system.fcb").read_text(encoding="utf-8")
CASES = sorted(path for path in FOLDER.glob("*.fcb") if path.stem != "system")
CLASSES = [cls for cls in all_diagnostics() if cls.code.startswith("FCB10")]


def review_of(text: str, system: str = SYSTEM, most: int = 400) -> list[Diagnostic]:
    return review(program(text, system), sources(text, system), most)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_campaign_case_reports_exactly_its_problems(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    wanted = [
        (number, code)
        for number, line in enumerate(text.split("\n"), 1)
        for code in re.findall(r"FCB\d{4}", line.partition("  # ")[2])
    ]
    lines = SYSTEM.count("\n")
    assert sorted((problem.span.line - lines, problem.code) for problem in review_of(text)) == sorted(wanted)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.code)
def test_diagnostic_examples_show_mistake_and_fix(cls: type[Diagnostic]) -> None:
    if cls.bad:
        assert {problem.code for problem in review_of(cls.bad, "")} == {cls.code}
    assert review_of(cls.good, "") == []


def case(name: str) -> str:
    return (FOLDER / f"{name}.fcb").read_text(encoding="utf-8")


# ── reports ────────────────────────────────────────────────────────────────────────────────────


def test_dead_end_is_reported_with_path() -> None:
    (problem,) = review_of(case("dead-end"))
    assert problem.message == (
        "The campaign `journey` stops here without an end. Course: `village`, `skirmish` won; `ferry`."
    )


def test_unreachable_goal_uses_system_wording() -> None:
    (problem,) = review_of(case("never-unlocked"))
    assert problem.message == "In every course of the campaign, the place `island` is never unlocked."


def test_broken_invariant_is_reported_with_path() -> None:
    (problem,) = review_of(case("reward-twice"))
    assert "“No reward is given twice.” Course: `village`; `village`" in problem.message


def test_reachability_joins_all_campaigns() -> None:
    text = case("never-unlocked") + 'campaign cruise "Cruise":\n  first: island, coast\n'
    assert review_of(text) == []


def test_program_without_campaign_has_no_campaign_problem() -> None:
    assert review_of('place island "Island":\n  scene: skirmish\n') == []


def test_unexplored_is_not_reported_as_impossible() -> None:
    (problem,) = review_of(case("never-unlocked"), most=1)
    assert problem.code == "FCB1007"
    assert problem.severity == "warning"
    assert "`island` is never unlocked" in problem.message


def test_bound_of_exploration_is_not_reported_if_all_courses_were_seen() -> None:
    assert review_of(case("sound"), most=5) == []


# ── exploration ────────────────────────────────────────────────────────────────────────────────


def test_explored_paths_can_be_played() -> None:
    """Each edge of the graph is one step of a real journey from the state it leaves."""
    image = Image(program(case("sound"), SYSTEM))
    explored = explore(image, "journey")
    assert explored.whole
    assert len(explored.states) == len(set(explored.states))
    edges = [edge for edges in explored.edges for edge in edges or ()]
    assert any(edge.outcome == WIN for edge in edges)
    compared = 0
    for edge in edges:
        journey = Journey(image, "journey", 1, 1, carried=explored.states[edge.before])
        for option in edge.answers:
            assert journey.ask is not None
            if option not in journey.ask.options:  # a single option is taken without a question
                continue
            journey.choose(journey.ask.options.index(option))
        if edge.after == ENDED:
            assert journey.outcome == "win"
        elif journey.steps == 1:  # otherwise steps without a question have followed
            assert journey.kept() == explored.states[edge.after]
            compared += 1
    assert compared > 3


def test_both_results_of_mission_are_explored() -> None:
    image = Image(program(case("sound"), SYSTEM))
    edges = [edge for edges in explore(image, "journey").edges for edge in edges or ()]
    ends = {option[0] for edge in edges for option in edge.answers if len(option) == 2 and option[0] in (WON, LOST)}
    assert ends == {WON, LOST}
    assert DONE not in ends


def test_only_due_prospects_are_inspected() -> None:
    """What remains due of some prospects is the same as if all were of interest."""
    image = Image(program(case("never-unlocked") + 'campaign cruise "Cruise":\n  first: island, coast\n', SYSTEM))
    first, alone = explore(image, "journey"), explore(image, "cruise")
    then = explore(image, "cruise", due=first.due)
    for number, due in first.due.items():
        assert then.due[number] == [definition for definition in due if definition in alone.due[number]]
    assert first.due != alone.due
    assert (then.states, then.edges) == (alone.states, alone.edges)


def test_exploration_is_deterministic() -> None:
    image = Image(program(case("no-way-out"), SYSTEM))
    first, second = explore(image, "journey"), explore(image, "journey")
    assert (first.states, first.edges, first.due) == (second.states, second.edges, second.due)


# ── limits ─────────────────────────────────────────────────────────────────────────────────────

ROUND = """
system round "Round":
  board: square
  players: 1..2
kind place is card:
  field scene: mission definition
  field leads-to: place definition
kind campaign:
  field first: place definition
kind game:
  stat here: place definition, kept
  stat gold: number 0.., kept
  stat fame: number 0.., kept
journey:
  if here is nothing: here becomes campaign's first
  play here's scene:
    won: gold +1
    lost: fame +1
  GAINS
  here becomes here's leads-to
mission hill "Hill":
  map square:
    art: |
      +--+
      |. |
      +--+
campaign trip "Trip":
  first: landing
place landing "Landing":
  scene: hill
  leads-to: attic
place attic "Attic":
  scene: hill
  leads-to: garden
place garden "Garden":
  scene: hill
  leads-to: landing
"""
"""A campaign that never ends, with counters that have no limit."""


def test_campaign_without_end_is_reported_even_if_counters_hide_the_circle() -> None:
    (problem,) = review_of("", ROUND.replace("  GAINS\n", ""))
    assert problem.code == "FCB1007"
    assert problem.message.endswith("states were checked without reaching: an end.")


def test_exploration_is_limited_by_positions_if_steps_have_many_courses() -> None:
    gains = "\n".join(
        line
        for stat in ("gold", "fame")
        for line in ("  choose one:", *(f'    "{number}":\n      {stat} +{number}' for number in range(1, 20)))
    )
    explored = explore(Image(program("", ROUND.replace("  GAINS", gains))), "trip")
    assert not explored.whole
    assert explored.looked < 100
