"""Walks over spaces without footing against a plain search over single steps."""

from __future__ import annotations

import heapq

import pytest
from small_boards import Board, disc, random_board

from fcbdsl.machine.geometry.board import Terrain
from fcbdsl.machine.geometry.cheapest_walks import (
    next_steps,
    reachable,
    reachable_costs,
    step_cost,
    steps_toward,
    strides,
    walk_cost,
)

PIT = Terrain(cost=4, footing=False)


def pitted(seed: int) -> Board:
    """Return a random board with some spaces without footing."""
    plain = random_board(seed, disc(3))
    ground = {cell: PIT if (at * 5 + seed) % 3 == 0 else plain.terrain.get(cell) for at, cell in enumerate(plain.cells)}
    return Board(plain.cells, {cell: kind for cell, kind in ground.items() if kind is not None})


def cheapest(board: Board, start: int, extra: int, crowd: bytes, flat: bool, stride: int) -> dict[int, int]:
    """Return the costs by Dijkstra's algorithm over (space, paid for the present crossing), one step at a time."""
    geo = board.geo
    best: dict[tuple[int, int], int] = {}
    heap = [(0, start, 0)]
    while heap:
        cost, a, paid = heapq.heappop(heap)
        if (a, paid) in best:
            continue
        best[a, paid] = cost
        for b in geo.open_links[a]:
            if crowd[b]:
                continue
            fee = geo.costs[b] + extra
            if not geo.footing[a]:
                fee = 0 if geo.footing[b] else extra if flat else fee
            if geo.footing[b]:
                heapq.heappush(heap, (cost + fee, b, 0))
            elif paid + fee <= stride:
                heapq.heappush(heap, (cost + fee, b, paid + fee))
    out: dict[int, int] = {}
    for (a, _), cost in best.items():
        out[a] = min(cost, out.get(a, cost))
    return out


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("flat", [False, True])
def test_walks_agree_with_single_steps(seed: int, flat: bool) -> None:
    """FCB-MOVE-08, FCB-PARKOUR-03: each space crossed costs its ground, the landing nothing."""
    board = pitted(seed)
    geo = board.geo
    crowd = bytes((space * 7 + seed) % 5 == 0 for space in range(geo.size))
    extra = seed % 3
    for start in range(0, geo.size, 3):
        best = cheapest(board, start, extra, crowd, flat, 999)
        assert [walk_cost(geo, start, b, extra, False, crowd, flat) for b in range(geo.size)] == [
            best.get(b, -1) for b in range(geo.size)
        ]
        for budget in (0, 1, 4, 9):
            within = cheapest(board, start, extra, crowd, flat, budget)
            expected = sorted(
                (cost, b) for b, cost in within.items() if cost <= budget and b != start and geo.footing[b]
            )
            spaces, costs = reachable_costs(geo, start, budget, extra, False, crowd, flat)
            assert list(zip(costs, spaces, strict=True)) == expected
            assert reachable(geo, start, budget, extra, False, crowd, flat) == spaces


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("stride", [0, 4, 5, 12])
def test_first_steps_keep_within_stride(seed: int, stride: int) -> None:
    """FCB-PATH-01, FCB-PARKOUR-03: who cannot cross in one go walks round."""
    board = pitted(seed)
    geo = board.geo
    crowd = bytes(geo.size)
    goals = [(seed * 5) % geo.size, (seed * 11 + 3) % geo.size]
    firm = [goal for goal in goals if geo.footing[goal]]
    for start in [a for a in range(geo.size) if geo.footing[a] and a not in goals]:
        whole = cheapest(board, start, 0, crowd, False, stride)
        best = min((whole[goal] for goal in firm if goal in whole), default=-1)
        steps = steps_toward(geo, start, goals, 0, False, crowd, False, stride)
        assert bool(steps) == (best >= 0)
        first = strides(geo, start, stride, 0, False, crowd, False)[0]
        assert next_steps(geo, start, stride, 0, False, crowd) == [b for b in first if first[b] <= stride]
        for b, fee in first.items():
            rest = cheapest(board, b, 0, crowd, False, stride)
            after = min((rest[goal] for goal in firm if goal in rest), default=-1)
            assert (b in steps) == (best >= 0 and after >= 0 and fee + after == best)
        assert all(geo.footing[b] and not crowd[b] for b in steps)


def test_started_crossing_ends_without_cost() -> None:
    """FCB-PARKOUR-03: the step out onto firm ground is free, without surcharge."""
    board = Board([(0, 0), (1, 0), (2, 0), (3, 0)], {(1, 0): PIT, (2, 0): PIT})
    geo, crowd = board.geo, bytes(4)
    a, b, c, d = (board.at[q, 0] for q in range(4))
    assert [walk_cost(geo, b, goal, 2, False, crowd) for goal in (a, c, d)] == [0, 6, 6]
    assert [walk_cost(geo, b, goal, 2, False, crowd, True) for goal in (a, c, d)] == [0, 2, 2]
    assert walk_cost(geo, a, d, 0, False, crowd) == 8
    assert walk_cost(geo, a, d, 1, False, crowd, True) == 6
    assert next_steps(geo, a, 7, 0, False, crowd) == []
    assert next_steps(geo, a, 8, 0, False, crowd) == [d]
    assert steps_toward(geo, a, [d], 0, False, crowd, False, 7) == []
    assert steps_toward(geo, a, [c], 0, False, crowd) == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("flat", [False, True])
def test_stride_has_offered_cost(seed: int, flat: bool) -> None:
    """FCB-MOVE-08: the cost is that of the stride, also if a walk of several strides costs less."""
    for board in (pitted(seed), random_board(seed, disc(2))):
        geo = board.geo
        crowd = bytes((space * 7 + seed) % 5 == 0 for space in range(geo.size))
        for start in range(geo.size):
            for b in range(geo.size):
                cost = step_cost(geo, start, b, seed % 3, False, crowd, flat)
                offered = [
                    most for most in range(24) if b in next_steps(geo, start, most, seed % 3, False, crowd, flat)
                ]
                if geo.footing[b] and b != start and cost < 24:
                    assert offered == ([] if cost < 0 else list(range(cost, 24)))


def test_crossing_is_not_a_detour() -> None:
    """FCB-PARKOUR-03: from one side of a chasm to the other by way of it, where two plain steps lead there, too."""
    board = Board([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)], {(0, 1): PIT})
    geo, crowd = board.geo, bytes(5)
    a, pit, end = board.at[0, 0], board.at[0, 1], board.at[0, 2]
    assert walk_cost(geo, a, end, 0, False, crowd) == 3
    assert step_cost(geo, a, end, 0, False, crowd) == 4
    assert step_cost(geo, a, pit, 1, False, crowd) == 5
    assert (step_cost(geo, pit, end, 1, False, crowd), step_cost(geo, -1, end, 0, False, crowd)) == (0, -1)


def test_walk_ends_on_allowed_terrain() -> None:
    """FCB-PARKOUR-03: where a plain flood would do, too."""
    board = Board([(0, 0), (1, 0), (2, 0), (2, 1)], {(1, 0): Terrain(footing=False)})
    assert reachable(board.geo, 0, 1, 0, False, bytes(4)) == [2]
    assert reachable(board.geo, 0, 2, 0, False, bytes(4)) == [2, 3]


@pytest.mark.parametrize(("between", "taken"), [(None, 1), (None, 2), (PIT, 1), (PIT, 2)])
def test_figures_block_passing_and_stopping(between: Terrain | None, taken: int) -> None:
    """FCB-MOVE-02: on firm ground, and over a chasm; a walk does not depend on the owner or posture of the figure."""
    geo = Board([(0, 0), (1, 0), (2, 0)], {} if between is None else {(1, 0): between}).geo
    crowd = bytes(int(at in (0, taken)) for at in range(3))
    free = [1] if (between, taken) == (None, 2) else []
    assert next_steps(geo, 0, 9, 0, False, crowd) == free
    assert reachable(geo, 0, 9, 0, False, crowd) == free
    assert steps_toward(geo, 0, [2], 0, False, crowd) == []
    assert walk_cost(geo, 0, 2, 0, False, crowd) == -1


def test_no_walk_starts_without_space() -> None:
    board = Board([(0, 0), (1, 0)], {(1, 0): PIT})
    crowd = bytes(2)
    assert next_steps(board.geo, -1, 5, 0, False, crowd) == []
    assert walk_cost(board.geo, 0, 0, 0, False, crowd) == 0
