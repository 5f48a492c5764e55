"""Faces that a pack draws: a template makes an SVG from a card's data, with places that the press fills.

A drawing contains no words. The press sets them in places that the drawing names (`rect` with `data-set`, `data-say` or
`data-icon`). So they are measured, can be searched and read aloud, and have all their letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fcbdsl.base.diagnostics import Diagnostic, suggest
from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.print import LeftOutOfFace, MisdrawnFace
from fcbdsl.language.model.content import Layout
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.formats import PieceSize
from fcbdsl.print.layout.views import Card, Chip, FaceSlot, OwnFace
from fcbdsl.print.pieces.assets import drawing_of, drawings, sizes_of
from fcbdsl.print.pieces.chips import PrintedFields
from fcbdsl.print.pieces.pictures import DRAWN, SVG, Unusable, svg_tree
from fcbdsl.print.pieces.templating import BadTemplate, read_template, span_in, template_of

if TYPE_CHECKING:
    from xml.etree import ElementTree

BEYOND = 10.0
"""How far a drawing may extend beyond the cut, in millimeters, for the bleed."""
SETS = (
    "title", "type", "text", "flavour", "stats", "badges", "corner", "dials", "areas", "picture", "foot",
)  # fmt: skip
"""The contents that `data-set` may name."""
ALIGNMENTS = ("left", "center", "right")
_SHAPES = DRAWN - {"text", "tspan"}
_KEYS = ("data-set", "data-say", "data-icon")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_NUMBER = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,6})?")


def own_face(card: Card, data: PrintedFields, layout: Layout) -> tuple[OwnFace | None, list[Diagnostic]]:
    """Return the face of a card from its template, and its problems; neither if the template is invalid."""
    try:
        source = template_of(layout)
        program = read_template(source.text)
    except (Unusable, BadTemplate):
        return None, []  # `template_problems` reports it, and it is not printed
    size = sizes_of(data.model)[card.size]
    related = (Related(data.definition.span, "the card"),)
    called = f"`{card.key}` ({card.language})"
    written = ""
    try:
        written = program.fill(_values(card, data, size))
        face = _read(written, size, data.model)
    except BadTemplate as bad:
        return None, [MisdrawnFace(span_in(source, bad.line), card=called, why=bad.why, related=related)]
    except _Misdrawn as wrong:
        line = _line_of(wrong.line, source.text)
        return None, [MisdrawnFace(span_in(source, line), card=called, why=str(wrong), related=related)]
    left = sorted(_left_out(card, face))
    if left:
        span = span_in(source, 1)
        return None, [LeftOutOfFace(span, card=called, what=", ".join(left), related=related)]
    return face, []


# ── data of a template ─────────────────────────────────────────────────────────────────────────


def _values(card: Card, data: PrintedFields, size: PieceSize) -> dict[str, object]:
    """Return the data of a card as plain words, numbers and lists."""
    names = [field.id for kind in reversed(data.definition.kind.lineage()) for field in kind.fields.values()]
    chips = {name: data.chip(name) for name in dict.fromkeys(names)}
    kind, _, identifier = card.key.partition("/")
    return {
        "card": {
            "kind": kind,
            "id": identifier,
            "language": card.language,
            "title": card.title,
            "type": card.type_line,
            "color": card.colour,
            "colour": card.colour,
            "ink": card.ink,
            "paper": card.style.paper,
            "drawing": "" if card.drawing.startswith("<") else card.drawing,
            "flavour": card.flavour,
            "badges": list(card.badges),
            "corner": _chip_data(card.corner),
            "stats": [_chip_data(chip) for chip in card.stats],
            "notes": [_chip_data(chip) for chip in card.notes],
            "around": [list(pair) for pair in card.around],
            "tucked": card.tucked,
            "fields": {name: _chip_data(chip) for name, chip in chips.items() if chip is not None},
            "has_text": _has_text(card),
            "has_picture": card.picture is not None,
            "seed": card.seed,
        },
        "width": size.width,
        "height": size.height,
    }


def _chip_data(chip: Chip | None) -> dict[str, object]:
    if chip is None:
        return {}
    symbol = chip.symbol
    color = symbol.colour if symbol is not None else ""
    return {
        "label": chip.label,
        "value": chip.value,
        "letter": symbol.letter if symbol is not None else "",
        "color": color,
        "colour": color,
    }


def _has_text(card: Card) -> bool:
    return bool(card.condition or card.lines or card.notes or card.text or card.small)


# ── result ─────────────────────────────────────────────────────────────────────────────────────


class _Misdrawn(Exception):
    """A problem of a drawing, and its line."""

    def __init__(self, why: str, line: str = "") -> None:
        super().__init__(why)
        self.line = line


def _read(written: str, size: PieceSize, model: Model) -> OwnFace:
    """Return the drawing without its places, and these. Raise _Misdrawn."""
    try:
        root = svg_tree(written.encode(), _SHAPES)
    except Unusable as error:
        at = re.search(r"line (\d+), column", str(error))
        lines = written.split("\n")
        line = lines[min(int(at[1]), len(lines)) - 1] if at else ""
        raise _Misdrawn(str(error), line or error.near) from error
    box = f"0 0 {size.width:g} {size.height:g}"
    if root.tag != f"{SVG}svg" or " ".join((root.get("viewBox") or "").split()) != box:
        raise _Misdrawn(f'its `viewBox` is not "{box}", the size of the piece in millimeters', "viewBox")
    slots: list[FaceSlot] = []
    inside = _inside(root, slots, model, ())
    wide, high = size.width + 2 * BEYOND, size.height + 2 * BEYOND
    frame = f'viewBox="{-BEYOND:g} {-BEYOND:g} {wide:g} {high:g}" preserveAspectRatio="none"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>{inside}</svg>'
    return OwnFace(svg, size.width, size.height, BEYOND, tuple(slots))


def _inside(element: ElementTree.Element, slots: list[FaceSlot], model: Model, moved: tuple[str, ...]) -> str:
    """Return the visible parts of an element; places are removed from it."""
    title = ""
    for child in element:
        name = child.tag.removeprefix(SVG) if isinstance(child.tag, str) else "desc"  # a comment
        keys = [key for key in _KEYS if key in child.attrib]
        if keys:
            if name != "rect" or len(keys) > 1:
                why = "a place is a `rect` with one of `data-set`, `data-say`, `data-icon`"
                raise _Misdrawn(why, child.get(keys[0], ""))
            if moved or "transform" in child.attrib:
                raise _Misdrawn("a place can't lie in anything with a `transform`", child.get(keys[0], ""))
            slots.append(_slot(child, keys[0], model))
        elif name not in ("title", "desc"):
            within = (*moved, "transform") if "transform" in child.attrib or name != "g" else moved
            title += f"<{name}{_attributes(child)}>{_inside(child, slots, model, within)}</{name}>"
    return title


def _attributes(element: ElementTree.Element) -> str:
    from xml.sax.saxutils import quoteattr  # imported late: it also loads the modules of HTTP

    attributes = ""
    for key, value in element.attrib.items():
        name = key.rpartition("}")[2]
        if name in ("class", "role") or name.startswith("data-") or (key.startswith("{") and name != "href"):
            continue
        attributes += f" {name}={quoteattr(value)}"
    return attributes.encode("ascii", "xmlcharrefreplace").decode()


def _slot(element: ElementTree.Element, key: str, model: Model) -> FaceSlot:
    value = element.get(key, "")
    where = []
    for name in ("x", "y", "width", "height"):
        number = element.get(name, "0")
        if not _NUMBER.fullmatch(number):
            raise _Misdrawn(f"`{name}` of a place is no number of millimeters: {number!r}", value)
        where.append(float(number))
    x, y, width, height = where
    if width <= 0 or height <= 0:
        raise _Misdrawn("a place has a `width` and a `height`", value)
    fill, size, align = element.get("fill", ""), element.get("data-size", "0"), element.get("data-align", "left")
    if fill and not _COLOUR.fullmatch(fill):
        raise _Misdrawn(f"the `fill` of a place is no color like `#1b3a5c`: {fill!r}", value)
    if not _NUMBER.fullmatch(size) or not 0 <= float(size) <= 99:
        raise _Misdrawn(f"`data-size` is no number of points: {size!r}", value)
    if align not in ALIGNMENTS:
        raise _Misdrawn(f"`data-align` is none of {', '.join(ALIGNMENTS)}: {align!r}", value)
    what, words = key.removeprefix("data-"), value
    if key == "data-set":
        if value not in SETS:
            near = suggest(value, SETS)
            hint = f" Did you mean {near}?" if near else f" There are: {', '.join(SETS)}."
            raise _Misdrawn(f"there is nothing to set called {value!r}.{hint}", value)
        what, words = value, ""
    elif key == "data-icon":
        if value not in drawings(model) or value == "die":
            near = suggest(value, drawings(model))
            raise _Misdrawn(f"there is no drawing {value!r}." + (f" Did you mean {near}?" if near else ""), value)
        words = drawing_of(model, value)
    return FaceSlot(what, x, y, width, height, words, fill, float(size), align)


def _left_out(card: Card, face: OwnFace) -> Iterator[str]:
    """Yield the data of a card that its face does not show."""
    places = {slot.what for slot in face.slots}
    spoken = " ".join(slot.words for slot in face.slots if slot.what == "say").casefold()
    has = {
        "title": True,
        "text": _has_text(card),
        "flavour": bool(card.flavour),
        "foot": True,
        "dials": bool(card.dials),
        "areas": bool(card.areas),
        "picture": card.picture is not None,
    }
    yield from (f"`{what}`" for what, is_there in has.items() if is_there and what not in places)
    words: dict[str, list[str]] = {
        "type": [card.type_line],
        "badges": list(card.badges),
        "stats": [chip.value for chip in card.stats],
        "corner": [card.corner.value or card.corner.label] if card.corner is not None else [],
        "around": [words for _, words in card.around],
        "tucked": [card.tucked] if card.tucked else [],
    }
    for what, needed in words.items():
        if what not in places and not all(word.casefold() in spoken for word in needed):
            yield f"`{what}`"


def _line_of(written: str, template: str) -> int:
    """Return the line of a template that wrote a line, as far as it can be found: the one that equals or contains
    it."""
    sought = written.strip()
    lines = template.split("\n")
    same = [at for at, line in enumerate(lines, start=1) if sought and line.strip() == sought]
    return next(iter(same or [at for at, line in enumerate(lines, start=1) if sought and sought in line]), 1)
