"""Boxes that fold around their decks, and dividers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import dist, hypot
from pathlib import Path

import pytest
from games import GAMES, model
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from small_shop import shop
from test_imposition import meet, rope

from fcbdsl.print.layout.formats import papers
from fcbdsl.print.layout.shape_packing import NEAR, Point
from fcbdsl.print.pieces.looks import layout_of, look_of_kind
from fcbdsl.print.pieces.piece import PieceRegister, deck_kind
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.press.options import Options, refusals
from fcbdsl.print.press.press import render
from fcbdsl.print.press.proofs import pieces_of_proofs, render_piece
from fcbdsl.print.press.storage import (
    TAB,
    StoragePanel,
    StoredDeck,
    box_pages,
    decks_of,
    divider_pages,
    extent_of,
    net_of,
)
from fcbdsl.print.typeset.typesetting import measure_document


def deck(width: float = 64.5, height: float = 89.5, depth: float = 20.0) -> StoredDeck:
    """Return a deck of cards of the small shop."""
    return StoredDeck("tool", "Tools", "2 pieces", width, height, depth, rope().back)


def bounds(panel: StoragePanel) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom."""
    across, down = [x for x, _ in panel.corners], [y for _, y in panel.corners]
    return (min(across), min(down), max(across), max(down))


@given(st.floats(40, 150), st.floats(40, 210), st.floats(10, 80))
def test_box_folds_to_size_of_deck(width: float, height: float, depth: float) -> None:
    net = net_of(deck(width, height, depth))
    boxes = [bounds(panel) for panel in net]
    assert not any(meet(one, other) for one, other in combinations(boxes, 2))
    sizes = [(right - left, low - top) for left, top, right, low in boxes]
    sides, fronts, ends = (depth, height), (width, height), (width, depth)
    for wanted in (sides, fronts, ends):
        assert sum(size == pytest.approx(wanted) for size in sizes) >= 2
    assert all(corner >= 0 for panel in net for point in panel.corners for corner in point)


@pytest.mark.parametrize("paper", list(papers()))
def test_shared_panel_edges_are_folds_and_others_cuts(paper: str) -> None:
    ((page, *_), large) = box_pages([deck()], papers()[paper])
    assert large == []
    panels = [panel for _, panel in page.panels]
    assert len(page.folds) == len(panels) - 1, "a tree of panels hangs together by its folds"
    edges = sum(len(panel.corners) for panel in panels)
    assert len(page.cuts) + 2 * len(page.folds) == edges
    right, low = extent_of(panels)
    assert right <= page.width - 4
    assert low <= page.height - 4


def test_box_is_rotated_or_needs_larger_sheet() -> None:
    a4 = papers()["a4"]
    ((page,), _) = box_pages([deck(88, 126, 12)], a4)
    assert {panel.turn for _, panel in page.panels} == {90}
    assert box_pages([deck(88, 126, 60)], a4) == ([], [deck(88, 126, 60)])
    assert box_pages([deck(88, 126, 60)], papers()["a3"])[1] == []


@pytest.mark.long
@settings(max_examples=25)
@given(st.lists(st.tuples(st.floats(40, 100), st.floats(60, 140), st.floats(10, 40)), min_size=1, max_size=9))
def test_boxes_share_sheets_without_overlap(measures: list[tuple[float, float, float]]) -> None:
    decks = [replace(deck(*measure), title=f"Deck {at}") for at, measure in enumerate(measures)]
    for paper in papers().values():
        pages, large = box_pages(decks, paper)
        titles = [title for page in pages for title in dict.fromkeys(held.title for held, _ in page.panels)]
        assert sorted([*titles, *(deck.title for deck in large)]) == [deck.title for deck in decks]
        for page in pages:
            held = [(panel_title.title, bounds(panel)) for panel_title, panel in page.panels]
            assert all(min(box[:2]) >= 4 and box[2] <= page.width - 4 and box[3] <= page.height - 4 for _, box in held)


def test_boxes_use_free_space() -> None:
    assert [len(box_pages([deck()] * 6, papers()[paper])[0]) for paper in ("a4", "letter", "a3")] == [6, 6, 2]
    thin = [deck(depth=10.0)] * 6
    assert [len(box_pages(thin, papers()[paper])[0]) for paper in ("a4", "letter", "a3")] == [3, 3, 2]


@pytest.mark.long
@settings(max_examples=25)
@given(st.lists(st.tuples(st.floats(40, 100), st.floats(60, 140), st.floats(10, 40)), min_size=1, max_size=4))
def test_box_outlines_do_not_overlap(measures: list[tuple[float, float, float]]) -> None:
    """Between flaps, too, where what bounds them overlaps."""
    decks = [replace(deck(*measure), title=f"Deck {at}") for at, measure in enumerate(measures)]
    for page in box_pages(decks, papers()["a3"])[0]:
        for one, panel in page.panels:
            lengths = sorted(dist(*ends) for ends in pairwise((*panel.corners, panel.corners[0])))
            forms = [sorted(dist(*ends) for ends in pairwise((*net.corners, net.corners[0]))) for net in net_of(one)]
            assert any(lengths == pytest.approx(form, abs=0.01) for form in forms)
            for other, behind in page.panels:
                assert one.title == other.title or apart(panel.corners, behind.corners) >= 2 * NEAR - 0.01


def apart(one: Sequence[Point], other: Sequence[Point]) -> float:
    """Return the least distance of two convex polygons, by the lines that could separate them."""
    most = 0.0
    for (x, y), (to_x, to_y) in (*pairwise((*one, one[0])), *pairwise((*other, other[0]))):
        long = hypot(to_x - x, to_y - y)
        shadows = [[((to_y - y) * px - (to_x - x) * py) / long for px, py in of] for of in (one, other)]
        most = max(most, min(shadows[1]) - max(shadows[0]), min(shadows[0]) - max(shadows[1]))
    return most


def test_tall_boxes_are_placed_first() -> None:
    decks = [deck(), deck(44.5, 66.5, 10.0), deck(depth=10.0)]
    assert len(box_pages(decks, papers()["a3"])[0]) == 1


def decks_in(game: str) -> dict[str, str]:
    """Return the number of pieces in each deck of a game, by title."""
    made = model(game)
    shown = printable(made)
    proofs = [render_piece(definition, made, "en") for definition in shown if not is_sheet(definition)]
    decks = decks_of(pieces_of_proofs(proofs, PieceRegister(made, shown), "game"), made, "en", 0.3, 0.0)
    titles = [deck.title for deck in decks]
    assert sorted(titles) == sorted(set(titles))
    return {deck.title: deck.count for deck in decks}


def test_kinds_with_one_title_are_one_deck() -> None:
    """On boxes, dividers, in a shop's files and on a virtual table."""
    assert decks_in("escape")["Equipment"] == "16\u00a0pieces"


@pytest.mark.long
def test_kinds_with_common_back_are_one_deck() -> None:
    """They are shuffled into one deck, or are beside each other; boards with a common layout have their own backs."""
    decks = decks_in("fireteam-zero")
    assert decks["Action cards"] == "61\u00a0pieces"
    assert decks["Focus cards"] == "4\u00a0pieces"
    assert "Recon cards" in decks
    assert not {"Response cards", "Drills", "Events"} & set(decks)
    assert decks_in("escape")["Abilities"] == "20\u00a0pieces"
    decks = decks_in("far-cry-beyond")
    assert {"Enemies", "Robots", "Progress cards", "Development cards"} <= set(decks)


@pytest.mark.parametrize("game", GAMES)
def test_backs_of_deck_are_equal(game: str) -> None:
    made = model(game)
    icons_by_deck: dict[str, set[tuple[str, ...]]] = {}
    for kind in made.kinds.values():
        if layout_of(kind, made) is not None and look_of_kind(kind, made).back_title:
            icons_by_deck.setdefault(deck_kind(kind, made).id, set()).add(look_of_kind(kind, made).icon)
    assert {deck: icons for deck, icons in icons_by_deck.items() if len(icons) > 1} == {}


@pytest.mark.parametrize("game", GAMES)
def test_cards_shuffled_together_have_equal_backs(game: str) -> None:
    """By no colour, title or drawing of one kind among those that a secret zone of the game holds, or an unseen one."""
    made = model(game)
    for zone in made.zones.values():
        kinds = [kind for kind in made.kinds.values() if zone.holds in {above.id for above in kind.lineage()}]
        if zone.unseen or (zone.secret and zone.kind is None):
            looks = [look_of_kind(kind, made) for kind in kinds if layout_of(kind, made) is not None]
            backs = {(look.back_colour or look.colour, look.icon, *look.back_title.values()) for look in looks}
            assert len(backs) <= 1, zone.id


def test_dividers_have_tabs_in_three_places() -> None:
    (page, more) = divider_pages([deck() for _ in range(8)], papers()["a4"])
    tabs = [bounds(panel) for _, panel in page.panels if panel.shows == "title"]
    faces = [bounds(panel) for _, panel in page.panels if panel.shows == "all"]
    assert len(tabs) == len(faces) == 6
    assert [(top, low) for _, top, _, low in faces] == [(low, low + 88.0) for _, _, _, low in tabs]
    assert len(more.panels) == 4
    assert {round(low - top, 3) for _, top, _, low in tabs} == {TAB}
    width = 63.0
    left = (page.width - 3 * width) / 2
    assert [round((tab[0] - left) % width / (width / 3)) for tab in tabs] == [0, 1, 2, 0, 1, 2]
    for left, top, right, low in tabs:
        assert ((left, low), (right, low)) not in page.cuts, "a tab is not cut from its divider"
        assert ((left, top), (right, top)) in page.cuts
    assert page.folds == ()


@pytest.mark.long
def test_box_size_follows_number_thickness_and_sleeves(tmp_path: Path) -> None:
    model = shop()
    model.layouts["tool"].settings["copies"] = (("25",),)
    for more, options in (
        ("", Options(boxes=True)),
        ("thick", Options(boxes=True, thickness=0.4)),
        ("sleeved", Options(boxes=True, sleeve=0.1)),
    ):
        made = render(model, ("tool/",), "fr", "a4", "pdf", tmp_path / more, options)
        assert made.notes == ()
        text = PdfReader(made.files[-1]).pages[0].extract_text().replace("\u00a0", " ")
        assert made.files[-1].name == "cards-tool~all.fr.boxes.pdf"
        assert text.count("50 pièces") == 2
        made = render(model, ("tool/",), "en", "a4", "pdf", tmp_path, Options(boxes=True, thickness=3.0))
    assert len(made.notes) == 1
    assert "too large for A4" in made.notes[0]


@pytest.mark.long
def test_dividers_are_written_beside_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = render(shop(), ("tool/", "chore/"), "en", "a4", "pdf", tmp_path, Options(dividers=True))
    assert made.files[-1].name == "cards-tool~all+chore~all.dividers.pdf"
    text = PdfReader(made.files[-1]).pages[0].extract_text()
    assert "CHORES" in text
    model = shop()
    model.layouts["chore"].settings["size"] = (("large-board",),)
    made = render(model, ("tool/", "chore/"), "en", "letter", "pdf", tmp_path, Options("letter", dividers=True))
    assert made.notes == ()
    monkeypatch.setattr("fcbdsl.print.press.storage.TAB", 80.0)
    made = render(model, ("tool/", "chore/"), "en", "letter", "pdf", tmp_path, Options("letter", dividers=True))
    assert made.notes == ("The divider for Chores is too large for Letter.",)


@pytest.mark.parametrize(
    ("options", "form", "says"),
    [
        (Options(boxes=True), "html", "--boxes"),
        (Options(dividers=True), "html", "--dividers"),
        (Options(thickness=0.5), "pdf", "for --boxes"),
        (Options(sleeve=0.1), "pdf", "for --boxes"),
        (Options(boxes=True, shop="drivethrucards"), "pdf", "--boxes"),
    ],
)
def test_boxes_are_refused_for_shops(options: Options, form: str, says: str) -> None:
    assert says in next(refusals(options, form))


@pytest.mark.parametrize(("title", "size"), [("Tools", 12.7), ("Assembly instructions", 8.0), ("Mission events", 9.3)])
def test_two_word_title_has_two_lines_on_tab(title: str, size: float) -> None:
    """Its type is no smaller than can be read at arm's length."""
    pages = divider_pages([replace(deck(), title=title)], papers()["a4"])
    made = measure_document("storage.typ.j2", {"title": "Tools", "language": "en", "pages": pages}).measures
    tabs = [tab for tab in made if tab["have"] < 21]
    assert len(tabs) == 1
    assert tabs[0]["height"] * 72 / 25.4 >= size
    assert not tabs[0]["over"]


@pytest.mark.long
@pytest.mark.parametrize("option", ["boxes", "dividers"])
def test_title_too_long_for_tab_or_side_is_error(option: str, tmp_path: Path) -> None:
    model = shop()
    kind = model.kinds["tool"]
    kind.name = replace(kind.name, plural={"en": "toolkits" * 40})
    made = render(model, ("tool/",), "en", "a4", "pdf", tmp_path, Options(**{option: True}))
    assert [(problem.code, problem.span) for problem in made.problems] == [("FCB0707", kind.span)]
    assert made.left_out == (option,)
    assert not [path for path in tmp_path.iterdir() if option in path.name]
