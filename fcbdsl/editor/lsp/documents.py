"""The texts that a client has open, and its units for columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from fcbdsl.base.records import dataclass

ENCODINGS = {"utf-16": 2, "utf-8": 1, "utf-32": 4}
"""Encodings in which columns can be counted, with the bytes of a unit."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_LONE = re.compile(r"[\ud800-\udfff]")


class Columns:
    """Convert columns between characters and the units of a client."""

    def __init__(self, encoding: str = "utf-16") -> None:
        self.encoding = encoding

    def _units(self, text: str) -> int:
        coded = "utf-16-le" if self.encoding == "utf-16" else "utf-32-le" if self.encoding == "utf-32" else "utf-8"
        return len(text.encode(coded, "surrogatepass")) // ENCODINGS[self.encoding]

    def to_units(self, row: str, column: int) -> int:
        """Return the column of a row in units, from one in characters."""
        return column if row.isascii() else self._units(row[:column])

    def to_characters(self, row: str, units: int) -> int:
        """Return the column of a row in characters, from one in units; at most the end of the row."""
        if row.isascii():
            return min(units, len(row))
        at = 0
        while at < len(row) and units > 0:
            units -= self._units(row[at])
            at += 1
        return at


def chosen_encoding(offered: Sequence[str]) -> str:
    """Return the first encoding that a client offers and that is known here; UTF-16 if it offers none."""
    return next((encoding for encoding in map(str, offered) if encoding in ENCODINGS), "utf-16")


@dataclass(slots=True, eq=False)
class Document:
    """A text that a client has open. `uri` is the address as the client writes it."""

    uri: str
    text: str
    version: int | None

    def change(self, change: types.TextDocumentContentChangeEvent, columns: Columns) -> None:
        """Apply a change of the whole text or of a range."""
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            self.text = well_formed(change.text)
            return
        starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        ends = [*(match.start() for match in _LINE_END.finditer(self.text)), len(self.text)]

        def offset(position: types.Position) -> int:
            if position.line >= len(starts):
                return len(self.text)
            start, end = starts[position.line], ends[position.line]
            return start + columns.to_characters(self.text[start:end], position.character)

        first, last = sorted((offset(change.range.start), offset(change.range.end)))
        self.text = self.text[:first] + well_formed(change.text) + self.text[last:]


def well_formed(text: str) -> str:
    """Return a text in which U+FFFD replaces halves of surrogate pairs: no encoding has them."""
    return text if text.isascii() else _LONE.sub("\ufffd", text)
