"""Whether the press's fonts have a glyph for every character that is to be printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

from fcbdsl.diagnostics.print import MissingGlyph
from fcbdsl.source import Span

FONTS = Path(__file__).parent / "fonts"
SUBSTITUTE = "?"
"""Printed in the place of a character that no font has."""


@cache
def covered() -> frozenset[int]:
    """Code points of the body font, which is the fallback of the others."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with TTFont(FONTS / "SourceSans3_400Regular.ttf", lazy=True) as font:
        return frozenset(font.getBestCmap())


def missing_glyphs(view: object, called: str, span: Span) -> list[MissingGlyph]:
    """Report each uncovered character of a view once."""
    letters = sorted({letter for text in texts(view) for letter in text if ord(letter) not in covered()})
    return [
        MissingGlyph(span, character=repr(letter), code_point=f"{ord(letter):04X}", card=called) for letter in letters
    ]


def legible(text: str) -> str:
    """The text with a substitute for control characters and whatever the fonts lack."""
    return "".join(letter if ord(letter) in covered() and letter >= " " else SUBSTITUTE for letter in text)


def texts(view: object) -> Iterator[str]:
    """Every string of a view."""
    if isinstance(view, str):
        yield view
    elif is_dataclass(view):
        for field in fields(view):
            yield from texts(getattr(view, field.name))
    elif isinstance(view, Mapping):
        yield from texts(tuple(view.values()))
    elif isinstance(view, Sequence):
        for item in view:
            yield from texts(item)
