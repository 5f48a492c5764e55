"""A journey that is kept in a file as it goes: each answer is on the disk before anything is said about it."""

from __future__ import annotations

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.play.campaign.journey import Journey
from fcbdsl.play.campaign.saved import resume, to_json
from fcbdsl.play.campaign.store import AnswerRecord, BadStore, SavePoint, Store
from fcbdsl.play.session.playout import Divergence, Record, read_record, retrace


class Changed(Exception):
    """The content has changed, and what is kept does not fit it any more; `lost`: names that it has no more."""

    def __init__(self, lost: tuple[str, ...]) -> None:
        super().__init__(", ".join(lost))
        self.lost = lost


class HalfDone(Exception):
    """The content has changed in the middle of a step, whose answers mean nothing in the new one."""


class Logbook:
    """A campaign under way: the journey at its last confirmed answer, and the file that keeps it.

    `migrated`: the content has changed since the last point, but has everything that is kept.
    """

    def __init__(self, image: Image, store: Store) -> None:
        """Take up the journey where the file has it. Raises Changed, HalfDone, BadStore."""
        self.image = image
        self.store = store
        self.point: SavePoint = store.point()
        self.journey, self.migrated = _taken_up(image, self.point)
        answers = store.answers()
        if self.migrated and (answers or store.decisions()):
            raise HalfDone
        for answer in answers:
            self._repeat(answer)

    # ── answering ──────────────────────────────────────────────────────────────────────────────

    def choose(self, index: int, said: str) -> None:
        """Take an option of the journey's question; `said`: how it is told later."""
        steps = self.journey.steps
        self.journey.choose(index)
        self._keep(AnswerRecord(said, chosen=index), steps)

    def embark(self) -> tuple[Game, Record]:
        """The mission that is to be played now, as far as its decisions are kept, and its record. Raises BadStore."""
        record = self.journey.voyage()
        record.decisions = self.store.decisions()
        try:
            return self._played(record), record
        except Divergence as trouble:
            raise BadStore(f"its decisions do not fit the mission ({trouble})") from trouble

    def decide(self, record: Record) -> None:
        """Keep what has been decided in the mission so far."""
        self.store.decide(record.decisions)

    def arrive(self, game: Game, record: Record, said: str) -> None:
        """End the mission, which is over, and go on with the journey."""
        steps = self.journey.steps
        self.journey.arrive(game)
        self._keep(AnswerRecord(said, record=record.to_json().decode()), steps)

    # ── details ────────────────────────────────────────────────────────────────────────────────

    def _keep(self, answer: AnswerRecord, steps: int) -> None:
        """Write an answer, and the point that was reached if it ended the step."""
        if self.journey.steps == steps:
            self.store.answer(answer)
            return
        self.store.answer(answer, (to_json(self.journey), self.image.program.hash))
        self.point = self.store.point()
        self.migrated = False

    def _repeat(self, answer: AnswerRecord) -> None:
        """Let the journey go through an answer that is kept."""
        try:
            if answer.chosen is not None:
                self.journey.choose(answer.chosen)
            elif answer.record is not None:
                record = read_record(answer.record.encode())
                self.journey.arrive(self._played(record))
        except (Divergence, IndexError, ValueError) as trouble:
            raise BadStore(f"an answer that it keeps does not fit what it answers ({trouble})") from trouble

    def _played(self, record: Record) -> Game:
        """The mission after the decisions of a record. Raises Divergence if they don't fit."""
        game = self.journey.embark()
        retrace(game, record.decisions)
        return game


def _taken_up(image: Image, point: SavePoint) -> tuple[Journey, bool]:
    """The journey at a point, and whether the content has changed since."""
    try:
        found = resume(image, point.state)
    except CannotStart as trouble:
        raise BadStore(f"what it keeps can't be played ({trouble})") from trouble
    if found.journey is None:
        raise Changed(tuple(found.lost))
    return found.journey, found.migrated
