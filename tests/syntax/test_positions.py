"""Every node has its exact place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from fcbdsl.base.source import Source
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.tree import Copy, Line, Node, Number, Part, Phrase, Range, Side, Word


def _nodes(node: object) -> Iterator[Node]:
    """Yield the node and all nodes in it."""
    if isinstance(node, Node):
        yield node
        for field in fields(node):
            yield from _nodes(getattr(node, field.name))
    elif isinstance(node, tuple):
        for inner in node:
            yield from _nodes(inner)


def _lines(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from _lines(line.block)


def check_positions(text: str) -> int:
    """Assert that each leaf's span covers its own spelling; return how many were checked."""
    file, _ = parse(Source("test", text))
    checked = 0
    for line in _lines(file.lines):
        assert line.span.end <= len(text)
        for node in _nodes((line.head, line.tail)):
            assert is_dataclass(node)
            span = line.span_of(node)
            spelling = text[span.start : span.end]
            assert spelling == spelling.strip()
            assert spelling
            match node:
                case Word():
                    assert spelling == node.text
                    assert text.startswith("'s", span.end) == node.possessive
                case Number():
                    assert int(spelling) == node.value
                    assert (spelling[0] in "+-") == node.signed
                case Range():
                    assert spelling == f"{node.low}..{'' if node.high is None else node.high}"
                case Copy():
                    assert spelling == f"{node.name}#{node.number}"
                case Side():
                    assert spelling == f"{node.first}/{node.second}"
                case Phrase():
                    assert (node.start, node.end) == (node.atoms[0].start, node.atoms[-1].end)
                case Part(lead=str() as lead):
                    assert spelling.startswith(lead)
            checked += 1
    return checked


def test_spans_are_exact() -> None:
    text = (
        "# é\n"
        'weapon épée "Épée", b:   # ü\n'
        "  a:  x's HP  +1 ; not (c + 2) , then d   where e\n"
        "  walls: B1/B2,   # one\n"
        "      gunner#2's HP,\n"
        "    2..4, 5..: if a: 2d6\n"
    )
    assert check_positions(text) > 30


def test_lines_and_columns_count_from_one() -> None:
    file, _ = parse(Source("test", "a:\n  # c\n  bc de: f\n"))
    inner = file.lines[0].block[0]
    assert inner.head is not None
    span = inner.span_of(inner.head.parts[0].expr.atoms[1])  # type: ignore[union-attr]
    assert (span.line, span.column) == (3, 6)


def test_problem_points_at_character() -> None:
    _, problems = parse(Source("test", "a:\n  b: x,\n    y “z”\n"))
    (problem,) = problems
    assert (problem.span.line, problem.span.column, problem.span.end - problem.span.start) == (3, 7, 1)
