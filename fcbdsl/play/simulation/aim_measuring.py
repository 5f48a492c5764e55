"""Measures how far a game is from a win. An *aim* is a part of the condition of a win.

It is a comparison or a flag on the path to an `END` that wins: for the source `if sluice's value >= 3: win`, the aim is
that comparison.

The codes of conditions are run op by op in the present position. Where a jump would leave the path to the win, the run
records its distance and continues as if the jump had gone the right way (branch distance, as in search-based testing).
So one run measures all aims of a condition, and each distance is 0 when its part of the condition holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.frames import call
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops import board_queries, walking
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import OPEN, Frame, VMFault
from fcbdsl.play.simulation.win_conditions import (
    DEEPEST,
    LEAVING,
    NOTHING,
    Goals,
    Reads,
    Way,
    facts_read,
    operand_value,
)

MOST_STEPS = 20_000
"""Ops that are run to measure the aims of one way to win."""
NUMERIC = {"JEQ": "eq", "JNE": "ne", "JLT": "lt", "JLE": "le"}
LITERAL = {"JEQI": "eq", "JNEI": "ne", "JLTI": "lt", "JLEI": "le", "JGTI": "gt", "JGEI": "ge"}
COMPARING = {"EQ": "eq", "EQI": "eq", "NE": "ne", "LT": "lt", "LE": "le"}
JUMPS = {"JT", "JF", *NUMERIC, *LITERAL}
CALLING = {"CALLR", "EVAL", "CALLS", "CALL"}
GATHERING = {"ADD", "ADDI", "SUB", "LADD", "LIT"}
"""Ops with which loops count and collect: their result depends on the jumps of the loop."""
OPPOSITE = {"ne": "eq", "gt": "le", "ge": "lt"}
BOARD_READING = (board_queries.__name__, walking.__name__)
"""The modules of the ops that read positions."""


@dataclass(slots=True)
class Aim:
    """A part of the condition of a win. `distance`: how far it is from true; `rises`: whether its value must rise (1),
    fall (-1), or is no number (0)."""

    distance: int
    rises: int
    reads: Reads


Aims = dict[str, Aim]
"""Aims by the place of their comparison in a program: ``CODE:OP``."""


def measure_way(goals: Goals, game: Game, way: Way) -> Aims | None:
    """Return the aims of a way to win in the present position; None if it is no way now, or can't be measured."""
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
                self._flag(operand_value(op, "value"), pc, bool(wanted))
                return True
            if op.name in LEAVING:
                return False
            if op.name == "JMP":
                pc = operand_value(op, "target")
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
        target, then = operand_value(op, "target"), pc + 1
        used = [("r", operand_value(op, operand.name)) for operand in op.operands if operand.kind == "r"]
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
            self._flag(operand_value(op, "a"), pc, wanted == (op.name == "JT"))
        else:
            gap, rises = _gap(*self._compared(op), want=wanted)
            self._note(pc, gap, rises, self._read_by(used))
        return chosen if chosen in good else other

    def _holds(self, op: Op) -> bool:
        if op.name in ("JT", "JF"):
            return bool(self.frame.r[operand_value(op, "a")]) == (op.name == "JT")
        return _gap(*self._compared(op), want=True)[0] == 0

    def _compared(self, op: Op) -> tuple[str, int, int, int]:
        """Return the relation, both numbers, and whether the first (1) or the second one (-1) may change."""
        a, b = operand_value(op, "a"), operand_value(op, "b")
        if op.name in LITERAL:
            return LITERAL[op.name], self.frame.r[a], b, 1
        return NUMERIC[op.name], self.frame.r[a], self.frame.r[b], self._which(a, b)

    def _which(self, a: int, b: int) -> int:
        return 1 if self.reads.get(("r", a)) or not self.reads.get(("r", b)) else -1

    def _iterate(self, op: Op, pc: int, good: set[int]) -> int:
        items, index = self.frame.s[operand_value(op, "items")], self.frame.r[operand_value(op, "index")] + 1
        key = "s", operand_value(op, "items")
        if key in self.unknown:
            end = operand_value(op, "end")
            return end if end in good else -1
        self.frame.r[operand_value(op, "index")] = index
        self.around |= self.reads.get(key, NOTHING)
        if 0 <= index < len(items):
            out = operand_value(op, "out")
            self.frame.r[out] = items[index]
            self._set(("r", out), self.reads.get(key, NOTHING))
            return pc + 1
        end = operand_value(op, "end")
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
                    register = operand.kind, operand_value(op, operand.name)
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
        given = [(x.kind, operand_value(op, x.name)) for x in op.operands if x.kind in ("r", "s") and x.reads]
        if op.name == "ZONE" and self.goals.program.zones[operand_value(op, "zone")].kind < 0:
            given = []  # the game has one such zone: no thing owns it
        out = [(x.kind, operand_value(op, x.name)) for x in op.operands if x.kind in ("r", "s") and x.writes]
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
                a, literal = operand_value(op, "a"), op.name == "EQI"
                b = operand_value(op, "b")
                right = b if literal else self.frame.r[b]
                rising = 1 if literal else self._which(a, b)
                by = _Writer("cmp", relation=COMPARING[op.name], a=self.frame.r[a], b=right, rising=rising)
                if out and out[0] == ("r", a):
                    by = None
            elif op.name == "NOT":
                by = _Writer("not", of=[self.writers.get(operand_value(op, "a"))])
            elif op.name == "MOV":
                by = self.writers.get(next((number for kind, number in given if kind == "r"), -1))
        for register in out:
            self._set(register, reads)
            if register[0] == "r" and by is not None:
                self.writers[register[1]] = by

    def _arguments(self, op: Op) -> list[tuple[str, int]]:
        rows = [operand_value(op, operand.name) for operand in op.operands if operand.kind == "args"]
        return [("s" if bank else "r", register) for row in rows for bank, register in self.goals.program.args[row]]

    def _call(self, op: Op, reads: Reads) -> tuple[_Writer | None, Reads]:
        """Run a called code as a whole; the facts that it reads count."""
        game, r, s = self.game, self.frame.r, self.frame.s
        lists: list[tuple[int, ...]] = []
        if op.name == "EVAL":
            thing = r[operand_value(op, "thing")]
            column = operand_value(op, "field")
            code = game.image.code_field(column, thing)
            if code < 0:
                r[operand_value(op, "out")] = self.goals.program.fields[column].empty
                return None, reads
            given = list(game.selves(thing))
        else:
            code, given = operand_value(op, "code"), []
            for kind, register in self._arguments(op):
                given.append(r[register] if kind == "r" else 0)
                lists.append(s[register] if kind == "s" else ())
        value = call(game, code, list(given), list(lists))
        reads |= self.goals.looked_at(code)
        if op.name == "CALLS":
            s[operand_value(op, "out")] = game.list_result
        elif op.name != "CALL":
            r[operand_value(op, "out")] = value
        return _Writer("call", code, list(given), list(lists)), reads

    def _own(self, op: Op) -> Reads:
        """Return the facts that an op itself reads in the position."""
        game, program = self.game, self.goals.program
        things = [self.frame.r[operand_value(op, x.name)] for x in op.operands if x.kind == "r" and x.reads]
        thing = things[0] if things else -1
        if op.name in ("STAT", "FIELD") and 0 <= thing < game.layout.things and game.image.is_track[thing]:
            return frozenset({f"track {game.layout.definition_of[thing]}"})
        facts = {name for name in facts_read(program, op) if not name.startswith("place")}
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
    row = program.fields[operand_value(op, "field")]
    return row.sort == "builtin" and row.name == "place"


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
