"""Pictures of a pack: checks whether they can be printed, and removes everything but the visible part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from fcbdsl.base import bounds, cache
from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.print import MissingPictureWords, UnusablePicture
from fcbdsl.base.files import CannotRead, read_regular
from fcbdsl.base.source import Span
from fcbdsl.base.versions import installed_version
from fcbdsl.language.model.content import Art, Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES
from fcbdsl.print.layout.views import Picture

if TYPE_CHECKING:
    from xml.etree import ElementTree

MOST_BYTES = 8 * 1024 * 1024
MOST_PIXELS = 25_000_000
MOST_ELEMENTS = 20_000
"""Most elements of an SVG, counted once for each reference that draws them."""
MOST_TEXTS = 500
"""Most elements of an SVG with text, counted likewise."""
MOST_LETTERS = 20_000
"""Most letters in an SVG, counted likewise."""
DEEPEST = 100
DEEPEST_REFERENCES = 8
"""The longest chain of references in an SVG: a clip path with a clip path, a pattern within a pattern …"""
LARGEST_NUMBER = 1_000_000
"""The largest coordinate of an SVG."""

SVG = "{http://www.w3.org/2000/svg}"
GROUPS = ("svg", "g", "defs", "symbol", "use", "title", "desc", "text", "tspan")
SHAPES = ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon")
PAINTS = ("linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern")
DRAWN = frozenset((*GROUPS, *SHAPES, *PAINTS))
"""Elements of SVG that draw, or define drawings; elements that run, load or embed something are not among them."""
OURS_ALONE = re.compile(r"url\(\s*['\"]?(?!['\"]?#)", re.IGNORECASE)
"""Matches a reference in a property to anything but a part of the drawing itself."""


class Unusable(Exception):
    """A picture that is not printed, and the reason; `near`: the text at the place of the problem."""

    def __init__(self, why: str, near: str = "") -> None:
        super().__init__(why)
        self.near = near


def picture_of(definition: Definition, language: str) -> Picture | None:
    """Return the picture of a definition if it can be printed; None if it has none."""
    art = definition.art
    if art is None:
        return None
    try:
        place, _ = _sound(*picture_data(art))
    except Unusable:
        return None  # `why_unusable` reports it
    alt = art.alt.get(language) or art.alt.get("en", "")
    return Picture(place.name, LANGUAGES[language].finish(alt), art.credit, place, art.crop, art.focus)


def defining(model: Model, name: str) -> Definition | None:
    """Return the definition of a model whose picture has this name in the press."""
    for definition in model.definitions.values():
        picture = picture_of(definition, next(iter(LANGUAGES))) if name else None
        if picture is not None and picture.name == name:
            return definition
    return None


def picture_problems(model: Model, languages: list[str]) -> Iterator[Diagnostic]:
    """Yield the problems with the pictures of a model."""
    pixels_of: dict[str, int] = {}
    for definition in model.definitions.values():
        art = definition.art
        if art is None:
            continue
        wrong = list(why_unusable(definition, drawn=True))
        yield from wrong
        if not wrong:
            place, pixels = _sound(*picture_data(art))
            before = sum(pixels_of.values())
            pixels_of[place.name] = pixels
            if before <= bounds.PIXELS < sum(pixels_of.values()):
                why = f"with it the pictures have {sum(pixels_of.values()):,} pixels, and {bounds.PIXELS:,} are allowed"
                yield UnusablePicture(art.span, path=art.path, why=why)
                return
        lacking = [f"description in {language}" for language in languages if language not in art.alt]
        lacking += [] if art.credit else ["credit"]
        if lacking:
            yield MissingPictureWords(art.span, path=art.path, what=" and no ".join(lacking))


def why_unusable(definition: Definition, drawn: bool = False) -> Iterator[Diagnostic]:
    """Yield why the picture of a definition can't be printed; `drawn`: draw it, too, which takes a moment."""
    art = definition.art
    if art is None:
        return
    try:
        data, form = picture_data(art)
        if drawn and form == "svg":
            check_drawing(data)
    except Unusable as error:
        yield UnusablePicture(art.span, path=art.path, why=str(error))


def picture_data(art: Art) -> tuple[bytes, str]:
    """Return the file of a printable picture, and whether it is ``svg``, ``png`` or ``jpg``. Raise Unusable."""
    data = read_beside(art.path, art.span, MOST_BYTES)
    form = _form(data)
    _sound(data, form)
    return data, form


_laid: dict[str, tuple[Path, int] | Unusable] = {}
"""The paths of printable pictures, and their pixels, by their names; or why one can't be printed."""


def _sound(data: bytes, form: str) -> tuple[Path, int]:
    """Write the visible part of a picture to the folder of the press; return its path and pixels. Raise Unusable."""
    name = f"picture-{sha256(data).hexdigest()[:16]}.{form}"
    if name not in _laid:
        try:
            _laid[name] = _lay_out(name, *_plain(data, form))
        except Unusable as error:
            _laid[name] = error
    laid = _laid[name]
    if isinstance(laid, Unusable):
        raise laid
    return laid


def _lay_out(name: str, data: bytes, pixels: int) -> tuple[Path, int]:
    from fcbdsl.print.typeset.typesetting import desk

    folder = desk() / "pictures"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    return folder / name, pixels


def _plain(data: bytes, form: str) -> tuple[bytes, int]:
    """Return the visible part of a picture, and its pixels. PNG and JPEG are encoded again; that is cached. Raise
    Unusable."""
    from fcbdsl.print.typeset.typesetting import CannotDraw, clean_picture

    if form == "svg":
        svg_tree(data)
        return data, 0
    key = cache.lasting([b"clean picture", installed_version("pillow").encode(), data])
    try:
        picture: tuple[bytes, int] = cache.load_or_make(
            key, tuple[bytes, int], lambda: clean_picture(data, form, MOST_PIXELS)
        )
    except CannotDraw as error:
        raise Unusable(str(error)) from error
    return picture


def check_drawing(data: bytes) -> None:
    """Draw an SVG once, to find errors before any page is made; the result is cached. Raise Unusable."""
    from fcbdsl.print.typeset.typesetting import CannotDraw, draw_svg

    key = cache.lasting([b"drawn in PDF/UA", installed_version("typst").encode(), data])
    if cache.load_result(key, lambda stored: stored == ()) is None:
        try:
            draw_svg(data)
        except CannotDraw as error:
            raise Unusable(str(error)) from error
        cache.store_result(key, ())


def read_beside(named: str, span: Span, most: int) -> bytes:
    """Return the bytes of a file that a source names, at most `most`.

    The file must be in the folder of the source, or below. Raise Unusable.
    """
    file = PurePosixPath(named)
    if file.is_absolute() or ".." in file.parts or "\\" in named or ":" in named:
        raise Unusable("it lies outside the folder of its source")
    path, home = picture_path(named, span), Path(span.source.name).parent
    try:
        if not path.resolve().is_relative_to(home.resolve()):
            raise Unusable("it lies outside the folder of its source")
        return read_regular(path, most)
    except (CannotRead, OSError) as error:
        raise Unusable(str(error)) from error


def picture_path(named: str, span: Span) -> Path:
    """Return the path of a file that a source names."""
    return Path(span.source.name).parent / named


def _form(data: bytes) -> str:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if b"<svg" in data[:4096]:
        return "svg"
    raise Unusable("it is neither SVG nor PNG nor JPEG")


def svg_tree(data: bytes, drawn: frozenset[str] = DRAWN) -> ElementTree.Element:
    """Return the tree of an SVG with only the allowed elements. Raise Unusable for anything that does more than
    draw."""
    from xml.etree import ElementTree

    try:
        text = data.decode()  # in the encoding in which Typst reads it, whatever it declares
    except UnicodeDecodeError as error:
        raise Unusable("it is not written in UTF-8") from error
    if re.search("<!(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise Unusable("it declares a document type, which can hold anything")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise Unusable(f"it is not a well-formed SVG: {error}") from error
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
            _check_numbers(attribute, value)
    _check_references(root)
    return root


def _check_depth(root: ElementTree.Element) -> None:
    """Refuse deeply nested elements, which could exceed the recursion limit of a reader."""
    level, depth = [root], 1
    while level:
        level, depth = [inner for outer in level for inner in outer], depth + 1
        if depth > DEEPEST and level:
            raise Unusable(f"it has elements within elements more than {DEEPEST} deep")


_LENGTHS = frozenset(
    [
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "fx",
        "fy",
        "width",
        "height",
        "d",
        "points",
        "viewBox",
        "transform",
        "stroke-width",
        "font-size",
        "dx",
        "dy",
        "gradientTransform",
        "patternTransform",
    ]
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
_NO_NUMBER = re.compile(r"(?<![a-z])[+-]?(?:nan|inf(?:inity)?)(?![a-z])", re.IGNORECASE)
_OF_PATHS = re.compile(r"[\sMmZzLlHhVvCcSsQqTtAa,]*")
_OF_POINTS = re.compile(r"[\s,]*")


def _check_numbers(name: str, value: str) -> None:
    """Refuse coordinates that are no numbers, or far beyond any drawing. Raise Unusable."""
    if name not in _LENGTHS:
        return
    if _NO_NUMBER.search(value):
        raise Unusable(f"`{name}` holds something that is no number", value)
    rest, at = [], 0
    for match in _NUMBER.finditer(value):
        rest.append(value[at : match.start()])
        at = match.end()
        number = float(match[0])
        if not -LARGEST_NUMBER <= number <= LARGEST_NUMBER:
            raise Unusable(f"`{name}` holds a number beyond {LARGEST_NUMBER:,}", match[0])
    rest.append(value[at:])
    pattern = {"d": _OF_PATHS, "points": _OF_POINTS}.get(name)
    if pattern is not None and not all(pattern.fullmatch(text) for text in rest):
        raise Unusable(f"`{name}` holds something that is neither a number nor a command", value)


_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")\s]+)", re.IGNORECASE)


def _check_references(root: ElementTree.Element) -> None:
    """Refuse references that are circular, nested too deeply, or draw more than is possible in a moment.

    Elements are counted once for each time that they are drawn. Raise Unusable.
    """
    by_name = {name: element for element in root.iter() if (name := element.get("id")) is not None}
    counts: dict[ElementTree.Element, tuple[int, int, int, int]] = {}  # elements, texts, letters, depth
    entered: set[ElementTree.Element] = set()
    todo = [root]
    while todo:
        element = todo[-1]
        targets = [by_name[name] for name in _references(element) if name in by_name]
        parts = [*element, *targets]
        missing = [part for part in parts if part not in counts]
        if element in counts or not missing:
            todo.pop()
            if element not in counts:
                counts[element] = _counted(
                    element, [counts[part] for part in element], [counts[target] for target in targets]
                )
            continue
        entered.add(element)
        if any(part in entered for part in missing):
            raise Unusable("it has a part that refers to itself")
        todo += missing


def _references(element: ElementTree.Element) -> list[str]:
    """Return the names of the parts that an element refers to."""
    names = []
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == "href":
            names.append(value.removeprefix("#"))
        else:
            names += _REFERENCE.findall(value)
    return names


def _counted(
    element: ElementTree.Element, inner: list[tuple[int, int, int, int]], targets: list[tuple[int, int, int, int]]
) -> tuple[int, int, int, int]:
    """Return how many elements, texts and letters are drawn with an element, and the depth of its references.

    Raise Unusable if there are too many.
    """
    both = [*inner, *targets]
    elements = 1 + sum(size[0] for size in both)
    texts = (element.tag in _TEXTS) + sum(size[1] for size in both)
    letters = len((element.text or "").strip()) + len((element.tail or "").strip()) + sum(size[2] for size in both)
    depth = max([0, *(size[3] for size in inner), *(1 + target[3] for target in targets)])
    if depth > DEEPEST_REFERENCES:
        raise Unusable(f"its references lead from one to the next more than {DEEPEST_REFERENCES} times")
    for count, most, what in (
        (elements, MOST_ELEMENTS, "elements, each counted as often as it is drawn"),
        (texts, MOST_TEXTS, "elements with text"),
        (letters, MOST_LETTERS, "letters"),
    ):
        if count > most:
            raise Unusable(f"it has more than {most:,} {what}")
    return elements, texts, letters, depth


_TEXTS = (f"{SVG}text", f"{SVG}tspan", "text", "tspan")
