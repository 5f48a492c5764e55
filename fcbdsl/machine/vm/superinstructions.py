"""Superinstructions: sequences of ops fused into one when a code is linked. Programs and saved worlds do not contain
them.

A fused op replaces the first op of its sequence; the others keep their positions as jump targets. It writes every
register that its parts write, except registers that are dead afterwards (`liveness`), and charges the same fuel. Cases
that may fault run the single ops, so that the fault has the right position. Only the speed differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm import events
from fcbdsl.machine.vm.op import Lookup, Op
from fcbdsl.machine.vm.ops.arithmetic import Addi
from fcbdsl.machine.vm.ops.flow import Iter, Jeq, Jeqi, Jf, Jgei, Jgti, Jlei, Jlti, Jmp, Jne, Jnei, Jt
from fcbdsl.machine.vm.ops.registers import Ladd, Lit, Lnew
from fcbdsl.machine.vm.ops.state import Dfield, InRange, ReadColumn, ReadTable, Set, Single
from fcbdsl.machine.vm.ops.zones import Contents, Zone
from fcbdsl.machine.vm.world import Frame

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image


FIRST: Final = (Single, Lit, Lnew, Zone, Iter, Lookup)
"""The ops with which a superinstruction can begin."""


def fuse(image: Image, ops: list[Op], later: list[int]) -> list[Op]:
    """Return the ops of a code with superinstructions where possible. `later`: see `liveness`."""
    out = list(ops)
    for at in range(len(ops) - 2, -1, -1):
        first = ops[at]
        if not isinstance(first, FIRST):
            continue
        fused = _fused(image, first, ops[at + 1], out[at + 1], later[at + 1])
        if fused is None and isinstance(first, Iter) and at + 2 < len(ops):
            fused = set_loop_of(first, ops[at + 1].wrapped(), ops[at + 2])
        if fused is not None:
            fused.at, fused.next, fused.span = first.at, first.next, first.span
            out[at] = fused
    for at in range(len(ops) - 3):
        rounds = _rounds(ops, at, out[at + 2])
        if rounds is not None:
            rounds.at, rounds.next, rounds.span = ops[at].at, ops[at].next, ops[at].span
            out[at] = rounds
    return out


def _rounds(ops: list[Op], at: int, test: Op) -> Rounds | None:
    """Return one op for the beginning of a loop with a number of rounds whose body is skipped if it fails a test."""
    first, second = ops[at], ops[at + 1]
    if not isinstance(first, Jlei) or not isinstance(second, Addi) or not isinstance(test, TestLookup):
        return None
    if first.b != 0 or second.b != -1 or not first.a == second.a == second.out:
        return None
    if not test.first.boardless:  # it may fault, at its own place
        return None
    inputs = [operand.name for operand in test.first.operands if operand.kind == "r" and operand.reads]
    read = [getattr(test.first, name) for name in inputs]
    if not test.first.operands or test.out in read or first.a in read or first.a == test.out:
        return None
    for target in (test.met, test.unmet):
        back = ops[target] if target < len(ops) else first
        if isinstance(back, Jmp) and back.target == at and back.cost:
            return Rounds(first, test, back)
    return None


def _fused(image: Image, first: Op, second: Op, rest: Op, later: int) -> Op | None:
    """Return one op for two; `rest` is the second one, possibly already fused with the ops after it.

    `later`: the registers that may be read after the second op.
    """
    if isinstance(first, Lookup):
        return _fused_test(first, second, later) if second.jumps else None
    if isinstance(first, Single) and isinstance(second, ReadColumn):
        over = first.out == second.out or later >> int(first.out) & 1 == 0  # more registers than an i64 has bits
        return _of_single(image, first, second, rest, over)
    if isinstance(first, Lit) and isinstance(second, Iter) and second.index == first.out and first.value == -1:
        if isinstance(rest, Seek):
            return (
                seek_of(second, rest.test, begins=True) if isinstance(rest, SeekFlag | SeekColumn | SeekField) else None
            )
        return Begin(second)
    if isinstance(first, Lnew) and isinstance(second, Ladd) and second.items == first.out:
        return One(second)
    if isinstance(first, Zone) and isinstance(second, Contents) and second.pile == first.out:
        return Holding(first, second)
    if isinstance(first, Iter):
        return seek_of(first, rest) if first.at in ways_of(rest) and rest.at == first.next else None
    return None


def _fused_test(first: Lookup, second: Op, later: int) -> Op | None:
    """Return one op for a number and a jump that it decides; None if it does not."""
    if isinstance(second, Jeq | Jne):
        if first.out not in (second.a, second.b) or not isinstance(first, Dfield | ReadTable | ReadColumn):
            return None
        is_read_later = later >> int(first.out) & 1 != 0
        if isinstance(first, Dfield | ReadTable):
            return TestField(first, second, is_read_later)
        return TestColumns(first, second, is_read_later)
    test = test_of(second, first.out, later)
    if test is None:
        return None
    if isinstance(first, ReadColumn):
        return TestColumn(first, test)
    if isinstance(first, InRange):
        return TestRange(first, test)
    if test.exactly and test.to == 0:
        return KeptFlag(first, test) if test.is_read_later else TestFlag(first, test)
    return TestLookup(first, test)


def _of_single(image: Image, first: Single, second: ReadColumn, rest: Op, over: bool) -> Op | None:
    """Fuse reading the one thing of a kind with reading a value of it, and with a following test of that value.

    None if the value does not exist. `over`: the register of the thing is dead afterwards.
    """
    thing = image.layout.low[first.kind]
    if second.thing != first.out or not second.low <= thing < min(second.high, image.layout.high[first.kind]):
        return None
    if isinstance(rest, TestColumn):
        return TestSingle(first.out, thing, rest, rest.is_read_later or not over)
    return ReadSingle(-1 if over else first.out, thing, second)


class Branch:
    """A test of a number and its targets `met` and `unmet`. `exactly`: it equals `to`; else: it is at most that.

    `is_read_later`: an op after the jump may read the number.
    """

    def __init__(self, exactly: bool, to: i64, met: int, unmet: int) -> None:
        self.exactly = exactly
        self.to = to
        self.met = met
        self.unmet = unmet
        self.is_read_later = True


def test_of(op: Op, register: int, later: int) -> Branch | None:
    """Return the test of a register by which an op jumps; None if it tests another one, or none. `later`: the registers
    that may be read after it."""
    test = _test_of(op, register)
    if test is not None:
        test.is_read_later = later >> register & 1 != 0
    return test


def _test_of(op: Op, register: int) -> Branch | None:
    if isinstance(op, Jt):
        return Branch(True, 0, op.next, op.target) if op.a == register else None
    if isinstance(op, Jf):
        return Branch(True, 0, op.target, op.next) if op.a == register else None
    if isinstance(op, Jeqi):
        return Branch(True, op.b, op.target, op.next) if op.a == register else None
    if isinstance(op, Jnei):
        return Branch(True, op.b, op.next, op.target) if op.a == register else None
    if isinstance(op, Jlti):
        return Branch(False, op.b - 1, op.target, op.next) if op.a == register else None
    if isinstance(op, Jlei):
        return Branch(False, op.b, op.target, op.next) if op.a == register else None
    if isinstance(op, Jgti):
        return Branch(False, op.b, op.next, op.target) if op.a == register else None
    if isinstance(op, Jgei):
        return Branch(False, op.b - 1, op.next, op.target) if op.a == register else None
    return None


def ways_of(op: Op) -> tuple[int, ...]:
    """Return the targets of a fused test and jump; empty for other ops."""
    if isinstance(op, TestColumn | TestLookup):
        return op.met, op.unmet
    if isinstance(op, TestRange):
        return op.yes, op.no
    if isinstance(op, TestField):
        return op.equal, op.unequal
    return ()


class FusedTest(Op):
    """An op that computes a number and the jump that it decides. A subclass compares in its `run`: a call is slower."""

    __slots__ = ("exactly", "is_read_later", "met", "out", "to", "unmet")

    def __init__(self, out: int, way: Branch) -> None:
        super().__init__()
        self.out = out
        self.exactly, self.to, self.met, self.unmet, self.is_read_later = (
            way.exactly,
            way.to,
            way.met,
            way.unmet,
            way.is_read_later,
        )

    def join(self, ops: list[Op]) -> None:
        self.then, self.there = ops[self.met], ops[self.unmet]


class TestColumn(FusedTest):
    """A value from memory, and a jump that it decides."""

    __slots__ = ("base", "empty", "high", "low", "thing")

    def __init__(self, first: ReadColumn, way: Branch) -> None:
        super().__init__(first.out, way)
        self.thing, self.empty = first.thing, first.empty
        self.base, self.low, self.high = first.base, first.low, first.high

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        value = g.world.mem[self.base + thing] if self.low <= thing < self.high else self.empty
        if self.is_read_later:
            f.r[self.out] = value
        if self.exactly:
            return self.then if value == self.to else self.there
        return self.then if value <= self.to else self.there


class ReadSingle(Op):
    """The one thing of a kind (into `register`; -1: that is dead), and a value of it from memory."""

    __slots__ = ("after", "out", "place", "register", "thing")

    def __init__(self, register: int, thing: int, second: ReadColumn) -> None:
        super().__init__()
        self.register, self.thing = register, thing
        self.out, self.place, self.after = second.out, second.base + thing, second.next

    def join(self, ops: list[Op]) -> None:
        self.then = ops[self.after]

    def run(self, g: Game, f: Frame) -> Op | None:
        r = f.r
        if self.register >= 0:
            r[self.register] = self.thing
        r[self.out] = g.world.mem[self.place]
        return self.then


class TestSingle(FusedTest):
    """The one thing of a kind, a value of it from memory, and a jump that this decides."""

    __slots__ = ("place", "register", "thing")

    def __init__(self, register: int, thing: int, second: TestColumn, needed: bool) -> None:
        super().__init__(second.out, Branch(second.exactly, second.to, second.met, second.unmet))
        self.register, self.thing = register, thing
        self.place = second.base + thing
        self.is_read_later = needed

    def run(self, g: Game, f: Frame) -> Op | None:
        value = g.world.mem[self.place]
        if self.is_read_later:
            f.r[self.register] = self.thing
            f.r[self.out] = value
        if self.exactly:
            return self.then if value == self.to else self.there
        return self.then if value <= self.to else self.there


class TestRange(Op):
    """Whether a thing is of a kind, and a jump that this decides."""

    __slots__ = ("high", "is_read_later", "low", "no", "out", "thing", "yes")

    def __init__(self, first: InRange, way: Branch) -> None:
        super().__init__()
        self.out, self.thing, self.low, self.high = first.out, first.thing, first.low, first.high
        self.yes = way.met if (way.to == 1 if way.exactly else way.to >= 1) else way.unmet
        self.no = way.met if (way.to == 0 if way.exactly else way.to >= 0) else way.unmet
        self.is_read_later = way.is_read_later

    def join(self, ops: list[Op]) -> None:
        self.then, self.there = ops[self.yes], ops[self.no]

    def run(self, g: Game, f: Frame) -> Op | None:
        if self.low <= f.r[self.thing] < self.high:
            if self.is_read_later:
                f.r[self.out] = 1
            return self.then
        if self.is_read_later:
            f.r[self.out] = 0
        return self.there


class TestLookup(FusedTest):
    """An op that computes a number, and a jump that this decides."""

    __slots__ = ("first",)

    def __init__(self, first: Lookup, way: Branch) -> None:
        super().__init__(first.out, way)
        self.first = first

    def run(self, g: Game, f: Frame) -> Op | None:
        value = self.first.read(g, f)
        if self.is_read_later:
            f.r[self.out] = value
        if self.exactly:
            return self.then if value == self.to else self.there
        return self.then if value <= self.to else self.there


class TestFlag(TestLookup):
    """A test for 0 whose register is dead afterwards."""

    __slots__ = ()

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.there if self.first.read(g, f) else self.then


class KeptFlag(TestLookup):
    """A test for 0 whose register may be read later."""

    __slots__ = ()

    def run(self, g: Game, f: Frame) -> Op | None:
        value = self.first.read(g, f)
        f.r[self.out] = value
        return self.there if value else self.then


class Comparison(Op):
    """A value, and a jump if it equals a register (`other`), or does not."""

    __slots__ = ("empty", "equal", "high", "is_read_later", "low", "other", "out", "unequal")

    def __init__(self, out: int, empty: int, second: Op, is_read_later: bool) -> None:
        super().__init__()
        assert isinstance(second, Jeq | Jne)
        self.out, self.empty = out, empty
        self.other = second.b if second.a == out else second.a
        self.is_read_later = is_read_later or self.other == out
        jumps = isinstance(second, Jeq)
        self.equal, self.unequal = (second.target, second.next) if jumps else (second.next, second.target)

    def join(self, ops: list[Op]) -> None:
        self.then, self.there = ops[self.equal], ops[self.unequal]


class TestField(Comparison):
    """A comparison with a value of a thing or definition that never changes."""

    __slots__ = ("subject", "table")

    def __init__(self, first: Lookup, second: Op, is_read_later: bool) -> None:
        assert isinstance(first, Dfield | ReadTable)
        super().__init__(first.out, first.empty, second, is_read_later)
        self.table = first.table
        if isinstance(first, Dfield):
            self.subject, self.low, self.high = first.definition, 0, len(first.table)
        else:
            self.subject, self.low, self.high = first.thing, first.low, first.high

    def run(self, g: Game, f: Frame) -> Op | None:
        r = f.r
        subject = r[self.subject]
        value = self.table[subject - self.low] if self.low <= subject < self.high else self.empty
        if self.is_read_later:
            r[self.out] = value
        return self.then if value == r[self.other] else self.there


class TestColumns(Comparison):
    """A comparison with a value from memory."""

    __slots__ = ("base", "thing")

    def __init__(self, first: ReadColumn, second: Op, is_read_later: bool) -> None:
        super().__init__(first.out, first.empty, second, is_read_later)
        self.thing, self.base, self.low, self.high = first.thing, first.base, first.low, first.high

    def run(self, g: Game, f: Frame) -> Op | None:
        r = f.r
        thing = r[self.thing]
        value = g.world.mem[self.base + thing] if self.low <= thing < self.high else self.empty
        if self.is_read_later:
            r[self.out] = value
        return self.then if value == r[self.other] else self.there


class Begin(Op):
    """The first round of a loop; if the fuel does not suffice, ITER reports it."""

    __slots__ = ("after", "alone", "cost", "end", "index", "items", "loop", "out")

    def __init__(self, second: Iter) -> None:
        super().__init__()
        self.items, self.index, self.out = second.items, second.index, second.out
        self.cost, self.after, self.end, self.alone = second.cost, second.next, second.end, second.at

    def join(self, ops: list[Op]) -> None:
        self.then, self.there, self.loop = ops[self.after], ops[self.end], ops[self.alone]

    def run(self, g: Game, f: Frame) -> Op | None:
        r = f.r
        left = g.fuel - self.cost
        if left < 0:
            r[self.index] = -1
            return self.loop
        g.fuel = left
        r[self.index] = 0
        items = f.s[self.items]
        if items:
            r[self.out] = items[0]
            return self.then
        return self.there


class Rounds(Op):
    """The beginning of a loop with a number of rounds whose body is skipped unless a test is met.

    A skipped round changes nothing, so the further ones are skipped, too. If the fuel does not suffice for them, the
    jump back reports it.
    """

    __slots__ = ("back", "cost", "count", "end", "test")

    def __init__(self, head: Jlei, test: TestLookup, back: Jmp) -> None:
        super().__init__()
        self.test = test
        self.back = back
        self.count, self.end, self.cost = head.a, head.target, back.cost

    def join(self, ops: list[Op]) -> None:
        self.there = ops[self.end]

    def run(self, g: Game, f: Frame) -> Op | None:
        count = f.r[self.count]
        if count <= 0:
            return self.there
        f.r[self.count] = count - 1
        way = self.test.run(g, f)
        if way is not self.back or g.fuel < self.cost * count:
            return way
        g.fuel -= self.cost * count
        f.r[self.count] = 0
        return self.there


class One(Op):
    """A list of one number."""

    __slots__ = ("after", "out", "value")

    def __init__(self, second: Ladd) -> None:
        super().__init__()
        self.out, self.value, self.after = second.items, second.value, second.next

    def join(self, ops: list[Op]) -> None:
        self.then = ops[self.after]

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = (f.r[self.value],)
        return self.then


class Holding(Op):
    """A zone of a thing or of the game, and its contents."""

    __slots__ = ("after", "base", "high", "low", "out", "shared", "thing", "things")

    def __init__(self, first: Zone, second: Contents) -> None:
        super().__init__()
        self.out, self.thing, self.shared = first.out, first.thing, first.shared
        self.base, self.low, self.high = first.base, first.low, first.high
        self.things, self.after = second.out, second.next

    def join(self, ops: list[Op]) -> None:
        self.then = ops[self.after]

    def run(self, g: Game, f: Frame) -> Op | None:
        zone = self.base
        if not self.shared:
            thing = f.r[self.thing]
            if not self.low <= thing < self.high:
                f.r[self.out] = -1
                f.s[self.things] = ()
                return self.then
            zone += thing
        f.r[self.out] = zone
        w = g.world
        f.s[self.things] = w.lying(zone) if w.unmixed else w.zones[zone]
        return self.then


class Seek(Op):
    """A search loop: go to the next element that passes a test, or to the first one (`begins`).

    Without a board it runs only one round if the test may fault then.
    """

    __slots__ = ("after", "alone", "begins", "cost", "end", "index", "items", "loop", "needs_board", "out", "test")

    def __init__(self, loop: Iter, test: Op, begins: bool) -> None:
        super().__init__()
        self.test, self.begins = test, begins
        self.needs_board = not is_boardless(test)
        self.items, self.index, self.out = loop.items, loop.index, loop.out
        self.cost, self.after, self.end, self.alone = loop.cost, loop.next, loop.end, loop.at

    def join(self, ops: list[Op]) -> None:
        self.then, self.there, self.loop = ops[self.after], ops[self.end], ops[self.alone]

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.slowly(g, f)

    def slowly(self, g: Game, f: Frame) -> Op | None:
        """Run round by round, because the fuel may not suffice or a test may fault."""
        return self.loop if self.begins else self.round_by_round(g, f)

    def round_by_round(self, g: Game, f: Frame) -> Op | None:
        """Make sure of each round's fuel, and that there is a board."""
        r, items = f.r, f.s[self.items]
        index, count = r[self.index], len(items)
        while True:
            g.fuel -= self.cost
            if g.fuel < 0:
                g.spend(0)
            index += 1
            r[self.index] = index
            if not 0 <= index < count:
                return self.there
            r[self.out] = items[index]
            if self.needs_board and g.world.board < 0:
                return self.then
            way = self.test.run(g, f)
            if way is not self:
                return way


def is_boardless(test: Op) -> bool:
    """Return whether a test cannot fault in a game without a board."""
    if isinstance(test, TestLookup):
        return test.first.boardless
    return isinstance(test, TestColumn | TestField | TestRange)


def seek_of(loop: Iter, test: Op, begins: bool = False) -> Seek:
    """Return the search op of a loop whose body begins with a test."""
    if isinstance(test, TestFlag | KeptFlag):
        return SeekFlag(loop, test, begins)
    if isinstance(test, TestColumn):
        return SeekColumn(loop, test, begins)
    if isinstance(test, TestField) and is_separate(loop, test):
        return SeekField(loop, test, begins)
    return Seek(loop, test, begins)


def is_separate(loop: Iter, test: TestField) -> bool:
    """Return whether a loop changes no register that its test reads, except for the one of the element."""
    return test.subject == loop.out and test.out != loop.index and test.other not in (test.out, loop.out, loop.index)


class SeekFlag(Seek):
    """A search loop whose test is for 0: the test charges no fuel."""

    __slots__ = ("first", "found", "is_read_later", "zero")

    def __init__(self, loop: Iter, test: TestLookup, begins: bool) -> None:
        super().__init__(loop, test, begins)
        self.first = test.first
        self.found, self.is_read_later = test.out, test.is_read_later
        self.zero = test.unmet == loop.at
        """Whether the loop searches for 0."""

    def run(self, g: Game, f: Frame) -> Op | None:
        r, items = f.r, f.s[self.items]
        if self.begins:
            r[self.index] = -1
        index, count = r[self.index] + 1, len(items)
        left = g.fuel - self.cost
        if index < 0 or (self.needs_board and g.world.board < 0) or left < self.cost * count:
            return self.slowly(g, f)
        while index < count:
            r[self.index] = index
            r[self.out] = items[index]
            value = self.first.read(g, f)
            if self.is_read_later:
                r[self.found] = value
            if (value == 0) == self.zero:
                g.fuel = left
                return self.test.then if value == 0 else self.test.there
            left -= self.cost
            index += 1
        r[self.index] = index
        g.fuel = left
        return self.there


class SeekColumn(Seek):
    """A search loop whose test reads a value from memory; it cannot fault."""

    __slots__ = ("base", "empty", "exactly", "found", "high", "is_read_later", "low", "meeting", "thing", "to")

    def __init__(self, loop: Iter, test: TestColumn, begins: bool) -> None:
        super().__init__(loop, test, begins)
        self.found, self.thing, self.empty = test.out, test.thing, test.empty
        self.base, self.low, self.high = test.base, test.low, test.high
        self.exactly, self.to, self.is_read_later = test.exactly, test.to, test.is_read_later
        self.meeting = test.unmet == loop.at
        """Whether the loop searches for a value that meets the test."""

    def run(self, g: Game, f: Frame) -> Op | None:
        r, items, mem = f.r, f.s[self.items], g.world.mem
        if self.begins:
            r[self.index] = -1
        index, count = r[self.index] + 1, len(items)
        left = g.fuel - self.cost
        if index < 0 or left < self.cost * count:
            return self.slowly(g, f)
        while index < count:
            r[self.index] = index
            r[self.out] = items[index]
            thing = r[self.thing]
            value = mem[self.base + thing] if self.low <= thing < self.high else self.empty
            if self.is_read_later:
                r[self.found] = value
            met = value == self.to if self.exactly else value <= self.to
            if met == self.meeting:
                g.fuel = left
                return self.test.then if met else self.test.there
            left -= self.cost
            index += 1
        r[self.index] = index
        g.fuel = left
        return self.there


class SeekField(Seek):
    """A search loop for things or definitions with (or without) a value that never changes; it cannot fault."""

    __slots__ = ("empty", "equal", "found", "high", "is_read_later", "low", "other", "table")

    def __init__(self, loop: Iter, test: TestField, begins: bool) -> None:
        super().__init__(loop, test, begins)
        self.found, self.other, self.table, self.empty = test.out, test.other, test.table, test.empty
        self.low, self.high, self.is_read_later = test.low, test.high, test.is_read_later
        self.equal = test.unequal == loop.at
        """Whether the loop searches for the value, or for others."""

    def run(self, g: Game, f: Frame) -> Op | None:
        r, items, table = f.r, f.s[self.items], self.table
        if self.begins:
            r[self.index] = -1
        index, count = r[self.index] + 1, len(items)
        left = g.fuel - self.cost
        if index < 0 or left < self.cost * count:
            return self.slowly(g, f)
        wanted, value, low, high = r[self.other], self.empty, self.low, self.high
        before = index
        while index < count:
            subject = items[index]
            value = table[subject - low] if low <= subject < high else self.empty
            if (value == wanted) == self.equal:
                break
            left -= self.cost
            index += 1
        r[self.index] = index
        g.fuel = left
        if before < count:
            r[self.out] = items[min(index, count - 1)]
            if self.is_read_later:
                r[self.found] = value
        if index >= count:
            return self.there
        return self.test.then if self.equal else self.test.there


def set_loop_of(loop: Iter, body: Op, back: Op) -> SetLoop | None:
    """Return the op of a loop that sets the same stat of each thing to one value; None for other loops."""
    if not isinstance(body, Set) or not isinstance(back, Jmp) or back.target != loop.at or back.cost:
        return None
    if body.thing != loop.out or body.value in (loop.out, loop.index):
        return None
    return SetLoop(loop, body)


class SetLoop(Op):
    """A loop that sets a stat of each thing: go to the next thing that does not have the value yet.

    It goes round by round if listeners to changes may have to run after each of them.
    """

    __slots__ = ("body", "cost", "index", "items", "loop", "out", "value")

    def __init__(self, loop: Iter, body: Set) -> None:
        super().__init__()
        self.loop, self.body = loop, body
        self.items, self.index, self.out, self.cost = loop.items, loop.index, loop.out, loop.cost
        self.value = body.value

    def join(self, ops: list[Op]) -> None:
        self.loop.join(ops)
        self.then, self.there = self.loop.then, self.loop.there

    def run(self, g: Game, f: Frame) -> Op | None:
        r, items, body = f.r, f.s[self.items], self.body
        index, count = r[self.index] + 1, len(items)
        left = g.fuel - self.cost
        if index < 0 or left < self.cost * count or events.is_change_heard(g):
            return self.loop.run(g, f)
        value = min(max(r[self.value], body.least), body.most)
        mem, base, low, high = g.world.mem, body.base, body.low, body.high
        before = index
        while index < count:
            thing = items[index]
            if not low <= thing < high or mem[base + thing] != value:
                break
            left -= self.cost
            index += 1
        g.fuel = left
        r[self.index] = index
        if index < count:
            r[self.out] = items[index]
            return self.then
        if before < count:
            r[self.out] = items[count - 1]
        return self.there
