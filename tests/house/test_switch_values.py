"""Every value of every switch is named by a content test, and the game declares the switches of its catalogue."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from fcbdsl.model.whole import Model
from fcbdsl.project import check_project

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "docs" / "rules" / "far-cry-beyond.md"


@cache
def model() -> Model:
    """The shipped project with its tests."""
    made, problems = check_project([ROOT / "cards", ROOT / "missions", ROOT / "tests" / "cases" / "play"])
    assert not [problem for problem in problems if problem.severity == "error"]
    return made


def test_every_value_is_named_by_a_test() -> None:
    """As `given variant NAME is VALUE`, the defaults too: a test that names none holds whatever the default is."""
    named = {(switch, value) for test in model().tests for switch, value in test.overrides.items()}
    unnamed = [
        f"{switch.id} is {value}"
        for switch in model().switches.values()
        for number, value in enumerate(switch.values)
        if (switch.id, number) not in named
    ]
    assert unnamed == []


def test_the_switches_are_those_of_the_catalogue() -> None:
    """Section 30 lists them, the default first; what stands in parentheses is an edition."""
    section = re.search(r"^## 30\..*?(?=^## )", CATALOGUE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert section is not None
    rows = re.findall(r"^\| ([a-z][a-z-]+) \| ([^|]+) \|", section[0], re.MULTILINE)
    listed = {name: re.sub(r" \([^)]*\)", "", values).split(" / ") for name, values in rows if name != "switch"}
    declared = {switch.id: switch.values for switch in model().switches.values()}
    assert declared == {name: [value.strip() for value in values] for name, values in listed.items()}
