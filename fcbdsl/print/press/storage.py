"""Folding boxes for decks, and dividers between them. All lengths in millimeters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.formats import Paper
from fcbdsl.print.layout.shape_packing import NestingShape, NestingSheet, rotate_point
from fcbdsl.print.layout.views import Back
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.contents import kind_title, number_of_pieces
from fcbdsl.print.pieces.piece import PrintPiece
from fcbdsl.print.press.imposition import MARGIN

LOOSE = 1.5
"""How much wider, higher and deeper a box is than its content."""
SLEEVED = 3.0
"""How much wider and higher a sleeve is than its card."""
SHALLOW = 10.0
"""Least depth of a box, for the fingers."""
GLUE, TUCK, DUST = 11.0, 14.0, 13.0
"""The width of the glue flap, and the greatest lengths of tuck flaps and dust flaps."""
TAPER = 3.0
"""How much narrower a flap is at its end, on each side."""
TAB = 9.0
"""The height of the tab of a divider."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StoredDeck:
    """A deck to store: the pieces of a kind (`key`), or of all kinds with the same title or back.

    It has a title, the number of pieces in words, width, height and depth, and a back.
    """

    key: str
    title: str
    count: str
    width: float
    height: float
    depth: float
    back: Back


@dataclass(frozen=True, slots=True)
class StoragePanel:
    """A face of a box or a divider: its corners, clockwise. `shows`: all (front), title (a narrow side) or nothing;
    `turn`: its rotation in degrees."""

    corners: tuple[Point, ...]
    shows: str = ""
    turn: int = 0


@dataclass(frozen=True, slots=True)
class StoragePage:
    """A sheet with panels, each with its deck, and its cut and fold lines."""

    width: float
    height: float
    panels: tuple[tuple[StoredDeck, StoragePanel], ...]
    cuts: tuple[tuple[Point, Point], ...]
    folds: tuple[tuple[Point, Point], ...]


def decks_of(
    pieces: Sequence[PrintPiece], model: Model, language: str, thickness: float, sleeve: float
) -> list[StoredDeck]:
    """Return the decks of some pieces: see `deck_kind`. `thickness`: millimeters of a card; `sleeve`: millimeters of
    the film of a sleeve, 0 without one."""
    by_kind: dict[tuple[str, str], list[PrintPiece]] = {}
    for piece in pieces:
        by_kind.setdefault((piece.deck_in(model).id, piece.card.size), []).append(piece)
    decks = []
    for (kind, named), stack in by_kind.items():
        size = sizes_of(model)[named]
        more = SLEEVED if sleeve else 0.0
        tall = sum(piece.copies for piece in stack) * (thickness + 2 * sleeve)
        deck = StoredDeck(
            kind,
            kind_title(model.kinds[kind], model, language),
            number_of_pieces(stack, language),
            size.width + more + LOOSE,
            size.height + more + LOOSE,
            max(SHALLOW, ceil(10 * (tall + LOOSE)) / 10),
            stack[0].card.back,
        )
        decks.append(deck)
    return decks


def net_of(deck: StoredDeck) -> tuple[StoragePanel, ...]:
    """Return the panels of a box, unfolded, from the upper left corner.

    In order: a glue flap, side, front, side, back; lid and bottom at the back, with tuck flaps; dust flaps at the
    sides.
    """
    w, h, d = deck.width, deck.height, deck.depth
    dust = min(DUST, d, w / 2 - 1)
    top, low = TUCK + d, TUCK + d + h
    side, front, other, back = GLUE, GLUE + d, GLUE + d + w, GLUE + 2 * d + w
    panels = [
        StoragePanel(((0.0, top + TAPER), (side, top), (side, low), (0.0, low - TAPER))),
        _box(side, top, d, h, "title"),
        _box(front, top, w, h, "all"),
        _box(other, top, d, h, "title"),
        _box(back, top, w, h, "all"),
        _box(back, TUCK, w, d, "title"),
        _flap(back, TUCK, w, -TUCK),
        _box(back, low, w, d, ""),
        _flap(back, low + d, w, TUCK),
    ]
    for left in (side, other):
        panels += [_flap(left, top, d, -dust), _flap(left, low, d, dust)]
    return tuple(panels)


def extent_of(panels: Sequence[StoragePanel]) -> tuple[float, float]:
    """Return the width and height of some panels."""
    points = [point for panel in panels for point in panel.corners]
    return max(x for x, _ in points), max(y for _, y in points)


def box_pages(decks: Sequence[StoredDeck], paper: Paper) -> tuple[list[StoragePage], list[StoredDeck]]:
    """Return sheets with the boxes of some decks, and the decks whose boxes do not fit.

    The largest come first. Each is turned and moved into the free space of the first sheet that has enough.
    """
    sheets: list[tuple[NestingSheet, list[tuple[StoredDeck, StoragePanel]]]] = []
    without = []
    for deck in sorted(decks, key=lambda deck: -_area(net_of(deck))):
        net = net_of(deck)
        wide, high = extent_of(net)
        shape, area = NestingShape([panel.corners for panel in net], wide, high), _area(net)
        for sheet, laid in (*sheets, (NestingSheet(paper.width - 2 * MARGIN, paper.height - 2 * MARGIN), [])):
            place = sheet.lay(shape) if sheet.room > area else None
            if place is None:
                continue
            turn, left, top = place
            for panel in net:
                there = [rotate_point(corner, turn, wide, high) for corner in panel.corners]
                laid.append((deck, StoragePanel(tuple((x + left, y + top) for x, y in there), panel.shows, turn)))
            if not any(laid is held for _, held in sheets):
                sheets.append((sheet, laid))
            break
        else:
            without.append(deck)
    return [_box_page(laid, paper) for _, laid in sheets], without


def _area(panels: Sequence[StoragePanel]) -> float:
    """Return the area of some panels."""
    return sum(
        abs(sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairwise((*panel.corners, panel.corners[0])))) / 2
        for panel in panels
    )


def _box_page(laid: Sequence[tuple[StoredDeck, StoragePanel]], paper: Paper) -> StoragePage:
    """Return boxes in the middle of a sheet."""
    wide, high = extent_of([panel for _, panel in laid])
    right, down = (paper.width - wide) / 2, (paper.height - high) / 2
    panels = tuple(
        (deck, StoragePanel(_rounded((x + right, y + down) for x, y in panel.corners), panel.shows, panel.turn))
        for deck, panel in laid
    )
    return StoragePage(paper.width, paper.height, panels, *_lines([panel for _, panel in panels]))


def divider_pages(decks: Sequence[StoredDeck], paper: Paper) -> list[StoragePage]:
    """Return sheets with a divider for each deck, size by size, with tabs at three positions in turn.

    Dividers larger than the paper are left out.
    """
    pages = []
    for width, height in dict.fromkeys((deck.width, deck.height) for deck in decks):
        lot = [deck for deck in decks if (deck.width, deck.height) == (width, height)]
        wide, high = width - LOOSE, height - LOOSE + TAB
        columns, rows = int((paper.width - 2 * MARGIN) // wide), int((paper.height - 2 * MARGIN) // high)
        left, top = (paper.width - columns * wide) / 2, (paper.height - rows * high) / 2
        for start in range(0, len(lot) if columns and rows else 0, max(1, columns * rows)):
            outlines: list[StoragePanel] = []
            labels: list[tuple[StoredDeck, StoragePanel]] = []
            for place, deck in enumerate(lot[start : start + columns * rows]):
                row, column = divmod(place, columns)
                x, y, tab = left + column * wide, top + row * high, wide / 3
                at = x + (start + place) % 3 * tab
                outline = [(x, y + TAB), (at, y + TAB), (at, y), (at + tab, y), (at + tab, y + TAB)]
                outline += [(x + wide, y + TAB), (x + wide, y + high), (x, y + high)]
                outlines.append(StoragePanel(_rounded(dict.fromkeys(outline))))
                labels.append((deck, _box(x, y + TAB, wide, high - TAB, "all")))
                labels.append((deck, StoragePanel(_rounded(_box(at, y, tab, TAB, "").corners), "title")))
            cuts = (*_lines(outlines)[0], *_lines(outlines)[1])  # one cut separates neighbors
            pages.append(StoragePage(paper.width, paper.height, tuple(labels), cuts, ()))
    return pages


def _box(x: float, y: float, width: float, height: float, shows: str) -> StoragePanel:
    return StoragePanel(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), shows)


def _flap(x: float, y: float, width: float, length: float) -> StoragePanel:
    """Return a flap below (with a negative length, above) an edge, narrower at its end."""
    taper = min(TAPER, width / 4)
    return StoragePanel(((x, y), (x + width, y), (x + width - taper, y + length), (x + taper, y + length)))


def _rounded(corners: Iterable[Point]) -> tuple[Point, ...]:
    return tuple((round(x, 3), round(y, 3)) for x, y in corners)


Edge = tuple[Point, Point]


def _lines(panels: Sequence[StoragePanel]) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
    """Return the edges of some panels, each once: those of one panel, and shared ones."""
    edges: Counter[Edge] = Counter()
    for panel in panels:
        for start, end in zip(panel.corners, (*panel.corners[1:], panel.corners[0]), strict=True):
            edges[min(start, end), max(start, end)] += 1
    return tuple(edge for edge, count in edges.items() if count == 1), tuple(
        e for e, count in edges.items() if count > 1
    )
