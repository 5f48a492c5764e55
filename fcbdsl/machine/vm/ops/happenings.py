"""Events, lasting effects and the end of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.vm import departures, events, limits
from fcbdsl.machine.vm.frames import flush, open_batch
from fcbdsl.machine.vm.interpreter import return_from
from fcbdsl.machine.vm.layout import ENDING_KIND
from fcbdsl.machine.vm.op import (
    ActionNo,
    ArgsNo,
    EventNo,
    Int,
    Label,
    LastingNo,
    LimitNo,
    List,
    ListInOut,
    Op,
    Outcome,
    Reg,
    RegOut,
    RelationNo,
    TextNo,
)
from fcbdsl.machine.vm.ops.calls import callee_registers
from fcbdsl.machine.vm.ops.registers import new_list
from fcbdsl.machine.vm.world import L_RESULT, EventActivation, Frame

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game


def current_event(g: Game) -> EventActivation | None:
    """Return the event that the running code listens to: the nearest one below it on the stack."""
    for item in reversed(g.world.stack):
        if isinstance(item, EventActivation):
            return item
    return None


class Announce(Op):
    """Announce an event to its listeners."""

    __slots__ = ("args", "event")
    name = "ANNOUNCE"
    event: EventNo
    args: ArgsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.next
        r, s = callee_registers(g, f, self.args)
        events.happen(g, self.event, -1, r, s, self.span)
        return None


class Cancel(Op):
    """Cancel the current event: its body and further listeners do not run."""

    __slots__ = ()
    name = "CANCEL"

    def run(self, g: Game, f: Frame) -> Op | None:
        entry = current_event(g)
        if entry is not None:
            entry.cancelled = True
        return self.then


class Setp(Op):
    """Change a number parameter (from 0) of the current event."""

    __slots__ = ("parameter", "value")
    name = "SETP"
    parameter: Int
    value: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        entry = current_event(g)
        if entry is not None and 0 <= self.parameter < len(entry.r) - 2:
            entry.r[self.parameter + 2] = f.r[self.value]
        return self.then


class Setps(Op):
    """Change a list parameter (from 0) of the current event."""

    __slots__ = ("parameter", "values")
    name = "SETPS"
    parameter: Int
    values: List

    def run(self, g: Game, f: Frame) -> Op | None:
        entry = current_event(g)
        if entry is not None and 0 <= self.parameter < len(entry.s) - 2:
            entry.s[self.parameter + 2] = f.s[self.values]
        return self.then


class Batch(Op):
    """Begin a batch: after-listeners of events that this code sets off, directly or through other events, wait until
    FLUSH (or its end). While another batch is open, they wait for that one."""

    __slots__ = ()
    name = "BATCH"

    def run(self, g: Game, f: Frame) -> Op | None:
        if f.batch is None and open_batch(g.world.stack) is None:
            f.batch = []
        return self.then


class Flush(Op):
    """End a batch: the listeners of its events run, in the order of the events."""

    __slots__ = ()
    name = "FLUSH"

    def run(self, g: Game, f: Frame) -> Op | None:
        if f.batch is not None:
            departures.end_auras(g)
        if f.batch:
            f.pc = self.at
            flush(g, f)
            return None
        f.batch = None
        return self.then


class Last(Op):
    """Begin a lasting effect; it ends when its event happens (to the subject, if one is given)."""

    __slots__ = ("lasting", "subject")
    name = "LAST"
    lasting: LastingNo
    subject: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        events.last(g, self.lasting, f.r[self.subject], f, self.span)
        return self.then


class End(Op):
    """End the game: 1 won, 2 lost, 3 drawn; for a side, or all (-1). Ends the code, too."""

    __slots__ = ("outcome", "side", "why")
    name = "END"
    ends = True
    outcome: Outcome
    side: Reg
    why: TextNo

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.at
        if f.batch is not None:
            departures.end_auras(g)
        f.batch = None
        return None if g.end(self.outcome, f.r[self.side], self.why, self.span) else return_from(g, f, 0, (), True)


class EndFor(Op):
    """End the game: 1 won, 2 lost, 3 drawn; for each of a list, and of no one if it is empty: then the code goes on."""

    __slots__ = ("outcome", "sides", "why")
    name = "END_FOR"
    outcome: Outcome
    sides: List
    why: TextNo

    def run(self, g: Game, f: Frame) -> Op | None:
        sides = f.s[self.sides]
        if not sides:
            return self.then
        f.pc = self.at
        if f.batch is not None:
            departures.end_auras(g)
        f.batch = None
        ended = g.end(self.outcome, sides[0], self.why, self.span, sides[1:])
        return None if ended else return_from(g, f, 0, (), True)


class EndAs(Op):
    """End the game with a named ending (a thing): 1 won, 2 lost, 3 drawn; for a side, or all (-1). Ends the code,
    too."""

    __slots__ = ("ending", "outcome", "side", "why")
    name = "END_AS"
    ends = True
    outcome: Outcome
    side: Reg
    why: TextNo
    ending: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.at
        f.batch = None
        ended = g.end(self.outcome, f.r[self.side], self.why, self.span, (), named_ending(g, f.r[self.ending]))
        return None if ended else return_from(g, f, 0, (), True)


class EndForAs(Op):
    """End the game with a named ending for each of a list, and of no one if it is empty: then the code goes on."""

    __slots__ = ("ending", "outcome", "sides", "why")
    name = "END_FOR_AS"
    outcome: Outcome
    sides: List
    why: TextNo
    ending: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        sides = f.s[self.sides]
        if not sides:
            return self.then
        f.pc = self.at
        f.batch = None
        ended = g.end(self.outcome, sides[0], self.why, self.span, sides[1:], named_ending(g, f.r[self.ending]))
        return None if ended else return_from(g, f, 0, (), True)


def named_ending(g: Game, thing: int) -> int:
    """Return a thing if it is an ending, else -1."""
    low, high = g.layout.range_of(ENDING_KIND)
    return thing if low <= thing < high else -1


class Reached(Op):
    """The ending of the game, or of the mission that the campaign has just had played; -1: none."""

    __slots__ = ("out",)
    name = "REACHED"
    answers = "thing"
    pure = True
    out: RegOut

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.world.ending
        return self.then


class Tell(Op):
    """Write the result of a relation into the log, with the parameters of the running code."""

    __slots__ = ("relation", "result")
    name = "TELL"
    relation: RelationNo
    result: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        data = [L_RESULT, self.span, self.relation, int(f.r[self.result] != 0)]
        for at, is_list in enumerate(g.program.relations[self.relation].lists, 2):
            if is_list:
                values = f.s[at] if at < len(f.s) else ()
                data += (len(values), *values)
            else:
                data.append(f.r[at] if at < len(f.r) else -1)
        g.note(tuple(data))
        return self.then


class Free(Op):
    """Whether a limit allows once more, for self and this."""

    __slots__ = ("limit", "out", "self_", "this")
    name = "FREE"
    pure = True
    out: RegOut
    limit: LimitNo
    self_: Reg
    this: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = int(limits.is_free(g, self.limit, f.r[self.self_], f.r[self.this]))
        return self.then


class JumpElsewhere(Op):
    """Jump if an action is not available in this mission."""

    __slots__ = ("action", "target")
    name = "ELSEWHERE"
    pure = True
    sees = ()
    action: ActionNo
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if g.elsewhere[self.action] else self.then


class Offered(Op):
    """Append an action and its subject to a list of available actions."""

    __slots__ = ("action", "found", "this")
    name = "OFFERED"
    pure = True
    found: ListInOut
    action: ActionNo
    this: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if g.is_lookahead and not g.elsewhere[self.action]:
            return return_from(g, f, 0, (self.action, f.r[self.this]), True)
        two = (self.action, f.r[self.this])
        f.s[self.found] = new_list(g, f.s[self.found] + two)
        return self.then
