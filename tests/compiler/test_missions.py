"""The shipped missions, compiled from their sources and played to the end."""

from __future__ import annotations

import random

import pytest
from games import GAMES, image, missions, model, program, written_missions

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import fcbc, setup
from fcbdsl.machine.vm.verify.verifier import verify_program

MOST_DECISIONS = 20_000
MISSIONS = [(game, mission) for game in GAMES for mission in written_missions(game)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", GAMES)
def test_shipped_games_compile_to_valid_programs(game: str) -> None:
    assert not list(verify_program(program(game)))
    assert sorted(missions(program(game))) == sorted(written_missions(game)) != []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", GAMES)
def test_same_sources_give_same_bytes(game: str) -> None:
    assert fcbc.dump(lower(model(game))) == fcbc.dump(program(game))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("game", "mission", "most"),
    [
        pytest.param(*row, most, marks=[] if most == at % 2 else pytest.mark.long)
        for at, row in enumerate(MISSIONS)
        for most in (False, True)
    ],
)
def test_missions_end_with_random_decisions(game: str, mission: str, most: bool) -> None:
    """With as few players as the game allows, and with as many."""
    played = setup.start_game(image(game), mission, program(game).players[most], 7)
    chance = random.Random(7)
    decisions = 0
    while (ask := played.run()) is not None and decisions < MOST_DECISIONS:
        played.answer(chance.randrange(len(ask.options)))
        decisions += 1
    assert played.world.fault is None
    assert played.world.outcome_name() in {"win", "lose", "draw"}
    assert decisions > 10
