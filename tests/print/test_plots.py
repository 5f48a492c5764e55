"""The drawn positions of spaces: areas by their letters, places of a graph by the directions of their paths."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcbdsl.language.model.content import Board, Cell
from fcbdsl.language.model.declarations import NOWHERE
from fcbdsl.print.layout.graph_layout import COMPASS, spread
from fcbdsl.print.layout.plots import ROOM, Outline, Plot, borders, edges, plots_of, rings
from fcbdsl.print.layout.views import CellView, MapView, Point, Symbol
from fcbdsl.print.pieces.map_drawing import hatching
from fcbdsl.print.pieces.web import fill_page

SQUARES = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=25)


def cells_of(*rows: str) -> list[Cell]:
    """Return areas as an author draws them."""
    covers: dict[str, list[tuple[int, int]]] = {}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != " ":
                covers.setdefault(letter, []).append((x, y))
    return [Cell(name, *squares[0], "plain", covers=tuple(squares)) for name, squares in covers.items()]


def areas(*rows: str) -> dict[str, Plot]:
    """Return the plots of areas."""
    return plots_of(Board("areas", cells_of(*rows), {}, [], {}, NOWHERE))


def surface(outlines: tuple[Outline, ...]) -> float:
    """Return the surface within clockwise outlines, without the holes."""
    return sum(a.x * b.y - b.x * a.y for outline in outlines for a, b in edges(outline)) / 2


@given(SQUARES)
def test_area_size_follows_letters(squares: set[tuple[int, int]]) -> None:
    cell = Cell("a", 0, 0, "plain", covers=tuple(sorted(squares)))
    plot = plots_of(Board("areas", [cell], {}, [], {}, NOWHERE))["a"]
    unit = surface((plot.units[0][1],))
    assert surface(plot.outlines) == pytest.approx(unit * len(squares))
    narrower = sum(((b.x - a.x) ** 2 + (b.y - a.y) ** 2) ** 0.5 for a, b in rings(plot.outlines, 0.5))
    assert narrower > 0
    for a, b in hatching(plot.outlines):
        x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
        boxes = [(outline[0], outline[2]) for _, outline in plot.units]
        assert any(low.x - 1e-6 <= x <= high.x + 1e-6 and low.y - 1e-6 <= y <= high.y + 1e-6 for low, high in boxes)


def test_area_outline_has_corners_and_holes() -> None:
    ring = areas("aaa", "aba", "aaa")
    assert [len(outline) for outline in ring["a"].outlines] == [4, 4]
    assert surface(ring["a"].outlines[1:]) < 0, "a hole is gone round the other way"
    assert [len(outline) for outline in areas("aa", "a ")["a"].outlines] == [6]
    assert [len(outline) for outline in areas("a ", " a")["a"].outlines] == [4, 4], "a corner joins nothing"


def test_pieces_are_at_widest_part_of_area() -> None:
    plots = areas("aabbbb", "accccc", "a     ")
    for plot in plots.values():
        xs, ys = zip(*((p.x, p.y) for outline in plot.outlines for p in outline), strict=True)
        assert min(xs) < plot.centre.x < max(xs)
        assert min(ys) < plot.centre.y < max(ys)
    (_, room), *_ = plots["b"].units
    assert room[2].y - room[0].y >= ROOM - 0.01
    around = areas("aaaa", "abba", "aaaa", "aaaa")["a"]
    assert around.centre.y > around.units[0][1][0].y + 2 * (room[2].y - room[0].y) / 3, "not in the hole"


def test_border_between_areas_is_drawn_once() -> None:
    covers = {cell.id: cell.covers for cell in cells_of("aab", "aac")}
    lines = borders(covers, areas("aab", "aac"))
    between = [owners for _, owners in lines if len(owners) == 2]
    assert sorted(between) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert sorted(owners for _, owners in lines if len(owners) == 1) == [("a",)] * 3 + [("b",)] * 2 + [("c",)] * 2


# ── graphs ─────────────────────────────────────────────────────────────────────────────────────

NAMES = "abcdefghij"
LINKS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(["", "up", *COMPASS])), max_size=24
)


@given(LINKS)
def test_graph_places_do_not_overlap(links: list[tuple[str, str, str]]) -> None:
    at = spread(NAMES, links)
    assert at == spread(NAMES, links)
    for one, other in combinations(NAMES, 2):
        assert max(abs(at[one][0] - at[other][0]), abs(at[one][1] - at[other][1])) > 0.99


def test_links_have_directions_of_graph() -> None:
    links = [("a", "b", "E"), ("b", "c", "E"), ("a", "d", "S"), ("d", "e", "E"), ("c", "e", "S"), ("e", "f", "NE")]
    at = spread("abcdef", links)
    assert at["a"][1] == at["b"][1] == at["c"][1] < at["d"][1] == at["e"][1]
    assert at["a"][0] == at["d"][0] < at["b"][0] < at["c"][0] == at["e"][0] < at["f"][0]
    assert at["f"][1] < at["e"][1]


def test_linked_places_are_nearer() -> None:
    ring = list(zip("abcdef", "bcdefa", strict=True))
    at = spread("abcdef", [(one, other, "") for one, other in ring])

    def far(one: str, other: str) -> float:
        return (at[one][0] - at[other][0]) ** 2 + (at[one][1] - at[other][1]) ** 2

    assert max(far(*pair) for pair in ring) < min(far("a", "d"), far("b", "e"), far("c", "f"))


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_space_contents_are_inside_space(count: int) -> None:
    outline = (Point(0, 0), Point(20, 0), Point(20, 20), Point(0, 20))
    marks = tuple(Symbol("plain", "#8c1d18", str(at), f"piece {at}") for at in range(count))
    cell = CellView("a", "a", Point(10, 10), (outline,), "plain", (), marks)
    svg = fill_page("map.svg.j2", {"map": MapView(20, 20, "", (cell,), (), (), (), (), (), (), ()), "label": 3.0})
    circles = [(float(x), float(r)) for x, r in re.findall(r'<circle cx="([\d.]+)" cy="[\d.]+" r="([\d.]+)"', svg)]
    assert len(circles) == count
    assert all(x - r > 0.8 and x + r < 19.2 for x, r in circles)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_light_background_of_symbols_keeps_space_name(count: int) -> None:
    outline = (Point(0, 0), Point(20, 0), Point(20, 20), Point(0, 20))
    marks = tuple(Symbol("plain", "#8c1d18", str(at), f"piece {at}") for at in range(count))
    cell = CellView("k", "k", Point(10, 10), (outline,), "solid", (), marks)
    size = 3.0
    svg = fill_page("map.svg.j2", {"map": MapView(20, 20, "", (cell,), (), (), (), (), (), (), ()), "label": size})
    light = re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)" r="([\d.]+)" fill="#ffffff"/>', svg)
    (name,) = set(re.findall(r'<text x="[\d.]+" y="([\d.]+)"[^>]*>k</text>', svg))  # its rim, and above it its letters
    assert len(light) == count
    assert all(float(y) + float(r) < float(name) - 0.7 * size for y, r in light)
