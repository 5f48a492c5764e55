"""The looks beside a program file: the table of ``--program`` shows the board of the sources."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import calm_pond
from test_dressing import dressed

from fcbdsl.cli.table_looks import looks_beside, looks_of
from fcbdsl.machine.vm import fcbc
from fcbdsl.print.export.looks_file import MOST_BYTES, BadLooks, dressing_from, looks_file
from fcbdsl.project.workspace import Workspace

PROGRAM = "0123456789abcdef"


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(calm_pond(tmp_path), monkeypatch, capsys)


@pytest.fixture
def looks(tmp_path: Path) -> Path:
    path = tmp_path / "game.looks.zip"
    path.write_bytes(looks_file(PROGRAM, [dressed("escape"), dressed("escape", "fr")]))
    return path


def test_looks_file_round_trips(looks: Path) -> None:
    mission = dressed("escape").mission
    dressing = dressing_from(looks, PROGRAM, mission)
    assert dressing("en") == dressed("escape")
    assert dressing("fr") == dressed("escape", "fr")
    assert dressing("de") is None


def test_looks_file_contains_equal_parts_once(looks: Path) -> None:
    names = zipfile.ZipFile(looks).namelist()
    assert len(names) == len(set(names))
    assert len(names) < 2 * len(dressed("escape").__slots__)


def test_looks_of_another_program_or_mission_are_refused(looks: Path) -> None:
    with pytest.raises(BadLooks, match="another version"):
        dressing_from(looks, "other", dressed("escape").mission)
    with pytest.raises(BadLooks, match="no looks of nowhere"):
        dressing_from(looks, PROGRAM, "nowhere")


@pytest.mark.parametrize(
    "parts",
    [
        {}, {"index.json": "["}, {"index.json": "[]"}, {"index.json": "{}"},
        {"index.json": '{"program":"0123456789abcdef","missions":[]}'},
        {"index.json": '{"program":"0123456789abcdef","missions":{"m":{"en":{"title":"a"}}}}'},
        {"index.json": '{"program":"0123456789abcdef","missions":{"m":{"en":{"title":"a"}}}}', "a": "1"},
        {"index.json": " " * (MOST_BYTES + 1)},
    ],
)  # fmt: skip
def test_damaged_looks_are_refused(tmp_path: Path, parts: dict[str, str]) -> None:
    path = tmp_path / "game.looks.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, text)
    with pytest.raises(BadLooks):
        dressing_from(path, PROGRAM, "m")
    path.write_bytes(b"PK no zip")
    with pytest.raises(BadLooks, match="cannot be read"):
        dressing_from(path, PROGRAM, "m")


def test_program_file_is_played_with_its_board(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.fcb("compile", "-o", "pond.fcbc", "--looks").code == 0
    path = shell.folder / "pond.fcbc"
    program = fcbc.load_fcbc(path.read_bytes())
    assert not isinstance(program, fcbc.Refused)
    assert looks_beside(path, program, "crossing")("en") == looks_of(Workspace(root=shell.folder).model, "crossing")(
        "en"
    )
    assert capsys.readouterr().err == ""


def test_program_file_without_looks_explains_how_to_make_them(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.fcb("compile", "-o", "pond.fcbc").code == 0
    path = shell.folder / "pond.fcbc"
    program = fcbc.load_fcbc(path.read_bytes())
    assert not isinstance(program, fcbc.Refused)
    assert looks_beside(path, program, "crossing")("en") is None
    assert "`fcb compile --looks`" in capsys.readouterr().err
