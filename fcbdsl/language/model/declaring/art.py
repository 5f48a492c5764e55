"""Maps drawn with letters: the places of the spaces, and the glyph of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.values import MisplacedCell, RaggedRow
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.syntax.tree import Line
from fcbdsl.machine.geometry.coordinates import from_paper, space_name

Report = Callable[[Diagnostic], None]

PLAIN, INCOMPLETE = ".", "~"
"""Glyphs that every map knows: a plain space, and one on which no piece can be."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A space of a drawing: its id, its coordinates, its glyph and place, and the cells it covers (see
    `content.Cell`)."""

    id: str
    x: int
    y: int
    text: str
    span: Span
    covers: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class Drawing:
    """Spaces in reading order.

    `sides`: (space, space, glyph, place) of square maps. `links`: pairs of areas. `corners`: two areas that meet at a
    corner without a common side, with the two areas beside it (or "").
    """

    spaces: list[Glyph] = field(default_factory=list)
    sides: list[tuple[str, str, str, Span]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    corners: list[tuple[str, str, str, str]] = field(default_factory=list)
    shifted: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a drawing without the common margin."""

    text: str
    source: Source
    offset: int

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, self.offset + start, self.offset + end)


def _rows(line: Line) -> list[_Row]:
    """Return the rows of a raw block without their common margin, from the first to the last that are not blank."""
    rows: list[tuple[int, str]] = []
    offset = line.raw_offset
    for text in (line.raw or "").split("\n"):
        rows.append((offset, text.rstrip()))
        offset += len(text) + 1
    while rows and not rows[-1][1]:
        rows.pop()
    while rows and not rows[0][1]:
        rows.pop(0)
    margin = min((len(text) - len(text.lstrip()) for _, text in rows if text), default=0)
    return [_Row(text[margin:], line.source, start + margin) for start, text in rows]


def draw_hexes(line: Line, report: Report) -> Drawing:
    """Read a drawing of hexagons: glyphs are two columns apart, and each row is shifted by one column.

    A column of text is half a space wide.
    """
    drawing = Drawing()
    parity: int | None = None
    for y, row in enumerate(_rows(line)):
        for at, text in _glyphs(row):
            if parity is None:
                parity = (at - y) % 2
                drawing.shifted = parity
            if (at - y) % 2 != parity:
                report(
                    MisplacedCell(
                        row.span(at, at + 1),
                        what=f"`{text}`",
                        why="spaces of a row are two columns apart, and each row is shifted by one",
                        cure="Shift the row, or the space, by one column.",
                    )
                )
                break  # one report for a row: the rest of it is shifted too
            q, r = from_paper("hex", at - parity, y)
            drawing.spaces.append(Glyph(space_name(at // 2, y), q, r, text, row.span(at, at + 1)))
    _ragged(drawing, report)
    return drawing


FEWEST_ROWS = 4
"""Fewest rows of a map in which a longer row counts as a slip; smaller maps are corridors."""


def _ragged(drawing: Drawing, report: Report) -> None:
    """Report rows of hexagons whose last space is beyond the rows above and below, and touches none of them."""
    rows: dict[int, dict[int, Glyph]] = {}
    for space in drawing.spaces:
        rows.setdefault(space.y, {})[2 * space.x + space.y] = space
    for y, row in rows.items():
        beside = [rows[other] for other in (y - 1, y + 1) if other in rows]
        last = max(row)
        if len(rows) < FEWEST_ROWS or len(row) < 2 or any(last + way in other for other in beside for way in (-1, 1)):
            continue
        if beside and all(max(other) < last for other in beside):
            others = " and ".join(str(len(other)) for other in beside)
            why = f"its {len(row)} spaces end beyond rows of {others}, so that {row[last].id} touches none of theirs"
            report(RaggedRow(row[last].span, why=why))


def _glyphs(row: _Row) -> Iterator[tuple[int, str]]:
    """Yield each glyph that is not blank, with its column."""
    return ((at, glyph) for at, glyph in enumerate(row.text) if glyph != " ")


def draw_areas(line: Line) -> Drawing:
    """Read regions of equal letters or digits; those that touch, even at a corner, are linked."""
    drawing = Drawing()
    rows = _rows(line)
    first: dict[str, Glyph] = {}
    covers: dict[str, list[tuple[int, int]]] = {}
    links: dict[tuple[str, str], None] = {}
    for y, row in enumerate(rows):
        for x, text in _glyphs(row):
            if not text.isalnum():
                continue
            first.setdefault(text, Glyph(text, x, y, text, row.span(x, x + 1)))
            covers.setdefault(text, []).append((x, y))
            for dx, dy in ((-1, -1), (0, -1), (1, -1), (-1, 0)):
                other = _at(rows, x + dx, y + dy)
                if other.isalnum() and other != text:
                    links[min(other, text), max(other, text)] = None
    drawing.spaces = [replace(glyph, covers=tuple(covers[text])) for text, glyph in first.items()]
    drawing.links = list(links)
    drawing.corners = _corners_of(rows)
    return drawing


def _corners_of(rows: list[_Row]) -> list[tuple[str, str, str, str]]:
    """Return where areas meet without a common side: the two areas, and the areas on both sides of the corner."""
    sides: set[tuple[str, str]] = set()
    met: dict[tuple[str, str, str, str], None] = {}
    for y, row in enumerate(rows):
        for x, text in _glyphs(row):
            for dx, dy in ((-1, 0), (0, -1)):
                other = _at(rows, x + dx, y + dy)
                sides.add((min(other, text), max(other, text)))
            for dx in (-1, 1):
                other = _at(rows, x + dx, y - 1)
                if text.isalnum() and other.isalnum() and other != text:
                    beside = [area if area.isalnum() else "" for area in (_at(rows, x + dx, y), _at(rows, x, y - 1))]
                    met[min(other, text), max(other, text), beside[0], beside[1]] = None
    return [corner for corner in met if corner[:2] not in sides]


def _at(rows: list[_Row], x: int, y: int) -> str:
    return rows[y].text[x] if 0 <= y < len(rows) and 0 <= x < len(rows[y].text) else " "


def draw_squares(line: Line, report: Report) -> Drawing:
    """Read cells in a box drawing: ``+`` at the corners, sides between them, a glyph in each cell.

    All cells are as wide as the first; rows of corners and of cells alternate."""
    drawing = Drawing()
    rows = _rows(line)
    width = rows[0].text.find("+", 1) if rows and rows[0].text.startswith("+") else -1
    if width < 2:
        if rows:
            why, cure = "the drawing must begin with a corner `+`", "Begin with a line such as `+--+--+`."
            report(MisplacedCell(rows[0].span(0, 1), what="row", why=why, cure=cure))
        return drawing
    counts = [(len(row.text) - 1) // width for row in rows]
    columns = max(counts)
    short = min(counts[::2])
    if short < columns:
        row = rows[counts.index(columns)]
        why = f"it has {columns} cells, and another row has {short}, which fcb fills with plain cells"
        report(RaggedRow(row.span(0, len(row.text)), why=why))
    for y in range(len(rows) // 2):
        if not _corners(rows[2 * y], width, report):
            return Drawing()
        _cells(drawing, rows, y, width, columns)
        beyond = rows[2 * y + 1].text[columns * width + 1 :]
        if beyond.strip(" |"):
            at = columns * width + 1 + len(beyond) - len(beyond.lstrip(" |"))
            why, cure = "it is beyond the last corner", "Draw a cell around it, with corners `+`, or remove it."
            report(MisplacedCell(rows[2 * y + 1].span(at, at + 1), what=f"`{beyond.strip(' |')}`", why=why, cure=cure))
    return drawing


def _corners(row: _Row, width: int, report: Report) -> bool:
    """Return whether a row has its corners in the right columns."""
    for at in range(0, len(row.text), width):
        if row.text[at] != "+":
            why, cure = f"corners are {width} columns apart", "Put a `+` at every corner of a cell."
            report(MisplacedCell(row.span(at, at + 1), what=f"`{row.text[at]}`", why=why, cure=cure))
            return False
    return True


def _cells(drawing: Drawing, rows: list[_Row], y: int, width: int, columns: int) -> None:
    """Read the cells of row `y`, with the sides on their left and above."""
    row, above = rows[2 * y + 1], rows[2 * y]
    for x in range(columns):
        start, end = x * width + 1, (x + 1) * width
        here = space_name(x, y)
        text = row.text[start:end].strip() or PLAIN
        drawing.spaces.append(Glyph(here, x, y, text, row.span(start, end)))
        left, top = row.text[start - 1 : start].strip(), above.text[start:end].strip()
        if left and x:
            drawing.sides.append((space_name(x - 1, y), here, left, row.span(start - 1, start)))
        if top and y:
            drawing.sides.append((space_name(x, y - 1), here, top, above.span(start, end)))
