"""A small game that an editor has open, and places in it by their words."""

from __future__ import annotations

import shutil
from pathlib import Path

from fcbdsl.editor.lsp.symbols import ProjectNames
from fcbdsl.project.workspace import Workspace

LANTERNS = Path(__file__).parents[1] / "systems" / "lanterns"
TRICKS = "cards/tricks.fcb"


def copied(folder: Path) -> Path:
    """Return a copy of the game in a folder."""
    shutil.copytree(LANTERNS, folder / "lanterns")
    return folder / "lanterns"


def spot(space: Workspace, name: str, row: str, word: str, nth: int = 0) -> tuple[str, int, int]:
    """Return the file, line and column (from 1) of the nth `word` on the first line that contains `row`."""
    for number, text in enumerate(space.text(name).split("\n"), 1):
        if row in text:
            at = -1
            for _ in range(nth + 1):
                at = text.index(word, at + 1)
            return name, number, at + 1
    raise AssertionError(row)


def span_text(names: ProjectNames, target: object) -> str:
    """Return a span as ``file:line:text``."""
    span = target
    source = span.source  # type: ignore[attr-defined]
    return f"{source.name}:{span.line}:{source.text[span.start : span.end]}"  # type: ignore[attr-defined]
