"""Check for clauses of a line that were not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fcbdsl.base.diagnostics.declarations import DroppedClause
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.language.model.lines import lines_of
from fcbdsl.language.syntax.tree import Line


def dropped_clauses(unread: Mapping[int, tuple[Line, Sequence[Line]]], problems: Problems) -> Iterator[DroppedClause]:
    """Yield a diagnostic for each text after a `;` on a line that takes one value.

    Declarations with other errors are skipped. `unread`: declarations, each with its lines that have an unread clause.
    """
    wrong = {(problem.span.source.name, problem.span.line) for problem in problems.errors}
    for top, lines in unread.values():
        first, last = top.span.line, max(inner.span.line for inner in lines_of(top))
        if not any((top.source.name, number) in wrong for number in range(first, last + 1)):
            yield from (DroppedClause(line.span_of(line.tail[1])) for line in lines)
