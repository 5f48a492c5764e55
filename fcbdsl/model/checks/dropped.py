"""Whether a line says more than what has been read of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcbdsl.diagnostics.declarations import DroppedClause
from fcbdsl.diagnostics.problems import Problems
from fcbdsl.model.resolve.resolver import DeclarationResolver
from fcbdsl.syntax.tree import File, Line


def report_dropped(files: Sequence[File], reader: DeclarationResolver, problems: Problems) -> None:
    """Report what stands behind a `;` in a line that takes one value; not where a declaration is broken anyway."""
    several = [(top, line) for file in files for top in file.lines for line in _lines(top) if len(line.tail) > 1]
    unread = [(top, line) for top, line in several if not reader.is_read(line)]
    if not unread:
        return
    wrong = {(found.span.source.name, found.span.line) for found in problems.errors}
    for top, line in unread:
        first, last = top.span.line, max(inner.span.line for inner in _lines(top))
        if not any((line.source.name, number) in wrong for number in range(first, last + 1)):
            problems.add(DroppedClause(line.span_of(line.tail[1])))


def _lines(line: Line) -> Iterator[Line]:
    yield line
    for below in line.block:
        yield from _lines(below)
