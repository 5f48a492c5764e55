"""Checks whether the fonts of the press have a glyph for every character to print."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from operator import attrgetter
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
"""The names of the fonts, and the letters of each. It is generated from them (a test compares), since reading them
takes a tenth of the time in which a card is printed."""
BODY = "SourceSans3_400Regular.ttf"
"""The file of the font for running text."""


def missing_glyphs(view: object, called: str, span: Span, covered: dict[str, None] | None = None) -> list[MissingGlyph]:
    """Report each uncovered character of a view once.

    `covered`: texts without such characters, to which those of the view are added. Most texts are on many pieces.
    """
    fresh = texts(view)
    if covered is not None:
        fresh = [text for text in fresh if text not in covered]
    lacking = sorted(set("".join(fresh)) - _characters())
    if covered is not None and not lacking:
        covered |= dict.fromkeys(fresh)
    return [
        MissingGlyph(span, character=repr(letter), code_point=f"{ord(letter):04X}", card=called) for letter in lacking
    ]


def title_gaps(view: Any, span: Span) -> list[TitleGlyph]:
    """Report the letters that the title font lacks for the title of a view, which is set in capitals."""
    style = view.style
    if style.file is not None:
        letters = letters_of(style.file.place, style.file.digest)
    elif style.font in fonts():
        letters = _letters_of(fonts()[style.font].name)
    else:
        return []
    title = dict.fromkeys(view.title.upper().replace(GAP, ""))
    lacking = [letter for letter in title if ord(letter) not in letters and not letter.isspace()]
    letters_listed = ", ".join(f"“{letter}”" for letter in lacking)
    return [TitleGlyph(span, font=style.font, letters=letters_listed, card=view.key)] if lacking else []


@cache
def fonts() -> Mapping[str, Path]:
    """Return the names of the fonts for titles, each with its file (of several weights the boldest)."""
    return {name: FONTS / file for name, file in _index()["names"].items()}


@lru_cache(maxsize=16)
def letters_of(path: Path, digest: str) -> frozenset[int]:
    """Return the code points of a font of a pack; `digest` distinguishes contents of one path."""
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
    return _letters_of(BODY)


@cache
def _letters_of(file: str) -> frozenset[int]:
    """Return the code points of a built-in font."""
    return frozenset(point for first, last in _index()["letters"][file] for point in range(first, last + 1))


@cache
def _characters() -> frozenset[str]:
    """Return the characters of the body font."""
    return frozenset(map(chr, code_points()))


@cache
def _index() -> dict[str, Any]:
    return dict(json.loads(INDEX.read_text(encoding="utf-8")))


def texts(view: object) -> list[str]:
    """Return every string of a view, in no order."""
    strings: list[str] = []
    todo: list[Any] = [view]
    while todo:
        part = todo.pop()
        sort = part.__class__
        if sort is str:
            strings.append(part)
        elif sort is tuple or sort is list:
            todo += part
        elif sort not in _WITHOUT_TEXT:
            todo += _parts_of(sort)(part)
    return strings


_NUMBERS = ("int", "float", "bool")
"""The types of fields without text."""
_WITHOUT_TEXT = {int, float, bool, type(None)}
"""Classes of values in a view that contain no text; records of numbers are added."""


@cache
def _parts_of(sort: type) -> Callable[[Any], Iterable[Any]]:
    """Return a function that returns the parts of an object of a class: of a collection or a record; a text as one
    part; none of anything else."""
    if issubclass(sort, str):
        return lambda text: (text[:],)
    if issubclass(sort, tuple | list):
        return iter
    if issubclass(sort, Mapping):
        return lambda table: table.values()
    names = [field.name for field in fields(sort) if field.type not in _NUMBERS] if is_dataclass(sort) else []
    if not names:
        _WITHOUT_TEXT.add(sort)
    return attrgetter(*names) if len(names) > 1 else lambda record: [getattr(record, name) for name in names]


def field_names(sort: type) -> tuple[str, ...]:
    """Return the names of the fields of a record class; none for other classes."""
    names = _NAMES.get(sort)
    if names is None:
        names = _NAMES[sort] = tuple(field.name for field in fields(sort)) if is_dataclass(sort) else ()
    return names


_NAMES: dict[type, tuple[str, ...]] = {}
