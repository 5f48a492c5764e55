"""Registers and lists. Lists are values: an op that changes one makes a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm.op import Int, List, ListInOut, ListOut, Lookup, Op, Reg, RegOut
from fcbdsl.machine.vm.world import Frame, VMFault

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game

LONGEST: Final = 1 << 12
"""Elements of a list at most."""
FREE: Final = 16
"""Lists with fewer elements are not charged."""


def new_list(g: Game, values: tuple[int, ...]) -> tuple[int, ...]:
    """Return a list and charge for making it. Raises VMFault if it is too long."""
    if len(values) > LONGEST:
        raise VMFault("a list has become too long")
    g.spend(len(values) >> 4)
    return values


class Lit(Op):
    """Write a number."""

    __slots__ = ("out", "value")
    name = "LIT"
    pure = True
    sees = ()
    out: RegOut
    value: Int

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = self.value
        return self.then


class Mov(Op):
    """Copy a number."""

    __slots__ = ("out", "value")
    name = "MOV"
    passes = ("out", "value")
    pure = True
    sees = ()
    out: RegOut
    value: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = f.r[self.value]
        return self.then


class Lnew(Op):
    """Write the empty list."""

    __slots__ = ("out",)
    name = "LNEW"
    pure = True
    sees = ()
    out: ListOut

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = ()
        return self.then


class Lmov(Op):
    """Copy a list."""

    __slots__ = ("items", "out")
    name = "LMOV"
    passes = ("out", "items")
    pure = True
    sees = ()
    out: ListOut
    items: List

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = f.s[self.items]
        return self.then


class Ladd(Op):
    """Append a number to a list."""

    __slots__ = ("items", "value")
    name = "LADD"
    passes = ("items", "value")
    pure = True
    sees = ()
    items: ListInOut
    value: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        added = (f.r[self.value],)
        longer = f.s[self.items] + added
        f.s[self.items] = longer if len(longer) < FREE else new_list(g, longer)
        return self.then


class Ljoin(Op):
    """Append all of one list to another."""

    __slots__ = ("items", "more")
    name = "LJOIN"
    passes = ("items", "more")
    pure = True
    sees = ()
    items: ListInOut
    more: List

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.items] = new_list(g, f.s[self.items] + f.s[self.more])
        return self.then


class Ldrop(Op):
    """Take the first occurrence of a number out of a list."""

    __slots__ = ("items", "value")
    name = "LDROP"
    pure = True
    sees = ()
    items: ListInOut
    value: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        items, value = f.s[self.items], f.r[self.value]
        if value in items:
            at = items.index(value)
            f.s[self.items] = items[:at] + items[at + 1 :]
        return self.then


class Llen(Lookup):
    """The length of a list."""

    __slots__ = ("items",)
    name = "LLEN"
    pure = True
    sees = ()
    boardless = True
    out: RegOut
    items: List

    def read(self, g: Game, f: Frame) -> i64:
        return len(f.s[self.items])


class Lhas(Lookup):
    """Whether a list contains a number."""

    __slots__ = ("items", "value")
    name = "LHAS"
    pure = True
    sees = ()
    boardless = True
    out: RegOut
    items: List
    value: Reg

    def read(self, g: Game, f: Frame) -> i64:
        return 1 if f.r[self.value] in f.s[self.items] else 0


class Lat(Op):
    """The element of a list at an index from 0; -1 beyond its ends."""

    __slots__ = ("index", "items", "out")
    name = "LAT"
    passes = ("out", "items")
    pure = True
    sees = ()
    out: RegOut
    items: List
    index: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        items, index = f.s[self.items], f.r[self.index]
        f.r[self.out] = items[index] if 0 <= index < len(items) else -1
        return self.then


class Lpop(Op):
    """Take the first number out of a list; -1 if it is empty."""

    __slots__ = ("items", "out")
    name = "LPOP"
    passes = ("out", "items")
    pure = True
    sees = ()
    out: RegOut
    items: ListInOut

    def run(self, g: Game, f: Frame) -> Op | None:
        items = f.s[self.items]
        f.r[self.out] = items[0] if items else -1
        f.s[self.items] = items[1:]
        return self.then


class Lpops(Op):
    """Take a list out of the beginning of another, after its length; empty if that is empty."""

    __slots__ = ("items", "out")
    name = "LPOPS"
    pure = True
    sees = ()
    out: ListOut
    items: ListInOut

    def run(self, g: Game, f: Frame) -> Op | None:
        items = f.s[self.items]
        end = 1 + max(0, items[0]) if items else 0
        f.s[self.out] = items[1:end]
        f.s[self.items] = items[end:]
        return self.then


class Lowest(Op):
    """The lowest of a list; 0 if it is empty."""

    __slots__ = ("out", "values")
    name = "LOWEST"
    pure = True
    sees = ()
    out: RegOut
    values: List

    def run(self, g: Game, f: Frame) -> Op | None:
        values = f.s[self.values]
        lowest = values[0] if values else 0
        for value in values:
            if value < lowest:
                lowest = value
        f.r[self.out] = lowest
        return self.then


class Highest(Op):
    """The highest of a list; 0 if it is empty."""

    __slots__ = ("out", "values")
    name = "HIGHEST"
    pure = True
    sees = ()
    out: RegOut
    values: List

    def run(self, g: Game, f: Frame) -> Op | None:
        values = f.s[self.values]
        highest = values[0] if values else 0
        for value in values:
            if value > highest:
                highest = value
        f.r[self.out] = highest
        return self.then


class Among(Lookup):
    """Whether a thing belongs to a list."""

    __slots__ = ("group", "thing")
    name = "AMONG"
    pure = True
    sees = ()
    out: RegOut
    thing: Reg
    group: List

    def read(self, g: Game, f: Frame) -> i64:
        return 1 if f.r[self.thing] in f.s[self.group] else 0
