"""A content test names every value of every switch, and a game declares the switches of its catalog."""

from __future__ import annotations

import re

import pytest
from games import GAMES, PROJECTS, ROOT, model, page_with_reasons


@pytest.mark.parametrize("game", GAMES)
def test_every_switch_value_has_test(game: str) -> None:
    """As `given variant NAME is VALUE`, including the defaults: a test that names no variant holds for any default."""
    made = model(game, tests=True)
    named = {(switch, value) for test in made.tests for switch, value in test.overrides.items()}
    unnamed = [
        f"{switch.id} is {value}"
        for switch in made.switches.values()
        for number, value in enumerate(switch.values)
        if (switch.id, number) not in named
    ]
    assert unnamed == []


def listed(page: str) -> dict[str, list[str]]:
    """Return the switches of a catalog with their values, the default first, without parentheses (editions).

    The table has the columns `switch` and `values`.
    """
    table = re.search(r"^\| switch \| values[^\n]*\n\|[-|: ]+\n((?:\|[^\n]*\n)*)", page, re.MULTILINE)
    rows = re.findall(r"^\| ([a-z][a-z-]+) \| ([^|]+) \|", table[1] if table else "", re.MULTILINE)
    return {name: [value.strip() for value in re.sub(r" \([^)]*\)", "", values).split(" / ")] for name, values in rows}


@pytest.mark.parametrize("game", GAMES)
def test_switches_equal_those_of_catalogue(game: str) -> None:
    page = (ROOT / PROJECTS[game].rules).read_text(encoding="utf-8")
    declared = {switch.id: list(switch.values) for switch in model(game).switches.values()}
    still_open = {name for name in page_with_reasons("open", game) if not name.isupper()}
    assert declared == {name: values for name, values in listed(page).items() if name not in still_open}
    assert still_open <= listed(page).keys() - declared.keys()
