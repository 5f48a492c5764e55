"""Sight and cover by an exact drawing: polygons cut by a segment, in fractions.

It follows the rules alone, without the algorithms of the engine, to check these.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from small_boards import OBSTACLE, WALL, Board, Cell

Point = tuple[Fraction, Fraction]

HEX_CORNERS = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))
"""Corners of the hexagon round (0, 0), when centres are scaled by 3."""


def centre(cell: Cell) -> tuple[int, int]:
    return 3 * cell[0], 3 * cell[1]


def corners(cell: Cell) -> list[tuple[int, int]]:
    x, y = centre(cell)
    return [(x + dx, y + dy) for dx, dy in HEX_CORNERS]


def contact(cell: Cell, a: Cell, b: Cell) -> tuple[Fraction, Fraction] | None:
    """Return the part of the segment a-b (from 0 to 1) in the closed hexagon of a cell, or None."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    low, high = Fraction(0), Fraction(1)
    ring = corners(cell)
    for (px, py), (qx, qy) in zip(ring, ring[1:] + ring[:1], strict=True):
        ex, ey = qx - px, qy - py
        # Inside is where the cross product is not negative (corners turn the same way as the directions).
        at_start = ex * (ay - py) - ey * (ax - px)
        at_end = ex * (by - py) - ey * (bx - px)
        if at_start < 0 and at_end < 0:
            return None
        if at_start < 0 or at_end < 0:
            meet = Fraction(at_start, at_start - at_end)
            if at_start < 0:
                low = max(low, meet)
            else:
                high = min(high, meet)
    return (low, high) if low <= high else None


def point(a: Cell, b: Cell, t: Fraction) -> Point:
    (ax, ay), (bx, by) = centre(a), centre(b)
    return ax + t * (bx - ax), ay + t * (by - ay)


def in_the_interior(cell: Cell, at: Point) -> bool:
    ring = corners(cell)
    return all(
        (qx - px) * (at[1] - py) - (qy - py) * (at[0] - px) > 0
        for (px, py), (qx, qy) in zip(ring, ring[1:] + ring[:1], strict=True)
    )


class Drawing:
    """The cells near a segment, present or missing, and their contacts with it."""

    def __init__(self, board: Board, a: Cell, b: Cell) -> None:
        self.board, self.a, self.b = board, a, b
        columns = range(min(a[0], b[0]) - 2, max(a[0], b[0]) + 3)
        rows = range(min(a[1], b[1]) - 2, max(a[1], b[1]) + 3)
        self.parts: dict[Cell, tuple[Fraction, Fraction]] = {}
        for cell in ((x, y) for x in columns for y in rows):
            part = contact(cell, a, b)
            if part is not None:
                self.parts[cell] = part

    def inside(self, cell: Cell) -> bool:
        low, high = self.parts[cell]
        return low < high and in_the_interior(cell, point(self.a, self.b, (low + high) / 2))

    def is_wall(self, cell: Cell) -> bool:
        return self.board.terrain.get(cell) is WALL

    def shut(self, c: Cell, d: Cell) -> bool:
        return frozenset((c, d)) in self.board.walls

    def closed(self, cell: Cell) -> bool:
        return self.is_wall(cell) or cell not in self.board.at

    def entered(self) -> list[Cell]:
        """Return the cells whose inside the line passes, in order."""
        return sorted((cell for cell in self.parts if self.inside(cell)), key=lambda cell: self.parts[cell])

    def sees(self) -> bool:
        """Return whether the line is free by FCB-LOS-03, 04, 05 and 08."""
        way = self.entered()
        if any(self.is_wall(cell) for cell in way if cell not in (self.a, self.b)):
            return False
        for x, y in pairwise(way):
            leaves, enters = self.parts[x][1], self.parts[y][0]
            others = [
                cell
                for cell, (low, high) in self.parts.items()
                if cell not in (x, y) and low <= enters and high >= leaves
            ]
            if leaves < enters:
                if self.along(x, y, others):
                    return False
            elif others:
                (z,) = others
                round_z = self.closed(z) or self.shut(x, z) or self.shut(z, y)
                if self.shut(x, y) and round_z:
                    return False
            elif self.shut(x, y):
                return False
        return True

    def along(self, x: Cell, y: Cell, flanks: list[Cell]) -> bool:
        c, d = flanks
        if c not in self.board.at and d not in self.board.at:
            return False
        return all(self.closed(f) or self.shut(x, f) or self.shut(f, y) for f in flanks)

    def untouched(self) -> bool:
        """Return whether no wall touches the line: FCB-LOS-04 under `wall-contact = block`."""
        if any(self.is_wall(cell) for cell in self.parts if cell not in (self.a, self.b)):
            return False
        return not any(self.touches_side(*sorted(pair)) for pair in self.board.walls)

    def touches_side(self, c: Cell, d: Cell) -> bool:
        # Where the line is in both closed hexagons, it is on their common side.
        if c not in self.parts or d not in self.parts:
            return False
        (low, high), (other_low, other_high) = self.parts[c], self.parts[d]
        return max(low, other_low) <= min(high, other_high)

    def screens(self, cell: Cell) -> bool:
        """Return whether a cell next to the target b, touched by the line from a, gives cover."""
        return (
            cell in self.parts
            and cell not in (self.a, self.b)
            and self.board.terrain.get(cell) is OBSTACLE
            and not self.shut(cell, self.b)
            and distance(cell, self.b) == 1
        )

    def covered(self) -> bool:
        """Return whether the line touches an obstacle adjacent to the target: FCB-COVER-01, touch."""
        return any(self.screens(cell) for cell in self.parts)

    def covered_inside(self) -> bool:
        """Return whether the line passes through obstacles just before the target: FCB-COVER-03, interior."""
        arrives = self.parts[self.b][0]
        last = [cell for cell, (low, high) in self.parts.items() if cell != self.b and low < high and high == arrives]
        return bool(last) and all(self.screens(cell) for cell in last)


def distance(a: Cell, b: Cell) -> int:
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))
