"""The layout of the drawings of a report: intervals, histograms, maps. The template paints them as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from math import sqrt

from fcbdsl.base.records import dataclass
from fcbdsl.base.words import NETS
from fcbdsl.language.model.builtins import COMPASS
from fcbdsl.machine.geometry.coordinates import on_paper
from fcbdsl.machine.vm.program import Board, Program
from fcbdsl.play.simulation.cell_statistics import program_text

MOST_BARS = 12
"""Most bars of a histogram."""
SLOT, ROOM = 40, 360
"""Most pixels from bar to bar, and the width of all bars together."""
TALL = 90
"""Height of the longest bar in pixels."""
SHADES = (
    ("#fff3c4", "#1d2327"),
    ("#f6d27a", "#1d2327"),
    ("#e3a04f", "#1d2327"),
    ("#b96a45", "#ffffff"),
    ("#7c4357", "#ffffff"),
    ("#3b2a5c", "#ffffff"),
)
"""Fill and text color of spaces, from rare to frequent: each is darker than the one before, so they can be
distinguished without colors."""
NEVER = -1
RADIUS = 30.0
"""Pixels from the middle of a space to its corner (of squares: to its side)."""
APART = 104.0
"""Pixels between neighbors on a map without coordinates."""
LONGEST = 15
"""Most letters of a name below a place."""

Point = tuple[float, float]


# ── histograms ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """The number of games with a value from `low` to `high`, with the position and height of its bar."""

    low: int
    high: int
    games: int
    x: int
    height: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars side by side, `slot` pixels each, and the numbers below them with their positions."""

    bars: tuple[HistogramBar, ...]
    slot: int
    ticks: tuple[tuple[int, int], ...]

    @property
    def width(self) -> int:
        """Return the width in pixels."""
        return self.slot * len(self.bars)


def histogram(values: Mapping[int, int]) -> Histogram:
    """Return the histogram of values with their counts; many different values are grouped in steps of 2, 5, 10, 20
    …."""
    low, high = min(values), max(values)
    step = next(step for ten in count() for step in (10**ten, 2 * 10**ten, 5 * 10**ten)
                if high // step - low // step < MOST_BARS)  # fmt: skip
    first, last = low // step, high // step
    slot = min(SLOT, ROOM // (last - first + 1))
    counts: Counter[int] = Counter()
    for value, times in values.items():
        counts[value // step] += times
    most = max(counts.values())
    bars = tuple(
        HistogramBar(at * step, at * step + step - 1, counts[at], place * slot, -(-counts[at] * TALL // most))
        for place, at in enumerate(range(first, last + 1))
    )
    if step == 1:
        return Histogram(bars, slot, tuple((bar.x + slot // 2, bar.low) for bar in bars))
    return Histogram(bars, slot, (*((bar.x, bar.low) for bar in bars), (len(bars) * slot, (last + 1) * step)))


# ── courses ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CourseLine:
    """The course of a value: SVG paths of a line and of the band around it, numbers below and beside the line."""

    line: str
    band: str
    width: int
    below: tuple[tuple[float, int], ...]
    beside: tuple[tuple[float, float, int], ...]


def course(ways: Sequence[tuple[int, int, int]]) -> CourseLine:
    """Return a line through the medians, and a band from quartile to quartile."""
    values = [value for way in ways for value in way]
    low, high = min(0, *values), max(1, *values)
    step = min(SLOT, ROOM / max(1, len(ways) - 1))

    def at(place: int, value: int) -> str:
        return f"{place * step:g} {20 + TALL * (high - value) / (high - low):g}"

    lower = [at(place, way[0]) for place, way in enumerate(ways)]
    upper = [at(place, way[2]) for place, way in enumerate(ways)]
    every = -(-len(ways) * 24 // ROOM)  # a number needs so many pixels
    shown = range(0, len(ways), every)
    return CourseLine(
        "M" + "L".join(at(place, way[1]) for place, way in enumerate(ways)),
        "M" + "L".join([*upper, *reversed(lower)]) + "Z",
        round(step * (len(ways) - 1)),
        tuple((place * step, place) for place in shown),
        tuple((place * step, 14 + TALL * (high - ways[place][1]) / (high - low), ways[place][1]) for place in shown),
    )


# ── maps ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HeatSpace:
    """A space of a map: its name and title, its center, its outlines, its number of visits, its shade.

    A place of a net has no outline; an area has also the outlines of its holes.
    """

    name: str
    title: str
    middle: Point
    outlines: tuple[tuple[Point, ...], ...]
    times: int
    shade: int

    @property
    def path(self) -> str:
        """Return the outlines of the area as an SVG path."""
        return "".join(f"M{' '.join(f'{x:g} {y:g}' for x, y in outline)}Z" for outline in self.outlines)

    @property
    def short(self) -> str:
        """Return the name of the area, cut to the available space."""
        return self.title if len(self.title) <= LONGEST else self.title[: LONGEST - 1] + "…"


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A map with the number of visits to each space. `lines`: walls of a grid, or the links of a net. `steps`: the
    shades in use, each with its range of visits."""

    left: int
    top: int
    width: int
    height: int
    net: bool
    spaces: tuple[HeatSpace, ...]
    lines: tuple[tuple[Point, Point], ...]
    steps: tuple[tuple[int, int, int], ...]


def heat_map(program: Program, board: Board, times: Mapping[str, int], language: str = "en") -> HeatMap:
    """Return a board with the number of visits to each space, by name. Spaces without a number are left out."""
    net = board.sort in NETS and not any(cell.covers for cell in board.cells)
    drawn = _path(program, board, net)
    most = max(times.values(), default=0)
    spaces = [
        HeatSpace(
            cell.name,
            program_text(program, cell.title, language) or cell.name,
            middle,
            outlines,
            entered,
            shade_of(entered, most),
        )
        for cell, (middle, outlines) in zip(board.cells, drawn.spaces, strict=True)
        if (entered := times.get(cell.name)) is not None
    ]
    rim = APART / 2 if net else 4
    corners = [corner for space in spaces for outline in space.outlines for corner in outline]
    points = corners or [space.middle for space in spaces] or [(0.0, 0.0)]
    left, top = (int(min(point[way] for point in points) - rim) for way in (0, 1))
    right, low = (int(max(point[way] for point in points) + rim) for way in (0, 1))
    return HeatMap(left, top, right - left + 1, low - top + 1, net, tuple(spaces), drawn.lines, steps_of(most))


def shade_of(times: int, most: int) -> int:
    """Return the shade of a space with so many visits, where the busiest has `most`."""
    return next((shade for shade, low, high in steps_of(most) if low <= times <= high), NEVER)


def steps_of(most: int) -> tuple[tuple[int, int, int], ...]:
    """Return the shades in use, each with its range of visits. The ranges grow by squares, so that a few busy spaces
    leave the others distinguishable."""
    number = len(SHADES)
    ends = [most * (shade + 1) ** 2 // number**2 for shade in range(number)]
    steps = ((shade, (ends[shade - 1] if shade else 0) + 1, end) for shade, end in enumerate(ends))
    return tuple(step for step in steps if step[1] <= step[2])


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A board without counts: the center and the outlines of each space, and the lines on it."""

    spaces: tuple[tuple[Point, tuple[tuple[Point, ...], ...]], ...]
    lines: tuple[tuple[Point, Point], ...]


def _path(program: Program, board: Board, net: bool) -> _Drawing:
    if net:
        places = _net(program, board)
        return _Drawing(tuple((place, ()) for place in places), _ways(board, places))
    if board.sort == "areas":
        return _areas(board)
    middles = [_middle(board, cell.x, cell.y) for cell in board.cells]
    spaces = tuple((middle, (_corners(board, middle),)) for middle in middles)
    return _Drawing(spaces, _walls(board, middles))


def _areas(board: Board) -> _Drawing:
    """Return areas with their printed shapes."""
    from fcbdsl.print.layout.plots import ROOM, areas_of, borders

    covers = {cell.name: cell.covers for cell in board.cells}
    plots = areas_of(covers)
    larger = 2 * RADIUS / ROOM
    fences = {frozenset((board.cells[a].name, board.cells[b].name)) for a, b, barrier in board.sides if barrier >= 0}

    def at(x: float, y: float) -> Point:
        return round(x * larger, 2), round(y * larger, 2)

    spaces = tuple(
        (at(plot.centre.x, plot.centre.y), tuple(tuple(at(point.x, point.y) for point in rim) for rim in plot.outlines))
        for plot in plots.values()
    )
    walls = tuple((at(a.x, a.y), at(b.x, b.y)) for (a, b), owners in borders(covers, plots) if {*owners} in fences)
    return _Drawing(spaces, walls)


def _middle(board: Board, x: int, y: int) -> Point:
    halves, row = on_paper(board.sort, x, y)
    if board.sort == "hex":
        return round(halves * RADIUS * sqrt(3) / 2, 2), row * RADIUS * 1.5
    return halves * RADIUS, row * RADIUS * 2


def _corners(board: Board, middle: Point) -> tuple[Point, ...]:
    x, y = middle
    if board.sort != "hex":
        return tuple((x + a * RADIUS, y + b * RADIUS) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    wide = RADIUS * sqrt(3) / 2
    around = ((0, -RADIUS), (wide, -RADIUS / 2), (wide, RADIUS / 2), (0, RADIUS), (-wide, RADIUS / 2),
              (-wide, -RADIUS / 2))  # fmt: skip
    return tuple((round(x + a, 2), round(y + b, 2)) for a, b in around)


def _walls(board: Board, middles: Sequence[Point]) -> tuple[tuple[Point, Point], ...]:
    """Return the sides with a barrier as lines."""
    walls: list[tuple[Point, Point]] = []
    for a, b, barrier in board.sides:
        shared = [
            corner
            for corner in _corners(board, middles[a])
            if any(abs(corner[0] - other[0]) + abs(corner[1] - other[1]) < 1 for other in _corners(board, middles[b]))
        ]
        if barrier >= 0 and len(shared) == 2:
            walls.append((shared[0], shared[1]))
    return tuple(walls)


def _net(program: Program, board: Board) -> list[Point]:
    """Return the places of a net in their printed layout."""
    from fcbdsl.print.layout.graph_layout import spread

    points = {english: point for point, (english, _) in COMPASS.items()}
    ways = [points.get(program.texts[title].get("en", ""), "") if title >= 0 else "" for title in program.directions]
    names = [cell.name for cell in board.cells]
    links = [(names[a], names[b], ways[way] if 0 <= way < len(ways) else "") for a, b, way in board.links]
    at = spread(names, links)
    return [(round(at[name][0] * APART, 2), round(at[name][1] * APART, 2)) for name in names]


def _ways(board: Board, middles: Sequence[Point]) -> tuple[tuple[Point, Point], ...]:
    pairs = dict.fromkeys((min(a, b), max(a, b)) for a, b, _ in board.links)
    return tuple((middles[a], middles[b]) for a, b in pairs)
