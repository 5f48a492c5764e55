"""`fcb check --fix` removes branches that never run if nothing else changes; the game plays the same."""

from __future__ import annotations

import pytest
from cli_runner import Shell

HOP = '    leaps +1\n    if leaps >= mission\'s goal: win "Across!", fr "De l\'autre côté !"\n'


def mended(project: Shell, *rows: str) -> tuple[str, str]:
    """Return the lines at the end of an effect after `--fix`, and its output."""
    path = project.folder / "systems" / "pond.fcb"
    text = path.read_text(encoding="utf-8")
    assert text.count(HOP) == 1
    path.write_text(text.replace(HOP, HOP + "".join(f"    {row}\n" for row in rows)), encoding="utf-8")
    done = project.fcb("check", "--fix", "--select", "FCB0662")
    after = path.read_text(encoding="utf-8").partition(HOP)[2].partition("\naction dare")[0]
    return "\n".join(row.removeprefix("    ") for row in after.rstrip("\n").split("\n")), done.out + done.err


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("rows", "left"),
    [
        (["if leaps < 0: leaps +1", "leaps +1"], ["leaps +1"]),
        (["leaps +1", "if leaps < 0:", "  leaps +1", "", "  leaps +2"], ["leaps +1"]),
        (["if leaps = 2: leaps +1", "else if leaps < 0:", "  leaps +2", "else: leaps +3"],
         ["if leaps = 2: leaps +1", "else: leaps +3"]),
        (["if leaps = 2: leaps +1", "else if leaps = 2: leaps +2"], ["if leaps = 2: leaps +1"]),
        (["if leaps = 2: leaps +1", "else if leaps >= 0: leaps +2"], ["if leaps = 2: leaps +1", "else: leaps +2"]),
    ],
)  # fmt: skip
def test_fix_removes_unreachable_branch(project: Shell, rows: list[str], left: list[str]) -> None:
    text, output = mended(project, *rows)
    assert text == "\n".join(left)
    assert "1 change made." in output
    assert "FCB0662" not in output


@pytest.mark.parametrize(
    "rows",
    [
        ["if leaps < 0: leaps +1", "else: leaps +2"],
        ["if leaps >= 0: leaps +1"],
        ["if leaps = 3:", "  if leaps < 0: leaps +1"],
        ["if leaps = 2: leaps +1", "else if leaps >= 0: leaps +2", "else: leaps +3"],
    ],
)
def test_larger_unreachable_branch_is_only_reported(project: Shell, rows: list[str]) -> None:
    text, output = mended(project, *rows)
    assert text == "\n".join(rows)
    assert "FCB0662" in output
    assert "change" not in output.partition("FCB0662")[0]
