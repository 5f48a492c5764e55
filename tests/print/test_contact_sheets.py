"""Contact sheets: one piece of every printed kind, face and back, as one picture per game and language.

Tests compare them with the present print except for a few pixels; `--update` stores them again, to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from games import EACH_IN_ITS_LANGUAGES, ROOT, model
from pictures import TOLERANCE
from PIL import Image, ImageChops, ImageOps, ImageStat

from fcbdsl.language.model.content import Definition
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render

CASES = ROOT / "tests" / "cases" / "print"
WIDTH, TILE, GAP = 1400, 240, 8
"""The width of a contact sheet, the longest side of a piece on it, and the gap between two, in pixels."""


def of_each_kind(game: str) -> list[Definition]:
    """Return the first piece of each kind, in the order of print."""
    return list({definition.kind.id: definition for definition in reversed(printable(model(game)))}.values())[::-1]


def faces(game: str, definition: Definition, language: str, folder: Path) -> Iterator[Image.Image]:
    """Return the pages of a piece: face and back, or those of a sheet."""
    options = Options(dpi=80, one_up=True, bleed=0.0, copies="one")
    made = render(
        model(game),
        (f"{definition.kind.id}/{definition.id}",),
        language,
        "a4",
        "png",
        folder / definition.kind.id,
        options,
    )
    assert not made.left_out
    for path in made.files:
        if path.suffix == ".png":
            picture = Image.open(path).convert("RGB")
            picture.thumbnail((TILE, TILE))
            yield picture


def placed(pictures: Sequence[Image.Image]) -> list[tuple[int, int]]:
    """Return the place of each picture: in rows, from the left."""
    places, left, top, height = [], GAP, GAP, 0
    for picture in pictures:
        if left + picture.width + GAP > WIDTH:
            left, top, height = GAP, top + height + GAP, 0
        places.append((left, top))
        left, height = left + picture.width + GAP, max(height, picture.height)
    return places


def apart(one: Image.Image, other: Image.Image) -> float:
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


@pytest.mark.long
@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_piece_of_each_kind_looks_as_approved(game: str, language: str, tmp_path: Path, update: bool) -> None:
    file = CASES / game / f"kinds.{language}.webp"
    shown = [
        (definition, picture)
        for definition in of_each_kind(game)
        for picture in faces(game, definition, language, tmp_path)
    ]
    places = placed([picture for _, picture in shown])
    bottom = max(top + picture.height for (_, top), (_, picture) in zip(places, shown, strict=True))
    sheet = Image.new("RGB", (WIDTH, bottom + GAP), "#d8d8d4")
    for place, (_, picture) in zip(places, shown, strict=True):
        sheet.paste(picture, place)
    sheet = ImageOps.posterize(sheet, 5)
    if update:
        sheet.save(file, lossless=True, method=6)
    before = Image.open(file).convert("RGB")
    assert before.size == sheet.size
    changed = {
        f"{definition.kind.id}/{definition.id}"
        for (left, top), (definition, picture) in zip(places, shown, strict=True)
        if apart(*(drawn.crop((left, top, left + picture.width, top + picture.height)) for drawn in (before, sheet)))
        > TOLERANCE
    }
    assert changed == set()


def test_changed_piece_is_noticed(tmp_path: Path) -> None:
    """That the tolerance is not too wide."""
    game = "far-cry-beyond"
    kinds: dict[str, list[Definition]] = {}
    for one in printable(model(game)):
        kinds.setdefault(one.kind.id, []).append(one)
    one, other = next(of_kind for of_kind in kinds.values() if len(of_kind) > 1)[:2]
    (face, *_), (another, *_) = (list(faces(game, made, "en", tmp_path / made.id)) for made in (one, other))
    assert apart(face, another) > TOLERANCE
