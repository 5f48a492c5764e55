"""A wheel built from the checkout works where there is no checkout: everything it needs travels inside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from games import GAMES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel and nothing else of the project."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    made = subprocess.run([sys.executable, "-c", build, str(folder)], cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    wheel = folder / made.stdout.split()[-1]
    site = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    return site


def fcb(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command in `folder`, away from the checkout."""
    start = "import fcbdsl, sys; assert fcbdsl.__file__.startswith(sys.argv.pop(1)); "
    start += "from fcbdsl.cli.main import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(site), "FCB_CACHE": str(site.parent / "cache")}
    command = [sys.executable, "-c", start, str(site), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_the_wheel_checks_compiles_plays_and_prints(installed: Path, tmp_path: Path, game: str) -> None:
    own = ["--shipped", "--game", game]
    steps = [
        ["check", *own],
        ["compile", *own, "-o", "game.fcbc"],
        ["verify", "game.fcbc"],
        ["missions", *own],
    ]
    for step in steps:
        done = fcb(installed, tmp_path, *step)
        assert done.returncode == 0, (step, done.stdout, done.stderr)
    mission = done.stdout.split()[0]
    for step in [
        ["play", mission, "--program", "game.fcbc", "--bot", "random", "--seed", "1", "--log", "game.log"],
        ["replay", "game.log", "--program", "game.fcbc"],
        ["render", mission, *own, "--to", "pdf", "-o", "out"],
    ]:
        done = fcb(installed, tmp_path, *step)
        assert done.returncode == 0, (step, done.stdout, done.stderr)
    assert [path.suffix for path in (tmp_path / "out").iterdir()] == [".pdf"]
