"""Inputs that once failed are refused or run to their end; a minute of each fuzzer is among the long tests."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fcbdsl.machine.vm import fcbc, serialization
from fcbdsl.machine.vm.program import Program, program_from_content
from fcbdsl.machine.vm.world import L_ANSWER
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.view import View
from tests import pond_game

if sys.platform == "win32":
    pytest.skip("Windows has no fork and no limits of processes", allow_module_level=True)

from tests.fuzz import limits, programs, sources
from tests.fuzz.__main__ import counted_alone, main

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = sorted(limits.CORPUS.glob("*.fcbc"))
SOURCES = sorted(folder for folder in limits.CORPUS.iterdir() if folder.is_dir())
SOUND = ("look-into-the-box",)
"""Sources that are correct; each failed once because fcb was wrong."""


PLAYED = {"thing-in-a-zone-of-others": 909848112}
"""Programs that the verifier accepts, with the seed of the game that failed once."""


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_kept_programs_are_refused_or_played(path: Path) -> None:
    _, failure = limits.tried(lambda: programs.run_bytes(path.read_bytes(), PLAYED.get(path.stem, 0)))
    assert failure is None
    assert isinstance(fcbc.load_fcbc(path.read_bytes()), fcbc.Refused) == (path.stem not in PLAYED)


@pytest.mark.parametrize("root", SOURCES, ids=lambda path: path.name)
def test_kept_sources_have_errors(root: Path) -> None:
    result, failure = limits.tried(lambda: sources.run_project(root, whole=True))
    assert (result, failure) == ("played" if root.name in SOUND else "errors", None)


def test_long_log_is_shown_in_time() -> None:
    """A program of the fuzzer wrote 62,137 entries before its first question. Their lines took half a minute."""
    game = pond_game.crossing()
    game.world.log.extend([(L_ANSWER, -1, 0, 0)] * 150_000)
    game.world.happened = len(game.world.log)
    _, failure = limits.tried(lambda: str(happenings(View(pond_game.image(), "en"), game)))
    assert failure is None


@pytest.mark.long
@pytest.mark.parametrize("what", ["programs", "sources"])
def test_fuzzer_repeats_its_inputs(what: str) -> None:
    makers = [programs.Programs(("pond",)) if what == "programs" else sources.Projects(("pond",)) for _ in range(2)]
    names_of_runs = [
        [maker.following(random.Random(f"3/{number}"), random.Random(3)).file() for number in range(20)]
        for maker in makers
    ]
    for maker in makers:
        maker.close()
    assert names_of_runs[0] == names_of_runs[1]
    assert len(set(names_of_runs[0])) > 15


def test_content_is_decoded_like_file() -> None:
    """The fuzzer reads only rows that differ from its base."""
    base = programs.base_of("pond", programs.base("pond"))
    results = []
    for number in range(40):
        content = programs.mutated(base.content, random.Random(number))
        programs_read: list[Program | None] = []
        for read in (lambda content: programs.decoded(base, content), program_from_content):
            try:
                programs_read.append(read(content).sealed())
            except serialization.Mismatch:
                programs_read.append(None)
        results.append(programs_read[0])
        assert programs_read[0] == programs_read[1], number
    assert 0 < results.count(None) < len(results)


def test_runs_continue_and_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", "")  # what `main` sets
    monkeypatch.setattr(programs.Programs, "__init__", _few)
    monkeypatch.setattr("tests.fuzz.__main__.BATCH", 2)
    asked = ["programs", "--inputs", "5", "--seed", "3", "--keep", str(tmp_path)]
    assert main(asked) == main([*asked, "--jobs", "3"]) == 0
    assert main([*asked, "--first", "2"]) == 0
    (ledger,) = tmp_path.iterdir()
    counts = json.loads(ledger.read_text(encoding="utf-8"))
    assert (counts["first"], counts["inputs"], sum(counts["results"].values())) == (0, 10, 10)


def test_second_run_of_seed_is_refused(tmp_path: Path) -> None:
    ledger = tmp_path / "a.json"
    with counted_alone(ledger), pytest.raises(SystemExit, match="Another run"), counted_alone(ledger):
        pass
    with counted_alone(ledger):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("fault", "why"),
    [(lambda: {}["planted"], "planted"), (lambda: os._exit(3), "ended with status 768")],
    ids=["exception", "crash"],
)
def test_failure_is_saved_with_input(
    fault: Callable[[], object], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[int] = []

    def fail(base: object, content: object, seed: int) -> str:
        runs.append(seed)
        if len(runs) == 14:  # the third after eleven to warm up
            fault()
        return "played"

    monkeypatch.setenv("FCB_CACHE", "")
    monkeypatch.setattr(programs.Programs, "__init__", _few)
    monkeypatch.setattr(programs, "run_content", fail)
    assert main(["programs", "--inputs", "5", "--keep", str(tmp_path)]) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "programs-1-2.fcbc", "programs-1-2.txt", "programs-1.json",
    ]  # fmt: skip
    assert why in (tmp_path / "programs-1-2.txt").read_text(encoding="utf-8")
    counts = json.loads((tmp_path / "programs-1.json").read_text(encoding="utf-8"))
    assert counts["results"] == {"played": 4, "failed": 1}


def _few(self: programs.Programs) -> None:
    self._bases, self._weights = [programs.base_of("pond", programs.base("pond"))], [1.0]


@pytest.mark.long
@pytest.mark.parametrize("what", ["programs", "sources"])
def test_minute_of_fuzzing_finds_nothing(what: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz", what, "--seconds", "60", "--keep", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
