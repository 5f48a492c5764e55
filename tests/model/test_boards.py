"""Maps: the positions of spaces, their contents, and the barriers between them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from small import codes, sound

from fcbdsl.language.model.content import Board, Cell
from fcbdsl.machine.geometry.coordinates import HEX_AXES, column_name

GROUND = (
    'terrain rock:\n  blocks: sight\nbarrier fence:\n  blocks: movement\nmark goal\ntoken coin "Coin":\n  limit: 2\n'
)


def board(text: str, before: str = GROUND) -> Board:
    """Return the map of a mission."""
    lines = "".join(f"  {line}\n" for line in text.strip("\n").split("\n"))
    model = sound(f"{before}mission m:\n{lines}")
    map_of_mission = model.definitions["mission", "m"].board
    assert map_of_mission is not None
    return map_of_mission


def cells(drawn: Board) -> dict[str, Cell]:
    return {cell.id: cell for cell in drawn.cells}


HEXES = """
map hex:
  art: |
    . . # .
     . g o ~
    .   . .
  legend:
    "#": rock
    "g": goal
    "o": coin 2, goal
  fence: A1/B1, B2/C3
  zone east: D1, D2
"""


def test_hex_spaces_are_named_by_column_and_row() -> None:
    hexes = board(HEXES)
    assert list(cells(hexes)) == ["A1", "B1", "C1", "D1", "A2", "B2", "C2", "D2", "A3", "C3", "D3"]
    assert cells(hexes)["C1"].terrain == "rock"
    assert cells(hexes)["C2"].tokens == {"coin": 2}
    assert cells(hexes)["C2"].marks == ["goal"]
    assert cells(hexes)["D2"].terrain == "incomplete"
    assert hexes.zones == {"east": ["D1", "D2"]}
    assert hexes.sides == {("A1", "B1"): "fence", ("B2", "C3"): "fence"}


def test_route_is_ordered_group() -> None:
    hexes = board(HEXES + "  route beat: B2, A2, B2\n  route walk: D3\n")
    assert hexes.zones["beat"] == ["B2", "A2", "B2"]
    assert hexes.routes == ["beat", "walk"]
    assert [hexes.route_letter(name) for name in ("beat", "walk", "east")] == ["A", "B", ""]


def test_hex_directions_turn_as_in_rules() -> None:
    spaces = cells(board(HEXES))
    centre = spaces["B2"]
    around = [spaces[name] for name in ("C2", "C3", "A2", "B1", "C1")]
    steps = [(cell.x - centre.x, cell.y - centre.y) for cell in around]
    assert steps == [HEX_AXES[way] for way in (0, 1, 3, 4, 5)]


def test_first_row_can_be_shifted() -> None:
    hexes = board("map hex:\n  art: |\n     . .\n    . .")
    assert hexes.shifted == 1
    assert [(cell.id, cell.x, cell.y) for cell in hexes.cells] == [
        ("A1", 0, 0),
        ("B1", 1, 0),
        ("A2", -1, 1),
        ("B2", 0, 1),
    ]


SQUARES = """
map square:
  art: |
    +--+--+--+
    |a     x |
    +  +--+  +
    |  |     |
    +--+--+--+
  legend:
    "a": goal
    "x": rock
    "--": fence
"""


def test_square_map_has_cells_and_sides() -> None:
    squares = board(SQUARES)
    assert [(cell.id, cell.x, cell.y) for cell in squares.cells] == [
        ("A1", 0, 0),
        ("B1", 1, 0),
        ("C1", 2, 0),
        ("A2", 0, 1),
        ("B2", 1, 1),
        ("C2", 2, 1),
    ]
    assert squares.sides == {("B1", "B2"): "fence", ("A2", "B2"): "fence"}
    assert cells(squares)["A1"].marks == ["goal"]
    assert cells(squares)["C1"].terrain == "rock"


def test_graph_map_has_places_and_links() -> None:
    graph = board(
        "map graph:\n  places:\n    oak: rock\n    mill: goal, coin\n    den\n  paths:\n    oak E mill\n    mill den"
    )
    assert [(cell.id, cell.x, cell.terrain) for cell in graph.cells] == [
        ("oak", 0, "rock"),
        ("mill", 1, ""),
        ("den", 2, ""),
    ]
    assert graph.links == [("oak", "mill", "E"), ("mill", "den", "")]


def test_graph_places_have_titles() -> None:
    places = '    mill "The Mill", fr "Le Moulin", m: goal\n    bee-hive: rock\n    den "Den"'
    spaces_of_graph = cells(board(f"map graph:\n  places:\n{places}\n  paths:\n    mill den"))
    assert spaces_of_graph["mill"].name.title == {"en": "The Mill", "fr": "Le Moulin"}
    assert spaces_of_graph["mill"].name.gender == {"fr": "m"}
    assert spaces_of_graph["mill"].marks == ["goal"]
    assert spaces_of_graph["bee-hive"].name.title == {"en": "bee hive"}  # its id, unless it has a title
    assert spaces_of_graph["den"].name.title == {"en": "Den"}
    drawn = board("map hex:\n  art: |\n    . .")
    assert [cell.name.title for cell in drawn.cells] == [{}, {}]


def test_areas_touch_even_at_corners() -> None:
    areas = board('map areas:\n  art: |\n    aab\n    c.b\n    .dd\n  legend:\n    "a": goal\n  fence: a/b')
    assert [cell.id for cell in areas.cells] == ["a", "b", "c", "d"]
    assert sorted(areas.links) == [("a", "b", ""), ("a", "c", ""), ("b", "d", ""), ("c", "d", "")]
    assert areas.sides == {("a", "b"): "fence"}


def test_system_legend_applies_to_every_map() -> None:
    shared = GROUND + 'legend:\n  "#": rock\n  "o": goal\n'
    own = board('map hex:\n  art: |\n    # o\n  legend:\n    "o": coin', shared)
    assert [cell.terrain for cell in own.cells] == ["rock", ""]
    assert own.cells[1].marks == []
    assert own.cells[1].tokens == {"coin": 1}


def test_pieces_can_be_on_maps() -> None:
    kinds = 'kind rat is piece:\n  field bite: number\nrat grey "Grey rat":\n  bite: 1\n'
    hexes = board('map hex:\n  art: |\n    . r\n  legend:\n    "r": grey', GROUND + kinds)
    assert hexes.cells[1].places == ["grey"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("map hex:\n    art: |\n      . .\n      . .\n        . .", [(5, "FCB0514")]),
        ("map square:\n    art: |\n      ---\n      | |", [(4, "FCB0514")]),
        (
            "map square:\n    art: |\n      +--+--+\n      |  |  |\n      +-----+\n      |  |  |\n      +--+--+",
            [(6, "FCB0514")],
        ),
        ("map graph:\n    places:\n      oak\n    paths:\n      oak N elm", [(6, "FCB0516")]),
        ("map graph:\n    places:\n      oak\n    paths:\n      oak N oak", [(6, "FCB0303")]),
        ('map graph:\n    places:\n      oak\n      "Oak"', [(5, "FCB0303")]),
        ('map graph:\n    places:\n      oak\n      elm, "Elm"', [(5, "FCB0303")]),
        ('map graph:\n    places:\n      oak\n      elm "Elm", french "Orme": gate', [(5, "FCB0303")]),
        ("map areas:\n    art: |\n      a.b\n    fence: a/b", [(5, "FCB0515")]),
        ('map hex:\n    art: |\n      . .\n    legend:\n      ".": gate', [(6, "FCB0306")]),
        ("map hex:\n    art: |\n      . .\n    fence: A1", [(5, "FCB0303")]),
        ("map hex:\n    art: |\n      . .\n    hedge: A1/B1", [(5, "FCB0310")]),
    ],
)
def test_map_mistakes_are_reported(text: str, wanted: list[tuple[int, str]]) -> None:
    ground = "barrier fence:\n  blocks: movement\n"
    reported = codes(f"mission m:\n  {text}\n{ground}")
    assert reported == wanted


def test_columns_after_z_have_two_letters() -> None:
    names = [column_name(at) for at in range(26 * 27 + 1)]
    assert names[25:28] == ["Z", "AA", "AB"]
    assert names[-1] == "AAA"
    assert all((len(one), one) < (len(other), other) for one, other in pairwise(names))


NAMED = """
system own "Own":
  languages: en
  board: graph
mark here, entry
kind pawn is piece:
  name: "pawn", plural "pawns"
event night:
  form: night falls
verb darken:
  effect: announce night
pawn ann "Ann"
mission m "M":
  map graph:
    places:
      oak: here, ann
      mill: here
    paths:
      oak north mill
  when night falls: place ann on PLACE
mission other "Other":
  map graph:
    places:
      ford: here
      weir: here
    paths:
      ford north weir
"""


def test_mission_names_places_of_own_map() -> None:
    assert codes(NAMED.replace("PLACE", "mill")) == []
    assert [code for _, code in codes(NAMED.replace("PLACE", "ford"))] == ["FCB0419"]
    assert [code for _, code in codes(NAMED.replace("PLACE", "brook"))] == ["FCB0401"]


def test_system_rule_cannot_name_places() -> None:
    rule = 'rule r "R":\n  when night falls: place ann on mill\n'
    assert [code for _, code in codes(NAMED.replace("PLACE", "mill") + rule)] == ["FCB0423"]


def test_equal_map_is_read_once_and_is_a_map_of_its_own() -> None:
    text = "".join(f"  {line}\n" for line in HEXES.strip("\n").split("\n"))
    model = sound(f"{GROUND}mission m:\n{text}mission n:\n{text}")
    first, second = (model.definitions["mission", name].board for name in "mn")
    assert first is not None
    assert second is not None
    assert second.original is first
    assert (second.sort, second.art, second.sides, second.zones) == (first.sort, first.art, first.sides, first.zones)
    assert second.sides is not first.sides
    assert second.zones["east"] is not first.zones["east"]
    shift = second.span.start - first.span.start
    assert shift == len(text) + len("mission n:\n")
    for mine, other in zip(second.cells, first.cells, strict=True):
        assert (mine.id, mine.x, mine.y, mine.terrain) == (other.id, other.x, other.y, other.terrain)
        assert (mine.tokens, mine.marks) == (other.tokens, other.marks)
        assert mine.tokens is not other.tokens
        assert mine.marks is not other.marks
        assert mine.span is not None
        assert other.span is not None
        assert (mine.span.start, mine.span.end) == (other.span.start + shift, other.span.end + shift)


def test_mistake_in_equal_maps_is_reported_for_each() -> None:
    text = "  map hex:\n    art: |\n      . ? .\n"
    model = f"mission m:\n{text}mission n:\n{text}"
    assert codes(model) == [(4, "FCB0512"), (8, "FCB0512")]
