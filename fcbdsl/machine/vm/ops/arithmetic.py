"""Whole numbers: arithmetic and comparison. Flags are 0 and 1; any other number counts as 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm.op import Int, Op, Reg, RegOut
from fcbdsl.machine.vm.world import Frame, VMFault

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game

BIGGEST: Final = 1 << 52
"""Numbers beyond this (either way) are a fault."""


def check_magnitude(value: int) -> int:
    """Return a number if it is not too big; else raise VMFault."""
    if -BIGGEST < value < BIGGEST:
        return value
    raise VMFault("a number has become too big")


class Add(Op):
    """The sum of two numbers."""

    __slots__ = ("a", "b", "out")
    name = "ADD"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        value = f.r[self.a] + f.r[self.b]
        f.r[self.out] = value if -BIGGEST < value < BIGGEST else check_magnitude(value)
        return self.then


class Addi(Op):
    """The sum of a number and a literal."""

    __slots__ = ("a", "b", "out")
    name = "ADDI"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Int

    def run(self, g: Game, f: Frame) -> Op | None:
        value = f.r[self.a] + self.b
        f.r[self.out] = value if -BIGGEST < value < BIGGEST else check_magnitude(value)
        return self.then


class Sub(Op):
    """The difference of two numbers."""

    __slots__ = ("a", "b", "out")
    name = "SUB"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        value = f.r[self.a] - f.r[self.b]
        f.r[self.out] = value if -BIGGEST < value < BIGGEST else check_magnitude(value)
        return self.then


class Mul(Op):
    """The product of two numbers."""

    __slots__ = ("a", "b", "out")
    name = "MUL"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = check_magnitude(f.r[self.a] * f.r[self.b])
        return self.then


class Div(Op):
    """The quotient of two numbers, rounded down; dividing by 0 is a fault."""

    __slots__ = ("a", "b", "out")
    name = "DIV"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if f.r[self.b] == 0:
            raise VMFault("a number is divided by 0")
        f.r[self.out] = f.r[self.a] // f.r[self.b]
        return self.then


class Min(Op):
    """The lower of two numbers."""

    __slots__ = ("a", "b", "out")
    name = "MIN"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = min(f.r[self.a], f.r[self.b])
        return self.then


class Max(Op):
    """The higher of two numbers."""

    __slots__ = ("a", "b", "out")
    name = "MAX"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = max(f.r[self.a], f.r[self.b])
        return self.then


class Neg(Op):
    """A number with the other sign."""

    __slots__ = ("a", "out")
    name = "NEG"
    pure = True
    sees = ()
    out: RegOut
    a: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = -f.r[self.a]
        return self.then


class Not(Op):
    """1 for 0, else 0."""

    __slots__ = ("a", "out")
    name = "NOT"
    pure = True
    sees = ()
    out: RegOut
    a: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 0 if f.r[self.a] else 1
        return self.then


class And(Op):
    """Whether both flags are set."""

    __slots__ = ("a", "b", "out")
    name = "AND"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if f.r[self.a] and f.r[self.b] else 0
        return self.then


class Or(Op):
    """Whether one of two flags is set."""

    __slots__ = ("a", "b", "out")
    name = "OR"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if f.r[self.a] or f.r[self.b] else 0
        return self.then


class Eq(Op):
    """Whether two numbers are equal."""

    __slots__ = ("a", "b", "out")
    name = "EQ"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if f.r[self.a] == f.r[self.b] else 0
        return self.then


class Eqi(Op):
    """Whether a number equals a literal."""

    __slots__ = ("a", "b", "out")
    name = "EQI"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Int

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if f.r[self.a] == self.b else 0
        return self.then


class Ne(Op):
    """Whether two numbers differ."""

    __slots__ = ("a", "b", "out")
    name = "NE"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if f.r[self.a] != f.r[self.b] else 0
        return self.then


class Lt(Op):
    """Whether a number is lower than another."""

    __slots__ = ("a", "b", "out")
    name = "LT"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if f.r[self.a] < f.r[self.b] else 0
        return self.then


class Le(Op):
    """Whether a number is at most another."""

    __slots__ = ("a", "b", "out")
    name = "LE"
    pure = True
    sees = ()
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if f.r[self.a] <= f.r[self.b] else 0
        return self.then
