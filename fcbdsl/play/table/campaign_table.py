"""A campaign at a table: a table for each mission, and one for each question between missions."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from fcbdsl.play.campaign.logbook import Logbook
from fcbdsl.play.campaign.store import BadStore
from fcbdsl.play.session.playout import Record
from fcbdsl.play.session.view import View
from fcbdsl.play.table.table import GameTable, Reason

if TYPE_CHECKING:
    from fcbdsl.play.bots.bots import Bot


class CampaignTable:
    """A campaign with its file. `table`: that of the mission under way, or of the question between two missions.

    The file keeps each decision before anybody sees what it leads to, as `fcb campaign` does.
    """

    def __init__(self, log: Logbook, language: str, bots: Callable[[Record], Mapping[int, Bot]]) -> None:
        """`language`: that of the lines in the history. `bots`: those of a mission; people answer all other questions.
        Raises BadStore if saved decisions do not fit the mission."""
        self._log = log
        self._language = language
        self._bots = bots
        self.table = self._present()

    @property
    def is_between(self) -> bool:
        """Return whether the table asks a question between missions, or the campaign is over."""
        return self.table.history is not None

    def save(self) -> None:
        """Save the last decision. A question between missions then gives way to the next one. Raises OSError."""
        if not self.is_between:
            self._safely(lambda: self._log.decide(self.table.record))
            return
        journey, index = self._log.journey, self.table.record.decisions[-1]
        if journey.ask is None:
            return
        line = self._view().options(journey.game, journey.ask)[index]
        self._safely(lambda: self._log.choose(index, line))
        self.table = self._present()

    def proceed(self, seats: tuple[int, ...], n: int) -> Reason:
        """End the finished mission for some seats, and go on with the campaign. Raises OSError."""
        if n != self.table.n:
            return "stale"
        if not seats or self.is_between or self.table.ask is not None:
            return "not-yours"
        game, record = self.table.session.game, self.table.record
        line = f"{self.table.title(self._language)}: {self._view().outcome(game)}"
        self._safely(lambda: self._log.arrive(game, record, line))
        self.table = self._present()
        return ""

    # ── details ────────────────────────────────────────────────────────────────────────────────

    def _present(self) -> GameTable:
        """Return a table for the next decision of the campaign."""
        log, journey = self._log, self._log.journey
        if journey.mission:
            record = journey.voyage()
            record.decisions = log.store.decisions()
            return GameTable(log.image, record, self._bots(record), lambda _: journey.embark())
        home = journey.game.clone()
        record = Record(log.image.program.hash, journey.campaign, journey.players, journey.seed, journey.switches)
        history = tuple("; ".join(point.said) for point in log.store.points() if point.said)
        return GameTable(log.image, record, {}, lambda _: home.clone(), history, self._ending())

    def _ending(self) -> str:
        """Return how the campaign ended; empty if it goes on, or the outcome of its game shows it."""
        journey = self._log.journey
        if journey.ask is not None or journey.game.world.outcome:
            return ""
        return journey.outcome

    def _view(self) -> View:
        return View(self._log.image, self._language, range(self._log.journey.players))

    def _safely(self, save: Callable[[], None]) -> None:
        """Save. If that fails, go back to what the file contains, and raise OSError."""
        try:
            save()
        except (sqlite3.Error, BadStore, OSError) as error:
            between = self.is_between
            if between or self.table.ask is None:
                self._log = Logbook(self._log.image, self._log.store)
            if between:
                self.table = self._present()
            raise OSError(str(error)) from error
