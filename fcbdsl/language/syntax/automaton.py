"""The driver of the automaton that Lark has built from the line grammar.

Lark's driver serves every grammar: it counts lines and columns, makes a token of each blank, and climbs the levels of
precedence above each phrase one by one. This driver does only what our grammar needs, with the same tables and
patterns, in a quarter of the time. Its tables are plain data, so reading a line does not require Lark. It only reports
that a line does not parse; Lark is used to find out why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from fcbdsl.base.records import dataclass
from fcbdsl.language.syntax.nodes import Lexeme, NodeBuilder

if TYPE_CHECKING:
    from lark import Lark

END = "$END"
"""Lark's name for the token after the last one."""

Build = Callable[[list[Any]], Any]
Match = Callable[[str, int], "re.Match[str] | None"]


class Reduction(NamedTuple):
    """A reduction by a rule: it replaces the last `size` values by one of which `origin` is the nonterminal.

    `made`: the name of the callback; LISTED: the values themselves; HANDED: the only one of them. `kept`: the values
    that are passed on, and whether each is a list whose items are passed; None: all, unchanged.
    """

    size: int
    origin: str
    made: str
    kept: Sequence[tuple[int, bool]] | None


LISTED, HANDED = "[]", "="


class Tables(NamedTuple):
    """An automaton as plain data; it starts in state 0 and ends in `end`.

    `patterns`: regular expressions with their flags. `scan`: the pattern of each state. `ignored`: names of tokens that
    are skipped. `shift`, `reduce`: per state and token, the next state, or the number of one of `reductions`.
    """

    end: int
    patterns: Sequence[tuple[str, int]]
    scan: Sequence[int]
    ignored: Sequence[str]
    shift: Sequence[dict[str, int]]
    reduce: Sequence[dict[str, int]]
    reductions: Sequence[Reduction]


def tables_of(parser: Lark) -> Tables:
    """Return the automaton of a parser that Lark has built with the LALR algorithm and the contextual lexer.

    Lark numbers states in no order; here they are numbered as they are reached, so that a grammar has one automaton.
    """
    from lark.parsers.lalr_analysis import Shift

    table = parser.parser.parser._parse_table
    reached: dict[int, int] = {table.start_states["start"]: 0}
    order = [*reached]
    rows: list[list[tuple[str, bool, Any]]] = []
    for state in order:
        # plain names: those of Lark are tokens, which compare slowly
        row = sorted((str(name), action is Shift, to) for name, (action, to) in table.states[state].items())
        rows.append(row)
        for _, is_shift, to in row:
            if is_shift and to not in reached:
                reached[to] = len(order)
                order.append(to)
    lexers: dict[int, Any] = parser.parser.lexer.lexers
    patterns: dict[tuple[str, int], int] = {}
    scan: list[int] = []
    ignored: dict[str, None] = {}
    for state in order:
        (pattern,) = lexers[state].scanner._mres  # one, as there are fewer terminals than Python allows groups
        scan.append(patterns.setdefault((pattern.pattern, pattern.flags), len(patterns)))
        ignored |= dict.fromkeys(sorted(str(name) for name in lexers[state].ignore_types))
    callbacks = parser.parser.parser.parser.callbacks
    reductions: dict[Reduction, int] = {}
    reduce = tuple(
        {
            name: reductions.setdefault(_reduction(rule, callbacks[rule]), len(reductions))
            for name, is_shift, rule in row
            if not is_shift
        }
        for row in rows
    )
    return Tables(
        reached[table.end_states["start"]],
        tuple(patterns),
        tuple(scan),
        tuple(ignored),
        tuple({name: reached[to] for name, is_shift, to in row if is_shift} for row in rows),
        reduce,
        tuple(reductions),
    )


def _reduction(rule: Any, callback: Any) -> Reduction:
    """Return the reduction of a rule, derived from the callback that Lark has made for it."""
    from lark.parse_tree_builder import ExpandSingleChild

    size, origin = len(rule.expansion), str(rule.origin.name)
    if size == 1 and isinstance(callback, ExpandSingleChild):
        return Reduction(size, origin, HANDED, None)
    included = getattr(callback, "to_include", None)
    result = LISTED if origin.startswith("__") else str(rule.alias or origin)
    return Reduction(size, origin, result, None if included is None else tuple(included))


@dataclass(slots=True, eq=False)
class _Place:
    """A configuration while a line is read: the open states, the last one on top.

    Its pattern and its steps are computed once, because lines resemble each other.
    """

    states: tuple[int, ...]
    match: Match
    steps: dict[str, _Step] = field(default_factory=dict)


_BoundReduction = tuple[int, Sequence[tuple[int, bool]] | None, Build | None]
"""A reduction with its callback: its size, the values that are passed on, and the callback (None: a list of them).

The size 0 means that the last value is added to the list before it, as most reductions do.
"""


class _Step(NamedTuple):
    """The step for a token.

    `builds`: reductions before it. `value`: makes its value (None: the token is skipped). `place`: the next
    configuration (None: the line is complete).
    """

    builds: tuple[_BoundReduction, ...]
    value: Callable[[Lexeme], Any] | None
    place: _Place | None


_GROWS = ((0, True), (1, False))
"""The kept values of a list rule whose first value is the list so far: its items, and one more."""

_BLANKS = "[ \n]*"
"""Blanks after a token, as in the grammar; they are skipped with the token."""

_PLACES = 10_000
"""Most configurations in the cache. All shipped content has fewer than one thousand."""


class Automaton:
    """Runs an automaton and builds nodes."""

    def __init__(self, tables: Tables, builder: NodeBuilder) -> None:
        self._tables = tables
        self.patterns = tables.patterns
        self._matches: list[Match | None] = [None] * len(tables.patterns)
        self._builds = [_bound(reduction, builder) for reduction in tables.reductions]
        names = {name for row in tables.shift for name in row}
        self._made: dict[str, Callable[[Lexeme], Any]] = {
            name: getattr(builder, name) for name in sorted(names) if name.isupper() and hasattr(builder, name)
        }
        self._places: dict[tuple[int, ...], _Place] = {}

    def run(self, text: str) -> Any:
        """Return what the callbacks make of a text; None if it does not parse."""
        place = self._place((0,))
        values: list[Any] = []
        at, length = 0, len(text)
        while True:
            match = place.match(text, at)
            if match is not None:
                name, behind = match.lastgroup, match.end()
                assert name is not None
                end = match.end(name)
            elif at == length:
                name, end, behind = END, at, at
            else:
                return None
            step = place.steps.get(name)
            if step is None:
                step = self._step(place, name)
                if step is None:
                    return None
                place.steps[name] = step
            for size, included, build in step.builds:
                if not size:
                    last = values.pop()
                    values[-1].append(last)
                    continue
                parts = values[-size:]
                del values[-size:]
                if included is not None:
                    parts = _children(parts, included)
                values.append(parts if build is None else build(parts))
            if step.place is None:
                return values[-1]
            if step.value is not None:
                values.append(step.value(Lexeme(text[at:end], at, end)))
            place, at = step.place, behind

    def _step(self, place: _Place, name: str) -> _Step | None:
        """Return the step for a token in a configuration; None if the token is not allowed there."""
        tables = self._tables
        if name in tables.ignored:
            return _Step((), None, place)
        states = [*place.states]
        builds = []
        while name not in tables.shift[states[-1]]:
            number = tables.reduce[states[-1]].get(name)
            if number is None:
                return None
            size, origin, result, _ = tables.reductions[number]
            if result != HANDED:
                builds.append(self._builds[number])
            del states[-size:]
            states.append(tables.shift[states[-1]][origin])
            if name == END and states[-1] == tables.end:
                return _Step(tuple(builds), None, None)
        states.append(tables.shift[states[-1]][name])
        return _Step(tuple(builds), self._made.get(name, _itself), self._place(tuple(states)))

    def _place(self, states: tuple[int, ...]) -> _Place:
        """Return the configuration with these open states."""
        place = self._places.get(states)
        if place is None:
            if len(self._places) >= _PLACES:
                self._places.clear()
            place = self._places[states] = _Place(states, self._match(states[-1]))
        return place

    def _match(self, state: int) -> Match:
        """Return the matcher for the next token in a state; compiled on demand, because most lines need few
        patterns."""
        number = self._tables.scan[state]
        match = self._matches[number]
        if match is None:
            pattern, flags = self._tables.patterns[number]
            match = self._matches[number] = re.compile(f"(?:{pattern}){_BLANKS}", flags).match
        return match


def _bound(reduction: Reduction, builder: NodeBuilder) -> _BoundReduction:
    """Return a reduction that calls a builder."""
    included = None if reduction.kept is None else tuple([(at, spread) for at, spread in reduction.kept])
    if reduction.made in (LISTED, HANDED):
        return 0 if included == _GROWS else reduction.size, included, None
    return reduction.size, included, getattr(builder, reduction.made)


def _itself(lexeme: Lexeme) -> Lexeme:
    return lexeme


def _children(parts: list[Any], included: Sequence[tuple[int, bool]]) -> list[Any]:
    """Return the values that are passed on."""
    out: list[Any] = []
    for index, spread in included:
        if spread:
            out += parts[index]
        else:
            out.append(parts[index])
    return out
