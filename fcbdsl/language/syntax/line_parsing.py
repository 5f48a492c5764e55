"""Stage 2: parse one logical line into nodes.

Equal lines are parsed once and share their nodes. Lines that differ only in strings, numbers and names have one shape:
they have the same tokens, so the same tree. Its tree is parsed once, too, and then shifted.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics.lines import ExpressionTooDeep
from fcbdsl.base.diagnostics.text import LineTooLong, NumberTooLarge
from fcbdsl.base.records import dataclass
from fcbdsl.language.syntax.mistakes import Mistake, excess_at, explain_failure
from fcbdsl.language.syntax.nodes import LineNode
from fcbdsl.language.syntax.token_shift import MovedLine

LONGEST_LINE = 4_000
"""Characters of a logical line; it bounds the time that a line can take."""

DEEPEST_EXPRESSION = 64
"""Operators and parentheses of one logical line between two commas; it bounds the depth of trees."""

_GAPS = re.compile(
    r"""("[^"\\\n\t]*(?:\\["\\n][^"\\\n\t]*)*"|[0-9]+|(?<![\w'/])[^\W\d]\w*(?:-\w+)*|(?<=/)[^\W\d]\w*)"""
)
"""Strings, runs of digits, and names, also in comments. A name after a slash ends at a hyphen, as in a side.

No token ends inside such a gap. Neither its content nor its length changes the tokens, except for words of the grammar,
and for a hyphen before a slash, because ``a-b/c`` is no side.
"""

_SHAPES = 10_000
"""Most shapes in the cache."""


@dataclass(slots=True, eq=False)
class _Shape:
    """A line that represents all lines which differ from it only in their gaps.

    `pieces`: its text, in which every other piece is a gap. `node`: its nodes.
    """

    pieces: list[str]
    node: LineNode

    def moved(self, text: str, pieces: list[str]) -> LineNode:
        """Return the nodes of another line."""
        to: list[int] = []
        at, alike = 0, -1
        for number, new in enumerate(pieces):
            old = self.pieces[number]
            if number % 2 == 0:
                to += range(at, at + len(old))
            else:
                if alike < 0 and old != new:
                    alike = len(to)
                to += [at] * len(old)
            at += len(new)
        to.append(at)
        return MovedLine(text, to, alike if alike >= 0 else len(to)).line(self.node)


_known: dict[str, _Shape] = {}


KEPT_LINES = 16_384
"""Number of lines whose trees are cached, about 3.4 kB each; it limits a process that serves many projects."""


@lru_cache(maxsize=KEPT_LINES)
def parse_line(text: str) -> LineNode | Mistake:
    """Parse a logical line (without indentation and trailing comment)."""
    if len(text) > LONGEST_LINE:
        return Mistake(LineTooLong, 0, len(text), {"length": len(text), "limit": LONGEST_LINE})
    pieces: list[str] = _GAPS.split(text)
    long = False
    words = _grammar_words()
    alike = pieces.copy()
    for at in range(1, len(pieces), 2):
        gap = pieces[at]
        if gap[0] == '"':
            alike[at] = '""'
        elif gap[0] in _DIGITS:
            alike[at] = "0"
            long = long or len(gap) >= _MANY
        elif gap not in words:
            alike[at] = "x-x" if "-" in gap and pieces[at + 1].startswith("/") else "x"
    shape = "".join(alike)
    shape_read = _known.get(shape)
    if shape_read is not None and not long:
        return shape_read.moved(text, pieces)
    node = _parsed(text)
    if isinstance(node, LineNode):
        if len(_known) >= _SHAPES:
            _known.clear()
        _known[shape] = _Shape(pieces, node)
    return node


@cache
def _grammar_words() -> frozenset[str]:
    from fcbdsl.language.syntax.grammar import words

    return words()


def _parsed(text: str) -> LineNode | Mistake:
    """Parse a line of a shape that is not known."""
    from fcbdsl.language.syntax.grammar import automaton

    if len(text) > DEEPEST_EXPRESSION and sum(map(text.count, _DEEPENING)) > DEEPEST_EXPRESSION:
        excess = excess_at(text, DEEPEST_EXPRESSION)
        if excess is not None:
            return Mistake(ExpressionTooDeep, *excess, {"limit": DEEPEST_EXPRESSION})
    node = automaton().run(text)
    if node is None:
        return _refused(text)
    assert isinstance(node, LineNode)
    large = _large_number(text)
    return node if large is None else Mistake(NumberTooLarge, *large, {"limit": f"{bounds.NUMBER:,}"})


_DEEPENING = (*"(+-*/=<>", "and", "or", "not", "where")
"""The starts of operators and parentheses. A line with few of them, also in texts, is not too deep."""


def _refused(text: str) -> Mistake:
    """Return why a line does not parse."""
    from lark.exceptions import UnexpectedInput

    from fcbdsl.language.syntax.grammar import line_parser

    try:
        line_parser().parse(text)
    except UnexpectedInput as failure:
        return explain_failure(text, failure)
    raise AssertionError(f"it parses after all: {text!r}")


_DIGITS = "0123456789"
_MANY = len(str(bounds.NUMBER))
"""Least number of digits of a number that may be too large."""

_LONG = re.compile(rf"[0-9]{{{_MANY}}}")
_NUMBERS = re.compile(
    r"""(?:"(?:[^"\\\n]|\\.)*"|\#(?=[ \n]|$)[^\n]*|[^\W\d]\w*(?:-\w+)*)  # strings, comments, names
      | (?P<number>[0-9]+)""",
    re.VERBOSE,
)


def _large_number(text: str) -> tuple[int, int] | None:
    """Return the span of the first number in a text that exceeds the limit; None if there is none."""
    if _LONG.search(text) is None:
        return None
    for match in _NUMBERS.finditer(text):
        digits = (match["number"] or "").lstrip("0")
        if len(digits) > len(str(bounds.NUMBER)) or (digits and int(digits) > bounds.NUMBER):
            return match.span()
    return None
