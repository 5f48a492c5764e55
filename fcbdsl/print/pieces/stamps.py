"""Stamps: a short hash of the whole print of a piece or a sheet, and the differences between two versions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from fcbdsl.language.prose import Paragraph
from fcbdsl.print.layout.views import Card, Sheet

LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""The alphabet of stamps: no letter resembles another or a digit."""
STAMP = 6
"""The number of letters of a stamp."""
_TAKEN = str.maketrans({"o": "0", "i": "1", "l": "1"})


NOWHERE = Path()
LATER = ("around", "framed", "tucked", "wheels", "own", "cells", "squares", "low")
"""Fields that views got after stamps were first printed. Where they are empty, stamps are unchanged."""


def stamp_of(view: Card | Sheet) -> str:
    """Return the stamp of a view: it changes with everything on it except its mark."""
    data: dict[str, Any] = asdict(without_marks(view), dict_factory=_without_empty)
    file = data["style"].pop("file")
    if file is not None:
        data["style"]["font"] += file["digest"]
    cuts = data["style"].pop("cuts")
    data["style"]["text"] += "".join(cut["digest"] for cut in cuts)
    if not cuts:
        del data["style"]["text"]
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, default=str)
    digest = hashlib.sha256(text.encode()).digest()
    value = int.from_bytes(digest[:8], "big")
    return "".join(LETTERS[value >> 5 * at & 31] for at in range(STAMP))


def _without_empty(parts: list[tuple[str, object]]) -> dict[str, object]:
    return {key: part for key, part in parts if part or key not in LATER}


def read_stamp(text: str) -> str:
    """Return a stamp as typed by a user in canonical form; empty if it is not valid."""
    stamp = text.strip().lower().translate(_TAKEN)
    return stamp if len(stamp) == STAMP and set(stamp) <= set(LETTERS) else ""


def changed_lines(before: Card | Sheet, now: Card | Sheet) -> Iterator[str]:
    """Yield the lines that are no longer printed (``- …``) and those that are new (``+ …``)."""
    from difflib import ndiff

    for line in ndiff(list(_lines(without_marks(before))), list(_lines(without_marks(now)))):
        if line[:1] in "-+":
            yield line


def without_marks(view: Card | Sheet) -> Card | Sheet:
    """Return a view without its mark, which depends on other pieces of its kind, and without the path of its picture.

    The path needs no comparison: the name of the file is a hash of its content.
    """
    picture = replace(view.picture, place=NOWHERE) if view.picture is not None else None
    return replace(view, mark="", picture=picture) if isinstance(view, Card) else replace(view, picture=picture)


def _lines(value: object, name: str = "") -> Iterator[str]:
    """Yield the content of a view as lines that begin with their place."""
    if isinstance(value, Paragraph):
        yield f"{name}: {value.plain()}"
    elif is_dataclass(value):
        for field in fields(value):
            yield from _lines(getattr(value, field.name), f"{name}, {field.name}" if name else field.name)
    elif isinstance(value, tuple):
        for part in value:
            yield from _lines(part, name)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _lines(part, f"{name}, {key}")
    elif value not in (None, "", False):
        yield f"{name}: {value}"
