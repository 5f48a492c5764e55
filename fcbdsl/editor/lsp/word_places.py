"""The words of a file with their places: candidates for names of symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.syntax.tree import Binary, Clause, Copy, Expr, Group, Line, Negation, Part, Phrase, Where, Word


@dataclass(frozen=True, slots=True)
class Mention:
    """A word on a line (for a copy: its name). `tail`: it follows the line's colon; `first`: it is the first word of
    its line. `above`: the lines around it, the innermost last."""

    text: str
    span: Span
    line: Line
    tail: bool
    first: bool
    above: tuple[Line, ...]

    @property
    def place(self) -> tuple[str, int, int]:
        """Return the file, the line and the column of the word."""
        return begin_of(self.span)


def begin_of(span: Span) -> tuple[str, int, int]:
    """Return where a span begins: file, line and column (from 1)."""
    line, column = span.source.position(span.start)
    return span.source.name, line, column


def mentioned_words(lines: Sequence[Line], above: tuple[Line, ...] = ()) -> Iterator[Mention]:
    """Yield all words of some lines and their blocks, in order."""
    for line in lines:
        heads = (line.head,) if line.head is not None else ()
        for clauses, tail in ((heads, False), (line.tail, line.head is not None)):
            for clause in clauses:
                for text, start, end in _of_clause(clause):
                    span = Span(line.source, line.offset + start, line.offset + end)
                    yield Mention(text, span, line, tail, start == 0, above)
        yield from mentioned_words(line.block, (*above, line))


Found = tuple[str, int, int]


def _of_clause(clause: Clause) -> Iterator[Found]:
    for part in clause.parts:
        yield from _of_part(part)


def _of_part(part: Part) -> Iterator[Found]:
    yield from _of_expr(part.expr)


def _of_expr(expr: Expr) -> Iterator[Found]:
    match expr:
        case Binary(left=one, right=other) | Where(base=one, condition=other):
            yield from _of_expr(one)
            yield from _of_expr(other)
        case Negation(operand=one):
            yield from _of_expr(one)
        case Phrase(atoms=atoms):
            for atom in atoms:
                if isinstance(atom, Word):
                    yield atom.text, atom.start, atom.start + len(atom.text)
                elif isinstance(atom, Copy):
                    yield atom.name, atom.start, atom.start + len(atom.name)
                elif isinstance(atom, Group):
                    for part in atom.parts:
                        yield from _of_part(part)


def in_file(span: Span) -> tuple[int, int, int, int]:
    """Return the first and the last line and column (from 0) of a span in its file."""
    source: Source = span.source
    first, last = source.position(span.start), source.position(span.end)
    return first[0] - 1, first[1] - 1, last[0] - 1, last[1] - 1
