"""Equal lines, and phrases that differ only in names, are read once: each step is as if its line were read alone."""

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
from fcbdsl.language.model.ir import Instance, walk
from fcbdsl.language.model.resolve import core, phrase_shapes
from fcbdsl.language.model.resolve.phrase_shapes import Respelling, ShapedPhrase
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
    """Return everything that the steps of tests contain, with all places and locals."""
    out: list[object] = []
    for test in model.tests:
        for step in test.steps:
            out.append((step.sort, place(step.span), step.words, step.outcome, step.faces, step.absent, step.count))
            references = [each.expr for each in step.references]
            for node in walk([step.body, step.expr, step.who, references]):
                any_node: Any = node
                own = getattr(any_node, "slot", None), getattr(any_node, "it", None), getattr(any_node, "slots", None)
                out.append((type(node), place(any_node.span) if hasattr(any_node, "span") else None, own))
    return out


def result(root: Path, game: str = "") -> tuple[list[object], str, list[object]]:
    """Return the problems of a project, its model as a text, and its steps."""
    model, problems = check_project(root=root, game=game)
    reported: list[object] = [(problem.code, place(problem.span), problem.message) for problem in problems]
    return reported, dump(model), steps(model)


def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each line and each phrase, whatever was read before."""
    every = scripts._EqualLines(frozenset(), local=False, seating=False, dependent=True)
    monkeypatch.setattr(scripts._Script, "equal_lines", lambda script, text: every)
    monkeypatch.setattr(core, "_ALIKE", ())


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
        [
            node.copy
            for step in test.steps
            for node in walk(step.body)
            if isinstance(node, Instance) and node.kind == "player"
        ]
        for test in model.tests
    ]
    assert seats == [[1, 2], [1, 2]]


ALIKE = """
use pond
test "Alike":
  use mission crossing
  given green-frog at A1
  given tree-frog at B1
  expect green-frog's energy = 3 and green-frog is on A1
  expect tree-frog's  energy = 12 and tree-frog is on B1
  expect green-frog#1's energy = 4 and tree-frog is on B1
  expect tree-frog#10's energy = 0 and green-frog is on A1
  expect number of green-frog = 1
  expect number of tree-frog = 10
"""


@plain
def test_phrases_that_differ_in_names_and_numbers_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    respelled: list[object] = []

    def respelling(before: ShapedPhrase, after: ShapedPhrase) -> Respelling:
        respelled.append(after)
        return phrase_shapes.respelling(before, after)

    monkeypatch.setattr(core, "respelling", respelling)
    root = copy_pond(tmp_path, ALIKE)
    shared = result(root)
    assert len(respelled) == 3
    alone(monkeypatch)
    assert result(root) == shared
    assert len(respelled) == 3
    for text in ("tree-frog#1.energy = 12", "tree-frog#10.energy = 0", "tree-frog)} = 10"):
        assert text in shared[1]


KINDS = """
system own "Own":
  languages: en
  board: square
kind pawn is piece:
  name: "pawn", plural "pawns"
  stat HP: number 0.., starts 3
kind horse is piece:
  name: "horse", plural "horses"
  stat HP: number 0.., starts 5
"""

OWN_PIECE = """
use own
{kind} rat "Rat"
test "{kind}" covers A-1:
  map square:
    art: |
      +--+
      |. |
      +--+
  given rat at A1
  expect {expected}
"""


@pytest.mark.parametrize("expected", ["rat's HP > 2", "(rat's HP) > 2", "any piece where (it is rat) at A1"])
def test_equal_lines_of_two_files_mean_the_definitions_of_their_files(expected: str, tmp_path: Path) -> None:
    (tmp_path / "fcb.toml").write_text('language = 2\nname = "own"\n', encoding="utf-8")
    for name, text in {
        "systems/own": KINDS,
        "tests/a": OWN_PIECE.format(kind="pawn", expected=expected),
        "tests/b": OWN_PIECE.format(kind="horse", expected=expected),
    }.items():
        path = tmp_path / f"{name}.fcb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    model, problems = check_project(root=tmp_path)
    assert problems == []
    named = [
        [node.kind for step in test.steps for node in walk([step.body, step.expr]) if isinstance(node, Instance)]
        for test in model.tests
    ]
    assert [set(kinds) - {"space"} for kinds in named] == [{"pawn"}, {"horse"}]
