"""Regular expressions give the same results on all supported Pythons: versions before 3.11.5 mishandle possessive
repeats and atomic groups."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

import pytest
from imports import ROOT, nodes_of


def patterns(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Return the patterns of a source that are literal first arguments of functions of `re`."""
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            if of_re and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def unsafe(pattern: str) -> bool:
    tree = repr(re._parser.parse(pattern, re.VERBOSE if "\n" in pattern else 0))  # type: ignore[attr-defined]
    return "POSSESSIVE_REPEAT" in tree or "ATOMIC_GROUP" in tree


def test_patterns_have_no_catastrophic_backtracking() -> None:
    everything = [pattern for path in sorted(ROOT.rglob("*.py")) for pattern in patterns(nodes_of(path))]
    assert len(everything) > 50
    assert [pattern for pattern in everything if unsafe(pattern)] == []


@pytest.mark.parametrize(("pattern", "is_unsafe"), [("a*+", True), ("(?:a|b)++", True), ("(?>a)", True), ("a*", False)])
def test_backtracking_pattern_is_found(pattern: str, is_unsafe: bool) -> None:
    (parsed,) = patterns(ast.walk(ast.parse(f"import re\nre.compile({pattern!r})")))
    assert unsafe(parsed) == is_unsafe
