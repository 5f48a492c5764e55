"""A file in pieces: one for each declaration, each parsed separately, so that an edit affects only one piece.

Every line that begins in the first column begins a declaration, because the outline ends continued lines and raw texts
there. So a file can be cut before it is parsed. The comments above a declaration belong to its piece.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import pairwise

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import PlainRecord, dataclass
from fcbdsl.base.source import Source
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.tree import File

_BEGIN = re.compile(r"\n(?:(?:\#(?:[ ].*)?|[ ]*)\n)*(?!\#(?:[ ]|$))(?=\S)", re.MULTILINE)
"""The end of a line before a declaration: a line in the first column that is no comment.

Comments and blank lines may come between. `re` finds the first character of a line much faster than the start of a
line.
"""


@dataclass(frozen=True, slots=True)
class FilePiece(PlainRecord):
    """A piece of a file, and its problems."""

    file: File
    problems: tuple[Diagnostic, ...]

    @property
    def source(self) -> Source:
        """Return the text of the piece."""
        return self.file.source


@dataclass(frozen=True, slots=True)
class Pieces(PlainRecord):
    """A whole file in pieces."""

    source: Source
    pieces: tuple[FilePiece, ...]

    def file(self) -> File:
        """Return the file as one tree, whose lines keep the sources of their pieces."""
        lines = tuple(line for piece in self.pieces for line in piece.file.lines)
        return File(self.source, lines, tuple(comment for piece in self.pieces for comment in piece.file.comments))

    def problems(self) -> list[Diagnostic]:
        """Return the problems of its text and lines."""
        return [problem for piece in self.pieces for problem in piece.problems]


KEPT_LENGTH = 100_000
"""Length of the longest text whose pieces are cached, in characters."""


def cut_pieces(text: str) -> tuple[str, ...]:
    """Cut a text before each declaration, above the comments that belong to it. Keep the result for short texts."""
    return _kept_cut(text) if len(text) <= KEPT_LENGTH else _cut(text)


@lru_cache(maxsize=256)
def _kept_cut(text: str) -> tuple[str, ...]:
    return _cut(text)


def _cut(text: str) -> tuple[str, ...]:
    starts = [match.start() for match in _BEGIN.finditer("\n" + text)]
    bounds = [0, *(start for start in starts if start > 0), len(text)]
    return tuple([text[start:end] for start, end in pairwise(bounds) if end > start or len(bounds) == 2])


@collector_paused()
def read_pieces(source: Source, before: Iterable[FilePiece] = (), without: Collection[int] = ()) -> Pieces:
    """Parse a file. Pieces `before` of its earlier text are reused if they still occur, and moved to their new places.

    A new piece at the position of a removed one becomes its successor. `without`: start positions of pieces to leave
    out, as if their lines were blank.
    """
    texts, places = [], []
    start = above = 0
    for text in cut_pieces(source.text):
        if start not in without:
            texts.append(text)
            places.append(above)
        start += len(text)
        above += text.count("\n")
    old = list(before)
    unused: dict[str, list[FilePiece]] = {}
    for earlier in reversed(old):
        unused.setdefault(earlier.source.text, []).append(earlier)
    pieces: list[FilePiece | None] = [unused[text].pop() if unused.get(text) else None for text in texts]
    stay = {id(each) for each in pieces if each is not None}
    replaced = dict(_replacements([id(each) in stay for each in old], [each is not None for each in pieces]))
    out: list[FilePiece] = []
    for at, (text, above, reused) in enumerate(zip(texts, places, pieces, strict=True)):
        piece = reused
        if piece is None:
            part = Source(source.name, text, above)
            file, problems = parse(part)
            piece = FilePiece(file, tuple(problems))
            if at in replaced:
                old[replaced[at]].source.succeeded(part)
        piece.source.above = above
        out.append(piece)
    return Pieces(source, tuple(out))


def _replacements(old: list[bool], new: list[bool]) -> Iterable[tuple[int, int]]:
    """Yield pairs (new, old) of pieces that replace each other: between two unchanged pieces, in order."""
    behind = 0
    at = 0
    while at < len(new):
        if new[at]:
            while behind < len(old) and not old[behind]:
                behind += 1
            behind += 1
        elif behind < len(old) and not old[behind]:
            yield at, behind
            behind += 1
        at += 1
