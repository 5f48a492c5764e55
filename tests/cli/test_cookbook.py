"""The recipes of the cookbook are checked, pass their tests, and stand on its page, with what is printed of them."""

from __future__ import annotations

import re

import pytest
from cli_runner import Shell
from games import ROOT

from fcbdsl.cli.cookbook import cookbook_page

FOLDER = ROOT / "docs" / "cookbook"
RECIPES = sorted((FOLDER / "recipes").glob("*.fcb"))
PAGE = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")


def test_the_page_shows_every_recipe_as_it_is() -> None:
    shown = ["".join(blocks).split() for blocks in re.findall(r"```fcb\n(.*?)```.*?```fcb\n(.*?)```", PAGE, re.DOTALL)]
    written = [path.read_text(encoding="utf-8").split("\n\n", 2)[2].split() for path in RECIPES]
    assert shown == written


def test_nothing_lacks_words() -> None:
    assert "…" not in "\n".join(line for line in PAGE.splitlines() if line.startswith(">"))


@pytest.mark.long
def test_every_recipe_works(shell: Shell) -> None:
    shell.folder = FOLDER
    assert shell.fcb("check", "--strict").out == "No problems.\n"
    assert shell.fcb("fmt", "--check").code == 0
    told = re.fullmatch(r"(\d+) tests: \1 passed, 0 failed.\n", shell.fcb("test", "-j", "1").out)
    assert told
    assert int(told[1]) >= len(RECIPES)


@pytest.mark.long
def test_the_page_is_up_to_date() -> None:
    assert cookbook_page(FOLDER) == PAGE, "run `make docs`"
