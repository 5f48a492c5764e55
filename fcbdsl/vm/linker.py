"""Making the ops of a code, as they are run, from its flat form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.vm.fusing import fuse
from fcbdsl.vm.op import Op, round_cost
from fcbdsl.vm.ops import OPS

if TYPE_CHECKING:
    from fcbdsl.vm.image import Image


def link(image: Image, number: int) -> list[Op]:
    """The ops of a code, some of them made into one."""
    return fuse(image, single(image, number))


def single(image: Image, number: int) -> list[Op]:
    """The ops of a code, each for itself."""
    names = image.program.ops
    code = image.program.codes[number]
    out: list[Op] = []
    at = 0
    while at < len(code.ints):
        op = OPS[names[code.ints[at]]]()
        op.at = len(out)
        op.next = len(out) + 1
        op.span = code.spans[len(out)] if len(out) < len(code.spans) else -1
        for operand, value in zip(op.operands, code.ints[at + 1 :], strict=False):
            setattr(op, operand.name, value)
        out.append(op)
        at += 1 + len(op.operands)
    for op in list(out):
        for operand in op.operands:
            if operand.kind == "label":
                target = out[getattr(op, operand.name)]
                target.round = max(target.round, round_cost(op.at - target.at))
    return [op.link(image) for op in out]
