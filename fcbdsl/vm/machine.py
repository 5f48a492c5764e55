"""The machine: plays the games of one program. It holds what all of them share; a `World` is one game's state."""

from __future__ import annotations

from collections.abc import Mapping

from fcbdsl.game.generator import stream_state
from fcbdsl.vm import events, loading, offers, saving, setup, tracks
from fcbdsl.vm.linker import link
from fcbdsl.vm.op import Asking, Op
from fcbdsl.vm.present import Present
from fcbdsl.vm.program import Program
from fcbdsl.vm.records import Json
from fcbdsl.vm.stats import base_value, guard_depth, read
from fcbdsl.vm.watching import Marks, watched
from fcbdsl.vm.world import (
    CLOSING,
    DRAW,
    FAULT,
    L_ANSWER,
    L_END,
    LOSE,
    NOWHERE,
    OPEN,
    STAGED,
    STREAMS,
    WIN,
    Ask,
    EventActivation,
    Fault,
    Frame,
    Item,
    LogNode,
    Option,
    VMFault,
    World,
)

FUEL = 200_000
"""Backward jumps, calls, events and (by size) native searches between two decisions."""
MOST_STACK = 256
MOST_LOG = 1 << 18


class Machine(Present):
    """Plays games of a program: `start`, then `run` and `answer` in turn until `run` returns None.

    A world is passed to every method; the machine keeps nothing of it between calls but a reference.
    """

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._codes: list[list[Op] | None] = [None] * len(program.codes)
        self._marks: Marks | None = None
        self.fuel = FUEL
        self.depth = 0
        self.result = 0
        self.list_result: tuple[int, ...] = ()

    # ── playing ────────────────────────────────────────────────────────────────────────────────

    def start(
        self, mission: str, players: int, seed: int, switches: Mapping[str, str] | None = None, *, flow: bool = True
    ) -> World:
        """Set up a game of a mission, or a step of a campaign (its id; empty: none). Raises `setup.CannotStart`."""
        return setup.start(self, mission, players, seed, switches or {}, flow)

    def embark(self, home: World, mission: int, seed: int) -> World:
        """Set up a mission (a definition's number) of the campaign whose world is `home`, with what is kept there."""
        return setup.embark(self, home, mission, seed)

    def stage(self, test: int, seed: int = 0) -> World:
        """Set up a content test (its number): things and board, but no setup codes and no flow."""
        return setup.stage(self, test, seed)

    def run(self, world: World) -> Ask | None:
        """Play on to the next question; None when the game is over (or, when `STAGED`, nothing is left to do)."""
        pending = world.ask
        if pending is not None or world.outcome:
            return pending
        self.enter(world)
        try:
            self._execute(0)
            if world.ask is None and not world.outcome and not world.stack and not world.flags & STAGED:
                self.end(DRAW, -1, -1, -1)
        except VMFault as trouble:
            self._fail(str(trouble), -1, -1)
        if world.outcome:
            world.stack.clear()
            world.ask = None
        return world.ask

    def answer(self, world: World, index: int) -> None:
        """Take option `index` of the pending question. Raises IndexError if there is none of that number."""
        ask = world.ask
        if ask is None or not 0 <= index < len(ask.options):
            raise IndexError(f"there is no option {index}")
        self.enter(world)
        world.ask = None
        top = world.stack[-1]
        code, pc = (top.code, top.pc) if isinstance(top, Frame) else (-1, -1)
        try:
            self.note(L_ANSWER, ask.span, (ask.who, *ask.options[index]))
            if isinstance(top, Frame):
                op = self.code(top.code)[top.pc]
                assert isinstance(op, Asking)
                op.answer(self, top, ask, index)
            elif isinstance(top, EventActivation):
                events.answer(self, top, ask, index)
        except VMFault as trouble:
            self._fail(str(trouble), code, pc)

    def begin(self, world: World, code: int, self_: int, this: int) -> None:
        """Put an effect on top of the stack; `run` plays it."""
        self.enter(world)
        try:
            self.push(self.frame(code, [self_, this], [], -1))
        except VMFault as trouble:
            self._fail(str(trouble), code, 0)

    def actions(self, world: World, actors: tuple[int, ...]) -> list[Option]:
        """Every action that these actors may take now; none if finding out ends in a fault."""
        kept = self._look(world)
        try:
            return offers.options(self, actors)
        except VMFault:
            self._forget(kept)
            return []

    def begin_action(self, world: World, option: Option) -> None:
        """Put an action from `actions` on top of the stack."""
        self.enter(world)
        try:
            offers.begin(self, option, -1)
        except VMFault as trouble:
            self._fail(str(trouble), self.program.actions[option[1]].body, 0)

    # ── asking about a world without changing it ───────────────────────────────────────────────

    def test(self, world: World, code: int, self_: int = -1, this: int = -1) -> int:
        """The answer of a pure code. A fault inside it counts as 0 and leaves the world as it was."""
        return self._outside(world, code, self_, this)

    def references(self, world: World, code: int) -> tuple[int, ...]:
        """The list that a pure code answers."""
        self._outside(world, code, -1, -1)
        return self.list_result

    def _outside(self, world: World, code: int, self_: int, this: int) -> int:
        kept = self._look(world)
        try:
            return self.call(code, [self_, this], [])
        except VMFault:
            self._forget(kept)
            return 0

    def _look(self, world: World) -> int:
        """Turn to a world that must not change; return how deep its stack is."""
        self.enter(world)
        self.list_result = ()
        return len(world.stack)

    def _forget(self, kept: int) -> None:
        """Undo what trouble has left in a world that must not change."""
        del self.w.stack[kept:]
        self.list_result = ()
        self.w.fault = None
        self.w.outcome = OPEN

    def outlook(self, world: World, who: int = -1) -> int:
        """How good the position is for player number `who` (-1: the team) in the program's eyes; 0 if it has none."""
        if self.program.outlook < 0:
            return 0
        return self.test(world, self.program.outlook, self.layout.players_low + who if who >= 0 else -1)

    def value(self, world: World, field: int, thing: int) -> int:
        """A thing's field, with modifiers; without them if they end in a fault."""
        kept = self._look(world)
        try:
            return read(self, field, thing)
        except VMFault:
            self._forget(kept)
            return base_value(self, field, thing)

    # ── worlds as data ─────────────────────────────────────────────────────────────────────────

    def clone(self, world: World) -> World:
        """Return an independent copy."""
        return saving.clone(world)

    def save(self, world: World) -> Json:
        """Return the world as JSON-able data, from which `load` makes it again."""
        return saving.save(self, world)

    def load(self, data: Json) -> World:
        """Make a saved world again. Raises `saving.BadSave` if it is none of this program's."""
        return loading.load(self, data)

    def digest(self, world: World) -> str:
        """The identity of a world's state: equal exactly for equal states, on every platform."""
        return saving.digest(world)

    def reseed(self, world: World, seed: int) -> None:
        """Replace the chance to come, for somebody who must not foresee it."""
        world.rng = [stream_state(seed, name) for name in STREAMS]

    def script(self, world: World, values: tuple[int, ...], flags: int = 0) -> None:
        """Let the next dice show `values`; `flags`: see `world.RANDOM_ASKED` and its neighbours."""
        world.script += values
        world.flags |= flags

    def watch(self) -> Marks:
        """Note from now on which ops run. A machine that is watched loads no saved worlds."""
        self._marks = Marks(self)
        self._codes = [None] * len(self.program.codes)
        return self._marks

    def ran(self) -> list[int]:
        """The numbers of the codes that this machine has run so far, whatever the game."""
        return [number for number, ops in enumerate(self._codes) if ops is not None]

    # ── what ops and the other parts of the machine use ────────────────────────────────────────

    def enter(self, world: World) -> None:
        """Turn to a world, with full fuel."""
        self.w = world
        if world.origin != self.origin:
            self.turn_to(world.origin)
        self.spaces_end = self.spaces_low + (len(self.program.boards[world.board].cells) if world.board >= 0 else 0)
        self.fuel = FUEL
        self.depth = 0

    def call(self, code: int, r: list[int], s: list[tuple[int, ...]]) -> int:
        """Run a pure code to its end and return its answer."""
        guard_depth(self)
        stack = self.w.stack
        floor = len(stack)
        self.depth += 1
        self.result = 0
        self.push(self.frame(code, r, s, -1))
        self._execute(floor)
        self.depth -= 1
        return self.result

    def _execute(self, floor: int) -> None:
        """Run the topmost item until the stack is down to `floor`, a question stands or the game is over."""
        w = self.w
        stack = w.stack
        while len(stack) > floor:
            item = stack[-1]
            if isinstance(item, Frame):
                ops = self.code(item.code)
                pc = item.pc
                try:
                    while pc >= 0:
                        pc = ops[pc].run(self, item)
                except VMFault as trouble:
                    self._fail(str(trouble), item.code, pc)
                    raise
            elif isinstance(item, EventActivation):
                events.step(self, item)
            else:
                tracks.step(self, item)
            if not self.depth and (w.ask is not None or w.outcome):  # a pure code runs to its end whatever stands
                return

    def code(self, number: int) -> list[Op]:
        """The ops of a code, made when it first runs."""
        ops = self._codes[number]
        if ops is None:
            ops = link(self, number) if self._marks is None else watched(self, number, self._marks)
            self._codes[number] = ops
        return ops

    def frame(self, code: int, r: list[int], s: list[tuple[int, ...]], out: int) -> Frame:
        """A frame for a code, its first registers given; the others are 0 and empty."""
        self.spend(self.costs[code])
        n_r, n_s = self.sizes[code]
        if len(r) < n_r:
            r = r + [0] * (n_r - len(r))
        if len(s) < n_s:
            s = s + [()] * (n_s - len(s))
        return Frame(code, r, s, out)

    def push(self, item: Item) -> None:
        """Put an item on the stack; the deepest allowed is counted."""
        stack = self.w.stack
        if len(stack) >= MOST_STACK:
            raise VMFault("effects set off each other too deeply")
        stack.append(item)

    def leave(self, f: Frame, value: int, values: tuple[int, ...], met: bool) -> int:
        """End a frame with its answer; `met`: false if a requirement of its effect failed."""
        if f.batch:
            self.flush(f)
            return -1
        stack = self.w.stack
        stack.pop()
        self.result = value
        self.list_result = values
        if f.out != NOWHERE:
            caller = stack[-1]
            assert isinstance(caller, Frame)
            if f.out >= 0:
                caller.r[f.out] = value
            else:
                caller.s[-2 - f.out] = values
        elif not met and stack:
            events.unmet(stack[-1])
        return -1

    def flush(self, f: Frame) -> None:
        """Let the first event of a frame's batch be heard; the frame comes back to the same op."""
        assert f.batch
        self.push(f.batch.pop(0))

    def spend(self, fuel: int) -> None:
        """Use up fuel; raises Trouble when there is none left."""
        self.fuel -= fuel
        if self.fuel < 0:
            raise VMFault("this takes too long: an endless loop?")

    def note(self, what: int, span: int, data: tuple[int, ...]) -> None:
        """Write into the log."""
        node = LogNode(self.w.log, what, span, data)
        if node.number > MOST_LOG:
            raise VMFault("too much has happened in this game")
        self.w.log = node

    def end(self, outcome: int, side: int, why: int, span: int) -> bool:
        """Declare the end of the game; False if play goes on first: a win waits for the event under way if losses
        come first, and nothing turns an end that is being told of."""
        w = self.w
        if w.flags & CLOSING:
            return False
        verdict = (outcome, side, why, span)
        if self.program.loss_first and outcome != LOSE and any(isinstance(item, EventActivation) for item in w.stack):
            w.verdict = w.verdict or verdict
            return False
        w.verdict = verdict
        event = {WIN: self.program.won, LOSE: self.program.lost}.get(outcome, -1)
        if event >= 0 and (events.is_heard(self, event) or w.effects):
            w.flags |= CLOSING
            w.stack.clear()
            events.happen(self, event, -1, [-1, -1, side], [()] * 3, span)
        else:
            self._close()
        return True

    def settle(self) -> None:
        """When no event is under way any more: declare the verdict that waited, or close the game it was told of."""
        w = self.w
        if w.verdict is None or any(isinstance(item, EventActivation) for item in w.stack):
            return
        if w.flags & CLOSING:
            self._close()
        else:
            self.end(*w.verdict)

    def _close(self) -> None:
        """End the game with its verdict."""
        w = self.w
        assert w.verdict is not None
        w.outcome, w.side, w.why, span = w.verdict
        w.verdict = None
        w.flags &= ~CLOSING
        self.note(L_END, span, (w.outcome, w.side, w.why))

    def _fail(self, reason: str, code: int, pc: int) -> None:
        """Keep the first trouble as the world's fault; it ends the game."""
        w = self.w
        if w.fault is not None:
            return
        for item in reversed(w.stack):
            if code < 0 and isinstance(item, Frame):
                code, pc = item.code, max(item.pc - 1, 0)
        span = self.span_of(code, pc)
        w.fault = Fault(reason, code, pc, span)
        w.outcome = FAULT
