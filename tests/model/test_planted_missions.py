"""Mistakes planted into a shipped mission are found by the checks of missions, and bring no others with them."""

from __future__ import annotations

from functools import cache

import pytest

from fcbdsl.model.check import check
from fcbdsl.project import Loader, Project, shipped
from fcbdsl.source import Source
from fcbdsl.syntax import parse
from fcbdsl.syntax.tree import File

GAME = "far-cry-beyond"
RIDGE = (shipped("missions") / GAME / "ridge-signal.fcb").read_text(encoding="utf-8")

WALLS = "wall: F3/F4, F3/E4, G3/F4, G3/G4"
CUT = "H1/I1, H2/I1, H2/I2, I2/I3"
END = '    at end: lose "The mast sings. The valley wakes.", fr "Le mât chante. La vallée se réveille."\n'

PLANTED = [
    ("the ladder behind a wall", "FCB0901", [(WALLS, f"wall: {CUT}")]),
    ("the ladder behind doors", "", [(WALLS, f"door: {CUT}")]),
    ("an exit in a pocket of stone", "FCB0902", [
        ("~ h . . # .", "E W . . # ."), (" h . . . .", " W . . . ."), ('"E": exit', '"E": exit\n      "W": solid')]),
    ("a gate on an obstacle", "FCB0903", [('"G": gate', '"G": gate, obstacle')]),
    ("a guard on a space that is none", "FCB0903", [('"~": incomplete', '"~": incomplete, gunner')]),
    ("two guards on one space", "FCB0904", [('"b": brigadier', '"b": brigadier, gunner')]),
    ("four of a type", "", [('"L": crate', '"L": gunner')]),
    ("five of a type", "FCB0905", [('"L": crate', '"L": gunner'), ('"S": siren', '"S": siren, gunner')]),
    ("nine Event cards of eight", "FCB0906", [
        ("length: 8", "length: 16"), ("at 2, 4, 6:", "at 2, 4, 6, 8, 10, 12, 13, 14, 15:")]),
    ("eight Event cards of eight", "", [
        ("length: 8", "length: 16"), ("at 2, 4, 6:", "at 2, 4, 6, 8, 10, 12, 14, 15:")]),
    ("an alert that nothing raises", "FCB0907", [("raise alert 1", "lower alert 1")]),
    ("an alert that is handed on", "", [("raise alert 1", "Noise alert")]),
    ("a dawn that changes nothing", "FCB0908", [(END, "")]),
    ("a dawn that somebody watches", "", [(END, ""), ("hero < 3:", "hero < 3 and dawn's value = 0:")]),
    ("a lock that is left", "FCB0909", [("on enter: spawn", "on leave: spawn")]),
    ("a lamp without a purpose", "FCB0910", [
        ("mark siren", "mark lamp\nmark siren"), ('"L": crate', '"L": crate, lamp')]),
    ("no gate for those who come", "FCB0911", [('"G": gate', '"G": crate')]),
]  # fmt: skip
"""What is planted, the only code that it may bring (or none), and the changes of the text."""


APART = ("ridge-signal", "station", "pebbles-from-heaven", "dead-spin", "held-breath", "last-road")
"""The mission itself; cards that change the ground wherever they are revealed, so that no wall is sure; their users."""


@cache
def _around() -> tuple[File, ...]:
    """The system, and the cards and other missions that leave walls alone."""
    loader = Loader(Project())
    for name in ("core", GAME):
        loader.use(name)
    found = [*sorted((shipped("cards") / GAME).glob("*.fcb")), *sorted((shipped("missions") / GAME).glob("*.fcb"))]
    others = [path for path in found if path.stem not in APART]
    return (*loader.files(), *(parse(Source(path.name, path.read_text(encoding="utf-8")))[0] for path in others))


def _codes(text: str) -> set[str]:
    file, problems = parse(Source("planted.fcb", text))
    return {problem.code for problem in (*problems, *check([*_around(), file])[1])}


@pytest.mark.parametrize(("code", "changes"), [row[1:] for row in PLANTED], ids=[row[0] for row in PLANTED])
def test_a_mistake_planted_into_a_mission(code: str, changes: list[tuple[str, str]]) -> None:
    text = RIDGE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    assert _codes(text) == ({code} if code else set())


def test_the_mission_itself_has_none() -> None:
    assert _codes(RIDGE) == set()


def test_nothing_is_said_to_be_missing_from_what_could_not_be_read() -> None:
    broken = RIDGE.replace("raise alert 1", "raise alert (1")
    assert not [code for code in _codes(broken) if code.startswith("FCB09")]
