"""Boards of hexagons or squares: spaces with coordinates, straight lines, sight in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fcbdsl.machine.geometry.coordinates import HEX_AXES, SQUARE_AXES, SQUARE_DIAGONALS
from fcbdsl.machine.geometry.shape import Shape, SightObstacles, sides_of
from fcbdsl.machine.geometry.trace import ALONG, CORNER, INSIDE, SIDE, trace_hexagons, trace_squares

if TYPE_CHECKING:
    from mypy_extensions import i64

STRIDE: Final = 1 << 12
"""Coordinates are keyed as y * STRIDE + x, so that adding vectors is adding keys."""

Contact = tuple[int, int, int, int, int]
"""A contact of a line (see `trace`) with cells given by key, relative to the line's start."""


class Grid(Shape):
    """A board of hexagons or squares. Directions 0 to n-1 are `axes`, in turning order; squares have 4 to 7 too."""

    __slots__ = ("_at", "_axes_round", "_axis_keys", "_keys", "_traces", "axes", "hexagonal", "xs", "ys")

    def __init__(self, sort: str, xs: Sequence[int], ys: Sequence[int]) -> None:
        """`sort`: hex, square (four neighbors), square-8 (eight)."""
        self.hexagonal = sort == "hex"
        self.xs = list(xs)
        self.ys = list(ys)
        self.axes = HEX_AXES if self.hexagonal else SQUARE_AXES
        self._axes_round = [number for axis in (*self.axes, self.axes[0]) for number in axis]
        """The axes, and the first once more, number by number."""
        self._keys = [y * STRIDE + x for x, y in zip(xs, ys, strict=True)]
        self._at = {key: space for space, key in enumerate(self._keys)}
        if len(self._at) != len(self._keys):
            raise ValueError("two spaces have the same coordinates")
        self._axis_keys = [y * STRIDE + x for x, y in self.axes]
        turns = self._axis_keys if self.hexagonal else self._axis_keys + [y * STRIDE + x for x, y in SQUARE_DIAGONALS]
        steps = [[self._at.get(key + turn, -1) for turn in turns] for key in self._keys]
        sides = len(self.axes)
        ring = [tuple([b for b in row if b >= 0]) for row in steps]
        cross = [tuple([b for b in row[:sides] if b >= 0]) for row in steps]
        super().__init__(sort, steps, ring if sort == "square-8" else cross)
        self.around = ring
        self._number_sides(sides_of(cross))
        self._traces: dict[tuple[int, int, int], list[Contact]] = {}

    def _range_row(self, a: int) -> list[int]:
        x0, y0 = self.xs[a], self.ys[a]
        across, down = [x - x0 for x in self.xs], [y - y0 for y in self.ys]
        if self.hexagonal:
            return [max(abs(dx), abs(dy), abs(dx + dy)) for dx, dy in zip(across, down, strict=True)]
        if self.sort == "square-8":
            return [max(abs(dx), abs(dy)) for dx, dy in zip(across, down, strict=True)]
        return [abs(dx) + abs(dy) for dx, dy in zip(across, down, strict=True)]

    def range_over_corners(self, a: int, b: int) -> int:
        if self.hexagonal or a < 0 or b < 0:
            return self.range(a, b)
        return max(abs(self.xs[a] - self.xs[b]), abs(self.ys[a] - self.ys[b]))

    def sector(self, a: i64, b: i64) -> tuple[i64, i64, i64]:
        """Write b - a as m * axes[i] + n * axes[i + 1] with m > 0, n >= 0; return (i, m, n). a and b must differ."""
        x: i64 = self.xs[b] - self.xs[a]
        y: i64 = self.ys[b] - self.ys[a]
        axes = self._axes_round
        for i in range(len(self.axes)):
            at = 2 * i
            ux: i64 = axes[at]
            uy: i64 = axes[at + 1]
            wx: i64 = axes[at + 2]
            wy: i64 = axes[at + 3]
            m = x * wy - y * wx  # consecutive axes have determinant 1, so Cramer's rule needs no division
            n = ux * y - uy * x
            if m > 0 and n >= 0:
                return i, m, n
        raise ValueError("a space has no direction from itself")

    def direction(self, a: int, b: int) -> int:
        if a < 0 or b < 0 or a == b:
            return -1
        i, m, n = self.sector(a, b)
        if n == 0:
            return i
        return 4 + i if m == n and not self.hexagonal else -1

    def turned(self, direction: int, by: int) -> int:
        count = len(self.axes)
        if not 0 <= direction < (count if self.hexagonal else 2 * count):
            return -1
        if self.sort != "square-8":
            return direction // count * count + (direction + by) % count
        eighth = (direction % count * 2 + direction // count + by) % (2 * count)
        return eighth // 2 + eighth % 2 * count

    def opposite(self, direction: int) -> int:
        return self.turned(direction, len(self.axes) if self.sort == "square-8" else len(self.axes) // 2)

    def flanks(self, a: int, b: int) -> tuple[int, ...]:
        direction = self.direction(a, b)
        if direction < len(self.axes) or b not in self.neighbours[a]:
            return ()
        row = self.steps[a]
        return row[direction - 4], row[(direction - 3) % 4]

    def corners(self, a: int, b: int) -> tuple[tuple[int, int], ...]:
        flanks = self.flanks(a, b)
        return ((flanks[0], flanks[1]),) if flanks else ()

    def ways(self, origin: int, a: int, pull: bool) -> tuple[int, ...]:
        count = len(self.axes)
        row = self.steps[a]
        if origin == a:
            return () if pull else tuple(row[:count])
        i, _, n = self.sector(origin, a)
        j = (i + 1) % count
        if pull:
            i, j = (i + count // 2) % count, (j + count // 2) % count
        if n == 0:
            return (row[i],)
        return (row[i], row[j]) if i < j else (row[j], row[i])

    def trace(self, a: int, b: int) -> list[Contact]:
        """Return the contacts of the line from a to b, cells as keys relative to a's. a and b must differ."""
        i, m, n = self.sector(a, b)
        cached = self._traces.get((i, m, n))
        if cached is None:
            u, w = self._axis_keys[i], self._axis_keys[(i + 1) % len(self.axes)]
            contacts = trace_hexagons(m, n) if self.hexagonal else trace_squares(m, n)
            cached = [
                (sort, _offset(x, u, w), _offset(y, u, w), _offset(c, u, w), _offset(d, u, w))
                for sort, x, y, c, d in contacts
            ]
            self._traces[(i, m, n)] = cached
        return cached

    def clear(self, ground: SightObstacles, a: int, b: int, strict: bool) -> bool:
        if a == b:
            return True
        at = self._at
        start = self._keys[a]
        for sort, before, after, left, right in self.trace(a, b):
            x = at.get(start + before, -1)
            if sort == INSIDE:
                if ground.solid(x):
                    return False
                continue
            y = at.get(start + after, -1)
            if sort == SIDE:
                if ground.wall(x, y):
                    return False
                continue
            c = at.get(start + left, -1)
            if sort == CORNER:
                stopped = touches_corner(ground, x, y, c) if strict else stops_at_corner(ground, x, y, c)
            else:  # ALONG or DIAGONAL: decided by the flanks
                d = at.get(start + right, -1)
                stopped = touches_flanks(ground, x, y, c, d) if strict else stops_between(ground, x, y, c, d)
            if stopped:
                return False
        return True

    def fronts(self, target: int, viewer: int) -> tuple[int, ...]:
        if target == viewer:
            return ()
        i, m, n = self.sector(target, viewer)
        row = self.steps[target]
        first, second = row[i], row[(i + 1) % len(self.axes)]
        if m == n:
            return (first, second)
        return (first,) if m > n else (second,)

    def crossed(self, x: int, a: int, b: int) -> bool:
        if x < 0 or a < 0 or b < 0 or x in (a, b) or a == b:
            return False
        wanted = self._keys[x] - self._keys[a]
        for sort, cell, _, left, right in self.trace(a, b):
            if sort == INSIDE and cell == wanted:
                return True
            if sort == ALONG and wanted in (left, right):
                return True
        return False


def _offset(cell: tuple[int, int], u: int, w: int) -> int:
    """Return the key of a cell given in the basis whose vectors have the keys `u` and `w`."""
    return cell[0] * u + cell[1] * w


def stops_at_corner(ground: SightObstacles, x: int, y: int, z: int) -> bool:
    """Return whether a line from x into y, through their corner with z, is stopped: a wall is between x and y, and z
    gives no way round."""
    return ground.wall(x, y) and (ground.closed(z) or ground.wall(x, z) or ground.wall(z, y))


def stops_between(ground: SightObstacles, x: int, y: int, c: int, d: int) -> bool:
    """Return whether a line from x to y between the flanks c and d is stopped: if neither flank is a way round.

    Two missing flanks stop nothing, as no wall is drawn there.
    """
    if c < 0 and d < 0:
        return False
    shut_left = ground.closed(c) or ground.wall(x, c) or ground.wall(c, y)
    return shut_left and (ground.closed(d) or ground.wall(x, d) or ground.wall(d, y))


def touches_corner(ground: SightObstacles, x: int, y: int, z: int) -> bool:
    """Return whether any wall ends at the corner of x, y and z, or z is solid."""
    return ground.wall(x, y) or ground.solid(z) or ground.wall(x, z) or ground.wall(z, y)


def touches_flanks(ground: SightObstacles, x: int, y: int, c: int, d: int) -> bool:
    """Return whether a wall touches the line from x to y between the flanks c and d, or a flank is solid."""
    if ground.solid(c) or ground.solid(d) or ground.wall(c, d):
        return True
    return ground.wall(x, c) or ground.wall(c, y) or ground.wall(x, d) or ground.wall(d, y)
