"""Documents of cards: the values of their template, and the parts in which they are typeset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.print.pieces.piece import PrintPiece
from fcbdsl.print.press.imposition import Page
from fcbdsl.print.typeset.typesetting import DocumentPart, Typeset, measure_parts, typeset_parts

TEMPLATE = "cards.typ.j2"
SIDES_IN_PART = 108
"""Most sides of pieces in a part of a document, unless two pages have more. Typst needs a megabyte for each, and 60 for
fonts and templates."""


@dataclass(frozen=True, slots=True)
class CardDocument:
    """Cards on pages. `zones`: the width of the safe zone to draw, if any; `kinds`: the names of kinds in bookmarks."""

    title: str
    language: str
    pieces: Sequence[PrintPiece]
    pages: Sequence[Page]
    zones: float | None = None
    kinds: Mapping[str, str] | None = None

    def typeset(
        self, form: str, dpi: int = 300, *, prepress: bool = False, bare: bool = False, ink: str = "full"
    ) -> Typeset:
        """Typeset the document: see `typesetting.typeset`."""
        return typeset_parts(TEMPLATE, self.parts(), form, dpi, prepress=prepress, bare=bare, ink=ink)

    def measure(self) -> Typeset:
        """Return the measures of the document: see `typesetting.measure_document`."""
        return measure_parts(TEMPLATE, self.parts())

    def parts(self) -> list[DocumentPart]:
        """Return the parts of the document, each with the cards on its pages."""
        parts: list[DocumentPart] = []
        bookmarks = _bookmarks_of(self.pages, self.kinds or {})
        last = ""
        for start, end in _bounds_of_parts(self.pages):
            pages, marks = self.pages[start:end], bookmarks[start:end]
            headings = [
                mark.heading
                for page, page_marks in zip(pages, marks, strict=True)
                for slot, mark in zip(page.slots, page_marks, strict=True)
                if slot.side == "face"
            ]
            continues = bool(parts) and bool(headings) and not headings[0]
            here = {slot.piece.card.key for page in pages for slot in page.slots}
            cards = [piece.card for piece in self.pieces if piece.card.key in here]
            values = {
                "title": self.title, "language": self.language, "cards": cards, "pages": pages, "bookmarks": marks,
                "at": {card.key: at for at, card in enumerate(cards)}, "zones": self.zones,
                "opening": last if continues else "",
            }  # fmt: skip
            parts.append(DocumentPart(values, len(pages), continues))
            last = next((heading for heading in reversed(headings) if heading), last)
        return parts


@dataclass(frozen=True, slots=True)
class _Bookmark:
    """The bookmarks of a side of a piece: the name of a kind above it ("": none), and itself."""

    heading: str
    first: bool


def _bookmarks_of(pages: Sequence[Page], kinds: Mapping[str, str]) -> list[list[_Bookmark]]:
    """Return the bookmarks of each page: a kind and a piece are marked where they occur for the first time."""
    seen: set[str] = set()

    def new(word: str) -> bool:
        is_new = word not in seen
        seen.add(word)
        return is_new

    def marked(key: str, side: str) -> _Bookmark:
        first = side == "face" and new(key)
        kind = key.partition("/")[0]
        return _Bookmark(kinds.get(kind, kind) if first and new(kind) else "", first)

    return [[marked(slot.piece.card.key, slot.side) for slot in page.slots] for page in pages]


def _bounds_of_parts(pages: Sequence[Page]) -> Iterator[tuple[int, int]]:
    """Yield where each part begins and ends: with an even number of pages, for the faces and backs of a sheet."""
    start, sides = 0, 0
    for at in range(0, len(pages), 2):
        more = sum(len(page.slots) for page in pages[at : at + 2])
        if sides and sides + more > SIDES_IN_PART:
            yield start, at
            start, sides = at, 0
        sides += more
    yield start, len(pages)
