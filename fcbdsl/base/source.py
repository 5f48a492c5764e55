"""Source text and the spans that point into it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field

from fcbdsl.base.native import refuse_changed
from fcbdsl.base.records import PlainRecord, dataclass

refuse_changed("base/source.py")


@dataclass(frozen=True, slots=True)
class Span(PlainRecord):
    """A half-open range of characters, ``start`` to ``end``, in one source."""

    source: Source
    start: int
    end: int

    @property
    def place(self) -> tuple[str, int, int]:
        """Return the place for comparisons: the file's name, and the start and end as one number each, in order."""
        source = self.source
        return source.name, source.rank(self.start), source.rank(self.end)

    def precedes(self, other: Span) -> bool:
        """Return whether the span is before another one of the same file."""
        if self.source is other.source:
            return (self.start, self.end) < (other.start, other.end)
        return self.place < other.place

    def beside(self, other: Span) -> bool:
        """Return whether both spans are in the same file."""
        return self.source.name == other.source.name

    def holds(self, other: Span) -> bool:
        """Return whether the other span is inside this one."""
        return self.source is other.source and self.start <= other.start and other.end <= self.end

    @property
    def line(self) -> int:
        """Line number of the start, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the start in characters, from 1."""
        return self.source.position(self.start)[1]


@dataclass(slots=True, eq=False)
class Source:
    """One file, or a piece of a file: its display name and its text, with line ends normalized to LF.

    `above`: lines of the file before this text. Files are cut into pieces so that results for one stay valid when text
    before it changes: offsets are relative to the piece, and only `above` changes. A piece whose text has changed has a
    `successor`, in which positions before or after the change are still valid.
    """

    name: str
    text: str
    above: int = 0
    successor: Succession | None = field(default=None, repr=False)
    _starts: list[int] = field(default_factory=list, repr=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Return (line, column) in the file, both from 1, of a character offset in this text."""
        if self.successor is not None:
            return self.successor.source.position(self.successor.offset(offset))
        if not self._starts:
            self._starts.append(0)
            find = self.text.find
            at = find("\n")
            while at >= 0:
                self._starts.append(at + 1)
                at = find("\n", at + 1)
        line = bisect_right(self._starts, offset)
        return self.above + line, offset - self._starts[line - 1] + 1

    def stretch(self, start: int, end: int) -> tuple[int, int, int]:
        """Return line and column in the file of a character offset, and the column of a second one on the same line.

        If the second one is on a later line, the column is the end of the first one's line.
        """
        line, column = self.position(start)
        if self.successor is not None:
            return line, column, min(column + end - start, len(self.line_text(line)) + 1)
        number, starts = line - self.above, self._starts
        length = (starts[number] - 1 if number < len(starts) else len(self.text)) - starts[number - 1]
        return line, column, min(column + end - start, length + 1)

    def rank(self, offset: int) -> int:
        """Return a number that orders offsets across all pieces of a file."""
        line, column = self.position(offset)
        return line * _COLUMNS + column

    def offset(self, line: int, column: int) -> int:
        """Return the character offset in this text of a line and column of the file, both from 1."""
        self.position(0)
        return self._starts[line - self.above - 1] + column - 1

    def line_text(self, line: int) -> str:
        """Return the text of a line of the file (from 1) without its line end."""
        if self.successor is not None:
            return self.successor.source.line_text(line)
        self.position(0)
        start = self._starts[line - self.above - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def succeeded(self, by: Source) -> None:
        """Record that `by` has replaced this text."""
        most = min(len(self.text), len(by.text))
        before = next((at for at in range(most) if self.text[at] != by.text[at]), most)
        behind = next((at for at in range(most - before) if self.text[-1 - at] != by.text[-1 - at]), most - before)
        self.successor = Succession(by, before, len(self.text) - behind, len(by.text) - len(self.text))


_COLUMNS = 1 << 24
"""More columns than any line has."""


@dataclass(frozen=True, slots=True)
class Succession(PlainRecord):
    """The replacement of a text: equal up to `before`, and from `behind` on (which has moved by `shift`)."""

    source: Source
    before: int
    behind: int
    shift: int

    def offset(self, offset: int) -> int:
        """Return the offset in the new text of one in the old text; within the changed part, the nearest one."""
        if offset >= self.behind:
            return offset + self.shift
        return min(offset, self.before)
