"""Visible and hidden facts in the view of a person."""

from __future__ import annotations

import pytest
from pond_game import crossing, image, pond

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.changes import set_value
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Cell
from fcbdsl.machine.vm.world import LABEL, NONE, NUMBER
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.view import View
from tests.campaign.small_campaign import program


def choose(game: Game, label: str) -> None:
    """Run to the next question and answer it with the option of that name."""
    ask = game.run()
    assert ask is not None
    options = View(image()).options(game, ask)
    game.answer(next(index for index, option in enumerate(options) if label in option))


def begun(*labels: str, players: int = 1) -> Game:
    """Return a game in which these options have been taken."""
    game = crossing(players)
    for label in labels:
        choose(game, label)
    game.run()
    return game


def move(game: Game, spot: str) -> None:
    """Put the first frog on a space, by name."""
    layout = image().layout
    cells = [cell.name for cell in pond().boards[game.world.board].cells]
    game.world.write(layout.place + layout.range_of("frog")[0], layout.spaces_low + cells.index(spot))


def test_board_shows_pieces_terrain_tokens_and_barriers() -> None:
    game = begun("Green Frog")
    move(game, "A2")
    assert View(image()).board(game) == (
        "      A     B     C\n"
        "1     .     .     f\n"
        "          ----\n"
        "2    GF     #     .\n"
        "# reed   f fly   | bank\n"
        "Lily: C2\n"
    )


def test_table_lists_numbers_tracks_and_cards() -> None:
    game = begun("Green Frog")
    move(game, "A2")
    table = View(image()).table(game)
    assert "The heron 0/4" in table
    assert "GF  Green Frog, A2; energy 3; hand: " in table
    assert "pile: 3" in table


def test_spent_number_is_shown_with_start() -> None:
    game = begun("Green Frog", "Dare")
    changed = View(image()).table(game)
    assert "energy 2/3" in changed
    assert ("wet" in changed) != ("temper gruff" in changed)


@pytest.mark.parametrize(("seats", "seen"), [((0,), True), ((1,), False), (None, True)])
def test_secret_hand_is_visible_to_its_player(seats: tuple[int, ...] | None, seen: bool) -> None:
    """BST-INF-03b: a seat that may not look into it sees the number of its cards."""
    game = begun("Green Frog", players=2)
    table = View(image(), "en", seats).table(game)
    line = next(line for line in table.splitlines() if "Green Frog" in line)
    assert ("hand: 1" not in line) == seen


def test_view_hides_the_contents_of_a_secret_pile() -> None:
    line = next(line for line in View(image()).table(begun("Green Frog")).splitlines() if line.startswith("pile"))
    assert line == "pile: 3"


def test_secret_stat_is_visible_to_its_player() -> None:
    game = begun("Green Frog", "Sing", "Softly")
    assert "dream" in View(image(), "en", (0,)).table(game)
    assert "dream" not in View(image(), "en", (1,)).table(game)


def test_question_names_player_choice_and_cause() -> None:
    game = begun("Green Frog", "Sing")
    ask = game.world.ask
    assert ask is not None
    view = View(image())
    assert view.question(game, ask) == "Player 1 (Green Frog): choose one.\nWhy: Green Frog: Sing"
    assert view.options(game, ask) == ["Softly", "Loudly"]


def test_question_is_worded_in_french() -> None:
    game = begun("Green Frog")
    ask = game.world.ask
    assert ask is not None
    options = View(image(), "fr").options(game, ask)
    assert options[0] == "Grenouille verte\u00a0: Sauter"
    assert options[-1] == "Terminé"


def test_log_hides_secrets() -> None:
    game = begun("Green Frog", "Sing", "Loudly")
    own, other = (happenings(View(image(), "en", (seat,)), game) for seat in (0, 1))
    assert "trick → pile (×4)" in own
    assert "Green Frog croaks" in own
    assert "Green Frog: energy 3 → 2" in other
    assert any(line.endswith("→ hand of Green Frog") and not line.startswith("trick") for line in own)
    assert "trick → hand of Green Frog" in other


WEATHER = """
enum sky: clear, storm
  clear "clear", fr "clair"
  storm "storm", fr "orage"
event weather:
  takes: sky (sky)
  form: sky comes up
flow: announce weather storm
"""


def test_value_of_an_event_is_shown_by_its_title() -> None:
    sitting = Image(program(WEATHER))
    game = setup.start_game(sitting, "hill", 1, 1, {})
    game.run()
    assert happenings(View(sitting), game)[0] == "storm comes up"


def test_log_since_entry_has_only_new_lines() -> None:
    game = begun("Green Frog")
    seen = len(game.world.history())
    choose(game, "Sing")
    game.run()
    assert happenings(View(image()), game, seen) == ["Green Frog: Sing", "Green Frog: energy 3 → 2"]


def test_ending_has_reason() -> None:
    game = begun("Green Frog")
    while game.world.ask is not None:
        choose(game, "Done")
        game.run()
    assert View(image()).outcome(game) == "Lost: The heron wakes."
    assert View(image(), "fr").outcome(game) == "Défaite\u00a0: Le héron se réveille."


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_place_is_shown_by_title(language: str) -> None:
    number = next(at for at, text in enumerate(pond().texts) if text.keys() >= {"en", "fr"})
    names, title = View(image(), language).names, pond().texts[number]
    assert names.cell(Cell("mill", 0, 0, title=number)) == title.get(language, title["en"])
    assert names.cell(Cell("A1", 0, 0)) == "A1"


@pytest.mark.parametrize(("language", "words"), [("en", "temper gruff"), ("fr", "humeur bourrue")])
def test_enum_value_is_shown_by_title(language: str, words: str) -> None:
    game = begun("Green Frog")
    field = next(number for number, row in enumerate(pond().fields) if row.name == "temper")
    frog = image().layout.range_of("frog")[0]
    view = View(image(), language)
    assert words not in view.table(game)
    set_value(game, field, frog, 1, -1)
    assert words in view.table(game)
    line = happenings(view, game)[-1]
    assert line.endswith({"en": "temper merry → gruff", "fr": "humeur gaie → bourrue"}[language])


@pytest.mark.parametrize(("language", "expected"), [("en", "Yes"), ("fr", "Oui")])
def test_optional_effects_are_asked_in_words(language: str, expected: str) -> None:
    """A choice without words was offered as its number, -1."""
    assert Names(image(), language).option(crossing(), (LABEL, -1)) == expected


@pytest.mark.parametrize(("language", "expected"), [("en", ["Yes", "No"]), ("fr", ["Oui", "Non"])])
def test_optional_effects_can_be_declined(language: str, expected: list[str]) -> None:
    """It was left by “None”."""
    assert Names(image(), language).options(crossing(), [(LABEL, -1), (NONE,)]) == expected


def test_equal_options_are_numbered() -> None:
    """The second of two was [3], if another option was between them."""
    options = Names(image()).options(crossing(), [(NUMBER, 1), (NUMBER, 2), (NUMBER, 1)])
    assert options == ["1 [1]", "2", "1 [2]"]
