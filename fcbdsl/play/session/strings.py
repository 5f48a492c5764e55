"""The interface words of play in each language. All other words are texts of the program."""

from __future__ import annotations

from fcbdsl.base.locales import interface_texts


def play_text(language: str, word: str, *parts: str) -> str:
    """Return an interface text of play, in English if the language is unknown."""
    return interface_texts("play", language)[word].format(*parts)
