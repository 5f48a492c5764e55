"""Pieces on paper: no overlaps, everything on the page, and backs behind their faces however sheets are turned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_shop import shop

from fcbdsl.print.layout.formats import Paper, papers, sizes
from fcbdsl.print.layout.views import Card
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.piece import PrintPiece
from fcbdsl.print.press.imposition import (
    MARGIN,
    CutMark,
    Edges,
    Laying,
    Page,
    PieceSlot,
    TooLargeForPaper,
    impose,
    one_up,
)

SIZES = tuple(sizes().values())
SMALL = 1e-3
"""A bit more than half the precision of coordinates."""


@cache
def rope() -> Card:
    """Return a card of the small shop."""
    model = shop()
    return card_of(model.definitions["tool", "rope"], model, "en")[0]


def lot(*wanted: tuple[str, int]) -> list[PrintPiece]:
    """Return pieces of some sizes with numbers of copies."""
    return [
        PrintPiece(replace(rope(), key=f"tool/{at}", size=size), copies, at + 1, len(wanted), "")
        for at, (size, copies) in enumerate(wanted)
    ]


Box = tuple[float, float, float, float]


def drawn(slot: PieceSlot) -> Box:
    """Return left, top, right and bottom of a piece with its bleed."""
    x, y, edges = slot.x, slot.y, slot.bleed
    return (
        x - edges.left,
        y - edges.top,
        x + slot.size.width + edges.right,
        y + slot.size.height + edges.bottom,
    )


def each_with_others(boxes: list[Box], cut_out: list[Box]) -> Iterator[tuple[Box, Box]]:
    """Return the box of each piece, with the rest of each other one after cutting."""
    return ((box, other) for at, box in enumerate(boxes) for over, other in enumerate(cut_out) if at != over)


def meet(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap by more than an edge."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > SMALL and down > SMALL


def turned(slot: PieceSlot, page: Page, upright: bool) -> PieceSlot:
    """Return the box of a slot as seen through the sheet after turning it about its upright or level middle."""
    edges = slot.bleed
    if upright:
        x = page.width - slot.x - slot.size.width
        return replace(slot, x=x, bleed=Edges(edges.right, edges.top, edges.left, edges.bottom))
    y = page.height - slot.y - slot.size.height
    return replace(slot, y=y, bleed=Edges(edges.left, edges.bottom, edges.right, edges.top))


def met(face: PieceSlot, back: PieceSlot, page: Page, upright: bool) -> bool:
    """Return whether a back is exactly behind a face, and upright when the piece is turned like a page."""
    behind = turned(back, page, upright)
    where = (behind.x, behind.y) == pytest.approx((face.x, face.y), abs=SMALL)
    same = back.piece is face.piece and behind.bleed == face.bleed and back.size is face.size
    return where and same and face.side == "face" and back.side == "back" and back.turned == (not upright)


papers_of_all_shapes = st.one_of(
    st.sampled_from(list(papers().values())),
    st.builds(Paper, st.just("own"), st.just("Own"), st.floats(100, 500), st.floats(100, 500)),
)
lots = st.lists(st.tuples(st.sampled_from([size.name for size in SIZES]), st.integers(1, 12)), min_size=1, max_size=4)
bleeds = st.one_of(st.none(), st.floats(0, 5))


@given(
    lots,
    papers_of_all_shapes,
    st.sampled_from(["long", "short", "separate", "none", "fold"]),
    st.sampled_from(["butt", "gutter"]),
    bleeds,
)
def test_imposition_has_no_overlap_and_backs_match_faces(
    wanted: list[tuple[str, int]], paper: Paper, backs: str, cut: str, bleed: float | None
) -> None:
    pieces = lot(*wanted)
    try:
        pages = impose(pieces, SIZES, Laying(paper, backs, cut, bleed))
    except TooLargeForPaper as large:
        around_it = 2 * (MARGIN + (bleed or 0))
        halves = 2 if backs == "fold" else 1
        fits = large.size.width + around_it <= paper.width and large.size.height + around_it <= paper.height / halves
        assert not fits
        return
    faces = [slot for page in pages for slot in page.slots if slot.side == "face"]
    for piece in pieces:
        assert sum(slot.piece is piece for slot in faces) == piece.copies
    for page in pages:
        boxes = [drawn(slot) for slot in page.slots]
        for left, top, right, bottom in boxes:
            assert left >= MARGIN - SMALL
            assert top >= MARGIN - SMALL
            assert right <= page.width - MARGIN + SMALL
            assert bottom <= page.height - MARGIN + SMALL
        cut_out = [drawn(replace(slot, bleed=Edges())) for slot in page.slots]
        assert not any(meet(box, other) for box, other in each_with_others(boxes, cut_out))
        for mark in page.marks:
            assert not any(meet(box, around(mark)) for box in boxes)
            assert -SMALL <= min(mark.x, mark.to_x) <= max(mark.x, mark.to_x) <= page.width + SMALL
            assert -SMALL <= min(mark.y, mark.to_y) <= max(mark.y, mark.to_y) <= page.height + SMALL
        cuts = cuts_of(page)
        across = [mark.x for mark in cuts if mark.x == mark.to_x]
        down = [mark.y for mark in cuts if mark.y == mark.to_y]
        for left, top, right, bottom in cut_out:
            assert all(any(abs(at - x) < 3 * SMALL for x in across) for at in (left, right))
            assert all(any(abs(at - y) < 3 * SMALL for y in down) for at in (top, bottom))
        rims = [{at for box in cut_out for at in box[way::2]} for way in (0, 1)]
        for places, edges in zip((across, down), rims, strict=True):
            assert all(any(abs(at - edge) < 3 * SMALL for edge in edges) for at in places), "no marks of empty places"
    if backs == "none":
        assert all(page.side == "face" for page in pages)
    elif backs == "fold":
        for page in pages:
            half = len(page.slots) // 2
            upright = not page.slots[half].turned
            assert all(met(f, b, page, upright) for f, b in zip(page.slots[:half], page.slots[half:], strict=True))
            middle = page.width / 2 if upright else page.height / 2
            spans = [box[0::2] if upright else box[1::2] for box in map(drawn, page.slots)]
            first, last = min(low for low, _ in spans), max(high for _, high in spans)
            for mark in cuts_of(page):
                if (mark.y == mark.to_y) == upright:
                    at = mark.x if upright else mark.y
                    assert not first < at < last, "no marks at the fold"
            for slot in page.slots[:half]:
                assert (slot.x + slot.size.width if upright else slot.y + slot.size.height) <= middle
    else:
        for front, behind in zip(pages[::2], pages[1::2], strict=True):
            longer = front.height >= front.width
            upright = longer if backs != "short" else not longer
            assert (front.side, behind.side) == ("face", "back")
            assert all(met(f, b, front, upright) for f, b in zip(front.slots, behind.slots, strict=True))


def cuts_of(page: Page) -> list[CutMark]:
    """Return the cut marks of a page."""
    return [mark for mark in page.marks if not mark.dashed]


def around(mark: CutMark) -> Box:
    """Return a box around a mark."""
    x, y = sorted((mark.x, mark.to_x)), sorted((mark.y, mark.to_y))
    return (x[0] - 0.1, y[0] - 0.1, x[1] + 0.1, y[1] + 0.1)


@pytest.mark.parametrize(("count", "pages"), [(1, 2), (9, 2), (10, 4)])
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("cut", ["butt", "gutter"])
def test_nine_cards_fit_a4(count: int, pages: int, paper: str, cut: str) -> None:
    assert len(impose(lot(("card", count)), SIZES, Laying(papers()[paper], cut=cut))) == pages


@pytest.mark.parametrize("backs", ["long", "none"])
@pytest.mark.parametrize(
    ("size", "paper", "offset", "places", "lies"),
    [
        ("card", "a3", (0.0, 0.0), 18, "across"),
        ("card", "a3", (0.5, 0.0), 16, "upright"),  # in which way a printer turns it is not known
        ("card", "a4", (0.0, 0.0), 9, "upright"),
        ("mini", "a4", (0.0, 0.0), 18, "across"),
        ("board", "a4", (0.0, 0.0), 4, "upright"),
    ],
)
def test_sheet_is_landscape_if_more_pieces_fit(
    size: str, paper: str, offset: tuple[float, float], places: int, lies: str, backs: str
) -> None:
    page = impose(lot((size, 40)), SIZES, Laying(papers()[paper], backs, offset=offset))[0]
    assert len(page.slots) == places
    assert (page.width > page.height) == (lies == "across")


@pytest.mark.parametrize(("paper", "bleed"), [("a4", 2.0), ("letter", 1.0), ("a3", 2.5)])
def test_gutter_bleed_is_as_large_as_possible(paper: str, bleed: float) -> None:
    face, _ = impose(lot(("card", 9)), SIZES, Laying(papers()[paper], cut="gutter"))
    assert {slot.bleed for slot in face.slots} == {Edges(bleed, bleed, bleed, bleed)}


def test_touching_pieces_bleed_only_at_rim() -> None:
    face, _ = impose(lot(("card", 4)), SIZES, Laying(papers()["a4"]))
    assert [slot.bleed for slot in face.slots] == [
        Edges(3, 3, 0, 0),
        Edges(0, 3, 0, 3),
        Edges(0, 3, 3, 3),
        Edges(3, 0, 3, 3),
    ]


def test_offset_moves_only_backs_and_their_marks() -> None:
    there = impose(lot(("card", 5)), SIZES, Laying(papers()["a4"]))
    moved = impose(lot(("card", 5)), SIZES, Laying(papers()["a4"], offset=(1.5, -0.5)))
    assert moved[0] == there[0]
    assert [(slot.x, slot.y) for slot in moved[1].slots] == [(s.x + 1.5, s.y - 0.5) for s in there[1].slots]
    assert [(mark.x, mark.to_y) for mark in moved[1].marks] == [(m.x + 1.5, m.to_y - 0.5) for m in there[1].marks]


def test_sizes_have_own_sheets_in_fixed_order() -> None:
    pages = impose(lot(("board", 1), ("card", 10), ("mini", 1)), SIZES, Laying(papers()["a4"], backs="none"))
    assert [{slot.size.name for slot in page.slots} for page in pages] == [{"card"}, {"card"}, {"board"}, {"mini"}]


def test_piece_larger_than_paper_is_refused() -> None:
    tiny = Paper("tiny", "Tiny", 70.0, 90.0)
    with pytest.raises(TooLargeForPaper, match="card does not fit Tiny"):
        impose(lot(("card", 1)), SIZES, Laying(tiny))


def test_one_up_has_page_per_side_and_copy_in_order() -> None:
    pages = one_up(lot(("card", 2), ("board", 1)), SIZES, ("back", "face"), 3.0)
    assert [(page.side, page.width, page.beyond) for page in pages] == [
        ("back", 63.0, 3.0),
        ("face", 63.0, 3.0),
    ] * 2 + [("back", 88.0, 3.0), ("face", 88.0, 3.0)]
    assert all((slot.x, slot.y, slot.bleed) == (0, 0, Edges(3, 3, 3, 3)) for page in pages for slot in page.slots)
