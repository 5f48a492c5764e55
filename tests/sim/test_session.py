"""Persons and bots in one game, and taking back."""

from __future__ import annotations

import pytest
from pond import crossing, machine, pond

from fcbdsl.sim.bots import Bot, RandomBot, make_bot
from fcbdsl.sim.playout import Record, replay
from fcbdsl.sim.session import Session
from fcbdsl.sim.view import View


def session(players: int = 1, bots: dict[int, Bot] | None = None) -> Session:
    record = Record(pond().hash, "crossing", players, 1)
    return Session(machine(), crossing(players), record, bots or {})


def take(game: Session, label: str) -> None:
    """Answer the pending question with the option of that name."""
    ask = game.world.ask
    assert ask is not None
    options = View(machine()).options(game.world, ask)
    game.choose(next(index for index, option in enumerate(options) if label in option))


def test_a_decision_is_taken_back() -> None:
    game = session()
    game.advance()
    take(game, "Green Frog")
    game.advance()
    before = machine().digest(game.world)
    take(game, "Hop")
    game.advance()
    assert not game.revealed()
    game.undo()
    game.advance()
    assert machine().digest(game.world) == before
    assert len(game.record.decisions) == 1


def test_nothing_is_taken_back_after_a_die_was_rolled() -> None:
    game = session()
    game.advance()
    take(game, "Green Frog")
    game.advance()
    take(game, "Dare")
    game.advance()
    rolled = machine().digest(game.world)
    assert game.revealed()
    game.undo()
    assert machine().digest(game.world) == rolled
    assert len(game.record.decisions) == 2


def test_nothing_is_taken_back_after_a_secret_card_was_drawn() -> None:
    game = session()
    game.advance()
    take(game, "Green Frog")
    game.advance()
    assert game.revealed()


def test_there_is_nothing_to_take_back_at_the_beginning() -> None:
    game = session()
    game.advance()
    assert not game.can_undo()
    game.undo()
    assert game.record.decisions == []


def test_a_bot_answers_for_its_player_only() -> None:
    game = session(2, {1: RandomBot(3)})
    ask = game.advance()
    while ask is not None:
        assert ask.who in (0, -1)
        game.choose(len(ask.options) - 1)
        ask = game.advance()
    assert replay(machine(), game.record).outcome == game.world.outcome


def test_an_option_that_is_not_there_changes_nothing() -> None:
    game = session()
    game.advance()
    with pytest.raises(IndexError):
        game.choose(99)
    assert not game.can_undo()
    assert game.record.decisions == []


def test_an_interrupted_game_keeps_a_record_that_replays() -> None:
    game = session()
    game.advance()
    take(game, "Green Frog")
    game.interrupt()
    assert replay(machine(), game.record).ask is not None


@pytest.mark.parametrize("name", ["random", "sensible"])
def test_a_bot_plays_the_same_game_again(name: str) -> None:
    records = []
    for _ in range(2):
        game = session(2, {seat: make_bot(name, 5 + seat) for seat in range(2)})
        assert game.advance() is None
        records.append(game.record)
    assert records[0] == records[1]
    assert records[0].outcome in ("win", "lose")


def test_the_sensible_bot_takes_a_win_in_reach() -> None:
    game = session(1, {0: make_bot("sensible", 1)})
    assert game.advance() is None
    assert game.record.outcome == "win"


def test_the_sensible_bot_does_not_change_the_world() -> None:
    game = session()
    ask = game.advance()
    assert ask is not None
    before = machine().digest(game.world)
    make_bot("sensible", 1).choose(machine(), game.world, ask)
    assert machine().digest(game.world) == before
