"""The space between drawings and words, in rows of figures and in lines; line breaks of titles."""

from __future__ import annotations

import io
from dataclasses import replace

import games
import pytest
from PIL import Image
from pypdf import PdfReader
from test_word_widths import face_values, small_card

from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.typeset import typesetting

DPI = 600
PLAIN = '(level: 0, label: "", cells: ())'
STYLE = 'style: (frame: (plaque: "disc"))'
HEART = '(drawing: "heart", colour: "#ff0000", letter: "", alt: "heart")'


def gaps(monkeypatch: pytest.MonkeyPatch, body: str, *more: str, rows: tuple[float, float] = (0, 20)) -> list[float]:
    """Return the gaps of bare paper between the parts of a row that Typst sets, from left to right, in millimeters.

    `rows`: the upper and the lower end of the examined part of the page, in millimeters.
    """
    source = "\n".join(
        ['#import "faces.typ": *', "#set page(width: 60mm, height: 20mm, margin: 2mm, fill: white)", *more, body]
    )
    monkeypatch.setattr(typesetting, "typst_source", lambda template, values: source)
    (png,) = typesetting.typeset("", {}, "png", DPI).files
    whole = Image.open(io.BytesIO(png)).convert("L")
    upper, lower = (int(row / 25.4 * DPI) for row in rows)
    picture = whole.crop((0, upper, whole.width, min(lower, whole.height)))
    inked = [min(picture.crop((x, 0, x + 1, picture.height)).tobytes()) < 160 for x in range(picture.width)]
    widths, start = [], None
    for x, dark in enumerate(inked):
        if dark and start is not None and x - start > 1:
            widths.append((x - start) / DPI * 25.4)
        if dark:
            start = x
    return widths


@pytest.mark.parametrize("size", [6.4, 8, 11])
def test_inline_drawing_keeps_distance_from_letters(size: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the type is, and without any space in the text."""
    runs = '((text: "H", style: "plain"), (text: "crate", style: "icon"), (text: "H", style: "plain"))'
    before, behind = gaps(monkeypatch, f"#runs((runs: {runs}) + {PLAIN}, black, 20)", f"#set text(size: {size}pt)")
    assert before >= 0.4
    assert behind >= 0.4


@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_number_keeps_distance_from_drawing(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a heart before a 4 is read as a letter; on small cards, too."""
    stats = f'((symbol: {HEART}, value: "H", label: "HP"),)'
    row = f'#stat-row((key: "x", language: "en", {STYLE}, stats: {stats}), white, 56mm, {scale})'
    _, drawn, *_ = gaps(monkeypatch, row.replace("white", 'rgb("#00ff00")'))
    assert drawn >= 0.9


@pytest.mark.parametrize("value", ["4", "8", "10", "12"])
@pytest.mark.parametrize("drawing", ["scroll", "bell", "heart", "crate"])
def test_corner_number_is_separate_from_symbol(value: str, drawing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor with the rim of their disc, however broad both are."""
    chip = f'(value: "{value}", label: "HP", symbol: {HEART.replace("heart", drawing)})'
    disc = f'#corner-disc((key: "x", language: "en", {STYLE}), {chip}, black, 10.4mm)'
    rim, *_, between, last = gaps(monkeypatch, disc, rows=(5.5, 9.5))
    assert between >= 0.6
    assert rim >= 0.3
    assert last >= 0.3


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("Thunderstorm over a Sounding Promontory", ["THUNDERSTORM OVER", "A SOUNDING PROMONTORY"]),
        ("Inspecteur de la grande cartoucherie", ["INSPECTEUR DE LA GRANDE", "CARTOUCHERIE"]),
    ],
)
def test_no_title_line_ends_in_article(title: str, lines: list[str]) -> None:
    """Where it is parted evenly it would."""
    made = typesetting.typeset("cards.typ.j2", face_values(replace(small_card(), title=title)), "pdf")
    page = PdfReader(io.BytesIO(made.files[0])).pages[0].extract_text()
    read = [" ".join(line.split()) for line in page.splitlines()]
    assert lines[0] in read
    assert read[read.index(lines[0]) :][:2] == lines


def test_title_without_type_line_keeps_distance_from_drawing() -> None:
    """The title uses the head beside the drawing. Once, it was printed across the drawing in one line."""
    made = games.model("escape")
    marker = next(definition for definition in made.definitions.values() if definition.id == "revolution-marker")
    face, _ = card_of(marker, made, "fr")
    assert face.type_line == ""
    parts = {
        measure["part"]: measure for measure in typesetting.measure_document("cards.typ.j2", face_values(face)).measures
    }
    title, drawn = parts["title"], parts.get("drawing in the head")
    assert title["x"] + title["width"] + 0.9 <= (drawn["x"] if drawn is not None else 63)
