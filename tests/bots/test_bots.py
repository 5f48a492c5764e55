"""The answers of the sensible bot."""

from __future__ import annotations

from pond_game import crossing, image

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import DONE, Ask
from fcbdsl.play.bots.bots import SensibleBot, under_way


def asked_to_act(energy: int) -> tuple[Game, Ask]:
    """Return a new game at its first offer, whose frog has that much energy."""
    game = crossing()
    assert game.run() is not None
    game.answer(0)
    ask = game.run()
    assert ask is not None
    assert ask.kind == "action"
    layout = image().layout
    field = next(number for number, row in enumerate(image().program.fields) if row.name == "energy")
    low, high = layout.range_of("frog")
    for frog in range(low, high):
        game.world.write(layout.base[field] + frog, energy)
    return game, ask


def name(ask: Ask, index: int) -> str:
    option = ask.options[index]
    return "done" if option == (DONE,) else image().program.actions[option[1]].name


def test_greedy_bot_takes_improving_option() -> None:
    """A hop is a leap, although only the answer to where makes it one."""
    game, ask = asked_to_act(energy=3)
    assert name(ask, SensibleBot(1).choose(game, ask)) == "hop"


def test_greedy_bot_stops_before_useless_option() -> None:
    game, _ = asked_to_act(energy=0)
    offered = game.actions(tuple(range(*image().layout.range_of("frog"))))
    ask = Ask(-1, "action", (*(option for option in offered if name_of(option) != "hop"), (DONE,)))
    assert len(ask.options) > 1
    game.world.ask = Ask(-1, "action", ask.options, span=game.world.ask.span if game.world.ask else -1)
    assert name(game.world.ask, SensibleBot(1).choose(game, game.world.ask)) == "done"


def name_of(option: tuple[int, ...]) -> str:
    return image().program.actions[option[1]].name


def test_evaluation_does_not_change_game() -> None:
    game, ask = asked_to_act(energy=3)
    before = game.digest()
    SensibleBot(1).choose(game, ask)
    assert game.digest() == before


def test_same_seed_makes_same_choice() -> None:
    game, ask = asked_to_act(energy=3)
    assert len({SensibleBot(5).choose(game, ask) for _ in range(3)}) == 1


def test_bot_evaluates_position_after_whole_action() -> None:
    """The offer that the action answers is below it, at its next step."""
    game, ask = asked_to_act(energy=3)
    hop = next(number for number in range(len(ask.options)) if name(ask, number) == "hop")
    offering = len(game.world.stack)
    game.answer(hop)
    assert under_way(game) == offering < len(game.world.stack)
