"""Straight lines between the centers of hexagons or squares, traced in whole numbers.

A vector is written a*u + b*w, where u and w are consecutive directions of the grid, a > 0 and b >= 0. In these
coordinates every sector of the grid looks like the first, so a line's trace depends on (a, b) alone.

A cell holds the points x with |f(x - center)| <= 1 for each of its measures f. Hexagon: 2p+s, p+2s and s-p;
square: 2p and 2s. Along the line each f grows evenly, so the next border met is the least fraction
(1 ± f(center)) / f(a, b), compared by cross-multiplication. Two least fractions mean a corner.
"""

from __future__ import annotations

from typing import Final

INSIDE: Final = 0
SIDE: Final = 1
CORNER: Final = 2
ALONG: Final = 3
DIAGONAL: Final = 4
"""Places that a line crosses: the inside of a cell; a side away from its ends; a corner of three cells; a whole side,
lengthwise; a corner of four cells."""

Contact = tuple[int, tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]
"""The sort of contact, the cells before and after it, and the cells left and right of it (as sort demands)."""


def trace_hexagons(a: int, b: int) -> list[Contact]:
    """Return the contacts of the line from (0, 0) to (a, b), in order; cells in the basis of the line's sector."""
    contacts: list[Contact] = []
    p, s = 0, 0
    while (p, s) != (a, b):
        here = (p, s)
        east, south = (p + 1, s), (p, s + 1)
        # Distance to each border over speed towards it. The third pair of borders is across the sector.
        first, first_speed = 2 * p + s + 1, 2 * a + b
        second, second_speed = p + 2 * s + 1, a + 2 * b
        if a >= b:
            third, third_speed, beyond = 1 - (s - p), a - b, (p + 1, s - 1)
        else:
            third, third_speed, beyond = 1 + (s - p), b - a, (p - 1, s + 1)
        order = first * second_speed - second * first_speed
        near, near_speed, after = (first, first_speed, east) if order <= 0 else (second, second_speed, south)
        across = third * near_speed - near * third_speed if third_speed else 1
        if across < 0:
            contacts.append((SIDE, here, beyond, here, here))
            after = beyond
        elif across == 0:
            contacts.append((CORNER, here, after, beyond, here))
        elif order != 0:
            contacts.append((SIDE, here, after, here, here))
        elif a == b:
            after = (p + 1, s + 1)
            contacts.append((ALONG, here, after, east, south))
        else:
            after, beyond = (east, south) if a > b else (south, east)
            contacts.append((CORNER, here, after, beyond, here))
        p, s = after
        if after != (a, b):
            contacts.append((INSIDE, after, after, after, after))
    return contacts


def trace_squares(a: int, b: int) -> list[Contact]:
    """Return the contacts of the line from (0, 0) to (a, b), in order; cells in the basis of the line's sector."""
    contacts: list[Contact] = []
    p, s = 0, 0
    while (p, s) != (a, b):
        here = (p, s)
        order = (2 * p + 1) * b - (2 * s + 1) * a
        if order == 0:
            after = (p + 1, s + 1)
            contacts.append((DIAGONAL, here, after, (p + 1, s), (p, s + 1)))
        else:
            after = (p + 1, s) if order < 0 else (p, s + 1)
            contacts.append((SIDE, here, after, here, here))
        p, s = after
        if after != (a, b):
            contacts.append((INSIDE, after, after, after, after))
    return contacts
