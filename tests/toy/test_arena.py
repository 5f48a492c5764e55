"""Events, falls and replacements behave as players expect, by content tests of a small game."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.project import check_project

ARENA = Path(__file__).parents[1] / "systems" / "arena"


@pytest.fixture(scope="module")
def image() -> Image:
    model, problems = check_project([ARENA])
    assert [problem.message for problem in problems] == []
    program = lower(model, tests=True)
    assert not verify_program(program)
    return Image(program)


def test_own_tests_pass(image: Image) -> None:
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    assert results
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


def test_name_whose_line_failed_is_not_ambiguous(tmp_path: Path) -> None:
    """A local without a type fits every form, so a use of it is not reported as ambiguous."""
    folder = tmp_path / "arena"
    shutil.copytree(ARENA, folder)
    lines = ["let chosen = spaces of self", "if self's place in chosen: self's gold +1"]
    card = "use arena\ntrick bad:\n  effect:\n    " + "\n    ".join(lines) + "\n"
    (folder / "cards" / "bad.fcb").write_text(card, encoding="utf-8")
    _, problems = check_project([folder])
    assert [problem.code for problem in problems if problem.severity == "error"] == ["FCB0403"]


def test_order_of_triggers_names_markers(tmp_path: Path) -> None:
    """A question for the order of triggers shows the marker of a trigger, not only its bearer."""
    folder = tmp_path / "arena"
    shutil.copytree(ARENA, folder)
    answers = folder / "tests" / "answers.fcb"
    source = answers.read_text(encoding="utf-8")
    answers.write_text(source.replace('expect options sail, anchor, "Frail"', "expect no question"), encoding="utf-8")
    model, _ = check_project([folder])
    image = Image(lower(model, tests=True))
    [number] = [n for n, test in enumerate(image.program.tests) if test.title.startswith("Markers and cards")]
    failure = run_test(image, number).failure
    assert failure is not None
    assert "Ann: Sail; Bob: Anchor; Bob: Frail" in "\n".join(failure.notes)
