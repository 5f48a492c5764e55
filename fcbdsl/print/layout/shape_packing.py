"""Packs shapes on sheets: each goes into the space that earlier ones leave, in the best rotation.

A sheet and a shape are rows of bits, one per millimeter. A shape covers the bits within its minimum distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor

Point = tuple[float, float]
Shape = Sequence[Sequence[Point]]
"""Convex polygons."""

NEAR = 1.0
"""Clear distance around a shape in millimeters: two shapes are twice as far apart."""
TURNS = (0, 90, 180, 270)


def rotate_point(point: Point, turn: int, width: float, height: float) -> Point:
    """Return the position of a point of a shape that is rotated clockwise by `turn` degrees. Width and height: of the
    shape."""
    x, y = point
    return {0: (x, y), 90: (height - y, x), 180: (width - x, height - y), 270: (y, width - x)}[turn]


class NestingShape:
    """A shape with a width and a height, as rows of bits for each rotation: made once for all sheets."""

    def __init__(self, shape: Shape, width: float, height: float) -> None:
        self.turns = [
            (turn, *((width, height) if turn % 180 == 0 else (height, width)), self._rows(shape, turn, width, height))
            for turn in TURNS
        ]

    @staticmethod
    def _rows(shape: Shape, turn: int, width: float, height: float) -> list[int]:
        there = [[rotate_point(point, turn, width, height) for point in outline] for outline in shape]
        return raster(there, height if turn % 180 == 0 else width)


class NestingSheet:
    """A sheet that is filled with one shape after another."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._across = floor(width) + 2 * ceil(NEAR)
        self._rows = [0] * (floor(height) + 2 * ceil(NEAR))

    @property
    def room(self) -> int:
        """Return the free area in square millimeters."""
        return sum(self._across - row.bit_count() for row in self._rows)

    def lay(self, shape: NestingShape) -> tuple[int, float, float] | None:
        """Place a shape as near to the upper edge as possible; None if there is no space.

        Return its rotation, and its distance from the left and upper edge.
        """
        best: tuple[float, int, int, int, list[int]] | None = None
        for turn, wide, high, rows in shape.turns:
            if wide > self.width or high > self.height:
                continue
            place = (0, 0) if not any(self._rows) else self._free(rows, ceil(wide + 2 * NEAR))
            if place is not None and (best is None or place[1] + high < best[0]):
                best = (place[1] + high, turn, *place, rows)
        if best is None:
            return None
        _, turn, left, top, rows = best
        for at, row in enumerate(rows[: len(self._rows) - top]):
            self._rows[top + at] |= row << left
        return turn, float(left), float(top)

    def _free(self, rows: Sequence[int], wide: int) -> tuple[int, int] | None:
        """Return the place nearest to the upper edge, then to the left one, where rows of bits cover no covered
        bits."""
        places = self._across - wide + 1
        if places <= 0:
            return None
        every = (1 << places) - 1
        misses: dict[tuple[int, int], int] = {}
        broad = sorted(range(len(rows)), key=lambda at: -rows[at].bit_count())  # these exclude most places
        for top in range(len(self._rows) - len(rows) + 1):
            free = every
            for at in broad:
                held, row = self._rows[top + at], rows[at]
                if held:
                    if (held, row) not in misses:
                        misses[held, row] = ~_hit(held, row)
                    free &= misses[held, row]
                    if not free:
                        break
            if free:
                return (free & -free).bit_length() - 1, top
        return None


def _hit(held: int, row: int) -> int:
    """Return a mask of the shifts at which a row would cover an occupied bit."""
    hits = 0
    for first, length in _runs(row):
        part, done = held >> first, 1
        while done < length:  # each occupied bit, and those before it
            step = min(done, length - done)
            part |= part >> step
            done += step
        hits |= part
    return hits


def _runs(row: int) -> Iterator[tuple[int, int]]:
    """Yield the start and the length of each run of set bits."""
    at = 0
    while row:
        skip = (row & -row).bit_length() - 1
        row >>= skip
        at += skip
        length = (~row & (row + 1)).bit_length() - 1
        yield at, length
        row >>= length
        at += length


def raster(shape: Shape, high: float) -> list[int]:
    """Return a shape as bitmap rows of a millimeter, with the clear distance around it. `high`: its height."""
    rows = [0] * ceil(high + 2 * NEAR)
    for polygon in shape:
        heights = [y for _, y in polygon]
        for at in range(max(0, floor(min(heights)) - 1), min(len(rows), ceil(max(heights) + 2 * NEAR) + 1)):
            span = _span(polygon, at - 2 * NEAR, at + 1.0)  # the part within the clear distance of this row
            if span is not None:
                first, last = floor(span[0]), ceil(span[1] + 2 * NEAR)
                rows[at] |= (1 << last) - (1 << first)
    return rows


def _span(polygon: Sequence[Point], top: float, low: float) -> tuple[float, float] | None:
    """Return the horizontal extent of a polygon between two heights; None if it has none there."""
    abscissas = [x for x, y in polygon if top <= y <= low]
    for (x, y), (to_x, to_y) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        for at in (top, low):
            if min(y, to_y) < at < max(y, to_y):
                abscissas.append(x + (to_x - x) * (at - y) / (to_y - y))
    return (min(abscissas), max(abscissas)) if abscissas else None
