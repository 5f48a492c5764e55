"""Lines and questions that players of the shipped games see at the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.session.log_text import change_text
from fcbdsl.play.session.playout import Record
from fcbdsl.play.session.story import StoryTeller
from fcbdsl.play.session.view import View
from tests import games


def asked_first(game: Game, count: int) -> Iterator[Ask]:
    """Yield the first questions of a game, each answered with its first option."""
    for _ in range(count):
        ask = game.run()
        assert ask is not None
        yield ask
        game.answer(0)


def test_question_about_all_figures_names_none_as_its_subject() -> None:
    """A search that stopped early at a figure is no loop around the question."""
    image = games.image("escape")
    game, view = setup.start_game(image, "evasion", 2, 3, {}), View(image)
    asked = [view.asked(game, ask) for ask in asked_first(game, 20)]
    chosen = [text for text in asked if "which Resistance fighter?" in text]
    assert chosen
    assert not [text for text in chosen if "for Ashton" in text]
    assert any("which space?\nWhy: Line-up – for Ashton" in text for text in asked)


def test_roll_names_its_owner_although_the_result_changes_nothing() -> None:
    image = games.image("escape")
    game = setup.start_game(image, "evasion", 2, 3, {})
    record = Record(image.program.hash, "evasion", 2, 3, {})
    teller = StoryTeller(View(image), game, record, explained=True)
    for _ in asked_first(game, 18):
        teller.catch_up(game)
    rolls = [line.text for line in teller.story.lines() if line.text.startswith("die")]
    assert rolls.count("die of the I.S.C: 4") == 2  # before the first turn, and again in it
    assert not [text for text in rolls if text.startswith("die:")]


def test_gauge_names_the_tier_that_it_reaches() -> None:
    image = games.image("far-cry-beyond")
    game, view = setup.start_game(image, "ridge-signal", 2, 4, {}), View(image)
    number = next(
        number for number, row in enumerate(image.program.fields) if (row.sort, row.name) == ("builtin", "value")
    )
    game.run()
    alert = next(
        image.layout.first[row.definition]
        for row in image.program.tracks
        if view.names.definition(row.definition) == "Alert" and game.in_play(image.layout.first[row.definition])
    )
    assert change_text(view, game, (number, alert, -1, 1, 2)) == ("Alert", "1 → 2 (Searchlights)")
    assert change_text(view, game, (number, alert, -1, 2, 3)) == ("Alert", "2 → 3")
    assert change_text(view, game, (number, alert, -1, 2, 1)) == ("Alert", "2 → 1")


def test_figure_shows_only_numbers_that_say_something() -> None:
    """A number that starts at a printed one shows it; what all figures have goes without saying."""
    image = games.image("far-cry-beyond")
    game = setup.start_game(image, "ridge-signal", 2, 4, {})
    list(asked_first(game, 4))
    lines = View(image).pieces(game)
    assert any("; HP 6; MP 2" in line for line in lines)
    for idle in ("attack damage 0", "maximum HP", "extra HP 0", "already played"):
        assert not [line for line in lines if idle in line]


def test_hidden_things_are_called_by_the_kind_of_their_zone() -> None:
    image = games.image("far-cry-beyond")
    game = setup.start_game(image, "ridge-signal", 2, 4, {})
    view = View(image, "fr", (0,))
    teller = StoryTeller(view, game, Record(image.program.hash, "ridge-signal", 2, 4, {}))
    list(asked_first(game, 1))
    teller.catch_up(game)
    assert "carte Réaction (×34) → pioche Réaction" in [
        line.text.replace("\u202f", " ") for line in teller.story.lines()
    ]
