"""The English article of a word: a unit, an enemy."""

from __future__ import annotations

import re

_SILENT = re.compile(r"(hour|honest|honou?r|heir)", re.IGNORECASE)
_SPELLED = re.compile(r"(?=[AEFHILMNORSX])[B-DF-HJ-NP-TV-XZ]{2,}s?(?![a-z])")
"""An abbreviation that is spelled out and begins with the sound of a vowel: an LCD."""
_SPOKEN = re.compile(r"(uni|use|uti|one\b|eu)", re.IGNORECASE)


def article(words: str) -> str:
    """Return `a` or `an`, by the sound of the first word as its spelling suggests."""
    bare = re.sub(r"[^\w]", "", words.split()[0]) if words.split() else ""
    if _SILENT.match(bare):
        return "an"
    if _SPOKEN.match(bare):
        return "a"
    if _SPELLED.match(bare):
        return "an"
    return "an" if bare[:1].lower() in "aeiou" and bare else "a"


def a(words: str) -> str:
    """Return the words with their article: ``an enemy``."""
    return f"{article(words)} {words}"
