"""Maps at playing scale: on as many sheets as needed, or as tiles to cut; with places beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.locales import interface_texts
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.formats import Paper
from fcbdsl.print.layout.views import CardRoom, Chip, MapPart, MapSheet, MapView, PlayMap, Point
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.chips import PrintedFields
from fcbdsl.print.pieces.looks import look_of_kind, space_width, tiles_of
from fcbdsl.print.pieces.maps import part_of
from fcbdsl.print.pieces.sheets import sheet_of

OVERLAP = 10.0
"""Overlap of neighboring sheets in millimeters, for glue."""
EDGE = 9.0
"""The margin of a sheet."""
ABOVE = 6.0
"""The additional space above it for a line with the sheet's name."""
NAME_DISC = 4.2
"""The radius of the disc with the name of a sheet on the plan, in the units of drawings."""
REACH = 30
"""Greatest distance of that disc from the middle of its sheet, across and down."""


def play_map_of(
    mission: Definition, model: Model, language: str, paper: Paper
) -> tuple[PlayMap | None, list[Diagnostic]]:
    """Return the map of a mission at playing scale for a paper, and its problems; None if it has none."""
    sheet, problems = sheet_of(mission, model, language)
    if sheet.map is None or mission.board is None:
        return None, problems
    scale = space_width(model) / sheet.map.unit
    tiles = tiles_of(model)
    regions = [name for name in mission.board.regions if tiles and _is(model, name, tiles)]
    titles = [_title(model, name, language) for name in regions]
    drawn = [
        part_of(sheet.map, mission.board.regions[name], title) for name, title in zip(regions, titles, strict=True)
    ]
    rooms, tables = _beside(mission, model, language)
    whole = [(sheet.map, sheet.title)]
    parts = tuple(_part(view, title, scale, paper) for view, title in (list(zip(drawn, titles, strict=True)) or whole))
    return (
        PlayMap(
            key=f"map/{mission.id}",
            language=language,
            style=sheet.style,
            seed=sheet.seed,
            title=sheet.title,
            type_line=interface_texts("playing", language)["map"],
            colour=sheet.colour,
            ink=sheet.ink,
            map=sheet.map,
            parts=parts,
            tiles=bool(regions),
            rooms=tuple(rooms),
            tables=tuple(tables),
            private=_private(mission, model, language),
            words=interface_texts("playing", language) | sheet.words,
            footer=sheet.footer,
        ),
        problems,
    )


def _private(mission: Definition, model: Model, language: str) -> str:
    """Return the title of players with a private map; empty if there are none."""
    kind = model.kinds.get(look_of_kind(mission.kind, model).private)
    naming = PrintedFields(mission, model, language).naming
    return naming.language.finish(with_capital(naming.kind(kind).one)) if kind is not None else ""


def _is(model: Model, name: str, kind: str) -> bool:
    """Return whether a region is of a kind."""
    return any(
        definition.id == name and kind in [k.id for k in definition.kind.lineage()]
        for definition in model.definitions.values()
    )


def _title(model: Model, name: str, language: str) -> str:
    region = next(definition for definition in model.definitions.values() if definition.id == name)
    return PrintedFields(region, model, language).title(region.name, region.id)


def _part(view: MapView, title: str, scale: float, paper: Paper) -> MapPart:
    """Return a map, or a tile of it, on sheets of a paper: upright or landscape, the one with fewer sheets."""
    width, height = round(view.width * scale, 2), round(view.height * scale, 2)
    fits = []
    for wide, high in ((paper.width, paper.height), (paper.height, paper.width)):
        sheets = tuple(_sheets(width, height, wide - 2 * EDGE, high - 2 * EDGE - ABOVE, _joints(view, scale)))
        fits.append((len(sheets), wide, high, sheets))
    _, wide, high, sheets = min(fits, key=lambda fit: fit[0])
    if len(sheets) > 1:
        drawn = _boxes(view)
        sheets = tuple(
            replace(sheet, spot=_clear_spot(sheet, scale, drawn), crosses=_crosses(sheet, scale, drawn))
            for sheet in sheets
        )
    return MapPart(title, view, width, height, wide, high, sheets)


Joints = tuple[Sequence[Sequence[float]], Sequence[Sequence[float]]]
"""Where a map can be cut: from its left, and from its top, in millimeters; the best places first, then all others."""


def _sheets(width: float, height: float, wide: float, high: float, joints: Joints) -> Iterator[MapSheet]:
    """Yield the sheets of a map of some size, row by row, each with the part that it shows. They overlap.

    They are cut between spaces if a straight line runs there, and have about the same size.
    """
    columns, rows = list(_spans(width, wide, joints[0])), list(_spans(height, high, joints[1]))
    for row, (top, low) in enumerate(rows):
        for column, (left, right) in enumerate(columns):
            yield MapSheet(
                f"{chr(ord('A') + column)}{row + 1}" if len(columns) * len(rows) > 1 else "",
                round(left, 2),
                round(top, 2),
                round(right - left, 2),
                round(low - top, 2),
                column + 1 < len(columns),
                row + 1 < len(rows),
            )


def _spans(length: float, room: float, joints: Sequence[Sequence[float]]) -> Iterator[tuple[float, float]]:
    """From where to where each sheet reaches: to the best joint that is nearest to an equal share, if there is one."""
    left = 0.0
    for more in range(_count(length, room) - 1, 0, -1):
        share = left + (length - left + more * OVERLAP) / (more + 1)
        fit = [
            [
                joint
                for joint in row
                if share / 2 < joint <= left + room and _count(length - joint + OVERLAP, room) <= more
            ]
            for row in joints
        ]
        cut = min(next(filter(None, fit), ()), key=lambda place: abs(place - share), default=share)
        yield left, cut
        left = cut - OVERLAP
    yield left, length


def _joints(view: MapView, scale: float) -> Joints:
    """Return where a map can be cut: the straight lines between spaces of squares, then lines half a unit apart that
    cross no name or symbol."""
    texts = _texts(view)
    across, down = [(left, right) for left, _, right, _ in texts], [(top, low) for _, top, _, low in texts]
    if view.squares and not view.links:
        corners = [point for cell in view.cells for outline in cell.outlines for point in outline]
        xs = sorted({point.x for point in corners})[1:-1]
        ys = sorted({point.y for point in corners})[1:-1]
        sides = _clear_lines(xs, across, scale), _clear_lines(ys, down, scale)
        crossed = [x * scale for x in xs], [y * scale for y in ys]
    else:
        sides, crossed = ([], []), ([], [])
    halves = ([at / 2 for at in range(1, int(length * 2))] for length in (view.width, view.height))
    free = [_clear_lines(places, taken, scale) for places, taken in zip(halves, (across, down), strict=True)]
    return (sides[0], free[0], crossed[0]), (sides[1], free[1], crossed[1])


def _clear_lines(places: Sequence[float], taken: Sequence[tuple[float, float]], scale: float) -> list[float]:
    """Return the places that lie in none of the ranges `taken`, in millimeters."""
    return [place * scale for place in places if not any(low < place < high for low, high in taken)]


def _count(length: float, room: float) -> int:
    """Return how many sheets a length takes."""
    return 1 if length <= room else ceil((length - OVERLAP) / (room - OVERLAP))


Box = tuple[float, float, float, float]
CROSS, FROM_CORNER, AWAY = 2.5, 12.0, 25.0
"""The size of a registration cross, its distance from the corner of a sheet, and how far it may be moved from there to
keep text visible. All in millimeters."""


def _crosses(sheet: MapSheet, scale: float, drawn: Sequence[Box]) -> tuple[Point, ...]:
    """Return the places of the crosses on a sheet, two on each strip that it shares.

    They are computed from the map, so that both sheets find the same places.
    """

    def clear(x: float, y: float) -> bool:
        x, y, reach = (x + sheet.left) / scale, (y + sheet.top) / scale, CROSS / scale
        return not any(a < x + reach and x - reach < c and b < y + reach and y - reach < d for a, b, c, d in drawn)

    def along(length: float, *, upright: bool, across: float) -> Iterator[Point]:
        for start, way in ((FROM_CORNER, 1), (length - FROM_CORNER, -1)):
            spots = [Point(across, start + way * by / 2) for by in range(int(min(AWAY, length / 2 - FROM_CORNER) * 2))]
            spots = [Point(round(point.x, 2), round(point.y, 2)) for point in spots or [Point(across, start)]]
            turned = spots if upright else [Point(spot.y, spot.x) for spot in spots]
            yield next((point for point in turned if clear(point.x, point.y)), turned[0])

    points: list[Point] = []
    for shared, across in ((sheet.left > 0, OVERLAP / 2), (sheet.goes_right, sheet.width - OVERLAP / 2)):
        points += along(sheet.height, upright=True, across=across) if shared else ()
    for shared, across in ((sheet.top > 0, OVERLAP / 2), (sheet.goes_down, sheet.height - OVERLAP / 2)):
        points += along(sheet.width, upright=False, across=across) if shared else ()
    return tuple(points)


def _boxes(view: MapView) -> list[Box]:
    """Return the boxes of visible content of a map: names, symbols, and lines except thin dashes; left, top, right,
    bottom."""

    boxes = _texts(view)
    for side in (*view.sides, *view.ropes):
        if side.style not in {"thin", "faint"}:
            xs, ys = (side.start.x, side.end.x), (side.start.y, side.end.y)
            rim = 2.5 if side.letter else 0.9
            boxes.append((min(xs) - rim, min(ys) - rim, max(xs) + rim, max(ys) + rim))
    return boxes


def _texts(view: MapView) -> list[Box]:
    """Return the boxes of names and symbols of a map: left, top, right, bottom."""

    def about(spot: Point, wide: float, high: float) -> Box:
        return spot.x - wide, spot.y - high, spot.x + wide, spot.y + high

    boxes = [about(spot, cell.size * 0.66, cell.size * 0.66) for cell in view.cells for spot in cell.spots]
    for cell in view.cells:
        boxes.append(about(Point(cell.named.x, cell.named.y - 1.2), len(cell.name) * 0.9, 1.8))
    for region in view.regions:
        wide = max(map(len, region.name), default=0) * 1.4
        left = region.label.x - (wide / 2 if region.anchor == "middle" else 0)
        high = len(region.name) * 2.5
        boxes.append((left, region.label.y - 2.4, left + wide, region.label.y - 2.4 + high))
    return boxes + [about(route.label, 2.6, 2.6) for route in view.routes]


def _clear_spot(sheet: MapSheet, scale: float, drawn: Sequence[Box]) -> Point:
    """Return a place on a map for the name of one of its sheets that covers no content, as near to its middle as
    possible; the middle, if there is none."""
    middle = Point((sheet.left + sheet.width / 2) / scale, (sheet.top + sheet.height / 2) / scale)
    wide, high = (int(max(0.0, length / scale / 2 - NAME_DISC)) for length in (sheet.width, sheet.height))
    steps = [
        (x, y)
        for x in range(-min(wide, REACH), min(wide, REACH) + 1)
        for y in range(-min(high, REACH), min(high, REACH) + 1)
    ]
    for x, y in sorted(steps, key=lambda step: (step[0] ** 2 + step[1] ** 2, step)):
        spot = Point(round(middle.x + x, 2), round(middle.y + y, 2))
        if not any(
            left < spot.x + NAME_DISC
            and spot.x - NAME_DISC < right
            and top < spot.y + NAME_DISC
            and spot.y - NAME_DISC < low
            for left, top, right, low in drawn
        ):
            return spot
    return middle


def _beside(
    mission: Definition, model: Model, language: str
) -> tuple[list[tuple[CardRoom, ...]], list[tuple[str, tuple[Chip, ...]]]]:
    """Return what the look of the mission places beside the map: places for cards, and tables of pieces."""
    rooms: list[tuple[CardRoom, ...]] = []
    tables: list[tuple[str, tuple[Chip, ...]]] = []
    for part in look_of_kind(mission.kind, model).beside:
        match part:
            case (count, kind) if count.isdecimal() and kind in model.kinds:
                rooms.append(tuple(_room(model, kind, language, str(at + 1)) for at in range(int(count))))
            case ("each", region, kind) if kind in model.kinds and mission.board is not None:
                names = [name for name in mission.board.regions if _is(model, name, region)]
                rooms.append(tuple(_room(model, kind, language, _title(model, name, language)) for name in names))
            case ("table", kind):
                of = [
                    definition
                    for definition in model.definitions.values()
                    if kind in [k.id for k in definition.kind.lineage()]
                ]
                tables += [_row(definition, model, language) for definition in of]
    return [some for some in rooms if some], tables


def _room(model: Model, kind: str, language: str, called: str) -> CardRoom:
    look = look_of_kind(model.kinds[kind], model)
    size = sizes_of(model)[look.size]
    title = look.back_title.get(language) or look.back_title.get("en", "")
    return CardRoom(f"{title} · {called}" if title else called, size.width, size.height)


def _row(definition: Definition, model: Model, language: str) -> tuple[str, tuple[Chip, ...]]:
    card = card_of(definition, model, language)[0]
    return card.title, (*((card.corner,) if card.corner is not None else ()), *card.stats)
