"""The paths, hands and traps of a shipped game of two sides: nothing that is made for a seat depends on a secret.

Two positions that differ only in the seat's unknowns must look the same, read the same, and be guessed the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import games
import pytest

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import changes, setup, teams
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.view import View

GAME, MISSION = "beast", "clean-up"
HUNTED, HUNTER = 0, 1
PLAYERS = 3


def image() -> Image:
    return games.image(GAME)


def numbers() -> tuple[dict[str, int], dict[str, int]]:
    """Return columns and zones by name."""
    program = image().program
    return ({row.name: n for n, row in enumerate(program.fields)}, {row.name: n for n, row in enumerate(program.zones)})


def positions(seed: int, most: int = 160) -> Iterator[Game]:
    """Yield the position of a random game at each decision."""
    game = setup.start_game(image(), MISSION, PLAYERS, seed, {})
    bots = [RandomBot(seed + seat) for seat in range(PLAYERS)]
    for _ in range(most):
        ask = game.run()
        if ask is None:
            return
        yield game
        game.answer(bots[teams.deciding_seats(game, ask.who)[0]].choose(game, ask))


def hunted(game: Game) -> int:
    """Return the hunted piece, or -1 before it is in play."""
    return next((thing for thing in range(*image().layout.range_of("monster")) if game.in_play(thing)), -1)


def disguised(game: Game) -> Game:
    """Return the same game, but the hunted piece has other cards, and another place."""
    other, who = game.clone(), hunted(game)
    fields, zones = numbers()
    path = image().layout.zone_base[zones["path"]] + who
    supply = image().layout.zone_base[zones["supply"]] + who
    laid, left = game.contents(path), game.contents(supply)
    changes.exchange_zones(other, {path: left[-len(laid) :], supply: (*laid, *left[: -len(laid)])})
    spaces = [thing for thing in range(*image().layout.range_of("space")) if game.is_space(thing)]
    changes.set_guessed_field(
        other, fields["at"], who, spaces[(spaces.index(game.base_value(fields["at"], who)) + 7) % 21]
    )
    return other


def looked_at(seed: int) -> Iterator[tuple[Game, Game]]:
    """Yield positions in which a Hunter is asked while cards are face down, and the same with other cards."""
    _, zones = numbers()
    for game in positions(seed):
        assert game.world.ask is not None
        who = hunted(game)
        if who < 0 or HUNTER not in teams.deciding_seats(game, game.world.ask.who):
            continue
        if game.contents(image().layout.zone_base[zones["path"]] + who):
            yield game, disguised(game)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
def test_face_down_path_is_never_shown(seed: int) -> None:
    view, seen = View(image(), "en", {HUNTER}), 0
    for number, (game, other) in enumerate(looked_at(seed)):
        if number % 4:
            continue
        seen += 1
        assert game.world.ask is not None
        assert other.digest() != game.digest()
        assert view.table(other) == view.table(game)
        assert view.question(other, game.world.ask) == view.question(game, game.world.ask)
        assert happenings(view, other) == happenings(view, game)
        for one in (game := game.clone(), other):
            guess(one, HUNTER, Generator(seed, "test"))
        assert other.digest() == game.digest()
    assert seen > 3


def test_determinized_path_connects_pawn_and_end() -> None:
    """As many cards as lie there, each leading on from the one before it."""
    fields, zones = numbers()
    guesses: set[tuple[int, ...]] = set()
    chance = Generator(5, "test")
    for game, _ in looked_at(2):
        guessed, who = game.clone(), hunted(game)
        guess(guessed, HUNTER, chance)
        path = image().layout.zone_base[zones["path"]] + who
        assert len(guessed.contents(path)) == len(game.contents(path))
        spot = game.space_of(who)
        for card in guessed.contents(path):
            following = guessed.base_value(fields["leads-to"], card)
            near = {guessed.space(cell) for cell in guessed.ground().neighbours(guessed.cell(spot))}
            assert following in near | {spot}
            spot = following
        assert guessed.base_value(fields["at"], who) == spot
        guesses.add(guessed.contents(path))
    assert len(guesses) > 5


def test_only_the_own_side_sees_hands_and_traps() -> None:
    """The log names the cards that a side takes or lays. To the other side it names only their kind."""
    game = list(positions(4))[-1]
    log_of = {seat: "\n".join(happenings(View(image(), "en", {seat}), game)) for seat in range(PLAYERS)}
    assert "→ hand of" in log_of[HUNTED]
    own = [line for line in log_of[HUNTED].splitlines() if "→ current movement" in line]
    assert own
    assert not [line for line in own if line.startswith("Movement card")]
    assert all(line.startswith("Movement card") for line in log_of[HUNTER].splitlines() if "→ current movement" in line)
