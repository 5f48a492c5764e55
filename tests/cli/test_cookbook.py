"""The recipes of the cookbook are complete files: each works in a fresh pack, and the page shows it with its print."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from games import ROOT, first_few, shared_cache
from page_runner import BLOCK

from fcbdsl.tools.docs.cookbook import cookbook_page, recipe_files

FOLDER = ROOT / "docs" / "cookbook"
GAMES_SHOWN = ("far-cry-beyond", "fireteam-zero")
RECIPES = sorted((FOLDER / "recipes").glob("*/*.fcb"), key=lambda path: path.name)
PAGE = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")


def files_of(recipe: Path) -> dict[str, str]:
    return recipe_files(recipe.read_text(encoding="utf-8"), recipe.stem)


def test_cookbook_page_contains_every_recipe() -> None:
    shown = [(name, text) for name, _, text in BLOCK.findall(PAGE)]
    assert shown == [file for recipe in RECIPES for file in files_of(recipe).items()]
    assert len(dict(shown)) == 2 * len(RECIPES)


def test_recipes_lack_no_wording() -> None:
    assert "…" not in "\n".join(line for line in PAGE.splitlines() if line.startswith(">"))


FIRST = [next(recipe for recipe in RECIPES if recipe.parent.name == game) for game in GAMES_SHOWN]
"""One recipe of each game."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "recipe", first_few([*FIRST, *(recipe for recipe in RECIPES if recipe not in FIRST)], len(FIRST))
)
def test_recipe_works_in_fresh_pack(shell: Shell, recipe: Path) -> None:
    with shared_cache():
        assert shell.fcb("new", "pack", "--template", "cards", "--game", recipe.parent.name).code == 0
        shell.folder = shell.folder / "pack"
        for name, text in files_of(recipe).items():
            (shell.folder / name).write_text(text, encoding="utf-8")
        done = shell.fcb("ci", "--strict", "-j", "1")
    assert done.code == 0, done.out + done.err


@pytest.mark.long
def test_every_recipe_works(shell: Shell) -> None:
    shell.folder = FOLDER
    assert shell.fcb("check", "--strict").out == "far-cry-beyond: No problems.\nfireteam-zero: No problems.\n"
    assert shell.fcb("fmt", "--check").code == 0
    assert shell.fcb("test", "-j", "1").code == 0


@pytest.mark.long
def test_page_is_up_to_date() -> None:
    assert cookbook_page(FOLDER) == PAGE, "run `make docs`"
