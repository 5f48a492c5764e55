"""Word diff: compares two texts word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal

from fcbdsl.base.records import dataclass

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
MOST_WORDS = 4000
"""The most words of a text that is compared word by word; a longer one is replaced as a whole."""

Sort = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive words with the same tag."""

    sort: Sort
    text: str


def stretches(before: str, after: str) -> tuple[Stretch, ...]:
    """Return the word diff of two texts. All parts except the new ones make up `before`; all except the gone ones make
    up `after`."""
    if before == after:
        return (Stretch("same", before),) if before else ()
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > MOST_WORDS:
        return tuple(_pieces(before, after))
    return tuple(_joined(old, new))


def _pieces(gone: str, new: str) -> Iterator[Stretch]:
    if gone:
        yield Stretch("gone", gone)
    if new:
        yield Stretch("new", new)


def _joined(old: list[str], new: list[str]) -> Iterator[Stretch]:
    """Yield the parts of two lists of words; a mere space between two changes belongs to both of them."""
    gone = came = ""
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        same = "".join(old[a:b]) if tag == "equal" else ""
        if same and (same.strip() or not (gone or came)):
            yield from _pieces(gone, came)
            gone = came = ""
            yield Stretch("same", same)
        elif same and b < len(old) and d < len(new):
            gone += same
            came += same
        elif same:
            yield from _pieces(gone, came)
            gone = came = ""
            yield Stretch("same", same)
        else:
            gone += "".join(old[a:b])
            came += "".join(new[c:d])
    yield from _pieces(gone, came)
