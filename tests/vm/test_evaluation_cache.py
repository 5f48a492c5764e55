"""Cached parts of the evaluation function equal their recomputation."""

from __future__ import annotations

import games
import pytest

from fcbdsl.machine.vm import linker, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.linker import cells_seen
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.bots import RandomBot

GAME = "far-cry-beyond"
MOST = 60
"""Most decisions of a game that is examined."""


def walk(game: str, seed: int) -> list[tuple[Game, Ask]]:
    """Yield a random game at some of its questions."""
    image = games.image(game)
    every = games.missions(image.program)
    playing = setup.start_game(image, every[seed % len(every)], image.program.players[0], seed, {})
    bot, stands = RandomBot(seed), []
    for number in range(MOST):
        ask = playing.run()
        if ask is None:
            break
        if number % 3 == 0:
            stands.append((playing.clone(), ask))
        playing.answer(bot.choose(playing, ask))
    return stands


@pytest.mark.parametrize("seed", games.first_few(range(4), 1))
@pytest.mark.parametrize("game", games.GAMES)
def test_value_function_with_cached_parts_is_equal(game: str, seed: int) -> None:
    for stand, ask in walk(game, seed):
        assert stand.cache_evaluation(ask.who) == stand.clone().outlook(ask.who)
        for index in range(min(6, len(ask.options))):
            ahead = stand.ahead()
            ahead.answer(index)
            following = ahead.run()
            assert ahead.outlook(ask.who) == ahead.clone().outlook(ask.who)
            if following is not None:
                further = ahead.ahead()
                further.answer(0)
                further.run()
                assert further.outlook(ask.who) == further.clone().outlook(ask.who)
                further.take_back()
            ahead.take_back()
        assert stand.outlook(ask.who) == stand.clone().outlook(ask.who)


def test_cached_part_is_recomputed_after_a_change() -> None:
    stand, ask = walk(GAME, 1)[-1]
    image = stand.image
    stand.cache_evaluation(ask.who)
    parts = image.parts
    assert parts is not None
    assert parts.count == 3
    assert stand.root_cache is not None
    cells = [cell for cell, bits in enumerate(parts.seen) if bits]
    assert 0 < len(cells) < len(stand.world.mem) // 4
    ahead = stand.ahead()
    assert linker.changed_parts(ahead.world, parts.seen) == 0
    ahead.world.write(cells[0], ahead.world.mem[cells[0]])
    assert linker.changed_parts(ahead.world, parts.seen) == 0
    further = ahead.ahead()
    ahead.world.write(cells[-1], ahead.world.mem[cells[-1]] + 1)
    assert linker.changed_parts(further.world, parts.seen) == parts.seen[cells[-1]]
    further.take_back()
    ahead.take_back()


def test_stale_parts_give_wrong_values() -> None:
    """That known parts are used at all: a wrong one shows."""
    stand, ask = walk(GAME, 1)[-1]
    outlook = stand.cache_evaluation(ask.who)
    assert stand.root_cache is not None
    stand.root_cache.values[0] += 1
    assert stand.outlook(ask.who) != outlook
    another = 1 if ask.who == 0 else 0
    assert stand.outlook(another) == stand.clone().outlook(another)


def test_code_with_undeclared_reads_is_no_part() -> None:
    image = games.image(GAME)
    names = [code.name for code in image.program.codes]
    assert cells_seen(image, names.index("measure vigour"), ()) is not None
    assert cells_seen(image, names.index("measure trek"), ()) is None
