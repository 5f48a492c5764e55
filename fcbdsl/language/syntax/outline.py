"""Stage 1: physical lines are joined to logical lines with their column, comments and raw text."""

from __future__ import annotations

import re
from dataclasses import field

from fcbdsl.base.diagnostics import Diagnostic, Fix
from fcbdsl.base.diagnostics.lines import EmptyText, MissingIndentation
from fcbdsl.base.diagnostics.text import ForeignCharacter, Tab
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.syntax.characters import REPLACEMENTS, character_name

# Code before a comment: anything but quotes and hashes, strings (also unterminated), hashes without a space after.
# No `*+`: Python before 3.11.5 mishandles it. Alternatives begin with distinct characters instead.
_CODE = re.compile(r'[^"#]*(?:(?:"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|#(?![ ]|$))[^"#]*)*')
_BAR = re.compile(r'[^"|]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^"|]*)*\|')
_BLANKS = re.compile(r"\s+")


@dataclass(slots=True)
class Comment:
    """A comment on a separate line."""

    column: int
    text: str


@dataclass(slots=True)
class LogicalLine:
    """A logical line: `text` from `offset` to `end` of the source, indented by `column` spaces.

    `above`: own-line comments since the line before. `beside`: the comments inside and after the line. `trailing`: the
    last of `beside` is after the line.
    """

    offset: int
    end: int
    column: int
    text: str
    above: list[Comment]
    beside: list[str] = field(default_factory=list)
    trailing: bool = False
    raw: str | None = None
    raw_offset: int = 0


class Outline:
    """Cuts a source into logical lines. `findings`: mistakes; `comments`: those after the last line."""

    def __init__(self, source: Source) -> None:
        self.findings: list[Diagnostic] = []
        self.comments: list[Comment] = []
        self._source = source
        self._lines = source.text.split("\n")
        self._at = 0  # number of the next physical line, from 0
        self._offset = 0  # where it starts
        self._tabbed = -2  # number of the last line with a tab in its indentation

    def lines(self) -> list[LogicalLine]:
        """Return the logical lines; blank lines and comments are passed over."""
        out: list[LogicalLine] = []
        physical = self._lines
        while self._at < len(physical):
            text = physical[self._at]
            stripped = text.lstrip(" ")
            column = len(text) - len(stripped)
            if stripped and stripped[0].isspace():
                stripped, column = self._odd_blanks(text)
            if not stripped:
                self._advance()
            elif "#" not in stripped and "|" not in stripped and stripped[-1] not in ", ":
                # most lines: without a comment or a text, and not continued
                end = self._offset + len(text)
                out.append(LogicalLine(end - len(stripped), end, column, stripped, self.comments))
                self.comments = []
                self._offset = end + 1
                self._at += 1
            elif _is_comment(stripped):
                self.comments.append(Comment(column, _comment(stripped)))
                self._advance()
            else:
                out.append(self._logical(stripped, len(text) - len(stripped), column))
        return out

    def _advance(self) -> None:
        self._offset += len(self._lines[self._at]) + 1
        self._at += 1

    def _odd_blanks(self, text: str) -> tuple[str, int]:
        """Report characters that are not spaces in an indentation; return the rest and a sensible column.

        Only the first of adjacent lines with tabs is reported: it is one habit, not many mistakes.
        """
        match = _BLANKS.match(text)
        assert match is not None
        blanks, stripped = match[0], text[match.end() :]
        if stripped:
            number = next(i for i, character in enumerate(blanks) if character != " ")
            odd = blanks[number]
            span = Span(self._source, self._offset + number, self._offset + number + 1)
            if odd != "\t":
                cure, fix = "Type a plain space.", Fix(span, REPLACEMENTS.get(odd, " "))
                self.findings.append(
                    ForeignCharacter(span, character=" ", name=character_name(odd), cure=cure, fix=fix)
                )
            elif self._tabbed != self._at - 1:
                self.findings.append(Tab(span, fix=Fix(span, "  ")))
            if odd == "\t":
                self._tabbed = self._at
        return stripped, len(blanks) + blanks.count("\t")

    def _logical(self, stripped: str, indent: int, column: int) -> LogicalLine:
        """Read the logical line that starts on the current physical line."""
        start = self._offset + indent
        code, comment = split_comment(stripped)
        line = LogicalLine(start, start + len(code), column, code, self.comments)
        self.comments = []
        self._beside(line, comment)
        self._advance()
        while code.endswith(",") and not _in_string(code):
            following = self._continuation(line, column)
            if following is None:
                break
            code = following
        if line.end != start + len(line.text):
            line.text = self._source.text[start : line.end]
        if "|" in code and _announces_text(code):
            self._raw(line, column)
        return line

    def _beside(self, line: LogicalLine, comment: str | None) -> None:
        line.trailing = comment is not None
        if comment is not None:
            line.beside.append(comment)

    def _continuation(self, line: LogicalLine, column: int) -> str | None:
        """Add the next physical line to `line` and return its code; None if it can't continue it."""
        skipped: list[str] = []
        ahead = self._at
        while ahead < len(self._lines) and _is_comment(self._lines[ahead].lstrip(" ")):
            skipped.append(_comment(self._lines[ahead].lstrip(" ")))
            ahead += 1
        text = self._lines[ahead] if ahead < len(self._lines) else ""
        stripped = text.lstrip(" ")
        if not stripped or stripped[0].isspace():
            return None  # the parser reports the missing part after the comma
        if len(text) - len(stripped) <= column:
            comma = Span(self._source, line.end - 1, line.end)
            self.findings.append(MissingIndentation(comma, fix=Fix(comma, "")))
            line.end -= 1
            while self._source.text[line.end - 1] == " ":
                line.end -= 1
            return None
        line.beside += skipped
        while self._at < ahead:
            self._advance()
        code, comment = split_comment(stripped)
        line.end = self._offset + len(text) - len(stripped) + len(code)
        self._beside(line, comment)
        self._advance()
        return code

    def _raw(self, line: LogicalLine, column: int) -> None:
        """Give `line` the lines below it that are a level deeper as raw text, without blank lines at the end.

        If the first line is less than a level deeper, so are the others; a later such line is misplaced code.
        """
        first, offset = self._at, self._offset
        last = first
        least = column + 2
        while self._at < len(self._lines):
            text = self._lines[self._at]
            stripped = text.lstrip()
            depth = len(text) - len(stripped)
            if stripped and last == first:
                least = max(column + 1, min(least, depth))
            if stripped and depth < least:
                break
            self._advance()
            if stripped:
                last = self._at
        if last == first:
            span = Span(self._source, line.offset, line.end)
            self.findings.append(EmptyText(span))
        while self._at > last:  # blank lines belong to the next line
            self._at -= 1
            self._offset -= len(self._lines[self._at]) + 1
        line.raw, line.raw_offset = "\n".join(self._lines[first:last]), offset
        self._check_raw(line.raw, offset)

    def _check_raw(self, text: str, offset: int) -> None:
        """Report the first tab of each raw line, because it would shift the drawing."""
        at = text.find("\t")
        while at >= 0:
            span = Span(self._source, offset + at, offset + at + 1)
            self.findings.append(Tab(span, fix=Fix(span, "  ")))
            end = text.find("\n", at)
            at = text.find("\t", end) if end >= 0 else -1


def _is_comment(stripped: str) -> bool:
    """Return whether a line (without its indentation) is a comment: a hash, and a space or nothing after it."""
    return stripped[:1] == "#" and stripped[1:2] in ("", " ")


def _comment(text: str) -> str:
    """Return the text of a comment without its hash and the space after it."""
    return text[2:].rstrip()


def split_comment(stripped: str) -> tuple[str, str | None]:
    """Split a physical line, without its indentation, into code and trailing comment (without its hash)."""
    if "#" not in stripped:
        return stripped.rstrip(" "), None
    match = _CODE.match(stripped)
    assert match is not None
    code, rest = stripped[: match.end()], stripped[match.end() :]
    return code.rstrip(" "), _comment(rest) if rest else None


def _announces_text(code: str) -> bool:
    """Return whether the first bar outside strings comes after a colon."""
    match = _BAR.match(code)
    return match is not None and match[0][:-1].rstrip().endswith(":")


def _in_string(code: str) -> bool:
    """Return whether the end of a physical line is inside an unterminated string."""
    return code.replace("\\\\", "").replace('\\"', "").count('"') % 2 == 1
