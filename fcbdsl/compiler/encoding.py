"""Instructions to a `Code`, by the machine's op signatures."""

from __future__ import annotations

import functools

from fcbdsl.compiler.assembler import Assembler, Label
from fcbdsl.compiler.interning import Interned, Spans
from fcbdsl.vm import program as vm
from fcbdsl.vm.ops import NAMES, OPS

NUMBERS = {name: number for number, name in enumerate(NAMES)}
_LABEL = "label"


def encoded(code: Assembler, spans: Spans, args: Interned[tuple[tuple[int, int], ...]]) -> vm.Code:
    """The finished code: op numbers, operands (a label: the number of the op it stands before; registers: their number
    among the arguments of all codes) and spans."""
    ints: list[int] = []
    constants = code.constant_registers()
    registers, lists = max(code.params, constants.stop), max([0, *(register + 1 for register in code.list_params)])
    for instruction in code.instructions:
        number, kinds = _signature(instruction.op.name)
        assert len(kinds) == len(instruction.operands), f"{instruction.op.name} takes {len(kinds)} operands"
        ints.append(number)
        for kind, value in zip(kinds, instruction.operands, strict=True):
            if isinstance(value, Label):
                assert kind == _LABEL, f"{instruction.op.name} takes no label there"
                ints.append(value.at)
                continue
            assert kind != _LABEL, f"{instruction.op.name} takes a label there"
            if isinstance(value, tuple):
                ints.append(args.number(tuple([(int(register.many), register.index) for register in value])))
                continue
            if kind == "r":
                registers = max(registers, value + 1)
            elif kind == "s":
                lists = max(lists, value + 1)
            ints.append(value)
    return vm.Code(
        name=code.name,
        ints=tuple(ints),
        n_r=registers,
        n_s=lists,
        params=code.params,
        lists=code.list_params,
        constants=tuple(code.constants),
        spans=tuple([spans.number(instruction.span) for instruction in code.instructions]),
    )


@functools.cache
def _signature(name: str) -> tuple[int, tuple[str, ...]]:
    """The number of an op, by its name, and the kinds of its operands."""
    return NUMBERS[name], tuple(operand.kind for operand in OPS[name].operands)
