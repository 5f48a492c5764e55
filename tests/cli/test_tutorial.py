"""`docs/tutorial.md` works as written, and its pictures show what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from games import ROOT, shared
from page_runner import run_page
from pictures import Shown, compared, pictures_on

from fcbdsl.project.project import check_project

PAGE = ROOT / "docs" / "tutorial.md"
PICTURES = (
    Shown("tutorial-sheet", "mission/lighthouse", "en"),
    Shown("tutorial-enemy", "enemy/wrecker", "en", 1),
    Shown("tutorial-card", "weapon/boathook", "en", 1),
    Shown("tutorial-card-fr", "weapon/boathook", "fr", 1),
)


@pytest.mark.long
def test_tutorial_works_as_written(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update: bool) -> None:
    monkeypatch.setenv("FCB_CACHE", str(shared("cache")))
    assert run_page(PAGE, shell) == 18
    model, problems = check_project(root=shell.folder)
    assert problems == []
    for shown in PICTURES:
        compared(shown, model, tmp_path / shown.file, update)


def test_tutorial_shows_its_pictures() -> None:
    assert pictures_on(PAGE) == [shown.file for shown in PICTURES]
