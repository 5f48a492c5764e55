"""Copies of typed trees with other slots, other candidates or other places in the source.

A reading gives the candidates of its selections provisional slots, because most readings it tries come to
nothing; the one that is kept gets real slots here. Readings of equal lines are copied to the other line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TypeVar, cast

from fcbdsl.model import ir
from fcbdsl.model.ir import Expr, Type
from fcbdsl.model.reading import PROVISIONAL
from fcbdsl.model.scope import Frame
from fcbdsl.source import Source, Span

T = TypeVar("T")

_NODES = (
    ir.Const, ir.Text, ir.Var, ir.Def, ir.Instance, ir.Variant, ir.Get, ir.ZoneOf, ir.Apply, ir.Binary, ir.Not, ir.IsA,
    ir.Criterion, ir.Select, ir.Quantified, ir.ListOf, ir.Dice, ir.Let, ir.Assign, ir.Do, ir.Announce, ir.If,
    ir.ForEach, ir.Repeat, ir.Choose, ir.Option, ir.ChooseOne, ir.Row, ir.Roll, ir.Require, ir.Stop,
    ir.Break, ir.Cancel, ir.Answer, ir.Offer, ir.End, ir.Body,
)  # fmt: skip
_FIELDS: dict[type[object], tuple[str, ...]] = {cls: tuple(one.name for one in fields(cls)) for cls in _NODES}


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
    """Return a copy of an expression or statement (or a tuple of them) with `change` applied."""
    return cast(T, _rewrite(node, change))


def _rewrite(node: object, change: Change) -> object:
    cls = node.__class__
    if cls is tuple:
        return tuple([_rewrite(item, change) for item in cast("tuple[object, ...]", node)])
    if cls is Span:
        return change.moved(cast(Span, node))
    names = _FIELDS.get(cls)
    if names is None:
        return node
    if cls is ir.Var and cast(ir.Var, node).slot in change.values:
        return change.values[cast(ir.Var, node).slot]
    parts = []
    for name in names:
        part = getattr(node, name)
        if part.__class__ is int and name in ("it", "slot"):
            part = change.slots[part]
        elif part.__class__ not in (int, str, ir.Type, bool):
            part = _rewrite(part, change)
        parts.append(part)
    return cls(*parts)
