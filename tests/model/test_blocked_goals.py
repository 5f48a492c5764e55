"""A goal behind terrain that blocks movement is reported, unless something may clear a way to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.project.project import parse_all

CORE = Path(__file__).parents[2] / "fcbdsl" / "content" / "systems" / "core.fcb"
SYSTEM = """
system yard "Yard":
  players: 1..2
  board: square
terrain crates:
  blocks: movement
terrain rubble:
  blocks: movement
terrain road:
  cost: 1
mark start, entry
mark exit, goal
kind hero is piece:
  copies: 1
rule out:
  when any has acted, if any hero is on exit: win "Out."
verb smash:
  takes: spot (space)
  effect: set terrain spot to road
flow: stop
"""
MISSION = """
mission m "M":
  map square:
    art: |
      +--+--+--+--+
      |s  c  e  . |
      +  +  +  +  +
      |.  c  .  . |
      +--+--+--+--+
    legend:
      "c": crates
      "s": start
      "e": exit
"""
HACK = "action hack:\n  by: hero\n  effect:\n"
EACH = "    for each spot in space filled with {}: {}\n"
ACTED = "  when any has acted: "


@pytest.mark.parametrize(
    ("game", "mission", "is_reported"),
    [
        ("", "", True),
        (HACK + EACH.format("crates", "smash spot"), "", False),
        (HACK + EACH.format("crates", "set terrain spot to road"), "", False),
        (HACK + EACH.format("rubble", "set terrain spot to road"), "", True),
        (HACK + EACH.format("crates", "set terrain spot to rubble"), "", True),
        (HACK + "    choose spot: space\n    set terrain spot to road\n", "", False),
        ("", ACTED + "set terrain B1 to road", False),
        ("", ACTED + "set terrain D1 to road", True),
        ("", ACTED + "set terrain B2 to rubble", True),
        ("", ACTED + "smash B1", False),
        ("", ACTED + "smash D1", True),
    ],
)
def test_clearable_path_counts_as_path(game: str, mission: str, is_reported: bool) -> None:
    sources = [
        Source(CORE.name, CORE.read_text(encoding="utf-8")),
        Source("systems/yard.fcb", SYSTEM + game),
        Source("m.fcb", f"use yard\n{MISSION}{mission}\n"),
    ]
    problems = Problems()
    _, others = check(parse_all(sources, problems))
    assert [problem.code for problem in (*problems, *others)] == (["FCB0913"] if is_reported else [])
