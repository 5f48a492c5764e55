"""The copies of a piece, its marks for sorting, the content of a selection, and the names of its files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from games import EACH_IN_ITS_LANGUAGES
from games import model as model_of
from pypdf import PdfReader
from small_shop import SPAN, number, shop

from fcbdsl.base.diagnostics import Problems
from fcbdsl.cli import render_command
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Value
from fcbdsl.language.model.declarations import Field, Zone
from fcbdsl.language.model.whole import Model
from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.layout.formats import papers, sizes
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.contents import contents_of
from fcbdsl.print.pieces.looks import check_looks
from fcbdsl.print.pieces.piece import PieceRegister, PrintPiece
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.pieces.selection import selected_definitions, selection_name
from fcbdsl.print.pieces.stamps import LETTERS, STAMP, stamp_of
from fcbdsl.print.press.imposition import BACKS
from fcbdsl.print.press.options import SIGHTS, Options, refusals
from fcbdsl.print.press.press import render


def many(model: Model, rope: int = 3) -> Model:
    """Return the shop with several ropes."""
    tool = model.kinds["tool"]
    tool.fields["copies"] = Field("copies", "tool", "field", ir.NUMBER, SPAN, default=number(1))
    model.definitions["tool", "rope"].values["copies"] = Value(tool.fields["copies"], number(rope))
    return model


def piece(model: Model, kind: str, id: str, printed: str = "game") -> PrintPiece:
    """Return the piece of a definition."""
    definition = model.definitions[kind, id]
    return PieceRegister(model, printable(model)).piece(definition, card_of(definition, model, "en")[0], printed)


def test_pieces_have_copies_of_game_or_one() -> None:
    model = many(shop())
    assert piece(model, "tool", "rope").copies == 3
    assert piece(model, "tool", "rope", "one").copies == 1
    assert piece(model, "tool", "hammer").copies == 1


def test_start_contents_of_zones_count_as_copies() -> None:
    model = many(shop(), 1)
    guard = model.kinds["guard"]
    listed = Field("kit", "guard", "field", ir.Type("definition", "tool").several(), SPAN)
    guard.fields["kit"] = listed
    guard.zones["bag"] = Zone("bag", "guard", "tool", SPAN, starts=listed)
    rope = ir.Def("tool", "rope", ir.Type("definition", "tool"), SPAN)
    model.definitions["guard", "warden"].values["kit"] = Value(listed, ir.ListOf((rope, rope), listed.type, SPAN))
    assert piece(model, "tool", "rope").copies == 2


def test_layout_can_fix_copies(tmp_path: Path) -> None:
    model = many(shop(), 4)
    model.layouts["tool"].settings["copies"] = (("1",),)
    assert piece(model, "tool", "rope").copies == 1
    model.layouts["tool"].settings["copies"] = (("some",),)
    assert [problem.arguments["name"] for problem in check_looks(model)] == ["some"]


def test_foot_shows_number_copies_revision_and_stamp() -> None:
    model = many(shop())
    stamp = piece(model, "tool", "rope").stamp
    assert piece(model, "tool", "rope").card.mark == f"2/2\u00a0×3 · {stamp}"
    model.revision = "1.2"
    assert piece(model, "tool", "rope", "one").card.mark == f"2/2\u00a0×3 · 1.2 · {stamp}"
    assert piece(model, "guard", "warden").card.mark.startswith("1/1 · 1.2 · ")


def test_stamp_changes_with_printed_content() -> None:
    model = shop()
    card, _ = card_of(model.definitions["tool", "rope"], model, "en")
    french, _ = card_of(model.definitions["tool", "rope"], model, "fr")
    stamps = {stamp_of(view) for view in (card, french, replace(card, flavour="Weak"), replace(card, colour="#000000"))}
    assert len(stamps) == 4
    assert stamp_of(replace(card, mark="2/2")) == stamp_of(card)
    assert all(len(stamp) == STAMP and set(stamp) <= set(LETTERS) for stamp in stamps)


def test_feet_are_on_faces_only(tmp_path: Path) -> None:
    model = many(shop())
    (pdf,) = render(model, ("rope",), "en", "a4", "pdf", tmp_path).files
    face, back = (page.extract_text().replace("\u00a0", " ") for page in PdfReader(pdf).pages)
    stamp = piece(model, "tool", "rope").stamp
    assert face.count(f"2/2 ×3 · {stamp}") == 3
    assert "2/2" not in back
    html = render_page(model, ("rope",), "en", tmp_path).files[0].read_text(encoding="utf-8")
    assert f"2/2\u00a0×3 · {stamp}</span>" in html


def test_too_long_foot_is_reported(tmp_path: Path) -> None:
    model = shop()
    model.pack = "A title of such length that no foot of any card will ever hold it beside its mark"
    made = render(model, ("rope",), "en", "a4", "pdf", tmp_path)
    assert [problem.code for problem in made.problems] == ["FCB0707"]
    assert "The foot of `tool/rope`" in made.problems[0].message


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", list(sizes()))
@pytest.mark.parametrize("backs", ["long", "fold"])
def test_pieces_of_every_size_are_printed_on_a3(size: str, backs: str, tmp_path: Path) -> None:
    model = shop()
    model.layouts["tool"].settings["size"] = ((size,),)
    made = render(model, ("rope",), "en", "a3", "pdf", tmp_path, Options("a3", backs=backs))
    assert made.problems == ()
    page = PdfReader(made.files[0]).pages[0]
    assert "ROPE" in page.extract_text()


def test_unknown_size_is_reported() -> None:
    model = shop()
    model.layouts["tool"].settings["size"] = (("pokr",),)
    (problem,) = check_looks(model)
    assert (problem.code, problem.suggestion) == ("FCB0706", "poker")


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (["rope"], ["rope"]),
        (["tool/rope"], ["rope"]),
        (["tool/2"], ["rope"]),
        (["tool/1-2"], ["hammer", "rope"]),
        (["tool/2", "tool/"], ["rope", "hammer"]),
        (["chore/3-9"], ["knock", "betray"]),
        ([], ["hammer", "rope", "warden", "siege", "sweep", "bar", "knock", "betray"]),
    ],
)
def test_pieces_are_selected_by_ids_numbers_and_kinds(wanted: list[str], ids: list[str]) -> None:
    problems = Problems()
    assert [definition.id for definition in selected_definitions(shop(), wanted, problems)] == ids
    assert problems.sorted() == []


def test_kind_includes_subkinds_and_has_own_numbers() -> None:
    model = shop()
    model.kinds["guard"].parent = model.kinds["tool"]
    problems = Problems()
    assert [definition.id for definition in selected_definitions(model, ["tool/"], problems)] == [
        "hammer",
        "rope",
        "warden",
    ]
    assert [definition.id for definition in selected_definitions(model, ["tool/warden"], problems)] == ["warden"]
    assert [definition.id for definition in selected_definitions(model, ["tool/1-2"], problems)] == ["hammer", "rope"]
    assert problems.sorted() == []


@pytest.mark.parametrize("wanted", ["roep", "tool/3", "guard/rope", "tol/"])
def test_selection_without_match_is_reported(wanted: str) -> None:
    problems = Problems()
    assert selected_definitions(shop(), [wanted], problems) == []
    assert [problem.code for problem in problems.sorted()] == ["FCB0703"]


def test_selections_have_distinct_file_names() -> None:
    long = [f"tool/{at}" for at in range(40)]
    selections: list[list[str]] = [[], ["rope"], ["tool/"], ["all"], ["tool/all"], ["tool/2"], long, long[:-1]]
    names = [selection_name(selection) for selection in selections]
    assert names[:3] == ["cards", "cards-rope", "cards-tool~all"]
    assert len(set(names)) == len(names)
    assert all(len(name) < 80 for name in names)


def test_shorter_run_removes_old_pages_and_reports_it(tmp_path: Path) -> None:
    (tmp_path / "cards-notes.png").write_text("mine")
    long = render(many(shop(), 10), ("rope",), "en", "a4", "png", tmp_path, Options(dpi=40))
    other = render(shop(), ("hammer",), "en", "a4", "png", tmp_path, Options(dpi=40))
    short = render(shop(), ("rope",), "en", "a4", "png", tmp_path, Options(dpi=40))
    assert (len(long.files), len(short.files)) == (4, 2)
    assert short.notes == ("Removed 2 pages of an earlier, longer run: cards-rope-03.png to cards-rope-04.png.",)
    names = {path.name for path in (*other.files, *short.files)} | {"cards-notes.png"}
    assert {path.name for path in tmp_path.iterdir()} == names


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
def test_contents_list_pieces_with_number_copies_and_stamp(language: str, tmp_path: Path) -> None:
    model = many(shop())
    made = render(model, ("tool/", "warden"), language, "a4", "pdf", tmp_path)
    assert made.files[-1].name == f"cards-tool~all+warden{'' if language == 'en' else '.fr'}.contents.pdf"
    text = PdfReader(made.files[-1]).pages[0].extract_text().replace("\u00a0", " ").splitlines()
    words = {"en": ("CONTENTS", "5 pieces", "Rope"), "fr": ("CONTENU", "5 pièces", "Corde")}[language]
    assert [word for word in words if word not in " ".join(text)] == []
    card, _ = card_of(model.definitions["tool", "rope"], model, language)
    assert f"2 {words[2]} ×3 {stamp_of(card)}" in " ".join(" ".join(text).split())
    made = render(model, ("tool/", "warden"), language, "a4", "pdf", tmp_path, Options(copies="one"))
    assert "×" not in PdfReader(made.files[-1]).pages[0].extract_text()


def test_dpi_can_be_chosen(tmp_path: Path) -> None:
    (page, *_) = render(shop(), ("rope",), "en", "a4", "png", tmp_path, Options(dpi=72)).files
    assert int.from_bytes(page.read_bytes()[16:20], "big") == pytest.approx(595, abs=1)


def test_one_up_pages_have_trim_box(tmp_path: Path) -> None:
    options = Options(one_up=True, bleed=3.0)
    made = render(many(shop(), 2), ("rope", "warden"), "en", "a4", "pdf", tmp_path, options)
    *files, _ = made.files
    assert [path.name for path in files] == ["cards-rope+warden.card.pdf", "cards-rope+warden.board.pdf"]
    for path, (width, height), count in zip(files, [(63, 88), (88, 126)], [4, 2], strict=True):
        pages = PdfReader(path).pages
        assert len(pages) == count
        for page in pages:
            trim, bleed, media = page.trimbox, page.bleedbox, page.mediabox
            assert [float(trim.width) / 72 * 25.4, float(trim.height) / 72 * 25.4] == pytest.approx([width, height])
            assert [float(x) for x in bleed] == [float(x) for x in media]
            assert float(media.width - trim.width) / 72 * 25.4 == pytest.approx(6)
            assert float(trim.left) / 72 * 25.4 == pytest.approx(3)


def test_backs_can_be_separate_or_left_out(tmp_path: Path) -> None:
    made = render(shop(), ("rope",), "en", "a4", "pdf", tmp_path, Options(backs="separate"))
    assert [path.name for path in made.files] == ["cards-rope.faces.pdf", "cards-rope.backs.pdf"]
    assert ["ROPE" in PdfReader(path).pages[0].extract_text() for path in made.files] == [True, False]
    (alone,) = render(shop(), ("rope",), "en", "a4", "pdf", tmp_path, Options(backs="none")).files
    assert len(PdfReader(alone).pages) == 1


@pytest.mark.parametrize(
    ("options", "form", "says"),
    [
        (Options(backs="none", offset=(1, 0)), "pdf", "--offset"),
        (Options(backs="fold", offset=(0, 1)), "pdf", "--offset"),
        (Options(one_up=True, backs="short"), "pdf", "--backs"),
        (Options(one_up=True, cut="gutter"), "pdf", "--cut"),
        (Options(one_up=True, paper="a3"), "png", "--paper"),
        (Options(dpi=100), "pdf", "--dpi"),
        (Options(backs="short"), "html", "--backs"),
        (Options(bleed=2), "html", "--bleed"),
        (Options(one_up=True), "html", "--one-up"),
        (Options(paper="a9"), "pdf", "There is no paper 'a9'. There are: a4, letter, a3."),
        (Options(), "docx", "There is no form 'docx'"),
    ],
)
def test_contradicting_options_are_refused(options: Options, form: str, says: str, tmp_path: Path) -> None:
    assert says in next(refusals(options, form))
    with pytest.raises(ValueError, match=says.split()[0]):
        render(shop(), (), "en", "a4", form, tmp_path, options)


def test_command_options_equal_press_options() -> None:
    assert tuple(papers()) == render_command.PAPERS
    assert BACKS == render_command.BACKS
    assert SIGHTS == render_command.SIGHTS


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (Options(cut="gutter"), ("There is room for 2 mm of bleed round each card on A4.",)),
        (Options("letter", cut="gutter"), ("There is room for 1 mm of bleed round each card on Letter.",)),
        (Options(cut="gutter", bleed=1.5), ()),
        (Options(), ()),
    ],
)
def test_chosen_bleed_is_reported(options: Options, says: tuple[str, ...], tmp_path: Path) -> None:
    assert render(shop(), ("rope",), "en", options.paper, "pdf", tmp_path, options).notes == says


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_contents_groups_and_numbers_are_distinct(game: str, language: str) -> None:
    made = model_of(game)
    shown = [definition for definition in printable(made) if definition.kind.id != "mission"]
    register = PieceRegister(made, printable(made))
    pieces = [register.piece(definition, card_of(definition, made, language)[0], "one") for definition in shown]
    listed = contents_of(pieces, made, language).kinds
    assert len({kind.title for kind in listed}) == len(listed)
    for kind in listed:
        assert [row[0] for row in kind.rows] == [str(at) for at in range(1, len(kind.rows) + 1)]


def test_print_run_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("fcbdsl.base.bounds.PRINTED", 1)
    made = render(shop(), (), "en", "a4", "pdf", tmp_path)
    assert ([problem.code for problem in made.problems], made.files) == (["FCB0739"], ())
