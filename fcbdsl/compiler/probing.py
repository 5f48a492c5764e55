"""Ops that tell what of a game runs: each node that is watched leaves one, which does nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from fcbdsl.compiler.assembler import Assembler, Instruction
from fcbdsl.model.ir import Node
from fcbdsl.records import dataclass
from fcbdsl.vm.ops.data import Lit

WatchedNode = tuple[Node, str]
"""A statement, a row or an option, and which way of it: ``""``, of an `if` also ``then`` and ``else``."""


@dataclass(slots=True)
class Probes:
    """Where the ops of watched nodes stand. `places`: per code and op the number of what is watched there."""

    numbers: dict[tuple[int, str], int]
    """What is watched, by the identity of its node and its way."""
    places: dict[tuple[int, int], int] = field(default_factory=dict)
    _emitted: dict[int, tuple[Instruction, int]] = field(default_factory=dict)

    def emit(self, code: Assembler, node: Node, way: str) -> None:
        """Leave an op for a node, if it is watched."""
        number = self.numbers.get((id(node), way))
        if number is None:
            return
        with code.scratch():
            code.emit(Lit, code.int_register(), 0)
        self._emitted[id(code.instructions[-1])] = (code.instructions[-1], number)

    def written(self, number: int, instructions: Iterable[Instruction]) -> None:
        """Note where the ops of a finished code have come to stand."""
        for at, instruction in enumerate(instructions):
            found = self._emitted.get(id(instruction))
            if found is not None:
                self.places[number, at] = found[1]
