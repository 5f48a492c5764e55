"""Making the ops of a code, as they are run, from its flat form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.vm.fusing import fuse
from fcbdsl.vm.liveness import read_later
from fcbdsl.vm.op import Asking, Op, round_cost
from fcbdsl.vm.ops import OPS
from fcbdsl.vm.ops.flow import Jmp

if TYPE_CHECKING:
    from fcbdsl.vm.game import Game
    from fcbdsl.vm.image import Image
    from fcbdsl.vm.world import Frame


def link(image: Image, number: int) -> list[Op]:
    """The ops of a code, some of them made into one."""
    declared = _declared(image, number)
    later = read_later(image, declared, only_looks(image, number))
    return fuse(image, _linked(image, declared), later)


def only_looks(image: Image, number: int) -> bool:
    """Whether all that happens while a code runs is that something is looked at: all its ops are pure, and those of the
    codes that it calls. Of codes that call each other in a circle, none counts as such."""
    known = image.only_looks.get(number)
    if known is None:
        image.only_looks[number] = False
        known = all(op.pure and all(only_looks(image, code) for code in _called(op)) for op in _declared(image, number))
        image.only_looks[number] = known
    return known


def _called(op: Op) -> list[int]:
    """The codes that an op says it calls."""
    return [getattr(op, operand.name) for operand in op.operands if operand.kind == "code"]


def join(ops: list[Op]) -> None:
    """Let the ops of a code know where they lead: past jumps that cost nothing, to where these lead in the end."""
    leads = list(ops)
    for number in range(len(ops) - 1, -1, -1):  # a free jump backward leads to an op that charges, which is none
        op = ops[number]
        if isinstance(op, Jmp) and not op.cost:
            leads[number] = leads[op.target]
    for op in ops:
        op.join(leads)


def single(image: Image, number: int) -> list[Op]:
    """The ops of a code, each for itself."""
    return _linked(image, _declared(image, number))


def _declared(image: Image, number: int) -> list[Op]:
    """The ops of a code as it says them."""
    names = image.program.ops
    code = image.program.codes[number]
    out: list[Op] = []
    at = 0
    while at < len(code.ints):
        op = OPS[names[code.ints[at]]]()
        op.at = len(out)
        op.next = len(out) + 1
        op.span = code.spans[len(out)] if len(out) < len(code.spans) else -1
        at += 1
        for place, operand in enumerate(op.operands, at):
            setattr(op, operand.name, code.ints[place])
        out.append(op)
        at += len(op.operands)
    for op in list(out):
        for operand in op.operands:
            if operand.kind == "label":
                target = out[getattr(op, operand.name)]
                target.round = max(target.round, round_cost(op.at - target.at))
                if isinstance(op, Jmp):
                    op.paid = target.charges
    return out


def _linked(image: Image, declared: list[Op]) -> list[Op]:
    """Ops as they are run."""
    linked = [op.link(image) for op in declared]
    return told(declared, linked) if image.alert else linked


def told(declared: list[Op], linked: list[Op]) -> list[Op]:
    """Ops such that those which may change something tell so: in programs alone in which something listens to changes.
    `declared`: what each was before it was linked.

    One that asks changes nothing before it is answered, and every answer is followed by a look anyway."""
    return [
        after if before.pure or isinstance(before, Asking) else Telling(after)
        for before, after in zip(declared, linked, strict=True)
    ]


class Telling(Op):
    """An op, after which what listens to changes may have to run before the next one does."""

    def __init__(self, inner: Op) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = inner.at, inner.next, inner.span, inner.round
        self.inner = inner

    def join(self, ops: list[Op]) -> None:
        self.inner.join(ops)

    def run(self, g: Game, f: Frame) -> Op | None:
        op = self.inner.run(g, f)
        if op is not None:  # else it has begun, or ended, something else, and has not changed anything itself
            f.pc = op.at
            g.changed = g.alert
        return None

    def failed(self, f: Frame) -> None:
        self.inner.failed(f)
