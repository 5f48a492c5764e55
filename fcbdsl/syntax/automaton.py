"""Running the automaton that Lark has built of the line grammar.

Lark's own loop serves every grammar: it counts lines and columns, makes a token of each blank, and climbs the levels
of precedence above each phrase one by one. This one does what ours needs, on the same tables, with the same patterns,
in a third of the time; and as the tables are plain data, whoever has them kept needs no Lark. It only says that a line
does not parse; why, Lark is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fcbdsl.syntax.nodes import Lexeme, NodeBuilder

if TYPE_CHECKING:
    from lark import Lark

END = "$END"
"""What Lark calls the token behind the last one."""

Build = Callable[[list[Any]], Any]
Match = Callable[[str, int], "re.Match[str] | None"]


class Reduction(NamedTuple):
    """What becomes of the last values by a rule: how many these are, and of which `origin` the result is.

    `made`: the name of the callback that makes it; LISTED: the values themselves; HANDED: the only one of them.
    `kept`: which of them are handed over, and whether each is a list whose items are; None: all, as they are."""

    size: int
    origin: str
    made: str
    kept: Sequence[tuple[int, bool]] | None


LISTED, HANDED = "[]", "="


class Tables(NamedTuple):
    """An automaton as plain data; it starts in state 0 and ends in `end`. `patterns`: with their flags; `scan`: which
    of them each state looks for; `ignored`: names of tokens that are passed over; `shift`, `reduce`: what each state
    does before which token, a state to go to or the number of one of `reductions`."""

    end: int
    patterns: Sequence[tuple[str, int]]
    scan: Sequence[int]
    ignored: Sequence[str]
    shift: Sequence[dict[str, int]]
    reduce: Sequence[dict[str, int]]
    reductions: Sequence[Reduction]


def tables_of(parser: Lark) -> Tables:
    """The automaton of a parser that Lark has built with the LALR algorithm and the contextual lexer.

    Lark numbers states in no order; here they are numbered as they are reached, so that a grammar has one automaton."""
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
    """What becomes of what a rule holds, told by the callbacks that Lark has made for it."""
    from lark.parse_tree_builder import ExpandSingleChild

    size, origin = len(rule.expansion), str(rule.origin.name)
    if size == 1 and isinstance(callback, ExpandSingleChild):
        return Reduction(size, origin, HANDED, None)
    kept = getattr(callback, "to_include", None)
    made = LISTED if origin.startswith("__") else str(rule.alias or origin)
    return Reduction(size, origin, made, None if kept is None else tuple(kept))


class Automaton:
    """What runs an automaton, and builds nodes."""

    def __init__(self, tables: Tables, builder: NodeBuilder) -> None:
        self._tables = tables
        self._end = tables.end
        self._ignored = frozenset(tables.ignored)
        self._matches: list[Match | None] = [None] * len(tables.patterns)
        self._scan = tables.scan
        self._shift, self._reduce = tables.shift, tables.reduce
        self._reductions = tables.reductions
        self._builds: list[Build | None] = [
            None if one.made in (LISTED, HANDED) else getattr(builder, one.made) for one in tables.reductions
        ]
        names = {name for row in tables.shift for name in row}
        self._made: dict[str, Callable[[Lexeme], Any]] = {
            name: getattr(builder, name) for name in sorted(names) if name.isupper() and hasattr(builder, name)
        }
        self._climbed: dict[tuple[int, int, str], int] = {}

    def run(self, text: str) -> Any:
        """Return what the callbacks make of a text; None if it does not parse."""
        shift, reduce, made = self._shift, self._reduce, self._made
        states = [0]
        values: list[Any] = []
        at, length = 0, len(text)
        while True:
            state = states[-1]
            found = self._match(state)(text, at)
            if found is not None:
                name, end = found.lastgroup, found.end()
                assert name is not None
                if name in self._ignored:
                    at = end
                    continue
            elif at == length:
                name, end = END, at
            else:
                return None
            while name not in shift[state]:
                number = reduce[state].get(name)
                if number is None:
                    return None
                size, origin, what, kept = self._reductions[number]
                if what == HANDED:
                    states[-1] = state = self._climb(states[-2], state, name)
                    continue
                parts = values[-size:]
                del states[-size:], values[-size:]
                if kept is not None:
                    parts = _kept(parts, kept)
                build = self._builds[number]
                values.append(parts if build is None else build(parts))
                state = shift[states[-1]][origin]
                states.append(state)
                if name == END and state == self._end:
                    return values[-1]
            lexeme = Lexeme(text[at:end], at, end)
            states.append(shift[state][name])
            values.append(made[name](lexeme) if name in made else lexeme)
            at = end

    def _match(self, state: int) -> Match:
        """What looks for the next token in a state; most lines need but few of all patterns."""
        number = self._scan[state]
        known = self._matches[number]
        if known is None:
            pattern, flags = self._tables.patterns[number]
            known = self._matches[number] = re.compile(pattern, flags).match
        return known

    def _climb(self, below: int, state: int, name: str) -> int:
        """The state that is reached from another (above that `below`) by the rules that only hand on what they hold,
        before a token of some name."""
        key = below, state, name
        known = self._climbed.get(key)
        if known is None:
            known = state
            while name not in self._shift[known]:
                number = self._reduce[known].get(name)
                if number is None or self._reductions[number].made != HANDED:
                    break
                known = self._shift[below][self._reductions[number].origin]
            self._climbed[key] = known
        return known


def _kept(parts: list[Any], kept: Sequence[tuple[int, bool]]) -> list[Any]:
    """Those of some values that are handed over."""
    out: list[Any] = []
    for index, spread in kept:
        if spread:
            out += parts[index]
        else:
            out.append(parts[index])
    return out
