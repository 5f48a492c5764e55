"""Shoves: the worked examples, the rules one by one, and a second implementation on random boards."""

from __future__ import annotations

import random

import pytest
from exact_drawing import distance
from games import first_few
from small_boards import INCOMPLETE, NOTHING, OBSTACLE, PLAIN, WALL, Board, Cell, disc, random_board, rectangle

from fcbdsl.machine.geometry.board import Geometry, build_shape
from fcbdsl.machine.geometry.shove import CLIMBER, EMPTY, FIXED, WALKER, blocked_sets, ways

AXES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def occupancy_of(board: Board, pieces: dict[Cell, int]) -> bytes:
    return bytes(pieces.get(cell, EMPTY) for cell in board.cells)


def pushed(board: Board, pieces: dict[Cell, int], origin: Cell, at: Cell, pull: bool = False) -> list[Cell]:
    piece = pieces.get(at, WALKER)
    return board.names(ways(board.geo, board.at[origin], board.at[at], piece, pull, occupancy_of(board, pieces)))


def jammed(board: Board, pieces: dict[Cell, int], origin: Cell, at: Cell, pull: bool = False) -> list[list[Cell]]:
    piece = pieces.get(at, WALKER)
    chains = blocked_sets(board.geo, board.at[origin], board.at[at], piece, pull, occupancy_of(board, pieces))
    return [board.names(chain) for chain in chains]


# The off-axis target (1,1) seen from (0,0) has the ways (2,1) and (1,2).
OFF = (1, 1)


def test_push_example_one_two_free_spaces() -> None:
    """FCB-KW-RESIST-05 (1): choose."""
    assert pushed(Board(disc(4)), {}, (0, 0), OFF) == [(2, 1), (1, 2)]


def test_push_example_two_one_space_has_unit() -> None:
    """FCB-KW-RESIST-05 (2): take the empty one."""
    assert pushed(Board(disc(4)), {(2, 1): WALKER}, (0, 0), OFF) == [(1, 2)]


def test_push_example_three_both_spaces_have_units() -> None:
    """FCB-KW-RESIST-05 (3): take the other, then choose where that unit lands."""
    board = Board(disc(4), {(3, 1): OBSTACLE})
    pieces = {(2, 1): WALKER, (1, 2): WALKER}
    assert pushed(board, pieces, (0, 0), OFF) == [(1, 2)]
    assert pushed(board, pieces, (0, 0), (1, 2)) == [(2, 2), (1, 3)]


def test_pushes_on_and_off_axis() -> None:
    """FCB-KW-RESIST-01."""
    board = Board(disc(4))
    assert pushed(board, {}, (0, 0), (2, 0)) == [(3, 0)]
    assert pushed(board, {}, (0, 0), (2, 0), pull=True) == [(1, 0)]
    assert pushed(board, {}, (0, 0), (1, 2), pull=True) == [(0, 2), (1, 1)]
    assert pushed(board, {}, (0, 0), (-1, 3)) == [(-1, 4), (-2, 4)]


@pytest.mark.parametrize("ahead", [OBSTACLE, WALL, INCOMPLETE])
def test_terrain_blocks_pushes(ahead: object) -> None:
    """FCB-KW-RESIST-02, FCB-BOARD-04: only the target bears it."""
    board = Board(disc(4), {(2, 0): ahead})  # type: ignore[dict-item]
    assert pushed(board, {}, (0, 0), (1, 0)) == []
    assert jammed(board, {}, (0, 0), (1, 0)) == [[(1, 0)]]


def test_map_edge_and_wall_sides_block_pushes() -> None:
    """FCB-KW-RESIST-02, FCB-WALL-01."""
    assert pushed(Board(disc(2)), {}, (0, 0), (2, 0)) == []
    assert jammed(Board(disc(2)), {}, (0, 0), (2, 0)) == [[(2, 0)]]
    assert pushed(Board(disc(3), walls=[((2, 0), (1, 0))]), {}, (0, 0), (1, 0)) == []


def test_climbers_can_be_pushed_onto_obstacles() -> None:
    """FCB-KW-PULL-03; a ground unit is blocked there, with or without a figure on it."""
    board = Board(disc(3), {(2, 0): OBSTACLE})
    assert pushed(board, {(1, 0): CLIMBER}, (0, 0), (1, 0)) == [(2, 0)]
    assert pushed(Board(disc(3), {(2, 0): WALL}), {(1, 0): CLIMBER}, (0, 0), (1, 0)) == []
    pieces = {(1, 0): WALKER, (2, 0): CLIMBER}
    assert jammed(board, pieces, (0, 0), (1, 0)) == [[(1, 0)]]
    assert pushed(board, {(1, 0): CLIMBER, (2, 0): CLIMBER}, (0, 0), (1, 0)) == [(2, 0)]


def test_chain_against_obstacle_jams_from_far_end() -> None:
    """FCB-KW-RESIST-07, FCB-KW-PUSH-02."""
    board = Board(disc(4), {(4, 0): OBSTACLE})
    pieces = {(1, 0): WALKER, (2, 0): WALKER, (3, 0): WALKER}
    assert pushed(board, pieces, (0, 0), (1, 0)) == []
    assert jammed(board, pieces, (0, 0), (1, 0)) == [[(3, 0), (2, 0), (1, 0)]]
    assert jammed(Board(disc(4)), pieces, (0, 0), (1, 0)) == []


def test_plain_obstacle_is_preferred_to_chain() -> None:
    """FCB-KW-RESIST-07: the smallest set; equal ones are for the chooser."""
    stuck = {(3, 1): OBSTACLE, (2, 2): OBSTACLE}
    board = Board(disc(4), stuck | {(1, 2): OBSTACLE})
    assert jammed(board, {(2, 1): WALKER}, (0, 0), OFF) == [[OFF]]
    both = Board(disc(4), stuck | {(1, 3): OBSTACLE})
    pieces = {(2, 1): WALKER, (1, 2): WALKER}
    assert pushed(both, pieces, (0, 0), OFF) == []
    assert jammed(both, pieces, (0, 0), OFF) == [[(2, 1), OFF], [(1, 2), OFF]]


def test_fewer_units_are_preferred_to_fewer_obstacles() -> None:
    """FCB-KW-RESIST-05: one unit with one way blocked costs (1, 1), one that must move another on (2, 0)."""
    board = Board(disc(6), walls=[((2, 1), (2, 2))])
    pieces = {(2, 1): WALKER, (1, 2): WALKER, (2, 2): WALKER, (1, 3): WALKER}
    assert pushed(board, pieces, (0, 0), OFF) == [(2, 1)]
    # Hindrances decide between equal numbers of units.
    assert pushed(Board(disc(6), walls=[((2, 1), (2, 2))]), {(2, 1): WALKER, (1, 2): WALKER}, (0, 0), OFF) == [(1, 2)]


def test_smallest_set_takes_jam() -> None:
    """FCB-KW-RESIST-07: by either of the two ways."""
    rim = {(3, 1): OBSTACLE, (2, 2): OBSTACLE}
    for stuck, closed in (((2, 1), (1, 2)), ((1, 2), (2, 1))):
        board = Board(disc(4), rim | {(1, 3): OBSTACLE, closed: OBSTACLE})
        assert jammed(board, {stuck: WALKER}, (0, 0), OFF) == [[OFF]]
    # A chain of three on one hand, of two on the other: its far end has an obstacle ahead.
    board = Board(disc(5), {(4, 1): OBSTACLE, (3, 2): OBSTACLE, (2, 3): OBSTACLE, (1, 3): OBSTACLE})
    pieces = {(2, 1): WALKER, (3, 1): WALKER, (2, 2): WALKER, (1, 2): WALKER}
    assert jammed(board, pieces, (0, 0), OFF) == [[(1, 2), OFF]]


def test_fixed_pieces_block_and_take_no_jam() -> None:
    """FCB-KW-RESIST-03, FCB-KW-RESIST-08: bodies, immune units, two figures on one space."""
    board = Board(disc(4))
    assert jammed(board, {(1, 0): WALKER, (2, 0): FIXED}, (0, 0), (1, 0)) == [[(1, 0)]]
    assert pushed(board, {(1, 0): FIXED}, (0, 0), (1, 0)) == []
    assert jammed(board, {(1, 0): FIXED}, (0, 0), (1, 0)) == []


def test_pulls_end_next_to_origin() -> None:
    """FCB-KW-PULL-01, 02; FCB-KW-RESIST-03, 08, 10."""
    board = Board(disc(4))
    assert pushed(board, {}, (0, 0), (1, 0), pull=True) == []
    assert jammed(board, {}, (0, 0), (1, 0), pull=True) == []
    assert jammed(board, {(1, 0): WALKER}, (0, 0), (2, 0), pull=True) == [[(2, 0)]]
    assert pushed(board, {(2, 0): WALKER}, (0, 0), (3, 0), pull=True) == [(2, 0)]
    assert jammed(board, {(1, 0): WALKER, (2, 0): WALKER}, (0, 0), (3, 0), pull=True) == [[(2, 0), (3, 0)]]


def test_target_on_origin_moves_in_any_direction() -> None:
    """FCB-KW-RESIST-11."""
    board = Board(disc(3), {(1, 0): OBSTACLE})
    assert pushed(board, {(0, 1): WALKER}, (0, 0), (0, 0)) == [(-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert pushed(board, {}, (0, 0), (0, 0), pull=True) == []
    assert jammed(board, {}, (0, 0), (0, 0), pull=True) == []


def test_push_without_space_does_nothing() -> None:
    geo = Board(disc(1)).geo
    assert ways(geo, -1, 0, WALKER, False, bytes(7)) == []
    assert blocked_sets(geo, 0, -1, WALKER, False, bytes(7)) == []


def test_pushes_on_squares_and_graphs() -> None:
    board = Board(rectangle(5, 5), sort="square")
    assert pushed(board, {}, (1, 1), (2, 1)) == [(3, 1)]
    assert pushed(board, {}, (1, 1), (3, 2)) == [(4, 2), (3, 3)]
    assert pushed(board, {}, (3, 3), (1, 2), pull=True) == [(2, 2), (1, 3)]
    shape = build_shape("graph", [0] * 5, [0] * 5, [(0, 1, 0), (1, 2, 0), (1, 3, 1), (3, 4, 0)])
    geo = Geometry(shape, [PLAIN] * 5, [NOTHING] * len(shape.sides))
    assert ways(geo, 0, 1, WALKER, False, bytes(5)) == [2, 3]
    assert ways(geo, 0, 1, WALKER, False, bytes([0, 0, 0, 1, 0])) == [2]
    assert ways(geo, 0, 4, WALKER, True, bytes(5)) == [3]
    assert blocked_sets(geo, 0, 2, WALKER, False, bytes(5)) == [[2]]
    assert ways(geo, 0, 0, WALKER, True, bytes(5)) == []


def combined(i: int, m: int, n: int) -> Cell:
    """Return the vector of m steps in direction i and n in the next (FCB-CONV-02)."""
    u, w = AXES[i], AXES[(i + 1) % 6]
    return m * u[0] + n * w[0], m * u[1] + n * w[1]


class Reading:
    """FCB-KW-RESIST-01 to 08 implemented again, with pairs for costs, coordinates, and no cache."""

    def __init__(self, board: Board, pieces: dict[Cell, int], origin: Cell, pull: bool) -> None:
        self.board, self.pieces, self.origin, self.pull = board, pieces, origin, pull

    def candidates(self, at: Cell) -> list[Cell]:
        vector = (at[0] - self.origin[0], at[1] - self.origin[1])
        if vector == (0, 0):
            return [] if self.pull else [(at[0] + q, at[1] + r) for q, r in AXES]
        counts = range(1, 20)
        on_axis = [k for k in range(6) for n in counts if combined(k, n, 0) == vector]
        between = [i for i in range(6) for m in counts for n in counts if combined(i, m, n) == vector]
        directions = on_axis or [k for i in between for k in (i, (i + 1) % 6)]
        turned = sorted((k + 3) % 6 if self.pull else k for k in directions)
        return [(at[0] + AXES[k][0], at[1] + AXES[k][1]) for k in turned]

    def could_stand(self, at: Cell, piece: int, way: Cell) -> bool:
        if way not in self.board.at or frozenset((at, way)) in self.board.walls:
            return False
        terrain = self.board.terrain.get(way, PLAIN)
        if terrain in (WALL, INCOMPLETE):
            return False
        return terrain != OBSTACLE or piece == CLIMBER

    def movable(self, way: Cell) -> bool:
        arrived = self.pull and distance(way, self.origin) == 1
        return self.pieces.get(way, EMPTY) in (WALKER, CLIMBER) and not arrived

    def cost(self, at: Cell, piece: int, way: Cell) -> tuple[int, int] | None:
        """Return (displaced, hindrances), or None if the way is blocked."""
        if not self.could_stand(at, piece, way):
            return None
        if self.pieces.get(way, EMPTY) == EMPTY:
            return 0, 0
        if not self.movable(way):
            return None
        costs = [self.cost(way, self.pieces[way], after) for after in self.candidates(way)]
        open_costs = [cost for cost in costs if cost is not None]
        if not open_costs:
            return None
        n, h = min(open_costs)
        return 1 + n, h + len(costs) - len(open_costs)

    def ways(self, at: Cell, piece: int) -> list[Cell]:
        costs = {way: self.cost(at, piece, way) for way in self.candidates(at)}
        least = min((cost for cost in costs.values() if cost is not None), default=None)
        return [way for way, cost in costs.items() if cost is not None and cost == least]

    def stuck(self, at: Cell, piece: int) -> list[list[Cell]]:
        """Return every smallest set of pieces that block each other at `at`, target last."""
        chains: list[list[Cell]] = []
        for way in self.candidates(at):
            if self.could_stand(at, piece, way) and self.movable(way):
                chains += [[*chain, at] for chain in self.stuck(way, self.pieces[way])]
            else:
                chains.append([at])
        least = min(map(len, chains), default=0)
        return [chain for n, chain in enumerate(chains) if len(chain) == least and chain not in chains[:n]]


@pytest.mark.parametrize("seed", first_few(range(40), 15))
@pytest.mark.parametrize("pull", [False, True])
def test_second_implementation_agrees(seed: int, pull: bool) -> None:
    """FCB-KW-RESIST-01 to 08, on crowded boards; no chain comes back to a space."""
    chance = random.Random(seed)
    board = random_board(1000 + seed, disc(4), gaps=6, walls=8)
    pieces = {
        cell: chance.choice([WALKER, WALKER, WALKER, CLIMBER, FIXED])
        for cell in board.cells
        if chance.randrange(100) < 55
    }
    origin = chance.choice([cell for cell in board.cells if distance(cell, (0, 0)) <= 2])
    reading = Reading(board, pieces, origin, pull)
    for at, piece in pieces.items():
        if piece == FIXED or (pull and distance(at, origin) <= 1):
            assert pushed(board, pieces, origin, at, pull) == []
            assert jammed(board, pieces, origin, at, pull) == []
            continue
        expected = reading.ways(at, piece)
        assert pushed(board, pieces, origin, at, pull) == expected
        chains = jammed(board, pieces, origin, at, pull)
        assert chains == ([] if expected else reading.stuck(at, piece))
        for chain in chains:
            steps = [distance(cell, origin) for cell in chain]
            assert steps == sorted(steps, reverse=not pull)
            assert len(set(chain)) == len(chain)
            assert chain[-1] == at


def test_drift_moves_all_in_one_direction() -> None:
    board = Board(disc(2))
    pieces = {(0, 0): WALKER, (1, 0): CLIMBER}
    occupancy = occupancy_of(board, pieces)
    east = AXES.index((1, 0))
    assert board.names(ways(board.geo, -1, board.at[0, 0], WALKER, False, occupancy, east)) == [(1, 0)]
    assert blocked_sets(board.geo, -1, board.at[0, 0], WALKER, False, occupancy, east) == []
    # An origin or a pull makes no difference to an immovable piece.
    assert board.names(ways(board.geo, board.at[1, 0], board.at[0, 0], WALKER, True, occupancy, east)) == [(1, 0)]


def test_drift_jams_at_map_edge() -> None:
    board = Board(disc(2))
    pieces = {(0, 0): WALKER, (1, 0): CLIMBER, (2, 0): WALKER}
    occupancy = occupancy_of(board, pieces)
    east = AXES.index((1, 0))
    assert ways(board.geo, -1, board.at[0, 0], WALKER, False, occupancy, east) == []
    chains = blocked_sets(board.geo, -1, board.at[0, 0], WALKER, False, occupancy, east)
    assert [board.names(chain) for chain in chains] == [[(2, 0), (1, 0), (0, 0)]]
