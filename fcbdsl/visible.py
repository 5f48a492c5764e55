"""Text that comes from files, made safe to show on one line of a terminal, a log or a report."""

from __future__ import annotations

import unicodedata

STAND_IN = "�"
"""What is shown for a character that cannot be seen."""

_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories of control and format characters, lone surrogates, and separators of lines and paragraphs."""

COMMAND, HARMLESS = "##[", "##❲"
"""How a workflow command begins that GitHub's runner obeys anywhere in a line, and what is shown for it."""


def visible(text: str) -> str:
    """Return `text` on one line: tabs as arrows, hidden characters as stand-ins, workflow commands broken.

    The length stays the same, so columns keep their numbers."""
    if not text.isprintable():  # a quick look; spaces such as the no-break space are not printable, and stay
        text = "".join(map(_shown, text))
    return text.replace(COMMAND, HARMLESS)


def _shown(character: str) -> str:
    if character == "\t":
        return "→"
    return STAND_IN if unicodedata.category(character) in _HIDDEN else character
