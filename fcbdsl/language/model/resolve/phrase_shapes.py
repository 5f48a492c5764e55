"""Phrases that differ only in names and numbers are read once.

A word that means nothing but one definition is read like any other such word of its kind. Names of spaces and numbers
are read alike, too. So the reading of a phrase becomes that of another one by other names, numbers and places.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from typing import Any

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import ByClass, rebuilt
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.tokens import Tokens
from fcbdsl.language.model.resolve.vocabulary import COORDINATES, Vocabulary
from fcbdsl.language.syntax import tree


@dataclass(slots=True, eq=False)
class ShapedPhrase:
    """A phrase without its names and numbers, and its place.

    `shape`: what is left of it; phrases of equal shapes have readings that differ only in names, numbers and places.
    `names`: words that name definitions or spaces, in order and without repetitions.
    """

    shape: Hashable
    names: list[str]
    tokens: Tokens
    source: Source
    offset: int


def shape_of_phrase(
    words: Vocabulary, tokens: Tokens, scope: Scope, board: frozenset[str], source: Source, offset: int
) -> ShapedPhrase | None:
    """Return the shape of a phrase in a scope whose board has these spaces; None if it has parentheses or a text."""
    names: dict[str, str] = {}
    parts: list[object] = []
    has_board, before = scope.board is not None, ""
    for node, text in zip(tokens.nodes, tokens.texts, strict=False):
        cls = node.__class__
        if cls is tree.Number:
            assert isinstance(node, tree.Number)
            parts.append((node.value if before == "player" else None, node.signed))
        elif cls is tree.Group or cls is tree.String:
            return None
        else:
            word = node.name if isinstance(node, tree.Copy) else text
            if word is None:
                parts.append(source.text[offset + node.start : offset + node.end])
                continue
            mark = names.get(word, "")
            if not mark:
                sort = words.name_sort(word)
                if sort and word not in scope.locals and (word in board) == (has_board and sort == COORDINATES):
                    mark = names[word] = f"{len(names)} {sort}"  # no word is like that
            parts.append(mark or (word, node.number if isinstance(node, tree.Copy) else 0))
            before = word
    return ShapedPhrase((tuple(parts), tokens.kinds, tokens.possessive), [*names], tokens, source, offset)


@dataclass(slots=True)
class Respelling:
    """Changes the names, numbers and places of a reading to those of another phrase of the same shape."""

    names: dict[str, str]
    source: Source
    target: Source
    first: int
    last: int
    starts: dict[int, int] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    numbers: dict[tuple[int, int], int] = field(default_factory=dict)

    def name(self, word: str) -> str:
        """Return what a word becomes."""
        return self.names.get(word, word)

    def is_inside(self, span: Span) -> bool:
        """Return whether a place is in the phrase, and not in a declaration."""
        return span.source is self.source and self.first <= span.start <= self.last

    def moved(self, span: Span) -> Span:
        """Return what a place becomes."""
        if not self.is_inside(span):
            return span
        return Span(self.target, self.starts[span.start], self.ends[span.end])

    def copied(self, part: Any) -> Any:
        """Return what a node becomes."""
        node = rebuilt(part, self.copied, None, self.moved)
        change = _CHANGE_NOTES.get(node.__class__)
        return change(self, part.span, node) if change is not None and self.is_inside(part.span) else node


def respelling(before: ShapedPhrase, after: ShapedPhrase) -> Respelling:
    """Return the changes from one phrase to another of the same shape."""
    one, other = before.tokens, after.tokens
    first, last = before.offset + one.start, before.offset + one.end
    names = dict(zip(before.names, after.names, strict=True))
    out = Respelling(names, before.source, after.source, first, last)
    starts, ends = out.starts, out.ends
    starts[first] = after.offset + other.start
    starts[last] = ends[last] = after.offset + other.end
    for old, new in zip(one.nodes, other.nodes, strict=True):
        start, end = before.offset + old.start, before.offset + old.end
        starts[start], ends[end] = after.offset + new.start, after.offset + new.end
        if isinstance(old, tree.Number) and isinstance(new, tree.Number):
            out.numbers[start, end] = new.value
        elif isinstance(old, tree.Copy) and isinstance(new, tree.Copy):
            out.numbers[start, end] = new.number
    return out


_CHANGE_NOTES = ByClass()
"""Functions that change the name or number in a node, by its class."""


@_CHANGE_NOTES.of(ir.Const)
def _number(change: Respelling, span: Span, node: ir.Const) -> ir.Const:
    number = change.numbers.get((span.start, span.end)) if node.type == ir.NUMBER else None
    return node if number is None else ir.Const(number, node.type, node.span, node.label)


@_CHANGE_NOTES.of(ir.Instance)
def _instance(change: Respelling, span: Span, node: ir.Instance) -> ir.Instance:
    copy = change.numbers.get((span.start, span.end), node.copy)
    return ir.Instance(node.kind, change.name(node.id), copy, node.type, node.span)


@_CHANGE_NOTES.of(ir.Def)
def _definition(change: Respelling, span: Span, node: ir.Def) -> ir.Def:
    return ir.Def(node.kind, change.name(node.id), node.type, node.span)


@_CHANGE_NOTES.of(ir.Select)
def _selection(change: Respelling, span: Span, node: ir.Select) -> ir.Select:
    if node.noun not in change.names:
        return node
    noun = change.name(node.noun)
    return ir.Select(node.source, node.it, node.where, node.order, node.type, node.span, noun, node.sorted)
