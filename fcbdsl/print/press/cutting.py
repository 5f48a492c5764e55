"""Paths for cutting machines: SVG with registration marks, which the printed sheet also has. In millimeters."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.print.press.imposition import Dot, Page

RADIUS = 3.0
"""Radius of the corners of pieces that do not touch."""
DOT = 1.5
"""The radius of a registration mark."""
WHITE = 0.5
"""Least white space around a registration mark."""
DOT_INSET = 6.0
"""Distance of the middle of a registration mark from the edges of the sheet."""
ENOUGH = 3
"""The number of marks from which a machine finds the position of a sheet."""


class NoRoomForMarks(Exception):
    """The pieces leave no room for registration marks."""


def add_registration_marks(page: Page) -> Page:
    """Return the page with registration marks in its free corners, instead of the marks for knives.

    Raise NoRoomForMarks if too few corners are free.
    """
    corners = [
        Dot(x, y, DOT)
        for y in (DOT_INSET, round(page.height - DOT_INSET, 3))
        for x in (DOT_INSET, round(page.width - DOT_INSET, 3))
    ]
    free = tuple(dot for dot in corners if not _is_taken(dot, page))
    if len(free) < ENOUGH:
        raise NoRoomForMarks
    return replace(page, marks=(), dots=free)


def _is_taken(dot: Dot, page: Page) -> bool:
    """Return whether something is printed at a mark or in the white space around it."""
    wide = dot.radius + WHITE
    for slot in page.slots:
        across = slot.x - slot.bleed.left < dot.x + wide and slot.x + slot.size.width + slot.bleed.right > dot.x - wide
        down = slot.y - slot.bleed.top < dot.y + wide and slot.y + slot.size.height + slot.bleed.bottom > dot.y - wide
        if across and down:
            return True
    return False


def cut_paths(page: Page, apart: bool) -> str:
    """Return the SVG for a face. Pieces that lie `apart` are cut separately with round corners; if they touch, each
    edge is cut once."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{page.width:g}mm" height="{page.height:g}mm" '
        f'viewBox="0 0 {page.width:g} {page.height:g}" fill="none" stroke="#ff0000" stroke-width="0.1">',
        '<g id="registration" stroke="none" fill="#000000">',
        *(f'<circle cx="{dot.x:g}" cy="{dot.y:g}" r="{dot.radius:g}"/>' for dot in page.dots),
        "</g>",
        '<g id="cut">',
    ]
    if apart:
        for slot in page.slots:
            place = f'x="{slot.x:g}" y="{slot.y:g}" width="{slot.size.width:g}" height="{slot.size.height:g}"'
            lines.append(f'<rect {place} rx="{RADIUS:g}"/>')
    else:
        edges = dict.fromkeys(
            edge for slot in page.slots for edge in _edges(slot.x, slot.y, slot.size.width, slot.size.height)
        )
        lines += [f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>' for x, y, to_x, to_y in edges]
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _edges(x: float, y: float, width: float, height: float) -> list[tuple[float, float, float, float]]:
    left, top, right, bottom = (round(at, 2) for at in (x, y, x + width, y + height))
    return [
        (left, top, right, top),
        (left, bottom, right, bottom),
        (left, top, left, bottom),
        (right, top, right, bottom),
    ]
