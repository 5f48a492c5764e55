"""The few words of the table's own voice, in each language. Everything else is named by the program's texts."""

from __future__ import annotations

from fcbdsl.base.locales import words


def say(language: str, word: str, *parts: str) -> str:
    """Return a phrase of the table, in English where the language is not known."""
    return words("play", language)[word].format(*parts)
