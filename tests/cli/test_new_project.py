"""A new project is written completely or not at all; a soak without decisions fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fcbdsl.base import files
from tests.analysis.test_misleading_sources import FLOW, MISSION
from tests.cli_runner import Shell


def test_new_project_is_complete_with_closed_output(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        command = [sys.executable, "-m", "fcbdsl", "new", "--template", "game", "burrow"]
        subprocess.run(command, cwd=tmp_path, stdout=write, stderr=subprocess.DEVNULL, timeout=120, check=False)
    finally:
        os.close(write)
    made = {path.relative_to(tmp_path / "burrow").parts[0] for path in (tmp_path / "burrow").rglob("*")}
    assert {"fcb.toml", "systems", "missions", "tests", "README.md"} <= made


@pytest.mark.parametrize("existed", [True, False])
def test_unwritable_project_leaves_nothing(shell: Shell, monkeypatch: pytest.MonkeyPatch, existed: bool) -> None:
    count = 0
    write = files.write_atomically

    def failing(path: Path, content: bytes) -> None:
        nonlocal count
        count += 1
        if count == 4:
            raise OSError(28, "No space left on device")
        write(path, content)

    folder = shell.folder / "burrow"
    if existed:
        folder.mkdir()
    monkeypatch.setattr(files, "write_atomically", failing)
    assert shell.fcb("new", "burrow").code == 2
    assert folder.exists() == existed
    assert list(folder.rglob("*")) == []


@pytest.mark.parametrize("some", [False, True])
def test_soak_without_decisions_fails(shell: Shell, some: bool) -> None:
    system = FLOW.split("flow:")[0] + 'flow: win "Over."\n'
    texts = {"fcb.toml": 'language = 2\nname = "mini"\nlanguages = ["en"]\n', "systems/mini.fcb": system}
    texts["cards/c.fcb"] = "use mini\n" + MISSION
    if some:  # in one of two missions
        texts["systems/mini.fcb"] = system.replace(
            "flow: win",
            "kind mission:\n  field open: flag, default no\n"
            "flow:\n  for each player:\n    if open of mission: offer player\n  win",
        )
        texts["cards/c.fcb"] += MISSION.replace("lost", "found") + "  open: yes\n"
    for name, text in texts.items():
        path = shell.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = shell.fcb("soak", "--games", "12")
    assert done.code == 1
    assert "nothing was wrong" not in done.out
    expected = "No game of lost had a decision" if some else "No game had a decision, so fcb checked nothing."
    assert expected in done.out + done.err
