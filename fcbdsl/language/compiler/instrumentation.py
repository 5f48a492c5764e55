"""Ops that tell what of a game runs: each node that is watched leaves one, which does nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.ir import Node

WatchedNode = tuple[Node, str]
"""A statement, a row or an option, and which way of it: ``""``, of an `if` also ``then`` and ``else``."""


@dataclass(slots=True)
class Probes:
    """Where the ops of watched nodes stand. `places`: per code and op the number of what is watched there."""

    numbers: dict[tuple[int, str], int]
    """What is watched, by the identity of its node and its way."""
    places: dict[tuple[int, int], int] = field(default_factory=dict)
    _told: dict[int, tuple[object, int]] = field(default_factory=dict)
    """Per instruction, by its identity, what is watched there; the instruction is kept alive."""

    def watches(self, node: Node, way: str) -> bool:
        """Whether a node is watched."""
        return (id(node), way) in self.numbers

    def told(self, instruction: object, node: Node, way: str) -> None:
        """Take note of the op that tells of a node."""
        self._told[id(instruction)] = (instruction, self.numbers[id(node), way])

    def written(self, number: int, instructions: Iterable[object]) -> None:
        """Note where the ops of a finished code have come to stand."""
        for at, instruction in enumerate(instructions):
            found = self._told.get(id(instruction))
            if found is not None:
                self.places[number, at] = found[1]
