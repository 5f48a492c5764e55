"""Games with the same fingerprint run identically."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import games
import pytest

from fcbdsl.machine.vm.fingerprint import code_names, meaning
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Definition, Program
from fcbdsl.machine.vm.setup import start_game
from fcbdsl.play.bots.bots import RandomBot

DECISIONS = 40


def course(image: Image, mission: str, players: int) -> list[object]:
    """Play the start of a game at random, and return its questions and its memory after each answer."""
    game, bot = start_game(image, mission, players, 1), RandomBot(1)
    out: list[object] = []
    ask = game.run()
    while ask is not None and len(out) < DECISIONS:
        out.append((ask.kind, ask.options, game.world.mem[:], game.world.outcome))
        game.answer(bot.choose(game, ask))
        ask = game.run()
    return out


def with_other_constants(program: Program, column: int, random: Random) -> Program:
    """Return a program with other numbers in a column of its definitions."""

    def changed(row: Definition) -> Definition:
        values = [(at, value + random.randrange(1, 3) if at == column else value) for at, value in row.values]
        return replace(row, values=tuple(values))

    return replace(program, definitions=tuple(changed(row) for row in program.definitions))


@pytest.mark.parametrize("game", games.first_few(games.GAMES, 2))
def test_constants_that_no_code_reads_change_no_game(game: str) -> None:
    program, random = games.program(game), Random(game)
    image = Image(program)
    mission = next(row.id for row in program.definitions if program.kinds[row.kind].policy == "mission")
    players = program.players[0]
    played = course(image, mission, players)
    names = code_names(program)
    ran = [names[number] for number in image.ran()]
    columns = [at for at, row in enumerate(program.fields) if row.sort == "const" and row.tag == "number"]
    same = 0
    for column in columns:
        other = with_other_constants(program, column, random)
        if other != program and meaning(other, ran) == meaning(program, ran):
            assert course(Image(other), mission, players) == played
            same += 1
    assert 0 < same < len(columns)
