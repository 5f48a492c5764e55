"""Persons and bots in one game, and undo."""

from __future__ import annotations

import pytest
from pond_game import crossing, image, pond

from fcbdsl.play.bots.bots import Bot, RandomBot
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.playout import Record, replay
from fcbdsl.play.session.session import Session
from fcbdsl.play.session.view import View


def seated(players: int = 1, bots: dict[int, Bot] | None = None) -> Session:
    record = Record(pond().hash, "crossing", players, 1)
    return Session(crossing(players), record, bots or {})


def take(table: Session, label: str) -> None:
    """Answer the pending question with the option of that name."""
    ask = table.game.world.ask
    assert ask is not None
    options = View(image()).options(table.game, ask)
    table.choose(next(index for index, option in enumerate(options) if label in option))


def test_decision_can_be_undone() -> None:
    table = seated()
    table.advance()
    take(table, "Green Frog")
    table.advance()
    before = table.game.digest()
    take(table, "Hop")
    table.advance()
    assert not table.revealed()
    table.undo()
    table.advance()
    assert table.game.digest() == before
    assert len(table.record.decisions) == 1


def test_undo_is_refused_after_roll() -> None:
    table = seated()
    table.advance()
    take(table, "Green Frog")
    table.advance()
    take(table, "Dare")
    table.advance()
    rolled = table.game.digest()
    assert table.revealed()
    table.undo()
    assert table.game.digest() == rolled
    assert len(table.record.decisions) == 2


def test_undo_is_refused_after_secret_draw() -> None:
    table = seated()
    table.advance()
    take(table, "Green Frog")
    table.advance()
    assert table.revealed()


def test_undo_is_refused_at_start() -> None:
    table = seated()
    table.advance()
    assert not table.can_undo()
    table.undo()
    assert table.record.decisions == []


def test_bot_answers_only_for_its_player() -> None:
    table = seated(2, {1: RandomBot(3)})
    ask = table.advance()
    while ask is not None:
        assert ask.who in (0, -1)
        table.choose(len(ask.options) - 1)
        ask = table.advance()
    assert replay(image(), table.record).world.outcome == table.game.world.outcome


def test_unknown_option_changes_nothing() -> None:
    table = seated()
    table.advance()
    with pytest.raises(IndexError):
        table.choose(99)
    assert not table.can_undo()
    assert table.record.decisions == []


def test_interrupted_game_keeps_replayable_record() -> None:
    table = seated()
    table.advance()
    take(table, "Green Frog")
    table.interrupt()
    assert replay(image(), table.record).world.ask is not None


@pytest.mark.parametrize("name", ["random", "sensible"])
def test_bot_repeats_game(name: str) -> None:
    records = []
    for _ in range(2):
        table = seated(2, {seat: make_bot(name, 5 + seat) for seat in range(2)})
        assert table.advance() is None
        records.append(table.record)
    assert records[0] == records[1]
    assert records[0].outcome in ("win", "lose")


def test_sensible_bot_takes_win_in_reach() -> None:
    table = seated(1, {0: make_bot("sensible", 1)})
    assert table.advance() is None
    assert table.record.outcome == "win"


def test_sensible_bot_does_not_change_world() -> None:
    table = seated()
    ask = table.advance()
    assert ask is not None
    before = table.game.digest()
    make_bot("sensible", 1).choose(table.game, ask)
    assert table.game.digest() == before
