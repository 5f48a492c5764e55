"""The reading of a phrase is copied where it occurs again, and only where its meaning is equal."""

from __future__ import annotations

from pathlib import Path

import pytest
from pond_game import copy_pond

from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.ir import Do, Instance, walk
from fcbdsl.language.model.resolve import vocabulary
from fcbdsl.language.model.whole import Model
from fcbdsl.project.project import check_project

TEST = """
test "{name}":
  map square:
    art: |
      +{line}+
      |{cells}|
      +{line}+
  given green-frog at A1
  expect   green-frog at C1
  expect not green-frog at C1
"""
"""The phrase occurs at other columns, too."""


def board(name: str, columns: int) -> str:
    return TEST.format(name=name, line="+".join(["--"] * columns), cells=" ".join([". "] * columns))


def test_equal_phrase_is_read_by_its_own_board(tmp_path: Path) -> None:
    names = ["narrow", "wide", "narrow still", "wide still"]
    root = copy_pond(tmp_path, "use pond\n" + "".join(board(name, 2 + name.startswith("wide")) for name in names))
    model, problems = check_project([root])
    text = (root / "tests" / "pond.fcb").read_text(encoding="utf-8")
    starts = [at for at in range(len(text)) if text.startswith("C1", at)]
    assert [(problem.code, problem.span.start) for problem in problems] == [
        ("FCB0419", start) for start in (starts[0], starts[1], starts[4], starts[5])
    ]
    read = [step.expr for test in model.tests for step in test.steps if step.sort == "expect" and step.expr]
    assert [expr.span.end for expr in read] == [start + 2 for start in (starts[2], starts[3], starts[6], starts[7])]


@pytest.mark.skipif(Path(vocabulary.__file__).suffix != ".py", reason="what is compiled calls what is compiled")
def test_plain_coordinates_mean_the_same_as_a_phrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = copy_pond(tmp_path, "use pond\n" + board("plain", 3))
    plain, problems = check_project([root])
    asked: list[str] = []
    monkeypatch.setattr(vocabulary.Vocabulary, "means_only_space", lambda words, word: asked.append(word))
    phrase, again = check_project([root])
    assert asked == ["A1"]
    assert problems == again == []
    assert dump(phrase) == dump(plain)
    assert [placed(model) for model in (plain, phrase)] == [[("A1", "A1")]] * 2


def placed(model: Model) -> list[tuple[str, str]]:
    """Return the id and the text of each space where a test puts a piece."""
    bodies = [step.body for test in model.tests for step in test.steps if step.sort == "given" and step.body]
    calls = [node for node in walk(bodies) if isinstance(node, Do) and node.form.op == "place"]
    spaces = [call.args[1] for call in calls if isinstance(call.args[1], Instance)]
    return [(space.id, space.span.source.text[space.span.start : space.span.end]) for space in spaces]
