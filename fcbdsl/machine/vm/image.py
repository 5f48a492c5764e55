"""The image of a program: data that all its games share, prepared once: ops, constants, and possible listeners."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from fcbdsl.base.words import MODES, TIMINGS
from fcbdsl.machine.geometry.board import Atlas, Barrier, Terrain, build_shape
from fcbdsl.machine.vm.layout import ENDING_KIND, PLAYED, MemoryLayout
from fcbdsl.machine.vm.linked_rows import (
    LIMITS,
    OF_THINGS,
    SCOPES,
    LinkedAction,
    LinkedField,
    LinkedListener,
    LinkedModifier,
    LinkedTier,
    LinkedTrack,
    ResettableStat,
)
from fcbdsl.machine.vm.linker import OutlookParts, insert_cached_parts, join, link_fused, only_looks
from fcbdsl.machine.vm.numbers import copy_row, numbers
from fcbdsl.machine.vm.op import Op, round_cost
from fcbdsl.machine.vm.op_tracing import Marks, trace_ops
from fcbdsl.machine.vm.ops.calls import Leaving
from fcbdsl.machine.vm.program import Code, Modifier, Program
from fcbdsl.machine.vm.program import Terrain as TerrainRow
from fcbdsl.machine.vm.world import (
    ACTION,
    DONE,
    ENDINGS,
    LABEL,
    LISTENER,
    NONE,
    TAGS,
    WON,
    BoundListener,
    Frame,
    Option,
    World,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.numbers import Numbers

Triple = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Listeners by timing."""
Scene = tuple[int, int, int, tuple[tuple[int, int], ...], int]
"""The parameters of the start position: its mission, its board, the number of players, the variants, and the file of
tests."""


class PlacedOp:
    """A wrapper of an op in a list. The class has no subclasses, so the compiled build checks its type at once.

    For an op itself, it would have to search the base classes.
    """

    __slots__ = ("op",)

    def __init__(self, op: Op) -> None:
        self.op = op


class LinkedCode:
    """A code, prepared for its frames.

    `cost`: the fuel for running it. `n_r`, `n_s`: its numbers of registers. `fresh`, `blank`: their initial contents,
    which are only copied (a frame without list registers never writes to them and shares `blank`). `ops`, and their
    `places`: None until it first runs. `looks`: whether it is pure (see `linker`; set then).

    `spare`: a pooled frame of a finished pure code, for the next one; its registers are stale, but they are written
    before they are read. `left`: a pooled frame of another code, whose registers are reset before reuse. Only one
    thread at a time may play games of an image.
    """

    __slots__ = ("blank", "cost", "fresh", "left", "looks", "n_r", "n_s", "number", "ops", "places", "spare")

    def __init__(self, number: int, row: Code) -> None:
        self.number: i64 = number
        self.cost: i64 = round_cost(len(row.ints) >> 2)
        self.n_r: i64 = row.n_r
        self.n_s: i64 = row.n_s
        self.fresh = numbers([0] * (row.n_r - len(row.constants)) + list(row.constants))
        self.blank: list[tuple[int, ...]] = [()] * row.n_s
        self.ops: list[Op] | None = None
        self.places: list[PlacedOp] | None = None
        self.looks = False
        self.spare: Frame | None = None
        self.left: Frame | None = None

    def take(self, ops: list[Op]) -> None:
        """Set the ops of the code."""
        self.ops, self.places = ops, [PlacedOp(op) for op in ops]

    def frame(self, s: list[tuple[int, ...]], out: i64) -> Frame:
        """Return a frame with these list registers, for a code that is not pure."""
        frame = self.left
        if frame is None:
            return Frame(self.number, self.fresh[:], s, out)
        self.left = None
        frame.pc = 0
        frame.r = copy_row(frame.r, self.fresh)
        frame.s = s
        frame.out = out
        frame.batch = None
        frame.sealed = None
        return frame


class Image:
    """A verified program in the form in which it is run.

    Games never change it; data added later (ops of a code, geometries, lists) is derived from the program on demand. An
    image with `marks` loads no games.
    """

    __slots__ = (
        "_atlases",
        "_builtin",
        "_codes_of",
        "_in_force",
        "_marked",
        "_marks",
        "_of_players",
        "_regions",
        "_resettable_stats",
        "_start_codes",
        "_stats_of",
        "_supposing",
        "_symbols_on",
        "acted",
        "actions",
        "args",
        "blanks",
        "blocking_movement",
        "blocking_sight",
        "blocks_movement",
        "carried",
        "changed",
        "codes",
        "counted",
        "counters",
        "definitions_by_origin",
        "effects",
        "ends",
        "fields",
        "fixed",
        "fixed_selves",
        "free_codes",
        "hearers",
        "hears_changes",
        "held",
        "hinged",
        "homes",
        "inputs_read",
        "is_carried",
        "is_lying",
        "is_piece",
        "is_track",
        "keeping",
        "kept_cells",
        "kept_stats",
        "kept_zones",
        "lasting_listeners",
        "layout",
        "limit_per",
        "limits_of",
        "lineages",
        "linked",
        "listed",
        "listeners",
        "lists",
        "lying",
        "marks",
        "missions",
        "modified",
        "modifiers",
        "modifying",
        "movable",
        "movable_fields",
        "observes_inputs",
        "offering",
        "offers",
        "only_looks",
        "openings",
        "parts",
        "pieces",
        "pinching",
        "plain_args",
        "plain_kinds",
        "players_input",
        "policies",
        "program",
        "ranks",
        "secret_cells",
        "secret_fields",
        "tables",
        "thing_events",
        "thing_listeners",
        "thing_rows",
        "tiers",
        "timings",
        "track_numbers",
        "tracks",
        "untils",
        "values",
        "windows",
        "zone_limits",
    )  # fmt: skip

    def __init__(self, program: Program, marks: Marks | None = None) -> None:
        """`marks`: where its ops note that they have run. Raises `layout.TooLarge`."""
        self.program = program
        self.marks = marks
        self.layout = MemoryLayout(program)
        self.codes = [LinkedCode(number, row) for number, row in enumerate(program.codes)]
        self.fields = [LinkedField(row) for row in program.fields]
        self.actions = [LinkedAction(row) for row in program.actions]
        self.offers, self.acted = program.offers, program.acted
        self.listeners = [LinkedListener(row) for row in program.listeners]
        self.modifiers = [self._modifier(row) for row in program.modifiers]
        self.listed = [[at for at, many in enumerate(row.lists, 2) if many] for row in program.events]
        """Per event the registers of its parameters that are lists."""
        self.ends = [2 + len(row.lists) for row in program.events]
        """Per event the register after its last parameter's."""
        self.limit_per = [LIMITS[row.per] for row in program.limits]
        widest = max([0, *[max(code.n_s, code.params) for code in program.codes], *map(len, program.args)])
        self.blanks: list[list[tuple[int, ...]]] = [[()] * count for count in range(widest + 1)]
        """Initial list registers, by number, up to the most that a code or an event has. They are only copied."""
        self.args = program.args
        self.plain_args = [None if any(bank for bank, _ in row) else [at for _, at in row] for row in program.args]
        """Per row of arguments their number registers; None if it passes lists, too."""
        self._codes_of: list[Numbers | None] = [None] * len(program.fields)
        self.only_looks: dict[int, bool] = {}
        """Whether a code is pure, by number, as far as computed: see `linker`."""
        self._atlases: list[Atlas | None] = [None] * len(program.boards)
        self._of_players: list[int] | None = None
        self._supposing: list[tuple[int, int]] | None = None
        self._start_codes: dict[int, list[int]] = {}
        self._stats_of: dict[int, list[int]] = {}
        self._resettable_stats: dict[int, list[ResettableStat]] = {}
        self._marked: dict[tuple[int, int], tuple[int, ...]] = {}
        self._marks: list[list[tuple[int, ...]] | None] = [None] * len(program.boards)
        self._regions: dict[int, dict[int, tuple[int, ...]]] = {}
        self._in_force: dict[tuple[int, int], InForce] = {}
        self.definitions_by_origin: dict[int, dict[int, tuple[int, ...]]] = {}
        """By file of tests and kind, the definitions in force, as far as computed: see `InForce`."""
        self.homes = dict(program.homes)
        """The missions to which the actions and rules of a file are limited."""
        self.linked: list[int] = []
        """The codes that games have run so far, in this order."""
        self.parts: OutlookParts | None = None
        """The cached parts of the evaluation function; None until it is first used."""
        self.missions: dict[str, int] = {}
        """Missions and campaigns by their ids."""
        for number, definition in enumerate(program.definitions):
            if program.kinds[definition.kind].policy in PLAYED:
                self.missions.setdefault(definition.id, number)
        self.players_input = len(program.switches)
        """The number of the last input of a game, which is the number of players; the others are the variants."""
        self.inputs_read = numbers([0] * (self.players_input + 1))
        """Per input, 1 if a game has read it since `forget_inputs_read`."""
        self.observes_inputs = False
        """Whether games call their `moment_observer` before effects read an input. Set it before any code is run."""
        self.openings: dict[Scene, tuple[World, int]] = {}
        """Start positions of scenes, without chance, and the remaining fuel (see `setup`)."""
        self._prepare_things()
        self._prepare_values()
        self._prepare_kept()
        self._prepare_listeners()
        self.modifying = [False] * self.layout.things
        """Per thing, whether it bears modifiers by its kind or definition."""
        for row in program.modifiers:
            if row.scope in ("kind", "definition"):
                for thing in range(*self.scope_range(row.scope, row.owner)):
                    self.modifying[thing] = True
        self.modified = {row.field for row in program.modifiers}
        """Fields that have modifiers, even if only in tests."""
        self.free_codes = {code for track in program.tracks for code in (track.end, *(c for _, c in track.steps))}
        self.free_codes |= {code for tier in program.tiers for code in (tier.enter, tier.leave)}
        """Codes that a moving track runs."""
        self.free_codes.discard(-1)
        self.pieces = self.layout.range_of("piece")
        self.is_piece = [self.pieces[0] <= thing < self.pieces[1] for thing in range(self.layout.things)]
        self.blocks_movement = [program.kinds[kind].blocks_movement for kind in self.layout.kind_of]
        self.blocking_movement = self._pieces_where([kind.blocks_movement for kind in program.kinds])
        self.blocking_sight = self._pieces_where([kind.blocks_sight for kind in program.kinds])
        """Ranges of pieces that block movement on their space, and of those that block sight."""
        self.hinged = {n: (row.hinge, row.ajar) for n, row in enumerate(program.barriers) if row.hinge >= 0}
        """Barriers that block only while a flag of their side is set (or is not), by number."""
        self.pinching = {n: (row.switch, row.setting) for n, row in enumerate(program.terrains) if row.switch >= 0}
        """Terrains that shut corners only while a variant has some value, by number."""
        self.movable_fields = [
            number
            for number, row in enumerate(program.fields)
            if self.layout.base[number] >= 0 and row.sort != "builtin" and row.owned < 0 and not row.starts
        ]
        """Fields in memory without a start value, which a determinization moves along with things."""
        self.changed = program.changed
        """The event of changes, to which something listens, or -1."""
        self.hears_changes = program.changed >= 0
        """Whether something listens to changes."""
        self.limits_of: list[list[int]] = [[] for _ in program.events]
        for number, limit in enumerate(program.limits):
            self.limits_of[limit.event].append(number)

    # ── what files of tests declare ────────────────────────────────────────────────────────────

    def origin_of(self, span: int) -> int:
        """Return the file of tests that contains a declaration (its span), or -1."""
        file = self.program.spans[span].file if span >= 0 else -1
        return file if file in self.program.proofs else -1

    def in_force(self, origin: int, mission: int = -1) -> InForce:
        """Return the rules in force for a file of tests (-1: all other files) and a mission (a thing)."""
        played = self.layout.definition_of[mission] if mission >= 0 and self.homes else -1
        in_force = self._in_force.get((origin, played))
        if in_force is None:
            in_force = InForce(self, origin, played)
            self._in_force[origin, played] = in_force
        return in_force

    # ── codes and boards ───────────────────────────────────────────────────────────────────────

    def places(self, number: i64) -> list[PlacedOp]:
        """Return the ops of a code in their wrappers."""
        self.code(number)
        places = self.codes[number].places
        assert places is not None
        return places

    def code(self, number: i64) -> list[Op]:
        """Return the ops of a code, made when it first runs."""
        row = self.codes[number]
        ops = row.ops
        if ops is None:
            ops = link_fused(self, number) if self.marks is None else trace_ops(self, number, self.marks)
            if number == self.program.outlook:
                self.parts, ops = insert_cached_parts(self, number, ops)
            join(ops)
            row.take(ops)
            self.linked.append(number)
            row.looks = only_looks(self, number)
            for op in ops if row.looks else ():
                if isinstance(op, Leaving):
                    op.home = row
        return ops

    def forget_inputs_read(self, except_for: Collection[int] = ()) -> None:
        """Forget which inputs have been read, except for some."""
        self.inputs_read = numbers([int(number in except_for) for number in range(self.players_input + 1)])

    def read_inputs(self) -> frozenset[int]:
        """Return the inputs that have been read."""
        return frozenset([number for number, read in enumerate(self.inputs_read) if read])

    def hears_players(self) -> bool:
        """Return whether players, or parts of them, have listeners or modifiers. Then the number of players decides
        which of them are active, even if no code reads it."""
        return any(self.thing_events[thing] or self.modifying[thing] for thing in self.of_players())

    def of_players(self) -> list[int]:
        """Return the players and their parts, as many as there may be."""
        if self._of_players is None:
            self._of_players = []
            for thing, policy in enumerate(self.policies):
                owner = thing
                while self.policies[owner] == "parts" and self.layout.owner_of[owner] >= 0:
                    owner = self.layout.owner_of[owner]
                if policy in ("players", "parts") and self.policies[owner] == "players":
                    self._of_players.append(thing)
        return self._of_players

    def ran(self) -> list[int]:
        """Return the numbers of the codes that games have run so far."""
        return sorted(self.linked)

    def span_of(self, code: int, pc: int) -> int:
        """Return the span of an op, or -1."""
        if code < 0 or not 0 <= pc < len(self.program.codes[code].spans):
            return -1
        return self.program.codes[code].spans[pc]

    def atlas(self, board: int) -> Atlas:
        """Return the geometries of a board."""
        atlas = self._atlases[board]
        if atlas is None:
            row = self.program.boards[board]
            xs, ys = [cell.x for cell in row.cells], [cell.y for cell in row.cells]
            shape = build_shape(row.sort, xs, ys, row.links, len(self.program.directions), row.corners)
            terrains = [_ground(t, t.shuts_corners) for t in self.program.terrains]
            terrains += [_ground(t, False) for t in self.program.terrains]
            barriers = [Barrier(b.blocks_movement, b.blocks_sight) for b in self.program.barriers]
            atlas = Atlas(shape, terrains, barriers)
            self._atlases[board] = atlas
        return atlas

    def regions(self, board: int) -> dict[int, tuple[int, ...]]:
        """Return the regions of a board (things), each with its spaces."""
        regions = self._regions.get(board)
        if regions is None:
            rows = self.program.boards[board].regions if board >= 0 else ()
            low, first = self.layout.spaces_low, self.layout.first
            regions = {first[region]: tuple([low + cell for cell in cells]) for region, cells in rows}
            self._regions[board] = regions
        return regions

    def marks_on(self, board: int) -> list[tuple[int, ...]]:
        """Return, per space of a board (-1: none), its marks."""
        if board < 0:
            return []
        marks = self._marks[board]
        if marks is None:
            marks = [cell.marks for cell in self.program.boards[board].cells]
            self._marks[board] = marks
        return marks

    def marked_spaces(self, board: int, mark: int) -> tuple[int, ...]:
        """Return the spaces of a board that bear a mark, by number."""
        marked = self._marked.get((board, mark))
        if marked is None and not 0 <= mark < len(self.program.marks):
            return ()
        if marked is None:
            cells = self.program.boards[board].cells if board >= 0 else ()
            low = self.layout.spaces_low
            marked = tuple([low + cell for cell, row in enumerate(cells) if mark in row.marks])
            self._marked[board, mark] = marked
        return marked

    # ── things and values ──────────────────────────────────────────────────────────────────────

    def _prepare_things(self) -> None:
        program, layout = self.program, self.layout
        self.policies = [program.kinds[kind].policy for kind in layout.kind_of]
        low, high = layout.range_of("track")
        self.is_track = [low <= thing < high for thing in range(layout.things)]
        self.held = [program.kinds[kind].held for kind in layout.kind_of]
        things = range(layout.things)
        definitions = [self.policies[thing] == "definitions" and not self.is_track[thing] for thing in things]
        self.lying = [thing for thing in things if definitions[thing] and not self.held[thing]]
        self.carried = [thing for thing in things if definitions[thing] and self.held[thing]]
        self.fixed = [thing for thing in things if not definitions[thing]]
        """Things that are live by their zone, things that are live by their holder, and others."""
        self.is_carried = [definitions[thing] and self.held[thing] for thing in things]
        self.is_lying = [definitions[thing] and not self.held[thing] for thing in things]
        self.movable = [self.policies[t] in ("definitions", "records") and not self.is_track[t] for t in things]
        """Per thing, whether it can be moved (an instance of a definition or a record, but no track).

        A movable thing is in play unless it is in the box.
        """
        self.plain_kinds = [all(self.movable[low:high]) for low, high in zip(layout.low, layout.high, strict=True)]
        """Kinds all of whose things are in play unless they are in the box."""
        self.zone_limits = [program.zones[row].limit if row >= 0 else -1 for row in layout.zone_row]
        """Per zone of a game, the code that gives its limit; -1: no limit."""
        self.ranks = [self._rank(thing) for thing in things]
        """Per thing, its rank in the order of listeners: the mission or campaign and its tracks first, then by
        number."""
        self.lineages = [layout.lineage(kind) for kind in range(len(program.kinds))]
        """Per kind, itself and its ancestors."""
        self.fixed_selves = [self._own_selves(thing) for thing in things]
        """Per thing, `self` and `this` in its texts; None if they depend on its holder."""
        of_tracks = [layout.first[track.definition] for track in program.tracks]
        self.track_numbers = {thing: n for n, thing in enumerate(of_tracks)}
        self.tiers = [LinkedTier(row, of_tracks[row.track]) for row in program.tiers]
        self.tracks = [LinkedTrack(row, of_tracks[n], self.tiers) for n, row in enumerate(program.tracks)]
        self._builtin = {row.name: number for number, row in enumerate(program.fields) if row.sort == "builtin"}

    def _pieces_where(self, kinds: list[bool]) -> list[tuple[int, int]]:
        """Return the pieces of some kinds, as maximal ranges."""
        out: list[tuple[int, int]] = []
        for thing in range(*self.pieces):
            if kinds[self.layout.kind_of[thing]]:
                low = out.pop()[0] if out and out[-1][1] == thing else thing
                out.append((low, thing + 1))
        return out

    def track_of(self, thing: int) -> int:
        """Return the number of the track that a thing is, or -1."""
        return self.track_numbers.get(thing, -1)

    def symbols_on(self, face: int) -> tuple[int, ...]:
        """Return the symbols on a face of a die, by its value; nothing (-1) has none."""
        return self._symbols_on.get(face, (face,)) if face >= 0 else ()

    def rung(self, die: int) -> tuple[int, int]:
        """Return the ladder of a die and its place there; (-1, -1) if it is on no ladder. Places -1 and `length` are
        the sure ends."""
        for number, ladder in enumerate(self.program.ladders):
            if die in ladder.dice:
                return number, ladder.dice.index(die)
            if die in (ladder.above, ladder.below):
                return number, -1 if die == ladder.above else len(ladder.dice)
        return -1, -1

    def is_counter(self, field: int) -> bool:
        """Return whether a field, given by its number, is a status or token."""
        return 0 <= field < len(self.fields) and self.fields[field].counter

    def is_effect(self, code: int) -> bool:
        """Return whether a code is the value of an effect field."""
        return code in self.effects

    def code_field(self, field: i64, thing: i64) -> i64:
        """Return the code in a code field of a thing, or -1."""
        codes = self._codes_of[field]
        if codes is None:
            given = self.values[field]
            codes = numbers([given.get(definition, -1) for definition in self.layout.definition_of])
            self._codes_of[field] = codes
        if not 0 <= thing < len(codes):
            return -1
        return codes[thing]

    def builtin_number(self, name: str) -> int:
        """Return the number of a built-in field, or -1 if the program does not name it."""
        return self._builtin.get(name, -1)

    def _prepare_values(self) -> None:
        """Compute const fields by definition and by thing, and fixed built-in ones by thing."""
        program, layout = self.program, self.layout
        self._symbols_on = {v: s for die in program.dice for v, s in zip(die.values, die.shows, strict=False)}
        """Faces of dice that show no symbol or several, with these symbols."""
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
        self.tables: list[Numbers] = [numbers([]) for _ in program.fields]
        for field, row in enumerate(program.fields):
            things = range(layout.field_low[field], layout.field_high[field])
            if row.sort == "const":
                given = self.values[field]
                self.tables[field] = numbers([given.get(layout.definition_of[t], row.empty) for t in things])
            elif row.sort == "builtin" and layout.base[field] < 0:
                self.tables[field] = numbers([self._fixed(row.name, t) for t in things])

    def _fixed(self, name: str, thing: int) -> int:
        """Return the value of a built-in field that follows from a thing's number."""
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

    def stats_of(self, kind: int) -> list[int]:
        """Return the numbers of the fields of a kind that are in memory, except built-in ones."""
        numbers = self._stats_of.get(kind)
        if numbers is None:
            layout, low = self.layout, self.layout.low[kind]
            numbers = [
                number
                for number, row in enumerate(self.fields)
                if layout.base[number] >= 0 and not row.builtin and self._has(number, low)
            ]
            self._stats_of[kind] = numbers
        return numbers

    def resettable_stats(self, thing: int) -> list[ResettableStat]:
        """Return the same fields of a thing, except those that a campaign keeps, prepared to be reset.

        They are the same for all things of its kind.
        """
        kind = self.layout.kind_of[thing]
        stats = self._resettable_stats.get(kind)
        if stats is None:
            numbers = [number for number in self.stats_of(kind) if (number, thing) not in self.keeping]
            stats = self._resettable_stats[kind] = [self._resettable(number, thing) for number in numbers]
        return stats

    def _resettable(self, field: int, thing: int) -> ResettableStat:
        row = self.fields[field]
        code = self.start_codes(field)[thing - self.layout.field_low[field]] if row.starts else -1
        return ResettableStat(field, self.layout.base[field], row, code)

    def _has(self, field: int, thing: int) -> bool:
        """Return whether a thing has a field."""
        return self.layout.field_low[field] <= thing < self.layout.field_high[field]

    def start_codes(self, field: int) -> list[int]:
        """Return, per thing of a field's kind, the code of its start value: that of the nearest kind, or -1."""
        codes = self._start_codes.get(field)
        if codes is None:
            row = self.program.fields[field]
            by_kind = dict(row.starts)
            codes = []
            for thing in range(self.layout.field_low[field], self.layout.field_high[field]):
                kind = self.layout.kind_of[thing]
                while kind >= 0 and kind not in by_kind:
                    kind = self.program.kinds[kind].parent
                codes.append(by_kind.get(kind, -1))
            self._start_codes[field] = codes
        return codes

    def is_option(self, kind: str, option: Option) -> bool:
        """Return whether an option is valid for a kind of question: it has the right shape and its numbers exist."""
        if option in ((NONE,), (DONE,)):
            return True
        if kind == "action":
            return len(option) == 4 and option[0] == ACTION and 0 <= option[1] < len(self.program.actions)
        if kind == "react":
            return len(option) == 4 and option[0] == LISTENER and 0 <= option[1] < len(self.program.listeners)
        if kind == "option":
            return len(option) == 3 and option[0] == LABEL
        if kind == "mission":
            by = len(option) < 5 and self._is_winner(option)
            if len(option) == 4:
                low, high = self.layout.range_of(ENDING_KIND)
                by = by and low <= option[3] < high
            return by and option[0] in ENDINGS and 0 <= option[1] < len(self.program.definitions)
        return len(option) == 2 and 0 <= option[0] < len(TAGS)

    def _is_winner(self, option: Option) -> bool:
        """Return whether the result of a mission names no team, or one that won."""
        if len(option) == 2 or (len(option) == 4 and option[2] == -1):
            return True
        return option[0] == WON and self.layout.teams_low <= option[2] < self.layout.teams_high

    def _prepare_kept(self) -> None:
        """Compute the memory cells and zones that are carried over in a campaign, and the cells of secret stats.

        The carried-over stats are (field, thing) pairs.
        """
        layout = self.layout
        self.kept_stats = [
            (number, thing)
            for number, row in enumerate(self.program.fields)
            for kind in row.kept
            for thing in range(layout.low[kind], layout.high[kind])
        ]
        self.keeping = dict.fromkeys(self.kept_stats)
        """These pairs as a set, for fast look-ups."""
        self.kept_cells = [layout.base[number] + thing for number, thing in self.kept_stats]
        self.secret_cells = [
            (layout.base[number] + layout.field_low[number], layout.base[number] + layout.field_high[number])
            for number, row in enumerate(self.program.fields)
            if row.secret and layout.base[number] >= 0
        ]
        """Memory ranges of secret stats: from, to."""
        self.secret_fields = [number for number, row in enumerate(self.program.fields) if row.secret]
        self.kept_zones = [
            layout.zone_base[number] + (0 if kind < 0 else thing)
            for number, row in enumerate(self.program.zones)
            for kind in row.kept
            for thing in (range(1) if kind < 0 else range(layout.low[kind], layout.high[kind]))
        ]

    def supposing(self) -> list[tuple[int, int]]:
        """Return the things whose kind restricts what a bot may guess about them, with the code of the restriction."""
        if self._supposing is None:
            self._supposing = []
            for thing, kind in enumerate(self.layout.kind_of):
                while kind >= 0 and self.program.kinds[kind].supposes < 0:
                    kind = self.program.kinds[kind].parent
                if kind >= 0:
                    self._supposing.append((thing, self.program.kinds[kind].supposes))
        return self._supposing

    # ── listeners and modifiers ────────────────────────────────────────────────────────────────

    def _modifier(self, row: Modifier) -> LinkedModifier:
        bearers = self.scope_range(row.scope, row.owner) if SCOPES[row.scope] == OF_THINGS else (0, 0)
        return LinkedModifier(row, (self.layout.low[row.kind], self.layout.high[row.kind]), bearers)

    def _rank(self, thing: int) -> int:
        return thing - self.layout.things if self.is_track[thing] or self.policies[thing] in PLAYED else thing

    def _prepare_listeners(self) -> None:
        """Compute, per event, the listeners of each thing (for a tier: of its track), of counters and of lasting
        effects."""
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
            [any(row.event == event and row.timing == timing for row in program.listeners) for timing in TIMINGS]
            for event in range(count)
        ]
        """Per event and timing, whether the program has a listener."""
        self.untils = [row.until for row in program.lastings]
        """Per lasting effect the event that ends it."""
        self.offering = [any(row.event == event and row.offered for row in program.listeners) for event in range(count)]
        """Per event: whether the program has an offered listener for it."""
        windows = {row.event: row for row in program.windows}
        self.windows = [windows.get(event) for event in range(count)]
        """Per event, the window for offered listeners, if any."""
        self.thing_listeners = [{t: _triple(self.program, row) for t, row in each.items()} for each in things]
        self.thing_rows = [
            {
                t: _rows(triple, *its)
                for t, triple in thing_listener.items()
                if (its := self.fixed_selves[t]) is not None
            }
            for thing_listener in self.thing_listeners
        ]
        """Listener instances of things whose self and this never change."""
        self.counters = [_by_timing({f: _triple(program, row) for f, row in counter.items()}) for counter in counters]
        """Per event and timing, the fields of counters that listen, with their listeners."""
        self.counted = [bool(counter) for counter in counters]
        """Per event, whether counters listen."""
        self.lasting_listeners = [{t: _triple(self.program, row) for t, row in lasting.items()} for lasting in lastings]
        self.thing_events: list[list[int]] = [[] for _ in range(self.layout.things)]
        for event, each in enumerate(things):
            for thing in each:
                self.thing_events[thing].append(event)
        self.hearers = sorted([t for t, heard in enumerate(self.thing_events) if heard], key=self.ranks.__getitem__)
        """All things with listeners, in listener order."""

    def _own_selves(self, thing: int) -> list[int] | None:
        layout = self.layout
        if self.is_track[thing]:
            mission = layout.owner_of[thing]
            return [mission if mission >= 0 else thing, thing]
        owner = thing
        while layout.parts[layout.kind_of[owner]] and layout.owner_of[owner] >= 0:
            owner = layout.owner_of[owner]
        return None if self.held[owner] else [owner, owner]

    def _hearers(self, scope: str, owner: int) -> range:
        if scope == "tier":
            first = self.layout.first[self.program.tracks[self.program.tiers[owner].track].definition]
            return range(first, first + 1)
        first, last = self.scope_range(scope, owner)
        return range(first, last)

    def scope_range(self, scope: str, owner: int) -> tuple[int, int]:
        """Return the range of things of a kind or definition."""
        if scope == "kind":
            return self.layout.low[owner], self.layout.high[owner]
        first = self.layout.first[owner]
        return first, first + self.layout.instances[owner]


class InForce:
    """Listeners and modifiers in force in the worlds of one file of tests or of no test, and of one mission or none."""

    __slots__ = ("_definitions", "_image", "_mission", "_origin", "elsewhere", "modifiers", "rule_rows", "ruled")

    def __init__(self, image: Image, origin: int, mission: int) -> None:
        self._image = image
        self._origin = origin
        self._mission = mission
        self._definitions = image.definitions_by_origin.setdefault(origin, {})
        program = image.program
        rules: list[list[int]] = [[] for _ in program.events]
        for number, row in enumerate(program.listeners):
            if row.scope == "rule" and not self._is_elsewhere(row.span):
                rules[row.event].append(number)
        self.ruled = [bool(row) for row in rules]
        """Per event, whether rules listen."""
        self.rule_rows = [_rows(_triple(program, row), -1, -1) for row in rules]
        """Per event and timing, the listener instances of rules, without self and this."""
        self.elsewhere = [self._is_elsewhere(row.span) for row in program.actions]
        """Per action, whether it is unavailable in these worlds."""
        self.modifiers: list[list[int] | None] = [None] * len(program.fields)
        """Per field, its modifiers in order of application; None if it has none."""
        table = program.modifiers
        for number in sorted(range(len(table)), key=lambda n: MODES.index(table[n].mode)):
            field = table[number].field
            applied = self.modifiers[field]
            if applied is None:
                applied = []
                self.modifiers[field] = applied
            if table[number].scope != "rule" or not self._is_elsewhere(table[number].span):
                applied.append(number)

    def _is_elsewhere(self, span: int) -> bool:
        """Return whether an action or a rule (its span) does not apply to these worlds: it is foreign, or of another
        mission."""
        file = self._image.program.spans[span].file if span >= 0 else -1
        return self._is_foreign(span) or self._mission not in self._image.homes.get(file, (self._mission,))

    def definitions_of(self, kind: int) -> tuple[int, ...]:
        """Return the definitions of a kind and its descendants, by number."""
        definitions = self._definitions.get(kind)
        if definitions is None:
            layout = self._image.layout
            rows = enumerate(self._image.program.definitions)
            definitions = tuple(
                [n for n, row in rows if layout.descends(row.kind, kind) and not self._is_foreign(row.span)]
            )
            self._definitions[kind] = definitions
        return definitions

    def _is_foreign(self, span: int) -> bool:
        """Return whether the declaration at a span is in another file of tests."""
        return self._image.origin_of(span) not in (-1, self._origin)


def _ground(row: TerrainRow, pinching: bool) -> Terrain:
    flags = (row.blocks_movement, row.blocks_sight, row.gives_cover, row.on_board, row.footing)
    return Terrain(row.cost, *flags, pinching)


def _rows(triple: Triple, self_: int, this: int) -> list[list[BoundListener]]:
    """Return listener instances by timing, for listeners whose self and this never change."""
    return [[BoundListener(number, self_, this) for number in numbers] for numbers in triple]


def _by_timing(rows: dict[int, Triple]) -> list[list[tuple[int, tuple[int, ...]]]]:
    """Return, by timing, the keys of a table with listeners, and these."""
    return [[(key, triple[timing]) for key, triple in rows.items() if triple[timing]] for timing in range(len(TIMINGS))]


def _triple(program: Program, numbers: list[int]) -> Triple:
    """Return listeners by timing."""
    table = program.listeners
    rows = [tuple([n for n in numbers if table[n].timing == timing]) for timing in TIMINGS]
    return rows[0], rows[1], rows[2]
