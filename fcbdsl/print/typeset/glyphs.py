"""Checks whether the fonts of the press have a glyph for every character to print."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from fcbdsl.base import resources
from fcbdsl.base.diagnostics.print import MissingGlyph, TitleGlyph
from fcbdsl.base.source import Span
from fcbdsl.language.prose.titles import GAP

FONTS = resources.package_folder() / "print" / "fonts"
SUBSTITUTE = "?"
"""Replaces a character that no font has."""


INDEX = FONTS / "index.json"
"""The names of the fonts, and the letters of the body font. It is generated from them (a test compares), since reading
them takes a tenth of the time in which a card is printed."""


def missing_glyphs(view: object, called: str, span: Span) -> list[MissingGlyph]:
    """Report each uncovered character of a view once."""
    letters: set[str] = set()
    for text in texts(view):
        letters.update(text)
    lacking = sorted(letter for letter in letters if ord(letter) not in code_points())
    return [
        MissingGlyph(span, character=repr(letter), code_point=f"{ord(letter):04X}", card=called) for letter in lacking
    ]


def title_gaps(view: Any, span: Span) -> list[TitleGlyph]:
    """Report the letters that the title font lacks for the title of a view, which is set in capitals."""
    style = view.style
    path = style.file.place if style.file is not None else fonts().get(style.font)
    if path is None:
        return []
    letters = letters_of(path, style.file.digest if style.file is not None else "")
    title = dict.fromkeys(view.title.upper().replace(GAP, ""))
    lacking = [letter for letter in title if ord(letter) not in letters and not letter.isspace()]
    letters_listed = ", ".join(f"“{letter}”" for letter in lacking)
    return [TitleGlyph(span, font=style.font, letters=letters_listed, card=view.key)] if lacking else []


def fonts() -> dict[str, Path]:
    """Return the names of the fonts for titles, each with its file (of several weights the boldest)."""
    return {name: FONTS / file for name, file in _index()["names"].items()}


@lru_cache(maxsize=16)
def letters_of(path: Path, digest: str) -> frozenset[int]:
    """Return the code points of a font; `digest` distinguishes contents of one path."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with TTFont(path, lazy=True) as font:
        return frozenset(font.getBestCmap() or ())


def legible(text: str) -> str:
    """Return the text with a substitute for control characters and for characters that the fonts lack."""
    if text.isascii() and text.isprintable():
        return text  # the fonts have all of these
    covered = code_points()
    return "".join([letter if ord(letter) in covered and letter >= " " else SUBSTITUTE for letter in text])


@cache
def code_points() -> frozenset[int]:
    """Return the code points of the body font, which is the fallback of the others."""
    return frozenset(point for first, last in _index()["covered"] for point in range(first, last + 1))


@cache
def _index() -> dict[str, Any]:
    return dict(json.loads(INDEX.read_text(encoding="utf-8")))


def texts(view: object) -> Iterator[str]:
    """Yield every string of a view, in no order."""
    todo: list[Any] = [view]
    while todo:
        part = todo.pop()
        sort = part.__class__
        if sort is str:
            yield part
        elif sort is tuple or sort is list:
            todo += part
        elif sort in _WITHOUT_TEXT:
            continue
        elif isinstance(part, str):
            yield part
        elif isinstance(part, tuple | list):
            todo += part
        elif isinstance(part, Mapping):
            todo += part.values()
        else:
            todo += [getattr(part, name) for name in field_names(sort)]


_WITHOUT_TEXT = {int, float, bool, type(None)}
"""Classes of most values in a view that contain no text."""


def field_names(sort: type) -> tuple[str, ...]:
    """Return the names of the fields of a record class; none for other classes."""
    names = _NAMES.get(sort)
    if names is None:
        names = _NAMES[sort] = tuple(field.name for field in fields(sort)) if is_dataclass(sort) else ()
    return names


_NAMES: dict[type, tuple[str, ...]] = {}
