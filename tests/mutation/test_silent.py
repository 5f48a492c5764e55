"""`fcb mutate --print` reports changes that play differently and print the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Shell
from games import PROJECTS, ROOT

from fcbdsl.base.source import Source
from fcbdsl.language.syntax.parser import parse
from fcbdsl.tools.diff.unprinted_changes import NAME
from fcbdsl.tools.mutation.explained import read_explained
from fcbdsl.tools.mutation.sites import spots_of

SYSTEM = """system shed "The Shed":
  players: 1..2
  board: square

kind game:
  stat score "score": number 0..
kind cat is piece:
  name: "cat", plural "cats"
  stat energy "energy": number 0.., starts 3
kind trick is card:
  held by: cat
  field effect: effect, optional
kind mission:
  field goal: number 0.., default 3

event turn start:
  form: turn starts

flow:
  repeat:
    announce turn start
    offer cat, until done

verb pet:
  takes: target (cat), times (number, default 1)
  effect: target's energy becomes target's energy + times
  text en: "pet {target} {times} time[s]"
verb tidy:
  effect: score +1
  text en: ""

action act "Act":
  by: cat
  form: acts
  effect: score +1

layout trick:
  size: card
"""
CARDS = """use shed

cat tom "Tom"
trick hello "Hello":
  effect:
    pet self 2
    tidy
"""
MISSION = """use shed

mission barn "The Barn":
  map square:
    art: |
      +--+
      |. |
      +--+
"""
ENTRY = """[[silent]]
file = "cards/barn.fcb"
of = "trick hello"
text = "tidy"
change = "without `tidy`"
reason = "Every trick tidies."
"""


@pytest.fixture
def shed(tmp_path: Path) -> Path:
    root = tmp_path / "yard"
    project = 'language = 2\nname = "shed"\nlanguages = ["en"]\npaths = ["cards"]\n'
    for name, text in (
        ("fcb.toml", project),
        ("systems/shed.fcb", SYSTEM),
        ("cards/barn.fcb", CARDS),
        ("tests/barn.fcb", MISSION),  # no effect puts a cat on the board, so it cannot be played
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def record(shell: Shell, *arguments: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(shell.fcb("mutate", "--print", "--json", "--jobs", "1", *arguments).out)
    return data


def test_statement_without_words_is_silent(shed: Path, shell: Shell) -> None:
    report = record(shell, "cards")
    silent = [(change["line"], change["change"]) for change in report["changes"] if change["operator"] == "statement"]
    assert silent == [(7, "without `tidy`")]
    assert report["silent"]["en"] == len(report["changes"])
    assert report["printed"] > 0  # `2` → `3` and `2` → `1` change the card
    assert "pet" in report["changes"][0]["prints"]["en"].casefold()


def test_silent_change_fails_the_command_until_it_is_explained(shed: Path, shell: Shell) -> None:
    done = shell.fcb("mutate", "--print", "cards", "--operator", "statement", "--jobs", "1")
    assert done.code == 1
    assert "cards/barn.fcb:7: statement: without `tidy` (en)" in done.out
    (shed / "mutation").mkdir()
    (shed / "mutation" / NAME).write_text(ENTRY, encoding="utf-8")
    done = shell.fcb("mutate", "--print", "cards", "--operator", "statement", "--jobs", "1")
    assert (done.code, "1 explained" in done.out) == (0, True)
    (shed / "mutation" / NAME).write_text(ENTRY.replace('"tidy"', '"tidy up"'), encoding="utf-8")
    done = shell.fcb("mutate", "--print", "cards", "--operator", "statement", "--jobs", "1")
    assert (done.code, "Outdated" in done.out) == (1, True)


def test_lines_that_no_paper_prints_are_explained_together(shed: Path, shell: Shell) -> None:
    (shed / "mutation").mkdir()
    entry = '[[unprinted]]\nbegins = "tidy"\nreason = "Every trick tidies."\n'
    (shed / "mutation" / NAME).write_text(entry, encoding="utf-8")
    report = record(shell, "cards")
    assert report["changes"] == []
    assert report["explained"] > 0


def test_effect_with_its_authors_words_is_not_tried(shed: Path, shell: Shell) -> None:
    path = shed / "cards" / "barn.fcb"
    path.write_text(CARDS.replace("  effect:\n", '  text en: "Pet yourself 2 times and tidy up."\n  effect:\n'))
    report = record(shell, "cards")
    assert report["worded"]["trick"] > 0
    assert report["changes"] == []


@pytest.mark.parametrize("wrong", ['[[unprinted]]\nbegins = "x"\n', "[[silent]]\nfile = 1\n", "silent = 3\n"])
def test_broken_explanations_are_reported(shed: Path, shell: Shell, wrong: str) -> None:
    (shed / "mutation").mkdir()
    (shed / "mutation" / NAME).write_text(wrong, encoding="utf-8")
    done = shell.fcb("mutate", "--print", "cards")
    assert done.code == 1
    assert NAME in done.err


@pytest.mark.parametrize("game", PROJECTS)
def test_explained_lines_of_shipped_games_exist(game: str) -> None:
    for entry in read_explained(ROOT / PROJECTS[game].mutation / NAME, ROOT, "silent"):
        file, _ = parse(Source(entry.key.file, (ROOT / entry.key.file).read_text(encoding="utf-8")))
        spots = [
            spot for spot in spots_of(file, ("en", "fr")) if (spot.of, spot.text) == (entry.key.of, entry.key.text)
        ]
        assert len(spots) >= entry.key.which, entry


@pytest.mark.long
@pytest.mark.parametrize("game", PROJECTS)
def test_shipped_games_have_no_silent_change(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = Shell(ROOT, monkeypatch, capsys).fcb(
        "mutate", "--print", "--game", game, "--sample", "250", "--seed", "7", "--jobs", "1"
    )
    assert done.code == 0, done.out
    assert re.search(r"Silent in en: 0\.\nSilent in fr: 0\.", done.out)
