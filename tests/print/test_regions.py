"""Regions on a map: a band inside the rim of each part, and its name once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games import EACH_IN_ITS_LANGUAGES
from games import model as shipped
from views import sheet_in

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.reading import LANGUAGES
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.layout.plots import LINE
from fcbdsl.print.layout.views import MapView, Point
from fcbdsl.print.pieces.maps import frame_of, map_of
from fcbdsl.print.pieces.regions import DASHES
from fcbdsl.print.pieces.sheets import sheet_of
from fcbdsl.print.pieces.web import fill_page
from fcbdsl.print.press.proofs import own_problems
from fcbdsl.project.project import check_project

SYSTEM = """
system keep "Keep":
  players: 1..1
  board: square
  languages: en

kind hall is region:
  name: "hall", plural "halls"
kind side:
  stat shut "shut": flag
  field lock "lock": number, default 0
barrier wall "wall":
  blocks: movement, sight
barrier door "door":
  blocks: movement, sight while shut
  shut: yes
flow:
  win "Over."
"""
CARDS = """
use keep
hall long "long hall"
hall nook "nook"
mission m "M":
  map square:
    art: |
      +--+--+--+
      |l  l |n |
      +  +  +D +
      |l  .  . |
      +--+--+--+
    legend:
      "l": long
      "n": nook
      "|": wall
      "D": door, lock 7
    hall long: C2
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    root = tmp_path_factory.mktemp("keep")
    (root / "systems").mkdir()
    (root / "systems" / "keep.fcb").write_text(SYSTEM, encoding="utf-8")
    (root / "keep.fcb").write_text(CARDS, encoding="utf-8")
    (root / "fcb.toml").write_text('language = 2\nname = "keep"\nlanguages = ["en"]\npaths = ["."]\n', encoding="utf-8")
    model, problems = check_project([root])
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    return model


@pytest.fixture(scope="module")
def made(model: Model) -> MapView:
    mission = model.definitions["mission", "m"]
    assert mission.board is not None
    return map_of(mission.board, model, Naming(model, LANGUAGES["en"], "a map", mission.span))


def test_each_connected_part_has_name(made: MapView) -> None:
    assert [region.name for region in made.regions] == [("Long hall",), ("Long hall",), ("Nook",)]
    assert [len(region.rim) for region in made.regions] == [6, 4, 4], "an L has six sides"
    assert "long hall" in made.alt.lower()
    assert ">Nook</text>" in fill_page("map.svg.j2", {"map": made, "label": 3.0})


def with_kinds(root: Path, count: int) -> tuple[Model, list[Diagnostic]]:
    """Return a game with a region of each of some kinds on its map, and the problems of its print."""
    (root / "systems").mkdir()
    letters = "abcdefgh"[:count]
    kinds = "".join(f'kind k{letter} is region:\n  name: "hall {letter}"\n' for letter in letters)
    (root / "systems" / "keep.fcb").write_text(SYSTEM.replace("flow:", f"{kinds}flow:"), encoding="utf-8")
    regions = "".join(f'k{letter} r{letter} "room {letter}"\n' for letter in letters)
    placed = "".join(f"    k{letter} r{letter}: {letter.upper()}1\n" for letter in letters)
    line = f"      +{'--+' * count}\n"
    map_lines = f'    art: |\n{line}      |{"  |" * count}\n{line}    legend:\n      "|": wall\n'
    card = f'use keep\n{regions}mission m "M":\n  map square:\n{map_lines}{placed}'
    (root / "keep.fcb").write_text(card, encoding="utf-8")
    (root / "fcb.toml").write_text('language = 2\nname = "keep"\nlanguages = ["en"]\npaths = ["."]\n', encoding="utf-8")
    game, problems = check_project([root])
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    return game, own_problems(game, game.definitions["mission", "m"])


def test_kinds_of_regions_differ_in_pattern(tmp_path: Path) -> None:
    game, problems = with_kinds(tmp_path, len(DASHES))
    assert "FCB0744" not in {problem.code for problem in problems}
    drawn = sheet_of(game.definitions["mission", "m"], game, "en")[0].map
    assert drawn is not None
    assert [region.dashes for region in drawn.regions] == list(DASHES)
    svg = fill_page("map.svg.j2", {"map": drawn, "label": 3.0})
    assert {*re.findall(r'stroke-width="1" stroke-dasharray="([^"]*)"', svg)} == {*DASHES} - {""}


def test_more_kinds_of_regions_than_patterns_are_error(tmp_path: Path) -> None:
    _, problems = with_kinds(tmp_path, len(DASHES) + 1)
    (problem,) = [problem for problem in problems if problem.code == "FCB0744"]
    assert (problem.severity, problem.arguments["count"], problem.arguments["most"]) == ("error", 5, 4)


def test_region_band_is_inside_its_spaces(made: MapView) -> None:
    centres = {cell.id: cell for cell in made.cells}
    part, spaces = made.regions[0], ("A1", "B1", "A2")

    def inside(point: Point) -> bool:
        outlines = [centres[space].outlines[0] for space in spaces]
        boxes = [
            (min(p.x for p in line), max(p.x for p in line), min(p.y for p in line), max(p.y for p in line))
            for line in outlines
        ]
        return any(left <= point.x <= right and top <= point.y <= bottom for left, right, top, bottom in boxes)

    for start, end in part.rim:
        assert inside(Point((start.x + end.x) / 2, (start.y + end.y) / 2))
    ends = sorted((round(point.x, 1), round(point.y, 1)) for edge in part.rim for point in edge)
    assert ends[::2] == ends[1::2], "the band is closed: each end is that of two sides"


def test_common_state_of_doors_is_printed_once(made: MapView) -> None:
    assert [side.letter for side in made.sides if side.letter] == ["7"]
    lines = dict(made.lines)
    assert lines["door"].replace("\u00a0", " ") == "Door (shut, number = lock)"
    assert (lines["wall"], lines["region"]) == ("Wall", "Hall")


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_region_names_cover_nothing(game: str, language: str) -> None:
    """Letters overlap neither furniture nor the band of another region."""
    for mission in shipped(game).definitions.values():
        if mission.board is None:
            continue
        naming = Naming(shipped(game), LANGUAGES[language], "a map", mission.span)
        view = map_of(mission.board, shipped(game), naming)
        frames = [frame_of(cell) for cell in view.cells if cell.symbols]
        for region in view.regions:
            for at, line in enumerate(region.name):
                low, high = region.label.y + LINE * at, region.label.y + LINE * at - 1.6
                wide = 1.1 * len(line)
                left = region.label.x - (wide / 2 if region.anchor == "middle" else 0)
                for a, b in [*frames, *(edge for other in view.regions for edge in other.rim)]:
                    beside = max(a.x, b.x) <= left or min(a.x, b.x) >= left + wide
                    above = max(a.y, b.y) <= high or min(a.y, b.y) >= low
                    assert beside or above, f"{mission.id}: {line}"


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_names_and_side_marks_do_not_overlap(game: str, language: str) -> None:
    """The name of a space stands above its lower rim, where the band of a region runs and a side may have a letter; the
    name of a region below the upper rim, where a side may have one, too."""
    for mission in shipped(game).definitions.values():
        if mission.board is None:
            continue
        view = map_of(mission.board, shipped(game), Naming(shipped(game), LANGUAGES[language], "a map", mission.span))
        middles = [
            ((side.start.x + side.end.x) / 2, (side.start.y + side.end.y) / 2) for side in view.sides if side.letter
        ]
        discs = [(x - 2.3, y - 2.3, x + 2.3, y + 2.3) for x, y in middles]
        bands = [
            (min(a.x, b.x) - 0.5, min(a.y, b.y) - 0.5, max(a.x, b.x) + 0.5, max(a.y, b.y) + 0.5)
            for region in view.regions
            for a, b in region.rim
        ]
        named = [(cell.name, cell.named, 0.7 * len(cell.name)) for cell in view.cells if cell.style != "partial"]
        for title, spot, half in named:
            met = [box for box in discs + bands if _meets((spot.x - half, spot.y - 1.9, spot.x + half, spot.y), box)]
            assert met == [], f"{mission.id}: {title}"
        for region in view.regions:
            wide = 1.1 * len(region.name[0])
            left = region.label.x - (wide / 2 if region.anchor == "middle" else 0)
            box = (left, region.label.y - 1.6, left + wide, region.label.y)
            assert not any(_meets(box, disc) for disc in discs), f"{mission.id}: {region.name[0]}"


Box = tuple[float, float, float, float]


def _meets(one: Box, other: Box) -> bool:
    """Return whether two boxes (left, top, right, bottom) overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_map_words_are_text_once(made: MapView) -> None:
    """A rim of letters was text, too, so that copying and screen readers met each word twice."""
    drawn = fill_page("map.svg.j2", {"map": made, "label": 3.0})
    (word,) = re.finditer("<text[^>]*>Nook<", drawn)
    assert " stroke=" not in word.group()
    assert drawn[: word.start()].rstrip().endswith("</g>")


def test_hyphenated_name_is_one_word_in_text_layer() -> None:
    escape = shipped("escape")
    mission = escape.definitions["mission", "evasion"]
    assert mission.board is not None
    view = map_of(mission.board, escape, Naming(escape, LANGUAGES["fr"], "a map", mission.span))
    assert ("Sas haute-", "sécurité") in [region.name for region in view.regions]
    assert "Sas haute-sécurité" in view.alt


@pytest.mark.parametrize(
    ("game", "mission", "language", "parts"),
    [
        ("far-cry-beyond", "widows-span", "en", ("100 spaces, A1 to M7", "Exit: O1, O2, O3, O4", "Gate: B4")),
        ("beast", "clean-up", "en", ("Boar: Thicket, Pinewood", "South-East: Stone, Southby, Pit, Pinewood, Bog")),
        ("escape", "curfew", "fr", ("64 cases, d’A1 à H8", "Sas 2 : G7, G8")),
    ],
)
def test_map_alt_text_lists_contents_of_spaces(game: str, mission: str, language: str, parts: tuple[str, ...]) -> None:
    made = shipped(game)
    definition = made.definitions["mission", mission]
    assert definition.board is not None
    view = map_of(definition.board, made, Naming(made, LANGUAGES[language], "a map", definition.span))
    words = view.alt.replace("\xa0", " ")
    assert [part for part in parts if part not in words] == []


def test_words_of_map_name_barriers_and_routes() -> None:
    floor = shipped("far-cry-beyond").definitions["mission", "quiet-floor"]
    assert "Route A: K3, K4, K5, J6," in sheet_in("far-cry-beyond", floor, "en").map.alt.replace("\xa0", " ")
    curfew = shipped("escape").definitions["mission", "curfew"]
    words = sheet_in("escape", curfew, "fr").map.alt.replace("\xa0", " ")
    assert "Mur : " in words
    assert "Porte 5 : " in words


def is_inside(point: Point, outline: tuple[Point, ...]) -> bool:
    """Return whether a ray from a point crosses an outline an odd number of times."""
    crossed = False
    for a, b in zip(outline, outline[1:] + outline[:1], strict=True):
        if (a.y > point.y) != (b.y > point.y):
            crossed ^= point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
    return crossed


def test_area_of_graph_contains_places_of_its_region_alone() -> None:
    """The convex outline of a sector contained places of others: the Ridge of The Great Clean-Up."""
    beast = shipped("beast")
    for mission in beast.definitions.values():
        board = mission.board
        if board is None:
            continue
        drawn = map_of(board, beast, Naming(beast, LANGUAGES["en"], "a map", mission.span))
        colours = dict.fromkeys(region.colour for region in drawn.regions)
        assert len(colours) == len(board.regions)
        for colour, spaces in zip(colours, board.regions.values(), strict=True):
            outlines = [area.outline for area in drawn.areas if area.colour == colour]
            inside = {cell.id for cell in drawn.cells if any(is_inside(cell.centre, rim) for rim in outlines)}
            assert inside == set(spaces)
            assert sum(bool(area.name) for area in drawn.areas if area.colour == colour) == 1
