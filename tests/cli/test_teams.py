"""The command line in a game of teams: the winning team, and no secrets for a person."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from cli_runner import Shell

TOY = Path(__file__).parents[1] / "systems" / "foxhunt"


@pytest.fixture
def hunt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a copy of the game."""
    return Shell(Path(shutil.copytree(TOY, tmp_path / "foxhunt")), monkeypatch, capsys)


def test_many_games_are_summarized_by_winner(hunt: Shell) -> None:
    done = hunt.fcb("play", "woods", "--bot", "random", "--players", "3", "--seed", "1", "--games", "12")
    assert done.code == 0
    ends = r"draw (\d+), win \(foxes\) (\d+), win \(hounds\) (\d+)"
    line = re.fullmatch(rf"woods: 12 games from seed 1: {ends}\n", done.out)
    assert line is not None, done.out
    assert sum(map(int, line.groups())) == 12


def test_team_result_is_shown_in_both_languages(hunt: Shell) -> None:
    played = {
        language: hunt.fcb("play", "woods", "--bot", "random", "--seed", "1", "--lang", language).out
        for language in ("en", "fr")
    }
    assert re.search(r"^woods: Won \((hounds|foxes)\): ", played["en"]) or "Draw" in played["en"]
    assert re.search(r"^woods: Victoire \((chiens|renards)\)", played["fr"]) or "nulle" in played["fr"]


def test_soak_reports_winners(hunt: Shell) -> None:
    done = hunt.fcb("soak", "--games", "20")
    assert done.code == 0
    assert "woods win (hounds) " in done.out
    assert "woods win (foxes) " in done.out


def test_person_sees_no_secret_of_the_other_team(hunt: Shell) -> None:
    answers = "1\n" * 80
    hound = hunt.fcb("play", "woods", "--human", "2", "--bot", "random", "--players", "3", "--seed", "3", stdin=answers)
    assert "Hounds: which space?" in hound.out
    assert "lair" not in hound.out
    fox = hunt.fcb("play", "woods", "--human", "1", "--bot", "random", "--players", "3", "--seed", "3", stdin=answers)
    assert "Hounds: choose" not in fox.out
    assert "Loop" not in fox.out


@pytest.mark.long
def test_report_names_counted_team(hunt: Shell) -> None:
    asked = ("simulate", "woods", "--players", "3", "--games", "6", "--bot", "random", "-j", "1", "--side", "hounds")
    for form in ("text", "html"):
        reports = {
            lang: hunt.fcb(*asked, "--worth", "6", "--format", form, "--lang", lang).out for lang in ("en", "fr")
        }
        assert "3 players, wins: hounds" in reports["en"]
        assert "left out in turn (by: hounds)" in reports["en"]
        assert "3 joueurs, victoires\u202f: chiens" in reports["fr"]


@pytest.mark.long
def test_ablation_applies_to_one_side(hunt: Shell) -> None:
    asked = ("compare", ".", ".", "woods", "--players", "3", "--games", "4", "--bot", "random", "-j", "1")
    done = hunt.fcb(*asked, "--without", "run", "--side", "hounds")
    assert done.out.partition("\n\n")[2].startswith("In B no player of hounds takes run if there is another option.")
    assert "All games are identical" not in done.out
    assert "All games are identical" in hunt.fcb(*asked, "--without", "run", "--side", "foxes").out
