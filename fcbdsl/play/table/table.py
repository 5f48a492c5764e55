"""A game at a table: its seats, what each of them may do, and what each of them is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Literal

from fcbdsl.base.locales import interface_texts
from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.teams import deciding_seats as seats_of
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.session.playout import Divergence, Record
from fcbdsl.play.session.session import Session
from fcbdsl.play.session.story import Heading, StoryLine, StoryTeller, Witness
from fcbdsl.play.table.foresight import Foresight, Way
from fcbdsl.play.table.scene import PublicFacts, SceneMaker, SceneView
from fcbdsl.play.table.table_protocol import TableView, ToldLine

if TYPE_CHECKING:
    from fcbdsl.play.bots.bots import Bot

Reason = Literal["", "not-yours", "stale", "no-choice", "nothing", "revealed", "others", "bots"]
"""Why a seat may not do something; empty: it may."""


@dataclass(slots=True)
class _Audience:
    """Seats that see the same in one language. `fresh`: the number of lines before their last decision."""

    scene: SceneMaker
    teller: StoryTeller
    forks: dict[int, tuple[StoryTeller, int]] = field(default_factory=dict)
    fresh: int = 0


class GameTable:
    """One game and its seats. Only `view` returns anything for a seat."""

    def __init__(
        self,
        image: Image,
        record: Record,
        bots: Mapping[int, Bot],
        start: Callable[[Record], Game] | None = None,
        history: tuple[str, ...] | None = None,
        ending: str = "",
        is_story: bool = False,
    ) -> None:
        """Begin or resume the game of a record. `bots`: by seat. `start`: makes the game before its first decision.
        `history`: the finished steps of a campaign, if its next step is decided at this table; `ending`: how the
        campaign ended. `is_story`: people look at a finished game and have no secrets. Raises CannotStart,
        or Divergence if a decision of the record does not fit."""
        self.image = image
        self._start = start or (lambda record: started_game(image, record))
        self.history = history
        self._ending = ending
        self.is_story = is_story
        self._bots = bots
        self._witness = Witness()
        self._audiences: dict[tuple[tuple[int, ...], str, bool], _Audience] = {}
        self._deciders: list[tuple[int, ...]] = []
        self._public: dict[str, PublicFacts] = {}
        self._public_of = 0
        self.n = 0
        """The number of the present position; commands for another one are refused."""
        taken = record.decisions
        self.session = self._begun(replace(record, decisions=[], outcome="open", digest=""))
        for number, index in enumerate(taken, 1):
            ask = self.session.pending()
            if ask is None or not 0 <= index < len(ask.options):
                raise Divergence(f"decision {number} of {len(taken)} does not fit")
            if not self.session.waits():
                self._deciders.append(seats_of(self.session.game, ask.who))
            self.session.retrace(index)
        self.session.pending()
        self._witness.watch(self.session.game)

    def _begun(self, record: Record) -> Session:
        return Session(self._start(record), record, self._bots)

    @property
    def record(self) -> Record:
        """Return the record of the game so far."""
        return self.session.record

    @property
    def ask(self) -> Ask | None:
        """Return the pending question; None when the game is over."""
        return self.session.game.world.ask

    def title(self, language: str) -> str:
        """Return the title of the mission."""
        return SceneMaker(self.image, language, ()).view.mission(self.record.mission)

    def bots(self) -> tuple[int, ...]:
        """Return the seats that bots play."""
        return tuple(sorted(self._bots))

    def asked(self) -> tuple[int, ...]:
        """Return the seats that answer the pending question; none when the game is over."""
        return seats_of(self.session.game, self.ask.who) if self.ask is not None else ()

    def is_parted(self, seats: tuple[int, ...]) -> bool:
        """Return whether some of these seats know what others of them must not see. Between missions people decide
        together."""
        return (
            self.history is None
            and not self.is_story
            and len(seats) > 1
            and SceneMaker(self.image, "en", seats).view.parted(self.session.game, seats)
        )

    # ── commands ───────────────────────────────────────────────────────────────────────────────

    def choose(self, seats: tuple[int, ...], n: int, choice: int) -> Reason:
        """Answer the pending question for some seats."""
        ask = self.ask
        if n != self.n:
            return "stale"
        if ask is None or self.session.waits() or not set(self.asked()) & set(seats):
            return "not-yours"
        if not 0 <= choice < len(ask.options):
            return "no-choice"
        decided = len(self.record.decisions)
        for (of, _, _), audience in self._audiences.items():
            audience.forks[decided] = audience.teller.fork(), audience.fresh
            if set(of) & set(seats):
                audience.fresh = len(audience.teller.story.entries)
        self._deciders.append(self.asked())
        self.session.choose(choice)
        self._go_on()
        return ""

    def walk(self, seats: tuple[int, ...], n: int, way: Way) -> Reason:
        """Answer several questions for some seats. Stop early if a question is not the expected one, or if a decision
        reveals something."""
        shown = self.session.game.world.reveals
        for number, step in enumerate(way):
            ask = self.ask
            if number and (self.session.waits() or self.session.game.world.reveals != shown):
                break
            if ask is None or (ask.kind, tuple(ask.options)) != (step.kind, step.options):
                return "" if number else "stale"
            reason = self.choose(seats, n + number, step.choice)
            if reason:
                return "" if number else reason
        return ""

    def foresight(self, seats: tuple[int, ...], language: str, together: bool = False) -> Foresight:
        """Return what some seats can foresee of the present position."""
        scene = self._audience(seats, language, together).scene
        scene.look(self.session.game, self.ask)
        return Foresight(self.session.game, scene, seats, self.n, len(self.record.decisions))

    def may_undo(self, seats: tuple[int, ...]) -> Reason:
        """Return why some seats may not take back the last decision of a person."""
        if not self.session.can_undo():
            return "nothing"
        if not set(self._deciders[-1]) & set(seats):
            return "others"
        return "revealed" if self.session.revealed() else ""

    def undo(self, seats: tuple[int, ...], n: int) -> Reason:
        """Take back the last decision of a person, with what bots have decided since."""
        reason: Reason = "stale" if n != self.n else self.may_undo(seats)
        if reason:
            return reason
        self.session.undo()
        who = self._deciders.pop()
        decided = len(self.record.decisions)
        self._witness = Witness(self.session.game)
        for (of, language, together), audience in self._audiences.items():
            forked = audience.forks.pop(decided, None)
            if forked is None:
                audience.teller, audience.fresh = self._caught_up_teller(of, language, together), 0
            else:
                audience.teller, audience.fresh = forked
            audience.forks = {at: fork for at, fork in audience.forks.items() if at < decided}
            audience.teller.witnessed(self._witness)
            names = audience.scene.view.names
            number = who[0] if len(who) == 1 else -1
            text = interface_texts("table", language)["took-back"].format(names.who(self.session.game, number))
            audience.teller.story.entries.append(StoryLine(decided, 0, 0, text, "", ()))
        self.n += 1
        return ""

    def step(self) -> bool:
        """Let a bot answer the pending question; return False if it goes to a person."""
        if not self.session.step():
            return False
        self._go_on()
        return True

    def _go_on(self) -> None:
        self.session.pending()
        for audience in self._audiences.values():
            audience.teller.catch_up(self.session.game)
        self._witness.stacks.clear()
        self.n += 1

    # ── views ──────────────────────────────────────────────────────────────────────────────────

    def view(
        self, seats: tuple[int, ...], language: str, together: bool = False, whole: bool = False, seen: int = 0
    ) -> TableView:
        """Return what some seats see; of the log the lines since their last decision, or the `whole` of it. `seen`:
        the number of lines that a page has and need not receive."""
        audience = self._audience(seats, language, together)
        lines = audience.teller.story.entries
        start = 0 if whole else seen or min(audience.fresh, max(0, len(lines) - 1))
        reason = self.may_undo(seats) if seats and not self.is_story else "others"
        return TableView(
            t="view",
            n=self.n,
            scene=self.scene(seats, language, together),
            start=start,
            fresh=audience.fresh,
            told=tuple(_happening(entry) for entry in lines[start:]),
            undo="" if reason else "yes",
            because=interface_texts("table", language)[f"undo-{reason}"] if reason and not self.is_story else "",
            moving=self.session.waits(),
            history=self.history,
            kept=self._kept(seats, language, together),
        )

    def _kept(self, seats: tuple[int, ...], language: str, together: bool) -> tuple[str, ...]:
        """Return what a campaign keeps, as far as some seats may know it."""
        if self.history is None:
            return ()
        return tuple(self._audience(seats, language, together).scene.view.kept(self.session.game))

    def scene(self, seats: tuple[int, ...], language: str, together: bool = False) -> SceneView:
        """Return what some seats see of the position."""
        maker = self._audience(seats, language, together).scene
        if self._public_of != self.n:
            self._public_of, self._public = self.n, {}
        scene = maker.look(self.session.game, self.ask, self._public.setdefault(language, {}))
        return replace(scene, outcome=maker.view.names.say(self._ending)) if self._ending else scene

    def _audience(self, seats: tuple[int, ...], language: str, together: bool) -> _Audience:
        key = (seats, language, together)
        if key not in self._audiences:
            teller = self._caught_up_teller(seats, language, together)
            teller.witnessed(self._witness)
            scene = SceneMaker(self.image, language, seats, together)
            self._audiences[key] = _Audience(scene, teller, fresh=0)
        return self._audiences[key]

    def _caught_up_teller(self, seats: tuple[int, ...], language: str, together: bool) -> StoryTeller:
        """Return a teller whose story contains the game so far."""
        session = self._begun(replace(self.record, decisions=[]))
        witness = Witness(session.game)
        view = SceneMaker(self.image, language, seats, together).view
        teller = StoryTeller(view, session.game, self.record, witness, explained=True)
        session.game.run()
        teller.catch_up(session.game)
        for index in self.record.decisions:
            session.game.answer(index)
            session.game.run()
            teller.catch_up(session.game)
            witness.stacks.clear()
        return teller


def started_game(image: Image, record: Record) -> Game:
    """Return the game of a record before its first decision. Raises CannotStart."""
    return setup.start_game(image, record.mission, record.players, record.seed, record.switches)


def _happening(entry: Heading | StoryLine) -> ToldLine:
    if isinstance(entry, Heading):
        return ToldLine(entry.text, level=entry.level)
    causes = dict.fromkeys(cause.text for cause in entry.causes if cause.text and cause.text != entry.text)
    return ToldLine(entry.text, depth=entry.depth, causes=tuple(causes))
