"""Listeners and modifiers to rows of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fcbdsl.compiler import codes
from fcbdsl.compiler.frames import Layout, Place
from fcbdsl.compiler.unit import Unit
from fcbdsl.model import ir
from fcbdsl.model.declarations import Kind
from fcbdsl.model.ir import Expr, Type
from fcbdsl.vm import program as vm
from fcbdsl.vm.columns import Scope


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose behaviour it is.

    `first`: the register where the event's parameters, or the candidate, begin; `captured`: where the locals live
    that a lasting effect remembers. `condition`: a further condition of everything the owner does. `kind`: where
    offers, limits and prices come from."""

    scope: Scope
    number: int
    name: str
    first: int = 2
    captured: dict[int, Place] | None = None
    condition: Expr | None = None
    kind: Kind | None = None

    def layout(self, slots: Sequence[tuple[str, Type]], first: int, extra: int) -> Layout:
        """The layout of a code that gets `extra` values beside self and this, the first in slot `first`."""
        return Layout(slots, self.first + extra, first, self.captured, self.first - first)


def listener(unit: Unit, heard: ir.Listener, owner: Owner) -> None:
    """Add a listener. Its registers: self and this (or the captured ones), then the event's parameters."""
    name = f"{owner.name}, {heard.timing} {heard.event.id}"
    first = heard.binds[0].slot if heard.binds else 2
    layout = owner.layout(heard.body.slots, first, len(heard.event.params))
    tests = [owner.condition, *(bind.condition for bind in heard.binds), heard.condition]
    changes = {bind.slot: n for n, bind in enumerate(heard.binds)} if heard.timing == "before" else {}
    offer = _governing(owner.kind)
    offered = heard.offered or (offer is not None and offer.offered)
    usable, spends = unit_prices(unit, offer)
    unit.listeners.append(
        vm.Listener(
            event=unit.event(heard.event),
            timing=heard.timing,
            scope=owner.scope,
            owner=owner.number,
            condition=codes.condition(unit, f"{name}, if", tests, layout),
            guard=codes.guard(unit, f"{name}, can", (), heard.body.statements, layout) if offered else codes.NONE,
            body=codes.effect(unit, name, heard.body, layout, changes),
            limit=_limit(unit, heard, offer),
            offered=offered,
            usable=usable,
            spends=spends,
            first=owner.first,
            title=unit.texts.number(heard.title),
            span=unit.spans.number(heard.span),
        )
    )


def _limit(unit: Unit, heard: ir.Listener, offer: Kind | None) -> int:
    if heard.limit is not None or offer is None:
        return unit.limit(heard.limit, "instance", f"listener {unit.spans.number(heard.span)}")
    return unit.limit(offer.limit, offer.limit_per or "instance", f"kind {offer.id}")


def unit_prices(unit: Unit, kind: Kind | None) -> tuple[int, int]:
    """The codes (usable, spends) of a kind whose listeners are offered."""
    if kind is None:
        return codes.NONE, codes.NONE
    known = unit.prices.get(kind.id)
    if known is None:
        usable = codes.NONE
        if kind.usable is not None:
            usable = codes.answering(unit, f"{kind.id}, usable", kind.usable)
        spends = codes.NONE if kind.spends is None else codes.effect(unit, f"{kind.id}, spends", kind.spends)
        known = unit.prices[kind.id] = (usable, spends)
    return known


def _governing(kind: Kind | None) -> Kind | None:
    """The kind itself or the nearest ancestor that says how its listeners are offered."""
    for above in kind.lineage() if kind is not None else ():
        if above.offered or above.usable or above.spends or above.limit:
            return above
    return None


def modifier(unit: Unit, changed: ir.Modifier, owner: Owner) -> None:
    """Add a modifier. Its registers: self and this (or the captured ones), then the candidate."""
    name = f"{owner.name}, {changed.field.id}"
    layout = owner.layout(changed.slots, changed.it, 1)
    own = owner.scope != "lasting" and _is_about_self(changed)
    tests = [owner.condition, changed.condition]
    unit.modifiers.append(
        vm.Modifier(
            field=unit.field(changed.field),
            kind=unit.kind(changed.kind.id),
            scope=owner.scope,
            owner=owner.number,
            mode=changed.mode,
            amount=codes.value(unit, f"{name}, amount", changed.amount, layout),
            it=owner.first,
            where=codes.NONE if own else codes.condition(unit, f"{name}, whose", [changed.where], layout),
            condition=codes.condition(unit, f"{name}, while", tests, layout),
            own=own,
            span=unit.spans.number(changed.span),
        )
    )


def _is_about_self(changed: ir.Modifier) -> bool:
    """Whether a modifier is about `self` alone: its `where` says `it = self`."""
    where = changed.where
    if not isinstance(where, ir.Binary) or where.op != "=":
        return False
    sides = (where.left, where.right)
    return {side.slot if isinstance(side, ir.Var) else -1 for side in sides} == {0, changed.it}
