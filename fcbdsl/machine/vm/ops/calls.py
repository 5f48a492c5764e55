"""Calling codes and coming back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm import events
from fcbdsl.machine.vm.frames import call_frame, new_frame, pure_frame, push
from fcbdsl.machine.vm.interpreter import return_from, return_pure
from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.op import ArgsNo, CodeNo, EffectField, List, ListOut, LookField, Op, Reg, RegOut, VerbNo
from fcbdsl.machine.vm.world import NO_LISTS, NOWHERE, Frame, VMFault

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image, LinkedCode

Passed = tuple[list[int], list[tuple[int, ...]]]


def callee_registers(g: Game, f: Frame, args: int) -> Passed:
    """Return the first registers of a callee, by a row of the table of arguments."""
    plain = g.image.plain_args[args]
    if plain is not None:
        given = f.r
        return [given[register] for register in plain], g.image.blanks[len(plain)][:]
    r: list[int] = []
    s: list[tuple[int, ...]] = []
    for bank, register in g.image.args[args]:
        if bank == 0:
            r.append(f.r[register])
            s.append(())
        else:
            r.append(0)
            s.append(f.s[register])
    return r, s


class Calling(Op):
    """An op that runs a code. The parts of a callee's frame that do not depend on the call are computed at link
    time."""

    __slots__ = ("args", "blank", "code", "given", "listed", "row")
    code: i64
    args: i64

    def link(self, image: Image) -> Op:
        self.row = image.codes[self.code]
        args = image.args[self.args]
        self.given = numbers([-1 if bank else register for bank, register in args])
        """The caller's number register of each argument; -1: it is a list."""
        self.listed = [(at, register) for at, (bank, register) in enumerate(args) if bank]
        """The list arguments: the callee's register, and the caller's."""
        self.blank = image.blanks[max(self.row.n_s, len(self.given))]
        return self

    def enter(self, g: Game, f: Frame, out: i64) -> Op | None:
        """Put the callee on the stack; `out`: the destination of its answer. The result is that of `run`."""
        f.pc = self.next
        row = self.row
        frame: Frame
        spare = row.spare
        if spare is not None and not g.has_new_changes:  # `frames.pure_frame`, inlined
            g.fuel -= row.cost
            if g.fuel < 0:
                g.spend(0)
            row.spare = None
            spare.pc = 0
            spare.out = out
            frame = spare
        elif row.looks:
            frame = pure_frame(g, row, out)
        else:
            g.fuel -= row.cost
            if g.fuel < 0:
                g.spend(0)
            # With no list registers, nothing writes to them.
            frame = row.frame(self.blank[:] if row.n_s else self.blank, out)
        given, registers = f.r, frame.r
        for at, register in enumerate(self.given):
            if register >= 0:
                registers[at] = given[register]
        if self.listed:
            for place, source in self.listed:
                frame.s[place] = f.s[source]
        push(g, frame)
        return None


class Call(Calling):
    """Run a code."""

    __slots__ = ()
    name = "CALL"
    pure = True
    code: CodeNo
    args: ArgsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.enter(g, f, NOWHERE)


class Callr(Calling):
    """Run a code that answers a number."""

    __slots__ = ("out",)
    name = "CALLR"
    pure = True
    sees = ()
    out: RegOut
    code: CodeNo
    args: ArgsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.enter(g, f, self.out)


class Calls(Calling):
    """Run a code that answers a list."""

    __slots__ = ("out",)
    name = "CALLS"
    pure = True
    sees = ()
    out: ListOut
    code: CodeNo
    args: ArgsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.enter(g, f, -2 - self.out)


class Do(Op):
    """Do a verb: its body, as an event if it is one."""

    __slots__ = ("args", "code", "event", "verb")
    name = "DO"
    verb: VerbNo
    args: ArgsNo

    def link(self, image: Image) -> Op:
        row = image.program.verbs[self.verb]
        self.event, self.code = row.event, row.code
        return self

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.next
        r, s = callee_registers(g, f, self.args)
        events.happen(g, self.event, self.code, r, s, self.span)
        return None


class Perform(Op):
    """Run an effect (a value made by EFFECT); -1 does nothing."""

    __slots__ = ("what",)
    name = "PERFORM"
    what: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        value = f.r[self.what]
        thing, code = value >> EFFECT_SHIFT, value & (1 << EFFECT_SHIFT) - 1
        if value < 0 or thing >= g.layout.things or not g.image.is_effect(code):
            return events.undone(g, f, self.next)
        f.pc = self.next
        frame = new_frame(g, code, g.selves(thing), NO_LISTS, NOWHERE)
        push(g, frame)
        if g.effect_observer is not None:
            g.effect_observer(frame)
        return None


class PerformFor(Op):
    """Run an effect with another thing as its self; -1 does nothing, and a code without self is a fault."""

    __slots__ = ("what", "who")
    name = "PERFORM_FOR"
    what: Reg
    who: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        value, who = f.r[self.what], f.r[self.who]
        thing, code = value >> EFFECT_SHIFT, value & (1 << EFFECT_SHIFT) - 1
        if value < 0 or thing >= g.layout.things or not g.image.is_effect(code):
            return events.undone(g, f, self.next)
        if who < 0:
            raise VMFault(NO_SELF)
        f.pc = self.next
        frame = new_frame(g, code, [who, g.selves(thing)[1]], NO_LISTS, NOWHERE)
        push(g, frame)
        if g.effect_observer is not None:
            g.effect_observer(frame)
        return None


NO_SELF: Final = "this effect has no `self`: nobody holds its card"


class NeedSelf(Op):
    """Fault if the code has no self."""

    __slots__ = ()
    name = "NEED_SELF"

    def run(self, g: Game, f: Frame) -> Op | None:
        if f.r[0] < 0:
            raise VMFault(NO_SELF)
        return self.then


EFFECT_SHIFT: Final = 20
"""An effect as a value is its thing * 2**EFFECT_SHIFT + its code."""


class Met(Op):
    """Whether the effect that the op before has begun (CALL, DO, PERFORM, ANNOUNCE) was done.

    It was not if a requirement of the effect failed, if the event was cancelled or replaced, or if there was no effect.
    """

    __slots__ = ("out",)
    name = "MET"
    pure = True
    out: RegOut

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1
        return self.then

    def failed(self, f: Frame) -> None:
        f.r[self.out] = 0
        f.pc = self.next


class EffectOf(Op):
    """The effect field of a thing as a value that PERFORM runs; -1 if it has none."""

    __slots__ = ("field", "out", "thing")
    name = "EFFECT"
    pure = True
    out: RegOut
    field: EffectField
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        code = g.image.code_field(self.field, thing)
        f.r[self.out] = (thing << EFFECT_SHIFT) + code if code >= 0 else -1
        return self.then


class Eval(Op):
    """The value of a condition or formula field of a thing; the field's `empty` if it has none."""

    __slots__ = ("field", "out", "thing")
    name = "EVAL"
    pure = True
    out: RegOut
    field: LookField
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        code = g.image.code_field(self.field, thing)
        if code < 0:
            f.r[self.out] = g.image.fields[self.field].empty
            return self.then
        f.pc = self.next
        push(g, call_frame(g, code, g.selves(thing), NO_LISTS, self.out))
        return None


class Leaving(Op):
    """An op that ends the code. `home`: the code, if it is pure."""

    __slots__ = ("home",)

    def __init__(self) -> None:
        super().__init__()
        self.home: LinkedCode | None = None


class Ret(Leaving):
    """End the code."""

    __slots__ = ()
    name = "RET"
    pure = True
    ends = True

    def run(self, g: Game, f: Frame) -> Op | None:
        if self.home is not None:
            return return_pure(g, self.home, f, 0, ())
        f.pc = self.at
        return return_from(g, f, 0, (), True)


class Stop(Ret):
    """End the effect: RET, where an author wrote it."""

    __slots__ = ()
    name = "STOP"


class Retv(Leaving):
    """End the code with a number as its answer."""

    __slots__ = ("value",)
    name = "RETV"
    pure = True
    sees = ()
    ends = True
    value: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if self.home is not None:
            return return_pure(g, self.home, f, f.r[self.value], ())
        f.pc = self.at
        return return_from(g, f, f.r[self.value], (), True)


class Rets(Leaving):
    """End the code with a list as its answer."""

    __slots__ = ("values",)
    name = "RETS"
    pure = True
    sees = ()
    ends = True
    values: List

    def run(self, g: Game, f: Frame) -> Op | None:
        if self.home is not None:
            return return_pure(g, self.home, f, 0, f.s[self.values])
        f.pc = self.at
        return return_from(g, f, 0, f.s[self.values], True)


class Require(Op):
    """End the code unmet unless a flag is set; an event whose body it is then counts as not happened."""

    __slots__ = ("condition",)
    name = "REQUIRE"
    pure = True
    condition: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if f.r[self.condition]:
            return self.then
        f.pc = self.at
        return return_from(g, f, 0, (), False)
