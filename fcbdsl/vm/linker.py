"""What a machine prepares once from its program: ops, constants, and who can hear what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.game.board import Atlas, Barrier, Terrain, build
from fcbdsl.vm.layout import PLAYED, MemoryLayout
from fcbdsl.vm.op import Op, round_cost
from fcbdsl.vm.program import Program
from fcbdsl.words import MODES, TIMINGS

if TYPE_CHECKING:
    from fcbdsl.vm.machine import Machine

Triple = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Listeners by timing."""


def link(m: Machine, number: int) -> list[Op]:
    """Make the ops of a code, as they are run, from its flat form."""
    from fcbdsl.vm.fusing import fuse

    return fuse(m, single(m, number))


def single(m: Machine, number: int) -> list[Op]:
    """The ops of a code, each for itself."""
    from fcbdsl.vm.ops import OPS

    names = m.program.ops
    code = m.program.codes[number]
    out: list[Op] = []
    at = 0
    while at < len(code.ints):
        op = OPS[names[code.ints[at]]]()
        op.at = len(out)
        op.next = len(out) + 1
        op.span = code.spans[len(out)] if len(out) < len(code.spans) else -1
        for operand, value in zip(op.operands, code.ints[at + 1 :], strict=False):
            setattr(op, operand.name, value)
        out.append(op)
        at += 1 + len(op.operands)
    for op in list(out):
        for operand in op.operands:
            if operand.kind == "label":
                target = out[getattr(op, operand.name)]
                target.round = max(target.round, round_cost(op.at - target.at))
    return [op.link(m) for op in out]


class Image:
    """The tables of a program in the form in which they are used."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layout = MemoryLayout(program)
        self.sizes = [(code.n_r, code.n_s) for code in program.codes]
        self.costs = [round_cost(len(code.ints) >> 2) for code in program.codes]
        """Fuel for running each code."""
        self.plain_args = [None if any(bank for bank, _ in row) else [at for _, at in row] for row in program.args]
        """Per row of arguments their number registers; None if it passes lists, too."""
        self._definitions: dict[int, tuple[int, ...]] = {}
        self._atlases: list[Atlas | None] = [None] * len(program.boards)
        self.origin = -1
        """The file of tests whose own declarations the tables below take in; -1: none's. See `turn_to`."""
        self._prepare_things()
        self._prepare_values()
        self._prepare_kept()
        self._prepare_listeners()
        self._prepare_modifiers()
        self._prepare_actions()
        self.free_codes = {code for track in program.tracks for code in (track.end, *(c for _, c in track.steps))}
        self.free_codes |= {code for tier in program.tiers for code in (tier.enter, tier.leave)}
        """Codes that a moving track runs."""
        self.free_codes.discard(-1)
        self.pieces = self.layout.range_of("piece")
        self.limits_of: list[list[int]] = [[] for _ in program.events]
        for number, limit in enumerate(program.limits):
            self.limits_of[limit.event].append(number)

    # ── what files of tests declare ────────────────────────────────────────────────────────────

    def origin_of(self, span: int) -> int:
        """The file of tests in which something (its span) is declared, or -1."""
        file = self.program.spans[span].file if span >= 0 else -1
        return file if file in self.program.proofs else -1

    def is_foreign(self, span: int) -> bool:
        """Whether something (its span) is declared in a file of tests whose world this is not."""
        return self.origin_of(span) not in (-1, self.origin)

    def turn_to(self, origin: int) -> None:
        """Prepare for worlds of a file of tests (-1: none): what others declare for themselves is no part of them."""
        self.origin = origin
        self._definitions.clear()
        self._prepare_rules()
        self._prepare_modifiers()
        self._prepare_actions()

    # ── codes and boards ───────────────────────────────────────────────────────────────────────

    def span_of(self, code: int, pc: int) -> int:
        """The span of an op, or -1."""
        if code < 0 or not 0 <= pc < len(self.program.codes[code].spans):
            return -1
        return self.program.codes[code].spans[pc]

    def atlas(self, board: int) -> Atlas:
        """The geometries of a board."""
        atlas = self._atlases[board]
        if atlas is None:
            row = self.program.boards[board]
            shape = build(row.sort, [c.x for c in row.cells], [c.y for c in row.cells], list(row.links))
            terrains = [
                Terrain(t.cost, t.blocks_movement, t.blocks_sight, t.gives_cover, t.on_board, t.footing)
                for t in self.program.terrains
            ]
            barriers = [Barrier(b.blocks_movement, b.blocks_sight) for b in self.program.barriers]
            atlas = Atlas(shape, terrains, barriers)
            self._atlases[board] = atlas
        return atlas

    # ── things and values ──────────────────────────────────────────────────────────────────────

    def _prepare_things(self) -> None:
        program, layout = self.program, self.layout
        self.policies = [program.kinds[kind].policy for kind in layout.kind_of]
        low, high = layout.range_of("track")
        self.is_track = [low <= thing < high for thing in range(layout.things)]
        self.held = [program.kinds[kind].held for kind in layout.kind_of]
        movable = [self.movable(thing) for thing in range(layout.things)]
        self.plain_kinds = [all(movable[low:high]) for low, high in zip(layout.low, layout.high, strict=True)]
        """Kinds all of whose things are in play unless they are in the box."""
        self.track_numbers = {layout.first[track.definition]: n for n, track in enumerate(program.tracks)}
        self._builtin = {row.name: number for number, row in enumerate(program.fields) if row.sort == "builtin"}

    def movable(self, thing: int) -> bool:
        """Whether a thing can be somewhere: an instance of a definition or a record, but no track."""
        return self.policies[thing] in ("definitions", "records") and not self.is_track[thing]

    def rung(self, die: int) -> tuple[int, int]:
        """The ladder of a die and its place on it (-1 and the length: the sure ends); (-1, -1) if it is on none."""
        for number, ladder in enumerate(self.program.ladders):
            if die in ladder.dice:
                return number, ladder.dice.index(die)
            if die in (ladder.above, ladder.below):
                return number, -1 if die == ladder.above else len(ladder.dice)
        return -1, -1

    def is_counter(self, field: int) -> bool:
        """Whether a number is that of a status or token."""
        return 0 <= field < len(self.program.fields) and self.program.fields[field].sort in ("status", "token")

    def is_effect(self, code: int) -> bool:
        """Whether a code is the value of an effect field."""
        return code in self.effects

    def code_field(self, field: int, thing: int) -> int:
        """The code in a code field of a thing, or -1."""
        definition = self.layout.definition_of[thing] if 0 <= thing < self.layout.things else -1
        return self.values[field].get(definition, -1)

    def definitions_of(self, kind: int) -> tuple[int, ...]:
        """The definitions of a kind and its descendants, by number, that belong to the present world."""
        found = self._definitions.get(kind)
        if found is None:
            rows = enumerate(self.program.definitions)
            found = tuple(
                [n for n, row in rows if self.layout.descends(row.kind, kind) and not self.is_foreign(row.span)]
            )
            self._definitions[kind] = found
        return found

    def builtin_number(self, name: str) -> int:
        """The number of a built-in field, or -1 if the program does not name it."""
        return self._builtin.get(name, -1)

    def _prepare_values(self) -> None:
        """Const fields by definition and by thing; fixed built-in ones by thing."""
        program, layout = self.program, self.layout
        self.values: list[dict[int, int]] = [{} for _ in program.fields]
        self.lists: list[dict[int, tuple[int, ...]]] = [{} for _ in program.fields]
        for number, definition in enumerate(program.definitions):
            for field, value in definition.values:
                self.values[field][number] = value
            for field, listed in definition.lists:
                self.lists[field][number] = listed
            bearer = self._builtin.get("bearer", -1)
            if bearer >= 0:
                self.values[bearer][number] = definition.bearer
        self.effects = {
            value
            for definition in program.definitions
            for field, value in definition.values
            if program.fields[field].codes == "effect"
        }
        self.tables: list[list[int]] = [[] for _ in program.fields]
        for field, row in enumerate(program.fields):
            things = range(layout.field_low[field], layout.field_high[field])
            if row.sort == "const":
                given = self.values[field]
                self.tables[field] = [given.get(layout.definition_of[t], row.empty) for t in things]
            elif row.sort == "builtin" and layout.base[field] < 0:
                self.tables[field] = [self._fixed(row.name, t) for t in things]

    def _fixed(self, name: str, thing: int) -> int:
        """The value of a built-in field that follows from a thing's number."""
        definition = self.layout.definition_of[thing]
        if name == "definition":
            return definition
        if name == "bearer":
            return self.program.definitions[definition].bearer if definition >= 0 else -1
        if name in ("owner", "part-of"):
            return self.layout.owner_of[thing]
        if name == "copy":
            return thing - self.layout.first[definition] + 1 if definition >= 0 else 1
        kind = self.layout.kind_of[thing]
        return thing - self.layout.low[kind] + 1

    def _prepare_kept(self) -> None:
        """What passes from a campaign's world into a mission's and back: (field, thing) pairs, and zones."""
        layout = self.layout
        self.kept_stats = [
            (number, thing)
            for number, row in enumerate(self.program.fields)
            for kind in row.kept
            for thing in range(layout.low[kind], layout.high[kind])
        ]
        self.kept_zones = [
            layout.zone_base[number] + (0 if kind < 0 else thing)
            for number, row in enumerate(self.program.zones)
            for kind in row.kept
            for thing in (range(1) if kind < 0 else range(layout.low[kind], layout.high[kind]))
        ]

    # ── listeners and modifiers ────────────────────────────────────────────────────────────────

    def scope_range(self, scope: str, owner: int) -> tuple[int, int]:
        """The things that a kind or definition stands for."""
        if scope == "kind":
            return self.layout.low[owner], self.layout.high[owner]
        first = self.layout.first[owner]
        return first, first + self.layout.instances[owner]

    def rank(self, thing: int) -> int:
        """The order in which things hear: what is played and its tracks first, then by number."""
        return thing - self.layout.things if self.is_track[thing] or self.policies[thing] in PLAYED else thing

    def _prepare_listeners(self) -> None:
        """Per event: rules, the voices of each thing, counters, tiers (as their track's) and lasting effects."""
        program = self.program
        count = len(program.events)
        things: list[dict[int, list[int]]] = [{} for _ in range(count)]
        counters: list[dict[int, list[int]]] = [{} for _ in range(count)]
        lastings: list[dict[int, list[int]]] = [{} for _ in range(count)]
        for number, row in enumerate(program.listeners):
            if row.scope == "counter":
                counters[row.event].setdefault(row.owner, []).append(number)
            elif row.scope == "lasting":
                lastings[row.event].setdefault(row.owner, []).append(number)
            elif row.scope != "rule":
                for thing in self._hearers(row.scope, row.owner):
                    things[row.event].setdefault(thing, []).append(number)
        self.timings = [
            tuple([any(row.event == event and row.timing == timing for row in program.listeners) for timing in TIMINGS])
            for event in range(count)
        ]
        """Per event and timing: whether the program has a listener for it at all."""
        self.offering = [any(row.event == event and row.offered for row in program.listeners) for event in range(count)]
        """Per event: whether the program has an offered listener for it."""
        self._prepare_rules()
        self.voices = [{t: self._triple(row) for t, row in each.items()} for each in things]
        self.counters = [[(f, self._triple(row)) for f, row in each.items()] for each in counters]
        self.lasting_voices = [{t: self._triple(row) for t, row in each.items()} for each in lastings]
        self.thing_events: list[list[int]] = [[] for _ in range(self.layout.things)]
        for event, each in enumerate(things):
            for thing in each:
                self.thing_events[thing].append(event)

    def _prepare_rules(self) -> None:
        """Per event the listeners of rules."""
        rules: list[list[int]] = [[] for _ in self.program.events]
        for number, row in enumerate(self.program.listeners):
            if row.scope == "rule" and not self.is_foreign(row.span):
                rules[row.event].append(number)
        self.rules = [self._triple(row) for row in rules]

    def _prepare_actions(self) -> None:
        """Per action, whether it is no part of the present world."""
        self.elsewhere = [self.is_foreign(row.span) for row in self.program.actions]

    def _hearers(self, scope: str, owner: int) -> range:
        if scope == "tier":
            first = self.layout.first[self.program.tracks[self.program.tiers[owner].track].definition]
            return range(first, first + 1)
        first, last = self.scope_range(scope, owner)
        return range(first, last)

    def _triple(self, numbers: list[int]) -> Triple:
        table = self.program.listeners
        rows = [tuple([n for n in numbers if table[n].timing == timing]) for timing in TIMINGS]
        return rows[0], rows[1], rows[2]

    def _prepare_modifiers(self) -> None:
        """Per field its modifiers in the order in which they apply; None if it has none."""
        table = self.program.modifiers
        self.modifiers: list[list[int] | None] = [None] * len(self.program.fields)
        for number in sorted(range(len(table)), key=lambda n: MODES.index(table[n].mode)):
            field = table[number].field
            rows = self.modifiers[field]
            if rows is None:
                rows = []
                self.modifiers[field] = rows
            if table[number].scope != "rule" or not self.is_foreign(table[number].span):
                rows.append(number)
