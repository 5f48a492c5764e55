"""One attempt at reading a row of tokens: what has been tried, and where it failed.

The reading is recursive descent with all alternatives kept, longest first, and memory of what was read where
(a packrat parser: B. Ford, "Packrat parsing", ICFP 2002). A phrase is at most a few words long, so that keeping
alternatives costs nothing and the order of the author's words decides, not the order of trying.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import Expr, Type
from fcbdsl.language.model.resolve.scope import Scope, Slots
from fcbdsl.language.model.resolve.tokens import Tokens, flatten
from fcbdsl.language.model.resolve.vocabulary import Vocabulary
from fcbdsl.language.syntax.tree import Group

Found = tuple[Expr, int]
"""A reading of some tokens, and the index of the token after them."""

Stops = frozenset[str]
"""Prepositions that belong to the form outside, so that a noun may not take them."""

DEEPEST = 32
"""How many values may stand inside one another; no author's phrase has more than a handful."""

NONE: Stops = frozenset()
PROVISIONAL = 1 << 20
"""Slots from here on are provisional: most readings come to nothing; one that is kept gets real ones."""


class Provisional(dict[int, int]):
    """New slots of provisional ones, allocated in a frame when they are first met."""

    def __init__(self, holds: Sequence[tuple[str, Type]], frame: Slots) -> None:
        super().__init__()
        self._holds, self._frame = holds, frame

    def __missing__(self, slot: int) -> int:
        if slot < PROVISIONAL:
            return slot
        name, type = self._holds[slot - PROVISIONAL]
        self[slot] = self._frame.new(name, type)
        return self[slot]


@dataclass(frozen=True, slots=True)
class Capture:
    """A bare name that the candidate takes although `rival` has it, too: `self`, `this`, or a local of that name; or a
    phrase (`word`) that holds a candidate against `it`, which it is itself: `rival` is what the candidate is called."""

    word: str
    rival: str
    itself: bool = False


@dataclass
class Log:
    """What several readings of one clause share: provisional slots, and failures if somebody asks for them."""

    failing: bool = False
    holds: list[tuple[str, Type]] = field(default_factory=list)
    best: Diagnostic | None = None
    where: tuple[int, int] = (-1, -1)
    clashes: dict[Span, tuple[Form, Form]] = field(default_factory=dict)
    captures: dict[Span, Capture] = field(default_factory=dict)
    lone: dict[int, tuple[Span, str]] = field(default_factory=dict)
    """Where a `where` follows a single thing: the span and type of the thing, by the place of the `where`."""
    filtering: set[int] = field(default_factory=set)
    """The places of each `where` that filters a list in some reading."""
    expanding: set[str] = field(default_factory=set)
    cells: dict[str, bool] = field(default_factory=dict)
    """Of which words it was asked whether they are spaces of the board, and the answers."""
    depth: int = 0


class ParseState:
    """A row of tokens read in a scope."""

    def __init__(
        self,
        words: Vocabulary,
        scope: Scope,
        tokens: Tokens,
        source: Source,
        offset: int,
        log: Log | None = None,
        shared: dict[object, Any] | None = None,
    ) -> None:
        self.words, self.scope, self.tokens, self.source, self.offset = words, scope, tokens, source, offset
        self.texts, self.count = tokens.texts, len(tokens.nodes)
        self.log = log if log is not None else Log()
        self.memo: dict[object, list[Found]] = {}  # what was read of these tokens in this scope
        self.shared = shared if shared is not None else {}  # what is the same whatever the candidate

    def of(self, group: Group) -> ParseState:
        """The reading of what stands in parentheses."""
        key = ("group", id(group), id(self.scope))
        if key not in self.shared:
            tokens = flatten(group.parts)
            self.shared[key] = ParseState(
                self.words, self.scope, tokens, self.source, self.offset, self.log, self.shared
            )
        inner: ParseState = self.shared[key]
        return inner

    def about(self, slot: int, type: Type) -> ParseState:
        """The same tokens, read of the candidate in `slot`. An outer candidate can't be seen from there, so that
        the reading is the same wherever the selection stands."""
        key = ("candidate", id(self.tokens), slot)
        if key not in self.shared:
            scope = self.scope.candidate(slot, type)
            self.shared[key] = ParseState(
                self.words, scope, self.tokens, self.source, self.offset, self.log, self.shared
            )
        inner: ParseState = self.shared[key]
        return inner

    def inside(self, scope: Scope) -> ParseState:
        """The same tokens in another scope."""
        return ParseState(self.words, scope, self.tokens, self.source, self.offset, self.log)

    def hold(self, name: str, type: Type) -> int:
        """A provisional slot."""
        self.log.holds.append((name, type))
        return PROVISIONAL + len(self.log.holds) - 1

    def is_cell(self, board: Board, word: str) -> bool:
        """Whether a word is the coordinates of a space of the board; that it was asked is noted."""
        found = self.log.cells[word] = word in self.words.cells(board)
        return found

    def span(self, first: int, after: int) -> Span:
        """The span of tokens `first` up to (not including) `after`."""
        nodes = self.tokens.nodes
        if first >= self.count:
            return Span(self.source, self.offset + self.tokens.end, self.offset + self.tokens.end)
        end = nodes[max(first, after - 1)].end
        return Span(self.source, self.offset + nodes[first].start, self.offset + end)

    def phrase(self, first: int, after: int) -> str:
        """The text of some tokens as the author wrote it."""
        span = self.span(first, after)
        return " ".join(self.source.text[span.start : span.end].split())

    def fail(self, at: int, weight: int, make: Callable[[], Diagnostic]) -> None:
        """Remember a failure at token `at`; the furthest one is told, the heaviest of several at one place."""
        if not self.log.failing:
            return
        nodes = self.tokens.nodes
        place = nodes[at].start if at < self.count else self.tokens.end
        if (place, weight) > self.log.where:
            self.log.where, self.log.best = (place, weight), make()

    def var(self, name: str, slot: int, type: Type, first: int, after: int) -> ir.Var:
        """A local."""
        return ir.Var(name, slot, type, self.span(first, after))
