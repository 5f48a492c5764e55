"""Floors of large spaces: slabs, cut to the outlines, that continue from one space to the next."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.print.layout.plots import Edge, Outline, edges
from fcbdsl.print.layout.views import Point

COURSE = 4.0
"""Height of a row of slabs, in the units of maps."""
SLAB = 7.0
"""Width of a slab."""
CLEAR = 0.5
"""Distance from the outline of a space within which no line is drawn."""


def slabs(outlines: Sequence[Outline]) -> tuple[Edge, ...]:
    """Return the joints of slabs in staggered rows; some neighboring slabs are joined."""
    ys = [point.y for outline in outlines for point in outline]
    lines: list[Edge] = []
    row = int(min(ys) // COURSE)
    while row * COURSE < max(ys):
        level = row * COURSE
        lines += [(Point(left, level), Point(right, level)) for left, right in _inside(outlines, level)]
        top, low = max(level, min(ys)), min(level + COURSE, max(ys))
        for left, right in _inside(outlines, (top + low) / 2):
            at = int(left // SLAB)
            while at * SLAB < right:
                x = at * SLAB + (SLAB / 2 if row % 2 else 0.0)
                if left < x < right and (at * 7 + row * 3) % 5:
                    lines.append((Point(x, top), Point(x, low)))
                at += 1
        row += 1
    return tuple(lines)


def _inside(outlines: Sequence[Outline], level: float) -> list[tuple[float, float]]:
    """Return the intervals of a horizontal line inside outlines, without their edges."""
    crossings = sorted(
        start.x + (end.x - start.x) * (level - start.y) / (end.y - start.y)
        for outline in outlines
        for start, end in edges(outline)
        if (start.y < level) != (end.y < level)
    )
    spans = zip(crossings[::2], crossings[1::2], strict=True)
    return [(left + CLEAR, right - CLEAR) for left, right in spans if right - left > 2 * CLEAR]
