"""Cheapest walks. Entering a space costs its terrain's cost plus a surcharge, at least nothing.

Bucket queues (R. Dial, "Algorithm 360", 1969): costs are small whole numbers, so the spaces at each cost stand in
a list of their own. `crowd` has a non-zero byte per occupied space; a walk never enters one.
Where some spaces give no footing, walks are made of strides instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.game import strides
from fcbdsl.game.board import OPEN, RAISED, Geometry

ANY_STRIDE = 1 << 30


def next_steps(
    geo: Geometry, start: int, budget: int, surcharge: int, climb: bool, crowd: bytearray, flat: bool = False
) -> list[int]:
    """Where a single stride of at most `budget` ends: neighbours, by direction, then beyond what gives no footing."""
    if start < 0:
        return []
    if geo.sound:
        links = geo.climb_links if climb else geo.open_links
        costs = _entering(geo, surcharge)
        return [b for b in links[start] if not crowd[b] and costs[b] <= budget]
    found = strides.Walker(geo, surcharge, climb, crowd, flat).strides(start, budget)[0]
    return [b for b, cost in found.items() if cost <= budget]


def step_cost(
    geo: Geometry, start: int, goal: int, surcharge: int, climb: bool, crowd: bytearray, flat: bool = False
) -> int:
    """The cost of the single stride from `start` to `goal`, or -1; of a goal without footing, of getting onto it."""
    if start < 0 or goal < 0:
        return -1
    if geo.sound:
        links = geo.climb_links if climb else geo.open_links
        return max(geo.costs[goal] + surcharge, 0) if goal in links[start] and not crowd[goal] else -1
    landings, crossed = strides.Walker(geo, surcharge, climb, crowd, flat).strides(start, ANY_STRIDE)
    return landings[goal] if goal in landings else crossed.get(goal, -1)


def reachable(
    geo: Geometry, start: int, budget: int, surcharge: int, climb: bool, crowd: bytearray, flat: bool = False
) -> list[int]:
    """The spaces other than `start` that a walk of at most `budget` reaches: cheapest first, then by number."""
    if start < 0:
        return []
    if geo.sound and geo.cheapest == geo.costliest:
        step = geo.costliest + surcharge
        if step > 0:
            return _flood(geo, start, budget // step, climb, crowd)
    return reachable_costs(geo, start, budget, surcharge, climb, crowd, flat)[0]


def _flood(geo: Geometry, start: int, steps: int, climb: bool, crowd: bytearray) -> list[int]:
    """`reachable` where every step costs the same: a breadth-first search."""
    links = geo.climb_links if climb else geo.open_links
    seen = bytearray(crowd)
    seen[start] = 1
    found: list[int] = []
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
        found += following
        front = following
    return found


def reachable_costs(
    geo: Geometry, start: int, budget: int, surcharge: int, climb: bool, crowd: bytearray, flat: bool = False
) -> tuple[list[int], list[int]]:
    """`reachable` together with the cost of each space's cheapest walk."""
    found: list[int] = []
    costs: list[int] = []
    if start < 0 or budget < 0:
        return found, costs
    if not geo.sound:
        return strides.reachable_costs(strides.Walker(geo, surcharge, climb, crowd, flat), start, budget)
    best = _costs_from(geo, start, -1, budget, surcharge, climb, crowd)
    size = geo.size
    for key in sorted([cost * size + b for b, cost in enumerate(best) if 0 <= cost <= budget and b != start]):
        found.append(key % size)
        costs.append(key // size)
    return found, costs


def walk_cost(
    geo: Geometry, start: int, goal: int, surcharge: int, climb: bool, crowd: bytearray, flat: bool = False
) -> int:
    """The cost of the cheapest walk from `start` to `goal`, or -1."""
    if start < 0 or goal < 0:
        return -1
    if start == goal:
        return 0
    if not geo.sound:
        return strides.walk_cost(strides.Walker(geo, surcharge, climb, crowd, flat), start, goal)
    budget = geo.size * max(geo.costliest + surcharge, 0)
    cost = _costs_from(geo, start, goal, budget, surcharge, climb, crowd)[goal]
    return cost if cost <= budget else -1


def _entering(geo: Geometry, surcharge: int) -> list[int]:
    """Per space the cost of entering it."""
    return [cost + surcharge if cost + surcharge > 0 else 0 for cost in geo.costs] if surcharge else geo.costs


def _limits(most: int, crowd: bytearray) -> list[int]:
    """Per space the cost that a walk must be cheaper than to count: dearest `most`, and none where it is crowded."""
    limits = [most + 1] * len(crowd)
    for space in range(len(crowd)):
        if crowd[space]:
            limits[space] = -1
    return limits


def _costs_from(
    geo: Geometry, start: int, goal: int, budget: int, surcharge: int, climb: bool, crowd: bytearray
) -> list[int]:
    """Per space the cost of the cheapest walk from `start`; ends once `goal` is settled.

    Spaces out of reach have a cost above the budget, crowded ones -1.
    """
    links = geo.climb_links if climb else geo.open_links
    costs = _entering(geo, surcharge)
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
    crowd: bytearray,
    flat: bool = False,
    stride: int = ANY_STRIDE,
) -> list[int]:
    """The neighbours of `start` that begin a cheapest walk to a nearest goal, in the order of directions; and where
    such a walk begins with a crossing (of at most `stride`), the space beyond.

    None if `start` is a goal or no goal can be reached. A goal that is occupied cannot be reached.
    """
    if start < 0 or start in goals:
        return []
    if not geo.sound:
        return strides.steps_toward(strides.Walker(geo, surcharge, climb, crowd, flat), start, goals, stride)
    costs = _entering(geo, surcharge)
    left = _costs_to(geo, start, goals, costs, climb, crowd)
    best = left[start]
    if best > geo.size * max(costs):
        return []
    links = geo.climb_links if climb else geo.open_links
    return [b for b in links[start] if left[b] >= 0 and left[b] + costs[b] == best]


def _costs_to(
    geo: Geometry, start: int, goals: Sequence[int], costs: list[int], climb: bool, crowd: bytearray
) -> list[int]:
    """Per space the cost of the cheapest walk on to a nearest goal: a search backwards that ends once
    `start` is settled.

    Spaces from which none is found have a cost above that of every walk, crowded ones -1.
    """
    allowed = RAISED if climb else OPEN
    best = _limits(geo.size * max(costs), crowd)
    best[start] = geo.size * max(costs) + 1
    buckets: list[list[int]] = [[]]
    for goal in goals:
        if goal >= 0 and best[goal] > 0 and geo.standing[goal] <= allowed:
            best[goal] = 0
            buckets[0].append(goal)
    cost = 0
    while cost < len(buckets) and cost <= best[start]:
        for b in buckets[cost]:
            if best[b] != cost:
                continue
            total = cost + costs[b]
            for a in geo.links[b]:
                # A walk may begin on a space that it could not enter.
                if total < best[a] and (a == start or geo.standing[a] <= allowed):
                    best[a] = total
                    while len(buckets) <= total:
                        buckets.append([])
                    buckets[total].append(a)
        cost += 1
    return best
