"""Lines and questions that players of the shipped games see at the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.log_text import change_text, event_text
from fcbdsl.play.session.playout import Record
from fcbdsl.play.session.story import Heading, StoryLine, StoryTeller
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


def test_figure_omits_numbers_without_information() -> None:
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


@pytest.mark.parametrize(
    ("language", "hits", "words"),
    [
        ("en", 1, "suffers 1 hit"),
        ("en", 2, "suffers 2 hits"),
        ("en", 0, "suffers 0 hits"),
        ("fr", 1, "subit 1 coup porté"),
        ("fr", 2, "subit 2 coups portés"),
        ("fr", 0, "subit 0 coup porté"),
    ],
)
def test_number_in_an_event_has_the_right_noun(language: str, hits: int, words: str) -> None:
    image = games.image("fireteam-zero")
    game = setup.start_game(image, "cold-harbor", 2, 3, {})
    game.run()
    number = next(number for number, row in enumerate(image.program.events) if row.name == "suffer")
    hero = image.layout.range_of("hero")[0]
    view = View(image, language)
    assert event_text(view, game, (number, hero, hits)) == f"{view.names.thing(game, hero)} {words}"


def story_of(game_name: str, mission: str, players: int, seed: int) -> list[Heading | StoryLine]:
    """Return the story of a game that the heuristic bot plays."""
    image = games.image(game_name)
    record = Record(image.program.hash, mission, players, seed, {})
    game = setup.start_game(image, mission, players, seed, {})
    teller = StoryTeller(View(image), game, record, explained=True)
    bot = make_bot("thumb", 5)
    while (ask := game.run()) is not None:
        teller.catch_up(game)
        game.answer(bot.choose(game, ask))
    teller.catch_up(game)
    return teller.story.entries


def test_story_says_what_each_roll_has_achieved() -> None:
    entries = story_of("fireteam-zero", "cold-harbor", 2, 3)
    lines = [entry.text for entry in entries if isinstance(entry, StoryLine)]
    scored = [line for line in lines if re.search(r" scores \d+ hits? against ", line)]
    assert len(scored) >= len([line for line in lines if re.search(r"^\S.* attacks ", line)]) > 5
    assert not [line for line in lines if "suffers hits" in line]
    headings = [entry.text for entry in entries if isinstance(entry, Heading)]
    assert any(text.startswith("A monster: ") for text in headings)
    assert "A monster" not in headings
    assert any(text.startswith(("A hero’s turn: ", "A hero's turn: ")) for text in headings)


def test_story_names_failures_and_the_winner_of_a_test() -> None:
    lines = [entry.text for entry in story_of("escape", "infiltration", 2, 11) if isinstance(entry, StoryLine)]
    rolls = [at for at, line in enumerate(lines) if "makes an Intellect roll" in line]
    shown = [" ".join(lines[at : at + 4]) for at in rolls]
    assert len(shown) > 5
    assert all("stays locked: " in text or "hacked" in text or "withstands" in text for text in shown)
    assert any(re.fullmatch(r"[Tt]he I\.S\.C wins the initiative, \d+ to \d+", line) for line in lines)
    assert any("is not hit" in line for line in lines)


def test_changes_of_one_thing_share_a_line() -> None:
    lines = [entry.text for entry in story_of("escape", "infiltration", 2, 11) if isinstance(entry, StoryLine)]
    assert any(re.fullmatch(r"\w+: Mvt used \d → 0, Cbt used \d → 0(, Int used \d → 0)?", line) for line in lines)


def test_list_of_places_needs_no_codes_of_pieces() -> None:
    image = games.image("fireteam-zero")
    game = setup.start_game(image, "cold-harbor", 2, 3, {})
    game.run()
    view = View(image)
    lines = view.pieces(game)
    assert any(line.startswith("spawn point 10, ") for line in lines)
    assert [view.drawing.code(thing) for thing in game.placed_pieces()][8:12] == ["S9", "S10", "S11", "S12"]


def test_question_for_several_things_names_the_limit() -> None:
    image = games.image("fireteam-zero")
    game = setup.start_game(image, "cold-harbor", 2, 3, {})
    bot, asked = make_bot("thumb", 5), ""
    while (ask := game.run()) is not None:
        asked += View(image).asked(game, ask) + "\n"
        game.answer(bot.choose(game, ask))
    assert re.search(r"which specialist\? Up to \d, one at a time; “Done” ends it\.\n", asked)


def test_unseen_card_is_called_by_a_word_of_the_game() -> None:
    lines = [entry.text for entry in story_of("beast", "clean-up", 3, 5) if isinstance(entry, StoryLine)]
    assert not [line for line in lines if line.startswith("gain →")]
    image = games.image("beast")
    satchel = next(number for number, row in enumerate(image.program.zones) if row.name == "satchel")
    zone = next(zone for zone, row in enumerate(image.layout.zone_row) if row == satchel)
    assert View(image, "en", ()).names.unseen(zone) == "Item or Talent"
    assert View(image, "fr", ()).names.unseen(zone) == "Équipement ou Talent"
