"""Jumps and loops. Every jump backward is charged: by JMP, or by the ITER that it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.vm.interpreter import return_from
from fcbdsl.machine.vm.op import Int, Label, List, ListInOut, ListOut, Op, Reg, RegInOut, RegOut, round_cost
from fcbdsl.machine.vm.world import SUPPOSING, Frame

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image


class Jmp(Op):
    """Go on at a label."""

    __slots__ = ("cost", "paid", "target")
    name = "JMP"
    pure = True
    sees = ()
    ends = True
    charges_back = True
    target: Label

    def __init__(self) -> None:
        super().__init__()
        self.paid = False
        """Whether the op at its target charges for the jump."""

    def link(self, image: Image) -> Op:
        self.cost = 0 if self.paid or self.target > self.at else round_cost(self.at - self.target)
        return self

    def run(self, g: Game, f: Frame) -> Op | None:
        if self.cost:
            g.spend(self.cost)
        return self.there


class Jt(Op):
    """Jump if a flag is set."""

    __slots__ = ("a", "target")
    name = "JT"
    pure = True
    sees = ()
    a: Reg
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] else self.then


class Jf(Op):
    """Jump if a flag is not set."""

    __slots__ = ("a", "target")
    name = "JF"
    pure = True
    sees = ()
    a: Reg
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.then if f.r[self.a] else self.there


class Jeq(Op):
    """Jump if two numbers are equal."""

    __slots__ = ("a", "b", "target")
    name = "JEQ"
    pure = True
    sees = ()
    a: Reg
    b: Reg
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] == f.r[self.b] else self.then


class Jne(Op):
    """Jump if two numbers differ."""

    __slots__ = ("a", "b", "target")
    name = "JNE"
    pure = True
    sees = ()
    a: Reg
    b: Reg
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] != f.r[self.b] else self.then


class Jlt(Op):
    """Jump if a number is lower than another."""

    __slots__ = ("a", "b", "target")
    name = "JLT"
    pure = True
    sees = ()
    a: Reg
    b: Reg
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] < f.r[self.b] else self.then


class Jle(Op):
    """Jump if a number is at most another."""

    __slots__ = ("a", "b", "target")
    name = "JLE"
    pure = True
    sees = ()
    a: Reg
    b: Reg
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] <= f.r[self.b] else self.then


class Jeqi(Op):
    """Jump if a number equals a literal."""

    __slots__ = ("a", "b", "target")
    name = "JEQI"
    pure = True
    sees = ()
    a: Reg
    b: Int
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] == self.b else self.then


class Jnei(Op):
    """Jump if a number differs from a literal."""

    __slots__ = ("a", "b", "target")
    name = "JNEI"
    pure = True
    sees = ()
    a: Reg
    b: Int
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] != self.b else self.then


class Jlti(Op):
    """Jump if a number is lower than a literal."""

    __slots__ = ("a", "b", "target")
    name = "JLTI"
    pure = True
    sees = ()
    a: Reg
    b: Int
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] < self.b else self.then


class Jlei(Op):
    """Jump if a number is at most a literal."""

    __slots__ = ("a", "b", "target")
    name = "JLEI"
    pure = True
    sees = ()
    a: Reg
    b: Int
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] <= self.b else self.then


class Jgti(Op):
    """Jump if a number is higher than a literal."""

    __slots__ = ("a", "b", "target")
    name = "JGTI"
    pure = True
    sees = ()
    a: Reg
    b: Int
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] > self.b else self.then


class Jgei(Op):
    """Jump if a number is at least a literal."""

    __slots__ = ("a", "b", "target")
    name = "JGEI"
    pure = True
    sees = ()
    a: Reg
    b: Int
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if f.r[self.a] >= self.b else self.then


def _opposed(*pairs: tuple[type[Op], type[Op]]) -> None:
    for one, other in pairs:
        one.opposite, other.opposite = other, one


_opposed((Jt, Jf), (Jeq, Jne), (Jeqi, Jnei), (Jlti, Jgei), (Jlei, Jgti))


class Iter(Op):
    """Go to the next element of a list (the index starts at -1); jump when there is none."""

    __slots__ = ("cost", "end", "index", "items", "out")
    name = "ITER"
    passes = ("out", "items")
    pure = True
    sees = ()
    charges = True
    unjumped = ("out",)
    items: List
    index: RegInOut
    out: RegOut
    end: Label
    cost: i64

    def link(self, image: Image) -> Op:
        self.cost = max(1, self.round)
        return self

    def run(self, g: Game, f: Frame) -> Op | None:
        left = g.fuel - self.cost
        g.fuel = left
        if left < 0:
            g.spend(0)
        r = f.r
        index = r[self.index] + 1
        items = f.s[self.items]
        r[self.index] = index
        if index < len(items) and index >= 0:
            r[self.out] = items[index]
            return self.then
        return self.there


class Absent(Op):
    """The things of a list that are not in play."""

    __slots__ = ("items", "out")
    name = "ABSENT"
    pure = True
    out: ListOut
    items: List

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = tuple([thing for thing in f.s[self.items] if thing >= 0 and not g.in_play(thing)])
        return self.then


class Gone(Op):
    """Jump if a thing is not in play, unless it already was not when a loop began."""

    __slots__ = ("absent", "target", "thing")
    name = "GONE"
    pure = True
    thing: Reg
    absent: List
    target: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        if thing < 0 or g.in_play(thing) or thing in f.s[self.absent]:
            return self.then
        return self.there


class Stay(Op):
    """Remove things that are not in play from a list, except those that were not in play when a loop began."""

    __slots__ = ("absent", "items")
    name = "STAY"
    pure = True
    items: ListInOut
    absent: List

    def run(self, g: Game, f: Frame) -> Op | None:
        absent = f.s[self.absent]
        items = f.s[self.items]
        f.s[self.items] = tuple([thing for thing in items if thing < 0 or g.in_play(thing) or thing in absent])
        return self.then


class Secret(Op):
    """Go to the next player who chooses in secret, with an empty list for the choice (the index starts at -1). When all
    have chosen, jump to `carry` with the first choice that has not been carried out, or to the end if there is none."""

    __slots__ = ("carry", "carrying", "cost", "end", "index", "items", "values", "who")
    name = "SECRET"
    charges = True
    items: List
    index: RegInOut
    who: RegOut
    values: ListOut
    carry: Label
    end: Label

    def link(self, image: Image) -> Op:
        self.cost = max(1, self.round)
        return self

    def join(self, ops: list[Op]) -> None:
        self.then, self.carrying, self.there = ops[self.next], ops[self.carry], ops[self.end]

    def run(self, g: Game, f: Frame) -> Op | None:
        g.spend(self.cost)
        r, items = f.r, f.s[self.items]
        index = r[self.index]
        sealed = f.sealed or []
        if index < 0:  # ignore the rest of an earlier run
            sealed = f.sealed = [row for row in sealed if row[0] != self.at]
        if index + 1 < len(items):
            r[self.index] = index + 1
            r[self.who] = items[index + 1] if index >= -1 else -1
            f.s[self.values] = ()
            return self.then
        for number, row in enumerate(sealed):
            if row[0] == self.at:
                g.world.reveals += 1
                del sealed[number]
                r[self.who] = row[1]
                f.s[self.values] = row[2:]
                return self.carrying
        r[self.who] = -1
        f.s[self.values] = ()
        return self.there


class Seal(Op):
    """Keep a secret choice until all have chosen, and go back to SECRET."""

    __slots__ = ("secret", "values", "who")
    name = "SEAL"
    ends = True
    who: Reg
    values: ListInOut
    secret: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        sealed = f.sealed
        if sealed is None:
            sealed = f.sealed = []
        sealed.append((self.secret, f.r[self.who], *f.s[self.values]))
        f.s[self.values] = ()
        if g.world.flags & SUPPOSING:
            return return_from(g, f, 0, (), True)
        return self.there


class Rank(Op):
    """Keep a candidate among the best so far: a lower key replaces them, an equal one joins them."""

    __slots__ = ("best", "best_items", "candidate", "key")
    name = "RANK"
    passes = ("best_items", "candidate")
    pure = True
    sees = ()
    best_items: ListInOut
    best: RegInOut
    candidate: Reg
    key: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        r = f.r
        items, key = f.s[self.best_items], r[self.key]
        if not items or key < r[self.best]:
            f.s[self.best_items] = (r[self.candidate],)
            r[self.best] = key
        elif key == r[self.best]:
            tied = (r[self.candidate],)
            f.s[self.best_items] = items + tied
        return self.then
