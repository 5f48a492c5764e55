"""Every command with correct and with wrong usage."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli_runner import Shell

from fcbdsl import __version__
from fcbdsl.base import native
from fcbdsl.base.origin import ARCHIVE, FOLDER, FROZEN, INSTALL_PAGE, UNKNOWN, Origin
from fcbdsl.cli.main import COMMANDS
from fcbdsl.machine.vm import fcbc


def test_version_is_shown(shell: Shell) -> None:
    done = shell.fcb("--version")
    assert (done.code, done.out) == (0, f"fcb, version {__version__}\n")


def test_verbose_version_names_build(shell: Shell) -> None:
    done = shell.fcb("--version", "--verbose")
    assert (done.code, done.out.splitlines()[:2]) == (0, [f"fcb, version {__version__}", native.describe_build()])
    assert shell.fcb("--verbose", "check").code == 2


@pytest.mark.parametrize(
    ("origin", "python", "hinted"),
    [
        (Origin(ARCHIVE, __version__, "file:///fcb.whl"), "cpython", True),
        (Origin(UNKNOWN, __version__), "cpython", True),
        (Origin(FOLDER, __version__, "file:///fcb"), "cpython", True),
        (Origin(FOLDER, __version__, "file:///fcb", editable=True), "cpython", False),
        (Origin(FROZEN, __version__), "cpython", False),
        (Origin(ARCHIVE, __version__, "file:///fcb.whl"), "pypy", False),
    ],
)
def test_plain_build_explains_compiled_build(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, origin: Origin, python: str, hinted: bool
) -> None:
    monkeypatch.setattr(native, "compiled_build", lambda package=None: None)
    monkeypatch.setattr(Origin, "of_installation", classmethod(lambda cls: origin))
    monkeypatch.setattr(sys, "implementation", SimpleNamespace(name=python, cache_tag=sys.implementation.cache_tag))
    out = shell.fcb("--version", "--verbose").out
    assert ("FCB_BUILD=compiled" in out) == (INSTALL_PAGE in out) == hinted


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_example(shell: Shell, command: str) -> None:
    done = shell.fcb(*filter(None, [command, "--help"]))
    assert done.code == 0
    assert re.search(rf"Example: fcb {command or 'check'}", done.out)


@pytest.mark.parametrize("command", COMMANDS)
def test_overview_repeats_command_summaries(shell: Shell, command: str) -> None:
    assert f"  {command} " in shell.fcb("--help").out
    first = shell.fcb(command, "--help").out.split("\n\n")[1].strip()
    assert first[0].isupper()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nosuch"],
        ["check", "--nosuch"],
        ["check", "nosuch.fcb"],
        ["compile"],
        ["compile", "-o", "."],
        ["explain"],
        ["explain", "FCB9999"],
        ["dump", "nosuch", "fcb.toml"],
        ["play"],
        ["play", "crosing", "--bot", "random"],
        ["play", "crossing", "--bot", "nosuch"],
        ["play", "crossing", "--bot", "random", "--players", "7"],
        ["play", "crossing", "--bot", "random", "--players", "0"],
        ["play", "crossing", "--bot", "random", "--seed", "-1"],
        ["play", "crossing", "--bot", "random", "--variant", "wind"],
        ["play", "crossing", "--bot", "random", "--variant", "wind=strong"],
        ["play", "crossing", "--bot", "random", "--variant", "rain=yes"],
        ["play", "crossing", "--human", "2"],
        ["play", "crossing", "--human", "0"],
        ["play", "crossing", "--human", "x"],
        ["play", "crossing", "--bot", "random", "--games", "2", "--log", "game.log"],
        ["render"],
        ["render", "nosuch", "-o", "out"],
        ["render", "--lang", "de", "-o", "out"],
        ["render", "--to", "tts", "-o", "out"],
        ["render", "--for", "crossing", "--base-url", "http://x", "-o", "out"],
        ["render", "--shop", "drivethrucards", "--aids", "-o", "out"],
        ["render", "--shop", "drivethrucards", "--maps", "-o", "out"],
        ["replay", "nosuch.log"],
        ["test", "-k", "and"],
        ["test", "-k", "(hop"],
        ["verify", "nosuch.fcbc"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2_and_reason(project: Shell, arguments: list[str]) -> None:
    done = project.fcb(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert "Error: " in done.err or done.err.startswith("Usage: fcb")


def test_misspelled_mission_is_suggested(project: Shell) -> None:
    assert "Did you mean crossing?" in project.fcb("play", "crosing", "--bot", "random").err


def test_misspelled_definition_is_suggested(project: Shell) -> None:
    assert "Did you mean puddle?" in project.fcb("render", "pudle", "-o", "out").err


def test_misspelled_code_is_suggested(project: Shell) -> None:
    assert "Did you mean FCB0" in project.fcb("explain", "FCB0299").err


# ── check, compile, verify, disasm, dump, explain ──────────────────────────────────────────────


def test_check_finds_no_problem_in_shipped_content(project: Shell) -> None:
    done = project.fcb("check")
    assert (done.code, done.out) == (0, "No problems.\n")
    assert json.loads(project.fcb("check", "--format", "json").out) == []


def test_check_of_one_file_knows_project(project: Shell) -> None:
    (project.folder / "tests" / "broken.fcb").write_text("use pond\nfrog\n")
    assert project.fcb("check", "cards/pond.fcb").code == 0
    assert project.fcb("check").code == 1


def test_check_reports_in_json(project: Shell) -> None:
    (project.folder / "cards" / "more.fcb").write_text('use pond\nfrog bull "Bull":\n  fr: "Ouaouaron"\n  energie: 3\n')
    done = project.fcb("check", "--format", "json")
    assert done.code == 1
    assert [(row["file"], row["line"]) for row in json.loads(done.out)] == [("cards/more.fcb", 4)]


def test_compile_is_deterministic_and_verifies(project: Shell) -> None:
    assert project.fcb("compile", "-o", "out/a.fcbc").code == 0
    assert project.fcb("compile", "-o", "out/b.fcbc").code == 0
    first, second = ((project.folder / "out" / name).read_bytes() for name in ("a.fcbc", "b.fcbc"))
    assert first == second
    done = project.fcb("verify", "out/a.fcbc")
    assert done.code == 0
    assert done.out.startswith("out/a.fcbc: sound")


def test_broken_content_is_not_compiled(project: Shell) -> None:
    (project.folder / "cards" / "more.fcb").write_text("use pond\nfrog\n")
    done = project.fcb("compile", "-o", "a.fcbc")
    assert done.code == 1
    assert "fcb wrote nothing" in done.err
    assert not (project.folder / "a.fcbc").exists()


def test_program_above_size_limit_is_not_written(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcbc, "MOST_BYTES", 100)
    done = project.fcb("compile", "-o", "a.fcbc")
    assert done.code == 1
    assert "more than the 100 that fcb reads; fcb wrote nothing" in done.err
    assert not (project.folder / "a.fcbc").exists()


def test_disasm_lists_codes_of_program_and_sources(project: Shell) -> None:
    project.fcb("compile", "-o", "a.fcbc")
    whole = project.fcb("disasm", "a.fcbc")
    some = project.fcb("disasm", "cards/pond.fcb", "enlist")
    assert whole.code == some.code == 0
    assert "enlist" in some.out
    assert len(some.out) < len(whole.out)
    assert project.fcb("disasm", "a.fcbc", "nosuch").code == 1


@pytest.mark.parametrize(("stage", "shows"), [("tree", "mission crossing"), ("model", "crossing"), ("code", "enlist")])
def test_dump_shows_each_stage(project: Shell, stage: str, shows: str) -> None:
    done = project.fcb("dump", stage, "cards/pond.fcb")
    assert done.code == 0
    assert shows in done.out


def test_explain_ignores_case_of_code(shell: Shell) -> None:
    done = shell.fcb("explain", "fcb0650")
    assert done.code == 0
    assert "FCB0650" in done.out


# ── missions, test, render ─────────────────────────────────────────────────────────────────────


def test_missions_are_listed_by_id_or_with_titles(project: Shell) -> None:
    project.fcb("compile", "-o", "a.fcbc")
    assert project.fcb("missions").out == "crossing\n"
    assert project.fcb("missions", "--program", "a.fcbc", "--long", "--lang", "fr").out == "crossing  La Traversée\n"


def test_missions_of_unchanged_project_are_cached(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    first = project.fcb("missions", "--long", "--lang", "fr")
    assert first.out == "crossing  La Traversée\n"
    with monkeypatch.context() as patch:
        for made in ("fcbdsl.project.analysis.pipeline.cached_model", "fcbdsl.cli.common.compile_game"):
            patch.setattr(made, None)  # would fail if it were called
        assert project.fcb("missions", "--long", "--lang", "fr") == first
        assert project.fcb("missions", "--lang", "de").code == 2
    file = project.folder / "cards" / "pond.fcb"
    file.write_text(file.read_text().replace("La Traversée", "Au large"))
    assert project.fcb("missions", "--long", "--lang", "fr").out == "crossing  Au large\n"
    file.write_text(file.read_text() + "\nfrog\n")
    assert (project.fcb("missions").code, project.fcb("missions").code) == (1, 1)


@pytest.mark.parametrize(
    "content", [5, ([], []), (["en"], [5]), (["en"], [("a", {"en": 1})]), ([1], []), (["en"], [(1, {})])]
)
def test_invalid_cached_missions_are_computed_again(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: object
) -> None:
    from fcbdsl.base import cache
    from fcbdsl.project.project import load_project, project_key

    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(project.folder)
    cache.store_result(project_key(load_project(tests=False), "missions"), content)
    assert project.fcb("missions").out == "crossing\n"


def test_tests_pass_and_can_be_selected(project: Shell) -> None:
    assert project.fcb("test").out == "2 tests: 2 passed, 0 failed.\n"
    assert project.fcb("test", "-k", "breeze wets and not hop").out == "1 test: 1 passed, 0 failed.\n"
    assert project.fcb("test", "-k", "POND-HOP-01 or (dare and breeze)").out == "2 tests: 2 passed, 0 failed.\n"
    assert project.fcb("test", "tests/pond.fcb").out == "2 tests: 2 passed, 0 failed.\n"
    assert project.fcb("test", "cards").out == "0 tests: 0 passed, 0 failed.\n"


def test_failing_test_is_shown_in_its_source(project: Shell) -> None:
    file = project.folder / "tests" / "pond.fcb"
    file.write_text(file.read_text().replace("energy = 2", "energy = 3"))
    done = project.fcb("test")
    assert done.code == 1
    assert "expect green-frog's energy = 3" in done.out
    assert "green-frog's energy is 2" in done.out
    assert "Events so far:" in done.out
    assert "tests/pond.fcb:12:3" in done.out
    assert done.out.endswith("2 tests: 1 passed, 1 failed.\n")


def test_tests_report_in_json(project: Shell) -> None:
    first, second = json.loads(project.fcb("test", "--format", "json").out)
    assert first["title"] == "A hop costs energy"
    assert first["covers"] == ["POND-HOP-01"]
    assert (first["status"], first["file"], first["line"], first["failure"]) == ("passed", "tests/pond.fcb", 3, None)
    assert second["covers"] == ["POND-DARE-01", "POND-DARE-02"]


@pytest.mark.parametrize("form", ["html"])
def test_render_prints_selection(project: Shell, form: str) -> None:
    done = project.fcb("render", "puddle", "--to", form, "--lang", "fr", "-o", "out")
    assert done.code == 0, done
    files = [Path(line) for line in done.out.splitlines() if not line.startswith((" ", "warning"))]
    assert all((project.folder / file).is_file() for file in files if file.suffix == f".{form}")
    assert any(file.suffix == f".{form}" for file in files)


def test_web_page_without_tokens_is_reported(project: Shell) -> None:
    done = project.fcb("render", "--to", "html", "-o", "out")
    assert (done.code, done.out.splitlines()[-1]) == (0, str(Path("out/pond.html")))
    assert "A web page has no tokens" in done.err
    assert "are for paper" not in project.fcb("render", "puddle", "--to", "html", "-o", "out").err


def test_color_is_for_terminals_only(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from fcbdsl.cli.common import in_colour

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert in_colour(Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not in_colour(Terminal())
    (project.folder / "cards" / "more.fcb").write_text("use pond\nfrog\n")
    assert "\x1b" not in project.fcb("check").out


@pytest.mark.long
def test_declarations_of_tests_are_not_listed_played_or_printed(project: Shell) -> None:
    tests = project.folder / "tests" / "pond.fcb"
    trick = ['trick stone "A stone":', '  fr: "Une pierre"', "  effect: mark Wet on self"]
    mission = ['mission puddle-jump "Puddle jump":', '  fr: "Saut de flaque"', "  map square:", "    art: |"]
    art = ["      +--+", "      |. |", "      +--+"]
    tests.write_text("\n".join([tests.read_text(encoding="utf-8"), *trick, "", *mission, *art, ""]), encoding="utf-8")
    assert project.fcb("check").code == 0
    assert project.fcb("test").code == 0
    assert "puddle-jump" not in project.fcb("missions").out
    assert "puddle-jump" in project.fcb("play", "puddle-jump", "--bot", "first").err
    assert project.fcb("render", "stone", "--to", "html", "-o", "out").code != 0


@pytest.mark.long
def test_render_for_mission_prints_needed_pieces(project: Shell) -> None:
    done = project.fcb("render", "--for", "crossing", "--players", "1", "-o", "out")
    assert done.code == 0, done.err
    assert {Path(line).name for line in done.out.splitlines()} >= {"mission-crossing.pdf", "tokens-crossing-1.pdf"}
    assert project.fcb("render", "--for", "nosuch", "-o", "out").code == 2
    shop = project.fcb("render", "--for", "crossing", "--shop", "drivethrucards", "-o", "shop")
    assert "makes no sheets: print those of missions, aids and tokens yourself" in shop.err
    assert not [path.name for path in project.folder.glob("shop/**/*.pdf") if not path.name.startswith("cards-for")]
    assert project.fcb("render", "--players", "1", "-o", "out").code == 2
    assert project.fcb("render", "puddle", "--for", "crossing", "-o", "out").code == 2
    assert "is for" in project.fcb("render", "--for", "crossing", "--players", "16", "-o", "out").err


def test_program_does_not_depend_on_folder(project: Shell) -> None:
    shutil.copytree(project.folder, project.folder / "copy" / "of-it")
    hashes = []
    for folder in (project.folder, project.folder / "cards", project.folder / "copy" / "of-it"):
        project.folder = folder
        hashes.append(project.fcb("compile", "-o", "game.fcbc").out.split()[-1])
    assert len(hashes[0]) == 32
    assert hashes == hashes[:1] * 3
