"""Ink separation of a document: in which inks its words are drawn, and the inks of its colors by an ICC profile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

from fcbdsl.base.records import dataclass

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject, PdfObject

_SHOWS = (b"Tj", b"TJ", b"'", b'"')
_INKS_OF = {"/DeviceGray": 1, "/DeviceRGB": 3, "/DeviceCMYK": 4, "/CalGray": 1, "/CalRGB": 3}
_RANGE = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>")
_CHAR = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>")
FULL = 2.55
"""One percent of a byte."""


class CannotSeparate(ValueError):
    """Why a profile can't convert colors to inks."""


# ── words ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DrawnWords:
    """The words of a document: their number, and those that are neither in black ink alone nor white, each with the
    number of the first page with it."""

    count: int
    colored: Mapping[str, int]


def drawn_words(pdf: bytes) -> DrawnWords:
    """Return the words and their colors of all that a document draws, page by page."""
    from pypdf import PdfReader

    count, colored = 0, dict[str, int]()
    for number, page in enumerate(PdfReader(BytesIO(pdf)).pages, start=1):
        for text, plain in _texts_of(page, page.get_contents(), {}):
            words = text.split()
            count += len(words)
            for word in words if not plain else ():
                colored.setdefault(word, number)
    return DrawnWords(count, colored)


@dataclass(slots=True)
class _State:
    """The graphics state: the number of inks of the color space (0: a pattern, or unknown), whether these are device
    inks, the amounts, and how letters are filled."""

    inks: int = 1
    of_device: bool = True
    amounts: tuple[float, ...] = (0.0,)
    mode: int = 0
    font: Any = None

    @property
    def plain(self) -> bool:
        """Return whether letters take black ink alone, or none."""
        if self.mode == 3:
            return True
        if self.mode != 0 or not self.inks or len(self.amounts) != self.inks:
            return False
        if self.inks == 4:
            return not any(self.amounts[:3])
        return all(amount == 1 for amount in self.amounts) or (self.inks == 1 and self.of_device)


def _texts_of(held: DictionaryObject, content: Any, fonts: dict[int, dict[bytes, str]]) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a page, or of a form on it, and whether each is in black ink alone or white."""
    from pypdf.generic import ContentStream, DictionaryObject

    if content is None:
        return
    resources = held.get("/Resources", DictionaryObject()).get_object()
    if not isinstance(content, ContentStream):
        content = ContentStream(content, None)
    state, saved_states = _State(), list[_State]()
    for given, operator in content.operations:
        if operator == b"q":
            saved_states.append(_State(state.inks, state.of_device, state.amounts, state.mode, state.font))
        elif operator == b"Q" and saved_states:
            state = saved_states.pop()
        elif operator in (b"g", b"rg", b"k"):
            state.inks, state.of_device = len(given), True
            state.amounts = tuple(float(amount) for amount in given)
        elif operator == b"cs":
            state.inks, state.of_device = _space(given[0], resources)
            state.amounts = (0.0,) * state.inks if state.inks < 4 else (0.0, 0.0, 0.0, 1.0)
        elif operator in (b"sc", b"scn"):
            state.amounts = tuple(float(amount) for amount in given if not isinstance(amount, str))
        elif operator == b"Tr":
            state.mode = int(given[0])
        elif operator == b"Tf":
            state.font = resources["/Font"][given[0]]
        elif operator in _SHOWS:
            yield _text_of_glyphs(given[-1], state.font, fonts), state.plain
        elif operator == b"Do":
            drawn = resources["/XObject"][given[0]].get_object()
            if drawn.get("/Subtype") == "/Form":
                yield from _texts_of(drawn, drawn, fonts)


def _space(name: Any, resources: DictionaryObject) -> tuple[int, bool]:
    """Return the number of inks of a color space (0: unknown), and whether they are a device's."""
    from pypdf.generic import ArrayObject

    if name in _INKS_OF:
        return _INKS_OF[name], True
    space: Any = resources.get("/ColorSpace", {}).get(name)
    space = space.get_object() if space is not None else None
    if not isinstance(space, ArrayObject):
        return _INKS_OF.get(space, 0) if space is not None else 0, True
    if space[0] == "/ICCBased":
        return int(space[1].get_object()["/N"]), False
    return _INKS_OF.get(space[0], 0), False


def _text_of_glyphs(shown: Any, font: Any, fonts: dict[int, dict[bytes, str]]) -> str:
    """Return the text of glyphs; a question mark for glyphs that the font does not map."""
    held = font.get_object()
    if id(held) not in fonts:
        fonts[id(held)] = _letters(held)
    letters = fonts[id(held)]
    wide = 2 if held.get("/Subtype") == "/Type0" else 1
    text = b"".join(map(_bytes, shown)) if isinstance(shown, list) else _bytes(shown)
    return "".join(letters.get(text[at : at + wide], "?") for at in range(0, len(text), wide))


def _bytes(part: PdfObject) -> bytes:
    from pypdf.generic import ByteStringObject, TextStringObject

    if isinstance(part, TextStringObject):
        return part.original_bytes
    return bytes(part) if isinstance(part, ByteStringObject) else b""


def _letters(font: DictionaryObject) -> dict[bytes, str]:
    """Return the text of each code of a font."""
    table = font.get("/ToUnicode")
    letters: dict[bytes, str] = {}
    data = table.get_object().get_data() if table is not None else b""
    for body in re.findall(rb"beginbfchar(.*?)endbfchar", data, re.S):
        for code, target in _CHAR.findall(body):
            letters[bytes.fromhex(code.decode())] = bytes.fromhex(target.decode()).decode("utf-16-be", "replace")
    for body in re.findall(rb"beginbfrange(.*?)endbfrange", data, re.S):
        for first, last, target in _RANGE.findall(body):
            width, start = len(first) // 2, bytes.fromhex(target.decode()).decode("utf-16-be", "replace")
            for step in range(int(last, 16) - int(first, 16) + 1):
                code = (int(first, 16) + step).to_bytes(width, "big")
                letters[code] = start[:-1] + chr(ord(start[-1]) + step)
    return letters


# ── inks ───────────────────────────────────────────────────────────────────────────────────────


class InkOfProfile:
    """Computes the ink coverage of pictures by the ICC profile of a press. Raise CannotSeparate if the profile has no
    such conversion."""

    def __init__(self, profile: bytes) -> None:
        from PIL import ImageCms

        try:
            self._to_inks = ImageCms.buildTransform(
                ImageCms.createProfile("sRGB"),
                ImageCms.ImageCmsProfile(BytesIO(profile)),
                "RGB",
                "CMYK",
                ImageCms.Intent.RELATIVE_COLORIMETRIC,
            )
        except (ImageCms.PyCMSError, OSError) as error:
            raise CannotSeparate(str(error)) from error

    def __call__(self, png: bytes, bare: bytes) -> tuple[float, float]:
        """Return the mean and the highest ink coverage of a picture, in percent of one solid color.

        `bare`: the picture without the parts in black ink alone, since the profile would convert these to all inks.
        """
        from PIL import Image, ImageChops, ImageCms

        whole, without = (Image.open(BytesIO(image)).convert("RGB") for image in (png, bare))
        inks = ImageCms.applyTransform(without, self._to_inks)
        if inks is None:
            raise CannotSeparate("it makes no picture")
        black = ImageChops.difference(without, whole).convert("L")
        spent = Counter(map(sum, zip(*(ink.tobytes() for ink in (*inks.split(), black)), strict=True)))
        total = sum(amount * count for amount, count in spent.items())
        return total / spent.total() / FULL, max(spent) / FULL
