"""Pictures of a pack: whether they can be printed, and nothing that comes with them but what is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from fcbdsl import cache
from fcbdsl.diagnostics import Diagnostic
from fcbdsl.diagnostics.print import MissingPictureWords, UnusablePicture
from fcbdsl.files import CannotRead, read_regular
from fcbdsl.model.content import Art, Definition
from fcbdsl.model.whole import Model
from fcbdsl.prose import LANGUAGES
from fcbdsl.render.views import Picture
from fcbdsl.source import Span

if TYPE_CHECKING:
    from xml.etree import ElementTree

MOST_BYTES = 8 * 1024 * 1024
MOST_PIXELS = 25_000_000
MOST_ELEMENTS = 20_000
DEEPEST = 100

SVG = "{http://www.w3.org/2000/svg}"
GROUPS = ("svg", "g", "defs", "symbol", "use", "title", "desc", "text", "tspan")
SHAPES = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon")
PAINTS = ("linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern")
DRAWN = frozenset((*GROUPS, *SHAPES, *PAINTS))
"""Elements of SVG that draw, or say what is drawn; whatever runs, loads or holds something else is none of them."""
OURS_ALONE = re.compile(r"url\(\s*['\"]?(?!['\"]?#)", re.IGNORECASE)
"""A reference in a property to anything but a part of the drawing itself."""


class Unusable(Exception):
    """A picture that is not printed, and why; `near`: what stands where that is."""

    def __init__(self, why: str, near: str = "") -> None:
        super().__init__(why)
        self.near = near


def picture_of(definition: Definition, language: str) -> Picture | None:
    """The picture of a definition that can be printed; None if it has none."""
    art = definition.art
    if art is None:
        return None
    try:
        data, form = picture_data(art)
    except Unusable:
        return None  # `unusable` says why
    alt = art.alt.get(language) or art.alt.get("en", "")
    name = f"picture-{cache.key([data])[:16]}.{form}"
    return Picture(name, LANGUAGES[language].finish(alt), art.credit, place_of(art.path, art.span))


def picture_problems(model: Model, languages: list[str]) -> Iterator[Diagnostic]:
    """What is wrong with the pictures of a model."""
    for definition in model.definitions.values():
        art = definition.art
        if art is None:
            continue
        yield from unusable(definition, drawn=True)
        lacking = [f"description in {language}" for language in languages if language not in art.alt]
        lacking += [] if art.credit else ["credit"]
        if lacking:
            yield MissingPictureWords(art.span, path=art.path, what=" and no ".join(lacking))


def unusable(definition: Definition, drawn: bool = False) -> Iterator[Diagnostic]:
    """Why the picture of a definition can't be printed; `drawn`: have it drawn, too, which takes a moment."""
    art = definition.art
    if art is None:
        return
    try:
        data, form = picture_data(art)
        if drawn:
            _drawn(data, form)
    except Unusable as why:
        yield UnusablePicture(art.span, path=art.path, why=str(why))


def picture_data(art: Art) -> tuple[bytes, str]:
    """The bytes of a picture, and whether they are ``svg``, ``png`` or ``jpg``. Raises Unusable."""
    data = read_beside(art.path, art.span, MOST_BYTES)
    return data, _form(data)


def read_beside(named: str, span: Span, most: int) -> bytes:
    """The bytes of a file that a source names, `most` of them: it lies in the folder of the source, or below. Raises
    Unusable."""
    said = PurePosixPath(named)
    if said.is_absolute() or ".." in said.parts or "\\" in named or ":" in named:
        raise Unusable("it lies outside the folder of its source")
    path, home = place_of(named, span), Path(span.source.name).parent
    try:
        if not path.resolve().is_relative_to(home.resolve()):
            raise Unusable("it lies outside the folder of its source")
        return read_regular(path, most)
    except (CannotRead, OSError) as trouble:
        raise Unusable(str(trouble)) from trouble


def place_of(named: str, span: Span) -> Path:
    """Where a file lies that a source names."""
    return Path(span.source.name).parent / named


def _form(data: bytes) -> str:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        _bounded(int.from_bytes(data[16:20], "big") * int.from_bytes(data[20:24], "big"))
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        _bounded(_pixels_of_jpeg(data))
        return "jpg"
    if b"<svg" in data[:4096]:
        svg_tree(data)
        return "svg"
    raise Unusable("it is neither SVG nor PNG nor JPEG")


def _bounded(pixels: int) -> None:
    if not 0 < pixels <= MOST_PIXELS:
        raise Unusable(f"it has {pixels:,} pixels, and {MOST_PIXELS:,} are allowed")


def _pixels_of_jpeg(data: bytes) -> int:
    """Height times width, from the frame header (ITU-T T.81, B.2.2)."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 5 : at + 7], "big") * int.from_bytes(data[at + 7 : at + 9], "big")
        at += 2 + length
    raise Unusable("it is a JPEG without a frame")


def svg_tree(data: bytes, drawn: frozenset[str] = DRAWN) -> ElementTree.Element:
    """The tree of an SVG of such elements; refuses whatever does more than draw. Raises Unusable."""
    from xml.etree import ElementTree

    if re.search(rb"<!(DOCTYPE|ENTITY)", data, re.IGNORECASE):
        raise Unusable("it declares a document type, which can hold anything")
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as trouble:
        raise Unusable(f"it is no well-formed SVG: {trouble}") from trouble
    _check_depth(root)
    for count, element in enumerate(root.iter(), start=1):
        if count > MOST_ELEMENTS:
            raise Unusable(f"it has more than {MOST_ELEMENTS:,} elements")
        if not isinstance(element.tag, str):
            continue
        name = element.tag.removeprefix(SVG)
        if name not in drawn:
            raise Unusable(f"it holds an element `{name.rpartition('}')[2]}`, which does more than draw", name)
        for key, value in element.attrib.items():
            attribute = key.rpartition("}")[2]
            if attribute.lower().startswith("on"):
                raise Unusable(f"it runs something: `{attribute}`", attribute)
            if (attribute == "href" and not value.startswith("#")) or OURS_ALONE.search(value):
                raise Unusable(f"it refers to something outside itself: `{attribute}`", value)
    return root


def _check_depth(root: ElementTree.Element) -> None:
    """Refuse elements within elements within elements … so deep that whoever goes through them may fall."""
    level, depth = [root], 1
    while level:
        level, depth = [inner for outer in level for inner in outer], depth + 1
        if depth > DEEPEST and level:
            raise Unusable(f"it has elements within elements more than {DEEPEST} deep")


def _drawn(data: bytes, form: str) -> None:
    """Have the press draw it once: what is damaged is found before any page is made."""
    from fcbdsl.render.typesetting import CannotDraw, draw_picture

    try:
        draw_picture(data, form)
    except CannotDraw as trouble:
        raise Unusable(str(trouble)) from trouble
