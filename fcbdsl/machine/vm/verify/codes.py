"""Verification of codes: operands, jumps, registers, calls, purity, and that each code fits its use."""

from __future__ import annotations

from collections.abc import Container, Iterator

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.op import TABLES, TAKING, Op
from fcbdsl.machine.vm.ops import OPS
from fcbdsl.machine.vm.program import Code, Field, Program
from fcbdsl.machine.vm.serialization import BOUND
from fcbdsl.machine.vm.verify import column_checks, tags
from fcbdsl.machine.vm.verify.tags import Finding, OperandPlaces, Row, operand_places
from fcbdsl.machine.vm.world import FAULT, OPEN, TAGS

MOST_REGISTERS = 1024


@dataclass(frozen=True, slots=True)
class CodeUse:
    """How a code is used: its number of parameters, the parameters that are lists, and whether it must be pure.

    `captured`: this many first parameters are in both banks, so that the code may take them as either.
    """

    place: str
    code: int
    params: int
    lists: tuple[int, ...] = ()
    pure: bool = False
    captured: int = 0


Limits = dict[str, tuple[int, int]]
"""By kind of operand, the lowest value, and the exclusive upper bound."""


def verify_codes(program: Program, verified: Container[int] = ()) -> Iterator[Finding]:
    """Yield everything wrong with the codes of a program whose tables are sound.

    `verified`: codes that are sound by themselves, and called as before.
    """
    # mypy takes the hash of the class for that of its instances
    ops = [operand_places(OPS[name]) for name in program.ops]  # type: ignore[arg-type]
    limits = _limits(program)
    decoded: dict[int, list[Row]] = {}
    calls: list[_Calls] = []
    findings: list[Finding] = []
    for number in range(len(program.codes)):
        own = _calls_of(program, number, ops) if number in verified else None
        if own is None:
            rows, wrong = decode_ops(program, number, ops)
            decoded[number] = rows
            findings += wrong or _operands(program, number, rows, limits)
            own = _calls_in(rows)
        calls.append(own)
    yield from findings
    if findings:
        return
    used = [use for use in code_uses(program) if use.code >= 0]
    captured = [0] * len(program.codes)
    for use in used:
        captured[use.code] = max(captured[use.code], use.captured)
        yield from _used(program, use)
    for number, code in enumerate(program.codes):
        if number not in verified or captured[number]:
            rows = decoded.get(number) or decode_ops(program, number, ops)[0]
            yield from _registers(number, code, rows, captured[number])
            yield from tags.verify_tags(program, code_place(program, number), code, rows)
    impure = _impure(program, calls)
    for use in used:
        if use.pure and use.code in impure:
            yield Finding(use.place, f"the code `{program.codes[use.code].name}` must not change or ask anything")


def code_place(program: Program, code: int, pc: int = -1) -> str:
    """Return the name of a place in a code for findings."""
    name = f"codes[{code}] `{program.codes[code].name}`"
    return name if pc < 0 else f"{name} at {pc}"


def decode_ops(program: Program, number: int, ops: list[OperandPlaces]) -> tuple[list[Row], list[Finding]]:
    """Split a code into ops and operands."""
    ints = program.codes[number].ints
    rows: list[Row] = []
    at = 0
    while at < len(ints):
        op = ints[at]
        if not 0 <= op < len(ops):
            return rows, [Finding(code_place(program, number, len(rows)), f"there is no op number {op}")]
        places = ops[op]
        after = at + 1 + len(places.kinds)
        if after > len(ints):
            return rows, [Finding(code_place(program, number, len(rows)), f"{places.op.name} lacks operands")]
        rows.append((places, ints[at + 1 : after]))
        at = after
    if not rows or not rows[-1][0].op.ends:
        return rows, [Finding(code_place(program, number), "it runs on past its end")]
    return rows, []


@dataclass(frozen=True, slots=True)
class _Calls:
    """Whether all ops of a code are pure, and the operands by which it runs other codes, with their kinds."""

    is_pure: bool
    calls: list[tuple[str, int]]


def _calls_in(rows: list[Row]) -> _Calls:
    """Return what some ops call."""
    calls = [(places.kinds[at], values[at]) for places, values in rows if places.calls for at in places.calls]
    return _Calls(all(places.op.pure for places, _ in rows), calls)


def _calls_of(program: Program, number: int, ops: list[OperandPlaces]) -> _Calls | None:
    """Return what a code calls; None if it cannot be split into ops, or runs on past its end."""
    ints, calls, is_pure = program.codes[number].ints, list[tuple[str, int]](), True
    at, count, ends = 0, len(ints), False
    while at < count:
        op = ints[at]
        if not 0 <= op < len(ops):
            return None
        places = ops[op]
        if at + len(places.kinds) >= count:
            return None
        is_pure, ends = is_pure and places.op.pure, places.op.ends
        calls += [(places.kinds[place], ints[at + 1 + place]) for place in places.calls]
        at += 1 + len(places.kinds)
    return _Calls(is_pure, calls) if ends else None


# ── operands ───────────────────────────────────────────────────────────────────────────────────


def _limits(program: Program) -> Limits:
    """Return the limits of operands that are the same in each code."""
    tables = {kind: (0, len(getattr(program, table))) for kind, table in TABLES.items()}
    plain = {"i": (-BOUND, BOUND), "tag": (0, len(TAGS)), "outcome": (OPEN + 1, FAULT)}
    return {**tables, **plain, "text": (-1, len(program.texts))}


AMISS = {
    "r": "there is no such register",
    "s": "there is no such list register",
    "label": "it leads out of the code",
    "i": "the number is too large",
}
"""Reasons for operands outside their limits, where "does not exist" would not fit."""


def _operands(program: Program, number: int, rows: list[Row], limits: Limits) -> Iterator[Finding]:
    code = program.codes[number]
    free = code.n_r - len(code.constants)
    if not (0 <= code.params <= free and code.n_r <= MOST_REGISTERS and 0 <= code.n_s <= MOST_REGISTERS):
        yield Finding(code_place(program, number), "it has too many registers, or more parameters than registers")
        return
    if not all(0 <= register < min(code.params, code.n_s) for register in code.lists):
        yield Finding(code_place(program, number), "a list parameter has no register")
    limits |= {"r": (0, code.n_r), "s": (0, code.n_s), "label": (0, len(rows))}
    for pc, (places, values) in enumerate(rows):
        wrong, reason = -1, ""
        for at, kind in enumerate(places.kinds):
            low, high = limits[kind]
            if not low <= values[at] < high:
                wrong, reason = at, AMISS.get(kind, f"there is no such {kind}")
                break
        if wrong < 0:
            for at in places.labels:
                if values[at] <= pc and not _charged(rows, pc, values[at]):
                    wrong, reason = at, "only JMP may go backward, or others to an ITER"
            for at in places.outs:
                if values[at] >= free:
                    wrong, reason = at, "that register holds a constant"
        if wrong >= 0:
            operand = f"{places.op.name} {places.op.operands[wrong].name} = {values[wrong]}"
            yield Finding(code_place(program, number, pc), f"{operand}: {reason}")
            return
        if places.fitted:
            yield from _fitting(program, number, pc, places.op, values)


def _charged(rows: list[Row], pc: int, target: int) -> bool:
    """Return whether a backward jump uses fuel, so that no loop is endless."""
    op = rows[pc][0].op
    return op.charges_back or op.charges or rows[target][0].op.charges


def _fitting(program: Program, number: int, pc: int, cls: type[Op], values: tuple[int, ...]) -> Iterator[Finding]:
    """Yield arguments that do not fit the callee, and fields that do not fit their use."""
    for at, (operand, value) in enumerate(zip(cls.operands, values, strict=True)):
        following = cls.operands[at + 1].kind if at + 1 < len(cls.operands) else ""
        reason = ""
        if operand.fit and not _is_fit(program.fields[value], operand.fit):
            reason = f"the field {program.fields[value].name} is not one that can be {operand.fit}"
        elif operand.kind in TAKING:
            params, lists = _arguments_of(program, operand.kind, value)
            if following == "args":
                row = program.args[values[at + 1]]
                reason, operand = _arguments(program.codes[number], row, params, lists), cls.operands[at + 1]
            elif operand.kind != "event":
                reason = _arguments(program.codes[number], ((0, 0), (0, 1)), params, lists)
        if reason:
            yield Finding(code_place(program, number, pc), f"{cls.name} {operand.name}: {reason}")


def _arguments_of(program: Program, kind: str, value: int) -> tuple[int, tuple[int, ...]]:
    """Return the number of arguments that something takes, and which of them are lists."""
    if kind == "event":
        lists = program.events[value].lists
        return len(lists) + 2, tuple([index + 2 for index, many in enumerate(lists) if many])
    code = program.codes[_called(program, kind, value)]
    return code.params, code.lists


def _called(program: Program, kind: str, value: int) -> int:
    """Return the code that an op runs by an operand; -1 if there is none."""
    return value if kind == "code" else program.verbs[value].code if kind == "verb" else -1


def _is_fit(row: Field, fit: str) -> bool:
    """Return whether a field has the property that an op requires."""
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
    """Return the problem of a row of arguments for a callee; empty if there is none."""
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
    """Follow every path; a register counts as written where all paths have written it.

    Sets are bit masks: bit 2n is int register n, bit 2n+1 list register n.
    """
    start = 0
    for register in range(max(code.params, captured)):
        start |= (3 if register < captured else 2 if register in code.lists else 1) << register * 2
    for register in range(code.n_r - len(code.constants), code.n_r):
        start |= 1 << register * 2
    states = [-1] * (len(rows) + 1)  # -1: no path has come there yet
    states[0] = start
    unwritten: dict[int, str] = {}
    todo = [0]
    while todo:
        pc = todo.pop()
        while True:
            places, values = rows[pc]
            state = after = jumped = states[pc]
            for at, many in places.reads:
                if not state >> values[at] * 2 + many & 1:
                    unwritten.setdefault(pc, f"{'s' if many else 'r'}{values[at]}")
            for at, many, jumps in places.writes:
                bit = 1 << values[at] * 2 + many
                after |= bit
                jumped |= bit if jumps else 0
            for at in places.labels:
                target = values[at]
                if states[target] & jumped != states[target]:
                    states[target] &= jumped
                    todo.append(target)
            pc += 1
            if places.op.ends or states[pc] & after == states[pc]:
                break
            states[pc] &= after
    for pc, missing in sorted(unwritten.items()):
        yield Finding(f"codes[{number}] `{code.name}` at {pc}", f"{missing} may be read before it is written")


# ── uses and purity ────────────────────────────────────────────────────────────────────────────


def code_uses(program: Program) -> Iterator[CodeUse]:
    """Yield the uses of codes in the tables (-1 where there is no code)."""
    for place, (ref, code) in column_checks.named_codes(program):
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
        yield CodeUse(f"windows[{number}].forced", window.forced, 2 + len(lists), registers, True)
    for number, row in enumerate(program.preferences):
        yield CodeUse(f"preferences[{number}].worth", row.worth, 3, pure=True)
        yield CodeUse(f"preferences[{number}].condition", row.condition, 3, pure=True)
    yield from _listener_uses(program)
    yield from _modifier_uses(program)
    for number, test in enumerate(program.tests):
        for index, step in enumerate(test.steps):
            pure = step.sort not in ("given", "do", "opening")
            yield CodeUse(f"tests[{number}].steps[{index}].code", step.code, 2, pure=pure)


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
    """Check that a code accepts the arguments of its use."""
    code = program.codes[use.code]
    own = tuple([register for register in code.lists if register >= use.captured])
    given = tuple([register for register in use.lists if register >= use.captured])
    if code.params != use.params or own != given:
        reason = f"the code `{code.name}` takes {code.params} parameters (lists: {own}), not {use.params} ({given})"
        yield Finding(use.place, reason)
    elif use.captured > code.n_s and any(register >= code.n_s for register in given):
        yield Finding(use.place, f"the code `{code.name}` has too few list registers")


def _impure(program: Program, calls: list[_Calls]) -> set[int]:
    """Return the codes that change or ask something, directly or through their calls."""
    callers: list[list[int]] = [[] for _ in calls]
    for number, own in enumerate(calls):
        for kind, value in own.calls:
            called = _called(program, kind, value)
            if called >= 0:
                callers[called].append(number)
    todo = [number for number, own in enumerate(calls) if not own.is_pure]
    impure = set(todo)
    while todo:
        for caller in callers[todo.pop()]:
            if caller not in impure:
                impure.add(caller)
                todo.append(caller)
    return impure
