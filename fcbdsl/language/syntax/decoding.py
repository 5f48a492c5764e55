"""Decoding of bytes to a source."""

from __future__ import annotations

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.text import ByteOrderMark, NotText, WrongEncoding
from fcbdsl.base.source import Source, Span

_MARK = "\ufeff"


def read_source(name: str, data: bytes) -> tuple[Source | None, list[Diagnostic]]:
    """Decode a file. A byte-order mark is skipped with a warning and line ends become LF.

    Return None instead of a source if the file is not text or not UTF-8; the findings give the reason.
    """
    nowhere = Span(Source(name, ""), 0, 0)
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    zero = data.find(b"\0")
    if zero >= 0 and not wide:
        return None, [NotText(nowhere, byte=zero)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = len(data[: error.start].decode("utf-8"))
        place = Span(Source(name, data.decode("utf-8", "replace")), before, before + 1)
        return None, [WrongEncoding(place, byte=error.start, value=data[error.start])]
    marked = text.startswith(_MARK)
    source = Source(name, text.removeprefix(_MARK).replace("\r\n", "\n").replace("\r", "\n"))
    return source, [ByteOrderMark(Span(source, 0, 0))] if marked else []
