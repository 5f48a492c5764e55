"""Setups that continue from those with other inputs equal setups from the start, in systems made at random."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.image import Image
from fcbdsl.project.analysis import setup_check
from fcbdsl.project.project import check_project
from tests.analysis.test_setup_check import FLOW, MISSION, assert_same_setup

DECLARED = """\
variant strict: off, on
variant dark "Dark": no, yes
variant deep "Deep": no, yes
event dawn
kind player:
  stat luck "luck": number 0.., starts 0
"""
LISTENERS = ["", "  when dawn: pace +1\n", "  when dawn, if strict is on: pace +1\n"]
RULES = [
    "",
    "rule early:\n  when dawn, if dark is yes: pace +1\n",
    "rule late:\n  whenever pace > 4: pace becomes 4\n",
    "rule each:\n  when dawn: for each player: player's luck +1\n",
]
STATEMENTS = [
    "if strict is on: pace +1",
    "if dark is yes: pace +2",
    "if deep is yes and strict is off: pace +3",
    "if number of player = 2: pace +1",
    "if number of player > 2 and dark is yes: pace +5",
    "for each player: player's luck +1",
    "for each player:\n    choose spot: space marked start where not it's taken or strict is on, by player\n"
    "    spot's taken becomes yes",
    "for each player:\n    choose spot: space marked start, by player\n    spot's taken becomes yes",
    "for each space:\n    if space's taken: pace +1",
    "announce dawn",
    "pace +1",
    "offer player",
    'if pace > 3: lose "Over."',
    "if pace > 2:\n    for each player where dark is yes: player's luck +1",
]


@pytest.mark.parametrize("seed", [*range(12), *[pytest.param(seed, marks=pytest.mark.long) for seed in range(12, 60)]])
def test_setups_of_random_systems_are_shared_rightly(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    flow = "".join(f"  {random.choice(STATEMENTS)}\n" for _ in range(random.randrange(2, 7)))
    declared = DECLARED + random.choice(LISTENERS) + random.choice(RULES)
    system = FLOW.partition("flow:\n")[0] + f"{declared}flow:\n{flow}  repeat:\n    offer player\n"
    mission = MISSION.replace("1..3", "1..4").replace("|s  . |", "|s  s |")
    files = {
        "fcb.toml": 'language = 2\nname = "mini"\ntitle = "Mini"\nlanguages = ["en"]\npaths = ["cards"]\n',
        "systems/mini.fcb": system,
        "cards/c.fcb": f"use mini\n{mission}",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    model, reports = check_project(root=tmp_path, tests=False)
    assert [report.message for report in reports if report.severity == "error"] == []
    program, loop = lower(model), setup_check.loop_line(model)
    image, reads = Image(program), dict[setup_check.Moment, bool]()
    image.observes_inputs = True
    for _ in range(2):  # in the second round, it is known where inputs are read
        runs = setup_check.SetupRuns(image, "lost", loop, reads)
        for settings in setup_check.Switches(image).settings("lost"):
            for players in range(1, 5):
                fresh = setup_check.SetupRuns(Image(program), "lost", loop)
                assert_same_setup(runs, fresh, players, settings)
