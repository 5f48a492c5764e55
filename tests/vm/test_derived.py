"""Derived data of a world equals its recomputation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pond_game import crossing

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import changes, loading, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.subscribers import bearers
from tests.vm.test_worlds import IMAGE

QUESTIONS = 60


def rich() -> Game:
    return setup.start_game(IMAGE, "field", 2, 11)


@pytest.mark.parametrize("begin", [crossing, rich])
@pytest.mark.parametrize("seed", range(3))
def test_derived_data_equal_their_recomputation(begin: Callable[[], Game], seed: int) -> None:
    game, chance = begin(), Generator(seed, "walk")
    for _ in range(QUESTIONS):
        ask = game.run()
        if ask is None:
            break
        again = loading.load_game(game.image, game.save())
        original, loaded = game.world, again.world
        for kind, things in enumerate(original.selected):
            assert things is None or things == again.found_in_play(kind)
        assert original.standing == loaded.standing
        assert original.carried == loaded.carried
        assert original.live == loaded.live
        assert [heard.things for heard in original.subscribers] == [heard.things for heard in loaded.subscribers]
        assert game.placed_pieces() == [
            piece for piece in range(*game.image.pieces) if original.mem[game.layout.place + piece] >= 0
        ]
        game.answer(chance.below(len(ask.options)))


def test_determinization_recomputes_marker_bearers() -> None:
    game = rich()
    sad = next(number for number, row in enumerate(game.program.fields) if row.name == "Sad")
    first, second = range(game.layout.field_low[sad], game.layout.field_high[sad])
    pile = game.layout.zone_owner.index(-1, 1)
    for thing in (first, second):
        changes.lay(game, thing, pile, -1)
    changes.set_value(game, sad, first, 1, -1)
    assert bearers(game, sad) == (first,)
    lying = game.contents(pile)
    changes.exchange_zones(game, {pile: tuple([{first: second, second: first}.get(thing, thing) for thing in lying])})
    assert bearers(game, sad) == (second,)
