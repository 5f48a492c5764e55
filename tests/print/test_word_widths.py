"""A word that is wider than its column, cell, row or box is measured and reported."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from games import model
from PIL import Image
from pypdf import PdfReader
from small_shop import shop

from fcbdsl.base.locales import interface_texts as texts
from fcbdsl.language.prose.rules_text import Paragraph, Run
from fcbdsl.print.layout.formats import papers
from fcbdsl.print.layout.views import (
    Aid,
    AidBlock,
    AidEntry,
    CampaignSheet,
    Card,
    CardPart,
    CardRoom,
    Chip,
    Dial,
    DieTable,
    Disc,
    LogBlock,
    LogLine,
    MapPart,
    MapSheet,
    PlayMap,
    Point,
    RegionView,
    Section,
    Sheet,
    Site,
    StepView,
    StorySheet,
    Supplies,
    Symbol,
    TrackView,
)
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.contents import ListedKind, PrintContents, contents_of
from fcbdsl.print.pieces.piece import PieceRegister, PrintPiece
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.press.card_documents import CardDocument
from fcbdsl.print.press.imposition import one_up
from fcbdsl.print.press.press import render
from fcbdsl.print.press.proofs import pieces_of_proofs, render_piece, sheet_values
from fcbdsl.print.press.storage import StoragePage, StoredDeck, box_pages, divider_pages
from fcbdsl.print.press.table_sheets import aid_values, play_map_values, supplies_values
from fcbdsl.print.typeset.typesetting import measure_document, typeset

LONG = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 6
"""A word that fits nowhere."""
NO_WORDS = {
    "key",
    "language",
    "style",
    "colour",
    "ink",
    "size",
    "drawing",
    "rim",
    "alt",
    "id",
    "room",
    "letter",
    "number",
    "mark",
    "shows",
    "anchor",
}
"""Fields without words to read: names, colors, drawings, words for screen readers; and computed ones: numbers, letters
(three at most), marks."""
SYMBOL = Symbol("gear", "#8c2f1b", "", "A gear")
TEXT = (
    Paragraph((Run("Push it "), Run("far", "keyword"), Run(", once."))),
    Paragraph((Run("One by one.", "plain"),), level=1),
    Paragraph((Run("Each twice.", "plain"),), level=2),
    Paragraph((Run("Nothing.", "plain"),), label="1–2"),
    Paragraph((), label="Players", cells=("2", "3")),
    Paragraph((), label="Guards", cells=("4", "5")),
)
ONE = (Paragraph((Run("Push it."),)),)
STEPS = (StepView("1", False), StepView("End", True))


@cache
def small_sheet() -> Sheet:
    made = shop()
    view = render_piece(made.definitions[("mission", "siege")], made, "en").view
    assert isinstance(view, Sheet)
    assert view.map is not None
    return replace(
        view,
        sections=(Section("Story", TEXT), Section("Goal", (Paragraph((Run("Hold out."),)),))),
        tracks=(TrackView("Dusk", STEPS, ONE),),
        keywords=(("Shift", ONE),),
        map=replace(
            view.map,
            cells=view.map.cells[:1],
            legend=view.map.legend[:1],
            lines=view.map.lines[:1],
            regions=(RegionView("#8c2f1b", (), ("North",), Point(10, 10), "start"),),
            south="The Warden",
        ),
        words=texts("sheets", "en"),
    )


@cache
def small_card() -> Card:
    made = shop()
    view = render_piece(made.definitions[("tool", "rope")], made, "en").view
    assert isinstance(view, Card)
    return replace(
        view,
        badges=("Quick",),
        stats=(Chip("HP", "4", SYMBOL),),
        condition=ONE,
        lines=(CardPart((Chip("power", "2"), Chip("", "3", SYMBOL)), ONE),),
        text=ONE,
        notes=(Chip("With", "The hammer"),),
        small=(),
        flavour="Strong and old.",
    )


def small_board() -> Card:
    return replace(
        small_card(),
        size="board",
        small=ONE,
        text=TEXT,
        condition=(),
        lines=(),
        notes=(),
        around=(("left", "Tools"), ("below", "Ropes")),
        dials=(Dial("HP", SYMBOL, ("0", "1", "2"), 2),),
        areas=(Chip("Left", ""), Chip("Right", "")),
    )


def face_values(card: Card) -> Mapping[str, object]:
    piece = PrintPiece(card, 1, 1, 1, "abcdef")
    pages = one_up([piece], tuple(sizes_of(shop()).values()), ("face", "back"), 0.0)
    (part,) = CardDocument("The Shop", "en", [piece], pages).parts()
    return part.values


def aid(booklet: bool) -> Aid:
    entries = (AidEntry("Shift", TEXT, SYMBOL, terms="1 action", also=("Shifted",)),)
    blocks = (
        AidBlock("Steps", "steps", (AidEntry("Begin", TEXT, number="1"), AidEntry("Then", ONE, number="2", level=1))),
        AidBlock("Words", "entries", entries),
        AidBlock("Symbols", "symbols", (AidEntry("Gear", ONE, SYMBOL), AidEntry("Gem", (), SYMBOL))),
    )
    sheet = small_sheet()
    return Aid(
        "aid/shop",
        "en",
        sheet.style,
        1,
        "The Shop",
        "Aid",
        "#8c2f1b",
        "#ffffff",
        blocks,
        (),
        booklet,
        "Shop",
        "continued",
    )


def supplies() -> Supplies:
    sheet = small_sheet()
    return Supplies(
        "tokens/shop", "en", sheet.style, 1, "The Shop", "Tokens", "#8c2f1b", "#ffffff", (("Crates", "4"),), 20.0, 15.0,
        (Disc("Warden", replace(SYMBOL, letter="W"), "1", "#8c2f1b", 1, True, 1, "gear"),),
        ("1", "2"), (TrackView("Dusk", STEPS, ()),), (), CardRoom("Event", 63, 88),
        (DieTable("Red die", SYMBOL, 6, "roll a d6", (("1–3", "a hit"), ("4–6", "nothing"))),),
        texts("sheets", "en") | texts("tokens", "en"), "Shop",
    )  # fmt: skip


def play_map() -> PlayMap:
    sheet = small_sheet()
    assert sheet.map is not None
    part = MapPart("The Siege", sheet.map, 90, 80, 210, 297, (MapSheet("A1", 0, 0, 90, 80, False, False),))
    return PlayMap(
        "mission/siege", "en", sheet.style, 1, "The Siege", "Map", "#8c2f1b", "#ffffff", sheet.map, (part,), False,
        ((CardRoom("Event", 63, 88),),), (("Guard", (Chip("HP", "4", SYMBOL),)),), "The Warden",
        texts("playing", "en") | sheet.words, "Shop",
    )  # fmt: skip


def story() -> StorySheet:
    sheet = small_sheet()
    return StorySheet(
        "story/siege", "en", sheet.style, 1, None, "The Siege", "To read aloud", "#8c2f1b", "#ffffff", ONE,
        (Section("After", ONE),), texts("campaigns", "en"), "Shop",
    )  # fmt: skip


def campaign() -> CampaignSheet:
    sheet = small_sheet()
    sites = (Site(1, "The Siege", "hard", "#8c2f1b", "#ffffff", (Chip("Gain", "a rope"),)),)
    blocks = (LogBlock("The team", "", (LogLine("Has won", "tick"), LogLine("Friends", "list"))),)
    columns = ("Date", "Mission", "Won", "Lost", "Who played")
    words = texts("campaigns", "en") | {"continued": texts("sheets", "en")["continued"]}
    return CampaignSheet(
        "campaign/war", "en", sheet.style, 1, "The War", "#8c2f1b", "#ffffff", (), sites, 3, columns, blocks,
        words, "Shop",
    )  # fmt: skip


def on(paper: str, sheet: Any) -> dict[str, object]:
    return {"sheet": sheet, "page_width": papers()[paper].width, "page_height": papers()[paper].height}


def deck() -> StoredDeck:
    return StoredDeck("tool", "Tools", "2 pieces", 64.5, 89.5, 20.0, replace(small_card().back, title=""))


def stored(page: StoragePage) -> dict[str, object]:
    return {"title": "The Shop", "language": "en", "pages": [page]}


VIEWS: dict[str, tuple[str, Callable[[], Any], Callable[[Any], Mapping[str, object]]]] = {
    "card": ("cards.typ.j2", small_card, face_values),
    "board": ("cards.typ.j2", small_board, face_values),
    "sheet": ("sheet.typ.j2", small_sheet, lambda view: sheet_values(view, "a4")),
    "aid": ("aid.typ.j2", lambda: aid(False), lambda view: aid_values(view, "a4")),
    "reference": ("aid.typ.j2", lambda: aid(True), lambda view: aid_values(view, "a4")),
    "tokens": ("tokens.typ.j2", supplies, lambda view: supplies_values(view, "a4")),
    "standees": ("standees.typ.j2", supplies, lambda view: supplies_values(view, "a4")),
    "map": ("playmap.typ.j2", play_map, lambda view: play_map_values(view, "a4")),
    "story": ("story.typ.j2", story, lambda view: on("a4", view)),
    "campaign": ("campaign.typ.j2", campaign, lambda view: on("a4", view)),
    "box": ("storage.typ.j2", lambda: box_pages([deck()], papers()["a3"])[0][0], stored),
    "divider": ("storage.typ.j2", lambda: divider_pages([deck()], papers()["a4"])[0], stored),
    "log": ("log.typ.j2", campaign, lambda view: on("a4", view)),
}
"""Each printed view: its template, an example with every part, and the function that fills the template."""
SET_ALIKE = ("board", "reference", "box")
"""Views that have the template of another view."""


def lengthened(view: Any, places: Collection[int] | None = None) -> tuple[Any, list[str]]:
    """Return the view with a long word in place of each of its strings, or of those at some `places`; and the names of
    all places, in order."""
    names: list[str] = []

    def longer(view: Any, place: str) -> Any:
        if isinstance(view, str) and view:
            names.append(place)
            return long_word(len(names) - 1) if places is None or len(names) - 1 in places else view
        if isinstance(view, tuple):
            return tuple(longer(item, f"{place}[{at}]") for at, item in enumerate(view))
        if is_dataclass(view) and not isinstance(view, type):
            fields_with_words = [field.name for field in fields(view) if field.name not in NO_WORDS]
            return replace(view, **{name: longer(getattr(view, name), f"{place}.{name}") for name in fields_with_words})
        return view

    return longer(view, ""), names


def long_word(at: int) -> str:
    """Return the long word for a place."""
    return f"Q{at}Q{LONG}"


def over(template: str, values: Mapping[str, object]) -> list[dict[str, Any]]:
    return [record for record in measure_document(template, values).measures if record["over"]]


def unseen(text: str, places: Iterable[int]) -> list[int]:
    """Return the places whose long words are not reported."""
    return [at for at in places if f"Q{at}Q" not in text.upper()]


def drawn(template: str, values: Mapping[str, object]) -> str:
    """Return the words on the pages."""
    pages = PdfReader(io.BytesIO(typeset(template, values, "pdf").files[0])).pages
    return "".join(page.extract_text() for page in pages)


@pytest.mark.sampled(10)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in SET_ALIKE else []) for name in VIEWS]
)
def test_too_wide_word_is_found_everywhere(name: str) -> None:
    """First all places at once, each with its own word; then, one by one, the places that only the name of their part
    identifies."""
    template, example, values = VIEWS[name]
    assert over(template, values(example())) == []
    view, places = lengthened(example())
    unnamed = unseen(" ".join(measure["part"] for measure in over(template, values(view))), range(len(places)))
    assert len(unnamed) < len(places)
    silent = [at for at in unnamed if not over(template, values(lengthened(example(), (at,))[0]))]
    text = drawn(template, values(lengthened(example(), silent)[0]))
    assert [place for at, place in enumerate(places) if at in silent and at not in unseen(text, silent)] == []


def test_data_row_shrinks_before_it_overlaps() -> None:
    """The first datum of a row gives way to none of the others."""
    chips = (Chip("", "bullet", SYMBOL), Chip("", "4", SYMBOL), Chip("", "1", SYMBOL), Chip("minimum range", "1"))
    card = replace(small_card(), stats=(), condition=(), notes=(), lines=(CardPart(chips, ()),), text=(), small=())
    assert over("cards.typ.j2", face_values(card)) == []
    longer = replace(card, lines=(CardPart((replace(chips[0], value="bullet and shell and bomb"), *chips[1:]), ()),))
    (record,) = over("cards.typ.j2", face_values(longer))
    assert record["part"].startswith("row “")


def test_corner_numbers_keep_distance_from_symbol() -> None:
    card = replace(small_card(), corner=Chip("Number", "12", SYMBOL))
    made = measure_document("cards.typ.j2", face_values(card)).measures
    (record,) = [measure for measure in made if measure["part"] == "corner “12”"]
    assert record["need"] <= record["have"]
    assert record["need"] < 0.43 * 10.4  # of a disc 10.4 mm wide, whose right half is the symbol's


def test_log_columns_fit_their_headings() -> None:
    heads = replace(campaign(), columns=("Datum", "Mission", "Gewonnen", "Verloren", "Wer spielte"))
    assert over("log.typ.j2", on("a4", heads)) == []


@pytest.mark.long
def test_contents_columns_have_even_height() -> None:
    game = model("fireteam-zero")
    register = PieceRegister(game, printable(game))
    pieces = pieces_of_proofs([render_piece(definition, game, "en") for definition in printable(game)], register, "one")
    values = {"title": "All", "language": "en", "contents": contents_of(pieces, game, "en"), "paper": papers()["a4"]}
    (picture,) = typeset("contents.typ.j2", values, "png", 36).files
    with Image.open(io.BytesIO(picture)) as page:
        grey = page.convert("L").point(lambda value: 255 if value < 200 else 0)
    wide, body = grey.width // 3, grey.height * 270 // 297
    boxes = [grey.crop((at * wide, 0, (at + 1) * wide, body)).getbbox() for at in range(3)]
    ends = [box[3] for box in boxes if box is not None]
    assert len(ends) == 3
    assert max(ends) - min(ends) < body / 10


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_contents_columns_repeat_kind(language: str) -> None:
    rows = tuple((str(at), f"Piece {at}", "", "") for at in range(1, 301))
    kinds = (ListedKind("Tools", "300 pieces", rows), ListedKind("Sheds", "1 piece", rows[:1]))
    listed = PrintContents("Contents", "301 pieces", kinds, texts("sheets", language)["continued"], "")
    values = {"title": "All", "language": language, "contents": listed, "paper": papers()["a4"]}
    (made,) = typeset("contents.typ.j2", values, "pdf", 72).files
    first, second = (page.extract_text() for page in PdfReader(io.BytesIO(made)).pages)
    goes_on = f"TOOLS ({texts('sheets', language)['continued'].upper()})"
    assert (first.count("TOOLS"), first.count(goes_on)) == (3, 2)
    assert (second.count("TOOLS"), second.count(goes_on), second.count("SHEDS")) == (3, 3, 1)
    assert second.index(goes_on) < second.index("Piece")


def type_of(template: str, values: dict[str, Any], word: str) -> float:
    """Return the size in points of the type of the first occurrence of a printed word."""
    (made,) = typeset(template, values, "pdf", 72).files
    sizes: list[float] = []

    def seen(text: str, _: Any, matrix: list[float], font: Any, size: float) -> None:
        if word in text:
            sizes.append(size * abs(matrix[3]))

    PdfReader(io.BytesIO(made)).pages[0].extract_text(visitor_text=seen)
    return sizes[0]


@pytest.mark.long
def test_contents_and_stories_have_larger_type_on_a3() -> None:
    rows = tuple((str(at), f"Piece{at}", "", "") for at in range(1, 101))
    listed = PrintContents("Contents", "100 pieces", (ListedKind("Tools", "100 pieces", rows),), "continued", "")
    small, large, full = (
        type_of(
            "contents.typ.j2",
            {"title": "All", "language": "en", "contents": contents, "paper": papers()[paper]},
            "Piece1",
        )
        for paper, contents in (
            ("a4", listed),
            ("a3", listed),
            ("a3", replace(listed, kinds=(ListedKind("Tools", "400 pieces", rows * 4),))),
        )
    )
    assert large > 1.3 * small
    assert full < 1.15 * small, "rather one page"
    for word in ("SIEGE", texts("campaigns", "en")["turn"].split()[0]):  # the title, and the note below the words
        assert type_of("story.typ.j2", on("a3", story()), word) > 1.3 * type_of("story.typ.j2", on("a4", story()), word)


def test_board_sides_are_listed_below_window() -> None:
    bare = replace(
        small_board(),
        text=(),
        small=(),
        dials=(),
        flavour="",
        badges=(),
        areas=(),
        around=(("left", "Tools of trade"),),
    )
    made = measure_document("cards.typ.j2", face_values(bare)).measures
    (words,) = [measure for measure in made if measure["part"] == "words “Tools of trade”"]
    window = 15 + 9 * 6  # the head, and the most steps that a window has
    assert window < words["y"]
    assert words["y"] + words["height"] < 126
    assert words["width"] < 3.5 < words["height"]  # as it lies, for it is turned
    assert words["x"] > 0.9  # no nearer to the cut than a shop's safe zone lets faces be drawn in by


@pytest.mark.long
def test_number_table_stays_in_one_column() -> None:
    rows = tuple(Paragraph((), label=f"Guard {number}", cells=("4", "5")) for number in range(9))
    table = (Paragraph((), label="Players", cells=("2", "3")), *rows)
    sheet = replace(small_sheet(), sections=(Section("Foes", table),))
    for paper in papers():
        (page,) = PdfReader(io.BytesIO(typeset("sheet.typ.j2", sheet_values(sheet, paper), "pdf").files[0])).pages
        assert "GUARD 8" in (words := page.extract_text().upper())
        assert texts("sheets", "en")["continued"].upper() not in words, paper


def test_rules_text_has_no_widow(tmp_path: Path) -> None:
    """Nor a number with its noun: the line above spares it a word."""
    (file, *_) = render(model("far-cry-beyond"), ("spare-canoe", "owl-eyes"), "en", "a4", "pdf", tmp_path).files
    lines = [" ".join(line.split()) for line in PdfReader(file).pages[0].extract_text().splitlines()]
    assert all(any(line.endswith(end) for line in lines) for end in (" 2 MP.", " die."))
    assert not {"2 MP.", "die."} & {*lines}


def test_short_hyphenated_word_is_not_broken(tmp_path: Path) -> None:
    (file,) = render(model("far-cry-beyond"), ("loot/venom-vial",), "en", "a4", "pdf", tmp_path).files
    assert "On-hit" in PdfReader(file).pages[0].extract_text()
    (file,) = render(model("far-cry-beyond"), ("campaign/last-road",), "fr", "letter", "pdf", tmp_path).files
    assert PdfReader(file).pages[0].extract_text().count("sous-bock") == 2, "in notes, too"


@pytest.mark.long
def test_section_is_not_broken_after_first_line(tmp_path: Path) -> None:
    (file,) = render(model("far-cry-beyond"), ("pebbles-from-heaven",), "fr", "letter", "pdf", tmp_path).files
    words = " ".join(PdfReader(file).pages[0].extract_text().split())
    assert words.partition("gravité réduite s’installe.")[2].strip().startswith("Chaque héros")


@pytest.mark.long
@pytest.mark.parametrize("sort", ["sheet", "story"])
def test_large_paper_has_large_type(sort: str) -> None:
    """As long as the map is as large as the page is wide; and so that it can be read aloud from."""
    sheet = replace(small_sheet(), tracks=(), keywords=())
    shapes = {}
    for paper in ("a4", "a3"):
        values = sheet_values(sheet, paper) if sort == "sheet" else on(paper, replace(story(), before=TEXT))
        page = PdfReader(io.BytesIO(typeset(f"{sort}.typ.j2", values, "pdf").files[0])).pages[0]
        sizes: list[float] = []
        page.extract_text(
            visitor_text=lambda text, _, matrix, __, size, sizes=sizes: (
                sizes.append(size * matrix[0]) if "One by" in text else None
            )
        )
        shapes[paper] = max(sizes)
    assert shapes["a3"] > 1.1 * shapes["a4"]


@pytest.mark.long
def test_text_beside_map_on_large_paper_has_readable_column(tmp_path: Path) -> None:
    """Beside a map: forty letters a line, and names of monsters on one line."""
    (file,) = render(model("fireteam-zero"), ("typhons-cradle",), "en", "a3", "pdf", tmp_path).files
    lines = [" ".join(line.split()) for line in PdfReader(file).pages[0].extract_text().splitlines()]
    assert "Corrupted Animal 2 2 3 3" in lines
    assert "The Drowned Bell, The Child Is Still" in lines


@pytest.mark.long
def test_disc_letters_stay_inside_rims() -> None:
    """On the sheet and at playing scale, in the legend too: no size of the map gives them more of their disc."""
    plain = shop()
    sheets = []
    for mark in ("Ca", "WWW"):
        plain.layouts["symbols"].settings["crate"] = (("plain",), ("#8a5a2b",), (mark,))
        sheets.append(render_piece(plain.definitions[("mission", "siege")], plain, "en").view)
    well, wide = sheets
    assert isinstance(well, Sheet)
    assert isinstance(wide, Sheet)
    assert well.map is not None
    assert ("Ca", 5.46, 8.89) in well.map.lettered
    assert over("sheet.typ.j2", sheet_values(well, "a4")) == []
    parts = over("sheet.typ.j2", sheet_values(wide, "a4"))
    assert {measure["part"] for measure in parts} == {"letters “WWW”", "word “WWW”"}
    map_of_it = replace(play_map(), map=wide.map, parts=(replace(play_map().parts[0], map=wide.map),))
    assert "word “WWW”" in [measure["part"] for measure in over("playmap.typ.j2", play_map_values(map_of_it, "a4"))]


def test_long_dial_uses_room_beside_label(tmp_path: Path) -> None:
    (file, *_) = render(model("far-cry-beyond"), ("hero/boris",), "en", "a4", "pdf", tmp_path).files
    sizes: list[float] = []

    def seen(text: str, _: Any, matrix: list[float], font: Any, size: float) -> None:
        if text.strip() == "8":
            sizes.append(size * abs(matrix[3]))

    PdfReader(file).pages[0].extract_text(visitor_text=seen)
    assert max(sizes) > 9.3, sizes
