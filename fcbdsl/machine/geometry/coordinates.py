"""Coordinates of spaces on a grid: the directions between them, their names, and their positions on paper.

Hexagons have axial coordinates (q, r): row r, and in it q, each row half a space right of the one before. Squares have
(column, row). See https://www.redblobgames.com/grids/hexagons/#coordinates.
"""

from __future__ import annotations

HEX_AXES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Directions on hexagons, each 60 degrees from the next, clockwise from the right."""

SQUARE_AXES = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Directions on squares, each 90 degrees from the next, clockwise from the right."""

SQUARE_DIAGONALS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""Directions 4 to 7 on squares: direction 4 + i is between i and i + 1."""


HEX_COMPASS = ("E", "SE", "SW", "W", "NW", "NE")
"""Names of the directions on hexagons, by number."""

SQUARE_COMPASS = ("E", "S", "W", "N", "SE", "SW", "NW", "NE")
"""Names of the directions on squares, by number."""


def on_paper(sort: str, x: int, y: int) -> tuple[int, int]:
    """Return the center of a hexagon or square: (half spaces to the right, rows down)."""
    return (2 * x + y if sort == "hex" else 2 * x, y)


def from_paper(sort: str, halves: int, row: int) -> tuple[int, int]:
    """Return the coordinates of the space with that center: the inverse of `on_paper`."""
    return ((halves - row) // 2 if sort == "hex" else halves // 2, row)


def column_name(column: int) -> str:
    """Return the letters of a column, from 0: A … Z, AA, AB …."""
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def space_name(column: int, row: int) -> str:
    """Return the name of the space in a column and a row as drawn, both from 0: A1, B1 …."""
    return f"{column_name(column)}{row + 1}"


def name_parts(name: str) -> tuple[str, str]:
    """Return the letters of the column and the number of the row in the name of a space."""
    letters = name.rstrip("0123456789")
    return letters, name[len(letters) :]
