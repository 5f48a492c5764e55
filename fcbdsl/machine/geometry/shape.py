"""The shape of a board: its spaces and their positions. Terrain and barriers belong to `board`.

Spaces are numbers from 0; -1 is no space. A shape never changes and is shared by all states of a board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

FAR: Final = 1 << 20
"""The range between spaces that no chain of neighbors joins, and from or to -1."""


class SightObstacles:
    """Obstacles of lines of sight: one flag per space and per ordered pair of spaces, 0 or 1."""

    __slots__ = ("opaque", "shut", "size")

    def __init__(self, size: int, opaque: bytes, shut: bytes) -> None:
        self.size = size
        self.opaque = opaque
        """Per space: no line passes through it."""
        self.shut = shut
        """Per `a * size + b`: no line passes the side between a and b."""

    def wall(self, a: int, b: int) -> bool:
        """Return whether the side between two spaces is drawn shut; never where a space is missing."""
        return a >= 0 and b >= 0 and self.shut[a * self.size + b] != 0

    def solid(self, a: int) -> bool:
        """Return whether a space is there and stops sight."""
        return a >= 0 and self.opaque[a] != 0

    def closed(self, a: int) -> bool:
        """Return whether a space gives no way round a corner: solid, or missing (a wall that meets the rim has no
        end)."""
        return a < 0 or self.opaque[a] != 0


class Shape:
    """Neighbors, directions, sides and distances of a board; `Grid` and `Net` compute them."""

    __slots__ = ("_ranges", "_side_numbers", "_sided", "around", "neighbours", "sides", "size", "sort", "steps")

    def __init__(self, sort: str, steps: list[list[int]], neighbours: list[tuple[int, ...]]) -> None:
        self.sort = sort
        self.size = len(steps)
        self.steps = steps
        """Per space and direction the space one step on, or -1."""
        self.neighbours = neighbours
        """Per space its neighbors in the order of directions."""
        self.around = neighbours
        """Per space all spaces that touch it."""
        self.sides: tuple[tuple[int, int], ...] = ()
        """The sides that can bear a barrier, as (lower, higher) space; a side's number is its index."""
        self._sided: list[list[int]] = [[] for _ in steps]
        """Per space the spaces with which it shares a side, and in `_side_numbers` the numbers of these sides."""
        self._side_numbers: list[list[int]] = [[] for _ in steps]
        self._ranges: list[list[int] | None] = [None] * self.size

    def _number_sides(self, pairs: list[tuple[int, int]]) -> None:
        self.sides = tuple(pairs)
        for number, (a, b) in enumerate(pairs):
            self._sided[a].append(b)
            self._side_numbers[a].append(number)
            self._sided[b].append(a)
            self._side_numbers[b].append(number)

    def side(self, a: i64, b: i64) -> i64:
        """Return the number of the side between two spaces, or -1."""
        if a >= 0:
            for at, other in enumerate(self._sided[a]):
                if other == b:
                    return self._side_numbers[a][at]
        return -1

    def step(self, a: int, direction: int) -> int:
        """Return the space one step from a in a direction, or -1."""
        if a < 0 or direction < 0:
            return -1
        row = self.steps[a]
        return row[direction] if direction < len(row) else -1

    def range(self, a: int, b: int) -> int:
        """Return the distance between two spaces, ignoring obstacles."""
        if a < 0 or b < 0:
            return FAR
        row = self._ranges[a]
        if row is not None:
            return row[b]
        row = self._ranges[b]
        if row is None:  # most loops look for something near one space, `b`
            row = self._range_row(b)
            self._ranges[b] = row
        return row[a]

    def _range_row(self, a: int) -> list[int]:
        """Return the distances from a space to all spaces, which are the distances from these to it."""
        raise NotImplementedError

    def range_over_corners(self, a: int, b: int) -> int:
        """Return the distance if steps over corners count as one, ignoring obstacles."""
        return self.range(a, b)

    def direction(self, a: int, b: int) -> int:
        """Return the direction of `b` in a straight line from `a`, or -1."""
        raise NotImplementedError

    def turned(self, direction: int, by: int) -> int:
        """Return the direction that is `by` turns after another, in order around a space; -1 if there is none."""
        raise NotImplementedError

    def opposite(self, direction: int) -> int:
        """Return the direction opposed to another; -1 if there is none of that number."""
        raise NotImplementedError

    def behind(self, b: int, a: int) -> int:
        """Return the space one step past b, straight on from a; -1 if there is none or b is not on a line with a."""
        return self.step(b, self.direction(a, b))

    def flanks(self, a: int, b: int) -> tuple[int, ...]:
        """Return the two spaces beside a diagonal step between neighbors, missing ones as -1; none if the neighbors
        share a side."""
        return ()

    def corners(self, a: int, b: int) -> tuple[tuple[int, int], ...]:
        """Return the corners at which two neighbors meet, as pairs of the spaces beside each; -1 for a missing space.

        The result is empty if they share a side.
        """
        return ()

    def ways(self, origin: int, a: int, pull: bool) -> tuple[int, ...]:
        """Return the spaces to which a piece on `a` may go when shoved from (or pulled to) the origin, by direction.

        Missing spaces are listed as -1; these ways are closed.
        """
        raise NotImplementedError

    def clear(self, ground: SightObstacles, a: int, b: int, strict: bool) -> bool:
        """Return whether a line of sight joins a and b; `strict`: a mere touch stops it too."""
        raise NotImplementedError

    def fronts(self, target: int, viewer: int) -> tuple[int, ...]:
        """Return the neighbors of the target that a line from the viewer touches last; missing ones as -1."""
        raise NotImplementedError

    def crossed(self, x: int, a: int, b: int) -> bool:
        """Return whether the line from a to b shares more than a point with the space x, which is neither end."""
        raise NotImplementedError


def corner_shut(shape: Shape, shut: Callable[[int, int], bool], a: int, b: int) -> bool:
    """Return whether barriers stop a diagonal step between neighbors: they shut both ways round the corner.

    A missing space gives no way. `shut`: whether a barrier shuts the side between two spaces.
    """
    flanks = shape.flanks(a, b)
    if not flanks or max(flanks) < 0:
        return False
    return all(c < 0 or shut(a, c) or shut(c, b) for c in flanks)


def sides_of(neighbours: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return every pair of neighbors once, lower space first, by lower space and then by direction."""
    return [(a, b) for a, row in enumerate(neighbours) for b in row if a < b]
