"""Playing a campaign step by step. Each step is a game of its own that knows nothing but what was kept.

The games of the campaign and of its missions share the image of one program. A step ends when the code of
the journey does; what it then keeps is all that the next step begins with, so that a journey can be left and
taken up again between any two steps. Chance follows from the journey's seed and the number of the step.
"""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.machine.geometry.generator import stream_state
from fcbdsl.machine.vm import setup, teams
from fcbdsl.machine.vm.carry_over import CarryOver, give, taken
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.machine.vm.world import DRAW, DRAWN, FAULT, LOSE, LOST, WIN, WON, Ask, Fault, Option
from fcbdsl.play.session.playout import Record

MOST_SILENT = 64
"""Most steps that go by without a question; then nothing more will happen."""
STUCK = "stuck"
"""The outcome of a campaign that has not ended, but in which there is nothing left to do."""


def campaigns(image: Image) -> list[str]:
    """The ids of a program's campaigns."""
    program = image.program
    return [row.id for row in program.definitions if program.kinds[row.kind].policy == "campaign"]


class Journey:
    """A campaign under way. `game` is that of the present step, `steps` the number of those that are over.

    `start` and `kept` say where it begins; see `begin`, and `saved.resume`."""

    def __init__(
        self,
        image: Image,
        campaign: str,
        players: int,
        seed: int,
        switches: Mapping[str, str] | None = None,
        kept: CarryOver | None = None,
        steps: int = 0,
    ) -> None:
        if campaign not in campaigns(image):
            raise CannotStart(f"there is no campaign `{campaign}`")
        self.image = image
        self.campaign = campaign
        self.players = players
        self.seed = seed
        self.switches = dict(switches or {})
        self.steps = steps
        self.base = setup.start(image, campaign, players, seed, self.switches)
        """The game in which every step begins, before it gets what was kept."""
        self._kept = taken(self.base) if kept is None else kept
        self._asked = False
        self._missions = 0
        self._stuck = False
        self.game = self._step()
        self._advance()

    # ── what there is to do ────────────────────────────────────────────────────────────────────

    @property
    def ask(self) -> Ask | None:
        """The pending question; one of kind ``mission`` waits for `arrive`. None: the campaign is over."""
        return self.game.world.ask

    @property
    def outcome(self) -> str:
        """``open``, or how the campaign ended: ``win``, ``lose``, ``draw``, ``fault`` or ``stuck``."""
        return STUCK if self._stuck else self.game.world.outcome_name()

    @property
    def mission(self) -> str:
        """The id of the mission that is to be played now; empty if none is."""
        ask = self.ask
        return self.image.program.definitions[ask.options[0][1]].id if ask is not None and _is_mission(ask) else ""

    def kept(self) -> CarryOver:
        """What was kept when the present step began."""
        return self._kept

    # ── doing it ───────────────────────────────────────────────────────────────────────────────

    def choose(self, index: int) -> None:
        """Take option `index` of the question. Raises IndexError if there is none of that number."""
        self._asked = True
        self.game.answer(index)
        self._advance()

    def embark(self) -> Game:
        """Set up the mission to be played, with what is kept so far. Raises ValueError if none is."""
        ask = self._mission_asked()
        return setup.embark(self.game, ask.options[0][1], self.voyage().seed)

    def voyage(self) -> Record:
        """The record that the mission to be played begins with; of its game, `embark` alone knows what is kept.

        Raises ValueError if none is to be played."""
        self._mission_asked()
        program = self.image.program
        seed = self._chance(f"mission {self._missions}")
        names = zip(program.switches, self.game.world.switches, strict=True)
        switches = {switch.name: switch.values[value] for switch, value in names}
        return Record(program.hash, self.mission, self.players, seed, switches)

    def arrive(self, mission: Game) -> None:
        """Take home what a mission keeps, and go on: it was won, or it was not.

        Raises ValueError if it is not over, or no mission is to be played."""
        ask = self._mission_asked()
        if not mission.world.outcome:
            raise ValueError("the mission is not over")
        self._missions += 1
        give(self.game, taken(mission))
        fault = mission.world.fault
        ended = [option for option in _endings(mission, ask.options[0][1]) if option in ask.options]
        if mission.world.outcome != FAULT and not ended:
            fault = Fault("the `play` of this mission has no row for this result", -1, -1, ask.span)
        if fault is not None:
            world = self.game.world
            world.outcome, world.fault, world.ask = FAULT, fault, None
            return
        self.choose(ask.options.index(ended[0]))

    def _mission_asked(self) -> Ask:
        if self.ask is None or not _is_mission(self.ask):
            raise ValueError("there is no mission to play now")
        return self.ask

    # ── steps ──────────────────────────────────────────────────────────────────────────────────

    def _chance(self, name: str) -> int:
        """A seed for something in the present step."""
        return stream_state(stream_state(self.seed, name), str(self.steps))

    def _step(self) -> Game:
        """The game in which the present step begins."""
        game = fresh(self.image, self.base, self._kept)
        game.reseed(self._chance("step"))
        return game

    def _advance(self) -> None:
        """Go on to the next question, through the steps that ask nothing."""
        silent = 0
        while self.game.run() is None and not self.game.world.outcome:
            kept = taken(self.game)
            silent = 0 if self._asked else silent + 1
            if not self._asked and (kept == self._kept or silent > MOST_SILENT):
                self._stuck = True
                return
            self._kept = kept
            self._asked = False
            self._missions = 0
            self.steps += 1
            self.game = self._step()


def _endings(mission: Game, number: int) -> list[Option]:
    """What the end of a mission may count as, the nearest first."""
    world = mission.world
    layout = mission.layout
    team = world.side
    if layout.players_low <= team < layout.players_high:
        team = teams.of_player(mission, team - layout.players_low)
    if world.outcome == LOSE and team >= 0:
        rivals = [one for one in range(layout.teams_low, layout.teams_high) if one != team]
        return [*[(WON, number, one) for one in rivals if len(rivals) == 1], (LOST, number)]
    if world.outcome == WIN:
        return [*[(WON, number, one) for one in (team,) if one >= 0], (WON, number)]
    return [(DRAWN, number), (LOST, number)] if world.outcome == DRAW else [(LOST, number)]


def fresh(image: Image, base: Game, kept: CarryOver) -> Game:
    """A copy of the game in which the steps of a campaign begin, with what was kept."""
    game = base.clone()
    give(game, kept)
    game.world.log, game.world.happened = [], 0
    return game


def _is_mission(ask: Ask) -> bool:
    return ask.kind == "mission"


def begin(image: Image, campaign: str, players: int, seed: int, switches: Mapping[str, str] | None = None) -> Journey:
    """Begin a campaign. Raises `setup.CannotStart`."""
    return Journey(image, campaign, players, seed, switches)
