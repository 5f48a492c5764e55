"""`fcb soak`: random games of a project."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import calm_pond


def test_failure_is_shortened_shown_and_saved(project: Shell) -> None:
    done = project.fcb("soak", "--games", "20", "--log", "failure.json")
    assert done.code == 1
    assert "endless loop" in done.out
    assert "shortened to 2" in done.err
    assert '"decisions":[' in done.out
    replayed = project.fcb("replay", "failure.json")
    assert (replayed.code, replayed.err) == (0, "")


def test_soak_counts_games(shell: Shell, tmp_path: Path) -> None:
    shell.folder = calm_pond(tmp_path)
    done = shell.fcb("soak", "--games", "5", "--seed", "3")
    assert (done.code, done.err) == (0, "")
    assert "5 games from seed 3" in done.out
    assert "nothing was wrong" in done.out


@pytest.mark.long
def test_unshortened_game_is_summarized(shell: Shell, tmp_path: Path) -> None:
    shell.folder = calm_pond(tmp_path)
    system = shell.folder / "systems" / "pond.fcb"
    text = system.read_text(encoding="utf-8")
    assert "flow:\n" in text
    added = "kind game:\n  stat idle-turns: number 0..\n"
    text = text.replace("flow:\n", f"{added}flow:\n  repeat:\n    idle-turns +1\n    choose pad: space, or none\n")
    system.write_text(text, encoding="utf-8")
    done = shell.fcb("soak", "--games", "1")
    assert done.code == 1
    assert "could not be shortened" in done.err
    assert "`--games 1 --seed 1 --log FILE` keeps it" in done.out
    assert '"decisions"' not in done.out
    logged = shell.fcb("soak", "--games", "1", "--log", "endless.json")
    assert "Its log is kept in endless.json." in logged.out
    assert '"decisions":[' in (shell.folder / "endless.json").read_text(encoding="utf-8")


def test_soak_can_use_bots(shell: Shell, tmp_path: Path) -> None:
    shell.folder = calm_pond(tmp_path)
    by_lot, sensibly = (shell.fcb("soak", "--games", "5", *more) for more in ((), ("--bot", "sensible")))
    assert (sensibly.code, sensibly.err) == (0, "")
    assert "5 games from seed 1" in sensibly.out
    assert sensibly.out != by_lot.out
