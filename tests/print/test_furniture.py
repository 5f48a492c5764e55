"""Furniture of spaces: only in free corners, and only in regions that declare some."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from games import GAMES, model

from fcbdsl.language.prose import LANGUAGES
from fcbdsl.language.prose.reading import NOWHERE
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.layout.views import MapView
from fcbdsl.print.pieces.assets import drawing_of
from fcbdsl.print.pieces.furniture import FURNISHED
from fcbdsl.print.pieces.looks import check_looks
from fcbdsl.print.pieces.maps import map_of
from fcbdsl.print.press.proofs import undrawn

Box = tuple[float, float, float, float]


def maps(game: str, language: str) -> list[tuple[str, MapView]]:
    made = model(game)
    naming = Naming(made, LANGUAGES[language], "mission", NOWHERE)
    boards = [
        (definition.id, definition.board) for definition in made.definitions.values() if definition.board is not None
    ]
    return [(id, map_of(board, made, naming)) for id, board in boards]


def room(x: float, y: float, across: float, up: float, down: float) -> Box:
    return (x - across, y - up, x + across, y + down)


def meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_map_decoration_is_clear_of_play_elements(game: str, language: str) -> None:
    """Furniture does not overlap symbols, names of spaces and regions, letters of sides, lines, or other furniture."""
    for mission, view in maps(game, language):
        needed: list[Box] = []
        for cell in view.cells:
            needed += [room(spot.x, spot.y, *[cell.size * 0.62] * 3) for spot in cell.spots]
            needed.append(room(cell.named.x, cell.named.y, len(cell.name) * 0.7, 2.0, 0.4))
        for region in view.regions:
            wide, right = max(map(len, region.name)) * 1.2, region.anchor == "start"
            needed.append(
                (
                    region.label.x - (0 if right else wide / 2),
                    region.label.y - 1.8,
                    region.label.x + (wide if right else wide / 2),
                    region.label.y + 2.5 * (len(region.name) - 1) + 0.4,
                )
            )
        for side in view.sides:
            x, y = (side.start.x + side.end.x) / 2, (side.start.y + side.end.y) / 2
            needed += [room(x, y, 2.1, 2.1, 2.1)] if side.letter else []
            (left, right_end), (top, low) = sorted((side.start.x, side.end.x)), sorted((side.start.y, side.end.y))
            needed.append((left, top, right_end, low))
        stands = [room(item.at.x, item.at.y, *[item.size / 2] * 3) for cell in view.cells for item in cell.furniture]
        assert not [one for one in stands for other in needed if meet(one, other)], mission
        assert not [pair for pair in combinations(stands, 2) if meet(*pair)], mission


def test_spaces_show_drawings_of_their_region_only() -> None:
    made = model("fireteam-zero")
    board = made.definitions["mission", "cold-harbor"].board
    assert board is not None
    view = dict(maps("fireteam-zero", "en"))["cold-harbor"]
    for name, spaces in board.regions.items():
        declared = {drawing_of(made, part[0]) for part in made.layouts["drawings"].settings[name]}
        cells = [cell for cell in view.cells if cell.id in spaces]
        shown = {item.drawing for cell in cells for item in cell.furniture}
        assert len(shown) > 1
        assert shown <= declared
        assert not [cell.id for cell in cells if cell.furniture and cell.style not in FURNISHED]


def test_maps_without_region_drawings_have_no_decoration() -> None:
    assert not [cell for _, view in maps("far-cry-beyond", "en") for cell in view.cells if cell.furniture]
    view = dict(maps("escape", "en"))["curfew"]
    assert 0 < sum(bool(cell.furniture) for cell in view.cells) < len(view.cells) / 2


def test_measured_sheet_contains_no_decoration() -> None:
    """It goes through all of that with each width that it tries."""
    view = dict(maps("fireteam-zero", "en"))["cold-harbor"]
    assert any(cell.furniture for cell in view.cells)
    assert not [cell for cell in undrawn(view).cells if cell.furniture]


def test_each_listed_drawing_must_exist() -> None:
    made = model("fireteam-zero")
    layout = made.layouts["drawings"]
    wrong = replace(layout, settings=layout.settings | {"mole": (("barrel",), ("barel",))})
    problems = check_looks(replace(made, layouts=made.layouts | {"drawings": wrong}))
    assert [problem.suggestion for problem in problems] == ["barrel"]
