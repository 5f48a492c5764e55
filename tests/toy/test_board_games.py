"""The features of boards, in small games without anything else."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.language.compiler import lower
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES, ground, rules_text
from fcbdsl.language.prose.titles import Naming
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.session.drawing import BoardPainter
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.view import View
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.print.layout.views import MapView
from fcbdsl.print.pieces.maps import map_of
from fcbdsl.project.paths import fcb_files
from fcbdsl.project.project import check_project
from fcbdsl.project.settings import read_projects

ROOT = Path(__file__).parents[1] / "systems" / "boards"
GAMES = [project.game for project in read_projects(ROOT, Problems())]
TITLES = [
    (game, line.partition('"')[2].partition('"')[0])
    for game in GAMES
    for path in fcb_files([ROOT / "tests" / game])
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.startswith("test ")
]


@cache
def model(game: str) -> Model:
    made, problems = check_project(root=ROOT, game=game)
    assert [problem.message for problem in problems] == []
    return made


@cache
def image(game: str) -> Image:
    program = lower(model(game), tests=True)
    assert not verify_program(program)
    return Image(program)


@pytest.mark.parametrize(("game", "title"), TITLES)
def test_board_of_small_game(game: str, title: str) -> None:
    titles = [test.title for test in image(game).program.tests]
    assert run_test(image(game), titles.index(title)).failure is None


def test_determinization_of_pile_respects_owner() -> None:
    """A pile that is secret to its owner, too, is mixed alone, or with the hand of the owner."""
    titles = [test.title for test in image("isles").program.tests]
    number = titles.index("Nobody may look into a pile, not even whose it is")
    game = setup.stage(image("isles"), number)
    for step in game.program.tests[number].steps:
        if step.sort == "given":
            game.begin(step.code, -1, -1)
            assert game.run() is None
    layout, program = game.layout, game.program

    def held(of: Game) -> dict[str, tuple[int, ...]]:
        zones = [zone for zone in range(1, layout.zones) if of.contents(zone)]
        names = [program.zones[layout.zone_row[zone]].name for zone in zones]
        return {
            f"{name} of {Names(of.image).thing(of, layout.zone_owner[zone])}": of.contents(zone)
            for zone, name in zip(zones, names, strict=True)
        }

    before, seen, chance = held(game), set(), Generator(5, "piles")
    for _ in range(40):
        other = game.clone()
        guess(other, 0, chance)
        now = held(other)
        assert now["claws of Crab"] == before["claws of Crab"]
        assert sorted(now["pile of Crab"]) == sorted(before["pile of Crab"])
        seen |= {("crab", *now["pile of Crab"]), ("gull", *now["claws of Gull"])}
    assert len([event for event in seen if event[0] == "crab"]) == 2
    assert len([event for event in seen if event[0] == "gull"]) == 3
    table = View(image("isles"), "en", (0,)).table(game)
    assert "Crab, A; pile: 2; claws: Snare\n" in table
    assert "Gull, B; pile: 2; claws: 1\n" in table


PRINTED = [
    (
        "halls",
        "peep",
        "Remove a guard that does not touch you such that you do not see that guard past a banner.",
        "Retirez un garde qui ne vous touche pas tel que vous ne voyez pas ce garde au-delà d’une bannière.",
    ),
    (
        "halls",
        "sidle",
        "Place yourself on a space that touches you such that the distance over corners from that space to Thief "
        "is less than 3.",
        "Placez-vous sur une case qui vous touche dont la distance par les coins à Voleur est inférieure à 3.",
    ),
    (
        "halls",
        "crowd",
        "Choose a space among the spaces around you. Place yourself on that space.",
        "Choisissez une case parmi les cases autour de vous. Placez-vous sur cette case.",
    ),
    (
        "halls",
        "pick",
        "Turn a shut door beside you and with a lock below 3.",
        "Actionnez une porte fermée contiguë à vous et ayant une serrure inférieure à 3.",
    ),
    (
        "halls",
        "smash",
        "Each door beside you is not shut. Choose a side among the sides around you. Put a grate on that side.",
        "Chaque porte contiguë à vous n’est pas fermée. Choisissez un côté parmi les côtés autour de vous. Mettez une "
        "grille sur ce côté.",
    ),
    (
        "trails",
        "march",
        "Move you one place toward this order’s way.",
        "Déplacez-vous d’un lieu vers la voie de cet ordre.",
    ),
    (
        "trails",
        "climb",
        "Move you one place toward the hilltop. Move you one place toward the north.",
        "Déplacez-vous d’un lieu vers le sommet. Déplacez-vous d’un lieu vers le nord.",
    ),
    (
        "trails",
        "turn",
        "Your heading becomes the opposite of your heading. Move you one place toward a direction other than the south"
        " such that the next space toward that direction from you is next to Mole.",
        "Votre cap devient l’opposé de votre cap. Déplacez-vous d’un lieu vers une direction autre que le sud telle que"
        " la case suivante vers cette direction à partir de vous est à côté de Taupe.",
    ),
    (
        "trails",
        "swing",
        "If your heading is the west or your heading is the east, your heading becomes your heading turned by 1"
        " clockwise.",
        "Si votre cap est l’ouest ou si votre cap est l’est, votre cap devient votre cap tourné de 1 dans le sens"
        " horaire.",
    ),
    (
        "isles",
        "haul",
        "Choose a sector with a danger of 2 or more such that you are in that sector. That sector gains 1 seen."
        " Place yourself on a space with a number of 0 that is rock among the spaces of that"
        " sector.",
        "Choisissez un secteur ayant un danger de 2 ou plus tel que vous êtes dans ce secteur. Ce secteur gagne 1"
        " repérages. Placez-vous sur une case ayant un numéro de 0 qui est roche parmi les cases"
        " de ce secteur.",
    ),
    (
        "isles",
        "flood",
        "Each space in the Bay sector and not haunted gains 1 tide. Choose a region among your regions. "
        "Place yourself on a space in that region.",
        "Chaque case dans le secteur Baie et non hantée gagne 1 marée. Choisissez une région parmi vos "
        "régions. Placez-vous sur une case dans cette région.",
    ),
]


@pytest.mark.parametrize(("game", "card", "english", "french"), PRINTED)
def test_text_values_are_shown(game: str, card: str, english: str, french: str) -> None:
    definition = next(definition for definition in model(game).definitions.values() if definition.id == card)
    texts = [rules_text(definition, model(game), language) for language in ("en", "fr")]
    assert [problem.message for text in texts for problem in text.problems] == []
    assert [text.plain().replace("\u00a0", " ") for text in texts] == [english, french]


def drawn(game: str, title: str, language: str) -> MapView:
    """Return the printed map of a test."""
    board = next(test.board for test in model(game).tests if test.title == title)
    assert board is not None
    return map_of(board, model(game), Naming(model(game), LANGUAGES[language], title, board.span))


def test_map_shows_regions_and_numbers() -> None:
    view = drawn("isles", "A legend gives values to spaces", "fr")
    assert [words.replace("\u00a0", " ") for _, words, _ in view.legend] == ["Hanté", "Marée 2", "Numéro 3"]
    assert [[symbol.letter for symbol in cell.symbols] for cell in view.cells] == [["3"], ["Ha"], ["2"], []]
    assert [region.name for region in view.regions] == [("Baie",)]
    view = drawn("isles", "A region has spaces, numbers and a zone", "en")
    assert view.legend == ()
    assert [region.name for region in view.regions] == [("Bay",), ("Teeth",), ("Dunes",)]


def test_table_names_spaces_of_regions() -> None:
    titles = [test.title for test in image("isles").program.tests]
    game = setup.stage(image("isles"), titles.index("A region has spaces, numbers and a zone"))
    painted = BoardPainter(game.image, Names(game.image, "fr")).board(game).replace("\u00a0", " ")
    assert "Baie : A, B\nDents : B\nDunes : C, D" in painted


def test_map_shows_sides() -> None:
    view = drawn("halls", "A side has what its barrier brings and what the map gives", "fr")
    assert [side.letter for side in view.sides if side.letter] == ["Fe", "Fe7"]
    lines = dict(view.lines)["door"].replace("\u00a0", " ")
    assert lines == "Porte (Fe = fermé, nombre = serrure)"


@pytest.mark.parametrize(
    ("terrain", "english", "french"),
    [
        (
            "rocks",
            "Rocks. Nobody can enter it; it blocks the line of sight; where two of them meet, nobody passes across the"
            " corner; where two of them meet, nobody looks across the corner.",
            "Rochers. Personne ne peut y entrer ; la ligne de vue y est bloquée ; là où deux d’entre elles se touchent,"
            " personne ne passe par le coin ; là où deux d’entre elles se touchent, personne ne voit par le coin.",
        ),
        (
            "thorns",
            "Thorns. Nobody can enter it; where two of them meet, nobody passes across the corner.",
            "Ronces. Personne ne peut y entrer ; là où deux d’entre elles se touchent, personne ne passe par le coin.",
        ),
        (
            "mist",
            "Mist. It blocks the line of sight; where two of them meet, nobody looks across the corner.",
            "Brume. La ligne de vue y est bloquée ; là où deux d’entre elles se touchent, personne ne voit par le"
            " coin.",
        ),
    ],
)
def test_terrain_blocks_corners_selectively(terrain: str, english: str, french: str) -> None:
    texts = [ground(model("isles").terrains[terrain], model("isles"), language) for language in ("en", "fr")]
    assert [re.sub("\\s", " ", text.plain()) for text in texts] == [english, french]


@pytest.mark.parametrize(
    ("barrier", "english", "french"),
    [
        (
            "door",
            "Door. While it is shut, nobody can cross it; it blocks the line of sight.",
            "Porte. Tant qu’elle est fermée, personne ne peut passer ; la ligne de vue y est bloquée.",
        ),
        (
            "trap",
            "Trapdoor. While it is not shut, nobody can cross it.",
            "Trappe. Tant qu’elle n’est pas fermée, personne ne peut passer.",
        ),
    ],
)
def test_barrier_blocks_on_condition(barrier: str, english: str, french: str) -> None:
    texts = [ground(model("halls").barriers[barrier], model("halls"), language) for language in ("en", "fr")]
    assert [text.problems for text in texts] == [(), ()]
    assert [re.sub("\\s", " ", text.plain()) for text in texts] == [english, french]
