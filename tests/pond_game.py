"""The Pond, a small game for tests of playing and of the command line, compiled once."""

from __future__ import annotations

import functools
import shutil
from pathlib import Path

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.project.project import check_project

POND = Path(__file__).parent / "systems" / "pond"


@functools.cache
def pond() -> Program:
    """Return the program of the game with its tests."""
    model, problems = check_project([POND])
    assert problems == []
    return lower(model, tests=True)


@functools.cache
def image() -> Image:
    """Return an image that plays it."""
    return Image(pond())


def crossing(players: int = 1, seed: int = 1) -> Game:
    """Return a new game of its mission."""
    return setup.start_game(image(), "crossing", players, seed, {})


def copy_pond(folder: Path, tests: str = "") -> Path:
    """Copy the project to `folder`, with its tests replaced by `tests` if given."""
    root = folder / "pond"
    shutil.copytree(POND, root)
    if tests:
        (root / "tests" / "pond.fcb").write_text(tests, encoding="utf-8")
    return root


def calm_pond(folder: Path) -> Path:
    """Copy the project to a folder without the endless loop of its games."""
    root = copy_pond(folder)
    system = root / "systems" / "pond.fcb"
    endless = system.read_text(encoding="utf-8")
    assert "1000000 times" in endless
    system.write_text(endless.replace("1000000 times", "1 times"), encoding="utf-8")
    return root
