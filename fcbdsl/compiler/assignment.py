"""Locals that a body may read before it binds them: they start as nothing; no path reads before it writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fcbdsl.compiler.assembler import Assembler, Instruction, Label
from fcbdsl.vm.ops.data import Lit, Lnew

Args = Callable[[int], tuple[tuple[int, int], ...]]
"""The row of a list of arguments: (bank, register) pairs."""

BANKS = {"r": 0, "s": 1}


def initialise(code: Assembler, args: Args) -> None:
    """Put at the head of a code what gives a first value to registers that might be read without one."""
    missing = _unwritten_reads(code, args)
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


def _bit(bank: int, register: int) -> int:
    return 1 << (register * 2 + bank)


def _effects(instruction: Instruction, args: Args) -> tuple[int, int]:
    """The registers an instruction reads and those it writes, as bits."""
    read = written = 0
    for operand, value in zip(instruction.op.operands, instruction.operands, strict=True):
        if isinstance(value, Label):
            continue
        if operand.kind == "args":
            for bank, register in args(value):
                read |= _bit(bank, register)
        elif operand.kind in BANKS:
            bit = _bit(BANKS[operand.kind], value)
            read |= bit * operand.reads
            written |= bit * operand.writes
    return read, written


def _successors(instructions: list[Instruction], at: int) -> Iterator[int]:
    for operand in instructions[at].operands:
        if isinstance(operand, Label):
            yield operand.at
    if not instructions[at].op.ends:
        yield at + 1


def _unwritten_reads(code: Assembler, args: Args) -> int:
    """The registers that some path reads before it writes them, as bits."""
    instructions = code.instructions
    effects = [_effects(instruction, args) for instruction in instructions]
    entry = 0
    for register in range(code.params):
        entry |= _bit(int(register in code.list_params), register)
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
