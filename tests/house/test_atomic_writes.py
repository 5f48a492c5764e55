"""Files are written whole or not at all, and what a killed process leaves is cleared away by the next."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fcbdsl import files
from fcbdsl.files import begin_beside, write_atomically

KILLED = """
import os, signal, sys
from pathlib import Path
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
from fcbdsl.files import write_atomically
write_atomically(Path(sys.argv[1]), b"half")
"""


def litter(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.endswith(files.PART)]


@pytest.mark.parametrize("name", ["out.pdf", "a[b]*?.pdf"])
def test_what_was_killed_is_cleared_away_by_the_next_write(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    place.write_bytes(b"old")
    other = tmp_path / "other.pdf"
    for target in (place, place, other):
        assert subprocess.run([sys.executable, "-c", KILLED, target]).returncode == -9
    assert place.read_bytes() == b"old"
    assert litter(tmp_path)
    write_atomically(place, b"new")
    assert place.read_bytes() == b"new"
    assert [path.name.startswith(".other.pdf.") for path in litter(tmp_path)] == [True]
    write_atomically(other, b"new")
    assert litter(tmp_path) == []


def test_what_is_still_being_written_stays(tmp_path: Path) -> None:
    place = tmp_path / "out"
    under_way = begin_beside(place)
    foreign = under_way.with_name(f".out.elsewhere-{os.getpid()}-x{files.PART}")
    foreign.touch()
    write_atomically(place, b"new")
    assert sorted(litter(tmp_path)) == sorted([under_way, foreign])
