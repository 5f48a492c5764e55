"""Visiting the typed tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from fcbdsl.model import ir

_NODES: tuple[type[Any], ...] = (
    ir.Const, ir.Text, ir.Var, ir.Def, ir.Instance, ir.Variant, ir.Get, ir.ZoneOf, ir.Apply, ir.Binary, ir.Not,
    ir.IsA, ir.Select, ir.Quantified, ir.ListOf, ir.Dice, ir.Criterion, ir.Let, ir.Assign, ir.Do, ir.Announce, ir.If,
    ir.ForEach, ir.Repeat, ir.Choose, ir.ChooseOne, ir.Option, ir.Roll, ir.Row, ir.Play, ir.Require, ir.Stop, ir.Break,
    ir.Cancel, ir.Answer, ir.Until, ir.Offer, ir.End, ir.Body, ir.Slot, ir.Listener, ir.Modifier,
)  # fmt: skip
"""Classes of the typed tree; declarations that they mention are not entered."""

_LEAVES = {"span", "type", "field", "form", "event", "slots", "label", "title", "why", "kind", "until", "name"}


def _children(cls: type[Any]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls) if f.name not in _LEAVES)


_BELOW = {cls: _children(cls) for cls in _NODES}


def walk(node: object) -> Iterator[object]:
    """Yield a node and everything below it, parents first."""
    stack = [node]
    while stack:
        found = stack.pop()
        if isinstance(found, (tuple, list)):
            stack += reversed(found)
        elif type(found) in _BELOW:
            yield found
            stack += [getattr(found, name) for name in reversed(_BELOW[type(found)])]
