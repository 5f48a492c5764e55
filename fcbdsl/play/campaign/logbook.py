"""A journey with its file: each answer is saved before the program reports any result of it."""

from __future__ import annotations

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.play.campaign.journey import Journey
from fcbdsl.play.campaign.saved import journey_to_json, resume
from fcbdsl.play.campaign.store import AnswerRecord, BadStore, SavePoint, Store
from fcbdsl.play.session.playout import Divergence, Record, read_record, retrace


class Changed(Exception):
    """The content has changed, and the saved data does not fit it anymore; `lost`: names that no longer exist."""

    def __init__(self, lost: tuple[str, ...]) -> None:
        super().__init__(", ".join(lost))
        self.lost = lost


class HalfDone(Exception):
    """The content has changed in the middle of a step, so that its answers mean nothing in the new content."""


class Logbook:
    """A campaign under way: the journey at its last saved answer, and the file that stores it.

    `migrated`: the content has changed since the last point, but still contains every saved name.
    """

    def __init__(self, image: Image, store: Store) -> None:
        """Resume the journey from the file. Raise Changed, HalfDone or BadStore if that is impossible."""
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

    def choose(self, index: int, line: str) -> None:
        """Take an option of the journey's question. `line`: its line in the history."""
        steps = self.journey.steps
        self.journey.choose(index)
        self._keep(AnswerRecord(line, chosen=index), steps)

    def embark(self) -> tuple[Game, Record]:
        """Return the mission to play, with the saved decisions applied, and its record. Raise BadStore if they do not
        fit."""
        record = self.journey.voyage()
        record.decisions = self.store.decisions()
        try:
            return self._played(record), record
        except Divergence as error:
            raise BadStore(f"its decisions do not fit the mission ({error})") from error

    def decide(self, record: Record) -> None:
        """Save the decisions of the mission so far."""
        self.store.decide(record.decisions)

    def arrive(self, game: Game, record: Record, line: str) -> None:
        """End the finished mission, and continue the journey. `line`: its line in the history."""
        steps = self.journey.steps
        self.journey.arrive(game)
        self._keep(AnswerRecord(line, record=record.to_json().decode()), steps)

    # ── details ────────────────────────────────────────────────────────────────────────────────

    def _keep(self, answer: AnswerRecord, steps: int) -> None:
        """Save an answer, and the new point if it ended the step."""
        if self.journey.steps == steps:
            self.store.answer(answer)
            return
        self.store.answer(answer, (journey_to_json(self.journey), self.image.program.hash))
        self.point = self.store.point()
        self.migrated = False

    def _repeat(self, answer: AnswerRecord) -> None:
        """Apply a saved answer to the journey."""
        try:
            if answer.chosen is not None:
                self.journey.choose(answer.chosen)
            elif answer.record is not None:
                record = read_record(answer.record.encode())
                self.journey.arrive(self._played(record))
        except (Divergence, IndexError, ValueError) as error:
            raise BadStore(f"a saved answer does not fit its question ({error})") from error

    def _played(self, record: Record) -> Game:
        """Return the mission after the decisions of a record. Raise Divergence if they do not fit."""
        game = self.journey.embark()
        retrace(game, record.decisions)
        return game


def _taken_up(image: Image, point: SavePoint) -> tuple[Journey, bool]:
    """Return the journey at a point, and whether the content has changed since."""
    try:
        resumed = resume(image, point.state)
    except CannotStart as error:
        raise BadStore(f"its saved state can't be played ({error})") from error
    if resumed.journey is None:
        raise Changed(tuple(resumed.lost))
    return resumed.journey, resumed.migrated
