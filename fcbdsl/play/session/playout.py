"""Playing a game to its end: a playout, and the record that lets it be played again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from fcbdsl.base import versions
from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.runner import answer_all

if TYPE_CHECKING:
    from fcbdsl.play.bots.bots import Bot

FORMAT = versions.LOG
MOST_BYTES = 16 << 20


@dataclass(slots=True)
class Record:
    """The inputs of a game: program, mission, players, seed, switches and decisions; and how it ended.

    `digest` is the hash of the final state. An interrupted game has outcome ``open``.
    """

    program: str
    mission: str
    players: int
    seed: int
    switches: dict[str, str] = field(default_factory=dict)
    decisions: list[int] = field(default_factory=list)
    outcome: str = "open"
    digest: str = ""

    def to_json(self) -> bytes:
        """Return the record as canonical JSON (sorted keys, one line, UTF-8)."""
        content = {"format": FORMAT, **{name: getattr(self, name) for name in self.__slots__}}
        return (json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n").encode()


class BadRecord(ValueError):
    """A log that is not one of ours, or is damaged."""


def read_record(data: bytes) -> Record:
    """Read a record. Raise BadRecord for any data that `Record.to_json` would not write."""
    if len(data) > MOST_BYTES:
        raise BadRecord(f"it is larger than {MOST_BYTES} bytes")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadRecord("it is not JSON") from error
    if not isinstance(content, dict) or not isinstance(content.get("format"), str):
        raise BadRecord("it is not a log")
    written = content.pop("format")
    if written != FORMAT:
        raise BadRecord(versions.refusal(written, FORMAT))
    shapes = {"program": str, "mission": str, "players": int, "seed": int, "switches": dict, "decisions": list}
    shapes |= {"outcome": str, "digest": str}
    for name, shape in shapes.items():
        if type(content.get(name)) is not shape:
            raise BadRecord(f"its field {name!r} is missing or of the wrong type")
    if set(content) != set(shapes):
        raise BadRecord("it has fields that a log does not have")
    if not all(type(index) is int for index in content["decisions"]):
        raise BadRecord("its decisions are not all numbers")
    if not all(type(value) is str for value in content["switches"].values()):
        raise BadRecord("its variants are not all texts")
    return Record(**content)


def play_out(
    game: Game, bots: Sequence[Bot], record: Record | None = None, seen: Callable[[Ask], object] | None = None
) -> int:
    """Let bots answer every question until the game is over; return the number of decisions.

    `bots[p]` answers for player p; if several players are asked together, the bot of the first one answers. `seen` is
    called with each question.
    """
    decisions = answer_all(game, bots, None if record is None else record.decisions, seen)
    if record is not None:
        close_record(game, record)
    return decisions


def close_record(game: Game, record: Record) -> None:
    """Write the outcome and final hash of a game into its record."""
    record.outcome = game.world.outcome_name()
    record.digest = game.digest()


class Divergence(Exception):
    """A replay that differs from its record."""


def replay(image: Image, record: Record) -> Game:
    """Play a record again and return the game. Raise Divergence if a decision does not fit or the end differs."""
    if record.program != image.program.hash:
        raise Divergence(
            f"the log was made with the program {record.program}, this one is {image.program.hash}; "
            "the content has changed since"
        )
    game = setup.start_game(image, record.mission, record.players, record.seed, record.switches)
    retrace(game, record.decisions)
    if record.digest and game.digest() != record.digest:
        raise Divergence(f"the final state differs: {game.digest()} instead of {record.digest}")
    if record.digest and game.world.outcome_name() != record.outcome:
        raise Divergence(f"the outcome differs: {game.world.outcome_name()} instead of {record.outcome}")
    return game


def retrace(game: Game, decisions: Sequence[int]) -> None:
    """Take decisions again in a game that has just begun. Raise Divergence if one does not fit."""
    for number, index in enumerate(decisions, 1):
        ask = game.run()
        if ask is None:
            raise Divergence(f"the game was over before decision {number} of {len(decisions)}")
        if not 0 <= index < len(ask.options):
            raise Divergence(f"decision {number} takes option {index + 1} of {len(ask.options)}")
        game.answer(index)
    game.run()
