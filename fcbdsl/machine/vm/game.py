"""A game: a position that can be played, queried and copied. `interpreter` and `frames` run its codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fcbdsl.machine.geometry.generator import stream_states
from fcbdsl.machine.vm import events, offers, saving, teams
from fcbdsl.machine.vm.frames import call, fail, new_frame, push
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.interpreter import execute
from fcbdsl.machine.vm.linker import EvaluationCache
from fcbdsl.machine.vm.op import Asking
from fcbdsl.machine.vm.position import Position
from fcbdsl.machine.vm.serialization import Json
from fcbdsl.machine.vm.stats import base_value, read_stat
from fcbdsl.machine.vm.world import (
    BY_CHANCE,
    CLOSING,
    DRAW,
    L_ANSWER,
    L_END,
    LOSE,
    OPEN,
    STAGED,
    STREAMS,
    WIN,
    Ask,
    Chance,
    EventActivation,
    Frame,
    LogEntry,
    Option,
    VMFault,
    World,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

FUEL: Final = 200_000
"""Fuel per decision: the number of backward jumps, calls, events and (by size) native searches."""
TOO_LONG: Final = "this takes too long: an endless loop?"
"""Message of the fault when a game runs on without a decision."""
NO_LIMIT: Final = 1 << 30
"""More than any zone holds."""
MOST_LOG: Final = 1 << 18


class Game(Position):
    """A game in progress: call `run` and `answer` in turn until `run` returns None.

    All state is in `world`. Several games may share an image.
    """

    __slots__ = (
        "chance", "codes", "depth", "effect_observer", "elsewhere", "evaluation_cache", "fuel", "has_new_changes",
        "hears_changes", "is_lookahead", "list_result", "log_observer", "marks", "modifiers", "moment_observer",
        "result", "root_cache", "rule_rows", "ruled", "shortage_observer", "stops_at_chance", "suppressed_entries",
    )  # fmt: skip

    def __init__(self, image: Image, world: World) -> None:
        super().__init__(image, world)
        self.codes = image.codes
        self.marks = image.marks_on(world.board)
        declared = image.in_force(world.origin, world.mission)
        self.ruled, self.rule_rows = declared.ruled, declared.rule_rows
        self.modifiers, self.elsewhere = declared.modifiers, declared.elsewhere
        self.fuel: i64 = FUEL
        self.depth: i64 = 0
        self.result: i64 = 0
        self.list_result: tuple[int, ...] = ()
        self.hears_changes = image.hears_changes
        """Whether something listens to changes, so that ops report them."""
        self.has_new_changes = self.hears_changes
        """Whether changes have happened that `whenever` listeners have not seen. Not part of the world: see `run`."""
        self.is_lookahead = False
        """Look-ahead mode: the game only finds out whether there is any action to offer, and how much happens: see
        `ahead`."""
        self.stops_at_chance = False
        """Whether the game stops before dice are rolled at random: see `vm.milestones`."""
        self.chance: Chance | None = None
        """The random result before which the game has stopped."""
        self.suppressed_entries = 0
        """Number of log entries suppressed in look-ahead mode; they count towards the limit of the log."""
        self.evaluation_cache: EvaluationCache | None = None
        """Cached parts of the evaluation function, while it is computed."""
        self.root_cache: EvaluationCache | None = None
        """Cached parts of the evaluation function at the root of the look-ahead: see `cache_evaluation`."""
        self.log_observer: Callable[[LogEntry], None] | None = None
        """Observer of log entries, called while the cause of the entry is still on the stack. A clone has none."""
        self.shortage_observer: Callable[[int, int, int], None] | None = None
        """Observer of effects that want something and get nothing: a definition without an instance in the box, or an
        empty zone (the other is -1), and the span. A clone has none."""
        self.moment_observer: Callable[[Frame, int], None] | None = None
        """Observer of moments within a run from which a copy of the game can be played on: before the available actions
        are listed, and see `Image.observes_inputs`. It is called with the frame and the op. A clone has none."""
        self.effect_observer: Callable[[Frame], None] | None = None
        """Observer of effects, called when an effect (PERFORM) begins, whether or not it changes anything. A clone has
        none."""

    # ── playing ────────────────────────────────────────────────────────────────────────────────

    def run(self) -> Ask | None:
        """Run ops up to the next question, and return it; None when the game (or a `STAGED` effect) is over."""
        pending = self.world.ask
        if pending is not None or self.world.outcome:
            return pending
        self.refuel()
        # a loaded game must continue like the saved one; a second check is harmless
        return self.resume(self.fuel, self.hears_changes)

    def resume(self, fuel: i64, has_new_changes: bool) -> Ask | None:
        """Do the same as `run`, in a copy that was made during a run, with what was left then of the fuel and of
        changes that listeners have to see."""
        self.fuel = fuel
        self.has_new_changes = has_new_changes
        return self._run_on()

    def go_on(self) -> Ask | None:
        """Continue after a stop before a random result, like a game that has not stopped."""
        assert self.world.ask is BY_CHANCE
        self.world.ask = None
        if not self.stops_at_chance:
            self.chance = None  # else the op that rolls the dice does this
        return self._run_on()

    def _run_on(self) -> Ask | None:
        try:
            execute(self)
            world = self.world
            if world.ask is None and not world.outcome and not world.stack and not world.flags & STAGED:
                self.end(DRAW, -1, -1, -1)
        except VMFault as error:
            fail(self, str(error), -1, -1)
        if self.world.outcome:
            self.world.stack.clear()
            self.world.ask = None
        return self.world.ask

    def answer(self, index: int) -> None:
        """Take option `index` of the pending question. Raise IndexError if there is no such option."""
        ask = self.world.ask
        if ask is None or not 0 <= index < len(ask.options):
            raise IndexError(f"there is no option {index}")
        self.refuel()
        self.world.ask = None
        top = self.world.stack[-1]
        code = pc = -1
        if isinstance(top, Frame):
            code, pc = top.code, top.pc
        try:
            head = (L_ANSWER, ask.span, ask.who)
            self.note(head + ask.options[index])
            if isinstance(top, Frame):
                op = self.image.code(top.code)[top.pc]
                assert isinstance(op, Asking)
                op.answer(self, top, ask, index)
            elif isinstance(top, EventActivation):
                events.answer(self, top, ask, index)
        except VMFault as error:
            fail(self, str(error), code, pc)

    def begin(self, code: int, self_: int, this: int) -> None:
        """Put an effect on top of the stack; `run` plays it."""
        self.refuel()
        try:
            push(self, new_frame(self, code, [self_, this], [], -1))
        except VMFault as error:
            fail(self, str(error), code, 0)

    def actions(self, actors: tuple[int, ...]) -> list[Option]:
        """Return every action that these actors may take now; empty if the code faults."""
        depth = self._look()
        try:
            return offers.options(self, actors)
        except VMFault:
            self._forget(depth)
            return []

    def begin_action(self, option: Option) -> None:
        """Put an action from `actions` on top of the stack."""
        self.refuel()
        try:
            offers.begin_action(self, option, -1)
        except VMFault as error:
            fail(self, str(error), self.program.actions[option[1]].body, 0)

    # ── queries, which do not change the world ─────────────────────────────────────────────────

    def test(self, code: int, self_: int = -1, this: int = -1, more: tuple[int, ...] = ()) -> int:
        """Return the answer of a pure code, given `more` beside self and this. A fault inside it counts as 0 and leaves
        the world as it was."""
        return self._outside(code, self_, this, more)

    def references(self, code: int) -> tuple[int, ...]:
        """Return the list that a pure code answers."""
        self._outside(code, -1, -1)
        return self.list_result

    def _outside(self, code: int, self_: int, this: int, more: tuple[int, ...] = ()) -> int:
        depth = self._look()
        try:
            return call(self, code, [self_, this, *more], [])
        except VMFault:
            self._forget(depth)
            return 0

    def _look(self) -> int:
        """Prepare for a query, which must not change the world; return the depth of the stack."""
        self.refuel()
        self.list_result = ()
        return len(self.world.stack)

    def _forget(self, depth: int) -> None:
        """Undo the effects of a fault on a world that must not change."""
        del self.world.stack[depth:]
        self.list_result = ()
        self.world.fault = None
        self.world.outcome = OPEN

    def outlook(self, who: int = -1) -> int:
        """Return the value of the position for `who` (see `vm.teams`) by the evaluation function; 0 if there is
        none."""
        if self.program.outlook < 0:
            return 0
        own = -1 if who == teams.EVERYBODY else self.layout.players_low + teams.deciding_seats(self, who)[0]
        cache = self.root_cache
        if cache is None or cache.own != own:
            return self.test(self.program.outlook, own)
        cache.look_at(self.world)
        self.evaluation_cache = cache
        value = self.test(self.program.outlook, own)
        self.evaluation_cache = None
        return value

    def cache_evaluation(self, who: int) -> int:
        """Return the value of the position, and cache its parts for look-ahead games.

        Look-ahead games then share the values of parts that read equal memory. Until the next call, this game may only
        be used for look-ahead.
        """
        if self.program.outlook < 0:
            return 0
        own = -1 if who == teams.EVERYBODY else self.layout.players_low + teams.deciding_seats(self, who)[0]
        self.image.code(self.program.outlook)
        parts = self.image.parts
        assert parts is not None
        seen = parts.seen(self.image, self.world.mission, len(self.world.mem))
        self.root_cache = EvaluationCache(own, len(parts.codes), seen)
        return self.outlook(who)

    def value(self, field: int, thing: int) -> int:
        """Return a thing's field, with modifiers; without them if they fault."""
        depth = self._look()
        try:
            return read_stat(self, field, thing)
        except VMFault:
            self._forget(depth)
            return base_value(self, field, thing)

    # ── worlds as data ─────────────────────────────────────────────────────────────────────────

    def clone(self) -> Game:
        """Return an independent copy of the game."""
        return Game(self.image, saving.clone(self.world))

    def ahead(self, like: World | None = None) -> Game:
        """Return a game for look-ahead in the same position, cheaper than a clone.

        This game must not be used until `take_back` is called on the look-ahead game, which must not be used
        afterwards. A question of the look-ahead game about actions lists only the option to stop: the game determines
        whether there is any action, not which. It writes no log. `like`: its position, except for memory.
        """
        other = Game(self.image, saving.ahead(self.world, like))
        other.is_lookahead = True
        other.suppressed_entries = self.suppressed_entries
        other.root_cache = self.root_cache
        return other

    def branch(self) -> Game:
        """Return a copy that writes into the memory of this game, cheaper than a clone.

        Only one of them can be in use: `World.take_back` restores the memory for the other. Branches of a branch share
        its undo log.
        """
        return Game(self.image, saving.fork(self.world))

    def take_back(self) -> None:
        """Finish the look-ahead: restore the memory of the original world."""
        self.world.take_back()

    def save(self) -> Json:
        """Return the world as JSON-able data, from which `loading.load_game` makes the game again."""
        return saving.save(self)

    def digest(self) -> str:
        """Return the identity of a world's state: equal exactly for equal states, on every platform."""
        return saving.world_hash(self.world)

    def reseed(self, seed: int) -> None:
        """Replace all future random numbers, for a bot that must not foresee them."""
        self.world.rng = stream_states(seed, STREAMS)

    def script(self, values: tuple[int, ...], flags: int = 0) -> None:
        """Let the next dice show `values`; `flags`: see `world.RANDOM_ASKED` and its neighbors."""
        self.world.script += values
        self.world.flags |= flags

    # ── what ops and the other parts of the machine use ────────────────────────────────────────

    def refuel(self) -> None:
        """Reset the fuel after a decision."""
        self.fuel = FUEL
        self.depth = 0

    def spend(self, fuel: int) -> None:
        """Use up fuel; raises VMFault when there is none left."""
        self.fuel -= fuel
        if self.fuel < 0:
            raise VMFault(TOO_LONG)

    def note(self, row: tuple[int, ...]) -> None:
        """Add an entry to the log (sort, span, data: see `world.LOGGED`). If `is_lookahead`, only count it."""
        w = self.world
        if w.happened + self.suppressed_entries >= MOST_LOG:
            raise VMFault("too much has happened in this game")
        if self.is_lookahead:
            self.suppressed_entries += 1
            return
        if len(w.log) != w.happened:
            w.log = w.log[: w.happened]
        w.log.append(row)
        w.happened += 1
        if self.log_observer is not None:
            self.log_observer(LogEntry(w.happened, row))

    def end(self, outcome: int, side: int, why: int, span: int, others: tuple[int, ...] = (), ending: int = -1) -> bool:
        """Declare the end of the game; return False if play continues first.

        A win waits for the current event if losses take precedence. An end that is already being announced can't be
        replaced. `others`: the sides that share the end with `side`; `ending`: its name (a thing, or -1).
        """
        w = self.world
        if w.flags & CLOSING:
            return False
        verdict = (outcome, side, why, span)
        if self.program.loss_first and outcome != LOSE and any(isinstance(item, EventActivation) for item in w.stack):
            if w.verdict is None:
                w.verdict, w.others, w.ending = verdict, others, ending
            return False
        w.verdict, w.others, w.ending = verdict, others, ending
        event = {WIN: self.program.won, LOSE: self.program.lost}.get(outcome, -1)
        if event >= 0 and (events.has_listener(self, event) or w.effects):
            w.flags |= CLOSING
            w.stack.clear()
            events.happen(self, event, -1, [-1, -1, side], [()] * 3, span)
        else:
            self._close()
        return True

    def settle(self) -> None:
        """Declare the delayed verdict, or close the game after its announcement, when no event is in progress."""
        w = self.world
        if w.verdict is None or any(isinstance(item, EventActivation) for item in w.stack):
            return
        if w.flags & CLOSING:
            self._close()
        else:
            outcome, side, why, span = w.verdict
            self.end(outcome, side, why, span, w.others, w.ending)

    def _close(self) -> None:
        """End the game with its verdict."""
        w = self.world
        assert w.verdict is not None
        w.outcome, w.side, w.why, span = w.verdict
        w.verdict = None
        w.flags &= ~CLOSING
        self.note((L_END, span, w.outcome, w.side, w.why, *w.others))

    # ── queries that use fuel or run code ──────────────────────────────────────────────────────

    def sees(self, a: int, b: int, strict: bool, past: Sequence[int] = ()) -> bool:
        """Return whether a line of sight joins two spaces of the board, given by their numbers there. Pieces that block
        sight stop it between them, unless they are among `past`."""
        ground = self.ground()
        if not ground.sees(a, b, strict):
            return False
        crowd: bytearray | None = None
        for low, high in self.image.blocking_sight:
            self.spend(1 + (high - low >> 3))
            for piece in range(low, high):
                cell = self.cell(piece)
                if cell >= 0 and piece not in past:
                    if crowd is None:
                        crowd = bytearray(ground.size)
                    crowd[cell] = 1
        return crowd is None or ground.sees_among(a, b, bytes(crowd), strict)

    def capacity(self, zone: int) -> int:
        """Return the most things that a zone takes."""
        limit = self.image.zone_limits[zone]
        if limit < 0:
            return NO_LIMIT
        owner = self.layout.zone_owner[zone]
        return call(self, limit, [owner, owner], [])

    def select(self, kind: int) -> tuple[int, ...]:
        """Return every thing of a kind that is in play, by number."""
        self.spend((self.layout.high[kind] - self.layout.low[kind]) >> 3)
        selected = self.world.selected[kind]
        return selected if selected is not None else self.found_in_play(kind)
