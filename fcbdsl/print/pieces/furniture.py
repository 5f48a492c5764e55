"""What stands in corners of spaces for its looks alone: drawings of their region, pale, where nothing else is."""

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
"""How large a drawing is, and how far from all else it stands, in the units of maps."""
OF_DISC, HIGH, LETTER = 0.66, 2.4, 0.8
"""The radius of a disc against its size; of the name of a space, its height and half of how wide a letter is."""
BOLD = 1.35
"""How wide a letter of the name of a region is at most."""
FURNISHED = ("plain", "tinted")
"""Styles of ground on which something stands."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def furnished(
    cells: Sequence[CellView],
    board: Board,
    model: Model,
    plots: Mapping[str, Plot],
    regions: Sequence[RegionView],
    discs: Sequence[Point],
    disc: float,
) -> tuple[CellView, ...]:
    """The spaces of a map with what stands in them: of the drawings declared for the region that they are in one after
    the other, in one or two corners of each. `discs`: the middles of letters of sides, of that radius."""
    if board.sort not in ("square", "square-8", "areas"):
        return tuple(cells)
    levels = levels_of(board.regions)
    told = [_named(region) for region in regions] + [_round(at, disc) for at in discs]
    made, count = [], 0
    for cell in cells:
        inside = [name for name, spaces in board.regions.items() if cell.id in spaces]
        names = next((found for one in inside if (found := declared_drawings(model, one))), ())
        stands: list[FurnitureView] = []
        if names and cell.style in FURNISHED:
            rim = INSET + STEP * max(levels[one] for one in inside) + CLEAR
            taken = [*told, *_of_space(cell)]
            most = len(plots[cell.id].units) + 1 if board.sort == "areas" else 1
            for at in _corners(cell.outlines, rim, count):
                box = _round(at, SIZE / 2 + CLEAR)
                if len(stands) < most and not any(_meet(box, other) for other in taken):
                    middle = Point(round(at.x, 2), round(at.y, 2))
                    stands.append(FurnitureView(names[count % len(names)], middle, SIZE))
                    taken.append(box)
                    count += 1
        made.append(replace(cell, furniture=tuple(stands)))
    return tuple(made)


def _corners(outlines: Sequence[Outline], rim: float, turned: int) -> Iterator[Point]:
    """Where a drawing may stand in the corners of a space, from one of them on, the opposite one second."""
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
    """What a space shows that nothing is to stand on: its symbols and its name."""
    for spot in cell.spots:
        yield _round(spot, cell.size * OF_DISC)
    half = len(cell.name) * LETTER
    yield (cell.named.x - half, cell.named.y - HIGH, cell.named.x + half, cell.named.y + CLEAR)


def _named(region: RegionView) -> Box:
    """Where the name of a region stands."""
    wide = max(map(len, region.name)) * BOLD
    left = region.label.x - (0.0 if region.anchor == "start" else wide / 2)
    return (left, region.label.y - HIGH, left + wide, region.label.y + LINE * (len(region.name) - 1) + CLEAR)


def _round(at: Point, reach: float) -> Box:
    """The box round a point."""
    return (at.x - reach, at.y - reach, at.x + reach, at.y + reach)


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
