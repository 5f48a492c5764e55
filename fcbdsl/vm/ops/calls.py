"""Calling codes and coming back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.vm import events
from fcbdsl.vm.op import ArgsNo, CodeNo, EffectField, List, ListOut, LookField, Op, Reg, RegOut, VerbNo
from fcbdsl.vm.world import NOWHERE, Frame

if TYPE_CHECKING:
    from fcbdsl.vm.game import Game
    from fcbdsl.vm.image import Image

Passed = tuple[list[int], list[tuple[int, ...]]]


def passed(g: Game, f: Frame, args: int) -> Passed:
    """The first registers of a callee, by a row of the table of arguments."""
    plain = g.image.plain_args[args]
    if plain is not None:
        given = f.r
        return [given[register] for register in plain], [()] * len(plain)
    r: list[int] = []
    s: list[tuple[int, ...]] = []
    for bank, register in g.program.args[args]:
        if bank == 0:
            r.append(f.r[register])
            s.append(())
        else:
            r.append(0)
            s.append(f.s[register])
    return r, s


def enter(g: Game, f: Frame, code: int, args: int, out: int, following: int) -> Op | None:
    """Put a callee on the stack; the caller goes on at `following`. Return what `run` returns then."""
    f.pc = following
    image = g.image
    plain = image.plain_args[args]
    n_r, n_s = image.sizes[code]
    if plain is None or len(plain) > n_r:
        r, s = passed(g, f, args)
        g.push(g.frame(code, r, s, out))
        return None
    g.spend(image.costs[code])
    given = f.r
    r = image.fresh[code][:]
    for at, register in enumerate(plain):
        r[at] = given[register]
    blank = image.blanks[max(n_s, len(plain))]
    g.push(Frame(code, r, blank[:] if n_s else blank, out))  # with no list registers, nothing writes to them
    return None


class Call(Op):
    """Run a code."""

    name = "CALL"
    pure = True
    code: CodeNo
    args: ArgsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        return enter(g, f, self.code, self.args, NOWHERE, self.next)


class Callr(Op):
    """Run a code that answers a number."""

    name = "CALLR"
    pure = True
    out: RegOut
    code: CodeNo
    args: ArgsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        return enter(g, f, self.code, self.args, self.out, self.next)


class Calls(Op):
    """Run a code that answers a list."""

    name = "CALLS"
    pure = True
    out: ListOut
    code: CodeNo
    args: ArgsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        return enter(g, f, self.code, self.args, -2 - self.out, self.next)


class Do(Op):
    """Do a verb: its body, as an event if it is one."""

    name = "DO"
    verb: VerbNo
    args: ArgsNo

    def link(self, image: Image) -> Op:
        row = image.program.verbs[self.verb]
        self.event, self.code = row.event, row.code
        return self

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.next
        r, s = passed(g, f, self.args)
        events.happen(g, self.event, self.code, r, s, self.span)
        return None


class Perform(Op):
    """Run an effect (a value made by EFFECT); -1 does nothing."""

    name = "PERFORM"
    what: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        value = f.r[self.what]
        thing, code = value >> EFFECT_SHIFT, value & (1 << EFFECT_SHIFT) - 1
        if value < 0 or thing >= g.layout.things or not g.image.is_effect(code):
            f.pc = self.next
            events.unmet(g, f)
            return g.image.code(f.code)[f.pc]
        f.pc = self.next
        frame = g.frame(code, g.selves(thing), [], NOWHERE)
        g.push(frame)
        if g.attendant is not None:
            g.attendant(frame)
        return None


EFFECT_SHIFT: Final = 20
"""An effect as a value is its thing * 2**EFFECT_SHIFT + its code."""


class Met(Op):
    """Whether what the op before has begun (CALL, DO, PERFORM, ANNOUNCE) was done.

    It was not if a requirement of its own was not met, if the event was cancelled or replaced, or if there was no such
    effect."""

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
        g.push(g.frame(code, g.selves(thing), [], self.out))
        return None


class Ret(Op):
    """End the code."""

    name = "RET"
    pure = True
    ends = True

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.at
        return g.leave(f, 0, (), True)


class Stop(Op):
    """End the effect: the same as RET, where an author wrote it."""

    name = "STOP"
    pure = True
    ends = True

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.at
        return g.leave(f, 0, (), True)


class Retv(Op):
    """End the code with a number as its answer."""

    name = "RETV"
    pure = True
    ends = True
    value: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.at
        return g.leave(f, f.r[self.value], (), True)


class Rets(Op):
    """End the code with a list as its answer."""

    name = "RETS"
    pure = True
    ends = True
    values: List

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.at
        return g.leave(f, 0, f.s[self.values], True)


class Require(Op):
    """End the code unmet unless a flag is set: the event whose body it is has then not happened."""

    name = "REQUIRE"
    pure = True
    condition: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if f.r[self.condition]:
            return self.then
        f.pc = self.at
        return g.leave(f, 0, (), False)
