"""`fcbdsl-player` plays programs and replays logs without the libraries that sources and printing need."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from games import GAMES, missions, program
from imports import imports_of

from fcbdsl.machine.vm.fcbc import dump

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "release" / "player"
ABSENT = ("lark", "jinja2", "jsonschema", "typst", "fcbdsl.language", "fcbdsl.print", "fcbdsl.project")


def files() -> list[Path]:
    """Return the Python files of the player."""
    wheel = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    places = [(PROJECT / name).resolve() for name in wheel["force-include"]]
    return sorted(
        file
        for place in places
        for file in (place.rglob("*.py") if place.is_dir() else [place] if place.suffix == ".py" else [])
    )


def test_player_contains_top_level_imports_of_its_modules() -> None:
    names = {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for file in files()}
    assert {"fcbdsl.cli.play_command", "fcbdsl.play.session.playout", "fcbdsl.machine.vm.game"} <= names
    for file in files():
        own = {
            imported.module
            for imported in imports_of(file)
            if imported.at_top and imported.module.startswith("fcbdsl.")
        }
        missing = {module for module in own if not {module, module.rpartition(".")[0]} & names}
        assert not missing, f"{file} imports {missing}"


def test_player_dependencies_are_subset_of_fcb() -> None:
    whole, player = (
        tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"] for folder in (ROOT, PROJECT)
    )
    assert set(player["dependencies"]) < set(whole["dependencies"])
    for key in ("requires-python", "license", "scripts"):
        assert player[key] == whole[key]
    assert player["urls"]["Homepage"] == whole["urls"]["Homepage"]


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of commands of a virtual environment with only the player and click."""
    folder = tmp_path_factory.mktemp("player")
    build = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    made = subprocess.run([sys.executable, "-c", build, str(folder)], cwd=PROJECT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    commands = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(commands / "python"), "install", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(folder / made.stdout.split()[-1])], check=True, capture_output=True)
    (package,) = environment.rglob("site-packages/fcbdsl")
    shutil.copytree(Path(click.__file__).parent, package.parent / "click")
    return commands


def fcb(player: Path, folder: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the player's command."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [player / "fcb", *arguments], cwd=folder, env=environment, input=typed, capture_output=True, text=True
    )


@pytest.mark.long
def test_player_needs_no_library_of_sources_and_printing(player: Path, tmp_path: Path) -> None:
    script = f"import importlib.util as u; print([name for name in {ABSENT} if u.find_spec(name)])"
    done = subprocess.run([player / "python", "-I", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_player_replays_its_game_to_the_same_state(player: Path, tmp_path: Path, game: str) -> None:
    (tmp_path / "game.fcbc").write_bytes(dump(program(game)))
    (mission, *_) = missions(program(game))
    own = ("--program", "game.fcbc")
    listed = fcb(player, tmp_path, "missions", *own)
    assert (listed.returncode, listed.stdout.split()[0]) == (0, mission), listed.stderr
    play = ("play", mission, *own, "--bot", "sensible", "--seed", "7", "--log", "game.json")
    assert (done := fcb(player, tmp_path, *play)).returncode == 0, done.stderr
    digest = json.loads((tmp_path / "game.json").read_text("utf-8"))["digest"]
    for command in ([player / "fcb"], [sys.executable, "-m", "fcbdsl"]):
        replay = [*command, "replay", "game.json", *own]
        done = subprocess.run(replay, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, f"state {digest}: confirmed" in done.stdout) == (0, True), done.stderr


@pytest.mark.long
def test_player_lets_people_play_at_the_terminal(player: Path, tmp_path: Path) -> None:
    game = GAMES[-1]
    (tmp_path / "game.fcbc").write_bytes(dump(program(game)))
    play = ("play", missions(program(game))[0], "--program", "game.fcbc", "--seed", "7", "--log", "game.json")
    done = fcb(player, tmp_path, *play, typed="1\n1\ns\n")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "game.json").read_text("utf-8"))["decisions"]
    story = fcb(player, tmp_path, "replay", "game.json", "--program", "game.fcbc", "--show")
    assert story.returncode == 0, story.stderr


@pytest.mark.long
def test_player_reports_missing_parts(player: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.fcbc").write_bytes(dump(program(GAMES[-1])).replace(b'"kinds"', b'"kindz"'))
    shown = fcb(player, tmp_path, "--help")
    assert shown.returncode == 0
    assert "play" in shown.stdout
    assert "render" not in shown.stdout
    for arguments in (["check"], ["play", "somewhere"], ["campaign", "graph", "somewhere", "-o", "x.svg"]):
        done = fcb(player, tmp_path, *arguments)
        assert (done.returncode, "fcbdsl-player" in done.stderr) == (2, True), done.stderr
    refused = fcb(player, tmp_path, "verify", "bad.fcbc")
    assert (refused.returncode, "refused" in refused.stderr) == (1, True), refused.stderr
    assert "Traceback" not in refused.stderr
