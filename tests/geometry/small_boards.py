"""Small boards for the tests of geometry: given by hand, or random."""

from __future__ import annotations

import random
from collections.abc import Iterable

from fcbdsl.machine.geometry.board import Barrier, Geometry, Terrain, build_shape
from fcbdsl.machine.geometry.shape import Shape

PLAIN = Terrain()
OBSTACLE = Terrain(blocks_movement=True, gives_cover=True)
WALL = Terrain(blocks_movement=True, blocks_sight=True)
INCOMPLETE = Terrain(on_board=False)
CHASM = Terrain(cost=4)
NOTHING = Barrier()
WALL_SIDE = Barrier(blocks_movement=True, blocks_sight=True)

Cell = tuple[int, int]


def disc(radius: int) -> list[Cell]:
    """Return the hexagons at most `radius` from (0, 0), in reading order."""
    span = range(-radius, radius + 1)
    return [(q, r) for r in span for q in span if abs(q + r) <= radius]


def rectangle(columns: int, rows: int) -> list[Cell]:
    return [(x, y) for y in range(rows) for x in range(columns)]


class Board:
    """A geometry whose spaces are named by their coordinates."""

    def __init__(
        self,
        cells: list[Cell],
        terrain: dict[Cell, Terrain] | None = None,
        walls: Iterable[tuple[Cell, Cell]] = (),
        sort: str = "hex",
    ) -> None:
        self.cells = cells
        self.at = {cell: space for space, cell in enumerate(cells)}
        self.terrain = terrain or {}
        self.shape: Shape = build_shape(sort, [x for x, _ in cells], [y for _, y in cells], [])
        self.walls = {frozenset(pair) for pair in walls}
        barriers = [
            WALL_SIDE if frozenset((cells[a], cells[b])) in self.walls else NOTHING for a, b in self.shape.sides
        ]
        self.geo = Geometry(self.shape, [self.terrain.get(cell, PLAIN) for cell in cells], barriers)

    def space(self, cell: Cell) -> int:
        """Return the number of the space at some coordinates, or -1."""
        return self.at.get(cell, -1)

    def sees(self, a: Cell, b: Cell, strict: bool = False) -> bool:
        return self.geo.sees(self.at[a], self.at[b], strict)

    def screened(self, target: Cell, viewer: Cell, strict: bool = False) -> bool:
        return self.geo.screened(self.at[target], self.at[viewer], strict)

    def names(self, spaces: Iterable[int]) -> list[Cell]:
        return [self.cells[space] for space in spaces]


def random_board(seed: int, cells: list[Cell], sort: str = "hex", gaps: int = 12, walls: int = 20) -> Board:
    """Return a board with `gaps` percent of its cells missing and `walls` percent of its sides shut, terrain mixed."""
    chance = random.Random(seed)
    used = [cell for cell in cells if chance.randrange(100) >= gaps]
    mix = [PLAIN] * 8 + [OBSTACLE] * 2 + [WALL, INCOMPLETE, CHASM]
    terrain = {cell: chance.choice(mix) for cell in used}
    shape = build_shape(sort, [x for x, _ in used], [y for _, y in used], [])
    shut = [(used[a], used[b]) for a, b in shape.sides if chance.randrange(100) < walls]
    return Board(used, terrain, shut, sort)
