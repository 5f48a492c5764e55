"""Source text and the spans that point into it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters, ``start`` to ``end``, in one source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line number of the start, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the start in characters, from 1."""
        return self.source.position(self.start)[1]


@dataclass(frozen=True, eq=False)
class Source:
    """One file: the name it is shown by and its text, line ends normalised to LF."""

    name: str
    text: str
    _starts: list[int] = field(default_factory=list, repr=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Return (line, column), both from 1, of a character offset."""
        if not self._starts:
            self._starts.append(0)
            find = self.text.find
            at = find("\n")
            while at >= 0:
                self._starts.append(at + 1)
                at = find("\n", at + 1)
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the character offset of a line and column, both from 1."""
        self.position(0)
        return self._starts[line - 1] + column - 1

    def line_text(self, line: int) -> str:
        """Return the text of a line (from 1) without its line end."""
        self.position(0)
        start = self._starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]
