"""The structure of a PDF: language, title, bookmarks, headings, lists, tables."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import page
import pytest
from pypdf import PdfReader, PdfWriter
from small_shop import SPAN, number, shop

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Value
from fcbdsl.language.model.declarations import Field
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import Paragraph
from fcbdsl.language.prose.rules_text import Run
from fcbdsl.print.layout.views import Section
from fcbdsl.print.pieces.sheets import sheet_of
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.press.proofs import sheet_values
from fcbdsl.print.press.table_sheets import render_aids
from fcbdsl.print.typeset.typesetting import typeset


def bookmarks(reader: PdfReader) -> list[Any]:
    """Return the titles of the outline, with nested ones in lists."""

    def read(rows: list[Any]) -> list[Any]:
        return [read(row) if isinstance(row, list) else row.title for row in rows]

    return read(reader.outline)


def tags(reader: PdfReader) -> Counter[str]:
    """Return how often each tag occurs in the structure tree of a document."""
    counts: Counter[str] = Counter()
    todo: list[Any] = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while todo:
        item = todo.pop()
        item = item.get_object() if hasattr(item, "get_object") else item
        if isinstance(item, list):
            todo += item
        elif isinstance(item, dict):
            counts.update([str(item["/S"])] if "/S" in item else [])
            todo += [item["/K"]] if "/K" in item else []
    return counts


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PdfReader]:
    model: Model = shop()
    model.languages = ("fr", "en")
    out = tmp_path_factory.mktemp("out")
    made = (render(model, (), "fr", "a4", "pdf", out), render_aids(model, "fr", "pdf", out, Options()))
    return {path.stem: PdfReader(path) for rendered in made for path in rendered.files}


@pytest.mark.long
def test_documents_have_language_title_and_structure(printed: dict[str, PdfReader]) -> None:
    assert {"cards", "cards.contents", "mission-siege", "reference"} <= set(printed)
    for name, reader in printed.items():
        root = reader.trailer["/Root"]
        assert root["/Lang"] == "fr", name
        assert root["/MarkInfo"]["/Marked"]
        assert root["/ViewerPreferences"]["/DisplayDocTitle"]
        assert reader.metadata is not None
        assert reader.metadata.title
        assert tags(reader)["/Document"] == 1


def test_documents_pass_independent_pdf_ua_check(printed: dict[str, PdfReader], tmp_path: Path) -> None:
    for name, reader in printed.items():
        (tmp_path / name).write_bytes(reader.stream.read() if reader.stream.seek(0) == 0 else b"")
        report = page.validate_pdf(tmp_path / name, profile="ua1")
        assert report.rules.total > 100
        assert [problem.message for problem in report.failures] == [], name
        assert report.is_compliant
    bare = PdfWriter(clone_from=printed["mission-siege"])
    del bare.root_object["/StructTreeRoot"]
    bare.write(tmp_path / "bare.pdf")
    assert not page.is_pdf_compliant(tmp_path / "bare.pdf", profile="ua1")


def test_card_bookmarks_list_kinds_and_pieces_once(printed: dict[str, PdfReader]) -> None:
    assert bookmarks(printed["cards"]) == [
        "Outils", ["Marteau", "Corde"], "Corvées", ["Balayer", "Barrer la porte", "Entendre frapper", "Ouvrir"],
        "Gardes", ["Gardien"],
    ]  # fmt: skip
    counts = tags(printed["cards"])
    assert (counts["/H1"], counts["/H2"]) == (3, 7)


def test_copies_have_no_bookmark(tmp_path: Path) -> None:
    model = shop()
    many = Field("copies", "tool", "field", ir.NUMBER, SPAN)
    model.kinds["tool"].fields["copies"] = many
    model.definitions["tool", "rope"].values["copies"] = Value(many, number(3))
    reader = PdfReader(render(model, ("rope",), "en", "a4", "pdf", tmp_path).files[0])
    assert bookmarks(reader) == ["Tools", ["Rope"]]
    assert tags(reader)["/H2"] == 3


def test_sheet_structure_has_title_and_sections(printed: dict[str, PdfReader]) -> None:
    title, sections = bookmarks(printed["mission-siege"])
    assert title == "Le Siège"
    assert sections[0] == "Histoire"
    assert "Carte" in sections
    counts = tags(printed["mission-siege"])
    assert (counts["/H1"], counts["/H2"]) == (1, len(sections))


def test_lists_and_rows_are_tagged() -> None:
    def paragraph(words: str, level: int = 0, label: str = "") -> Paragraph:
        return Paragraph((Run(words),), level, label)

    texts = (paragraph("Choose:"), paragraph("one", 1), paragraph("more", 2), paragraph("two", 1))
    texts += (paragraph("few", 0, "2 players"), paragraph("many", 0, "4 players"))
    model = shop()
    mission = model.definitions["mission", "siege"]
    sheet, _ = sheet_of(mission, model, "en")
    plain, listed = (replace(sheet, sections=(Section("Story", paragraphs),)) for paragraphs in ((texts[0],), texts))
    made = (typeset("sheet.typ.j2", sheet_values(view, "a4"), "pdf").files[0] for view in (plain, listed))
    before, after = (tags(PdfReader(io.BytesIO(pdf))) for pdf in made)
    new = after - before
    assert {tag: new[tag] for tag in ("/L", "/LI", "/Table", "/TR", "/TD")} == {
        "/L": 2, "/LI": 3, "/Table": 1, "/TR": 2, "/TD": 4,
    }  # fmt: skip
