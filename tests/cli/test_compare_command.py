"""`fcb compare`: folders, programs and revisions."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_runner import Shell

GAMES = ("--games", "20", "--bot", "random", "--players", "2", "-j", "1")


@pytest.fixture
def other(project: Shell) -> Path:
    """Return a copy of the project in which the heron wakes late."""
    folder = project.folder.with_name("other")
    shutil.copytree(project.folder, folder)
    cards = folder / "cards" / "pond.fcb"
    text = cards.read_text(encoding="utf-8")
    assert "length: 4" in text
    cards.write_text(text.replace("length: 4", "length: 12"), encoding="utf-8")
    return folder


def test_comparison_reports_change(project: Shell, other: Path) -> None:
    done = project.fcb("compare", ".", other, "crossing", *GAMES)
    assert (done.code, done.err) == (0, "")
    assert "\n\ncrossing, 2 players: A won " in done.out
    assert "random plays both." in done.out
    assert "B is won more often (+" in done.out
    assert "lose: The heron wakes.\n" in done.out
    turned = project.fcb("compare", other, ".", "crossing", *GAMES)
    assert "B is won less often (-" in turned.out
    (row,) = json.loads(project.fcb("compare", ".", other, "crossing", *GAMES, "--format", "json").out)
    assert row["wins"]["low"] > 0
    assert row["games"] == 20
    assert project.fcb("compare", ".", other, "crossing", *GAMES[:-1], "3").out == done.out


def with_goal(folder: Path, flies: int, length: int) -> None:
    """Let frogs need so many flies, and let the heron wake after so many steps."""
    cards = folder / "cards" / "pond.fcb"
    text = cards.read_text(encoding="utf-8")
    assert "  goal: 4\n" in text
    text = re.sub(r"length: \d+", f"length: {length}", text.replace("  goal: 4\n", f"  goal: {flies}\n"))
    cards.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("flies", "reason"), [(90, "won none of 20 games"), (1, "won all 20 games")], ids=["never", "always"]
)
def test_rates_without_meaning_are_not_compared(project: Shell, other: Path, flies: int, reason: str) -> None:
    with_goal(project.folder, flies, 40)
    with_goal(other, flies, 50)
    done = project.fcb("compare", ".", other, "crossing", *GAMES)
    assert done.code == 1
    assert "No comparison: these win rates show nothing about the mission" in done.out
    assert "B is won" not in done.out
    for name in "AB":
        assert re.search(rf"crossing, 2 players: no comparison: {name}: .*", done.err), done.err
    assert reason in done.err
    (row,) = json.loads(project.fcb("compare", ".", other, "crossing", *GAMES, "--format", "json").out)
    assert [name for name, _ in row["unsound"]] == ["A", "B"]


def test_version_that_nobody_wins_differs_from_one_that_somebody_wins(project: Shell, other: Path) -> None:
    with_goal(project.folder, 90, 12)
    done = project.fcb("compare", ".", other, "crossing", *GAMES)
    assert (done.code, done.err) == (0, "")
    assert "A won 0, B won" in done.out
    assert "B is won more often" in done.out


def test_irrelevant_change_shows_no_difference(project: Shell, other: Path) -> None:
    assert "the same program" in project.fcb("compare", ".", ".").out
    cards = other / "cards" / "pond.fcb"
    shutil.copy(project.folder / "cards" / "pond.fcb", cards)
    cards.write_text(
        cards.read_text(encoding="utf-8").replace("The heron wakes.", "The heron is up."), encoding="utf-8"
    )
    out = project.fcb("compare", ".", other, "crossing", *GAMES).out
    assert "All games are identical" in out


def test_revisions_and_programs_can_be_compared(project: Shell, other: Path) -> None:
    for line in ("init -q", "add -A", "-c user.name=A -c user.email=a@b.c commit -q -m First"):
        subprocess.run(["git", *line.split()], cwd=project.folder, check=True)
    shutil.copy(other / "cards" / "pond.fcb", project.folder / "cards" / "pond.fcb")
    assert project.fcb("compile", "-o", "late.fcbc").code == 0
    output = project.fcb("compare", "HEAD", ".", "crossing", *GAMES).out
    assert "B is won more often" in output
    assert project.fcb("compare", "HEAD", "late.fcbc", "crossing", *GAMES).out == output


def test_sides_that_cannot_be_compared_are_refused(project: Shell, other: Path) -> None:
    for arguments, says in (
        ((".", "nowhere"), "is not a folder, a file or a revision"),
        ((".", other, "crosing"), "has no mission 'crosing'"),
        ((".", other, "crossing", "--players", "9"), "players, not 9"),
        ((".", project.folder / "cards"), "contains no fcb.toml"),
    ):
        done = project.fcb("compare", *arguments)
        assert (done.code, says in done.err) == (2, True), done.err
    (other / "cards" / "pond.fcb").write_text("use pond\nfrog (\n", encoding="utf-8")
    done = project.fcb("compare", ".", other)
    assert (done.code, "has errors" in done.err) == (1, True)


def test_same_program_is_compared_with_two_bots(project: Shell) -> None:
    done = project.fcb("compare", ".", ".", "crossing", *GAMES, "--against", "first")
    assert done.code == 0
    assert "\n\nrandom plays A, and first plays B.\n\ncrossing, " in done.out
    assert project.fcb("compare", ".", ".", "crossing", *GAMES, "--against", "random").out.endswith(
        "There is nothing to compare.\n"
    )
    assert "no teams" in project.fcb("compare", ".", ".", *GAMES, "--against", "foxes=first,random").err
