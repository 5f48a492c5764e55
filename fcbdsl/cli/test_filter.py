"""Expressions that select tests: ``shove and not (wall or door)``. Consecutive words are one text to search for."""

from __future__ import annotations

import re
from collections.abc import Callable

Test = Callable[[str], bool]

_TOKEN = re.compile(r"\(|\)|[^\s()]+")
_WORDS = ("and", "or", "not", "(", ")")


class BadExpression(ValueError):
    """An expression that is not well formed."""


def matcher(expression: str) -> Test:
    """Return the filter that an expression describes; the empty one matches everything. Raise BadExpression."""
    tokens = _TOKEN.findall(expression)
    if not tokens:
        return lambda text: True
    if tokens.count("(") > 100 or tokens.count("not") > 100:
        raise BadExpression("it is nested too deeply")
    test = _either(tokens)
    if tokens:
        raise BadExpression(f"{tokens[0]!r} is not expected there")
    return test


def _either(tokens: list[str]) -> Test:
    tests = [_both(tokens)]
    while tokens and tokens[0] == "or":
        tokens.pop(0)
        tests.append(_both(tokens))
    return lambda text: any(test(text) for test in tests)


def _both(tokens: list[str]) -> Test:
    tests = [_single(tokens)]
    while tokens and tokens[0] == "and":
        tokens.pop(0)
        tests.append(_single(tokens))
    return lambda text: all(test(text) for test in tests)


def _single(tokens: list[str]) -> Test:
    if not tokens:
        raise BadExpression("something is missing at its end")
    if tokens[0] == "not":
        tokens.pop(0)
        denied = _single(tokens)
        return lambda text: not denied(text)
    if tokens[0] == "(":
        tokens.pop(0)
        test = _either(tokens)
        if not tokens or tokens.pop(0) != ")":
            raise BadExpression("a `)` is missing")
        return test
    words: list[str] = []
    while tokens and tokens[0] not in _WORDS:
        words.append(tokens.pop(0))
    if not words:
        raise BadExpression(f"{tokens[0]!r} is not expected there")
    wanted = " ".join(words).casefold()
    return lambda text: wanted in text.casefold()
