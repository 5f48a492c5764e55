"""`fcb check` reports conditions of a new mission that want more than the mission can bring."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_runner import Shell

MISSIONS = {
    "beast": "missions/lost-flock.fcb",
    "escape": "missions/night-shift.fcb",
    "far-cry-beyond": "missions/old-mill.fcb",
    "fireteam-zero": "missions/boathouse.fcb",
}
MILL = "  objective: everybody out and alarm's value = 0\n"
SPAWN = "    if number of hero > 2: spawn gunner at space marked gate\n"
NEEDS = "needs: self marked radio and"
TRACKS = "  objectives: tracks, at-the-winch"
IN_FLOCK = "  met: dead settlers > 0"  # three settlers are on its map
IN_SHIFT = "  humans-win: points carried out > 0"  # it lists one objective, of one point
GUARDS = "  machines-win: number of (rebel where down) > 1"  # it lists two
HEARD = "  # Between spaces lie sides"
BEYOND = [
    ("beast", IN_FLOCK, "  met: dead settlers > 3", "error[FCB0669]", "`dead settlers` is at most 3"),
    ("beast", IN_FLOCK, "  met: dead settlers > 2", "", ""),
    ("beast", IN_FLOCK, "  met: number of animal > 2 or dead settlers > 1", "warning[FCB0669]", "at most 2"),
    ("escape", IN_SHIFT, "  humans-win: points carried out > 1", "error[FCB0669]", "is at most 1"),
    ("escape", IN_SHIFT, "  humans-win: points carried out + points in hand > 40", "error[FCB0669]", "is at most 1"),
    ("escape", GUARDS, "  machines-win: number of (rebel where down) > 2", "warning[FCB0669]", "`number of rebel`"),
    ("escape", GUARDS, "  machines-win: number of (rebel where down) > 1", "", ""),
    ("escape", HEARD, "  when turn ends, if number of (rebel where down) > 2: stop\n" + HEARD, "warning[FCB0662]", "2"),
    ("escape", HEARD, "  when turn ends, if number of (rebel where down) > 1: turn becomes turn\n" + HEARD, "", ""),
    ("far-cry-beyond", MILL, "  objective: number of hero > 4\n", "error[FCB0669]", "`number of hero` is at most 4"),
    ("far-cry-beyond", MILL, "  objective: number of hero > 3\n", "", ""),
    ("far-cry-beyond", MILL, "  objective: any hero where it's HP > 90\n", "warning[FCB0669]", "`HP` is at most"),
    ("far-cry-beyond", MILL, "  objective: kumiko#1 is on exit\n", "warning[FCB0674]", "no player must choose it"),
    ("far-cry-beyond", MILL, "  objective: no hero where it is on exit\n", "warning[FCB0924]", "the game is won"),
    ("far-cry-beyond", NEEDS, f"{NEEDS} self marked gate and", "warning[FCB0675]", "`self marked gate`"),
    ("far-cry-beyond", SPAWN, f"{SPAWN}    for each enemy where it's rank > 40: stop\n", "warning[FCB0662]", "never"),
    ("far-cry-beyond", SPAWN, f"{SPAWN}    for each enemy where it's rank > 0: stop\n", "", ""),
    ("far-cry-beyond", SPAWN, f"{SPAWN}    repeat 0 times: raise alarm 1\n", "warning[FCB0623]", "`repeat 0 times`"),
    ("beast", "  met: dead settlers = 0", "  met: number of hunter > 4", "error[FCB0669]", "at most 4"),
    ("fireteam-zero", TRACKS, "  objectives: at-the-winch", "warning[FCB0674]", "nothing brings it into play"),
    (
        "escape", HEARD,
        "  when turn ends:\n    if points in hand > 1: win isc\n" + HEARD, "warning[FCB0662]", "at most 1",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "old", "new", "report", "why"), BEYOND, ids=[row[2].strip() for row in BEYOND])
def test_condition_beyond_supply_is_reported(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    game: str,
    old: str,
    new: str,
    report: str,
    why: str,
) -> None:
    shell = Shell(tmp_path, monkeypatch, capsys)
    assert shell.fcb("new", "pack", "--game", game).code == 0
    shell = Shell(tmp_path / "pack", monkeypatch, capsys)
    file = shell.folder / MISSIONS[game]
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    out = shell.fcb("check").out
    assert re.findall(r"\w+\[FCB\d{4}\]", out) == ([report] if report else []), out
    assert why in out
