"""Drawings, fonts, sizes and colors of a pack are used where they are named, checked, and contain nothing else."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
from games import ROOT
from games import model as shipped
from pypdf import PdfReader
from pypdf.generic import DictionaryObject
from small_shop import PUSH, SPAN, shop

from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.content import Layout
from fcbdsl.language.model.declarations import Wording
from fcbdsl.language.model.texts import texts_of
from fcbdsl.language.model.whole import Model
from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.layout.views import Card
from fcbdsl.print.pieces.assets import drawing_of, sizes_of
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.looks import check_looks, look_of_kind, style_of, symbol_of
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.pieces.stamps import stamp_of
from fcbdsl.print.press.press import render
from fcbdsl.print.press.proofs import fit_problems, render_piece
from fcbdsl.print.typeset.glyphs import FONTS
from fcbdsl.project.analysis.pipeline import analysis_of
from fcbdsl.project.project import check_project, load_project

EXAMPLE = ROOT / "docs" / "looks"
FONT = EXAMPLE / "cards" / "fonts" / "PirataOne-Regular.ttf"
ANCHOR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'
BAR = '<path d="M2 2h20v4H2z"/>'


@cache
def example() -> Model:
    """Return the example of the documentation."""
    model, problems = check_project(root=EXAMPLE)
    assert problems == []
    return model


def with_layout(folder: Path, kind: str, **lines: tuple[str | tuple[str, ...], ...]) -> Model:
    """Return the shop with a layout from a source of that folder."""
    model = shop()
    settings = {
        name: tuple((part,) if isinstance(part, str) else part for part in parts) for name, parts in lines.items()
    }
    model.layouts[kind] = Layout(kind, Span(Source(str(folder / "looks.fcb"), "looks"), 0, 0), settings)
    return model


def codes(model: Model) -> list[str]:
    return [problem.code for problem in check_looks(model)]


def why(model: Model) -> str:
    (problem,) = check_looks(model)
    assert problem.code == "FCB0725"
    return problem.message


# ── the example ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_example_prints_on_paper_and_web(tmp_path: Path) -> None:
    made = render(example(), (), "fr", "a4", "pdf", tmp_path)
    assert [problem.message for problem in made.problems] == []
    pages = PdfReader(made.files[0])
    assert "PirataOne" in str([font for page in pages.pages for font in _fonts(page)])
    text = PdfReader(made.files[1]).pages[0].extract_text()
    assert "Dessins et polices" in text
    assert "Pirata One by R. Fuenzalida" in text
    html = render_page(example(), (), "en", tmp_path).files[0].read_text(encoding="utf-8")
    assert html.count('<symbol id="drawing-') == html.count("<symbol ")
    assert 'd="M12 7v14.4M7.4 10.4h9.2"' in html
    assert "Pirata One by R. Fuenzalida" in html
    assert fit_problems(example(), printable(example())) == []


def _fonts(page: object) -> list[str]:
    return [str(font.get_object()["/BaseFont"]) for font in page["/Resources"]["/Font"].values()]  # type: ignore[index]


def test_custom_size_is_page_size(tmp_path: Path) -> None:
    from fcbdsl.print.press.options import Options

    made = render(example(), ("bell",), "en", "a4", "pdf", tmp_path, Options(one_up=True, bleed=0))
    box = PdfReader(made.files[0]).pages[0].mediabox
    assert (round(float(box.width) / 72 * 25.4, 1), round(float(box.height) / 72 * 25.4, 1)) == (59.0, 92.0)


def test_print_does_not_depend_on_machine(tmp_path: Path) -> None:
    printed = []
    for name in ("one", "two"):
        shutil.copytree(EXAMPLE, tmp_path / name)
        model, _ = check_project(root=tmp_path / name)
        made = [
            *render(model, (), "en", "a4", "pdf", tmp_path / f"{name}-out").files,
            *render_page(model, (), "en", tmp_path / f"{name}-web").files,
        ]
        printed.append([path.read_bytes() for path in made])
        assert not any(str(tmp_path).encode() in data for data in printed[-1])
    assert printed[0] == printed[1]


def test_stamps_change_with_drawing_and_font(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "pack")

    def stamp() -> str:
        model, _ = check_project(root=tmp_path / "pack")
        return stamp_of(render_piece(model.definitions["storm", "gale"], model, "en").view)

    before = stamp()
    assert stamp() == before
    icon = tmp_path / "pack" / "cards" / "icons" / "anchor.svg"
    icon.write_text(icon.read_text().replace("2.4", "2.5"))
    drawn = stamp()
    assert drawn != before
    font = tmp_path / "pack" / "cards" / "fonts" / FONT.name
    font.write_bytes(font.read_bytes() + b"\0")
    assert stamp() != drawn


# ── drawings ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (ANCHOR.format("<script>1</script>"), "`script`"),
        (ANCHOR.format("<text>a</text>"), "`text`"),
        (ANCHOR.format('<g onload="1"/>'), "runs something"),
        (ANCHOR.format('<path d="M0 0" style="fill:red"/>'), "`style`"),
        (ANCHOR.format('<path fill="url(#a)"/>'), "`fill`"),
        (ANCHOR.format('<path d="M0 0&quot;/&gt;"/>'), "`d`"),
        (ANCHOR.format('<g href="#a"/>'), "`href`"),
        (ANCHOR.replace("24 24", "48 48").format(BAR), "viewBox"),
        ("<!DOCTYPE svg>" + ANCHOR.format(BAR), "document type"),
        (ANCHOR.format(BAR * 800), "bytes"),
        ("GIF89a", "well-formed"),
    ],
)
def test_active_svg_is_refused(tmp_path: Path, data: str, says: str) -> None:
    (tmp_path / "bar.svg").write_text(data)
    model = with_layout(tmp_path, "icons", bar=("bar.svg", ("credit", "me")))
    assert says in why(model)
    made = render(model, (), "en", "a4", "pdf", tmp_path / "out")
    assert made.files == ()


def test_drawing_is_used_in_symbols_cards_and_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bar.svg").write_text(ANCHOR.format(f"<!-- a bar --><title>Bar</title><g id='x' class='y'>{BAR}</g>"))
    model = with_layout(tmp_path, "icons", bar=("bar.svg", ("credit", "me")))
    model.layouts["symbols"].settings["iron"] = (("bar",), ("#37474f",))
    model.layouts["tool"].settings["icon"] = (("bar",),)
    monkeypatch.setattr(PUSH, "texts", [Wording("en", None, "Shift {#bar} everything", SPAN)])
    assert codes(model) == []
    card, _ = card_of(model.definitions["tool", "hammer"], model, "en")
    head = ANCHOR.partition(">")[0] + ' fill="currentColor" aria-label="bar">'
    drawn = f'{head}<g><path d="M2 2h20v4H2z"></path></g></svg>'
    assert (card.drawing, card.back.drawing) == (drawn, drawn)
    rope = render_piece(model.definitions["tool", "rope"], model, "en").view
    assert isinstance(rope, Card)
    assert [run.text for line in rope.text for run in line.runs if run.style == "icon"] == [drawn]
    (pdf,) = render(model, ("rope",), "en", "a4", "pdf", tmp_path / "out").files
    assert b"(bar)" in _plain(pdf)
    (html,) = render_page(model, ("rope",), "en", tmp_path / "out").files
    assert 'aria-label="bar"><use href="#drawing-' in html.read_text(encoding="utf-8")


def _plain(pdf: Path) -> bytes:
    """Return the alternative texts of a document."""
    return b" ".join(b"(%s)" % str(element.get("/Alt")).encode() for element in _objects(PdfReader(pdf)))


def _objects(reader: PdfReader) -> list[DictionaryObject]:
    objects = [reader.get_object(at) for at in range(1, len(reader.xref_objStm) + len(reader.xref[0]))]
    return [item for item in objects if isinstance(item, DictionaryObject)]


def test_missing_drawing_is_reported_in_text() -> None:
    model = shop()
    model.forms[0] = replace(
        PUSH, texts=[Wording("en", None, "Shift {#geer}", SPAN), Wording("en", None, "{#gear}", SPAN)]
    )
    assert [(problem.code, problem.suggestion) for problem in check_looks(model)] == [("FCB0729", "gear")]


# ── fonts, sizes, names ────────────────────────────────────────────────────────────────────────


def changed_font(folder: Path, change: Callable[[TTFont], None]) -> None:
    with TTFont(FONT) as font:
        change(font)
        font.save(folder / "own.ttf")


def restricted(font: TTFont) -> None:
    font["OS/2"].fsType = 2


def renamed(font: TTFont) -> None:
    for record in font["name"].names:
        if record.nameID in (1, 16):
            record.string = "Cinzel"


@pytest.mark.parametrize(("change", "says"), [(restricted, "embedded"), (renamed, "already")])
def test_font_is_embedded_and_has_own_name(tmp_path: Path, change: Callable[[TTFont], None], says: str) -> None:
    changed_font(tmp_path, change)
    assert says in why(with_layout(tmp_path, "fonts", own=("own.ttf", ("credit", "me"))))


@pytest.mark.parametrize("data", [b"wOFF....", struct.pack(">IHHHH", 0x00010000, 9, 9, 9, 9), FONT.read_bytes()[:2000]])
def test_damaged_font_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "own.ttf").write_bytes(data)
    assert why(with_layout(tmp_path, "fonts", own=("own.ttf", ("credit", "me"))))


def in_table(tag: str, place: int, value: bytes, row: bool = False) -> bytes:
    """Return the font with other bytes in a table, or in the row of the table's place and length."""
    data = FONT.read_bytes()
    at = next(at for at in range(12, len(data), 16) if data[at : at + 4] == tag.encode())
    start = (at if row else int.from_bytes(data[at + 8 : at + 12])) + place
    return data[:start] + value + data[start + len(value) :]


def doubled(font: TTFont) -> None:
    """Make each letter of two parts, which have two parts each, and so on."""
    names = font.getGlyphOrder()[1:41]
    for name, part in pairwise(names):
        glyph = Glyph()
        glyph.numberOfContours = -1
        glyph.components = []
        for _ in range(2):
            component = GlyphComponent()
            component.glyphName, component.x, component.y, component.flags = part, 1, 1, 2
            glyph.components.append(component)
        font["glyf"].glyphs[name] = glyph
        glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
    for table in font["cmap"].tables:
        table.cmap = dict.fromkeys(table.cmap, names[0])
    font.recalcBBoxes = False


@pytest.mark.parametrize(
    "data",
    [
        FONT.read_bytes()[: FONT.stat().st_size // 2],
        in_table("glyf", 12, b"\xff" * 4, row=True),
        in_table("glyf", 8, b"\xff" * 4, row=True),
        in_table("loca", 40, b"\xff" * 40),
        in_table("head", 18, b"\0\0"),
        in_table("maxp", 4, b"\xff\xff"),
    ],
    ids=["half", "length", "place", "outlines", "em", "glyphs"],
)
def test_font_without_outlines_is_refused(tmp_path: Path, data: bytes) -> None:
    """Typst silently leaves such letters out, or takes another font."""
    (tmp_path / "own.ttf").write_bytes(data)
    assert "damaged" in why(with_layout(tmp_path, "fonts", own=("own.ttf", ("credit", "me"))))


def test_glyphs_of_too_many_parts_are_refused(tmp_path: Path) -> None:
    changed_font(tmp_path, doubled)
    assert "damaged" in why(with_layout(tmp_path, "fonts", own=("own.ttf", ("credit", "me"))))


def test_looks_file_is_beside_source_and_has_credit(tmp_path: Path) -> None:
    assert "outside" in why(with_layout(tmp_path, "icons", bar=("../bar.svg",)))
    (tmp_path / "bar.svg").write_text(ANCHOR.format(BAR))
    assert codes(with_layout(tmp_path, "icons", bar=("bar.svg",))) == ["FCB0726"]


def test_built_in_names_are_reserved(tmp_path: Path) -> None:
    (tmp_path / "bar.svg").write_text(ANCHOR.format(BAR))
    assert codes(with_layout(tmp_path, "icons", plain=("bar.svg", ("credit", "me")))) == ["FCB0727"]
    assert codes(with_layout(tmp_path, "sizes", tarot=("60", "90"))) == ["FCB0727"]


def test_drawing_of_the_pack_replaces_a_shipped_one_with_a_note(tmp_path: Path) -> None:
    """Otherwise, each new drawing of fcb would be an error in packs that already have this name."""
    (tmp_path / "bar.svg").write_text(ANCHOR.format(BAR))
    model = with_layout(tmp_path, "icons", skull=("bar.svg", ("credit", "me")))
    assert codes(model) == []
    assert drawing_of(model, "skull").startswith("<svg")
    assert drawing_of(model, "bell") == "bell"
    (note,) = [note for note in render(model, ("rope",), "en", "a4", "pdf", tmp_path).notes if "skull" in note]
    assert note == "Drawn as the pack has it, not as the press does: skull."


@pytest.mark.parametrize(
    "size", [("60",), ("60", "19"), ("60", "401"), ("60", "90", ("type", "9")), ("60mm", "90"), ("60", "90", "2")]
)
def test_size_is_bounded(tmp_path: Path, size: tuple[str, ...]) -> None:
    assert codes(with_layout(tmp_path, "sizes", mine=size)) == ["FCB0728"]


def test_size_can_have_fractions_and_larger_type(tmp_path: Path) -> None:
    model = with_layout(tmp_path, "sizes", mine=("57.5", "90", ("type", "1.2")))
    assert codes(model) == []
    assert (sizes_of(model)["mine"].width, sizes_of(model)["mine"].scale) == (57.5, 1.2)


# ── colors, and a font for text ────────────────────────────────────────────────────────────────


def test_colors_have_names(tmp_path: Path) -> None:
    model = with_layout(tmp_path, "colors", rust=("#8a3b1a",), sand=("#f4ead2",), pine=("#1d4e2f",))
    model.layouts["tool"].settings |= {"color": (("rust",),), "back color": (("pine",),)}
    model.layouts["symbols"].settings["iron"] = (("gear",), ("pine",), ("I",), ("fr", "F"))
    model.layouts["style"] = Layout("style", SPAN, {"paper": (("sand",),)})
    assert codes(model) == []
    card, _ = card_of(model.definitions["tool", "hammer"], model, "en")
    assert (card.colour, card.back.colour, card.style.paper) == ("#8a3b1a", "#1d4e2f", "#f4ead2")
    symbol = symbol_of(model, "iron", "")
    assert symbol is not None
    assert (symbol.colour, symbol.letter) == ("#1d4e2f", "I")
    texts = {text.key: text.text_in("en") for text in texts_of(model)}
    assert texts["layout/symbols/iron"] == "I"
    assert not [key for key in texts if key.startswith("layout/colors")]


@pytest.mark.parametrize("color", [("red",), ("#12345",), ("#123456", "#123456"), (("#123456", "x"),)])
def test_color_has_six_digits(tmp_path: Path, color: tuple[str | tuple[str, ...], ...]) -> None:
    assert codes(with_layout(tmp_path, "colors", rust=color)) == ["FCB0733"]


def test_unknown_color_is_reported_with_the_known_ones(tmp_path: Path) -> None:
    model = with_layout(tmp_path, "colors", rust=("#8a3b1a",))
    model.layouts["tool"].settings["color"] = (("rustt",),)
    assert [(problem.code, problem.suggestion) for problem in check_looks(model)] == [("FCB0706", "rust")]
    assert codes(with_layout(tmp_path, "colors", bearer=("#8a3b1a",))) == ["FCB0727"]


CUTS = {"plain": "400Regular", "bold": "700Bold", "italic": "400Regular_Italic"}


def with_text_font(folder: Path, *cuts: str) -> Model:
    """Return the shop with cuts of a pack's font: the press's own under another name and without a `z`."""
    lines = {}
    for cut in cuts:
        with TTFont(FONTS / f"SourceSans3_{CUTS[cut]}.ttf") as font:
            for record in font["name"].names:
                if record.nameID in (1, 16):
                    record.string = "Own Text"
                elif record.nameID == 6:
                    record.string = f"OwnText-{cut}"
            for table in font["cmap"].tables:
                table.cmap.pop(ord("z"), None)
            font.save(folder / f"{cut}.ttf")
        lines[cut] = (f"{cut}.ttf", ("credit", "me"))
    model = with_layout(folder, "fonts", **lines)
    model.layouts["style"] = Layout("style", SPAN, {"text": (("Own Text",),)})
    return model


@pytest.mark.long
def test_text_uses_font_of_pack(tmp_path: Path) -> None:
    model = with_text_font(tmp_path, *CUTS)
    assert codes(model) == []
    plain = stamp_of(render_piece(shop().definitions["tool", "rope"], shop(), "en").view)
    assert stamp_of(render_piece(model.definitions["tool", "rope"], model, "en").view) != plain
    for name in ("rope", "siege"):
        (pdf,) = render(model, (name,), "en", "a4", "pdf", tmp_path / "out").files
        used = str([font for page in PdfReader(pdf).pages for font in _fonts(page)])
        assert "OwnText-plain" in used
        assert "OwnText-bold" in used or name == "siege"
    (html,) = render_page(model, ("rope",), "en", tmp_path / "out").files
    faces = html.read_text(encoding="utf-8").count('@font-face { font-family: "Press"; ')
    assert faces == 6  # each cut beside that of the press, which has the letters that it lacks


@pytest.mark.parametrize("lacking", CUTS)
def test_text_font_needs_bold_and_italic(tmp_path: Path, lacking: str) -> None:
    model = with_text_font(tmp_path, *(cut for cut in CUTS if cut != lacking))
    (problem,) = check_looks(model)
    assert "a plain, a bold and an italic cut" in problem.message


def test_font_style_is_given_once(tmp_path: Path) -> None:
    model = with_text_font(tmp_path, *CUTS)
    shutil.copy(tmp_path / "bold.ttf", tmp_path / "again.ttf")
    model.layouts["fonts"].settings["again"] = (("again.ttf",), ("credit", "me"))
    assert "already in that style" in why(model)


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    [
        ("icons/anchor.svg", "</svg>", "<script/></svg>", "FCB0725"),
        ("templates/storm.svg.j2", "</svg>", "{{ nobody.knows }}</svg>", "FCB0731"),
    ],
)
def test_changed_file_is_checked_again(
    name: str, old: str, new: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "looks"
    shutil.copytree(EXAMPLE, root)
    assert list(analysis_of(load_project(root=root)).problems) == []
    file = root / "cards" / name
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert {problem.code for problem in analysis_of(load_project(root=root)).problems} == {code}


# ── drawings of definitions ────────────────────────────────────────────────────────────────────


def test_drawing_of_definition_precedes_drawing_of_kind(tmp_path: Path) -> None:
    model = with_layout(tmp_path, "drawings", rope=("rope",))
    assert card_of(model.definitions[("tool", "rope")], model, "en")[0].drawing == "rope"
    assert card_of(model.definitions[("chore", "bar")], model, "en")[0].drawing != "rope"
    assert codes(model) == []


def test_empty_and_missing_drawings_are_reported(tmp_path: Path) -> None:
    assert codes(with_layout(tmp_path, "drawings", rope=("rape",))) == ["FCB0706"]
    assert codes(with_layout(tmp_path, "drawings", roap=("rope",))) == ["FCB0706"]


RELOOKED = """use beast
layout style:
  plate: stencil
  back pattern: circuit
layout feat:
  color: "#7a1f1f"
"""


def pack(folder: Path, *files: str) -> Path:
    """Write a pack for BEAST with these sources; return its folder."""
    (folder / "fcb.toml").write_text('language = 2\nname = "own"\nlanguages = ["en"]\n', encoding="utf-8")
    (folder / "cards").mkdir()
    for at, text in enumerate(files):
        (folder / "cards" / f"looks{at}.fcb").write_text(text, encoding="utf-8")
    return folder


def test_pack_changes_shipped_frame_line_by_line(tmp_path: Path) -> None:
    made, problems = check_project(root=pack(tmp_path, RELOOKED))
    assert [problem for problem in problems if problem.severity == "error"] == []
    theirs = style_of(shipped("beast"))
    ours = style_of(made)
    assert (ours.frame.plate, ours.frame.back_pattern) == ("stencil", "circuit")
    assert (ours.frame.mount, ours.font, ours.paper) == (theirs.frame.mount, theirs.font, theirs.paper)
    feat, before = (
        look_of_kind(made.kinds["feat"], made),
        look_of_kind(shipped("beast").kinds["feat"], shipped("beast")),
    )
    assert feat.colour == "#7a1f1f"
    assert replace(feat, colour=before.colour) == before


def test_duplicate_line_of_look_is_error(tmp_path: Path) -> None:
    _, problems = check_project(root=pack(tmp_path, RELOOKED, 'use beast\nlayout feat:\n  color: "#111111"\n'))
    assert [problem.code for problem in problems if problem.severity == "error"] == ["FCB0311"]


def test_unknown_part_of_frame_is_error_in_pack(tmp_path: Path) -> None:
    made, _ = check_project(root=pack(tmp_path, "use beast\nlayout style:\n  plate: lace\n"))
    (problem,) = check_looks(made)
    assert problem.code == "FCB0706"
    assert problem.span.source.name.endswith("looks0.fcb")
