"""`check`, `compile`, `test`, `render` and `ci` agree on packs.

All accept a pack, or `check` reports why another command refuses it.

Packs are generated: a small game, some sound cards, missions and tests, and sometimes one mistake."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_runner import Shell

GAP = "FCB0701"
"""The code of a piece without words: it can be played, but not printed."""

SYSTEM = """\
system mini "Mini":
  players: 1..3
  board: square
  languages: en, fr
mark start, entry:
  en: "start", fr "départ"
kind space:
  stat taken: flag
kind game:
  stat pace "pace": number 0..9, starts 0
    fr: "allure", f
kind trick is card:
  name: "trick", plural "tricks"
  fr: "tour", m, plural "tours"
  field effect: effect, optional
kind mission:
  field objective: condition, default yes, attainable
zone pile "pile" of trick:
  fr: "pile", f
verb hurry:
  takes: amount (number)
  effect: pace becomes pace + amount
  text en: "hurry by {amount}"
  text fr: "accélérez de {amount}"
verb hush:
  takes: amount (number)
  effect: pace becomes pace - amount
action rest "Rest":
  fr: "Se reposer"
  by: player
  reminder en: "Gain 1 pace."
  reminder fr: "Gagnez 1 d'allure."
  effect:
    pace +1
    if pace >= 4: win "Fast enough.", fr "Assez vite."
flow:
  fill pile with trick
  for each player:
    choose spot: space marked start where not it's taken, by player
    spot's taken becomes yes
  repeat:
    offer player
"""


def card(chance: random.Random, number: int, verb: str = "hurry") -> str:
    effect = f"{verb} {chance.randint(1, 9)}"
    return f'trick t{number} "Trick {number}":\n  fr: "Tour {number}"\n  effect: {effect}\n'


def mission(chance: random.Random, number: int, starts: int = 0, objective: str = "") -> str:
    most = chance.randint(1, 3)
    letters = "s" * (starts or chance.randint(most, 4))
    art = "|" + "  ".join(letters.ljust(4, ".")) + " |"
    objective = objective or f"power{number}'s value = {chance.randint(0, 3)}"
    edge = "+--" * 4 + "+"
    return f"""\
mission m{number} "Mission {number}":
  fr: "Mission {number}"
  players: 1..{most if starts == 0 else 3}
  objective: {objective}
  map square:
    art: |
      {edge}
      {art}
      {edge}
    legend:
      "s": start
  gauge power{number} "Power":
    fr: "Puissance"
    range: 0..3
"""


def case(chance: random.Random, number: int) -> str:
    amount = chance.randint(1, 9)
    return f'test "case {number}":\n  use mission m0\n  do hurry {amount}\n  expect pace = {amount}\n'


Mistake = Callable[[random.Random], str]
MISTAKES: dict[str, Mistake] = {
    "": lambda chance: "",
    "FCB0427": lambda chance: card(chance, 90, "hurrry"),
    GAP: lambda chance: card(chance, 90, "hush"),
    "FCB0920": lambda chance: mission(chance, 9, starts=chance.randint(1, 2)),
    "FCB0669": lambda chance: mission(chance, 9, objective=f"power9's value > {chance.randint(3, 9)}"),
    "FCB0306": lambda chance: mission(chance, 9).replace('"s": start', '"s": strat'),
}


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in an empty folder."""
    return Shell(tmp_path, monkeypatch, capsys)


def write(shell: Shell, seed: int, mistake: str) -> None:
    """Write a generated pack."""
    chance = random.Random(seed)
    count = chance.randint(1, 3)
    cards = "".join(card(chance, number) for number in range(chance.randint(1, 5)))
    missions = "".join(mission(chance, number) for number in range(count))
    tests = "".join(case(chance, number) for number in range(chance.randint(1, 3)))
    files = {
        "fcb.toml": f'language = 2\nname = "gen{seed}"\ntitle = "Generated"\nlanguages = ["en", "fr"]\n',
        "systems/mini.fcb": SYSTEM,
        "cards/cards.fcb": f"use mini\n{cards}",
        "missions/missions.fcb": f"use mini\n{missions}{MISTAKES[mistake](chance)}",
        "tests/tests.fcb": f"use mini\n{tests}",
    }
    for name, text in files.items():
        path = shell.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def judged(shell: Shell, seed: int, mistake: str) -> None:
    """Run all commands on a generated pack, and assert that they agree."""
    write(shell, seed, mistake)
    check = shell.fcb("check")
    found = dict.fromkeys(re.findall(r"error\[(FCB\d{4})\]", check.out))
    assert check.code == (1 if found else 0), check.out
    assert (mistake in found) if mistake else not found, check.out
    played = 1 if found.keys() - {GAP} else 0
    wanted = {
        ("compile", "-o", "made/a.fcbc"): played,
        ("test",): played,
        ("render", "--to", "html", "-o", "made/print"): check.code,
        ("ci", "--games", "1", "-j", "1"): check.code,
    }
    for arguments, code in wanted.items():
        done = shell.fcb(*arguments)
        assert done.code == code, "\n".join([*arguments, done.out, done.err])
        if code:
            assert dict.fromkeys(re.findall(r"error\[(FCB\d{4})\]", done.out)).keys() <= found.keys(), done.out
            assert any(one in done.out for one in found), done.out


@pytest.mark.sampled(6)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_all_commands_agree(shell: Shell, mistake: str) -> None:
    judged(shell, 1, mistake)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 10))
@pytest.mark.parametrize("mistake", MISTAKES)
def test_all_commands_agree_on_generated_packs(shell: Shell, mistake: str, seed: int) -> None:
    judged(shell, seed, mistake)
