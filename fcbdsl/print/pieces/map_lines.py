"""The lines between the spaces of a board, without their places."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.language.model.content import Board, Cell
from fcbdsl.language.model.geometry import shape_of
from fcbdsl.machine.geometry.shape import Shape
from fcbdsl.print.layout.plots import HEXAGON, SQUARE, border_lines


def spaces_at_lines(board: Board) -> list[list[Cell]]:
    """Return the spaces at each line of a board without links: those that `Drawer.borders` yields."""
    if board.sort == "areas":
        cells = {cell.id: cell for cell in board.cells}
        lines = border_lines({cell.id: cell.covers for cell in board.cells})
        return [[cells[name] for name in names] for _, _, names in lines]
    return [owners for _, _, owners in sides_of_grid(board, shape_of(board))]


def sides_of_grid(board: Board, shape: Shape) -> Iterator[tuple[int, int, list[Cell]]]:
    """Yield each side of a board with coordinates once: the numbers of its space and of the edge there, and the spaces
    at the side."""
    cells, ways = board.cells, len(HEXAGON if board.sort == "hex" else SQUARE)
    for number, cell in enumerate(cells):
        for at in range(ways):
            beyond = shape.step(number, (at - 1) % ways)
            if beyond < 0 or beyond > number:
                yield number, at, [cell] if beyond < 0 else [cell, cells[beyond]]
