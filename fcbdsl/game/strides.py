"""Walks on boards where some spaces give no footing: a walk goes over them at one stride and never ends there.

A stride is a step to a neighbour with footing, or a crossing: over a chain of spaces without footing to one that
has it. Each space crossed costs what entering it costs (`flat`: only the first does, the others the surcharge); the
landing is free. Somebody who is on such a space already may step off it, or go on. Shortest paths by E. W. Dijkstra
("A note on two problems in connexion with graphs", 1959), once over the strides and once inside each crossing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from fcbdsl.game.board import Geometry


@dataclass(frozen=True, slots=True)
class Walker:
    """How somebody walks on a board. `crowd` has a non-zero byte per occupied space."""

    geo: Geometry
    surcharge: int
    climb: bool
    crowd: bytearray
    flat: bool

    def entering(self, b: int) -> int:
        """The cost of a step onto b from where there is footing."""
        return max(self.geo.costs[b] + self.surcharge, 0)

    def strides(self, a: int, most: int) -> tuple[dict[int, int], dict[int, int]]:
        """The cost of each stride from a, of which a crossing costs at most `most`: neighbours first, by direction;
        and the cost of getting to each space without footing on the way."""
        links = self.geo.climb_links if self.climb else self.geo.open_links
        landings: dict[int, int] = {}
        crossed: dict[int, int] = {}
        heap: list[tuple[int, int]] = []
        if self.geo.footing[a]:
            for b in links[a]:
                cost = self.entering(b)
                if self.crowd[b]:
                    continue
                if self.geo.footing[b]:
                    landings[b] = cost
                elif cost <= most:
                    heappush(heap, (cost, b))
        else:
            heap.append((0, a))
        while heap:
            cost, at = heappop(heap)
            if at in crossed:
                continue
            crossed[at] = cost
            for b in links[at]:
                if self.crowd[b] or b == a:
                    continue
                if self.geo.footing[b]:
                    landings[b] = min(landings.get(b, cost), cost)
                    continue
                further = cost + (max(self.surcharge, 0) if self.flat else self.entering(b))
                if further <= most:
                    heappush(heap, (further, b))
        return landings, crossed


def reachable_costs(walker: Walker, start: int, budget: int) -> tuple[list[int], list[int]]:
    """The spaces other than `start` that a walk of at most `budget` reaches, cheapest first, and what each costs."""
    best = _settled(walker, start, -1, budget)
    rows = sorted((cost, b) for b, cost in best.items() if b != start)
    return [b for _, b in rows], [cost for cost, _ in rows]


def walk_cost(walker: Walker, start: int, goal: int) -> int:
    """The cost of the cheapest walk to `goal`, or -1. A goal without footing costs as much as getting there."""
    return _settled(walker, start, goal, _dearest(walker)).get(goal, -1)


def _dearest(walker: Walker) -> int:
    """More than any walk that visits no space twice can cost."""
    return walker.geo.size * max(walker.geo.costliest + walker.surcharge, 0)


def _settled(walker: Walker, start: int, goal: int, budget: int) -> dict[int, int]:
    """The cost of the cheapest walk to each space, as far as `budget` goes or until `goal` is found."""
    best: dict[int, int] = {}
    heap = [(0, start)]
    while heap:
        cost, a = heappop(heap)
        if a in best:
            continue
        best[a] = cost
        if a == goal:
            return best
        if a != start and not walker.geo.footing[a]:
            continue
        landings, crossed = walker.strides(a, budget - cost)
        for b, more in landings.items():
            if cost + more <= budget and b not in best:
                heappush(heap, (cost + more, b))
        if goal in crossed:
            heappush(heap, (cost + crossed[goal], goal))
    return best


def steps_toward(walker: Walker, start: int, goals: Sequence[int], stride: int) -> list[int]:
    """Where the first strides of the cheapest walks to a nearest goal end: neighbours first, by direction.

    No crossing on the way may cost more than `stride`. A goal without footing, or occupied, cannot be reached."""
    known: dict[int, dict[int, int]] = {}
    back: dict[int, list[tuple[int, int]]] = {}
    front = [start]
    while front:
        a = front.pop()
        if a in known:
            continue
        known[a] = walker.strides(a, stride)[0]
        for b, cost in known[a].items():
            back.setdefault(b, []).append((a, cost))
            front.append(b)
    left: dict[int, int] = {}
    heap = [(0, goal) for goal in goals if goal in back]
    while heap:
        cost, b = heappop(heap)
        if b in left:
            continue
        left[b] = cost
        for a, more in back.get(b, ()):
            if a not in left:
                heappush(heap, (cost + more, a))
    first = known[start]
    return [b for b in first if b in left and left[b] + first[b] == left.get(start, -1)]
