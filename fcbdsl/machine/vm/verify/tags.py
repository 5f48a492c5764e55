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
    """

    op: type[Op]
    kinds: tuple[str, ...]
    outs: tuple[int, ...]
    labels: tuple[int, ...]
    reads: tuple[tuple[int, bool], ...]
    writes: tuple[tuple[int, bool, bool], ...]
    calls: tuple[int, ...]
    fitted: bool


@cache
def operand_places(op: type[Op]) -> OperandPlaces:
    """Return the positions of an op's operands."""
    every = list(enumerate(op.operands))
    registers = [(at, operand) for at, operand in every if operand.kind in ("r", "s")]
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
    if not any("tag" in places.kinds for places, _ in rows):
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
            new = after if old is None else tuple([a | b for a, b in zip(old, after, strict=True)])
            if new != old:
                states[target] = new
                todo.append(target)
    for pc, (places, values) in enumerate(rows):
        state = states[pc]
        if state is None or "tag" not in places.kinds:
            continue
        operands = [operand.name for operand in places.op.operands]
        tag = TAGS[values[operands.index("tag")]]
        held = state[code.n_r + values[operands.index("items")]]
        if tag in BITS and held & ~BITS[tag]:
            other = next(name for name, bit in BITS.items() if held & bit and name != tag)
            yield Finding(f"{place} at {pc}", f"it offers a {other} as a {tag}")


def _after(program: Program, code: Code, places: OperandPlaces, values: tuple[int, ...], before: Known) -> Known:
    """Return the known tags after an op."""
    operands = places.op.operands
    at = {operand.name: number for number, operand in enumerate(operands)}

    def slot(number: int) -> int:
        return values[number] + (code.n_r if operands[number].kind == "s" else 0)

    out = list(before)
    written = [number for number, operand in enumerate(operands) if operand.kind in ("r", "s") and operand.writes]
    passes = places.op.passes
    if not passes:
        tag = places.op.answers
        for operand, value in zip(operands, values, strict=True):
            if operand.kind == "field" and places.op.answers_field:
                tag = program.fields[value].tag
            elif operand.kind == "tag":
                tag = TAGS[value]
        for number in written:
            if not operands[number].reads:
                out[slot(number)] = BITS.get(tag, 0)
        return tuple(out)
    for number in written:
        if operands[number].name == passes[0]:
            came = before[slot(at[passes[1]])]
            out[slot(number)] = came | before[slot(number)] if operands[number].reads else came
        elif not operands[number].reads:
            out[slot(number)] = 0
    return tuple(out)
