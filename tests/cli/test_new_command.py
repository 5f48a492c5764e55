"""`fcb new`: the new project works at once, and does not print the content that it uses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from cli_runner import Shell
from games import GAMES, shared_cache
from page_runner import BLOCK, changed
from test_new_game import PAGE

from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.printables import own, printable
from fcbdsl.print.press.proofs import fit_problems
from fcbdsl.project.project import Loader, check_project, shipped_packs
from fcbdsl.project.settings import Project

COMMENT = re.compile(r"^#.*\n", re.MULTILINE)


def works(shell: Shell, *arguments: str, fit: bool = True) -> None:
    """Begin a project, and assert that every command works.

    `fit`: measure all its documents, aids included, in each language and for each paper.
    """
    done = shell.fcb("new", "pack", *arguments, "--lang", "en,fr")
    assert done.code == 0, done.err
    shell.folder = shell.folder / "pack"
    for name in re.findall(r"^pack/(.+)$", done.out, re.MULTILINE):
        assert (shell.folder / name).is_file()
    mission = next((shell.folder / "missions").iterdir()).stem
    assert mission in (shell.folder / "README.md").read_text(encoding="utf-8")
    assert shell.fcb("check", "--strict", *(["--fit"] if fit else [])).out == "No problems.\n"
    assert re.fullmatch(r"([3-9]) tests: \1 passed, 0 failed.\n", shell.fcb("test").out)
    assert shell.fcb("play", mission, "--bot", "sensible", "--seed", "1").code == 0
    done = shell.fcb("render", "-o", "print")
    assert done.code == 0
    assert f"print/mission-{mission}.pdf" in done.out


def test_new_game_is_complete(shell: Shell) -> None:
    with shared_cache():
        works(shell, "--template", "game")
    assert tomllib.loads((shell.folder / "fcb.toml").read_text(encoding="utf-8"))["title"] == "Pack"


@pytest.mark.long
def test_new_game_is_in_target_band(shell: Shell) -> None:
    assert shell.fcb("new", "pack", "--template", "game").code == 0
    shell.folder = shell.folder / "pack"
    with shared_cache():
        done = shell.fcb("simulate", "--gate", "--games", "40", "--jobs", "1")
    assert done.code == 0, done.err
    assert done.err.splitlines()[-1] == "Gate: 0 of 3 setups outside the target."


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("template", ["mission", "cards"])
def test_new_pack_for_shipped_game_is_complete(shell: Shell, game: str, template: str) -> None:
    with shared_cache():
        works(shell, "--game", game, "--template", template, fit=False)
        made, _ = check_project(root=shell.folder)
        assert fit_problems(made, own(made)) == []  # the aids are those of the game, which other tests measure
    assert not re.search(r"[^ -~\n]", "".join(sorted(path.name for path in shell.folder.rglob("*"))))


STARTED = [
    *[("far-cry-beyond", "old-mill", players) for players in (2, 3, 4)],
    *[("fireteam-zero", "boathouse", players) for players in (1, 2, 3, 4)],
    ("escape", "night-shift", 2),
    *[("beast", "lost-flock", players) for players in (2, 3, 4)],
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "mission", "players"), STARTED)
def test_starter_is_in_its_target_band(shell: Shell, game: str, mission: str, players: int) -> None:
    assert shell.fcb("new", "pack", "--game", game).code == 0
    shell.folder = shell.folder / "pack"
    done = shell.fcb("simulate", mission, "--gate", "--players", str(players), "--games", "30", "--jobs", "1")
    assert done.code == 0, done.out
    assert done.err.splitlines()[-1] == "Gate: 0 of 1 setup outside the target."
    assert f"{mission}, {players} player" in done.out
    assert "shows nothing about the mission" not in done.out


@pytest.mark.parametrize("game", GAMES)
def test_starter_mission_has_target_band(shell: Shell, game: str) -> None:
    assert shell.fcb("new", "pack", "--game", game).code == 0
    wanted = tomllib.loads((shell.folder / "pack" / "fcb.toml").read_text(encoding="utf-8"))["wins"]
    missions = {path.stem for path in (shell.folder / "pack" / "missions").glob("*.fcb")}
    assert set(wanted) == missions == {mission for name, mission, _ in STARTED if name == game}


def test_game_template_equals_documentation(shell: Shell) -> None:
    assert shell.fcb("new", "ebb", "--template", "game", "--lang", "en,fr").code == 0
    last: dict[str, str] = {}
    for name, language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language in {"fcb", "diff"}:
            last[name] = changed(last[name], text) if language == "diff" else text
    files = {
        path.relative_to(shell.folder / "ebb").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((shell.folder / "ebb").rglob("*.fcb"))
    }
    system = last["systems/ebb/system.fcb"].replace('fr: "Jusant"', 'fr: "Ebb"')
    assert {name: COMMENT.sub("", text) for name, text in files.items()} == last | {"systems/ebb/system.fcb": system}
    assert all(text.startswith("# ") for text in files.values())


@pytest.mark.parametrize("name", ["for", "9 lives, été", GAMES[0]])
def test_new_accepts_any_folder_name_and_title(shell: Shell, name: str) -> None:
    shell.fcb("new", name, "--template", "game", "--title", 'A "B\\C"\n')
    shell.folder = shell.folder / name
    assert shell.fcb("check", "--strict").out == "No problems.\n"
    assert (shell.folder / "README.md").read_text(encoding="utf-8").startswith('# A "B\\C"\n')


def test_new_overwrites_nothing_and_reports_bad_options(shell: Shell) -> None:
    (shell.folder / "full").mkdir()
    (shell.folder / "full" / "mine.txt").write_text("mine")
    for arguments, message in [
        (("full",), "not empty"),
        (("x", "--game", GAMES[0][:-1]), f"Did you mean {GAMES[0]}?"),
        (("x", "--template", "game", "--game", GAMES[0]), "leave out --game"),
    ]:
        done = shell.fcb("new", *arguments)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
    assert [path.name for path in shell.folder.iterdir()] == ["full"]


def test_used_content_is_not_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fcb.toml").write_text('language = 2\nlanguages = ["en"]\n')
    (tmp_path / "cards").mkdir()
    text = 'use escape\nuse escape-equipment\nprovision ration "Ration":\n  act: heal 1\n'
    (tmp_path / "cards" / "own.fcb").write_text(text)
    model, problems = check_project()
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert [definition.id for definition in own(model)] == ["ration"]
    register = PieceRegister(model, printable(model))
    assert register.number(model.definitions["provision", "ration"]) == 1
    assert register.number(model.definitions["provision", "medikit"]) > 1


@pytest.mark.long
@pytest.mark.parametrize("pack", shipped_packs())
def test_shipped_packs_are_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fcb.toml").write_text('language = 2\nlanguages = ["en", "fr"]\n')
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "a.fcb").write_text(f"use {pack}\n")
    with shared_cache():
        assert [str(problem) for problem in check_project()[1] if problem.severity == "error"] == []


def test_similar_packs_are_suggested(tmp_path: Path) -> None:
    assert "escape-equipment" in Loader(Project(tmp_path)).usable_names()
