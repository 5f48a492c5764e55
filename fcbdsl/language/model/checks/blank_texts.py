"""Texts without a letter, such as `story: ""`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from fcbdsl.base.diagnostics.values import BlankText
from fcbdsl.base.source import Span
from fcbdsl.language.model.lines import clause_words, leading
from fcbdsl.language.syntax.tree import File, Line

_BLANK: Final = re.compile(r'"\s*"')
_STRING: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|#.*')
"""Matches a string, or a comment."""
_SILENT: Final = "text"
"""The line of a form whose text may be empty: it is not printed."""
_LEGEND: Final = "legend"
_PROPERTIES: Final = (("name",), ("reminder",))
"""First words of lines that give their declaration a text, besides languages."""


def blank_texts(files: Sequence[File], lent: Collection[str]) -> Iterator[BlankText]:
    """Yield the empty texts in the files of a project; `lent` are the names of other files."""
    for file in files:
        if file.source.name in lent:
            continue
        for line, following in zip_longest(file.lines, file.lines[1:]):
            text = line.source.text  # of the line's piece, if the file was read in pieces
            end = len(text)
            if following is not None and following.source is line.source:
                end = following.offset
            if _BLANK.search(text, line.offset, end):
                yield from _in_line(line, ())


def _in_line(line: Line, above: tuple[str, ...]) -> Iterator[BlankText]:
    """Yield the empty texts in a line and its block. `above`: the words of the line above it."""
    clause = None if line.broken else leading(line)
    words = () if clause is None else clause_words(clause)
    if words[:1] == (_LEGEND,):
        return
    is_property = words[:1] in _PROPERTIES or all(len(word) == 2 for word in words)
    if not line.broken and words[:1] != (_SILENT,):
        text = line.source.text[line.offset : line.end]
        for match in _STRING.finditer(text):
            if match[0][0] == '"' and not match[0][1:-1].strip():
                span = Span(line.source, line.offset + match.start(), line.offset + match.end())
                yield BlankText(span, owners=(*words, *above) if is_property else words)
    for below in line.block:
        yield from _in_line(below, words or above)
