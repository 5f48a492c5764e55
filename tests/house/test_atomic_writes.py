"""Files are written completely or not at all, and the next process removes what a killed one leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fcbdsl.base import files
from fcbdsl.base.files import begin_beside, write_atomically

KILLED = """
import os, signal, sys
from pathlib import Path
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
from fcbdsl.base.files import write_atomically
write_atomically(Path(sys.argv[1]), b"half")
"""


def litter(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.endswith(files.PART)]


@pytest.mark.parametrize("name", ["out.pdf", "a[b]*?.pdf"])
def test_next_write_removes_leftovers_of_killed_process(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    place.write_bytes(b"old")
    other = tmp_path / "other.pdf"
    for target in (place, other):
        assert subprocess.run([sys.executable, "-c", KILLED, target]).returncode == -9
    journal = litter(tmp_path)[0]
    journal.with_name(f"{journal.name}-journal").touch()
    assert place.read_bytes() == b"old"
    assert litter(tmp_path)
    write_atomically(place, b"new")
    assert place.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [place]


def test_unfinished_file_of_a_running_process_stays(tmp_path: Path) -> None:
    place = tmp_path / "out"
    under_way = begin_beside(place)
    foreign = under_way.with_name(f".out.elsewhere-{os.getpid()}-x{files.PART}")
    users = [tmp_path / ".out.part", tmp_path / f"out.{os.getppid()}-0{files.PART}", tmp_path / ".a-999999999-0.part"]
    living = under_way.with_name(under_way.name.replace(f"-{os.getpid()}-", f"-{os.getppid()}-"))
    for path in (foreign, living, *users):
        path.touch()
    files._CLEARED.clear()
    write_atomically(place, b"new")
    assert sorted(tmp_path.iterdir()) == sorted([place, under_way, foreign, living, *users])
    os.utime(living, (0, 0))  # another process has got the number of the one that was killed
    files._CLEARED.clear()
    write_atomically(place, b"new")
    assert not living.exists()


FULL = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
from fcbdsl.base.files import write_atomically
try:
    write_atomically(Path(sys.argv[1]), bytes(100_000))
except OSError as trouble:
    print(trouble.filename)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of files there")
@pytest.mark.parametrize("room", [0, 1, 8192, 99_999])
def test_failed_write_keeps_and_names_old_file(tmp_path: Path, room: int) -> None:
    place = tmp_path / "out.pdf"
    place.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-B", "-c", FULL, place, str(room)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{place}\n", "")
    assert place.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [place]
