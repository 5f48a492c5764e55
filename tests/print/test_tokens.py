"""Tokens, dice and the pieces for one mission: derived from the model, printed (not on the web), not cut off."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from games import EACH_IN_ITS_LANGUAGES, GAMES, model
from PIL import Image
from pypdf import PdfReader
from views import card_in, sheet_in, supplies_in

from fcbdsl.base.locales import interface_texts
from fcbdsl.base.source import Source
from fcbdsl.language.model import ir
from fcbdsl.language.model.check import check
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Trait
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.pieces.contents import contents_of
from fcbdsl.print.pieces.looks import check_looks
from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.pieces.sets import needed_for
from fcbdsl.print.pieces.token_pieces import LEAST, supplies_of
from fcbdsl.print.pieces.tree_walk import nodes_below
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.proofs import RenderedPiece, pieces_of_proofs
from fcbdsl.print.press.table_sheets import render_tokens
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import Loader, check_project
from fcbdsl.project.settings import Project

POND = """
system pond "Pond":
  players: 1..3
  board: hex
kind frog is piece:
  name: "frog", plural "frogs"
  played: one each
kind pike is piece:
  name: "pike", plural "pikes"
  copies: 3
  field bait: many lure definition, optional
kind lure is card:
  name: "lure", plural "lures"
kind trick is card:
  name: "trick", plural "tricks"
  copies: 2
kind quirk is card:
  name: "quirk", plural "quirks"
  held by: pike
status Wet "Wet":
  on: frog
  limit: 1
status Cold "Cold":
  on: frog
token reed "reed":
  limit: 1
token leaf "leaf"
die coin "coin":
  faces: heads 3, tails 2, edge 1
  heads: "heads"
  tails: "tails"
  edge: "edge"
layout symbols:
  Wet: drop, "#1d4e89"
  Cold: star, "#1d4e89"
  reed: flame, "#2e7d32"
  coin: die, "#14171a", "C"
layout pike:
  areas: base-one, base-two, base-three
zone deck of trick: any
mark shore, entry
setup: fill deck with trick
frog ann "Ann"
frog bob "Bob"
pike old "Old Pike":
  bait: worm
pike young "Young Pike"
lure worm "Worm"
lure spoon "Spoon"
trick dive "Dive"
quirk jaws "Jaws" for old
quirk gills "Gills" for young
mission north "North":
  flavour: "Here."
  map hex:
    legend:
      "o": old
      "r": reed
    art: |
      o r . r
mission south "South":
  map hex:
    legend:
      "y": young
    art: |
      y . .
"""


def pond(text: str = POND) -> Model:
    loader = Loader(Project())
    loader.use("core")
    file, problems = parse(Source("pond.fcb", text))
    made, reported = check([*loader.files(), file])
    assert [problem.message for problem in (*problems, *reported) if problem.severity == "error"] == []
    return made


def ids(definitions: list[Definition]) -> list[str]:
    return [definition.id for definition in definitions]


@pytest.fixture(scope="module")
def small() -> Model:
    return pond()


def test_mission_needs_map_named_pieces_and_decks(small: Model) -> None:
    north, south = (small.definitions["mission", id] for id in ("north", "south"))
    assert ids(needed_for(north, small)) == ["old", "worm", "dive", "jaws", "north"]
    assert ids(needed_for(south, small)) == ["young", "dive", "gills", "south"]


def test_pieces_named_by_effects_are_needed() -> None:
    text = POND.replace('trick dive "Dive"\n', 'trick dive "Dive":\n  when game is won: remove spoon#1\n')
    made = pond(text)
    assert "spoon" in ids(needed_for(made.definitions["mission", "north"], made))


def test_pieces_taken_by_system_verbs_are_needed() -> None:
    """The effect `fish for supper` brings the pieces that this verb takes from a kind, without naming them."""
    fishing = "verb fish for supper:\n  effect:\n    for each sort in lure definition: remove (instance of sort)\n"
    text = POND.replace("setup: fill", f"{fishing}setup: fill")
    made = pond(text)
    assert "spoon" not in ids(needed_for(made.definitions["mission", "north"], made))
    made = pond(text.replace('trick dive "Dive"\n', 'trick dive "Dive":\n  when game is won: fish for supper\n'))
    assert "spoon" in ids(needed_for(made.definitions["mission", "north"], made))


def test_discs_markers_and_dice_are_counted(small: Model) -> None:
    supplies, _ = supplies_of(small, "en")
    counted = {disc.title: 0 for disc in supplies.discs}
    for disc in supplies.discs:
        counted[disc.title] += disc.count
    assert counted == {"Ann": 1, "Bob": 1, "Old Pike": 3, "Young Pike": 3, "Reed": LEAST, "Wet": 2, "Cold": 12}
    assert [disc.number for disc in supplies.discs if disc.title == "Old Pike"] == ["1", "2", "3"]
    ((die),) = supplies.dice
    assert (die.title, die.instead, die.rows) == (
        "Coin",
        "roll a d6",
        (("1–3", "heads"), ("4–5", "tails"), ("6", "edge")),
    )
    for_north, _ = supplies_of(small, "en", small.definitions["mission", "north"], 2)
    assert dict(for_north.components) == {
        "Sheet of the mission": "×1", "Player aid": "×2", "Pikes": "×3", "Lures": "×1", "Tricks": "×2", "Quirks": "×1",
        "Discs for figures": "×1", "Markers and tokens": f"×{LEAST + 1 + 12}", "Numbered markers": "×40",
        "Coin": "as needed",
    }  # fmt: skip


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_components_agree_with_printed_pieces(game: str, language: str) -> None:
    """Each list has the titles and numbers of the cards and boards of its mission, and of the discs beside it."""
    made = model(game)
    texts = interface_texts("tokens", language)
    cards = [definition for definition in printable(made) if not is_sheet(definition)]
    pieces = pieces_of_proofs(
        [RenderedPiece(card, card_in(game, card, language), ()) for card in cards],
        PieceRegister(made, printable(made)),
        "game",
    )
    for mission in [definition for definition in made.definitions.values() if definition.kind.id == "mission"]:
        players = 2
        supplies, problems = supplies_of(made, language, mission, players)
        assert problems == []
        needed = {f"{definition.kind.id}/{definition.id}" for definition in needed_for(mission, made)}
        printed = {
            listed_kind.title: sum(int(copies.removeprefix("×") or 1) for _, _, copies, _ in listed_kind.rows)
            for listed_kind in contents_of(
                [piece for piece in pieces if piece.card.key in needed], made, language
            ).kinds
        }
        cut: Counter[bool] = Counter()
        for disc in supplies.discs:
            cut[disc.figure] += disc.count
        sheet = next(iter(dict(supplies.components)))
        expected = {
            sheet: 1, texts["aid"]: players, **printed, texts["disc"]: cut[True], texts["marker"]: cut[False],
            texts["number"]: len(supplies.numbers),
        }  # fmt: skip
        listed = dict(supplies.components)
        listed.pop(texts["every copy"], None)
        for die in supplies.dice:
            assert listed.pop(die.title) == texts["needed"]
        assert listed == {title: f"×{count}" for title, count in expected.items() if count}, mission.id


DROP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M12 2 19 16H5Z"/></svg>'
STATUSES = """use {game}
status Soaked "Soaked":
  fr: "Trempé"
  on: {kind}
  limit: 1
layout symbols:
  Soaked: droplets-own, "#1d4e89"
layout icons:
  droplets-own: "own.svg", credit "The authors"
"""


@pytest.mark.parametrize(("game", "kind"), [("beast", "contender"), ("fireteam-zero", "hero")])
def test_status_of_pack_gets_markers(game: str, kind: str, tmp_path: Path) -> None:
    """It need not be in the file of a mission."""
    shutil.copytree(shipped_path("starters") / game / "mission" / "missions", tmp_path / "missions")
    (tmp_path / "fcb.toml").write_text('language = 2\nname = "own"\nlanguages = ["en", "fr"]\n', encoding="utf-8")
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "own.svg").write_text(DROP, encoding="utf-8")
    (tmp_path / "cards" / "statuses.fcb").write_text(STATUSES.format(game=game, kind=kind), encoding="utf-8")
    made, problems = check_project(root=tmp_path)
    assert [problem.code for problem in problems if problem.severity == "error"] == []
    (mission,) = [
        definition
        for definition in made.definitions.values()
        if definition.board is not None and definition.kind.id == "mission"
    ]
    supplies, _ = supplies_of(made, "en", mission, 2)
    (disc,) = [disc for disc in supplies.discs if disc.title == "Soaked"]
    assert disc.count >= 2
    assert (
        dict(supplies.components)["Markers and tokens"]
        == f"×{sum(disc.count for disc in supplies.discs if not disc.figure)}"
    )


@pytest.mark.parametrize(
    ("verb", "effect", "discs"),
    [
        ("let one = instance of sort\n    if one is not nothing: remove one", "bring spoon", 1),
        ("let one = instance of sort\n    if one is not nothing: remove one", "bring old", 3),
        ("let one = instance of young\n    if one is not nothing: remove one", "bring old", 1),
        ("for each kin in pike definition where it = sort: remove (instance of kin)", "bring old", 3),
        ("let kin = sort\n    remove (instance of kin)", "bring old", 3),
        ("remove spoon#1", "remove old#2", 3),
    ],
)
def test_tokens_of_a_figure_cover_all_its_copies(verb: str, effect: str, discs: int) -> None:
    """All copies if anything may take another one out of the box: what verbs take is followed to those who call them,
    as core's `fill` is, which takes copies of anything."""
    bring = f"verb bring:\n  takes: sort (definition)\n  effect:\n    {verb}\n"
    text = POND.replace("setup: fill", f"{bring}setup: fill")
    made = pond(text.replace('trick dive "Dive"\n', f'trick dive "Dive":\n  when game is won: {effect}\n'))
    assert any(form.id == "fill" for form in made.forms)
    supplies, _ = supplies_of(made, "en", made.definitions["mission", "north"], 2)
    assert len([disc for disc in supplies.discs if disc.title == "Old Pike"]) == discs
    components = dict(supplies.components)
    assert discs == 1 or components["as many as can come into play"] in {"×3", "×6"}


@pytest.mark.parametrize("game", GAMES)
def test_mission_pieces_are_complete(game: str) -> None:
    made = model(game)
    for mission in [definition for definition in made.definitions.values() if definition.kind.id == "mission"]:
        needed = needed_for(mission, made)
        for one in needed:
            named = [n for n in nodes_below((one, *one.parts)) if isinstance(n, ir.Def | ir.Instance)]
            for node in named:
                other = made.definitions.get((node.kind, node.id))
                assert other is None or other in needed or other.kind.id in {"mission", "campaign"}, (
                    mission.id,
                    one.id,
                )
        assert len(needed) < len(made.definitions)
        assert [definition.id for definition in needed if definition.kind.id == "mission"] == [mission.id]


@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(*setting, marks=[] if setting in (("far-cry-beyond", "fr"), ("beast", "fr")) else pytest.mark.long)
        for setting in EACH_IN_ITS_LANGUAGES
    ],
)
def test_tokens_of_games_print_without_problem(game: str, language: str, tmp_path: Path) -> None:
    made = render_tokens(model(game), language, "pdf", tmp_path, Options(paper="letter"))
    assert (made.problems, made.left_out) == ((), ())
    mission = next(definition for definition in model(game).definitions.values() if definition.kind.id == "mission")
    made = render_tokens(model(game), language, "pdf", tmp_path, Options(), mission, 2)
    assert made.problems == ()
    ending = f"{mission.id}-2{'' if language == 'en' else '.fr'}.pdf"
    assert [path.name for path in made.files] == [f"tokens-{ending}", f"standees-{ending}"]
    assert mission.name.title[language].split()[0].upper() in PdfReader(made.files[0]).pages[0].extract_text()


@pytest.mark.parametrize(("game", "mission", "pages"), [("escape", None, 2), ("fireteam-zero", None, 3)])
def test_markers_shrink_gaps_to_save_page(game: str, mission: str | None, pages: int, tmp_path: Path) -> None:
    made = model(game)
    about = made.definitions["mission", mission] if mission is not None else None
    printed = render_tokens(made, "fr", "pdf", tmp_path, Options(), about, 4 if mission is None else 2)
    assert len(PdfReader(printed.files[0]).pages) == pages


@pytest.mark.long
def test_disc_fold_is_clear_of_title(tmp_path: Path) -> None:
    (discs, _) = render_tokens(model("far-cry-beyond"), "fr", "pdf", tmp_path, Options()).files
    measured = 0
    for page in PdfReader(discs).pages:
        titles: list[float] = []  # baselines of titles of both faces, in points from the foot of the page
        folds: list[float] = []  # upper ends of dotted upright lines, likewise
        pen: dict[bytes, Any] = {b"d": [[], 0], b"m": [0, 0]}

        def drawn(operator: bytes, operands: Any, matrix: Any, _: Any, pen: Any = pen, folds: Any = folds) -> None:
            if operator == b"l" and pen[b"m"][0] == operands[0] and len(pen[b"d"][0]) == 2 and pen[b"d"][0][0] < 0.1:
                folds.append(max(float(y) * matrix[3] + matrix[5] for y in (pen[b"m"][1], operands[1])))
            elif operator in pen:
                pen[operator] = list(operands)

        def note_place(text: str, matrix: Any, _: Any, __: Any, ___: Any, titles: Any = titles) -> None:
            if " / " in text:
                titles.append(matrix[5])

        page.extract_text(visitor_operand_before=drawn, visitor_text=note_place)
        for title in titles:
            below = [title - fold for fold in folds if fold < title + 4]
            measured += 1
            assert min(below) > 2, "what descends below the line of a title is clear of the fold"
    assert measured > 5


@pytest.mark.long
def test_standee_instructions_are_clear_of_standees(tmp_path: Path) -> None:
    (_, standees) = render_tokens(model("far-cry-beyond"), "fr", "pdf", tmp_path, Options()).files
    heights: list[float] = []  # where paths begin, in points from the foot of the page
    lines: list[float] = []

    def drawn(operator: bytes, operands: Any, matrix: Any, _: Any) -> None:
        if operator == b"m":
            heights.append(float(operands[0]) * matrix[1] + float(operands[1]) * matrix[3] + matrix[5])

    def note_place(text: str, matrix: Any, *_: Any) -> None:
        if "bande" in text:
            lines.append(matrix[5])

    PdfReader(standees).pages[0].extract_text(visitor_operand_before=drawn, visitor_text=note_place)
    (line,) = lines
    assert line - max(height for height in heights if height < line) > 4


@pytest.mark.long
def test_standees_fill_pages_on_every_paper(tmp_path: Path) -> None:
    pages = []
    for paper in ("a4", "letter"):
        printed = render_tokens(model("fireteam-zero"), "en", "pdf", tmp_path, Options(paper=paper))
        pages.append(len(PdfReader(printed.files[1]).pages))
    assert pages == [4, 4]


@pytest.mark.long
def test_standee_pages_are_two_thirds_full(tmp_path: Path) -> None:
    made = render_tokens(model("far-cry-beyond"), "fr", "png", tmp_path, Options(paper="letter", dpi=36))
    files = [file for file in made.files if file.name.startswith("standees")]
    assert len(files) == 4
    for file in files[:-1]:
        with Image.open(file) as page:
            drawn = page.convert("L").crop((0, 0, page.width, page.height * 93 // 100))
        box = drawn.point(lambda value: 255 if value < 200 else 0).getbbox()
        assert box is not None
        assert box[3] > page.height * 0.8, file.name


def test_too_wide_disc_name_is_error(tmp_path: Path) -> None:
    head = 'system shop "Shop":\n  players: 1\n  board: hex\nkind hand is piece:\n  name: "hand"\n'
    shop = pond(f'{head}hand x "Rindfleischetikettierungsgesetz"\n')
    made = render_tokens(shop, "en", "pdf", tmp_path, Options())
    assert [problem.code for problem in made.problems] == ["FCB0707"]
    assert (made.files, made.left_out) == ((), ("tokens/shop",))


LINES = """
layout tokens:
  Wet: 4 of 2, 3, back reed "Reed" fr "Roseau"
  reed: each lure, 2, shows rank
  trick: each pike with Dive
  nothing: 5
  leaf: 3
  coin: "Coin"
  Cold: 100, back tide, around it, each fog
"""


DIVING = """
keyword Dive:
  effect: stop
kind ruse is card:
  name: "ruse", plural "ruses"
  field effect: effect
ruse deep "Deep" for snapper:
  effect: Dive
pike snapper "Snapper"
pike idler "Idler"
frog jumper "Jumper"
layout tokens:
  Wet: 1, each frog, each pike with Dive
"""


def test_action_markers_are_only_for_able_figures() -> None:
    """A pike dives by a card that is for it alone; another has none, and no use for the marker."""
    made = pond(POND + DIVING)
    titles = [disc.title for disc in supplies_of(made, "en")[0].discs if not disc.figure]
    assert "Snapper" in titles
    assert "Jumper" in titles
    assert "Idler" not in titles


def test_tokens_have_values_and_two_faces() -> None:
    made = pond(POND + 'layout tokens:\n  Wet: 4 of 2, 3, back reed\n  lure: 2, each lure, back coin "C" fr "P"\n')
    discs = supplies_of(made, "en")[0].discs
    wet = [(disc.count, disc.number, disc.back and disc.back.title) for disc in discs if disc.title == "Wet"]
    assert wet == [(4, "2", "Reed"), (3, "", "Reed")]
    assert [
        (disc.title, disc.count, disc.back and disc.back.title) for disc in discs if disc.title in {"Worm", "Spoon"}
    ] == [
        ("Worm", 2, "C"),
        ("Spoon", 2, "C"),
    ]


def test_names_in_token_lines_must_exist() -> None:
    made = pond(POND + LINES)
    assert [problem.arguments["name"] for problem in check_looks(made)] == [
        "rank", "Dive", "nothing", "leaf", "coin", "100", "tide", "around it", "fog",
    ]  # fmt: skip


def test_discs_are_as_large_as_spaces_allow() -> None:
    made = supplies_of(pond(POND + "layout style:\n  space: 30\n"), "en")[0]
    assert (made.figure_size, made.marker_size) == (24.0, 18.0)


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_figures_have_distinct_marks_on_discs_and_maps(game: str, language: str) -> None:
    """On discs, no two figures have the same letters, and figures on a map have the letters of their discs."""
    made, _ = supplies_in(game, language)
    marks = {disc.title: disc.symbol.letter for disc in made.discs if disc.figure}
    assert len(set(marks.values())) == len(marks)
    for definition in model(game).definitions.values():
        if definition.board is not None:
            sheet = sheet_in(game, definition, language)
            assert sheet.map is not None
            drawn = [(title, symbol.letter) for symbol, title, _ in sheet.map.legend if symbol.letter]
            assert {title: letter for title, letter in drawn if title in marks}.items() <= marks.items()


def test_numbered_die_has_marker_alternative() -> None:
    tables = {table.title: table for table in supplies_in("fireteam-zero", "en")[0].dice}
    assert (tables["Spawn die"].instead, tables["Spawn die"].rows) == (
        "roll a d12, or draw a numbered marker from 1 to 12",
        (("1–12", "the number rolled"),),
    )
    (common,) = supplies_in("escape", "en")[0].dice
    assert (common.faces, common.rows) == (6, ())


@pytest.mark.parametrize(
    ("game", "mission", "title", "last"), [("escape", "evasion", "Turn", 8), ("beast", "clean-up", "Round", 4)]
)
def test_round_counter_has_track_and_marker(game: str, mission: str, title: str, last: int) -> None:
    made = model(game)
    supplies = supplies_of(made, "en", made.definitions["mission", mission], 2)[0]
    (track,) = supplies.gauges
    assert [step.label for step in track.steps] == [str(at) for at in range(1, last + 1)]
    assert [disc.count for disc in supplies.discs if disc.title == title] == [1]


@pytest.mark.parametrize(
    ("game", "mission", "title"), [("beast", "clean-up", "Grudge"), ("far-cry-beyond", "quiet-floor", "Damage")]
)
def test_mission_gets_markers_of_figures(game: str, mission: str, title: str) -> None:
    made = model(game)
    supplies = supplies_of(made, "en", made.definitions["mission", mission], 2)[0]
    assert title in [disc.title for disc in supplies.discs]


def test_animals_are_those_of_map() -> None:
    """A piece that only the map of a contract brings is printed as often as the map shows it; a piece that cards bring,
    always."""
    game = model("beast")
    supplies, _ = supplies_of(game, "en", game.definitions["mission", "clean-up"], 2)
    counted = {title: sum(d.count for d in supplies.discs if d.title == title) for title in ("Sheep", "Boar", "Wolf")}
    assert counted == {"Sheep": 3, "Boar": 2, "Wolf": 3}


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_changing_terrain_has_tokens(game: str) -> None:
    made = model(game)
    setters = [form for form in made.forms if Trait.SETS_TERRAIN in form.traits]
    for mission in [definition for definition in made.definitions.values() if definition.kind.id == "mission"]:
        own = [action.body for action in made.actions.values() if action.span.beside(mission.span)]
        own += [form.body for form in made.forms if form.span.beside(mission.span)]
        calls = [node for node in nodes_below((mission, *own)) if isinstance(node, ir.Do) and node.form in setters]
        grounds = {arg.label for call in calls for arg in call.args if isinstance(arg, ir.Const)}
        titles = [disc.title.casefold() for disc in supplies_of(made, "en", mission, 2)[0].discs]
        assert {made.terrains[id].name.title["en"] for id in grounds} <= {*titles}
    if game == "far-cry-beyond":
        discs = supplies_of(made, "en", made.definitions["mission", "sluice-night"], 2)[0].discs
        assert "Chasm" in [disc.title for disc in discs]  # by a verb of the system
        hatches = supplies_of(made, "en", made.definitions["mission", "long-exhale"], 2)[0].discs
        assert [disc.count for disc in hatches if "airlock" in disc.title] == [1, 1]  # the one of its map


def test_terrain_has_as_many_tokens_as_possible_spaces() -> None:
    """Both piers fall, six spaces each; one beam comes down."""
    made = model("far-cry-beyond")
    supplies = supplies_of(made, "en", made.definitions["mission", "widows-span"], 3)[0]
    counts = {disc.title: disc.count for disc in supplies.discs}
    assert (counts["Chasm"], counts["Girder"]) == (12, 1)


@pytest.mark.parametrize(("mission", "cut"), [("widows-span", False), ("last-pump", True)])
def test_status_without_possible_figure_has_no_token(mission: str, cut: bool) -> None:
    """Only fixtures are wrecked, and no fixture is on the Widow's Span."""
    game = model("far-cry-beyond")
    made, problems = supplies_of(game, "en", game.definitions["mission", mission], 3)
    assert problems == []
    titles = {disc.title for disc in made.discs}
    assert ("Wrecked" in titles) == cut
    assert "Stunned" in titles
