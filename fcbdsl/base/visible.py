"""Text that comes from files, made safe to show on one line of a terminal, a log or a report."""

from __future__ import annotations

import re
import unicodedata

HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Characters that neither sources nor programs may contain.

These are C0 and C1 controls except tab and line feed, marks of writing direction, separators of lines, surrogates, and
U+FEFF.
"""
STAND_IN = "�"
"""The replacement for a character that cannot be seen."""

_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories of control and format characters, lone surrogates, and separators of lines and paragraphs."""

COMMAND, HARMLESS = "##[", "##❲"
"""The start of a workflow command, which GitHub's runner obeys anywhere in a line, and its replacement."""


def visible(text: str) -> str:
    """Return `text` on one line: tabs as arrows, hidden characters replaced, workflow commands broken.

    The length stays the same, so columns keep their numbers.
    """
    if not text.isprintable():  # a fast test; spaces such as the no-break space are not printable, but stay
        text = "".join(map(_escaped, text))
    return text.replace(COMMAND, HARMLESS)


def _escaped(character: str) -> str:
    if character == "\t":
        return "→"
    return STAND_IN if unicodedata.category(character) in _UNSEEN else character
