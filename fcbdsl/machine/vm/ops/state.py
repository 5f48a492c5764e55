"""Values of things: fields, stats, counters, kinds and selections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.vm import changes, stats
from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.op import (
    ConstField,
    DefinitionNo,
    Int,
    KindNo,
    ListField,
    ListOut,
    Lookup,
    Op,
    ReadField,
    Reg,
    RegOut,
    SwitchNo,
    WrittenField,
)
from fcbdsl.machine.vm.ops.registers import new_list
from fcbdsl.machine.vm.world import Frame

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.numbers import Numbers


class Stat(Op):
    """Any number field of a thing, with modifiers; the field's `empty` for nothing or a thing without it."""

    __slots__ = ("field", "out", "thing")
    name = "STAT"
    answers_field = True
    pure = True
    sees = ()
    out: RegOut
    field: ReadField
    thing: Reg

    def link(self, image: Image) -> Op:
        return self if self.field in image.modified else simplest_read(self, image)

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = stats.read_stat(g, self.field, f.r[self.thing])
        return self.then


class Field(Op):
    """Any number field of a thing, without modifiers."""

    __slots__ = ("field", "out", "thing")
    name = "FIELD"
    answers_field = True
    pure = True
    sees = ()
    out: RegOut
    field: ReadField
    thing: Reg

    def link(self, image: Image) -> Op:
        return simplest_read(self, image)


def simplest_read(op: Stat | Field, image: Image) -> Op:
    """Return the simplest op that reads a field: from memory, or from the table of constant values."""
    layout = image.layout
    base = layout.base[op.field]
    plain: ReadColumn | ReadTable | ReadController
    if layout.controllers[op.field]:
        plain = ReadController()
    elif base >= 0:
        plain = ReadColumn()
        plain.base = base
    else:
        plain = ReadTable()
        plain.table = image.tables[op.field]
    plain.at, plain.next, plain.span = op.at, op.next, op.span
    plain.low, plain.high = layout.field_low[op.field], layout.field_high[op.field]
    plain.empty = image.program.fields[op.field].empty
    plain.out, plain.thing = op.out, op.thing
    return plain


class ReadColumn(Lookup):
    """A value from memory."""

    __slots__ = ("base", "empty", "high", "low", "thing")
    boardless = True
    out: i64
    thing: i64
    base: i64
    low: i64
    high: i64
    empty: i64

    def read(self, g: Game, f: Frame) -> i64:
        thing = f.r[self.thing]
        return g.world.mem[self.base + thing] if self.low <= thing < self.high else self.empty

    def run(self, g: Game, f: Frame) -> Op | None:  # inlined: these ops run most often
        thing = f.r[self.thing]
        f.r[self.out] = g.world.mem[self.base + thing] if self.low <= thing < self.high else self.empty
        return self.then


class ReadController(Lookup):
    """The player who decides for a thing: given to it, or the one who holds it."""

    __slots__ = ("empty", "high", "low", "thing")
    out: i64
    thing: i64
    low: i64
    high: i64
    empty: i64

    def read(self, g: Game, f: Frame) -> i64:
        thing = f.r[self.thing]
        return g.master(thing) if self.low <= thing < self.high else self.empty


class ReadTable(Lookup):
    """A value that never changes."""

    __slots__ = ("empty", "high", "low", "table", "thing")
    boardless = True
    out: i64
    thing: i64
    table: Numbers
    low: i64
    high: i64
    empty: i64

    def read(self, g: Game, f: Frame) -> i64:
        thing = f.r[self.thing]
        return self.table[thing - self.low] if self.low <= thing < self.high else self.empty

    def run(self, g: Game, f: Frame) -> Op | None:  # inlined: these ops run most often
        thing = f.r[self.thing]
        f.r[self.out] = self.table[thing - self.low] if self.low <= thing < self.high else self.empty
        return self.then


class Fields(Op):
    """A list field of a thing."""

    __slots__ = ("field", "out", "thing")
    name = "FIELDS"
    answers_field = True
    pure = True
    sees = ()
    out: ListOut
    field: ListField
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        definition = g.layout.definition_of[thing] if 0 <= thing < g.layout.things else -1
        f.s[self.out] = g.image.lists[self.field].get(definition, ())
        return self.then


class Dfield(Lookup):
    """A number field of a definition."""

    __slots__ = ("definition", "empty", "field", "table")
    name = "DFIELD"
    answers_field = True
    pure = True
    sees = ()
    boardless = True
    out: RegOut
    field: ConstField
    definition: Reg

    def link(self, image: Image) -> Op:
        empty, given = image.fields[self.field].empty, image.values[self.field]
        self.table = numbers([given.get(number, empty) for number in range(len(image.program.definitions))])
        self.empty: i64 = empty
        return self

    def read(self, g: Game, f: Frame) -> i64:
        number = f.r[self.definition]
        return self.table[number] if 0 <= number < len(self.table) else self.empty


class Dfields(Op):
    """A list field of a definition."""

    __slots__ = ("definition", "field", "out")
    name = "DFIELDS"
    answers_field = True
    pure = True
    sees = ()
    out: ListOut
    field: ListField
    definition: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = g.image.lists[self.field].get(f.r[self.definition], ())
        return self.then


class Set(Op):
    """Set a stat of a thing, between its bounds."""

    __slots__ = ("base", "field", "high", "least", "low", "most", "thing", "value")
    name = "SET"
    field: WrittenField
    thing: Reg
    value: Reg
    base: i64
    low: i64
    high: i64
    least: i64
    most: i64

    def link(self, image: Image) -> Op:
        layout, row = image.layout, image.fields[self.field]
        self.least, self.most = row.least, row.most
        self.base = layout.base[self.field]
        self.low, self.high = layout.field_low[self.field], layout.field_high[self.field]
        if row.builtin or self.base < 0:
            self.high = self.low
        return self

    def run(self, g: Game, f: Frame) -> Op | None:
        thing, value = f.r[self.thing], f.r[self.value]
        if self.low <= thing < self.high:
            held = value
            if held < self.least:
                held = self.least
            elif held > self.most:
                held = self.most
            if g.world.mem[self.base + thing] == held:
                return self.then  # two thirds of all calls change nothing
        changes.set_value(g, self.field, thing, value, self.span)
        return self.then


class Chg(Op):
    """Add to a stat of a thing (its value without modifiers), between its bounds."""

    __slots__ = ("by", "field", "thing")
    name = "CHG"
    field: WrittenField
    thing: Reg
    by: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        value = stats.base_value(g, self.field, thing) + f.r[self.by]
        changes.set_value(g, self.field, thing, value, self.span)
        return self.then


class Isa(Op):
    """Whether a thing is of a kind."""

    __slots__ = ("kind", "out", "thing")
    name = "ISA"
    pure = True
    sees = ()
    out: RegOut
    kind: KindNo
    thing: Reg

    def link(self, image: Image) -> Op:
        plain = InRange()
        plain.at, plain.next, plain.span = self.at, self.next, self.span
        plain.out, plain.thing = self.out, self.thing
        plain.low, plain.high = image.layout.low[self.kind], image.layout.high[self.kind]
        return plain


class InRange(Lookup):
    """Whether the number of a thing is in a range: that of a kind."""

    __slots__ = ("high", "low", "thing")
    boardless = True
    out: i64
    thing: i64
    low: i64
    high: i64

    def read(self, g: Game, f: Frame) -> i64:
        return 1 if self.low <= f.r[self.thing] < self.high else 0


class Defisa(Op):
    """Whether a definition is of a kind."""

    __slots__ = ("definition", "kind", "out")
    name = "DEFISA"
    pure = True
    sees = ()
    out: RegOut
    kind: KindNo
    definition: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        number = f.r[self.definition]
        is_definition = 0 <= number < len(g.program.definitions)
        f.r[self.out] = 1 if is_definition and g.layout.descends(g.program.definitions[number].kind, self.kind) else 0
        return self.then


class Select(Op):
    """Every thing of a kind that is in play, by number."""

    __slots__ = ("cost", "kind", "out")
    name = "SELECT"
    answers = "thing"
    pure = True
    sees = ("zone",)
    out: ListOut
    kind: KindNo
    cost: i64

    def link(self, image: Image) -> Op:
        self.cost = image.layout.high[self.kind] - image.layout.low[self.kind] >> 3
        return self

    def run(self, g: Game, f: Frame) -> Op | None:
        g.fuel -= self.cost
        if g.fuel < 0:
            g.spend(0)
        selected = g.world.selected[self.kind]
        f.s[self.out] = selected if selected is not None else g.found_in_play(self.kind)
        return self.then


class Seldefs(Op):
    """Every definition of a kind, by number."""

    __slots__ = ("kind", "out")
    name = "SELDEFS"
    answers = "definition"
    pure = True
    sees = ()
    out: ListOut
    kind: KindNo

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = new_list(g, g.definitions_of(self.kind))
        return self.then


class Parts(Op):
    """The parts of a kind that a thing has."""

    __slots__ = ("kind", "out", "thing")
    name = "PARTS"
    answers = "thing"
    pure = True
    sees = ()
    out: ListOut
    kind: KindNo
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        thing = f.r[self.thing]
        parts = g.layout.parts_of[thing] if 0 <= thing < g.layout.things else []
        f.s[self.out] = tuple([part for part in parts if g.layout.is_a(part, self.kind)])
        return self.then


class First(Op):
    """An instance of a definition, by copy from 1; -1 if there is none of that number."""

    __slots__ = ("copy", "definition", "out")
    name = "FIRST"
    answers = "thing"
    pure = True
    sees = ()
    out: RegOut
    definition: DefinitionNo
    copy: Int

    def run(self, g: Game, f: Frame) -> Op | None:
        exists = 1 <= self.copy <= g.layout.instances[self.definition]
        f.r[self.out] = g.layout.first[self.definition] + self.copy - 1 if exists else -1
        return self.then


class Single(Op):
    """The first thing of a kind, for kinds that have but one; -1 if there is none."""

    __slots__ = ("kind", "out")
    name = "SINGLE"
    answers = "thing"
    pure = True
    sees = ()
    out: RegOut
    kind: KindNo

    def run(self, g: Game, f: Frame) -> Op | None:
        low, high = g.layout.low[self.kind], g.layout.high[self.kind]
        f.r[self.out] = low if low < high else -1
        return self.then


class Played(Op):
    """The mission (or campaign) that is being played, if it is of that kind; else -1."""

    __slots__ = ("kind", "out")
    name = "PLAYED"
    pure = True
    sees = ()
    out: RegOut
    kind: KindNo

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.world.mission if g.layout.is_a(g.world.mission, self.kind) else -1
        return self.then


class Players(Op):
    """The players of this game."""

    __slots__ = ("out",)
    name = "PLAYERS"
    answers = "thing"
    pure = True
    sees = ()
    out: ListOut

    def run(self, g: Game, f: Frame) -> Op | None:
        low = g.layout.players_low
        f.s[self.out] = tuple(range(low, low + g.player_count()))
        return self.then


class Cell(Op):
    """The space of that number (from 0) on the present board; -1 if it has none."""

    __slots__ = ("cell", "out")
    name = "CELL"
    answers = "thing"
    pure = True
    sees = ()
    out: RegOut
    cell: Int

    def run(self, g: Game, f: Frame) -> Op | None:
        space = g.layout.spaces_low + self.cell
        f.r[self.out] = space if g.is_space(space) else -1
        return self.then


class Variant(Lookup):
    """The value of a variant, by its number."""

    __slots__ = ("switch",)
    name = "VARIANT"
    pure = True
    sees = ()
    boardless = True
    out: RegOut
    switch: SwitchNo

    def read(self, g: Game, f: Frame) -> i64:
        g.image.inputs_read[self.switch] = 1
        return g.world.switches[self.switch]
