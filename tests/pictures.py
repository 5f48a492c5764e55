"""Pictures on pages of the documentation, compared with the present print except for a few pixels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from games import ROOT
from PIL import Image, ImageChops, ImageFilter, ImageStat

from fcbdsl.language.model.whole import Model
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render

PICTURES = ROOT / "docs" / "pictures"
DPI = 110
"""Pixels per inch of pictures of cards."""
TOLERANCE = 2.0
"""The greatest average difference of two pictures, of 256 steps: machines smooth letters differently."""
TILE, LOCAL = 24, 12.5
"""The side of a square in pixels, and the greatest difference within any such square of slightly blurred pictures.

Letters that are smoothed differently stay far below; a line that has moved by a millimeter does not.
"""


@dataclass(frozen=True)
class Shown:
    """A picture of a page: its file, and the piece that it shows. `side` 1 is the face of a card, 2 its back; a sheet
    has none."""

    file: str
    id: str
    language: str
    side: int = 0


def printed(shown: Shown, model: Model, folder: Path) -> Image.Image:
    """Return the present print of a picture's piece."""
    options = Options(dpi=DPI, one_up=True, bleed=0.0, copies="one") if shown.side else Options(dpi=70)
    made = render(model, (shown.id,), shown.language, "a4", "png", folder, options)
    assert not made.left_out
    pages = [path for path in made.files if path.suffix == ".png"]
    return Image.open(pages[shown.side - 1 if shown.side else 0]).convert("RGB")


def picture(file: str) -> Image.Image:
    """Return the stored picture."""
    return Image.open(PICTURES / f"{file}.png").convert("RGB")


def apart(file: str, now: Image.Image) -> float:
    """Return the difference between a picture and the stored one."""
    then = picture(file)
    assert then.size == now.size
    return max(ImageStat.Stat(ImageChops.difference(then, now)).mean)


def apart_somewhere(then: Image.Image, now: Image.Image) -> float:
    """Return the difference between two pictures in the worst of their squares."""
    soft = [image.convert("L").filter(ImageFilter.BoxBlur(3)) for image in (then, now)]
    off = ImageChops.difference(*soft)
    corners = [(x, y) for x in range(0, off.width, TILE // 2) for y in range(0, off.height, TILE // 2)]
    return max(ImageStat.Stat(off.crop((x, y, x + TILE, y + TILE))).mean[0] for x, y in corners)


def compared(shown: Shown, model: Model, folder: Path, update: bool) -> None:
    """Compare a picture with the present print, or store it again."""
    now = printed(shown, model, folder)
    if update:
        PICTURES.mkdir(exist_ok=True)
        now.quantize(128).save(PICTURES / f"{shown.file}.png", optimize=True)
    assert apart(shown.file, now) < TOLERANCE
    assert apart_somewhere(picture(shown.file), now) < LOCAL


def pictures_on(page: Path) -> list[str]:
    """Return the pictures that a page shows, in its order."""
    return re.findall(r"""(?:\]\(|src=")(?:docs/)?pictures/([\w-]+)\.png[")]""", page.read_text(encoding="utf-8"))
