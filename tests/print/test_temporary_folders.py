"""The next print removes the temporary folders of killed processes, and no others."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fcbdsl.base.temporary import DESK, FRESH, REVISION, UNPACKED, temporary_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders can't be locked there")
PRINTS = "from fcbdsl.print.typeset.typesetting import _desk; print(_desk().name, flush=True)"


def printing(folder: Path, then: str) -> subprocess.Popen[str]:
    """Start a process that prints, and then does something else."""
    program = [sys.executable, "-c", f"{PRINTS}; {then}"]
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)})


def desk_of(process: subprocess.Popen[str]) -> Path:
    assert process.stdout is not None
    return Path(process.stdout.readline().strip())


def test_folders_of_killed_processes_are_removed_and_no_others(tmp_path: Path) -> None:
    living, killed, lately = (printing(tmp_path, "import time; time.sleep(600)") for _ in range(3))
    used, left, fresh = map(desk_of, (living, killed, lately))
    for process in (killed, lately):
        process.kill()
        process.wait()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / f"{DESK}link").symlink_to(elsewhere)
    (tmp_path / f"{DESK}file").write_text("")
    long_ago = time.time() - FRESH - 60
    for path in (used, left, elsewhere, tmp_path / f"{DESK}file"):
        os.utime(path, (long_ago, long_ago))
    assert all((folder / "press.typ").is_file() for folder in (used, left, fresh))

    last = printing(tmp_path, "")
    own = desk_of(last)
    assert last.wait() == 0
    assert sorted(tmp_path.iterdir()) == sorted(
        [used, fresh, elsewhere, tmp_path / f"{DESK}link", tmp_path / f"{DESK}file"]
    )
    assert own not in tmp_path.iterdir()  # a process that ends normally leaves nothing
    living.kill()
    living.wait()


@pytest.mark.parametrize("prefix", [DESK, UNPACKED, REVISION])
def test_old_temporary_folders_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, fresh, users = tmp_path / f"{prefix}abc", tmp_path / f"{prefix}def", tmp_path / "fcb-notes"
    for folder in (left, users):
        (folder / "inside").mkdir(parents=True)
        os.utime(folder, (0, 0))
    fresh.mkdir()
    with temporary_folder(prefix) as own:
        assert sorted(tmp_path.iterdir()) == sorted([Path(own), fresh, users])
    assert sorted(tmp_path.iterdir()) == sorted([fresh, users])
