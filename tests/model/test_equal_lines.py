"""Equal lines of tests are read once: each step is as if its line had been read alone."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from games import ROOT, SMALLEST_FIRST
from pond_game import copy_pond
from random_edits import edited, words_of

from fcbdsl.base.source import Span
from fcbdsl.language.model.declaring import scripts
from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.whole import Model
from fcbdsl.project.project import check_project

plain = pytest.mark.skipif(Path(scripts.__file__).suffix != ".py", reason="what is compiled calls what is compiled")

TESTS = """
use pond
test "First":
  use mission crossing
  players: 2
  given green-frog at A1
  given tree-frog at B1
  expect green-frog at A1
test "Second":
  use mission crossing
  players: 2
  given tree-frog at B1
  given green-frog at A1
  expect green-frog at A1
"""


def place(span: Span) -> tuple[object, ...]:
    return span.source.name, span.line, span.column, span.end - span.start


def steps(model: Model) -> list[object]:
    """Return everything that the steps of tests say, with all places and locals."""
    out: list[object] = []
    for test in model.tests:
        for step in test.steps:
            out.append((step.sort, place(step.span), step.words, step.outcome, step.faces, step.absent, step.count))
            references = [each.expr for each in step.references]
            for node in walk([step.body, step.expr, step.who, references]):
                known: Any = node
                own = getattr(known, "slot", None), getattr(known, "it", None), getattr(known, "slots", None)
                out.append((type(node), place(known.span) if hasattr(known, "span") else None, own))
    return out


def result(root: Path, game: str = "") -> tuple[list[object], str, list[object]]:
    """Return the problems of a project, its model as a text, and its steps."""
    model, problems = check_project(root=root, game=game)
    found: list[object] = [(problem.code, place(problem.span), problem.message) for problem in problems]
    return found, dump(model), steps(model)


def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each line, whatever lines were read before."""
    monkeypatch.setattr(scripts._Script, "equal_lines", lambda script, text: None)


@plain
@pytest.mark.parametrize("game", SMALLEST_FIRST[:2])
def test_steps_of_shipped_tests_are_those_of_lines_alone(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = result(ROOT, game)
    alone(monkeypatch)
    assert result(ROOT, game) == shared


@plain
@pytest.mark.parametrize("seed", range(12))
def test_mistakes_are_those_of_lines_alone(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, random = copy_pond(tmp_path), Random(seed)
    path = root / "tests" / "pond.fcb"
    text = path.read_text(encoding="utf-8")
    text += text.replace("use pond", "")
    for _ in range(3):
        text = edited(text, random, words_of(text), [])
    path.write_text(text, encoding="utf-8")
    shared = result(root)
    alone(monkeypatch)
    assert result(root) == shared


def test_equal_lines_share_their_steps(tmp_path: Path) -> None:
    model, problems = check_project(root=copy_pond(tmp_path, TESTS))
    assert problems == []
    first, second = model.tests
    assert second.rows[-1][0] is first.rows[-1][0]
    assert second.rows[-1][1] != 0
    assert place(second.steps[-1].span) == (first.span.source.name, 14, 3, len("expect green-frog at A1"))


def test_line_that_gives_a_seat_depends_on_the_seats_before_it(tmp_path: Path) -> None:
    model, problems = check_project(root=copy_pond(tmp_path, TESTS))
    assert problems == []
    seats = [
        [node.copy for step in test.steps for node in walk(step.body) if getattr(node, "kind", "") == "player"]
        for test in model.tests
    ]
    assert seats == [[1, 2], [1, 2]]
