"""Small improvements of a finished code: jumps to jumps, jumps to the next line, lines never reached."""

from __future__ import annotations

from fcbdsl.compiler.assembler import Instruction, Label
from fcbdsl.vm.ops.flow import Jmp


def improve(instructions: list[Instruction]) -> list[Instruction]:
    """Return the instructions that remain; their labels are moved accordingly."""
    if not any(instruction.op.jumps for instruction in instructions):
        end = next((at for at, instruction in enumerate(instructions, 1) if instruction.op.ends), None)
        return instructions[:end]
    while True:
        _turn(instructions)
        _thread(instructions)
        shorter = _compacted(instructions, _reached(instructions))
        if len(shorter) == len(instructions):
            return shorter
        instructions = shorter


def _targets(instruction: Instruction) -> list[Label]:
    return [operand for operand in instruction.operands if isinstance(operand, Label)]


def _thread(instructions: list[Instruction]) -> None:
    """Let jumps go straight to where a chain of plain jumps ends; backward only plain jumps and those to an ITER."""
    for number, instruction in enumerate(instructions):
        for position, operand in enumerate(instruction.operands):
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
    """A jump over a plain jump forward becomes one jump on the opposite condition.

    Not if another jump aims at the plain jump: it relies on where that one leads."""
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
    """Per instruction whether control can get there and it does something."""
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


def _compacted(instructions: list[Instruction], kept: list[bool]) -> list[Instruction]:
    """Drop what is not kept and move the labels."""
    moved: list[int] = []
    count = 0
    for keep in kept:
        moved.append(count)
        count += keep
    moved.append(count)
    seen: set[int] = set()
    for instruction in instructions:
        for label in _targets(instruction):
            if id(label) not in seen:
                seen.add(id(label))
                label.at = moved[label.at]
    return [instruction for instruction, keep in zip(instructions, kept, strict=True) if keep]
