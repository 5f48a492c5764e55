"""`fcb record` turns a moment of a game into a test, and `fcb play --from` plays on from a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_runner import Shell
from games import GAMES, ROOT, missions, program
from pond_game import copy_pond


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(copy_pond(tmp_path), monkeypatch, capsys)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_recorded_moment_of_each_game_is_passing_test(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(ROOT, monkeypatch, capsys)
    log, made = tmp_path / "game.json", tmp_path / "made.fcb"
    shell.fcb("play", missions(program(game))[1], "--bot", "sensible", "--seed", "3", "--log", log)
    done = shell.fcb("test", "record", log, "-o", made)
    assert done.code == 0, done.err
    assert re.search(r"a test of \d+ lines; it passes\.", done.err)
    text = made.read_text(encoding="utf-8")
    assert "\n  play " in text
    assert "\n  expect " in text
    assert shell.fcb("fmt", "--check", made).code == 0
    done = shell.fcb("test", *sorted((ROOT / "cards" / game).glob("*.fcb"))[:1], made, "--game", game, "-k", "seed 3")
    assert (done.code, "1 passed, 0 failed" in done.out) == (0, True), done


@pytest.mark.long
def test_recorded_test_has_no_needless_steps(shell: Shell) -> None:
    shell.fcb("play", "crossing", "--bot", "random", "--seed", "5", "--players", "2", "--log", "game.json")
    done = shell.fcb("test", "record", "game.json:6")
    assert done.code == 0, done.err
    (shell.folder / "tests" / "made.fcb").write_text(done.out)
    assert shell.fcb("test").out == "3 tests: 3 passed, 0 failed.\n"
    lines = done.out.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("  given "):
            fewer = [*lines[:at], *lines[at + 1 :]]
            (shell.folder / "tests" / "made.fcb").write_text("\n".join(fewer) + "\n")
            assert shell.fcb("test").code == 1, line


def test_record_refuses_a_position_with_the_reason(shell: Shell) -> None:
    shell.fcb("play", "crossing", "--bot", "random", "--seed", "5", "--players", "2", "--log", "game.json")
    for place, why in (("game.json:999", "there is no decision 999"), ("game.json:1", "no action was taken before it")):
        done = shell.fcb("test", "record", place)
        assert (done.code, why in done.err) == (1, True), done
    assert shell.fcb("test", "record", "none.json:1").code == 2
    system = shell.folder / "systems" / "pond.fcb"
    system.write_text(system.read_text().replace("starts 3", "starts 4"))
    assert "the content has changed" in shell.fcb("test", "record", "game.json").err


@pytest.mark.long
def test_failing_soak_game_becomes_test(shell: Shell) -> None:
    system = shell.folder / "systems" / "pond.fcb"
    text = system.read_text().replace("1000000 times", "1 times")
    system.write_text(text + '\ninvariant dry "no frog is wet": no frog where it is Wet\n')
    done = shell.fcb("soak", "--games", "40", "--log", "wrong.json")
    assert done.code == 1
    done = shell.fcb("test", "record", "wrong.json")
    assert done.code == 0, done.err
    assert re.search(r"^  dice: breeze gust$", done.out, re.MULTILINE)
    assert re.search(r"^  expect Wet on [a-z]+-frog = 1$", done.out, re.MULTILINE)


PLACED = """use pond

test "On the bank" covers POND-A-1:
  use mission crossing
  players: 1
  given green-frog at A1
  given leaps = 3
  play green-frog sings
  answer "Loudly"
  play green-frog hops to B1
  expect win
"""


@pytest.mark.long
def test_game_can_start_from_test(shell: Shell) -> None:
    (shell.folder / "tests" / "pond.fcb").write_text(PLACED)
    bots = ("--bot", "random", "--seed", "4")
    begun = shell.fcb("play", "--from", "on the bank:1", *bots)
    assert begun == shell.fcb("play", "--from", "On the bank:1", *bots)
    assert begun.code == 0, begun
    assert re.search(r"^On the bank: (Won|Lost).*decisions: [0-9]+, seed: 4, state: ", begun.out)
    person = shell.fcb("play", "--from", "On the bank:0", stdin="1\nq\n").out
    assert person.index("choose one") < person.index("1  Softly") < person.index("choose an action")
    assert [path.name for path in shell.folder.glob("*.log.json")] == []
    assert "has ended at that point" in shell.fcb("play", "--from", "On the bank", *bots).err
    assert "there is no position after 9" in shell.fcb("play", "--from", "On the bank:9", *bots).err
    assert shell.fcb("play", "--from", "Nowhere").code == 2
    assert shell.fcb("play", "crossing", "--from", "On the bank").code == 2
