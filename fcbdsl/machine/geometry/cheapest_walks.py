"""Cheapest walks.

A walk consists of strides: a step to a neighbor with footing, or a crossing, over a chain of spaces without footing to
one that has it. No walk ends on a space without footing, but one may begin there.

Entering a space costs its terrain's cost plus a surcharge, at least nothing. Each space crossed costs that (`flat`:
only the first does, the others the surcharge); the landing is free. `crowd` has a non-zero byte per occupied space; a
walk never enters one. `climb`: it may enter spaces that only climbers may enter.

The search uses bucket queues (R. Dial, "Algorithm 360", 1969): costs are small whole numbers, so there is one list of
spaces per cost. Inside a crossing, which has few spaces, it uses a heap (E. W. Dijkstra, "A note on two problems in
connexion with graphs", 1959).
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final

from fcbdsl.machine.geometry.board import OPEN, RAISED, Geometry

ANY_STRIDE: Final = 1 << 30
UNREACHED: Final = 1 << 29
"""More than any walk costs."""
MOST_KNOWN: Final = 4096
"""Most costs of walks that a geometry keeps; then all are forgotten."""


def strides(
    geo: Geometry, start: int, most: int, surcharge: int, climb: bool, crowd: bytes, flat: bool
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the cost of each stride from `start`, and the cost of each space without footing on the way.

    Neighbors come first, by direction. A crossing costs at most `most`.
    """
    links = geo.climb_links if climb else geo.open_links
    costs, footing = geo.costs, geo.footing
    landings: dict[int, int] = {}
    crossed: dict[int, int] = {}
    heap: list[tuple[int, int]] = []
    if footing[start]:
        for b in links[start]:
            if crowd[b]:
                continue
            cost = costs[b] + surcharge
            if cost < 0:
                cost = 0
            if footing[b]:
                landings[b] = cost
            elif cost <= most:
                heappush(heap, (cost, b))
    else:
        heap.append((0, start))
    while heap:
        cost, at = heappop(heap)
        if at in crossed:
            continue
        crossed[at] = cost
        for b in links[at]:
            if crowd[b] or b == start:
                continue
            if footing[b]:
                landings[b] = min(landings.get(b, cost), cost)
                continue
            further = cost + (max(surcharge, 0) if flat else max(costs[b] + surcharge, 0))
            if further <= most:
                heappush(heap, (further, b))
    return landings, crossed


def next_steps(
    geo: Geometry, start: int, budget: int, surcharge: int, climb: bool, crowd: bytes, flat: bool = False
) -> list[int]:
    """Return the ends of single strides of at most `budget`: neighbors by direction, then ends of crossings."""
    if start < 0:
        return []
    if geo.all_footing:
        links, costs = geo.climb_links if climb else geo.open_links, geo.costs
        return [b for b in links[start] if not crowd[b] and max(costs[b] + surcharge, 0) <= budget]
    landings = strides(geo, start, budget, surcharge, climb, crowd, flat)[0]
    return [b for b, cost in landings.items() if cost <= budget]


def step_cost(
    geo: Geometry, start: int, goal: int, surcharge: int, climb: bool, crowd: bytes, flat: bool = False
) -> int:
    """Return the cost of the single stride from `start` to `goal`, or -1; of a goal without footing, of getting onto
    it."""
    if start < 0 or goal < 0:
        return -1
    if geo.all_footing:
        links = geo.climb_links if climb else geo.open_links
        return -1 if crowd[goal] or goal not in links[start] else max(geo.costs[goal] + surcharge, 0)
    landings, crossed = strides(geo, start, ANY_STRIDE, surcharge, climb, crowd, flat)
    return landings[goal] if goal in landings else crossed.get(goal, -1)


def reachable(
    geo: Geometry, start: int, budget: int, surcharge: int, climb: bool, crowd: bytes, flat: bool = False
) -> list[int]:
    """Return the spaces other than `start` that a walk of at most `budget` reaches: cheapest first, then by number."""
    if start < 0:
        return []
    if geo.all_footing and geo.cheapest == geo.costliest:
        step = geo.costliest + surcharge
        if step > 0:
            return _flood(geo, start, budget // step, climb, crowd)
    return reachable_costs(geo, start, budget, surcharge, climb, crowd, flat)[0]


def _flood(geo: Geometry, start: int, steps: int, climb: bool, crowd: bytes) -> list[int]:
    """`reachable` where every step costs the same: a breadth-first search."""
    links = geo.climb_links if climb else geo.open_links
    seen = bytearray(crowd)
    seen[start] = 1
    flooded: list[int] = []
    front = [start]
    while front and steps > 0:
        steps -= 1
        following: list[int] = []
        for a in front:
            for b in links[a]:
                if not seen[b]:
                    seen[b] = 1
                    following.append(b)
        following.sort()
        flooded += following
        front = following
    return flooded


def reachable_costs(
    geo: Geometry, start: int, budget: int, surcharge: int, climb: bool, crowd: bytes, flat: bool = False
) -> tuple[list[int], list[int]]:
    """Return the spaces of `reachable`, and the cost of the cheapest walk to each."""
    reached: list[int] = []
    costs: list[int] = []
    if start < 0 or budget < 0:
        return reached, costs
    best = _costs_from(geo, start, -1, budget, surcharge, climb, crowd, flat)
    size, footing = geo.size, geo.footing
    ends = [b for b, cost in enumerate(best) if 0 <= cost <= budget and footing[b] and b != start]
    for key in sorted([best[b] * size + b for b in ends]):
        reached.append(key % size)
        costs.append(key // size)
    return reached, costs


def walk_cost(
    geo: Geometry, start: int, goal: int, surcharge: int, climb: bool, crowd: bytes, flat: bool = False
) -> int:
    """Return the cost of the cheapest walk from `start` to `goal`; -1 if there is none.

    The goal may lack footing: the walk need only be able to enter it.
    """
    if start < 0 or goal < 0:
        return -1
    if start == goal:
        return 0
    key = (start, goal, surcharge, climb, flat, crowd)
    cost = geo.walk_costs.get(key, UNREACHED)  # bots ask for the same walks in many positions
    if cost < UNREACHED:
        return cost
    cost = _costs_from(geo, start, goal, UNREACHED - 1, surcharge, climb, crowd, flat)[goal]
    if cost >= UNREACHED:
        cost = -1
    if len(geo.walk_costs) >= MOST_KNOWN:
        geo.walk_costs.clear()
    geo.walk_costs[key] = cost
    return cost


def _entering(geo: Geometry, surcharge: int) -> list[int]:
    """Return, per space, the cost of entering it from a space with footing."""
    return [cost + surcharge if cost + surcharge > 0 else 0 for cost in geo.costs] if surcharge else geo.costs


def _onward(geo: Geometry, entering: list[int], surcharge: int, flat: bool) -> list[int]:
    """Return, per space, the cost of entering it from a space without footing: nothing for a landing."""
    if geo.all_footing:
        return entering  # never used
    extra = max(surcharge, 0)
    return [0 if geo.footing[b] else extra if flat else cost for b, cost in enumerate(entering)]


def _limits(most: int, crowd: bytes) -> list[int]:
    """Return, per space, the exclusive bound on a walk's cost: `most` + 1, or -1 if it is crowded."""
    limits = [most + 1] * len(crowd)
    for space in range(len(crowd)):
        if crowd[space]:
            limits[space] = -1
    return limits


def _costs_from(
    geo: Geometry, start: int, goal: int, budget: int, surcharge: int, climb: bool, crowd: bytes, flat: bool
) -> list[int]:
    """Return, per space, the cost of the cheapest way from `start` onto it; stop once `goal` is settled.

    Spaces out of reach have a cost above the budget, crowded ones -1.
    """
    links = geo.climb_links if climb else geo.open_links
    entering = _entering(geo, surcharge)
    onward = _onward(geo, entering, surcharge, flat)
    footing = geo.footing
    best = _limits(budget, crowd)
    best[start] = 0
    buckets: list[list[int]] = [[start]]
    cost = 0
    while cost < len(buckets):
        for a in buckets[cost]:  # grows while walks that cost nothing are found
            if best[a] != cost:
                continue
            if a == goal:
                return best
            costs = entering if footing[a] else onward
            for b in links[a]:
                total = cost + costs[b]
                if total < best[b]:
                    best[b] = total
                    while len(buckets) <= total:
                        buckets.append([])
                    buckets[total].append(b)
        cost += 1
    return best


def steps_toward(
    geo: Geometry,
    start: int,
    goals: Sequence[int],
    surcharge: int,
    climb: bool,
    crowd: bytes,
    flat: bool = False,
    stride: int = ANY_STRIDE,
) -> list[int]:
    """Return the ends of the first strides of the cheapest walks to a nearest goal.

    Neighbors come first, by direction. No crossing on the way costs more than `stride`. Return an empty list if `start`
    is a goal or no goal can be reached. A goal that is occupied, or without footing, cannot be reached.
    """
    if start < 0 or start in goals:
        return []
    left = _costs_to(geo, start, goals, surcharge, climb, crowd, flat, stride)
    best = left[start]
    if best >= UNREACHED:
        return []
    first = strides(geo, start, stride, surcharge, climb, crowd, flat)[0]
    return [b for b, cost in first.items() if left[b] >= 0 and left[b] + cost == best]


def _costs_to(
    geo: Geometry,
    start: int,
    goals: Sequence[int],
    surcharge: int,
    climb: bool,
    crowd: bytes,
    flat: bool,
    stride: int,
) -> list[int]:
    """Return, per space, the cost of the cheapest walk from it to a nearest goal, by a backward search.

    It stops once `start` is settled. Spaces from which none is found have a cost of `UNREACHED`, crowded ones -1.
    """
    allowed = RAISED if climb else OPEN
    entering = _entering(geo, surcharge)
    onward = _onward(geo, entering, surcharge, flat)
    ways = geo.climb_ways if climb else geo.open_ways
    footing, standing = geo.footing, geo.standing
    best = _limits(UNREACHED - 1, crowd)
    enterable = best[start] > 0 and standing[start] <= allowed and footing[start] != 0
    best[start] = UNREACHED
    buckets: list[list[int]] = [[]]
    for goal in goals:
        if goal >= 0 and best[goal] > 0 and standing[goal] <= allowed and footing[goal]:
            best[goal] = 0
            buckets[0].append(goal)
    cost = 0
    while cost < len(buckets) and cost <= best[start]:
        for b in buckets[cost]:
            if best[b] != cost or (b == start and not enterable):
                continue
            gap = False
            total = cost + entering[b]
            for a in ways[b]:
                if not footing[a]:
                    gap = True
                elif total < best[a] and (a == start or standing[a] <= allowed):
                    # A walk may begin on a space that it could not enter.
                    best[a] = total
                    while len(buckets) <= total:
                        buckets.append([])
                    buckets[total].append(a)
            for a, fee in _crossings(geo, start, b, entering, onward, allowed, crowd, stride) if gap else ():
                if cost + fee < best[a]:
                    best[a] = cost + fee
                    while len(buckets) <= cost + fee:
                        buckets.append([])
                    buckets[cost + fee].append(a)
        cost += 1
    return best


def _crossings(
    geo: Geometry,
    start: int,
    landing: int,
    entering: list[int],
    onward: list[int],
    allowed: int,
    crowd: bytes,
    most: int,
) -> list[tuple[int, int]]:
    """Return the starts of crossings to a landing, each with its cost, at most `most`, by a backward search."""
    ways = geo.climb_ways if allowed == RAISED else geo.open_ways
    footing, standing = geo.footing, geo.standing
    crossings: list[tuple[int, int]] = []
    seen = bytearray(geo.size)
    heap: list[tuple[int, int]] = []
    for x in ways[landing]:
        if not footing[x]:
            heappush(heap, (0, x))
    while heap:
        paid, x = heappop(heap)  # for the spaces between x and the landing
        if seen[x]:
            continue
        seen[x] = 1
        if x == start:
            crossings.append((x, paid))
        if crowd[x] or standing[x] > allowed:
            continue
        whole, further = paid + entering[x], paid + onward[x]
        for a in ways[x]:
            if not footing[a]:
                if further <= most:
                    heappush(heap, (further, a))
            elif whole <= most and a != landing and (a == start or standing[a] <= allowed):
                crossings.append((a, whole))
    return crossings
