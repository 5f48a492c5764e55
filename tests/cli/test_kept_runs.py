"""A second `fcb ci` of the same sources repeats what passed, and plays nothing again."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from pond import copy_pond

from fcbdsl.cli import ci_command, kept_runs


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in a project of its own, with a cache of its own."""
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    return Shell(copy_pond(tmp_path), monkeypatch, capsys)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list to which each run of random games adds its game."""
    games: list[str] = []
    before = ci_command._play

    def watched(report, whose, analysis, count):
        games.append(analysis.game)
        before(report, whose, analysis, count)

    monkeypatch.setattr(ci_command, "_play", watched)
    return games


def test_an_unchanged_project_is_played_once_and_reported_alike(project: Shell, played: list[str]) -> None:
    arguments = ("ci", "--junit", "rows.xml", "--format", "json")
    first, rows = project.fcb(*arguments), (project.folder / "rows.xml").read_bytes()
    assert first.code == 0
    assert len(played) == 1
    again = project.fcb(*arguments)
    assert (again.out, (project.folder / "rows.xml").read_bytes()) == (first.out, rows)
    assert len(played) == 1
    project.fcb("ci", "--games", "1")
    assert len(played) == 2


def test_a_failed_test_is_run_again(project: Shell, played: list[str]) -> None:
    file = next((project.folder / "tests").rglob("*.fcb"))
    file.write_text(f'{file.read_text(encoding="utf-8")}\ntest "Never":\n  expect: 1 = 2\n', encoding="utf-8")
    assert [project.fcb("ci").code, project.fcb("ci").code] == [1, 1]
    assert len(played) == 2


@pytest.mark.parametrize("kept", [(), ([], [], {}), ([("a", 1)], [], {}), ([("a", "b")], [("c",)], {}), "text"])
def test_runs_of_another_form_are_refused(kept: object) -> None:
    assert not kept_runs._are_runs(kept)
