"""Building tree nodes while a line is parsed: one method per rule and terminal of the grammar."""

from __future__ import annotations

from functools import lru_cache
from sys import intern
from typing import Any

from fcbdsl.base.records import dataclass
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

_ESCAPES = {'\\"': '"', "\\\\": "\\", "\\n": "\n"}


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token: its text, and its place in the line."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LineNode:
    """The parsed content of a logical line: see `fcbdsl.language.syntax.tree.Line` for the meaning of its fields.

    `inner`: the part after the first colon if it has a colon itself (``effect: for each hero: draw 1``).
    """

    head: Clause | None
    tail: tuple[Clause, ...] = ()
    opens: bool = False
    raw: bool = False
    inner: LineNode | None = None


class NodeBuilder:
    """Callbacks of the parser; nodes count characters from the start of the line.

    A rule's callback receives its parts in order, including the values of terminals, as the grammar defines. A rule
    that lists items gives a list.
    """

    # terminals

    def NAME(self, token: Lexeme) -> Word:
        text = token.text
        if text.endswith("'s"):
            return shared_word(token.start, token.end - 2, text[:-2], True)
        return shared_word(token.start, token.end, text, False)

    def NUMBER(self, token: Lexeme) -> Number:
        return Number(token.start, token.end, integer(token.text))

    def SIGNED(self, token: Lexeme) -> Number:
        return Number(token.start, token.end, integer(token.text), True)

    def RANGE(self, token: Lexeme) -> Range:
        low, _, high = token.text.partition("..")
        return Range(token.start, token.end, integer(low), integer(high) if high else None)

    def STRING(self, token: Lexeme) -> String:
        return String(token.start, token.end, resolve_escapes(token.text[1:-1]))

    def COPY(self, token: Lexeme) -> Copy:
        text, end = token.text, token.end
        possessive = text.endswith("'s")
        if possessive:
            text, end = text[:-2], end - 2
        name, _, number = text.partition("#")
        return Copy(token.start, end, name, integer(number), possessive)

    def SIDE(self, token: Lexeme) -> Side:
        first, _, second = token.text.partition("/")
        return Side(token.start, token.end, first, second)

    # lines

    def statement(self, parts: list[Any]) -> LineNode:
        return LineNode(None, parts[0])

    def opening(self, parts: list[Any]) -> LineNode:
        return LineNode(parts[0], opens=True)

    def field(self, parts: list[Any]) -> LineNode:
        return LineNode(parts[0], parts[1])

    def nested(self, parts: list[Any]) -> LineNode:
        tail: tuple[Clause, ...] = parts[2] if len(parts) > 2 else ()
        return LineNode(parts[0], opens=True, inner=LineNode(parts[1], tail, opens=not tail))

    def raw(self, parts: list[Any]) -> LineNode:
        return LineNode(parts[0], raw=True)

    # clauses and parts

    def clauses(self, parts: list[Any]) -> tuple[Clause, ...]:
        return tuple(parts)

    def plain_clause(self, parts: list[Any]) -> Clause:
        body: tuple[Part, ...] = parts[0]
        return Clause(body[0].start, body[-1].end, None, body)

    def bare_clause(self, parts: list[Any]) -> Clause:
        lead: Lexeme = parts[0]
        return Clause(lead.start, lead.end, _lead(lead.text), ())

    def led_clause(self, parts: list[Any]) -> Clause:
        lead: Lexeme = parts[0]
        body: tuple[Part, ...] = parts[1]
        return Clause(lead.start, body[-1].end, _lead(lead.text), body)

    def parts(self, parts: list[Any]) -> tuple[Part, ...]:
        return tuple(parts)

    def plain_part(self, parts: list[Any]) -> Part:
        expr: Expr = parts[0]
        return Part(expr.start, expr.end, None, expr)

    def led_part(self, parts: list[Any]) -> Part:
        lead: Lexeme = parts[0]
        expr: Expr = parts[1]
        return Part(lead.start, expr.end, intern(lead.text), expr)

    # expressions

    def where(self, parts: list[Any]) -> Where:
        base: Expr = parts[0]
        condition: Expr = parts[2]
        return Where(base.start, condition.end, base, condition)

    def binary(self, parts: list[Any]) -> Binary:
        left: Expr = parts[0]
        operator: Lexeme = parts[1]
        right: Expr = parts[2]
        return Binary(left.start, right.end, intern(operator.text), left, right)

    def negation(self, parts: list[Any]) -> Negation:
        word: Lexeme = parts[0]
        operand: Expr = parts[1]
        return Negation(word.start, operand.end, operand)

    def phrase(self, parts: list[Any]) -> Phrase:
        atoms: tuple[Atom, ...] = tuple(parts)
        return Phrase(atoms[0].start, atoms[-1].end, atoms)

    def group(self, parts: list[Any]) -> Group:
        opening: Lexeme = parts[0]
        inner: tuple[Part, ...] = parts[1]
        closing: Lexeme = parts[2]
        possessive = closing.text.endswith("'s")
        return Group(opening.start, closing.end - 2 * possessive, inner, possessive)


@lru_cache(maxsize=1 << 14)
def shared_word(start: int, end: int, text: str, possessive: bool) -> Word:
    """Return a word. Equal words of different lines share a node, so that stored trees are smaller."""
    return Word(start, end, intern(text), possessive)


def _lead(text: str) -> str:
    """Return the lead word; for ``for each`` it is ``for``."""
    return "for" if text.startswith("for") else intern(text)


def integer(digits: str) -> int:
    """Return the value of digits, optionally after a sign.

    Excess digits are cut off, because `lines` rejects lines with such numbers in any case.
    """
    return int(digits[:18])


def resolve_escapes(text: str) -> str:
    """Return the text between quotes, with its escapes resolved."""
    if "\\" not in text:
        return text
    pieces: list[str] = []
    at = 0
    while at < len(text):
        step = 2 if text[at] == "\\" else 1
        piece = text[at : at + step]
        pieces.append(_ESCAPES.get(piece, piece))
        at += step
    return "".join(pieces)
