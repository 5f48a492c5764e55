"""Running the automaton that Lark has built of the line grammar.

Lark's own loop serves every grammar: it counts lines and columns, makes a token of each blank, and climbs the levels
of precedence above each phrase one by one. This one does what ours needs, on the same tables, with the same patterns
and the same callbacks, in a third of the time. It only says that a line does not parse; why, Lark is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import re

    from lark import Lark

END = "$END"
"""What Lark calls the token behind the last one."""

Build = Callable[[Any], Any]


class Lexeme(str):
    """The text of a token, and where it stands in its line."""

    __slots__ = ("end_pos", "start_pos")

    start_pos: int
    end_pos: int


class Automaton:
    """The automaton of a parser that Lark has built with the LALR algorithm and the contextual lexer."""

    def __init__(self, parser: Lark) -> None:
        from lark.parsers.lalr_analysis import Shift

        table = parser.parser.parser._parse_table
        callbacks = parser.parser.parser.parser.callbacks
        lexers: dict[int, Any] = parser.parser.lexer.lexers
        self._start: int = table.start_states["start"]
        self._end: int = table.end_states["start"]
        self._scan: dict[int, Callable[[str, int], re.Match[str] | None]] = {}
        self._ignored: frozenset[str] = frozenset()
        for state, lexer in lexers.items():
            (pattern,) = lexer.scanner._mres  # one, as there are fewer terminals than Python allows groups
            self._scan[state] = pattern.match
            self._ignored |= lexer.ignore_types
        self._made: dict[str, Build] = {str(name): build for name, build in callbacks.items() if isinstance(name, str)}
        self._shift: dict[int, dict[str, int]] = {}
        self._reduce: dict[int, dict[str, tuple[int, str, Build | None]]] = {}
        for state, row in table.states.items():
            # plain names: those of Lark are tokens, which compare slowly
            self._shift[state] = {str(name): to for name, (action, to) in row.items() if action is Shift}
            self._reduce[state] = {
                str(name): (len(rule.expansion), str(rule.origin.name), _builder(rule, callbacks[rule]))
                for name, (action, rule) in row.items()
                if action is not Shift
            }
        self._climbed: dict[tuple[int, int, str], int] = {}

    def run(self, text: str) -> Any:
        """Return what the callbacks make of a text; None if it does not parse."""
        shift, reduce, scan, made = self._shift, self._reduce, self._scan, self._made
        states = [self._start]
        values: list[Any] = []
        at, length = 0, len(text)
        while True:
            found = scan[states[-1]](text, at)
            if found is not None:
                name, end = found.lastgroup, found.end()
                if name in self._ignored:
                    at = end
                    continue
                assert name is not None
            elif at == length:
                name, end = END, at
            else:
                return None
            state = states[-1]
            while name not in shift[state]:
                action = reduce[state].get(name)
                if action is None:
                    return None
                size, origin, build = action
                if build is None:
                    states[-1] = state = self._climb(states[-2], state, name)
                    continue
                parts = values[-size:]
                del states[-size:], values[-size:]
                values.append(build(parts))
                state = shift[states[-1]][origin]
                states.append(state)
                if name == END and state == self._end:
                    return values[-1]
            lexeme = Lexeme(text[at:end])
            lexeme.start_pos, lexeme.end_pos = at, end
            states.append(shift[state][name])
            values.append(made[name](lexeme) if name in made else lexeme)
            at = end

    def _climb(self, below: int, state: int, name: str) -> int:
        """The state that is reached from another (above that `below`) by the rules that only hand on what they hold,
        before a token of some name."""
        key = below, state, name
        known = self._climbed.get(key)
        if known is None:
            known = state
            while name not in self._shift[known]:
                action = self._reduce[known].get(name)
                if action is None or action[2] is not None:
                    break
                known = self._shift[below][action[1]]
            self._climbed[key] = known
        return known


def _builder(rule: Any, callback: Build) -> Build | None:
    """What makes a value of what a rule holds; None if it only hands it on."""
    from lark.parse_tree_builder import ExpandSingleChild

    return None if len(rule.expansion) == 1 and isinstance(callback, ExpandSingleChild) else callback
