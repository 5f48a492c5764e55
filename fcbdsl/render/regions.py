"""Regions of a board as a map shows them: a band inside the rim of each part that hangs together, and its name."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from fcbdsl.model.content import Board
from fcbdsl.model.whole import Model
from fcbdsl.prose.naming import Naming, bare
from fcbdsl.render.looks import symbol_of
from fcbdsl.render.views import Point, RegionView

Places = Mapping[str, tuple[Point, tuple[Point, ...]]]
"""The middle and the outline of each space."""
Edge = tuple[Point, Point]

INSET, STEP = 1.1, 1.4
"""How far inside its rim the band of a region lies, and how much further for each region that it shares spaces with."""
LETTER = 1.25
"""How wide a letter of a name is at most on average."""
PLAIN = "#7a5c2e"


def regions_of(board: Board, model: Model, naming: Naming, places: Places) -> list[RegionView]:
    """The parts of all regions of a board, in the order of their declaration on it."""
    made: list[RegionView] = []
    before: list[set[str]] = []
    labelled: dict[str, None] = {}
    for name, spaces in board.regions.items():
        found = next(one for (_, id), one in model.definitions.items() if id == name)
        noun = naming.noun(found.name, name)
        title = naming.language.finish(bare(noun.one))
        title = title[:1].upper() + title[1:]
        symbols = (symbol_of(model, one, title) for one in (name, *(kind.id for kind in found.kind.lineage())))
        colour = next((symbol.colour for symbol in symbols if symbol is not None), PLAIN)
        level = sum(not other.isdisjoint(spaces) for other in before)
        before.append(set(spaces))
        for part in _parts([space for space in spaces if space in places], places):
            at = next((space for space in part if space not in labelled), part[0])
            labelled[at] = None
            made.append(_part(title, colour, part, at, INSET + STEP * level, places))
    return made


def _key(point: Point) -> tuple[int, int]:
    """A corner of spaces, however it was computed."""
    return round(point.x * 10), round(point.y * 10)


def edges(outline: tuple[Point, ...]) -> list[Edge]:
    """The sides of an outline, in its order."""
    return list(zip(outline, outline[1:] + outline[:1], strict=True))


def _parts(spaces: list[str], places: Places) -> list[list[str]]:
    """Spaces that hang together by their sides, from the top left on."""
    sides: dict[frozenset[tuple[int, int]], list[str]] = {}
    for space in spaces:
        for a, b in edges(places[space][1]):
            sides.setdefault(frozenset((_key(a), _key(b))), []).append(space)
    order = sorted(spaces, key=lambda space: (_key(places[space][0])[1], _key(places[space][0])[0]))
    out: list[list[str]] = []
    left = dict.fromkeys(order)
    while left:
        todo, part = [next(iter(left))], dict[str, None]()
        while todo:
            space = todo.pop()
            if space in left:
                del left[space]
                part[space] = None
                todo += [other for a, b in edges(places[space][1]) for other in sides[frozenset((_key(a), _key(b)))]]
        out.append([space for space in order if space in part])
    return out


def _part(title: str, colour: str, part: list[str], at: str, inset: float, places: Places) -> RegionView:
    counts: dict[frozenset[tuple[int, int]], int] = {}
    for space in part:
        for a, b in edges(places[space][1]):
            key = frozenset((_key(a), _key(b)))
            counts[key] = counts.get(key, 0) + 1
    rims = [
        (space, number, edge)
        for space in part
        for number, edge in enumerate(edges(places[space][1]))
        if counts[frozenset((_key(edge[0]), _key(edge[1])))] == 1
    ]
    corners: dict[tuple[int, int], list[tuple[str, Edge]]] = {}
    for space, _, edge in rims:
        for point in edge:
            corners.setdefault(_key(point), []).append((space, edge))
    rim = tuple(_inside(space, edge, corners, inset, places[space]) for space, _, edge in rims)
    middle, outline = places[at]
    left, top = min(point.x for point in outline), min(point.y for point in outline)
    level = [space for space in part if _key(places[space][0])[1] == _key(middle)[1]]
    square = len(outline) == 4
    width = (max(p.x for p in outline) - left) * (_run(at, level, places) if square else 0.8)
    name = tuple(textwrap.wrap(title, max(6, int((width - 2 * inset - 1) / LETTER)), break_long_words=False))
    label = Point(left + inset + 1.2, top + inset + 2.9) if square else Point(middle.x, top + inset + 4.6)
    return RegionView(colour, rim, name, label, "start" if square else "middle")


def _run(at: str, level: list[str], places: Places) -> int:
    """How many spaces of a row follow one another from one on."""
    xs = {round(places[space][0].x, 1) for space in level}
    x, outline = places[at]
    wide = max(point.x for point in outline) - min(point.x for point in outline)
    count = 1
    while round(x.x + count * wide, 1) in xs:
        count += 1
    return count


def _inside(
    space: str,
    edge: Edge,
    corners: Mapping[tuple[int, int], list[tuple[str, Edge]]],
    inset: float,
    place: tuple[Point, tuple[Point, ...]],
) -> Edge:
    """An edge moved inside: shorter where the rim turns round this space, longer where it turns round another."""
    middle, outline = place
    a, b = edge
    length = ((b.x - a.x) ** 2 + (b.y - a.y) ** 2) ** 0.5
    along = (b.x - a.x) / length, (b.y - a.y) / length
    normal = -along[1], along[0]
    if (middle.x - a.x) * normal[0] + (middle.y - a.y) * normal[1] < 0:
        normal = -normal[0], -normal[1]
    turn = inset * (1.0 if len(outline) == 4 else 0.577)

    def bend(point: Point) -> float:
        others = [(one, other) for one, other in corners[_key(point)] if other != edge]
        if any(one == space for one, _ in others):
            return turn
        straight = any(_aligned(other, along) for _, other in others)
        return 0.0 if straight or not others else -turn

    start, end = bend(a), bend(b)
    return (
        Point(a.x + normal[0] * inset + along[0] * start, a.y + normal[1] * inset + along[1] * start),
        Point(b.x + normal[0] * inset - along[0] * end, b.y + normal[1] * inset - along[1] * end),
    )


def _aligned(edge: Edge, along: tuple[float, float]) -> bool:
    """Whether an edge runs in a direction, or against it."""
    return abs((edge[1].x - edge[0].x) * along[1] - (edge[1].y - edge[0].y) * along[0]) < 0.01


def moved_region(region: RegionView, x: float, y: float) -> RegionView:
    """A region elsewhere on the drawing."""
    move = [tuple(Point(round(point.x + x, 2), round(point.y + y, 2)) for point in edge) for edge in region.rim]
    label = Point(round(region.label.x + x, 2), round(region.label.y + y, 2))
    return RegionView(region.colour, tuple((a, b) for a, b in move), region.name, label, region.anchor)
