"""Cheapest walks against a plain search with a heap."""

from __future__ import annotations

import heapq

import pytest
from small_boards import CHASM, NOTHING, OBSTACLE, PLAIN, Board, disc, random_board, rectangle

from fcbdsl.machine.geometry.board import Geometry, Terrain, build_shape
from fcbdsl.machine.geometry.cheapest_walks import reachable, reachable_costs, steps_toward, walk_cost


def cheapest(
    geo: Geometry, terrain: list[Terrain], start: int, extra: int, climb: bool, crowd: bytes
) -> dict[int, int]:
    """Return the costs by Dijkstra's algorithm with a heap, following FCB-MOVE-01 to 03 and 08."""
    best: dict[int, int] = {}
    heap = [(0, start)]
    while heap:
        cost, a = heapq.heappop(heap)
        if a in best:
            continue
        best[a] = cost
        for b in range(geo.size):
            kind = terrain[b]
            stands = kind.on_board and (not kind.blocks_movement or (climb and not kind.blocks_sight))
            if geo.linked(a, b) and stands and not crowd[b]:
                heapq.heappush(heap, (cost + kind.cost + extra, b))
    return best


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("sort", ["hex", "square", "square-8"])
def test_walks_agree_with_plain_search(seed: int, sort: str) -> None:
    """FCB-MOVE-01, 02, 03, 05, 07, 08; FCB-GRAV-01, 03; FCB-PATH-01, 03."""
    board = random_board(seed, disc(3) if sort == "hex" else rectangle(6, 6), sort)
    geo = board.geo
    terrain = [board.terrain.get(cell, PLAIN) for cell in board.cells]
    crowd = bytes((space * 7 + seed) % 5 == 0 for space in range(geo.size))
    extra, climb = seed % 3, seed % 2 == 1
    for start in range(0, geo.size, 4):
        best = cheapest(geo, terrain, start, extra, climb, crowd)
        assert [walk_cost(geo, start, b, extra, climb, crowd) for b in range(geo.size)] == [
            best.get(b, -1) for b in range(geo.size)
        ]
        for budget in (0, 1, 4, 50):
            expected = sorted((cost, b) for b, cost in best.items() if 0 < cost <= budget)
            spaces, costs = reachable_costs(geo, start, budget, extra, climb, crowd)
            assert list(zip(costs, spaces, strict=True)) == expected
            assert reachable(geo, start, budget, extra, climb, crowd) == spaces


@pytest.mark.parametrize("seed", range(8))
def test_first_steps_agree_with_plain_search(seed: int) -> None:
    """FCB-PATH-01, 03, 06: every neighbour from which the rest is exactly that much cheaper."""
    board = random_board(seed, disc(3))
    geo = board.geo
    terrain = [board.terrain.get(cell, PLAIN) for cell in board.cells]
    crowd = bytes((space * 3 + seed) % 6 == 0 for space in range(geo.size))
    goals = [(seed * 5) % geo.size, (seed * 11 + 3) % geo.size]
    for start in range(geo.size):
        left = {start: cheapest(geo, terrain, start, 0, False, crowd)}
        best = min((left[start][goal] for goal in goals if goal in left[start]), default=-1)
        expected = []
        for b in geo.neighbours(start) if best > 0 and start not in goals else ():
            if b in left[start] and geo.linked(start, b):
                after = cheapest(geo, terrain, b, 0, False, crowd)
                if any(goal in after and terrain[b].cost + after[goal] == best for goal in goals):
                    expected.append(b)
        assert steps_toward(geo, start, goals, 0, False, crowd) == expected


def test_equal_costs_are_ordered_by_number() -> None:
    board = Board(disc(2))
    spaces, costs = reachable_costs(board.geo, board.at[0, 0], 2, 0, False, bytes(19))
    assert costs == [1] * 6 + [2] * 12
    assert spaces[:6] == sorted(spaces[:6])
    assert spaces[6:] == sorted(spaces[6:])


def test_elevated_piece_steps_down() -> None:
    """FCB-MOVE-05: a walk may begin on a space that it could not enter."""
    board = Board(disc(1), {(0, 0): OBSTACLE, (1, 0): OBSTACLE})
    crowd = bytes(7)
    start, goal = board.at[0, 0], board.at[-1, 0]
    assert len(reachable(board.geo, start, 1, 0, False, crowd)) == 5
    assert steps_toward(board.geo, start, [goal], 0, False, crowd) == [goal]
    assert steps_toward(board.geo, goal, [start], 0, False, crowd) == []
    assert steps_toward(board.geo, goal, [start], 0, True, crowd) == [start]


def test_occupied_goal_needs_ignored_pieces() -> None:
    """FCB-PATH-03, FCB-PATH-07."""
    board = Board([(0, 0), (1, 0), (2, 0)])
    crowd = bytes([1, 0, 1])
    assert steps_toward(board.geo, 0, [2], 0, False, crowd) == []
    assert steps_toward(board.geo, 0, [2], 0, False, bytes(3)) == [1]
    assert walk_cost(board.geo, 0, 2, 0, False, crowd) == -1


def test_expensive_space_is_avoided_if_cheaper() -> None:
    """FCB-PATH-01; FTZ-MOVE-04."""
    board = Board(disc(2), {(1, 0): CHASM})
    crowd = bytes(19)
    a, b = board.at[0, 0], board.at[2, 0]
    assert walk_cost(board.geo, a, b, 0, False, crowd) == 3
    assert board.names(steps_toward(board.geo, a, [b], 0, False, crowd)) == [(0, 1), (1, -1)]


def test_steps_can_cost_nothing() -> None:
    geo = Board([(0, 0), (1, 0), (2, 0)]).geo
    crowd = bytes(3)
    assert reachable(geo, 0, 0, -1, False, crowd) == [1, 2]
    assert walk_cost(geo, 0, 2, -1, False, crowd) == 0
    assert steps_toward(geo, 0, [2], -1, False, crowd) == [1]
    ring = Board(disc(1), {(1, 0): CHASM})
    start, goal = ring.at[0, 0], ring.at[1, 0]
    assert steps_toward(ring.geo, start, [goal], -1, False, bytes(7)) == list(ring.geo.neighbours(start))
    apart = Board([(0, 0), (1, 0), (5, 0)]).geo
    assert steps_toward(apart, 0, [2], -1, False, crowd) == []


def test_push_without_space_does_nothing() -> None:
    geo = Board(disc(1)).geo
    crowd = bytes(7)
    assert reachable(geo, -1, 3, 0, False, crowd) == []
    assert walk_cost(geo, -1, 0, 0, False, crowd) == walk_cost(geo, 0, -1, 0, False, crowd) == -1
    assert steps_toward(geo, -1, [0], 0, False, crowd) == steps_toward(geo, 0, [-1], 0, False, crowd) == []


def test_graphs_are_walked_along_links() -> None:
    """BST-PLAY-11; FTZ-MOVE-04."""
    shape = build_shape("graph", [0] * 4, [0] * 4, [(0, 1, 0), (1, 2, 0), (0, 3, 1), (3, 2, 0)])
    geo = Geometry(shape, [PLAIN, Terrain(cost=2), PLAIN, PLAIN], [NOTHING] * 4)
    crowd = bytes(4)
    assert steps_toward(geo, 0, [2], 0, False, crowd) == [3]
    assert reachable_costs(geo, 0, 2, 0, False, crowd) == ([3, 1, 2], [1, 2, 2])
