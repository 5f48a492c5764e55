"""A line's nodes in another line of the same shape, which has the same tokens at other places."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.language.syntax.nodes import LineNode, integer, resolve_escapes
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
        return LineNode(head, tuple([self._clause(one) for one in line.tail]), line.opens, line.raw, inner)

    def _clause(self, one: Clause) -> Clause:
        if one.end <= self._alike:
            return one
        return Clause(self._to[one.start], self._to[one.end], one.lead, tuple([self._part(part) for part in one.parts]))

    def _part(self, one: Part) -> Part:
        if one.end <= self._alike:
            return one
        return Part(self._to[one.start], self._to[one.end], one.lead, self._expr(one.expr))

    def _expr(self, one: Expr) -> Expr:
        if one.end <= self._alike:
            return one
        start, end = self._to[one.start], self._to[one.end]
        if isinstance(one, Phrase):
            return Phrase(start, end, tuple([self._atom(atom) for atom in one.atoms]))
        if isinstance(one, Binary):
            return Binary(start, end, one.op, self._expr(one.left), self._expr(one.right))
        if isinstance(one, Negation):
            return Negation(start, end, self._expr(one.operand))
        return Where(start, end, self._expr(one.base), self._expr(one.condition))

    def _atom(self, one: Atom) -> Atom:
        if one.end <= self._alike:
            return one
        start, end = self._to[one.start], self._to[one.end]
        text = self._text[start:end]
        if isinstance(one, Word):
            return Word(start, end, text, one.possessive)
        if isinstance(one, Number):
            return Number(start, end, integer(text), one.signed)
        if isinstance(one, String):
            return String(start, end, resolve_escapes(text[1:-1]))
        if isinstance(one, Group):
            return Group(start, end, tuple([self._part(part) for part in one.parts]), one.possessive)
        if isinstance(one, Range):
            low, _, high = text.partition("..")
            return Range(start, end, integer(low), integer(high) if high else None)
        if isinstance(one, Side):
            first, _, second = text.partition("/")
            return Side(start, end, first, second)
        assert isinstance(one, Copy)
        name, _, number = text.partition("#")
        return Copy(start, end, name, integer(number), one.possessive)
