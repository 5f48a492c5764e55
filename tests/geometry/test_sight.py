"""Sight, cover and crossing on hexagons against an exact drawing, and by hand."""

from __future__ import annotations

import pytest
from exact_drawing import Drawing
from games import first_few
from small_boards import INCOMPLETE, OBSTACLE, WALL, Board, Cell, disc, random_board

SEEDS = first_few(range(12), 4)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_sight_agrees_with_exact_geometry(seed: int) -> None:
    """FCB-LOS-01, 03, 04, 05, 08, FCB-LOS-08c; FCB-CONV-03."""
    board = random_board(seed, disc(3), walls=10 + 3 * seed)
    for a in board.cells:
        for b in board.cells:
            if a < b:
                drawing = Drawing(board, a, b)
                assert board.sees(a, b) == drawing.sees(), (a, b)
                assert board.sees(a, b, strict=True) == drawing.untouched(), (a, b)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_cover_agrees_with_exact_geometry(seed: int) -> None:
    """FCB-COVER-01 to 04: the sector test equals the drawing, for both editions."""
    board = random_board(100 + seed, disc(3), walls=10)
    for target in board.cells:
        for viewer in board.cells:
            if target != viewer:
                drawing = Drawing(board, viewer, target)
                assert board.screened(target, viewer) == drawing.covered(), (target, viewer)
                assert board.screened(target, viewer, strict=True) == drawing.covered_inside(), (target, viewer)


@pytest.mark.parametrize("seed", [1, 2])
def test_crossing_agrees_with_exact_geometry(seed: int) -> None:
    """FCB-FF-03: more than a point in common, sides included."""
    board = random_board(200 + seed, disc(3))
    for a in board.cells[::3]:
        for b in board.cells:
            parts = Drawing(board, a, b).parts if a != b else {}
            for x in board.cells:
                low, high = parts.get(x, (0, 0))
                expected = low < high and x not in (a, b)
                assert board.geo.crossed(board.at[x], board.at[a], board.at[b]) == expected, (x, a, b)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("strict", [False, True])
def test_sight_is_symmetric(seed: int, strict: bool) -> None:
    """FCB-LOS-01: asked of the shape, because the geometry remembers both ways at once."""
    board = random_board(300 + seed, disc(4))
    shape, ground = board.shape, board.geo.ground
    for a in range(shape.size):
        for b in range(a):
            assert shape.clear(ground, a, b, strict) == shape.clear(ground, b, a, strict)


def test_obstacles_and_distance_do_not_block_sight() -> None:
    """FCB-LOS-02, FCB-BOARD-04."""
    cells = disc(3)
    board = Board(cells, {cell: OBSTACLE for cell in cells if cell != (0, 0)} | {(1, 0): INCOMPLETE})
    assert all(board.sees((0, 0), cell) for cell in cells)


def test_wall_space_blocks_sight_and_is_visible() -> None:
    """FCB-LOS-03."""
    board = Board(disc(2), {(1, 0): WALL})
    assert not board.sees((0, 0), (2, 0))
    assert board.sees((0, 0), (1, 0))


def test_wall_side_blocks_sight() -> None:
    """FCB-LOS-03; WALL-05: a gap in a wall lets sight through."""
    board = Board(disc(2), walls=[((0, 0), (1, 0)), ((0, 0), (0, 1))])
    assert not board.sees((0, 0), (2, 0))
    assert board.sees((0, 0), (-2, 0))


CORNERS = [((1, 0), (2, 0), (1, 1)), ((2, 1), (3, 1), (3, 0))]
"""The corners at which the line from (0, 0) to (4, 1) passes from one space to the next beside a third."""


@pytest.mark.parametrize(("x", "y", "z"), CORNERS)
def test_line_through_corner_passes_one_wall(x: Cell, y: Cell, z: Cell) -> None:
    """FCB-LOS-04: stopped by the side between only if the third space is no way round."""
    ends = ((0, 0), (4, 1))
    cells = disc(5)
    assert Board(cells, walls=[(x, y)]).sees(*ends)
    assert Board(cells, walls=[(x, z), (z, y)]).sees(*ends)
    assert Board(cells, {z: WALL}).sees(*ends)
    assert not Board(cells, walls=[(x, y), (x, z)]).sees(*ends)
    assert not Board(cells, walls=[(x, y), (z, y)]).sees(*ends)
    assert not Board(cells, {z: WALL}, walls=[(x, y)]).sees(*ends)


@pytest.mark.parametrize(("x", "y", "z"), CORNERS)
def test_any_wall_touches_line_through_corner(x: Cell, y: Cell, z: Cell) -> None:
    """FCB-LOS-04, `wall-contact = block`."""
    ends = ((0, 0), (4, 1))
    cells = disc(5)
    for side in ((x, y), (x, z), (z, y)):
        assert not Board(cells, walls=[side]).sees(*ends, strict=True)
    assert not Board(cells, {z: WALL}).sees(*ends, strict=True)
    assert Board([cell for cell in cells if cell != z]).sees(*ends, strict=True)
    assert Board(cells, {z: INCOMPLETE}).sees(*ends, strict=True)


@pytest.mark.parametrize(("x", "y", "z"), CORNERS)
def test_missing_third_space_blocks_corner(x: Cell, y: Cell, z: Cell) -> None:
    """FCB-LOS-08: it counts as closed, an incomplete one as open; without a wall nothing is stopped."""
    ends = ((0, 0), (4, 1))
    cells = disc(5)
    without = [cell for cell in cells if cell != z]
    assert Board(without).sees(*ends)
    assert not Board(without, walls=[(x, y)]).sees(*ends)
    assert Board(cells, {z: INCOMPLETE}, walls=[(x, y)]).sees(*ends)


def test_line_between_flanks_needs_one_open_flank() -> None:
    """FCB-LOS-05: along the common side of (1,0) and (0,1); a wall on that side itself does not matter."""
    ends = ((0, 0), (1, 1))
    one, other = ((0, 0), (1, 0)), ((0, 1), (1, 1))
    assert Board(disc(2), walls=[one]).sees(*ends)
    assert Board(disc(2), walls=[((1, 0), (0, 1))]).sees(*ends)
    assert not Board(disc(2), walls=[one, other]).sees(*ends)
    assert not Board(disc(2), {(0, 1): WALL}, walls=[one]).sees(*ends)


@pytest.mark.parametrize("left", [((0, 0), (1, 0)), ((1, 0), (1, 1)), None])
@pytest.mark.parametrize("right", [((0, 0), (0, 1)), ((0, 1), (1, 1)), None])
def test_flank_is_closed_by_walls(left: tuple[Cell, Cell] | None, right: tuple[Cell, Cell] | None) -> None:
    """FCB-LOS-05: both must be; both walls of one flank, or a wall on the common side, do not close the other."""
    ends = ((0, 0), (1, 1))
    walls = [side for side in (left, right) if side]
    terrain = {cell: WALL for cell, side in (((1, 0), left), ((0, 1), right)) if side is None}
    assert not Board(disc(2), terrain, walls).sees(*ends)
    common = ((1, 0), (0, 1))
    assert Board(disc(2), {(1, 0): WALL} if left is None else {}, [common] if left is None else [left, common]).sees(
        *ends
    )
    assert Board(disc(2), walls=[((0, 0), (1, 0)), ((1, 0), (1, 1))]).sees(*ends)
    assert Board(disc(2), walls=[((0, 0), (0, 1)), ((0, 1), (1, 1))]).sees(*ends)


def test_any_wall_touches_line_along_side() -> None:
    """FCB-LOS-04, `wall-contact = block`."""
    ends = ((0, 0), (1, 1))
    for side in (
        ((0, 0), (1, 0)), ((1, 0), (1, 1)), ((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 0), (0, 1)),
    ):  # fmt: skip
        assert not Board(disc(2), walls=[side]).sees(*ends, strict=True)
    for flank in ((1, 0), (0, 1)):
        assert not Board(disc(2), {flank: WALL}).sees(*ends, strict=True)
        assert Board([cell for cell in disc(2) if cell != flank]).sees(*ends, strict=True)
    assert Board(disc(2)).sees(*ends, strict=True)


def test_missing_flanks_block_line() -> None:
    """FCB-LOS-08, FCB-LOS-08c: one missing flank is closed, two block nothing; an incomplete one is open."""
    ends = ((0, 0), (1, 1))
    wall = [((0, 0), (1, 0))]
    without = [cell for cell in disc(2) if cell != (0, 1)]
    assert Board(without).sees(*ends)
    assert not Board(without, walls=wall).sees(*ends)
    assert Board(disc(2), {(0, 1): INCOMPLETE}, walls=wall).sees(*ends)
    assert Board([cell for cell in without if cell != (1, 0)]).sees(*ends)


def test_cover_along_side_is_correct() -> None:
    """FCB-COVER-03: a line along a side touches both neighbours and passes inside neither."""
    target, viewer = (0, 0), (1, 1)
    board = Board(disc(2), {(1, 0): OBSTACLE})
    both = Board(disc(2), {(1, 0): OBSTACLE, (0, 1): OBSTACLE})
    assert board.screened(target, viewer)
    assert not board.screened(target, viewer, strict=True)
    assert both.screened(target, viewer, strict=True)


def test_some_terrain_gives_no_cover() -> None:
    """FCB-COVER-04: the attacker's own space; the target's; obstacles not next to the target; walled ones."""
    assert not Board(disc(3), {(1, 0): OBSTACLE}).screened((0, 0), (1, 0))
    assert not Board(disc(3), {(0, 0): OBSTACLE}).screened((0, 0), (2, 0))
    assert not Board(disc(3), {(2, 0): OBSTACLE}).screened((0, 0), (3, 0))
    assert not Board(disc(3), {(1, 0): OBSTACLE}, walls=[((0, 0), (1, 0))]).screened((0, 0), (2, 0))
    assert Board(disc(3), {(1, 0): OBSTACLE}).screened((0, 0), (2, 0))


def test_piece_without_space_is_not_seen() -> None:
    board = Board(disc(1))
    assert not board.geo.sees(-1, 0, False)
    assert not board.geo.sees(0, -1, True)
    assert not board.geo.screened(-1, 0, False)
    assert not board.geo.crossed(-1, 0, 1)


@pytest.mark.parametrize("seed", range(6))
def test_open_sight_implies_connection(seed: int) -> None:
    """FCB-WALL-03: the two tests differ only across missing or incomplete spaces."""
    board = random_board(400 + seed, disc(4), gaps=0, walls=35)
    whole = {cell: terrain for cell, terrain in board.terrain.items() if terrain is not INCOMPLETE}
    board = Board(board.cells, whole, [(c, d) for c, d in board.walls])
    for a in range(board.geo.size):
        for b in range(board.geo.size):
            walls = WALL in (board.terrain.get(board.cells[a]), board.terrain.get(board.cells[b]))
            if not walls and board.geo.sees(a, b, False):
                assert board.geo.connected(a, b)
