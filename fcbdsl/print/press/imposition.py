"""Imposition: the places of pieces on sheets of paper, of backs behind their faces, and of cuts. In millimeters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.print.layout.formats import Paper, PieceSize
from fcbdsl.print.pieces.piece import PrintPiece

BACKS = ("long", "short", "fold", "separate", "none")
"""How backs are printed: the sheet is turned over its long or its short edge, folded, printed separately; or no
backs."""
CUTS = ("butt", "gutter")
"""Whether pieces touch, so that one cut separates two of them, or have gaps with a bleed for each."""

MARGIN = 4.5
"""The width of the edge of a sheet that printers can't reach."""
BLEEDS = (3.0, 2.5, 2.0, 1.5, 1.0)
"""The bleeds to choose from: the largest with which as many pieces fit as without any."""
MARK = 3.0
"""The greatest length of a cut mark, and its distance from print."""
APART = 0.8


class TooLargeForPaper(Exception):
    """A piece of `size` does not fit the paper."""

    def __init__(self, size: PieceSize, paper: Paper) -> None:
        super().__init__(f"{size.name} does not fit {paper.title}")
        self.size = size
        self.paper = paper


@dataclass(frozen=True, slots=True)
class Edges:
    """A width at each edge of a piece, as seen on the page."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


@dataclass(frozen=True, slots=True)
class PieceSlot:
    """A side of a piece (``face`` or ``back``) on a page: the upper left corner after cutting, and the bleed beyond
    that. `turned`: it is upside down."""

    piece: PrintPiece
    side: str
    size: PieceSize
    x: float
    y: float
    bleed: Edges
    turned: bool = False


@dataclass(frozen=True, slots=True)
class CutMark:
    """A line on a page: a cut mark, or a fold mark."""

    x: float
    y: float
    to_x: float
    to_y: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """A registration mark: its middle and its radius."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a sheet: `side` is ``face``, ``back`` or, on a sheet to be folded, ``both``.

    `beyond`: how far the page is printed beyond its edges, at which it is then cut.
    """

    side: str
    width: float
    height: float
    slots: tuple[PieceSlot, ...]
    marks: tuple[CutMark, ...] = ()
    beyond: float = 0.0
    dots: tuple[Dot, ...] = ()


@dataclass(frozen=True, slots=True)
class Laying:
    """How pieces are placed on paper. `bleed`: how far they are drawn beyond their edges (if they touch: beyond the
    outer ones); None chooses what fits. `offset`: how far backs are moved right and down. `across`: landscape sheets
    are allowed if they hold more."""

    paper: Paper
    backs: str = "long"
    cut: str = "butt"
    bleed: float | None = None
    offset: tuple[float, float] = (0.0, 0.0)
    across: bool = True


@dataclass(frozen=True, slots=True)
class PlaceGrid:
    """A grid of places of one size on a sheet: the first corner, the numbers of columns and rows, and the gap."""

    size: PieceSize
    left: float
    top: float
    columns: int
    rows: int
    gap: float
    bleed: float

    @property
    def places(self) -> int:
        """Return the number of pieces that a sheet holds."""
        return self.columns * self.rows

    def column(self, at: int) -> float:
        """Return the left edge of a column."""
        return round(self.left + at * (self.size.width + self.gap), 3)

    def row(self, at: int) -> float:
        """Return the upper edge of a row."""
        return round(self.top + at * (self.size.height + self.gap), 3)


def impose(pieces: Sequence[PrintPiece], sizes: Sequence[PieceSize], laying: Laying) -> tuple[Page, ...]:
    """Return the pages with all copies of the pieces, size by size in the order of `sizes`, as many to a page as fit.

    Faces and backs alternate. Turning the sheet as `laying` defines brings each back behind its face, upright when the
    piece is turned over like the page of a book. Raise TooLargeForPaper.
    """
    pages: list[Page] = []
    for size in sizes:
        lot = [piece for piece in pieces if piece.card.size == size.name for _ in range(piece.copies)]
        if lot:
            pages += _folded(lot, size, laying) if laying.backs == "fold" else _turned(lot, size, laying)
    return tuple(pages)


def one_up(
    pieces: Sequence[PrintPiece], sizes: Sequence[PieceSize], order: Sequence[str], bleed: float
) -> tuple[Page, ...]:
    """Return a page for each side of each piece, as large as the piece and printed `bleed` beyond its edges.

    The sides of a piece come in the given `order`.
    """
    edges = Edges(bleed, bleed, bleed, bleed)
    return tuple(
        Page(side, size.width, size.height, (PieceSlot(piece, side, size, 0.0, 0.0, edges),), beyond=bleed)
        for size in sizes
        for piece in pieces
        if piece.card.size == size.name
        for _ in range(piece.copies)
        for side in order
    )


def with_bleed(page: Page) -> Page:
    """Return the page as a picture whose edges include the bleed."""
    wide = page.beyond
    slots = tuple(_moved(slot, wide, wide) for slot in page.slots)
    return Page(page.side, round(page.width + 2 * wide, 3), round(page.height + 2 * wide, 3), slots)


def grid_of(size: PieceSize, laying: Laying, width: float, height: float) -> PlaceGrid:
    """Return the grid for a size on a sheet, or a part of one, of some width and height. Raise TooLargeForPaper."""
    gutter = laying.cut == "gutter"
    chosen = (laying.bleed,) if laying.bleed is not None else (*BLEEDS, 0.0)
    tried = [_grid(size, bleed, gutter, width, height) for bleed in chosen]
    if gutter and tried[0].places:
        tried = [grid for grid in tried if grid.bleed or len(chosen) == 1]  # a bleed is worth fewer pieces on a sheet
    best = max(tried, key=lambda grid: grid.places)  # the first of the best
    if best.places == 0:
        raise TooLargeForPaper(size, laying.paper)
    return best


def _way(size: PieceSize, laying: Laying) -> tuple[PlaceGrid, float, float]:
    """Return the grid for a size on an upright sheet or, if that holds more, a landscape one; and its width and height.

    Backs with an offset for the printer use upright sheets, since how a printer turns others is unknown. Raise
    TooLargeForPaper.
    """
    paper = laying.paper
    ways = [(paper.width, paper.height), (paper.height, paper.width)][
        : 2 if laying.across and not any(laying.offset) else 1
    ]
    layouts: list[tuple[PlaceGrid, float, float]] = []
    for width, height in ways:
        try:
            layouts.append((grid_of(size, laying, width, height), width, height))
        except TooLargeForPaper:
            continue
    if not layouts:
        raise TooLargeForPaper(size, paper)
    return max(layouts, key=lambda way: (way[0].bleed > 0 or laying.cut == "butt", way[0].places))


def _grid(size: PieceSize, bleed: float, gutter: bool, width: float, height: float) -> PlaceGrid:
    gap = 2 * bleed if gutter else 0.0
    room_x, room_y = width - 2 * (MARGIN + bleed), height - 2 * (MARGIN + bleed)
    columns = int((room_x + gap + 1e-6) // (size.width + gap))
    rows = int((room_y + gap + 1e-6) // (size.height + gap))
    if columns <= 0 or rows <= 0:
        columns = rows = 0
    left = (width - columns * (size.width + gap) + gap) / 2
    top = (height - rows * (size.height + gap) + gap) / 2
    return PlaceGrid(size, round(left, 3), round(top, 3), columns, rows, gap, bleed)


def _turned(lot: Sequence[PrintPiece], size: PieceSize, laying: Laying) -> Iterator[Page]:
    """Yield sheets with their backs, if any, on the other side; landscape if that holds more."""
    grid, width, height = _way(size, laying)
    upright = (laying.backs != "short") == (height >= width)  # the axis about which the sheet is turned
    move_x, move_y = laying.offset
    for start in range(0, len(lot), grid.places):
        slots = tuple(_laid(lot[start : start + grid.places], grid))
        marks = tuple(_marks(grid, len(slots), width, height))
        yield Page("face", width, height, slots, marks)
        if laying.backs == "none":
            continue
        behind = tuple(_moved(_behind(slot, width, height, upright), move_x, move_y) for slot in slots)
        turned = (_reflected(mark, width, height, upright) for mark in marks)
        shifted = tuple(
            CutMark(mark.x + move_x, mark.y + move_y, mark.to_x + move_x, mark.to_y + move_y) for mark in turned
        )
        yield Page("back", width, height, behind, shifted)


def _folded(lot: Sequence[PrintPiece], size: PieceSize, laying: Laying) -> Iterator[Page]:
    """Yield sheets that are folded in the middle, along the axis that holds more pieces."""
    paper = laying.paper
    fits: list[tuple[PlaceGrid, bool, float, float]] = []
    for width, height in ((paper.width, paper.height), (paper.height, paper.width)):
        for upright in (False, True):
            try:
                grid = grid_of(size, laying, width / 2 if upright else width, height if upright else height / 2)
            except TooLargeForPaper:
                continue
            fits.append((grid, upright, width, height))
    if not fits:
        raise TooLargeForPaper(size, paper)
    grid, upright, width, height = max(fits, key=lambda fit: fit[0].places)
    for start in range(0, len(lot), grid.places):
        slots = tuple(_laid(lot[start : start + grid.places], grid))
        near = tuple(
            _marks(grid, len(slots), width / 2 if upright else width, height if upright else height / 2, upright)
        )
        far = tuple(_reflected(mark, width, height, upright) for mark in near)
        fold = (
            (
                CutMark(width / 2, 1.0, width / 2, 4.0, True),
                CutMark(width / 2, height - 4.0, width / 2, height - 1.0, True),
            )
            if upright
            else (
                CutMark(1.0, height / 2, 4.0, height / 2, True),
                CutMark(width - 4.0, height / 2, width - 1.0, height / 2, True),
            )
        )
        behind = tuple(_behind(slot, width, height, upright) for slot in slots)
        yield Page("both", width, height, slots + behind, near + far + fold)


def _laid(lot: Sequence[PrintPiece], grid: PlaceGrid) -> Iterator[PieceSlot]:
    """Yield faces on the places of a grid, row by row, with a bleed at edges that touch no other piece."""
    wide = grid.bleed
    for place, piece in enumerate(lot):
        row, column = divmod(place, grid.columns)
        if grid.gap:
            edges = Edges(wide, wide, wide, wide)
        else:
            last = column == grid.columns - 1 or place == len(lot) - 1
            below = place + grid.columns >= len(lot)
            edges = Edges(0.0 if column else wide, 0.0 if row else wide, wide if last else 0.0, wide if below else 0.0)
        yield PieceSlot(piece, "face", grid.size, grid.column(column), grid.row(row), edges)


def _behind(slot: PieceSlot, width: float, height: float, upright: bool) -> PieceSlot:
    """Return the back of a face on a sheet that is turned, or folded, about its vertical or its horizontal axis."""
    edges = slot.bleed
    if upright:
        x, y = round(width - slot.x - slot.size.width, 3), slot.y
        return PieceSlot(slot.piece, "back", slot.size, x, y, Edges(edges.right, edges.top, edges.left, edges.bottom))
    x, y = slot.x, round(height - slot.y - slot.size.height, 3)
    return PieceSlot(slot.piece, "back", slot.size, x, y, Edges(edges.left, edges.bottom, edges.right, edges.top), True)


def _moved(slot: PieceSlot, x: float, y: float) -> PieceSlot:
    return PieceSlot(
        slot.piece, slot.side, slot.size, round(slot.x + x, 3), round(slot.y + y, 3), slot.bleed, slot.turned
    )


def _reflected(mark: CutMark, width: float, height: float, upright: bool) -> CutMark:
    if upright:
        return CutMark(width - mark.x, mark.y, width - mark.to_x, mark.to_y)
    return CutMark(mark.x, height - mark.y, mark.to_x, height - mark.to_y)


def _marks(grid: PlaceGrid, count: int, width: float, height: float, upright: bool | None = None) -> Iterator[CutMark]:
    """Yield cut marks at every edge of the first `count` places, only in the margins; a half of a folded sheet has none
    at the fold."""
    columns, rows = min(grid.columns, count), -(-count // grid.columns)
    beyond = grid.bleed + APART
    left, top = grid.left - beyond, grid.top - beyond
    right = grid.column(grid.columns - 1) + grid.size.width + beyond
    bottom = grid.row(grid.rows - 1) + grid.size.height + beyond
    for x in _edges([grid.column(at) for at in range(columns)], grid.size.width):
        yield CutMark(x, max(0.0, top - MARK), x, top)
        if upright is not False:
            yield CutMark(x, bottom, x, min(height, bottom + MARK))
    for y in _edges([grid.row(at) for at in range(rows)], grid.size.height):
        yield CutMark(max(0.0, left - MARK), y, left, y)
        if upright is not True:
            yield CutMark(right, y, min(width, right + MARK), y)


def _edges(starts: Sequence[float], length: float) -> list[float]:
    """Return where something begins and ends; coordinates at which one ends and the next begins occur once."""
    return sorted({round(at, 3) for start in starts for at in (start, start + length)})
