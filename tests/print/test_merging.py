"""Documents of cards are typeset in parts and merged: pages, tags, bookmarks and measures are those of the whole."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import page
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, NumberObject
from small_shop import name, shop
from test_copies import many

from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.views import Card
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.piece import PieceRegister, PrintPiece
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.press import card_documents
from fcbdsl.print.press.card_documents import CardDocument
from fcbdsl.print.press.imposition import one_up
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.press.proofs import render_piece
from fcbdsl.print.typeset import worker_client
from fcbdsl.print.typeset.merging import CannotMerge, PdfPart, merged_pdf

Tag = tuple[int, str, str, str, int, tuple[int, ...]]
"""A tag: its depth, its type, its title, its alternative text, its page and its marked content on that."""


def pieces_of(model: Model) -> list[PrintPiece]:
    """Return all pieces of a game."""
    register = PieceRegister(model, printable(model))
    views = [(definition, render_piece(definition, model, "en").view) for definition in printable(model)]
    return [register.piece(definition, view, "game") for definition, view in views if isinstance(view, Card)]


def document(model: Model) -> CardDocument:
    """Return the document of all pieces of a game, a page for each side."""
    pieces = pieces_of(model)
    pages = one_up(pieces, tuple(sizes_of(model).values()), ("face", "back"), 0.0)
    return CardDocument("The Shop", "en", pieces, pages, kinds={"tool": "Tools", "chore": "Chores", "guard": "Guards"})


def root(reader: PdfReader | PdfWriter) -> Any:
    """Return the catalog of a document."""
    return reader.root_object


def tags(reader: PdfReader) -> list[Tag]:
    """Return the tags of a document in their order, without those that Typst joins over the end of a page."""
    numbers = {sheet.indirect_reference.idnum: at for at, sheet in enumerate(reader.pages) if sheet.indirect_reference}

    def walk(held: Any, depth: int) -> Iterator[Tag]:
        held = held.get_object()
        if isinstance(held, list):
            for child in held:
                yield from walk(child, depth)
        elif isinstance(held, DictionaryObject) and "/S" in held:
            on = numbers[held.raw_get("/Pg").idnum] if "/Pg" in held else -1
            content = tuple(int(child) for child in held.get("/K", ()) if isinstance(child, NumberObject))
            if str(held["/S"]) not in ("/Span", "/Div"):
                yield depth, str(held["/S"]), str(held.get("/T", "")), str(held.get("/Alt", "")), on, content
            yield from walk(held["/K"], depth + 1)

    return list(walk(root(reader)["/StructTreeRoot"]["/K"], 0))


def tags_by_content(reader: PdfReader) -> list[list[str]]:
    """Return the tag of each piece of marked content of each page."""
    numbers = root(reader)["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    tree = {int(numbers[at]): numbers[at + 1].get_object() for at in range(0, len(numbers), 2)}
    return [[str(tag.get_object()["/S"]) for tag in tree[int(str(sheet["/StructParents"]))]] for sheet in reader.pages]


def bookmarks(reader: PdfReader) -> list[Any]:
    """Return the outline: titles with their pages, nested ones in lists."""

    def read(rows: list[Any]) -> list[Any]:
        return [
            read(row) if isinstance(row, list) else (row.title, reader.get_destination_page_number(row)) for row in rows
        ]

    return read(reader.outline)


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets the number of sides in a part; the cache is off."""
    monkeypatch.setenv("FCB_CACHE", "")
    return lambda sides: monkeypatch.setattr(card_documents, "SIDES_IN_PART", sides)


@pytest.mark.parametrize("sides", [2, 4, 8])
def test_merged_document_equals_whole(sides: int, in_parts: Callable[[int], None], tmp_path: Path) -> None:
    model = many(shop(), 4)
    (whole,) = document(model).typeset("pdf").files
    in_parts(sides)
    parts = document(model).parts()
    assert any(part.continues for part in parts)
    (merged,) = document(model).typeset("pdf").files
    assert merged != whole
    assert document(model).typeset("pdf").files == (merged,)
    (tmp_path / "merged.pdf").write_bytes(merged)
    assert [failure.message for failure in page.validate_pdf(tmp_path / "merged.pdf", profile="ua1").failures] == []
    first, second = PdfReader(io.BytesIO(whole)), PdfReader(io.BytesIO(merged))
    assert [sheet.extract_text() for sheet in second.pages] == [sheet.extract_text() for sheet in first.pages]
    assert tags(second) == tags(first)
    assert tags_by_content(second) == tags_by_content(first)
    assert bookmarks(second) == bookmarks(first)
    assert root(second)["/Outlines"]["/Count"] == root(first)["/Outlines"]["/Count"]
    trailers: list[Any] = [first.trailer, second.trailer]
    identifier, again = trailers[1]["/ID"]
    xmp = root(second)["/Metadata"].get_data().decode()
    assert identifier == again != trailers[0]["/ID"][0]
    assert xmp.count(str(identifier)) == 2
    assert f"<xmpTPg:NPages>{len(second.pages)}<" in xmp


def test_parts_are_measured_as_whole(in_parts: Callable[[int], None]) -> None:
    whole = document(shop()).measure().measures
    in_parts(2)
    assert document(shop()).measure().measures == whole
    assert len({measure["page"] for measure in whole}) > 2


def test_pictures_of_parts_are_those_of_whole(in_parts: Callable[[int], None]) -> None:
    whole = document(shop()).typeset("png", 36).files
    in_parts(2)
    assert document(shop()).typeset("png", 36).files == whole


def test_part_has_only_its_cards(in_parts: Callable[[int], None]) -> None:
    in_parts(2)
    model = shop()
    parts = document(model).parts()
    cards = [card for part in parts for card in part.values["cards"]]  # type: ignore[attr-defined]
    assert len(cards) == len(parts)
    assert {card.key for card in cards} == {piece.card.key for piece in pieces_of(model)}


def test_only_changed_part_is_typeset_again(
    in_parts: Callable[[int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_parts(2)
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "kept"))
    asked: list[str] = []
    real = worker_client.ask

    def note(do: str, *more: Any, **how: Any) -> Any:
        asked.append(do)
        return real(do, *more, **how)

    monkeypatch.setattr(worker_client, "ask", note)
    model = shop()
    before = document(model).typeset("pdf")
    everything = len(asked)
    assert everything == len(document(model).parts())
    assert document(model).typeset("pdf") == before
    assert len(asked) == everything
    model.definitions["tool", "rope"].name = name("Twine")
    assert "Twine" in str(document(model).parts())
    document(model).typeset("pdf")
    assert len(asked) == everything + 1


def test_backs_without_bookmarks_are_merged(in_parts: Callable[[int], None], tmp_path: Path) -> None:
    in_parts(2)
    files = render(many(shop(), 20), (), "en", "a4", "pdf", tmp_path, Options(backs="separate")).files
    (backs,) = [path for path in files if path.stem == "cards.backs"]
    assert len(PdfReader(backs).pages) > 2
    assert bookmarks(PdfReader(backs)) == []
    assert [failure.message for failure in page.validate_pdf(backs, profile="ua1").failures] == []


@pytest.mark.parametrize("place", ["/Names", "/AcroForm"])
def test_document_with_unknown_parts_is_refused(place: str) -> None:
    (whole,) = document(shop()).typeset("pdf").files
    more = PdfWriter(clone_from=PdfReader(io.BytesIO(whole)))
    more.root_object[NameObject(place)] = DictionaryObject()
    made = io.BytesIO()
    more.write(made)
    with pytest.raises(CannotMerge, match=place):
        merged_pdf([PdfPart(whole), PdfPart(made.getvalue())])


def test_continued_part_must_repeat_heading() -> None:
    (whole,) = document(shop()).typeset("pdf").files
    read = PdfReader(io.BytesIO(whole))
    writer = PdfWriter(clone_from=read)
    (document_tag,) = root(writer)["/StructTreeRoot"]["/K"]
    del document_tag.get_object()["/K"][0]
    made = io.BytesIO()
    writer.write(made)
    with pytest.raises(CannotMerge):
        merged_pdf([PdfPart(whole), PdfPart(made.getvalue(), continues=True)])
