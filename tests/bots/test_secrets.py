"""No view and no log that a player sees depends on a secret: decks, face-down tiles, tasks to come. `test_leaks` tests
the answers of bots.

Two worlds that differ only in secrets must look the same. The other world is made by guessing the secrets again, so its
look depends on nothing that is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import games
import pytest

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import changes, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.determinize import Hidden, guess
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.view import View
from fcbdsl.play.soak.soak import Wanderer

GAME = "far-cry-beyond"
PLAYERS = 3
NEVER_BACK = ("tile-pile", "sealed-list")
MOST = 150
"""Most decisions of a game that is examined."""


def image() -> Image:
    return games.image(GAME)


def positions(mission: str, seed: int) -> Iterator[tuple[Game, Ask]]:
    """Yield the position of a random game at each decision."""
    game = setup.start_game(image(), mission, PLAYERS, seed, {})
    wanderer = Wanderer(seed)
    ask = game.run()
    for _ in range(MOST):
        if ask is None:
            return
        yield game, ask
        game.answer(wanderer.choose(game, ask))
        ask = game.run()


def shown(view: View, game: Game) -> list[str]:
    """Return everything that an onlooker sees of a position, except the log."""
    assert game.world.ask is not None
    return [
        view.table(game),
        view.question(game, game.world.ask),
        *view.options(game, game.world.ask),
        *view.kept(game),
    ]


def hidden(game: Game) -> list[str]:
    """Return the titles of face-down tiles and of tasks to come, which never become hidden again."""
    layout, program, names = image().layout, image().program, View(image()).names
    piles = [zone for zone in range(1, layout.zones) if program.zones[layout.zone_row[zone]].name in NEVER_BACK]
    things = [thing for zone in piles for thing in game.world.zones[zone]]
    within = {layout.definition_of[thing] for thing in things}
    without = {layout.definition_of[thing] for thing in range(layout.body) if thing not in things}
    return [names.definition(number) for number in sorted(within - without)]


@pytest.mark.parametrize("mission", games.first_few(["sluice-night", "ridge-signal", "drowned-valley"], 1))
def test_hidden_things_are_shown_nowhere(mission: str) -> None:
    views = {seat: View(image(), "en", (seat,)) for seat in range(PLAYERS)} | {-1: View(image())}
    chance, looked, listed = Generator(7, "secrets"), 0, 0
    for number, (game, ask) in enumerate(positions(mission, 5)):
        if number % 12:
            continue
        for who, view in views.items():
            other = game.clone()
            guess(other, who, chance)
            looked += other.digest() != game.digest()
            assert shown(view, other) == shown(view, game)
            assert happenings(view, other) == happenings(view, game)
            log = "\n".join(happenings(view, game))
            assert [name for name in hidden(game) if name in log] == []
            listed += len(hidden(game))
        assert ask == game.world.ask
    assert looked > 20
    assert listed or mission == "ridge-signal"


def test_face_down_tiles_are_hidden_until_revealed() -> None:
    """Only the machine knows the place of each card; a card that a player has seen is no longer in the pile."""
    layout = image().layout
    lurks = next(number for number, row in enumerate(image().program.fields) if row.name == "lurks")
    view, named = View(image()), 0
    assert image().program.fields[lurks].secret
    for game, _ in positions("drowned-valley", 5):
        low, high = layout.field_low[lurks], layout.field_high[lurks]
        lying = [thing for thing in range(low, high) if game.world.mem[layout.base[lurks] + thing] >= 0]
        assert all(game.secret(game.world.mem[layout.zone + thing]) for thing in lying)
        assert not any(view.stats(game, thing) for thing in lying)
        named += len(lying)
    assert named


def test_face_down_tiles_are_determinized_within_possible_spaces() -> None:
    """One on each space that bears the number of its back; which is which is not known."""
    layout, rows = image().layout, image().program.fields
    lurks, number, hideout = (
        next(at for at, row in enumerate(rows) if row.name == name) for name in ("lurks", "number", "hideout")
    )
    chance, seen = Generator(3, "secrets"), set()
    for game, ask in islice(positions("drowned-valley", 5), 12):
        other = game.clone()
        guess(other, ask.who, chance)
        spots = {
            thing: other.base_value(lurks, thing)
            for thing in range(layout.field_low[lurks], layout.field_high[lurks])
            if other.base_value(lurks, thing) >= 0
        }
        assert set(spots.values()) == {game.base_value(lurks, thing) for thing in spots}
        assert len(set(spots.values())) == len(spots)
        assert all(other.base_value(hideout, spot) == other.base_value(number, thing) for thing, spot in spots.items())
        seen.add(tuple(spots.values()))
    assert len(seen) > 3


def eager(game: Game, things: Sequence[int], options: Sequence[int]) -> bool:
    """Reveal everything, so that an onlooker can learn nothing new."""
    return False


@pytest.mark.skipif(Path(changes.__file__).suffix != ".py", reason="what is compiled calls what is compiled")
@pytest.mark.parametrize("mission", games.first_few(["drowned-valley", "sluice-night", "ridge-signal"], 1))
def test_late_shuffle_equals_early_shuffle(mission: str, monkeypatch: pytest.MonkeyPatch) -> None:
    late = 0
    for number, (game, ask) in enumerate(positions(mission, 5)):
        chance, again = Generator(number, "late"), Generator(number, "late")
        hidden_things = Hidden(game, ask.who)
        other, twice = game.clone(), game.clone()
        guess(other, ask.who, chance, hidden_things)
        with monkeypatch.context() as patch:
            patch.setattr(changes, "is_mere_order", eager)
            guess(twice, ask.who, again)
        assert not twice.world.unmixed
        assert chance.state == again.state
        late += len(other.world.unmixed)
        copy = other.clone()
        for zone in range(1, game.layout.zones):
            assert copy.contents(zone) == twice.contents(zone)
        assert not copy.world.unmixed
        assert other.digest() == twice.digest()
    assert late
