"""Finds the conditions of a win in a program's codes, and how far a game is from them.

No hint of an author is used. An *aim* is a comparison or a flag on the path to an `END` that wins: for the source `if
sluice's value >= 3: win`, the aim is that comparison.

The codes of conditions are run op by op in the present position. Where a jump would leave the path to the win, the run
records its distance and continues as if the jump had gone the right way (branch distance, as in search-based testing).
So one run measures all aims of a condition, and each distance is 0 when its part of the condition holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.frames import call
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.linker import declared_ops, link_unfused
from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops import board_queries, walking
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import OPEN, WIN, Frame, VMFault

MOST_STEPS = 20_000
"""Ops that are run to measure the aims of one way to win."""
DEEPEST = 5
"""Most levels of nested conditions, and of callers of a win."""
NUMERIC = {"JEQ": "eq", "JNE": "ne", "JLT": "lt", "JLE": "le"}
LITERAL = {"JEQI": "eq", "JNEI": "ne", "JLTI": "lt", "JLEI": "le", "JGTI": "gt", "JGEI": "ge"}
COMPARING = {"EQ": "eq", "EQI": "eq", "NE": "ne", "LT": "lt", "LE": "le"}
JUMPS = {"JT", "JF", *NUMERIC, *LITERAL}
LEAVING = {"RET", "RETV", "RETS", "STOP", "END"}
CALLING = {"CALLR", "EVAL", "CALLS", "CALL"}
GATHERING = {"ADD", "ADDI", "SUB", "LADD", "LIT"}
"""Ops with which loops count and collect: their result depends on the jumps of the loop."""
OPPOSITE = {"ne": "eq", "gt": "le", "ge": "lt"}
BOARD_READING = (board_queries.__name__, walking.__name__)
"""The modules of the ops that read positions."""
Reads = frozenset[str]
"""The facts on which a value depends: ``field N``, ``track N`` (a definition), ``zone N``, ``kind N``, ``place N`` (of
a kind)."""
NOTHING: Reads = frozenset()


@dataclass(slots=True)
class Aim:
    """A part of the condition of a win. `distance`: how far it is from true; `rises`: whether its value must rise (1),
    fall (-1), or is no number (0)."""

    distance: int
    rises: int
    reads: Reads


Aims = dict[str, Aim]
"""Aims by the place of their comparison in a program: ``CODE:OP``."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to win. ``point``: the code is run to an op; ``truth``: the code returns true; ``track``: a track reaches a
    value; ``action``: an action is taken. `first`, `last`: the range of things for its `self`, if there is one."""

    sort: str
    code: int
    at: int
    first: int = -1
    last: int = -1


@dataclass(slots=True)
class _Code:
    """A code: its ops as declared and as they run, and the successors of each."""

    declared: list[Op]
    ops: list[Op]
    leads: list[list[int]]


class Goals:
    """The ways to win the games of an image. `side`: the team (its definition; -1: everybody)."""

    def __init__(self, image: Image, side: int = -1) -> None:
        self.image = image
        self.program = image.program
        self.side = side
        self._codes: dict[int, _Code] = {}
        self._good: dict[tuple[int, int, int], set[int]] = {}
        self._callers: dict[int, list[tuple[int, int]]] = {}
        self._owners: dict[int, int] = {}
        self._looked_at: dict[int, Reads] = {}
        self._reached: dict[int, dict[int, int]] = {}
        self._changed: dict[int, set[tuple[str, int]]] = {}
        for number in range(len(self.program.codes)):
            for at, op in enumerate(self.code(number).declared):
                for callee in _callees(self.program, op):
                    self._callers.setdefault(callee, []).append((number, at))
        for number, row in enumerate(self.program.definitions):
            for column, value in row.values:
                if self.program.fields[column].codes:
                    self._owners.setdefault(value, number)
        self.ways = list(dict.fromkeys(self._ways()))

    def code(self, number: int) -> _Code:
        """Return a code prepared for analysis."""
        code = self._codes.get(number)
        if code is None:
            ops = declared_ops(self.image, number)
            code = _Code(ops, link_unfused(self.image, number), [_leads(op) for op in ops])
            self._codes[number] = code
        return code

    def _ways(self) -> Iterator[Way]:
        for number in range(len(self.program.codes)):
            ops = self.code(number).declared
            for at, op in enumerate(ops):
                if op.name == "END" and _operand(op, "outcome") == WIN and self._is_own(ops, at):
                    yield from self._to(number, at, 0, set())

    def _is_own(self, ops: Sequence[Op], at: int) -> bool:
        """Return whether a win is one of the side."""
        register = _operand(ops[at], "side")
        for op in reversed(ops[:at]):
            if op.name == "FIRST" and _operand(op, "out") == register:
                return self.side < 0 or _operand(op, "definition") == self.side
        return True

    def _to(self, code: int, at: int, depth: int, seen: set[tuple[int, int]]) -> Iterator[Way]:
        """Yield the ways to a place in a code: by its own conditions, or else by the callers of the code."""
        if depth > DEEPEST or (code, at) in seen:
            return
        seen.add((code, at))
        if self._guards(code, at):
            owner = self._owners.get(code, -1)
            thing = self.image.layout.first[owner] if owner >= 0 else -1
            yield Way("point", code, at, thing, thing + 1 if thing >= 0 else -1)
            return
        program = self.program
        for row in program.listeners:
            if row.body == code:
                conditions = [number for number in (row.condition, row.guard) if number >= 0]
                first, last = self._scope(row.scope, row.owner)
                for condition in conditions:
                    yield Way("truth", condition, -1, first, last)
        for track in program.tracks:
            ends = [(track.high, track.end), *track.steps]
            for value, run in ends:
                if run == code:
                    yield Way("track", track.definition, value)
        for tier in program.tiers:
            if tier.enter == code:
                yield Way("track", program.tracks[tier.track].definition, tier.at)
        for number, action in enumerate(program.actions):
            if action.body == code:
                yield Way("action", number, -1)
        for caller, place in self._callers.get(code, ()):
            yield from self._to(caller, place, depth + 1, seen)

    def _scope(self, scope: str, owner: int) -> tuple[int, int]:
        if scope in ("kind", "definition"):
            return self.image.scope_range(scope, owner)
        if scope == "tier":
            first = self.image.layout.first[self.program.tracks[self.program.tiers[owner].track].definition]
            return first, first + 1
        return -1, -1

    def _guards(self, code: int, at: int) -> bool:
        """Return whether some jump decides whether a place is reached."""
        row, good = self.code(code), self.good(code, 0, at)
        return any(
            len(row.leads[pc]) == 2 and len([target for target in row.leads[pc] if target in good]) == 1
            for pc in range(len(row.declared))
            if pc in good
        )

    def good(self, code: int, wanted: int, at: int = -1) -> set[int]:
        """Return the ops from which a code can still reach the place `at`; without one, the answer `wanted`."""
        key = code, wanted, at
        reaching = self._good.get(key)
        if reaching is not None:
            return reaching
        row = self.code(code)
        ends = {at} if at >= 0 else {pc for pc in range(len(row.declared)) if self._answers(code, pc, wanted)}
        stops = {pc for pc in range(len(row.declared)) if at < 0 and self.answer(code, pc) is not None} - ends
        before: dict[int, list[int]] = {}
        for pc, leads in enumerate(row.leads):
            if pc not in ends and pc not in stops:
                for lead in leads:
                    before.setdefault(lead, []).append(pc)
        reaching, left = set(ends), list(ends)
        while left:
            for pc in before.get(left.pop(), ()):
                if pc not in reaching:
                    reaching.add(pc)
                    left.append(pc)
        self._good[key] = reaching
        return reaching

    def answer(self, code: int, pc: int) -> int | None:
        """Return the answer of a code from here if it reads no more of the game (None: it does)."""
        row, at = self.code(code), pc
        value: int | None = None
        register = -1
        if row.declared[at].name == "LIT":
            value, register = _operand(row.declared[at], "value"), _operand(row.declared[at], "out")
            at += 1
        while at < len(row.declared) and row.declared[at].name == "JMP":
            at = _operand(row.declared[at], "target")
        if at >= len(row.declared) or row.declared[at].name != "RETV":
            return None
        answered = _operand(row.declared[at], "value")
        if value is not None and answered == register:
            return value
        if row.declared[pc].name == "RETV":
            plain = self.program.codes[code]
            constant = answered - (plain.n_r - len(plain.constants))
            if 0 <= constant < len(plain.constants) and answered >= plain.params:
                return plain.constants[constant]
        return None

    def _answers(self, code: int, pc: int, wanted: int) -> bool:
        op = self.code(code).declared[pc]
        answered = self.answer(code, pc)
        if answered is not None:
            return bool(answered) == bool(wanted)
        return op.name == "RETV"

    def whenever(self, number: int) -> list[Way]:
        """Return the conditions of the `whenever` listeners that set a field."""
        ways = []
        for row in self.program.listeners:
            if row.event == self.program.changed and row.condition >= 0 and number in self.written(row.body):
                ways.append(Way("truth", row.condition, -1, *self._scope(row.scope, row.owner)))
        return ways

    def looked_at(self, code: int) -> Reads:
        """Return the changeable facts that a code and its callees read."""
        facts = self._looked_at.get(code)
        if facts is None:
            tracks = {row.definition for row in self.program.tracks}
            ops = [op for each in self.reached(code) for op in self.code(each).declared]
            names = {name for op in ops for name in _named(self.program, op)}
            firsts = {_operand(op, "definition") for op in ops if op.name == "FIRST"}
            facts = frozenset(names | {f"track {number}" for number in firsts & tracks})
            self._looked_at[code] = facts
        return facts

    def reached(self, code: int) -> dict[int, int]:
        """Return the codes that a code calls, with the number of calls that lead there."""
        depths = self._reached.get(code)
        if depths is None:
            depths, left = {code: 0}, [code]
            for each in left:
                for op in self.code(each).declared:
                    for callee in _callees(self.program, op):
                        if callee >= 0 and callee not in depths:
                            depths[callee] = depths[each] + 1
                            left.append(callee)
            self._reached[code] = depths
        return depths

    def changed(self, code: int) -> set[tuple[str, int]]:
        """Return the values that the ops of a code change, without those of codes that it calls."""
        written = self._changed.get(code)
        if written is None:
            row = self.code(code)
            written = _writes(row.declared, self.program.codes[code].constants)
            self._changed[code] = written
        return written

    def written(self, code: int) -> set[int]:
        """Return the fields that a code or its callees set."""
        out: set[int] = set()
        for each in self.reached(code):
            out |= {number for sort, number in self.changed(each) if sort == "field"}
        return out


def _operand(op: Op, name: str) -> int:
    """Return an operand of an op, by its name."""
    value: int = getattr(op, name)
    return value


def _leads(op: Op) -> list[int]:
    if op.name in LEAVING:
        return []
    if op.name == "JMP":
        return [_operand(op, "target")]
    labels = [_operand(op, operand.name) for operand in op.operands if operand.kind == "label"]
    return list(dict.fromkeys([op.at + 1, *labels]))


def _callees(program: Program, op: Op) -> Iterator[int]:
    """Yield the codes that an op calls, as far as it names them."""
    for operand in op.operands:
        if operand.kind == "code":
            yield _operand(op, operand.name)
        elif operand.kind == "verb":
            yield program.verbs[_operand(op, operand.name)].code
        elif operand.kind == "field" and operand.fit == "effect":
            number = _operand(op, operand.name)
            yield from (value for row in program.definitions for column, value in row.values if column == number)


LAYING = {"PUT_TOP", "PUT_BOTTOM", "SET_HOLDER", "SHUFFLE", "REMOVE", "DROP_RECORD", "NEW_RECORD"}
STEPPING = {"PLACE", "REMOVE"}


def _writes(ops: Sequence[Op], constants: Sequence[int]) -> set[tuple[str, int]]:
    """Return what ops change: fields, tracks that rise or fall (by the sign), named zones, positions of pieces."""
    out: set[tuple[str, int]] = set()
    names = {op.name for op in ops}
    literals = {*constants, *(_operand(op, "value") for op in ops if op.name == "LIT")}
    for op in ops:
        for operand in op.operands:
            if operand.kind == "field" and operand.fit in ("written", "owned") and op.name not in ("OWNED", "OWNERS"):
                out.add(("field", _operand(op, operand.name)))
            elif operand.kind == "zone" and names & LAYING:
                out.add(("zone", _operand(op, operand.name)))
    if names & {"ADD_COUNTER", "CLEAR_COUNTER"}:
        out |= {("field", number) for number in literals}
    out |= {("track", 1)} if "TRACK_ADD" in names else set()
    out |= {("track", -1)} if "TRACK_SUB" in names else set()
    out |= {("place", 0)} if names & STEPPING else set()
    return out


# ── measuring ──────────────────────────────────────────────────────────────────────────────────


def _way(goals: Goals, game: Game, way: Way) -> Aims | None:
    stack_depth = len(game.world.stack)
    aims: Aims = {}
    try:
        game.refuel()
        if way.sort == "track":
            return _track(game, way)
        if way.sort == "action":
            return {f"action:{way.code}": Aim(1, 0, frozenset({f"action {way.code}"}))}
        if way.first < 0:
            _Run(goals, game, way.code, [], [], aims).go(1, way.at)
            return aims
        present = [thing for thing in range(way.first, way.last) if game.in_play(thing)]
        for thing in present:
            _Run(goals, game, way.code, list(game.selves(thing)), [], aims).go(1, way.at)
        return aims if present else None
    except (VMFault, IndexError, KeyError):
        del game.world.stack[stack_depth:]
        game.world.fault, game.world.outcome = None, OPEN
        return None


def _track(game: Game, way: Way) -> Aims | None:
    thing = game.layout.first[way.code]
    if not game.in_play(thing):
        return None
    value = game.world.mem[game.layout.value + thing]
    return {f"track:{way.code}": Aim(max(0, way.at - value), 1, frozenset({f"track {way.code}"}))}


@dataclass(slots=True)
class _Writer:
    """The op that has set a register. ``call``: a code that was called; ``cmp``: a comparison of two numbers;
    ``not``."""

    sort: str
    code: int = -1
    r: list[int] = field(default_factory=list)
    s: list[tuple[int, ...]] = field(default_factory=list)
    relation: str = ""
    a: int = 0
    b: int = 0
    rising: int = 1
    of: list[_Writer | None] = field(default_factory=list)


class _Run:
    """A run of a code toward a place or an answer. It records its aims in `aims`."""

    def __init__(
        self,
        goals: Goals,
        game: Game,
        code: int,
        r: list[int],
        s: Sequence[tuple[int, ...]],
        aims: Aims,
        depth: int = 0,
        reads: Reads = NOTHING,
    ) -> None:
        self.goals, self.game, self.code, self.aims, self.depth = goals, game, code, aims, depth
        plain = goals.program.codes[code]
        self.row = goals.code(code)
        blank = plain.n_r - len(plain.constants)
        self.frame = Frame(code, numbers([0] * blank + list(plain.constants)), [()] * plain.n_s, -1)
        for at, value in enumerate(r[: plain.n_r]):
            self.frame.r[at] = value
        for at, values in enumerate(s[: plain.n_s]):
            self.frame.s[at] = values
        given = len(r) if r else 0
        self.unknown = {("r", at) for at in range(given, min(plain.params, blank))}
        self.reads: dict[tuple[str, int], Reads] = {("r", at): reads for at in range(given)} if reads else {}
        self.writers: dict[int, _Writer] = {}
        self.around: Reads = NOTHING
        self.soft: dict[int, int] = {}

    def go(self, wanted: int, at: int = -1) -> bool:
        """Run to a place, or to an answer. Return whether it was reached."""
        good = self.goals.good(self.code, wanted, at)
        pc = 0
        for _ in range(MOST_STEPS):
            op = self.row.declared[pc]
            if at >= 0 and pc == at:
                return True
            if at < 0 and (answered := self.goals.answer(self.code, pc)) is not None:
                return bool(answered) == bool(wanted)
            if op.name == "RETV" and at < 0:
                self._flag(_operand(op, "value"), pc, bool(wanted))
                return True
            if op.name in LEAVING:
                return False
            if op.name == "JMP":
                pc = _operand(op, "target")
            elif op.name in JUMPS:
                pc = self._jump(op, pc, good)
            elif op.name == "ITER":
                pc = self._iterate(op, pc, good)
            else:
                self._do(op, pc)
                pc += 1
            if pc < 0:
                return False
        return False

    # ── jumps ──────────────────────────────────────────────────────────────────────────────────

    def _jump(self, op: Op, pc: int, good: set[int]) -> int:
        target, then = _operand(op, "target"), pc + 1
        used = [("r", _operand(op, operand.name)) for operand in op.operands if operand.kind == "r"]
        if any(register in self.unknown for register in used):
            return then if then in good else target
        jumps = self._holds(op)
        chosen, other = (target, then) if jumps else (then, target)
        wanted = jumps if chosen in good else not jumps
        if (chosen in good) == (other in good):
            if chosen not in good:
                return -1
            self.around |= self._read_by(used)
            if op.name not in ("JT", "JF"):
                gap, _ = _gap(*self._compared(op), want=not jumps)
                self.soft[pc] = min(gap, self.soft.get(pc, gap))
            return chosen
        if op.name in ("JT", "JF"):
            self._flag(_operand(op, "a"), pc, wanted == (op.name == "JT"))
        else:
            gap, rises = _gap(*self._compared(op), want=wanted)
            self._note(pc, gap, rises, self._read_by(used))
        return chosen if chosen in good else other

    def _holds(self, op: Op) -> bool:
        if op.name in ("JT", "JF"):
            return bool(self.frame.r[_operand(op, "a")]) == (op.name == "JT")
        return _gap(*self._compared(op), want=True)[0] == 0

    def _compared(self, op: Op) -> tuple[str, int, int, int]:
        """Return the relation, both numbers, and whether the first (1) or the second one (-1) may change."""
        a, b = _operand(op, "a"), _operand(op, "b")
        if op.name in LITERAL:
            return LITERAL[op.name], self.frame.r[a], b, 1
        return NUMERIC[op.name], self.frame.r[a], self.frame.r[b], self._which(a, b)

    def _which(self, a: int, b: int) -> int:
        return 1 if self.reads.get(("r", a)) or not self.reads.get(("r", b)) else -1

    def _iterate(self, op: Op, pc: int, good: set[int]) -> int:
        items, index = self.frame.s[_operand(op, "items")], self.frame.r[_operand(op, "index")] + 1
        key = "s", _operand(op, "items")
        if key in self.unknown:
            end = _operand(op, "end")
            return end if end in good else -1
        self.frame.r[_operand(op, "index")] = index
        self.around |= self.reads.get(key, NOTHING)
        if 0 <= index < len(items):
            out = _operand(op, "out")
            self.frame.r[out] = items[index]
            self._set(("r", out), self.reads.get(key, NOTHING))
            return pc + 1
        end = _operand(op, "end")
        self._gathered(pc, end)
        if end in good:
            return int(end)
        self._note(pc, 1 + sum(self.soft.values()), 0, self.around)
        return -1

    def _gathered(self, pc: int, end: int) -> None:
        """Let what a loop counts or collects depend on its jumps, even if no element was counted."""
        for op in self.row.declared[pc + 1 : end]:
            if op.name in GATHERING:
                for operand in op.operands:
                    register = operand.kind, _operand(op, operand.name)
                    if operand.writes and operand.kind in ("r", "s") and register not in self.unknown:
                        self.reads[register] = self.reads.get(register, NOTHING) | self.around

    # ── aims ───────────────────────────────────────────────────────────────────────────────────

    def _flag(self, register: int, pc: int, wanted: bool) -> None:
        """Record how far a flag is from its wanted value."""
        if ("r", register) in self.unknown:
            return
        reads = self.reads.get(("r", register), NOTHING)
        self._resolve(self.writers.get(register), self.frame.r[register], pc, wanted, reads)

    def _resolve(self, by: _Writer | None, value: int, pc: int, wanted: bool, reads: Reads) -> None:
        if by is not None and by.sort == "call" and self.depth < DEEPEST:
            before = len(self.aims)
            run = _Run(self.goals, self.game, by.code, by.r, by.s, self.aims, self.depth + 1)
            came = run.go(int(wanted))
            if len(self.aims) == before and not came:
                self._note(pc, int(bool(value) != wanted), 0, reads)
        elif by is not None and by.sort == "cmp":
            gap, rises = _gap(by.relation, by.a, by.b, by.rising, want=wanted)
            self._note(pc, gap, rises, reads)
        elif by is not None and by.sort == "not":
            self._resolve(by.of[0], int(not value), pc, not wanted, reads)
        else:
            self._note(pc, int(bool(value) != wanted), 0, reads)

    def _note(self, pc: int, distance: int, rises: int, reads: Reads) -> None:
        key = f"{self.code}:{pc}"
        aim = self.aims.get(key)
        if aim is None:
            self.aims[key] = Aim(distance, rises if distance else 0, reads)
        else:
            aim.distance += distance
            aim.rises = aim.rises or (rises if distance else 0)
            aim.reads |= reads

    # ── other ops ──────────────────────────────────────────────────────────────────────────────

    def _do(self, op: Op, pc: int) -> None:
        given = [(x.kind, _operand(op, x.name)) for x in op.operands if x.kind in ("r", "s") and x.reads]
        out = [(x.kind, _operand(op, x.name)) for x in op.operands if x.kind in ("r", "s") and x.writes]
        args = self._arguments(op)
        if (
            not op.pure
            or any(register in self.unknown for register in (*given, *args))
            or (op.name == "CALL" and not out)
        ):
            self.unknown.update(out)
            return
        reads = self._read_by([*given, *args]) | self._own(op)
        if op.name in GATHERING:
            reads |= self.around
        by: _Writer | None = None
        if op.name in CALLING:
            by, reads = self._call(op, reads)
            if by is None and op.name != "EVAL":
                self.unknown.update(out)
                return
        else:
            self.row.ops[pc].run(self.game, self.frame)
            if op.name in COMPARING:
                a, literal = _operand(op, "a"), op.name == "EQI"
                b = _operand(op, "b")
                right = b if literal else self.frame.r[b]
                rising = 1 if literal else self._which(a, b)
                by = _Writer("cmp", relation=COMPARING[op.name], a=self.frame.r[a], b=right, rising=rising)
                if out and out[0] == ("r", a):
                    by = None
            elif op.name == "NOT":
                by = _Writer("not", of=[self.writers.get(_operand(op, "a"))])
            elif op.name == "MOV":
                by = self.writers.get(next((number for kind, number in given if kind == "r"), -1))
        for register in out:
            self._set(register, reads)
            if register[0] == "r" and by is not None:
                self.writers[register[1]] = by

    def _arguments(self, op: Op) -> list[tuple[str, int]]:
        rows = [_operand(op, operand.name) for operand in op.operands if operand.kind == "args"]
        return [("s" if bank else "r", register) for row in rows for bank, register in self.goals.program.args[row]]

    def _call(self, op: Op, reads: Reads) -> tuple[_Writer | None, Reads]:
        """Run a called code as a whole; the facts that it reads count."""
        game, r, s = self.game, self.frame.r, self.frame.s
        lists: list[tuple[int, ...]] = []
        if op.name == "EVAL":
            thing = r[_operand(op, "thing")]
            column = _operand(op, "field")
            code = game.image.code_field(column, thing)
            if code < 0:
                r[_operand(op, "out")] = self.goals.program.fields[column].empty
                return None, reads
            given = list(game.selves(thing))
        else:
            code, given = _operand(op, "code"), []
            for kind, register in self._arguments(op):
                given.append(r[register] if kind == "r" else 0)
                lists.append(s[register] if kind == "s" else ())
        value = call(game, code, list(given), list(lists))
        reads |= self.goals.looked_at(code)
        if op.name == "CALLS":
            s[_operand(op, "out")] = game.list_result
        elif op.name != "CALL":
            r[_operand(op, "out")] = value
        return _Writer("call", code, list(given), list(lists)), reads

    def _own(self, op: Op) -> Reads:
        """Return the facts that an op itself reads in the position."""
        game, program = self.game, self.goals.program
        things = [self.frame.r[_operand(op, x.name)] for x in op.operands if x.kind == "r" and x.reads]
        thing = things[0] if things else -1
        if op.name in ("STAT", "FIELD") and 0 <= thing < game.layout.things and game.image.is_track[thing]:
            return frozenset({f"track {game.layout.definition_of[thing]}"})
        facts = {name for name in _named(program, op) if not name.startswith("place")}
        if things and (type(op).__module__ in BOARD_READING or _reads_place(program, op)):
            number = game.layout.definition_of[thing] if 0 <= thing < game.layout.body else -1
            if number >= 0:
                facts.add(f"place {program.definitions[number].kind}")
        return frozenset(facts)

    def _read_by(self, used: Sequence[tuple[str, int]]) -> Reads:
        facts: Reads = NOTHING
        for register in used:
            facts |= self.reads.get(register, NOTHING)
        return facts

    def _set(self, register: tuple[str, int], reads: Reads) -> None:
        self.unknown.discard(register)
        self.reads[register] = reads
        if register[0] == "r":
            self.writers.pop(register[1], None)


def _reads_place(program: Program, op: Op) -> bool:
    """Return whether an op reads the space on which a thing is."""
    if op.name not in ("STAT", "FIELD"):
        return False
    row = program.fields[_operand(op, "field")]
    return row.sort == "builtin" and row.name == "place"


def _named(program: Program, op: Op) -> Iterator[str]:
    """Yield the changeable facts that an op reads, by its operands."""
    for operand in op.operands:
        number = _operand(op, operand.name)
        if operand.kind == "field" and operand.fit in ("read", "owned", "written"):
            row = program.fields[number]
            if row.sort in ("stat", "status", "token"):
                yield f"field {number}"
        elif operand.kind == "zone":
            yield f"zone {number}"
        elif operand.kind == "kind" and op.name == "SELECT":
            yield f"kind {number}"


def _gap(relation: str, a: int, b: int, which: int, want: bool) -> tuple[int, int]:
    """Return how far two numbers are from a relation being as wanted, and whether the changeable one must rise."""
    if relation in OPPOSITE:
        return _gap(OPPOSITE[relation], a, b, which, not want)
    if relation == "eq":
        gap = abs(a - b) if want else int(a == b)
        return gap, which if a < b else -which if a > b else 0
    if relation == "le":
        b += 1
    gap = max(0, a - b + 1) if want else max(0, b - a)
    return gap, -which if want else which


# ── along a game ───────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class AimCourse:
    """The course of an aim in a game: its distance at the first question and its least distance since. `by`: how often
    each action brought it nearer."""

    start: int
    best: int
    rises: int
    reads: set[str]
    by: dict[str, int] = field(default_factory=dict)


class Tracker:
    """Follows the aims of one game. `courses`: the aims of each way to win that is open at the first question."""

    def __init__(self, goals: Goals, game: Game) -> None:
        self._goals = goals
        self._game = game
        self._ways: list[Way] = []
        self._latest: list[dict[str, int]] = []
        self.courses: list[dict[str, AimCourse]] = []

    def begin(self) -> None:
        """Start measuring: the game begins here."""
        self._ways, self._latest, self.courses = [], [], []
        for way in self._goals.ways:
            self._add(way)
        wanted = [number for courses in self.courses for course in courses.values() for number in _fields(course.reads)]
        for number in dict.fromkeys(wanted):
            for way in self._goals.whenever(number):
                if way not in self._ways:
                    self._add(way)

    def look(self, action: str = "", at: Game | None = None) -> None:
        """Measure the aims. `action`: the action since the last call; `at`: a copy of the game, if it is over."""
        for number, way in enumerate(self._ways):
            courses = self.courses[number]
            if all(course.best == 0 for course in courses.values()):
                continue
            aims = _way(self._goals, at or self._game, way)
            for key, course in courses.items():
                aim = aims.get(key) if aims is not None else None
                if aim is None:
                    continue
                before = self._latest[number].get(key, course.start)
                if action and aim.distance < before:
                    course.by[action] = course.by.get(action, 0) + 1
                course.best = min(course.best, aim.distance)
                course.rises = course.rises or aim.rises
                course.reads |= aim.reads
                self._latest[number][key] = aim.distance

    def won(self, action: str = "") -> None:
        """Record a win: the aims of the nearest way are fulfilled. `action`: the action that led to it."""
        last = self._game.clone()
        last.world.outcome = OPEN
        self.look(action, last)
        nearest = min(self.courses, key=lambda way: sum(course.best for course in way.values()), default=None)
        for course in (nearest or {}).values():
            course.best = 0

    def took(self, action: int, name: str) -> None:
        """Record an action, which may itself be a way to win."""
        for courses in self.courses:
            course = courses.get(f"action:{action}")
            if course is not None:
                course.best = 0
                course.by[name] = course.by.get(name, 0) + 1

    def _add(self, way: Way) -> None:
        aims = _way(self._goals, self._game, way)
        open_ = {key: aim for key, aim in (aims or {}).items() if aim.distance > 0}
        if open_ and all(aim.reads for aim in open_.values()):
            self._ways.append(way)
            self._latest.append({})
            self.courses.append(
                {key: AimCourse(aim.distance, aim.distance, aim.rises, set(aim.reads)) for key, aim in open_.items()}
            )


def _fields(reads: set[str]) -> list[int]:
    return [int(read.partition(" ")[2]) for read in sorted(reads) if read.startswith("field ")]


# ── which actions move what ────────────────────────────────────────────────────────────────────


def movers(goals: Goals, reads: Sequence[str], rises: int) -> list[str]:
    """Return the names of actions that change what an aim reads, the most direct ones first."""
    ranked: list[tuple[int, str]] = []
    for action in goals.program.actions:
        steps = [
            depth
            for code, depth in goals.reached(action.body).items()
            if _changes(goals, action.body, code, reads, rises)
        ]
        if f"action {goals.program.actions.index(action)}" in reads:
            steps.append(0)
        if steps:
            ranked.append((min(steps), action.name))
    return [name for _, name in sorted(ranked)]


def _changes(goals: Goals, body: int, code: int, reads: Sequence[str], rises: int) -> bool:
    changed = goals.changed(code)
    for read in reads:
        sort, _, number = read.partition(" ")
        if sort == "track":
            turns = {("track", rises)} if rises else {("track", 1), ("track", -1)}
            if turns & changed and _names(goals, body, int(number)):
                return True
        elif (sort, 0 if sort == "place" else int(number)) in changed:
            return True
    return False


def _names(goals: Goals, body: int, definition: int) -> bool:
    """Return whether a code or one of its callees names a definition."""
    return any(
        operand.kind == "def" and _operand(op, operand.name) == definition
        for code in goals.reached(body)
        for op in goals.code(code).declared
        for operand in op.operands
    )


def team_number(program: Program, side: str) -> int:
    """Return the definition of a team by its id; -1 if there is none."""
    return next((number for number, row in enumerate(program.definitions) if row.id == side), -1) if side else -1


def as_data(courses: Sequence[Mapping[str, AimCourse]]) -> list[dict[str, list[object]]]:
    """Return courses as plain data: for each aim its start, best, direction, reads and the actions that moved it."""
    return [
        {
            key: [course.start, course.best, course.rises, sorted(course.reads), dict(sorted(course.by.items()))]
            for key, course in way.items()
        }
        for way in courses
    ]


@lru_cache(maxsize=8)
def game_goals(image: Image, side: str) -> Goals:
    """Return the ways to win the games of an image for a team (its id; empty: everybody); memoized."""
    return Goals(image, team_number(image.program, side))
