"""Frames and pictures: each game has its own, each card its own picture, and titles keep clear of drawings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from games import GAMES, model
from PIL import Image
from small_shop import SPAN, shop

from fcbdsl.language.model.content import Layout
from fcbdsl.print.layout.views import Card
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.looks import FRAMES, STYLE, check_looks, frame_names, scene_names, style_of
from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.press import press
from fcbdsl.print.press.card_documents import CardDocument
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.press.proofs import misfits, pieces_of_proofs, render_piece
from fcbdsl.print.typeset.typesetting import Typeset

LAYOUTS = Path(__file__).parents[2] / "docs" / "language" / "layouts.md"
SMALLER = {"behavior/engineer-weld", "dilemma/whose-water", "provision/datadisk", "rebel/rivet", "sentinel/mamushi"}
"""The cards of shipped games whose text fits neither size of its deck, in French."""
ENOUGH = 24
"""The least number of scenes of a game."""


def test_games_have_distinct_frames() -> None:
    frames = [style_of(model(game)).frame for game in GAMES]
    for one, other in combinations(frames, 2):
        for part in FRAMES:
            name = part.replace(" ", "_")
            assert getattr(one, name) != getattr(other, name), part


@pytest.mark.parametrize("game", GAMES)
def test_games_have_many_scenes(game: str) -> None:
    scenes = [" ".join(part) for part in model(game).layouts[STYLE].settings["scene"]]
    assert len(set(scenes)) == len(scenes) >= ENOUGH
    assert set(scenes) <= set(scene_names())


def test_parts_of_frame_are_checked() -> None:
    made = shop()
    made.layouts.clear()
    settings = {"scene": (("bands",), ("moor",)), "plate": (("lace",),), "back pattern": (("hexes",),)}
    made.layouts[STYLE] = Layout(STYLE, SPAN, settings)
    assert [(problem.code, problem.arguments["name"]) for problem in check_looks(made)] == [
        ("FCB0706", "moor"), ("FCB0706", "lace"),
    ]  # fmt: skip
    assert style_of(made).frame.back_pattern == "hexes"
    assert all(frame_names(part) for part in FRAMES.values())


def test_scene_of_card_is_stable_and_differs_within_deck() -> None:
    made = model("beast")
    deck = [definition for definition in made.definitions.values() if definition.kind.id == "ability"]
    first = [(card.style.scene, card.seed) for card in (card_of(definition, made, "en")[0] for definition in deck)]
    again = [(card.style.scene, card.seed) for card in (card_of(definition, made, "fr")[0] for definition in deck)]
    assert first == again
    assert len(set(first)) == len(first)
    assert len({scene for scene, _ in first}) > len(first) // 4


@pytest.mark.long
def test_pictures_of_deck_are_distinct(tmp_path: Path) -> None:
    """Each has its height and differs from the others in more than a few pixels, the drawing apart."""
    ids = [
        f"stunt/{definition.id}"
        for definition in model("far-cry-beyond").definitions.values()
        if definition.kind.id == "stunt"
    ][:10]
    files = render(
        model("far-cry-beyond"), ids, "en", "a4", "png", tmp_path, Options(dpi=50, one_up=True, copies="one")
    ).files
    faces = [Image.open(file).convert("L") for file in files if file.name.endswith("-face.png")]
    assert len(faces) == len(ids)
    mm = 50 / 25.4
    corners = [face.crop((int(5 * mm), int(20 * mm), int(22 * mm), int(40 * mm))).tobytes() for face in faces]
    for one, other in combinations(corners, 2):
        assert sum(abs(a - b) > 8 for a, b in zip(one, other, strict=True)) > len(one) * 0.05


def measures(game: str, language: str, kinds: Sequence[str]) -> list[dict[str, object]]:
    """Return the measures by Typst of the cards of some kinds, one to a page."""
    made = model(game)
    shown = [definition for definition in printable(made) if not is_sheet(definition) and definition.kind.id in kinds]
    proofs = [
        proof
        for proof in (render_piece(definition, made, language) for definition in shown)
        if isinstance(proof.view, Card)
    ]
    pieces = pieces_of_proofs(proofs, PieceRegister(made, printable(made)), "one")
    pages = press._each(pieces, tuple(sizes_of(made).values()))
    return list(CardDocument("x", language, pieces, pages).measure().measures)


@pytest.mark.long
@pytest.mark.parametrize(("game", "kind"), [("far-cry-beyond", "behavior"), ("far-cry-beyond", "loot")])
def test_drawings_do_not_overlap_titles(game: str, kind: str) -> None:
    """Where a picture is given up its drawing is in the head: a millimeter beside the title and the line below it."""
    parts = measures(game, "fr", (kind,))
    drawn = {measure["page"]: measure for measure in parts if measure["part"] == "drawing in the head"}
    assert drawn
    for measure in parts:
        if measure["page"] in drawn and measure["part"] in ("title", "type line"):
            right = float(str(measure["x"])) + float(str(measure["width"]))
            assert right + 0.9 <= float(str(drawn[measure["page"]]["x"])), measure


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_rules_text_of_deck_has_two_sizes(game: str, language: str) -> None:
    """Text that fits neither size is reported; there is little of it."""
    made = model(game)
    kinds = sorted({definition.kind.id for definition in printable(made) if not is_sheet(definition)})
    parts = measures(game, language, kinds)
    smaller = {measure["card"] for measure in parts if measure["part"] == "type"}
    assert smaller <= SMALLER
    sizes: dict[str, set[object]] = {}
    for measure in parts:
        if measure["part"] == "text" and float(str(measure["need"])) > 0 and measure["card"] not in smaller:
            sizes.setdefault(str(measure["card"]).partition("/")[0], set()).add(measure["size"])
    assert sizes
    assert max(map(len, sizes.values())) <= 2


@pytest.mark.parametrize("part", FRAMES)
def test_docs_list_parts_of_frames(part: str) -> None:
    section = LAYOUTS.read_text(encoding="utf-8").partition(f"### `{part}`\n")[2].partition("\n#")[0]
    assert re.findall(r"`(\w+)`", section.partition(": ")[2].partition(": ")[2]) == list(frame_names(FRAMES[part]))


def test_title_over_drawing_is_fit_error() -> None:
    """The widths of a title are from its measure, so a title that is set another way is found, too."""
    boar = model("beast").definitions["ability", "trample"]
    place = {
        "card": "ability/trample",
        "language": "en",
        "page": 1,
        "over": False,
        "across": True,
        "need": 9.0,
        "have": 9.0,
    }
    drawn = {**place, "part": "drawing in the head", "x": 40.0, "y": 1.0, "width": 12.0, "height": 12.0}
    title = {**place, "part": "title", "x": 4.0, "y": 3.0, "width": 38.0, "height": 6.0}
    (problem,) = misfits(Typeset((), (drawn, title)), {"ability/trample": boar})["ability/trample"]
    assert problem.code == "FCB0707"
    assert "title beside its drawing" in problem.message
    assert misfits(Typeset((), (drawn, {**title, "width": 35.0})), {"ability/trample": boar}) == {}
    assert misfits(Typeset((), (drawn, {**title, "page": 2})), {"ability/trample": boar}) == {}


def test_dropped_pictures_are_reported(tmp_path: Path) -> None:
    made = render(model("far-cry-beyond"), ("hacking/",), "fr", "a4", "pdf", tmp_path)
    (picture,) = [note for note in made.notes if note.startswith("Without a picture")]
    assert "hacking/" in picture


def test_reported_need_exceeds_room_when_rounded() -> None:
    boar = model("beast").definitions["ability", "trample"]
    place = {"card": "ability/trample", "language": "en", "page": 1, "over": True, "across": False, "part": "text"}
    record = {**place, "need": 275.01, "have": 275.0, "x": 0.0, "y": 0.0, "width": 9.0, "height": 275.0}
    (problem,) = misfits(Typeset((), (record,)), {"ability/trample": boar})["ability/trample"]
    assert "275.1" in problem.message
