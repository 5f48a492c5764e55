"""Regions of a board on a map: a band inside the edge of each connected part, and its name."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fcbdsl.base.diagnostics.print import RegionsAlike
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model.content import Board
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.layout.plots import LINE, Edge, Outline, Plot, edges, point_key, rim_of, rings
from fcbdsl.print.layout.views import Point, RegionView
from fcbdsl.print.pieces.looks import symbol_of

Places = Mapping[str, tuple[Point, Outline]]
"""The center and the outline of each space."""
Frames = Mapping[str, tuple[Point, Point]]
"""For each space with contents, the corners of their rectangle, upper left and lower right."""
INSET, STEP = 1.1, 1.4
"""Distance of the band of a region from its edge, and the additional distance for each region that shares its
spaces."""
SIDE, HEIGHT = 2.4, 2.0
"""The radius of the letter of a side with its rim, and the distance of the base line of a name below it."""
BAND = 1.0
"""Width of a band."""
LETTER = 1.25
"""Greatest mean width of a letter of a name."""
PLAIN = "#7a5c2e"
DASHES = ("", "2.4 1.3", "0.9 1.1", "4.5 1.1 0.9 1.1")
"""The patterns of bands, in the order of the kinds of regions on a map. More kinds cannot be told apart."""


def regions_of(
    board: Board,
    model: Model,
    naming: Naming,
    plots: Mapping[str, Plot],
    frames: Frames,
    discs: Sequence[Point] = (),
) -> list[RegionView]:
    """Return the parts of all regions of a board, in the order of their declaration.

    On a board without adjacent places each place is a part, with names below it, and the regions of a place share one
    band. On other boards a name is inside all bands of its space, below the letters of its sides (`discs`). It is
    beside the contents of the space if there is no room above.
    """
    units = {f"{name}/{at}": unit for name, plot in plots.items() for at, unit in enumerate(plot.units)}
    views: list[RegionView] = []
    dashes = _dashes_of(board, model, naming)
    levels = levels_of(board.regions)
    labelled: dict[str, None] = {}
    rows: dict[str, int] = {}  # of names below a place
    shared = Counter(space for spaces in board.regions.values() for space in dict.fromkeys(spaces))
    for name, spaces in board.regions.items():
        definition = next(definition for (_, id), definition in model.definitions.items() if id == name)
        title = with_capital(naming.language.finish(naming.title(definition.name, name)))
        sort = naming.language.finish(with_capital(naming.title(definition.kind.name, definition.kind.id)))
        pattern = dashes[definition.kind.id]
        symbols = (symbol_of(model, key, title) for key in (name, *(kind.id for kind in definition.kind.lineage())))
        colour = next((symbol.colour for symbol in symbols if symbol is not None), PLAIN)
        drawn = [space for space in dict.fromkeys(spaces) if space in plots]
        if board.sort == "graph":
            for space in drawn:
                plot, row = plots[space], rows.setdefault(space, 0)
                lowest = max(point.y for point in plot.outlines[0])
                rim = _share(tuple(rings(plot.outlines, INSET)), row, shared[space])
                label = Point(plot.centre.x, lowest + LINE * (row + 1))
                views.append(RegionView(colour, rim, (title,), label, "middle", sort, pattern))
                rows[space] += 1
            continue
        for part in _parts([f"{space}/{at}" for space in drawn for at in range(len(plots[space].units))], units):
            at = next((space for space in part if space not in labelled), part[0])
            labelled[at] = None
            space = at.rpartition("/")[0]
            inner = max(level for other, level in levels.items() if space in board.regions[other])
            rim = tuple(rings(rim_of(units[space][1] for space in part), INSET + STEP * levels[name]))
            within = [other for other, places in board.regions.items() if space in places]
            alike = [unit for unit in part if _is_in(unit.rpartition("/")[0], within, board.regions)]
            lines, label, anchor = _label(title, part, alike, at, INSET + STEP * inner, units, frames, discs)
            views.append(RegionView(colour, rim, lines, label, anchor, sort, pattern))
    return views


def _dashes_of(board: Board, model: Model, naming: Naming) -> dict[str, str]:
    """Return the pattern of the band of each kind of region of a board, in the order of the kinds of the game.

    Report a board with more kinds than patterns."""
    used = {definition.kind.id for (_, id), definition in model.definitions.items() if id in board.regions}
    kinds = [kind for kind in model.kinds if kind in used]
    if len(kinds) > len(DASHES):
        naming.problems.append(RegionsAlike(board.span, card=naming.subject, count=len(kinds), most=len(DASHES)))
    return {kind: DASHES[at % len(DASHES)] for at, kind in enumerate(kinds)}


def _share(rim: Sequence[Edge], at: int, of: int) -> tuple[Edge, ...]:
    """Return the share of one of several regions in their common band: a part of each side, in their order."""

    def along(edge: Edge, share: float) -> Point:
        a, b = edge
        return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)

    return tuple((along(edge, at / of), along(edge, (at + 1) / of)) for edge in rim)


def levels_of(regions: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return, per region, how many bands are drawn outside its band: one for each earlier region that shares its
    spaces."""
    before: list[set[str]] = []
    levels: dict[str, int] = {}
    for name, spaces in regions.items():
        levels[name] = sum(not other.isdisjoint(spaces) for other in before)
        before.append(set(spaces))
    return levels


def _parts(spaces: list[str], places: Places) -> list[list[str]]:
    """Return groups of spaces that are connected by their sides, from the top left on."""
    sides: dict[frozenset[tuple[int, int]], list[str]] = {}
    for space in spaces:
        for a, b in edges(places[space][1]):
            sides.setdefault(frozenset((point_key(a), point_key(b))), []).append(space)
    order = sorted(spaces, key=lambda space: (point_key(places[space][0])[1], point_key(places[space][0])[0]))
    out: list[list[str]] = []
    left = dict.fromkeys(order)
    while left:
        todo, part = [next(iter(left))], dict[str, None]()
        while todo:
            space = todo.pop()
            if space in left:
                del left[space]
                part[space] = None
                todo += [
                    other
                    for a, b in edges(places[space][1])
                    for other in sides[frozenset((point_key(a), point_key(b)))]
                ]
        out.append([space for space in order if space in part])
    return out


def _is_in(space: str, within: Sequence[str], regions: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a space is in exactly those regions."""
    return [name for name, spaces in regions.items() if space in spaces] == within


def _label(
    title: str,
    part: list[str],
    alike: list[str],
    at: str,
    inset: float,
    places: Places,
    frames: Frames,
    discs: Sequence[Point],
) -> tuple[tuple[str, ...], Point, str]:
    """Return the lines of a part's name, the place of the first of them, and whether it starts or is centered there.

    `alike`: the spaces of the part that are in the same regions as `at`. The name does not go beyond them, where the
    band of another region begins.
    """
    middle, outline = places[at]
    left, top = min(point.x for point in outline), min(point.y for point in outline)
    level = [space for space in alike if point_key(places[space][0])[1] == point_key(middle)[1]]
    square = len(outline) == 4
    width = (max(p.x for p in outline) - left) * (_run(at, level, places) if square else 0.8)
    label = Point(left + inset + 1.2, top + inset + 2.6) if square else Point(middle.x, top + inset + 4.6)
    lines = _lines(title, width - 2 * inset - 1)
    if square:
        right = label.x + max(map(len, lines)) * LETTER
        upper = [disc for disc in discs if abs(disc.y - top) < 0.1]
        over = [disc.y for disc in upper if label.x < disc.x + SIDE and disc.x - SIDE < right]
        if over:
            label = Point(label.x, max(label.y, over[0] + SIDE + HEIGHT))
        foot = label.y + LINE * (len(lines) - 1) + 0.6
        right = label.x + max(map(len, lines)) * LETTER
        met = [
            frame
            for space in dict.fromkeys(unit.rpartition("/")[0] for unit in part)
            if (frame := frames.get(space)) and frame[0].y < foot and label.x < frame[1].x and frame[0].x < right
        ]
        beside = _lines(title, min((frame[0].x for frame in met), default=right) - label.x - 0.6)
        if met and max(map(len, beside)) * LETTER <= min(frame[0].x for frame in met) - label.x:
            lines = beside
    return lines, label, "start" if square else "middle"


def _lines(title: str, width: float) -> tuple[str, ...]:
    """Return a name in lines of a width, except for longer words."""
    return tuple(textwrap.wrap(title, max(6, int(width / LETTER)), break_long_words=False))


def _run(at: str, level: list[str], places: Places) -> int:
    """Return how many spaces of a row follow one another, from one on."""
    xs = {round(places[space][0].x, 1) for space in level}
    x, outline = places[at]
    wide = max(point.x for point in outline) - min(point.x for point in outline)
    count = 1
    while round(x.x + count * wide, 1) in xs:
        count += 1
    return count


def moved_region(region: RegionView, x: float, y: float) -> RegionView:
    """Return a region moved on the drawing."""
    move = [tuple(Point(round(point.x + x, 2), round(point.y + y, 2)) for point in edge) for edge in region.rim]
    label = Point(round(region.label.x + x, 2), round(region.label.y + y, 2))
    return replace(region, rim=tuple((a, b) for a, b in move), label=label)
