"""Mistakes planted in a shipped mission are all reported, and nothing else is."""

from __future__ import annotations

import re
from functools import cache

import pytest
from edited_files import EditedFiles, edited_shipped_game

from fcbdsl.language.model.content import Board
from fcbdsl.machine.geometry.coordinates import HEX_AXES
from fcbdsl.project.paths import shipped_path

GAME = "far-cry-beyond"
RIDGE = (shipped_path("missions") / GAME / "ridge-signal.fcb").read_text(encoding="utf-8")

WALLS = "wall: F3/F4, F3/E4, G3/F4, G3/G4"
CUT = "G1/H1, G2/H1, H1/H2, I1/H2, I2/H2, I3/H2, I3/H3, I3/H4, I3/I4"
END = '    at end: lose "The mast sings. The valley wakes.", fr "Le mât chante. La vallée se réveille."\n'

POCKET = [("~ h . . # .", "E W . . # ."), (" h . . . .", " W . . . ."), ('"E": exit', '"E": exit\n      "W": solid')]
DIG = (
    "mark siren",
    'incident dig "Dig":\n  fr: "Creuser"\n  effect:\n    choose spot: space filled with solid, at random\n'
    "    set terrain spot to obstacle\nmark siren",
)
ROCKS = [*POCKET[:2], ('"E": exit', '"E": exit\n      "W": obstacle')]
BLAST = (DIG[0], DIG[1].replace("filled with solid", "filled with obstacle").replace("to obstacle", "to open-airlock"))
LISTED = ("incidents: fresh-boots", "incidents: dig, fresh-boots")

PLANTED = [
    ("the ladder behind a wall", "FCB0901", [(WALLS, f"wall: {CUT}")]),
    ("the ladder behind doors", "", [(WALLS, f"door: {CUT}")]),
    ("an exit in a pocket of stone", "FCB0902", POCKET),
    ("a pocket that a card of its own digs open", "", [*POCKET, DIG, LISTED]),
    ("a pocket that a card of others digs open", "FCB0902", [*POCKET, DIG]),
    ("a pocket where only free ground is dug", "FCB0902", [
        *POCKET, (DIG[0], DIG[1].replace("filled with solid", "where it is free")), LISTED]),
    ("a pocket where stone is made of stone", "FCB0902", [
        *POCKET, (DIG[0], DIG[1].replace("to obstacle", "to solid")), LISTED]),
    ("an exit behind obstacles", "FCB0913", ROCKS),
    ("obstacles that a card of its own clears", "", [*ROCKS, BLAST, LISTED]),
    ("obstacles that a card of others clears", "FCB0913", [*ROCKS, BLAST]),
    ("obstacles where only chasms are cleared", "FCB0913", [
        *ROCKS, (BLAST[0], BLAST[1].replace("filled with obstacle", "filled with chasm")), LISTED]),
    ("obstacles in reduced gravity", "", [
        *ROCKS, ("  objective:", "  starting-gravity: Lighten\n  objective:")]),
    ("obstacles and a card of its own that lightens", "", [
        *ROCKS, (DIG[0], 'incident dig "Dig":\n  fr: "Creuser"\n  effect: Lighten\nmark siren'), LISTED]),
    ("a gate on an obstacle", "FCB0903", [('"G": gate', '"G": gate, obstacle')]),
    ("a guard on a space that is none", "FCB0903", [('"~": incomplete', '"~": incomplete, gunner')]),
    ("two guards on one space", "FCB0904", [('"b": brigadier', '"b": brigadier, gunner')]),
    ("four of a type", "", [('"L": crate', '"L": gunner')]),
    ("five of a type", "FCB0905", [('"L": crate', '"L": gunner'), ('"S": siren', '"S": siren, gunner')]),
    ("nine Event cards of eight", "FCB0906", [
        ("length: 8", "length: 16"), ("at 2, 4, 6:", "at 2, 4, 6, 8, 10, 12, 13, 14, 15:")]),
    ("eight Event cards of eight", "", [
        ("length: 8", "length: 16"), ("at 2, 4, 6:", "at 2, 4, 6, 8, 10, 12, 14, 15:")]),
    ("nine Event cards of eight, six of them in the setup", "FCB0906", [
        ("    advance dawn 3\n", "    repeat 6 times: reveal event\n    advance dawn 3\n")]),
    ("eight Event cards of eight, five of them in the setup", "", [
        ("    advance dawn 3\n", "    repeat 5 times: reveal event\n    advance dawn 3\n")]),
    ("an alert that nothing raises", "FCB0907", [("raise alert 1", "lower alert 1")]),
    ("an alert that is handed on", "", [("raise alert 1", "Noise alert")]),
    ("a dawn that changes nothing", "FCB0908", [(END, "")]),
    ("a dawn that somebody watches", "", [(END, ""), ("hero < 4:", "hero < 3 and dawn's value = 0:")]),
    ("a lock that is left", "FCB0909", [("on enter: spawn", "on leave: spawn")]),
    ("a lamp without a purpose", "FCB0910", [
        ("mark siren", "mark lamp\nmark siren"), ('"L": crate', '"L": crate, lamp')]),
    ("no gate for those who come", "FCB0911", [('"G": gate', '"G": crate')]),
]  # fmt: skip
"""The mistake, its expected code (or none), and the changes of the text."""


CUT_OFF = {
    "all-her-voices": ("mother-static", "FCB0901"),
    "assembly-hall": ("assembly-line", "FCB0901"),
    "cinder-quarry": ("gunner", "FCB0901"),
    "dead-spin": ("flywheel", "FCB0902"),
    "drowned-valley": ("hideout", "FCB0902"),
    "furnace-line": ("furnace", "FCB0901"),
    "held-breath": ("compressor", "FCB0902"),
    "last-pump": ("valve", "FCB0902"),
    "long-exhale": ("exit", "FCB0901"),
    "pebbles-from-heaven": ("shard", "FCB0902"),
    "quiet-floor": ("plans", "FCB0902"),
    "ridge-signal": ("siren", "FCB0902"),
    "sluice-night": ("wheel", "FCB0902"),
    "two-for-the-ferry": ("odile", "FCB0901"),
    "widows-span": ("exit", "FCB0901"),
}
"""A walled-in thing of each shipped mission: a mark, token or piece of its map; and the expected report."""


@cache
def _open_files() -> EditedFiles:
    return edited_shipped_game(GAME)


def _found(changed: dict[str, str]) -> dict[str, set[str]]:
    """Return the codes of the problems in changed files, by name; "": those in other files."""
    out: dict[str, set[str]] = {name: set() for name in ("", *changed)}
    with _open_files().trying(changed) as (read, reported):
        for problem in [*read, *reported]:
            name = problem.span.source.name
            out[name if name in changed else ""].add(problem.code)
    return out


def _codes(text: str) -> set[str]:
    """Return the codes of all problems when the mission on the ridge has another text."""
    return set().union(*_found({"ridge-signal": text}).values())


@pytest.mark.sampled(8)
@pytest.mark.sampled(4)
@pytest.mark.parametrize(("code", "changes"), [row[1:] for row in PLANTED], ids=[row[0] for row in PLANTED])
def test_planted_mission_mistake_is_reported(code: str, changes: list[tuple[str, str]]) -> None:
    text = RIDGE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    assert _codes(text) == ({code} if code else set())


def test_unchanged_mission_has_no_problem() -> None:
    assert _codes(RIDGE) == set()


def test_unreadable_part_is_not_reported_as_missing() -> None:
    broken = RIDGE.replace("raise alert 1", "raise alert (1")
    assert not [code for code in _codes(broken) if code.startswith("FCB09")]


# ── in every shipped mission ───────────────────────────────────────────────────────────────────


def _walled_in(board: Board, what: str) -> str:
    """Return walls on every side between the spaces where a map shows something and all others."""
    at = {(cell.x, cell.y): cell for cell in board.cells}
    within = {place: cell for place, cell in at.items() if what in (*cell.marks, *cell.tokens, *cell.places)}
    sides = [
        f"{cell.id}/{at[x + dx, y + dy].id}"
        for (x, y), cell in within.items()
        for dx, dy in HEX_AXES
        if (x + dx, y + dy) in at and (x + dx, y + dy) not in within
    ]
    return ", ".join(sides)


def _missions() -> dict[str, tuple[str, Board]]:
    """Return the text and the map of each shipped mission."""
    model = _open_files().checker.model
    boards = {id: definition.board for (kind, id), definition in model.definitions.items() if kind == "mission"}
    return {id: (_open_files().texts[id], board) for id, board in boards.items() if board is not None}


@pytest.mark.long
def test_enclosed_spaces_are_reported_in_every_mission() -> None:
    missions = _missions()
    assert list(missions) == list(CUT_OFF)
    changed: dict[str, str] = {}
    for name, (text, board) in missions.items():
        walls = _walled_in(board, CUT_OFF[name][0])
        assert walls
        text = text.replace("    wall: ", f"    wall: {walls}, ", 1)
        changed[name] = text if walls in text else text.replace("    legend:", f"    wall: {walls}\n    legend:", 1)
    codes_of = _found(changed)
    assert codes_of == {"": set(), **{name: {code} for name, (_, code) in CUT_OFF.items()}}


@pytest.mark.long
def test_too_few_exits_are_reported_in_escape_missions() -> None:
    changed: dict[str, str] = {}
    for name, (text, board) in _missions().items():
        glyph = re.search(r'"(.)": (?:start, )?exit', text)
        if "everybody out" in text and glyph is not None:
            few = board.art.replace(glyph[1], ".", board.art.count(glyph[1]) - 3)
            assert few.count(glyph[1]) == 3
            changed[name] = text.replace(board.art, few)
            assert changed[name] != text
    codes_of = _found(changed)
    assert codes_of.pop("") == set()
    assert len(codes_of) >= 6
    assert [name for name, codes in codes_of.items() if "FCB0912" not in codes] == []


def test_one_exit_per_player_is_enough() -> None:
    text = RIDGE.replace("players: 2..4", "players: 2..5")
    assert _found({"ridge-signal": text})["ridge-signal"] == {"FCB0912"}
    assert _codes(RIDGE) == set()


def test_blocked_start_is_reported_in_every_mission() -> None:
    texts = {name: text for name, (text, _) in _missions().items()}
    codes_of = _found({name: re.sub(r'"(.)": start', r'"\1": incomplete, start', text) for name, text in texts.items()})
    assert codes_of.pop("") == set()
    assert [name for name, codes in codes_of.items() if "FCB0903" not in codes] == []
