"""Distances, neighbours, links, connection and areas; boards by content."""

from __future__ import annotations

import pytest
from exact_drawing import distance
from small_boards import INCOMPLETE, NOTHING, OBSTACLE, PLAIN, WALL, WALL_SIDE, Board, disc, random_board, rectangle

from fcbdsl.machine.geometry.board import KEPT, Atlas, Geometry, build_shape
from fcbdsl.machine.geometry.shape import FAR

TRIANGLE_AND_TAIL = [(0, 1, 0), (1, 0, 2), (1, 2, 1), (2, 0, -1), (2, 3, 0), (4, 5, 0)]


def net(sort: str = "graph") -> Geometry:
    shape = build_shape(sort, [0] * 6, [0] * 6, TRIANGLE_AND_TAIL)
    return Geometry(shape, [PLAIN] * 6, [NOTHING] * len(shape.sides))


def test_hexagon_distance_is_correct() -> None:
    """FCB-BOARD-01: against the formula, on a board with gaps."""
    board = random_board(1, disc(4))
    for a in board.cells:
        for b in board.cells:
            assert board.geo.range(board.at[a], board.at[b]) == distance(a, b)


def test_distances_from_a_space_are_those_to_it() -> None:
    for geo in (net(), Board(disc(2)).geo, Board(rectangle(5, 4), sort="square-8").geo):
        rows = [geo.shape._range_row(a) for a in range(geo.size)]
        assert [list(column) for column in zip(*rows, strict=True)] == rows


@pytest.mark.parametrize("sort", ["hex", "square", "square-8"])
def test_distance_is_a_metric(sort: str) -> None:
    cells = disc(2) if sort == "hex" else rectangle(5, 4)
    geo = Board(cells, sort=sort).geo
    spaces = range(geo.size)
    for a in spaces:
        assert geo.range(a, a) == 0
        for b in spaces:
            assert geo.range(a, b) == geo.range(b, a)
            assert (geo.range(a, b) == 1) == geo.beside(a, b)
            assert all(geo.range(a, b) <= geo.range(a, c) + geo.range(c, b) for c in spaces)


def test_directions_turn_by_sixty_degrees() -> None:
    """FCB-CONV-01, FCB-CONV-02."""
    board = Board(disc(2))
    centre = board.at[0, 0]
    assert board.names(board.geo.neighbours(centre)) == [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert [board.geo.direction(centre, b) for b in board.geo.neighbours(centre)] == [0, 1, 2, 3, 4, 5]
    assert board.geo.direction(centre, board.at[-2, 2]) == 2
    assert board.geo.direction(centre, board.at[1, 1]) == -1
    assert board.geo.behind(board.at[1, 0], centre) == board.at[2, 0]
    assert board.geo.behind(board.at[2, 0], centre) == -1
    assert board.geo.step(centre, 6) == -1


def test_wall_side_ends_adjacency_but_not_neighborhood() -> None:
    """FCB-CONV-04."""
    board = Board(disc(1), walls=[((0, 0), (1, 0))])
    a, b = board.at[0, 0], board.at[1, 0]
    assert board.geo.beside(a, b)
    assert not board.geo.linked(a, b)
    assert board.geo.side(a, b) == board.geo.side(b, a) >= 0
    assert board.geo.side(a, a) == -1


def test_walls_and_gaps_break_chain() -> None:
    """FCB-BOARD-10: walls, incomplete and missing spaces; not obstacles."""
    row = [(q, 0) for q in range(4)]
    assert Board(row, {(1, 0): OBSTACLE}).geo.connected(0, 3)
    assert not Board(row, {(1, 0): WALL}).geo.connected(0, 3)
    assert not Board(row, {(1, 0): INCOMPLETE}).geo.connected(0, 3)
    assert not Board(row, walls=[((1, 0), (2, 0))]).geo.connected(0, 3)
    assert not Board([(0, 0), (2, 0)]).geo.connected(0, 1)
    assert not Board(row, {(0, 0): WALL}).geo.connected(0, 1)


@pytest.mark.parametrize("radius", range(4))
def test_area_without_walls_is_ball(radius: int) -> None:
    """FCB-KW-RADIUS-01: obstacles and figures do not stop it."""
    board = Board(disc(3), {(1, 0): OBSTACLE})
    for a in range(board.geo.size):
        ball = [b for b in range(board.geo.size) if board.geo.range(a, b) <= radius]
        area = board.geo.area(a, radius)
        assert sorted(area) == ball
        assert list(area) == sorted(area, key=lambda b: (board.geo.range(a, b), b))


def test_walls_lengthen_paths_in_area() -> None:
    """FCB-KW-RADIUS-01: the way round a wall is one step longer."""
    board = Board(disc(2), walls=[((0, 0), (1, 0))])
    origin, beyond = board.at[0, 0], board.at[1, 0]
    assert beyond not in board.geo.area(origin, 1)
    assert beyond in board.geo.area(origin, 2)


@pytest.mark.parametrize("seed", range(5))
def test_connection_is_unbounded_area(seed: int) -> None:
    """FCB-BOARD-10 and FCB-KW-RADIUS-01 use the same chains."""
    geo = random_board(seed, disc(3), walls=40).geo
    for a in range(geo.size):
        if geo.chains(a):
            reached = set(geo.area(a, geo.size))
            assert reached == {b for b in range(geo.size) if geo.connected(a, b)}


def test_graph_distances_are_correct() -> None:
    """BST-BRD-01, 02, 06, 07; FTZ-BOARD-02: only links count."""
    geo = net()
    assert geo.neighbours(0) == (1, 2)
    assert geo.range(0, 3) == 2
    assert geo.range(0, 4) == FAR
    assert geo.step(0, 0) == 1
    assert geo.step(1, 2) == 0
    assert geo.direction(1, 2) == 1
    assert geo.direction(0, 3) == -1
    assert not geo.connected(0, 5)
    assert geo.area(3, 1) == (3, 2)


def test_sight_on_areas_needs_shortest_chain() -> None:
    """FTZ-RANGE-03: a blocking space may be an end, but a way round that is longer does not help."""
    links = [(0, 1, -1), (1, 2, -1), (0, 3, -1), (3, 4, -1), (4, 2, -1), (0, 5, -1), (5, 2, -1)]
    shape = build_shape("areas", [0] * 6, [0] * 6, links)
    sides = [NOTHING] * len(shape.sides)
    geometry = Geometry(shape, [PLAIN, WALL, PLAIN, PLAIN, PLAIN, PLAIN], sides)
    both = Geometry(shape, [PLAIN, WALL, PLAIN, PLAIN, PLAIN, WALL], sides)
    assert geometry.sees(0, 2, False)
    assert not both.sees(0, 2, False)
    assert both.sees(0, 1, False)
    assert both.crossed(1, 0, 2)
    assert not both.crossed(3, 0, 2)
    assert not net().sees(0, 4, False)


def test_cover_on_areas_is_correct() -> None:
    links = [(0, 1, -1), (1, 3, -1), (0, 2, -1), (2, 3, -1)]
    shape = build_shape("areas", [0] * 4, [0] * 4, links)
    geo = Geometry(shape, [PLAIN, OBSTACLE, PLAIN, PLAIN], [NOTHING] * 4)
    assert geo.screened(3, 0, False)
    assert not geo.screened(3, 0, True)
    assert not geo.screened(1, 0, False)


def test_no_space_is_near_to_nothing() -> None:
    for geo in (Board(disc(1)).geo, net()):
        assert geo.range(-1, 0) == geo.range(0, -1) == FAR
        assert geo.neighbours(-1) == geo.area(-1, 2) == ()
        assert [geo.beside(-1, 0), geo.linked(-1, 0), geo.connected(-1, 0), geo.passable(-1)] == [False] * 4
        assert geo.direction(-1, 0) == geo.step(-1, 0) == geo.step(0, -1) == geo.behind(0, -1) == geo.side(0, -1) == -1


def test_equal_boards_share_geometry() -> None:
    """FCB-BOARD-09: a changed door has its own geometry, a restored one its old."""
    shape = build_shape("hex", [0, 1], [0, 0], [])
    atlas = Atlas(shape, [WALL], [WALL_SIDE])
    open_door = atlas.geometry([-1, -1], [-1])
    shut_door = atlas.geometry([-1, -1], [0])
    assert open_door.sees(0, 1, False)
    assert not shut_door.sees(0, 1, False)
    assert atlas.geometry([-1, -1], [-1]) is open_door


def test_geometry_cache_drops_least_recently_used() -> None:
    shape = build_shape("square", list(range(8)), [0] * 8, [])
    atlas = Atlas(shape, [WALL], [])
    first = atlas.geometry([-1] * 8, [-1] * 7)
    lost = atlas.geometry([0] + [-1] * 7, [-1] * 7)
    for number in range(1, KEPT):
        atlas.geometry([0 if number >> bit & 1 else -1 for bit in range(7)] + [0], [-1] * 7)
        assert atlas.geometry([-1] * 8, [-1] * 7) is first
    assert atlas.geometry([0] + [-1] * 7, [-1] * 7) is not lost


def test_invalid_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="same coordinates"):
        build_shape("hex", [0, 0], [1, 1], [])
    with pytest.raises(ValueError, match="itself"):
        build_shape("graph", [0], [0], [(0, 0, 1)])
    with pytest.raises(ValueError, match="no such sort"):
        build_shape("triangle", [], [], [])
