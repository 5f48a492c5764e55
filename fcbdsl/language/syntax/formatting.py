"""The canonical format of a file: indentation, blanks within lines, comments, blank lines, indentation of drawings.

The content never changes. The author decides about line breaks, the order of lines, and blank lines. Blank lines are
only removed at the ends of the file, below a line that opens a block, and after another blank line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import pairwise

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source
from fcbdsl.language.syntax.outline import split_comment
from fcbdsl.language.syntax.parser import STEP, parse
from fcbdsl.language.syntax.tree import File, Line, Node

BESIDE = 42
"""The column (from 0) of a comment beside code; it comes two blanks after longer code."""

HANGING = 4
"""Indentation of continuation rows relative to the first row."""


class CannotFormat(Exception):
    """A text with mistakes in its lines, which cannot be formatted because its meaning is unknown."""

    def __init__(self, problems: Sequence[Diagnostic]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = tuple(problems)


@collector_paused()
def format_source(source: Source) -> str:
    """Return the formatted text of a file. Its tree and its comments are unchanged, and formatting is idempotent.

    A tab in an indentation counts as two blanks. Raises CannotFormat if lines can't be read.
    """
    plain = _without_tabs(source)
    file, problems = parse(plain)
    if any(problem.severity == "error" for problem in problems):
        raise CannotFormat(parse(source)[1])
    text = "\n".join(_Layout(file).rows())
    after, _ = parse(Source(source.name, text))
    if not equal_content(file, after):
        raise AssertionError(f"{source.name} would say something else")
    return text


_TABS = re.compile(r"^ *\t[ \t]*", re.MULTILINE)


def quote(text: str) -> str:
    """Return a text as it is written in a source."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _without_tabs(source: Source) -> Source:
    """Return a source without tabs in its indentation.

    Raises CannotFormat for tabs in drawings, because they shift the drawing.
    """
    if "\t" not in source.text:
        return source
    plain = Source(source.name, _TABS.sub(lambda match: match[0].replace("\t", " " * STEP), source.text))
    before = source.text.split("\n")
    for line in _lines(parse(plain)[0].lines):
        first = plain.position(line.raw_offset)[0] - 1
        if line.raw is not None and any("\t" in row for row in before[first : first + line.raw.count("\n") + 1]):
            raise CannotFormat(parse(source)[1])
    return plain


def _lines(lines: Sequence[Line]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from _lines(line.block)


# ── rows ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Place:
    """A line and its depth; without a line, a comment at the end of a block."""

    depth: int
    line: Line | None = None


def _places(lines: Sequence[Line], depth: int) -> Iterator[_Place]:
    """Yield the places of some lines and their blocks, in order."""
    for line in lines:
        yield _Place(depth, line)
        block = line.block
        while block and block[0].offset == line.offset:  # made by a second colon: it has no separate row
            block = block[0].block
        yield from _places(block, depth + 1)
        yield from (_Place(depth + 1) for _ in line.closing)


class _Layout:
    """Writes the formatted rows of a file."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._before = file.source.text.split("\n")
        self._out: list[str] = []
        self._blank = False
        self._opened = True  # no blank row at the start of a file or block

    def rows(self) -> list[str]:
        """Return the rows; the last one is empty, because a text ends with a line end."""
        at = 0
        closing: list[int] = []
        drawn: int | None = None
        for place in _places(self._file.lines, 0):
            if place.line is None:
                closing.append(place.depth)
                continue
            line = place.line
            first, last = self._row(line.offset), self._row(line.end)
            # at the same depth, a comment that ends a drawing would become a row of it
            self._between(at, first, closing, place.depth if drawn is None else min(place.depth, drawn))
            drawn = None if line.raw is None else place.depth
            self._code(first, last, place.depth)
            self._opened = line.opens
            at = last + 1
            if line.raw is not None:
                at += self._drawing(line.raw, place.depth + 1)
        self._between(at, len(self._before), closing, 0)
        return [*self._out, ""]

    def _row(self, offset: int) -> int:
        return self._file.source.position(offset)[0] - 1

    def _add(self, depth: int, text: str, more: int = 0) -> None:
        if self._blank and not self._opened:
            self._out.append("")
        self._blank = self._opened = False
        self._out.append(" " * (depth * STEP + more) + text)

    def _between(self, start: int, end: int, closing: list[int], depth: int) -> None:
        """Write the blank rows and comments between two lines; the first comments may end blocks."""
        for row in self._before[start:end]:
            if row.strip():
                self._add(closing.pop(0) if closing else depth, row.strip())
            else:
                self._blank = True

    def _code(self, first: int, last: int, depth: int) -> None:
        """Write the rows of a logical line."""
        for number in range(first, last + 1):
            more = HANGING if number > first else 0
            code, comment = split_comment(self._before[number].strip())
            text = space_row(code)
            if comment is not None:
                line = f"# {comment}".rstrip()
                room = BESIDE - depth * STEP - more
                text = text.ljust(max(room, len(text) + 2)) + line if text else line
            self._add(depth, text, more)

    def _drawing(self, raw: str, depth: int) -> int:
        """Write the rows of a raw text with their new indentation; return the number of rows."""
        rows = [row.rstrip() for row in raw.split("\n")]
        margin = min((len(row) - len(row.lstrip()) for row in rows if row), default=0)
        self._out += [" " * (depth * STEP) + row[margin:] if row else "" for row in rows]
        return len(rows)


# ── within a row ───────────────────────────────────────────────────────────────────────────────

_LEXEME = re.compile(
    r"""
    "(?:[^"\\]|\\.)*"                                     # a string
    | [^\W\d]\w*/[^\W\d]\w*                               # B1/B2
    | -?[0-9]+\.\.(?:-?[0-9]+)? | [0-9]+
    | (?<![\w)"])[+-][0-9]+
    | [^\W\d]\w*(?:-\w+)*(?:\#[0-9]+)?(?:'s(?!\w))?       # a name or a copy
    | \)(?:'s(?!\w))?
    | <= | >= | != | \S
    """,
    re.VERBOSE,
)
_APART = frozenset(["=", "!=", "<", "<=", ">", ">=", "*", "/", "+", "-", "|"])
_CLOSING = (",", ";", ":", ")")


def space_row(code: str) -> str:
    """Return the code of a row with one blank where one belongs."""
    lexemes = list(_LEXEME.finditer(code))
    out = [lexemes[0][0]] if lexemes else []
    for one, other in pairwise(lexemes):
        if _gap(one[0], other[0], glued=one.end() == other.start()):
            out.append(" ")
        out.append(other[0])
    return "".join(out)


def _gap(one: str, other: str, glued: bool) -> bool:
    """Return whether there is a blank between two lexemes; `glued`: the author wrote none."""
    if one == "(" or other.startswith(_CLOSING):
        return False
    return not (glued and one.isdecimal() and other not in _APART)  # 2d6


# ── what must not change ───────────────────────────────────────────────────────────────────────


def equal_content(one: File, other: File) -> bool:
    """Return whether two files have the same content, including comments and drawings."""
    return one.comments == other.comments and _alike(one.lines, other.lines)


_PLACES = frozenset(["start", "end", "source", "offset", "raw_offset"])


def _alike(one: object, other: object) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, Line) and isinstance(other, Line) and _raw_rows(one) != _raw_rows(other):
        return False
    if not isinstance(one, Node | Line):
        return one == other
    names = [field.name for field in fields(one) if field.name not in _PLACES and field.name != "raw"]
    return all(_alike(getattr(one, name), getattr(other, name)) for name in names)


def _raw_rows(line: Line) -> list[str] | None:
    """Return the rows of a line's raw text, without the blanks around them."""
    if line.raw is None:
        return None
    rows = [row.rstrip() for row in line.raw.split("\n")]
    margin = min((len(row) - len(row.lstrip()) for row in rows if row), default=0)
    return [row[margin:] for row in rows]
