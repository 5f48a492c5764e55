"""Watching which ops run. Ops are wrapped when a code is linked, so that a machine nobody watches pays nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.vm.linker import single
from fcbdsl.vm.op import Asking, Op
from fcbdsl.vm.world import Ask, Frame

if TYPE_CHECKING:
    from fcbdsl.vm.machine import Machine


def watched(m: Machine, number: int, marks: bytearray) -> list[Op]:
    """Make the ops of a code such that each sets `marks[span]` to 1, by the number of its span, when it runs."""
    return [op if op.span < 0 else _wrapped(op, marks) for op in single(m, number)]


def _wrapped(op: Op, marks: bytearray) -> Op:
    return WatchedAsking(op, marks) if isinstance(op, Asking) else Watched(op, marks)


class Watched(Op):
    """An op, and the mark it sets."""

    def __init__(self, inner: Op, marks: bytearray) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = inner.at, inner.next, inner.span, inner.round
        self.inner, self.marks = inner, marks

    def run(self, m: Machine, f: Frame) -> int:
        self.marks[self.span] = 1
        return self.inner.run(m, f)


class WatchedAsking(Asking):
    """An op that asks, and the mark it sets."""

    def __init__(self, inner: Asking, marks: bytearray) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = inner.at, inner.next, inner.span, inner.round
        self.inner, self.marks = inner, marks

    def run(self, m: Machine, f: Frame) -> int:
        self.marks[self.span] = 1
        return self.inner.run(m, f)

    def answer(self, m: Machine, f: Frame, ask: Ask, choice: int) -> None:
        self.inner.answer(m, f, ask, choice)
