"""Pictures in windows of faces are visible, and windows leave no empty strip."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import model
from PIL import Image

from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render

DPI = 150


def face_of(piece: str, folder: Path, game: str = "far-cry-beyond") -> Image.Image:
    """Return a face of a game in gray, with its bleed."""
    options = Options(dpi=DPI, one_up=True)
    (file,) = render(model(game), (piece,), "en", "a4", "png", folder, options).files[:1]
    with Image.open(file) as picture:
        return picture.convert("L")


@pytest.mark.parametrize(("piece", "dark"), [("loot/plated-coat", True), ("loot/folding-ladder", False)])
def test_drawing_contrasts_with_scene(piece: str, dark: bool, tmp_path: Path) -> None:
    """White before dark scenes; before one that is nearly white, dark."""
    face = face_of(piece, tmp_path)
    wide, high = face.size
    shares = face.crop((int(wide * 0.38), int(high * 0.3), int(wide * 0.62), int(high * 0.44))).histogram()
    assert sum(shares[:70] if dark else shares[240:]) > 60


def most_blank(face: Image.Image) -> float:
    """Return the height of the highest blank strip of a face, in millimeters."""
    side = int(6 * DPI / 25.4)  # a frame may run down the edges
    rows = [min(face.crop((side, y, face.width - side, y + 1)).tobytes()) for y in range(face.height)]
    runs = [len(run) for run in "".join("b" if low > 200 else " " for low in rows).split()]
    return max(runs) / DPI * 25.4


def test_window_of_tucked_card_uses_remaining_room(tmp_path: Path) -> None:
    assert most_blank(face_of("mod/hollow-points", tmp_path)) < 7


@pytest.mark.parametrize(("game", "piece"), [("beast", "watchtower/beacon"), ("beast", "step-card/north")])
def test_short_text_gives_larger_window(game: str, piece: str, tmp_path: Path) -> None:
    """A sixth of such cards was blank."""
    assert most_blank(face_of(piece, tmp_path, game)) < 13


def test_two_line_title_is_clear_of_next_line(tmp_path: Path) -> None:
    """The type line is further from the second line than that from the first."""
    face = face_of("request/odile-points", tmp_path)
    mm = DPI / 25.4
    head = face.crop((int(22 * mm), int(4 * mm), int(44 * mm), int(17.5 * mm)))
    light = [max(head.crop((0, y, head.width, y + 1)).tobytes()) > 200 for y in range(head.height)]
    gaps = [len(run) for run in "".join("w" if lit else " " for lit in light).strip().split("w") if run]
    assert len(gaps) == 2
    assert gaps[1] > gaps[0]
