"""A milestone of a look-ahead continues in a similar game as if that game had been played up to it."""

from __future__ import annotations

import games
import pytest

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import saving, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.milestones import Milestone
from fcbdsl.machine.vm.serialization import Json
from fcbdsl.machine.vm.world import BY_CHANCE

MOST = 60
"""Most decisions of a game that is examined."""


def state(game: Game) -> Json:
    """Return all that a look-ahead has in common with play: not which actions are on offer."""
    state = saving.state(game.world)
    if game.world.ask is not None and game.world.ask.kind == "action":
        del state["ask"]
    return {**state, "outlook": game.outlook(), "fuel": game.fuel}


@pytest.mark.parametrize("seed", games.first_few(range(6), 2))
@pytest.mark.parametrize("name", games.GAMES)
def test_milestone_continues_as_played(name: str, seed: int) -> None:
    image = games.image(name)
    every = games.missions(image.program)
    game = setup.start_game(image, every[seed % len(every)], image.program.players[0], seed, {})
    chance = Generator(seed, "walk")
    milestones = {"question": 0, "chance": 0, "same": 0}
    for _ in range(MOST):
        ask = game.run()
        if ask is None:
            break
        for index in range(min(3, len(ask.options))):
            examine(game, index, chance, milestones)
        game.answer(chance.below(len(ask.options)))
    assert milestones["question"]


def examine(game: Game, index: int, chance: Generator, milestones: dict[str, int]) -> None:
    """Compare the position after an option, reached by way of milestones, with the one that a clone reaches."""
    others = [game.clone() for _ in range(3)]
    for other in others:
        other.reseed(chance.below(1 << 62))
    ahead = game.ahead()
    ahead.stops_at_chance = True
    reveals = ahead.world.reveals
    ahead.answer(index)
    ask = ahead.run()
    if ahead.world.reveals != reveals or ahead.world.ask is None:
        ahead.take_back()
        return
    milestone = Milestone(ahead, 5)
    ahead.take_back()
    memory = game.world.mem[:]
    for other in others:
        played = other.clone()
        played.answer(index)
        played.run()
        entered = milestone.enter(other, other.world.rng[:])
        if milestone.chance is None:
            assert milestone.left == 5
            assert entered.world.ask == ask
            milestones["question"] += 1
        else:
            assert ask is BY_CHANCE
            rolled = milestone.chance.drawn(other.world.rng[:])
            assert len(rolled) == milestone.chance.count
            milestones["chance"] += 1
            entered.stops_at_chance = True
            while entered.go_on() is BY_CHANCE:
                milestones["same"] += 1
            assert entered.chance is None
        assert state(entered) == state(played)
        entered.take_back()
        assert game.world.mem == memory
