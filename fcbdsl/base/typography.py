"""The spaces and apostrophes that each language uses in print and on the screen."""

from __future__ import annotations

import re

NARROW, HARD = "\u202f", "\u00a0"
"""The no-break spaces, the narrow one and the other."""
_SPACED = re.compile("[;!?:%«»]")
"""The marks beside which French sets spaces."""
_SPACE = f"[ {HARD}{NARROW}]"
_FRENCH = {
    ";!?": (re.compile(rf"(?<!\{{\d){_SPACE}*([;!?]+)"), NARROW + r"\1"),
    ":": (re.compile(rf"(?<!\s){_SPACE}+:"), f"{HARD}:"),
    "%": (re.compile(rf"(?<!\s){_SPACE}+%"), f"{NARROW}%"),
    "«": (re.compile(f"«{_SPACE}*"), f"«{HARD}"),
    "»": (re.compile(f"{_SPACE}*»"), f"{HARD}»"),
}
"""The spaces of French beside some marks, in the order in which they are set."""


def add_no_break_spaces(language: str, text: str) -> str:
    """Return a text with the no-break spaces of a language. A second call changes nothing.

    French sets a narrow space before ; ! ? %, and a full one before a colon and inside « ». Other languages have one
    only between a number and its percent sign. Slots for words that agree, such as ``{0?f:e|}``, are no text.
    """
    if language != "fr":
        return text.replace(" %", f"{NARROW}%")
    if _SPACED.search(text) is None:
        return text
    for mark, (pattern, instead) in _FRENCH.items():
        if any(sign in text for sign in mark):
            text = pattern.sub(instead, text)
    return text


def contract_articles(language: str, text: str) -> str:
    """Return a text with « de le » and « de les » contracted, if the language is French."""
    return text.replace(" de le ", " du ").replace(" de les ", " des ") if language == "fr" else text


def takes_plural(language: str, number: int) -> bool:
    """Return whether a noun behind a number is plural in a language."""
    return abs(number) >= 2 if language == "fr" else number != 1


def typographic(language: str, text: str) -> str:
    """Return a text with the typographic spaces of a language, and for French with curly apostrophes."""
    text = add_no_break_spaces(language, text)
    return re.sub(r"(?<=\w)'(?=[\w{«])", "’", text) if language == "fr" else text


def with_capital(text: str) -> str:
    """Return a text whose first letter is a capital."""
    return text[:1].upper() + text[1:]


def sentences(*texts: str) -> str:
    """Return texts as sentences on one line. Each but the last gets a period if it lacks an end; empty texts are left
    out."""
    given = [text.strip() for text in texts if text.strip()]
    ended = [text if text[-1] in ".!?…»”" else f"{text}." for text in given[:-1]]
    return " ".join([*ended, *given[-1:]])
