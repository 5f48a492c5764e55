"""Linking: the executable ops of a code, made from its flat form.

Parts of the evaluation function are cached for look-ahead while the memory that they read is unchanged. A part is a
call of a pure code that reads only certain columns: those that its ops declare (`Op.sees`), and the fields that they
name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm.frames import call
from fcbdsl.machine.vm.liveness import read_later
from fcbdsl.machine.vm.op import Asking, Op, round_cost
from fcbdsl.machine.vm.ops import OPS, ops_of
from fcbdsl.machine.vm.ops.calls import Callr, callee_registers
from fcbdsl.machine.vm.ops.flow import Jmp
from fcbdsl.machine.vm.superinstructions import fuse

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.world import Frame, World

MOST_PARTS: Final = 8
"""Most parts that are cached: one for each bit of a byte."""
TAKEN: Final = 2
"""Parameters of the evaluation function: self and this."""

SEEN: Final = "zone"
"""The built-in column that ops may declare in `sees`."""

Cells = list[tuple[int, int]]
"""Memory ranges: from, to."""


def link_fused(image: Image, number: int) -> list[Op]:
    """Return the executable ops of a code, including superinstructions."""
    ops = declared_ops(image, number)
    later = read_later(image, ops, only_looks(image, number))
    return fuse(image, _linked(image, ops), later)


def only_looks(image: Image, number: int) -> bool:
    """Return whether a code is pure: all its ops are, and the codes that it calls. Recursive codes count as impure."""
    pure = image.only_looks.get(number)
    if pure is None:
        image.only_looks[number] = False
        pure = all(
            op.pure and all(only_looks(image, code) for code in _called(op, values))
            for op, values in ops_of(image.program, number)
        )
        image.only_looks[number] = pure
    return pure


def _called(op: type[Op], values: tuple[int, ...]) -> list[int]:
    """Return the codes that an op calls."""
    return [value for operand, value in zip(op.operands, values, strict=True) if operand.kind == "code"]


def join(ops: list[Op]) -> None:
    """Link the ops of a code to their successors, skipping jumps that cost nothing."""
    leads = list(ops)
    for number in range(len(ops) - 1, -1, -1):  # last op first, so that a chain of free jumps is followed to its end
        op = ops[number]
        if isinstance(op, Jmp) and not op.cost:
            leads[number] = leads[op.target]
    for op in ops:
        op.join(leads)


def link_unfused(image: Image, number: int) -> list[Op]:
    """Return the executable ops of a code, without superinstructions."""
    return _linked(image, declared_ops(image, number))


def declared_ops(image: Image, number: int) -> list[Op]:
    """Return the ops of a code, before linking."""
    names = image.program.ops
    code = image.program.codes[number]
    out: list[Op] = []
    at = 0
    while at < len(code.ints):
        op = OPS[names[code.ints[at]]]()
        op.at = len(out)
        op.next = len(out) + 1
        op.span = code.spans[len(out)] if len(out) < len(code.spans) else -1
        at += 1
        for place, operand in enumerate(op.operands, at):
            setattr(op, operand.name, code.ints[place])
        out.append(op)
        at += len(op.operands)
    for op in list(out):
        for operand in op.operands:
            if operand.kind == "label":
                target = out[getattr(op, operand.name)]
                target.round = max(target.round, round_cost(op.at - target.at))
                if isinstance(op, Jmp):
                    op.paid = target.charges
    return out


def _linked(image: Image, declared: list[Op]) -> list[Op]:
    """Return executable ops."""
    linked = [op.link(image) for op in declared]
    return insert_reports(declared, linked) if image.hears_changes else linked


def insert_reports(declared: list[Op], linked: list[Op]) -> list[Op]:
    """Return ops that report changes, for programs in which something listens to changes.

    `declared`: the ops before linking. Ops that ask need no report: they change nothing before the answer, and changes
    are checked after every answer.
    """
    return [
        after if before.pure or isinstance(before, Asking) else Telling(after)
        for before, after in zip(declared, linked, strict=True)
    ]


class Telling(Op):
    """An op after which listeners to changes may have to run before the next op."""

    __slots__ = ("inner",)

    def __init__(self, inner: Op) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = inner.at, inner.next, inner.span, inner.round
        self.inner = inner

    def join(self, ops: list[Op]) -> None:
        self.inner.join(ops)

    def run(self, g: Game, f: Frame) -> Op | None:
        op = self.inner.run(g, f)
        if op is not None:  # else the next op is not known yet
            f.pc = op.at
            g.has_new_changes = g.hears_changes
        return None

    def failed(self, f: Frame) -> None:
        self.inner.failed(f)


# ── cached parts of the evaluation function ────────────────────────────────────────────────────


class OutlookParts:
    """The cached parts of a program's evaluation function. `seen`: per memory cell, a bit for each part that reads
    it."""

    def __init__(self, count: int, seen: bytes) -> None:
        self.count = count
        self.seen = seen


class EvaluationCache:
    """Values of the parts of the evaluation function at the root of a look-ahead.

    `own`: the player of the evaluation. `is_filling`: the values are being computed; `filled`: the number of those that
    are. `changed`: a bit for each part that may have changed since.
    """

    __slots__ = ("changed", "filled", "is_filling", "own", "values")

    def __init__(self, own: int, count: int) -> None:
        self.own = own
        self.is_filling = True
        self.filled = 0
        self.changed = 0
        self.values = [0] * count


class CachedEvaluationPart(Op):
    """A call whose answer is read from the cache if it is there."""

    __slots__ = ("call", "number")

    def __init__(self, call: Callr, number: int) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = call.at, call.next, call.span, call.round
        self.call = call
        self.number = number

    def join(self, ops: list[Op]) -> None:
        super().join(ops)
        self.call.join(ops)

    def run(self, g: Game, f: Frame) -> Op | None:
        cache = g.evaluation_cache
        if cache is None or cache.changed >> self.number & 1:
            return self.call.run(g, f)
        if cache.is_filling:
            r, s = callee_registers(g, f, self.call.args)
            cache.values[self.number] = call(g, self.call.code, r, s)
            cache.filled += 1
        f.r[self.call.out] = cache.values[self.number]
        return self.then


def insert_cached_calls(image: Image, code: int, ops: list[Op]) -> tuple[OutlookParts, list[Op]]:
    """Return the cached parts of the evaluation function, and its ops with cached calls."""
    out = list(ops)
    seen = bytearray(image.layout.memory)
    count = 0
    written = {
        getattr(op, o.name) for op in declared_ops(image, code) for o in op.operands if o.kind == "r" and o.writes
    }
    for at, op in enumerate(ops):
        if not isinstance(op, Callr) or count == MOST_PARTS:
            continue
        given = image.plain_args[op.args]
        cells = cells_seen(image, op.code, ())
        if given is None or cells is None or any(r >= TAKEN or r in written for r in given):
            continue
        out[at] = CachedEvaluationPart(op, count)
        for low, high in cells:
            for cell in range(low, high):
                seen[cell] |= 1 << count
        count += 1
    return OutlookParts(count, bytes(seen)), out


def cells_seen(image: Image, code: int, within: tuple[int, ...]) -> Cells | None:
    """Return the memory ranges on which the answer of a code depends; None if unknown. `within`: its callers."""
    if code in within:
        return None
    cells_read: Cells = []
    for op in declared_ops(image, code):
        if op.sees is None:
            return None
        if SEEN in op.sees:
            kinds = [getattr(op, operand.name) for operand in op.operands if operand.kind == "kind"]
            low, high = _bodies(image, kinds[0]) if kinds else (0, image.layout.body)
            cells_read.append((image.layout.zone + low, image.layout.zone + high))
        for operand in op.operands:
            number = getattr(op, operand.name)
            cells = (
                [] if operand.kind not in ("code", "field") else _cells(image, operand.kind, number, (*within, code))
            )
            if cells is None:
                return None
            cells_read += cells
    return cells_read


def _bodies(image: Image, kind: int) -> tuple[int, int]:
    """Return the range of things whose zones decide whether things of a kind are in play.

    For a kind of movable things it is their own range, else that of all movable things.
    """
    plain = image.plain_kinds[kind]
    return (image.layout.low[kind], image.layout.high[kind]) if plain else (0, image.layout.body)


def _cells(image: Image, kind: str, number: int, within: tuple[int, ...]) -> Cells | None:
    """Return the memory ranges of a called code, or of a field that is read without modifiers; None if unknown."""
    if kind == "code":
        return cells_seen(image, number, within)
    layout = image.layout
    if number in image.modified or layout.controllers[number]:
        return None
    base = layout.base[number]
    return [(base + layout.field_low[number], base + layout.field_high[number])] if base >= 0 else []


def changed_parts(world: World, seen: bytes) -> int:
    """Return the parts of the evaluation function that read memory which a look-ahead world has changed."""
    parts, mem, tracked = 0, world.mem, len(seen)
    there: World | None = world
    while there is not None and there.undo is not None:
        undo = there.undo
        for at in range(0, len(undo), 2):
            cell = undo[at]
            bits = seen[cell] if cell < tracked else 0  # the barriers come after it
            if bits and mem[cell] != undo[at + 1]:
                parts |= bits
        there = there.over
    return parts
