"""Python 3.14 as WebAssembly (Pyodide, in Node) checks, compiles and plays like the present Python.

Its version, its 32-bit machine and its hash seed differ, and no program or game may depend on them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from games import GAMES, ROOT

RUNNER = Path(__file__).with_name("in_pyodide.mjs")
PYODIDE = ROOT / "build" / "pyodide" / "node_modules" / "pyodide" / "pyodide.mjs"
WANTED = (3, 14)
BOUND = 1800
"""The most seconds for the commands of one test; after that, Pyodide has stalled."""
QUIET = {"FCB_CACHE": "", "FCB_STATE": "", "HOME": "/", "PYTHONHASHSEED": "1"}

pytestmark = pytest.mark.long


class Done(NamedTuple):
    """The result of a command."""

    code: int
    output: str
    errors: str


def here(folder: Path, commands: Sequence[Sequence[str]]) -> list[Done]:
    """Run commands of fcb one after the other with this Python."""
    results = []
    for arguments in commands:
        command = [sys.executable, "-m", "fcbdsl", *arguments]
        environment = {**os.environ, **QUIET, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "2"}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8")
        results.append(Done(done.returncode, done.stdout, done.stderr))
    return results


def in_pyodide(folder: Path, commands: Sequence[Sequence[str]], seen: Sequence[Path]) -> list[Done]:
    """Run commands of fcb in Pyodide, which sees the checkout and the folders `seen` under the same names."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Pyodide needs Node, which is not installed")
    if not PYODIDE.is_file():
        pytest.skip("Pyodide is not in build/pyodide: `make pyodide` gets it from npm's registry")
    site = Path(click.__file__).parents[1]  # the dependencies that are pure Python are enough
    job = {
        "pyodide": str(PYODIDE),
        "mounts": {"/site": str(site), **{str(folder): str(folder) for folder in (ROOT, *seen)}},
        "path": [str(ROOT), "/site"],
        "folder": str(folder),
        "env": QUIET,
        "commands": commands,
    }
    done = subprocess.run([node, RUNNER, json.dumps(job)], capture_output=True, encoding="utf-8", timeout=BOUND)
    assert done.returncode == 0, done.stderr[-3000:]
    answer = json.loads(done.stdout.splitlines()[-1])
    assert tuple(answer["python"][:2]) == WANTED
    return [Done(*result) for result in answer["done"]]


@pytest.mark.parametrize("game", GAMES)
def test_pyodide_compiles_the_same_program_and_replays_its_games(game: str, tmp_path: Path) -> None:
    program, log = tmp_path / "game.fcbc", tmp_path / "game.log.json"
    kept_program, kept_log = tmp_path / "kept.fcbc", tmp_path / "kept.log.json"
    build = [
        ["check", "--game", game],
        ["compile", "--game", game, "-o", str(program)],
        ["missions", "--program", str(program)],
    ]
    ours = here(ROOT, build)
    assert [result.code for result in ours] == [0, 0, 0], ours
    mission = ours[-1].output.split()[0]
    play = ["play", mission, "--program", str(program), "--bot", "random", "--seed", "1", "--log", str(log)]
    replay = ["replay", str(kept_log), "--program", str(program)]
    ours += here(ROOT, [play])
    shutil.copy(log, kept_log)
    ours += here(ROOT, [replay])
    program.rename(kept_program)
    log.unlink()

    results = in_pyodide(ROOT, [*build, play, replay, ["verify", str(program)]], [tmp_path])

    assert [problem.code for problem in results] == [0] * 6, results
    assert [result.output for result in results[:5]] == [result.output for result in ours]
    assert "confirmed" in results[4].output
    assert program.read_bytes() == kept_program.read_bytes()
    assert log.read_bytes() == kept_log.read_bytes()


def test_pyodide_reports_the_mistakes_in_loose_files(tmp_path: Path) -> None:
    for game in GAMES:
        (tmp_path / f"{game}.fcb").write_text(f"use {game}\n\nnosuchkind pebble:\n  cost: (\n", encoding="utf-8")
    commands = [["check", f"{game}.fcb"] for game in GAMES]
    ours = here(tmp_path, commands)
    results = in_pyodide(tmp_path, commands, [tmp_path])
    assert [result.code for result in ours] == [1] * len(GAMES)
    assert results == ours
