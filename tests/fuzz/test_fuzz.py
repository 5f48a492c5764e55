"""Inputs that once failed are refused or run to their end; a minute of each fuzzer is among the long tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fcbdsl.machine.vm import fcbc

if sys.platform == "win32":
    pytest.skip("Windows has no fork and no limits of processes", allow_module_level=True)

from tests.fuzz import limits, programs, sources

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = sorted(limits.CORPUS.glob("*.fcbc"))
SOURCES = sorted(one for one in limits.CORPUS.iterdir() if one.is_dir())


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_that_failed_once_are_refused(path: Path) -> None:
    _, failure = limits.tried(lambda: programs.run_bytes(path.read_bytes()))
    assert failure is None
    assert isinstance(fcbc.load(path.read_bytes()), fcbc.Refused)


@pytest.mark.parametrize("root", SOURCES, ids=lambda path: path.name)
def test_sources_that_failed_once_have_errors(root: Path) -> None:
    result, failure = limits.tried(lambda: sources.run_project(root, whole=True))
    assert (result, failure) == ("errors", None)


@pytest.mark.long
@pytest.mark.parametrize("what", ["programs", "sources"])
def test_fuzzer_repeats_its_inputs(what: str, tmp_path: Path) -> None:
    arguments = [what, "--inputs", "4", "--seed", "3", "--keep", str(tmp_path)]
    found = [_fuzzed(*arguments).partition('"cpu_seconds"')[0] for _ in range(2)]
    assert found[0] == found[1]
    assert '"inputs": 4' in found[0]
    assert list(tmp_path.iterdir()) == []


def test_failure_is_kept_with_its_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.fuzz.__main__ import main

    def fail(content: object, seed: int) -> str:
        raise LookupError("planted")

    monkeypatch.setattr(programs, "run_content", fail)
    monkeypatch.setattr(programs, "GAMES", ("fair",))
    assert main(["programs", "--inputs", "1", "--keep", str(tmp_path)]) == 1
    assert sorted(one.suffix for one in tmp_path.iterdir()) == [".fcbc", ".txt"]
    assert "planted" in next(tmp_path.glob("*.txt")).read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("what", ["programs", "sources"])
def test_minute_of_wrong_inputs_finds_nothing(what: str, tmp_path: Path) -> None:
    _fuzzed(what, "--seconds", "60", "--seed", "1", "--keep", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def _fuzzed(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "tests.fuzz", *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
