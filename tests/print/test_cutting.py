"""Paths for cutting machines, and their registration marks, agree with the printed pieces."""

from __future__ import annotations

import xml.etree.ElementTree as Xml
from pathlib import Path

import pytest
from pypdf import PdfReader
from small_shop import shop
from test_imposition import drawn, lot, meet

from fcbdsl.print.layout.formats import Paper, papers, sizes
from fcbdsl.print.press.cutting import DOT, ENOUGH, NoRoomForMarks, add_registration_marks, cut_paths
from fcbdsl.print.press.imposition import Laying, Page, impose
from fcbdsl.print.press.options import Options, refusals
from fcbdsl.print.press.press import render

SVG = "{http://www.w3.org/2000/svg}"
SIZES = tuple(sizes().values())


def face(count: int, cut: str, size: str = "card", paper: str = "a4") -> Page:
    """Return the first sheet of some pieces."""
    return add_registration_marks(impose(lot((size, count)), SIZES, Laying(papers()[paper], cut=cut, across=False))[0])


@pytest.mark.parametrize("paper", list(papers()))
@pytest.mark.parametrize("cut", ["butt", "gutter"])
@pytest.mark.parametrize("size", ["card", "board", "mini", "tarot"])
def test_registration_marks_are_clear_of_print(paper: str, cut: str, size: str) -> None:
    page = face(40, cut, size, paper)
    assert len(page.dots) >= ENOUGH
    for dot in page.dots:
        around = (dot.x - DOT, dot.y - DOT, dot.x + DOT, dot.y + DOT)
        assert not any(meet(drawn(slot), around) for slot in page.slots)
        assert min(around) > 4
        assert max(around[0::2]) < page.width - 4
        assert max(around[1::2]) < page.height - 4


def test_missing_room_for_marks_is_reported() -> None:
    full = Paper("full", "Full", 63.0 + 9.2, 88.0 + 9.2)
    with pytest.raises(NoRoomForMarks):
        add_registration_marks(impose(lot(("card", 1)), SIZES, Laying(full, bleed=0.0))[0])


def test_separate_pieces_have_own_cut_paths() -> None:
    page = face(5, "gutter")
    svg = Xml.fromstring(cut_paths(page, True))
    assert (svg.get("width"), svg.get("viewBox")) == ("210mm", "0 0 210 297")
    cut = [(float(r.get("x", "")), float(r.get("y", "")), float(r.get("width", ""))) for r in svg.iter(f"{SVG}rect")]
    assert cut == [pytest.approx((slot.x, slot.y, 63.0)) for slot in page.slots]
    dots = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in svg.iter(f"{SVG}circle")]
    assert dots == [pytest.approx((dot.x, dot.y)) for dot in page.dots]


@pytest.mark.parametrize(("count", "edges"), [(1, 4), (2, 7), (9, 24), (4, 13)])
def test_shared_edge_of_pieces_is_cut_once(count: int, edges: int) -> None:
    svg = Xml.fromstring(cut_paths(face(count, "butt"), False))
    paths = [path.get("d") for path in svg.iter(f"{SVG}path")]
    assert len(paths) == len(set(paths)) == edges


def test_cut_paths_are_written_beside_each_sheet(tmp_path: Path) -> None:
    model = shop()
    model.layouts["tool"].settings["copies"] = (("9",),)
    options = Options(cut="gutter", cut_paths=True)
    made = render(model, ("tool/",), "en", "a4", "pdf", tmp_path, options)
    assert [path.name for path in made.files if path.suffix == ".svg"] == [
        "cards-tool~all.cut-01.svg",
        "cards-tool~all.cut-02.svg",
    ]
    plain = render(model, ("tool/",), "en", "a4", "pdf", tmp_path / "plain", Options(cut="gutter"))
    pages = [
        [page.get_contents().get_data().count(b" c\n") for page in PdfReader(path).pages]
        for path in (
            next(path for path in files if path.name == "cards-tool~all.pdf") for files in (made.files, plain.files)
        )
    ]
    assert [with_dots > without for with_dots, without in zip(*pages, strict=True)] == [True, False, True, False]


def test_sealed_pieces_are_cut_from_backs(tmp_path: Path) -> None:
    model = shop()
    model.layouts["tool"].settings["sealed"] = (("yes",),)
    made = render(model, ("tool/",), "en", "a4", "pdf", tmp_path, Options(cut_paths=True))
    (paths,) = [path for path in made.files if path.suffix == ".svg"]
    assert ".sealed" in paths.name
    svg = Xml.fromstring(paths.read_bytes())
    assert len(svg.findall(f".//{SVG}circle")) >= ENOUGH
    (sheet,) = [path for path in made.files if path.name == paths.name.replace(".cut-01.svg", ".pdf")]
    plain = render(model, ("tool/",), "en", "a4", "pdf", tmp_path / "plain", Options())
    (other,) = [path for path in plain.files if path.name == sheet.name]
    dots = [
        [page.get_contents().get_data().count(b" c\n") for page in PdfReader(path).pages] for path in (sheet, other)
    ]
    assert [with_dots > without for with_dots, without in zip(*dots, strict=True)] == [True, False]


@pytest.mark.parametrize(
    ("options", "form"),
    [
        (Options(cut_paths=True), "html"),
        (Options(cut_paths=True, one_up=True), "pdf"),
        (Options(cut_paths=True, backs="fold"), "pdf"),
        (Options(cut_paths=True, shop="drivethrucards"), "pdf"),
    ],
)
def test_cut_paths_are_for_flat_sheets(options: Options, form: str) -> None:
    assert "--cut-paths" in next(refusals(options, form))
