"""Zones, records, instances in the box, and tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.geometry.generator import shuffle
from fcbdsl.machine.vm import changes, events, subscribers, tracks
from fcbdsl.machine.vm.op import ListOut, Lookup, Op, Reg, RegOut, ZoneNo
from fcbdsl.machine.vm.world import DECKS, ORDER_KEPT, Frame, VMFault

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image


class Zone(Op):
    """The number of a thing's zone, or of a zone of the game; -1 if the thing has none."""

    __slots__ = ("base", "high", "low", "out", "shared", "thing", "zone")
    name = "ZONE"
    answers = "zone"
    pure = True
    sees = ()
    out: RegOut
    zone: ZoneNo
    thing: Reg
    base: i64
    low: i64
    high: i64

    def link(self, image: Image) -> Op:
        kind = image.program.zones[self.zone].kind
        self.base, self.shared = image.layout.zone_base[self.zone], kind < 0
        self.low, self.high = (0, 0) if kind < 0 else (image.layout.low[kind], image.layout.high[kind])
        return self

    def run(self, g: Game, f: Frame) -> Op | None:
        zone = self.base
        if not self.shared:
            thing = f.r[self.thing]
            if self.low <= thing < self.high:
                zone += thing
            else:
                zone = -1
        f.r[self.out] = zone
        return self.then


class Top(Op):
    """The topmost thing of a zone, or -1."""

    __slots__ = ("out", "pile")
    name = "TOP"
    answers = "thing"
    pure = True
    out: RegOut
    pile: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        things = g.contents(f.r[self.pile])
        f.r[self.out] = things[-1] if things else -1
        if g.shortage_observer is not None and not things:
            g.shortage_observer(-1, f.r[self.pile], self.span)
        return self.then


class Contents(Op):
    """The things in a zone, from bottom to top."""

    __slots__ = ("out", "pile")
    name = "CONTENTS"
    answers = "thing"
    pure = True
    cheap = True
    out: ListOut
    pile: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = g.contents(f.r[self.pile])
        return self.then


class Size(Lookup):
    """The number of things in a zone."""

    __slots__ = ("pile",)
    name = "SIZE"
    pure = True
    sees = ("zone",)
    boardless = True
    out: RegOut
    pile: Reg

    def read(self, g: Game, f: Frame) -> i64:
        return len(g.contents(f.r[self.pile]))


class ZoneHolding(Op):
    """The zone that a thing is in, or -1."""

    __slots__ = ("out", "thing")
    name = "ZONE_HOLDING"
    answers = "zone"
    pure = True
    sees = ("zone",)
    out: RegOut
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        zone = g.world.mem[g.layout.zone + thing] if 0 <= thing < g.layout.body else -1
        f.r[self.out] = zone if zone > 0 else -1
        return self.then


class InZone(Lookup):
    """Whether a thing is in a zone."""

    __slots__ = ("pile", "thing")
    name = "IN_ZONE"
    pure = True
    sees = ("zone",)
    lister = Contents
    lists_exactly = True
    boardless = True
    out: RegOut
    thing: Reg
    pile: Reg

    def read(self, g: Game, f: Frame) -> i64:
        zone, thing = f.r[self.pile], f.r[self.thing]
        return 1 if zone > 0 and 0 <= thing < g.body and g.world.mem[g.layout.zone + thing] == zone else 0


class PutTop(Op):
    """Put a thing on top of a zone, unless it is full."""

    __slots__ = ("pile", "thing")
    name = "PUT_TOP"
    thing: Reg
    pile: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if changes.put(g, f.r[self.thing], f.r[self.pile], True, self.span):
            return self.then
        return events.undone(g, f, self.next)


class PutBottom(Op):
    """Put a thing at the bottom of a zone, unless it is full."""

    __slots__ = ("pile", "thing")
    name = "PUT_BOTTOM"
    thing: Reg
    pile: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if changes.put(g, f.r[self.thing], f.r[self.pile], False, self.span):
            return self.then
        return events.undone(g, f, self.next)


class Shuffle(Op):
    """Put the things in a zone into a random order."""

    __slots__ = ("pile",)
    name = "SHUFFLE"
    pile: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        zone = f.r[self.pile]
        things = list(g.contents(zone))
        if len(things) > 1 and not g.world.flags & ORDER_KEPT:
            g.spend(len(things))
            shuffle(g.world.rng, DECKS, things)
            g.world.lay(zone, tuple(things))
            g.world.reveals += 1
        return self.then


class SetHolder(Op):
    """Take a thing out of the box (or its zone) and give it to a holder."""

    __slots__ = ("owner", "thing")
    name = "SET_HOLDER"
    thing: Reg
    owner: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if changes.set_holder(g, f.r[self.thing], f.r[self.owner], self.span):
            return self.then
        return events.undone(g, f, self.next)


class Spare(Op):
    """An instance of a definition that is in the box, or -1."""

    __slots__ = ("definition", "out")
    name = "SPARE"
    answers = "thing"
    pure = True
    out: RegOut
    definition: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = g.spare(f.r[self.definition])
        f.r[self.out] = thing
        if g.shortage_observer is not None and thing < 0:
            g.shortage_observer(f.r[self.definition], -1, self.span)
        return self.then


class Renew(Op):
    """Give a thing in the box its start stats and markers, except those that a campaign keeps."""

    __slots__ = ("thing",)
    name = "RENEW"
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        if 0 <= thing < g.layout.body and g.world.mem[g.layout.zone + thing] == changes.BOX:
            changes.begin_again(g, thing, self.span)
        return self.then


class NewRecord(Op):
    """A fresh record of a kind; a fault if none is left."""

    __slots__ = ("kind", "out")
    name = "NEW_RECORD"
    answers = "thing"
    out: RegOut
    kind: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        kind = f.r[self.kind]
        if not 0 <= kind < len(g.program.kinds):
            raise VMFault("a record of no kind is made")
        layout, mem = g.layout, g.world.mem
        for thing in range(layout.low[kind], layout.high[kind]):
            if g.image.policies[thing] == "records" and mem[layout.zone + thing] == changes.BOX:
                changes.renew(g, thing)
                g.world.write(layout.zone + thing, -1)
                changes.come_or_gone(g, thing, True)
                subscribers.update_liveness(g, thing)
                f.r[self.out] = thing
                return self.then
        raise VMFault(f"too many records of the kind {g.program.kinds[kind].name} are in use")


class DropRecord(Op):
    """Return a record to the unused ones of its kind."""

    __slots__ = ("thing",)
    name = "DROP_RECORD"
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        if 0 <= thing < g.layout.body and g.image.policies[thing] == "records":
            changes.put(g, thing, changes.BOX, True, self.span)
        return self.then


class TrackAdd(Op):
    """Move a track up, step by step."""

    __slots__ = ("amount", "line")
    name = "TRACK_ADD"
    line: Reg
    amount: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if not tracks.move(g, f.r[self.line], f.r[self.amount], self.span):
            return events.undone(g, f, self.next)
        f.pc = self.next
        return None


class TrackSub(Op):
    """Move a track down, step by step."""

    __slots__ = ("amount", "line")
    name = "TRACK_SUB"
    line: Reg
    amount: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if not tracks.move(g, f.r[self.line], -f.r[self.amount], self.span):
            return events.undone(g, f, self.next)
        f.pc = self.next
        return None
