"""Playing a campaign step by step. Each step is a separate game that knows only the kept data.

The games of the campaign and of its missions share the image of one program. A step ends when the code of the journey
does. The next step begins with the data that is kept then, so a journey can be saved and resumed between any two steps.
Chance follows from the journey's seed and the number of the step.
"""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.machine.geometry.generator import stream_state
from fcbdsl.machine.vm import setup, teams
from fcbdsl.machine.vm.carry_over import CarryOver, carry_over, give
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.machine.vm.world import DRAW, DRAWN, FAULT, LOSE, LOST, WIN, WON, Ask, Fault, Option
from fcbdsl.play.session.playout import Record

MOST_SILENT = 64
"""Most consecutive steps without a question; after these, nothing more will happen."""
STUCK = "stuck"
"""The outcome of a campaign that has not ended, but in which no step is left."""


def campaigns(image: Image) -> list[str]:
    """Return the ids of a program's campaigns."""
    program = image.program
    return [row.id for row in program.definitions if program.kinds[row.kind].policy == "campaign"]


class Journey:
    """A campaign under way. `game` is the game of the present step, `steps` the number of finished steps.

    `steps` and `kept` give the starting point; see `begin_campaign` and `saved.resume`.
    """

    def __init__(
        self,
        image: Image,
        campaign: str,
        players: int,
        seed: int,
        switches: Mapping[str, str] | None = None,
        carried: CarryOver | None = None,
        steps: int = 0,
    ) -> None:
        self.image = image
        self.campaign = campaign
        self.players = players
        self.seed = seed
        self.switches = dict(switches or {})
        self.steps = steps
        self.base = start_of_steps(image, campaign, players, seed, self.switches)
        """The game in which every step begins, before it gets the kept data."""
        self._kept = carry_over(self.base) if carried is None else carried
        self._asked = False
        self._missions = 0
        self._stuck = False
        self.game = self._step()
        self._advance()

    # ── state ──────────────────────────────────────────────────────────────────────────────────

    @property
    def ask(self) -> Ask | None:
        """Return the pending question; one of kind ``mission`` waits for `arrive`. None: the campaign is over."""
        return self.game.world.ask

    @property
    def outcome(self) -> str:
        """Return ``open``, or how the campaign ended: ``win``, ``lose``, ``draw``, ``fault`` or ``stuck``."""
        return STUCK if self._stuck else self.game.world.outcome_name()

    @property
    def mission(self) -> str:
        """Return the id of the mission that is to be played now; empty if none is."""
        ask = self.ask
        return self.image.program.definitions[ask.options[0][1]].id if ask is not None and _is_mission(ask) else ""

    def kept(self) -> CarryOver:
        """Return the data that was kept when the present step began."""
        return self._kept

    # ── progress ───────────────────────────────────────────────────────────────────────────────

    def choose(self, index: int) -> None:
        """Take option `index` of the question. Raise IndexError if there is no such option."""
        self._asked = True
        self.game.answer(index)
        self._advance()

    def embark(self) -> Game:
        """Set up the mission to play, with the data kept so far. Raise ValueError if there is none."""
        ask = self._mission_asked()
        return setup.embark(self.game, ask.options[0][1], self.voyage().seed)

    def voyage(self) -> Record:
        """Return a new record for the mission to play. It does not contain the kept data: only `embark` adds that.

        Raise ValueError if there is no mission to play.
        """
        self._mission_asked()
        program = self.image.program
        seed = self._chance(f"mission {self._missions}")
        names = zip(program.switches, self.game.world.switches, strict=True)
        switches = {switch.name: switch.values[value] for switch, value in names}
        return Record(program.hash, self.mission, self.players, seed, switches)

    def arrive(self, mission: Game) -> None:
        """Take over the data that a finished mission keeps, and continue with its result.

        Raise ValueError if it is not over, or there is no mission to play.
        """
        ask = self._mission_asked()
        if not mission.world.outcome:
            raise ValueError("the mission is not over")
        self._missions += 1
        give(self.game, carry_over(mission))
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
        """Return a seed for a use in the present step."""
        return stream_state(stream_state(self.seed, name), str(self.steps))

    def _step(self) -> Game:
        """Return the game in which the present step begins."""
        game = begin_step(self.base.clone(), self._kept)
        game.reseed(self._chance("step"))
        return game

    def _advance(self) -> None:
        """Advance to the next question, through the steps that ask nothing."""
        silent = 0
        while self.game.run() is None and not self.game.world.outcome:
            carried = carry_over(self.game)
            silent = 0 if self._asked else silent + 1
            if not self._asked and (carried == self._kept or silent > MOST_SILENT):
                self._stuck = True
                return
            self._kept = carried
            self._asked = False
            self._missions = 0
            self.steps += 1
            self.game = self._step()


def _endings(mission: Game, number: int) -> list[Option]:
    """Return the results that the end of a mission may count as, the most specific first.

    If several teams win together, the mission is won, but by no team.
    """
    plain = _unnamed(mission, number)
    ending = mission.world.ending
    named: list[Option] = [
        (option[0], number, option[2] if option[2:] else -1, ending) for option in plain if ending >= 0
    ]
    return named + plain


def _unnamed(mission: Game, number: int) -> list[Option]:
    """Return the results that the end of a mission may count as, without its named ending."""
    world = mission.world
    layout = mission.layout
    sides = list(dict.fromkeys(_team(mission, side) for side in (world.side, *world.others)))
    if world.outcome == LOSE and sides[0] >= 0:
        rivals = [team for team in range(layout.teams_low, layout.teams_high) if team not in sides]
        return [*[(WON, number, rival) for rival in rivals if len(rivals) == 1], (LOST, number)]
    if world.outcome == WIN:
        own = [(WON, number, side) for side in sides if side >= 0]
        return [*(own if len(own) == 1 else []), (WON, number)]
    return [(DRAWN, number), (LOST, number)] if world.outcome == DRAW else [(LOST, number)]


def _team(mission: Game, side: int) -> int:
    """Return the team of a side that won or lost: of a player their team (-1: none), else the side itself."""
    low, high = mission.layout.players_low, mission.layout.players_high
    return teams.of_player(mission, side - low) if low <= side < high else side


def start_of_steps(
    image: Image, campaign: str, players: int, seed: int, switches: Mapping[str, str] | None = None
) -> Game:
    """Return the game in which the steps of a campaign begin, without kept data. Raise `setup.CannotStart` if that is
    impossible."""
    if campaign not in campaigns(image):
        raise CannotStart(f"there is no campaign `{campaign}`")
    return setup.start_game(image, campaign, players, seed, switches)


def begin_step(game: Game, carried: CarryOver) -> Game:
    """Give kept data to a copy of the game in which the steps of a campaign begin; return the copy."""
    give(game, carried)
    game.world.log, game.world.happened = [], 0
    return game


def _is_mission(ask: Ask) -> bool:
    return ask.kind == "mission"


def begin_campaign(
    image: Image, campaign: str, players: int, seed: int, switches: Mapping[str, str] | None = None
) -> Journey:
    """Begin a campaign. Raise `setup.CannotStart` if that is impossible."""
    return Journey(image, campaign, players, seed, switches)
