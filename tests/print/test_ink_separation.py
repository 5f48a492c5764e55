"""Ink separation: the inks of words, and the ink limit of a profile."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import typst
from pypdf import PdfReader
from small_shop import shop

from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.typeset.ink_separation import CannotSeparate, InkOfProfile, drawn_words

COLORS = r"""#set document(title: "Colors")
#set text(size: 20pt, fill: cmyk(0%, 0%, 0%, 100%))
key #text(fill: cmyk(0%, 0%, 0%, 65%))[grey] #text(fill: white)[left] #text(fill: rgb("#ffffff"))[bare]
#text(fill: cmyk(30%, 0%, 0%, 100%))[rich] #text(fill: rgb("#1b1e21"))[mixed] #text(fill: luma(0))[pigment]
#text(fill: gradient.linear(red, blue))[rainbow] #text(fill: white, stroke: 1pt + red)[rimmed]
#pagebreak() second #text(fill: red)[scarlet lake] key
#image(bytes("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 20'><g opacity='0.5'>
<text x='0' y='16' font-family='Libertinus Serif' fill='#00f'>X</text></g></svg>"), format: "svg")
"""


def test_text_in_several_inks_is_found() -> None:
    words = drawn_words(typst.Compiler(COLORS.encode()).compile(format="pdf"))
    assert words.count == 14
    assert words.colored == {
        "rich": 1, "mixed": 1, "pigment": 1, "rainbow": 1, "rimmed": 1, "scarlet": 2, "lake": 2, "X": 2,
    }  # fmt: skip


def test_every_word_is_checked_for_ink(tmp_path: Path) -> None:
    (made, *_) = render(shop(), ("rope", "hammer"), "en", "a4", "pdf", tmp_path).files
    words = drawn_words(made.read_bytes())
    text = " ".join(page.extract_text() for page in PdfReader(made).pages)
    assert {"Shift", "everything"} <= words.colored.keys()
    assert "HAMMER" not in words.colored  # left white
    assert words.count >= len(text.split())


def test_text_not_in_black_ink_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = shop()
    options = Options(prepress=True)
    assert [
        note
        for note in render(model, ("rope",), "en", "a4", "pdf", tmp_path, options).notes
        if "cards-rope: all " in note
    ]
    model.layouts["tool"].settings["color"] = (("#777777",),)
    model.layouts["tool"].settings["back color"] = (("#ffef00",),)
    monkeypatch.setattr("fcbdsl.print.pieces.cards.ink_on", lambda _: "#ffe9b0")  # cream instead of white
    notes = render(model, ("rope",), "en", "a4", "pdf", tmp_path, options).notes
    (note,) = [note for note in notes if note.startswith("cards-rope: of ")]
    assert "some are neither in black ink alone nor left white: " in note
    assert "ROPE (page 1)" in note
    assert "Shift" not in note


def profile_of(folder: Path, most: tuple[int, int, int, int] = (204, 173, 173, 230)) -> Path:
    """Return a profile of a press that prints black with `most` bytes of four inks, and white with none."""
    lab = struct.pack(">4sIBBBx", b"mft1", 0, 3, 4, 2)
    lab += struct.pack(">9i", *(65536 if at in (0, 4, 8) else 0 for at in range(9)))
    lab += bytes(range(256)) * 3
    lab += bytes(most) * 4 + bytes(4) * 4  # by lightness, whatever the hue
    lab += bytes(range(256)) * 4
    description = b"Even\0"
    name = struct.pack(">4s4xI", b"desc", len(description)) + description + bytes(80)
    head = bytearray(128)
    head[8], head[12:16], head[16:20], head[20:24], head[36:40] = 2, b"prtr", b"CMYK", b"Lab ", b"acsp"
    head[68:80] = struct.pack(">3I", 0xF6D6, 0x10000, 0xD32D)
    table, at = struct.pack(">I", 3), 128 + 4 + 3 * 12
    for tag, of in ((b"desc", name), (b"B2A0", lab), (b"B2A1", lab)):
        table += struct.pack(">4sII", tag, at, len(of))
        at += len(of)
    data = bytes(head) + table + name + lab + lab
    path = folder / "even.icc"
    path.write_bytes(struct.pack(">I", len(data)) + data[4:])
    return path


def picture(*pixels: bytes) -> bytes:
    """Return a PNG of one row."""
    from io import BytesIO

    from PIL import Image

    made = BytesIO()
    Image.frombytes("RGB", (len(pixels), 1), b"".join(pixels)).save(made, "png")
    return made.getvalue()


def test_profile_gives_ink_of_color(tmp_path: Path) -> None:
    ink = InkOfProfile(profile_of(tmp_path).read_bytes())
    black, white = bytes(3), b"\xff" * 3
    assert ink(picture(black, white), picture(black, white)) == pytest.approx((153, 306), abs=1)
    # the parts that the second picture lacks are in black ink alone
    assert ink(picture(black, white), picture(white, white)) == pytest.approx((50, 100), abs=1)
    assert ink(picture(white), picture(white)) == pytest.approx((0, 0), abs=1)
    with pytest.raises(CannotSeparate):
        InkOfProfile(profile_of(tmp_path).read_bytes().replace(b"B2A0", b"none").replace(b"B2A1", b"nono"))


def test_ink_limit_comes_from_the_press_profile_or_is_the_lowest(tmp_path: Path) -> None:
    def told(profile: Path | None) -> tuple[int, str]:
        options = Options(one_up=True, prepress=True, profile=profile)
        notes = render(shop(), ("rope",), "en", "a4", "pdf", tmp_path, options).notes
        backs = next(note for note in notes if note.startswith("Ink of backs"))
        return int(backs.split()[3]), next(note for note in notes if "reckoned by" in note)

    plain, note = told(None)
    assert "is the least that it can be" in note
    more, note = told(profile_of(tmp_path))
    assert "by the profile “Even”" in note
    assert more > 1.5 * plain
