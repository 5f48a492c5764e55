"""The heuristic bot (`thumb`) follows the preferences of a program."""

from __future__ import annotations

from pathlib import Path

import pytest
from pond_game import POND

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import changes, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import DONE
from fcbdsl.play.bots.thumb import ThumbBot
from fcbdsl.project.project import check_project


def begun(folder: Path, *lines: str, mission: str = "") -> Game:
    """Return a game of the crossing at its first offer, with preferences for the game and one for the mission."""
    more = ["preferences for crossing:", f"  {mission}"] if mission else []
    path = folder / "preferred.fcb"
    path.write_text("\n".join(["use pond", "preferences:", *(f"  {line}" for line in lines), *more, ""]))
    model, problems = check_project([POND, path])
    assert problems == []
    program = lower(model)
    assert verify_program(program) == []
    game = setup.start_game(Image(program), "crossing", 1, 1, {})
    game.run()
    game.answer(0)
    game.run()
    return game


def taken(game: Game, seed: int = 1) -> str:
    """Return the bot's answer to the pending question, in words."""
    ask = game.world.ask
    assert ask is not None
    option = ask.options[ThumbBot(seed).choose(game, ask)]
    game.answer(ask.options.index(option))
    game.run()
    if option == (DONE,):
        return "done"
    program = game.program
    return program.actions[option[1]].name if ask.kind == "action" else program.texts[option[1]]["en"]


def test_heuristic_bot_takes_most_valuable_option(tmp_path: Path) -> None:
    assert taken(begun(tmp_path, "hop: 2", "sing: 3", "dare: 1")) == "sing"


def test_first_matching_preference_counts(tmp_path: Path) -> None:
    assert taken(begun(tmp_path, "sing, if self's energy < 3: 9", "sing: 1", "sing: 9", "hop: 2")) == "hop"


@pytest.mark.parametrize("worth", [0, 1])
def test_heuristic_bot_stops_before_worthless_option(tmp_path: Path, worth: int) -> None:
    assert taken(begun(tmp_path, f"hop: {worth}", "sing: 0")) == ["done", "hop"][worth]


def test_preferences_match_labels_of_current_action(tmp_path: Path) -> None:
    game = begun(tmp_path, "sing: 1", 'choose "Loudly" in dare: 9', 'choose "Softly" in sing: 1', 'choose "Loudly": 0')
    assert [taken(game), taken(game)] == ["sing", "Softly"]


def test_preference_knows_chosen_thing_by_noun(tmp_path: Path) -> None:
    """The acting piece is `self`; the first preference that fits the action comes first."""
    near = "choose spot (space) in hop: 9 * fly on spot - range from spot to self"
    game = begun(tmp_path, "hop: 1", near, "choose spot (space): 9 - 9 * fly on spot")
    names = [cell.name for cell in game.program.boards[game.world.board].cells]
    frog = next(thing for thing in range(*game.layout.range_of("frog")) if game.cell(thing) >= 0)
    changes.set_guessed_field(game, 0, frog, game.space(names.index("B1")))
    assert taken(game) == "hop"
    assert game.world.ask is not None
    game.answer(ThumbBot(1).choose(game, game.world.ask))
    game.run()
    assert names[game.cell(frog)] == "C1"


def test_mission_preferences_come_first_and_know_its_map(tmp_path: Path) -> None:
    assert taken(begun(tmp_path, "hop: 5", "sing: 0", mission="sing, if no frog on B2: 9")) == "sing"
    assert taken(begun(tmp_path, "hop: 5", "sing: 0", mission="sing, if no space on B2: 9")) == "hop"


def test_heuristic_bot_reads_no_hidden_card(tmp_path: Path) -> None:
    """The bot guesses the pile again before a preference reads it."""
    game = begun(tmp_path, "sing, if top of pile is puddle: 9", "hop: 5")
    assert {taken(game.clone(), seed) for seed in range(12)} == {"sing", "hop"}
