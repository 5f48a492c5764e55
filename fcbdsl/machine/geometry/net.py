"""Boards of places joined by paths, or of areas that touch: only links, no coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.machine.geometry.shape import FAR, Shape, SightObstacles, sides_of

Link = tuple[int, int, int]
"""Start, end, and the number of the direction of the link (-1: none)."""


Corner = tuple[int, int, int, int]
"""Two spaces that meet at a corner only, and the two spaces beside that corner (-1: none)."""


class Net(Shape):
    """A board given by its links.

    Each link joins both ways; its way back has a direction only if listed as well. The opposite of a direction is the
    one half of all directions further on. Lines are shortest chains: a line of sight is a shortest chain without a
    blocking space inside.
    """

    __slots__ = ("_corners", "_directions", "_ways")

    def __init__(
        self, sort: str, size: int, links: Sequence[Link], ways: int = 0, corners: Sequence[Corner] = ()
    ) -> None:
        """`ways`: how many directions the game has, whether or not all are used here."""
        self._ways = ways
        self._corners: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
        for a, b, c, d in corners:
            for pair in ((a, b), (b, a)):
                self._corners[pair] = (*self._corners.get(pair, ()), (c, d))
        directions: list[dict[int, int]] = [{} for _ in range(size)]
        for a, b, direction in links:
            if a == b:
                raise ValueError(f"space {a} is linked to itself")
            directions[a][b] = direction
            directions[b].setdefault(a, -1)
        width = max((direction for _, _, direction in links), default=-1) + 1
        steps = [[-1] * width for _ in range(size)]
        neighbours: list[tuple[int, ...]] = []
        for a, row in enumerate(directions):
            for b, direction in row.items():
                if direction >= 0:
                    steps[a][direction] = b
            ordered = sorted((direction < 0, direction, b) for b, direction in row.items())
            neighbours.append(tuple([b for _, _, b in ordered]))
        super().__init__(sort, steps, neighbours)
        self._directions = directions
        self._number_sides(sides_of(neighbours))

    def _range_row(self, a: int) -> list[int]:
        row = [FAR] * self.size
        row[a] = 0
        queue = [a]
        for x in queue:
            for y in self.neighbours[x]:
                if row[y] == FAR:
                    row[y] = row[x] + 1
                    queue.append(y)
        return row

    def direction(self, a: int, b: int) -> int:
        return self._directions[a].get(b, -1) if a >= 0 else -1

    def corners(self, a: int, b: int) -> tuple[tuple[int, int], ...]:
        return self._corners.get((a, b), ())

    def turned(self, direction: int, by: int) -> int:
        return (direction + by) % self._ways if 0 <= direction < self._ways else -1

    def opposite(self, direction: int) -> int:
        return self.turned(direction, self._ways // 2)

    def ways(self, origin: int, a: int, pull: bool) -> tuple[int, ...]:
        distance = self.range(origin, a)
        if distance >= FAR or (pull and distance == 0):
            return ()
        wanted = distance - 1 if pull else distance + 1
        onward = tuple([b for b in self.neighbours[a] if self.range(origin, b) == wanted])
        return onward or (-1,)  # a dead end is a closed way, like the rim of a grid

    def clear(self, ground: SightObstacles, a: int, b: int, strict: bool) -> bool:
        if self.range(a, b) >= FAR:
            return False
        front = [a]
        for left in range(self.range(a, b), 0, -1):
            seen = bytearray(self.size)
            following: list[int] = []
            for x in front:
                for y in self.neighbours[x]:
                    if seen[y] or self.range(y, b) != left - 1 or ground.wall(x, y):
                        continue
                    seen[y] = 1
                    if y == b or not ground.solid(y):
                        following.append(y)
            front = following
        return len(front) > 0

    def fronts(self, target: int, viewer: int) -> tuple[int, ...]:
        nearer = self.range(target, viewer) - 1
        return tuple([b for b in self.neighbours[target] if b != viewer and self.range(b, viewer) == nearer])

    def crossed(self, x: int, a: int, b: int) -> bool:
        if x in (a, b) or x < 0 or self.range(a, b) >= FAR:
            return False
        return self.range(a, x) + self.range(x, b) == self.range(a, b)
