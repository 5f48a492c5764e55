"""Each mistake is found at its place, and nothing else is reported.

A case lists its expectations in comments: ``# FCB0301`` at the end of a line, or ``# line 5: FCB0512`` at the top for
lines that can have no comment.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small import checked, checked_in_pieces, codes

from fcbdsl.base.diagnostics import Diagnostic, all_diagnostics

CASES = sorted((Path(__file__).parents[1] / "cases" / "errors").glob("*.fcb"))

ELSEWHERE = {
    "FCB0304": "test_project.py: only a project's loader knows which systems there are",
    "FCB0305": "test_project.py: it takes two files",
    "FCB0330": "test_project.py: it takes a system and two files that speak of it",
    "FCB0914": "analysis/test_starting.py: games of the compiled program are set up",
    "FCB0920": "analysis/test_starting.py: games of the compiled program are set up",
    "FCB0921": "analysis/test_starting.py: games of the compiled program are set up",
    "FCB0922": "analysis/test_starting.py: games of the compiled program are set up",
    "FCB0923": "analysis/test_starting.py: games of the compiled program are set up",
    "FCB0924": "analysis/test_starting.py: games of the compiled program are set up",
    "FCB0608": "test_content_tests.py: it takes two files of tests",
}
"""Diagnostics of the model that need more than one file."""


def of_the_model(cls: type[Diagnostic]) -> bool:
    return "FCB0300" < cls.code < "FCB0650" or cls.code[3:5] == "09"


MODEL = [cls for cls in all_diagnostics() if of_the_model(cls)]


def expected(text: str) -> list[tuple[int, str]]:
    """Return the (line, code) pairs that a case expects."""
    pairs = [(int(line), code) for line, code in re.findall(r"^# line (\d+): (FCB\d{4})$", text, re.MULTILINE)]
    for number, line in enumerate(text.split("\n"), 1):
        pairs += [(number, code) for code in re.findall(r"(?<!: )FCB\d{4}", line.partition(" # ")[2])]
    return sorted(pairs)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_mistake_is_the_only_problem(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    wanted = expected(text)
    assert wanted, "the case says nothing of what it expects"
    assert sorted(codes(text)) == wanted


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_mistake_is_found_in_pieces_of_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert sorted((problem.span.line, problem.code) for problem in checked_in_pieces(text)) == expected(text)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_problem_of_case_has_help(path: Path) -> None:
    assert [problem.message for problem in checked(path.read_text(encoding="utf-8"))[1] if not problem.advice] == []


@pytest.mark.parametrize("cls", MODEL, ids=lambda cls: cls.code)
def test_every_diagnostic_has_case(cls: type[Diagnostic]) -> None:
    assert cls.code in ELSEWHERE or any(path.stem.startswith(cls.code) for path in CASES)


@pytest.mark.parametrize("cls", MODEL, ids=lambda cls: cls.code)
def test_diagnostic_examples_show_mistake_and_fix(cls: type[Diagnostic]) -> None:
    if cls.code not in ELSEWHERE:
        assert {code for _, code in codes(cls.bad)} == {cls.code}
    assert codes(cls.good) == []
