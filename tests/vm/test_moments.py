"""Observed moments change no game, and a copy that is made at a moment is played on like the game itself."""

from __future__ import annotations

import games
import pytest

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import start_game
from fcbdsl.machine.vm.world import Frame
from fcbdsl.play.bots.bots import RandomBot

QUESTIONS = 60


def play_on(game: Game, bot: RandomBot) -> str:
    """Answer the pending question and those that follow; return the state of the game then."""
    for _ in range(QUESTIONS):
        ask = game.world.ask
        if ask is None:
            break
        game.answer(bot.choose(game, ask))
        game.run()
    return game.digest()


@pytest.mark.parametrize("game", games.GAMES)
def test_game_with_observed_moments_equals_one_without(game: str) -> None:
    program = games.program(game)
    observed, plain = Image(program), Image(program)
    observed.observes_inputs = True
    for mission in list(plain.missions)[:2]:
        for players in program.players:
            ends = []
            for image in (observed, plain):
                played = start_game(image, mission, players, 1)
                played.moment_observer = lambda frame, at: None
                played.run()
                ends.append(play_on(played, RandomBot(1)))
            assert ends[0] == ends[1]


@pytest.mark.parametrize("game", games.GAMES)
def test_copy_made_at_a_moment_is_played_on_alike(game: str) -> None:
    program = games.program(game)
    image = Image(program)
    image.observes_inputs = True
    mission = next(row.id for row in program.definitions if program.kinds[row.kind].policy == "mission")
    played = start_game(image, mission, program.players[1], 1)
    copies: list[tuple[Game, int, bool, int]] = []

    def keep(frame: Frame, at: int) -> None:
        copy = played.clone()
        top = copy.world.stack[-1]
        assert isinstance(top, Frame)
        copies.append((copy, played.fuel, played.has_new_changes, frame.pc))
        top.pc = at

    played.moment_observer = keep
    ask = played.run()
    while ask is not None and not copies:
        played.answer(0)
        ask = played.run()
    assert copies
    for copy, fuel, has_new_changes, pc in copies:

        def restore(frame: Frame, at: int, pc: int = pc, copy: Game = copy) -> None:
            frame.pc = pc
            copy.moment_observer = None

        copy.moment_observer = restore
        assert copy.resume(fuel, has_new_changes) == ask
        assert copy.save() == played.save()
