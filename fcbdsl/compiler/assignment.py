"""What registers hold before a code writes them: constants, which get their places here, and nothing in locals that a
body may read before it binds them: no path reads before it writes."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from fcbdsl.compiler.assembler import CONSTANTS, Assembler, Instruction, Label, Register
from fcbdsl.vm.ops import OPS
from fcbdsl.vm.ops.data import Lit, Lnew

BANKS = {"r": 0, "s": 1}


def initialise(code: Assembler) -> None:
    """Give constants their registers, and put at the head of a code what gives a first value to others that might be
    read without one."""
    if code.constants:
        _place_constants(code)
    missing = _unwritten_reads(code)
    if not missing:
        return
    head = [
        Instruction(Lnew, [register], None) if bank else Instruction(Lit, [register, -1], None)
        for register, bank in (divmod(bit, 2) for bit in range(missing.bit_length()) if missing >> bit & 1)
    ]
    moved: set[int] = set()
    for instruction in code.instructions:
        for operand in instruction.operands:
            if isinstance(operand, Label) and id(operand) not in moved:
                moved.add(id(operand))
                operand.at += len(head)
    code.instructions[:0] = head


def _place_constants(code: Assembler) -> None:
    """Give each constant that is used the register behind all others; drop those that are not."""
    registers = {register for instruction in code.instructions for register in _int_registers(instruction)}
    used = sorted(register for register in registers if register >= CONSTANTS)
    code.first_constant = max([code.params - 1, *(register for register in registers if register < CONSTANTS)]) + 1
    places = {register: code.first_constant + number for number, register in enumerate(used)}
    for instruction in code.instructions:
        operands = instruction.operands
        for at, bank, _, _ in _banked(instruction.op.name):
            value = operands[at]
            if isinstance(value, tuple):
                operands[at] = tuple([r if r.many else Register(places.get(r.index, r.index)) for r in value])
            elif bank == 0 and isinstance(value, int):
                operands[at] = places.get(value, value)
    code.constants = [code.constants[register - CONSTANTS] for register in used]


def _int_registers(instruction: Instruction) -> Iterator[int]:
    for at, bank, _, _ in _banked(instruction.op.name):
        value = instruction.operands[at]
        if isinstance(value, tuple):
            yield from [register.index for register in value if not register.many]
        elif bank == 0 and isinstance(value, int):
            yield value


def _bit(many: bool, register: int) -> int:
    return 1 << (register * 2 + many)


def _effects(instruction: Instruction) -> tuple[int, int]:
    """The registers an instruction reads and those it writes, as bits."""
    read = written = 0
    operands = instruction.operands
    for at, bank, reads, writes in _banked(instruction.op.name):
        value = operands[at]
        if isinstance(value, tuple):
            for register in value:
                read |= _bit(register.many, register.index)
            continue
        assert isinstance(value, int)
        bit = 1 << (value * 2 + bank)
        if reads:
            read |= bit
        if writes:
            written |= bit
    return read, written


@functools.cache
def _banked(name: str) -> tuple[tuple[int, int, bool, bool], ...]:
    """The registers (of a bank) and lists of them (-1) among the operands of an op, by its name: place, bank, reads,
    writes."""
    return tuple(
        (at, BANKS.get(operand.kind, -1), operand.reads, operand.writes)
        for at, operand in enumerate(OPS[name].operands)
        if operand.kind in BANKS or operand.kind == "args"
    )


def _successors(instructions: list[Instruction], at: int) -> Iterator[int]:
    for operand in instructions[at].operands:
        if isinstance(operand, Label):
            yield operand.at
    if not instructions[at].op.ends:
        yield at + 1


def _straight(effects: list[tuple[int, int]], known: int) -> int:
    """What is read before it is written where no op jumps (and nothing stands behind one that ends)."""
    missing = 0
    for read, written in effects:
        missing |= read & ~known
        known |= written
    return missing


def _unwritten_reads(code: Assembler) -> int:
    """The registers that some path reads before it writes them, as bits."""
    instructions = code.instructions
    effects = [_effects(instruction) for instruction in instructions]
    entry = 0
    for register in range(code.params):
        entry |= _bit(register in code.list_params, register)
    for register in code.constant_registers():
        entry |= _bit(False, register)
    if not any(instruction.op.jumps for instruction in instructions):
        return _straight(effects, entry)
    known: list[int | None] = [None] * (len(instructions) + 1)
    known[0] = entry
    open_ = [0] if instructions else []
    missing = 0
    while open_:
        at = open_.pop()
        before = known[at]
        if at == len(instructions) or before is None:
            continue
        read, written = effects[at]
        missing |= read & ~before
        after = before | written
        for following in _successors(instructions, at):
            old = known[following]
            new = after if old is None else old & after
            if new != old:
                known[following] = new
                open_.append(following)
    return missing
