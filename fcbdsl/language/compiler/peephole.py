"""Finalization of a code after all instructions are written.

Jumps to jumps or to the next line are threaded, and unreachable lines removed. Constants get their registers. Values
that a path may read before they are written are initialized. Then op numbers and operands form a `Code`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple, cast

from fcbdsl.language.compiler.assembler import BANKS, CONSTANTS, Assembler, Instruction, Label, Operand, Register
from fcbdsl.language.compiler.interning import Interned, Spans
from fcbdsl.language.compiler.lowering_context import Unit
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops import NAMES
from fcbdsl.machine.vm.ops.calls import Ret
from fcbdsl.machine.vm.ops.flow import Jmp
from fcbdsl.machine.vm.ops.registers import Lit, Lnew


def finish_code(unit: Unit, code: Assembler, number: int | None = None) -> int:
    """Finish a code and return its number: the one it was given before, or a new one."""
    if code.reachable_end():
        code.emit(Ret)
    code.instructions = improve(code.instructions)
    initialise(code)
    return unit.write(encode_code(code, unit.spans, unit.args), code.instructions, number)


# ── jumps and lines that are never reached ──────────────────────────────────────────────────────


def improve(instructions: list[Instruction]) -> list[Instruction]:
    """Return the instructions that remain; their labels are moved accordingly."""
    end = 0
    for at, instruction in enumerate(instructions, 1):
        if instruction.op.jumps:
            return _shortened(instructions)
        if instruction.op.ends and not end:
            end = at
    return instructions[:end] if end else instructions


def _shortened(instructions: list[Instruction]) -> list[Instruction]:
    """Return the instructions after jump threading and removal of unreachable ones."""
    while True:
        jumps = [at for at, instruction in enumerate(instructions) if instruction.op.jumps]
        _turn(instructions, jumps)
        _thread(instructions, jumps)
        targets = {at: _targets(instructions[at]) for at in jumps}
        keeps = _reached(instructions, targets)
        if all(keeps):
            return instructions
        instructions = _compacted(instructions, targets, keeps)


def _targets(instruction: Instruction) -> list[Label]:
    operands: list[Any] = instruction.operands
    return [operands[at] for at in _SIGNATURES[instruction.op].labels]


def _thread(instructions: list[Instruction], jumps: list[int]) -> None:
    """Redirect jumps to the end of a chain of plain jumps; backward only plain jumps and those to an ITER.

    `jumps`: the numbers of all jumps.
    """
    count = len(instructions)
    for number in jumps:
        instruction = instructions[number]
        for position in _SIGNATURES[instruction.op].labels:
            label = instruction.operands[position]
            assert isinstance(label, Label)
            if label.at < count and instructions[label.at].op is Jmp:
                at = _end_of_chain(instructions, label.at, number, instruction.op.charges_back)
                instruction.operands[position] = Label(at)


def _end_of_chain(instructions: list[Instruction], at: int, number: int, charges_back: bool) -> int:
    """Return the end of a chain of plain jumps that the jump with a number may reach directly."""
    seen = {at}
    while at < len(instructions) and instructions[at].op is Jmp:
        (after,) = _targets(instructions[at])
        back = after.at <= number and not charges_back
        if after.at in seen or (back and not instructions[after.at].op.charges):
            break
        seen.add(after.at)
        at = after.at
    return at


def _turn(instructions: list[Instruction], jumps: list[int]) -> None:
    """Replace a jump over a forward plain jump by one jump on the opposite condition.

    This is skipped if another jump has the plain jump as its target, and depends on it.
    """
    over_jumps = [
        at
        for at, following in pairwise(jumps)
        if following == at + 1 and instructions[following].op is Jmp and instructions[at].op.opposite is not None
    ]
    if not over_jumps:
        return
    aimed_at = {label.at for at in jumps for label in _targets(instructions[at])}
    for at in over_jumps:
        first, second = instructions[at], instructions[at + 1]
        if first.op.opposite is None or at + 1 in aimed_at:
            continue
        over, (away,) = first.operands[-1], _targets(second)
        if isinstance(over, Label) and over.at == at + 2 and (away.at > at or instructions[away.at].op.charges):
            instructions[at] = Instruction(first.op.opposite, [*first.operands[:-1], Label(away.at)], first.span)
            second.operands[0] = Label(at + 2)


def _reached(instructions: list[Instruction], targets: dict[int, list[Label]]) -> list[bool]:
    """Return, per instruction, whether it is reachable and has an effect. `targets`: those of all jumps."""
    reached = [False] * len(instructions) + [True]
    open_ = [0]
    while open_:
        at = open_.pop()
        while not reached[at]:
            reached[at] = True
            if at in targets:
                open_ += [label.at for label in targets[at]]
            if instructions[at].op.ends:
                break
            at += 1
    reached.pop()
    for at, labels in targets.items():
        if instructions[at].op is Jmp and labels[0].at == at + 1:
            reached[at] = False
    return reached


def _compacted(
    instructions: list[Instruction], targets: dict[int, list[Label]], keeps: list[bool]
) -> list[Instruction]:
    """Drop the instructions that are not kept, and move the labels."""
    moved: list[int] = []
    count = 0
    for keep in keeps:
        moved.append(count)
        count += keep
    moved.append(count)
    moving = {id(label): label for labels in targets.values() for label in labels}
    for label in moving.values():
        label.at = moved[label.at]
    return [instruction for instruction, keep in zip(instructions, keeps, strict=True) if keep]


# ── first values ────────────────────────────────────────────────────────────────────────────────


def initialise(code: Assembler) -> None:
    """Allocate the registers of constants, and initialize registers that might be read before they are written.

    Count the registers of both banks.
    """
    if code.constants:
        _place_constants(code)
    effects, used, jumping = _effects(code.instructions)
    missing = _unwritten_reads(code, effects, jumping)
    if missing:
        _write_first(code, missing)
    ints = ((1 << (used.bit_length() | 1) + 1) - 1) // 3  # every second bit
    code.ints = max(code.params, code.first_constant + len(code.constants), ((used & ints).bit_length() + 1) // 2)
    code.lists = max(max(code.list_params, default=-1) + 1, (used & ~ints).bit_length() // 2)


def _write_first(code: Assembler, missing: int) -> None:
    """Write the registers of a bit set at the start of a code."""
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
    """Give each used constant the register after all others; drop unused ones."""
    highest, used = code.params - 1, [False] * len(code.constants)
    reading: list[tuple[list[Operand], int]] = []  # operands that are or contain constants, with their positions
    for instruction in code.instructions:
        signature, operands = _SIGNATURES[instruction.op], instruction.operands
        for at in signature.int_registers:
            value = operands[at]
            assert isinstance(value, int)
            if value >= CONSTANTS:
                used[value - CONSTANTS] = True
                reading.append((operands, at))
            elif value > highest:
                highest = value
        for at in signature.arguments:
            row = operands[at]
            assert isinstance(row, tuple)
            for register in row:
                if not register.many and register.index >= CONSTANTS:
                    used[register.index - CONSTANTS] = True
                elif not register.many and register.index > highest:
                    highest = register.index
            reading.append((operands, at))
    code.first_constant = highest + 1
    places: dict[int, int] = {}
    for number, is_used in enumerate(used):
        if is_used:
            places[CONSTANTS + number] = code.first_constant + len(places)
    for operands, at in reading:
        value = operands[at]
        if isinstance(value, tuple):
            operands[at] = tuple([r if r.many else Register(places.get(r.index, r.index)) for r in value])
        elif isinstance(value, int):
            operands[at] = places[value]
    code.constants = [code.constants[register - CONSTANTS] for register in places]


Effects = list[tuple[int, int]]
"""The registers that each instruction reads and writes, as bit sets: bit 2n is int register n, bit 2n+1 list register
n."""


def _effects(instructions: list[Instruction]) -> tuple[Effects, int, bool]:
    """Return the effects of instructions, all registers that they use, and whether any of them jumps."""
    effects: Effects = []
    used = 0
    jumping = False
    for instruction in instructions:
        read = written = 0
        op, operands = instruction.op, instruction.operands
        jumping = jumping or op.jumps
        signature = _SIGNATURES[op]
        for at, bank in signature.reads:
            value = operands[at]
            assert isinstance(value, int)
            read |= 1 << value * 2 + bank
        for at, bank in signature.writes:
            value = operands[at]
            assert isinstance(value, int)
            written |= 1 << value * 2 + bank
        for at in signature.arguments:
            row = operands[at]
            assert isinstance(row, tuple)
            for register in row:
                read |= 1 << register.index * 2 + register.many
        effects.append((read, written))
        used |= read | written
    return effects, used, jumping


def _unwritten_reads(code: Assembler, effects: Effects, jumping: bool) -> int:
    """Return the registers that some path reads before it writes them, as a bit set."""
    instructions = code.instructions
    entry = 0
    for register in range(code.params):
        entry |= 1 << (register * 2 + (register in code.list_params))
    for register in range(code.first_constant, code.first_constant + len(code.constants)):
        entry |= 1 << register * 2
    missing = 0
    if not jumping:  # the last op ends the code
        for read, written in effects:
            missing |= read & ~entry
            entry |= written
        return missing
    count = len(instructions)
    states = [-1] * count + [0]  # the registers that all paths have written before each op; -1: no path has come there
    states[0] = entry
    open_ = [0]
    while open_:
        at = open_.pop()
        while at < count:
            before, instruction, (read, written) = states[at], instructions[at], effects[at]
            missing |= read & ~before
            after = before | written
            if instruction.op.jumps:
                for label in _targets(instruction):
                    if states[label.at] & after != states[label.at]:
                        states[label.at] &= after
                        open_.append(label.at)
            at += 1
            if instruction.op.ends or states[at] & after == states[at]:
                break
            states[at] &= after
    return missing


# ── encoding ────────────────────────────────────────────────────────────────────────────────────


NUMBERS = {name: number for number, name in enumerate(NAMES)}
_LABEL, _ARGS = "label", "args"


def encode_code(code: Assembler, spans: Spans, args: Interned[tuple[tuple[int, int], ...]]) -> vm.Code:
    """Return a code that has been initialized: op numbers, operands and spans.

    A label becomes the number of the op after it; argument registers become the number of their row in the common
    table.
    """
    ints: list[int] = []
    for instruction in code.instructions:
        signature, operands = _SIGNATURES[instruction.op], instruction.operands
        assert len(signature.kinds) == len(operands), f"{instruction.op.name} takes {len(signature.kinds)} operands"
        ints.append(signature.number)
        if not signature.is_plain:
            operands = [*operands]
        for at in signature.labels:
            label = operands[at]
            assert isinstance(label, Label), f"{instruction.op.name} takes a label there"
            operands[at] = label.at
        for at in signature.arguments:
            row = operands[at]
            assert isinstance(row, tuple), f"{instruction.op.name} takes arguments there"
            operands[at] = args.number(tuple([(int(register.many), register.index) for register in row]))
        ints += cast("list[int]", operands)
    return vm.Code(
        name=code.name,
        ints=tuple(ints),
        n_r=code.ints,
        n_s=code.lists,
        params=code.params,
        lists=code.list_params,
        constants=tuple(code.constants),
        spans=spans.numbers([instruction.span for instruction in code.instructions]),
    )


class _Signature(NamedTuple):
    """The number of an op and the kinds of its operands; `is_plain`: all are numbers.

    `int_registers`, `arguments`, `labels`: the positions of int registers, of rows of arguments, and of jump targets.
    `reads`, `writes`: the positions and banks of registers.
    """

    number: int
    kinds: tuple[str, ...]
    is_plain: bool
    int_registers: tuple[int, ...]
    arguments: tuple[int, ...]
    labels: tuple[int, ...]
    reads: tuple[tuple[int, int], ...]
    writes: tuple[tuple[int, int], ...]


class _Signatures(dict[type[Op], _Signature]):
    """Signatures of ops, made at their first use."""

    def __missing__(self, op: type[Op]) -> _Signature:
        operands = [(at, operand, BANKS.get(operand.kind, -1)) for at, operand in enumerate(op.operands)]
        kinds = tuple([operand.kind for _, operand, _ in operands])
        signature = self[op] = _Signature(
            NUMBERS[op.name],
            kinds,
            not {_LABEL, _ARGS} & {*kinds},
            tuple([at for at, _, bank in operands if bank == 0]),
            tuple([at for at, kind in enumerate(kinds) if kind == _ARGS]),
            tuple([at for at, kind in enumerate(kinds) if kind == _LABEL]),
            tuple([(at, bank) for at, operand, bank in operands if bank >= 0 and operand.reads]),
            tuple([(at, bank) for at, operand, bank in operands if bank >= 0 and operand.writes]),
        )
        return signature


_SIGNATURES = _Signatures()
