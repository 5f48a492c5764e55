"""Cached parts of the evaluation function equal their recomputation."""

from __future__ import annotations

import games
import pytest

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.linker import OutlookParts, cells_seen, changed_cells
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


def parts_of(stand: Game) -> OutlookParts:
    stand.image.code(stand.program.outlook)
    parts = stand.image.parts
    assert parts is not None
    return parts


def test_changed_cells_are_those_that_differ_from_the_root() -> None:
    stand, ask = walk(GAME, 1)[-1]
    stand.cache_evaluation(ask.who)
    cache = stand.root_cache
    assert cache is not None
    assert len(parts_of(stand).codes) == 4
    cells = [cell for cell, bits in enumerate(cache.seen) if bits & 7]
    assert 0 < len(cells) < len(stand.world.mem) // 4
    first, last = cells[0], cells[-1]
    ahead = stand.ahead()
    assert changed_cells(ahead.world, cache.seen, 4) == [()] * 4
    value = ahead.world.mem[first]
    ahead.world.write(first, value)
    assert changed_cells(ahead.world, cache.seen, 4) == [()] * 4
    ahead.world.write(first, value + 1)
    further = ahead.ahead()
    further.world.write(last, further.world.mem[last] + 1)
    further.world.write(first, value)
    changes = [(last, further.world.mem[last]) if cache.seen[last] >> number & 1 else () for number in range(4)]
    assert changed_cells(further.world, cache.seen, 4) == changes
    further.take_back()
    ahead.take_back()


def test_equal_changes_share_a_value() -> None:
    """A wrong value that is stored for a position shows in each equal position, and nowhere else."""
    stand, ask = walk(GAME, 1)[-1]
    stand.cache_evaluation(ask.who)
    cache = stand.root_cache
    assert cache is not None
    cell = next(cell for cell, bits in enumerate(cache.seen) if bits & 1)

    def outlook(more: int) -> int:
        ahead = stand.ahead()
        ahead.world.write(cell, ahead.world.mem[cell] + more)
        outlook = ahead.outlook(ask.who)
        ahead.take_back()
        return outlook

    values = [outlook(more) for more in (0, 1, 2)]
    assert [outlook(more) for more in (0, 1, 2)] == values
    cache.values[0][cell, stand.world.mem[cell] + 1] += 1
    assert [outlook(more) == values[more] for more in (0, 1, 2)] == [True, False, True]


def test_walks_depend_on_barriers_and_places() -> None:
    """The progress of a mission that measures walks."""
    image = games.image(GAME)
    names = [code.name for code in image.program.codes]
    cells = cells_seen(image, names.index("measure trek"), ())
    assert cells is not None
    layout = image.layout
    assert (layout.place, layout.place + layout.body) in cells
    assert layout.barriers in [low for low, _ in cells]
    assert (layout.terrain + layout.spaces_low, layout.terrain + layout.spaces_high) in cells


def test_changed_barrier_changes_what_sees_the_ground() -> None:
    stand, _ = next(row for row in walk(GAME, 0) if row[0].layout.memory < len(row[0].world.mem))
    parts = OutlookParts()
    parts.codes, parts.fields = [[code.name for code in stand.program.codes].index("measure trek")], [-1]
    seen, unknown = parts.seen(stand.image, stand.world.mission, len(stand.world.mem))
    assert not unknown
    ahead = stand.ahead()
    side = len(ahead.world.mem) - 1
    ahead.world.write(side, ahead.world.mem[side] + 1)
    assert changed_cells(ahead.world, seen, 1) == [(side, ahead.world.mem[side])]
    ahead.take_back()


def test_stale_parts_give_wrong_values() -> None:
    """That known parts are used at all: a wrong one shows."""
    stand, ask = walk(GAME, 1)[-1]
    outlook = stand.cache_evaluation(ask.who)
    assert stand.root_cache is not None
    stand.root_cache.values[0][()] += 1
    assert stand.outlook(ask.who) != outlook
    another = 1 if ask.who == 0 else 0
    assert stand.outlook(another) == stand.clone().outlook(another)


def test_code_with_undeclared_reads_is_no_part() -> None:
    image = games.image(GAME)
    names = [code.name for code in image.program.codes]
    assert cells_seen(image, names.index("measure vigour"), ()) is not None
    assert cells_seen(image, names.index("measure foes"), ()) is None


def test_unknown_part_is_not_cached() -> None:
    stand, _ = walk(GAME, 1)[-1]
    parts = OutlookParts()
    parts.codes, parts.fields = [[code.name for code in stand.program.codes].index("measure foes")], [-1]
    seen, unknown = parts.seen(stand.image, stand.world.mission, len(stand.world.mem))
    assert unknown == 1
    assert not any(seen)
