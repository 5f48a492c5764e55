"""Instructions to a `Code`, by the machine's op signatures."""

from __future__ import annotations

from fcbdsl.compiler.assembler import Assembler, Label
from fcbdsl.compiler.interning import Spans
from fcbdsl.vm import program as vm
from fcbdsl.vm.ops import NAMES

NUMBERS = {name: number for number, name in enumerate(NAMES)}


def encoded(code: Assembler, spans: Spans) -> vm.Code:
    """The finished code: op numbers, operands (a label: the number of the op it stands before) and spans."""
    ints: list[int] = []
    written = {"r": code.params, "s": max([0, *(register + 1 for register in code.list_params)])}
    for instruction in code.instructions:
        signature = instruction.op.operands
        assert len(signature) == len(instruction.operands), f"{instruction.op.name} takes {len(signature)} operands"
        ints.append(NUMBERS[instruction.op.name])
        for operand, value in zip(signature, instruction.operands, strict=True):
            assert isinstance(value, Label) is (operand.kind == "label"), f"{instruction.op.name} {operand}"
            number = value.at if isinstance(value, Label) else value
            if operand.kind in written:
                written[operand.kind] = max(written[operand.kind], number + 1)
            ints.append(number)
    return vm.Code(
        name=code.name,
        ints=tuple(ints),
        n_r=written["r"],
        n_s=written["s"],
        params=code.params,
        lists=code.list_params,
        spans=tuple(spans.number(instruction.span) for instruction in code.instructions),
    )
