"""Maps of boards: their view with legend and regions, and parts of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot

from fcbdsl.language.model.content import Board
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.layout.plots import LINE, UNITS, Edge, Outline, Plot, edges, rim_of
from fcbdsl.print.layout.views import (
    AreaView,
    CellView,
    MapView,
    Point,
    RegionView,
    RouteView,
    SideView,
    Symbol,
)
from fcbdsl.print.pieces.initials import sort_key
from fcbdsl.print.pieces.looks import BOARD, ground_look
from fcbdsl.print.pieces.map_drawing import STYLES, Drawer, point_between
from fcbdsl.print.pieces.model_facts import ModelFacts
from fcbdsl.print.pieces.regions import BAND, SIDE, moved_region, regions_of

MARGIN = 4.0
DISC = 0.62
"""The radius of the disc of a symbol relative to its size."""
DISCS = {"symbol": (0.7, 1.14), "side": (2.6, 3.6), "route": (3.3, 3.9)}
"""The size of the type in a disc of ``map.svg.j2``, and its greatest width inside the rim at the height of capitals;
both relative to a symbol's size."""


def map_of(board: Board, model: Model, naming: Naming) -> MapView:
    """Return the drawing of a board.

    Lines: thin dashes between spaces, bold dashes around cover, continuous for barriers. They differ by weight and
    pattern alone, so that black and white is enough.
    """
    from fcbdsl.print.pieces.furniture import add_furniture

    drawer = Drawer(board, model, naming)
    cells = tuple(drawer.cell(cell) for cell in board.cells)
    sides, links, ropes, routes = drawer.sides(), drawer.links(), drawer.ropes(), drawer.routes()
    frames = {cell.id: frame_of(cell) for cell in cells if cell.symbols}
    discs = [point_between(side.start, side.end, 0.5) for side in sides if side.letter]
    regions = regions_of(board, model, naming, drawer.plots, frames, discs)
    cells = tuple(_cleared(cell, discs, regions) for cell in cells)
    cells = add_furniture(cells, board, model, drawer.plots, regions, discs, SIDE)
    areas = _areas(board, regions, drawer.plots)
    xs = [point.x for cell in cells for outline in cell.outlines for point in outline] or [0.0]
    xs += [point.x for area in areas for point in area.outline]
    ys = [point.y for area in areas for point in area.outline]
    ys += [point.y for cell in cells for outline in cell.outlines for point in outline] or [0.0]
    ys += [region.label.y + LINE * (len(region.name) - 1) for region in regions]
    left, top = MARGIN - min(xs), MARGIN - min(ys)
    return replace(
        _worded(drawer, cells),
        width=max(xs) - min(xs) + 2 * MARGIN,
        height=max(ys) - min(ys) + 2 * MARGIN,
        cells=tuple(_moved_cell(cell, left, top) for cell in cells),
        sides=tuple(_moved_side(side, left, top) for side in sides),
        links=tuple(_moved_side(side, left, top) for side in links),
        ropes=tuple(_moved_side(side, left, top) for side in ropes),
        routes=tuple(_moved_route(route, left, top) for route in routes),
        regions=tuple(moved_region(region, left, top) for region in regions),
        lettered=disc_texts(cells, sides, routes),
        areas=tuple(_moved_area(area, left, top) for area in areas),
    )


def worded_map(board: Board, model: Model, naming: Naming, facts: ModelFacts) -> MapView:
    """Return a map without places, and without lines that need no words: enough to check what it prints.

    Two boards of the same shape have equal drawings if and only if these are equal.
    """
    drawer = Drawer(board, model, naming, facts)
    cells = tuple(drawer.cell(cell) for cell in board.cells)
    sides, ropes, routes = tuple(drawer.sides()), tuple(drawer.ropes()), tuple(drawer.routes())
    regions_of(board, model, naming, {}, {})  # reports their problems; the legend has their words
    return replace(_worded(drawer, cells), sides=sides, ropes=ropes, routes=routes)


def _worded(drawer: Drawer, cells: tuple[CellView, ...]) -> MapView:
    """Return a drawn map with its legend and words, as yet without its size and its lines."""
    board = drawer.board
    ropes_told = {words for _, words in drawer.legend}
    if "rope" in drawer.lines:
        drawer.lines["rope"] = {title: [] for title in drawer.lines["rope"] if title not in ropes_told}
    kinds = dict.fromkeys(drawer.kind_title(name) for name in board.regions)
    if kinds:
        drawer.lines["region"] = {kind: [] for kind in kinds}
    return MapView(
        width=0.0,
        height=0.0,
        alt=drawer.spoken(cells),
        cells=cells,
        sides=(),
        links=(),
        ropes=(),
        routes=(),
        regions=(),
        lines=tuple(row for style in STYLES if drawer.lines.get(style) for row in drawer.rows(style)),
        legend=_in_order(_merge_numbered([(symbol, words, count) for (symbol, words), count in drawer.legend.items()])),
        squares=board.sort != "hex",
        unit=UNITS[board.sort],
        grounds=tuple(dict.fromkeys(cell.ground for cell in cells if cell.ground is not None)),
        ground=ground_look(drawer.model, drawer.names_of(BOARD)) if board.sort == "graph" else None,
    )


AREA = 15.0
"""How far an area reaches beyond the middles of the places of its region: past their corners."""


def _areas(board: Board, regions: Sequence[RegionView], plots: Mapping[str, Plot]) -> list[AreaView]:
    """Return the regions of a graph as areas behind their places. Each has its name once, on its outer side."""
    if board.sort != "graph" or not plots:
        return []
    titles = {region.title: region.colour for region in regions}
    spaces = [[space for space in dict.fromkeys(some) if space in plots] for some in board.regions.values()]
    middles = [plot.centre for plot in plots.values()]
    middle = (min(p.y for p in middles) + max(p.y for p in middles)) / 2
    views: list[AreaView] = []
    for (title, colour), some in zip(titles.items(), spaces, strict=False):
        if some:
            outline, *apart = _territory(some, plots)
            ys = [point.y for point in outline]
            above = sum(ys) / len(ys) <= middle
            edge = min(ys) if above else max(ys)
            at_edge = [point.x for point in outline if abs(point.y - edge) < 0.1]
            label = Point((min(at_edge) + max(at_edge)) / 2, edge + (3.6 if above else -1.6))
            views.append(AreaView(colour, outline, title, label))
            views += [AreaView(colour, part, "", label) for part in apart]
    return views


def _territory(spaces: Sequence[str], plots: Mapping[str, Plot]) -> Sequence[Outline]:
    """Return the outlines of the places of a region and of the bare ground between them, the largest first.

    The lines between places are halfway. A region around other places has its convex outline.
    """
    columns, rows = (
        _lanes([plot.centre.x for plot in plots.values()]),
        _lanes([plot.centre.y for plot in plots.values()]),
    )
    taken = {(round(plot.centre.x, 2), round(plot.centre.y, 2)): space for space, plot in plots.items()}
    corners = [
        Point(plots[space].centre.x + x, plots[space].centre.y + y)
        for space in spaces
        for x in (-AREA, AREA)
        for y in (-AREA, AREA)
    ]
    around = hull(corners)
    shapes: list[Outline] = []
    for x, (left, right) in columns.items():
        for y, (top, low) in rows.items():
            space = taken.get((x, y))
            if space in spaces if space is not None else _is_inside(Point(x, y), around):
                shapes.append((Point(left, top), Point(right, top), Point(right, low), Point(left, low)))
    sizes = {outline: _size(outline) for outline in rim_of(shapes)}
    return sorted(sizes, key=lambda outline: -sizes[outline]) if all(size > 0 for size in sizes.values()) else [around]


def _size(outline: Outline) -> float:
    """Return the size of the ground inside an outline; it is negative for a hole."""
    return sum(a.x * b.y - b.x * a.y for a, b in edges(outline)) / 2


def _lanes(middles: Iterable[float]) -> dict[float, tuple[float, float]]:
    """Return the lane around each position: halfway to the next ones, and to the border of an area at the ends."""
    ordered = sorted({round(middle, 2) for middle in middles})
    between = [(left + right) / 2 for left, right in pairwise(ordered)]
    ends = [ordered[0] - AREA, *between, ordered[-1] + AREA]
    return dict(zip(ordered, pairwise(ends), strict=True))


def _is_inside(point: Point, outline: Outline) -> bool:
    """Return whether a point is inside a convex outline."""
    sides = [(b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) for a, b in edges(outline)]
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)


def hull(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return the convex hull of points (Andrew's monotone chain)."""
    ordered = sorted({(point.x, point.y) for point in points})

    def half(some: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for x, y in some:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return tuple(Point(x, y) for x, y in (*half(ordered), *half(ordered[::-1])))


def _in_order(entries: Sequence[LegendEntry]) -> tuple[LegendEntry, ...]:
    """Return the entries of a legend sorted by their words, with numbers by value."""

    def by_words(entry: LegendEntry) -> list[tuple[int, str]]:
        parts = re.split(r"(\d+)", sort_key(entry[1]))
        return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]

    return tuple(sorted(entries, key=by_words))


def disc_texts(
    cells: Sequence[CellView], sides: Sequence[SideView], routes: Sequence[RouteView]
) -> tuple[tuple[str, float, float], ...]:
    """Return the texts in the discs of a map with the size of their type and their greatest width, each once."""
    size, room = DISCS["symbol"]
    texts = [(mark.letter, size * cell.size, room * cell.size) for cell in cells for mark in cell.symbols]
    texts += [(side.letter, *DISCS["side"]) for side in sides]
    texts += [(route.letter, *DISCS["route"]) for route in routes]
    return tuple(dict.fromkeys((text, round(size, 2), round(room, 2)) for text, size, room in texts if text))


HIGH, LETTER, GAP = 2.1, 0.75, 0.6
"""The height of the name of a space, half the mean width of its letters, and the space below it."""
HIGHEST = 3.0
"""How far a name is raised at most."""


def _cleared(cell: CellView, discs: Sequence[Point], regions: Sequence[RegionView]) -> CellView:
    """Return a space with its name above what would cover it: letters of sides, and bands of regions.

    It is unchanged if no position helps.
    """
    half = len(cell.name) * LETTER
    boxes = [(disc.x - SIDE, disc.y - SIDE, disc.x + SIDE, disc.y + SIDE) for disc in discs]
    for start, end in (edge for region in regions for edge in region.rim):
        (left, right), (top, low) = sorted((start.x, end.x)), sorted((start.y, end.y))
        boxes.append((left - BAND / 2, top - BAND / 2, right + BAND / 2, low + BAND / 2))
    for step in range(int(HIGHEST * 10) + 1):
        raised = replace(cell, low=round(cell.low + step / 5, 2))
        x, y = raised.named.x, raised.named.y
        if not any(
            left < x + half and x - half < right and top < y + GAP and y - HIGH < low for left, top, right, low in boxes
        ):
            return raised
    return cell


LegendEntry = tuple[Symbol, str, int]
ROW = 3
"""The number of entries differing only by number from which they share a row of the legend."""


def _merge_numbered(entries: Sequence[LegendEntry]) -> tuple[LegendEntry, ...]:
    """Return the entries of a legend; many that differ only by consecutive numbers are one: Point 1–12."""
    rows: dict[tuple[str, str, str], list[LegendEntry]] = {}
    for symbol, words, count in entries:
        number = symbol.letter if symbol.letter.isdecimal() and count == 1 else ""
        alike = words.removesuffix(number) if number and words.endswith(number) else f"{words} {symbol.letter}"
        key = (symbol.drawing, symbol.colour, alike)
        rows.setdefault(key, []).append((symbol, words, count))
    merged: list[LegendEntry] = []
    for (_, _, alike), row in rows.items():
        row.sort(key=lambda entry: int(entry[0].letter) if len(row) > 1 else 0)
        first, last = row[0][0], row[-1][0]
        if len(row) < ROW or int(last.letter) - int(first.letter) != len(row) - 1:
            merged += row
        else:
            merged.append((first, f"{alike}{first.letter}–{last.letter}", 1))
    return tuple(merged)


def part_of(view: MapView, spaces: Sequence[str], title: str) -> MapView:
    """Return the part of a map with the spaces of one of its regions and the lines around them, cut to its size."""
    cells = [cell for cell in view.cells if cell.id in spaces]
    rims = [edge for cell in cells for outline in cell.outlines for edge in edges(outline)]
    sides = [
        side for side in view.sides if any(_lies_on(point_between(side.start, side.end, 0.5), rim) for rim in rims)
    ]
    xs = [point.x for cell in cells for outline in cell.outlines for point in outline]
    ys = [point.y for cell in cells for outline in cell.outlines for point in outline]
    left, top = MARGIN - min(xs), MARGIN - min(ys)
    return replace(
        view,
        width=max(xs) - min(xs) + 2 * MARGIN,
        height=max(ys) - min(ys) + 2 * MARGIN,
        cells=tuple(_moved_cell(cell, left, top) for cell in cells),
        sides=tuple(_moved_side(side, left, top) for side in sides),
        links=(),
        ropes=(),
        routes=(),
        regions=tuple(moved_region(region, left, top) for region in view.regions if region.title == title),
        lettered=disc_texts(cells, sides, ()),
        south="",
    )


def _lies_on(point: Point, edge: Edge) -> bool:
    """Return whether a point is on an edge, within the precision of drawings."""
    a, b = edge
    length = hypot(b.x - a.x, b.y - a.y)
    across = abs((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)) / length
    along = ((b.x - a.x) * (point.x - a.x) + (b.y - a.y) * (point.y - a.y)) / length
    return across < 0.05 and -0.05 <= along <= length + 0.05


def frame_of(cell: CellView) -> tuple[Point, Point]:
    """Return the corners, upper left and lower right, of the rectangle that the symbols of a space fill."""
    reach = cell.size * DISC
    first, last = cell.spots[0], cell.spots[-1]
    return Point(first.x - reach, first.y - reach), Point(last.x + reach, last.y + reach)


def _moved_route(route: RouteView, x: float, y: float) -> RouteView:
    return RouteView(
        route.letter,
        _moved(route.label, x, y),
        tuple(_moved(point, x, y) for point in route.points),
        tuple((_moved(tip, x, y), angle) for tip, angle in route.arrows),
    )


def _moved_side(side: SideView, x: float, y: float) -> SideView:
    return SideView(_moved(side.start, x, y), _moved(side.end, x, y), side.style, side.letter)


def _moved_cell(cell: CellView, x: float, y: float) -> CellView:
    return CellView(
        cell.id,
        cell.name,
        _moved(cell.centre, x, y),
        tuple(tuple(_moved(point, x, y) for point in outline) for outline in cell.outlines),
        cell.style,
        tuple((_moved(a, x, y), _moved(b, x, y)) for a, b in cell.hatching),
        cell.symbols,
        cell.low,
        tuple((_moved(a, x, y), _moved(b, x, y)) for a, b in cell.floor),
        tuple(replace(view, at=_moved(view.at, x, y)) for view in cell.furniture),
        cell.ground,
    )


def _moved_area(area: AreaView, x: float, y: float) -> AreaView:
    return replace(area, outline=tuple(_moved(point, x, y) for point in area.outline), label=_moved(area.label, x, y))


def _moved(point: Point, x: float, y: float) -> Point:
    return Point(round(point.x + x, 2), round(point.y + y, 2))
