"""The package works from a zip archive, and from an installation without sources."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from games import GAMES, ROOT, program

from fcbdsl.machine.vm.fcbc import dump

GAME = GAMES[-1]
BESIDE = ("grammar",)
"""Files that are inside the package in a wheel, and beside it in a checkout."""

WORK = """
import sys
from pathlib import Path
from fcbdsl.base import native, resources
from fcbdsl.machine.geometry.generator import COMPILED
from fcbdsl.project.project import check_project
from fcbdsl.play.simulation.cluster import package_hash
from fcbdsl.machine.vm import numbers
assert not COMPILED and not numbers.COMPILED and native.compiled_build() is None
model, problems = check_project(root=Path.cwd())
print([one.code for one in problems if one.severity == "error"], len(model.definitions) > 0, len(package_hash()))
from fcbdsl.language.compiler import lower
lower(model)
from fcbdsl.base.diagnostics import known_codes
from fcbdsl.print.typeset.folders import TEMPLATES
print(len(known_codes()) > 100, (TEMPLATES / "page.css").is_file())
"""

PLAY = """
import sys
from pathlib import Path
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.session.playout import play_out
from fcbdsl.machine.vm import fcbc, setup
from fcbdsl.machine.vm.image import Image
made = fcbc.load_fcbc(Path(sys.argv[1]).read_bytes())
game = setup.start_game(Image(made), sys.argv[2], made.players[1], 1, {})
play_out(game, [RandomBot(1 + n) for n in range(made.players[1])])
print(game.digest())
print(sorted({one.split(".")[1] for one in sys.modules if one.startswith("fcbdsl.")} & {"resources", "project"}))
"""


def sources(folder: Path) -> Path:
    """Return a folder with the package and all files of a wheel."""
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "fcbdsl", folder / "fcbdsl", ignore=left_out)
    for name in BESIDE:
        shutil.copytree(ROOT / name, folder / "fcbdsl" / name)
    return folder


@pytest.fixture(scope="module", params=["zip", "zip without sources", "folder without sources"])
def packed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the entry for the path of a Python: an archive, or an installation without sources."""
    place = sources(tmp_path_factory.mktemp("packed"))
    if "without" in request.param:
        compileall.compile_dir(place / "fcbdsl", quiet=2, legacy=True)
        for path in place.rglob("*.py"):
            path.unlink()
    if not request.param.startswith("zip"):
        return place
    archive = place / "fcb.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for path in sorted((place / "fcbdsl").rglob("*")):
            opened.write(path, path.relative_to(place))
    shutil.rmtree(place / "fcbdsl")
    return archive


def run(packed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with that package and no other."""
    (folder / "tmp").mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(packed),
        "TMPDIR": str(folder / "tmp"),
        "FCB_CACHE": str(folder / "cache"),
    }
    return subprocess.run(
        [sys.executable, "-P", *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )


@pytest.mark.long
@pytest.mark.sampled(3)
def test_packed_fcb_checks_project(packed: Path, tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "fcb.toml").write_text("language = 2\n")
    (tmp_path / "cards" / "a.fcb").write_text(f"use {GAME}\nwepon x:\n  a: 1\n")
    done = run(packed, tmp_path, "-c", WORK.replace("lower(model)", ""))
    assert (done.stdout, done.stderr) == ("['FCB0301'] True 32\nTrue True\n", "")
    assert list((tmp_path / "tmp").iterdir()) == []  # the unpacked files are removed
    done = run(packed, tmp_path, "-m", "fcbdsl", "check", "--explain-passes")
    assert (done.returncode, "FCB0301" in done.stdout) == (1, True)
    assert ("fcb runs from an archive" in done.stderr) == packed.is_file()


@pytest.mark.sampled(3)
def test_packed_fcb_plays_program(packed: Path, tmp_path: Path) -> None:
    made = program(GAME)
    mission = next(row.id for row in made.definitions if made.kinds[row.kind].policy == "mission")
    (tmp_path / "game.fcbc").write_bytes(dump(made))
    here = run(ROOT, tmp_path, "-c", PLAY, "game.fcbc", mission)
    there = run(packed, tmp_path, "-c", PLAY, "game.fcbc", mission)
    assert here.stderr == there.stderr == ""
    assert there.stdout == here.stdout
