"""A line's nodes in another line of the same shape, which has the same tokens at other places."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.language.syntax.nodes import LineNode, integer, resolve_escapes, shared_word
from fcbdsl.language.syntax.tree import (
    Atom,
    Binary,
    Clause,
    Copy,
    Expr,
    Group,
    Negation,
    Number,
    Part,
    Phrase,
    Range,
    Side,
    String,
    Where,
    Word,
)


class MovedLine:
    """Copies the nodes of a line to another line, in which offset N becomes `to[N]`.

    `text`: the other line. Up to `alike`, an offset in the original, both lines are equal and share their nodes.
    """

    def __init__(self, text: str, to: Sequence[int], alike: int) -> None:
        self._text, self._to, self._alike = text, to, alike

    def line(self, line: LineNode) -> LineNode:
        """Return the whole line."""
        head = None if line.head is None else self._clause(line.head)
        inner = None if line.inner is None else self.line(line.inner)
        return LineNode(head, tuple([self._clause(clause) for clause in line.tail]), line.opens, line.raw, inner)

    def _clause(self, clause: Clause) -> Clause:
        if clause.end <= self._alike:
            return clause
        return Clause(
            self._to[clause.start],
            self._to[clause.end],
            clause.lead,
            tuple([self._part(part) for part in clause.parts]),
        )

    def _part(self, part: Part) -> Part:
        if part.end <= self._alike:
            return part
        return Part(self._to[part.start], self._to[part.end], part.lead, self._expr(part.expr))

    def _expr(self, expr: Expr) -> Expr:
        if expr.end <= self._alike:
            return expr
        start, end = self._to[expr.start], self._to[expr.end]
        if isinstance(expr, Phrase):
            return Phrase(start, end, tuple([self._atom(atom) for atom in expr.atoms]))
        if isinstance(expr, Binary):
            return Binary(start, end, expr.op, self._expr(expr.left), self._expr(expr.right))
        if isinstance(expr, Negation):
            return Negation(start, end, self._expr(expr.operand))
        return Where(start, end, self._expr(expr.base), self._expr(expr.condition))

    def _atom(self, atom: Atom) -> Atom:
        if atom.end <= self._alike:
            return atom
        start, end = self._to[atom.start], self._to[atom.end]
        text = self._text[start:end]
        if isinstance(atom, Word):
            return shared_word(start, end, text, atom.possessive)
        if isinstance(atom, Number):
            return Number(start, end, integer(text), atom.signed)
        if isinstance(atom, String):
            return String(start, end, resolve_escapes(text[1:-1]))
        if isinstance(atom, Group):
            return Group(start, end, tuple([self._part(part) for part in atom.parts]), atom.possessive)
        if isinstance(atom, Range):
            low, _, high = text.partition("..")
            return Range(start, end, integer(low), integer(high) if high else None)
        if isinstance(atom, Side):
            first, _, second = text.partition("/")
            return Side(start, end, first, second)
        assert isinstance(atom, Copy)
        name, _, number = text.partition("#")
        return Copy(start, end, name, integer(number), atom.possessive)
