"""Mission sheets: maps, lines, tracks and gauges."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Xml
from dataclasses import replace
from pathlib import Path

import pytest
from games import model
from PIL import Image, ImageFont
from pypdf import PdfReader
from small_shop import SPAN, body, shop
from small_shop import name as title

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Cell, Layout, Value
from fcbdsl.language.model.declarations import Field, Form, Mark, Param, Terrain
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.layout.floors import slabs
from fcbdsl.print.layout.views import MapView, Point, Section, Sheet
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.chips import bind_short_words
from fcbdsl.print.pieces.initials import initials
from fcbdsl.print.pieces.looks import check_looks
from fcbdsl.print.pieces.map_drawing import hatching
from fcbdsl.print.pieces.maps import map_of
from fcbdsl.print.pieces.sheets import sheet_of
from fcbdsl.print.pieces.web import fill_page
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.typeset.glyphs import FONTS


def siege(language: str = "en") -> Sheet:
    """Return the sheet of the small mission."""
    model = shop()
    sheet, problems = sheet_of(model.definitions[("mission", "siege")], model, language)
    assert problems == []
    return sheet


def test_map_lines_differ_by_more_than_color() -> None:
    drawn = Xml.fromstring(fill_page("map.svg.j2", {"map": siege().map, "label": 3.0}))
    looks = {
        (line.get("stroke-width"), line.get("stroke-dasharray"))
        for line in drawn.iter("{http://www.w3.org/2000/svg}line")
        if line.get("stroke") in {"#14171a", "#5d6166"}
    }
    assert len(looks) == 3
    assert sum(dashes is None for _, dashes in looks) == 1


def test_lines_follow_terrain() -> None:
    board = siege().map
    assert board is not None
    styles = [side.style for side in board.sides]
    assert styles.count("wall") == 1
    assert styles.count("bold") == 6
    assert [cell.style for cell in board.cells] == ["plain", "hatched", "partial", "plain", "plain", "plain"]


def test_legend_names_areas_inside_lines() -> None:
    board = siege("fr").map
    assert board is not None
    assert board.lines == (("bold", "Rocher"), ("wall", "Mur"), ("partial", "Bord"))


def drawn(sort: str, board: Board) -> MapView:
    """Return a board of another sort drawn with the small shop's ground."""
    model = shop()
    return map_of(replace(board, sort=sort), model, Naming(model, LANGUAGES["en"], "a board", SPAN))


def test_squares_share_sides() -> None:
    cells = [Cell(f"{'AB'[x]}{y + 1}", x, y, "plain") for y in range(2) for x in range(2)]
    board = drawn("square", Board("square", cells, {("A1", "B1"): "wall"}, [], {}, SPAN))
    assert len(board.sides) == 12
    assert [side.style for side in board.sides].count("wall") == 1


@pytest.mark.parametrize(("sort", "squares"), [("hex", False), ("square", True), ("graph", True)])
def test_terrain_samples_have_shape_of_spaces(sort: str, squares: bool) -> None:
    assert drawn(sort, Board(sort, [Cell("A1", 0, 0, "rock")], {}, [], {}, SPAN)).squares == squares


def test_squares_with_eight_neighbors_are_drawn_equally() -> None:
    cells = [Cell(f"{'AB'[x]}{y + 1}", x, y, "plain") for y in range(2) for x in range(2)]
    zones = {"round": ["A1", "B1", "B2"]}
    four, eight = (
        drawn(sort, Board(sort, cells, {("A1", "B1"): "wall"}, [], zones, SPAN, routes=["round"]))
        for sort in ("square", "square-8")
    )
    assert (four.cells, four.sides) == (eight.cells, eight.sides)
    assert four.routes[0].points[0] != four.routes[0].points[-1]
    assert eight.routes[0].points[0] == eight.routes[0].points[-1]


def test_graph_links_are_drawn_once() -> None:
    cells = [Cell(name, at, 0, "plain") for at, name in enumerate(("mill", "oak", "den"))]
    links = [("mill", "oak", "E"), ("oak", "mill", "W"), ("oak", "den", "")]
    board = drawn("graph", Board("graph", cells, {}, links, {}, SPAN))
    assert len(board.links) == 2
    assert len({cell.centre for cell in board.cells}) == 3


def test_route_passes_its_spaces_and_closes_if_adjacent() -> None:
    cells = [Cell(f"{'AB'[x]}{y + 1}", x, y, "plain") for y in range(2) for x in range(2)]
    zones = {"round": ["A1", "B1", "B2", "A2"], "beat": ["A1", "A2", "A1"], "none": []}
    board = drawn("square", Board("square", cells, {}, [], zones, SPAN, routes=["round", "beat", "none"]))
    loop, beat = board.routes
    assert (loop.letter, beat.letter) == ("A", "B")
    assert loop.points[0] == loop.points[-1]
    assert [angle for _, angle in loop.arrows] == [0.0, 90.0, 180.0, -90.0]
    assert [angle for _, angle in beat.arrows] == [90.0, -90.0]
    assert "route" in dict(board.lines)


@pytest.mark.parametrize(("title", "letter"), [("Nest 12", "12"), ("Old nest", "ON"), ("Nest", "Ne")])
def test_missing_symbol_is_number_or_initials(title: str, letter: str) -> None:
    assert initials(title) == letter


def test_hatching_stays_inside_space() -> None:
    square = (Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10))
    lines = hatching((square,))
    assert len(lines) > 3
    for ends in lines:
        for point in ends:
            assert -1e-9 <= point.x <= 10 + 1e-9
            assert -1e-9 <= point.y <= 10 + 1e-9


def test_legend_names_everything_on_map() -> None:
    board = siege("fr").map
    assert board is not None
    assert [words for _, words, _ in board.legend] == ["Caisse", "Départ", "Gardien"]
    assert [symbol.letter for symbol, _, _ in board.legend] == ["", "", "Ga"]


def test_tracks_and_gauges_mark_their_events() -> None:
    sheet = siege()
    (track,), (gauge,) = sheet.tracks, sheet.gauges
    assert [(step.label, step.marked) for step in track.steps] == [
        ("Start", False),
        ("1", False),
        ("2", True),
        ("3", False),
        ("End", True),
    ]
    assert [(step.label, step.marked) for step in gauge.steps] == [("0", False), ("1", True), ("2", False)]
    assert [(tier.title, tier.locked) for tier in gauge.tiers] == [("Awake", True)]


@pytest.mark.parametrize(("language", "text"), [("en", "It moves."), ("fr", "Ça bouge\u202f!")])
def test_sheet_explains_keywords(language: str, text: str) -> None:
    model = shop()
    mission = model.definitions[("mission", "siege")]
    mission.values["effect"] = model.definitions[("tool", "rope")].values["effect"]
    sheet, _ = sheet_of(mission, model, language)
    assert [paragraph.plain() for _, paragraphs in sheet.keywords for paragraph in paragraphs] == [text]


def test_authors_texts_get_french_spaces() -> None:
    sections = {section.title: section.text for section in siege("fr").sections}
    assert sections["Histoire"][0].plain() == "Ils arrivent\u202f!"


def test_setup_is_in_order_and_hides_face_down_cards() -> None:
    sections = {section.title: section.text for section in siege("en").sections}
    assert [paragraph.plain() for paragraph in sections["Chores"]] == [
        "1. Hear the knock. With a broom.",
        "2. Bar the door. With a broom.",
        "3. Secret.",
        "Sweep. With a broom.",
    ]
    assert "Corvées" in [section.title for section in siege("fr").sections]


def test_card_lists_show_copies() -> None:
    model = shop()
    tool = model.kinds["tool"]
    tool.fields["copies"] = Field("copies", "tool", "field", ir.NUMBER, SPAN)
    model.definitions[("tool", "rope")].values["copies"] = Value(tool.fields["copies"], ir.Const(3, ir.NUMBER, SPAN))
    sheet, _ = sheet_of(model.definitions[("mission", "siege")], model, "en")
    sections = {section.title: section.text for section in sheet.sections}
    assert [paragraph.plain() for paragraph in sections["In stock"]] == ["Hammer, Rope\u00a0×3"]


def delivered(*answers: ir.Stmt) -> Model:
    """Return the small game with a measure of the mission's supply, and a section for that."""
    model = shop()
    mission = ir.Type("thing", "mission")
    tools = model.kinds["mission"].fields["stock"].type
    given = Param("orders", mission)
    model.forms.append(
        Form("measure", ("delivery",), SPAN, title("Delivery", "Livraison"), [given], tools, body=body(*answers))
    )
    model.layouts["mission"].settings["sections"] = (("story",), ("delivery",))
    return model


def if_players(number: int, *answers: ir.Stmt) -> ir.If:
    """Return an answer for that number of players."""
    everybody = ir.Select(None, 3, None, (), ir.Type("thing", "player", True), SPAN, "player")
    count = ir.Quantified("number", everybody, 3, None, ir.NUMBER, SPAN)
    equal = ir.Binary("=", count, ir.Const(number, ir.NUMBER, SPAN), ir.FLAG, SPAN)
    return ir.If(equal, body(*answers), body(), SPAN)


def answer(*tools: str) -> ir.Answer:
    """Return the answer with these items."""
    tool_type = ir.Type("definition", "tool")
    return ir.Answer(
        ir.ListOf(tuple(ir.Def("tool", tool, tool_type, SPAN) for tool in tools), tool_type.several(), SPAN), SPAN
    )


def stock() -> ir.Answer:
    """Return the answer with the stock of the mission."""
    orders = ir.Var("orders", 2, ir.Type("thing", "mission"), SPAN)
    field = shop().kinds["mission"].fields["stock"]
    return ir.Answer(ir.Get(orders, field, field.type, SPAN), SPAN)


@pytest.mark.parametrize(("language", "rows"), [
    ("en", ["Players | 2 | 3 | 4", "Rope | 2 | – | 1", "Hammer | – | – | 1"]),
    ("fr", ["Joueurs | 2 | 3 | 4", "Corde | 2 | – | 1", "Marteau | – | – | 1"]),
])  # fmt: skip
def test_values_by_number_of_players_are_a_table(language: str, rows: list[str]) -> None:
    model = delivered(if_players(2, answer("rope", "rope")), if_players(3, answer()), stock())
    assert check_looks(model) == []
    sheet, problems = sheet_of(model.definitions[("mission", "siege")], model, language)
    assert problems == []
    assert sheet.sections[1].title == {"en": "Delivery", "fr": "Livraison"}[language]
    assert [paragraph.plain() for paragraph in sheet.sections[1].text] == rows


def test_section_with_other_conditions_is_no_table() -> None:
    model = delivered(if_players(2, answer("rope")))
    assert [problem.code for problem in check_looks(model)] == ["FCB0706"]


def test_number_of_tokens_is_on_map_and_in_legend() -> None:
    cells = [Cell("A1", 0, 0, "plain", tokens={"cache": 2}), Cell("B1", 1, 0, "plain", tokens={"cache": 1, "crate": 1})]
    board = drawn("hex", Board("hex", cells, {}, [], {}, SPAN))
    assert [(symbol.letter, words) for symbol, words, _ in board.legend] == [
        ("1", "Cache\u00a01"),
        ("2", "Cache\u00a02"),
        ("", "Crate"),
    ]


def test_terrain_without_symbol_is_in_legend() -> None:
    model = shop()
    model.terrains["wall"] = Terrain("wall", SPAN, title("wall"), blocks_movement=True, blocks_sight=True)
    model.terrains["pit"] = Terrain("pit", SPAN, title("pit"), footing=False)
    model.terrains["mud"] = Terrain("mud", SPAN, title("mud"))
    grounds = ["wall", "pit", "mud", "rim", "rock"]
    cells = [Cell(f"A{at}", at, 0, ground) for at, ground in enumerate(grounds)]
    cells[0].tokens["crate"] = 1  # something on it explains itself, not the ground
    made = map_of(Board("hex", cells, {}, [], {}, SPAN), model, Naming(model, LANGUAGES["en"], "a board", SPAN))
    assert {"solid": "Wall", "void": "Pit", "tinted": "Mud", "partial": "Rim", "bold": "Rock"}.items() <= dict(
        made.lines
    ).items()


def test_sheet_prints_rules_of_pieces_of_its_file() -> None:
    model = shop()
    model.definitions[("guard", "warden")].name.title["fr"] = "gardien"  # a common noun
    model.definitions[("guard", "warden")].text = {"en": "He never sleeps.", "fr": "Il ne dort jamais."}
    sheet, _ = sheet_of(model.definitions[("mission", "siege")], model, "fr")
    assert "Gardien. Il ne dort jamais." in [paragraph.plain() for paragraph in sheet.sections[-1].text]


def test_sheet_names_pieces_whose_loss_loses() -> None:
    model = shop()
    mission = model.definitions["mission", "siege"]
    field = model.kinds["mission"].fields
    warden = model.definitions["guard", "warden"]
    warden.flags.append("dear")
    warden.kind.fields["dear"] = Field("dear", "guard", "field", ir.FLAG, SPAN, title("Dear"))
    model.kinds["guard"] = guard = warden.kind
    field["failure"] = Field("failure", "mission", "field", ir.Type("condition"), SPAN, title("Failure", "Échec"))
    lost = (("failure", "dear"), ("{it} [falls|fall].",), ("fr", "{it} [tombe|tombent]."))
    model.layouts["mission"].settings |= {"sections": (("story",), ("failure",)), "losses": lost}
    assert check_looks(model) == []

    def failure(language: str) -> list[str]:
        sections = sheet_of(mission, model, language)[0].sections
        return [
            paragraph.plain()
            for section in sections
            if section.title in {"Failure", "Échec"}
            for paragraph in section.text
        ]

    assert (failure("en"), failure("fr")) == (["Warden falls."], ["Gardien tombe."])
    away = ir.Select(None, 2, None, (), ir.Type("thing", guard.id), SPAN, "warden")
    named = ir.Binary("=", ir.Instance("guard", "warden", 1, away.type, SPAN), away, ir.FLAG, SPAN)
    mission.values["failure"] = Value(field["failure"], body=ir.Body((ir.Answer(named, SPAN),)))
    assert "Warden falls." not in failure("en")
    del mission.values["failure"]
    model.layouts["mission"].settings["losses"] = (("failure", "deer"), ("{it} [falls|fall].",))
    assert [problem.suggestion for problem in check_looks(model)] == ["dear"]


def unmarked() -> tuple[Board, Model]:
    """Return a board with a token and a mark that have no symbol, and grounds that are drawn alike."""
    model = shop()
    space = model.kinds["space"]
    space.fields["bell"] = Field("bell", "space", "token", ir.NUMBER, SPAN, title("Bell", "Cloche"), limit=1)
    model.marks["ford"] = Mark("ford", SPAN, title("Ford", "Gué"))
    model.terrains |= {"mud": Terrain("mud", SPAN, title("mud")), "moss": Terrain("moss", SPAN, title("moss"), cost=2)}
    model.barriers |= {"fence": Terrain("fence", SPAN, title("fence"), blocks_movement=True)}
    model.barriers |= {"hedge": Terrain("hedge", SPAN, title("hedge"), blocks_movement=True)}
    cells = [Cell(f"A{at + 1}", at, 0, ground) for at, ground in enumerate(("mud", "moss", "plain", "plain"))]
    cells[2].tokens["bell"] = 1
    cells[3].marks.append("ford")
    return Board("hex", cells, {("A1", "A2"): "fence", ("A2", "A3"): "hedge"}, [], {}, SPAN), model


def test_missing_symbol_gets_letter_and_warning() -> None:
    board, model = unmarked()
    naming = Naming(model, LANGUAGES["en"], "a board", SPAN)
    made = map_of(board, model, naming)
    assert [(symbol.letter, words) for symbol, words, _ in made.legend] == [
        ("Be", "Bell"),
        ("Fo", "Ford"),
        ("Mo", "Moss"),
        ("Mu", "Mud"),
    ]
    assert [[symbol.letter for symbol in cell.symbols] for cell in made.cells] == [["Mu"], ["Mo"], ["Be"], ["Fo"]]
    assert [(problem.code, problem.arguments["name"]) for problem in naming.problems] == [
        ("FCB0714", "mud"),
        ("FCB0714", "moss"),
        ("FCB0714", "bell"),
        ("FCB0714", "ford"),
    ]


def test_equally_drawn_barriers_have_letters() -> None:
    board, model = unmarked()
    made = map_of(board, model, Naming(model, LANGUAGES["en"], "a board", SPAN))
    assert dict(made.lines)["door"] == "Fence, Hedge (He)"
    assert sorted(side.letter for side in made.sides if side.letter) == ["He"]
    assert ">He</text>" in fill_page("map.svg.j2", {"map": made, "label": 3.0})


def test_letters_are_unambiguous() -> None:
    board, model = unmarked()
    model.terrains["moss"].name = title("muck")
    board.cells[2].places.append("warden")
    model.kinds["space"].fields["bell"].name = title("Warden")
    made = map_of(board, model, Naming(model, LANGUAGES["en"], "a board", SPAN))
    letters = [symbol.letter for symbol, _, _ in made.legend]
    assert len(set(letters)) == len(letters)


def test_sheet_explains_terrain_of_content() -> None:
    board, model = unmarked()
    model.terrains |= {"glass": Terrain("glass", SPAN, title("glass", "verre"), blocks_sight=True, gives_cover=True)}
    model.terrains["mud"].system = "shop"  # known from the rules
    mission = replace(model.definitions["mission", "siege"], board=board)
    paragraphs = {code: sheet_of(mission, model, code)[0].sections[-1].text for code in ("en", "fr")}
    words = {code: [paragraph.plain().replace("\u00a0", " ") for paragraph in paragraphs[code]] for code in paragraphs}
    assert [line for line in words["en"] if "Mud" in line] == []
    assert "Moss. A step into it costs 2 instead of 1." in words["en"]
    assert "Glass. It blocks the line of sight; it gives cover." in words["en"]
    assert "Hedge. Nobody can cross it." in words["en"]
    assert "Verre. La ligne de vue y est bloquée\u202f; on y trouve une couverture." in words["fr"]


def test_consecutive_numbers_share_legend_row() -> None:
    mission = model("fireteam-zero").definitions["mission", "listening-post"]
    for language, row_title in (("en", "Spawn Point 1–12"), ("fr", "Point de résurgence 1–12")):
        sheet = sheet_of(mission, model("fireteam-zero"), language)[0]
        assert sheet.map is not None
        numbered = [words.replace("\u00a0", " ") for _, words, _ in sheet.map.legend if any(map(str.isdigit, words))]
        assert numbered == [row_title]


def test_labels_start_with_capital_and_have_no_period() -> None:
    escape = sheet_of(model("escape").definitions["mission", "infiltration"], model("escape"), "en")[0]
    (table,) = [section.text for section in escape.sections if section.title == "Set-up"]
    rows = dict(paragraph.plain().replace("\u00a0", " ").split(" | ") for paragraph in table)
    assert list(rows)[:4] == ["Resistance", "I.S.C", "The Resistance enters by", "The Resistance leaves by"]
    assert rows["The Resistance enters by"] == "Airlock 1"
    assert rows["Crates"] == "2"
    beast = sheet_of(model("beast").definitions["mission", "drowned-harvest"], model("beast"), "en")[0]
    assert [text_of(section) for section in beast.sections if section.title == "Settlers are counted at night"] == [
        "Yes"
    ]


def text_of(section: Section) -> str:
    return " ".join(paragraph.plain() for paragraph in section.text).replace("\u00a0", " ")


@pytest.mark.long
@pytest.mark.parametrize("mission", ["cold-harbor", "listening-post"])
def test_number_columns_leave_room_for_words(mission: str, tmp_path: Path) -> None:
    made = model("fireteam-zero")
    (file,) = render(made, (f"mission/{mission}",), "en", "a4", "pdf", tmp_path).files
    placed: list[tuple[str, float, float]] = []  # words with their left edges, and how large their type is

    def see(text: str, to: list[float], place: list[float], font: object, size: float) -> None:
        del font
        for word in text.split():
            placed.append((word, to[0] * place[4] + to[2] * place[5] + to[4], size * abs(to[0] * place[0])))

    PdfReader(file).pages[0].extract_text(visitor_text=see)
    words = [word for word, _, _ in placed]
    _, left, size = placed[words.index("Corrupted")]
    _, number, _ = placed[words.index("1", words.index("Players"))]  # at the head of the first column
    regular = ImageFont.truetype(str(FONTS / "SourceSans3_400Regular.ttf"), 100)
    assert left + regular.getlength("Corrupted") / 100 * size < number


def test_track_needs_numeric_field() -> None:
    made = model("escape")
    layout = made.layouts["mission"]
    changed = replace(layout, settings={**layout.settings, "tracks": (("story",),)})
    (problem,) = check_looks(replace(made, layouts={**made.layouts, "mission": changed}))
    assert (problem.arguments["name"], problem.arguments["expected"]) == ("story", "a field that is a number")


def test_spaces_of_track_are_in_order() -> None:
    """This holds for any order of the steps in the mission."""
    game = model("far-cry-beyond")
    for definition in game.definitions.values():
        for track in sheet_of(definition, game, "en")[0].tracks if definition.kind.id == "mission" else ():
            firsts = [int(number[1]) for text in track.text if (number := re.match(r"(\d+)[,.]", text.plain()))]
            assert firsts == sorted(firsts), definition.id


def test_board_back_names_its_kind() -> None:
    """A kind with its own name and the layout of its parent."""
    game = model("far-cry-beyond")
    backs = {
        definition.kind.id: card_of(definition, game, "en")[0].back
        for definition in game.definitions.values()
        if definition.kind.id == "robot"
    }
    assert {back.title for back in backs.values()} == {"Robot"}


@pytest.mark.parametrize(
    ("title", "bound"),
    [
        ("A Whistle", "A\u00a0Whistle"),
        ("The Big One", "The\u00a0Big\u00a0One"),
        ("Un sifflement", "Un\u00a0sifflement"),
        ("Bells on Both Banks", "Bells on Both Banks"),
        ("Whistle", "Whistle"),
    ],
)
def test_listed_titles_stay_with_short_words(title: str, bound: str) -> None:
    """A line of a sheet ended in an article, or began with the last short word of a title."""
    assert bind_short_words(title) == bound


def test_floor_texture_stays_inside_and_continues() -> None:
    """Joints of slabs keep off the rim, leave what is cut out of a space, and lie on the same lines in the next."""
    left = (
        (Point(0, 0), Point(30, 0), Point(30, 20), Point(0, 20)),
        (Point(9, 6), Point(21, 6), Point(21, 14), Point(9, 14)),
    )
    right = ((Point(30, 0), Point(60, 0), Point(60, 20), Point(30, 20)),)
    lines = slabs(left)
    assert lines
    for a, b in lines:
        assert all(0 < point.x < 30 and 0 <= point.y <= 20 for point in (a, b))
        x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
        assert not (9 < x < 21 and 6 < y < 14)
    level = {a.y for a, b in lines if a.y == b.y}
    assert level == {a.y for a, b in slabs(right) if a.y == b.y}


def test_sight_blocker_is_not_drawn_as_wall() -> None:
    """Figures may enter it: it is lighter than spaces that no figure can enter, and has its own floor."""
    made = model("fireteam-zero")
    drawn = sheet_of(made.definitions["mission", "listening-post"], made, "en")[0].map
    assert drawn is not None
    assert {cell.id: cell.style for cell in drawn.cells if cell.id in "aehn"} == {
        "a": "plain",
        "e": "crossed",
        "h": "solid",
        "n": "crossed",
    }
    grounds = {cell.style: cell.ground.texture for cell in drawn.cells if cell.ground is not None}
    assert len(set(grounds.values())) == len(grounds) == 3


@pytest.mark.long
@pytest.mark.parametrize(("game", "mission"), [("escape", "curfew"), ("fireteam-zero", "typhons-cradle")])
def test_large_page_uses_its_whole_area(game: str, mission: str, tmp_path: Path) -> None:
    """By a larger map, a larger track and air between parts: both left a fifth of A3 empty, and more."""
    made = render(model(game), (f"mission/{mission}",), "en", "a3", "png", tmp_path, Options(paper="a3", dpi=36))
    with Image.open(made.files[0]) as page:
        above_foot = page.convert("L").crop((0, 0, page.width, round(page.height * 0.965)))
        used = above_foot.point(lambda light: 255 if light < 245 else 0).getbbox()
    assert used is not None
    assert used[3] > 0.85 * page.height


def test_terrain_has_texture_and_one_legend_entry() -> None:
    made = model("far-cry-beyond")
    drawn = sheet_of(made.definitions["mission", "widows-span"], made, "en")[0].map
    assert drawn is not None
    titled = [ground.title for ground in drawn.grounds if ground.title]
    assert sorted(titled) == ["Chasm", "Obstacle"]
    words = [words for _, words, _ in drawn.legend] + [words for _, words in drawn.lines]
    assert not set(titled) & set(words)
    assert len(words) == len(set(words))
    assert "Space" not in words


def test_unknown_texture_is_error() -> None:
    made = delivered(if_players(2, answer("rope")))
    made.layouts.clear()
    made.layouts["grounds"] = Layout(
        "grounds", SPAN, {"plain": (("felt",), ("#ffffff",)), "sea": (("sand",), ("pale",))}
    )
    assert [(problem.code, problem.arguments["name"]) for problem in check_looks(made)] == [
        ("FCB0706", "felt"), ("FCB0706", "sea"), ("FCB0706", "pale"),
    ]  # fmt: skip
