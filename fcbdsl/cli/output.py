"""Standard output and error without text that could command a terminal or a CI runner."""

from __future__ import annotations

import io
import re
from typing import Any, TextIO

from fcbdsl.base.visible import COMMAND, HARMLESS, HIDDEN, STAND_IN

_CONTROL = re.compile(
    r"(\x1b\[\??[0-9;]*[ABGHJKhlm])"  # colors, and how progress redraws its line: what fcb writes itself
    rf"|(\r)|{HIDDEN.pattern}"
)
_AT_START = re.compile(r"((?:^|\r)[^\S\n]*:):", re.MULTILINE)
"""Matches the start of a workflow command on a line. GitHub's runner trims the line first."""


class SafeOutput:
    """A text stream that passes on text, but no control characters and no workflow commands.

    Titles, names and messages of a project may come from strangers. GitHub's runner obeys ``::name::`` at the start of
    a line and ``##[name]`` anywhere in one; a terminal obeys escape sequences. Bytes go to `buffer` unchanged, since
    commands write data for other programs there.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._line = ""
        """The end of the current line, as far as the next text depends on it."""

    def write(self, text: str) -> int:
        """Write `text` without commands. Return its length."""
        if not isinstance(text, str):
            raise TypeError(f"a text is written, not {type(text).__name__}")
        whole = self._line + _CONTROL.sub(lambda match: match[1] or match[2] or STAND_IN, text)
        whole = _AT_START.sub(r"\1∶", whole).replace(COMMAND, HARMLESS)
        self.stream.write(whole[len(self._line) :])
        line = re.split(r"[\r\n]", whole)[-1]
        self._line = line if len(line.strip()) < 2 else f"…{line[-2:]}"
        return len(text)

    def write_commands(self, text: str) -> None:
        """Write `text` unchanged: commands to GitHub's runner that fcb itself makes."""
        self.stream.write(text)
        self._line = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def without_commands(text: str) -> str:
    """Return a text report for a file, as a terminal would show it: somebody may print the file in a job of CI."""
    shown = io.StringIO(newline="")
    SafeOutput(shown).write(text)
    return shown.getvalue()
