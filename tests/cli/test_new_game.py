"""`docs/new-game.md` works as written: each block of code, each command and its output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_runner import Shell
from page_runner import changed, fits, run_page

PAGE = Path(__file__).parents[2] / "docs" / "new-game.md"


@pytest.mark.long
def test_page_works_as_written(shell: Shell) -> None:
    assert run_page(PAGE, shell) == 13


def test_page_shows_complete_output() -> None:
    printed = ["3 files", "", "  a.pdf (7 kB)", "  b.pdf", "done"]
    assert fits(["3 files", "a.pdf …", "b.pdf", "done"], printed)
    assert fits(["3 files", "…", "done"], printed)
    assert fits(["…"], printed)
    assert not fits(["3 files", "…", "b.pdf"], printed)
    assert not fits(["3 files", "b.pdf", "a.pdf …", "done"], printed)
    assert not fits(["3 files", "…", "b.pdf", "done", "done"], printed)


def test_page_can_change_lines_of_file() -> None:
    assert changed("a\nb\nc\n", " a\n-b\n+d\n+e\n") == "a\nd\ne\nc\n"


def test_named_toy_games_exist() -> None:
    toys = {path.name for path in (PAGE.parents[1] / "tests" / "systems").iterdir() if path.is_dir()}
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)) == toys
