"""Characters that don't belong in a file, or not outside strings, and what to type instead."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from fcbdsl.base.diagnostics import Diagnostic, Fix
from fcbdsl.base.diagnostics.text import ControlCharacter, Decomposed
from fcbdsl.base.source import Source, Span
from fcbdsl.base.visible import HIDDEN

REPLACEMENTS = {
    **dict.fromkeys("“”„‟«»＂", '"'),
    **dict.fromkeys("‘’‚‛`´", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    ),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060", ""),
    "×": "*",
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "…": "..",
    "，": ",",
    "：": ":",
    "；": ";",
    "（": "(",
    "）": ")",
}
"""Characters that word processors put in place of plain ones."""


def character_name(character: str) -> str:
    """Return the Unicode name of a character in small letters with its number."""
    name = unicodedata.name(character, "control character").lower()
    return f"{name} (U+{ord(character):04X})"


def check_characters(source: Source) -> Iterator[Diagnostic]:
    """Yield the characters that are refused even in strings and comments, and decomposed letters."""
    text = source.text
    plain = text.replace("\n", "").isprintable()  # a fast test that nearly every file passes
    for match in () if plain else HIDDEN.finditer(text):
        span = Span(source, match.start(), match.end())
        yield ControlCharacter(span, name=character_name(match[0]), fix=Fix(span, ""))
    if not unicodedata.is_normalized("NFC", text):
        yield from _decomposed(source)


def _decomposed(source: Source) -> Iterator[Diagnostic]:
    """Yield the first decomposed letter of each line that has one."""
    offset = 0
    for line in source.text.split("\n"):
        if not unicodedata.is_normalized("NFC", line):
            start, end = _first_difference(line)
            span = Span(source, offset + start, offset + end)
            text = line[start:end]
            yield Decomposed(span, text=text, fix=Fix(span, unicodedata.normalize("NFC", text)))
        offset += len(line) + 1


def _first_difference(line: str) -> tuple[int, int]:
    """Return the range of the first run of a letter and its marks that isn't normalized."""
    start = 0
    for at in range(1, len(line) + 1):
        if at == len(line) or not unicodedata.combining(line[at]):
            if not unicodedata.is_normalized("NFC", line[start:at]):
                return start, at
            start = at
    return 0, len(line)
