"""Where cards lie on sheets of paper, and how backs meet their faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fcbdsl.render.views import Card

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
SIZES = {"card": (63.0, 88.0), "board": (88.0, 126.0)}
"""Width and height of a card's sizes in millimetres."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card and its upper left corner on the page, in millimetres."""

    card: Card
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a sheet: `side` is ``face`` or ``back``; the grid's corner and its cells in millimetres."""

    side: str
    left: float
    top: float
    columns: int
    rows: int
    width: float
    height: float
    slots: tuple[PlacedCard, ...]


@dataclass(frozen=True, slots=True)
class Imposition:
    """All pages of a printing; faces and backs alternate, for printing on both sides."""

    page_width: float
    page_height: float
    pages: tuple[Page, ...]


def impose(cards: Sequence[Card], paper: str) -> Imposition:
    """Lay cards out, as many to a page as fit, without gaps, cards before boards.

    Backs are mirrored from left to right, so that they meet their faces when the sheet is turned over its long
    edge; a page that is not full leaves the same places empty on both sides.
    """
    page_width, page_height = PAPERS[paper]
    pages: list[Page] = []
    for size, (width, height) in SIZES.items():
        chosen = [card for card in cards if card.size == size]
        columns, rows = int(page_width // width), int(page_height // height)
        left = round((page_width - columns * width) / 2, 3)
        top = round((page_height - rows * height) / 2, 3)
        for start in range(0, len(chosen), columns * rows):
            faces, backs = [], []
            for place, card in enumerate(chosen[start : start + columns * rows]):
                row, column = divmod(place, columns)
                y = round(top + row * height, 3)
                faces.append(PlacedCard(card, round(left + column * width, 3), y))
                backs.append(PlacedCard(card, round(left + (columns - 1 - column) * width, 3), y))
            for side, slots in (("face", faces), ("back", backs)):
                pages.append(Page(side, left, top, columns, rows, width, height, tuple(slots)))
    return Imposition(page_width, page_height, tuple(pages))
