"""Verification that a code offers values of the tag that its question has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from fcbdsl.machine.vm.op import TAKING, Op
from fcbdsl.machine.vm.program import Code, Program
from fcbdsl.machine.vm.world import TAGS


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault in a program, and its place."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class OperandPlaces:
    """The operands of an op that each check needs, by position.

    `kinds`: the kinds of all operands. `outs`: single registers that it writes. `labels`: its jump targets. `reads`:
    registers that it reads, with whether they are lists. `writes`: registers that it writes, with whether they are
    lists, and whether a jump writes them, too. `calls`: codes that it runs. `fitted`: whether operands must fit each
    other, or a field must fit its use.

    `replaced`: registers that it writes and does not read, with whether they are lists. `tagged`: the field or tag from
    which their values have their tag (-1: none). `passed`: the register that it fills and that from which the values
    come, with whether they are lists. `offered`: the positions of the tag and the items of a question.
    """

    op: type[Op]
    kinds: tuple[str, ...]
    outs: tuple[int, ...]
    labels: tuple[int, ...]
    reads: tuple[tuple[int, bool], ...]
    writes: tuple[tuple[int, bool, bool], ...]
    calls: tuple[int, ...]
    fitted: bool
    replaced: tuple[tuple[int, bool], ...]
    tagged: int
    passed: tuple[tuple[int, bool], tuple[int, bool]] | None
    offered: tuple[int, int] | None


@cache
def operand_places(op: type[Op]) -> OperandPlaces:
    """Return the positions of an op's operands."""
    every = list(enumerate(op.operands))
    registers = [(at, operand) for at, operand in every if operand.kind in ("r", "s")]
    names = {operand.name: at for at, operand in every}
    tags = [at for at, operand in every if operand.kind == "tag" or (operand.kind == "field" and op.answers_field)]
    passed = [(names[name], op.operands[names[name]].kind == "s") for name in op.passes]
    question = next((at for at, operand in every if operand.kind == "tag"), -1)
    return OperandPlaces(
        op,
        tuple([operand.kind for operand in op.operands]),
        tuple([at for at, operand in registers if operand.kind == "r" and operand.writes]),
        tuple([at for at, operand in every if operand.kind == "label"]),
        tuple([(at, operand.kind == "s") for at, operand in registers if operand.reads]),
        tuple(
            [(at, operand.kind == "s", operand.name not in op.unjumped) for at, operand in registers if operand.writes]
        ),
        tuple([at for at, operand in every if operand.kind in ("code", "verb")]),
        any(operand.fit or operand.kind in TAKING for operand in op.operands),
        tuple([(at, operand.kind == "s") for at, operand in registers if operand.writes and not operand.reads]),
        tags[-1] if tags else -1,
        (passed[0], passed[1]) if passed else None,
        (question, names["items"]) if question >= 0 else None,
    )


Row = tuple[OperandPlaces, tuple[int, ...]]
"""An op with its operands."""

NOMINAL = ("thing", "definition", "zone", "direction", "die", "terrain", "barrier", "mark", "area", "kind", "field")
"""Tags of values that are numbers of rows or things: no value of one is a value of another."""
BITS = {tag: 1 << number for number, tag in enumerate(NOMINAL)}
Known = tuple[int, ...]
"""Per register, the possible tags (bits) of its value, as far as known: singles, then lists."""


def verify_tags(program: Program, place: str, code: Code, rows: list[Row]) -> Iterator[Finding]:
    """Yield each question whose options are known to have another tag.

    Values of unknown origin pass, because display of an option is bounded in any case.
    """
    if not any(places.offered for places, _ in rows):
        return
    states: list[Known | None] = [None] * len(rows)
    states[0] = (0,) * (code.n_r + code.n_s)
    todo = [0]
    while todo:
        pc = todo.pop()
        places, values = rows[pc]
        before = states[pc]
        assert before is not None
        after = _after(program, code, places, values, before)
        ways = [values[at] for at in places.labels] + ([] if places.op.ends else [pc + 1])
        for target in ways:
            old = states[target]
            if old is None or old != after:
                new = after if old is None else tuple([a | b for a, b in zip(old, after, strict=True)])
                if new != old:
                    states[target] = new
                    todo.append(target)
    for pc, (places, values) in enumerate(rows):
        state = states[pc]
        if state is None or places.offered is None:
            continue
        tag = TAGS[values[places.offered[0]]]
        held = state[code.n_r + values[places.offered[1]]]
        if tag in BITS and held & ~BITS[tag]:
            other = next(name for name, bit in BITS.items() if held & bit and name != tag)
            yield Finding(f"{place} at {pc}", f"it offers a {other} as a {tag}")


def _after(program: Program, code: Code, places: OperandPlaces, values: tuple[int, ...], before: Known) -> Known:
    """Return the known tags after an op."""
    if not places.writes:
        return before
    out = list(before)
    tag = 0
    if places.passed is None:
        name = places.op.answers
        if places.tagged >= 0:
            value = values[places.tagged]
            name = TAGS[value] if places.kinds[places.tagged] == "tag" else program.fields[value].tag
        tag = BITS.get(name, 0)
    for register in places.replaced:
        out[_slot(code, values, register)] = tag
    if places.passed is not None:
        into, source = places.passed
        came, slot = before[_slot(code, values, source)], _slot(code, values, into)
        out[slot] = came if into in places.replaced else came | before[slot]
    return tuple(out)


def _slot(code: Code, values: tuple[int, ...], register: tuple[int, bool]) -> int:
    """Return the place of a register among the known tags."""
    at, many = register
    return values[at] + (code.n_r if many else 0)
