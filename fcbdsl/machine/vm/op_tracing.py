"""Tracing of ops. Ops are wrapped when a code is linked, so that images without tracing have no overhead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.vm.linker import link_unfused
from fcbdsl.machine.vm.op import Asking, Op
from fcbdsl.machine.vm.world import Ask, Frame

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.program import Program


class Marks:
    """One byte for each op of a program's codes, set to 1 when it runs. `first`: the index of each code's first op."""

    def __init__(self, program: Program) -> None:
        self.first: list[int] = []
        total = 0
        for code in program.codes:
            self.first.append(total)
            total += len(code.ints)  # no code has more ops than numbers
        self.bytes = bytearray(total)

    def clear(self) -> None:
        """Clear all marks."""
        self.bytes[:] = bytes(len(self.bytes))

    def ran(self) -> list[int]:
        """Return the places of the ops that have run, in order."""
        out: list[int] = []
        at = self.bytes.find(1)
        while at >= 0:
            out.append(at)
            at = self.bytes.find(1, at + 1)
        return out


def trace_ops(image: Image, number: int, marks: Marks) -> list[Op]:
    """Return the ops of a code, each wrapped so that it sets its mark when it runs."""
    first = marks.first[number]
    return [_wrapped(op, first + at, marks.bytes) for at, op in enumerate(link_unfused(image, number))]


def _wrapped(op: Op, place: int, marks: bytearray) -> Op:
    return WatchedAsking(op, place, marks) if isinstance(op, Asking) else Watched(op, place, marks)


class Watched(Op):
    """An op that sets a mark when it runs."""

    __slots__ = ("inner", "marks", "place")

    def __init__(self, inner: Op, place: int, marks: bytearray) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = inner.at, inner.next, inner.span, inner.round
        self.inner, self.place, self.marks = inner, place, marks

    def join(self, ops: list[Op]) -> None:
        self.inner.join(ops)

    def run(self, g: Game, f: Frame) -> Op | None:
        self.marks[self.place] = 1
        return self.inner.run(g, f)

    def failed(self, f: Frame) -> None:
        self.inner.failed(f)


class WatchedAsking(Asking):
    """An asking op that sets a mark when it runs."""

    __slots__ = ("inner", "marks", "place")

    def __init__(self, inner: Asking, place: int, marks: bytearray) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = inner.at, inner.next, inner.span, inner.round
        self.inner, self.place, self.marks = inner, place, marks

    def join(self, ops: list[Op]) -> None:
        self.inner.join(ops)

    def run(self, g: Game, f: Frame) -> Op | None:
        self.marks[self.place] = 1
        return self.inner.run(g, f)

    def answer(self, g: Game, f: Frame, ask: Ask, choice: int) -> None:
        self.inner.answer(g, f, ask, choice)

    def is_by_chance(self) -> bool:
        return self.inner.is_by_chance()
