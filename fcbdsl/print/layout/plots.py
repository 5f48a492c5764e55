"""Where the spaces of a board are drawn: their outlines and middles, before anything is known of what lies on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import atan2, hypot, sqrt, tan

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Board
from fcbdsl.machine.geometry.coordinates import on_paper
from fcbdsl.print.layout.graph_layout import spread
from fcbdsl.print.layout.views import Point

RADIUS = 10.0
"""Centre to corner of a hexagon; half the edge of a square. Drawings are scaled to the sheet."""
ROOM = 18.0
"""How wide and how high an area is at least in the middle of which something is drawn."""

LINE = 2.5
"""From one line of a name to the next."""

WIDE = RADIUS * sqrt(3) / 2
_HEX = (
    Point(0, -RADIUS),
    Point(WIDE, -RADIUS / 2),
    Point(WIDE, RADIUS / 2),
    Point(0, RADIUS),
    Point(-WIDE, RADIUS / 2),
    Point(-WIDE, -RADIUS / 2),
)
UNITS = {"hex": 2 * WIDE, "square": 2 * RADIUS, "square-8": 2 * RADIUS, "graph": 2 * RADIUS, "areas": ROOM}
"""How wide a space of a sort of board is."""
_SQUARE = (Point(-RADIUS, -RADIUS), Point(RADIUS, -RADIUS), Point(RADIUS, RADIUS), Point(-RADIUS, RADIUS))

Outline = tuple[Point, ...]
"""Corners, clockwise; round a hole in something counter-clockwise."""
Edge = tuple[Point, Point]
Corner = tuple[int, int]
"""A corner of squares of a drawing: columns and rows from the top left."""
Covers = Mapping[str, Sequence[Corner]]
"""The squares of a drawing that each area is made of, by the corner at their top left."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Where a space is drawn. `centre`: of what lies on it, `half`: how far up and down there is room round that.
    `outlines`: its rim, of areas also that of each hole and each separate part. `units`: the shapes that it is made of,
    each with its middle; only areas have several."""

    centre: Point
    outlines: tuple[Outline, ...]
    units: tuple[tuple[Point, Outline], ...]
    half: float = RADIUS


def plots_of(board: Board) -> dict[str, Plot]:
    """Where each space of a board is drawn, by its id."""
    if board.sort == "areas":
        return areas_of({cell.id: cell.covers for cell in board.cells})
    if board.sort == "graph":
        middles = spread([cell.id for cell in board.cells], board.links)
        names = max((sum(id in spaces for spaces in board.regions.values()) for id in middles), default=0)
        across, down = 2.8 * RADIUS, 2.8 * RADIUS + LINE * max(0, names - 1)  # names of regions stand below a place
        return {name: _plot(Point(x * across, y * down), _SQUARE) for name, (x, y) in middles.items()}
    right, down, corners = (WIDE, 1.5 * RADIUS, _HEX) if board.sort == "hex" else (RADIUS, 2 * RADIUS, _SQUARE)
    found = {}
    for cell in board.cells:
        halves, row = on_paper(board.sort, cell.x, cell.y)
        found[cell.id] = _plot(Point(right * halves, down * row), corners)
    return found


def edges(outline: Outline) -> list[Edge]:
    """The sides of an outline, in its order."""
    return list(zip(outline, outline[1:] + outline[:1], strict=True))


def key(point: Point) -> tuple[int, int]:
    """A corner of spaces, however it was computed."""
    return round(point.x * 10), round(point.y * 10)


def turn(first: Edge, then: Edge) -> float:
    """By how much a way turns from one edge to the next, clockwise, in radians."""
    ax, ay = first[1].x - first[0].x, first[1].y - first[0].y
    bx, by = then[1].x - then[0].x, then[1].y - then[0].y
    return atan2(ax * by - ay * bx, ax * bx + ay * by)


def inset(edge: Edge, before: Edge, after: Edge, by: float) -> Edge:
    """An edge of a rim moved inside: shorter where the rim turns inwards, longer where it turns outwards."""
    a, b = edge
    length = hypot(b.x - a.x, b.y - a.y)
    x, y = (b.x - a.x) / length, (b.y - a.y) / length
    start, end = by * tan(turn(before, edge) / 2), by * tan(turn(edge, after) / 2)
    return (
        Point(a.x - y * by + x * start, a.y + x * by + y * start),
        Point(b.x - y * by - x * end, b.y + x * by - y * end),
    )


def rim_of(shapes: Iterable[Outline]) -> tuple[Outline, ...]:
    """The outlines of shapes that hang together, without the sides that two of them share: only corners at which they
    turn. Where shapes touch at a corner only, a rim stays with the shape that it has come along."""
    sides: dict[frozenset[tuple[int, int]], list[Edge]] = {}
    for shape in shapes:
        for edge in edges(shape):
            sides.setdefault(frozenset(map(key, edge)), []).append(edge)
    after: dict[tuple[int, int], list[Edge]] = {}
    for found in sides.values():
        if len(found) == 1:
            after.setdefault(key(found[0][0]), []).append(found[0])
    rims = []
    while after:
        way = [_next(after, next(iter(after)), None)]
        while key(way[-1][1]) != key(way[0][0]):
            way.append(_next(after, key(way[-1][1]), way[-1]))
        rims.append(tuple(edge[0] for at, edge in enumerate(way) if abs(turn(way[at - 1], edge)) > 0.01))
    return tuple(rims)


def _next(after: dict[tuple[int, int], list[Edge]], here: tuple[int, int], before: Edge | None) -> Edge:
    """Take the next side of a rim; of several the one that turns most to the right."""
    ways = after[here]
    found = ways[0] if before is None else max(ways, key=lambda way: turn(before, way))
    ways.remove(found)
    if not ways:
        del after[here]
    return found


def rings(outlines: Iterable[Outline], by: float) -> list[Edge]:
    """Outlines again, so much further inside."""
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
    """Areas as they are drawn with letters, whose lines are higher than wide; enlarged until something finds room in
    the middle of each."""
    rooms = {name: _largest(set(squares)) for name, squares in covers.items()}
    wide, high = RADIUS * 2 / 3, RADIUS
    least = min(
        (min((right - left) * wide, (low - top) * high) for left, top, right, low in rooms.values()), default=ROOM
    )
    scale = max(1.0, ROOM / least)
    wide, high = wide * scale, high * scale

    def point(x: float, y: float) -> Point:
        return Point(x * wide, y * high)

    found = {}
    for name, squares in covers.items():
        left, top, right, low = rooms[name]
        units = []
        for x, y in squares:
            outline = tuple(point(x + dx, y + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)))
            units.append((point(x + 0.5, y + 0.5), outline))
        middle = point((left + right) / 2, (top + low) / 2)
        half = (low - top) / 2 * high
        found[name] = Plot(middle, rim_of(outline for _, outline in units), tuple(units), half)
    return found


def _largest(squares: set[Corner]) -> tuple[int, int, int, int]:
    """The roomiest rectangle of some squares: left, top, right, lower end. The one with the longest shorter side, then
    with the longest other, then the first."""
    best, found = (0.0, 0.0), (0, 0, 1, 1)
    for left, top in sorted(squares, key=lambda square: (square[1], square[0])):
        most, low = len(squares), top
        while (left, low) in squares:
            width = 0
            while width < most and (left + width, low) in squares:
                width += 1
            most, low = min(most, width), low + 1
            sides = sorted((most * 2 / 3, float(low - top)))
            if (sides[0], sides[1]) > best:
                best, found = (sides[0], sides[1]), (left, top, left + most, low)
    return found


def borders(covers: Covers, plots: Mapping[str, Plot]) -> list[tuple[Edge, tuple[str, ...]]]:
    """The lines between areas, and round them, each as long as both its sides stay the same; and whose they are."""
    at = {square: name for name, squares in covers.items() for square in squares}
    points: dict[Corner, Point] = {}
    for name, squares in covers.items():
        for (x, y), (_, outline) in zip(squares, plots[name].units, strict=True):
            points.update(zip(((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)), outline, strict=True))
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
    return [((points[start], points[end]), owners) for start, end, owners, _ in lines]
