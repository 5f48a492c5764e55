"""Pictures of packs are shown at their place, without anything hidden in them."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pypdf import PdfReader
from small_shop import shop

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.check import check
from fcbdsl.language.model.content import Art
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.pictures import MOST_BYTES, Unusable, picture_data, picture_of, picture_problems
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{}</svg>'
HILL = SVG.format('<path d="M0 9 5 2 10 9Z"/>')


def png(width: int = 2, height: int = 2) -> bytes:
    """Return a gray picture; its data fit only a size of two by two pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0\x80\x80" * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def art(folder: Path, data: bytes | str, name: str = "hill.svg", credit: str = "A. Maker") -> Art:
    """Return a picture that a source of that folder names."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return Art(name, Span(Source(str(folder / "shop.fcb"), ""), 0, 0), {"en": "A hill", "fr": "Une colline"}, credit)


def with_art(made: Art) -> Model:
    """Return the shop, whose rope has a picture."""
    model = shop()
    model.definitions["tool", "rope"].art = made
    return model


def why_not(made: Art) -> str:
    """Return why a picture is refused."""
    with pytest.raises(Unusable) as error:
        picture_data(made)
    return str(error.value)


@pytest.mark.parametrize(("data", "form"), [(HILL.encode(), "svg"), (png(), "png")])
def test_picture_is_printed_with_credit(tmp_path: Path, data: bytes, form: str) -> None:
    model = with_art(art(tmp_path, data, f"art/hill.{form}"))
    assert not list(picture_problems(model, ["en", "fr"]))
    card, _ = card_of(model.definitions["tool", "rope"], model, "fr")
    assert card.picture is not None
    assert (card.picture.alt, card.picture.credit) == ("Une colline", "A. Maker")
    made = render(model, (), "en", "a4", "pdf", tmp_path / "out")
    assert not [problem for problem in made.problems if problem.severity == "error"]
    words = "\n".join(page.extract_text() for path in made.files for page in PdfReader(path).pages)
    assert "Pictures: A. Maker" in words
    (html,) = render_page(model, ("rope",), "en", tmp_path / "web").files
    assert "data:image/" in html.read_text(encoding="utf-8")
    assert 'alt="A hill"' in html.read_text(encoding="utf-8")


def test_printed_files_contain_no_local_path(tmp_path: Path) -> None:
    model = with_art(art(tmp_path, HILL))
    printed = (render(model, ("rope",), "en", "a4", "pdf", tmp_path), render_page(model, ("rope",), "en", tmp_path))
    for path in (path for made in printed for path in made.files):
        assert str(tmp_path).encode() not in path.read_bytes()


def test_picture_at_other_path_prints_equally(tmp_path: Path) -> None:
    printed = [
        render(with_art(art(tmp_path / place, HILL)), ("rope",), "en", "a4", "pdf", tmp_path / place / "out").files[0]
        for place in ("here", "there")
    ]
    assert printed[0].read_bytes() == printed[1].read_bytes()


@pytest.mark.parametrize(
    ("inside", "says"),
    [
        ("<script>1</script>", "`script`"),
        ("<style>*{}</style>", "`style`"),
        ("<foreignObject/>", "`foreignObject`"),
        ('<image href="#a"/>', "`image`"),
        ('<rect onclick="1"/>', "runs something"),
        ('<use href="other.svg#a"/>', "outside itself"),
        ('<use xmlns:x="http://www.w3.org/1999/xlink" x:href="//h/a"/>', "outside itself"),
        ('<rect fill="url(http://h/a)"/>', "outside itself"),
        ("<rect style=\"fill: URL( 'h' )\"/>", "outside itself"),
        ('<animate attributeName="x"/>', "`animate`"),
        ("<g>" * 21_000 + "</g>" * 21_000, "elements"),
        ("<g>", "well-formed"),
    ],
)
def test_active_svg_picture_is_refused(tmp_path: Path, inside: str, says: str) -> None:
    assert says in why_not(art(tmp_path, SVG.format(inside)))


def test_svg_references_are_supported(tmp_path: Path) -> None:
    inside = '<defs><linearGradient id="a"><stop/></linearGradient></defs><rect fill="url(#a)" width="9" height="9"/>'
    assert picture_data(art(tmp_path, SVG.format(inside)))[1] == "svg"


def test_svg_doctype_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + SVG.format("<text>&a;</text>")
    assert "document type" in why_not(art(tmp_path, bomb))


def test_svg_in_other_encoding_is_refused(tmp_path: Path) -> None:
    """A document type in UTF-16 was not found, and neither Typst nor browsers read what was checked."""
    hidden = "<!-- \u733c\u6776 --><!DOCTYPE svg [<!ENTITY a 'b'>]>" + SVG.format("<rect width='9' height='9'/>")
    assert b"<svg" in hidden.encode("utf-16-le")[:64]
    for data in (b"\xff\xfe" + hidden.encode("utf-16-le"), SVG.format("<g id='\xe9'/>").encode("latin-1")):
        assert why_not(art(tmp_path, data)) == "it is not written in UTF-8"


@pytest.mark.parametrize("name", ["../hill.svg", "/etc/passwd", "a/../../hill.svg", "C:\\hill.svg"])
def test_picture_is_in_folder_of_source(tmp_path: Path, name: str) -> None:
    made = Art(name, Span(Source(str(tmp_path / "pack" / "shop.fcb"), ""), 0, 0), {}, "")
    (tmp_path / "hill.svg").write_text(HILL)
    assert "outside" in why_not(made)


def test_link_out_of_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hill.svg").write_text(HILL)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "hill.svg").symlink_to(tmp_path / "hill.svg")
    assert "outside" in why_not(Art("hill.svg", Span(Source(str(tmp_path / "pack" / "x.fcb"), ""), 0, 0), {}, ""))


def test_too_large_picture_is_refused(tmp_path: Path) -> None:
    assert "pixels" in why_not(art(tmp_path, png(9000, 9000), "hill.png"))
    assert "bytes" in why_not(art(tmp_path, b"\0" * (MOST_BYTES + 1), "hill.png"))


def test_jpeg_size_is_read_from_frame_header(tmp_path: Path) -> None:
    frame = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08" + struct.pack(">HH", 9000, 9000) + b"\x01\x01\x11\x00"
    frame += b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"  # the header of the scan
    assert "pixels" in why_not(art(tmp_path, frame, "hill.jpg"))
    assert "cannot be decoded" in why_not(art(tmp_path, b"\xff\xd8\xff\xd9", "hill.jpg"))


def test_other_file_types_are_refused(tmp_path: Path) -> None:
    assert "neither" in why_not(art(tmp_path, b"BM......", "hill.bmp"))
    missing = Art("none.png", Span(Source(str(tmp_path / "x.fcb"), ""), 0, 0), {}, "")
    assert why_not(missing)


def test_piece_with_missing_picture_is_left_out_and_reported(tmp_path: Path) -> None:
    model = with_art(art(tmp_path, HILL))
    (tmp_path / "hill.svg").unlink()
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path / "out")
    assert ([problem.code for problem in made.problems], made.left_out) == (["FCB0717"], ("tool/rope",))


def test_damaged_picture_is_reported_before_printing(tmp_path: Path) -> None:
    (problem,) = picture_problems(with_art(art(tmp_path, png()[:40], "hill.png")), ["en", "fr"])
    assert problem.code == "FCB0717"


def test_picture_has_alt_text_and_credit(tmp_path: Path) -> None:
    (problem,) = picture_problems(with_art(art(tmp_path, HILL, credit="")), ["en", "fr", "de"])
    assert (problem.code, problem.arguments["what"]) == ("FCB0718", "description in de and no credit")


def references(begin: str, each: str, count: int) -> str:
    """Return a drawing with parts that refer to the previous part, and a shape that refers to the last."""
    parts = "".join(each.format(at=at, before=at - 1) for at in range(1, count))
    return SVG.format(f"<defs>{begin}{parts}</defs>" + f'<rect width="9" height="9" clip-path="url(#p{count - 1})"/>')


CLIPS = '<clipPath id="p{at}" clip-path="url(#p{before})"><rect width="9" height="9"/></clipPath>'


@pytest.mark.parametrize(
    ("drawing", "says"),
    [
        (references('<clipPath id="p0"><rect width="9" height="9"/></clipPath>', CLIPS, 2000), "more than 8 times"),
        (SVG.format('<pattern id="a"><rect fill="url(#a)"/></pattern><rect fill="url(#a)"/>'), "refers to itself"),
        (
            references(
                '<mask id="p0"><rect width="9" height="9"/></mask>',
                '<mask id="p{at}">' + '<rect mask="url(#p{before})"/>' * 12 + "</mask>",
                7,
            ),
            "elements, each counted",
        ),
        (SVG.format("<text>a</text>" * 600), "elements with text"),
        (SVG.format(f"<text>{'a' * 30_000}</text>"), "letters"),
        (SVG.format('<path d="M0 0 L 1e308 1e308 NaN"/>'), "no number"),
        (SVG.format('<path d="M0 0 L 1e308 1e308"/>'), "beyond 1,000,000"),
        (SVG.format('<rect width="inf" height="2"/>'), "no number"),
        (SVG.format('<path d="M0 0 L 1 1 ?"/>'), "neither a number nor a command"),
    ],
)
def test_svg_is_bounded(tmp_path: Path, drawing: str, says: str) -> None:
    assert says in why_not(art(tmp_path, drawing))


def test_svg_text_without_glyphs_is_refused(tmp_path: Path) -> None:
    """Check passed it, and then no PDF could be made."""
    drawing = SVG.format('<text y="9" font-size="4">\U00013000</text>')
    (problem,) = picture_problems(with_art(art(tmp_path, drawing)), ["en", "fr"])
    assert problem.arguments["why"] == 'the text `"\U00013000"` could not be displayed with a font'


@pytest.mark.parametrize("inside", ["", "<g/>", '<rect x="90" y="90" width="5" height="5"/>', '<path d="M1 1"/>'])
def test_empty_svg_is_refused(tmp_path: Path, inside: str) -> None:
    (problem,) = picture_problems(with_art(art(tmp_path, SVG.format(inside))), ["en", "fr"])
    assert problem.arguments["why"] == "it draws nothing"


def encoded(form: str, mode: str = "RGB", **more: Any) -> bytes:
    """Return a small picture in one color, encoded by Pillow."""
    out = io.BytesIO()
    Image.new(mode, (8, 4), 200 if mode in ("1", "L", "P", "I;16") else (200, 30, 30, 128)[: len(mode)]).save(
        out, form, **more
    )
    return out.getvalue()


def printed_bytes(made: Art) -> bytes:
    """Return the printed bytes of a picture."""
    model = with_art(made)
    picture = picture_of(model.definitions["tool", "rope"], "en")
    assert picture is not None
    return picture.place.read_bytes()


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA", "P", "I;16", "1"])
def test_png_metadata_is_removed(tmp_path: Path, mode: str) -> None:
    info = PngInfo()
    info.add_text("Comment", "secret place")
    before = encoded("PNG", mode, pnginfo=info, dpi=(300, 300))
    after = printed_bytes(art(tmp_path, before, "hill.png"))
    assert set(chunks(after)) <= {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    assert b"secret" not in after
    shown = [Image.open(io.BytesIO(picture)).convert("RGBA").getpixel((0, 0)) for picture in (before, after)]
    assert shown[0] == shown[1]


def chunks(data: bytes) -> list[bytes]:
    """Return the names of the chunks of a PNG."""
    names, at = [], 8
    while at < len(data):
        names.append(data[at + 4 : at + 8])
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return names


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_jpeg_is_rotated_and_metadata_removed(tmp_path: Path, mode: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # it is rotated
    exif[0x010E] = "secret place"
    after = printed_bytes(art(tmp_path, encoded("JPEG", mode, exif=exif), "hill.jpg"))
    assert b"secret" not in after
    assert Image.open(io.BytesIO(after)).size == (4, 8)


def test_color_profile_is_bounded(tmp_path: Path) -> None:
    profile = b"\0" * 5_000_000
    assert "too large" in why_not(art(tmp_path, encoded("PNG", icc_profile=profile), "hill.png"))


def test_pixels_of_project_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "PIXELS", 40)
    model = with_art(art(tmp_path, encoded("PNG"), "hill.png"))
    other = next(definition for definition in model.definitions.values() if definition.art is None)
    other.art = art(tmp_path, encoded("PNG"), "same.png")
    assert not list(picture_problems(model, ["en", "fr"]))
    other.art = art(tmp_path, encoded("PNG", "L"), "other.png")
    (problem,) = picture_problems(model, ["en", "fr"])
    assert problem.arguments["why"] == "with it the pictures have 64 pixels, and 40 are allowed"


def two_colors() -> bytes:
    """Return a picture with a red upper and a blue lower half."""
    image = Image.new("RGB", (400, 800), "#ff0000")
    image.paste("#0000ff", (0, 400, 400, 800))
    file = io.BytesIO()
    image.save(file, "png")
    return file.getvalue()


@pytest.mark.parametrize(
    ("crop", "focus", "red", "blue"),
    [
        ((0, 0, 100, 50), (50, 50), True, False),
        ((0, 50, 100, 50), (50, 50), False, True),
        ((0, 0, 100, 100), (50, 0), True, False),
        ((0, 0, 100, 100), (50, 100), False, True),
        ((0, 0, 100, 100), (50, 50), True, True),
    ],
)
def test_window_shows_crop_around_focus(
    tmp_path: Path, crop: tuple[int, ...], focus: tuple[int, ...], red: bool, blue: bool
) -> None:
    made = art(tmp_path, two_colors(), "hill.png")
    made.crop, made.focus = crop, focus
    done = render(with_art(made), ("rope",), "en", "a4", "png", tmp_path / "out", Options(dpi=36))
    with Image.open(next(path for path in done.files if "contents" not in path.name)) as page:
        colors = {color for _, color in page.convert("RGB").getcolors(10**6) or []}
    assert ((255, 0, 0) in colors, (0, 0, 255) in colors) == (red, blue)


GAME = """system fen "Fen":
  players: 1
  board: hex
  languages: en
kind tool is card:
  name: "tool", plural "tools"
tool rope "Rope":
  art: "hill.svg", "A hill", credit "A. Maker"{}
"""


def read(more: str) -> tuple[Art | None, list[Diagnostic]]:
    """Return the picture of a card with more text in its line, and its problems."""
    loader = Loader(Project())
    loader.use("core")
    file, problems = parse(Source("fen.fcb", GAME.format(more)))
    made, reported = check([*loader.files(), file])
    return made.definitions["tool", "rope"].art, [*problems, *reported]


@pytest.mark.parametrize(
    ("more", "crop", "focus"),
    [
        ("", (0, 0, 100, 100), (50, 50)),
        (', crop "10 0 80 60"', (10, 0, 80, 60), (50, 50)),
        (', fr "Une colline", focus "50 30"', (0, 0, 100, 100), (50, 30)),
        (', focus "0 100", crop "0 0 100 100"', (0, 0, 100, 100), (0, 100)),
    ],
)
def test_crop_and_focus_are_read(more: str, crop: tuple[int, ...], focus: tuple[int, ...]) -> None:
    made, problems = read(more)
    assert problems == []
    assert made is not None
    assert (made.crop, made.focus) == (crop, focus)


@pytest.mark.parametrize(
    "more",
    ['crop "10 0 80"', 'crop "30 0 80 60"', 'crop "0 0 0 50"', 'focus "50 101"', 'focus "left"', 'focus "-1 0"'],
)
def test_crop_or_focus_outside_picture_is_error(more: str) -> None:
    made, (problem, *_) = read(f", {more}")
    assert made is None
    assert problem.severity == "error"
    assert "in percent of the picture" in str(problem.arguments["form"])
