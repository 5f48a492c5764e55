"""`docs/new-game.md` as whoever follows it does: each block is written, each command run, and prints what it says."""

from __future__ import annotations

import re
from pathlib import Path

from cli_runner import Shell

PAGE = Path(__file__).parents[2] / "docs" / "new-game.md"
BLOCK = re.compile(r"(?:^`([^`\n]+)`\n)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_page_works_as_it_stands(tmp_path: Path, shell: Shell) -> None:
    commands = 0
    for name, language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language != "console":
            assert name, text
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        for line in text.splitlines():
            if line.startswith("$ fcb "):
                done = shell.fcb(*line.split()[2:])
                printed = [" ".join(row.split()) for row in (done.out + done.err).splitlines()]
                commands += 1
            else:
                assert any(line in row for row in printed), (line, printed)
    assert commands >= 10


def test_the_toys_it_names_are_there() -> None:
    toys = {path.name for path in (PAGE.parents[1] / "tests" / "systems").iterdir() if path.is_dir()}
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)) == toys
