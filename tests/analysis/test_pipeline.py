"""`fcb check` and the other commands agree: what one of them refuses, the check reports, and the reverse."""

from __future__ import annotations

import io
import json
import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from cli_runner import Done, Shell
from games import shared_cache
from pypdf import PdfReader

from fcbdsl.base import cache
from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.cli.common import progress
from fcbdsl.language.compiler import lowering
from fcbdsl.language.compiler.lowering_context import Unit
from fcbdsl.language.model import content
from fcbdsl.language.model.dump import dump
from fcbdsl.machine.vm.program import Action, Program
from fcbdsl.machine.vm.verify.codes import Finding
from fcbdsl.project.analysis import CHECKS, Subject, analysis_of
from fcbdsl.project.analysis.pipeline import FIT, FOUND
from fcbdsl.project.project import load_project, project_key

MISTAKES = {
    "names": ("FCB0301", 'use pond\nfrgo bull "Bull":\n  fr: "Ouaouaron"\n'),
    "looks": ("FCB0706", "use pond\nlayout trick:\n  icon: nosuchicon\n"),
    "wording": ("FCB0702", 'use pond\nverb hush:\n  takes: who (frog)\n  effect: stop\n  text fr: "{il} se tait"\n'),
    "glyphs": ("FCB0705", 'use pond\ntrick blade "刀":\n  fr: "Lame"\n'),
    "pictures": ("FCB0717", 'use pond\ntrick hop "Hop":\n  fr: "Bond"\n  art: "../hop.svg"\n'),
    "natives": ("FCB0801", 'use pond\nverb vanish:\n  takes: who (frog)\n  op: no-such-op\n  text en: "vanish"\n'),
}
"""A mistake for each check, and its code."""

MAKERS = (
    ["compile", "-o", "made/a.fcbc"],
    ["render", "--to", "html", "-o", "made"],
    ["test"],
    ["play", "crossing", "--bot", "first", "--log", "made/log"],
)
"""Commands that write something of a project."""

LONG = "Many words in a row. " * 120


def mistaken(shell: Shell, text: str) -> None:
    (shell.folder / "cards" / "mistake.fcb").write_text(text, encoding="utf-8")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", MISTAKES)
def test_check_reports_problem_and_commands_write_nothing(project: Shell, name: str) -> None:
    code, text = MISTAKES[name]
    mistaken(project, text)
    done = project.fcb("check")
    assert done.code == 1
    assert code in done.out
    for arguments in MAKERS:
        made = project.fcb(*arguments)
        assert (made.code, code in made.out) == (1, True), arguments
        assert "fcb wrote nothing" in made.err
        assert not (project.folder / "made").exists(), arguments


def test_refused_program_is_reported_at_its_source_line(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = [Finding("definitions[0]", "its values have no bounds")]
    monkeypatch.setattr("fcbdsl.machine.vm.verify.verifier.verify_program", lambda program, known=(): findings)
    done = project.fcb("check")
    assert done.code == 1
    assert "FCB0809" in done.out
    assert "its values have no bounds" in done.out
    assert "cards/pond.fcb:3:" in done.out
    assert project.fcb("compile", "-o", "made/a.fcbc").code == 1
    assert not (project.folder / "made").exists()


@pytest.mark.long
def test_compiled_tests_are_verified(project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from fcbdsl.machine.vm.verify import verifier

    genuine = verifier.verify_program

    def refusing(program: Program, known: Container[int] = ()) -> list[Finding]:
        wrong = [n for n, test in enumerate(program.tests) if test.title == "refused"]
        return [Finding(f"tests[{n}]", "it does too much") for n in wrong] or genuine(program, known)

    monkeypatch.setattr(verifier, "verify_program", refusing)
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    tests = project.folder / "tests" / "more.fcb"
    tests.write_text('use pond\ntest "refused":\n  expect 1 = 1\n', encoding="utf-8")
    for _ in range(2):
        done = project.fcb("check")
        assert (done.code, "FCB0809" in done.out, "tests/more.fcb:2" in done.out) == (1, True, True), done.out
        mistaken(project, "use pond\n# another line\n")  # the test stays as it is, and is still wrong
    tests.write_text('use pond\ntest "fine":\n  expect 1 = 1\n', encoding="utf-8")
    assert project.fcb("check").out == "No problems.\n"


def test_missing_wording_is_one_error_for_all_cards(project: Shell) -> None:
    verb = "verb hush:\n  takes: who (frog)\n  effect: stop\n"
    cards = "".join(f'trick {name} "{name}":\n  fr: "{name}"\n  effect: hush self\n' for name in ("one", "two"))
    mistaken(project, f"use pond\n{verb}{cards}")
    done = project.fcb("check")
    assert done.code == 1
    assert done.out.count("FCB0701") == 2, "once in each language"
    assert done.out.endswith("2 errors, 0 warnings.\n")


def test_missing_title_is_reported_once(project: Shell) -> None:
    mistaken(project, 'use pond\ntrick lone "Lone":\n  effect: stop\n')
    done = project.fcb("check")
    assert "FCB0701" in done.out  # print refuses it
    assert done.out.endswith("1 error, 0 warnings.\n")


@pytest.mark.long
def test_strict_makes_warnings_count(project: Shell) -> None:
    mistaken(project, 'use pond\ntrick lone "Lone":\n  fr: "Seul"\n  effect:\n    stop\n    stop\n')
    assert project.fcb("check", "--strict").code == 1
    for arguments in MAKERS[:3]:
        assert project.fcb(*arguments).code == 0
        done = project.fcb(*arguments, "--strict")
        assert done.code == 1
        assert "FCB0610" in done.out
        assert "1 warning found; fcb wrote nothing." in done.err


def test_declarations_of_tests_need_no_wording(project: Shell) -> None:
    tests = project.folder / "tests" / "more.fcb"
    tests.write_text('use pond\nverb hush:\n  effect: stop\ntrick lone "Lone":\n  fr: "Seul"\n  effect: hush\n')
    assert project.fcb("check").out == "No problems.\n"


@pytest.mark.long
def test_fit_is_checked_on_request(project: Shell) -> None:
    mistaken(project, f'use pond\ntrick long "Long":\n  fr: "Long"\n  text: "{LONG[:1500]}"\n')
    assert project.fcb("check").code == 0
    with shared_cache():  # most measures are cached by other tests
        done = project.fcb("check", "--fit")
    assert done.code == 1
    assert "FCB0704" in done.out
    assert "cards/mistake.fcb:2:" in done.out


@pytest.mark.long
def test_fit_shows_progress_at_terminal(project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As it takes long; on one line, which is cleared. Elsewhere there is none."""
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    assert "\r" not in project.fcb("check", "--fit").err
    mistaken(project, 'use pond\ntrick dive "Dive":\n  fr: "Plongeon"\n')  # no result is cached for that

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    loader = load_project((), root=project.folder)
    analysis_of(loader, [FIT], tell=progress)
    progress("")
    lines = shown.getvalue().split("\r\033[K")
    assert any(line.startswith("mission/") and line.endswith("en, A3") for line in lines), lines
    assert any("aid" in line for line in lines)
    assert lines[-1] == ""


def test_unchecked_fit_is_reported(project: Shell) -> None:
    mistaken(project, MISTAKES["names"][1])
    assert "when there are no errors" in project.fcb("check", "--fit").err


def test_only_card_that_does_not_fit_is_left_out(project: Shell) -> None:
    mistaken(project, f'use pond\ntrick long "Long":\n  fr: "Long"\n  text: "{LONG[:1500]}"\n')
    done = project.fcb("render", "long", "puddle", "-o", "out")
    assert done.code == 1
    assert "FCB0704" in done.out
    assert "Left out: trick/long." in done.err
    printed = PdfReader(project.folder / "out" / "cards-long+puddle.pdf").pages[0].extract_text()
    assert "PUDDLE" in printed
    assert "Many words" not in printed


def test_single_card_that_does_not_fit_writes_no_file(project: Shell) -> None:
    mistaken(project, f'use pond\ntrick long "Long":\n  fr: "Long"\n  text: "{LONG[:1500]}"\n')
    assert project.fcb("render", "long", "-o", "out").code == 1
    assert not (project.folder / "out").exists()


def test_changed_picture_is_checked_again(project: Shell) -> None:
    words = 'art: "hop.svg", "A hop", fr "Un bond", credit "A. Maker"'
    mistaken(project, f'use pond\ntrick hop "Hop":\n  fr: "Bond"\n  {words}\n')
    picture = project.folder / "cards" / "hop.svg"
    drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
    picture.write_text(drawn.format('<rect width="5" height="5"/>'), encoding="utf-8")
    assert project.fcb("check").code == 0
    picture.write_text(drawn.format("<script>1</script>"), encoding="utf-8")
    assert "FCB0717" in project.fcb("check").out


def test_unchanged_project_is_not_checked_again(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def twice(_: Subject) -> list[Diagnostic]:
        raise AssertionError("looked at again")

    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(project.folder)
    mistaken(project, 'use pond\nverb hush:\n  effect: stop\ntrick lone "Lone":\n  fr: "Seul"\n  effect: hush\n')
    first = analysis_of(load_project())
    assert [problem.code for problem in first.problems].count("FCB0701") > 1
    checks = tuple(replace(check, run=twice) for check in CHECKS)
    monkeypatch.setattr("fcbdsl.project.analysis.pipeline.cached_model", twice)
    monkeypatch.setattr("fcbdsl.project.analysis.pipeline.CHECKS", checks)
    again = analysis_of(load_project())
    assert [repr(problem) for problem in again.problems] == [repr(problem) for problem in first.problems]
    assert again.made == first.made
    mistaken(project, "use pond\n")
    with pytest.raises(AssertionError, match="looked at again"):
        analysis_of(load_project())


def test_passes_have_distinct_names() -> None:
    names = [check.name for check in CHECKS]
    assert len(names) == len(set(names))
    assert all(check.says for check in CHECKS)


# ── how each check went ────────────────────────────────────────────────────────────────────────


NAMES = ["reading", *(check.name for check in CHECKS)]


def passes(done: Done) -> list[tuple[str, str]]:
    """Return the name and the state of each check in the output."""
    rows = [re.fullmatch(r"(\w+) +(?:\d+\.\d{3} s  )?(.+)", line) for line in done.err.splitlines()]
    return [(row[1], row[2]) for row in rows if row is not None and row[1] in NAMES]


RUN, KNOWN = "run", "cached from an earlier run"
ASKED, ERRORS = "left out: only when asked for", "left out: there are errors"


@pytest.mark.long
def test_passes_that_ran_are_listed(project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    done = project.fcb("check", "--explain-passes", "--format", "json")
    assert json.loads(done.out) == []
    assert passes(done) == [(name, ASKED if name == FIT else RUN) for name in NAMES]
    again = project.fcb("check", "--explain-passes")
    assert again.out == "No problems.\n"
    assert passes(again) == [(name, ASKED if name == FIT else KNOWN) for name in NAMES]
    fitted = project.fcb("check", "--explain-passes", "--fit")
    assert passes(fitted)[-2:] == [("campaigns", KNOWN), (FIT, RUN)]
    assert re.search(r"^\d+ documents typeset, 0 from the cache\.$", fitted.err, re.M)
    assert passes(project.fcb("check", "--explain-passes", "--fit"))[-1] == (FIT, KNOWN)
    mistaken(project, "use pond\n")
    assert {how for _, how in passes(project.fcb("check", "--explain-passes"))} == {RUN, ASKED}
    assert project.fcb("check").err == ""


@pytest.mark.long
def test_refused_cache_entries_are_counted_with_cause(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_TROUBLES", Counter())
    assert "of the cache" not in project.fcb("check", "--explain-passes").err
    for file in cache.cached_files(tmp_path / "cache"):
        file.path.write_bytes(b"x" * 99)
    output = project.fcb("check", "--explain-passes").err
    assert re.search(r"^\d+ results? of the cache not used: the file is damaged: its checksum differs$", output, re.M)
    monkeypatch.setenv("FCB_CACHE", "")
    assert "fcb caches nothing between runs: FCB_CACHE is empty." in project.fcb("check", "--explain-passes").err


def test_checks_skipped_because_of_errors_are_reported(project: Shell) -> None:
    mistaken(project, MISTAKES["names"][1])
    states = dict(passes(project.fcb("check", "--explain-passes", "--fit")))
    assert states == {
        check.name: ERRORS if check.sound else RUN for check in CHECKS
    } | {"reading": RUN}  # fmt: skip


def test_caller_provides_clock(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.folder)
    ticks = iter(range(100))
    made = analysis_of(load_project(), (), lambda: next(ticks))
    assert [check.seconds for check in made.passes if check.how == "run"] == [1] * len(
        CHECKS
    )  # all checks but fit and reading


def test_unchanged_project_builds_no_model(project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    mistaken(project, 'use pond\ntrick lone "Lone":\n  effect: stop\n')
    first = project.fcb("check")
    assert "FCB0701" in first.out
    monkeypatch.setattr("fcbdsl.project.analysis.pipeline.cached_model", None)  # would fail if it were called
    assert project.fcb("check") == first


def test_dropped_model_is_built_again(project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(project.folder)
    first = analysis_of(load_project())
    largest = max(cache.cached_files(tmp_path / "cache"), key=lambda file: file.size)
    largest.path.unlink()
    again = analysis_of(load_project())
    assert {check.how for check in again.passes} == {"known", "asked"}
    assert dump(again.model) == dump(first.model)


@pytest.mark.parametrize("content", [5, {"reading": 5}, {"reading": [5]}, {5: []}, ["reading"]])
def test_invalid_cached_findings_are_computed_again(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: object
) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(project.folder)
    mistaken(project, MISTAKES["names"][1])
    cache.store_result(project_key(load_project(), FOUND), content)
    assert "FCB0301" in project.fcb("check").out


def test_program_of_check_is_reused(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    lower, add_tests = lowering._game, lowering._Game.with_tests

    def counted(unit: Unit) -> lowering._Game:
        made.append("game")
        return lower(unit)

    def extended(
        game: lowering._Game, tests: Iterable[content.Test], actions: Sequence[Action] | None = None
    ) -> Program:
        made.append("tests")
        return add_tests(game, tests, actions)

    monkeypatch.setenv("FCB_CACHE", "")
    monkeypatch.setattr(lowering, "_game", counted)
    monkeypatch.setattr(lowering._Game, "with_tests", extended)
    analysis = analysis_of(load_project([project.folder]))
    analysis.program()
    assert made == ["game", "game", "tests"]  # without tests, and with them, which are verified, too
    assert analysis.refused() == []
    program = analysis.program(tests=True)
    assert analysis.refused(tests=True) == []
    assert made == ["game", "game", "tests"]
    assert program.tests
    assert program.hash
