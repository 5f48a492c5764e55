"""Strokes change only the text of a map: they undo byte for byte and leave the file formatted."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from land import GRAPH, HEX, SQUARE, Painted, land

from fcbdsl.base.source import Source
from fcbdsl.editor.painter.strokes import CannotPaint
from fcbdsl.language.syntax.formatting import format_source

BAY, HOUSE, FEN, ROAD = (f"missions/{name}.fcb" for name in ("bay", "house", "fen", "road"))


@pytest.fixture
def painted(tmp_path: Path) -> Painted:
    return Painted(land(tmp_path / "hex"))


@pytest.fixture
def house(tmp_path: Path) -> Painted:
    return Painted(land(tmp_path / "square", "square"))


@pytest.fixture
def fen(tmp_path: Path) -> Painted:
    return Painted(land(tmp_path / "areas", "areas"))


@pytest.fixture
def road(tmp_path: Path) -> Painted:
    return Painted(land(tmp_path / "graph", "graph"))


def changed(before: str, after: str) -> list[str]:
    """Return the changed rows, as `-` and `+` with their text."""
    rows = difflib.ndiff(before.splitlines(), after.splitlines())
    return [row[0] + row[2:].strip() for row in rows if row[0] in "-+"]


def words(state: dict[str, Any], space: str) -> list[str]:
    return list(next(cell["words"] for cell in state["cells"] if cell["id"] == space))


def test_the_maps_are_formatted_and_without_errors(painted: Painted, house: Painted) -> None:
    for project in (painted, house):
        assert [
            problem.message for problem in project.desk.games[0].space.problems() if problem.severity == "error"
        ] == []
    assert [mission for _, mission in (*painted.painter.maps(), *house.painter.maps())] == ["bay", "cape", "house"]
    assert format_source(Source("bay", HEX)) == HEX
    assert format_source(Source("house", SQUARE)) == SQUARE


def test_a_brush_changes_one_character_for_each_space(painted: Painted) -> None:
    state = painted.stroke("bay", tool="brush", spaces=["A1", "C2"], words=["marsh"])
    assert changed(HEX, painted.text(BAY)) == ["-. . m .", "+m . m .", "-. # . .", "+. # m ."]
    assert words(state, "A1") == words(state, "C2") == ["marsh"]
    assert words(state, "C1") == ["marsh"]


def test_a_plain_space_is_painted_as_a_dot(painted: Painted) -> None:
    painted.stroke("bay", tool="brush", spaces=["C3"], words=[])
    assert changed(HEX, painted.text(BAY)) == ["-. . c .", "+. . . ."]


def test_a_new_content_gets_an_entry_of_the_legend(painted: Painted) -> None:
    state = painted.stroke("bay", tool="brush", spaces=["D4"], words=["rock", "ford"])
    assert changed(HEX, painted.text(BAY)) == ["-. . . .", "+. . . f", '+"f": rock, ford']
    assert words(state, "D4") == ["rock", "ford"]
    again = painted.stroke("bay", tool="brush", spaces=["A4"], words=["ford", "rock"])
    assert words(again, "A4") == ["rock", "ford"]
    assert painted.text(BAY).count("rock, ford") == 1


def test_a_map_without_a_legend_gets_one(painted: Painted) -> None:
    painted.stroke("cape", tool="brush", spaces=["B2"], words=["marsh"])
    assert changed(HEX, painted.text(BAY)) == ["-. . .", "+. m .", "+legend:", '+"m": marsh']


def test_mark_is_added_to_content_of_space(painted: Painted) -> None:
    state = painted.stroke("bay", tool="brush", spaces=["C1", "A1"], mark="ford", on=True)
    assert words(state, "C1") == ["marsh", "ford"]
    assert words(state, "A1") == ["ford"]
    state = painted.stroke("bay", tool="brush", spaces=["C1", "C3"], mark="ford", on=False)
    assert words(state, "C1") == ["marsh"]
    assert words(state, "C3") == ["camp", "coin 2"]


@pytest.mark.parametrize(
    ("tool", "spaces", "expected"),
    [
        ("line", ["A1", "D1"], {"A1", "B1", "C1", "D1"}),
        ("line", ["A1", "B3"], {"A1", "A2", "B3"}),
        ("fill", ["C1"], {"C1"}),
        ("fill", ["A1"], {"A1", "B1", "D1", "A2", "C2", "D2", "A3", "B3", "D3", "A4", "B4", "C4", "D4"}),
        ("ring", ["B2"], {"B1", "C1", "A2", "C2", "B3", "C3"}),
    ],
)
def test_a_tool_paints_its_spaces(painted: Painted, tool: str, spaces: list[str], expected: set[str]) -> None:
    state = painted.stroke("bay", tool=tool, spaces=spaces, words=["rock"], radius=1)
    cells: Any = state["cells"]
    assert {cell["id"] for cell in cells if cell["words"] == ("rock",)} == expected | {"B2"}


def test_sides_of_hexagons_are_listed(painted: Painted) -> None:
    def side(first: str, second: str, barrier: str) -> list[str]:
        before = painted.text(BAY)
        painted.stroke("bay", tool="side", spaces=[first, second], barrier=barrier)
        return changed(before, painted.text(BAY))

    assert side("A3", "B3", "wall") == ["-wall: A1/B1, B1/C1", "+wall: A1/B1, B1/C1, A3/B3"]
    assert side("C1", "B1", "") == ["-wall: A1/B1, B1/C1, A3/B3", "+wall: A1/B1, A3/B3"]
    assert side("A1", "B1", "hedge") == ["-wall: A1/B1, A3/B3", "+wall: A3/B3", "+hedge: A1/B1"]
    assert side("B3", "A3", "hedge") == ["-wall: A3/B3", "-hedge: A1/B1", "+hedge: A1/B1, B3/A3"]
    assert side("A1", "B1", "") == ["-hedge: A1/B1, B3/A3", "+hedge: B3/A3"]
    assert side("A3", "B3", "") == ["-hedge: B3/A3"]
    assert side("D3", "C3", "wall") == ["+wall: D3/C3"]


def test_sides_of_squares_are_drawn(house: Painted) -> None:
    def side(first: str, second: str, barrier: str) -> list[str]:
        before = house.text(HOUSE)
        house.stroke("house", tool="side", spaces=[first, second], barrier=barrier)
        return changed(before, house.text(HOUSE))

    assert side("A1", "B1", "wall") == ["-|.  .  m |", "+|. |.  m |"]
    assert side("A3", "A2", "wall") == ["-+  +  +  +", "++--+  +  +"]
    assert side("B1", "B2", "") == ["-+  +==+  +", "++  +  +  +"]
    assert side("B2", "C2", "wall") == ["-|.  . H. |", "+|.  . |. |"]
    assert side("C3", "C2", "hedge") == ["-+--+  +  +", "++--+  +==+"]


def test_areas_are_painted_in_the_legend(fen: Painted) -> None:
    def stroke(mission: str, *spaces: str, **asked: object) -> list[str]:
        before = fen.text(FEN)
        state = fen.stroke(mission, tool="brush", spaces=[*spaces], **asked)
        assert format_source(Source(FEN, fen.text(FEN))) == fen.text(FEN)
        if "words" in asked:
            assert [words(state, space) for space in spaces] == [asked["words"]] * len(spaces)
        return changed(before, fen.text(FEN))

    assert stroke("fen", "b", words=["rock"]) == [
        '-"b": marsh, coin 2                  # wet',
        '+"b": rock                           # wet',
    ]
    assert stroke("fen", "a", "c", mark="ford", on=True) == ['-"a": camp', '+"a": camp, ford', '+"c": ford']
    assert stroke("fen", "c", mark="ford", on=False) == ['-"c": ford']
    assert stroke("fen", "a", "b", words=[]) == [
        "-legend:",
        '-"a": camp, ford',
        '-"b": rock                           # wet',
    ]
    assert stroke("fen", "d", "a", words=["marsh"]) == ["+legend:", '+"d": marsh', '+"a": marsh']
    assert stroke("dune", "b", words=["coin 3"]) == ["+legend:", '+"b": coin 3']
    before = fen.text(FEN)
    fen.stroke("fen", tool="side", spaces=["a", "d"], barrier="hedge")
    assert changed(before, fen.text(FEN)) == ["+hedge: a/d"]


def test_areas_take_back_byte_for_byte(fen: Painted) -> None:
    for asked in ({"words": ["rock"]}, {"words": []}, {"mark": "ford", "on": True}):
        before = fen.text(FEN)
        fen.stroke("fen", tool="brush", spaces=["a", "b", "c"], **asked)
        assert fen.text(FEN) != before
        fen.painter.take_back(fen.game, "fen")
        assert fen.text(FEN) == before


def test_comment_keeps_the_column_of_the_format(fen: Painted) -> None:
    for content in (["rock", "coin 20", "ford", "camp"], ["rock"], ["rock", "coin 20", "ford"]):
        fen.stroke("fen", tool="brush", spaces=["b"], words=content)
        assert format_source(Source(FEN, fen.text(FEN))) == fen.text(FEN)


def on_road(road: Painted, mission: str = "road") -> Callable[..., list[str]]:
    def stroke(tool: str, *places: str, **asked: object) -> list[str]:
        before = road.text(ROAD)
        more = {"from": places[0] if places else ""} if tool == "place" else {"spaces": [*places]}
        road.stroke(mission, tool=tool, **more, **asked)
        assert format_source(Source(ROAD, road.text(ROAD))) == road.text(ROAD)
        return changed(before, road.text(ROAD))

    return stroke


def test_places_are_painted_in_their_lines(road: Painted) -> None:
    assert format_source(Source(ROAD, GRAPH)) == GRAPH
    assert [mission for _, mission in road.painter.maps()] == ["road", "lane"]
    stroke = on_road(road)
    assert stroke("brush", "oak", words=["marsh"]) == [
        '-oak "the oak", fr "le chêne", m: rock  # tall',
        '+oak "the oak", fr "le chêne", m: marsh  # tall',
    ]
    assert stroke("brush", "hill", "mill", mark="ford", on=True) == [
        '-mill "Mill", fr "Moulin": marsh, camp',
        '+mill "Mill", fr "Moulin": marsh, camp, ford',
        "-hill",
        "+hill: ford",
    ]
    assert stroke("brush", "hill", mark="ford", on=False) == ["-hill: ford", "+hill"]
    assert stroke("brush", "oak", words=[]) == [
        '-oak "the oak", fr "le chêne", m: marsh  # tall',
        '+oak "the oak", fr "le chêne", m     # tall',
    ]
    assert stroke("brush", "well", mark="rock", on=True) == [
        '-well "Well": marsh, coin 2',
        '+well "Well": rock, coin 2',
    ], "a terrain replaces the other one"


def test_paths_are_added_turned_and_removed(road: Painted) -> None:
    stroke = on_road(road)
    assert stroke("path", "hill", "oak", way="E") == ["+hill E oak"]
    assert stroke("path", "oak", "hill", way="W") == [], "a path leads back by itself"
    assert stroke("path", "oak", "hill", way="S") == ["-hill E oak", "+oak S hill"]
    assert stroke("path", "mill", "hill", way="") == [
        "-mill N hill                         # steep",
        "+mill hill                           # steep",
    ]
    assert stroke("disconnect", "oak", "well") == ["-well oak"]
    assert stroke("disconnect", "oak", "mill") == ["-oak E mill"]
    lane = on_road(road, "lane")
    assert lane("path", "ash", "elm", way="N") == ["+paths:", "+ash N elm"]
    assert lane("disconnect", "elm", "ash") == ["-paths:", "-ash N elm"]


def test_places_are_added_named_and_removed(road: Painted) -> None:
    stroke = on_road(road)
    added = stroke("place", "oak", way="N", titles={"en": "Old Tower", "fr": "Vieille Tour"}, words=["rock"])
    assert added == ['+old-tower "Old Tower", fr "Vieille Tour": rock', "+oak N old-tower"]
    assert stroke("place", way="", titles={"en": "Old tower"}, words=[]) == ['+old-tower-2 "Old tower"']
    assert stroke("title", "hill", titles={"en": "Hill", "fr": "Colline"}) == ["-hill", '+hill "Hill", fr "Colline"']
    assert stroke("title", "mill", titles={"en": 'a "mill"', "fr": ""}) == [
        '-mill "Mill", fr "Moulin": marsh, camp',
        '+mill "a \\"mill\\"": marsh, camp',
    ]
    assert stroke("title", "oak", titles={"en": "the elder", "fr": "le sureau"}) == [
        '-oak "the oak", fr "le chêne", m: rock  # tall',
        '+oak "the elder", fr "le sureau", m: rock  # tall',
    ]
    assert stroke("remove", "old-tower") == [
        '-old-tower "Old Tower", fr "Vieille Tour": rock',
        "-oak N old-tower",
    ]
    lane = on_road(road, "lane")
    assert lane("place", "elm", way="", titles={"en": "Été"}, words=[]) == ['+ete "Été"', "+paths:", "+elm ete"]
    assert lane("remove", "elm") == ["-elm", "-paths:", "-elm ete"]


def test_legality_of_a_map_of_places_is_shown(road: Painted) -> None:
    problems: Any = road.state("road")["problems"]
    assert {problem["code"] for problem in problems} == {"FCB0315"}
    assert not any("{" in problem["help"] for problem in problems), "the help names what the author has written"
    file = road.root / ROAD
    file.write_text(GRAPH.replace("marsh, camp", "swamp, camp"), encoding="utf-8")
    road.desk.refresh([file])
    problems = road.state("road")["problems"]
    assert [problem["spaces"] for problem in problems if problem["severity"] == "error"] == [["mill"]]


ON_ROAD: list[dict[str, Any]] = [
    {"tool": "line", "spaces": ["oak", "mill"], "words": []},
    {"tool": "side", "spaces": ["oak", "mill"], "barrier": "wall"},
    {"tool": "brush", "spaces": ["elm"], "words": []},
    {"tool": "brush", "spaces": ["oak"], "words": ["nonsense"]},
    {"tool": "brush", "spaces": ["oak"], "words": ["rock\n      evil"]},
    {"tool": "path", "spaces": ["oak", "oak"], "way": ""},
    {"tool": "path", "spaces": ["oak", "elm"], "way": ""},
    {"tool": "path", "spaces": ["oak", "well"], "way": "up"},
    {"tool": "path", "spaces": ["oak", "well"], "way": "E"},
    {"tool": "path", "spaces": ["well", "oak"], "way": "W # "},
    {"tool": "disconnect", "spaces": ["mill", "well"]},
    {"tool": "remove", "spaces": ["hill"]},
    {"tool": "remove", "spaces": ["elm"]},
    {"tool": "title", "spaces": ["mill"], "titles": {"en": ""}},
    {"tool": "title", "spaces": ["oak"], "titles": {"fr": ""}},
    {"tool": "title", "spaces": ["mill"], "titles": {"en": "a\nb"}},
    {"tool": "title", "spaces": ["mill"], "titles": {"en": "a", "x: evil": "b"}},
    {"tool": "place", "from": "oak", "way": "E", "titles": {"en": "A"}, "words": []},
    {"tool": "place", "from": "elm", "way": "", "titles": {"en": "A"}, "words": []},
    {"tool": "place", "from": "oak", "way": "N", "titles": {"fr": "A"}, "words": []},
    {"tool": "place", "from": "oak", "way": "N", "titles": {"en": "A"}, "words": ["nonsense"]},
    {"tool": "place", "from": "oak", "way": "N", "titles": {"en": "A\u202e"}, "words": []},
]


def test_invalid_stroke_on_places_changes_nothing(road: Painted) -> None:
    before = road.state("road")
    for asked in ON_ROAD:
        with pytest.raises(CannotPaint):
            road.stroke("road", **asked)
        assert road.text(ROAD) == GRAPH, asked
    assert road.state("road") == before


def test_map_without_places_cannot_be_painted(road: Painted) -> None:
    (road.root / ROAD).write_text(GRAPH.replace("      elm\n      ash\n", ""), encoding="utf-8")
    road.desk.refresh([road.root / ROAD])
    with pytest.raises(CannotPaint, match="errors"):
        road.state("lane")
    assert [mission for _, mission in road.painter.maps()] == ["road"]


def test_a_stroke_on_an_earlier_text_is_refused(painted: Painted) -> None:
    seal = str(painted.state("bay")["seal"])
    painted.stroke("bay", tool="brush", spaces=["A1"], words=["marsh"])
    before = painted.text(BAY)
    with pytest.raises(CannotPaint, match="has changed"):
        painted.painter.stroke(painted.game, "bay", seal, {"tool": "brush", "spaces": ["A2"], "words": []})
    assert painted.text(BAY) == before


WRONG: list[dict[str, Any]] = [
    {},
    {"tool": "brush"},
    {"tool": "brush", "spaces": []},
    {"tool": "brush", "spaces": ["Z9"], "words": []},
    {"tool": "brush", "spaces": [1], "words": []},
    {"tool": "spray", "spaces": ["A1"], "words": []},
    {"tool": "brush", "spaces": ["A1"]},
    {"tool": "brush", "spaces": ["A1"], "words": ["nonsense"]},
    {"tool": "brush", "spaces": ["A1"], "words": ["rock\n    evil"]},
    {"tool": "brush", "spaces": ["A1"], "words": ["rock # comment"]},
    {"tool": "brush", "spaces": ["A1"], "words": ["wall"]},
    {"tool": "brush", "spaces": ["A1"], "mark": "wall", "on": True},
    {"tool": "line", "spaces": ["A1", "Z9"], "words": []},
    {"tool": "side", "spaces": ["A1", "D4"], "barrier": "wall"},
    {"tool": "side", "spaces": ["A1", "B1"], "barrier": "rock"},
]


def test_invalid_stroke_changes_nothing(painted: Painted) -> None:
    before = painted.state("bay")
    assert before["problems"] == []
    for asked in WRONG:
        with pytest.raises(CannotPaint):
            painted.stroke("bay", **asked)
        assert painted.text(BAY) == HEX
    assert painted.state("bay") == before


def test_edit_of_other_author_cannot_be_undone(painted: Painted) -> None:
    painted.stroke("bay", tool="brush", spaces=["A1"], words=["marsh"])
    file = painted.root / BAY
    file.write_text(painted.text(BAY).replace("A comment", "Another comment"), encoding="utf-8")
    with pytest.raises(CannotPaint, match="has changed"):
        painted.painter.take_back(painted.game, "bay")
    assert "Another comment" in painted.text(BAY)


def test_line_ends_and_the_byte_order_mark_stay(tmp_path: Path) -> None:
    root = land(tmp_path)
    (root / BAY).write_bytes(b"\xef\xbb\xbf" + HEX.replace("\n", "\r\n").encode())
    painted = Painted(root)
    before = (root / BAY).read_bytes()
    painted.stroke("bay", tool="brush", spaces=["A1"], words=["marsh", "ford"])
    after = (root / BAY).read_bytes()
    assert after.startswith(b"\xef\xbb\xbf")
    assert after.count(b"\n") == after.count(b"\r\n") == before.count(b"\n") + 1
    painted.painter.take_back(painted.game, "bay")
    assert (root / BAY).read_bytes() == before


def test_a_problem_of_the_map_is_shown_at_its_space(painted: Painted) -> None:
    file = painted.root / BAY
    file.write_text(HEX.replace(". # . .", ". ? . ."), encoding="utf-8")
    painted.desk.refresh([file])
    problems: Any = painted.state("bay")["problems"]
    assert [problem["spaces"] for problem in problems if problem["code"] == "FCB0512"] == [["B2"]]


STROKES = some.one_of(
    some.fixed_dictionaries(
        {
            "tool": some.sampled_from(["brush", "line", "fill", "ring"]),
            "spaces": some.lists(
                some.sampled_from(["A1", "B2", "C3", "C1", "A3"]), min_size=1, max_size=3, unique=True
            ),
            "words": some.sampled_from(
                [[], ["marsh"], ["rock"], ["marsh", "coin 3"], ["incomplete"], ["rock", "ford"]]
            ),
            "radius": some.integers(1, 3),
        }
    ),
    some.fixed_dictionaries(
        {
            "tool": some.just("brush"),
            "spaces": some.lists(some.sampled_from(["A1", "B2", "C3"]), min_size=1, max_size=3, unique=True),
            "mark": some.sampled_from(["camp", "ford", "coin"]),
            "on": some.booleans(),
        }
    ),
    some.fixed_dictionaries(
        {
            "tool": some.just("side"),
            "spaces": some.sampled_from([["A1", "B1"], ["B1", "A1"], ["B1", "B2"], ["A2", "A3"], ["C2", "C3"]]),
            "barrier": some.sampled_from(["", "wall", "hedge"]),
        }
    ),
)


PLACES = some.sampled_from(["oak", "mill", "hill", "well", "old-tower"])
WAYS = some.sampled_from(["N", "E", "S", "W", ""])
GRAPH_STROKES = some.one_of(
    some.fixed_dictionaries(
        {
            "tool": some.just("brush"),
            "spaces": some.lists(PLACES, min_size=1, max_size=3, unique=True),
            "words": some.sampled_from([[], ["marsh"], ["rock", "coin 3"], ["rock", "ford", "camp", "coin 20"]]),
        }
    ),
    some.fixed_dictionaries(
        {
            "tool": some.just("brush"),
            "spaces": some.lists(PLACES, min_size=1, max_size=2, unique=True),
            "mark": some.sampled_from(["camp", "ford", "coin", "rock"]),
            "on": some.booleans(),
        }
    ),
    some.fixed_dictionaries(
        {"tool": some.just("path"), "spaces": some.lists(PLACES, min_size=2, max_size=2), "way": WAYS}
    ),
    some.fixed_dictionaries({"tool": some.just("disconnect"), "spaces": some.lists(PLACES, min_size=2, max_size=2)}),
    some.fixed_dictionaries({"tool": some.just("remove"), "spaces": some.lists(PLACES, min_size=1, max_size=1)}),
    some.fixed_dictionaries(
        {
            "tool": some.just("place"),
            "from": PLACES | some.just(""),
            "way": WAYS,
            "titles": some.sampled_from([{"en": "Old Tower"}, {"en": "Old Tower", "fr": "« Tour »"}, {"en": "or"}]),
            "words": some.sampled_from([[], ["marsh", "coin 2"]]),
        }
    ),
    some.fixed_dictionaries(
        {
            "tool": some.just("title"),
            "spaces": some.lists(PLACES, min_size=1, max_size=1),
            "titles": some.dictionaries(some.sampled_from(["en", "fr"]), some.sampled_from(["", "A # b", '"', "it’s"])),
        }
    ),
)


def test_strokes_are_taken_back_and_done_again(house: Painted) -> None:
    house.stroke("house", tool="side", spaces=["A1", "B1"], barrier="wall")
    first = house.text(HOUSE)
    house.stroke("house", tool="fill", spaces=["A1"], words=["marsh", "ford"])
    second = house.text(HOUSE)
    assert len({SQUARE, first, second}) == 3
    assert all(format_source(Source(HOUSE, text)) == text for text in (first, second))
    for again, text in ((False, first), (False, SQUARE), (True, first), (True, second)):
        state = house.painter.take_back(house.game, "house", again)
        assert house.text(HOUSE) == text
    assert (state["undo"], state["redo"]) == (2, 0)
    with pytest.raises(CannotPaint):
        house.painter.take_back(house.game, "house", again=True)


@pytest.mark.long
@pytest.mark.parametrize("mission", ["bay", "cape", "house"])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(strokes=some.lists(STROKES, min_size=1, max_size=4))
def test_strokes_undo_byte_for_byte_and_leave_the_file_formatted(
    tmp_path_factory: pytest.TempPathFactory, mission: str, strokes: list[dict[str, Any]]
) -> None:
    board, file = ("square", HOUSE) if mission == "house" else ("hex", BAY)
    there_and_back(Painted(land(tmp_path_factory.mktemp("land"), board)), mission, file, strokes)


@pytest.mark.long
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(strokes=some.lists(GRAPH_STROKES, min_size=1, max_size=6))
def test_strokes_on_places_undo_byte_for_byte_and_leave_the_file_formatted(
    tmp_path_factory: pytest.TempPathFactory, strokes: list[dict[str, Any]]
) -> None:
    there_and_back(Painted(land(tmp_path_factory.mktemp("land"), "graph")), "road", ROAD, strokes)


def there_and_back(painted: Painted, mission: str, file: str, strokes: list[dict[str, Any]]) -> None:
    """Carry out strokes, take all of them back, and do them again."""
    texts = [painted.text(file)]
    for stroke in strokes:
        try:
            painted.stroke(mission, **stroke)
        except CannotPaint:
            assert painted.text(file) == texts[-1]
            continue
        text = painted.text(file)
        assert format_source(Source(file, text)) == text
        if text != texts[-1]:
            texts.append(text)
    for text in texts[-2::-1]:
        painted.painter.take_back(painted.game, mission)
        assert painted.text(file) == text
    for text in texts[1:]:
        painted.painter.take_back(painted.game, mission, again=True)
        assert painted.text(file) == text
