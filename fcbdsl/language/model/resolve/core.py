"""Reading of single phrases: flat clauses are read with the declared vocabulary into the typed tree.

Every method reports at most one problem per clause and then returns None (or the part that could be read); none raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from fcbdsl.base.diagnostics import Diagnostic, Problems
from fcbdsl.base.diagnostics.phrases import AmbiguousPhrase
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import FLAG, Body, Expr, Substitution, Type, substitute
from fcbdsl.language.model.ir.node import has_locals
from fcbdsl.language.model.ir.rewriting import NO_VALUES
from fcbdsl.language.model.lines import WORD
from fcbdsl.language.model.resolve import error_selection, expressions
from fcbdsl.language.model.resolve.parse_state import NONE, Capture, ParseState, Provisional
from fcbdsl.language.model.resolve.phrase_shapes import ShapedPhrase, respelling, shape_of_phrase
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.tokens import VALUED, Readable, Tokens, flatten, strip_lead_keyword
from fcbdsl.language.model.resolve.type_wording import type_words, usage
from fcbdsl.language.model.resolve.vocabulary import Vocabulary
from fcbdsl.language.syntax.tree import Clause, Line

T = TypeVar("T")
Goal = Callable[[ParseState], Sequence[tuple[Any, int]]]
"""Readings from the first token on, best first, each with the index of the token after it."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The cached reading of a phrase, with its selections still in provisional slots."""

    place: Span
    result: Any
    holds: list[tuple[str, Type]]
    captures: list[tuple[Span, Capture]]
    cells: frozenset[str]
    """Words that must be spaces of the board; only asked for membership."""
    others: frozenset[str]
    """Words that must not be spaces of the board; only asked for membership."""


class Resolver:
    """Reads phrases with a vocabulary and reports what can't be read."""

    def __init__(self, vocabulary: Vocabulary, problems: Problems) -> None:
        self.words = vocabulary
        self.problems = problems
        self.pondered = 0
        """Number of unknown verbs in the run so far."""
        self._stripped: dict[int, tuple[Clause, Clause]] = {}
        self._tokens: dict[int, tuple[object, Tokens]] = {}
        self._kept: dict[tuple[object, ...], list[_Kept]] = {}
        self._patterns: dict[tuple[object, ...], tuple[ShapedPhrase, _Kept]] = {}
        """Readings by the shapes of their phrases, see `ShapedPhrase`."""
        self._read: dict[tuple[int, int], object] = {}  # by the identity of their source, which is kept alive

    def has_read(self, line: Line) -> None:
        """Record that all clauses of a line are read as statements; nobody asks about a single clause.

        A line may begin at the place of a line of its block.
        """
        if len(line.tail) > 1 or line.block:
            self._read[id(line.source), line.offset] = line.source

    def is_read(self, line: Line) -> bool:
        """Return whether all clauses of a line have been read as statements."""
        return (id(line.source), line.offset) in self._read

    # ── values ────────────────────────────────────────────────────────────────────────────────

    def expression(self, line: Line, node: Readable, scope: Scope, expected: Type | None = None) -> Expr | None:
        """Read a value of type `expected` (None: of any type)."""
        if isinstance(node, Clause):
            node = self.strip_lead_keyword(node)
        expr: Expr | None = self.read(
            line, node, scope, ("value", expected), lambda state: expressions.read_expression(state, expected), expected
        )
        return expr

    def condition(self, line: Line, node: Readable, scope: Scope) -> Expr | None:
        """Read a condition."""
        return self.expression(line, node, scope, FLAG)

    def answer(self, line: Line, node: Readable, scope: Scope, expected: Type | None) -> Body:
        """Read a value as the body of a form: one `Answer`."""
        value = self.expression(line, node, scope, expected)
        statements = () if value is None else (ir.Answer(value, value.span),)
        return Body(statements, scope.slots())

    def selection(self, line: Line, node: Readable, scope: Scope) -> ir.Select | None:
        """Read a selection; its `noun` is the word that it begins with."""
        select: ir.Select | None = self.read(line, node, scope, ("selection",), _selections, wanted="a selection")
        return select

    # ── the engine ────────────────────────────────────────────────────────────────────────────

    def strip_lead_keyword(self, clause: Clause) -> Clause:
        """Return the clause with its lead word as an ordinary word, cached."""
        if clause.lead is None or clause.lead in VALUED:
            return clause
        stripped = self._stripped.get(id(clause))
        if stripped is None or stripped[0] is not clause:
            stripped = self._stripped[id(clause)] = (clause, strip_lead_keyword(clause))
        return stripped[1]

    def tokens(self, node: Readable) -> Tokens:
        """Return the flat tokens of a node, cached."""
        flat = self._tokens.get(id(node))
        if flat is None or flat[0] is not node:
            flat = self._tokens[id(node)] = (node, flatten(node))
        return flat[1]

    def begin(self, line: Line, node: Readable, scope: Scope) -> ParseState:
        """Return a new parse state for a node."""
        return ParseState(self.words, scope, self.tokens(node), line.source, line.offset)

    def read(
        self,
        line: Line,
        node: Readable,
        scope: Scope,
        key: tuple[object, ...],
        goal: Goal,
        expected: Type | None = None,
        wanted: str = "",
        binds: str = "",
    ) -> Any:
        """Read all tokens of `node` as `goal`; report the furthest failure and return None if they do not fit.

        The reading of an equal phrase in an equal scope is copied if the board gives the same answers (each test has
        its own). In tests, that of a phrase with other names and numbers is changed to these. `wanted` describes the
        expected phrase; `binds` is a local that its first word binds.
        """
        tokens = self.tokens(node)
        place = Span(line.source, line.offset + tokens.start, line.offset + tokens.end)
        text = line.source.text[place.start : place.end]
        file = self.words.file_of(text, line.source.name)
        full = (text, tokens.kinds, key, file, self.words.version, scope.signature())
        cached_readings = self._kept.get(full)
        if cached_readings is None:
            cached_readings = self._kept[full] = []
        board = frozenset() if scope.board is None else self.words.cells(scope.board)
        for cached in cached_readings:
            if cached.cells <= board and cached.others.isdisjoint(board):
                return self._copied(cached, place, scope)
        shaped: ShapedPhrase | None = None
        if scope.mode == "test" and key[0] in _ALIKE:  # in other texts few phrases are alike
            shaped = shape_of_phrase(self.words, tokens, scope, board, line.source, line.offset)
            pattern = None if shaped is None else self._patterns.get((shaped.shape, full[2:]))
            if shaped is not None and pattern is not None:
                like = _respelled(pattern, shaped, place)
                if like.cells <= board and like.others.isdisjoint(board):
                    cached_readings.append(like)
                    return self._copied(like, place, scope)
        state = ParseState(self.words, scope, tokens, line.source, line.offset)
        result = None
        for reading, end in goal(state):
            if end == state.count:
                result = reading
                break
        if result is None:
            self.blame(line, node, scope, goal, expected, wanted, binds)
            return None
        if state.log.clashes:
            self._clash(state, result)
        captures = list(error_selection.final_captures(result, state.log.captures)) if state.log.captures else []
        asked = state.log.cells
        cells = frozenset(word for word, is_cell in asked.items() if is_cell)
        others = frozenset(word for word, is_cell in asked.items() if not is_cell)
        holds = state.log.holds if has_locals(result) else []  # most of them belong to discarded readings
        cached = _Kept(place, result, holds, captures, cells, others)
        cached_readings.append(cached)
        if shaped is not None and not state.log.captures and not state.log.clashes:
            self._patterns[shaped.shape, full[2:]] = shaped, cached
        return self._copied(cached, place, scope)

    def _copied(self, cached: _Kept, place: Span, scope: Scope) -> Any:
        """Return a copy of a cached reading with new slots, and with spans at `place`."""
        first = cached.place
        shift = place.start - first.start
        slots = Provisional(cached.holds, scope.frame)
        change = Substitution(slots, NO_VALUES, first.source, place.source, first.start, first.end + 1, shift)
        for span, capture in cached.captures:
            self.report(error_selection.capture(change.moved(span), capture))
        if not cached.holds and shift == 0 and place.source is first.source:
            return cached.result
        return substitute(cached.result, change)

    def settled(self, state: ParseState, result: T, scope: Scope) -> T:
        """Give the provisional slots of a reading their numbers."""
        for span, capture in error_selection.final_captures(result, state.log.captures):
            self.report(error_selection.capture(span, capture))
        if not state.log.holds:
            return result
        return substitute(result, Substitution(slots=Provisional(state.log.holds, scope.frame)))

    def blame(
        self,
        line: Line,
        node: Readable,
        scope: Scope,
        goal: Goal,
        expected: Type | None = None,
        wanted: str = "",
        binds: str = "",
    ) -> None:
        """Read again what could not be read, and report where it failed."""
        if not self.is_sound(line, node, scope):
            return
        state = self.begin(line, node, scope)
        state.log.failing = True
        ends = [end for _, end in goal(state)]
        self.problems.add(error_selection.select_diagnostic(state, max(ends, default=0), expected, wanted, binds))

    def is_sound(self, line: Line, node: Readable, scope: Scope) -> bool:
        """Return whether a node mentions no name from a line that could not be read."""
        lost = self.words.unsound | scope.frame.unsound
        if not lost:
            return True
        tokens = self.tokens(node)
        text = line.source.text[line.offset + tokens.start : line.offset + tokens.end]
        return lost.isdisjoint(WORD.findall(text))

    def report(self, finding: Diagnostic) -> None:
        """Record a problem."""
        self.problems.add(finding)

    def _clash(self, state: ParseState, result: object) -> None:
        for place, (one, other) in state.log.clashes.items():
            if error_selection.applies_form(result, place, one):
                span = Span(state.source, place.start, state.offset + state.tokens.end)
                lost = self.words.unsound | state.scope.frame.unsound
                if lost.isdisjoint(WORD.findall(span.source.text[span.start : span.end])):
                    self._ambiguous(span, one, other)
                return

    def _ambiguous(self, span: Span, one: Form, other: Form) -> None:
        phrase = " ".join(span.source.text[span.start : span.end].split())
        first, second = usage(one), usage(other)
        if first == second:
            first, second = f"{first}` ({_types(one)})", f"{second}` ({_types(other)})"
        else:
            first, second = f"{first}`", f"{second}`"
        self.problems.add(AmbiguousPhrase(span, phrase=phrase, one=f"`{first}", two=f"`{second}"))


_ALIKE = ("value", "statement")
"""Goals of which the readings do not depend on names and numbers: these are all in nodes of the tree."""


def _respelled(pattern: tuple[ShapedPhrase, _Kept], shaped: ShapedPhrase, place: Span) -> _Kept:
    """Return the reading of a phrase by that of another one of the same shape."""
    before, reading = pattern
    change = respelling(before, shaped)
    holds = [(change.name(name), type) for name, type in reading.holds]
    cells, others = (frozenset(map(change.name, names)) for names in (reading.cells, reading.others))
    return _Kept(place, change.copied(reading.result), holds, [], cells, others)


def _types(form: Form) -> str:
    """Return what a form takes: ``A is a piece, PLACE is a zone``."""
    return ", ".join(f"{param.name.upper()} is {type_words(param.type)}" for param in form.params)


def _selections(state: ParseState) -> list[tuple[ir.Select, int]]:
    out: list[tuple[ir.Select, int]] = []
    for expr, end in expressions.primaries(state, 0, None, NONE):
        if expr.type.many:
            slot = state.hold("it", expr.type.one())
            select = expr if isinstance(expr, ir.Select) else ir.Select(expr, slot, None, (), expr.type, expr.span)
            out.append((select if select.noun else replace(select, noun=state.texts[0] or ""), end))
    return out
