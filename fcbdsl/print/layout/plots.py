"""The geometry of a board's spaces: their outlines and centers, without their contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import atan2, hypot, sqrt, tan

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Board
from fcbdsl.machine.geometry.coordinates import on_paper
from fcbdsl.print.layout.graph_layout import spread
from fcbdsl.print.layout.views import Point

RADIUS = 10.0
"""Center to corner of a hexagon; half the edge of a square. Drawings are scaled to the sheet."""
ROOM = 18.0
"""Least width and height of the free rectangle in the middle of an area."""

LINE = 2.5
"""Distance between the lines of a name."""

WIDE = RADIUS * sqrt(3) / 2
HEXAGON = (
    Point(0, -RADIUS),
    Point(WIDE, -RADIUS / 2),
    Point(WIDE, RADIUS / 2),
    Point(0, RADIUS),
    Point(-WIDE, RADIUS / 2),
    Point(-WIDE, -RADIUS / 2),
)
UNITS = {"hex": 2 * WIDE, "square": 2 * RADIUS, "square-8": 2 * RADIUS, "graph": 2 * RADIUS, "areas": ROOM}
"""The width of a space, by sort of board."""
SQUARE = (Point(-RADIUS, -RADIUS), Point(RADIUS, -RADIUS), Point(RADIUS, RADIUS), Point(-RADIUS, RADIUS))

Outline = tuple[Point, ...]
"""Corners, clockwise; counterclockwise around a hole."""
Edge = tuple[Point, Point]
Corner = tuple[int, int]
"""A corner of squares of a drawing: columns and rows from the top left."""
Covers = Mapping[str, Sequence[Corner]]
"""The squares of a drawing that each area consists of, by their top left corner."""


@dataclass(frozen=True, slots=True)
class Plot:
    """The geometry of a space. `centre`: the center of its contents; `half`: the free height above and below.

    `outlines`: its edge; an area has one also for each hole and each separate part. `units`: the shapes that it
    consists of, each with its center; only areas have several.
    """

    centre: Point
    outlines: tuple[Outline, ...]
    units: tuple[tuple[Point, Outline], ...]
    half: float = RADIUS


def plots_of(board: Board) -> dict[str, Plot]:
    """Return the geometry of each space of a board, by its id."""
    if board.sort == "areas":
        return areas_of({cell.id: cell.covers for cell in board.cells})
    if board.sort == "graph":
        middles = spread([cell.id for cell in board.cells], board.links)
        names = max((sum(id in spaces for spaces in board.regions.values()) for id in middles), default=0)
        across, down = 2.8 * RADIUS, 2.8 * RADIUS + LINE * max(0, names - 1)  # names of regions are below a place
        return {name: _plot(Point(x * across, y * down), SQUARE) for name, (x, y) in middles.items()}
    right, down, corners = (WIDE, 1.5 * RADIUS, HEXAGON) if board.sort == "hex" else (RADIUS, 2 * RADIUS, SQUARE)
    plots = {}
    for cell in board.cells:
        halves, row = on_paper(board.sort, cell.x, cell.y)
        plots[cell.id] = _plot(Point(right * halves, down * row), corners)
    return plots


def edges(outline: Outline) -> list[Edge]:
    """Return the sides of an outline, in its order."""
    return list(zip(outline, outline[1:] + outline[:1], strict=True))


def point_key(point: Point) -> tuple[int, int]:
    """Return a rounded point, which identifies corners that were computed differently."""
    return round(point.x * 10), round(point.y * 10)


def turn(first: Edge, then: Edge) -> float:
    """Return the turn from one edge to the next, clockwise, in radians."""
    ax, ay = first[1].x - first[0].x, first[1].y - first[0].y
    bx, by = then[1].x - then[0].x, then[1].y - then[0].y
    return atan2(ax * by - ay * bx, ax * bx + ay * by)


def inset(edge: Edge, before: Edge, after: Edge, by: float) -> Edge:
    """Return an edge moved inward: shorter where the outline turns inward, longer where it turns outward."""
    a, b = edge
    length = hypot(b.x - a.x, b.y - a.y)
    x, y = (b.x - a.x) / length, (b.y - a.y) / length
    start, end = by * tan(turn(before, edge) / 2), by * tan(turn(edge, after) / 2)
    return (
        Point(a.x - y * by + x * start, a.y + x * by + y * start),
        Point(b.x - y * by - x * end, b.y + x * by - y * end),
    )


def rim_of(shapes: Iterable[Outline]) -> tuple[Outline, ...]:
    """Return the outlines of connected shapes without shared sides, reduced to corners with a turn.

    Where shapes touch only at a corner, the outline continues along the shape that it came from.
    """
    sides: dict[frozenset[tuple[int, int]], list[Edge]] = {}
    for shape in shapes:
        for edge in edges(shape):
            sides.setdefault(frozenset(map(point_key, edge)), []).append(edge)
    after: dict[tuple[int, int], list[Edge]] = {}
    for shared in sides.values():
        if len(shared) == 1:
            after.setdefault(point_key(shared[0][0]), []).append(shared[0])
    rims = []
    while after:
        way = [_next(after, next(iter(after)), None)]
        while point_key(way[-1][1]) != point_key(way[0][0]):
            way.append(_next(after, point_key(way[-1][1]), way[-1]))
        rims.append(tuple(edge[0] for at, edge in enumerate(way) if abs(turn(way[at - 1], edge)) > 0.01))
    return tuple(rims)


def _next(after: dict[tuple[int, int], list[Edge]], here: tuple[int, int], before: Edge | None) -> Edge:
    """Remove and return the next side of an outline; of several, the one that turns most to the right."""
    ways = after[here]
    onward = ways[0] if before is None else max(ways, key=lambda way: turn(before, way))
    ways.remove(onward)
    if not ways:
        del after[here]
    return onward


def rings(outlines: Iterable[Outline], by: float) -> list[Edge]:
    """Return outlines moved inward by a distance."""
    return [
        inset(edge, rim[at - 1], rim[(at + 1) % len(rim)], by)
        for rim in map(edges, outlines)
        for at, edge in enumerate(rim)
    ]


def _plot(middle: Point, corners: Outline) -> Plot:
    outline = tuple(Point(middle.x + corner.x, middle.y + corner.y) for corner in corners)
    return Plot(middle, (outline,), ((middle, outline),))


# ── areas ──────────────────────────────────────────────────────────────────────────────────────


def areas_of(covers: Covers) -> dict[str, Plot]:
    """Return the geometry of areas from a drawing with letters, whose lines are higher than wide.

    They are enlarged until each has enough space for its contents in the middle.
    """
    rooms = {name: _largest(set(squares)) for name, squares in covers.items()}
    wide, high = RADIUS * 2 / 3, RADIUS
    least = min(
        (min((right - left) * wide, (low - top) * high) for left, top, right, low in rooms.values()), default=ROOM
    )
    scale = max(1.0, ROOM / least)
    wide, high = wide * scale, high * scale

    def point(x: float, y: float) -> Point:
        return Point(x * wide, y * high)

    areas = {}
    for name, squares in covers.items():
        left, top, right, low = rooms[name]
        units = []
        for x, y in squares:
            outline = tuple(point(x + dx, y + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)))
            units.append((point(x + 0.5, y + 0.5), outline))
        middle = point((left + right) / 2, (top + low) / 2)
        half = (low - top) / 2 * high
        areas[name] = Plot(middle, rim_of(outline for _, outline in units), tuple(units), half)
    return areas


def _largest(squares: set[Corner]) -> tuple[int, int, int, int]:
    """Return the best rectangle of some squares: left, top, right, lower end.

    It has the longest shorter side, then the longest other one; among equals it is the first.
    """
    best, largest = (0.0, 0.0), (0, 0, 1, 1)
    for left, top in sorted(squares, key=lambda square: (square[1], square[0])):
        most, low = len(squares), top
        while (left, low) in squares:
            width = 0
            while width < most and (left + width, low) in squares:
                width += 1
            most, low = min(most, width), low + 1
            sides = sorted((most * 2 / 3, float(low - top)))
            if (sides[0], sides[1]) > best:
                best, largest = (sides[0], sides[1]), (left, top, left + most, low)
    return largest


def borders(covers: Covers, plots: Mapping[str, Plot]) -> list[tuple[Edge, tuple[str, ...]]]:
    """Return the lines between areas and around them, each with the areas on its sides. A line ends where one of its
    sides changes."""
    points: dict[Corner, Point] = {}
    for name, squares in covers.items():
        for (x, y), (_, outline) in zip(squares, plots[name].units, strict=True):
            points.update(zip(((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)), outline, strict=True))
    return [((points[start], points[end]), owners) for start, end, owners in border_lines(covers)]


def border_lines(covers: Covers) -> list[tuple[Corner, Corner, tuple[str, ...]]]:
    """Return the start and the end of each line that `borders` returns, as corners of squares, and its areas."""
    at = {square: name for name, squares in covers.items() for square in squares}
    across = [(x, y, 0) for y, x in sorted({(y + dy, x) for x, y in at for dy in (0, 1)})]
    along = [(x, y, 1) for x, y in sorted({(x + dx, y) for x, y in at for dx in (0, 1)})]
    lines: list[tuple[Corner, Corner, tuple[str, ...], int]] = []
    for x, y, way in across + along:
        sides = at.get((x, y - 1) if way == 0 else (x - 1, y)), at.get((x, y))
        owners = tuple(dict.fromkeys(side for side in sides if side is not None))
        if sides[0] == sides[1]:
            continue
        start, end = (x, y), (x + 1 - way, y + way)
        if lines and lines[-1][1:] == (start, owners, way):
            lines[-1] = (lines[-1][0], end, owners, way)
        else:
            lines.append((start, end, owners, way))
    return [(start, end, owners) for start, end, owners, _ in lines]
