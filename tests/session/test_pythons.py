"""Every available Python plays a compiled program alike, without any library."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from games import GAMES, ROOT, SMALLEST_FIRST, first_few, image, program

from benchmarks.compiled.games import digests
from fcbdsl.machine.vm import fcbc

OLDEST, NEWEST = 11, 19
"""The minor versions of Python 3 that are searched for."""
WHICH = "import sys; print(sys.version_info[1])"
PLAYING = """
import sys
sys.path.insert(0, sys.argv[1])
from benchmarks.compiled.games import digests
from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.image import Image
program = fcbc.load_fcbc(open(sys.argv[2], "rb").read())
print(*digests(Image(program), eval(sys.argv[3]), eval(sys.argv[4])))
"""


@cache
def pythons() -> dict[str, str]:
    """Return the other Pythons of this machine, by version: those on the path, and those beside this one."""
    beside = Path(sys.base_prefix).resolve().parent
    paths = [shutil.which(f"python3.{minor}") for minor in range(OLDEST, NEWEST + 1)]
    paths += [str(path) for pattern in ("*/bin/python3", "*/*/bin/python3") for path in sorted(beside.glob(pattern))]
    out: dict[str, str] = {}
    for python in filter(None, paths):
        done = subprocess.run([python, "-I", "-c", WHICH], capture_output=True, text=True)
        minor = done.stdout.strip()
        if not done.returncode and minor.isdigit() and int(minor) >= OLDEST and int(minor) != sys.version_info[1]:
            out.setdefault(f"3.{minor}", python)
    return out


def check_all_play_alike(game: str, folder: Path, seeds: tuple[int, ...], thinkers: tuple[str, ...]) -> None:
    """Play a game with this and each other Python. Skips, with a message, if there is none."""
    if not pythons():
        pytest.skip("there is no other Python on this machine")
    file = folder / "game.fcbc"
    file.write_bytes(fcbc.dump(program(game)))
    here = digests(image(game), seeds, thinkers)
    assert len(set(here)) > 1
    for version, python in pythons().items():
        command = [python, "-I", "-c", PLAYING, str(ROOT), str(file), repr(seeds), repr(thinkers)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert not done.returncode, (version, done.stderr)
        assert done.stdout.split() == here, version


@pytest.mark.long
@pytest.mark.parametrize("game", first_few(SMALLEST_FIRST, 2))
def test_missions_end_equally_on_every_python(game: str, tmp_path: Path) -> None:
    check_all_play_alike(game, tmp_path, seeds=(3,), thinkers=())


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_searching_bots_choose_equally_on_every_python(game: str, tmp_path: Path) -> None:
    check_all_play_alike(game, tmp_path, seeds=(), thinkers=("sensible", "thumb", "search:5"))
