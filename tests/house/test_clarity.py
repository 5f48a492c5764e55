"""Texts that people read do not get less clear: the counts of unclear wording may only fall."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest
from clarity import Figures, comments, count, docstrings, of_markdown, split, texts

BASELINE = Path(__file__).parent / "clarity.toml"
SLACK = 3.0
"""A baseline may be this far above the figure; then it must be lowered."""


@pytest.fixture(scope="module")
def figures() -> dict[str, Figures]:
    return texts()


def baseline() -> dict[str, dict[str, float]]:
    return tomllib.loads(BASELINE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", list(baseline()))
def test_clarity_does_not_fall_below_baseline(kind: str, figures: dict[str, Figures]) -> None:
    idioms, long = figures[kind].rates()
    most = baseline()[kind]
    assert idioms <= most["idioms"], f"{kind}: {idioms} idioms per 100 sentences; see the rules in CONTRIBUTING.md"
    assert long <= most["long"], f"{kind}: {long} % of the sentences have more than 30 words"


@pytest.mark.parametrize("kind", list(baseline()))
def test_clarity_baseline_is_updated(kind: str, figures: dict[str, Figures]) -> None:
    idioms, long = figures[kind].rates()
    most = baseline()[kind]
    assert most["idioms"] - idioms < SLACK, f"lower `idioms` of {kind} in {BASELINE.name} to {idioms}"
    assert most["long"] - long < SLACK, f"lower `long` of {kind} in {BASELINE.name} to {long}"


def test_every_kind_of_text_has_baseline(figures: dict[str, Figures]) -> None:
    assert set(figures) == set(baseline())


def test_idioms_openings_and_long_sentences_are_counted() -> None:
    assert count(["A card that lies there is told of."]) == Figures(1, 2, 0)
    assert count(["What is known of a card stays."]) == Figures(1, 0, 0)
    assert count(["What stays known of a card stays."]) == Figures(1, 1, 0)
    assert count(["word " * 31]) == Figures(1, 0, 1)


def test_code_and_headings_of_a_page_are_not_counted() -> None:
    page = "# What lies here is told\n\nOne sentence of five words.\n\n```\nit lies told anew said by lot\n```\n"
    assert list(of_markdown(page)) == ["One sentence of five words."]


def test_cells_and_items_are_sentences() -> None:
    page = "| a cell of five words | b |\n|---|---|\n\n- an item of five words\n- one more item of five\n"
    assert list(of_markdown(page)) == ["a cell of five words", "an item of five words", "one more item of five"]


def test_docstrings_and_comments_are_found() -> None:
    source = '"""A module with one docstring."""\nx = "no # comment in this text"  # one comment of five words\n'
    assert list(docstrings(ast.walk(ast.parse(source)))) == ["A module with one docstring."]
    assert list(comments(source)) == ["one comment of five words"]


def test_short_fragments_are_not_sentences() -> None:
    assert list(split("Too short. This sentence has five words.")) == ["This sentence has five words."]
