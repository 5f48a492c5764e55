"""Events, falls and replacements behave as players expect, by content tests of a small game."""

from __future__ import annotations

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
