"""Assets of a pack: its drawings, fonts and sizes, checked before print."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar, cast

from fcbdsl.base import resources
from fcbdsl.base.cache import result_key
from fcbdsl.base.diagnostics import Diagnostic, suggest
from fcbdsl.base.diagnostics.print import (
    MisreadColour,
    MisreadSize,
    PressName,
    UncreditedFile,
    UnknownDrawing,
    UnusableFile,
)
from fcbdsl.language.model.content import Layout
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.reading import NOWHERE
from fcbdsl.language.prose.rules_text import Run
from fcbdsl.print.layout.formats import PieceSize, sizes
from fcbdsl.print.layout.views import FontFile
from fcbdsl.print.pieces.pictures import SHAPES, SVG, Unusable, check_drawing, picture_path, read_beside, svg_tree
from fcbdsl.print.typeset.glyphs import fonts

if TYPE_CHECKING:
    from xml.etree import ElementTree

ICONS = resources.package_folder() / "print" / "icons"
OWN_ICONS, OWN_FONTS, OWN_SIZES, OWN_COLOURS = "icons", "fonts", "sizes", "colors"
TAKEN_COLOURS = ("bearer", "title")
"""Words with another meaning where a color may be."""
PLAIN = "plain"
"""The drawing of things without one."""
BOUND = ("die", PLAIN)
"""Reserved names of drawings, which determine how a symbol is made."""

LARGE = 1.25
"""The scale of type from which a piece is a board, which is always face up."""

MOST_ICON = 16 * 1024
MOST_FONT = 4 * 1024 * 1024
SMALLEST, LARGEST = 20.0, 400.0
"""Least and greatest width and height of a piece, in millimeters."""

View = TypeVar("View")
_BOX = "0 0 24 24"
OWN = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_BOX}"'
"""The start of a drawing of the pack in views; no name begins like this, and no drawing of a map."""
_OF_ICONS = frozenset(("svg", "g", "title", "desc", *SHAPES))
_SAID = ("title", "desc")
_GEOMETRY = ("d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry")
_FRAME = ("width", "height", "transform")
_PAINT = ("fill", "stroke", "opacity", "fill-opacity", "stroke-opacity", "fill-rule", "clip-rule")
_LINES = ("stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray")
_KEPT = frozenset((*_GEOMETRY, *_FRAME, *_PAINT, *_LINES))
_IDLE = frozenset(("id", "class", "version", "viewBox", "space", "role", "focusable", "aria-hidden"))
"""Attributes that draw nothing, and are removed."""
_PLAIN = re.compile(r"(?!.*url)[-+.,#%()\w\s]*", re.ASCII | re.IGNORECASE | re.DOTALL)
_IN_TEXT = re.compile(r"\{#([^{}]*)\}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_LENGTH = re.compile(r"[0-9]{1,3}(\.[0-9]{1,2})?")
_TYPE = re.compile(r"[0-3](\.[0-9]{1,2})?")


# ── drawings ───────────────────────────────────────────────────────────────────────────────────


def instead_of_ours(model: Model) -> list[str]:
    """Return the drawings of the pack that replace built-in ones with the same name."""
    own = model.layouts.get(OWN_ICONS)
    return [] if own is None else [name for name in own.settings if name in our_drawings()]


def drawings(model: Model) -> tuple[str, ...]:
    """Return the names of all drawings: built-in ones and those of the pack."""
    own = model.layouts.get(OWN_ICONS)
    return our_drawings() if own is None else tuple(sorted({*our_drawings(), *own.settings}))


def with_icons(view: View, model: Model) -> View:
    """Return a view whose words contain the pack's own drawings (``{#name}`` in a text) instead of their names."""
    return cast(View, _with_icons(view, model)) if OWN_ICONS in model.layouts else view


def _with_icons(value: Any, model: Model) -> Any:
    match value:
        case Run(style="icon", text=name):
            return replace(value, text=drawing_of(model, name))
        case tuple():
            return tuple([_with_icons(item, model) for item in value])
        case _ if is_dataclass(value):
            return replace(
                cast(Any, value),
                **{field.name: _with_icons(getattr(value, field.name), model) for field in fields(value)},
            )
    return value


def drawing_of(model: Model, name: str) -> str:
    """Return the drawing in views: the SVG of one of the pack, or the name of a built-in one.

    A drawing of the pack takes precedence, so that future built-in drawings change no pack.
    """
    own = model.layouts.get(OWN_ICONS)
    if own is None or name not in own.settings or name in BOUND:
        return name if name in _our_names() else PLAIN
    try:
        return icon_data(own, name)
    except Unusable:
        return PLAIN  # `asset_problems` reports it, and it is not printed


@cache
def our_drawings() -> tuple[str, ...]:
    """Return the names of the built-in drawings."""
    return ("die", *sorted(path.stem for path in ICONS.glob("*.svg")))


@cache
def _our_names() -> frozenset[str]:
    return frozenset(our_drawings())


def icon_data(own: Layout, name: str) -> str:
    """Return the SVG of a drawing of the pack, in the form of built-in ones. Raise Unusable."""
    return _plain_icon(read_beside(_file(own, name), own.place(name, 0), MOST_ICON), name)


@lru_cache(maxsize=512)
def _plain_icon(data: bytes, name: str) -> str:
    """Return a drawing with only its visible parts, in ASCII."""
    from html import escape

    root = svg_tree(data, _OF_ICONS)
    if " ".join((root.get("viewBox") or "").replace(",", " ").split()) != _BOX:
        raise Unusable(f'its `viewBox` is not "{_BOX}"')
    root.set("fill", root.get("fill", "currentColor"))
    return f'{OWN}{_attributes(root)} aria-label="{escape(name)}">{_inside(root)}</svg>'


def _inside(element: ElementTree.Element) -> str:
    """Return the visible parts of an element."""
    title = ""
    for child in element:
        name = child.tag.removeprefix(SVG) if isinstance(child.tag, str) else "title"  # a comment
        if name not in _SAID:
            title += f"<{name}{_attributes(child)}>{_inside(child)}</{name}>"
    return title


def _attributes(element: ElementTree.Element) -> str:
    attributes = ""
    for name, value in sorted(element.attrib.items()):
        if name in _IDLE or name.startswith(("{", "data-")) or (element.tag == f"{SVG}svg" and name in _FRAME):
            continue
        if name not in _KEPT or not _PLAIN.fullmatch(value):
            raise Unusable(f"it has an attribute `{name}` that a drawing can't have")
        attributes += f' {name}="{" ".join(value.split())}"'
    return attributes


# ── colours ────────────────────────────────────────────────────────────────────────────────────


def colours_of(model: Model) -> dict[str, str]:
    """Return the named colors of a pack, as ``#rrggbb``."""
    own = model.layouts.get(OWN_COLOURS, Layout(OWN_COLOURS, NOWHERE))
    return {name: parts[0][0] for name, parts in own.settings.items() if _is_colour(parts)}


def named_colour(model: Model, name: str) -> str:
    """Return a named color of a pack as ``#rrggbb``; empty if it has none of that name."""
    own = model.layouts.get(OWN_COLOURS)
    parts = own.settings.get(name, ()) if own is not None else ()
    return parts[0][0] if _is_colour(parts) else ""


def _is_colour(parts: Sequence[tuple[str, ...]]) -> bool:
    return len(parts) == 1 and len(parts[0]) == 1 and _COLOUR.fullmatch(parts[0][0]) is not None


# ── fonts and sizes ────────────────────────────────────────────────────────────────────────────


def fonts_of(model: Model) -> dict[str, FontFile | None]:
    """Return the fonts for titles, by name, with the file of those of the pack: the heaviest upright cut."""
    font_files: dict[str, FontFile | None] = dict.fromkeys(fonts())
    for family, cuts in _families(model).items():
        font_files.setdefault(family, max(cuts, key=lambda file: (not file.italic, file.weight)))
    return font_files


def text_fonts_of(model: Model) -> dict[str, tuple[FontFile, ...]]:
    """Return the fonts of a pack for running text, with their files.

    They have a plain, a bold and an italic cut, since these distinguish keywords and small print.
    """
    families = _families(model)
    return {family: tuple(cuts) for family, cuts in families.items() if not lacking_cuts(cuts)}


def lacking_cuts(cuts: Sequence[FontFile]) -> list[str]:
    """Return the cuts that a font lacks for text."""
    there = {
        "plain": any(cut.weight <= 500 and not cut.italic for cut in cuts),
        "bold": any(cut.weight >= 600 and not cut.italic for cut in cuts),
        "italic": any(cut.italic for cut in cuts),
    }
    return [name for name, is_there in there.items() if not is_there]


def _families(model: Model) -> dict[str, list[FontFile]]:
    """Return the valid fonts of a pack, with the files of their cuts."""
    families: dict[str, list[FontFile]] = {}
    own = model.layouts.get(OWN_FONTS, Layout(OWN_FONTS, NOWHERE))
    for name in own.settings:
        try:
            family, file = font_data(own, name)
        except Unusable:
            continue  # `asset_problems` reports it, and it is not printed
        families.setdefault(family, []).append(file)
    return families


def font_data(own: Layout, name: str) -> tuple[str, FontFile]:
    """Return the family of a font of the pack, and its file. Raise Unusable."""
    data = read_beside(_file(own, name), own.place(name, 0), MOST_FONT)
    family, weight, italic = _family(data)
    place = picture_path(_file(own, name), own.place(name, 0))
    return family, FontFile(result_key([data])[:16], place, _credit(own, name), weight, italic)


GLYPH_LEVELS, GLYPH_PARTS = 6, 256
"""Most levels of composite glyphs in each other, and parts of one glyph. A typesetter repeats each part."""


@lru_cache(maxsize=4)  # it caches the data, too
def _family(data: bytes) -> tuple[str, int, bool]:
    """Return the family of an embeddable font, its weight, and whether it is italic. Raise Unusable."""
    from fontTools.ttLib import TTFont, TTLibError  # type: ignore[import-untyped]

    if data[:4] not in (b"\x00\x01\x00\x00", b"OTTO", b"true"):
        raise Unusable("it is neither a TrueType nor an OpenType font")
    try:
        with TTFont(BytesIO(data), lazy=True) as font:
            family = font["name"].getDebugName(16) or font["name"].getDebugName(1)
            varies, rights = "fvar" in font, int(font["OS/2"].fsType)
            weight, italic = int(font["OS/2"].usWeightClass), bool(font["OS/2"].fsSelection & 1)
            letters = font.getBestCmap()
            _check_outlines(font, len(data), set((letters or {}).values()))
    except (
        TTLibError, struct.error, AssertionError, LookupError, ValueError, TypeError, EOFError, AttributeError,
    ) as error:  # fmt: skip
        raise Unusable("it is damaged") from error
    if varies:
        raise Unusable("it is a variable font, which fcb cannot print: use one of its static fonts")
    if rights & 0x0302:  # OpenType, OS/2, fsType: restricted license, no subsetting, bitmaps alone
        raise Unusable("its maker does not allow it to be embedded in documents")
    if not family or not letters:
        raise Unusable("it has no name, or no letters")
    return str(family), weight, italic


def _check_outlines(font: Any, size: int, glyphs: Iterable[str]) -> None:
    """Raise an error if the outlines of some glyphs cannot be read. Typst would leave them out without a word.

    `size`: the bytes of the file.
    """
    if any(table.offset + table.length > size for table in font.reader.tables.values()):
        raise ValueError("a table ends behind the file")
    if not 16 <= font["head"].unitsPerEm <= 16384:  # OpenType, head
        raise ValueError("an em has a wrong size")
    if "glyf" not in font:
        outlines = font["CFF "].cff[0].CharStrings
        if any(name not in outlines for name in glyphs):
            raise ValueError("a glyph has no outline")
        return
    places = list(font["loca"].locations)
    if (
        len(places) != font["maxp"].numGlyphs + 1
        or places != sorted(places)
        or places[-1] > len(font.getTableData("glyf"))
    ):
        raise ValueError("a glyph has no outline")
    parts: dict[str, int] = {}

    def count(name: str, level: int) -> int:
        if level > GLYPH_LEVELS:
            raise ValueError("glyphs contain each other")
        if name not in parts:
            glyph = font["glyf"][name]
            below = [part.glyphName for part in glyph.components] if glyph.isComposite() else []
            parts[name] = 1 + sum(count(part, level + 1) for part in below)
            if parts[name] > GLYPH_PARTS:
                raise ValueError("a glyph has too many parts")
        return parts[name]

    for name in glyphs:
        count(name, 1)


def sizes_of(model: Model) -> dict[str, PieceSize]:
    """Return all sizes of pieces by their names, those of the pack after the built-in ones."""
    own = model.layouts.get(OWN_SIZES, Layout(OWN_SIZES, NOWHERE))
    all_sizes = dict(sizes())
    for name in own.settings:
        size = _size(own, name)
        if size is not None:
            all_sizes.setdefault(name, size)
    return all_sizes


def _size(own: Layout, name: str) -> PieceSize | None:
    """Read ``euro: 59, 92, type 0.9``: width, height, and the scale of its type relative to a card."""
    parts = own.settings[name]
    match parts:
        case ((width,), (height,)):
            scale = "1"
        case ((width,), (height,), ("type", scale)):
            pass
        case _:
            return None
    if not (_LENGTH.fullmatch(width) and _LENGTH.fullmatch(height) and _TYPE.fullmatch(scale)):
        return None
    sides = (float(width), float(height))
    if not all(SMALLEST <= side <= LARGEST for side in sides) or not 0.5 <= float(scale) <= 3:
        return None
    return PieceSize(name, *sides, float(scale))


# ── problems ───────────────────────────────────────────────────────────────────────────────────


def asset_problems(model: Model) -> Iterator[Diagnostic]:
    """Yield the unusable assets of a pack, and missing information about assets."""
    for layout in (
        model.layouts[name] for name in (OWN_ICONS, OWN_FONTS, OWN_SIZES, OWN_COLOURS) if name in model.layouts
    ):
        taken = {OWN_ICONS: BOUND, OWN_SIZES: tuple(sizes()), OWN_COLOURS: TAKEN_COLOURS}.get(layout.kind, ())
        families: dict[tuple[str, int, bool], str] = {}
        for name in layout.settings:
            if name in taken:
                yield PressName(layout.place(name), name=name, what=layout.kind)
            elif layout.kind == OWN_COLOURS:
                if not _is_colour(layout.settings[name]):
                    yield MisreadColour(layout.place(name), name=name)
            elif layout.kind == OWN_SIZES:
                if _size(layout, name) is None:
                    yield MisreadSize(layout.place(name), name=name)
            else:
                yield from _file_problems(layout, name, families)


def drawing_problems(model: Model) -> Iterator[Diagnostic]:
    """Yield the unknown drawings in the words of forms and events."""
    drawing_names = drawings(model)
    texts = [text for form in model.forms for text in form.texts]
    texts += [text for event in model.events.values() for text in event.texts]
    for text in texts:
        for name in _IN_TEXT.findall(text.template):
            if name not in drawing_names:
                yield UnknownDrawing(text.span, name=name, suggestion=suggest(name, drawing_names))


def _file_problems(layout: Layout, name: str, families: dict[tuple[str, int, bool], str]) -> Iterator[Diagnostic]:
    """Yield the problems with the file of a drawing or a font. `families`: the line of each font."""
    text, place = _file(layout, name), layout.place(name, 0)
    try:
        if layout.kind == OWN_ICONS:
            check_drawing(icon_data(layout, name).encode())
        else:
            family, file = font_data(layout, name)
            cut = (family, file.weight, file.italic)
            if family in fonts() or cut in families:
                raise Unusable(f"there is a font “{family}” already" + (" in that style" if cut in families else ""))
            families[cut] = name
    except Unusable as error:
        yield UnusableFile(place, path=text, why=str(error))
        return
    if not _credit(layout, name):
        yield UncreditedFile(place, path=text)


def _file(layout: Layout, name: str) -> str:
    return " ".join(layout.settings[name][0])


def asset_credits(model: Model) -> list[str]:
    """Return the credits of a pack's drawings and fonts, each once."""
    own = [model.layouts[name] for name in (OWN_ICONS, OWN_FONTS) if name in model.layouts]
    credits_given = dict.fromkeys(_credit(layout, name) for layout in own for name in layout.settings)
    return [credit for credit in credits_given if credit]


def _credit(layout: Layout, name: str) -> str:
    """Return the credit of an asset: ``credit "A. Maker, CC BY 4.0"``."""
    return next((part[1] for part in layout.settings[name][1:] if len(part) == 2 and part[0] == "credit"), "")
