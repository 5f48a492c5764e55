"""Long and deep phrases: the time to read them grows slowly, and phrases that no author could intend are refused."""

from __future__ import annotations

import pytest
from phrasebook import Sample, lines, sample

from fcbdsl.language.model.resolve.expressions import disjunction
from fcbdsl.language.model.resolve.parse_state import Log, ParseState
from fcbdsl.language.model.resolve.tokens import flatten

LONG = [
    "any enemy " + "within 2 of enemy " * 14,
    "any enemy " + "adjacent to self " * 20,
    "any enemy " + "not adjacent to enemy " * 14,
    "HP is " + " or ".join(["3"] * 60),
    "target" + "'s target" * 60 + " is self",
    "HP = lowest of " + ", ".join(["1"] * 80),
    "not " * 40 + "shaken",
]


def tried(book: Sample, text: str) -> int:
    """Return how many readings a condition takes."""
    line = lines(f"value: {text}\n")[0]
    tokens = flatten(line.tail[0])
    state = ParseState(book.words, book.scope(), tokens, line.source, line.offset, Log())
    assert any(end == len(tokens.nodes) for _, end in disjunction(state, 0))
    return len(state.shared) + len(state.memo)


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[:30])
def test_long_phrases_are_read(text: str) -> None:
    book = sample()
    assert book.condition(text) is not None
    assert book.codes() == []


def test_alternatives_do_not_multiply() -> None:
    """Each further filter adds readings for its own places only."""
    one, two, four = (tried(sample(), "any enemy " + "within 2 of enemy " * n) for n in (4, 8, 16))
    assert two < 5 * one
    assert four < 5 * two


def test_too_deep_phrase_is_reported() -> None:
    book = sample()
    assert book.condition("HP of " + "target of " * 200 + "self = 1") is None
    assert book.codes() == ["FCB0422"]
