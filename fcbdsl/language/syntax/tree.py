"""The tree of a file: the result of stages 1 and 2, before any vocabulary is used.

Expressions contain character offsets relative to the start of their logical line, so that equal lines share one parsed
clause; `Line.span_of` turns a node into an absolute span.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from fcbdsl.base.records import PlainRecord, dataclass
from fcbdsl.base.source import Source, Span


@dataclass(frozen=True, slots=True)
class Node(PlainRecord):
    """Any node: its range of characters, relative to its logical line."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A name; `possessive` if ``'s`` follows it (the range is that of the name alone)."""

    text: str
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Number(Node):
    """``12``, or ``+2``/``-1`` when `signed`."""

    value: int
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Range(Node):
    """``2..4``; `high` is None for ``5..``."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class String(Node):
    """``"text"`` with its escapes resolved."""

    value: str


@dataclass(frozen=True, slots=True)
class Copy(Node):
    """``rat#2``: one instance of a definition."""

    name: str
    number: int
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Side(Node):
    """``B1/B2``: the side between two spaces."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Group(Node):
    """Parentheses, as an atom of a phrase: ``(a + 1)``, or with several parts ``(number, default 1)``.

    `possessive` if ``'s`` follows them: ``(top of pile)'s cost``."""

    parts: tuple[Part, ...]
    possessive: bool = False

    @property
    def inner(self) -> Expr:
        """Return the first (most often the only) expression."""
        return self.parts[0].expr


Atom = Word | Number | Range | String | Copy | Side | Group


@dataclass(frozen=True, slots=True)
class Phrase(Node):
    """A flat run of atoms, read later with the vocabulary. Never empty."""

    atoms: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """``left op right``; op is one of ``+ - * / = != < <= > >= and or``."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Negation(Node):
    """``not operand``."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Where(Node):
    """``base where condition``."""

    base: Expr
    condition: Expr


Expr = Phrase | Binary | Negation | Where


@dataclass(frozen=True, slots=True)
class Part(Node):
    """A comma-separated piece of a clause; `lead` is by, then, or, except, or None."""

    lead: str | None
    expr: Expr


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """One clause; `lead` is its lead word (``for`` means ``for each``) or None."""

    lead: str | None
    parts: tuple[Part, ...]


@dataclass(slots=True)
class Line(PlainRecord):
    """A logical line and the block below it.

    `offset`: where the logical line starts in the source (its first non-blank character). `head`: the clause before the
    colon, or None when the line has no colon. `tail`: the clauses after the colon, or the whole line when there is no
    colon; split at ``;``. `opens`: the line ends in a colon (a block must follow). `raw`: text of a raw block (``|``),
    unchanged, with its indentation, else None; `raw_offset`: where that text starts in the source. `comments`: own-line
    comments above the line, then the trailing one, without ``#``; `trailing`: the last of them is a trailing one.

    A second colon (``effect: for each hero: draw 1``) makes two lines of the same offset, one the block of the other.
    `closing`: own-line comments below the last line of the block, at the block's depth.

    A line that did not parse has neither head nor tail; `broken` is True (its block is kept).

    `stored_alone`: it is stored without its block, because most commands need the blocks of few stored lines. Then
    `below` is None until `block` is needed, which is parsed again.
    """

    source: Source
    offset: int
    end: int
    head: Clause | None
    tail: tuple[Clause, ...]
    opens: bool = False
    below: tuple[Line, ...] | None = ()
    raw: str | None = None
    raw_offset: int = 0
    comments: tuple[str, ...] = ()
    trailing: bool = False
    closing: tuple[str, ...] = ()
    broken: bool = False
    stored_alone: bool = field(default=False, compare=False)

    def stored_values(self) -> tuple[object, ...]:
        """Return the values that are stored."""
        below = None if self.stored_alone else self.below
        return (
            self.source, self.offset, self.end, self.head, self.tail, self.opens, below, self.raw, self.raw_offset,
            self.comments, self.trailing, self.closing, self.broken, self.stored_alone,
        )  # fmt: skip

    @property
    def block(self) -> tuple[Line, ...]:
        """Return the lines below, which are deeper by one step."""
        if self.below is None:
            (parse_block,) = _PARSERS
            self.below = parse_block(self)
        return self.below

    def span_of(self, node: Node) -> Span:
        """Return the absolute span of one of this line's nodes."""
        return Span(self.source, self.offset + node.start, self.offset + node.end)

    @property
    def span(self) -> Span:
        """Return the whole logical line, without its block."""
        return Span(self.source, self.offset, self.end)

    @property
    def whole(self) -> Span:
        """Return the span of the line with its block."""
        own = self.end if self.raw is None else max(self.end, self.raw_offset + len(self.raw))
        return Span(self.source, self.offset, max([own, *(line.whole.end for line in self.block)]))


@dataclass(frozen=True, slots=True)
class File(PlainRecord):
    """A parsed file. `comments`: those after its last line."""

    source: Source
    lines: tuple[Line, ...]
    comments: tuple[str, ...] = ()


def parse_blocks_with(parse_block: Callable[[Line], tuple[Line, ...]]) -> None:
    """Set the function that parses the block of a line again. The parser does so, because it imports this module."""
    _PARSERS[:] = [parse_block]


_PARSERS: list[Callable[[Line], tuple[Line, ...]]] = []
