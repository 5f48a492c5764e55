"""Print shops: each requirement is met, measured, or reported as missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from games import GAMES, model
from pypdf import PdfReader
from small_shop import shop as small

from fcbdsl.language.model.declarations import Name
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.formats import sizes
from fcbdsl.print.pieces.piece import COPIES, PieceRegister
from fcbdsl.print.pieces.printables import is_sheet, own, printable
from fcbdsl.print.press import card_documents, press
from fcbdsl.print.press.card_documents import CardDocument
from fcbdsl.print.press.imposition import one_up
from fcbdsl.print.press.options import Options, refusals
from fcbdsl.print.press.press import render
from fcbdsl.print.press.proofs import all_of, misfits, outside, pieces_of_proofs, render_piece
from fcbdsl.print.press.shops import Shop, shop_of, shops
from fcbdsl.print.typeset.bleedbox import with_bleed_boxes
from fcbdsl.print.typeset.pixels import rows_of
from fcbdsl.print.typeset.typesetting import DocumentPart, Typeset, measure_document

TABLE = {
    "title": "Corner Shop",
    "form": "pdf",
    "dpi": 300,
    "order": ["back", "face"],
    "copies": "game",
    "bleed": 3.0,
    "safe": 3.0,
    "missing": ["gold on the edges"],
    "sizes": {"card": {"width": 63.5, "height": 88.9}},
}


def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model | None = None, **settings: object):  # type: ignore[no-untyped-def]
    """Print the small shop at a print shop."""
    corner = shop_of("corner", {**TABLE, **settings})
    for module in ("fcbdsl.print.press.press", "fcbdsl.print.press.options"):
        monkeypatch.setattr(f"{module}.shops", lambda: {"corner": corner})
    return render(model or small(), ("tool/", "warden"), "en", "a4", corner.form, tmp_path, Options(shop="corner"))


@pytest.mark.parametrize("shop", shops().values(), ids=lambda shop: shop.name)
def test_shop_descriptions_are_valid(shop: Shop) -> None:
    assert shop.form in {"pdf", "png"}
    assert sorted(shop.order) == ["back", "face"]
    assert shop.copies in COPIES
    assert {size.name for size in shop.sizes} <= sizes().keys()
    assert all(abs(size.width - sizes()[size.name].width) < 16 for size in shop.sizes)
    assert 1 < shop.bleed < 10
    page = (Path(__file__).parents[2] / "docs" / "print-shop.md").read_text(encoding="utf-8")
    assert f"`{shop.name}`" in page


def test_pages_have_order_and_size_of_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = printed(tmp_path, monkeypatch)
    assert [path.name for path in made.files] == [
        "cards-tool~all+warden.corner.tool.pdf",
        "cards-tool~all+warden.contents.pdf",
    ]
    pages = PdfReader(made.files[0]).pages
    assert ["HAMMER" in page.extract_text() for page in pages] == [False, True, False, False]
    assert ["ROPE" in page.extract_text() for page in pages] == [False, False, False, True]
    for page in pages:
        assert float(page.trimbox.width) / 72 * 25.4 == pytest.approx(63.5)
        assert float(page.mediabox.height) / 72 * 25.4 == pytest.approx(94.9)
    assert made.problems == ()


def test_pieces_that_a_shop_cannot_make_are_left_out_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = printed(tmp_path, monkeypatch)
    assert made.left_out == ("guard/warden",)
    assert made.notes == (
        "Corner Shop makes no pieces of these sizes, as far as is known here: board.",
        "Corner Shop makes a card 63.5 × 88.9 mm large.",
        "Faces are drawn in by 2.3 mm, so that words keep 3 mm from the cut.",
        "Corner Shop asks for what is not made here: gold on the edges.",
    )


@pytest.mark.long
def test_text_outside_safe_zone_is_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for safe in (0.5, 3.0, 3.175, 4.0):
        assert printed(tmp_path / "good", monkeypatch, safe=safe).problems == ()
    made = printed(tmp_path / "bad", monkeypatch, safe=9.0)
    assert made.files == ()
    assert {problem.code for problem in made.problems} == {"FCB0709"}
    assert sorted(made.left_out) == ["guard/warden", "tool/hammer", "tool/rope"]
    foot = next(problem for problem in made.problems if "tool/rope" in problem.message)
    assert "The foot of `tool/rope` (en) is 4.8 mm from the cut; Corner Shop needs 9.0 mm." in foot.message


def test_unshrunk_faces_would_leave_safe_zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcbdsl.print.press.shops.MOST_INSET", 0.0)
    made = printed(tmp_path, monkeypatch, safe=3.0)
    assert {problem.code for problem in made.problems} == {"FCB0709"}


def test_pictures_contain_exact_bleed(tmp_path: Path) -> None:
    made = render(small(), ("rope",), "en", "a4", "png", tmp_path, Options(shop="the-game-crafter"))
    for path in made.files:
        data = path.read_bytes()
        assert [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)] == [825, 1125]


@pytest.mark.long
def test_shop_that_takes_quantities_gets_each_piece_once_and_a_list(tmp_path: Path) -> None:
    model = small()
    model.layouts["tool"].settings["copies"] = (("7",),)
    made = render(model, ("tool/",), "en", "a4", "png", tmp_path, Options(shop="the-game-crafter"))
    assert len([path for path in made.files if "contents" not in path.name]) == 4
    made = render(model, ("tool/",), "en", "a4", "pdf", tmp_path, Options(shop="drivethrucards"))
    assert [len(PdfReader(path).pages) for path in made.files] == [28, 1]
    assert "14 pieces" in PdfReader(made.files[1]).pages[0].extract_text().replace("\u00a0", " ")
    assert any("PDF/X-1a" in note for note in made.notes)


@pytest.mark.long
def test_picture_names_contain_side(tmp_path: Path) -> None:
    (tmp_path / "cards-tool~all.the-game-crafter.tool-03.png").write_bytes(b"a page that was called otherwise once")
    made = render(small(), ("tool/",), "en", "a4", "png", tmp_path, Options(shop="the-game-crafter"))
    assert [path.name for path in made.files if "contents" not in path.name] == [
        f"cards-tool~all.the-game-crafter.tool-{number}-{side}.png"
        for number in ("01", "02")
        for side in ("face", "back")
    ]
    assert [note for note in made.notes if note.startswith("Removed 1 pages")]
    made = render(small(), ("rope",), "en", "a4", "png", tmp_path, Options(one_up=True, dpi=36))
    assert [path.name for path in made.files] == ["cards-rope.card-01-face.png", "cards-rope.card-01-back.png"]


@pytest.mark.long
def test_shop_files_omit_sheets_and_report_it(tmp_path: Path) -> None:
    made = render(small(), (), "en", "a4", "png", tmp_path, Options(shop="the-game-crafter"))
    assert [path.name for path in made.files if path.name.startswith("mission-")] == []
    note = "The Game Crafter makes no sheets: print those of missions, aids and tokens yourself, without --shop."
    assert note in made.notes


def test_proof_shows_cut_and_safe_zone(tmp_path: Path) -> None:
    plain = render(small(), ("rope",), "en", "a4", "pdf", tmp_path / "a", Options(shop="drivethrucards"))
    proof = render(small(), ("rope",), "en", "a4", "pdf", tmp_path / "b", Options(shop="drivethrucards", proof=True))
    drawn = [PdfReader(made.files[0]).pages[0].get_contents().get_data().count(b"\nS") for made in (plain, proof)]
    assert drawn[1] == drawn[0] + 2


@pytest.mark.parametrize(
    "options",
    [Options(proof=True), Options(one_up=True, proof=True), *(Options(shop=shop, proof=True) for shop in shops())],
)
def test_text_is_inside_proof_safe_zone(options: Options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So far that the line does not touch them: on the sheets of home, too, and for a shop without a name."""
    seen: list[dict[str, Any]] = []

    def note(template: str, parts: Sequence[DocumentPart], *more: object, **how: object) -> Typeset:
        seen.extend(dict(part.values) for part in parts)
        return Typeset((), ())

    monkeypatch.setattr(card_documents, "typeset_parts", note)
    monkeypatch.setattr(press, "write_pages", lambda *some: [])
    render(small(), ("rope",), "en", "a4", shops()[options.shop].form if options.shop else "pdf", tmp_path, options)
    values = seen[-1]
    rooms = {}
    for record in measure_document("cards.typ.j2", values).measures:
        (slot,) = values["pages"][record["page"] - 1].slots
        left, top = record["x"] - slot.x, record["y"] - slot.y
        right, low = slot.size.width - left - record["width"], slot.size.height - top - record["height"]
        rooms[record["part"]] = min(left, top, right, low)
    assert min(rooms.values()) > values["zones"] + 0.1, rooms
    assert values["zones"] == pytest.approx(
        shops()[options.shop].safe if options.shop else 3.0 if options.one_up else 0.7
    )


def test_proof_reports_pages_without_lines(tmp_path: Path) -> None:
    cards = render(small(), ("rope",), "en", "a4", "pdf", tmp_path / "a", Options(proof=True))
    assert "Only cards and boards have the lines of --proof." in cards.notes
    mission = next(definition.id for definition in printable(small()) if definition.kind.id == "mission")
    sheet = render(small(), (mission,), "en", "a4", "pdf", tmp_path / "b", Options(proof=True))
    assert sheet.files
    assert "No card and no board is printed: there is nothing for --proof to draw its lines on." in sheet.notes


@pytest.mark.parametrize(
    ("options", "form", "says"),
    [
        (Options(shop="drivethru-cards"), "pdf", "Did you mean drivethrucards?"),
        (Options(shop="nobody"), "pdf", "There are: the-game-crafter, drivethrucards, mb-print."),
        (Options(shop="drivethrucards"), "png", "DriveThruCards takes PDF, not PNG."),
        (Options(shop="drivethrucards", one_up=True), "pdf", "nothing for --one-up to say"),
        (Options(shop="the-game-crafter", dpi=100), "png", "nothing for --dpi to say"),
        (Options(shop="the-game-crafter", copies="one"), "png", "nothing for --copies to say"),
        (Options(proof=True), "html", "--proof"),
    ],
)
def test_options_fixed_by_shop_are_refused(options: Options, form: str, says: str) -> None:
    assert says in next(refusals(options, form))


@pytest.mark.long
def test_pages_to_cut_have_bleed_box(tmp_path: Path) -> None:
    (made, *_) = render(small(), (), "en", "a4", "pdf", tmp_path, Options(one_up=True)).files
    reader = PdfReader(made, strict=True)
    for page in reader.pages:
        assert page["/BleedBox"] == page["/MediaBox"] != page["/TrimBox"]
    assert reader.trailer["/Root"]["/StructTreeRoot"]  # type: ignore[index]
    numbers = range(1, len(reader.xref[0]) + 1)
    assert all(reader.get_object(number) is not None for number in numbers)
    data = made.read_bytes()
    for at in reader.xref[0].values():
        assert re.match(rb"\d+ 0 obj\n", data[at:])


def test_uncut_pages_are_unchanged() -> None:
    uncut = b"%PDF-1.7\n1 0 obj\n<</Type/Page/MediaBox[0 0 1 1]>>\nendobj\n"
    assert with_bleed_boxes(uncut) is uncut


@pytest.mark.long
def test_board_with_side_text_keeps_to_safe_zone(tmp_path: Path) -> None:
    """They are turned, and are measured as they lie."""
    boards = ("hero/kumiko", "pet/rosie", "enemy/skitterer", "robot/cyclone")
    made = render(model("far-cry-beyond"), boards, "en", "a4", "png", tmp_path, Options(shop="the-game-crafter"))
    assert made.problems == ()
    assert made.left_out == ()


def shop_problems(game: Model, shop: Shop, language: str) -> list[str]:
    """Return the problems of all that a shop makes of a game: texts that don't fit, or are outside its safe zone."""
    by_size = {size.name: size for size in shop.sizes}
    proofs = [render_piece(definition, game, language) for definition in own(game) if not is_sheet(definition)]
    pieces = pieces_of_proofs(proofs, PieceRegister(game, printable(game)), "one")
    pieces = [piece for piece in pieces if piece.card.size in by_size]
    by_key = {proof.view.key: proof.definition for proof in proofs}
    made = CardDocument("", language, pieces, one_up(pieces, shop.sizes, ("face", "back"), 0.0)).measure()
    beyond = outside(made, by_key, {piece.card.key: by_size[piece.card.size] for piece in pieces}, shop)
    return [problem.message for problem in (*all_of(misfits(made, by_key)), *beyond)]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("shop", ["the-game-crafter", "mb-print"])  # the third shop makes cards like the first
def test_shipped_pieces_fit_shops(shop: str, game: str, language: str) -> None:
    assert shop_problems(model(game), shops()[shop], language) == []


@pytest.mark.long
def test_text_below_foot_is_measured_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message gives the distance of its lowest pixels from the cut."""
    model, dpi = small(), 600
    model.title = Name({"en": "Ça Ç"})
    made = printed(tmp_path / "a", monkeypatch, model, safe=30.0)
    (misfit,) = [problem for problem in made.problems if "The foot of `tool/rope`" in problem.message]
    drawn = printed(tmp_path / "b", monkeypatch, model, safe=0.0, form="png", dpi=dpi)
    face = next(path for path in drawn.files if path.name.endswith("02-face.png"))
    rows, mm = list(rows_of(face.read_bytes())), dpi / 25.4
    assert len(rows) == pytest.approx(94.9 * mm, abs=1)
    sides = 3 * int(6 * mm)  # bytes that none of its words reach
    inked = [at for at, row in enumerate(rows) if len({row[x : x + 3] for x in range(sides, len(row) - sides, 3)}) > 1]
    room = (len(rows) - 1 - inked[-1]) / mm - 3.0
    drawn_in = shop_of("corner", {**TABLE, "safe": 30.0}).sizes[0].inset
    assert float(misfit.arguments["room"]) == pytest.approx(room + drawn_in, abs=0.06)
