"""Maps at playing scale, stories, logs and sealed pieces are complete and reveal no secrets."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from pathlib import Path

import pytest
from games import EACH_IN_ITS_LANGUAGES, GAMES, model
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader

from fcbdsl.print.layout.formats import papers
from fcbdsl.print.pieces.campaign_sheets import campaign_of
from fcbdsl.print.pieces.play_maps import ABOVE, EDGE, NAME_DISC, OVERLAP, _sheets, _spans, play_map_of
from fcbdsl.print.pieces.token_pieces import supplies_of
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.press.table_sheets import render_campaigns, render_maps, render_stories, render_tokens


@given(st.floats(10, 1500), st.floats(10, 1500))
def test_sheets_cover_map_and_overlap(width: float, height: float) -> None:
    wide, high = 190.0, 270.0
    sheets = list(_sheets(width, height, wide, high, ((), ())))
    assert all(sheet.width <= wide + 0.01 and sheet.height <= high + 0.01 for sheet in sheets)
    for low, length, whole, goes in (("left", "width", width, "goes_right"), ("top", "height", height, "goes_down")):
        starts = sorted({getattr(sheet, low) for sheet in sheets})
        size = getattr(sheets[0], length)
        assert starts[0] == 0
        assert abs(starts[-1] + size - whole) < 0.5
        assert all(abs(then - start - size + OVERLAP) < 0.05 for start, then in pairwise(starts))
        assert {getattr(sheet, low) for sheet in sheets if not getattr(sheet, goes)} == {starts[-1]}
    assert len({sheet.name for sheet in sheets}) == len(sheets)


@given(st.floats(200, 1500), st.floats(15, 40))
def test_sheets_are_cut_between_spaces(length: float, space: float) -> None:
    """Where a straight line runs between spaces; the sheets still fit, overlap and cover the map."""
    count = ceil((length - OVERLAP) / (190.0 - OVERLAP))
    assume(count * (190.0 - OVERLAP - space) > length)  # else a sheet may have to be cut through spaces
    joints = [at * space for at in range(1, int(length / space))]
    spans = list(_spans(length, 190.0, (joints,)))
    assert spans[0][0] == 0
    assert spans[-1][1] == length
    assert all(right - left <= 190.01 for left, right in spans)
    for (_, right), (left, _) in pairwise(spans):
        assert abs(right - left - OVERLAP) < 0.01
        assert min(abs(right - joint) for joint in joints) < 0.01


def test_spaces_have_scale_of_game_and_fit_tokens() -> None:
    for game, units, space in (("far-cry-beyond", 17.32, 25), ("escape", 20.0, 25), ("beast", 20.0, 30)):
        made = model(game)
        mission = next(definition for definition in made.definitions.values() if definition.kind.id == "mission")
        drawn = play_map_of(mission, made, "en", papers()["letter"])[0]
        assert drawn is not None
        (part,) = drawn.parts
        assert part.width / part.map.width * units == pytest.approx(space, abs=0.05)
        assert all(s.width <= part.page_width - 2 * EDGE for s in part.sheets)
        assert all(s.height <= part.page_height - 2 * EDGE - ABOVE for s in part.sheets)
        supplies = supplies_of(made, "en")[0]
        assert supplies.marker_size < supplies.figure_size < space


def test_tile_map_is_split_into_tiles() -> None:
    made = model("fireteam-zero")
    for mission in (definition for definition in made.definitions.values() if definition.kind.id == "mission"):
        drawn = play_map_of(mission, made, "en", papers()["a4"])[0]
        assert drawn is not None
        assert mission.board is not None
        assert drawn.tiles
        assert len(drawn.parts) == len(mission.board.regions)
        for part, spaces in zip(drawn.parts, mission.board.regions.values(), strict=True):
            assert [cell.id for cell in part.map.cells] == [cell.id for cell in drawn.map.cells if cell.id in spaces]
            assert part.map.sides
            assert part.title in [" ".join(region.name) for region in part.map.regions]


@pytest.mark.long
def test_crosses_align_and_cover_no_text() -> None:
    for game in GAMES:
        made = model(game)
        for mission in (definition for definition in made.definitions.values() if definition.kind.id == "mission"):
            drawn = play_map_of(mission, made, "en", papers()["letter"])[0]
            for part in drawn.parts if drawn is not None else ():
                named = [(cell.named, 0.7 * len(cell.name)) for cell in part.map.cells]
                scale = part.width / part.map.width
                spots = [
                    (round(sheet.left + cross.x, 1), round(sheet.top + cross.y, 1))
                    for sheet in part.sheets
                    for cross in sheet.crosses
                ]
                assert all(spots.count(spot) > 1 for spot in spots), f"{mission.id}: each is on both sheets"
                assert bool(spots) == (len(part.sheets) > 1)
                for x, y in spots:
                    met = [
                        name
                        for name, half in named
                        if abs(name.x * scale - x) < 2.5 + half * scale and -2.5 < name.y * scale - y < 2.5 + 2 * scale
                    ]
                    assert not met, f"{mission.id}: {x}, {y}"


@pytest.mark.parametrize("game", GAMES)
def test_no_sheet_is_cut_through_a_name(game: str) -> None:
    made = model(game)
    for mission in (definition for definition in made.definitions.values() if definition.kind.id == "mission"):
        drawn = play_map_of(mission, made, "en", papers()["a4"])[0]
        for part in drawn.parts if drawn is not None else ():
            scale = part.width / part.map.width
            for sheet in part.sheets:
                left, top = sheet.left / scale, sheet.top / scale
                right, low = left + sheet.width / scale, top + sheet.height / scale
                for cell in part.map.cells:
                    half = 0.7 * len(cell.name)
                    within = top < cell.named.y < low
                    assert not (sheet.goes_right and within and abs(cell.named.x - right) < half), cell.name
                    within = left < cell.named.x < right
                    assert not (sheet.goes_down and within and low < cell.named.y < low + 2), cell.name


@pytest.mark.long
def test_oversized_tile_has_joining_instructions(tmp_path: Path) -> None:
    made = model("fireteam-zero")
    missions = [made.definitions["mission", name] for name in ("typhons-cradle", "cold-harbor")]
    files = render_maps(made, "en", "pdf", tmp_path, Options(paper="letter"), missions).files
    words = {path.name.split(".")[0]: " ".join(PdfReader(path).pages[0].extract_text().split()) for path in files}
    assert all("Cut each tile along its outline" in words for words in words.values())
    assert {name: "grey strip" in words for name, words in words.items()} == {
        "map-typhons-cradle": True,
        "map-cold-harbor": False,
    }


@pytest.mark.long
@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_pieces_for_mission_print_without_problem(game: str, language: str, tmp_path: Path) -> None:
    made = model(game)
    missions = [definition for definition in made.definitions.values() if definition.kind.id == "mission"][:1]
    for printed in (
        render_maps(made, language, "pdf", tmp_path, Options(paper="letter"), missions),
        render_stories(made, language, "pdf", tmp_path, Options(), missions),
        render_campaigns(made, language, "pdf", tmp_path, Options()),
    ):
        assert (printed.problems, printed.left_out) == ((), ())
        again = [path.read_bytes() for path in printed.files]
        assert all(data.startswith(b"%PDF") for data in again)
    printed_names = [path.name for path in tmp_path.iterdir()]
    for name in ("map", "story"):
        assert any(file_name.startswith(f"{name}-{missions[0].id}") for file_name in printed_names)


def test_campaign_map_hides_secrets_and_log_has_space(tmp_path: Path) -> None:
    """FCB-PRINT-14: places that are still to be found stay secret."""
    made = model("far-cry-beyond")
    files = render_campaigns(made, "en", "pdf", tmp_path, Options()).files
    words = {path.name: " ".join(page.extract_text() for page in PdfReader(path).pages) for path in files}
    map_words = " ".join(words["campaign-last-road.pdf"].split())
    unknown = [definition for definition in made.definitions.values() if definition.kind.id == "location"][4:]
    assert unknown
    assert not [location.id for location in unknown if location.name.title["en"] in map_words]
    (campaign,) = [definition for definition in made.definitions.values() if definition.kind.id == "campaign"]
    blocks = {
        block.title: {line.title: line.room for line in block.lines}
        for block in campaign_of(campaign, made, "en")[0].blocks
    }
    team = {
        "Revive tokens": "number",
        "Next location": "name",
        "Next mission chained": "tick",
        "Map of the Continent": "list",
    }
    assert team.items() <= blocks["The team"].items()
    hero = {"HP": "number", "Bleeding": "number", "Played by": "name", "Weapons": "list"}
    assert hero.items() <= blocks["Kumiko Nakano"].items()
    assert "HP" in blocks["Rosie"]


@pytest.mark.long
def test_sealed_pieces_are_cut_by_backs(tmp_path: Path) -> None:
    ids = ("envelope/hiring-terms", "weapon/machete")
    made = render(model("far-cry-beyond"), ids, "en", "a4", "pdf", tmp_path, Options(backs="none"), called="both")
    assert [path.name for path in made.files][:2] == ["both.sealed.pdf", "both.pdf"]
    back, face = [page.extract_text() for page in PdfReader(tmp_path / "both.sealed.pdf").pages]
    assert "TERMS OF HIRE" in back
    assert "mutation dose" not in back
    assert "mutation dose" in face
    assert any("both.sealed" in note for note in made.notes)
    assert "hire" not in " ".join(page.extract_text() for page in PdfReader(tmp_path / "both.pdf").pages).casefold()


@pytest.mark.long
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_card_places_of_one_kind_stay_on_one_page(paper: str, tmp_path: Path) -> None:
    made = model("beast")
    (mission, *_) = (definition for definition in made.definitions.values() if definition.kind.id == "mission")
    (file,) = render_maps(made, "en", "pdf", tmp_path, Options(paper=paper), [mission]).files
    pages = [" ".join(page.extract_text().upper().split()) for page in PdfReader(file).pages]
    counts = [(page.count("MOVEMENT ·"), page.count("ITEM ·")) for page in pages]
    assert [count for count in counts if any(count)] == [(5, 0), (0, 4)]


@pytest.mark.long
def test_markers_fill_pages_of_figures(tmp_path: Path) -> None:
    made = model("far-cry-beyond")
    mission = made.definitions["mission", "drowned-valley"]
    (file, *_) = render_tokens(made, "fr", "pdf", tmp_path, Options(), mission, 4).files
    pages = [page.extract_text() for page in PdfReader(file).pages]
    assert [("Brigadier" in page, "Dégâts" in page) for page in pages] == [(True, True), (False, True), (False, False)]
    assert "Repéré" in pages[-1]
    assert "MARQUEURS NUMÉROTÉS" in pages[-1]


@pytest.mark.long
def test_cards_beside_track_are_rotated_to_save_space(tmp_path: Path) -> None:
    made = model("fireteam-zero")
    mission = made.definitions["mission", "cold-harbor"]
    (file, *_) = render_tokens(made, "en", "pdf", tmp_path, Options(), mission, 2).files
    pages = [" ".join(page.extract_text().upper().split()) for page in PdfReader(file).pages]
    assert [page.count("TWIST") for page in pages] == [
        5,
        0,
        0,
    ]  # four places, and the line in the list of components
    assert ["CUT-OUTS" in page for page in pages] == [False, True, False]


def test_team_lines_repeat_heading_on_each_page(tmp_path: Path) -> None:
    made = render_campaigns(model("far-cry-beyond"), "fr", "pdf", tmp_path, Options(paper="letter"))
    (log,) = [file for file in made.files if file.name.startswith("log")]
    first, second, *_ = (page.extract_text() for page in PdfReader(log).pages)
    assert "L’ÉQUIPE" in first
    assert "SUITE" not in first
    assert second.index("L’ÉQUIPE (SUITE)") < second.index("Atelier") < second.index("KUMIKO")


@pytest.mark.long
def test_map_with_legend_on_one_sheet_is_one_page(tmp_path: Path) -> None:
    """On A3; a larger one has its plan before it."""
    made = model("far-cry-beyond")
    missions = [made.definitions["mission", name] for name in ("cinder-quarry", "all-her-voices")]
    files = render_maps(made, "en", "pdf", tmp_path, Options(paper="a3"), missions).files
    read = {file.name.partition(".")[0]: PdfReader(file) for file in files}
    assert {name: len(document.pages) for name, document in read.items()} == {
        "map-cinder-quarry": 1,
        "map-all-her-voices": 2,
    }
    assert all("LEGEND" in document.pages[0].extract_text() for document in read.values())


@pytest.mark.long
def test_plan_of_wide_map_is_landscape(tmp_path: Path) -> None:
    """As upright it would be smaller, and half of the page below it empty; one that is no wider than high stands."""
    lies = {}
    for game, name in (("far-cry-beyond", "widows-span"), ("escape", "curfew")):
        made = model(game)
        (file,) = render_maps(made, "en", "pdf", tmp_path, Options(), [made.definitions["mission", name]]).files
        box = PdfReader(file).pages[0].mediabox
        lies[name] = box.width > box.height
    assert lies == {"widows-span": True, "curfew": False}


def test_screen_names_its_mission_once(tmp_path: Path) -> None:
    made = model("beast")
    mission = made.definitions["mission", "clean-up"]
    (file,) = render_maps(made, "en", "pdf", tmp_path, Options(), [mission]).files
    pages = [page.extract_text() for page in PdfReader(file).pages]
    (screen,) = [text for text in pages if "Fold along the dashed lines" in text]
    assert screen.replace(" ", "").splitlines()[:2] == ["THEGREATCLEAN-UP", "BEAST"]  # read letter by letter


@pytest.mark.long
@pytest.mark.parametrize("mission", ["clean-up", "ferrymans-toll"])
def test_screen_title_is_on_dark_background(mission: str, tmp_path: Path) -> None:
    """White letters were on a moon that is nearly white."""
    made = model("beast")
    files = render_maps(made, "en", "png", tmp_path, Options(dpi=50), [made.definitions["mission", mission]]).files
    pages = [Image.open(file).convert("L") for file in files if file.suffix == ".png"]
    screen = min((page for page in pages if page.width > page.height), key=lambda page: sum(page.tobytes()))
    mm = 50 / 25.4
    above = round(screen.height / 2 - 31 * mm)  # of the capitals of the title
    row = [screen.getpixel((x, above)) for x in range(round(12 * mm), screen.width - round(12 * mm))]
    assert sum(light > 100 for light in row) < 8, "the dashed lines alone"


@pytest.mark.parametrize("game", GAMES)
def test_sheet_names_on_plan_cover_no_space_name(game: str) -> None:
    made = model(game)
    for mission in made.definitions.values():
        play = play_map_of(mission, made, "en", papers()["a4"])[0] if mission.board is not None else None
        for part in play.parts if play is not None else ():
            for sheet in part.sheets if len(part.sheets) > 1 else ():
                for cell in part.map.cells:
                    across, down = abs(sheet.spot.x - cell.named.x), abs(sheet.spot.y - (cell.named.y - 1.2))
                    assert across >= NAME_DISC + len(cell.name) * 0.7 or down >= NAME_DISC + 1, (mission.id, cell.name)
