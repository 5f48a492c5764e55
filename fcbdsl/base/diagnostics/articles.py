"""The English article of a word: a unit, an enemy."""

from __future__ import annotations

import re

_SILENT = re.compile(r"(hour|honest|honou?r|heir)", re.IGNORECASE)
_SPOKEN = re.compile(r"(uni|use|uti|one\b|eu)", re.IGNORECASE)


def article(words: str) -> str:
    """Return `a` or `an`, by the sound of the first word as its spelling suggests."""
    bare = re.sub(r"[^\w]", "", words.split()[0]) if words.split() else ""
    if _SILENT.match(bare):
        return "an"
    if _SPOKEN.match(bare):
        return "a"
    return "an" if bare[:1].lower() in "aeiou" and bare else "a"


def a(words: str) -> str:
    """Return the words with their article: ``an enemy``."""
    return f"{article(words)} {words}"
