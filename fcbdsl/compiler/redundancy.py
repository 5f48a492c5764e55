"""What a code need not find out again. In a code that only looks nothing changes while it runs: an op gives the same
answer whenever it is asked the same, so that what is known on every way to an op need not be asked there, a test whose
outcome is known is none, and what nobody reads need not be found out.

Values are numbered: registers that surely hold the same have the same number, an op's answer has a number of its own
for each place where it is first found out. Where ways meet, what all of them know is known; where a loop begins, what
was known before it, but for the registers that are written in it. All of it is done in one go over the ops.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from fcbdsl.compiler.assembler import CONSTANTS, MOST_CONSTANTS, Assembler, Instruction, Label, Operand, Register
from fcbdsl.records import dataclass
from fcbdsl.vm.op import Op
from fcbdsl.vm.ops import OPS
from fcbdsl.vm.ops.arithmetic import Eq, Eqi, Ne
from fcbdsl.vm.ops.calls import Call, Met
from fcbdsl.vm.ops.data import Lit, Lmov, Lnew, Mov
from fcbdsl.vm.ops.flow import Jeq, Jeqi, Jf, Jgei, Jgti, Jle, Jlei, Jlt, Jlti, Jmp, Jne, Jnei, Jt
from fcbdsl.vm.ops.state import Isa, Played, Single, Variant
from fcbdsl.vm.ops.zones import Zone

AT_HAND = frozenset(op.name for op in (Lit, Lnew, Mov, Lmov, Single, Played, Variant, Zone))
"""Ops that cost no more than to copy what they found out before."""
LEAST, MOST = -(1 << 62), 1 << 62
"""Bounds of a number of which nothing is known."""

Range = tuple[int, int, frozenset[int]]
"""What is known of a number: at least, at most, and none of these."""
ANY: Range = (LEAST, MOST, frozenset())
Key = tuple[object, ...]
Kinds = frozenset[tuple[int, bool]]
"""Of which kinds something is and is not."""
Descends = Callable[[int, int], bool]
"""Whether a kind is another one, or descends from it, by their numbers."""


@dataclass(slots=True)
class OpShape:
    """How an op of a name reads and writes: places of its registers with their banks, of its arguments, of what it is
    told literally; whether its answer hangs on nothing else."""

    reads: tuple[tuple[int, int], ...]
    changes: tuple[tuple[int, int], ...]
    writes: tuple[tuple[int, int], ...]
    args: tuple[int, ...]
    literals: tuple[int, ...]
    answers: bool
    removable: bool


@functools.cache
def _shape(name: str) -> OpShape:
    op = OPS[name]
    banks = {"r": 0, "s": 1}
    rows = list(enumerate(op.operands))
    registers = [(at, banks[o.kind], o.reads, o.writes) for at, o in rows if o.kind in banks]
    reads = tuple([(at, bank) for at, bank, read, write in registers if read and not write])
    changes = tuple([(at, bank) for at, bank, read, write in registers if read and write])
    writes = tuple([(at, bank) for at, bank, read, write in registers if write and not read])
    args = tuple([at for at, o in rows if o.kind == "args"])
    literals = tuple([at for at, o in rows if o.kind not in banks and o.kind not in ("args", "label")])
    plain = op.pure and not op.jumps and not op.ends and op is not Met
    answers = plain and len(writes) == 1 and not changes
    return OpShape(reads, changes, writes, args, literals, answers, plain and bool(writes or changes))


@dataclass(slots=True)
class Knowledge:
    """What is known at a place: the numbers of the values that registers hold, of what ops have answered, and what of
    these values is known."""

    held: dict[int, int]
    answered: dict[Key, int]
    ranges: dict[int, Range]
    kinds: dict[int, Kinds]

    def copied(self) -> Knowledge:
        """The same, to be changed."""
        return Knowledge(dict(self.held), dict(self.answered), dict(self.ranges), dict(self.kinds))

    def meet(self, other: Knowledge, fresh: Callable[[], int]) -> None:
        """Keep what another way knows, too."""
        for register, value in self.held.items():
            if other.held.get(register) != value:
                self.held[register] = fresh()
        self.answered = {key: value for key, value in self.answered.items() if other.answered.get(key) == value}
        ranges: dict[int, Range] = {}
        for value, (low, high, but) in self.ranges.items():
            there = other.ranges.get(value)
            if there is not None:
                joined = (min(low, there[0]), max(high, there[1]), but & there[2])
                if joined != ANY:
                    ranges[value] = joined
        self.ranges = ranges
        self.kinds = {value: kinds & other.kinds[value] for value, kinds in self.kinds.items() if value in other.kinds}


def looks(code: Assembler, pure: Callable[[int], bool]) -> bool:
    """Whether a code only looks. `pure`: whether a code does that it calls for an answer, by its number."""
    for instruction in code.instructions:
        op = instruction.op
        if not op.pure or op is Call or op is Met:
            return False
        if _shape(op.name).args:
            for at, operand in enumerate(op.operands):
                number = instruction.operands[at]
                if operand.kind == "code" and not (isinstance(number, int) and pure(number)):
                    return False
    return True


def thrifty(code: Assembler, descends: Descends) -> None:
    """Take out of a code that only looks what it finds out for nothing. Where it jumps is to be looked at anew."""
    before = code.instructions
    numbering = _Numbering(code, descends)
    if numbering.run():
        code.instructions = _needed(numbering.rewritten())
    else:
        code.instructions = _needed(before)


# ── values by number ────────────────────────────────────────────────────────────────────────────


class _Numbering:
    """One pass over the ops of a code."""

    def __init__(self, code: Assembler, descends: Descends) -> None:
        self.code = code
        self.ops = code.instructions
        self.descends = descends
        self.count = 0
        self.constants: dict[int, int] = {}
        """By number the value of each constant."""
        self.value_of: dict[int, int] = {}
        """By value the number that it is."""
        self.found: dict[int, int] = {}
        """By value the op that answers it first."""
        self.tests: dict[int, tuple[int, int]] = {}
        """By value, of one that says whether something is of a kind: the kind, and that."""
        self.decided: dict[int, bool] = {}
        """Per jump of which the outcome is known: whether it jumps."""
        self.again: dict[int, int] = {}
        """Per op that finds out what is known: that value."""
        self.read: list[dict[int | tuple[int, int], int]] = [{} for _ in self.ops]
        """Per op the values that it reads, by place."""

    def fresh(self) -> int:
        """The number of a value of which nothing is known."""
        self.count += 1
        return self.count - 1

    def constant(self, number: int) -> int:
        """The value of a constant."""
        value = self.constants.get(number)
        if value is None:
            value = self.constants[number] = self.fresh()
            self.value_of[value] = number
        return value

    def run(self) -> bool:
        """Find out what is known where; False if the code jumps in a way that this does not see through."""
        ops = self.ops
        loops = _loops(ops)
        if loops is None:
            return False
        entry = Knowledge({}, {}, {}, {})
        for register in range(self.code.params):
            entry.held[register * 2 + (register in self.code.list_params)] = self.fresh()
        coming: dict[int, Knowledge] = {0: entry}
        for at, instruction in enumerate(ops):
            known = coming.pop(at, None)
            if known is None:
                continue
            if at in loops:
                for register in loops[at]:
                    known.held[register] = self.fresh()
            self._one(at, instruction, known, coming)
        return True

    def _one(self, at: int, instruction: Instruction, known: Knowledge, coming: dict[int, Knowledge]) -> None:
        """What an op comes to, and where that is known."""
        op = instruction.op
        ways = [(label.at, known) for label in instruction.operands if isinstance(label, Label)] if op.jumps else []
        if op.jumps and op is not Jmp:
            test = self._test(instruction, known)
            self._read(at, instruction, known)
            if test is not None:
                value, range_, jumps = test
                outcome = _outcome(self._range(known, value), range_)
                if outcome is not None:
                    self.decided[at] = outcome is jumps
                    ways = ways if outcome is jumps else [(at + 1, known)]
                else:
                    yes, no = known.copied(), known
                    self._learn(yes, value, range_)
                    self._learn(no, value, _opposite(range_))
                    ways = [(ways[0][0], yes if jumps else no), (at + 1, no if jumps else yes)]
            else:
                outcome = self._same(instruction, known)
                if outcome is not None:
                    self.decided[at] = outcome
                    ways = ways if outcome else [(at + 1, known)]
                else:
                    self._write(at, instruction, known)
                    ways = [*((to, known.copied()) for to, _ in ways), (at + 1, known)]
        elif not op.jumps:
            self._read(at, instruction, known)
            self._write(at, instruction, known)
            ways = [] if op.ends else [(at + 1, known)]
        for to, there in ways:
            if to <= at:
                continue  # back to where a loop begins: what is known there is known
            before = coming.get(to)
            if before is None:
                coming[to] = there
            else:
                before.meet(there, self.fresh)

    # ── what an op reads and writes ────────────────────────────────────────────────────────────

    def _holds(self, known: Knowledge, register: int, bank: int) -> int:
        """The value that a register holds."""
        if bank == 0 and register >= CONSTANTS:
            return self.constant(self.code.constants[register - CONSTANTS])
        value = known.held.get(register * 2 + bank)
        if value is None:
            value = known.held[register * 2 + bank] = self.fresh()
        return value

    def _read(self, at: int, instruction: Instruction, known: Knowledge) -> None:
        shape = _shape(instruction.op.name)
        values = self.read[at]
        for place, bank in shape.reads:
            register = instruction.operands[place]
            assert isinstance(register, int)
            values[place] = self._holds(known, register, bank)
        for place in shape.args:
            row = instruction.operands[place]
            assert isinstance(row, tuple)
            for number, one in enumerate(row):
                values[place, number] = self._holds(known, one.index, int(one.many))

    def _write(self, at: int, instruction: Instruction, known: Knowledge) -> None:
        op, operands = instruction.op, instruction.operands
        shape = _shape(op.name)
        if not shape.answers:
            for place, bank in (*shape.changes, *shape.writes):
                register = operands[place]
                assert isinstance(register, int)
                known.held[register * 2 + bank] = self.fresh()
            return
        place, bank = shape.writes[0]
        register = operands[place]
        assert isinstance(register, int)
        known.held[register * 2 + bank] = self._answer(at, instruction, known, shape)

    def _answer(self, at: int, instruction: Instruction, known: Knowledge, shape: OpShape) -> int:
        """The value that an op answers."""
        op, operands = instruction.op, instruction.operands
        values = list(self.read[at].values())
        if op is Lit:
            literal = operands[1]
            assert isinstance(literal, int)
            return self.constant(literal)
        if op is Mov or op is Lmov:
            return values[0]
        key: Key = (op.name, *[operands[place] for place in shape.literals], *values)
        value = known.answered.get(key)
        if value is not None:
            self.again[at] = value
            return value
        value = self._worked_out(op, operands, values, known)
        if value is None:
            value = self.fresh()
            self.found[value] = at
            if op is Isa:
                kind = operands[1]
                assert isinstance(kind, int)
                self.tests[value] = (kind, values[0])
            if op in (Isa, Eqi, Eq, Ne):
                known.ranges[value] = (0, 1, frozenset())
        known.answered[key] = value
        return value

    def _worked_out(self, op: type[Op], operands: list[Operand], values: list[int], known: Knowledge) -> int | None:
        """The value of an answer that follows from what is known."""
        if op is Eqi:
            literal = operands[2]
            assert isinstance(literal, int)
            outcome = _outcome(self._range(known, values[0]), (literal, literal, frozenset()))
            return None if outcome is None else self.constant(int(outcome))
        if op is Isa:
            kind = operands[1]
            assert isinstance(kind, int)
            for other, is_one in known.kinds.get(values[0], ()):
                if is_one and self.descends(other, kind):
                    return self.constant(1)
                if is_one and not self.descends(kind, other):
                    return self.constant(0)
                if not is_one and self.descends(kind, other):
                    return self.constant(0)
        return None

    # ── tests ──────────────────────────────────────────────────────────────────────────────────

    def _range(self, known: Knowledge, value: int) -> Range:
        number = self.value_of.get(value)
        if number is not None:
            return number, number, frozenset()
        return known.ranges.get(value, ANY)

    def _learn(self, known: Knowledge, value: int, more: Range) -> None:
        """A value lies in a range."""
        low, high, but = known.ranges.get(value, ANY)
        low, high, but = max(low, more[0]), min(high, more[1]), but | more[2]
        while low in but:
            low += 1
        while high in but:
            high -= 1
        known.ranges[value] = (low, high, but)
        test = self.tests.get(value)
        if test is not None and low == high and low in (0, 1):
            kind, thing = test
            known.kinds[thing] = known.kinds.get(thing, frozenset()) | {(kind, low == 1)}

    def _test(self, instruction: Instruction, known: Knowledge) -> tuple[int, Range, bool] | None:
        """What a jump tests: whether a value lies in a range, and whether it jumps if it does; None if it is none
        that compares with a literal."""
        op, operands = instruction.op, instruction.operands
        if op not in TESTS:
            return None
        register = operands[0]
        assert isinstance(register, int)
        value = self._holds(known, register, 0)
        literal = operands[1] if isinstance(operands[1], int) else 0
        range_, jumps = TESTS[op](literal)
        return value, range_, jumps

    def _same(self, instruction: Instruction, known: Knowledge) -> bool | None:
        """Whether a jump jumps that compares two values which are the same."""
        if instruction.op not in (Jeq, Jne, Jlt, Jle):
            return None
        a, b = instruction.operands[:2]
        assert isinstance(a, int)
        assert isinstance(b, int)
        if self._holds(known, a, 0) != self._holds(known, b, 0):
            return None
        return instruction.op in (Jeq, Jle)

    # ── the code as it becomes ─────────────────────────────────────────────────────────────────

    def rewritten(self) -> list[Instruction]:
        """The ops, each of which reads a value where it was first found out; jumps are as they are known to be."""
        homes: dict[int, Register] = {}
        copied: dict[int, int] = {}
        """Per op whose answer is kept for others: that value."""
        if self.again:
            self._above_all()
        for at, value in self.again.items():
            first = self.found.get(value)
            if first is None or self.ops[at].op.name in AT_HAND or value in homes:
                continue
            many = _shape(self.ops[first].op.name).writes[0][1] == 1
            homes[value] = Register(self.code.list_register() if many else self.code.int_register(), many)
            copied[first] = value
        out: list[Instruction] = []
        moved: list[int] = []
        for at, instruction in enumerate(self.ops):
            moved.append(len(out))
            self._place(at, instruction, homes)
            value = copied.get(at, self.again.get(at, -1))
            home = homes.get(value)
            if at in self.decided:
                if self.decided[at]:
                    target = next(label for label in instruction.operands if isinstance(label, Label))
                    out.append(Instruction(Jmp, [target], instruction.span))
            elif home is None or instruction.op.name in AT_HAND:
                out.append(instruction)
            else:
                place = _shape(instruction.op.name).writes[0][0]
                own = instruction.operands[place]
                if at in copied:
                    instruction.operands[place] = home.index
                    out.append(instruction)
                out.append(Instruction(Lmov if home.many else Mov, [own, home.index], instruction.span))
        moved.append(len(out))
        _move(out, moved)
        return out

    def _above_all(self) -> None:
        """Let registers that are taken from now on lie above all that are used."""
        code = self.code
        for instruction in self.ops:
            shape = _shape(instruction.op.name)
            for place, bank in (*shape.reads, *shape.changes, *shape.writes):
                register = instruction.operands[place]
                assert isinstance(register, int)
                if bank:
                    code.lists = max(code.lists, register + 1)
                elif register < CONSTANTS:
                    code.ints = max(code.ints, register + 1)
            for place in shape.args:
                row = instruction.operands[place]
                assert isinstance(row, tuple)
                for one in row:
                    if one.many:
                        code.lists = max(code.lists, one.index + 1)
                    elif one.index < CONSTANTS:
                        code.ints = max(code.ints, one.index + 1)

    def _place(self, at: int, instruction: Instruction, homes: dict[int, Register]) -> None:
        """Let an op read values where they are kept."""
        operands = instruction.operands
        for place, value in self.read[at].items():
            if isinstance(place, int):
                register = self._kept(value, homes)
                if register >= 0:
                    operands[place] = register
            else:
                row = operands[place[0]]
                assert isinstance(row, tuple)
                register = self._kept(value, homes)
                if register >= 0:
                    number = place[1]
                    one = Register(register, row[number].many)
                    operands[place[0]] = (*row[:number], one, *row[number + 1 :])

    def _kept(self, value: int, homes: dict[int, Register]) -> int:
        """The register that surely holds a value; -1 if there is none of which that is known."""
        home = homes.get(value)
        if home is not None:
            return home.index
        number = self.value_of.get(value)
        if number is None or (number not in self.code.constants and len(self.code.constants) >= MOST_CONSTANTS):
            return -1
        return self.code.constant(number)


TESTS: dict[type[Op], Callable[[int], tuple[Range, bool]]] = {
    Jt: lambda _: ((0, 0, frozenset()), False),
    Jf: lambda _: ((0, 0, frozenset()), True),
    Jeqi: lambda n: ((n, n, frozenset()), True),
    Jnei: lambda n: ((n, n, frozenset()), False),
    Jlti: lambda n: ((LEAST, n - 1, frozenset()), True),
    Jlei: lambda n: ((LEAST, n, frozenset()), True),
    Jgti: lambda n: ((LEAST, n, frozenset()), False),
    Jgei: lambda n: ((LEAST, n - 1, frozenset()), False),
}
"""Per jump on a number the range that it tests for, and whether it jumps if the number lies there."""


def _opposite(range_: Range) -> Range:
    low, high, _ = range_
    if low == high:
        return LEAST, MOST, frozenset((low,))
    return high + 1, MOST, frozenset()


def _outcome(known: Range, tested: Range) -> bool | None:
    """Whether a number of which something is known lies in a range (of one number, or up to one)."""
    low, high, but = known
    if high < tested[0] or low > tested[1] or (tested[0] == tested[1] and tested[0] in but):
        return False
    return True if tested[0] <= low and high <= tested[1] else None


def _loops(ops: list[Instruction]) -> dict[int, list[int]] | None:
    """Per op where a loop begins the registers that are written in it; None if there is a way into a loop but through
    its beginning."""
    ends: dict[int, int] = {}
    jumps: list[tuple[int, int]] = []
    for at, instruction in enumerate(ops):
        if instruction.op.jumps:
            for operand in instruction.operands:
                if isinstance(operand, Label):
                    jumps.append((at, operand.at))
                    if operand.at <= at:
                        ends[operand.at] = at
    growing = bool(ends)
    while growing:  # a loop that begins in another one and ends behind it belongs to it
        growing = False
        for first, last in ends.items():
            for other, end in ends.items():
                if first < other <= last < end:
                    ends[first] = last = end
                    growing = True
    for first, last in ends.items():
        if any(first < to <= last and not first <= at <= last for at, to in jumps):
            return None
    out: dict[int, list[int]] = {}
    for first, last in ends.items():
        written: dict[int, None] = {}
        for instruction in ops[first : last + 1]:
            shape = _shape(instruction.op.name)
            for place, bank in (*shape.changes, *shape.writes):
                register = instruction.operands[place]
                assert isinstance(register, int)
                written[register * 2 + bank] = None
        out[first] = list(written)
    return out


# ── what nobody reads ───────────────────────────────────────────────────────────────────────────


def _needed(ops: list[Instruction]) -> list[Instruction]:
    """The ops but for those whose answers nobody reads."""
    effects = [_effect(instruction) for instruction in ops]
    jumps = [[label.at for label in instruction.operands if isinstance(label, Label)] for instruction in ops]
    before = [0] * (len(ops) + 1)
    dead = [False] * len(ops)
    changed = True
    while changed:
        changed = False
        for at in range(len(ops) - 1, -1, -1):
            effect = effects[at]
            onward = 0 if ops[at].op.ends else before[at + 1]
            jumping = 0
            for to in jumps[at]:
                jumping |= before[to]
            dead[at] = effect.removable and not effect.writes & onward
            needed = onward & ~effect.writes | jumping & ~effect.writes_jumping | effect.reads
            if dead[at]:
                needed = onward
            if needed != before[at]:
                before[at] = needed
                changed = True
    if not any(dead):
        return ops
    out: list[Instruction] = []
    moved: list[int] = []
    for instruction, gone in zip(ops, dead, strict=True):
        moved.append(len(out))
        if not gone:
            out.append(instruction)
    moved.append(len(out))
    _move(out, moved)
    return out


@dataclass(slots=True)
class RegisterUse:
    """The registers that an op reads and those that it surely writes, as bits, constants not counted; `writes_jumping`:
    if it jumps. `removable`: it may go if nobody reads what it writes."""

    reads: int
    writes: int
    writes_jumping: int
    removable: bool


def _effect(instruction: Instruction) -> RegisterUse:
    """What an op does to registers."""
    shape = _shape(instruction.op.name)
    operands = instruction.operands
    reads = writes = jumping = 0
    for place, bank in (*shape.reads, *shape.changes):
        register = operands[place]
        assert isinstance(register, int)
        if register < CONSTANTS:
            reads |= 1 << register * 2 + bank
    for place in shape.args:
        row = operands[place]
        assert isinstance(row, tuple)
        for one in row:
            if one.index < CONSTANTS:
                reads |= 1 << one.index * 2 + one.many
    for place, bank in (*shape.changes, *shape.writes):
        register = operands[place]
        assert isinstance(register, int)
        writes |= 1 << register * 2 + bank
        if instruction.op.operands[place].name not in instruction.op.unjumped:
            jumping |= 1 << register * 2 + bank
    return RegisterUse(reads, writes, jumping, shape.removable)


def _move(ops: list[Instruction], moved: list[int]) -> None:
    """Let labels stand where what they stood before has come to stand."""
    seen: set[int] = set()
    for instruction in ops:
        for operand in instruction.operands:
            if isinstance(operand, Label) and id(operand) not in seen:
                seen.add(id(operand))
                operand.at = moved[operand.at]
