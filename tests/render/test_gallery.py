"""The pictures of the gallery are what is printed today, but for a few pixels; `--update` makes them anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from games import ROOT, model
from PIL import Image, ImageChops, ImageStat

from fcbdsl.render import render
from fcbdsl.render.options import Options

PICTURES = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "gallery.md"
TOLERANCE = 2.0
"""How far the pixels of two pictures may differ, on average of 256 steps: letters are smoothed a little otherwise from
machine to machine."""


@dataclass(frozen=True)
class Shown:
    """A picture of the gallery: its file, and what is printed for it. `side` 1 is the face of a card, 2 its back; a
    sheet has none."""

    file: str
    game: str
    id: str
    language: str
    side: int = 0


GALLERY = (
    Shown("far-cry-beyond-card", "far-cry-beyond", "weapon/dart-pistol", "en", 1),
    Shown("far-cry-beyond-board", "far-cry-beyond", "enemy/stalker", "fr", 1),
    Shown("far-cry-beyond-back", "far-cry-beyond", "weapon/hook-gun", "en", 2),
    Shown("fireteam-zero-card", "fireteam-zero", "with-me", "en", 1),
    Shown("escape-card", "escape", "makeshift-shield", "fr", 1),
    Shown("beast-card", "beast", "call-wolves", "en", 1),
    Shown("far-cry-beyond-sheet", "far-cry-beyond", "cinder-quarry", "en"),
    Shown("fireteam-zero-sheet", "fireteam-zero", "typhons-cradle", "en"),
    Shown("escape-sheet", "escape", "infiltration", "en"),
    Shown("beast-sheet", "beast", "northern-settlements", "fr"),
)


def printed(shown: Shown, folder: Path) -> Image.Image:
    """What is printed of it today."""
    options = Options(dpi=110, one_up=True, bleed=0.0, copies="one") if shown.side else Options(dpi=70)
    made = render(model(shown.game), (shown.id,), shown.language, "a4", "png", folder, options)
    assert not made.left_out
    pages = [path for path in made.files if path.suffix == ".png"]
    return Image.open(pages[shown.side - 1 if shown.side else 0]).convert("RGB")


@pytest.mark.parametrize("shown", GALLERY, ids=lambda shown: shown.file)
def test_a_picture_of_the_gallery_is_what_is_printed(shown: Shown, tmp_path: Path, update: bool) -> None:
    now = printed(shown, tmp_path)
    path = PICTURES / f"{shown.file}.png"
    if update:
        path.parent.mkdir(exist_ok=True)
        now.quantize(128).save(path, optimize=True)
    then = Image.open(path).convert("RGB")
    assert then.size == now.size
    apart = ImageStat.Stat(ImageChops.difference(then, now)).mean
    assert max(apart) < TOLERANCE


def test_a_picture_that_has_changed_is_noticed(tmp_path: Path) -> None:
    """That the tolerance is not too wide: another card of the same deck is another picture."""
    other = printed(Shown("", "far-cry-beyond", "weapon/hook-gun", "en", 1), tmp_path)
    then = Image.open(PICTURES / "far-cry-beyond-card.png").convert("RGB")
    assert max(ImageStat.Stat(ImageChops.difference(then, other)).mean) > TOLERANCE


def test_the_gallery_shows_each_picture_and_no_other() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert sorted(path.stem for path in PICTURES.glob("*.png")) == sorted(shown.file for shown in GALLERY)
    assert all(f"pictures/{shown.file}.png" in page for shown in GALLERY)
