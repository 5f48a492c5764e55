"""Coverage probes: ops without effect, one for each instrumented node, that show which nodes run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.ir import Node

WatchedNode = tuple[Node, str]
"""A statement, a row or an option, and a branch of it: ``""``, or for an `if` also ``then`` and ``else``."""


@dataclass(slots=True)
class Probes:
    """The positions of probes. `places`: the number of the instrumented node, per code and op."""

    numbers: dict[tuple[int, str], int]
    """The numbers of instrumented nodes, by the identity of the node and its branch."""
    places: dict[tuple[int, int], int] = field(default_factory=dict)
    _registered: dict[int, tuple[object, int]] = field(default_factory=dict)
    """The number of the node of each probe, by the identity of its instruction, which is kept alive."""

    def watches(self, node: Node, way: str) -> bool:
        """Return whether a node is watched."""
        return (id(node), way) in self.numbers

    def register(self, instruction: object, node: Node, way: str) -> None:
        """Register the instruction that is the probe of a node."""
        self._registered[id(instruction)] = (instruction, self.numbers[id(node), way])

    def written(self, number: int, instructions: Iterable[object]) -> None:
        """Record the final positions of the probes in a finished code."""
        for at, instruction in enumerate(instructions):
            registered = self._registered.get(id(instruction))
            if registered is not None:
                self.places[number, at] = registered[1]
