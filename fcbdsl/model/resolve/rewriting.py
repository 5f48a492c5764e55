"""Copies of typed trees with other slots, other candidates or other places in the source.

A reading gives the candidates of its selections provisional slots, because most readings it tries come to
nothing; the one that is kept gets real slots here. Readings of equal lines are copied to the other line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, cast

from fcbdsl.model import ir
from fcbdsl.model.ir import Expr, Type
from fcbdsl.model.resolve.reading import PROVISIONAL
from fcbdsl.model.resolve.scope import Frame
from fcbdsl.source import Source, Span

T = TypeVar("T")

_NODES = (
    ir.Const, ir.Text, ir.Var, ir.Def, ir.Instance, ir.Variant, ir.Get, ir.ZoneOf, ir.Apply, ir.Binary, ir.Not, ir.IsA,
    ir.Criterion, ir.Select, ir.Quantified, ir.ListOf, ir.Dice, ir.Let, ir.Assign, ir.Do, ir.Announce, ir.If,
    ir.ForEach, ir.Repeat, ir.Choose, ir.Option, ir.ChooseOne, ir.Row, ir.Roll, ir.Play, ir.Require, ir.Stop,
    ir.Break, ir.Cancel, ir.Answer, ir.Offer, ir.End, ir.Body,
)  # fmt: skip
_RAW = ("int", "str", "bool", "Type", "Form", "Event", "Field", "Kind", "int | None")
"""Types of fields that are the same in every copy."""


def _columns(cls: type[Any]) -> tuple[int, ...]:
    """Numbers of the fields that may differ in a copy."""
    named = enumerate(fields(cls))
    return tuple(index for index, one in named if one.name in ("it", "slot") or str(one.type) not in _RAW)


_FIELDS: dict[type[object], tuple[attrgetter[Any], tuple[int, ...]]] = {
    cls: (attrgetter(*(one.name for one in fields(cls)), "__class__"), _columns(cls)) for cls in _NODES
}
"""How to read all fields of a node at once (and its class, so that it is always a tuple), and which may differ."""


class Provisional(dict[int, int]):
    """New slots of provisional ones, allocated in a frame when they are first met."""

    def __init__(self, holds: Sequence[tuple[str, Type]], frame: Frame) -> None:
        super().__init__()
        self._holds, self._frame = holds, frame

    def __missing__(self, slot: int) -> int:
        if slot < PROVISIONAL:
            return slot
        name, type = self._holds[slot - PROVISIONAL]
        self[slot] = self._frame.new(name, type)
        return self[slot]


class Renamed(dict[int, int]):
    """Some slots become others; the rest stay as they are."""

    def __missing__(self, slot: int) -> int:
        return slot


@dataclass(slots=True)
class Change:
    """What is different in the copy.

    `slots`: new slot of a slot. `values`: what stands in place of a local, by its slot. Spans of `source` in
    `start..end` move by `shift` into `target`; others (defaults, nouns declared elsewhere) stay.
    """

    slots: Mapping[int, int] = field(default_factory=Renamed)
    values: Mapping[int, Expr] = field(default_factory=dict)
    source: Source | None = None
    target: Source | None = None
    start: int = 0
    end: int = 0
    shift: int = 0

    def moved(self, span: Span) -> Span:
        """Where `span` lies in the copy."""
        if span.source is not self.source or not self.start <= span.start < self.end:
            return span
        return Span(self.target or span.source, span.start + self.shift, span.end + self.shift)


def rewrite(node: T, change: Change) -> T:
    """Return a copy of an expression or statement (or a tuple of them) with `change` applied.

    What does not change is not copied: a default argument stays the very object of its declaration."""
    return cast(T, _rewrite(node, change))


def _rewrite(node: Any, change: Change) -> Any:
    cls = node.__class__
    if cls is tuple:
        items = [_rewrite(item, change) for item in node]
        return tuple(items) if any(new is not old for new, old in zip(items, node, strict=True)) else node
    known = _FIELDS.get(cls)
    if known is None:
        return node
    if cls is ir.Var and node.slot in change.values:
        return change.values[node.slot]
    read, columns = known
    parts = list(read(node))
    changed = False
    for index in columns:
        part = parts[index]
        kind = part.__class__
        new: Any
        if kind is Span:
            new = change.moved(part)
        elif kind is int:
            new = change.slots[part]
        else:
            new = _rewrite(part, change)
        if new is not part:
            parts[index] = new
            changed = changed or kind is not int or new != part
    return cls(*parts[:-1]) if changed else node
