"""Layout of a graph on paper: links follow their compass directions, and places do not overlap.

Stress majorization (E. Gansner, Y. Koren, S. North: Graph Drawing by Stress Majorization, 2004), one place after
another. Each moves to the weighted position at which its distance from every other is the number of steps between them.
A link with a compass direction adds a weight for exactly that direction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin, sqrt

COMPASS = {
    "N": (0.0, -1.0),
    "NE": (1.0, -1.0),
    "E": (1.0, 0.0),
    "SE": (1.0, 1.0),
    "S": (0.0, 1.0),
    "SW": (-1.0, 1.0),
    "W": (-1.0, 0.0),
    "NW": (-1.0, -1.0),
}
"""Compass directions on paper, in steps to the right and down."""
ROUNDS = 120
POINTED = 6.0
"""The weight of a direction relative to a distance."""
LEVEL = 0.34
"""Places whose heights (or columns) differ by less are aligned."""
LEAST = 1.0
"""Least distance of places, across or in height."""
EPSILON = 0.001

Link = tuple[str, str, str]
"""From, to, and the direction, or an empty one."""


def spread(names: Sequence[str], links: Sequence[Link]) -> Mapping[str, tuple[float, float]]:
    """Return the position of each place, in steps to the right and down; the same on every run.

    A map is drawn several times: in each language, and to see whether a change of a number changes its page.
    """
    return _spread(tuple(names), tuple(links))


@lru_cache(maxsize=64)
def _spread(names: tuple[str, ...], links: tuple[Link, ...]) -> Mapping[str, tuple[float, float]]:
    number = {name: at for at, name in enumerate(names)}
    links_used = [(number[a], number[b], way) for a, b, way in links if a in number and b in number and a != b]
    steps = _steps(len(names), links_used)
    pointed: dict[tuple[int, int], tuple[float, float]] = {}
    for a, b, way in links_used:
        if way in COMPASS:
            x, y = COMPASS[way]
            pointed[a, b] = x, y
            pointed.setdefault((b, a), (-x, -y))
    at = _begun(len(names), links_used, pointed)
    for _ in range(ROUNDS):
        for i in range(len(names)):
            _settle(i, at, steps, pointed)
    for axis in (0, 1):
        _level(at, axis)
    for i in range(len(at)):
        while at[i] in at[:i]:
            at[i] = at[i][0] + LEAST / 2, at[i][1]
    for axis in (0, 1):
        _part(at, axis)
    return {name: (round(x, 3), round(y, 3)) for name, (x, y) in zip(names, at, strict=True)}


def _steps(count: int, links: Sequence[tuple[int, int, str]]) -> list[list[int]]:
    """Return the number of steps between all places; unconnected ones count as the square root of `count`."""
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b, _ in links:
        near[a].append(b)
        near[b].append(a)
    apart = max(2, round(sqrt(count)))
    distances = []
    for start in range(count):
        row, todo = [-1] * count, [start]
        row[start] = 0
        for here in todo:
            for there in near[here]:
                if row[there] < 0:
                    row[there] = row[here] + 1
                    todo.append(there)
        distances.append([apart if step < 0 else step for step in row])
    return distances


def _begun(
    count: int, links: Sequence[tuple[int, int, str]], pointed: dict[tuple[int, int], tuple[float, float]]
) -> list[tuple[float, float]]:
    """Return the initial positions: on a circle, or along the directions from the first known place."""
    at: list[tuple[float, float] | None] = [None] * count
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b, _ in links:
        near[a].append(b)
        near[b].append(a)
    for first in range(count):
        if at[first] is not None:
            continue
        angle = 2 * pi * (first + 0.3) / count
        at[first] = (count / 5 * sin(angle), -count / 5 * cos(angle))
        todo = [first]
        for here in todo:
            for there in near[here]:
                if at[there] is None and (here, there) in pointed:
                    (x, y), (dx, dy) = at[here] or (0.0, 0.0), pointed[here, there]
                    at[there] = (x + dx + 0.01 * there, y + dy - 0.007 * there)  # no two on one spot
                    todo.append(there)
    return [place or (0.0, 0.0) for place in at]


def _settle(
    i: int,
    at: list[tuple[float, float]],
    steps: list[list[int]],
    pointed: dict[tuple[int, int], tuple[float, float]],
) -> None:
    """Move a place to its weighted position among all others."""
    sx = sy = weight = 0.0
    x, y = at[i]
    for j, (ox, oy) in enumerate(at):
        if j == i:
            continue
        way = pointed.get((j, i))
        if way is not None:
            length = way[0] * way[0] + way[1] * way[1]
            along = max(1.0, 0.2 + 0.8 * ((x - ox) * way[0] + (y - oy) * way[1]) / length)  # a link may be longer
            sx, sy = sx + POINTED * (ox + along * way[0]), sy + POINTED * (oy + along * way[1])
            weight += POINTED
            continue
        far, wanted = hypot(x - ox, y - oy) or 0.01, float(steps[i][j])
        if not pointed or far < wanted:  # with directions, a greater distance is no fault
            share = 1.0 / (wanted * wanted) * (0.3 if pointed else 1.0)
            sx += share * (ox + wanted * (x - ox) / far)
            sy += share * (oy + wanted * (y - oy) / far)
            weight += share
    if weight:
        at[i] = sx / weight, sy / weight


def _level(at: list[tuple[float, float]], axis: int) -> None:
    """Align places that are nearly level."""
    order = sorted(range(len(at)), key=lambda i: (at[i][axis], i))
    group: list[int] = []
    for i in [*order, -1]:
        if group and (i < 0 or at[i][axis] - at[group[0]][axis] > LEVEL):
            mean = sum(at[j][axis] for j in group) / len(group)
            for j in group:
                at[j] = (mean, at[j][1]) if axis == 0 else (at[j][0], mean)
            group = []
        group.append(i)


def _part(at: list[tuple[float, float]], axis: int) -> None:
    """Move whole columns (or rows) apart until no places overlap, and keep their order."""
    lines = sorted({place[axis] for place in at})
    moved: dict[float, float] = {}
    for line in lines:
        wanted = line if not moved else moved[lines[len(moved) - 1]] + line - lines[len(moved) - 1]
        for place in at:
            for other in at if place[axis] == line else ():
                apart, beside = place[axis] - other[axis], abs(place[1 - axis] - other[1 - axis])
                if apart > 0 and beside < LEAST - EPSILON and (axis == 1 or apart > beside):
                    wanted = max(wanted, moved[other[axis]] + LEAST)
        moved[line] = wanted
    for i, place in enumerate(at):
        at[i] = (moved[place[0]], place[1]) if axis == 0 else (place[0], moved[place[1]])
