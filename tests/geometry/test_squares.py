"""Squares: both metrics, corners, occupied spaces, diagonal steps."""

from __future__ import annotations

from fractions import Fraction

import pytest
from small_boards import WALL, Board, Cell, random_board, rectangle

from fcbdsl.machine.geometry.board import OPEN, RAISED, Terrain, build_shape, count_sides
from fcbdsl.machine.geometry.cheapest_walks import step_cost, steps_toward, walk_cost
from fcbdsl.machine.geometry.grid import Grid


def sees(board: Board, a: Cell, b: Cell, crowd: frozenset[Cell] = frozenset()) -> bool:
    """Return whether a line is free by ESC-BRD-07 and 08, in fractions: where it meets the grid between the cells."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    meets: set[Fraction] = set()
    for length in (abs(dx), abs(dy)):
        meets |= {Fraction(2 * step + 1, 2 * length) for step in range(length)}

    def shut(c: Cell, d: Cell) -> bool:
        return frozenset((c, d)) in board.walls

    def closed(cell: Cell) -> bool:
        return cell not in board.at or board.terrain.get(cell) is WALL or cell in crowd

    x = a
    for t in sorted(meets):
        across = Fraction(2 * abs(x[0] - a[0]) + 1, 2 * abs(dx)) == t if dx else False
        down = Fraction(2 * abs(x[1] - a[1]) + 1, 2 * abs(dy)) == t if dy else False
        c = (x[0] + (1 if dx > 0 else -1), x[1])
        d = (x[0], x[1] + (1 if dy > 0 else -1))
        y = (c[0], d[1]) if across and down else c if across else d
        if across and down:
            gaps = c not in board.at and d not in board.at
            if not gaps and all(closed(f) or shut(x, f) or shut(f, y) for f in (c, d)):
                return False
        elif shut(x, y):
            return False
        if y != b and y in board.at and closed(y):
            return False
        x = y
    return True


@pytest.mark.parametrize("seed", range(6))
def test_sight_agrees_with_exact_geometry(seed: int) -> None:
    """ESC-BRD-07, ESC-BRD-08."""
    board = random_board(seed, rectangle(6, 5), "square", gaps=5, walls=15)
    crowd = frozenset(board.cells[seed::7])
    crowded = bytes(cell in crowd for cell in board.cells)
    for a in board.cells:
        for b in board.cells:
            if a != b:
                assert board.sees(a, b) == sees(board, a, b), (a, b)
                among = board.geo.sees_among(board.at[a], board.at[b], crowded, False)
                assert among == sees(board, a, b, crowd), (a, b)


def test_corner_is_blocked_only_by_both_flanks() -> None:
    """ESC-BRD-08."""
    board = Board(rectangle(3, 3), {(1, 0): WALL}, sort="square")
    both = Board(rectangle(3, 3), {(1, 0): WALL, (0, 1): WALL}, sort="square")
    assert board.geo.sees(0, 4, False)
    assert not both.geo.sees(0, 4, False)


@pytest.mark.parametrize("sort", ["hex", "square", "square-8"])
def test_sides_are_counted_without_shape(sort: str) -> None:
    for seed in range(3):
        shape = random_board(seed, rectangle(6, 5), sort).shape
        assert isinstance(shape, Grid)
        assert count_sides(sort, shape.xs, shape.ys, []) == len(shape.sides)
    links = [(0, 1, -1), (1, 0, 2), (1, 2, -1), (2, 0, 1)]
    assert count_sides("graph", [0, 1, 2], [0, 0, 0], links) == len(
        build_shape("graph", [0, 1, 2], [0, 0, 0], links).sides
    )


def test_pieces_block_lines_except_at_ends() -> None:
    geo = Board(rectangle(3, 3), sort="square").geo
    crowd = bytes([0, 1, 0, 0, 0, 0, 0, 0, 0])
    assert not geo.sees_among(0, 2, crowd, False)
    assert geo.sees_among(0, 1, crowd, False)
    assert geo.sees_among(1, 2, crowd, False)
    assert geo.sees_among(0, 4, crowd, False)
    assert not geo.sees_among(0, 4, crowd, True)
    assert not geo.sees_among(0, 4, bytes([0, 1, 0, 1, 0, 0, 0, 0, 0]), False)
    assert geo.sees(0, 2, False)


def test_square_metrics_are_correct() -> None:
    """ESC-BRD-04, 05, 06 and its variant `distance-metric`."""
    cells = rectangle(4, 3)
    four, eight = Board(cells, sort="square").geo, Board(cells, sort="square-8").geo
    corner = len(cells) - 1
    assert four.range(0, corner) == 5
    assert four.range_over_corners(0, corner) == 3
    assert four.range_over_corners(-1, corner) == four.range(-1, corner)
    assert eight.range(0, corner) == 3
    assert four.neighbours(5) == (6, 9, 4, 1)
    assert len(four.around(5)) == 8
    assert eight.neighbours(5) == four.around(5)
    assert four.touches(0, 5)
    assert not four.touches(0, 6)
    assert not four.touches(-1, 0)
    assert not four.beside(0, 5)
    assert eight.beside(0, 5)


def test_square_directions_are_correct() -> None:
    board = Board(rectangle(3, 3), sort="square")
    assert [board.geo.direction(4, b) for b in (5, 7, 3, 1, 8, 6, 0, 2)] == list(range(8))
    assert board.geo.direction(0, 5) == -1
    assert board.geo.behind(4, 0) == 8
    assert board.geo.behind(4, 3) == 5
    assert board.geo.behind(5, 4) == -1


@pytest.mark.parametrize(("sort", "ring"), [("hex", 6), ("square", 4), ("square-8", 8)])
def test_directions_turn_and_have_opposites(sort: str, ring: int) -> None:
    geo = Board(rectangle(3, 3), sort=sort).geo
    for direction in range(6 if sort == "hex" else 8):
        back = geo.opposite(direction)
        assert back == geo.turned(direction, ring // 2) == geo.turned(direction, -ring // 2)
        assert geo.step(geo.step(4, direction), back) in (4, -1)
        round_ = [geo.turned(direction, by) for by in range(ring)]
        assert round_[0] == direction == geo.turned(direction, ring)
        assert len(set(round_)) == ring
    assert [geo.turned(-1, 1), geo.turned(8, 1), geo.opposite(-1), geo.opposite(99)] == [-1] * 4
    if sort == "square-8":
        assert [geo.turned(3, by) for by in range(8)] == [3, 7, 0, 4, 1, 5, 2, 6]
    if sort == "square":
        assert [geo.turned(7, by) for by in range(4)] == [7, 4, 5, 6]


def test_graph_turns_through_directions_of_game() -> None:
    net = build_shape("graph", [0, 1], [0, 0], [(0, 1, 1), (1, 0, 3)], 4)
    assert [net.turned(1, 1), net.turned(3, 1), net.opposite(1), net.opposite(2)] == [2, 0, 3, 0]
    assert [net.turned(-1, 1), net.turned(4, 1)] == [-1, -1]
    assert build_shape("graph", [0, 1], [0, 0], [(0, 1, 1)]).opposite(1) == -1


@pytest.mark.parametrize(
    ("walls", "open_"),
    [
        ([], True),
        ([((0, 0), (1, 0))], True),
        ([((0, 0), (1, 0)), ((0, 0), (0, 1))], False),
        ([((0, 0), (1, 0)), ((0, 1), (1, 1))], False),
        ([((0, 0), (1, 0)), ((1, 0), (1, 1))], True),
    ],
)
def test_diagonal_step_needs_one_open_flank(walls: list[tuple[Cell, Cell]], open_: bool) -> None:
    """ESC-BRD-12."""
    board = Board(rectangle(2, 2), walls=walls, sort="square-8")
    assert board.geo.linked(0, 3) is open_
    assert board.geo.linked(3, 0) is open_
    assert board.geo.beside(0, 3)


def test_terrain_can_block_corner() -> None:
    """FTZ-BOARD-03's variant."""
    pillar = Terrain(blocks_movement=True, shuts_corners=True)
    for filled, open_ in (([(1, 0)], True), ([(1, 0), (0, 1)], False)):
        board = Board(rectangle(2, 2), dict.fromkeys(filled, pillar), sort="square-8")
        geo, crowd = board.geo, bytes(4)
        for a, b in ((0, 3), (3, 0)):
            assert (
                step_cost(geo, a, b, 0, False, crowd) == walk_cost(geo, a, b, 0, False, crowd) == (1 if open_ else -1)
            )
            assert bool(steps_toward(geo, a, [b], 0, False, crowd)) is open_
            assert step_cost(geo, a, b, 0, True, crowd) == 1
            assert steps_toward(geo, a, [b], 0, True, crowd) == [b]
            assert geo.parted(a, b, OPEN) is not open_
            assert not geo.parted(a, b, RAISED)
            assert geo.linked(a, b)
            assert geo.sees(a, b, False)
    three = Board([(0, 0), (1, 0), (1, 1)], {(1, 0): pillar}, sort="square-8").geo
    assert step_cost(three, 0, 2, 0, False, bytes(3)) == 1


def test_diagonal_step_crosses_gaps() -> None:
    """ESC-BRD-12: one missing flank is no way round; where both are missing, there can be no wall."""
    assert Board([(0, 0), (1, 1)], sort="square-8").geo.linked(0, 1)
    three = [(0, 0), (1, 0), (1, 1)]
    assert Board(three, sort="square-8").geo.linked(0, 2)
    assert not Board(three, walls=[((0, 0), (1, 0))], sort="square-8").geo.linked(0, 2)
