"""The smallest examples of small statements: content tests, and printed texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.session.playout import play_out
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.project import check_project

FAIR = Path(__file__).parents[1] / "systems" / "fair"


@pytest.fixture(scope="module")
def model() -> Model:
    made, problems = check_project([FAIR])
    assert [problem.code for problem in problems] == ["FCB0524"]  # the thimble makes payments cheaper, without a limit
    return made


@pytest.fixture(scope="module")
def image(model: Model) -> Image:
    program = lower(model, tests=True)
    assert not verify_program(program)
    return Image(program)


def test_own_tests_pass(image: Image) -> None:
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    assert results
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


@pytest.mark.parametrize("seed", range(6))
def test_games_end(image: Image, seed: int) -> None:
    game = setup.start_game(image, "square", 2 + seed % 2, seed, {})
    play_out(game, [RandomBot(seed), RandomBot(seed + 1), RandomBot(seed + 2)][: 2 + seed % 2])
    assert game.world.fault is None
    assert game.world.outcome


PRINTED = {
    "rug": (
        "Choose 2 wares from your hand. Scrap those wares.",
        "Choisissez 2 marchandises de votre main. Jetez ces marchandises.",
    ),
    "fan": (
        "Roll the luck die: / 1: lose 1 coin. / Anything else: nothing happens. / Pick at random 2 wares from your "
        "hand. Scrap those wares. Choose one: / Sing: gain 1 coin. / Keep quiet: do nothing.",
        "Lancez le dé de chance : / 1 : perdez 1 pièce. / Autre résultat : rien ne se passe. / Désignez au hasard "
        "2 marchandises de votre main. Jetez ces marchandises. Au choix : / Chanter : gagnez 1 pièce. / Se "
        "taire : ne faites rien.",
    ),
    "box": (
        "Put the top card of the crate (if there is none, shuffle the scrap heap into it first) into your hand.",
        "Mettez la première carte de la caisse (s’il n’y en a pas, mélangez-y d’abord le rebut) dans votre main.",
    ),
    "bag": (
        "Put the top card of the crate into your hand.",
        "Mettez la première carte de la caisse dans votre main.",
    ),
    "cart": (
        "Fill the crate with all wares with a price below 5.",
        "Remplissez la caisse avec toutes les marchandises ayant un prix inférieur à 5.",
    ),
    "note": (
        "Fill your hand with all favours for you.",
        "Remplissez votre main avec toutes les faveurs pour vous.",
    ),
    "bell": (
        "For each vendor, in ascending order of coins, then in descending order of the number of wares of that "
        "vendor, note that vendor. For each other vendor, the richest first, note that vendor, then that vendor "
        "gains 1 coin. For each vendor, in any order, note that vendor. For each vendor, in an order that the "
        "player after your player chooses, note that vendor.",
        "Pour chaque marchand, par ordre croissant de pièces, puis par ordre décroissant du nombre de marchandises "
        "de ce marchand, notez ce marchand. Pour chaque autre marchand, le plus riche d’abord, notez ce marchand, "
        "puis ce marchand gagne 1 pièce. Pour chaque marchand, dans l’ordre de votre choix, notez ce marchand. "
        "Pour chaque marchand, dans un ordre que le joueur qui suit votre joueur choisit, notez ce marchand.",
    ),
    "drum": (
        "Cheer each of the players in turn from the player before your player on. Y times: cheer the player 2 "
        "seats after your player, where X is your coins, where Y is the remainder of X divided by 3.",
        "Acclamez chacun des joueurs à tour de rôle à partir du joueur qui précède votre joueur. Y fois : acclamez "
        "le joueur placé 2 places après votre joueur, X étant vos pièces, Y étant le reste de la division de X par "
        "3.",
    ),
    "purse": (
        "When you are hailed: gain 1 coin. / When you pay, if you have fewer than 3 coins (once until you are "
        "hailed), first: you may cancel that. / Bow. When you are hailed: you may choose another vendor, then that "
        "vendor gains 1 coin.",
        "Quand vous êtes hélé : gagnez 1 pièce. / Quand vous payez, si vous avez moins de 3 pièces (une fois "
        "jusqu’à ce que vous soyez hélé), d’abord : vous pouvez annuler cela. / S’incliner. Quand "
        "vous êtes hélé : vous pouvez choisir un autre marchand, puis ce marchand gagne 1 pièce.",
    ),
    "hat": (
        "If you would pay, you may do this instead: do nothing. / When a vendor is hailed: gain 2 coins.",
        "Si vous deviez payer, vous pouvez faire ceci à la place : ne faites rien. / Quand un marchand est hélé : "
        "gagnez 2 pièces.",
    ),
    "horn": (
        "Spend 2 coins. If that succeeds, gain 1 turn, then gain 1 coin. Otherwise, gain 100 turns. You may spend 1 "
        "coin. If you do, debit you. In any order: / Gain 1 turn. / Earn: gain 2 coins, then gain 2 turns. / "
        "In an order that the player after your player chooses: / Gain 1 turn. / Gain 1 coin.",
        "Dépensez 2 pièces. En cas de succès, gagnez 1 tour, puis gagnez 1 pièce. Sinon, gagnez 100 tours. Vous pouvez "
        "dépenser 1 pièce. Dans ce cas, débitez-vous. Dans l’ordre de votre choix : / Gagnez 1 tour. "
        "/ Gagner : gagnez 2 pièces, puis gagnez 2 tours. / Dans un ordre que le joueur qui suit votre joueur "
        "choisit : / Gagnez 1 tour. / Gagnez 1 pièce.",
    ),
    "kite": (
        "Tip each pauper. / Each pauper has +2 patiences. / The patience of each other pauper is at most 5. / When "
        "a pauper is hailed: tip you.",
        "Donnez un pourboire à chaque indigent. / Chaque indigent a +2 patiences. / La patience de chaque autre "
        "indigent vaut au plus 5. / Quand un indigent est hélé : donnez un pourboire à vous.",
    ),
    "cup": (
        "Roll 2 pennies. If there is no moon face among the faces rolled, tip you. If there is at most 1 moon face "
        "among the faces rolled, tip you. If there is exactly 1 moon face among the faces rolled, tip you. If "
        "there are at least 2 moon faces among the faces rolled, tip you.",
        "Lancez 2 sous. S’il n’y a aucune face lune parmi les faces obtenues, donnez un pourboire à vous. S’il y a "
        "au plus 1 face lune parmi les faces obtenues, donnez un pourboire à vous. S’il y a exactement 1 face lune "
        "parmi les faces obtenues, donnez un pourboire à vous. S’il y a au moins 2 faces lune parmi les faces "
        "obtenues, donnez un pourboire à vous.",
    ),
    "thimble": (
        "When you pay, first: reduce that number by 1. / When a vendor pays, first: that vendor becomes you, then "
        "that number becomes 2.",
        "Quand vous payez, d’abord : réduisez ce nombre de 1. / Quand un marchand paie, d’abord : ce marchand "
        "devient vous, puis ce nombre devient 2.",
    ),
    "ring": (
        "You may choose another vendor. If you do, tip that vendor. Otherwise, tip you. You may choose a vendor other "
        "than you. If you do not, tip you. If there is one, tip the second vendor. The player after your player may "
        "choose a vendor. If so, tip the third vendor.",
        "Vous pouvez choisir un autre marchand. Dans ce cas, donnez un pourboire à ce marchand. Sinon, donnez un "
        "pourboire à vous. Vous pouvez choisir un marchand autre que vous. Sinon, donnez un pourboire à vous. S’il y "
        "en a un, donnez un pourboire au deuxième marchand. Le joueur qui suit votre joueur peut choisir un marchand. "
        "Dans ce cas, donnez un pourboire au troisième marchand.",
    ),
}
"""Printed texts of cards, in English and French; slashes separate lines, spaces may be no-break spaces."""


@pytest.mark.parametrize("card", PRINTED)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_small_game_prints_expected_text(model: Model, card: str, language: str) -> None:
    (printed,) = [definition for definition in model.definitions.values() if definition.id == card]
    text = rules_text(printed, model, language)
    assert text.problems == ()
    line_of_card = " / ".join("".join(run.text for run in line.runs) for line in text.paragraphs)
    assert line_of_card.replace("\N{NO-BREAK SPACE}", " ") == PRINTED[card][language == "fr"]
