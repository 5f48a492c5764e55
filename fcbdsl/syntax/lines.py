"""Stage 2: one logical line to its shape. Equal lines are parsed once and share their nodes."""

from __future__ import annotations

import re
from functools import lru_cache

from fcbdsl import bounds
from fcbdsl.diagnostics.lines import ExpressionTooDeep
from fcbdsl.diagnostics.text import LineTooLong, NumberTooLarge
from fcbdsl.syntax.mistakes import Mistake, excess_at, explain_failure
from fcbdsl.syntax.nodes import LineNode

LONGEST_LINE = 4_000
"""Characters of a logical line; it bounds the time that a line can take."""

DEEPEST_EXPRESSION = 64
"""Operators and parentheses of one logical line between two commas; it bounds the depth of trees."""


@lru_cache(maxsize=100_000)
def parse_line(text: str) -> LineNode | Mistake:
    """Parse a logical line (without indentation and trailing comment)."""
    from fcbdsl.syntax.grammar import automaton

    if len(text) > LONGEST_LINE:
        return Mistake(LineTooLong, 0, len(text), {"length": len(text), "limit": LONGEST_LINE})
    if len(text) > DEEPEST_EXPRESSION:
        excess = excess_at(text, DEEPEST_EXPRESSION)
        if excess is not None:
            return Mistake(ExpressionTooDeep, *excess, {"limit": DEEPEST_EXPRESSION})
    shape = automaton().run(text)
    if shape is None:
        return _refused(text)
    assert isinstance(shape, LineNode)
    large = _large_number(text)
    return shape if large is None else Mistake(NumberTooLarge, *large, {"limit": f"{bounds.NUMBER:,}"})


def _refused(text: str) -> Mistake:
    """Why a line does not parse."""
    from lark.exceptions import UnexpectedInput

    from fcbdsl.syntax.grammar import line_parser

    try:
        line_parser().parse(text)
    except UnexpectedInput as failure:
        return explain_failure(text, failure)
    raise AssertionError(f"it parses after all: {text!r}")


_LONG = re.compile(rf"[0-9]{{{len(str(bounds.NUMBER))}}}")
_NUMBERS = re.compile(
    r"""(?:"(?:[^"\\\n]|\\.)*"|\#(?=[ \n]|$)[^\n]*|[^\W\d]\w*(?:-\w+)*)  # strings, comments, names
      | (?P<number>[0-9]+)""",
    re.VERBOSE,
)


def _large_number(text: str) -> tuple[int, int] | None:
    """Where the first number stands that is larger than any may be."""
    if _LONG.search(text) is None:
        return None
    for match in _NUMBERS.finditer(text):
        digits = (match["number"] or "").lstrip("0")
        if len(digits) > len(str(bounds.NUMBER)) or (digits and int(digits) > bounds.NUMBER):
            return match.span()
    return None
