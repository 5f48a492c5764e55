"""Parsing of a source: logical lines are nested into blocks by indentation (the offside rule).

Wrong indentation is reported once and then interpreted sensibly.
"""

from __future__ import annotations

from fcbdsl.base.diagnostics import Diagnostic, Fix, Problems
from fcbdsl.base.diagnostics.lines import (
    BlocksTooDeep,
    EmptyBlock,
    MissingBar,
    MissingColon,
    OddIndentation,
    OverIndented,
)
from fcbdsl.base.diagnostics.text import UnknownCharacter
from fcbdsl.base.source import Source, Span
from fcbdsl.language.syntax.characters import check_characters
from fcbdsl.language.syntax.line_parsing import parse_line
from fcbdsl.language.syntax.mistakes import Mistake
from fcbdsl.language.syntax.nodes import LineNode
from fcbdsl.language.syntax.outline import Comment, LogicalLine, Outline
from fcbdsl.language.syntax.tree import File, Line, parse_blocks_with

DEEPEST_BLOCK = 64
"""Levels of blocks; it bounds the depth of trees."""

STEP = 2
"""Spaces of one level of indentation."""


def parse(source: Source) -> tuple[File, list[Diagnostic]]:
    """Parse a file; return its tree and every mistake, by place. No input raises an exception.

    A line that doesn't parse is kept as a broken one, with its block, and hides no other line. Callers that parse many
    files should pause the collector (`pausing`) meanwhile.
    """
    odd = list(check_characters(source))
    outline = Outline(source)
    logical = outline.lines()
    blocks = _Blocks(source)
    for line in logical:
        blocks.add(line)
    lines, comments = blocks.finish(outline.comments)
    problems = [*odd, *outline.findings, *blocks.findings]
    return File(source, lines, comments), Problems(problems).sorted() if problems else problems


class _Entry:
    """A line that may still get a block. `proper`: its correct column."""

    __slots__ = ("after_empty", "block", "closing", "line", "mistake", "opens", "proper", "shape")

    def __init__(self, line: LogicalLine, proper: int, after_empty: bool) -> None:
        parsed = parse_line(line.text)
        self.line = line
        self.shape: LineNode | None = None
        self.mistake: Mistake | None = None
        self.opens = False  # whether a block must follow
        if isinstance(parsed, LineNode):
            self.shape = parsed
            self.opens = (parsed.inner or parsed).opens
        else:
            self.mistake = parsed
        self.proper = proper
        self.after_empty = after_empty  # the line above lacks its block; this may be it
        self.block: tuple[Line, ...] = ()
        self.closing: list[str] = []

    @property
    def may_open(self) -> bool:
        """Return whether a block may follow; after a line that did not parse it may."""
        return self.shape is None or self.shape.head is not None


class _Block:
    """An open block: the allowed columns of its lines, its complete lines, and the last one."""

    __slots__ = ("columns", "findings", "illegible", "last", "lines", "owner", "proper")

    def __init__(self, owner: _Entry | None, column: int, proper: int, findings: int) -> None:
        self.owner = owner
        self.proper = proper
        self.columns = {column, proper}
        self.lines: list[Line] = []
        self.last: _Entry | None = None
        self.illegible = 0  # lines with a character that means nothing
        self.findings = findings  # how many findings there were when the block began


class _Blocks:
    """Takes logical lines one by one; `finish` returns the lines of the file."""

    def __init__(self, source: Source) -> None:
        self.findings: list[Diagnostic] = []
        self._source = source
        self._open = [_Block(None, 0, 0, 0)]
        self._flattened = False

    def add(self, line: LogicalLine) -> None:
        """Place a line."""
        block = self._open[-1]
        last = block.last
        if last is not None and line.column > last.line.column and self._begins_block(last, line):
            block = _Block(last, line.column, last.proper + STEP, len(self.findings))
            self._open.append(block)
        elif line.column not in block.columns:
            self._return_to(line)
            block = self._open[-1]
        if line.column == block.proper:
            block.columns = {block.proper}  # a wrong column is accepted only while lines keep it
        entry = _Entry(line, block.proper, self._flush(block))
        block.last = entry
        if entry.mistake is not None:
            self.findings.append(entry.mistake.at(self._source, line.offset))
            block.illegible += entry.mistake.kind is UnknownCharacter

    def finish(self, comments: list[Comment]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
        """Return the lines of the file, and those of its last comments that belong to no block."""
        self._close_to(0, comments)
        root = self._open[0]
        self._flush(root)
        return tuple(root.lines), tuple(comment.text for comment in comments)

    # where a line belongs

    def _begins_block(self, last: _Entry, line: LogicalLine) -> bool:
        """Return whether a line to the right of the last one begins its block; mistakes are reported."""
        column = line.column
        block = self._open[-1]
        if not last.opens and column in block.columns:
            return False
        step = column - last.line.column
        regular = step == STEP or column == last.proper + STEP
        if not (last.opens or regular or (last.may_open and step > STEP)):
            return False
        if len(self._open) > DEEPEST_BLOCK:
            self._flatten(line)
            return False
        if not last.may_open:
            self._missing_colon(last)
        elif not regular:
            self._misplaced(line, last.proper + STEP)
        return True

    def _flatten(self, line: LogicalLine) -> None:
        """Take a line that is too deep into the innermost block; only the first is reported."""
        if not self._flattened:
            self.findings.append(BlocksTooDeep(self._indentation(line), limit=DEEPEST_BLOCK))
        self._flattened = True
        self._open[-1].columns.add(line.column)

    def _return_to(self, line: LogicalLine) -> None:
        """Close the blocks that a line does not belong to."""
        column = line.column
        depth = len(self._open) - 1
        while depth >= 0 and column not in self._open[depth].columns:
            depth -= 1
        if depth < 0:  # between two levels: a missing space is more likely than an extra one
            depth = len(self._open) - 1
            while min(self._open[depth].columns) >= column:
                depth -= 1
            depth = min(depth + 1, len(self._open) - 1)
            self._misplaced(line, self._open[depth].proper)
            self._open[depth].columns.add(column)
        if depth < len(self._open) - 1:
            self._flattened = False
        self._close_to(depth, line.above)

    def _misplaced(self, line: LogicalLine, expected: int) -> None:
        """Report a line in a column that is no level."""
        span = self._indentation(line)
        fix = Fix(span, " " * expected)
        kind = OddIndentation if line.column % STEP else OverIndented
        self.findings.append(kind(span, column=line.column, expected=expected, fix=fix))

    def _missing_colon(self, last: _Entry) -> None:
        """Report a block below a line without colon, unless the block is that of the line above it."""
        if not last.after_empty:
            end = Span(self._source, last.line.end, last.line.end)
            self.findings.append(MissingColon(end, fix=Fix(end, ":")))

    def _indentation(self, line: LogicalLine) -> Span:
        return Span(self._source, self._source.text.rfind("\n", 0, line.offset) + 1, line.offset)

    # completing lines

    def _close_to(self, depth: int, comments: list[Comment]) -> None:
        """Close the blocks deeper than `depth`; leading `comments` go to the ends of the blocks that contain them."""
        deepest = len(self._open) - 1
        while comments and deepest > depth:
            while deepest > depth and min(self._open[deepest].columns) > comments[0].column:
                deepest -= 1
            owner = self._open[deepest].owner
            if deepest > depth and owner is not None:
                owner.closing.append(comments.pop(0).text)
        while len(self._open) - 1 > depth:
            self._close()

    def _close(self) -> None:
        """Complete the innermost block and give it to its owner."""
        block = self._open.pop()
        self._flush(block)
        owner = block.owner
        assert owner is not None
        owner.block = tuple(block.lines)
        broken = sum(line.broken for line in block.lines)
        if owner.opens and block.illegible and broken > 1 and 2 * broken >= len(block.lines):
            del self.findings[block.findings :]
            end = owner.line.end
            fix = Fix(Span(self._source, end, end), " |")
            self.findings.append(MissingBar(Span(self._source, end - 1, end), fix=fix))

    def _flush(self, block: _Block) -> bool:
        """Complete the last line of a block; return whether it lacks the block that its colon announces."""
        entry = block.last
        if entry is None:
            return False
        block.last = None
        block.lines.append(_line(self._source, entry))
        lacks = entry.opens and not entry.block and not self._flattened
        if lacks:
            line = entry.line
            self.findings.append(EmptyBlock(Span(self._source, line.end - 1, line.end)))
        return lacks


def _line(source: Source, entry: _Entry) -> Line:
    """Return the tree node of a complete line.

    A second colon makes two nodes, as if its part were on a separate line. A line that has a block but no colon is read
    as if it had one.
    """
    line, shape = entry.line, entry.shape
    block = entry.block
    if block and shape is not None and shape.head is None and len(shape.tail) == 1:
        shape = LineNode(shape.tail[0], opens=True)
    if shape is not None and shape.inner is not None:
        inner = shape.inner
        block = (Line(source, line.offset, line.end, inner.head, inner.tail, inner.opens, block),)
    return Line(
        source,
        line.offset,
        line.end,
        shape.head if shape else None,
        shape.tail if shape else (),
        shape is not None and shape.opens,
        block,
        line.raw,
        line.raw_offset,
        tuple([comment.text for comment in line.above] + line.beside) if line.above or line.beside else (),
        line.trailing,
        tuple(entry.closing),
        shape is None,
    )


def parse_block(line: Line) -> tuple[Line, ...]:
    """Return the block of a line, parsed again from its source."""
    open_ = list(parse(line.source)[0].lines)
    while open_:
        again = open_.pop()
        if again.offset == line.offset and again.head == line.head:  # a second colon makes two lines of one offset
            return again.block
        open_ += again.block
    raise ValueError(f"there is no such line in {line.source.name}")


parse_blocks_with(parse_block)
