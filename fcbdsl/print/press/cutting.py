"""Paths for machines that cut: SVG with registration marks, which stand on the printed sheet, too. In millimetres."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.print.press.imposition import Dot, Page

RADIUS = 3.0
"""How round the corners of pieces are cut where these lie apart."""
DOT = 1.5
"""The radius of a registration mark."""
WHITE = 0.5
"""How much white there is around it at least."""
DOT_INSET = 6.0
"""How far the middle of a registration mark is from the edges of the sheet."""
ENOUGH = 3
"""How many marks a machine needs to know how a sheet lies."""


class NoRoomForMarks(Exception):
    """The pieces leave no room for registration marks."""


def registered(page: Page) -> Page:
    """The page with a registration mark in each of its corners that is free, in place of the marks for knives. Raises
    NoRoomForMarks if these are too few."""
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
    """Whether something is printed where a mark and some white around it would be."""
    wide = dot.radius + WHITE
    for slot in page.slots:
        across = slot.x - slot.bleed.left < dot.x + wide and slot.x + slot.size.width + slot.bleed.right > dot.x - wide
        down = slot.y - slot.bleed.top < dot.y + wide and slot.y + slot.size.height + slot.bleed.bottom > dot.y - wide
        if across and down:
            return True
    return False


def cut_paths(page: Page, apart: bool) -> str:
    """The SVG for a face. Pieces that lie `apart` are cut out one by one with round corners; of those that touch each
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
