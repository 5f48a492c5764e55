"""The files of `fcb new` besides sources work as written: the workflow, the README, the settings of editors."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_runner import Shell
from games import GAMES, ROOT, SMALLEST_FIRST, shared_cache

import fcbdsl.base.origin
from fcbdsl.base.origin import FOLDER, INDEX, VCS, Origin
from fcbdsl.tools.docs.cookbook import recipe_files

REPOSITORY = Origin(VCS, "0.3.0", url="https://example.org/fcb.git", vcs="git", commit="0123abc")
LOCAL = Origin(FOLDER, "0.3.0", url="file:///home/ann/fcb")
PACKS = [("game", "")] + [(template, game) for game in SMALLEST_FIRST for template in ("mission", "cards")]
RECIPE = ROOT / "docs" / "cookbook" / "recipes" / "far-cry-beyond" / "101-push-everybody-near.fcb"


def begun(shell: Shell, patch: pytest.MonkeyPatch, origin: Origin, *arguments: str) -> str:
    """Begin a project with an fcb of some origin, and return its standard error."""
    patch.setattr(fcbdsl.base.origin, "_running", lambda: origin)
    done = shell.fcb("new", "pack", *arguments)
    assert done.code == 0, done.err
    shell.folder = shell.folder / "pack"
    return done.err


def workflow(shell: Shell) -> dict[str, Any]:
    file = shell.folder / ".github" / "workflows" / "check.yml"
    read: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return read


def install(shell: Shell, folder: Path) -> tuple[int, str, str]:
    """Run the step that installs fcb, with a Python that only records its arguments. Return its exit code, output and
    record."""
    read = workflow(shell)
    [step] = [step for step in read["jobs"]["check"]["steps"] if "pip install" in step.get("run", "")]
    noted = folder / "noted"
    folder.mkdir(exist_ok=True)
    (folder / "python").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {shlex.quote(str(noted))}\n')
    (folder / "python").chmod(0o755)
    env = {**os.environ, **read["env"], "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    done = subprocess.run([bash, "-e", "-c", step["run"]], env=env, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, noted.read_text() if noted.exists() else ""


def commands(shell: Shell) -> list[str]:
    """Return the commands of the workflow that run fcb."""
    steps = workflow(shell)["jobs"]["check"]["steps"]
    return [step["run"] for step in steps if step.get("run", "").startswith("fcb ")]


def test_workflow_installs_fcb_that_wrote_it(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    err = begun(shell, monkeypatch, REPOSITORY, "--template", "game")
    assert err == ""
    code, _, noted = install(shell, tmp_path / "bin")
    assert code == 0
    assert noted.splitlines() == ["-m", "pip", "install", "fcbdsl @ git+https://example.org/fcb.git@0123abc"]
    readme = (shell.folder / "README.md").read_text(encoding="utf-8")
    assert '`python -m pip install "fcbdsl @ git+https://example.org/fcb.git@0123abc"`' in readme


def test_workflow_pins_release(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    begun(shell, monkeypatch, Origin(INDEX, "0.3.0"), "--template", "game")
    assert install(shell, tmp_path / "bin")[2].splitlines()[-1] == "fcbdsl==0.3.0"


def test_workflow_does_not_install_local_fcb(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    err = begun(shell, monkeypatch, LOCAL, "--template", "game")
    assert "Fill in FCB_SOURCE in .github/workflows/check.yml" in err
    code, out, noted = install(shell, tmp_path / "bin")
    assert (code, noted) == (1, "")
    assert out.startswith("::error file=.github/workflows/check.yml::FCB_SOURCE is empty")
    written = "".join(path.read_text(encoding="utf-8") for path in shell.folder.rglob("*") if path.is_file())
    assert "install fcbdsl" not in written
    assert LOCAL.url not in written


@pytest.mark.parametrize(
    ("template", "game"),
    [pytest.param(*pack, marks=() if pack[0] == "game" else pytest.mark.long) for pack in PACKS],
)
@pytest.mark.parametrize("languages", ["en", pytest.param("en,fr", marks=pytest.mark.long)])
def test_workflow_and_readme_run_as_written(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, template: str, game: str, languages: str
) -> None:
    with shared_cache():
        arguments = ["--template", template, "--lang", languages, *(["--game", game] if game else [])]
        begun(shell, monkeypatch, REPOSITORY, *arguments)
        [command] = commands(shell)
        assert command.startswith("fcb ci --strict ")
        done = shell.fcb(*shlex.split(command)[1:])
        assert done.code == 0, done.out + done.err
        assert (shell.folder / "print").is_dir()
        for line in re.findall(r"^fcb .*$", (shell.folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE):
            done = shell.fcb(*shlex.split(line, comments=True)[1:])
            assert done.code == 0, f"{line}\n{done.out}{done.err}"


@pytest.mark.long
def test_workflow_passes_with_recipe(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    with shared_cache():
        begun(shell, monkeypatch, REPOSITORY, "--game", GAMES[0], "--template", "cards")
        for name, text in recipe_files(RECIPE.read_text(encoding="utf-8"), RECIPE.stem).items():
            (shell.folder / name).write_text(text, encoding="utf-8")
        [command] = commands(shell)
        done = shell.fcb(*shlex.split(command)[1:])
        assert done.code == 0, done.out + done.err


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("template", "game"), PACKS)
def test_readme_and_settings_name_existing_files(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, template: str, game: str
) -> None:
    begun(shell, monkeypatch, LOCAL, "--template", template, *(["--game", game] if game else []))
    readme = (shell.folder / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `([^`]+)` \|", readme, re.MULTILINE)
    assert all((shell.folder / name).exists() for name in named)
    tops = {path.name + "/" for path in shell.folder.iterdir() if path.is_dir() and path.name[0] != "."}
    assert tops <= set(named)
    assert len({line.index("  # ") for line in readme.splitlines() if line.startswith("fcb ")}) == 1
    assert "docs/install.md" in readme
    settings = json.loads((shell.folder / ".vscode" / "settings.json").read_text(encoding="utf-8"))
    assert settings["files.associations"] == {"*.fcb": "fcb"}
    tasks = json.loads((shell.folder / ".vscode" / "tasks.json").read_text(encoding="utf-8"))["tasks"]
    assert [(task["command"], task["args"]) for task in tasks] == [("fcb", ["check"]), ("fcb", ["test"])]
    check = tasks[0]["problemMatcher"]["pattern"]
    (shell.folder / "missions" / "wrong.fcb").write_text("use nothing-of-the-kind\n", encoding="utf-8")
    lines = shell.fcb("check").out.splitlines()
    at = next(number for number, line in enumerate(lines) if re.match(check[0]["regexp"], line))
    place = re.match(check[1]["regexp"], lines[at + 1])
    assert place is not None
    assert place[check[1]["file"]] == "missions/wrong.fcb"
