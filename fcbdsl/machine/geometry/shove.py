"""Shoves: pieces moved away from a point, or towards it, and the pieces they meet moved along.

A shoved piece has one way if it lies straight on from the origin, else the two ways beside that line (see
`Shape.ways`); in a drift, which has a direction instead of an origin, all go the same way. A way is *free*,
*blocked*, or *loaded* with a piece that would be shoved on from the same origin.
The piece takes the unblocked way that displaces the fewest others, then the one with fewest hindrances met.

The recursion ends: a way leads one step farther from the origin (a pull: nearer), so no chain of pieces
comes back to a space, and each space is judged once.
"""

from __future__ import annotations

from typing import Final

from fcbdsl.machine.geometry.board import OPEN, RAISED, Geometry

EMPTY: Final = 0
WALKER: Final = 1
CLIMBER: Final = 2
FIXED: Final = 3
"""What a space holds: nothing; a piece that can be moved; one that may also be moved onto raised spaces;
a piece that cannot be moved, or several."""

BLOCKED: Final = -1
"""The cost of a piece that has no unblocked way."""

HINDRANCES: Final = 1 << 10
"""Costs are kept as displaced * HINDRANCES + hindrances, so that one comparison orders both."""


class Shove:
    """One step of a shove: who can go where, judged once per space. Changes nothing."""

    def __init__(self, geo: Geometry, origin: int, pull: bool, occupancy: bytes, along: int = -1) -> None:
        """`occupancy` says per space what it holds; `along` is the direction of a drift, else -1."""
        self._geo = geo
        self._origin = origin
        self._pull = pull
        self._along = along
        self._occupancy = occupancy
        self._judged: dict[int, int] = {}

    def ways(self, at: int, piece: int) -> list[int]:
        """The ways of least cost of a piece (a walker or climber) on the space `at`, in the order of directions."""
        found: list[int] = []
        least = BLOCKED
        for way in self._candidates(at):
            cost = self._way_cost(at, piece, way)
            if cost == BLOCKED or (least != BLOCKED and cost > least):
                continue
            if cost != least:
                found = []
                least = cost
            found.append(way)
        return found

    def blocked_sets(self, at: int, piece: int) -> list[list[int]]:
        """The smallest sets of spaces whose pieces are stuck together, `at` last; none if the piece can move.

        Along a way the set goes on with a piece that could be moved were it not stuck itself.
        """
        candidates = self._candidates(at)
        found: list[list[int]] = []
        for way in candidates:
            if self._way_cost(at, piece, way) != BLOCKED:
                return []
            chains = self.blocked_sets(way, self._occupancy[way]) if self._loaded(at, piece, way) else [[]]
            for chain in chains:
                stuck = [*chain, at]
                if found and len(stuck) < len(found[0]):
                    found = []
                if stuck not in found and (not found or len(stuck) == len(found[0])):
                    found.append(stuck)
        return found

    def _candidates(self, at: int) -> tuple[int, ...]:
        """All ways of a piece, closed ones included; a piece pulled next to the origin has arrived."""
        if self._along >= 0:
            return (self._geo.step(at, self._along),)
        if self._pull and self._geo.range(self._origin, at) <= 1:
            return ()
        return self._geo.shape.ways(self._origin, at, self._pull)

    def _stands(self, at: int, piece: int, way: int) -> bool:
        """Whether the piece could stand on the way if it were empty, and nothing parts it from it."""
        allowed = RAISED if piece == CLIMBER else OPEN
        return self._geo.passable(way, allowed) and not self._geo.parted(at, way, allowed)

    def _loaded(self, at: int, piece: int, way: int) -> bool:
        """Whether the way holds a piece that would be shoved on: in a pull, not one that has arrived."""
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
        """The cost of moving on the piece at `at`: itself, its cheapest way's cost, its own blocked ways."""
        known = self._judged.get(at)
        if known is not None:
            return known
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
    """The ways that a shove from (or to) `origin` leaves the piece on `at`, all equally cheap; none: it stays.

    `piece` is what the target counts as (one that is FIXED has no way); of several on its space only it moves.
    With a direction `along` all drift that way, and neither the origin nor `pull` matters.
    """
    if at < 0 or (origin < 0 and along < 0) or piece not in (WALKER, CLIMBER):
        return []
    return Shove(geo, origin, pull and along < 0, occupancy, along).ways(at, piece)


def blocked_sets(
    geo: Geometry, origin: int, at: int, piece: int, pull: bool, occupancy: bytes, along: int = -1
) -> list[list[int]]:
    """When every way is blocked: the smallest sets of spaces whose pieces bear the jam, far end first, `at` last.

    Several sets are for somebody to choose from. None if the piece can move, cannot be moved at all, or has
    arrived at the origin of a pull.
    """
    if at < 0 or (origin < 0 and along < 0) or piece not in (WALKER, CLIMBER):
        return []
    return Shove(geo, origin, pull and along < 0, occupancy, along).blocked_sets(at, piece)
