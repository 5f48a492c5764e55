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
Files = dict[str, str]
"""Texts of a pack by the names of their files."""

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
variant storm "Storm": mild, wild
  fr: "Tempête", f
  text en, storm is mild: "The weather is mild."
  text fr, storm is mild: "Il fait doux."
  text en, storm is wild: "The storm is wild: some cards do more."
  text fr, storm is wild: "La tempête fait rage : certaines cartes font plus."
kind trick is card:
  name: "trick", plural "tricks"
  fr: "tour", m, plural "tours"
  field effect: effect, optional
kind omen is card:
  name: "omen", plural "omens"
  fr: "présage", m, plural "présages"
  copies: 6
omen raven "Raven":
  fr: "Corbeau"
kind mission:
  field objective: condition, default yes, attainable
  field wanted "Wanted": number, default 0
    fr: "Voulus", m
zone pile "pile" of trick:
  fr: "pile", f
zone omens "omens" of omen: any
  fr: "présages", m, plural "présages"
event rounds begin:
  form: rounds begin
  text en: "the rounds begin"
  text fr: "les manches commencent"
invariant roomy "A mission has as many starts as it wants." for mission: number of (space marked start) >= wanted
verb lay omens:
  takes: count (number)
  effect: repeat count times: put (instance of raven) into omens
  text en: "lay {count} omens"
  text fr: "posez {count} présages"
verb hurry:
  takes: amount (number)
  effect: pace becomes pace + amount
  text en: "hurry by {amount}"
  text fr: "accélérez de {amount}"
verb hush:
  takes: amount (number)
  effect: pace becomes pace - amount
verb greet:
  effect: pace becomes 0
  text en: "greet everybody"
verb take places "Places":
  fr: "Places"
  reminder en: "Each player takes a start."
  reminder fr: "Chaque joueur prend un départ."
  effect:
    for each player:
      choose spot: space marked start where not it's taken, by player
      spot's taken becomes yes
action rest "Rest":
  fr: "Se reposer"
  by: player
  reminder en: "Gain 1 pace."
  reminder fr: "Gagnez 1 d'allure."
  effect:
    pace +1
    if storm is wild and pace = 2: pace +1
    if pace >= 4: win "Fast enough.", fr "Assez vite."
flow:
  fill pile with trick
  take places
  announce rounds begin
  repeat:
    offer player
layout symbols:
  start: flag, "#1d4e89"
"""


def card(chance: random.Random, number: int, effect: str = "") -> str:
    """Return a card with its title in both languages."""
    amount = chance.randint(1, 9)
    effects = [f"hurry {amount}", f"lay omens {chance.randint(1, 2)}", f"hurry {amount}; hurry 1"]
    either = f'choose one:\n      "Go", fr "Aller": hurry {amount}\n      "Wait", fr "Attendre": nothing'
    effects += [f"if storm is wild: hurry {amount}", either]
    own = effect or chance.choice(effects)
    return f'trick t{number} "Trick {number}":\n  fr: "Tour {number}"\n  effect:\n    {own}\n'


def mission(chance: random.Random, number: int, starts: int = 0, objective: str = "", more: str = "") -> str:
    """Return a mission with a map, a gauge, and sometimes its own setup and switch."""
    most = chance.randint(1, 3)
    count = starts or chance.randint(most, 4)
    art = "|" + "  ".join(("s" * count).ljust(4, ".")) + " |"
    objective = objective or f"power{number}'s value = {chance.randint(0, 3)}"
    edge = "+--" * 4 + "+"
    lines = [
        *(["  variant storm is wild"] if chance.random() < 0.4 else []),
        *([f"  when rounds begin: lay omens {chance.randint(1, 5)}"] if chance.random() < 0.6 and not more else []),
        *([f"  wanted: {chance.randint(1, count)}"] if chance.random() < 0.5 and "wanted" not in more else []),
        *([more] if more else []),
    ]
    setting = "".join(f"{line}\n" for line in lines)
    return f"""\
mission m{number} "Mission {number}":
  fr: "Mission {number}"
  players: 1..{most if starts == 0 else 3}
  objective: {objective}
{setting}  map square:
    art: |
      {edge}
      {art}
      {edge}
    legend:
      "s": start
  gauge power{number} "Power":
    fr: "Puissance"
    range: 0..3
  when any has acted: raise power{number} 1
"""


def case(chance: random.Random, number: int) -> str:
    """Return a test, some with the other value of the switch."""
    amount = chance.randint(1, 9)
    switch = "  given variant storm is wild\n" if chance.random() < 0.4 else ""
    return f'test "case {number}":\n  use mission m0\n{switch}  do hurry {amount}\n  expect pace = {amount}\n'


def pack(seed: int) -> Files:
    """Return a sound pack: its game, cards, missions and tests; some use cards of another pack."""
    chance = random.Random(seed)
    count = chance.randint(1, 3)
    cards = "".join(card(chance, number) for number in range(chance.randint(1, 5)))
    missions = "".join(mission(chance, number) for number in range(count))
    tests = "".join(case(chance, number) for number in range(chance.randint(1, 3)))
    project = f'language = 2\nname = "gen{seed}"\ntitle = "Generated"\nlanguages = ["en", "fr"]\n'
    if chance.random() < 0.4:
        project += '[variants]\nstorm = "wild"\n'
    files = {
        "fcb.toml": project,
        "systems/mini.fcb": SYSTEM,
        "cards/cards.fcb": f"use mini\n{cards}",
        "missions/missions.fcb": f"use mini\n{missions}",
        "tests/tests.fcb": f"use mini\n{tests}",
    }
    if chance.random() < 0.6:
        files["packs/extra/extra.fcb"] = f"use mini\n{card(chance, 50)}{card(chance, 51)}"
        files["cards/cards.fcb"] = files["cards/cards.fcb"].replace("use mini\n", "use mini\nuse extra\n")
    return files


def adds(file: str, make: Callable[[random.Random], str]) -> Callable[[Files, random.Random], None]:
    """Return a mistake that adds a text to a file."""

    def change(files: Files, chance: random.Random) -> None:
        files[file] = files.get(file, "use mini\n") + make(chance)

    return change


def replaces(file: str, old: str, new: str) -> Callable[[Files, random.Random], None]:
    """Return a mistake that replaces a text of a file."""

    def change(files: Files, chance: random.Random) -> None:
        assert old in files[file]
        files[file] = files[file].replace(old, new, 1)

    return change


def drops(file: str, start: str) -> Callable[[Files, random.Random], None]:
    """Return a mistake that drops the lines of a file with this start."""

    def change(files: Files, chance: random.Random) -> None:
        lines = files[file].splitlines(keepends=True)
        left = [line for line in lines if not line.startswith(start)]
        assert len(left) < len(lines)
        files[file] = "".join(left)

    return change


CARDS, MISSIONS, TESTS = "cards/cards.fcb", "missions/missions.fcb", "tests/tests.fcb"
MISTAKES: dict[str, tuple[str, Callable[[Files, random.Random], None]]] = {
    "none": ("", lambda files, chance: None),
    "an unknown verb": ("FCB0427", adds(CARDS, lambda chance: card(chance, 90, "hurrry 2"))),
    "a verb without words": (GAP, adds(CARDS, lambda chance: card(chance, 90, "hush 2"))),
    "a verb without French words": (GAP, adds(CARDS, lambda chance: card(chance, 90, "greet"))),
    "a setup without words": (
        GAP, adds(MISSIONS, lambda chance: mission(chance, 9, more="  when rounds begin: greet"))),
    "a switch without words": (
        GAP, drops("systems/mini.fcb", "  text fr, storm is ")),  # of both settings: a pack may have either
    "a mission with too few starts": (
        "FCB0920", adds(MISSIONS, lambda chance: mission(chance, 9, starts=chance.randint(1, 2)))),
    "too few starts in a storm": (
        "FCB0920", replaces("systems/mini.fcb", "where not it's taken,", "where storm is mild and not it's taken,")),
    "an objective beyond a range": (
        "FCB0669",
        adds(MISSIONS, lambda chance: mission(chance, 9, objective=f"power9's value > {chance.randint(3, 9)}"))),
    "an objective beyond copies": (
        "FCB0669", adds(MISSIONS, lambda chance: mission(chance, 9, objective="number of omen > 6"))),
    "an unknown mark": (
        "FCB0306", adds(MISSIONS, lambda chance: mission(chance, 9).replace('"s": start', '"s": strat'))),
    "a requirement of the game": ("FCB0922", adds(MISSIONS, lambda chance: mission(chance, 9, more="  wanted: 5"))),
    "a switch that is none": (
        "FCB0306", adds(MISSIONS, lambda chance: mission(chance, 9, more="  variant strom is wild"))),
    "a pack that is none": ("FCB0304", replaces(CARDS, "use mini\n", "use mini\nuse nowhere\n")),
    "a mistake in a used pack": (
        "FCB0427",
        lambda files, chance: files.update(
            {
                CARDS: files[CARDS].replace("use mini\n", "use mini\nuse other\n"),
                "packs/other/other.fcb": f"use mini\n{card(chance, 91, 'hurrry 2')}",
            }
        )),
    "a mistake in a test": ("FCB0427", adds(TESTS, lambda chance: 'test "odd":\n  use mission m0\n  do hurrry 1\n')),
    "two cards of one id": ("FCB0302", adds(CARDS, lambda chance: card(chance, 0))),
    "a setup that takes too much": (
        "FCB0914", adds(MISSIONS, lambda chance: mission(chance, 9, more="  when rounds begin: lay omens 7"))),
    "a title in one language": (
        GAP, adds(CARDS, lambda chance: card(chance, 90).replace('  fr: "Tour 90"\n', ""))),
    "a field in one language": (GAP, replaces("systems/mini.fcb", '    fr: "Voulus", m\n', "")),
    "a zone in one language": ("FCB0315", replaces("systems/mini.fcb", ' of trick:\n  fr: "pile", f\n', " of trick\n")),
    "a branch that never runs": (
        "FCB0662", adds(CARDS, lambda chance: card(chance, 90, "if pace > 9: hurry 1"))),
}  # fmt: skip
"""Mistakes by name: the code of the report, and the change of the files. The last three are warnings."""
IN_TESTS = ("a mistake in a test",)
"""Mistakes in files that only `check`, `test` and `ci` read."""
WARNINGS = ("FCB0914", "FCB0315", "FCB0662")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in an empty folder."""
    return Shell(tmp_path, monkeypatch, capsys)


def write(shell: Shell, seed: int, mistake: str) -> None:
    """Write a generated pack."""
    files = pack(seed)
    MISTAKES[mistake][1](files, random.Random(seed))
    for name, text in files.items():
        path = shell.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def reports(out: str, severity: str) -> dict[str, None]:
    return dict.fromkeys(re.findall(rf"(?:{severity})\[(FCB\d{{4}})\]", out))


def judged(shell: Shell, seed: int, mistake: str, strict: bool) -> None:
    """Run all commands on a generated pack, and assert that they agree.

    `strict`: warnings count as errors.
    """
    write(shell, seed, mistake)
    code = MISTAKES[mistake][0]
    more = ("--strict",) if strict else ()
    check = shell.fcb("check", *more)
    counts = reports(check.out, "error|warning" if strict else "error")
    warned = reports(check.out, "warning")
    assert check.code == (1 if counts else 0), check.out
    if not code:
        assert [*counts, *warned] == [], check.out
    elif code in WARNINGS and not strict:
        assert [*counts] == [], check.out
        assert code in warned, check.out
    else:
        assert code in counts, check.out
    played = 1 if counts and (strict or counts.keys() - {GAP}) else 0
    compiled = played if mistake not in IN_TESTS else 0
    printed = check.code if mistake not in IN_TESTS else 0
    wanted = {
        ("compile", "-o", "made/a.fcbc", *more): compiled,
        ("test", *more): played,
        ("render", "--to", "html", "-o", "made/print", *more): printed,
        ("ci", "--games", "1", "-j", "1", *more): check.code,
    }
    for arguments, expected in wanted.items():
        done = shell.fcb(*arguments)
        assert done.code == expected, "\n".join([*arguments, done.out, done.err])
        if expected:
            assert reports(done.out, "error|warning").keys() <= counts.keys() | warned.keys(), done.out
            assert any(count in done.out for count in counts), done.out


@pytest.mark.sampled(6)
@pytest.mark.parametrize("strict", [False, True], ids=["", "strict"])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_all_commands_agree(shell: Shell, mistake: str, strict: bool) -> None:
    judged(shell, 1, mistake, strict)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("mistake", MISTAKES)
def test_all_commands_agree_on_generated_packs(shell: Shell, mistake: str, seed: int) -> None:
    judged(shell, seed, mistake, strict=seed % 2 == 1)
