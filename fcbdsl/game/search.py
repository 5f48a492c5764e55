"""Cheapest walks. Entering a space costs its terrain's cost plus a surcharge, at least nothing.

Bucket queues (R. Dial, "Algorithm 360", 1969): costs are small whole numbers, so the spaces at each cost stand in
a list of their own. `crowd` has a non-zero byte per occupied space; a walk never enters one.
"""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.game.board import Geometry


def reachable(geo: Geometry, start: int, budget: int, surcharge: int, climb: bool, crowd: bytearray) -> list[int]:
    """The spaces other than `start` that a walk of at most `budget` reaches: cheapest first, then by number."""
    if start < 0:
        return []
    if geo.cheapest == geo.costliest:
        step = geo.costliest + surcharge
        if step > 0:
            return _flood(geo, start, budget // step, climb, crowd)
    return reachable_costs(geo, start, budget, surcharge, climb, crowd)[0]


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
    geo: Geometry, start: int, budget: int, surcharge: int, climb: bool, crowd: bytearray
) -> tuple[list[int], list[int]]:
    """`reachable` together with the cost of each space's cheapest walk."""
    found: list[int] = []
    costs: list[int] = []
    if start < 0 or budget < 0:
        return found, costs
    best = _costs_from(geo, start, -1, budget, surcharge, climb, crowd)
    order = sorted([cost * geo.size + space for space, cost in enumerate(best) if cost >= 0 and space != start])
    for key in order:
        found.append(key % geo.size)
        costs.append(key // geo.size)
    return found, costs


def walk_cost(geo: Geometry, start: int, goal: int, surcharge: int, climb: bool, crowd: bytearray) -> int:
    """The cost of the cheapest walk from `start` to `goal`, or -1."""
    if start < 0 or goal < 0:
        return -1
    if start == goal:
        return 0
    budget = geo.size * max(geo.costliest + surcharge, 0)
    return _costs_from(geo, start, goal, budget, surcharge, climb, crowd)[goal]


def _costs_from(
    geo: Geometry, start: int, goal: int, budget: int, surcharge: int, climb: bool, crowd: bytearray
) -> list[int]:
    """Per space the cost of the cheapest walk from `start` within the budget, or -1; may end once `goal` is settled."""
    links = geo.climb_links if climb else geo.open_links
    best = [-1] * geo.size
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
                total = cost + max(geo.costs[b] + surcharge, 0)
                if crowd[b] or total > budget or 0 <= best[b] <= total:
                    continue
                best[b] = total
                while len(buckets) <= total:
                    buckets.append([])
                buckets[total].append(b)
        cost += 1
    return best


def steps_toward(
    geo: Geometry, start: int, goals: Sequence[int], surcharge: int, climb: bool, crowd: bytearray
) -> list[int]:
    """The neighbours of `start` that begin a cheapest walk to a nearest goal, in the order of directions.

    None if `start` is a goal or no goal can be reached. A goal that is occupied cannot be reached.
    """
    if start < 0 or start in goals:
        return []
    left = _costs_to(geo, start, goals, surcharge, climb, crowd)
    best = left[start]
    if best < 0:
        return []
    found: list[int] = []
    for b in geo.climb_links[start] if climb else geo.open_links[start]:
        if left[b] >= 0 and not crowd[b] and left[b] + max(geo.costs[b] + surcharge, 0) == best:
            found.append(b)
    return found


def _costs_to(
    geo: Geometry, start: int, goals: Sequence[int], surcharge: int, climb: bool, crowd: bytearray
) -> list[int]:
    """Per space the cost of the cheapest walk on to a nearest goal, or -1: a search backwards, until `start`."""
    enterable = geo.climb_links if climb else geo.open_links
    allowed = 1 if climb else 0
    best = [-1] * geo.size
    buckets: list[list[int]] = [[]]
    for goal in goals:
        if goal >= 0 and best[goal] < 0 and not crowd[goal] and geo.standing[goal] <= allowed:
            best[goal] = 0
            buckets[0].append(goal)
    cost = 0
    while cost < len(buckets):
        for b in buckets[cost]:
            if best[b] != cost:
                continue
            if b == start:
                continue
            total = cost + max(geo.costs[b] + surcharge, 0)
            for a in enterable[b]:
                if (a != start and crowd[a]) or 0 <= best[a] <= total:
                    continue
                best[a] = total
                while len(buckets) <= total:
                    buckets.append([])
                buckets[total].append(a)
            if start not in enterable[b] and start in geo.links[b] and not 0 <= best[start] <= total:
                best[start] = total  # a walk may begin on a space that it could not enter
        if 0 <= best[start] <= cost:
            return best
        cost += 1
    return best
