"""Texts compared word by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fcbdsl.tools.diff.word_diff import MOST_WORDS, Stretch, stretches

TEXTS = st.text("ab2, \n\u202f:", max_size=16)


@given(TEXTS, TEXTS)
def test_both_texts_follow_from_diff(before: str, after: str) -> None:
    parts = stretches(before, after)
    assert "".join(part.text for part in parts if part.sort != "new") == before
    assert "".join(part.text for part in parts if part.sort != "gone") == after
    assert all(part.text for part in parts)


def test_changed_word_is_shown_whole() -> None:
    parts = stretches("Draw 12 cards.", "Draw 13 cards.")
    assert [(part.sort, part.text) for part in parts] == [
        ("same", "Draw "),
        ("gone", "12"),
        ("new", "13"),
        ("same", " cards."),
    ]


def test_consecutive_changed_words_are_one_change() -> None:
    assert stretches("a big dog", "a small cat")[1:] == (Stretch("gone", "big dog"), Stretch("new", "small cat"))


def test_too_long_text_changes_as_a_whole() -> None:
    long = "word " * MOST_WORDS
    assert [part.sort for part in stretches(long, long + "more")] == ["gone", "new"]
