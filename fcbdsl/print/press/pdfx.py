"""PDF/X-4 (ISO 15930-7): adds the output intent with the ICC profile of a press, and checks the document.

Typst writes what PDF/X-4 allows: colors with profiles, words in black ink, embedded fonts, pages with trim boxes. This
module adds the rest, and then reads and checks the whole document.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fcbdsl.base.files import read_regular
from fcbdsl.base.records import dataclass

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader
    from pypdf.generic import DictionaryObject, PdfObject

MOST_PROFILE = 8 * 1024 * 1024
UNDATED = "2000-01-01T00:00:00Z"
"""The date in the document, which the standard requires. It is constant, so that the bytes do not depend on the
time."""
_DATE = "D:20000101000000Z"
_OF_DEVICES = re.compile(rb"(?:^|\s)(?:rg|RG)\s")
"""Matches operators that set a color by red, green and blue, in drawn content. Words in it are numbers of glyphs."""
_ACTS = ("/JavaScript", "/JS", "/AA", "/OpenAction", "/AcroForm", "/EmbeddedFiles", "/Annots", "/TR", "/HT")
_FONTS = ("/FontFile", "/FontFile2", "/FontFile3")
_NOT_DRAWN = ("/Length1", "/N", "/FunctionType")


class NoProfile(ValueError):
    """Why a file is no profile of a press."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The ICC profile of a press: its name, and its data."""

    title: str
    data: bytes


def profile_in(path: Path) -> Profile:
    """Read the ICC profile of a press that prints in four colors. Raise NoProfile or OSError."""
    return _profile(read_regular(path, MOST_PROFILE))


@cache
def _profile(data: bytes) -> Profile:
    if len(data) < 132 or data[36:40] != b"acsp" or struct.unpack(">I", data[:4])[0] != len(data):
        raise NoProfile("it is no ICC profile, or not whole")
    if data[12:16] != b"prtr" or data[16:20] != b"CMYK":
        raise NoProfile("it is not of a press that prints in cyan, magenta, yellow and black")
    if data[8] > 4:
        raise NoProfile(f"it is of version {data[8]}; PDF/X-4 takes 2 and 4")
    return Profile(_described(data) or "unnamed", data)


def _described(data: bytes) -> str:
    """Return the name in a profile."""
    (count,) = struct.unpack(">I", data[128:132])
    for at in range(132, 132 + 12 * min(count, 100), 12):
        if data[at : at + 4] != b"desc":
            continue
        start, size = struct.unpack(">II", data[at + 4 : at + 12])
        tag = data[start : start + size]
        if tag[:4] == b"desc" and len(tag) > 12:  # version 2
            return tag[12 : 12 + struct.unpack(">I", tag[8:12])[0]].rstrip(b"\0").decode("ascii", "replace")
        if tag[:4] == b"mluc" and len(tag) >= 28:  # version 4: the first of its languages
            length, offset = struct.unpack(">II", tag[20:28])
            return tag[offset : offset + length].decode("utf-16-be", "replace")
    return ""


def with_intent(pdf: bytes, profile: Profile) -> bytes:
    """Return a PDF as PDF/X-4 for a press. Raise ValueError if it has no title or no metadata."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import (
        ArrayObject,
        DecodedStreamObject,
        DictionaryObject,
        NameObject,
        NumberObject,
        StreamObject,
        create_string_object,
    )

    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf)))
    root, metadata_entries = writer.root_object, writer.metadata
    metadata = root.get("/Metadata", None)
    metadata = metadata.get_object() if metadata is not None else None
    if metadata_entries is None or not isinstance(metadata, StreamObject):
        raise ValueError("a PDF without a title or metadata")
    writer.pdf_header = "%PDF-1.6"
    held = DecodedStreamObject()
    held.set_data(profile.data)
    packed = held.flate_encode(9)
    packed[NameObject("/N")] = NumberObject(4)
    name = create_string_object(profile.title)
    intent = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/OutputIntent"),
            NameObject("/S"): NameObject("/GTS_PDFX"),
            NameObject("/OutputConditionIdentifier"): name,
            NameObject("/Info"): name,
            NameObject("/DestOutputProfile"): writer._add_object(packed),
        }
    )
    root[NameObject("/OutputIntents")] = ArrayObject([writer._add_object(intent)])
    dated = DecodedStreamObject()
    dated.update({NameObject("/Type"): NameObject("/Metadata"), NameObject("/Subtype"): NameObject("/XML")})
    dated.set_data(_dated(metadata.get_data()))
    root[NameObject("/Metadata")] = writer._add_object(dated)
    trapped = DictionaryObject({NameObject("/Trapped"): NameObject("/False")})
    writer.metadata = DictionaryObject({**metadata_entries, **trapped})
    writer.add_metadata({"/CreationDate": _DATE, "/ModDate": _DATE})
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


def _dated(xmp: bytes) -> bytes:
    """Return metadata with the entries that PDF/X-4 requires: date, version, trapping."""
    more = f"""<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" \
xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"><xmp:CreateDate>{UNDATED}</xmp:CreateDate>\
<xmp:ModifyDate>{UNDATED}</xmp:ModifyDate><xmp:MetadataDate>{UNDATED}</xmp:MetadataDate>\
<xmpMM:VersionID>1</xmpMM:VersionID><pdf:Trapped>False</pdf:Trapped>\
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion></rdf:Description></rdf:RDF>"""
    plain = xmp.replace(b"<pdf:PDFVersion>1.7<", b"<pdf:PDFVersion>1.6<").replace(b">proof<", b">default<")
    return plain.replace(b"</rdf:RDF>", more.encode())


# ── verification ───────────────────────────────────────────────────────────────────────────────


def lacking(pdf: bytes) -> list[str]:
    """Return the requirements of PDF/X-4 that a document fails. Only its bytes are checked."""
    from pypdf import PdfReader

    return list(_lacking(PdfReader(BytesIO(pdf))))


def _lacking(read: PdfReader) -> Iterator[str]:
    from pypdf.generic import DictionaryObject, NameObject, StreamObject

    if read.pdf_header[:7] != "%PDF-1." or read.pdf_header[7:8] > "6":
        yield "a version of PDF up to 1.6"
    if "/ID" not in read.trailer:
        yield "an identifier"
    if "/Encrypt" in read.trailer:
        yield "to be read without a key"
        return
    yield from _intent(read.root_object)
    entries = read.trailer.get("/Info", DictionaryObject()).get_object()
    yield from (f"`{name}`" for name in ("/Title", "/CreationDate", "/ModDate", "/Trapped") if name not in entries)
    metadata = read.root_object.get("/Metadata", DictionaryObject()).get_object()
    if not isinstance(metadata, StreamObject) or b">PDF/X-4<" not in metadata.get_data():
        yield "metadata that call it PDF/X-4"
    if not read.pages or not all(map(_cut_within, read.pages)):
        yield "pages that say where they are cut, within where they are printed"
    everything = list(_everything(read.trailer["/Root"]))
    held = [part for part in everything if isinstance(part, DictionaryObject)]
    yield from (f"to do without `{name}`" for name in _ACTS if any(name in part for part in held))
    named = [part for part in everything if isinstance(part, NameObject)]
    if "/DeviceRGB" in named or any(_OF_DEVICES.search(stream) for stream in _drawn_streams(held)):
        yield "colors by a profile: some are those of a device"
    if not all(any(name in part for name in _FONTS) for part in held if part.get("/Type") == "/FontDescriptor"):
        yield "all fonts embedded"


def _everything(root: PdfObject) -> Iterator[PdfObject]:
    """Yield all objects that the catalog of a document reaches, each once."""
    from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

    todo: list[Any] = [root]
    seen: set[int] = set()
    while todo:
        part = todo.pop()
        if isinstance(part, IndirectObject):
            if part.idnum in seen:
                continue
            seen.add(part.idnum)
            part = part.get_object()
        yield part
        if isinstance(part, DictionaryObject):
            todo += [part.raw_get(name) for name in part]
        elif isinstance(part, ArrayObject):
            todo += list(part)


def _intent(catalog: DictionaryObject) -> Iterator[str]:
    """Yield what is wrong with the output intent and its profile."""
    from pypdf.generic import ArrayObject, DictionaryObject, StreamObject

    intents = catalog.get("/OutputIntents", ArrayObject()).get_object()
    entry = intents[0].get_object() if isinstance(intents, ArrayObject) and len(intents) == 1 else None
    intent = entry if isinstance(entry, DictionaryObject) else DictionaryObject()
    held = intent.get("/DestOutputProfile", intent).get_object()
    try:
        if not isinstance(held, StreamObject) or intent.get("/S") != "/GTS_PDFX":
            raise NoProfile("none")
        _profile(held.get_data())
    except NoProfile:
        yield "the profile of a press"


def _cut_within(page: PageObject) -> bool:
    """Return whether a page's boxes are nested."""
    if "/TrimBox" not in page or "/BleedBox" not in page:
        return False
    boxes = [page.trimbox, page.bleedbox, page.mediabox]
    return all(
        outer.left <= inner.left < inner.right <= outer.right and outer.bottom <= inner.bottom < inner.top <= outer.top
        for inner, outer in pairwise(boxes)
    )


def _drawn_streams(held: Iterable[DictionaryObject]) -> Iterator[bytes]:
    """Yield the drawn content: the streams that are neither pictures, fonts, profiles nor functions."""
    from pypdf.generic import StreamObject

    for part in held:
        other = part.get("/Type") == "/Metadata" or part.get("/Subtype") in ("/Image", "/CIDFontType0C", "/OpenType")
        if isinstance(part, StreamObject) and not other and not any(name in part for name in _NOT_DRAWN):
            yield part.get_data()
