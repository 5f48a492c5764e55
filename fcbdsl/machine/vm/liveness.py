"""Liveness analysis at link time: the registers that may still be read.

In a pure code only its ops ever see the registers: no question is asked while it runs, so that no world is saved with
its frame. A value that is not read later need not be written. In all other codes every register counts as live.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.vm.op import Op

if TYPE_CHECKING:
    from fcbdsl.machine.vm.image import Image

PASSED = 0b11
"""Self and this: the default arguments of codes."""


def read_later(image: Image, ops: list[Op], only_looks: bool) -> list[int]:
    """Return, per op of a code, the number registers that may be read after it, as a bit set."""
    if not only_looks:
        return [-1] * len(ops)
    reads, writes, leads = [], [], []
    for op in ops:
        read, write, to = PASSED, 0, [] if op.ends else [op.next]
        for operand in op.operands:
            number = getattr(op, operand.name)
            if operand.kind == "r":
                read |= (1 << number) if operand.reads else 0
                write |= (1 << number) if operand.writes and operand.name not in op.unjumped else 0
            elif operand.kind == "args":
                for bank, register in image.program.args[number]:
                    read |= 0 if bank else 1 << register
            elif operand.kind == "label":
                to.append(number)
        reads.append(read)
        writes.append(write)
        leads.append([number for number in to if number < len(ops)])
    before = reads[:]
    after = [0] * len(ops)
    changed = True
    while changed:  # until a fixed point: at most once more than the nesting depth of loops
        changed = False
        for at in range(len(ops) - 1, -1, -1):
            later = 0
            for number in leads[at]:
                later |= before[number]
            if later != after[at]:
                after[at] = later
                before[at] = reads[at] | (later & ~writes[at])
                changed = True
    return after
