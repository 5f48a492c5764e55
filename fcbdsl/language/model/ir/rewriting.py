"""Copies of typed trees with changed slots, values for locals, or changed places in the source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, TypeVar, cast

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.ir.node import Node, rebuilt
from fcbdsl.language.model.ir.values import Expr, Var

T = TypeVar("T")
NO_VALUES: Mapping[int, Expr] = {}
"""No local is replaced."""


class Renamed(dict[int, int]):
    """A mapping that changes some slots and keeps the others."""

    def __missing__(self, slot: int) -> int:
        return slot


@dataclass(slots=True)
class Substitution:
    """Changes to apply while a tree is copied.

    `slots`: new slot of a slot. `values`: replacement of a local, by its slot. Spans of `source` in `start..end` move
    by `shift` into `target`; others (defaults, nouns declared elsewhere) stay.
    """

    slots: Mapping[int, int] = field(default_factory=Renamed)
    values: Mapping[int, Expr] = field(default_factory=dict)
    source: Source | None = None
    target: Source | None = None
    start: int = 0
    end: int = 0
    shift: int = 0

    def moved(self, span: Span) -> Span:
        """Return the span in the copy that corresponds to `span`."""
        if span.source is not self.source or not self.start <= span.start < self.end:
            return span
        return Span(self.target or span.source, span.start + self.shift, span.end + self.shift)


def substitute(tree: T, change: Substitution) -> T:
    """Return a copy of a node (or of a tuple with nodes in it) with `change` applied.

    What does not change is not copied: a default argument stays the very object of its declaration."""
    slot, values, moved = change.slots.__getitem__, change.values, change.moved

    def copied(part: Any) -> Any:
        if values and part.__class__ is Var and part.slot in values:
            return values[part.slot]
        return rebuilt(part, copied, slot, moved)

    return cast(T, _through(tree, copied))


def _through(tree: Any, copied: Callable[[Any], Any]) -> Any:
    """Apply `copied` to a node, or to the nodes in a tuple; return anything else unchanged."""
    if isinstance(tree, Node):
        return copied(tree)
    if tree.__class__ is not tuple:
        return tree
    parts = tuple([_through(part, copied) for part in tree])
    return parts if any(new is not old for new, old in zip(parts, tree, strict=True)) else tree
