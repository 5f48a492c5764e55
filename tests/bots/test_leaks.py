"""No bot makes anything of what whoever it plays for may not know, in any game: two worlds that differ in nothing else
get the same answer from it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import games
import pytest

from fcbdsl.bots.bots import Bot, SensibleBot
from fcbdsl.bots.control import OpenBot
from fcbdsl.bots.determinize import guess
from fcbdsl.bots.search import SearchBot
from fcbdsl.bots.thumb import ThumbBot
from fcbdsl.game.generator import Generator
from fcbdsl.soak.soak import Wanderer
from fcbdsl.vm import setup
from fcbdsl.vm.game import Game
from fcbdsl.vm.world import Ask

MOST = 120
"""Most decisions of a game that is looked at."""


def positions(game: str, seed: int) -> Iterator[tuple[Game, Ask]]:
    """The positions of a game by lot in which there is something to choose."""
    image = games.image(game)
    playing = setup.start(image, games.missions(image.program)[0], image.program.players[1], seed, {})
    wanderer = Wanderer(seed)
    ask = playing.run()
    for _ in range(MOST):
        if ask is None:
            return
        if len(ask.options) > 1:
            yield playing, ask
        playing.answer(wanderer.choose(playing, ask))
        ask = playing.run()


def pairs(game: str, seed: int, every: int) -> Iterator[tuple[Game, Game, Ask]]:
    """Some of these positions, and others that differ in what is hidden from whoever is asked."""
    chance = Generator(seed, "leaks")
    for number, (playing, ask) in enumerate(positions(game, seed)):
        if number % every == every - 1:
            other = playing.clone()
            guess(other, ask.who, chance)
            if other.digest() != playing.digest():
                yield playing, other, ask


@pytest.mark.parametrize("seed", games.first_few(range(3), 1))
@pytest.mark.parametrize("game", games.GAMES)
def test_two_worlds_that_look_the_same_get_the_same_answer(game: str, seed: int) -> None:
    seen = 0
    for playing, other, ask in islice(pairs(game, seed, 11), 3):
        seen += 1
        for make in (ThumbBot, sparing, thrifty):
            assert make(seen).choose(playing, ask) == make(seen).choose(other, ask), make
    assert seen


def sparing(seed: int) -> Bot:
    return SensibleBot(seed, width=6, looks=1)


def thrifty(seed: int) -> Bot:
    return SearchBot(seed, 3)


def test_who_sees_the_truth_goes_by_it() -> None:
    """The control of the test above: it would notice."""
    apart = [
        OpenBot(1, looks=1).choose(playing, ask) != OpenBot(1, looks=1).choose(other, ask)
        for playing, other, ask in pairs("beast", 2, 5)
    ]
    assert any(apart)
