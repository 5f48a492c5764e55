"""Many games from the command line: the report, keeping and going on, stopping."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Shell

from fcbdsl.simulation import games as played


def test_a_report_in_words(project: Shell) -> None:
    done = project.fcb("simulate", "crossing", "--players", "1,2", "--games", "12", "--bot", "random", "--jobs", "1")
    assert done.code == 0
    assert done.err == ""
    first, second = (line for line in done.out.splitlines() if line.startswith("crossing, "))
    assert first.startswith("crossing, 1 player: won ")
    assert " of 12 (" in first
    assert second.startswith("crossing, 2 players: won ")
    assert "lose: The heron wakes. (first with seed " in done.out
    assert "Hop" in done.out
    assert "never entered: B2" in done.out
    assert "care" in done.out


def test_the_report_is_the_same_for_any_number_of_processes(project: Shell) -> None:
    asked = ("simulate", "--games", "60", "--within", "12%", "--bot", "random", "--format", "json")
    alone = project.fcb(*asked, "--jobs", "1")
    assert project.fcb(*asked, "--jobs", "3") == alone
    found = json.loads(alone.out)
    assert [one["cell"]["players"] for one in found] == [1, 2]
    assert all(one["high"] - one["low"] <= 0.24 or one["games"] == 60 for one in found)
    assert any(one["games"] < 60 for one in found)
    project.fcb(*asked, "-o", "report.json")
    assert Path("report.json").read_text(encoding="utf-8") == alone.out


def test_a_run_that_is_stopped_reports_and_goes_on(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("simulate", "crossing", "--games", "8", "--players", "2", "--bot", "random", "--jobs", "1")
    whole = project.fcb(*asked)
    real, times = played.play, []

    def until_stopped(*game: object) -> played.Playout:
        times.append(game)
        if len(times) == 6:
            raise KeyboardInterrupt
        return real(*game)  # type: ignore[arg-type]

    monkeypatch.setattr(played, "play", until_stopped)
    stopped = project.fcb(*asked, "--keep", "games.jsonl")
    assert stopped.code == 1
    assert " of 5 (" in stopped.out
    assert stopped.err == "Stopped; 0 cells not begun, and the last one is told as far as it was played.\n"
    with Path("games.jsonl").open("ab") as file:
        file.write(b'{"torn')
    gone_on = project.fcb(*asked, "--keep", "games.jsonl")
    assert gone_on.out == whole.out
    assert gone_on.err == "games.jsonl: 5 games of this program; 1 line of other programs or torn.\n"
    assert len(times) == 9
    again = project.fcb(*asked, "--keep", "games.jsonl")
    assert again.out == whole.out
    assert len(times) == 9
    assert "8 games of this program" in again.err


def test_a_fault_of_the_content_leaves_with_1(project: Shell) -> None:
    done = project.fcb(
        "simulate", "crossing", "--games", "4", "--players", "1", "--bot", "random", "--variant", "wind=gusty"
    )
    assert done.code == 1
    assert "  fault (first with seed " in done.out


@pytest.mark.parametrize(
    "wrong", [("--players", "9"), ("--players", "x"), ("--within", "60%"), ("--within", "much"), ("crosing",)]
)
def test_what_cannot_be_simulated_is_refused(project: Shell, wrong: tuple[str, ...]) -> None:
    done = project.fcb("simulate", *wrong)
    assert done.code == 2
    assert done.err.startswith("Usage: fcb simulate")
