"""Finds the ways to win in the codes of a program, and the facts that they depend on. No hint of an author is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.linker import declared_ops, link_unfused
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import WIN
from fcbdsl.play.campaign.altered import codes_of_campaigns

DEEPEST = 5
"""Most levels of nested conditions, and of callers of a win."""
LEAVING = {"RET", "RETV", "RETS", "STOP", "END", "END_AS"}
"""Ops that end their code."""
WINS = {"END", "END_AS"}
"""Ops that may win a game for one side, or for all."""
ZONE_CHANGING = {"PUT_TOP", "PUT_BOTTOM", "SET_HOLDER", "SHUFFLE", "REMOVE", "DROP_RECORD", "NEW_RECORD"}
"""Ops that change the contents of zones."""
PLACE_CHANGING = {"PLACE", "REMOVE"}
"""Ops that change the space of a thing."""
Reads = frozenset[str]
"""The facts on which a value depends: ``field N``, ``track N`` (a definition), ``zone N``, ``kind N``, ``place N`` (of
a kind)."""
NOTHING: Reads = frozenset()


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


@lru_cache(maxsize=8)
def game_goals(image: Image, side: str) -> Goals:
    """Return the ways to win the games of an image for a team (its id; empty: everybody); memoized."""
    return Goals(image, team_number(image.program, side))


def team_number(program: Program, side: str) -> int:
    """Return the definition of a team by its id; -1 if there is none."""
    return next((number for number, row in enumerate(program.definitions) if row.id == side), -1) if side else -1


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
        apart = codes_of_campaigns(self.program)
        for number in range(len(self.program.codes)):
            ops = self.code(number).declared if number not in apart else []
            for at, op in enumerate(ops):
                if op.name in WINS and operand_value(op, "outcome") == WIN and self._is_own(ops, at):
                    yield from self._to(number, at, 0, set())

    def _is_own(self, ops: Sequence[Op], at: int) -> bool:
        """Return whether a win is one of the side."""
        register = operand_value(ops[at], "side")
        for op in reversed(ops[:at]):
            if op.name == "FIRST" and operand_value(op, "out") == register:
                return self.side < 0 or operand_value(op, "definition") == self.side
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
            value, register = operand_value(row.declared[at], "value"), operand_value(row.declared[at], "out")
            at += 1
        while at < len(row.declared) and row.declared[at].name == "JMP":
            at = operand_value(row.declared[at], "target")
        if at >= len(row.declared) or row.declared[at].name != "RETV":
            return None
        answered = operand_value(row.declared[at], "value")
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
            names = {name for op in ops for name in facts_read(self.program, op)}
            firsts = {operand_value(op, "definition") for op in ops if op.name == "FIRST"}
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


def _leads(op: Op) -> list[int]:
    if op.name in LEAVING:
        return []
    if op.name == "JMP":
        return [operand_value(op, "target")]
    labels = [operand_value(op, operand.name) for operand in op.operands if operand.kind == "label"]
    return list(dict.fromkeys([op.at + 1, *labels]))


def _callees(program: Program, op: Op) -> Iterator[int]:
    """Yield the codes that an op calls, as far as it names them."""
    for operand in op.operands:
        if operand.kind == "code":
            yield operand_value(op, operand.name)
        elif operand.kind == "verb":
            yield program.verbs[operand_value(op, operand.name)].code
        elif operand.kind == "field" and operand.fit == "effect":
            number = operand_value(op, operand.name)
            yield from (value for row in program.definitions for column, value in row.values if column == number)


def _writes(ops: Sequence[Op], constants: Sequence[int]) -> set[tuple[str, int]]:
    """Return what ops change: fields, tracks that rise or fall (by the sign), named zones, positions of pieces."""
    out: set[tuple[str, int]] = set()
    names = {op.name for op in ops}
    literals = {*constants, *(operand_value(op, "value") for op in ops if op.name == "LIT")}
    for op in ops:
        for operand in op.operands:
            if operand.kind == "field" and operand.fit in ("written", "owned") and op.name not in ("OWNED", "OWNERS"):
                out.add(("field", operand_value(op, operand.name)))
            elif operand.kind == "zone" and names & ZONE_CHANGING:
                out.add(("zone", operand_value(op, operand.name)))
    if names & {"ADD_COUNTER", "CLEAR_COUNTER"}:
        out |= {("field", number) for number in literals}
    out |= {("track", 1)} if "TRACK_ADD" in names else set()
    out |= {("track", -1)} if "TRACK_SUB" in names else set()
    out |= {("place", 0)} if names & PLACE_CHANGING else set()
    return out


def facts_read(program: Program, op: Op) -> Iterator[str]:
    """Yield the changeable facts that an op reads, by its operands."""
    for operand in op.operands:
        number = operand_value(op, operand.name)
        if operand.kind == "field" and operand.fit in ("read", "owned", "written"):
            row = program.fields[number]
            if row.sort in ("stat", "status", "token"):
                yield f"field {number}"
        elif operand.kind == "zone":
            yield f"zone {number}"
        elif operand.kind == "kind" and op.name == "SELECT":
            yield f"kind {number}"


def operand_value(op: Op, name: str) -> int:
    """Return an operand of an op, by its name."""
    value: int = getattr(op, name)
    return value
