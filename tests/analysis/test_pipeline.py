"""One check: what any command would refuse, `fcb check` says, and what it says, every command refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cli_runner import Shell

from fcbdsl.analysis import CHECKS, Subject, analyse
from fcbdsl.diagnostics import Diagnostic
from fcbdsl.vm.verify_codes import Finding

MISTAKES = {
    "names": ("FCB0301", 'use pond\nfrgo bull "Bull":\n  fr: "Ouaouaron"\n'),
    "looks": ("FCB0706", "use pond\nlayout trick:\n  icon: nosuchicon\n"),
    "wording": ("FCB0702", 'use pond\nverb hush:\n  takes: who (frog)\n  effect: stop\n  text fr: "{il} se tait"\n'),
    "glyphs": ("FCB0705", 'use pond\ntrick blade "刀":\n  fr: "Lame"\n'),
    "natives": ("FCB0801", 'use pond\nverb vanish:\n  takes: who (frog)\n  op: no-such-op\n  text en: "vanish"\n'),
}
"""A mistake for each check to find, and its code."""

MAKERS = (
    ["compile", "-o", "made/a.fcbc"],
    ["render", "--to", "html", "-o", "made"],
    ["test"],
    ["play", "crossing", "--bot", "first", "--log", "made/log"],
)
"""Commands that make something of a project."""

LONG = "Many words in a row. " * 120


def mistaken(shell: Shell, text: str) -> None:
    (shell.folder / "cards" / "mistake.fcb").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", MISTAKES)
def test_check_says_it_and_nothing_is_made(project: Shell, name: str) -> None:
    code, text = MISTAKES[name]
    mistaken(project, text)
    done = project.fcb("check")
    assert done.code == 1
    assert code in done.out
    for arguments in MAKERS:
        made = project.fcb(*arguments)
        assert (made.code, code in made.out) == (1, True), arguments
        assert "nothing was made" in made.err
        assert not (project.folder / "made").exists(), arguments


def test_a_program_that_may_not_run_is_said_where_it_was_written(
    project: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [Finding("definitions[0]", "its values have no bounds")]
    monkeypatch.setattr("fcbdsl.vm.verify.verify", lambda _: found)
    done = project.fcb("check")
    assert done.code == 1
    assert "FCB0809" in done.out
    assert "its values have no bounds" in done.out
    assert "cards/pond.fcb:3:" in done.out
    assert project.fcb("compile", "-o", "made/a.fcbc").code == 1
    assert not (project.folder / "made").exists()


def test_a_missing_wording_is_a_warning_said_once_for_all_cards(project: Shell) -> None:
    verb = "verb hush:\n  takes: who (frog)\n  effect: stop\n"
    cards = "".join(f'trick {name} "{name}":\n  fr: "{name}"\n  effect: hush self\n' for name in ("one", "two"))
    mistaken(project, f"use pond\n{verb}{cards}")
    done = project.fcb("check")
    assert done.code == 0
    assert done.out.count("FCB0701") == 2, "once in each language"
    assert done.out.endswith("0 errors, 2 warnings.\n")


def test_a_missing_title_is_one_gap_and_told_once(project: Shell) -> None:
    mistaken(project, 'use pond\ntrick lone "Lone":\n  effect: stop\n')
    done = project.fcb("check")
    assert "FCB0315" in done.out
    assert done.out.endswith("0 errors, 1 warning.\n")


def test_strict_makes_warnings_count(project: Shell) -> None:
    mistaken(project, 'use pond\ntrick lone "Lone":\n  effect: stop\n')
    assert project.fcb("check", "--strict").code == 1
    for arguments in MAKERS[:3]:
        assert project.fcb(*arguments).code == 0
        done = project.fcb(*arguments, "--strict")
        assert done.code == 1
        assert "FCB0315" in done.out
        assert "1 warning found; nothing was made." in done.err


def test_what_tests_declare_need_not_be_ready_for_print(project: Shell) -> None:
    tests = project.folder / "tests" / "more.fcb"
    tests.write_text('use pond\nverb hush:\n  effect: stop\ntrick lone "Lone":\n  fr: "Seul"\n  effect: hush\n')
    assert project.fcb("check").out == "No problems.\n"


def test_fit_is_looked_at_when_it_is_asked_for(project: Shell) -> None:
    mistaken(project, f'use pond\ntrick long "Long":\n  fr: "Long"\n  text: "{LONG[:1500]}"\n')
    assert project.fcb("check").code == 0
    done = project.fcb("check", "--fit")
    assert done.code == 1
    assert "FCB0704" in done.out
    assert "cards/mistake.fcb:2:" in done.out


def test_fit_that_could_not_be_looked_at_is_not_passed_over(project: Shell) -> None:
    mistaken(project, MISTAKES["names"][1])
    assert "when there are no errors" in project.fcb("check", "--fit").err


def test_a_card_that_does_not_fit_is_left_out_and_the_others_are_printed(project: Shell) -> None:
    mistaken(project, f'use pond\ntrick long "Long":\n  fr: "Long"\n  text: "{LONG[:1500]}"\n')
    done = project.fcb("render", "long", "puddle", "--to", "html", "-o", "out")
    assert done.code == 1
    assert "FCB0704" in done.out
    assert "Left out: trick/long." in done.err
    page = (project.folder / "out" / "cards.html").read_text(encoding="utf-8")
    assert "Puddle" in page
    assert "Many words" not in page


def test_a_card_alone_that_does_not_fit_leaves_nothing(project: Shell) -> None:
    mistaken(project, f'use pond\ntrick long "Long":\n  fr: "Long"\n  text: "{LONG[:1500]}"\n')
    assert project.fcb("render", "long", "-o", "out").code == 1
    assert not (project.folder / "out").exists()


def test_an_unchanged_project_is_not_looked_at_twice(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def twice(_: Subject) -> list[Diagnostic]:
        raise AssertionError("looked at again")

    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(project.folder)
    mistaken(project, 'use pond\nverb hush:\n  effect: stop\ntrick lone "Lone":\n  fr: "Seul"\n  effect: hush\n')
    first = analyse()
    assert [problem.code for problem in first.problems].count("FCB0701") > 1
    kept = tuple(replace(check, run=twice) if check.kept else check for check in CHECKS)
    monkeypatch.setattr("fcbdsl.analysis.pipeline.CHECKS", kept)
    again = analyse()
    assert [repr(problem) for problem in again.problems] == [repr(problem) for problem in first.problems]
    assert again.made == first.made
    mistaken(project, "use pond\n")
    with pytest.raises(AssertionError, match="looked at again"):
        analyse()


def test_the_checks_have_names_of_their_own() -> None:
    names = [check.name for check in CHECKS]
    assert len(names) == len(set(names))
    assert all(check.says for check in CHECKS)
