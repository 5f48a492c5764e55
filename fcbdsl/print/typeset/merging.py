"""Merging PDF files that Typst made: one document from parts, with its tags and bookmarks.

A document is typeset in parts because Typst keeps everything of a document in memory until its last page. Its objects
are written one after another, so that their texts can be copied: only references and a few dictionaries change. A
general library reads and writes each value, which takes ten times as long.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Final

from fcbdsl.base.records import dataclass


@dataclass(frozen=True, slots=True)
class PdfPart:
    """A part of a document. `continues`: it begins with a heading that the part before it has already, and whose
    bookmarks go on here."""

    data: bytes
    continues: bool = False


class CannotMerge(Exception):
    """A PDF file with something that this module does not merge, such as named destinations."""


_CATALOG: Final = frozenset(
    {
        b"/Type",
        b"/Pages",
        b"/Metadata",
        b"/Lang",
        b"/StructTreeRoot",
        b"/MarkInfo",
        b"/ViewerPreferences",
        b"/Outlines",
    }
)
"""The entries of a catalog: each is either that of the first part or merged."""
_STRUCTURE: Final = frozenset({b"/Type", b"/RoleMap", b"/K", b"/ParentTree", b"/ParentTreeNextKey"})
"""The entries of the root of the tags: likewise."""

# ── texts of values ────────────────────────────────────────────────────────────────────────────


Entries = dict[bytes, bytes]
"""The entries of a dictionary: the text of each value by name."""
_DEEPEST: Final = 8
"""How deeply parentheses may be nested in a string."""


def _string_pattern() -> bytes:
    """Return a pattern of a string in parentheses."""
    pattern = rb"\((?:[^()\\]|\\.)*\)"
    for _ in range(_DEEPEST):
        pattern = rb"\((?:[^()\\]|\\.|" + pattern + rb")*\)"
    return pattern


_STRING: Final = _string_pattern()
_TOKEN: Final = re.compile(
    rb"\s*(<<|>>|\[|\]|" + _STRING + rb"|<[0-9A-Fa-f\s]*>|/[^\s/<>\[\]()]*|\d+\s+\d+\s+R\b|[^\s/<>\[\]()]+)", re.DOTALL
)
_CHANGED: Final = re.compile(_STRING + rb"|(\d+)\s+\d+\s+R\b|(/StructParents?)\s+(\d+)|(>>\s*stream\r?\n)", re.DOTALL)
"""Matches what differs in a copy: references, keys of the tree from marked content to tags. Strings are skipped, and
nothing is searched behind the start of a stream."""
_REFERENCE: Final = re.compile(rb"\s*(\d+)\s+\d+\s+R\s*")
_OPENING, _CLOSING = (b"<<", b"["), (b">>", b"]")


def _values(text: bytes, opening: bytes) -> Iterator[bytes]:
    """Yield the texts of the values in a dictionary or array, whose text begins with `opening`. Raise CannotMerge."""
    at = start = depth = 0
    while True:
        token = _TOKEN.match(text, at)
        if token is None or (depth == 0 and token[1] != opening):
            raise CannotMerge("a document whose parts are not as they must be")
        if depth == 1:
            start = token.start(1)
        at = token.end()
        if token[1] in _OPENING:
            depth += 1
            continue
        if token[1] in _CLOSING:
            depth -= 1
            if depth == 0:
                return
        if depth == 1:
            yield text[start:at]


def _entries(text: bytes) -> Entries:
    """Return the entries of the text of a dictionary."""
    values = list(_values(text, b"<<"))
    return dict(zip(values[::2], values[1::2], strict=True))


def _items(text: bytes) -> list[bytes]:
    """Return the texts of the items of the text of an array."""
    return list(_values(text, b"["))


def _dictionary(entries: Entries) -> bytes:
    """Return the text of a dictionary."""
    return b"<<" + b" ".join([part for entry in entries.items() for part in entry]) + b">>"


def _array(items: Sequence[bytes]) -> bytes:
    """Return the text of an array."""
    return b"[" + b" ".join(items) + b"]"


def _number(reference: bytes) -> int:
    """Return the number of the object that a reference names. Raise CannotMerge for another value."""
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise CannotMerge("a document whose parts are not as they must be")
    return int(match[1])


def _reference(number: int) -> bytes:
    return b"%d 0 R" % number


class _Document:
    """The texts of the objects of a PDF file, by number, with the entries of its trailer and of its catalog."""

    def __init__(self, data: bytes) -> None:
        end = data.rindex(b"startxref")
        table, _, trailer = data[int(data[end:].split()[1]) : end].partition(b"trailer")
        self.trailer = _entries(trailer)
        places: dict[int, int] = {}
        rows = table.split()[1:]
        while rows:
            first, count = int(rows[0]), int(rows[1])
            section, rows = rows[2 : 2 + 3 * count], rows[2 + 3 * count :]
            used = zip(range(first, first + count), section[::3], section[2::3], strict=True)
            places |= {number: int(place) for number, place, use in used if use == b"n"}
        ordered = sorted(places, key=places.__getitem__)
        ends = [*(places[number] for number in ordered[1:]), data.index(table)]
        self.head = data[: places[ordered[0]]]
        self.objects: dict[int, bytes] = {}
        for number, stop in zip(ordered, ends, strict=True):
            self.objects[number] = data[
                data.index(b"obj", places[number]) + 3 : data.rindex(b"endobj", 0, stop)
            ].strip()
        self.catalog = self.entries(self.trailer[b"/Root"])
        self.tags = self.entries(self.catalog[b"/StructTreeRoot"])
        more = sorted({*self.catalog} - _CATALOG) + sorted({*self.tags} - _STRUCTURE)
        if more:
            raise CannotMerge(f"a document with {b', '.join(more).decode()}")
        (self.whole,) = _items(self.resolved(self.tags[b"/K"]))  # the tag of the document, which contains all others

    def resolved(self, value: bytes) -> bytes:
        """Return the text of a value, or of the object to which it refers."""
        match = _REFERENCE.fullmatch(value)
        return value if match is None else self.objects[int(match[1])]

    def entries(self, value: bytes) -> Entries:
        """Return the entries of a dictionary, or of that to which a value refers."""
        return _entries(self.resolved(value))

    def change(self, reference: bytes, entries: Entries) -> None:
        """Replace an object by a dictionary."""
        self.objects[_number(reference)] = _dictionary(entries)

    def chain(self, parent: Entries) -> list[bytes]:
        """Return the references to the items of an outline, or to those below one of its items."""
        items: list[bytes] = []
        item = parent.get(b"/First")
        while item is not None:
            items.append(item)
            item = self.entries(item).get(b"/Next")
        return items


# ── merging ────────────────────────────────────────────────────────────────────────────────────


def merged_pdf(parts: Sequence[PdfPart]) -> bytes:
    """Return one PDF with the pages, tags and bookmarks of all parts. The same parts give the same bytes.

    Title, language and all else of the document come from the first part. Raise CannotMerge.
    """
    if len(parts) == 1:
        return parts[0].data
    merged = _Document(parts[0].data)
    for part in parts[1:]:
        _append(merged, _Document(part.data), part.continues)
    identifier = _identify(merged, parts)
    return _written(merged, identifier)


def _append(merged: _Document, part: _Document, continues: bool) -> None:
    """Append the pages of a document with their tags and bookmarks."""
    tags = merged.tags
    key = int(tags[b"/ParentTreeNextKey"])
    copy = _Copy(merged, part, key)
    copy.instead(part.catalog[b"/Pages"], merged.catalog[b"/Pages"])
    copy.instead(part.catalog[b"/StructTreeRoot"], merged.catalog[b"/StructTreeRoot"])
    copy.instead(part.whole, merged.whole)
    copy.instead(part.catalog[b"/Outlines"], merged.catalog[b"/Outlines"])

    children = _items(part.resolved(part.entries(part.whole)[b"/K"]))
    if continues:
        heading = part.entries(children[0])
        if heading.get(b"/S") != b"/H1" or _items(part.resolved(heading.get(b"/K", b"[]"))):
            raise CannotMerge("a part that does not begin with an empty heading")
        del children[0]
    document = merged.entries(merged.whole)
    document[b"/K"] = _array([*_items(merged.resolved(document[b"/K"])), *copy.values(children)])
    merged.change(merged.whole, document)

    pages, more_pages = merged.entries(merged.catalog[b"/Pages"]), part.entries(part.catalog[b"/Pages"])
    kids = copy.values(_items(part.resolved(more_pages[b"/Kids"])))
    pages[b"/Kids"] = _array([*_items(merged.resolved(pages[b"/Kids"])), *kids])
    pages[b"/Count"] = b"%d" % (int(pages[b"/Count"]) + int(more_pages[b"/Count"]))
    merged.change(merged.catalog[b"/Pages"], pages)

    tree = merged.entries(tags[b"/ParentTree"])
    numbers = _items(part.resolved(part.entries(part.tags[b"/ParentTree"])[b"/Nums"]))
    pairs = _items(merged.resolved(tree[b"/Nums"]))
    for number, value in zip(numbers[::2], copy.values(numbers[1::2]), strict=True):
        pairs += [b"%d" % (key + int(number)), value]
    tags[b"/ParentTree"] = _dictionary({**tree, b"/Nums": _array(pairs)})
    tags[b"/ParentTreeNextKey"] = b"%d" % (key + int(part.tags[b"/ParentTreeNextKey"]))
    merged.change(merged.catalog[b"/StructTreeRoot"], tags)

    outline = merged.catalog[b"/Outlines"]
    tops = part.chain(part.entries(part.catalog[b"/Outlines"]))
    if continues:
        last = merged.entries(outline)[b"/Last"]
        _lengthen(merged, last, copy.values(part.chain(part.entries(tops[0]))), closed=True)
        del tops[0]
    _lengthen(merged, outline, copy.values(tops), closed=False)


def _lengthen(merged: _Document, parent: bytes, items: Sequence[bytes], closed: bool) -> None:
    """Append copied items of an outline to those of another parent. `closed`: it does not show them at first."""
    if not items:
        return
    above = merged.entries(parent)
    before = above.get(b"/Last")
    for at, item in enumerate(items):
        entries = merged.entries(item)
        entries[b"/Parent"] = parent
        if at == 0:
            entries.pop(b"/Prev", None)
            if before is not None:
                entries[b"/Prev"] = before
        if at == len(items) - 1:
            entries.pop(b"/Next", None)
        merged.change(item, entries)
    if before is None:
        above[b"/First"] = items[0]
    else:
        merged.change(before, {**merged.entries(before), b"/Next": items[0]})
    above[b"/Last"] = items[-1]
    count = abs(int(above.get(b"/Count", b"0"))) + len(items)
    above[b"/Count"] = b"%d" % (-count if closed else count)
    merged.change(parent, above)


class _Copy:
    """Copies objects of one document into another: each once, with all that they refer to.

    `key`: the first key of their marked content in the tree from this to tags."""

    def __init__(self, merged: _Document, part: _Document, key: int) -> None:
        self._merged, self._part, self._key = merged, part, key
        self._numbers: dict[int, int] = {}  # in the target, by those in the source
        self._next = max(merged.objects) + 1
        self._open: list[int] = []

    def instead(self, old: bytes, new: bytes) -> None:
        """Let references to an object of the source refer to one of the target."""
        self._numbers[_number(old)] = _number(new)

    def values(self, values: Sequence[bytes]) -> list[bytes]:
        """Return values of the source as they are in the target, with everything copied that they refer to."""
        copies = [self._copied(value) for value in values]
        while self._open:
            number = self._open.pop()
            self._merged.objects[self._numbers[number]] = self._copied(self._part.objects[number])
        return copies

    def _copied(self, text: bytes) -> bytes:
        """Return the text of a value or object with references and keys as they are in the target."""
        out: list[bytes] = []
        start = 0
        for match in _CHANGED.finditer(text):
            reference, key, old, stream = match.groups()
            if stream is not None:
                break
            if reference is not None:
                out += [text[start : match.start()], _reference(self._renumbered(int(reference)))]
                start = match.end()
            elif key is not None:
                out += [text[start : match.start()], b"%s %d" % (key, int(old) + self._key)]
                start = match.end()
        return b"".join([*out, text[start:]])

    def _renumbered(self, old: int) -> int:
        new = self._numbers.get(old)
        if new is None:
            new = self._numbers[old] = self._next
            self._next += 1
            self._open.append(old)
        return new


def _identify(merged: _Document, parts: Sequence[PdfPart]) -> bytes:
    """Give the metadata of a merged document an identifier and its number of pages; return the identifier."""
    digest = hashlib.md5(usedforsecurity=False)
    for part in parts:
        digest.update(hashlib.md5(part.data, usedforsecurity=False).digest())
    identifier = base64.b64encode(digest.digest())
    reference = merged.catalog[b"/Metadata"]
    head, _, stream = merged.resolved(reference).partition(b"stream")
    if b"/Filter" in head:
        raise CannotMerge("a document with compressed metadata")
    count = merged.entries(merged.catalog[b"/Pages"])[b"/Count"]
    xml = stream.rpartition(b"endstream")[0].strip()
    xml = re.sub(rb"(ID>)[^<]*(</xmpMM)", rb"\g<1>" + identifier + rb"\g<2>", xml)
    xml = re.sub(rb"(NPages>)\d+", rb"\g<1>" + count, xml)
    entries = _dictionary({**_entries(head), b"/Length": b"%d" % len(xml)})
    merged.objects[_number(reference)] = entries + b"\nstream\n" + xml + b"\nendstream"
    return identifier


def _written(document: _Document, identifier: bytes) -> bytes:
    """Return the bytes of a document."""
    out = [document.head]
    place = len(document.head)
    rows = [b"0000000000 65535 f\r\n"]
    for number in range(1, max(document.objects) + 1):
        if number not in document.objects:
            rows.append(b"0000000000 65535 f\r\n")
            continue
        text = b"%d 0 obj\n%s\nendobj\n\n" % (number, document.objects[number])
        rows.append(b"%010d 00000 n\r\n" % place)
        out.append(text)
        place += len(text)
    trailer = {
        **document.trailer,
        b"/Size": b"%d" % len(rows),
        b"/ID": _array([b"(%s)" % identifier, b"(%s)" % identifier]),
    }
    out += [b"xref\n0 %d\n" % len(rows), *rows, b"trailer\n", _dictionary(trailer)]
    return b"".join([*out, b"\nstartxref\n%d\n%%%%EOF" % place])
