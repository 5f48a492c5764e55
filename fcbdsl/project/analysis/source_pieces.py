"""Splits sources into pieces, one for each declaration, before any is parsed; and moves findings between pieces and
files."""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

from fcbdsl.base.diagnostics.base import Diagnostic, Fix, Related
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span

_ABOVE = re.compile(r"(?:[ ]*(?:\#(?:[ ].*)?)?\n)*")
"""Matches the comments and blank lines above a declaration."""


_TEST = "test "
"""The start of the first line of a test."""

Choice = Callable[[str, Sequence[str], str], bool]
"""Selects tests by their title, the rules that they cover, and the name of their file."""


def no_test(title: str, covers: Sequence[str], file: str) -> bool:
    """Select no test."""
    return False


@dataclass(eq=False)
class Piece:
    """A piece of a file: its source's `text` from `start` to `end`. `head`: the start of its first line."""

    source: Source
    start: int
    text: str
    head: int

    @property
    def end(self) -> int:
        """Return the end of the piece in the source."""
        return self.start + len(self.text)

    @property
    def is_test(self) -> bool:
        """Return whether it is a test."""
        return self.source.text.startswith(_TEST, self.head)

    def holds(self, span: Span) -> bool:
        """Return whether it contains a place of its file."""
        return self.start <= span.end and span.start < self.end

    @cached_property
    def seal(self) -> str:
        """Return the hash that identifies it: of the name of its file and its text."""
        return text_hash(f"{self.source.name}\n{self.text}")


def source_pieces(sources: Iterable[Source]) -> Sequence[Piece]:
    """Return some files in pieces, in order; memoized."""
    return _pieces_of(tuple(sources))


@lru_cache(maxsize=2)
def _pieces_of(sources: tuple[Source, ...]) -> Sequence[Piece]:
    from fcbdsl.language.syntax.pieces import cut_pieces  # unchanged files need no parser

    out = []
    for source in sources:
        start = 0
        for text in cut_pieces(source.text):
            above = _ABOVE.match(text)
            out.append(Piece(source, start, text, start + (above.end() if above is not None else 0)))
            start += len(text)
    return tuple(out)


def is_test(text: str) -> bool:
    """Return whether the text of a piece is a test."""
    above = _ABOVE.match(text)
    return text.startswith(_TEST, above.end() if above is not None else 0)


def text_hash(text: str) -> str:
    """Return a short hash of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


# ── findings in other texts of the same files ──────────────────────────────────────────────────


def in_sources(problems: Iterable[Diagnostic], sources: Iterable[Source]) -> list[Diagnostic]:
    """Return findings in pieces of files with the same places in the whole files, where these exist."""
    named = {source.name: source for source in sources}

    def moved(span: Span) -> Span:
        whole = named.get(span.source.name, span.source)
        if whole is span.source:
            return span
        return Span(whole, offset_in(whole, span.source, span.start), offset_in(whole, span.source, span.end))

    return [_moved(diagnostic, moved) for diagnostic in problems]


def offset_in(whole: Source, piece: Source, offset: int) -> int:
    """Return the offset in the whole file for an offset in a piece of it."""
    return whole.offset(*piece.position(offset))


def in_game(problems: Iterable[Diagnostic], sources: Iterable[Source]) -> list[Diagnostic]:
    """Return the findings whose places exist in these sources, moved there. They may differ in their tests only."""
    now = _of_game(sources)
    before: dict[int, list[Piece]] = {}  # by the identity of the earlier sources

    def moved(span: Span) -> Span:
        then, name = span.source, span.source.name
        if id(then) not in before:
            before[id(then)] = _of_game([then]).get(name, [])
        for old, new in zip(before[id(then)], now.get(name, ()), strict=False):
            if span.start <= old.end:
                shift = new.start - old.start
                return Span(new.source, span.start + shift, span.end + shift)
        return span

    return [_moved(diagnostic, moved) for diagnostic in problems]


def _of_game(sources: Iterable[Source]) -> dict[str, list[Piece]]:
    out: dict[str, list[Piece]] = {}
    for piece in source_pieces(sources):
        if not piece.is_test:
            out.setdefault(piece.source.name, []).append(piece)
    return out


def _moved(finding: Diagnostic, moved: Callable[[Span], Span]) -> Diagnostic:
    out = copy.copy(finding)
    out.span = moved(finding.span)
    out.related = tuple(Related(moved(related.span), related.label) for related in finding.related)
    if finding.fix is not None:
        out.fix = Fix(moved(finding.fix.span), finding.fix.replacement)
    return out
