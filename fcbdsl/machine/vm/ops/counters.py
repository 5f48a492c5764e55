"""Counters: statuses and tokens by number, markers with owners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.vm import changes, events, stats
from fcbdsl.machine.vm.op import ListOut, Op, OwnedField, Reg, RegOut
from fcbdsl.machine.vm.world import Frame

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game


class Owned(Op):
    """How many markers of an owner are on a thing."""

    __slots__ = ("field", "out", "owner", "thing")
    name = "OWNED"
    pure = True
    out: RegOut
    field: OwnedField
    thing: Reg
    owner: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = changes.owned_count(g, self.field, f.r[self.thing], f.r[self.owner])
        return self.then


class Owners(Op):
    """Those in play who have markers on a thing, by number."""

    __slots__ = ("field", "out", "thing")
    name = "OWNERS"
    answers = "thing"
    pure = True
    cheap = True
    out: ListOut
    field: OwnedField
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = changes.marker_owners(g, self.field, f.r[self.thing])
        return self.then


class Setowned(Op):
    """Set how many markers of an owner are on a thing."""

    __slots__ = ("field", "owner", "thing", "value")
    name = "SETOWNED"
    field: OwnedField
    thing: Reg
    owner: Reg
    value: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        changes.set_owned(g, self.field, f.r[self.thing], f.r[self.owner], f.r[self.value], self.span)
        return self.then


class Chgowned(Op):
    """Add to the markers of an owner on a thing."""

    __slots__ = ("by", "field", "owner", "thing")
    name = "CHGOWNED"
    field: OwnedField
    thing: Reg
    owner: Reg
    by: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing, owner = f.r[self.thing], f.r[self.owner]
        count = changes.owned_count(g, self.field, thing, owner) + f.r[self.by]
        changes.set_owned(g, self.field, thing, owner, count, self.span)
        return self.then


class AddCounter(Op):
    """Add counters of a sort (a field) to a thing, for an owner if the sort has owners."""

    __slots__ = ("amount", "owner", "sort", "thing")
    name = "ADD_COUNTER"
    sort: Reg
    thing: Reg
    owner: Reg
    amount: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        field, thing, owner = f.r[self.sort], f.r[self.thing], f.r[self.owner]
        before = stats.base_value(g, field, thing) if g.image.is_counter(field) else 0
        if g.image.is_counter(field):
            if g.image.fields[field].owned >= 0 and owner >= 0:
                count = changes.owned_count(g, field, thing, owner) + f.r[self.amount]
                changes.set_owned(g, field, thing, owner, count, self.span)
            else:
                changes.set_value(g, field, thing, before + f.r[self.amount], self.span)
            if stats.base_value(g, field, thing) != before:
                return self.then
        return events.undone(g, f, self.next)


class ClearCounter(Op):
    """Take all counters of a sort (a field) from a thing; an owner's only, if one is given."""

    __slots__ = ("owner", "sort", "thing")
    name = "CLEAR_COUNTER"
    sort: Reg
    thing: Reg
    owner: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        field, thing, owner = f.r[self.sort], f.r[self.thing], f.r[self.owner]
        before = stats.base_value(g, field, thing) if g.image.is_counter(field) else 0
        if before:  # else there is nothing to take
            if g.image.fields[field].owned >= 0 and owner >= 0:
                changes.set_owned(g, field, thing, owner, 0, self.span)
            else:
                changes.set_value(g, field, thing, 0, self.span)
            if stats.base_value(g, field, thing) != before:
                return self.then
        return events.undone(g, f, self.next)
