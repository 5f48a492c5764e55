"""The games of the repository: each is read, checked and compiled once in a run of the tests.

This module knows neither their number nor their names: these are in the project file.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.files import write_atomically
from fcbdsl.language.compiler import lower
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.project.project import check_project, load_project
from fcbdsl.project.settings import Project, read_projects

ROOT = Path(__file__).parents[1]
PROJECTS: dict[str, Project] = {project.game: project for project in read_projects(ROOT, Problems())}
GAMES = tuple(PROJECTS)

SHARED = "FCB_TESTS_SHARED"
"""The variable with the folder that all processes of one run of the tests share."""


def shared(name: str) -> Path:
    """Return a folder that all processes of this run share, so that each can use the results of the others."""
    folder = Path(os.environ[SHARED]) / name
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


@contextmanager
def shared_cache() -> Iterator[None]:
    """Let the processes of this run share cached results."""
    before = os.environ["FCB_CACHE"]
    os.environ["FCB_CACHE"] = str(shared("cache"))
    try:
        yield
    finally:
        os.environ["FCB_CACHE"] = before


def exclude_from_collection() -> None:
    """Exclude all present objects from garbage collections, because the large ones are used until the end.

    Garbage is freed first: frozen garbage stays in memory.
    """
    gc.collect()
    gc.freeze()


@cache
def looked_through(game: str, tests: bool = False) -> tuple[Model, list[Diagnostic]]:
    """Return a game's checked model and all its findings, if wanted with its `tests`."""
    with shared_cache():
        return check_project(root=ROOT, game=game, tests=tests)


@cache
def model(game: str, tests: bool = False) -> Model:
    """Return the model, which has no errors."""
    made, problems = looked_through(game, tests)
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    exclude_from_collection()
    return made


@cache
def program(game: str, tests: bool = False) -> Program:
    """Return a game's program, if wanted with its `tests`. One process of this run compiles it for all."""
    path = shared("programs") / f"{game}{'-tests' if tests else ''}.pickle"
    if path.exists():
        made: Program = pickle.loads(path.read_bytes())  # this run has compiled it
        exclude_from_collection()
        return made
    made = lower(model(game, tests), tests)
    write_atomically(path, pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
    return made


@cache
def image(game: str) -> Image:
    """Return an image that plays the game."""
    made = Image(program(game))
    exclude_from_collection()
    return made


def model_with(game: str, *more: Path) -> Model:
    """Return a game's model with more files of content, or of tests."""
    made, problems = check_project([*content(game), *more], tests=False, root=ROOT, game=game)
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    return made


def content(game: str) -> Sequence[Path]:
    """Return the folder of a game's content."""
    return PROJECTS[game].content()


def page_with_reasons(folder: str, game: str) -> list[str]:
    """Return the lines of `tests/cases/FOLDER/GAME.txt`, each of which states a reason; none without such a file."""
    page = ROOT / "tests" / "cases" / folder / f"{game}.txt"
    lines = page.read_text(encoding="utf-8").splitlines() if page.is_file() else []
    rows = [line.partition("  # ") for line in lines if not line.startswith("#")]
    assert all(reason for _, _, reason in rows)
    return [what for what, _, _ in rows]


def missions(program: Program) -> list[str]:
    """Return the ids of a program's missions."""
    return [row.id for row in program.definitions if program.kinds[row.kind].policy == "mission"]


def written_missions(game: str) -> list[str]:
    """Return the ids of the missions in the sources, for tests that are collected before anything is checked."""
    sources = load_project(root=ROOT, game=game, tests=False).sources
    return [id for source in sources for id in re.findall(r"^mission ([\w-]+)", source.text, re.MULTILINE)]


EACH_IN_ITS_LANGUAGES = [(game, language) for game in GAMES for language in PROJECTS[game].languages or ("en",)]
"""Each game with each language of the project."""


def first_few(values: Iterable[Any], few: int) -> list[Any]:
    """Return values for `parametrize`, of which all but the first few are long."""
    return first_rows(((value,) for value in values), few)


def first_rows(rows: Iterable[tuple[Any, ...]], few: int) -> list[Any]:
    """Return rows of values for `parametrize`, of which all but the first few are long."""
    return [pytest.param(*row, marks=[pytest.mark.long] if at >= few else []) for at, row in enumerate(rows)]


SMALLEST_FIRST = GAMES[::-1]
"""The games from the smallest on, for tests that try the first few."""
