"""`fcb play --views`: a program plays over JSON lines."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import games
import pytest

from fcbdsl.cli.seat_views import exchange_views
from fcbdsl.play.session.playout import Record, read_record, replay


def lines(capture: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capture.readouterr().out.splitlines()]


def test_json_lines_program_plays_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    image = games.image("escape")
    record = Record(image.program.hash, games.missions(image.program)[0], 2, 1)
    sent = ['{"t": "choose", "n": 0, "choice": 0}', "junk", '{"t": "choose", "n": 0, "choice": 0}', '{"t": "log"}']
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(sent) + "\n"))
    log = tmp_path / "game.log.json"
    exchange_views(image, record, (0, 1), "random", "en", log)
    messages = lines(capsys)
    assert [message["t"] for message in messages] == ["view", "view", "refused", "refused", "view"]
    assert [message.get("reason") for message in messages] == [None, None, "bad", "stale", None]
    assert messages[0]["scene"]["question"]["yours"]  # type: ignore[index]
    game_record = read_record(log.read_bytes())
    assert (game_record.decisions, game_record.outcome) == ([0], "open")
    assert replay(image, game_record).world.outcome_name() == "open"


def test_games_of_bots_show_views_of_seats(capsys: pytest.CaptureFixture[str]) -> None:
    image = games.image("escape")
    record = Record(image.program.hash, games.missions(image.program)[0], 2, 1)
    exchange_views(image, record, (), "random", "fr", None)
    messages = lines(capsys)
    assert all(message["scene"]["question"]["yours"] for message in messages[:-2])  # type: ignore[index]
    assert all("outcome" in message["scene"] for message in messages[-2:])  # type: ignore[operator]
