"""Building tree nodes while a line is parsed: one method per rule and terminal of the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fcbdsl.syntax.tree import (
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

if TYPE_CHECKING:
    from lark import Token

_ESCAPES = {'\\"': '"', "\\\\": "\\", "\\n": "\n"}


@dataclass(frozen=True, slots=True)
class LineNode:
    """What a logical line says: see `fcbdsl.syntax.tree.Line` for the meaning of its fields.

    `inner`: what stands behind the first colon if it has a colon itself (``effect: for each hero: draw 1``).
    """

    head: Clause | None
    tail: tuple[Clause, ...] = ()
    opens: bool = False
    raw: bool = False
    inner: LineNode | None = None

    @property
    def awaits_block(self) -> bool:
        """Whether the line ends in a colon."""
        return self.opens if self.inner is None else self.inner.opens


class NodeBuilder:
    """Callbacks of the parser; nodes count characters from the start of the line."""

    # terminals

    def NAME(self, token: Token) -> Word:
        start, end = _range(token)
        if token.endswith("'s"):
            return Word(start, end - 2, str(token[:-2]), True)
        return Word(start, end, str(token))

    def NUMBER(self, token: Token) -> Number:
        return Number(*_range(token), _integer(token))

    def SIGNED(self, token: Token) -> Number:
        return Number(*_range(token), _integer(token), True)

    def RANGE(self, token: Token) -> Range:
        low, _, high = token.partition("..")
        return Range(*_range(token), _integer(low), _integer(high) if high else None)

    def STRING(self, token: Token) -> String:
        value = str(token[1:-1])
        if "\\" in value:
            value = _unescape(value)
        return String(*_range(token), value)

    def COPY(self, token: Token) -> Copy:
        start, end = _range(token)
        possessive = token.endswith("'s")
        text = token[:-2] if possessive else token
        name, _, number = text.partition("#")
        return Copy(start, end - 2 * possessive, name, _integer(number), possessive)

    def SIDE(self, token: Token) -> Side:
        first, _, second = token.partition("/")
        return Side(*_range(token), first, second)

    # lines

    def statement(self, children: list[tuple[Clause, ...]]) -> LineNode:
        return LineNode(None, children[0])

    def opening(self, children: list[Clause]) -> LineNode:
        return LineNode(children[0], opens=True)

    def field(self, children: tuple[Clause, tuple[Clause, ...]]) -> LineNode:
        return LineNode(children[0], children[1])

    def nested(self, children: list[Clause | tuple[Clause, ...]]) -> LineNode:
        head, inner = children[0], children[1]
        tail = children[2] if len(children) > 2 else ()
        assert isinstance(head, Clause)
        assert isinstance(inner, Clause)
        assert isinstance(tail, tuple)
        return LineNode(head, opens=True, inner=LineNode(inner, tail, opens=not tail))

    def raw(self, children: list[Clause]) -> LineNode:
        return LineNode(children[0], raw=True)

    # clauses and parts

    def clauses(self, children: list[Clause]) -> tuple[Clause, ...]:
        return tuple(children)

    def plain_clause(self, children: list[tuple[Part, ...]]) -> Clause:
        parts = children[0]
        return Clause(parts[0].start, parts[-1].end, None, parts)

    def bare_clause(self, children: list[Token]) -> Clause:
        return Clause(*_range(children[0]), _lead(children[0]), ())

    def led_clause(self, children: tuple[Token, tuple[Part, ...]]) -> Clause:
        lead, parts = children
        return Clause(_range(lead)[0], parts[-1].end, _lead(lead), parts)

    def parts(self, children: list[Part]) -> tuple[Part, ...]:
        return tuple(children)

    def plain_part(self, children: list[Expr]) -> Part:
        expr = children[0]
        return Part(expr.start, expr.end, None, expr)

    def led_part(self, children: tuple[Token, Expr]) -> Part:
        lead, expr = children
        return Part(_range(lead)[0], expr.end, str(lead), expr)

    # expressions

    def where(self, children: tuple[Expr, Token, Expr]) -> Where:
        base, _, condition = children
        return Where(base.start, condition.end, base, condition)

    def binary(self, children: tuple[Expr, Token, Expr]) -> Binary:
        left, operator, right = children
        return Binary(left.start, right.end, str(operator), left, right)

    def negation(self, children: tuple[Token, Expr]) -> Negation:
        word, operand = children
        return Negation(_range(word)[0], operand.end, operand)

    def phrase(self, children: list[Atom]) -> Phrase:
        return Phrase(children[0].start, children[-1].end, tuple(children))

    def group(self, children: tuple[Token, tuple[Part, ...], Token]) -> Group:
        opening, parts, closing = children
        possessive = closing.endswith("'s")
        return Group(_range(opening)[0], _range(closing)[1] - 2 * possessive, parts, possessive)


def _range(token: Token) -> tuple[int, int]:
    start, end = token.start_pos, token.end_pos
    assert start is not None
    assert end is not None
    return start, end


def _lead(token: Token) -> str:
    """The lead word; ``for each`` is led by ``for``."""
    return "for" if token.startswith("for") else str(token)


def _integer(digits: str) -> int:
    """The number that digits say. Far too many are cut; `lines` refuses the line, whatever stays."""
    return int(digits[:18])


def _unescape(text: str) -> str:
    pieces: list[str] = []
    at = 0
    while at < len(text):
        step = 2 if text[at] == "\\" else 1
        piece = text[at : at + step]
        pieces.append(_ESCAPES.get(piece, piece))
        at += step
    return "".join(pieces)
