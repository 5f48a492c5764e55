"""The project that a command selects, and its messages about that."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import copy_pond

from fcbdsl.project import paths
from fcbdsl.project.paths import shipped_path

EVERY = [
    ["check"],
    ["compile", "-o", "a.fcbc"],
    ["test"],
    ["render", "-o", "out"],
    ["play", "crossing", "--bot", "first"],
    ["missions"],
    ["soak", "--games", "1"],
    ["rules"],
    ["campaign", "start", "crossing", "a.campaign"],
]
"""Commands that need a project."""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a package that ships the pond without its tests, as a wheel does."""
    folder = tmp_path / "package"
    copy_pond(folder)
    core = shipped_path("systems") / "core.fcb"
    shutil.copy(core, folder / "pond" / "systems" / "core.fcb")
    shutil.rmtree(folder / "pond" / "tests")
    monkeypatch.setattr(paths, "PACKAGE", folder / "pond")
    return folder / "pond"


@pytest.mark.parametrize("arguments", EVERY, ids=lambda arguments: arguments[0])
def test_missing_project_uses_nothing_else(shell: Shell, package: Path, arguments: list[str]) -> None:
    (shell.folder / "empty").mkdir()
    inside = Shell(shell.folder / "empty", shell._patch, shell._capture)
    done = inside.fcb(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "There is no project here" in done.err
    assert "--shipped" in done.err


def test_content_without_project_file_is_checked(shell: Shell) -> None:
    (shell.folder / "cards").mkdir()
    (shell.folder / "cards" / "bad.fcb").write_text('wepon foo "Foo"\n')
    done = shell.fcb("check")
    assert done.code == 1
    assert "cards/bad.fcb:1" in done.out
    assert f"There is no fcb.toml in {shell.folder} or above it. Using that folder as the project." in done.err


def test_files_in_project_folder_belong_to_project(shell: Shell) -> None:
    (shell.folder / "bad.fcb").write_text('wepon foo "Foo"\n')
    assert "bad.fcb:1" in shell.fcb("check").out


def test_folder_without_project_file_has_content_folders(project: Shell) -> None:
    (project.folder / "fcb.toml").unlink()
    done = project.fcb("missions")
    assert (done.code, done.out) == (0, "crossing\n")
    assert done.err.count("There is no fcb.toml") == 1
    assert project.fcb("test").out == "2 tests: 2 passed, 0 failed.\n"
    assert project.fcb("check", "cards/pond.fcb").code == 0


def test_project_with_a_file_prints_no_note(project: Shell) -> None:
    for arguments in (["check"], ["missions"], ["compile", "-o", "a.fcbc"]):
        assert project.fcb(*arguments).err == ""


def test_shipped_option_uses_and_reports_shipped_content(shell: Shell, package: Path) -> None:
    done = shell.fcb("missions", "--shipped")
    assert (done.code, done.out) == (0, "crossing\n")
    assert str(package) in done.err
    assert shell.fcb("check", "--shipped").out == "No problems.\n"
    assert shell.fcb("compile", "--shipped", "-o", "a.fcbc").code == 0


def test_shipped_option_excludes_paths(project: Shell) -> None:
    project.fcb("compile", "-o", "a.fcbc")
    for arguments in (["check", "cards", "--shipped"], ["missions", "--program", "a.fcbc", "--shipped"]):
        done = project.fcb(*arguments)
        assert (done.code, done.out) == (2, "")
        assert "--shipped" in done.err


@pytest.mark.parametrize(
    ("key", "old", "new", "near"),
    [
        ("paths", '"cards"', '"crads"', "cards"),
        ("tests", '"tests"', '"test"', "tests"),
        ("rules", "", 'rules = "rules.md"', ""),
    ],
)
def test_missing_path_in_project_file_is_error(project: Shell, key: str, old: str, new: str, near: str) -> None:
    file = project.folder / "fcb.toml"
    text = file.read_text()
    file.write_text(text.replace(old, new, 1) if old in text and old else f"{new}\n{text}")
    if old and old not in text:
        file.write_text(f"{key} = [{new}]\n{text}")
    done = project.fcb("check")
    assert done.code == 1
    assert "FCB0804" in done.out
    assert f"`{key}`" in done.out
    assert near in done.out
    assert project.fcb("compile", "-o", "a.fcbc").code == 1
    assert not (project.folder / "a.fcbc").exists()


def test_unknown_key_in_project_file_suggests_nearest(project: Shell) -> None:
    file = project.folder / "fcb.toml"
    file.write_text(f'titel = "Pond"\n{file.read_text()}')
    done = project.fcb("check")
    assert done.code == 1
    assert "Did you mean `title`?" in done.out
