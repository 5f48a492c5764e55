"""Shoves: pieces moved away from a point, or towards it, together with the pieces in their way.

A shoved piece has one way if it is on a straight line from the origin, else the two ways beside that line (see
`Shape.ways`). In a drift, which has a direction instead of an origin, all go the same way. A way is *free*, *blocked*,
or *loaded* with a piece that would be shoved on from the same origin.

The piece takes the unblocked way that displaces the fewest others, then the one with the fewest obstacles. The
recursion ends because each way leads one step farther from the origin (for a pull: nearer). So no chain of pieces
returns to a space, and each space is evaluated once.
"""

from __future__ import annotations

from typing import Final

from fcbdsl.machine.geometry.board import OPEN, RAISED, Geometry

EMPTY: Final = 0
WALKER: Final = 1
CLIMBER: Final = 2
FIXED: Final = 3
"""Content of a space: nothing; a movable piece; one that may also be moved onto raised spaces; an immovable piece, or
several."""

BLOCKED: Final = -1
"""The cost of a piece that has no unblocked way."""

HINDRANCES: Final = 1 << 10
"""Costs are kept as displaced * HINDRANCES + hindrances, so that one comparison orders both."""


class Shove:
    """One step of a shove: the possible ways of each piece, evaluated once per space. It changes nothing."""

    def __init__(self, geo: Geometry, origin: int, pull: bool, occupancy: bytes, along: int = -1) -> None:
        """`occupancy`: the content of each space. `along`: the direction of a drift, else -1."""
        self._geo = geo
        self._origin = origin
        self._pull = pull
        self._along = along
        self._occupancy = occupancy
        self._judged: dict[int, int] = {}

    def ways(self, at: int, piece: int) -> list[int]:
        """Return the ways of least cost of a piece (a walker or climber) on the space `at`, in the order of
        directions."""
        cheapest: list[int] = []
        least = BLOCKED
        for way in self._candidates(at):
            cost = self._way_cost(at, piece, way)
            if cost == BLOCKED or (least != BLOCKED and cost > least):
                continue
            if cost != least:
                cheapest = []
                least = cost
            cheapest.append(way)
        return cheapest

    def blocked_sets(self, at: int, piece: int) -> list[list[int]]:
        """Return the smallest sets of spaces whose pieces block each other, `at` last; empty if the piece can move.

        Along a way, the set continues with a movable piece that is itself blocked.
        """
        candidates = self._candidates(at)
        smallest: list[list[int]] = []
        for way in candidates:
            if self._way_cost(at, piece, way) != BLOCKED:
                return []
            chains = self.blocked_sets(way, self._occupancy[way]) if self._loaded(at, piece, way) else [[]]
            for chain in chains:
                stuck = [*chain, at]
                if smallest and len(stuck) < len(smallest[0]):
                    smallest = []
                if stuck not in smallest and (not smallest or len(stuck) == len(smallest[0])):
                    smallest.append(stuck)
        return smallest

    def _candidates(self, at: int) -> tuple[int, ...]:
        """Return all ways of a piece, including closed ones; empty for a piece pulled next to the origin."""
        if self._along >= 0:
            return (self._geo.step(at, self._along),)
        if self._pull and self._geo.range(self._origin, at) <= 1:
            return ()
        return self._geo.shape.ways(self._origin, at, self._pull)

    def _stands(self, at: int, piece: int, way: int) -> bool:
        """Return whether the piece could enter the space `way` if it were empty."""
        allowed = RAISED if piece == CLIMBER else OPEN
        return self._geo.passable(way, allowed) and not self._geo.parted(at, way, allowed)

    def _loaded(self, at: int, piece: int, way: int) -> bool:
        """Return whether the way contains a piece that would be shoved on; in a pull, not one that has arrived."""
        if not self._stands(at, piece, way) or self._occupancy[way] not in (WALKER, CLIMBER):
            return False
        return not (self._pull and self._geo.range(self._origin, way) <= 1)

    def _way_cost(self, at: int, piece: int, way: int) -> int:
        if not self._stands(at, piece, way):
            return BLOCKED
        if self._occupancy[way] == EMPTY:
            return 0
        return self._load_cost(way) if self._loaded(at, piece, way) else BLOCKED

    def _load_cost(self, at: int) -> int:
        """Return the cost of moving the piece at `at` on: itself, its cheapest way's cost, its own blocked ways."""
        cached = self._judged.get(at)
        if cached is not None:
            return cached
        least = BLOCKED
        hindrances = 0
        for way in self._candidates(at):
            cost = self._way_cost(at, self._occupancy[at], way)
            if cost == BLOCKED:
                hindrances += 1
            elif least == BLOCKED or cost < least:
                least = cost
        total = BLOCKED if least == BLOCKED else least + HINDRANCES + hindrances
        self._judged[at] = total
        return total


def ways(geo: Geometry, origin: int, at: int, piece: int, pull: bool, occupancy: bytes, along: int = -1) -> list[int]:
    """Return the ways that a shove from (or to) `origin` leaves the piece on `at`, all equally cheap; empty: it stays.

    `piece` is the content of the space (one that is FIXED has no way); of several pieces on it only the shoved one
    moves. With a direction `along` all drift that way, and neither the origin nor `pull` matters.
    """
    if at < 0 or (origin < 0 and along < 0) or piece not in (WALKER, CLIMBER):
        return []
    return Shove(geo, origin, pull and along < 0, occupancy, along).ways(at, piece)


def blocked_sets(
    geo: Geometry, origin: int, at: int, piece: int, pull: bool, occupancy: bytes, along: int = -1
) -> list[list[int]]:
    """Return the smallest sets of spaces whose pieces block a shove, far end first, `at` last.

    If there are several sets, a player chooses. Return an empty list if the piece can move, cannot be moved at all, or
    has arrived at the origin of a pull.
    """
    if at < 0 or (origin < 0 and along < 0) or piece not in (WALKER, CLIMBER):
        return []
    return Shove(geo, origin, pull and along < 0, occupancy, along).blocked_sets(at, piece)
