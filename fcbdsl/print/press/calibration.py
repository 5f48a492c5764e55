"""The calibration page of a printer: whether it prints at 100 %, and how far backs are from their faces."""

from __future__ import annotations

from fcbdsl.base.locales import interface_texts
from fcbdsl.base.records import dataclass
from fcbdsl.print.layout.formats import papers
from fcbdsl.print.press.options import Options

INSET = 30.0
"""Distance of the crosses from the edges of the sheet, in millimeters."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The two sides of the page in millimeters: crosses on the face, and scales on the back.

    Each scale is behind its cross, if the printer is exact, and moved by `offset`. `words` are the words on both sides.
    """

    width: float
    height: float
    crosses: tuple[tuple[float, float], ...]
    scales: tuple[tuple[float, float], ...]
    offset: tuple[float, float]
    words: dict[str, str]


def calibration_of(options: Options, language: str) -> Calibration:
    """Return the page for a paper and a way of turning it."""
    paper = papers()[options.paper]
    width, height = paper.width, paper.height
    corners = [(x, y) for x in (INSET, width - INSET) for y in (INSET, height - INSET)]
    crosses = (*corners, (width / 2, height / 2))
    behind = [(width - x, y) if options.backs != "short" else (x, height - y) for x, y in crosses]
    move_x, move_y = options.offset
    scales = tuple((round(x + move_x, 3), round(y + move_y, 3)) for x, y in behind)
    texts = interface_texts("calibration", language)
    shown = {key: texts[key] for key in ("title", "ruler", "read")}
    shown["turn"] = texts["turn"].format(edge=texts["short" if options.backs == "short" else "long"])
    shown["now"] = texts["now"].format(x=f"{move_x:g}", y=f"{move_y:g}") if options.offset != (0.0, 0.0) else ""
    return Calibration(width, height, crosses, scales, options.offset, shown)
