"""Damaged files are reported, and none causes an internal error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Shell

from fcbdsl.base import bounds
from fcbdsl.machine.vm import layout
from fcbdsl.machine.vm.verify import verifier
from fcbdsl.machine.vm.verify.codes import Finding
from fcbdsl.project.analysis.pipeline import Analysis

MISSION = 'use pond\nmission dry "Dry":\n  fr: "Sec"\n'
TEST = 'use pond\ntest "t":\n'

BYTES: dict[str, tuple[bytes, int, str]] = {
    "empty": (b"", 0, ""),
    "only blanks": (b"\n\n   \n", 0, ""),
    "binary": (bytes(range(256)) * 4, 1, "FCB0101"),
    "wrong encoding": ("# café\n".encode("latin-1"), 1, "FCB0102"),
    "UTF-16": ("mark a\n".encode("utf-16"), 1, "FCB0102"),
    "byte-order mark": (b"\xef\xbb\xbfmark a\n", 0, "FCB0103"),
    "CRLF": (b"mark a\r\nmark b\r\n", 0, ""),
    "tab": (b"kind a:\n\tfield b: number\n", 1, "FCB0107"),
    "100,000 lines": (b"# nothing\n" * 100_000 + b"mark\n", 1, ":100001:"),
    "deep blocks": (b"".join(b"  " * n + b"if a:\n" for n in range(1_500)), 1, "FCB0205"),
    "deep brackets": (b"verb a:\n  effect: let x = " + b"(" * 10_000 + b"1" + b")" * 10_000 + b"\n", 1, "FCB0114"),
    "brackets in 4,000 characters": (
        b"verb a:\n  effect: let x = " + b"(" * 1_900 + b"1" + b")" * 1_900 + b"\n",
        1,
        "FCB0",
    ),
    "unclosed string": (b'kind a "unclosed:\n', 1, "FCB0108"),
    "no map": (f"{TEST}  given green-frog at A1\n".encode(), 1, "FCB0603"),
    "unknown glyph": (
        f"{MISSION}  map square:\n    art: |\n      +--+\n      |Q |\n      +--+\n".encode(),
        1,
        "FCB0512",
    ),
    "recursion": (b"use pond\nverb a:\n  effect: b\nverb b:\n  effect: a\n", 1, "FCB0314"),
    "too few arguments": (
        b"use pond\nverb a:\n  takes: x (frog)\n  effect: x's energy -1\nverb b:\n  effect: a\n",
        1,
        "FCB0404",
    ),
    "too many arguments": (b"use pond\nverb a:\n  effect: stop\nverb b:\n  effect: a 1 2\n", 1, "FCB04"),
    "unknown system": (b"use nosuch\n", 1, "nosuch"),
}
"""Content, exit code, and what the report contains."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", BYTES)
def test_bad_file_is_reported(project: Shell, name: str) -> None:
    content, code, says = BYTES[name]
    (project.folder / "cards" / "bad.fcb").write_bytes(content)
    done = project.fcb("check", "cards/bad.fcb")
    assert done.code == code, done.out
    assert done.err == ""
    assert says in done.out


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", BYTES)
def test_bad_file_writes_nothing(project: Shell, name: str) -> None:
    content, code, _ = BYTES[name]
    (project.folder / "cards" / "bad.fcb").write_bytes(content)
    assert project.fcb("compile", "-o", "a.fcbc").code == code
    assert (project.folder / "a.fcbc").exists() == (code == 0)


def test_duplicate_id_names_both_files(project: Shell) -> None:
    again = 'use pond\nfrog green-frog "Again":\n  fr: "Encore"\n'
    (project.folder / "cards" / "twice.fcb").write_text(again)
    done = project.fcb("check", "--format", "json")
    assert done.code == 1
    (problem,) = json.loads(done.out)
    places = {problem["file"], *(related["file"] for related in problem["related"])}
    assert places == {"cards/pond.fcb", "cards/twice.fcb"}


def test_circular_use_of_systems_is_reported(shell: Shell) -> None:
    (shell.folder / "fcb.toml").write_text('language = 2\nname = "loop"\npaths = ["cards"]\n')
    for name, other in [("left", "right"), ("right", "left")]:
        path = shell.folder / "systems" / f"{name}.fcb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'use {other}\nsystem {name} "{name}":\n  languages: en\n')
    (shell.folder / "cards").mkdir()
    (shell.folder / "cards" / "a.fcb").write_text("use left\n")
    done = shell.fcb("check")
    assert done.code == 1
    assert "`left` uses `right` uses `left`" in done.out


def test_all_mistakes_are_reported_in_one_run(project: Shell) -> None:
    for name in ("one", "two"):
        (project.folder / "cards" / f"{name}.fcb").write_text(
            f'use pond\nfrog {name} "{name}":\n  nosuch: 1\n  energi: 2\n'
        )
    done = project.fcb("check", "--format", "json")
    errors = [(row["file"], row["line"]) for row in json.loads(done.out) if row["severity"] == "error"]
    assert errors == [(f"cards/{name}.fcb", line) for name in ("one", "two") for line in (3, 4)]


@pytest.mark.parametrize("content", ["name = ", "paths = 3\n", "colour = 1\n", "languages = [1]\n"])
def test_bad_project_file_is_reported(project: Shell, content: str) -> None:
    (project.folder / "fcb.toml").write_text(content)
    done = project.fcb("check")
    assert done.code == 1
    assert "fcb.toml" in done.out


def test_binary_project_file_is_reported(project: Shell) -> None:
    (project.folder / "fcb.toml").write_bytes(b"\xff\xfe\x00")
    done = project.fcb("check")
    assert done.code == 1
    assert "internal error" not in done.err


def test_folder_instead_of_file_is_reported(project: Shell) -> None:
    assert project.fcb("verify", "cards").code == 2
    assert project.fcb("dump", "tree", "cards").code == 2


@pytest.mark.long
def test_empty_folder_is_reported(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    assert shell.fcb("check", "none").out == "No problems.\n"


@pytest.mark.parametrize("stage", ["tree", "model", "code"])
@pytest.mark.parametrize("name", ["binary", "tab", "recursion"])
def test_dump_reports_bad_file(project: Shell, stage: str, name: str) -> None:
    (project.folder / "cards" / "bad.fcb").write_bytes(BYTES[name][0])
    done = project.fcb("dump", stage, "cards/bad.fcb")
    assert done.code in ((0, 1) if stage == "tree" else (1,))
    assert "internal error" not in done.err


def test_many_problems_are_cut_and_counted(shell: Shell) -> None:
    (shell.folder / "a.fcb").write_text("a b: : c ]\n" * 1000)
    done = shell.fcb("check", "a.fcb")
    assert done.code == 1
    assert done.out.count("error[") == bounds.SHOWN_PROBLEMS
    assert f"… and {1000 - bounds.SHOWN_PROBLEMS} more problems: fcb check --format json lists all.\n" in done.out
    assert "1000 errors" in done.out + done.err
    assert len(json.loads(shell.fcb("check", "a.fcb", "--format", "json").out)) == 1000


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
def test_every_format_counts_omitted_problems(shell: Shell, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr(bounds, "LISTED_PROBLEMS", 30)
    monkeypatch.setattr(bounds, "SHOWN_PROBLEMS", 20)
    (shell.folder / "a.fcb").write_text("xxx\n" * 100)
    done = shell.fcb("check", "a.fcb", "--format", form)
    assert done.code == 1
    if form == "text":
        assert "… and 80 more problems: fcb check --format json lists the first 30.\n" in done.out
        assert "100 errors" in done.out
    elif form == "github":  # which shows ten annotations of a step
        assert "::notice::90 more errors not shown here" in done.out
    else:
        assert done.out.count("A xxx needs a name") in (30, 60)
        assert "leaves out 70 more errors and 0 more warnings" in done.out


def test_source_with_too_many_lines_is_not_read(shell: Shell) -> None:
    (shell.folder / "a.fcb").write_text("xxx\n" * 300_000)
    done = shell.fcb("check", "a.fcb")
    assert done.code == 1
    assert "FCB0812" in done.out
    assert f"it has more than {bounds.FILE_LINES:,} lines without comments" in done.out
    assert "1 error, 0 warnings" in done.out


def test_lines_of_all_sources_are_bounded(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "PROJECT_LINES", 150)
    for name in "ab":
        (shell.folder / f"{name}.fcb").write_text("xxx\n" * 100)
    done = shell.fcb("check", "a.fcb", "b.fcb")
    assert done.code == 1
    assert "the game now has more than 150 lines without comments" in done.out
    assert "b.fcb" in done.out


def test_verifier_refusal_has_source_line(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MOST_MEMORY", 10)
    done = project.fcb("play", "crossing", "--bot", "random")
    assert done.code == 1
    assert "FCB0809" in done.out
    assert "cannot run the compiled program: program: " in done.out
    monkeypatch.undo()
    finding = Finding("definitions[0].copies", "there are too many")
    monkeypatch.setattr(verifier, "verify_program", lambda program, known=(): [finding])
    done = project.fcb("compile", "-o", "a.fcbc")
    assert done.code == 1
    assert "cannot run the compiled program: definitions[0].copies: there are too many." in done.out
    assert "cards/pond.fcb:3:" in done.out
    assert not (project.folder / "a.fcbc").exists()


def test_refused_program_is_reported_with_its_source(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding("definitions[0].copies", "there are too many")
    monkeypatch.setattr(Analysis, "refused", lambda self, tests=False: [finding])
    done = project.fcb("compile", "-o", "a.fcbc")
    assert done.code == 1
    message = "refused: definitions[0].copies: there are too many. The source is cards/pond.fcb, line 3.\n"
    assert done.err.endswith(message)
    assert not (project.folder / "a.fcbc").exists()
