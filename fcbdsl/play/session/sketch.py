"""Boards drawn with characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fcbdsl.base.words import NETS
from fcbdsl.machine.geometry.coordinates import name_parts, on_paper
from fcbdsl.machine.vm.program import Board

WIDTH = 6
"""Characters between the centers of two neighbors in a row. Even: hex rows shift by half."""

_LABEL = WIDTH - 2
"""Most characters shown in a space."""


def sketch(
    board: Board,
    labels: Sequence[str],
    barriers: Mapping[tuple[int, int], str],
    ways: Sequence[str] = (),
    titles: Sequence[str] = (),
    colon: str = ":",
    heads: Sequence[str] = (),
) -> str:
    """Return a drawing of a board.

    `labels`: the text in each space. `barriers`: the sign of the barrier on a side (a < b), a letter or ``|`` for a
    stroke across the passage. `ways`: names of the directions, by number. `titles`: names of the spaces that replace
    those of the board. `colon`: the colon with the spacing of the language. `heads`: the start of the line of each
    space of a graph, if not its title.

    Hex and square boards become a picture with column letters and row numbers; graphs become a list of links.
    """
    if board.sort in NETS:
        return _links(board, labels, ways, titles or [cell.name for cell in board.cells], colon, heads)
    points = [_point(board, cell.x, cell.y) for cell in board.cells]
    left = min((x for x, _ in points), default=0)
    top = min((y for _, y in points), default=0)
    canvas = _Canvas()
    for (x, y), label in zip(points, labels, strict=True):
        canvas.write(x - left + WIDTH, y - top, label[:_LABEL])
    for (a, b), sign in barriers.items():
        _bar(canvas, points[a], points[b], sign, left, top)
    _rims(canvas, board, points, left, top)
    return canvas.text()


def _point(board: Board, x: int, y: int) -> tuple[int, int]:
    """Return the center of a space on the canvas: (column, line). Every second line is for barriers."""
    halves, row = on_paper(board.sort, x, y)
    return WIDTH // 2 * halves, 2 * row


def _bar(canvas: _Canvas, a: tuple[int, int], b: tuple[int, int], sign: str, left: int, top: int) -> None:
    """Draw the barrier between two neighbors, as a stroke across the line between their centers."""
    (ax, ay), (bx, by) = sorted((a, b), key=lambda point: (point[1], point[0]))
    column, line = (ax + bx) // 2 - left + WIDTH, (ay + by) // 2 - top
    if ay == by:
        stroke = "|"
    elif ax == bx:
        stroke = "----"
    else:
        stroke = "//" if bx > ax else "\\\\"
    canvas.write(column, line, stroke if sign == "|" else sign)


def _rims(canvas: _Canvas, board: Board, points: Sequence[tuple[int, int]], left: int, top: int) -> None:
    """Write the rows' numbers at the left rim and the columns' letters above, taken from the names of the spaces."""
    columns: dict[str, int] = {}
    for cell, (x, y) in zip(board.cells, points, strict=True):
        letters, number = name_parts(cell.name)
        canvas.write_at(0, y - top, number)
        columns[letters] = min(x, columns.get(letters, x))
    for letters, x in columns.items():
        canvas.write(x - left + WIDTH, -1, letters)


def _links(
    board: Board,
    labels: Sequence[str],
    ways: Sequence[str],
    titles: Sequence[str],
    colon: str,
    heads: Sequence[str] = (),
) -> str:
    """Return one line for each place with its contents and the targets of its links, from both ends."""
    linked = {(a, b) for a, b, _ in board.links}
    leads: list[list[str]] = [[] for _ in board.cells]
    for a, b, way in board.links:
        leads[a].append(titles[b] + (f" ({ways[way]})" if 0 <= way < len(ways) else ""))
        if (b, a) not in linked:
            leads[b].append(titles[a])
    lines = [
        f"{title}{colon} {label or '-'}" + (f"  -> {', '.join(dict.fromkeys(lead))}" if lead else "")
        for title, label, lead in zip(heads or titles, labels, leads, strict=True)
    ]
    return "\n".join(lines) + "\n"


class _Canvas:
    """Characters at (column, line), drawn into growing lines."""

    def __init__(self) -> None:
        self._lines: dict[int, list[str]] = {}

    def write(self, column: int, line: int, text: str) -> None:
        """Write `text` centered at `column`."""
        self.write_at(column - len(text) // 2, line, text)

    def write_at(self, column: int, line: int, text: str) -> None:
        """Write `text` from `column` on."""
        row = self._lines.setdefault(line, [])
        row.extend(" " * (column + len(text) - len(row)))
        row[column : column + len(text)] = list(text)

    def text(self) -> str:
        """Return all lines, without trailing blanks."""
        if not self._lines:
            return ""
        lines = range(min(self._lines), max(self._lines) + 1)
        return "".join("".join(self._lines.get(n, [])).rstrip() + "\n" for n in lines)
