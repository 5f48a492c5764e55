"""PDF/X-4 (ISO 15930-7): for which press a document is meant, with its profile, and nothing that a press can't have.

Typst writes what PDF/X-4 allows: colours by profiles, words in black ink, fonts embedded, pages that say where they are
cut. What lacks is put behind it as an update, and then the whole is looked through again."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from fcbdsl.files import read_regular
from fcbdsl.records import dataclass

MOST_PROFILE = 8 * 1024 * 1024
UNDATED = "2000-01-01T00:00:00Z"
"""The standard asks when a document was made. Ours are the same whenever that is."""
_DATE = b"(D:20000101000000Z)"

_TAIL = re.compile(
    rb"\ntrailer\n<<(?P<entries>.*?/Root (?P<root>\d+) 0 R.*?)>>\nstartxref\n(?P<table>\d+)\n%%EOF\s*\Z", re.DOTALL
)
_STREAM = re.compile(rb"\nstream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\r?\n(.*?)\r?\nendobj", re.DOTALL)
_BOX = rb"/%s\s*\[([^\]]*)\]"
_OF_DEVICES = re.compile(rb"(?:^|\s)(?:rg|RG)\s")
_ACTS = (b"/JavaScript", b"/JS", b"/AA", b"/OpenAction", b"/AcroForm", b"/EmbeddedFiles", b"/Annots", b"/TR", b"/HT")


class NoProfile(ValueError):
    """Why a file is no profile of a press."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile of a press: what it is called, and its data."""

    title: str
    data: bytes


def profile_in(path: Path) -> Profile:
    """Read the ICC profile of a press that prints in four colours. Raises NoProfile, OSError."""
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
    """What a profile calls itself."""
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
    """A PDF of Typst's as PDF/X-4 for a press. Raises ValueError if it is not as Typst writes it."""
    tail = _TAIL.search(pdf)
    found = {int(one[1]): one[2] for one in _OBJECT.finditer(pdf)}
    root = int(tail["root"]) if tail is not None else -1
    info = re.search(rb"/Info (\d+) 0 R", tail["entries"]) if tail is not None else None
    told = re.search(rb"/Metadata (\d+) 0 R", found.get(root, b""))
    if tail is None or info is None or told is None or not pdf.startswith(b"%PDF-1.7"):
        raise ValueError("a PDF without a catalog, a title or metadata")
    free = max(found) + 1
    xmp = _STREAM.search(found[int(told[1])] + b"\nendstream")
    named = _string(profile.title)
    made = {
        root: _with(found[root], b"/OutputIntents[%d 0 R]" % free),
        int(info[1]): _with(found[int(info[1])], b"/CreationDate%s/ModDate%s/Trapped/False" % (_DATE, _DATE)),
        int(told[1]): _stream(b"/Type/Metadata/Subtype/XML", _dated(xmp[1] if xmp is not None else b"")),
        free: b"<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier%s/Info%s/DestOutputProfile %d 0 R>>"
        % (named, named, free + 1),
        free + 1: _stream(b"/N 4/Filter/FlateDecode", zlib.compress(profile.data, 9)),
    }
    body, rows = b"%PDF-1.6" + pdf[8:].rstrip() + b"\n", []
    for number in sorted(made):
        rows.append(b"%d 1\n%010d 00000 n\r\n" % (number, len(body)))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, made[number])
    entries = re.sub(rb"/Size \d+", b"/Size %d" % (free + 2), tail["entries"])
    start = len(body)
    body += (
        b"xref\n"
        + b"".join(rows)
        + b"trailer\n<<%s/Prev %s>>\nstartxref\n%d\n%%%%EOF\n" % (entries, tail["table"], start)
    )
    return body


def _with(told: bytes, more: bytes) -> bytes:
    """A dictionary with more in it."""
    return told.rstrip().removesuffix(b">>") + more + b">>"


def _stream(head: bytes, data: bytes) -> bytes:
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (head, len(data), data)


def _string(text: str) -> bytes:
    """A text in a PDF, whatever its letters."""
    return b"<" + (b"\xfe\xff" + text.encode("utf-16-be")).hex().encode() + b">"


def _dated(xmp: bytes) -> bytes:
    """Metadata with what PDF/X-4 asks for: when, which version, whether it is trapped."""
    more = f"""<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" \
xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"><xmp:CreateDate>{UNDATED}</xmp:CreateDate>\
<xmp:ModifyDate>{UNDATED}</xmp:ModifyDate><xmp:MetadataDate>{UNDATED}</xmp:MetadataDate>\
<xmpMM:VersionID>1</xmpMM:VersionID><pdf:Trapped>False</pdf:Trapped>\
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion></rdf:Description></rdf:RDF>"""
    plain = xmp.replace(b"<pdf:PDFVersion>1.7<", b"<pdf:PDFVersion>1.6<").replace(b">proof<", b">default<")
    return plain.replace(b"</rdf:RDF>", more.encode())


# ── whether it is one ──────────────────────────────────────────────────────────────────────────


def lacking(pdf: bytes) -> list[str]:
    """What a document lacks to be PDF/X-4, as far as can be seen here; read from its bytes alone."""
    return list(_lacking(pdf))


def _lacking(pdf: bytes) -> Iterator[str]:
    found = {int(one[1]): one[2] for one in _OBJECT.finditer(pdf)}  # the last of a number holds
    plain = {number: _STREAM.sub(b"", told) for number, told in found.items()}
    trailer = pdf[pdf.rfind(b"\ntrailer") :]
    root = re.search(rb"/Root (\d+) 0 R", trailer)
    catalog = plain.get(int(root[1]), b"") if root is not None else b""
    if not pdf.startswith(b"%PDF-1.") or pdf[7:8] > b"6":
        yield "a version of PDF up to 1.6"
    if b"/ID" not in trailer:
        yield "an identifier"
    if b"/Encrypt" in trailer:
        yield "to be read without a key"
    yield from _intent(catalog, found)
    info = re.search(rb"/Info (\d+) 0 R", trailer)
    told = plain.get(int(info[1]), b"") if info is not None else b""
    yield from (
        f"`{name.decode()}`" for name in (b"/Title", b"/CreationDate", b"/ModDate", b"/Trapped") if name not in told
    )
    metadata = re.search(rb"/Metadata (\d+) 0 R", catalog)
    if metadata is None or b">PDF/X-4<" not in found.get(int(metadata[1]), b""):
        yield "metadata that call it PDF/X-4"
    pages = [told for told in plain.values() if re.search(rb"/Type\s*/Page\b", told)]
    if not pages or not all(map(_cut_within, pages)):
        yield "pages that say where they are cut, within where they are printed"
    everything = b"\n".join(plain.values())
    yield from (f"to do without `{name.decode()}`" for name in _ACTS if re.search(name + rb"\b", everything))
    if b"/DeviceRGB" in everything or any(_OF_DEVICES.search(one) for one in _drawn(found.values())):
        yield "colors by a profile: some are those of a device"
    fonts = [told for told in plain.values() if re.search(rb"/Type\s*/FontDescriptor\b", told)]
    if not all(re.search(rb"/FontFile[23]?\b", told) for told in fonts):
        yield "all fonts embedded"


def _intent(catalog: bytes, found: dict[int, bytes]) -> Iterator[str]:
    """Whether the press is said, with its profile."""
    at = re.search(rb"/OutputIntents\s*\[(\d+) 0 R\]", catalog)
    intent = found.get(int(at[1]), b"") if at is not None else b""
    held = re.search(rb"/DestOutputProfile (\d+) 0 R", intent)
    stream = _STREAM.search(found.get(int(held[1]), b"") + b"\nendstream") if held is not None else None
    try:
        if stream is None or b"/S/GTS_PDFX" not in intent:
            raise NoProfile("none")
        _profile(_unpacked(stream[1]))
    except (NoProfile, zlib.error):
        yield "the profile of a press"


def _cut_within(page: bytes) -> bool:
    """Whether a page's boxes lie within one another."""
    boxes = []
    for name in (b"TrimBox", b"BleedBox", b"MediaBox"):
        said = re.search(_BOX % name, page)
        sides = [float(side) for side in said[1].split()] if said is not None else []
        if len(sides) != 4:
            return False
        boxes.append(sides)
    return all(
        outer[0] <= inner[0] < inner[2] <= outer[2] and outer[1] <= inner[1] < inner[3] <= outer[3]
        for inner, outer in pairwise(boxes)
    )


def _drawn(objects: Iterable[bytes]) -> Iterator[bytes]:
    """What is drawn: the streams that are neither pictures, fonts nor profiles, unpacked."""
    for told in objects:
        stream = _STREAM.search(told + b"\nendstream")
        head = told[: stream.start()] if stream is not None else b""
        if stream is None or re.search(
            rb"/(?:Image|Metadata|Length1|Subtype\s*/CIDFontType0C|N \d|FunctionType)", head
        ):
            continue
        yield _unpacked(stream[1]) if b"/FlateDecode" in head else stream[1]


def _unpacked(data: bytes) -> bytes:
    """A stream; the check at its end is not looked at, for a line end may have been taken from it."""
    return zlib.decompressobj().decompress(data)
