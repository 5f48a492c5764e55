"""Plays a campaign in a file at random, and checks its invariants after each answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.carry_over import CarryOver
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.campaign.journey import begin_campaign
from fcbdsl.play.campaign.logbook import Logbook
from fcbdsl.play.campaign.saved import journey_to_json
from fcbdsl.play.campaign.store import Store, create
from fcbdsl.play.session.playout import close_record
from fcbdsl.play.soak.inspection import Inspector
from fcbdsl.play.soak.soak import Wanderer

LOOKS = 25
"""Number of decisions of a mission between two inspections of its world."""


@dataclass(slots=True)
class Roamed:
    """The results of a random journey.

    `stations`: the kept data at the start of each step since the last rewind, and nothing at the end; `missions`:
    missions played; `decided`: missions won or lost without play; `backs`: rewinds.
    """

    outcome: str = "open"
    steps: int = 0
    answers: int = 0
    missions: int = 0
    decided: int = 0
    backs: int = 0
    stations: list[CarryOver] = field(default_factory=list)


class Roamer:
    """Plays at random.

    `plays`: missions in eight whose decisions are made; of the others only the end is decided. `turns`: answers in a
    hundred before which it rewinds to a random point.
    """

    def __init__(
        self, image: Image, file: Path, campaign: str, players: int, seed: int, plays: int, turns: int
    ) -> None:
        journey = begin_campaign(image, campaign, players, seed)
        create(file, [(-1, journey_to_json(journey), image.program.hash)])
        self.image = image
        self.file = file
        self.chance = Generator(seed, "roamer")
        self.wanderer = Wanderer(seed)
        self.plays, self.turns = plays, turns
        self.inspector = Inspector(image, 7)
        self.told = Roamed()
        self.points: dict[int, str] = {}

    def roam(self, most: int) -> Roamed:
        """Give at most that many answers, or play to the end of the campaign."""
        with Store(self.file) as store:
            log = Logbook(self.image, store)
            self._arrived(log)
            while log.journey.ask is not None and self.told.answers < most:
                log = self._back(log) if self.chance.below(100) < self.turns else self._on(log)
            self.told.outcome = log.journey.outcome
            for number, digest in self.points.items():
                store.rewind(number)
                assert self._stand(Logbook(self.image, store)) == digest
        return self.told

    # ── one answer ─────────────────────────────────────────────────────────────────────────────

    def _on(self, log: Logbook) -> Logbook:
        journey, steps = log.journey, log.journey.steps
        self._look(journey.game)
        ask = journey.ask
        assert ask is not None
        if journey.mission and self.chance.below(8) < self.plays:
            self._play(log)
        else:
            self.told.decided += 1 if journey.mission else 0
            index = self.chance.below(len(ask.options)) if journey.mission else self.wanderer.choose(journey.game, ask)
            log.choose(index, f"option {index}")
        self.told.answers += 1
        if journey.steps != steps:
            self._arrived(log)
        return log if self.chance.below(3) else self._again(log)

    def _play(self, log: Logbook) -> None:
        """Play a mission at random; in the middle, continue from the file."""
        game, record = log.embark()
        wanderer, image = Wanderer(self.chance.below(1 << 30)), self.image
        handing = self.chance.below(200)
        ask = game.run()
        while ask is not None:
            if len(record.decisions) % LOOKS == 0:
                self._look(game)
            record.decisions.append(wanderer.choose(game, ask))
            game.answer(record.decisions[-1])
            ask = game.run()
            if len(record.decisions) == handing:
                log.decide(record)
                digest = game.digest()
                game, record = Logbook(image, log.store).embark()
                ask = game.run()
                assert game.digest() == digest
        self._look(game)
        self.told.missions += 1
        close_record(game, record)
        log.arrive(game, record, f"{record.mission}: {record.outcome}")

    def _back(self, log: Logbook) -> Logbook:
        """Rewind to a random point, and assert that everything is as it was."""
        number = 1 + self.chance.below(len(log.store.points()))
        log.store.rewind(number)
        log = Logbook(self.image, log.store)
        assert self._stand(log) == self.points[number]
        self.told.backs += 1
        self.told.answers += 1
        self.told.stations = [log.journey.kept()]
        return log

    def _again(self, log: Logbook) -> Logbook:
        """Resume the journey from the file."""
        resumed = Logbook(self.image, log.store)
        assert self._stand(resumed) == self._stand(log)
        assert resumed.journey.kept() == log.journey.kept()
        return resumed

    # ── what must hold ─────────────────────────────────────────────────────────────────────────

    def _arrived(self, log: Logbook) -> None:
        """Check a new step, which begins with a new point."""
        self.told.steps += 1
        self.told.stations.append(log.journey.kept())
        number = log.store.point().number
        assert number not in self.points
        self.points[number] = self._stand(log)

    def _stand(self, log: Logbook) -> str:
        journey = log.journey
        return f"{journey.steps} {journey.outcome} {journey.ask} {journey.game.digest()}"

    def _look(self, game: Game) -> None:
        assert self.inspector.look(game, game.world.ask, self.told.answers) is None
