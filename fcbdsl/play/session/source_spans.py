"""Places of a program in its sources."""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.base.source import Source, Span
from fcbdsl.machine.vm.program import Program


def source_span(program: Program, sources: Mapping[str, Source], number: int) -> Span | None:
    """Return a span of a program as a span of its sources; None if it is not there."""
    if number < 0:
        return None
    row = program.spans[number]
    source = sources.get(program.files[row.file])
    if source is None:
        return None
    start = source.offset(row.line, row.column)
    return Span(source, start, start + row.end - row.column)
