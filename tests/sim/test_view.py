"""What a person sees, and what he does not."""

from __future__ import annotations

import pytest
from pond import crossing, machine, pond

from fcbdsl.sim.bots import BOTS
from fcbdsl.sim.happenings import happenings
from fcbdsl.sim.view import View
from fcbdsl.sim.words import WORDS
from fcbdsl.vm.changes import set_value
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.world import World
from tests.campaign.small import program


def choose(world: World, label: str) -> None:
    """Run to the next question and answer it with the option of that name."""
    ask = machine().run(world)
    assert ask is not None
    options = View(machine()).options(world, ask)
    machine().answer(world, next(index for index, option in enumerate(options) if label in option))


def begun(*labels: str, players: int = 1) -> World:
    """A game in which these options have been taken."""
    world = crossing(players)
    for label in labels:
        choose(world, label)
    machine().run(world)
    return world


def move(world: World, spot: str) -> None:
    """Put the first frog on a space, by name."""
    layout = machine().layout
    cells = [cell.name for cell in pond().boards[world.board].cells]
    world.mem[layout.place + layout.range_of("frog")[0]] = layout.spaces_low + cells.index(spot)


def test_the_board_shows_pieces_ground_tokens_and_barriers() -> None:
    world = begun("Green Frog")
    move(world, "A2")
    assert View(machine()).board(world) == (
        "      A     B     C\n"
        "1     .     .     f\n"
        "          ----\n"
        "2    GF     #     .\n"
        "# reed   f fly   | bank\n"
        "lily: C2\n"
    )


def test_the_table_names_numbers_tracks_and_cards() -> None:
    world = begun("Green Frog")
    move(world, "A2")
    table = View(machine()).table(world)
    assert "The heron 0/4" in table
    assert "GF  Green Frog, A2; energy 3; hand: " in table
    assert "pile: 3" in table


def test_a_spent_number_is_shown_with_its_start_and_a_changed_mood_by_name() -> None:
    world = begun("Green Frog", "Dare")
    changed = View(machine()).table(world)
    assert "energy 2/3" in changed
    assert ("wet" in changed) != ("temper gruff" in changed)


@pytest.mark.parametrize(("seats", "seen"), [((0,), True), ((1,), False), (None, True)])
def test_a_secret_hand_is_seen_by_its_player_only(seats: tuple[int, ...] | None, seen: bool) -> None:
    world = begun("Green Frog", players=2)
    table = View(machine(), "en", seats).table(world)
    line = next(line for line in table.splitlines() if "Green Frog" in line)
    assert ("hand: 1" not in line) == seen


def test_nobody_looks_into_a_secret_pile() -> None:
    line = next(line for line in View(machine()).table(begun("Green Frog")).splitlines() if line.startswith("pile"))
    assert line == "pile: 3"


def test_a_secret_stat_is_shown_to_its_player_only() -> None:
    world = begun("Green Frog", "Sing", "Softly")
    assert "dream" in View(machine(), "en", (0,)).table(world)
    assert "dream" not in View(machine(), "en", (1,)).table(world)


def test_a_question_says_who_what_and_why() -> None:
    world = begun("Green Frog", "Sing")
    ask = world.ask
    assert ask is not None
    view = View(machine())
    assert view.question(world, ask) == "Player 1 (Green Frog): choose one.\nWhy: Green Frog: Sing"
    assert view.options(world, ask) == ["Softly", "Loudly"]


def test_a_question_in_french() -> None:
    world = begun("Green Frog")
    ask = world.ask
    assert ask is not None
    options = View(machine(), "fr").options(world, ask)
    assert options[0] == "Grenouille verte : Sauter"
    assert options[-1] == "Terminé"


def test_the_log_in_words_keeps_secrets() -> None:
    world = begun("Green Frog", "Sing", "Loudly")
    own, other = (happenings(View(machine(), "en", (seat,)), world) for seat in (0, 1))
    assert "something → pile (×4)" in own
    assert "Green Frog croaks" in own
    assert "Green Frog: energy 3 → 2" in other
    assert any(line.endswith("→ hand of Green Frog") and not line.startswith("something") for line in own)
    assert "something → hand of Green Frog" in other


WEATHER = """
enum sky: clear, storm
  clear "clear", fr "clair"
  storm "storm", fr "orage"
event weather:
  takes: sky (sky)
  form: sky comes up
flow: announce weather storm
"""


def test_a_named_value_of_an_event_is_told_by_its_title() -> None:
    sitting = Machine(program(WEATHER))
    world = sitting.start("hill", 1, 1, {})
    sitting.run(world)
    assert happenings(View(sitting), world)[0] == "storm comes up"


def test_the_log_since_an_entry_holds_only_what_is_new() -> None:
    world = begun("Green Frog")
    seen = len(world.history())
    choose(world, "Sing")
    machine().run(world)
    assert happenings(View(machine()), world, seen) == ["Green Frog: Sing", "Green Frog: energy 3 → 2"]


def test_an_ending_says_why() -> None:
    world = begun("Green Frog")
    while world.ask is not None:
        choose(world, "Done")
        machine().run(world)
    assert View(machine()).outcome(world) == "Lost: The heron wakes."
    assert View(machine(), "fr").outcome(world) == "Défaite : Le héron se réveille."


def test_every_word_is_there_in_both_languages() -> None:
    for word, texts in WORDS.items():
        assert set(texts) == {"en", "fr"}, word
        assert texts["en"].count("{") == texts["fr"].count("{"), word


def test_the_names_of_bots_are_those_the_command_line_takes() -> None:
    from fcbdsl.cli.common import BOT_NAMES

    assert set(BOT_NAMES) == set(BOTS)


@pytest.mark.parametrize(("language", "words"), [("en", "temper gruff"), ("fr", "humeur bourrue")])
def test_a_named_value_is_shown_by_its_title(language: str, words: str) -> None:
    world = begun("Green Frog")
    field = next(number for number, row in enumerate(pond().fields) if row.name == "temper")
    frog = machine().layout.range_of("frog")[0]
    view = View(machine(), language)
    assert words not in view.table(world)
    machine().enter(world)
    set_value(machine(), field, frog, 1, -1)
    assert words in view.table(world)
    told = happenings(view, world)[-1]
    assert told.endswith({"en": "temper merry → gruff", "fr": "humeur gaie → bourrue"}[language])
