"""A board at one moment: a shape with terrain on its spaces and barriers on its sides.

`Geometry` is an immutable snapshot that answers questions about movement and sight, and caches the answers. `Atlas` is
a cache of geometries by content: positions with equal terrain and barriers share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fcbdsl.base.words import GRIDS, NETS
from fcbdsl.machine.geometry.coordinates import HEX_AXES, SQUARE_AXES
from fcbdsl.machine.geometry.grid import Grid
from fcbdsl.machine.geometry.net import Corner, Link, Net
from fcbdsl.machine.geometry.shape import FAR, Shape, SightObstacles, corner_shut

if TYPE_CHECKING:
    from mypy_extensions import i64

OPEN: Final = 0
RAISED: Final = 1
CLOSED: Final = 2
"""Pieces that may enter a space: all; only climbers; none (a wall, or not part of the board)."""

UNKNOWN: Final = 0
NO: Final = 1
YES: Final = 2
"""Cached answers."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """A kind of terrain. If it blocks movement and sight, it is a wall; if movement alone, an obstacle."""

    cost: int = 1
    """Movement spent by entering."""
    blocks_movement: bool = False
    blocks_sight: bool = False
    gives_cover: bool = False
    on_board: bool = True
    """False: an incomplete space; no piece can be on it and no chain leads through it."""
    footing: bool = True
    """False: walks cross it and never end there; see `search`."""
    shuts_corners: bool = False
    """Two such spaces shut the corner at which they meet to pieces that may enter neither of them.

    Where lines of sight are chains of spaces, they also block sight over that corner if both block sight.
    """


@dataclass(frozen=True, slots=True)
class Barrier:
    """A kind of barrier on a side."""

    blocks_movement: bool = False
    blocks_sight: bool = False


KEPT: Final = 64
"""Number of geometries in the cache of an atlas."""

PLAIN = Terrain()
NOTHING = Barrier()


def build_shape(
    sort: str,
    xs: Sequence[int],
    ys: Sequence[int],
    links: Sequence[Link],
    ways: int = 0,
    corners: Sequence[Corner] = (),
) -> Shape:
    """Return a shape. `sort`: one of `GRIDS` (made from coordinates) or of `NETS` (made from links).

    `ways`: number of directions of a net. `corners`: corners over which some of its links lead.
    """
    if sort in GRIDS:
        return Grid(sort, xs, ys)
    if sort in NETS:
        return Net(sort, len(xs), links, ways, corners)
    raise ValueError(f"no such sort of board: {sort}")


def count_sides(sort: str, xs: Sequence[int], ys: Sequence[int], links: Sequence[Link]) -> int:
    """Return the number of sides of the shape that `build_shape` returns."""
    if sort not in GRIDS:
        return len({(min(a, b), max(a, b)) for a, b, _ in links})
    spots = list(zip(xs, ys, strict=True))
    there, axes = frozenset(spots), HEX_AXES if sort == "hex" else SQUARE_AXES
    return sum((x + dx, y + dy) in there for x, y in spots for dx, dy in axes[: len(axes) // 2])


class Geometry:
    """A shape with its terrain and barriers. Spaces are numbers; -1 is no space and is near to nothing."""

    __slots__ = (
        "_areas", "_cover", "_hidden", "_opaque", "_parts", "_pinched", "_sight", "_strict_sight", "adjoining",
        "all_footing", "cheapest", "climb_links", "climb_ways", "costliest", "costs", "fenced", "footing",
        "ground", "linking", "links", "neighbouring", "of_terrain", "open_links", "open_ways", "shape", "size",
        "standing", "walk_costs",
    )  # fmt: skip

    def __init__(self, shape: Shape, terrain: Sequence[Terrain], barriers: Sequence[Barrier]) -> None:
        """`terrain` per space, `barriers` per side of the shape."""
        size = shape.size
        self.shape = shape
        self.size: i64 = size
        self.costs = [each.cost for each in terrain]
        self.standing = bytes([_standing(each) for each in terrain])
        self.footing = bytes([each.footing for each in terrain])
        self.all_footing = all(each.footing for each in terrain)
        """Whether there is footing everywhere."""
        self.walk_costs: dict[tuple[int, int, int, bool, bool, bytes], int] = {}
        """Costs of walks that were asked for: see `cheapest_walks.walk_cost`."""
        self._cover = bytes([each.gives_cover for each in terrain])
        self._opaque = bytes([each.blocks_sight for each in terrain])
        hidden, fenced, pinched = bytearray(size * size), bytearray(size * size), bytearray(size * size)
        for (a, b), barrier in zip(shape.sides, barriers, strict=True):
            fenced[a * size + b] = fenced[b * size + a] = barrier.blocks_movement
            hidden[a * size + b] = hidden[b * size + a] = barrier.blocks_sight
        if shape.sort == "square-8":
            self._fence_diagonals(fenced)
        pinching = bytes([each.shuts_corners for each in terrain])
        if any(pinching):
            self._pinch_corners(pinching, pinched, hidden)
        self._hidden, self.fenced = bytes(hidden), bytes(fenced)
        self._pinched = bytes(pinched)
        """Per step, the least level that may pass its corner (`RAISED`: only climbers; `CLOSED`: none)."""
        self.ground = SightObstacles(size, self._opaque, self._hidden)
        self.links: list[tuple[int, ...]] = [
            tuple([b for b in shape.neighbours[a] if not self.fenced[a * size + b]]) for a in range(size)
        ]
        """Per space, its neighbors without a barrier between, in the order of directions."""
        linked = bytearray(size * size)
        for a, row in enumerate(self.links):
            for b in row:
                linked[a * size + b] = 1
        self.linking = bytes(linked)
        self.open_ways, self.climb_ways = self.links, self.links
        """Links without those over corners that terrain shuts: for walkers, and for climbers."""
        if any(pinching):
            self.open_ways, self.climb_ways = self._unpinched(OPEN), self._unpinched(RAISED)
        self.open_links = [tuple([b for b in row if self.standing[b] == OPEN]) for row in self.open_ways]
        """Links to spaces that all pieces may enter."""
        self.climb_links = [tuple([b for b in row if self.standing[b] != CLOSED]) for row in self.climb_ways]
        """Links to spaces that a climber may enter."""
        self.costliest = max(self.costs, default=1)
        self.cheapest = min(self.costs, default=1)
        self._sight = bytearray(size * size)
        self._strict_sight = bytearray(size * size)
        self.adjoining: list[tuple[int, ...] | None] = [None] * size
        self.neighbouring: list[tuple[int, ...] | None] = [None] * size
        """Cache for ops that list linked or neighboring spaces, by space; None until computed. Entries never change."""
        self.of_terrain: dict[int, tuple[int, ...]] = {}
        """Cache for ops that list the spaces of a terrain, by its number. Entries never change."""
        self._areas: dict[int, tuple[int, ...]] = {}
        self._parts: list[int] = []

    def _fence_diagonals(self, fenced: bytearray) -> None:
        """Mark the steps over corners that barriers shut."""
        size = self.size
        ground = SightObstacles(size, bytes(size), bytes(fenced))
        for a in range(size):
            for b in self.shape.neighbours[a]:
                if corner_shut(self.shape, ground.wall, a, b):
                    fenced[a * size + b] = 1

    def _pinch_corners(self, pinching: bytes, pinched: bytearray, hidden: bytearray) -> None:
        """Mark the steps over corners that two spaces shut, at each corner where their ends meet."""
        size, opaque, standing = self.size, self._opaque, self.standing
        for a in range(size):
            for b in self.shape.neighbours[a]:
                corners = self.shape.corners(a, b)
                if corners and all(c >= 0 and d >= 0 and pinching[c] and pinching[d] for c, d in corners):
                    pinched[a * size + b] = min([min(standing[c], standing[d]) for c, d in corners])
                    hidden[a * size + b] = all(opaque[c] and opaque[d] for c, d in corners)

    def _unpinched(self, allowed: int) -> list[tuple[int, ...]]:
        """Return the links that no corner shuts to a piece with that level (`OPEN`, `RAISED`)."""
        return [
            tuple([b for b in row if self._pinched[a * self.size + b] <= allowed]) for a, row in enumerate(self.links)
        ]

    # ── neighbors and lines ───────────────────────────────────────────────────────────────────

    def neighbours(self, a: int) -> tuple[int, ...]:
        """Return the neighbors of `a` in the order of directions; barriers do not matter."""
        return self.shape.neighbours[a] if a >= 0 else ()

    def around(self, a: int) -> tuple[int, ...]:
        """Return all spaces that touch a: on squares the ring of eight, else the neighbors."""
        return self.shape.around[a] if a >= 0 else ()

    def side(self, a: int, b: int) -> int:
        """Return the number of the side between two spaces, or -1."""
        return self.shape.side(a, b) if a >= 0 and b >= 0 else -1

    def beside(self, a: i64, b: i64) -> bool:
        """Return whether `a` and `b` are neighbors; barriers do not matter."""
        return a >= 0 and b in self.shape.neighbours[a]

    def touches(self, a: int, b: int) -> bool:
        """Return whether `a` and `b` touch, even at a corner only; barriers do not matter."""
        return a >= 0 and b in self.shape.around[a]

    def linked(self, a: i64, b: i64) -> bool:
        """Return whether a and b are neighbors and no barrier between them stops movement."""
        return a >= 0 and b >= 0 and self.linking[a * self.size + b] != 0

    def parted(self, a: int, b: int, allowed: int) -> bool:
        """Return whether a barrier or a corner between two neighbors stops a piece with that level (`OPEN`,
        `RAISED`)."""
        return bool(self.fenced[a * self.size + b]) or self._pinched[a * self.size + b] > allowed

    def range(self, a: int, b: int) -> int:
        """Return the distance in the board's metric, ignoring obstacles; `FAR` if there is none."""
        return self.shape.range(a, b)

    def range_over_corners(self, a: int, b: int) -> int:
        """Return the distance if steps over corners count as one, ignoring obstacles; `FAR` if there is none."""
        return self.shape.range_over_corners(a, b)

    def within(self, a: int, distance: int, b: int) -> bool:
        """Return whether a and b are at most `distance` apart."""
        return self.shape.range(a, b) <= distance

    def direction(self, a: int, b: int) -> int:
        """Return the direction of `b` in a straight line from `a`, or -1."""
        return self.shape.direction(a, b)

    def turned(self, direction: int, by: int) -> int:
        """Return the direction that is `by` turns after another, or -1."""
        return self.shape.turned(direction, by)

    def opposite(self, direction: int) -> int:
        """Return the direction opposed to another, or -1."""
        return self.shape.opposite(direction)

    def step(self, a: int, direction: int) -> int:
        """Return the space one step from a in a direction, or -1."""
        return self.shape.step(a, direction)

    def behind(self, b: int, a: int) -> int:
        """Return the space one step past b, straight on from a, or -1."""
        return self.shape.behind(b, a)

    def passable(self, a: i64, allowed: int = OPEN) -> bool:
        """Return whether a piece with that level (`OPEN`, `RAISED`) may be on `a`."""
        return a >= 0 and self.standing[a] <= allowed

    def crossed(self, x: int, a: int, b: int) -> bool:
        """Return whether the line from a to b shares more than a point with the space x, which is neither end."""
        return self.shape.crossed(x, a, b)

    # ── sight and cover ────────────────────────────────────────────────────────────────────────

    def sees(self, a: int, b: int, strict: bool) -> bool:
        """Return whether a line of sight joins a and b; `strict`: a mere touch of a wall stops it too."""
        if a < 0 or b < 0:
            return False
        sights = self._strict_sight if strict else self._sight
        answer = sights[a * self.size + b]
        if answer == UNKNOWN:
            answer = YES if self.shape.clear(self.ground, a, b, strict) else NO
            sights[a * self.size + b] = sights[b * self.size + a] = answer
        return answer == YES

    def sees_among(self, a: int, b: int, crowd: bytes, strict: bool) -> bool:
        """Return whether a line of sight joins a and b when it is stopped by the crowded spaces, too (non-zero in
        `crowd`)."""
        if not self.sees(a, b, strict):
            return False
        opaque = bytes([own | blocked for own, blocked in zip(self._opaque, crowd, strict=True)])
        return self.shape.clear(SightObstacles(self.size, opaque, self._hidden), a, b, strict)

    def screened(self, target: int, viewer: int, strict: bool) -> bool:
        """Return whether a neighbor of the target that gives cover is on the line from the viewer.

        If the line touches two neighbors equally, either counts; `strict`: both must give cover.
        """
        if target < 0 or viewer < 0:
            return False
        screening = False
        for x in self.shape.fronts(target, viewer):
            if x >= 0 and x != viewer and self._cover[x] and not self.fenced[target * self.size + x]:
                screening = True
            elif strict:
                return False
        return screening

    # ── chains ─────────────────────────────────────────────────────────────────────────────────

    def connected(self, a: int, b: int) -> bool:
        """Return whether a chain of links joins a and b; walls and incomplete spaces are no links of a chain."""
        if a < 0 or b < 0:
            return False
        if not self._parts:
            self._parts = self._number_parts()
        return a == b or (self._parts[a] == self._parts[b] and self._parts[a] >= 0)

    def area(self, a: int, radius: int) -> tuple[int, ...]:
        """Return `a` and every space that a chain of at most `radius` links reaches: nearest first, then by number."""
        if a < 0 or radius < 0:
            return ()
        key = a * FAR + min(radius, FAR - 1)
        spaces = self._areas.get(key)
        if spaces is None:
            spaces = self._spread(a, radius)
            self._areas[key] = spaces
        return spaces

    def chains(self, a: int) -> bool:
        """Return whether a space can be a link of a chain: it is on the board and no wall."""
        return self.standing[a] != CLOSED

    def _spread(self, a: int, radius: int) -> tuple[int, ...]:
        seen = bytearray(self.size)
        seen[a] = 1
        area = [a]
        front = [a]
        while front and radius > 0:
            radius -= 1
            following: list[int] = []
            for x in front:
                for y in self.climb_links[x]:
                    if not seen[y]:
                        seen[y] = 1
                        following.append(y)
            front = sorted(following)
            area += front
        return tuple(area)

    def _number_parts(self) -> list[int]:
        parts = [-1] * self.size
        for start in range(self.size):
            if parts[start] < 0 and self.chains(start):
                for x in self._spread(start, self.size):
                    parts[x] = start
        return parts


def _standing(terrain: Terrain) -> int:
    if not terrain.on_board or (terrain.blocks_movement and terrain.blocks_sight):
        return CLOSED
    return RAISED if terrain.blocks_movement else OPEN


class Atlas:
    """Cache of the geometries of one shape, by terrain and barriers. It keeps the last `KEPT` used."""

    def __init__(self, shape: Shape, terrains: Sequence[Terrain], barriers: Sequence[Barrier]) -> None:
        """`terrains` and `barriers` are the declared kinds, by number."""
        self.shape = shape
        self._terrains = [*terrains, PLAIN]
        self._barriers = [*barriers, NOTHING]
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], Geometry] = {}

    def geometry(self, terrain: Sequence[int], barriers: Sequence[int]) -> Geometry:
        """Return the geometry for a kind of terrain per space and of barrier per side; -1 is plain, or nothing."""
        key = (tuple(terrain), tuple(barriers))
        geometry = self._known.pop(key, None)
        if geometry is None:
            spaces = [self._terrains[each] for each in terrain]
            geometry = Geometry(self.shape, spaces, [self._barriers[barrier] for barrier in barriers])
            if len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
        self._known[key] = geometry
        return geometry
