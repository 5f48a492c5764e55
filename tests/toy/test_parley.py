"""A game of windows, made of content alone: the order and the number of answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import setup, teams
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import NONE, EventActivation
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.project import check_project

TOY = Path(__file__).parents[1] / "systems" / "parley"
PLAYERS = 4
SEEDS = range(12)


@pytest.fixture(scope="module")
def image() -> Image:
    model, problems = check_project([TOY])
    assert [problem.message for problem in problems] == []
    program = lower(model, tests=True)
    assert not verify_program(program)
    return Image(program)


def test_own_tests_pass(image: Image) -> None:
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    assert len(results) >= 6
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


@dataclass
class Opened:
    """A window of an event: its subject, and the asked and the answering players, in order."""

    entry: EventActivation
    event: str
    about: int
    asked: list[tuple[int, bool]] = field(default_factory=list)

    def answers(self) -> list[int]:
        """Return the players who answered."""
        return [who for who, answers in self.asked if answers]


def evening(image: Image, seed: int) -> tuple[Game, list[Opened]]:
    """Return an evening among bots, and its windows in the order in which they were opened."""
    game = setup.start_game(image, "", PLAYERS, seed, {})
    bot = RandomBot(seed)
    out: list[Opened] = []
    ask = game.run()
    while ask is not None:
        index = bot.choose(game, ask)
        top = game.world.stack[-1]
        if isinstance(top, EventActivation):
            opened = next((window for window in out if window.entry is top), None)
            if opened is None:
                about = top.r[2] if len(top.r) > 2 else -1
                opened = Opened(top, image.program.events[top.event].name, about)
                out.append(opened)
            opened.asked.append((ask.who, ask.options[index] != (NONE,)))
        game.answer(index)
        ask = game.run()
    assert game.world.fault is None
    return game, out


def chair(game: Game, who: int) -> int:
    """Return the chair of the envoy of a player."""
    image = game.image
    number = next(n for n, row in enumerate(image.program.fields) if row.name == "chair")
    low, high = image.layout.range_of("envoy")
    return next(game.value(number, thing) for thing in range(low, high) if game.controller(thing) == who)


def distance(game: Game, who: int, about: int) -> int:
    """Return how far a player sits from somebody."""
    number = next(n for n, row in enumerate(game.program.fields) if row.name == "chair")
    return (chair(game, who) - game.value(number, about)) % 4


@pytest.mark.parametrize("seed", SEEDS)
def test_reaction_windows_keep_order_and_limits(image: Image, seed: int) -> None:
    game, windows = evening(image, seed)
    assert {window.event for window in windows} == {"toast", "wager", "gossip", "silence"}
    for window in windows:
        players = [who for who, _ in window.asked]
        match window.event:
            case "toast":
                order = [distance(game, who, window.about) for who in players]
                assert order == sorted(order)
                assert len(set(players)) == len(players)
            case "wager":
                assert [distance(game, who, window.about) for who in players[:1]] <= [3]
                last = max((at for at, (_, answers) in enumerate(window.asked) if answers), default=-1)
                assert len(set(players[last + 1 :])) == len(players[last + 1 :])
            case "gossip":
                sides = [teams.of_player(game, who) for who in window.answers()]
                assert len(set(sides)) == len(sides)
                assert [chair(game, who) for who in players] == sorted([chair(game, who) for who in players])[::-1]
            case "silence":
                assert len(window.answers()) <= 1
                assert players == sorted(players)


def test_reactions_are_asked_in_turn(image: Image) -> None:
    """No player is asked twice in a row while another can act."""
    again = 0
    for seed in SEEDS:
        game, windows = evening(image, seed)
        for window in (window for window in windows if window.event == "wager"):
            for (before, _), (who, _) in zip(window.asked, window.asked[1:], strict=False):
                if who != before:
                    gap = (distance(game, who, window.about) - distance(game, before, window.about)) % 4
                    assert 0 < gap < 4
            again += len(window.asked) - len({who for who, _ in window.asked})
    assert again > 0


def test_nested_reactions_have_own_windows(image: Image) -> None:
    both = [
        seed
        for seed in SEEDS
        for _, windows in [evening(image, seed)]
        for outer in windows
        for inner in windows
        if outer.event == inner.event == "toast" and outer is not inner and set(outer.answers()) & set(inner.answers())
    ]
    assert both
