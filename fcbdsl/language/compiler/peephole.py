"""Finalization of a code after all instructions are written.

Jumps to jumps or to the next line are threaded, and unreachable lines removed. Constants get their registers. Values
that a path may read before they are written are initialized. Then op numbers and operands form a `Code`.
"""

from __future__ import annotations

import functools
from typing import NamedTuple, cast

from fcbdsl.language.compiler.assembler import BANKS, CONSTANTS, Assembler, Instruction, Label, Register
from fcbdsl.language.compiler.interning import Interned, Spans
from fcbdsl.language.compiler.lowering_context import Unit
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.ops import NAMES, OPS
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
        _turn(instructions)
        _thread(instructions)
        shorter = _compacted(instructions, _reached(instructions))
        if len(shorter) == len(instructions):
            return shorter
        instructions = shorter


def _targets(instruction: Instruction) -> list[Label]:
    if not instruction.op.jumps:
        return []
    return [operand for operand in instruction.operands if isinstance(operand, Label)]


def _thread(instructions: list[Instruction]) -> None:
    """Redirect jumps to the end of a chain of plain jumps; backward only plain jumps and those to an ITER."""
    for number, instruction in enumerate(instructions):
        for position, operand in enumerate(instruction.operands if instruction.op.jumps else ()):
            if isinstance(operand, Label):
                seen = {operand.at}
                at = operand.at
                while at < len(instructions) and instructions[at].op is Jmp:
                    (after,) = _targets(instructions[at])
                    back = after.at <= number and not instruction.op.charges_back
                    if after.at in seen or (back and not instructions[after.at].op.charges):
                        break
                    seen.add(after.at)
                    at = after.at
                instruction.operands[position] = Label(at)


def _turn(instructions: list[Instruction]) -> None:
    """Replace a jump over a forward plain jump by one jump on the opposite condition.

    This is skipped if another jump has the plain jump as its target, and depends on it.
    """
    aimed_at = {label.at for instruction in instructions for label in _targets(instruction)}
    for at in range(len(instructions) - 1):
        first, second = instructions[at], instructions[at + 1]
        if first.op.opposite is None or second.op is not Jmp or at + 1 in aimed_at:
            continue
        over, (away,) = first.operands[-1], _targets(second)
        if isinstance(over, Label) and over.at == at + 2 and (away.at > at or instructions[away.at].op.charges):
            instructions[at] = Instruction(first.op.opposite, [*first.operands[:-1], Label(away.at)], first.span)
            second.operands[0] = Label(at + 2)


def _reached(instructions: list[Instruction]) -> list[bool]:
    """Return, per instruction, whether it is reachable and has an effect."""
    reached = [False] * (len(instructions) + 1)
    open_ = [0]
    while open_:
        at = open_.pop()
        if reached[at]:
            continue
        reached[at] = True
        if at == len(instructions):
            continue
        instruction = instructions[at]
        open_ += [label.at for label in _targets(instruction)]
        if not instruction.op.ends:
            open_.append(at + 1)
    return [
        here and not (i.op is Jmp and _targets(i)[0].at == at + 1)
        for at, (here, i) in enumerate(zip(reached, instructions, strict=False))
    ]


def _compacted(instructions: list[Instruction], keeps: list[bool]) -> list[Instruction]:
    """Drop the instructions that are not kept, and move the labels."""
    moved: list[int] = []
    count = 0
    for keep in keeps:
        moved.append(count)
        count += keep
    moved.append(count)
    seen: set[int] = set()
    for instruction in instructions:
        for label in _targets(instruction):
            if id(label) not in seen:
                seen.add(id(label))
                label.at = moved[label.at]
    return [instruction for instruction, keep in zip(instructions, keeps, strict=True) if keep]


# ── first values ────────────────────────────────────────────────────────────────────────────────


def initialise(code: Assembler) -> None:
    """Allocate the registers of constants, and initialize registers that might be read before they are written."""
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
    """Give each used constant the register after all others; drop unused ones."""
    highest, used = code.params - 1, [False] * len(code.constants)
    for instruction in code.instructions:
        operands = instruction.operands
        for at, bank, _, _ in _banked(instruction.op.name):
            value = operands[at]
            if isinstance(value, tuple):
                numbers = [register.index for register in value if not register.many]
            elif bank == 0 and isinstance(value, int):
                if value < CONSTANTS:
                    if value > highest:
                        highest = value
                else:
                    used[value - CONSTANTS] = True
                continue
            else:
                continue
            for number in numbers:
                if number >= CONSTANTS:
                    used[number - CONSTANTS] = True
                elif number > highest:
                    highest = number
    code.first_constant = highest + 1
    places: dict[int, int] = {}
    for number, is_used in enumerate(used):
        if is_used:
            places[CONSTANTS + number] = code.first_constant + len(places)
    for instruction in code.instructions:
        operands = instruction.operands
        for at, bank, _, _ in _banked(instruction.op.name):
            value = operands[at]
            if isinstance(value, tuple):
                operands[at] = tuple([r if r.many else Register(places.get(r.index, r.index)) for r in value])
            elif bank == 0 and isinstance(value, int) and value >= CONSTANTS:
                operands[at] = places[value]
    code.constants = [code.constants[register - CONSTANTS] for register in places]


def _effects(instructions: list[Instruction]) -> tuple[list[tuple[int, int]], bool]:
    """Return the registers that each instruction reads and writes, as bit sets; and whether any instruction jumps."""
    effects: list[tuple[int, int]] = []
    jumping = False
    for instruction in instructions:
        read = written = 0
        jumping = jumping or instruction.op.jumps
        operands = instruction.operands
        for at, bank, reads, writes in _banked(instruction.op.name):
            value = operands[at]
            if isinstance(value, tuple):
                for register in value:
                    read |= 1 << (register.index * 2 + register.many)
                continue
            assert isinstance(value, int)
            bit = 1 << (value * 2 + bank)
            if reads:
                read |= bit
            if writes:
                written |= bit
        effects.append((read, written))
    return effects, jumping


@functools.cache
def _banked(name: str) -> tuple[tuple[int, int, bool, bool], ...]:
    """Return the register operands of an op, by its name: position, bank (-1: a list of registers), reads, writes."""
    return tuple(
        (at, BANKS.get(operand.kind, -1), operand.reads, operand.writes)
        for at, operand in enumerate(OPS[name].operands)
        if operand.kind in BANKS or operand.kind == "args"
    )


def _successors(instructions: list[Instruction], at: int) -> list[int]:
    following = [operand.at for operand in instructions[at].operands if isinstance(operand, Label)]
    return following if instructions[at].op.ends else [*following, at + 1]


def _unwritten_reads(code: Assembler) -> int:
    """Return the registers that some path reads before it writes them, as a bit set."""
    instructions = code.instructions
    effects, jumping = _effects(instructions)
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
    unwritten: list[int | None] = [None] * (len(instructions) + 1)
    unwritten[0] = entry
    open_ = [0] if instructions else []
    while open_:
        at = open_.pop()
        before = unwritten[at]
        if at == len(instructions) or before is None:
            continue
        read, written = effects[at]
        missing |= read & ~before
        after = before | written
        for following in _successors(instructions, at):
            old = unwritten[following]
            new = after if old is None else old & after
            if new != old:
                unwritten[following] = new
                open_.append(following)
    return missing


# ── encoding ────────────────────────────────────────────────────────────────────────────────────


NUMBERS = {name: number for number, name in enumerate(NAMES)}
_LABEL = "label"


def encode_code(code: Assembler, spans: Spans, args: Interned[tuple[tuple[int, int], ...]]) -> vm.Code:
    """Return the finished code: op numbers, operands and spans.

    A label becomes the number of the op after it; argument registers become the number of their row in the common
    table.
    """
    ints: list[int] = []
    registers = max(code.params, code.first_constant + len(code.constants))
    lists = max(code.list_params, default=-1) + 1
    for instruction in code.instructions:
        signature, operands = _signature(instruction.op.name), instruction.operands
        assert len(signature.kinds) == len(operands), f"{instruction.op.name} takes {len(signature.kinds)} operands"
        ints.append(signature.number)
        for at in signature.int_registers:
            register = cast(int, operands[at])
            if register >= registers:
                registers = register + 1
        for at in signature.list_registers:
            register = cast(int, operands[at])
            if register >= lists:
                lists = register + 1
        if signature.is_plain:
            ints += cast("list[int]", operands)
            continue
        for kind, value in zip(signature.kinds, operands, strict=True):
            if isinstance(value, Label):
                assert kind == _LABEL, f"{instruction.op.name} takes no label there"
                ints.append(value.at)
                continue
            assert kind != _LABEL, f"{instruction.op.name} takes a label there"
            if isinstance(value, tuple):
                ints.append(args.number(tuple([(int(register.many), register.index) for register in value])))
            else:
                ints.append(value)
    return vm.Code(
        name=code.name,
        ints=tuple(ints),
        n_r=registers,
        n_s=lists,
        params=code.params,
        lists=code.list_params,
        constants=tuple(code.constants),
        spans=spans.numbers([instruction.span for instruction in code.instructions]),
    )


class _Signature(NamedTuple):
    """The number of an op and the kinds of its operands. `int_registers`, `list_registers`: the positions of those that
    are registers; `is_plain`: all are numbers."""

    number: int
    kinds: tuple[str, ...]
    int_registers: tuple[int, ...]
    list_registers: tuple[int, ...]
    is_plain: bool


@functools.cache
def _signature(name: str) -> _Signature:
    """Return the signature of an op, by its name."""
    kinds = tuple(operand.kind for operand in OPS[name].operands)
    ints, lists = ([at for at, kind in enumerate(kinds) if BANKS.get(kind) == bank] for bank in (0, 1))
    return _Signature(NUMBERS[name], kinds, tuple(ints), tuple(lists), not {_LABEL, "args"} & {*kinds})
