"""Records of games: written, read, refused, replayed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pond_game import crossing, image, pond

from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.session.playout import BadRecord, Divergence, Record, play_out, read_record, replay


def played(seed: int = 1) -> Record:
    record = Record(pond().hash, "crossing", 2, seed)
    play_out(crossing(2, seed), [RandomBot(1), RandomBot(2)], record)
    return record


def test_record_round_trips() -> None:
    record = played()
    assert read_record(record.to_json()) == record


def test_record_replays() -> None:
    """FCB-DICE-08."""
    record = played()
    assert replay(image(), record).digest() == record.digest


SMALL = Record("0" * 32, "crossing", 1, 1)


def change(**values: Any) -> bytes:
    return json.dumps({**json.loads(SMALL.to_json()), **values}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"{}",
        b"[1]",
        change(format="fcb-log/0"),
        change(decisions=[0, "1"]),
        change(decisions=[True]),
        change(seed="1"),
        change(switches={"wind": 1}),
        change(more=1),
    ],
    ids=["empty", "binary", "deep", "object", "list", "format", "text", "flag", "seed", "switch", "more"],
)
def test_invalid_record_is_refused(data: bytes) -> None:
    with pytest.raises(BadRecord):
        read_record(data)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"program": "0" * 32}, "content has changed"),
        ({"digest": "0" * 32}, "final state differs"),
        ({"outcome": "forged"}, "the outcome differs"),
        ({"outcome": "open"}, "the outcome differs"),
        ({"decisions": [99]}, "takes option 100"),
        ({"decisions": [-1]}, "takes option 0"),
    ],
)
def test_record_of_other_game_diverges(values: dict[str, Any], says: str) -> None:
    with pytest.raises(Divergence, match=says):
        replay(image(), replace(played(), **values))


def test_too_many_decisions_diverge() -> None:
    record = played()
    with pytest.raises(Divergence, match="was over before decision"):
        replay(image(), replace(record, decisions=[*record.decisions, 0]))
