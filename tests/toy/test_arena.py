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


RING = """use arena
mission ring "Ring":
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
trick hop "Hop" for ring:
  effect: place self on B1
test "Hop":
  use mission ring
  given ann at A1 with hop
  play ann uses hop
  expect ann is on B1
"""
TRICK = """use arena
trick ring "Ring":
  effect: note 1
test "Ring":
  use mission yard
  given ann at C1 with ring
  play ann uses ring
  expect log = 1
"""


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_name_in_a_test_file_means_its_own_declaration(names: tuple[str, str], tmp_path: Path) -> None:
    """Another test file may declare a thing of another kind with the same name; its order does not matter."""
    folder = tmp_path / "arena"
    shutil.copytree(ARENA, folder, ignore=shutil.ignore_patterns("tests"))
    (folder / "tests").mkdir()
    for name, text in zip(names, (RING, TRICK), strict=True):
        (folder / "tests" / f"{name}.fcb").write_text(text, encoding="utf-8")
    model, problems = check_project([folder])
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    image = Image(lower(model, tests=True))
    assert [run_test(image, number).failure for number in range(2)] == [None, None]


def test_one_name_for_two_missions_of_test_files_is_reported_at_the_second(tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    shutil.copytree(ARENA, folder, ignore=shutil.ignore_patterns("tests"))
    (folder / "tests").mkdir()
    for name in ("a", "b"):
        (folder / "tests" / f"{name}.fcb").write_text(RING.replace("hop", f"hop-{name}"), encoding="utf-8")
    _, problems = check_project([folder])
    [problem] = [problem for problem in problems if problem.severity == "error"]
    assert (problem.code, problem.span.source.name.endswith("b.fcb"), problem.span.line) == ("FCB0302", True, 2)


def test_failed_expectation_shows_no_constants(tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    shutil.copytree(ARENA, folder, ignore=shutil.ignore_patterns("tests"))
    (folder / "tests").mkdir()
    text = 'use arena\ntest "t":\n  use mission yard\n  given ann at A1\n  expect not A1 sees C1\n'
    (folder / "tests" / "t.fcb").write_text(text, encoding="utf-8")
    failure = run_test(Image(lower(check_project([folder])[0], tests=True)), 0).failure
    assert failure is not None
    assert failure.seen == "it does not"
