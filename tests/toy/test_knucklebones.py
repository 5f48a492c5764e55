"""A game of dice that stay dice, made of content alone: the face of each die, and a reroll of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.language.prose import rules_text
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.project import check_project

TOY = Path(__file__).parents[1] / "systems" / "knucklebones"


@pytest.fixture(scope="module")
def image() -> Image:
    model, problems = check_project([TOY])
    assert [problem.message for problem in problems] == []
    program = lower(model, tests=True)
    assert not verify_program(program)
    return Image(program)


def test_own_tests_pass(image: Image) -> None:
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    assert len(results) >= 7
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


def test_reroll_has_words() -> None:
    model, _ = check_project([TOY])
    definition = model.definitions["charm", "second-look"]
    texts = [rules_text(definition, model, language) for language in ("en", "fr")]
    assert [problem.message for text in texts for problem in text.problems] == []
    assert [text.plain().replace("\u00a0", " ") for text in texts] == [
        "Roll 2 knuckle bones. Choose a face that shows claw among the faces rolled. Reroll the knuckle bone that shows"
        " that face.",
        "Lancez 2 osselets de buffle. Choisissez une face qui montre griffe parmi les faces obtenues. Relancez"
        " l’osselet de buffle qui montre cette face.",
    ]
