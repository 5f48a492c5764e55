"""One attempt to parse a row of tokens: readings so far, and where they failed.

The parser uses recursive descent. It keeps all alternatives, longest first, and memoizes them by position (a packrat
parser: B. Ford, "Packrat parsing", ICFP 2002). A phrase has only a few words, so keeping alternatives is cheap. The
result depends on the order of the author's words, not on the order of the attempts.
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
"""Prepositions of the outer form, which a noun may not take."""

DEEPEST = 32
"""Deepest nesting of values; phrases of authors have at most a handful of levels."""

NONE: Stops = frozenset()
PROVISIONAL = 1 << 20
"""Slots from here on are provisional: most readings are discarded, and the final one gets real slots."""


class Provisional(dict[int, int]):
    """Final slots of provisional ones, allocated in a frame when they are first needed."""

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
    """A bare name that the candidate captures although `rival` (`self`, `this` or a local) has it, too.

    If `itself`: a phrase (`word`) that compares the candidate with itself; then `rival` is the candidate's name.
    """

    word: str
    rival: str
    itself: bool = False


@dataclass
class Log:
    """State that several readings of one clause share: provisional slots, and failures if `failing` is set."""

    failing: bool = False
    holds: list[tuple[str, Type]] = field(default_factory=list)
    best: Diagnostic | None = None
    where: tuple[int, int] = (-1, -1)
    clashes: dict[Span, tuple[Form, Form]] = field(default_factory=dict)
    captures: dict[Span, Capture] = field(default_factory=dict)
    lone: dict[int, tuple[Span, str]] = field(default_factory=dict)
    """The span and type of each single thing that a `where` follows, by the place of the `where`."""
    filtering: set[int] = field(default_factory=set)
    """The place of each `where` that filters a list in some reading."""
    expanding: set[str] = field(default_factory=set)
    cells: dict[str, bool] = field(default_factory=dict)
    """Words that were looked up as spaces of the board, with the results."""
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
        self.memo: dict[object, list[Found]] = {}  # memoized readings of these tokens in this scope
        self.shared = shared if shared is not None else {}  # results that do not depend on the candidate

    def of(self, group: Group) -> ParseState:
        """Return the parse state of the tokens in parentheses."""
        key = ("group", id(group), id(self.scope))
        if key not in self.shared:
            tokens = flatten(group.parts)
            self.shared[key] = ParseState(
                self.words, self.scope, tokens, self.source, self.offset, self.log, self.shared
            )
        inner: ParseState = self.shared[key]
        return inner

    def about(self, slot: int, type: Type) -> ParseState:
        """Return a state for the same tokens with the candidate in `slot`.

        An outer candidate is not visible there, so the reading does not depend on the place of the selection.
        """
        key = ("candidate", id(self.tokens), slot)
        if key not in self.shared:
            scope = self.scope.candidate(slot, type)
            self.shared[key] = ParseState(
                self.words, scope, self.tokens, self.source, self.offset, self.log, self.shared
            )
        inner: ParseState = self.shared[key]
        return inner

    def inside(self, scope: Scope) -> ParseState:
        """Return a state for the same tokens in another scope."""
        return ParseState(self.words, scope, self.tokens, self.source, self.offset, self.log)

    def hold(self, name: str, type: Type) -> int:
        """Return a provisional slot for a local."""
        self.log.holds.append((name, type))
        return PROVISIONAL + len(self.log.holds) - 1

    def is_cell(self, board: Board, word: str) -> bool:
        """Return whether a word is the coordinates of a space of the board, and record the question."""
        is_cell = self.log.cells[word] = word in self.words.cells(board)
        return is_cell

    def span(self, first: int, after: int) -> Span:
        """Return the span of tokens `first` up to (not including) `after`."""
        nodes = self.tokens.nodes
        if first >= self.count:
            return Span(self.source, self.offset + self.tokens.end, self.offset + self.tokens.end)
        end = nodes[max(first, after - 1)].end
        return Span(self.source, self.offset + nodes[first].start, self.offset + end)

    def phrase(self, first: int, after: int) -> str:
        """Return the text of some tokens as the author wrote it."""
        span = self.span(first, after)
        return " ".join(self.source.text[span.start : span.end].split())

    def fail(self, at: int, weight: int, make: Callable[[], Diagnostic]) -> None:
        """Remember a failure at token `at`. The furthest failure is reported; at the same place, the one of most
        weight."""
        if not self.log.failing:
            return
        nodes = self.tokens.nodes
        place = nodes[at].start if at < self.count else self.tokens.end
        if (place, weight) > self.log.where:
            self.log.where, self.log.best = (place, weight), make()

    def var(self, name: str, slot: int, type: Type, first: int, after: int) -> ir.Var:
        """Return a local."""
        return ir.Var(name, slot, type, self.span(first, after))
