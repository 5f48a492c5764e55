"""Cutting expressions at words that only a statement gives a meaning."""

from __future__ import annotations

import pytest

from fcbdsl.source import Source
from fcbdsl.syntax.parser import parse
from fcbdsl.syntax.splitting import split_at_operator, split_at_word
from fcbdsl.syntax.tree import Clause, Line


def _expression(text: str) -> tuple[Line, Clause]:
    (line,) = parse(Source("test", text))[0].lines
    return line, line.tail[0]


def _halves(text: str, cut, at: str) -> tuple[str, str] | None:
    line, clause = _expression(text)
    halves = cut(clause.parts[0].expr, at)
    return halves and tuple(text[line.span_of(half).start : line.span_of(half).end] for half in halves)


@pytest.mark.parametrize(
    "sides",
    [
        ("a", "b"),
        ("d6 + self's Cbt", "d6 + target's Cbt"),
        ("a + b", "c * d"),
        ("a * b", "c + d"),
        ("a - b", "c - d"),
        ("a", "b + c * d - e"),
        ("not a", "b or c"),
        ("a or b", "c and not d"),
        ("hero where x", "y"),
        ("x", "hero where y or z"),
        ("(a against b)", "c"),
    ],
)
def test_cut_at_a_word(sides: tuple[str, str]) -> None:
    assert _halves(" against ".join(sides), split_at_word, "against") == sides


def test_both_sides_have_the_trees_they_would_have_alone() -> None:
    from fcbdsl.syntax.dump import _expr

    _, clause = _expression("a - b against c - d * e or f")
    halves = split_at_word(clause.parts[0].expr, "against")
    assert halves is not None
    alone = [_expression(text)[1].parts[0].expr for text in ("a - b", "c - d * e or f")]
    assert [_expr(half) for half in halves] == [_expr(expr) for expr in alone]


@pytest.mark.parametrize("text", ["a b c", "against a", "a against", "(a against b)", "a + b"])
def test_no_cut(text: str) -> None:
    assert _halves(text, split_at_word, "against") is None


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("x = 3", ("x", "3")),
        ("x = a or b", ("x", "a or b")),
        ("x = hero where HP = 3", ("x", "hero where HP = 3")),
        ("x = not a and b = c", ("x", "not a and b = c")),
        ("x + 1", None),
        ("(x = 1)", None),
    ],
)
def test_cut_at_an_operator(text: str, sides: tuple[str, str] | None) -> None:
    assert _halves(text, split_at_operator, "=") == sides
