"""Facts about steps of tests: equal lines share them, and each test has the facts of its own steps."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import games
import pytest
from pond_game import copy_pond

from fcbdsl.base.source import Span
from fcbdsl.language.model import content
from fcbdsl.language.model.checks.facts import FactBook, Facts, note_names
from fcbdsl.language.model.ir import Node, walk
from fcbdsl.language.model.whole import Model
from fcbdsl.project.project import check_project

TEST = """
test "NUMBER":
  players: 1
  do green-frog's energy +0
  expect green-frog at A1
  answer B1
"""
TESTS = "use pond\n" + TEST.replace("NUMBER", "first") + "# moves the next one\n" + TEST.replace("NUMBER", "second")


def plain(value: object) -> object:
    """Return a value with places by line and column, and with declarations by name."""
    if isinstance(value, Span):
        return value.source.name, value.line, value.column, value.end - value.start
    if isinstance(value, Node):
        return [(type(node).__name__, plain(getattr(node, "span", None))) for node in walk(value)]
    if isinstance(value, dict):
        return [(plain(key), plain(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return getattr(value, "id", value)


def facts_of_tests(model: Model) -> list[Facts]:
    out = [facts for facts in FactBook().of(model) if isinstance(facts.owner, content.Test)]
    for facts in out:
        note_names(facts)
    return out


def shown(facts: Facts) -> dict[str, object]:
    values: dict[str, Any] = {each.name: getattr(facts, each.name) for each in fields(facts) if each.name != "owner"}
    return {name: plain(value) for name, value in values.items()}


def assert_shared_facts_are_own(model: Model) -> None:
    """Assert that the facts of tests are the same if no two tests share a step."""
    apart = [replace(test, rows=[(replace(step), 0) for step in test.steps]) for test in model.tests]
    assert len(apart) == len(model.tests) > 0
    pairs = zip(facts_of_tests(model), facts_of_tests(replace(model, tests=apart)), strict=True)
    for shared, own in pairs:
        assert shown(shared) == shown(own)


@pytest.mark.parametrize("game", games.first_few(games.SMALLEST_FIRST, 2))
def test_facts_of_shared_steps_are_those_of_own_steps(game: str) -> None:
    model = games.model(game, tests=True)
    assert any(shift for test in model.tests for _, shift in test.rows)
    assert_shared_facts_are_own(model)


def test_facts_have_the_places_of_their_own_test(tmp_path: Path) -> None:
    model, problems = check_project(root=copy_pond(tmp_path, TESTS))
    assert_shared_facts_are_own(model)
    first, second = model.tests
    shared = [one[0] is other[0] for one, other in zip(first.rows, second.rows, strict=True)]
    assert shared == [True] * 3
    reported = [(problem.code, problem.span.line) for problem in problems]
    places = [("FCB0623", 5), ("FCB0423", 6), ("FCB0423", 7)]
    assert reported == [*places, *((code, line + 7) for code, line in places)]
