"""Linking: the executable ops of a code, made from its flat form.

Parts of the evaluation function are cached for look-ahead: positions in which the memory that a part reads is equal
share its value. A part is a pure code that reads only certain columns: those that its ops declare (`Op.sees`), and the
fields that they name. It is called, or it is a formula of the mission that is played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm import events
from fcbdsl.machine.vm.frames import call
from fcbdsl.machine.vm.liveness import read_later
from fcbdsl.machine.vm.op import Asking, Op, round_cost
from fcbdsl.machine.vm.ops import OPS, ops_of
from fcbdsl.machine.vm.ops.calls import Callr, Eval, callee_registers
from fcbdsl.machine.vm.ops.flow import Jmp
from fcbdsl.machine.vm.ops.state import Played, Players, Select, Variant
from fcbdsl.machine.vm.superinstructions import fuse
from fcbdsl.machine.vm.world import NO_LISTS, UNHEARD

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.world import Frame, World

MOST_PARTS: Final = 8
"""Most parts that are cached: one for each bit of a byte."""
TAKEN: Final = 2
"""Parameters of the evaluation function: self and this."""

END: Final = 1 << 30
"""More than any memory cell."""

Cells = list[tuple[int, int]]
"""Memory ranges: from, to."""


def link_fused(image: Image, number: int) -> list[Op]:
    """Return the executable ops of a code, including superinstructions."""
    ops, is_pure = declared_ops(image, number), only_looks(image, number)
    linked = _linked(image, ops)
    if image.observes_inputs and not is_pure:
        linked = insert_moments(image, ops, linked)
    return fuse(image, linked, read_later(image, ops, is_pure))


def only_looks(image: Image, number: int) -> bool:
    """Return whether a code is pure: all its ops are, and the codes that it calls. Recursive codes count as impure."""
    pure = image.only_looks.get(number)
    if pure is None:
        image.only_looks[number] = False
        pure = _only_looks(image, number)
        image.only_looks[number] = pure
    return pure


def _only_looks(image: Image, number: int) -> bool:
    called: list[int] = []
    for op, values in ops_of(image.program, number):
        if not op.pure:
            return False
        called += [values[at] for at in op.places.get("code", ())]
    return all(only_looks(image, code) for code in called)


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
    ints, spans = code.ints, code.spans
    out: list[Op] = []
    jumping: list[Op] = []
    at = place = 0
    while at < len(ints):
        op = OPS[names[ints[at]]]()
        op.at = place
        if place < len(spans):
            op.span = spans[place]
        place += 1
        op.next = place
        for name in op.operand_names:
            at += 1
            setattr(op, name, ints[at])
        at += 1
        out.append(op)
        if op.label_names:
            jumping.append(op)
    for op in jumping:
        for name in op.label_names:
            target = out[getattr(op, name)]
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
        if op is None or g.world.flags & UNHEARD or not events.is_change_heard(g):  # None: the next op is unknown yet
            return op
        f.pc = op.at
        g.has_new_changes = True
        return None

    def wrapped(self) -> Op:
        return self.inner

    def failed(self, f: Frame) -> None:
        self.inner.failed(f)


def insert_moments(image: Image, declared: list[Op], linked: list[Op]) -> list[Op]:
    """Return the ops of an effect, with observed moments before those that read an input of the game.

    Pure codes have none, because the game cannot be copied while an op calls them.
    """
    inputs = [_input_read(image, op) for op in declared]
    return [ObservedRead(op, number) if number >= 0 else op for op, number in zip(linked, inputs, strict=True)]


def _input_read(image: Image, op: Op) -> int:
    """Return the input that an op always reads (see `Image.players_input`), or -1."""
    if isinstance(op, Variant):
        return op.switch
    if isinstance(op, Players):
        return image.players_input
    layout = image.layout
    if isinstance(op, Select) and layout.low[op.kind] <= layout.players_low < layout.high[op.kind]:
        return image.players_input
    return -1


class ObservedRead(Op):
    """An op that reads an input of the game, with an observer of the moment before it is read for the first time."""

    __slots__ = ("inner", "input")

    def __init__(self, inner: Op, number: int) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = inner.at, inner.next, inner.span, inner.round
        self.inner, self.input = inner, number

    def join(self, ops: list[Op]) -> None:
        self.inner.join(ops)

    def run(self, g: Game, f: Frame) -> Op | None:
        if g.moment_observer is not None and not g.image.inputs_read[self.input]:
            g.moment_observer(f, self.at)
        return self.inner.run(g, f)

    def wrapped(self) -> Op:
        return self.inner


# ── cached parts of the evaluation function ────────────────────────────────────────────────────


class OutlookParts:
    """The parts of a program's evaluation function that may be cached.

    For each part, `codes` contains its code, or -1 and `fields` a formula field of the mission that is played.
    """

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.fields: list[int] = []
        self._seen: dict[tuple[int, int], tuple[bytes, int]] = {}

    def seen(self, image: Image, mission: int, size: int) -> tuple[bytes, int]:
        """Return, for a mission (-1: none) and a size of memory, the parts that read each cell, as bits of a byte.

        The second value contains a bit for each part with unknown inputs.
        """
        seen = self._seen.get((mission, size))
        if seen is None:
            seen = self._seen[mission, size] = self._cells(image, mission, size)
        return seen

    def _cells(self, image: Image, mission: int, size: int) -> tuple[bytes, int]:
        seen = bytearray(size)
        unknown = 0
        for number, code in enumerate(self.codes):
            if code < 0:
                code = image.code_field(self.fields[number], mission)
            cells = cells_seen(image, code, ()) if code >= 0 else None
            if cells is None:
                unknown |= 1 << number
            for low, high in cells or ():
                for cell in range(low, min(high, size)):
                    seen[cell] |= 1 << number
        return bytes(seen), unknown


class EvaluationCache:
    """Values of the parts of the evaluation function, in the positions of a look-ahead.

    `own`: the player of the evaluation. `seen`: see `OutlookParts`. `unknown`: a bit for each part that is not cached.
    `changes`: for each part, the cells that it reads and that differ from the root, each followed by its value.
    `values`: for each part, its values by such changes.
    """

    __slots__ = ("changes", "own", "seen", "unknown", "values")

    def __init__(self, own: int, count: int, seen: tuple[bytes, int]) -> None:
        self.own = own
        self.seen, self.unknown = seen
        self.changes: list[tuple[int, ...]] = [()] * count
        self.values: list[dict[tuple[int, ...], int]] = [{} for _ in range(count)]

    def look_at(self, world: World) -> None:
        """Prepare for the evaluation of a look-ahead world, or of the root."""
        self.changes = changed_cells(world, self.seen, len(self.values))


class CachedEvaluationPart(Op):
    """A part of the evaluation function, whose value is read from the cache if it is there."""

    __slots__ = ("inner", "number")

    def __init__(self, inner: Callr | Eval, number: int) -> None:
        super().__init__()
        self.at, self.next, self.span, self.round = inner.at, inner.next, inner.span, inner.round
        self.inner: Op = inner
        self.number = number

    def join(self, ops: list[Op]) -> None:
        super().join(ops)
        self.inner.join(ops)

    def value(self, g: Game, f: Frame, cache: EvaluationCache) -> int:
        """Return the value of the part in the position for which the cache is prepared."""
        values, changes = cache.values[self.number], cache.changes[self.number]
        value = values.get(changes)
        if value is None:
            value = values[changes] = self.computed(g, f)
        return value

    def computed(self, g: Game, f: Frame) -> int:
        """Return the value of the part in a position."""
        raise NotImplementedError


class CachedCall(CachedEvaluationPart):
    """A call of a pure code as a part."""

    __slots__ = ("call",)

    def __init__(self, call: Callr, number: int) -> None:
        super().__init__(call, number)
        self.call = call

    def run(self, g: Game, f: Frame) -> Op | None:
        cache = g.evaluation_cache
        if cache is None or cache.unknown >> self.number & 1:
            return self.call.run(g, f)
        f.r[self.call.out] = self.value(g, f, cache)
        return self.then

    def computed(self, g: Game, f: Frame) -> int:
        r, s = callee_registers(g, f, self.call.args)
        return call(g, self.call.code, r, s)


class CachedFormula(CachedEvaluationPart):
    """A formula of the mission that is played, as a part."""

    __slots__ = ("eval",)

    def __init__(self, evaluated: Eval, number: int) -> None:
        super().__init__(evaluated, number)
        self.eval = evaluated

    def run(self, g: Game, f: Frame) -> Op | None:
        cache = g.evaluation_cache
        if cache is None or cache.unknown >> self.number & 1 or f.r[self.eval.thing] != g.world.mission:
            return self.eval.run(g, f)
        f.r[self.eval.out] = self.value(g, f, cache)
        return self.then

    def computed(self, g: Game, f: Frame) -> int:
        mission = g.world.mission
        return call(g, g.image.code_field(self.eval.field, mission), g.selves(mission), NO_LISTS)


def insert_cached_parts(image: Image, code: int, ops: list[Op]) -> tuple[OutlookParts, list[Op]]:
    """Return the parts of the evaluation function that may be cached, and its ops with cached parts."""
    out = list(ops)
    parts = OutlookParts()
    declared = declared_ops(image, code)
    written = {getattr(op, o.name) for op in declared for o in op.operands if o.kind == "r" and o.writes}
    for at, op in enumerate(ops):
        number = len(parts.codes)
        if number == MOST_PARTS:
            break
        if isinstance(op, Callr):
            given = image.plain_args[op.args]
            if given is None or any(r >= TAKEN or r in written for r in given):
                continue
            if cells_seen(image, op.code, ()) is None:
                continue
            out[at] = CachedCall(op, number)
            parts.codes.append(op.code)
            parts.fields.append(-1)
        elif isinstance(op, Eval) and any(isinstance(o, Played) and o.out == op.thing for o in declared):
            out[at] = CachedFormula(op, number)
            parts.codes.append(-1)
            parts.fields.append(op.field)
    return parts, out


def cells_seen(image: Image, code: int, within: tuple[int, ...]) -> Cells | None:
    """Return the memory ranges on which the answer of a code depends; None if unknown. `within`: its callers."""
    if code in within:
        return None
    cells_read: Cells = []
    for op in declared_ops(image, code):
        if op.sees is None:
            return None
        for column in op.sees:
            cells_read += _column(image, op, column)
        for operand in op.operands:
            number = getattr(op, operand.name)
            cells = (
                [] if operand.kind not in ("code", "field") else _cells(image, operand.kind, number, (*within, code))
            )
            if cells is None:
                return None
            cells_read += cells
    return cells_read


def _column(image: Image, op: Op, column: str) -> Cells:
    """Return the memory ranges of an input that an op declares in `sees`."""
    layout = image.layout
    if column == "place":
        return [(layout.place, layout.place + layout.body)]
    if column == "zone":
        kinds = [getattr(op, operand.name) for operand in op.operands if operand.kind == "kind"]
        low, high = _bodies(image, kinds[0]) if kinds else (0, layout.body)
        return [(layout.zone + low, layout.zone + high)]
    hinges = [hinge for hinge, _ in image.hinged.values() if layout.base[hinge] >= 0]
    return [
        (layout.terrain + layout.spaces_low, layout.terrain + layout.spaces_high),
        *[(layout.base[at] + layout.field_low[at], layout.base[at] + layout.field_high[at]) for at in hinges],
        (layout.barriers, END),
    ]


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


def changed_cells(world: World, seen: bytes, count: int) -> list[tuple[int, ...]]:
    """Return, for each of `count` parts, the cells it reads that a look-ahead world has changed, with their values."""
    mem = world.mem
    before: dict[int, int] = {}
    there: World | None = world
    while there is not None and there.undo is not None:
        undo = there.undo
        for at in range(len(undo) - 2, -1, -2):  # the oldest value last
            if seen[undo[at]]:
                before[undo[at]] = undo[at + 1]
        there = there.over
    changes: list[tuple[int, ...]] = [()] * count
    if not before:
        return changes
    for cell in sorted(before):
        value = mem[cell]
        if value != before[cell]:
            bits = seen[cell]
            for number in range(count):
                if bits >> number & 1:
                    changes[number] += (cell, value)
    return changes
