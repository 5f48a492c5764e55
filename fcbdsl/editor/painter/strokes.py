"""Strokes on a map as edits of its text. An edit changes only the glyphs, the entries and the sides concerned."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.editor.lsp.refactoring import RowEdit, apply_row_edits
from fcbdsl.editor.lsp.word_places import in_file
from fcbdsl.editor.painter.map_text import MapText, SideEntry, place_of
from fcbdsl.language.model.declaring.art import INCOMPLETE, PLAIN
from fcbdsl.language.model.geometry import numbers_of, shape_of
from fcbdsl.language.model.lines import tail_parts
from fcbdsl.language.syntax.formatting import BESIDE
from fcbdsl.language.syntax.outline import split_comment
from fcbdsl.language.syntax.tree import Line

WIDEST = 96
"""Most characters of a line of barriers before a new line begins."""
_FREE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*%&@$^!?/<>="
"""Characters that a new entry of a legend may use."""


class CannotPaint(Exception):
    """A stroke that is not possible; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class FillStroke:
    """Give spaces a content: the names of a legend entry, none for a plain space."""

    spaces: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkStroke:
    """Add a name to the content of spaces, or remove it."""

    spaces: tuple[str, ...]
    word: str
    on: bool


@dataclass(frozen=True, slots=True)
class SideStroke:
    """Put a barrier on the side between two spaces; an empty name removes it."""

    first: str
    second: str
    barrier: str


Stroke = FillStroke | MarkStroke | SideStroke


def paint(drawn: MapText, stroke: Stroke) -> str:
    """Return the text of the file after a stroke. Raise CannotPaint."""
    if isinstance(stroke, SideStroke):
        return _side(drawn, stroke)
    cells = {cell.id: cell for cell in drawn.board.cells}
    unknown = [space for space in stroke.spaces if space not in cells]
    if unknown:
        raise CannotPaint(f"There is no space {unknown[0]}.")
    wanted: dict[tuple[str, ...], list[str]] = {}
    for space in dict.fromkeys(stroke.spaces):
        wanted.setdefault(content_after(drawn, drawn.words_of(cells[space]), stroke), []).append(space)
    legend = _Legend(drawn)
    if drawn.board.sort == "areas":
        return _clean(drawn, [*legend.entry_edits(wanted), *legend.edits()])
    edits = []
    for words, spaces in wanted.items():
        glyph = legend.glyph(words)
        for space in spaces:
            row, start, end = place_of(cells[space])
            edits.append(RowEdit(drawn.file, (row, start, row, end), glyph.ljust(end - start)))
    return _clean(drawn, [*edits, *legend.edits()])


def content_after(drawn: MapText, before: tuple[str, ...], stroke: FillStroke | MarkStroke) -> tuple[str, ...]:
    """Return the names for a space after a stroke. A terrain that is added replaces the other one."""
    if isinstance(stroke, FillStroke):
        return stroke.words
    word = stroke.word
    if stroke.on and word in before:
        return before
    without = tuple(other for other in before if other != word)
    if not stroke.on:
        return without
    if word in drawn.terrains:
        return (word, *(other for other in without if other not in drawn.terrains))
    return (*without, word)


class _Legend:
    """Finds a glyph for each content, and adds entries for those that have none."""

    def __init__(self, drawn: MapText) -> None:
        self._drawn = drawn
        self._added: list[tuple[str, tuple[str, ...]]] = []
        cells = drawn.board.cells
        _, start, end = place_of(cells[0])
        self.width = end - start
        used = {drawn.glyph_of(cell) for cell in cells}
        self._taken = {*used, *drawn.entries, PLAIN, INCOMPLETE}

    def glyph(self, words: tuple[str, ...]) -> str:
        """Return a glyph with this meaning."""
        drawn = self._drawn
        if not words and PLAIN not in drawn.entries:
            return PLAIN
        if words == ("incomplete",):
            return INCOMPLETE
        fitting = [
            entry for entry in drawn.entries.values() if not entry.barrier and sorted(entry.words) == sorted(words)
        ]
        fitting = [entry for entry in fitting if len(entry.glyph) <= self.width]
        if fitting:
            return next((entry.glyph for entry in fitting if entry.own), fitting[0].glyph)
        if not words:
            raise CannotPaint("No glyph of the legend means a plain space.")
        initial = words[-1][:1]
        free = next(
            (letter for letter in (initial, initial.upper(), *_FREE) if letter in _FREE and letter not in self._taken),
            "",
        )
        if not free:
            raise CannotPaint("All characters have a meaning already.")
        self._taken.add(free)
        self._added.append((free, words))
        return free

    def entry_edits(self, wanted: Mapping[tuple[str, ...], Sequence[str]]) -> list[RowEdit]:
        """Return the edits that give glyphs a new meaning, as areas need: each area has a glyph. An entry without a
        meaning is removed."""
        drawn, out, removed = self._drawn, list[RowEdit](), list[int]()
        for words, glyphs in wanted.items():
            for glyph in glyphs:
                line = drawn.entry_line(glyph)
                if line is None:
                    self._added += [(glyph, words)] if words else []
                elif words:
                    out.append(_entry_edit(drawn, line, ", ".join(words)))
                else:
                    removed.append(in_file(line.whole)[0])
        legend = drawn.line_of("legend")
        if legend is not None and removed and len(removed) == len(legend.block):
            removed.insert(0, in_file(legend.span)[0])
        return out + [removed_rows(drawn, row, row) for row in removed]

    def edits(self) -> list[RowEdit]:
        """Return the edits that add the new entries."""
        if not self._added:
            return []
        drawn = self._drawn
        legend = drawn.line_of("legend")
        rows = drawn.text.split("\n")
        if legend is not None and legend.block:
            last = in_file(legend.block[-1].whole)[2]
            indent = indent_of(rows[in_file(legend.block[-1].span)[0]])
            head = ""
        else:
            last = _last_row_of_art(drawn, rows)
            margin = indent_of(rows[in_file(_art(drawn).span)[0]])
            indent, head = margin + "  ", f"{margin}legend:\n"
        lines = "".join(f'{indent}"{glyph}": {", ".join(words)}\n' for glyph, words in self._added)
        return [inserted_rows(drawn, last + 1, head + lines)]


def _entry_edit(drawn: MapText, line: Line, words: str) -> RowEdit:
    """Return the edit that replaces what an entry of a legend says."""
    spans = [in_file(line.span_of(part)) for part in tail_parts(line)]
    return replaced_words(drawn, spans[0][:2], spans[-1][2:], words)


def replaced_words(drawn: MapText, start: tuple[int, int], end: tuple[int, int], words: str) -> RowEdit:
    """Return the edit that replaces words between two places (row, column). A comment behind them gets the column of
    `fcb fmt` if it was there; otherwise it stays in its column."""
    rest = drawn.text.split("\n")[end[0]][end[1] :]
    tail, comment = split_comment(rest)
    if comment is None:
        return RowEdit(drawn.file, (*start, *end), words)
    column = end[1] + len(rest) - len(rest[len(tail) :].lstrip())
    length = start[1] + len(words) + len(tail)
    at = BESIDE if column == max(BESIDE, end[1] + len(tail) + 2) else column
    return RowEdit(drawn.file, (*start, end[0], column), words + tail + " " * (max(at, length + 2) - length))


def inserted_rows(drawn: MapText, row: int, lines: str) -> RowEdit:
    """Return the edit that inserts lines before a row."""
    rows = drawn.text.split("\n")
    if row < len(rows):
        return RowEdit(drawn.file, (row, 0, row, 0), lines)
    end = len(rows) - 1
    return RowEdit(drawn.file, (end, len(rows[end]), end, len(rows[end])), "\n" + lines.removesuffix("\n"))


def removed_rows(drawn: MapText, first: int, last: int) -> RowEdit:
    """Return the edit that removes rows."""
    rows = drawn.text.split("\n")
    if last + 1 < len(rows):
        return RowEdit(drawn.file, (first, 0, last + 1, 0), "")
    return RowEdit(drawn.file, (first - 1, len(rows[first - 1]), last, len(rows[last])), "")


def _art(drawn: MapText) -> Line:
    art = drawn.line_of("art")
    assert art is not None
    return art


def _last_row_of_art(drawn: MapText, rows: Sequence[str]) -> int:
    """Return the last row of the drawing in the file."""
    row = max(place_of(cell)[0] for cell in drawn.board.cells)
    margin = len(indent_of(rows[in_file(_art(drawn).span)[0]]))
    while row + 1 < len(rows) and rows[row + 1].strip() and len(indent_of(rows[row + 1])) > margin:
        row += 1
    return row


def indent_of(row: str) -> str:
    """Return the blanks at the start of a row."""
    return row[: len(row) - len(row.lstrip())]


# ── sides ──────────────────────────────────────────────────────────────────────────────────────


def _side(drawn: MapText, stroke: SideStroke) -> str:
    board = drawn.board
    numbers, shape = numbers_of(board), shape_of(board)
    pair = frozenset((stroke.first, stroke.second))
    if not pair <= set(numbers) or shape.side(numbers[stroke.first], numbers[stroke.second]) < 0:
        raise CannotPaint(f"{stroke.first} and {stroke.second} have no common side.")
    if stroke.barrier and stroke.barrier not in drawn.barriers:
        raise CannotPaint(f"There is no barrier `{stroke.barrier}`.")
    edits = [_cut(drawn, entry) for entry in drawn.side_entries() if entry.pair == pair][:1]
    glyphs = _side_glyphs(drawn, stroke) if board.sort.startswith("square") else None
    if glyphs is not None:
        row, start, end, glyph = glyphs
        padded = drawn.text.split("\n")[row].ljust(end)
        if padded[start:end].strip() or glyph.strip():
            edits.append(RowEdit(drawn.file, (row, start, row, end), glyph))
        if glyph.strip() or not stroke.barrier:
            return _clean(drawn, edits)
    text = _clean(drawn, edits)
    return _listed(drawn, text, stroke) if stroke.barrier else text


def _clean(drawn: MapText, edits: Sequence[RowEdit]) -> str:
    """Return the text with edits, in rows that are long enough for them."""
    rows = drawn.text.split("\n")
    for edit in edits:
        first, start, _, _ = edit.range
        if start > len(rows[first]):
            rows[first] = rows[first].ljust(start)
    return apply_row_edits("\n".join(rows), edits)


def _side_glyphs(drawn: MapText, stroke: SideStroke) -> tuple[int, int, int, str]:
    """Return the row and the columns of a side in a drawing of boxes, and its new glyph: blank if none fits."""
    cells = {cell.id: cell for cell in drawn.board.cells}
    one, other = sorted((cells[stroke.first], cells[stroke.second]), key=lambda cell: (cell.y, cell.x))
    row, start, end = place_of(other)
    place = (row, start - 1, start) if one.y == other.y else (row - 1, start, end)
    width = place[2] - place[1]
    means = [entry.glyph for entry in drawn.entries.values() if entry.words == (stroke.barrier,)]
    fitting = [glyph for glyph in means if len(glyph) == width and glyph != "-"]
    if "|" in means or "-" in means or "-" * width in means or "--" in means:
        fitting.append("|" if width == 1 else "-" * width)
    return (*place, fitting[0] if fitting else " " * width)


def _cut(drawn: MapText, entry: SideEntry) -> RowEdit:
    """Return the edit that removes a side from a list; a list of one side is removed with its line."""
    spans = [entry.line.span_of(part) for part in tail_parts(entry.line)]
    if len(spans) == 1:
        first, _, last, _ = in_file(entry.line.span)
        return removed_rows(drawn, first, last)
    at = entry.number
    start = in_file(spans[at - 1])[2:] if at else in_file(spans[0])[:2]
    end = in_file(spans[at])[2:] if at else in_file(spans[1])[:2]
    return RowEdit(drawn.file, (*start, *end), "")


def _listed(drawn: MapText, text: str, stroke: SideStroke) -> str:
    """Return a text in which a list of barriers names one more side. `text`: without the side's former barrier."""
    rows = text.split("\n")
    moved = len(rows) - len(drawn.text.split("\n"))
    first = in_file(drawn.line.span)[0]
    pair = f"{stroke.first}/{stroke.second}"
    lists = [(entry.barrier, in_file(entry.line.span)) for entry in drawn.side_entries()]
    gone = {
        in_file(entry.line.span)[0]
        for entry in drawn.side_entries()
        if moved and entry.pair == frozenset((stroke.first, stroke.second))
    }
    remaining = [(barrier, place) for barrier, place in lists if place[0] not in gone]
    below = min(gone, default=len(rows) + 1)
    own = [place for barrier, place in remaining if barrier == stroke.barrier]
    for _, _, last, _ in own[-1:]:
        row = last + (moved if last > below else 0)
        if "#" not in rows[row] and len(rows[row]) + len(pair) + 2 <= WIDEST:
            rows[row] = f"{rows[row].rstrip()}, {pair}"
            return "\n".join(rows)
    legend = drawn.line_of("legend")
    after = [in_file(legend.whole)[2]] if legend is not None else []
    after += [place[2] for _, place in remaining] + [_last_row_of_art(drawn, drawn.text.split("\n"))]
    row = max(after)
    row += moved if row > below else 0
    margin = indent_of(rows[first + 1] if first + 1 < len(rows) else "") or "  "
    rows.insert(row + 1, f"{margin}{stroke.barrier}: {pair}")
    return "\n".join(rows)


# ── tools ──────────────────────────────────────────────────────────────────────────────────────


def line(drawn: MapText, first: str, last: str) -> tuple[str, ...]:
    """Return the spaces of a shortest way between two spaces, which stays near the straight line."""
    board, numbers = drawn.board, numbers_of(drawn.board)
    shape = shape_of(board)
    points = [_middle(board.sort, cell.x, cell.y) for cell in board.cells]
    start, end = numbers[first], numbers[last]
    far = _distances(shape.neighbours, end)
    if start not in far:
        raise CannotPaint(f"There is no way from {first} to {last}.")
    (x, y), (dx, dy) = points[start], (points[end][0] - points[start][0], points[end][1] - points[start][1])
    way = [start]
    while way[-1] != end:
        nearer = [space for space in shape.neighbours[way[-1]] if far.get(space, far[start]) < far[way[-1]]]
        way.append(
            min(nearer, key=lambda space: (abs((points[space][0] - x) * dy - (points[space][1] - y) * dx), space))
        )
    return tuple(board.cells[space].id for space in way)


def area(drawn: MapText, first: str) -> tuple[str, ...]:
    """Return a space and all connected spaces with the same glyph."""
    board = drawn.board
    glyphs = [drawn.glyph_of(cell) for cell in board.cells]
    start = numbers_of(board)[first]
    same = {number for number, glyph in enumerate(glyphs) if glyph == glyphs[start]}
    return tuple(board.cells[distance].id for distance in _distances(shape_of(board).neighbours, start, same))


def ring(drawn: MapText, first: str, radius: int) -> tuple[str, ...]:
    """Return the spaces at a distance from a space."""
    far = _distances(shape_of(drawn.board).neighbours, numbers_of(drawn.board)[first])
    return tuple(drawn.board.cells[space].id for space, steps in far.items() if steps == radius)


def _distances(neighbours: Sequence[Iterable[int]], start: int, among: Collection[int] | None = None) -> dict[int, int]:
    """Return the distance of each space that can be reached from a space, nearest first."""
    distances, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for space in neighbours[here]:
            if space not in distances and (among is None or space in among):
                distances[space] = distances[here] + 1
                queue.append(space)
    return distances


def _middle(sort: str, x: int, y: int) -> tuple[int, int]:
    """Return the middle of a space in whole units, as drawn."""
    return (2 * x + y, 2 * y) if sort == "hex" else (x, y)
