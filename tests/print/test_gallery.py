"""The pictures of the gallery and of README show the present print; `--update` stores them again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games import ROOT, model
from pictures import (
    DPI,
    LOCAL,
    PICTURES,
    TOLERANCE,
    Shown,
    apart,
    apart_somewhere,
    compared,
    picture,
    pictures_on,
    printed,
)
from PIL import Image, ImageChops

PAGE = ROOT / "docs" / "gallery.md"
README = ROOT / "README.md"
SHOWN_SOURCE = ROOT / "cards" / "far-cry-beyond" / "stunts.fcb"
"""The file whose definition README shows, beside the cards printed of it."""
GALLERY = (
    ("far-cry-beyond", Shown("far-cry-beyond-card", "weapon/dart-pistol", "en", 1)),
    ("far-cry-beyond", Shown("far-cry-beyond-board", "enemy/stalker", "fr", 1)),
    ("far-cry-beyond", Shown("far-cry-beyond-back", "weapon/hook-gun", "en", 2)),
    ("fireteam-zero", Shown("fireteam-zero-card", "with-me", "en", 1)),
    ("escape", Shown("escape-card", "makeshift-shield", "fr", 1)),
    ("beast", Shown("beast-card", "call-wolves", "en", 1)),
    ("far-cry-beyond", Shown("far-cry-beyond-sheet", "cinder-quarry", "en")),
    ("fireteam-zero", Shown("fireteam-zero-sheet", "typhons-cradle", "en")),
    ("escape", Shown("escape-sheet", "infiltration", "en")),
    ("beast", Shown("beast-sheet", "northern-settlements", "fr")),
)
FIRST_SCREEN = (
    ("far-cry-beyond", Shown("readme-card", "stunt/shove", "en", 1)),
    ("far-cry-beyond", Shown("readme-card-fr", "stunt/shove", "fr", 1)),
)


@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    ("game", "shown"), GALLERY + FIRST_SCREEN, ids=lambda value: value.file if isinstance(value, Shown) else ""
)
def test_gallery_picture_equals_print(game: str, shown: Shown, tmp_path: Path, update: bool) -> None:
    compared(shown, model(game), tmp_path, update)


def test_changed_gallery_picture_is_noticed(tmp_path: Path) -> None:
    """That the tolerance is not too wide: another card of the same deck is another picture."""
    other = printed(Shown("", "weapon/hook-gun", "en", 1), model("far-cry-beyond"), tmp_path)
    assert apart("far-cry-beyond-card", other) > TOLERANCE


CARDS = [shown.file for _, shown in GALLERY if shown.side]


@pytest.mark.parametrize("file", CARDS)
def test_moved_foot_is_noticed(file: str) -> None:
    """On average of a whole picture it would not be."""
    then = picture(file)
    high, by = round(3.7 / 25.4 * DPI), round(DPI / 25.4)
    foot = then.crop((0, then.height - high, then.width, then.height))
    now = then.copy()
    now.paste(ImageChops.offset(foot, 0, -by), (0, then.height - high))
    assert apart_somewhere(then, now) > LOCAL


@pytest.mark.parametrize("file", CARDS)
def test_half_pixel_shift_is_equal(file: str) -> None:
    """Rasterizers of fonts differ by less."""
    then = picture(file)
    fine = ImageChops.offset(then.resize((then.width * 2, then.height * 2), Image.Resampling.LANCZOS), 1, 0)
    assert apart_somewhere(then, fine.resize(then.size, Image.Resampling.BOX)) < LOCAL


def test_the_gallery_shows_each_of_its_pictures() -> None:
    assert sorted(pictures_on(PAGE)) == sorted(shown.file for _, shown in GALLERY)


def test_every_gallery_picture_is_shown() -> None:
    shown = {file for page in (README, *PAGE.parent.glob("*.md")) for file in pictures_on(page)}
    assert {path.stem for path in PICTURES.glob("*.png")} == shown


def definition(source: str, head: str) -> str:
    """Return the lines of one definition of a source, without the blank line after it."""
    match = re.search(rf"^{re.escape(head)} .*\n(?:(?: .*)?\n)*?(?=\S|\Z)", source, re.MULTILINE)
    assert match, head
    return match[0].rstrip("\n") + "\n"


def test_readme_source_matches_its_cards() -> None:
    page = README.read_text(encoding="utf-8")
    (block,) = re.findall(r"^```(?:fcb)?\n(stunt .*?)^```$", page, re.DOTALL | re.MULTILINE)
    (kind_and_id,) = {shown.id for _, shown in FIRST_SCREEN}
    assert block == definition(SHOWN_SOURCE.read_text(encoding="utf-8"), kind_and_id.replace("/", " "))
    assert [file for file in pictures_on(README) if file.startswith("readme-")] == [
        shown.file for _, shown in FIRST_SCREEN
    ]
