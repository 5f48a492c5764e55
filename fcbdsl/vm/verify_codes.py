"""Checking codes: operands, jumps, registers, calls, purity, and that each is used as what it is."""

from __future__ import annotations

from collections.abc import Container, Iterator

from fcbdsl.records import dataclass
from fcbdsl.vm import verify_columns
from fcbdsl.vm.op import TABLES, TAKING, Op
from fcbdsl.vm.ops import OPS
from fcbdsl.vm.program import Code, Field, Program
from fcbdsl.vm.world import FAULT, OPEN, TAGS

MOST_REGISTERS = 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a program, and where."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class CodeUse:
    """How a code is used: its number of parameters, which are lists, and whether it must be pure.

    `captured`: that many first parameters are in both banks, so that the code may take them as either."""

    place: str
    code: int
    params: int
    lists: tuple[int, ...] = ()
    pure: bool = False
    captured: int = 0


Row = tuple[type[Op], tuple[int, ...]]
"""An op with its operands."""


def verify(program: Program, known: Container[int] = ()) -> Iterator[Finding]:
    """Yield everything wrong with the codes of a program whose tables are sound. `known`: codes that are sound by
    themselves, called as they were before."""
    decoded: list[list[Row]] = []
    findings: list[Finding] = []
    for number in range(len(program.codes)):
        rows, wrong = decode(program, number)
        decoded.append(rows)
        findings += wrong or (() if number in known else _operands(program, number, rows))
    yield from findings
    if findings:
        return
    used = [use for use in uses(program) if use.code >= 0]
    captured = [0] * len(program.codes)
    for use in used:
        captured[use.code] = max(captured[use.code], use.captured)
        yield from _used(program, use)
    for number, code in enumerate(program.codes):
        if number not in known or captured[number]:
            yield from _registers(number, code, decoded[number], captured[number])
    impure = _impure(program, decoded)
    for use in used:
        if use.pure and use.code in impure:
            yield Finding(use.place, f"the code `{program.codes[use.code].name}` must not change or ask anything")


def place_of(program: Program, code: int, pc: int = -1) -> str:
    """How findings name a place in a code."""
    name = f"codes[{code}] `{program.codes[code].name}`"
    return name if pc < 0 else f"{name} at {pc}"


def decode(program: Program, number: int) -> tuple[list[Row], list[Finding]]:
    """Split a code into ops and operands."""
    code = program.codes[number]
    rows: list[Row] = []
    at = 0
    while at < len(code.ints):
        op = code.ints[at]
        if not 0 <= op < len(program.ops):
            return rows, [Finding(place_of(program, number, len(rows)), f"there is no op number {op}")]
        cls = OPS[program.ops[op]]
        operands = code.ints[at + 1 : at + 1 + len(cls.operands)]
        if len(operands) < len(cls.operands):
            return rows, [Finding(place_of(program, number, len(rows)), f"{cls.name} lacks operands")]
        rows.append((cls, operands))
        at += 1 + len(operands)
    if not rows or not rows[-1][0].ends:
        return rows, [Finding(place_of(program, number), "it runs on past its end")]
    return rows, []


# ── operands ───────────────────────────────────────────────────────────────────────────────────


def _operands(program: Program, number: int, rows: list[Row]) -> Iterator[Finding]:
    code = program.codes[number]
    free = code.n_r - len(code.constants)
    if not (0 <= code.params <= free and code.n_r <= MOST_REGISTERS and 0 <= code.n_s <= MOST_REGISTERS):
        yield Finding(place_of(program, number), "it has too many registers, or more parameters than registers")
        return
    if not all(0 <= register < min(code.params, code.n_s) for register in code.lists):
        yield Finding(place_of(program, number), "a list parameter has no register")
    for pc, (cls, values) in enumerate(rows):
        for operand, value in zip(cls.operands, values, strict=True):
            reason = _operand(program, code, len(rows), operand.kind, value)
            if operand.kind == "label" and not reason and value <= pc and not _charged(rows, pc, value):
                reason = "only JMP may go backward, or others to an ITER"
            if operand.kind == "r" and operand.writes and value >= free:
                reason = reason or "that register holds a constant"
            if reason:
                yield Finding(place_of(program, number, pc), f"{cls.name} {operand.name} = {value}: {reason}")
                return
        yield from _fitting(program, number, pc, cls, values)


def _charged(rows: list[Row], pc: int, target: int) -> bool:
    """Whether a jump backward uses up fuel: no loop goes on for ever."""
    return rows[pc][0].charges_back or rows[pc][0].charges or rows[target][0].charges


def _operand(program: Program, code: Code, length: int, kind: str, value: int) -> str:
    """What is wrong with the value of an operand; empty if nothing."""
    if kind == "r":
        return "" if 0 <= value < code.n_r else "there is no such register"
    if kind == "s":
        return "" if 0 <= value < code.n_s else "there is no such list register"
    if kind == "label":
        return "" if 0 <= value < length else "it leads out of the code"
    if kind == "tag":
        return "" if 0 <= value < len(TAGS) else "there is no such tag"
    if kind == "outcome":
        return "" if OPEN < value < FAULT else "there is no such outcome"
    if kind == "i":
        return ""
    if kind == "text" and value == -1:
        return ""
    return "" if 0 <= value < len(getattr(program, TABLES[kind])) else f"there is no such {kind}"


def _fitting(program: Program, number: int, pc: int, cls: type[Op], values: tuple[int, ...]) -> Iterator[Finding]:
    """Arguments must fit what is called, fields what is done with them."""
    for at, (operand, value) in enumerate(zip(cls.operands, values, strict=True)):
        following = cls.operands[at + 1].kind if at + 1 < len(cls.operands) else ""
        reason = ""
        if operand.fit and not _is_fit(program.fields[value], operand.fit):
            reason = f"the field {program.fields[value].name} is not one that can be {operand.fit}"
        elif operand.kind in TAKING:
            params, lists = _taken(program, operand.kind, value)
            if following == "args":
                row = program.args[values[at + 1]]
                reason, operand = _arguments(program.codes[number], row, params, lists), cls.operands[at + 1]
            elif operand.kind != "event":
                reason = _arguments(program.codes[number], ((0, 0), (0, 1)), params, lists)
        if reason:
            yield Finding(place_of(program, number, pc), f"{cls.name} {operand.name}: {reason}")


def _taken(program: Program, kind: str, value: int) -> tuple[int, tuple[int, ...]]:
    """How many arguments something takes, and which of them are lists."""
    if kind == "event":
        lists = program.events[value].lists
        return len(lists) + 2, tuple([index + 2 for index, many in enumerate(lists) if many])
    code = program.codes[_called(program, kind, value)]
    return code.params, code.lists


def _called(program: Program, kind: str, value: int) -> int:
    """The code that an op runs by an operand; -1 if by none."""
    return value if kind == "code" else program.verbs[value].code if kind == "verb" else -1


def _is_fit(row: Field, fit: str) -> bool:
    """Whether a field can be what an op wants it to be."""
    match fit:
        case "read":
            return not row.many
        case "const":
            return (row.sort == "const" and not row.many) or (row.sort == "builtin" and row.name == "bearer")
        case "lists":
            return row.many
        case "written":
            return row.sort in ("stat", "status", "token", "builtin")
        case "owned":
            return row.owned >= 0
    return row.codes == fit


def _arguments(caller: Code, row: tuple[tuple[int, int], ...], params: int, lists: tuple[int, ...]) -> str:
    """What is wrong with a row of arguments for a callee; empty if nothing."""
    if len(row) != params:
        return f"{len(row)} arguments are passed, {params} are taken"
    for index, (bank, register) in enumerate(row):
        if bank not in (0, 1) or not 0 <= register < (caller.n_s if bank else caller.n_r):
            return f"argument {index} has no register"
        if (bank == 1) != (index in lists):
            return f"argument {index} is {'a list' if bank else 'a number'}, the other is taken"
    return ""


# ── registers are written before they are read ─────────────────────────────────────────────────


def _registers(number: int, code: Code, rows: list[Row], captured: int) -> Iterator[Finding]:
    """Follow every path; a register counts as written where all paths have written it. Sets are bit masks."""
    single = (1 << code.n_r) - (1 << code.n_r - len(code.constants)) | (1 << code.params) - 1
    for register in code.lists:
        single &= ~(1 << register)
    listed = sum(1 << register for register in code.lists)
    both = (1 << captured) - 1
    written: list[tuple[int, int] | None] = [None] * len(rows)
    written[0] = (single | both, listed | both)
    todo = [0]
    while todo:
        pc = todo.pop()
        state = written[pc]
        assert state is not None
        for target, after in _successors(rows, pc, state):
            known = written[target]
            merged = after if known is None else (known[0] & after[0], known[1] & after[1])
            if merged != known:
                written[target] = merged
                todo.append(target)
    for pc, state in enumerate(written):
        missing = None if state is None else _missing(rows[pc], state)
        if missing is not None:
            yield Finding(f"codes[{number}] `{code.name}` at {pc}", f"{missing} may be read before it is written")


def _successors(rows: list[Row], pc: int, state: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
    cls, values = rows[pc]
    if not cls.ends:
        yield pc + 1, _after(cls, values, state, ())
    for operand, value in zip(cls.operands, values, strict=True):
        if operand.kind == "label":
            yield value, _after(cls, values, state, cls.unjumped)


def _after(cls: type[Op], values: tuple[int, ...], state: tuple[int, int], skipped: tuple[str, ...]) -> tuple[int, int]:
    r, s = state
    for operand, value in zip(cls.operands, values, strict=True):
        if operand.writes and operand.name not in skipped:
            if operand.kind == "r":
                r |= 1 << value
            else:
                s |= 1 << value
    return r, s


def _missing(row: Row, state: tuple[int, int]) -> str | None:
    """The first register that an op reads though it may be unwritten."""
    cls, values = row
    for operand, value in zip(cls.operands, values, strict=True):
        if operand.reads and operand.kind in ("r", "s") and not state[operand.kind == "s"] >> value & 1:
            return f"{operand.kind}{value}"
    return None


# ── uses and purity ────────────────────────────────────────────────────────────────────────────


def uses(program: Program) -> Iterator[CodeUse]:
    """How the tables use codes (-1 where they use none)."""
    for place, (ref, code) in verify_columns.named_codes(program):
        yield CodeUse(place, code, 2, pure=ref.pure)
    for number, definition in enumerate(program.definitions):
        for field_number, value in definition.values:
            codes = program.fields[field_number].codes
            if codes:
                yield CodeUse(f"definitions[{number}].values", value, 2, pure=codes == "pure")
    for number, verb in enumerate(program.verbs):
        if verb.event >= 0:
            lists = program.events[verb.event].lists
            registers = tuple([index + 2 for index, many in enumerate(lists) if many])
            yield CodeUse(f"verbs[{number}]", verb.code, 2 + len(lists), registers)
    for number, window in enumerate(program.windows):
        lists = program.events[window.event].lists if not window.general else ()
        registers = tuple([index + 2 for index, many in enumerate(lists) if many])
        yield CodeUse(f"windows[{number}].order", window.order, 2 + len(lists), registers, True)
    for number, row in enumerate(program.preferences):
        yield CodeUse(f"preferences[{number}].worth", row.worth, 3, pure=True)
        yield CodeUse(f"preferences[{number}].condition", row.condition, 3, pure=True)
    yield from _listener_uses(program)
    yield from _modifier_uses(program)
    for number, test in enumerate(program.tests):
        for index, step in enumerate(test.steps):
            yield CodeUse(f"tests[{number}].steps[{index}].code", step.code, 2, pure=step.sort not in ("given", "do"))


def _listener_uses(program: Program) -> Iterator[CodeUse]:
    for number, row in enumerate(program.listeners):
        lists = program.events[row.event].lists
        registers = tuple([index + row.first for index, many in enumerate(lists) if many])
        params = row.first + len(lists)
        captured = row.first if row.scope == "lasting" else 0
        place = f"listeners[{number}]"
        yield CodeUse(f"{place}.body", row.body, params, registers, captured=captured)
        yield CodeUse(f"{place}.condition", row.condition, params, registers, True, captured)
        yield CodeUse(f"{place}.guard", row.guard, params, registers, True, captured)


def _modifier_uses(program: Program) -> Iterator[CodeUse]:
    for number, row in enumerate(program.modifiers):
        captured = program.lastings[row.owner].captured if row.scope == "lasting" else 0
        for column in ("amount", "where", "condition"):
            code = getattr(row, column)
            yield CodeUse(f"modifiers[{number}].{column}", code, row.it + 1, pure=True, captured=captured)


def _used(program: Program, use: CodeUse) -> Iterator[Finding]:
    """A code must take what its use gives it."""
    code = program.codes[use.code]
    own = tuple([register for register in code.lists if register >= use.captured])
    given = tuple([register for register in use.lists if register >= use.captured])
    if code.params != use.params or own != given:
        reason = f"the code `{code.name}` takes {code.params} parameters (lists: {own}), not {use.params} ({given})"
        yield Finding(use.place, reason)
    elif use.captured > code.n_s and any(register >= code.n_s for register in given):
        yield Finding(use.place, f"the code `{code.name}` has too few list registers")


def _impure(program: Program, decoded: list[list[Row]]) -> set[int]:
    """Codes that change or ask something, themselves or through what they call."""
    callers: list[list[int]] = [[] for _ in decoded]
    impure: set[int] = set()
    for number, rows in enumerate(decoded):
        for cls, values in rows:
            if not cls.pure:
                impure.add(number)
            for operand, value in zip(cls.operands, values, strict=True):
                called = _called(program, operand.kind, value)
                if called >= 0:
                    callers[called].append(number)
    todo = sorted(impure)
    while todo:
        for caller in callers[todo.pop()]:
            if caller not in impure:
                impure.add(caller)
                todo.append(caller)
    return impure
