"""A table with one screen and no network: the page that ``fcb share`` writes runs this module in Pyodide."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.play.bots.roster import bots_beside_persons
from fcbdsl.play.session.playout import BadRecord, Divergence, Record, read_record
from fcbdsl.play.table.screen import Screen
from fcbdsl.play.table.table import GameTable
from fcbdsl.play.table.table_protocol import (
    BadMessage,
    ChooseCommand,
    ForesightCommand,
    Message,
    Proceed,
    Speak,
    TakeBack,
    TurnTo,
    Walk,
    encode_message,
    read_command,
)


class NoGame(Exception):
    """A file from which no game can be played."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The game of a shared file. `seats`: those of people at the screen; `bot` plays all others. `seed`: that of every
    new game; None for a random one. `dressings`: the name of the looks in each language, the first language first."""

    mission: str
    players: int
    seats: tuple[int, ...]
    bot: str
    dressings: dict[str, str]
    switches: dict[str, str]
    seed: int | None = None


class LoneTable:
    """A game and its only screen: JSON messages of ``table/1`` in, lists of them out."""

    def __init__(self, plan: GamePlan, program: bytes, seal: str) -> None:
        """`program`: the bytes of a program file. They are verified unless `seal` is their SHA-256. Raises NoGame."""
        loaded = fcbc.load_fcbc(program, sound=hashlib.sha256(program).hexdigest() == seal)
        if isinstance(loaded, fcbc.Refused):
            raise NoGame(str(loaded))
        self._image = Image(loaded)
        self._plan = plan
        self._screen: Screen | None = None

    @property
    def screen(self) -> Screen:
        """Return the screen that `begin` has made."""
        assert self._screen is not None
        return self._screen

    def begin(self, lot: int, saved: str = "", language: str = "") -> str:
        """Begin a new game with the random number `lot`, or continue the game of the log `saved` if it fits. Return the
        first messages. Raises NoGame."""
        plan = self._plan
        if self._screen is not None:
            language = self._screen.language
        fresh = Record(
            self._image.program.hash,
            plan.mission,
            plan.players,
            lot if plan.seed is None else plan.seed,
            dict(plan.switches),
        )
        table = self._resumed(saved, fresh) if saved else None
        if table is None:
            try:
                table = self._table(fresh)
            except CannotStart as error:
                raise NoGame(str(error)) from error
        self._screen = Screen(table, plan.seats, language, tuple(plan.dressings))
        return _listed([self.screen.greeting(plan.dressings[self.screen.language]), self.screen.view(whole=True)])

    def obey(self, text: str) -> str:
        """Carry out a message of the page; return the answers."""
        screen = self.screen
        try:
            command = read_command(text)
        except BadMessage as bad:
            return _listed([screen.refusal("bad", str(bad)), screen.view(whole=False)])
        if isinstance(command, ForesightCommand):
            answer = screen.foresee(command)
            return _listed([answer()] if answer is not None else [])
        if isinstance(command, ChooseCommand | TakeBack | Walk | Proceed | TurnTo):
            reason = screen.decide(command)
            refused = [screen.refusal(reason)] if reason else []
            return _listed([*refused, screen.view(whole=False)])
        language = command.language if isinstance(command, Speak) else screen.language
        return _listed(screen.turn(command, self._plan.dressings.get(language, "")))

    def moving(self) -> bool:
        """Return whether a bot decides next."""
        return self.screen.table.session.waits()

    def step(self) -> str:
        """Let a bot decide; return the messages."""
        self.screen.table.step()
        return _listed([self.screen.view(whole=False)])

    def saved(self) -> str:
        """Return the log of the game, as `begin` continues it."""
        return self.screen.table.record.to_json().decode()

    def log(self) -> str:
        """Return the log of the game with the hash of its present state, which ``fcb replay`` confirms."""
        table = self.screen.table
        return replace(table.record, digest=table.session.game.digest()).to_json().decode()

    def _table(self, record: Record) -> GameTable:
        bots = bots_beside_persons(self._plan.bot, record.players, self._plan.seats, record.seed)
        return GameTable(self._image, record, bots)

    def _resumed(self, saved: str, fresh: Record) -> GameTable | None:
        """Return the table of a log; None if it is not one of this game."""
        try:
            record = read_record(saved.encode())
            of = (record.program, record.mission, record.players, record.switches)
            if of != (fresh.program, fresh.mission, fresh.players, fresh.switches):
                return None
            return self._table(record)
        except (BadRecord, CannotStart, Divergence):
            return None


def open_table(plan: Mapping[str, object], program: bytes, seal: str) -> LoneTable:
    """Return the table of a plan as JSON data. Raises NoGame."""
    from fcbdsl.machine.vm.serialization import decode_record

    return LoneTable(decode_record(GamePlan, dict(plan)), program, seal)  # type: ignore[arg-type]


def _listed(messages: Iterable[Message]) -> str:
    return f"[{','.join(map(encode_message, messages))}]"
