"""The answers of tree search, and its limits."""

from __future__ import annotations

from math import log2 as exactly
from pathlib import Path

import pytest
from pond_game import crossing, image

from fcbdsl.language.compiler import lower
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import DONE, Ask
from fcbdsl.play.bots import search
from fcbdsl.play.bots.search import ONE, SearchBot, log2
from fcbdsl.project.project import check_project


def asked_to_act(leaps: int = 0) -> tuple[Game, Ask]:
    """Return a game at its first offer after that many leaps; the fourth leap wins."""
    game = crossing(seed=4)
    game.run()
    game.answer(0)
    number = next(number for number, row in enumerate(image().program.fields) if row.name == "leaps")
    thing = next(thing for thing in range(*image().layout.range_of("game")))
    game.world.write(image().layout.base[number] + thing, leaps)
    ask = game.run()
    assert ask is not None
    return game, ask


@pytest.mark.parametrize("seed", range(3))
def test_search_bot_takes_winning_option(seed: int) -> None:
    game, ask = asked_to_act(leaps=3)
    option = ask.options[SearchBot(seed, 40).choose(game, ask)]
    assert game.program.actions[option[1]].name == "hop"


def test_search_is_deterministic_and_leaves_game_unchanged() -> None:
    game, ask = asked_to_act()
    before = game.digest()
    assert len({SearchBot(5, 12).choose(game, ask) for _ in range(3)}) == 1
    assert game.digest() == before


@pytest.mark.skipif(
    Path(search.__file__).suffix != ".py", reason="what is compiled calls what is compiled: nobody can count in between"
)
def test_search_keeps_to_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    game, ask = asked_to_act()
    ends: list[bool] = []
    play_on = SearchBot._play_on

    def counted(self: SearchBot, world: Game, pending: Ask | None, until: int, chance: Generator) -> None:
        ends.append(True)
        play_on(self, world, pending, until, chance)

    monkeypatch.setattr(SearchBot, "_play_on", counted)
    SearchBot(1, 7).choose(game, ask)
    assert len(ends) == 7


def test_integer_logarithms_are_close() -> None:
    for number in (*range(1, 300), 10**6, 10**9 + 7):
        assert 0 <= ONE * exactly(number) - log2(number) < 2


CASES = Path(__file__).parents[1] / "cases" / "bots"


def begun(name: str) -> tuple[Game, Ask]:
    """Return a game of a case at its first question."""
    model, problems = check_project([CASES / f"{name}.fcb"])
    assert problems == []
    game = setup.start_game(Image(lower(model)), f"one-{name}", 1, 1, {})
    ask = game.run()
    assert ask is not None
    return game, ask


@pytest.mark.parametrize("seed", range(4))
def test_search_bot_does_not_delay_forever(seed: int) -> None:
    game, ask = begun("weir")
    for _ in range(3):
        assert ask.options[SearchBot(seed, 20).choose(game, ask)] == (DONE,)
        game.answer(ask.options.index((DONE,)))
        after = game.run()
        assert after is not None
        ask = after


@pytest.mark.parametrize("seed", range(4))
def test_search_uses_endings_before_first_aim(seed: int) -> None:
    game, ask = begun("ford")
    names = [game.program.definitions[game.layout.definition_of[option[1]]].id for option in ask.options]
    assert names[SearchBot(seed, 20).choose(game, ask)] == "bob"
