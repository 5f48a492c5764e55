"""The outline print that saves ink, and the calibration page."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader
from small_shop import shop

from fcbdsl.base import locales
from fcbdsl.cli.main import PROBLEMS
from fcbdsl.print.layout.formats import papers
from fcbdsl.print.press.calibration import calibration_of
from fcbdsl.print.press.options import Options, refusals
from fcbdsl.print.press.press import calibrate, render
from fcbdsl.print.typeset.pixels import ink_of, opaque, rows_of


def png(rows: list[bytes], filters: list[int], channels: int) -> bytes:
    """Return a PNG with the given filters of its rows (PNG, section 9)."""
    packed, above = bytearray(), bytes(len(rows[0]))
    for row, sort in zip(rows, filters, strict=True):
        packed.append(sort)
        for at, value in enumerate(row):
            left = row[at - channels] if at >= channels else 0
            corner = above[at - channels] if at >= channels else 0
            near = min((left, above[at], corner), key=lambda neighbor: abs(left + above[at] - corner - neighbor))
            guess = (0, left, above[at], (left + above[at]) // 2, near)[sort]
            packed.append((value - guess) & 255)
        above = row
    head = struct.pack(">IIBBBBB", len(rows[0]) // channels, len(rows), 8, 2 if channels == 3 else 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(packed))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + b"crc." for name, data in chunks
    )


@given(st.sampled_from([3, 4]), st.data())
def test_png_filters_are_decoded(channels: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 5)) * channels
    rows = data.draw(st.lists(st.binary(min_size=size, max_size=size), min_size=1, max_size=5))
    filters = data.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    assert list(rows_of(png(rows, filters, channels))) == rows


@given(st.data())
def test_opaque_picture_has_no_alpha(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 5))
    rows = data.draw(st.lists(st.binary(min_size=3 * width, max_size=3 * width), min_size=1, max_size=5))
    filters = data.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    full = [b"".join(row[at : at + 3] + b"\xff" for at in range(0, len(row), 3)) for row in rows]
    made = opaque(png(full, filters, 4))
    assert made[25] == 2
    assert list(rows_of(made)) == rows
    assert opaque(made) == made
    glass = [bytearray(row) for row in full]
    at, along = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, width - 1))
    glass[at][4 * along + 3] = data.draw(st.integers(0, 254))
    through = png([bytes(row) for row in glass], filters, 4)
    assert opaque(through) == through


@pytest.mark.parametrize(
    ("pixels", "ink"),
    [
        (b"\xff\xff\xff" * 4, (0, 0)),
        (b"\x00\x00\x00" * 4, (100, 100)),
        (b"\x00\xff\xff" * 4, (100, 100)),
        (b"\xff\x00\x00" * 4, (200, 200)),
        (b"\xff\x00\x00" + b"\xff\xff\xff" * 3, (50, 200)),
    ],
)
def test_ink_is_missing_light(pixels: bytes, ink: tuple[float, float]) -> None:
    assert ink_of(png([pixels], [0], 3)) == pytest.approx(ink)


@pytest.mark.parametrize("size", ["card", "board", "mini", "square"])
def test_ink_save_uses_less_than_a_tenth(size: str, tmp_path: Path) -> None:
    model = shop()
    model.layouts["tool"].settings |= {"size": ((size,),), "back shows": (("weight",), ("make",))}
    spent = {}
    for ink in ("full", "save"):
        made = render(
            model, ("rope",), "en", "a4", "png", tmp_path / ink, Options(one_up=True, bleed=0, dpi=60, ink=ink)
        )
        spent[ink] = [ink_of(side.read_bytes())[0] for side in made.files]
        assert made.problems == ()
    for saved, full in zip(spent["save"], spent["full"], strict=True):
        assert saved < 10 < full


@pytest.mark.long
def test_sheet_heads_save_ink(tmp_path: Path) -> None:
    spent = {}
    for ink in ("full", "save"):
        made = render(shop(), ("siege",), "en", "a4", "png", tmp_path / ink, Options(dpi=60, ink=ink))
        spent[ink] = ink_of(made.files[0].read_bytes())[0]
    assert spent["save"] < spent["full"] - 5


def test_ink_saving_backs_keep_words_and_numbers(tmp_path: Path) -> None:
    model = shop()
    model.layouts["tool"].settings["back shows"] = (("weight",), ("make",))
    (pdf,) = render(model, ("rope",), "en", "a4", "pdf", tmp_path, Options(ink="save")).files
    behind = PdfReader(pdf).pages[1].extract_text()
    assert all(word in behind for word in ("TOOL", "WOOD", "1"))


def test_ink_option_is_refused_for_html() -> None:
    assert "--ink" in next(refusals(Options(ink="save"), "html"))
    assert "There is no amount of ink 'none'" in next(refusals(Options(ink="none"), "pdf"))


@pytest.mark.parametrize("paper", list(papers()))
@pytest.mark.parametrize("backs", ["long", "short", "separate"])
def test_calibration_scales_align_with_crosses(paper: str, backs: str) -> None:
    made = calibration_of(Options(paper=paper, backs=backs), "en")
    for (x, y), (behind_x, behind_y) in zip(made.crosses, made.scales, strict=True):
        if backs == "short":
            assert (behind_x, made.height - behind_y) == pytest.approx((x, y))
        else:
            assert (made.width - behind_x, behind_y) == pytest.approx((x, y))
    moved = calibration_of(Options(paper=paper, backs=backs, offset=(1.5, -2.0)), "en")
    assert moved.crosses == made.crosses
    assert list(moved.scales) == [pytest.approx((x + 1.5, y - 2.0)) for x, y in made.scales]


@pytest.mark.parametrize("language", locales.rules_languages())
def test_calibration_page_has_instructions(language: str, tmp_path: Path) -> None:
    (pdf,) = calibrate(Options(backs="short", offset=(0.5, 0)), language, "pdf", tmp_path)
    face, back = (" ".join(page.extract_text().split()) for page in PdfReader(pdf).pages)
    assert "100 mm" in face.replace("\u202f", " ")
    assert {"en": "short edge", "fr": "petit côté", "de": "kurze Kante"}[language] in face
    assert "--offset X,Y" in back
    assert "--offset 0.5,0" in back
    assert "Moved" not in calibration_of(Options(), "en").words["now"]


def test_calibration_needs_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from fcbdsl.cli.render_command import command

    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    done = runner.invoke(command, ["--calibrate", "--to", "png", "--dpi", "40", "-o", "out"])
    assert done.exit_code == 0
    assert [path.name for path in sorted((tmp_path / "out").iterdir())] == ["calibration-01.png", "calibration-02.png"]
    for more in (["rope"], ["--backs", "fold"], ["--to", "html"], ["--one-up"]):
        refused = runner.invoke(command, ["--calibrate", "-o", "out", *more])
        assert refused.exit_code not in (0, PROBLEMS)
        assert "--calibrate" in refused.output


def test_prepress_text_is_black_only(tmp_path: Path) -> None:
    plain = render(shop(), ("rope",), "en", "a4", "pdf", tmp_path / "a")
    press = render(shop(), ("rope",), "en", "a4", "pdf", tmp_path / "b", Options(prepress=True))
    blacks = []
    for made in (plain, press):
        drawn = PdfReader(made.files[0]).pages[0].get_contents().get_data()
        blacks.append((b"0 0 0 1 k" in drawn, b"0.105882354 0.11764706 0.12941177" in drawn))
    assert blacks == [(False, True), (True, False)]
    assert plain.notes == ()
    faces, backs, *rest = press.notes
    assert "Ink of faces:" in faces
    assert "(tool/rope)" in backs
    assert "no PDF/X" in " ".join(rest)
    assert "--prepress" in next(refusals(Options(prepress=True), "png"))


def test_reported_ink_is_that_of_the_pieces(tmp_path: Path) -> None:
    options = Options(one_up=True, bleed=0, dpi=36)
    made = render(shop(), ("rope",), "en", "a4", "png", tmp_path, options)
    means = [ink_of(path.read_bytes())[0] for path in made.files]
    notes = render(shop(), ("rope",), "en", "a4", "pdf", tmp_path, Options(prepress=True)).notes
    assert [f"{mean:.0f} % on average" in note for mean, note in zip(means, notes, strict=False)] == [True, True]


@pytest.mark.parametrize(("backs", "upright"), [("long", True), ("short", False), ("separate", True), ("fold", False)])
def test_short_edge_backs_are_rotated(backs: str, upright: bool, tmp_path: Path) -> None:
    made = render(shop(), ("rope",), "en", "a4", "pdf", tmp_path, Options(backs=backs))
    behind = PdfReader(made.files[-1]).pages[-1]
    leaning: dict[str, bool] = {}

    def see(text: str, matrix: list[float], of_text: list[float], *_: object) -> None:
        leaning[text.strip()] = matrix[0] * of_text[0] > 0

    behind.extract_text(visitor_text=see)
    assert leaning["TOOL"] == upright
    if backs == "fold":
        assert leaning["ROPE"]


@pytest.mark.parametrize("size", ["card", "board", "wide-board", "large-board"])
def test_faces_and_backs_fill_bleed(size: str, tmp_path: Path) -> None:
    model = shop()
    model.layouts["tool"].settings["size"] = ((size,),)
    made = render(model, ("rope",), "en", "a4", "png", tmp_path, Options(one_up=True, bleed=3, dpi=40))
    for path in made.files:
        rows = list(rows_of(path.read_bytes()))
        rim = [rows[1], rows[-2], *(row[3:6] + row[-6:-3] for row in rows)]
        assert all(row[at : at + 3] != b"\xff\xff\xff" for row in rim for at in range(0, len(row), 3)), path.name


def test_list_marker_is_beside_text(tmp_path: Path) -> None:
    model = shop()
    model.definitions["tool", "rope"].text = {"en": "- Hum\n- Hum"}
    options = Options(one_up=True, bleed=0, dpi=150)
    (face, *_) = render(model, ("rope",), "en", "a4", "png", tmp_path, options).files
    rows = [[row[at : at + 3] for at in range(0, len(row), 3)] for row in rows_of(face.read_bytes())]
    rows = rows[len(rows) // 4 :]  # below the head
    left = 63 * 150 // 254  # the marks lie within so many pixels, and the words begin behind them
    red = [at for at, row in enumerate(rows[:-40]) if sum(_is_red(pixel) for pixel in row[:left]) > 1]
    dark = [at for at, row in enumerate(rows[:-40]) if any(max(pixel) < 60 for pixel in row[left : left + 80])]
    marks, lines = _stretches(red)[1:3], _stretches(dark)[-2:]
    assert len(marks) == 2
    for mark, line in zip(marks, lines, strict=True):
        assert line[0] < sum(mark) / 2 < line[1]


def _is_red(pixel: bytes) -> bool:
    red, green, blue = pixel
    return red > 90 and green < 80 and blue < 80


def _stretches(rows: list[int]) -> list[tuple[int, int]]:
    """Return the first and the last of consecutive rows."""
    stretches: list[tuple[int, int]] = []
    for row in rows:
        if stretches and row == stretches[-1][1] + 1:
            stretches[-1] = (stretches[-1][0], row)
        else:
            stretches.append((row, row))
    return stretches


def test_png_contains_dpi(tmp_path: Path) -> None:
    for dpi in (72, 300):
        (file, *_) = render(shop(), ("rope",), "en", "a4", "png", tmp_path / str(dpi), Options(dpi=dpi)).files
        with Image.open(file) as page:
            assert [round(value) for value in page.info["dpi"]] == [dpi, dpi]
