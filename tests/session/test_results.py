"""The log shows what chance decides: lots, and results of relations with words."""

from __future__ import annotations

import pytest

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.session.log_text import log_line
from fcbdsl.play.session.view import View
from tests.campaign.small_campaign import program

GAME = """
system trial "Trial":
  players: 1..2
  languages: en, fr
kind player:
  stat wits "wits": number 0.., starts 2
kind omen is card:
  field shift: number
  copies: 1
omen moon "Moon":
  fr: "Lune"
  shift: 1
omen skull "Skull":
  fr: "Crâne"
  shift: 0 - 2
zone cup "cup" of omen: any
zone row "row" of omen: any
relation passes:
  takes: who (player), against difficulty (number)
  effect:
    choose drawn: omen in cup, at random
    answer who's wits + drawn's shift >= difficulty
  text en: "{who} <[passes|pass]|[fails|fail]> a test against {difficulty}"
  text fr: "{who} <[réussit|réussissez]|[rate|ratez]> un test contre {difficulty}"
relation finds:
  takes: who (player), sort (omen definition)
  effect:
    choose drawn: omen in cup, at random
    put drawn into row
    answer drawn's definition = sort
  text en: "in luck with {sort}"
  text fr: "[heureux|heureuse] avec {sort}"
relation clever:
  takes: who (player)
  is: who's wits > 1
  text en: "clever"
  text fr: "habile"
verb hurt:
  takes: who (player), wounds (number 0..), frights (number 0..)
  event: who suffers wounds and frights
  effect: who's wits becomes who's wits - wounds - frights
  text en, frights = 0: "{who} [takes|take] {wounds} damage"
  text en: "{who} [takes|take] {wounds} damage and {frights} horror"
  text fr, frights = 0: "{who} [subit|subissez] {wounds} dégât[s]"
  text fr: "{who} [subit|subissez] {wounds} dégât[s] et {frights} horreur[s]"
mission hall "Hall":
  fr: "Salle"
flow:
  fill cup with omen
  for each player:
    choose one, by player:
      "Test": if player passes against 3: player's wits +1
      "Again": let well = not (player passes against 4)
      "Find": if player finds moon: player's wits +1
      "Think": if player clever: player's wits +1
      "Two":
        choose drawn: omen in cup, exactly 2, at random
        for each card in drawn: put card into row
      "Cut": hurt player 2 0
      "Scare": hurt player 1 2
  lose "Over.", fr "Fini."
"""


def lines(choice: int, seed: int, language: str = "en") -> list[str]:
    """Return the lines of the log after a choice of player 1."""
    image = Image(program("", GAME))
    game = setup.start_game(image, "hall", 1, seed)
    game.run()
    begun = game.world.happened
    game.answer(choice)
    game.run()
    view = View(image, language)
    return [text for node in game.world.history(begun) if (text := log_line(view, game, node))]


@pytest.mark.parametrize(
    ("choice", "language", "drawn", "result"),
    [
        (0, "en", "chance picks Moon", "Player 1 passes a test against 3"),
        (0, "en", "chance picks Skull", "Player 1 fails a test against 3"),
        (0, "fr", "le hasard désigne Lune", "Joueur 1 réussit un test contre 3"),
        (0, "fr", "le hasard désigne Crâne", "Joueur 1 rate un test contre 3"),
        (1, "en", "chance picks Skull", "Player 1 fails a test against 4"),
        (2, "en", "Moon → row", "Player 1 is in luck with Moon"),
        (2, "en", "Skull → row", "Player 1 is not in luck with Moon"),
        (2, "fr", "Lune → row", "Joueur 1 est heureux avec Lune"),
        (2, "fr", "Crâne → row", "Joueur 1 n’est pas heureux avec Lune"),
    ],
)
def test_log_shows_lot_and_result(choice: int, language: str, drawn: str, result: str) -> None:
    seed = next(seed for seed in range(20) if drawn in lines(choice, seed, language))
    assert lines(choice, seed, language).index(drawn) < lines(choice, seed, language).index(result)


def test_log_shows_no_result_of_a_mere_query() -> None:
    assert not any("clever" in line for line in lines(3, 1))


@pytest.mark.parametrize(
    ("choice", "language", "line"),
    [
        (5, "en", "Player 1 takes 2 damage"),
        (6, "en", "Player 1 takes 1 damage and 2 horror"),
        (5, "fr", "Joueur 1 subit 2 dégâts"),
        (6, "fr", "Joueur 1 subit 1 dégât et 2 horreurs"),
    ],
)
def test_log_chooses_text_by_value(choice: int, language: str, line: str) -> None:
    assert line in lines(choice, 1, language)
