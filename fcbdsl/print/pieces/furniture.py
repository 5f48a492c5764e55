"""Furniture: pale decorative drawings of a region in free corners of its spaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fcbdsl.language.model.content import Board
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.plots import LINE, Outline, Plot
from fcbdsl.print.layout.views import CellView, FurnitureView, Point, RegionView
from fcbdsl.print.pieces.looks import declared_drawings
from fcbdsl.print.pieces.regions import INSET, STEP, levels_of

SIZE, CLEAR = 4.8, 0.7
"""Size of a drawing, and its distance from everything else, in the units of maps."""
OF_DISC, HIGH, LETTER = 0.66, 2.4, 0.8
"""The radius of a disc relative to its size; the height of the name of a space, and half the width of its letters."""
BOLD = 1.35
"""Greatest width of a letter in the name of a region."""
FURNISHED = ("plain", "tinted")
"""Styles of ground with furniture."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def add_furniture(
    cells: Sequence[CellView],
    board: Board,
    model: Model,
    plots: Mapping[str, Plot],
    regions: Sequence[RegionView],
    discs: Sequence[Point],
    disc: float,
) -> tuple[CellView, ...]:
    """Return the spaces of a map with furniture: the drawings of their region in turn, in one or two corners of each.

    `discs`: the centers of letters of sides; `disc`: their radius.
    """
    if board.sort not in ("square", "square-8", "areas"):
        return tuple(cells)
    levels = levels_of(board.regions)
    obstacles = [_named(region) for region in regions] + [_round(at, disc) for at in discs]
    furnished, count = [], 0
    for cell in cells:
        inside = [name for name, spaces in board.regions.items() if cell.id in spaces]
        names = next((drawn for region in inside if (drawn := declared_drawings(model, region))), ())
        stands: list[FurnitureView] = []
        if names and cell.style in FURNISHED:
            rim = INSET + STEP * max(levels[region] for region in inside) + CLEAR
            taken = [*obstacles, *_of_space(cell)]
            most = len(plots[cell.id].units) + 1 if board.sort == "areas" else 1
            for at in _corners(cell.outlines, rim, count):
                box = _round(at, SIZE / 2 + CLEAR)
                if len(stands) < most and not any(_meet(box, other) for other in taken):
                    middle = Point(round(at.x, 2), round(at.y, 2))
                    stands.append(FurnitureView(names[count % len(names)], middle, SIZE))
                    taken.append(box)
                    count += 1
        furnished.append(replace(cell, furniture=tuple(stands)))
    return tuple(furnished)


def _corners(outlines: Sequence[Outline], rim: float, turned: int) -> Iterator[Point]:
    """Yield the possible places in the corners of a space, from one of them on, the opposite one second."""
    outline = outlines[0]
    left, right = min(at.x for at in outline), max(at.x for at in outline)
    top, low = min(at.y for at in outline), max(at.y for at in outline)
    if len(outlines) > 1 or len(outline) != 4:
        return
    by = rim + SIZE / 2
    places = [(right - by, low - by), (left + by, top + by), (right - by, top + by), (left + by, low - by)]
    start = turned % 2 * 2
    for x, y in places[start:] + places[:start]:
        yield Point(x, y)


def _of_space(cell: CellView) -> Iterator[Box]:
    """Yield the boxes of a space that must stay free: its symbols and its name."""
    for spot in cell.spots:
        yield _round(spot, cell.size * OF_DISC)
    half = len(cell.name) * LETTER
    yield (cell.named.x - half, cell.named.y - HIGH, cell.named.x + half, cell.named.y + CLEAR)


def _named(region: RegionView) -> Box:
    """Return the box of the name of a region."""
    wide = max(map(len, region.name)) * BOLD
    left = region.label.x - (0.0 if region.anchor == "start" else wide / 2)
    return (left, region.label.y - HIGH, left + wide, region.label.y + LINE * (len(region.name) - 1) + CLEAR)


def _round(at: Point, reach: float) -> Box:
    """Return the box around a point."""
    return (at.x - reach, at.y - reach, at.x + reach, at.y + reach)


def _meet(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
