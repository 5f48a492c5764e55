"""No bot uses a secret: in two worlds that differ only in its player's unknowns, it gives the same answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import games
import pytest

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import changes, setup, teams
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.bots import Bot, SensibleBot
from fcbdsl.play.bots.control import OpenBot
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.bots.search import SearchBot
from fcbdsl.play.bots.thumb import ThumbBot
from fcbdsl.play.soak.soak import Wanderer

MOST = 120
"""Most decisions of a game that is examined."""


def positions(game: str, seed: int, mission: str = "") -> Iterator[tuple[Game, Ask]]:
    """Yield the positions of a random game with a choice."""
    image = games.image(game)
    playing = setup.start_game(image, mission or games.missions(image.program)[0], image.program.players[1], seed, {})
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
    """Yield some of these positions, each with another that differs only in the unknowns of the asked player."""
    chance = Generator(seed, "leaks")
    for number, (playing, ask) in enumerate(positions(game, seed)):
        if number % every == every - 1:
            other = playing.clone()
            guess(other, ask.who, chance)
            if other.digest() != playing.digest():
                yield playing, other, ask


@pytest.mark.parametrize("seed", games.first_few(range(3), 1))
@pytest.mark.parametrize("game", games.GAMES)
def test_bots_choose_equally_in_indistinguishable_worlds(game: str, seed: int) -> None:
    seen = 0
    for playing, other, ask in islice(pairs(game, seed, 11), 3):
        seen += 1
        for make in (ThumbBot, sparing, thrifty):
            assert make(seen).choose(playing, ask) == make(seen).choose(other, ask), make
    assert seen


MISSIONS = [(game, mission) for game in games.GAMES for mission in games.written_missions(game)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("game", "mission"),
    [
        row
        for game in games.GAMES
        for row in games.first_rows((mission for mission in MISSIONS if mission[0] == game), 2)
    ],
)
def test_determinization_reads_no_secret(game: str, mission: str) -> None:
    """Two worlds that differ in nothing else become equal."""
    for number, (playing, ask) in enumerate(islice(positions(game, 1, mission), 0, None, 4)):
        one, other = playing.clone(), playing.clone()
        guess(other, ask.who, Generator(number, "another truth"))
        for world in (one, other):
            guess(world, ask.who, Generator(number, "guess"))
        assert one.digest() == other.digest(), number


def test_single_possibility_does_not_reveal_secret() -> None:
    """One trap is on some terrain of the board. A seat that may not see it makes the same guess for each terrain."""
    (playing, _), *_ = positions("beast", 4)
    layout, rows = playing.layout, playing.program.fields
    lure = next(number for number, row in enumerate(rows) if row.name == "lure")
    trap = next(thing for thing in range(layout.field_low[lure], layout.field_high[lure]) if playing.in_play(thing))
    (seat,) = [seat for seat in range(2) if seat not in teams.insiders(playing, trap, rows[lure])]
    guessed = set()
    for ground in range(len(playing.program.terrains)):
        other = playing.clone()
        changes.set_guessed_field(other, lure, trap, ground)
        truth = other.digest()
        guess(other, seat, Generator(1, "traps"))
        assert other.digest() != truth
        guessed.add(other.digest())
    assert len(guessed) == 1


def sparing(seed: int) -> Bot:
    return SensibleBot(seed, width=6, looks=1)


def thrifty(seed: int) -> Bot:
    return SearchBot(seed, 3)


def test_bot_with_open_information_uses_it() -> None:
    """The control of the test above: it would notice."""
    assert any(
        OpenBot(1, looks=1).choose(playing, ask) != OpenBot(1, looks=1).choose(other, ask)
        for seed in range(1, 9)
        for playing, other, ask in pairs("beast", seed, 5)
    )
