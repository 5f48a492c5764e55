"""Positions and links of the spaces of a map, numbered in the order in which they were read."""

from __future__ import annotations

from fcbdsl.language.model.content import Board
from fcbdsl.machine.geometry.board import build_shape
from fcbdsl.machine.geometry.net import Link
from fcbdsl.machine.geometry.shape import Shape


def shape_of(board: Board) -> Shape:
    """Return the neighbors, sides and distances of a map."""
    return build_shape(board.sort, [cell.x for cell in board.cells], [cell.y for cell in board.cells], links_of(board))


def links_of(board: Board) -> list[Link]:
    """Return the links of a map without coordinates. Its directions are numbered as they appear."""
    numbers = numbers_of(board)
    names = dict.fromkeys([*board.directions, *(way for _, _, way in board.links if way)])
    directions = {name: number for number, name in enumerate(names)}
    return [(numbers[a], numbers[b], directions.get(way, -1)) for a, b, way in board.links]


def numbers_of(board: Board) -> dict[str, int]:
    """Return the number of each space, by its name."""
    return {cell.id: number for number, cell in enumerate(board.cells)}
