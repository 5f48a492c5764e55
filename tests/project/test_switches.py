"""Every switch of a game, set in each possible place, has its effect in the program, in the world, and in print.

Switches are set in patterns, so that one cannot be mistaken for another: each switch has a number, and each of a few
games sets every switch by one digit of its number. Later switches are covered without changes here.
"""

from __future__ import annotations

import functools
import html
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.language.model.declarations import Switch
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import switches as told
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.print.export.webpage import render_page
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import check_project

GAME = "far-cry-beyond"
CASES = Path(__file__).parents[2] / "tests" / "cases" / "print" / GAME
BITS = 5
PATTERNS = range(BITS)

Settings = Mapping[str, str]

MISSION = """mission {id} "Mission {id}":
  fr: "La mission {id}"
  objective: no enemy on board
{lines}  map hex:
    art: |
      . .

"""


Frozen = tuple[tuple[str, str], ...]


def project(content: str, variants: Settings | None = None, system: Settings | None = None) -> Model:
    """Return the model of a project of one file; tests with equal arguments share it.

    `system`: the text of a copy of the system, `variants`: the settings in fcb.toml.
    """
    return _project(content, tuple((variants or {}).items()), None if system is None else tuple(system.items()))


@functools.cache
def _project(content: str, variants: Frozen, system: Frozen | None) -> Model:
    with TemporaryDirectory() as root:
        folder = Path(root)
        (folder / "missions").mkdir()
        (folder / "missions" / "content.fcb").write_text(f"use {GAME}\n\n{content}", encoding="utf-8")
        listed = "".join(f'{name} = "{value}"\n' for name, value in variants)
        (folder / "fcb.toml").write_text(f'language = 2\nname = "switched"\n[variants]\n{listed}', encoding="utf-8")
        if system is not None:
            shutil.copytree(shipped_path("systems") / GAME, folder / "systems" / GAME)
            head = folder / "systems" / GAME / "system.fcb"
            before, line, after = head.read_text(encoding="utf-8").partition("  players: 2..4\n")
            assert line
            head.write_text(before + line + variant_lines(dict(system)) + after, encoding="utf-8")
        model, problems = check_project([folder])
        assert [problem.message for problem in problems] == []
        return model


def variant_lines(settings: Settings) -> str:
    """Return lines of a system or a mission."""
    return "".join(f"  variant {name} is {value}\n" for name, value in settings.items())


def mission(settings: Settings, name: str = "switched") -> str:
    return MISSION.format(id=name, lines=variant_lines(settings))


@functools.cache
def declared() -> tuple[Switch, ...]:
    """Return all switches of the shipped system."""
    bits = tuple(project(mission({})).switches.values())
    assert 0 < len(bits) <= 2**BITS - 2  # every number has a 1 and a 0 among its digits
    return bits


def pattern(digit: int) -> dict[str, str]:
    """Return a value for each switch: its second one (of several: another one) where its number has that digit."""
    return {
        switch.id: switch.values[(number >> digit & 1) * (1 + number % (len(switch.values) - 1))]
        for number, switch in enumerate(declared(), 1)
    }


def defaults() -> dict[str, str]:
    return {switch.id: switch.values[0] for switch in declared()}


def in_program(program: Program) -> dict[str, str]:
    return {switch.name: switch.values[switch.default] for switch in program.switches}


def in_world(game: Game) -> dict[str, str]:
    rows = zip(game.program.switches, game.world.switches, strict=True)
    return {switch.name: switch.values[value] for switch, value in rows}


def started(image: Image, name: str = "switched", switches: Settings | None = None) -> Game:
    return setup.start_game(image, name, 2, 1, switches or {}, flow=False)


@pytest.mark.long
def test_patterns_cover_each_switch_value() -> None:
    seen = [pattern(digit) for digit in PATTERNS]
    for switch in declared():
        assert {values[switch.id] for values in seen} == set(switch.values)


@pytest.mark.long
def test_first_value_is_default() -> None:
    image = Image(lower(project(mission({}))))
    assert in_program(image.program) == in_world(started(image)) == defaults()


DIGITS = [0, *(pytest.param(digit, marks=pytest.mark.long) for digit in PATTERNS[1:])]
"""One pattern for every change, the others for some."""


@pytest.mark.long
@pytest.mark.parametrize("digit", DIGITS)
def test_system_sets_switches(digit: int) -> None:
    image = Image(lower(project(mission({}), system=pattern(digit))))
    assert in_program(image.program) == in_world(started(image)) == pattern(digit)


@pytest.mark.long
@pytest.mark.parametrize("digit", DIGITS)
def test_project_overrides_system_switches(digit: int) -> None:
    against = pattern((digit + 1) % BITS)
    image = Image(lower(project(mission({}), variants=pattern(digit), system=against)))
    assert in_program(image.program) == in_world(started(image)) == pattern(digit)


@functools.cache
def patterned() -> Image:
    """Return a mission for each pattern, its tests with other settings or none, and a project with other settings."""
    content = "".join(mission(pattern(digit), f"m{digit}") for digit in PATTERNS)
    for digit in PATTERNS:
        given = variant_lines(pattern((digit + 1) % BITS)).replace("  variant", "  given variant")
        content += f'test "Test {digit}":\n  use mission m{digit}\n{given}  expect no enemy\n\n'
        content += f'test "Test {digit}, as the mission says":\n  use mission m{digit}\n  expect no enemy\n\n'
    return Image(lower(project(content, variants=last_values()), tests=True))


def last_values() -> dict[str, str]:
    return {switch.id: switch.values[-1] for switch in declared()}


@pytest.mark.parametrize("digit", PATTERNS)
def test_missions_and_tests_override_project_switches(digit: int) -> None:
    image = patterned()
    assert in_program(image.program) == last_values()
    assert in_world(started(image, f"m{digit}")) == pattern(digit)
    assert in_world(setup.stage(image, 2 * digit)) == pattern((digit + 1) % BITS)
    assert in_world(setup.stage(image, 2 * digit + 1)) == pattern(digit)


@pytest.mark.parametrize("digit", PATTERNS)
def test_table_overrides_mission_switches(digit: int) -> None:
    image = patterned()
    other = pattern((digit + 1) % BITS)
    assert in_world(started(image, f"m{digit}", switches=other)) == other


# ── in print ───────────────────────────────────────────────────────────────────────────────────


def sheet(model: Model, language: str) -> list[str]:
    """Return the special rules on a mission's sheet that come from switches."""
    text = told(model.definitions["mission", "switched"], model, language)
    assert text.problems == ()
    return text.marked().splitlines()


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
def test_sheet_prints_special_values_as_rules(language: str, update: bool) -> None:
    """The values that a mission sets; and the defaults, where a mission goes back to them against its project."""
    others = last_values()
    by_mission = sheet(project(mission(others)), language)
    by_project = sheet(project(mission({}), variants=others), language)
    back = sheet(project(mission(defaults()), variants=others), language)
    assert by_mission == by_project
    assert len(by_mission) == len(back) == len(set(by_mission + back)) / 2 == len(declared())
    assert not [rule for rule in by_mission + back if "?" in rule or not rule.endswith(".")]
    lines = [
        f"{switch.id} is {value}: {rule}"
        for switch, first, last in zip(declared(), back, by_mission, strict=True)
        for value, rule in ((switch.values[0], first), (switch.values[-1], last))
    ]
    path = CASES / f"switches.{language}.txt"
    if update:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == lines


def test_sheet_omits_default_values() -> None:
    assert sheet(project(mission(defaults())), "en") == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_printed_page_contains_special_rules(tmp_path: Path, language: str) -> None:
    model = project(mission(last_values()))
    made = render_page(model, ["switched"], language, tmp_path / "out")
    assert made.problems == ()
    page = plain(made.files[0].read_text(encoding="utf-8"))
    assert [rule for rule in sheet(model, language) if plain(rule) not in page] == []


def plain(text: str) -> str:
    """Return a text without any marks, so that page and text can be compared."""
    words = re.sub(r"<[^>]*>", "", html.unescape(text)).replace("*", "")
    return re.sub(r"[\s\u2019'’]+", " ", words)
