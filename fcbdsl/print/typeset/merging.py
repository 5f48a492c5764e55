"""Merging PDF files that Typst made: one document from parts, with its tags and bookmarks.

A document is typeset in parts because Typst keeps everything of a document in memory until its last page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

from fcbdsl.base.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import IndirectObject


@dataclass(frozen=True, slots=True)
class PdfPart:
    """A part of a document. `continues`: it begins with a heading that the part before it has already, and whose
    bookmarks go on here."""

    data: bytes
    continues: bool = False


class CannotMerge(Exception):
    """A PDF file with something that this module does not merge, such as named destinations."""


_CATALOG = frozenset(
    {"/Type", "/Pages", "/Metadata", "/Lang", "/StructTreeRoot", "/MarkInfo", "/ViewerPreferences", "/Outlines"}
)
"""The entries of a catalog: each is either that of the first part or merged."""
_STRUCTURE = frozenset({"/Type", "/RoleMap", "/K", "/ParentTree", "/ParentTreeNextKey"})
"""The entries of the root of the tags: likewise."""
_KEYS = ("/StructParents", "/StructParent")
"""Entries that are keys of the tree from marked content to tags."""


def merged_pdf(parts: Sequence[PdfPart]) -> bytes:
    """Return one PDF with the pages, tags and bookmarks of all parts. The same parts give the same bytes.

    Title, language and all else of the document come from the first part. Raise CannotMerge.
    """
    from pypdf import PdfReader, PdfWriter

    if len(parts) == 1:
        return parts[0].data
    first = PdfReader(BytesIO(parts[0].data))
    _check(first)
    writer = PdfWriter(clone_from=first)
    for part in parts[1:]:
        read = PdfReader(BytesIO(part.data))
        _check(read)
        _append(writer, read, part.continues)
    _identify(writer, parts)
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


def _check(read: PdfReader) -> None:
    """Raise CannotMerge for a document with something that must be merged and is not."""
    catalog = read.root_object
    more = sorted({*catalog} - _CATALOG) + sorted({*_dict(catalog["/StructTreeRoot"])} - _STRUCTURE)
    if more:
        raise CannotMerge(f"a document with {', '.join(more)}")


def _append(writer: PdfWriter, read: PdfReader, continues: bool) -> None:
    """Append the pages of a document with their tags and bookmarks."""
    from pypdf.generic import NameObject, NumberObject

    to, of = writer.root_object, read.root_object
    pages, more_pages = _dict(to["/Pages"]), _dict(of["/Pages"])
    tags, more_tags = _dict(to["/StructTreeRoot"]), _dict(of["/StructTreeRoot"])
    (whole,), (more_whole,) = tags["/K"], more_tags["/K"]  # the tag of each document, which holds all others
    document, more_document = _dict(whole.get_object()), _dict(more_whole.get_object())
    outline, more_outline = _dict(to["/Outlines"]), _dict(of["/Outlines"])
    next_key = int(tags["/ParentTreeNextKey"])
    copy = _Copy(writer, next_key)
    for old, new in ((more_pages, pages), (more_tags, tags), (more_document, document), (more_outline, outline)):
        copy.instead(old, new)

    children = list(more_document["/K"])
    if continues:
        heading = _dict(children[0].get_object())
        if heading.get("/S") != "/H1" or heading.get("/K"):
            raise CannotMerge("a part that does not begin with an empty heading")
        del children[0]
    document["/K"].extend(copy.references(children))
    pages["/Kids"].extend(copy.references(list(more_pages["/Kids"])))
    pages[NameObject("/Count")] = NumberObject(int(pages["/Count"]) + int(more_pages["/Count"]))

    numbers = _dict(more_tags["/ParentTree"])["/Nums"]
    pairs = _dict(tags["/ParentTree"])["/Nums"]
    for at in range(0, len(numbers), 2):
        held = list.__getitem__(numbers, at + 1)
        pairs.append(NumberObject(next_key + int(numbers[at])))
        pairs.append(copy.references([held])[0])
    tags[NameObject("/ParentTreeNextKey")] = NumberObject(next_key + int(more_tags["/ParentTreeNextKey"]))

    tops = _chain(more_outline)
    if continues:
        last = _dict(outline["/Last"])
        _lengthen(last, copy.references(_chain(_dict(tops[0].get_object()))), closed=True)
        del tops[0]
    _lengthen(outline, copy.references(tops), closed=False)


def _chain(parent: Any) -> list[Any]:
    """Return the references to the items of an outline, or to those below one of its items."""
    items: list[Any] = []
    item = parent.raw_get("/First") if "/First" in parent else None
    while item is not None:
        items.append(item)
        held = _dict(item.get_object())
        item = held.raw_get("/Next") if "/Next" in held else None
    return items


def _lengthen(parent: Any, items: Sequence[Any], closed: bool) -> None:
    """Append copied items of an outline to those of another parent. `closed`: it does not show them at first."""
    from pypdf.generic import NameObject, NumberObject

    if not items:
        return
    before = parent.raw_get("/Last") if "/Last" in parent else None
    _dict(items[-1].get_object()).pop("/Next", None)
    first = _dict(items[0].get_object())
    first.pop("/Prev", None)
    if before is None:
        parent[NameObject("/First")] = items[0]
    else:
        _dict(before.get_object())[NameObject("/Next")] = items[0]
        first[NameObject("/Prev")] = before
    parent[NameObject("/Last")] = items[-1]
    for item in items:
        _dict(item.get_object())[NameObject("/Parent")] = parent.indirect_reference
    count = abs(int(parent.get("/Count", 0))) + len(items)
    parent[NameObject("/Count")] = NumberObject(-count if closed else count)


class _Copy:
    """Copies objects of one document into another: each once, with all that they refer to. Objects are moved, not
    cloned: the source is not used afterwards."""

    def __init__(self, writer: PdfWriter, next_key: int) -> None:
        self._writer = writer
        self._next_key = next_key
        self._known: dict[int, IndirectObject] = {}
        self._todo: list[Any] = []

    def instead(self, old: Any, new: Any) -> None:
        """Let references to an object of the source refer to one of the target."""
        self._known[old.indirect_reference.idnum] = new.indirect_reference

    def references(self, held: Sequence[Any]) -> list[Any]:
        """Return values of the source as they are in the target, with everything copied that they refer to."""
        copies = [self._moved(part) for part in held]
        while self._todo:
            self._renumber(self._todo.pop())
        return copies

    def _moved(self, part: Any) -> Any:
        from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

        if isinstance(part, IndirectObject):
            copy = self._known.get(part.idnum)
            if copy is None:
                held = part.get_object()
                assert held is not None
                copy = self._known[part.idnum] = self._writer._add_object(held)
                self._todo.append(held)
            return copy
        if isinstance(part, ArrayObject | DictionaryObject):
            self._renumber(part)
        return part

    def _renumber(self, part: Any) -> None:
        """Let an object, and all that it contains, refer to copies."""
        from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

        if isinstance(part, ArrayObject):
            part[:] = [self._moved(held) for held in list.__iter__(part)]
        elif isinstance(part, DictionaryObject):
            for name in part:
                held = part.raw_get(name)
                moved = NumberObject(int(held) + self._next_key) if name in _KEYS else self._moved(held)
                part[NameObject(name)] = moved


def _identify(writer: PdfWriter, parts: Sequence[PdfPart]) -> None:
    """Give a merged document an identifier of its own, and its number of pages."""
    from pypdf.generic import ArrayObject, DecodedStreamObject, NameObject, create_string_object

    digest = hashlib.md5(usedforsecurity=False)
    for part in parts:
        digest.update(hashlib.md5(part.data, usedforsecurity=False).digest())
    named = base64.b64encode(digest.digest()).decode()
    metadata = _dict(writer.root_object["/Metadata"])
    written = metadata.get_data()
    written = re.sub(rb"(ID>)[^<]*(</xmpMM)", rb"\g<1>" + named.encode() + rb"\g<2>", written)
    written = re.sub(rb"(NPages>)\d+", rb"\g<1>%d" % int(_dict(writer.root_object["/Pages"])["/Count"]), written)
    changed = DecodedStreamObject()
    changed.update({NameObject("/Type"): NameObject("/Metadata"), NameObject("/Subtype"): NameObject("/XML")})
    changed.set_data(written)
    writer._replace_object(metadata.indirect_reference, changed)
    writer._ID = ArrayObject([create_string_object(named), create_string_object(named)])


def _dict(held: Any) -> Any:
    """Return a dictionary of a document. Raise CannotMerge if it is something else.

    It is not typed, because the types of pypdf do not know what a dictionary holds."""
    from pypdf.generic import DictionaryObject

    if not isinstance(held, DictionaryObject):
        raise CannotMerge("a document whose parts are not as they must be")
    return held
