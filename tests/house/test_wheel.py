"""A wheel built from the checkout works without the checkout, because it contains everything that it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import pytest
from games import GAMES

ROOT = Path(__file__).parents[2]


def install(folder: Path, environment: dict[str, str]) -> tuple[Path, str]:
    """Build the wheel in an environment; return a folder with only its content, and the output."""
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    command = [sys.executable, "-c", build, str(folder)]
    variables = {**os.environ, "FCB_RESULTS": "none", **environment}  # results take a minute
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=variables)
    assert made.returncode == 0, made.stderr
    wheel = folder / made.stdout.split()[-1]
    site = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    return site, f"{wheel.name}\n{made.stderr}"


def asked_by(site: Path) -> list[str]:
    """Return the requirements of the wheel in a folder."""
    return next(distributions(name="fcbdsl", path=[str(site)])).requires or []


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel that is built by default."""
    site, output = install(tmp_path_factory.mktemp("wheel"), {"CC": "/bin/false", "FCB_BUILD": ""})
    assert "py3-none-any" in output
    assert not any(requirement.startswith("librt") for requirement in asked_by(site))
    return site


@pytest.fixture(scope="module")
def compiled(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled wheel: that of `make fast`, if it is up to date."""
    if not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("compiled")
    if holds(FAST, installed):
        site = shutil.copytree(FAST, folder / "site")
    else:
        site, _ = install(folder, {"FCB_BUILD": "compiled", "FCB_BUILD_LEVEL": "0"})
    (about,) = site.glob("fcbdsl-*.dist-info/WHEEL")
    assert f"\nTag: cp{sys.version_info[0]}{sys.version_info[1]}-" in about.read_text(encoding="utf-8")
    assert sum(requirement.startswith("librt") for requirement in asked_by(site)) == 1
    return site


FAST = ROOT / "build" / "fast"


def holds(site: Path, other: Path) -> bool:
    """Return whether the package in `site` contains all files of the one in `other`."""
    paths = [path for path in (other / "fcbdsl").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    files = [path.relative_to(other) for path in paths]
    return all((site / name).is_file() and (site / name).read_bytes() == (other / name).read_bytes() for name in files)


def fcb(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command in `folder`, away from the checkout."""
    start = "import fcbdsl, sys; assert fcbdsl.__file__.startswith(sys.argv.pop(1)); "
    start += "from fcbdsl.cli.main import main; main()"
    environment = {**os.environ, "PYTHONPATH": str(site), "FCB_CACHE": str(site.parent / "cache")}
    command = [sys.executable, "-c", start, str(site), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_wheel_checks_compiles_plays_and_prints(installed: Path, tmp_path: Path, game: str) -> None:
    own = ["--shipped", "--game", game]
    steps = [
        ["check", *own],
        ["compile", *own, "-o", "game.fcbc"],
        ["verify", "game.fcbc"],
        ["help", "choose"],
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
    assert [path.suffix for path in (tmp_path / "out").rglob("*") if path.is_file()] == [".pdf"]


@pytest.mark.long
def test_compiled_wheel_behaves_like_plain_wheel(installed: Path, compiled: Path, tmp_path: Path) -> None:
    assert "nothing is compiled" in fcb(installed, tmp_path, "--version", "--verbose").stdout
    assert "machine/vm/ops (" in fcb(compiled, tmp_path, "--version", "--verbose").stdout
    tested = fcb(compiled, tmp_path, "test", "--shipped", "--game", GAMES[0])
    assert tested.returncode == 0, tested.stdout
    for game in GAMES:
        assert fcb(compiled, tmp_path, "compile", "--shipped", "--game", game, "-o", "game.fcbc").returncode == 0
        mission = fcb(compiled, tmp_path, "missions", "--program", "game.fcbc").stdout.split()[0]
        play = ("play", mission, "--program", "game.fcbc", "--bot", "random", "--seed", "3", "--log")
        for site, log in ((installed, "plain.log"), (compiled, "compiled.log")):
            done = fcb(site, tmp_path, *play, log)
            assert done.returncode == 0, (done.stdout, done.stderr)
        assert (tmp_path / "plain.log").read_bytes() == (tmp_path / "compiled.log").read_bytes()


@pytest.mark.long
def test_compiled_module_with_edited_source_is_refused(compiled: Path, tmp_path: Path) -> None:
    source = compiled / "fcbdsl" / "machine" / "vm" / "game.py"
    text = source.read_bytes()
    source.write_bytes(text + b"# edited\n")
    try:
        done = fcb(compiled, tmp_path, "compile", "--shipped", "--game", GAMES[0], "-o", "game.fcbc")
    finally:
        source.write_bytes(text)
    assert done.returncode == 2
    assert "game.py is not what this installation was compiled from" in done.stderr
    assert "Traceback" not in done.stderr
