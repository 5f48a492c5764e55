"""The output of the press: pages, backs, bytes, files, and problems."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader
from small_shop import SPAN, name, shop

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Layout, Value
from fcbdsl.language.model.declarations import Field, Kind, Terrain
from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.layout.formats import papers
from fcbdsl.print.pieces import looks
from fcbdsl.print.pieces.assets import our_drawings
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.press.press import Rendered, render
from fcbdsl.print.press.proofs import fit_problems


def press(tmp_path: Path, ids: tuple[str, ...] = (), language: str = "en", to: str = "pdf") -> Rendered:
    """Print the small shop."""
    return render(shop(), ids, language, "a4", to, tmp_path)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_everything_is_printed_without_problem(tmp_path: Path, language: str) -> None:
    made = press(tmp_path, language=language)
    assert made.problems == ()
    own = "" if language == "en" else ".fr"
    assert [path.name for path in made.files] == [
        f"{stem}.pdf" for stem in (f"cards{own}", f"cards{own}.contents", f"mission-siege{own}")
    ]


def test_same_input_gives_same_bytes(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in press(tmp_path / "a").files]
    second = [path.read_bytes() for path in press(tmp_path / "b").files]
    assert first == second


def test_cards_and_boards_have_own_pages_and_backs(tmp_path: Path) -> None:
    pdf, _ = press(tmp_path, ("hammer", "rope", "warden")).files
    reader = PdfReader(io.BytesIO(pdf.read_bytes()))
    assert len(reader.pages) == 4
    assert "HAMMER" in reader.pages[0].extract_text()
    assert "TOOL" in reader.pages[1].extract_text()
    assert "WARDEN" in reader.pages[2].extract_text()
    assert "GUARD" in reader.pages[3].extract_text()


def test_back_can_have_color_of_value() -> None:
    model = shop()
    card, _ = card_of(model.definitions[("tool", "rope")], model, "fr")
    assert (card.back.title, card.back.colour) == ("Outil", "#6d4c41")


def test_pdf_is_tagged_with_language(tmp_path: Path) -> None:
    (pdf,) = press(tmp_path, ("rope",), language="fr").files
    root = PdfReader(pdf).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "fr"


def test_png_has_one_file_per_page(tmp_path: Path) -> None:
    made = press(tmp_path, ("rope",), to="png")
    assert [path.name for path in made.files] == ["cards-rope-01.png", "cards-rope-02.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in made.files)


def test_text_is_never_markup(tmp_path: Path) -> None:
    (pdf,) = press(tmp_path, ("rope",)).files
    assert "<b>Strong</b> & #old" in " ".join(PdfReader(pdf).pages[0].extract_text().split())
    html = render_page(shop(), ("rope",), "en", tmp_path).files[0].read_text(encoding="utf-8")
    assert "&lt;b&gt;Strong&lt;/b&gt; &amp; #old" in html


def test_text_that_does_not_fit_is_error_with_measure(tmp_path: Path) -> None:
    model = shop()
    model.definitions[("tool", "rope")].text = {"en": "Many words in a row. " * 80}
    model.definitions[("tool", "rope")].untold = {"Shift": SPAN}
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path)
    (problem,) = made.problems
    assert problem.code == "FCB0704"
    assert "`tool/rope` (en)" in problem.message
    assert float(str(problem.arguments["need"])) > float(str(problem.arguments["have"]))


def test_too_wide_title_is_error(tmp_path: Path) -> None:
    model = shop()
    model.definitions[("tool", "rope")].name = name("A rope of " + "unreasonable" * 4 + " length")
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path)
    assert [problem.code for problem in made.problems] == ["FCB0707"]


def test_long_title_has_two_lines(tmp_path: Path) -> None:
    model = shop()
    model.definitions[("tool", "rope")].name = name("A rope of quite unreasonable and frankly admirable length")
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path)
    assert not made.problems
    text = PdfReader(tmp_path / "cards-rope.pdf").pages[0].extract_text()
    assert "A ROPE OF QUITE UNREASONABLE\n" in text.replace(" \n", "\n")


@pytest.mark.parametrize(("key", "count", "says"), [("stats", 6, "figure"), ("badges", 9, "row of badges")])
def test_too_wide_number_row_is_error(key: str, count: int, says: str, tmp_path: Path) -> None:
    model = shop()
    part = ("weight",) if key == "stats" else ("quick",)
    for several, problems in ((1, []), (count, ["FCB0707"])):
        model.layouts["tool"].settings[key] = (part,) * several
        made = render(model, ("rope",), "en", "a4", "pdf", tmp_path / str(several))
        assert sorted({problem.code for problem in made.problems}) == problems
        assert all(f"The {says}" in problem.message for problem in made.problems)


def test_character_without_glyph_is_error(tmp_path: Path) -> None:
    model = shop()
    model.definitions[("tool", "rope")].name = name("刀")
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path)
    assert [problem.code for problem in made.problems] == ["FCB0705"]
    assert "U+5200" in made.problems[0].message


def test_unknown_name_is_error_with_suggestion(tmp_path: Path) -> None:
    made = press(tmp_path, ("roep",))
    assert made.files == ()
    assert [(problem.code, problem.suggestion) for problem in made.problems] == [("FCB0703", "rope")]


def test_layout_names_must_exist(tmp_path: Path) -> None:
    model = shop()
    model.layouts["tool"].settings["corner"] = (("wieght",),)
    model.layouts["symbols"].settings["iron"] = (("anvli",),)
    model.layouts["tol"] = Layout("tol", SPAN, {})
    made = render(model, ("warden",), "en", "a4", "pdf", tmp_path)
    assert sorted(str(problem.arguments["name"]) for problem in made.problems) == ["anvli", "tol", "wieght"]


@pytest.mark.parametrize(("range_and_start", "steps"), [(("health",), 5), (("health", "3"), 5), (("health", "6"), 7)])
def test_dial_has_given_range_and_start(tmp_path: Path, range_and_start: tuple[str, ...], steps: int) -> None:
    model = shop()
    model.layouts["guard"].settings["dials"] = (range_and_start,)
    card, _ = card_of(model.definitions[("guard", "warden")], model, "en")
    assert [(dial.label, dial.start, len(dial.steps)) for dial in card.dials] == [("HP", 4, steps)]
    made = render_page(model, ("warden",), "en", tmp_path)
    assert made.problems == ()
    assert made.files[0].read_text(encoding="utf-8").count('<span class="start">4</span>') == len(model.languages)
    model.layouts["guard"].settings["dials"] = (("helath", "6"),)
    made = render_page(model, ("warden",), "en", tmp_path)
    assert [problem.arguments["name"] for problem in made.problems] == ["helath"]


def test_unwritable_folder_is_os_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(OSError, match="taken"):
        render(shop(), ("rope",), "en", "a4", "pdf", tmp_path / "taken" / "out")


def test_card_has_color_of_its_target() -> None:
    model = shop()
    model.layouts["chore"].settings["color"] = (("bearer",),)
    card, _ = card_of(model.definitions[("chore", "bar")], model, "en")
    assert card.colour == "#c62828", "the colour of its mission, which is that of its grade"


def test_card_has_color_of_named_definition_and_grade_text() -> None:
    model = shop()
    tool = model.kinds["tool"]
    tool.fields["scene"] = Field("scene", "tool", "field", ir.Type("definition", "mission"), SPAN, name("Mission"))
    scene = ir.Def("mission", "siege", ir.Type("definition", "mission"), SPAN)
    model.definitions[("tool", "rope")].values["scene"] = Value(tool.fields["scene"], scene)
    model.layouts["tool"].settings |= {"color": (("scene",),), "notes": (("scene",),)}
    card, _ = card_of(model.definitions[("tool", "rope")], model, "fr")
    assert card.colour == "#c62828"
    assert [chip.value for chip in card.notes] == ["Le Siège (dur)"]


def test_card_names_required_terrain_and_barrier() -> None:
    model = shop()
    tool = model.kinds["tool"]
    model.terrains["mud"] = Terrain("mud", SPAN, name("mud", "boue"))
    model.barriers["hedge"] = Terrain("hedge", SPAN, name("hedge", "haie"))
    for sort, table in (("terrain", model.terrains), ("barrier", model.barriers)):
        tool.fields[sort] = Field(sort, "tool", "field", ir.Type(sort), SPAN, name(sort))
        asked = ir.Const(len(table) - 1, ir.Type(sort), SPAN, list(table)[-1])
        model.definitions[("tool", "rope")].values[sort] = Value(tool.fields[sort], asked)
    model.layouts["tool"].settings["notes"] = (("terrain",), ("barrier",))
    card, _ = card_of(model.definitions[("tool", "rope")], model, "fr")
    assert [(chip.label, chip.value) for chip in card.notes] == [("terrain", "boue"), ("barrier", "haie")]


def test_each_of_several_conditions_follows_its_title() -> None:
    model = shop()
    tool = model.kinds["tool"]
    rope = model.definitions[("tool", "rope")]
    for word in ("above", "below"):
        tool.fields[word] = Field(word, "tool", "field", ir.Type("condition"), SPAN, name(word, f"{word} fr"))
        heavy = ir.Binary(">", ir.Const(3, ir.NUMBER, SPAN), ir.Const(2, ir.NUMBER, SPAN), ir.FLAG, SPAN)
        rope.values[word] = Value(tool.fields[word], heavy)
    model.layouts["tool"].settings["condition"] = (("above",), ("below",))
    card, _ = card_of(rope, model, "fr")
    assert [made.plain().split(":")[0].strip() for made in card.condition] == ["above fr", "below fr"]
    model.layouts["tool"].settings["condition"] = (("below",),)
    card, _ = card_of(rope, model, "fr")
    assert [":" in made.plain() for made in card.condition] == [False]


def test_missing_number_leaves_corner_empty() -> None:
    model = shop()
    assert card_of(model.definitions[("chore", "sweep")], model, "en")[0].corner is None
    corner = card_of(model.definitions[("chore", "bar")], model, "en")[0].corner
    assert corner is not None
    assert corner.value == "2"


def test_parts_are_not_printed_separately() -> None:
    assert [d.id for d in printable(shop())] == [
        "hammer",
        "rope",
        "warden",
        "siege",
        "sweep",
        "bar",
        "knock",
        "betray",
    ]


@pytest.mark.parametrize("named", ["region", "team"])
def test_named_definition_is_card_if_kind_has_layout(named: str) -> None:
    model = shop()
    kind = Kind("quarter", Kind(named, None, SPAN), SPAN)
    model.definitions["quarter", "docks"] = replace(
        model.definitions["tool", "rope"], id="docks", kind=kind, name=name("The docks", "Les quais")
    )
    assert "docks" not in [d.id for d in printable(model)]
    model.layouts["quarter"] = Layout("quarter", SPAN)
    assert "docks" in [d.id for d in printable(model)]


def test_kinds_without_layout_show_data(tmp_path: Path) -> None:
    model = shop()
    model.layouts = {}
    card, problems = card_of(model.definitions[("tool", "hammer")], model, "en")
    assert problems == []
    assert card.type_line == "Tool · iron"
    assert [(stat.label, stat.value) for stat in card.stats] == [("Weight", "2")]
    assert render(model, (), "en", "a4", "pdf", tmp_path).files


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
def test_project_title_is_on_pieces_and_documents(tmp_path: Path, language: str) -> None:
    model = shop()
    model.title.title = {"en": "The Shop"}
    assert card_of(model.definitions["tool", "rope"], model, language)[0].footer == "The Shop"
    model.pack = "Out of Stock"
    assert card_of(model.definitions["tool", "rope"], model, language)[0].footer == "Out of Stock"
    mission = {"en": "The Siege", "fr": "Le Siège"}[language]
    titles = ["Out of Stock", f"{mission} · Out of Stock"]
    files = render(model, ("rope", "siege"), language, "a4", "pdf", tmp_path).files
    printed = [PdfReader(path) for path in files]
    assert [pdf.metadata.title for pdf in printed if pdf.metadata] == titles
    assert "OUT OF STOCK" in printed[1].pages[0].extract_text()


# ── sheets ─────────────────────────────────────────────────────────────────────────────────────

TOO_MUCH = {
    "story": ("A long story without an end. " * 400, "FCB0708", "The text of `mission/siege` (en, A4)"),
    "word": ("It is called Antidisestablishment" + "arianism" * 20 + " here.", "FCB0707", "word “Antidis"),
}
"""A story that does not fit a sheet, the code, and the message."""


@pytest.mark.long
@pytest.mark.parametrize("sort", TOO_MUCH)
def test_overfull_sheet_is_left_out_and_reported(tmp_path: Path, sort: str) -> None:
    story, code, says = TOO_MUCH[sort]
    model = shop()
    mission = model.definitions[("mission", "siege")]
    mission.values["story"] = Value(mission.values["story"].field, texts={"en": story})
    made = render(model, ("siege", "rope"), "en", "a4", "pdf", tmp_path)
    assert [problem.code for problem in made.problems] == [code]
    assert says in made.problems[0].message
    assert float(str(made.problems[0].arguments["need"])) > float(str(made.problems[0].arguments["have"]))
    assert made.left_out == ("mission/siege",)
    assert [path.name for path in made.files] == ["cards-siege+rope.pdf"]
    assert [path.name for path in tmp_path.iterdir()] == ["cards-siege+rope.pdf"]


@pytest.mark.long
def test_title_of_a_sheet_shrinks_beside_its_chips_and_is_then_reported(tmp_path: Path) -> None:
    model = shop()
    model.definitions[("mission", "siege")].name = name("A siege of quite some length, which goes on and on")
    assert render(model, ("siege",), "en", "letter", "pdf", tmp_path / "a").problems == ()
    model.definitions[("mission", "siege")].name = name("A siege that goes on and on, " * 4)
    made = render(model, ("siege",), "en", "letter", "pdf", tmp_path / "b")
    assert [problem.code for problem in made.problems] == ["FCB0707"]
    assert "The title of `mission/siege` (en, Letter)" in made.problems[0].message
    assert made.files == ()


@pytest.mark.long
def test_fitting_sheet_is_one_page(tmp_path: Path) -> None:
    model = shop()
    mission = model.definitions[("mission", "siege")]
    mission.values["story"] = Value(mission.values["story"].field, texts={"en": "A long story. " * 220})
    made = render(model, ("siege",), "en", "a4", "pdf", tmp_path)
    assert made.problems == ()
    assert len(PdfReader(made.files[0]).pages) == 1


@pytest.mark.long
def test_every_paper_is_checked_before_printing() -> None:
    model = shop()
    assert fit_problems(model, printable(model)) == []
    mission = model.definitions[("mission", "siege")]
    mission.values["story"] = Value(mission.values["story"].field, texts={"en": "A long story without an end. " * 400})
    messages = [problem.message for problem in fit_problems(model, [mission])]
    assert len(messages) == 3
    assert all(f"(en, {paper.title})" in " ".join(messages) for paper in papers().values())


def test_drawings_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "language" / "layouts.md").read_text(encoding="utf-8")
    listed = page.rpartition("\n\n")[2]
    assert tuple(word.strip("`.,") for word in listed.split()) == our_drawings()


def test_style_is_of_game_except_scene_of_kind() -> None:
    model = shop()
    model.layouts["style"] = Layout("style", SPAN, {"font": (("Cinzel",),), "scene": (("forest",),)})
    model.layouts["tool"].settings["scene"] = (("corridor",),)
    rope, bar = (card_of(model.definitions[key], model, "en")[0] for key in (("tool", "rope"), ("chore", "bar")))
    assert (rope.style.scene, bar.style.scene) == ("corridor", "forest")
    assert (rope.style.font, rope.style.paper) == ("Cinzel", looks.DEFAULT_PAPER)
    assert rope.seed != bar.seed


def test_titles_use_font_of_style(tmp_path: Path) -> None:
    model = shop()
    model.layouts["style"] = Layout("style", SPAN, {"font": (("Cinzel",),)})
    (pdf,) = render(model, ("rope",), "en", "a4", "pdf", tmp_path).files
    assert b"Cinzel" in pdf.read_bytes()


def test_icon_comes_from_first_field_with_icon() -> None:
    model = shop()
    model.layouts["tool"].settings["icon"] = (("make",), ("bell",))
    model.layouts["symbols"].settings["wood"] = (("blade",),)
    card, _ = card_of(model.definitions["tool", "rope"], model, "en")
    assert (card.drawing, card.back.drawing) == ("blade", "bell")
    del model.layouts["symbols"].settings["wood"]
    card, _ = card_of(model.definitions["tool", "rope"], model, "en")
    assert (card.drawing, card.back.drawing) == ("bell", "bell")


def test_back_shows_public_information(tmp_path: Path) -> None:
    model = shop()
    model.layouts["chore"].settings["back shows"] = (("order",), ("title",), ("bearer",))
    model.layouts["tool"].settings["back shows"] = (("make",),)
    backs = {
        word: card_of(model.definitions[kind, word], model, "fr")[0].back
        for kind, word in (("chore", "bar"), ("chore", "sweep"), ("tool", "rope"))
    }
    assert (backs["bar"].number, backs["bar"].words) == ("2", ("Barrer la porte", "Le Siège"))
    assert (backs["sweep"].number, backs["sweep"].words) == ("", ("Balayer", "Le Siège"))
    assert (backs["rope"].number, backs["rope"].words) == ("", ("Bois",))
    pdf, _ = render(model, ("rope", "bar"), "en", "a4", "pdf", tmp_path).files
    behind = PdfReader(pdf).pages[1].extract_text()
    assert all(word in behind for word in ("TOOL", "WOOD", "CHORE", "2", "BAR THE DOOR · THE SIEGE"))
    html = render_page(model, ("rope", "bar"), "en", tmp_path).files[0].read_text(encoding="utf-8")
    rope, bar = (article.partition("</article>")[0] for article in html.split('<article class="card small back"')[1:])
    assert all(word in rope for word in ('aria-label="Rope"', ">Tool</p>", "<p>Wood</p>", "<svg"))
    assert all(word in bar for word in (">Chore</p>", ">2</div>", "<p>Bar the door · The Siege</p>"))
    model.layouts["tool"].settings["back shows"] = (("mkae",),)
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path)
    assert [(problem.code, problem.suggestion) for problem in made.problems] == [("FCB0706", "make")]
