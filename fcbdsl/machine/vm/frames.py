"""Frames, in which codes run on the stack of a world; and calls of pure codes, which run to their end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.world import AFTER, FAULT, NOWHERE, EventActivation, Fault, Frame, Item, VMFault

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image, LinkedCode

MOST_STACK: Final = 256
ENDLESS: Final = "effects run each other without end"
"""Start of the message of the fault when the stack is full; the names of the codes follow."""
DEEPEST: Final = 24
"""Deepest nesting of pure codes through modifiers."""
TOO_DEEP: Final = "conditions and modifiers refer to each other too deeply"


def open_batch(stack: list[Item]) -> list[EventActivation] | None:
    """Return the batch of a new event: that of the `at once` loop which caused it, directly or indirectly.

    None if there is none, or if a running listener has caused the event.
    """
    for item in reversed(stack):
        if isinstance(item, Frame):
            if item.batch is not None:
                return item.batch
        elif isinstance(item, EventActivation) and item.phase == AFTER:
            return None
    return None


def flush(g: Game, f: Frame) -> None:
    """Start the first event of a frame's batch; the frame then returns to the same op."""
    assert f.batch
    push(g, f.batch.pop(0))


def call(g: Game, code: i64, r: list[int], s: list[tuple[int, ...]]) -> int:
    """Run a pure code to its end and return its answer."""
    if g.depth >= DEEPEST:
        raise VMFault(TOO_DEEP)
    return _run_pure(g, call_frame(g, code, r, s, NOWHERE))


def call_for(g: Game, code: i64, self_: i64, this: i64, r: list[int], s: list[tuple[int, ...]]) -> int:
    """Call a pure code with other values for `self` and `this`; the rest of the registers comes from `r`."""
    if g.depth >= DEEPEST:
        raise VMFault(TOO_DEEP)
    frame = call_frame(g, code, r, s, NOWHERE)
    frame.r[0], frame.r[1] = self_, this
    return _run_pure(g, frame)


def call_frame(g: Game, code: i64, r: list[int], s: list[tuple[int, ...]], out: i64) -> Frame:
    """Return a frame for a call of a pure code, with its parameters."""
    row = g.codes[code]
    frame: Frame
    spare = row.spare
    if len(r) > row.n_r:
        return new_frame(g, code, r, s, out)
    if spare is None or g.has_new_changes:
        if row.places is None:
            g.image.code(code)
        if not row.looks:
            return new_frame(g, code, r, s, out)
        frame = pure_frame(g, row, out)
    else:  # `pure_frame`, inlined
        g.fuel -= row.cost
        if g.fuel < 0:
            g.spend(0)
        row.spare = None
        spare.pc = 0
        spare.out = out
        frame = spare
    registers = frame.r
    for at, value in enumerate(r):
        registers[at] = value
    if s and row.n_s:
        lists = frame.s
        for at, values in enumerate(s):
            if at == row.n_s:
                break
            lists[at] = values
    return frame


def new_frame(g: Game, code: i64, r: list[int], s: list[tuple[int, ...]], out: i64) -> Frame:
    """Return a frame for a code, its first registers given; the last are its constants, the others 0 and empty."""
    row = g.codes[code]
    g.fuel -= row.cost
    if g.fuel < 0:
        g.spend(0)
    if not s:
        s = row.blank[:] if row.n_s else row.blank
    elif len(s) < row.n_s:
        s = s + g.image.blanks[row.n_s - len(s)]
    frame = row.frame(s, out)
    if len(r) <= row.n_r:
        registers = frame.r
        for at, value in enumerate(r):
            registers[at] = value
    else:
        frame.r = numbers(r)
    return frame


def pure_frame(g: Game, row: LinkedCode, out: i64) -> Frame:
    """Return a frame for a pure code, possibly a recycled one. The caller must fill the parameters."""
    g.fuel -= row.cost
    if g.fuel < 0:
        g.spend(0)
    frame = row.spare
    if frame is None or (g.has_new_changes and not g.depth):  # `whenever` listeners may run, and ask, first
        return Frame(row.number, row.fresh[:], row.blank[:], out)
    row.spare = None
    frame.pc = 0
    frame.out = out
    return frame


def _run_pure(g: Game, frame: Frame) -> int:
    """Run a frame of a pure code to its end above the current stack, and return its answer.

    Such a code begins only frames of pure codes.
    """
    stack, codes = g.world.stack, g.codes
    floor = len(stack)
    if floor < MOST_STACK:
        stack.append(frame)
    else:
        push(g, frame)
    g.depth += 1
    places = codes[frame.code].places
    op: Op = (g.image.places(frame.code) if places is None else places)[0].op
    try:
        while True:
            then = op.run(g, frame)
            if then is None:
                if len(stack) <= floor:
                    break
                item = stack[-1]
                assert isinstance(item, Frame)
                frame = item
                places = codes[frame.code].places
                then = (g.image.places(frame.code) if places is None else places)[frame.pc].op
            op = then  # two names: if the variable could be None, mypyc would count references again at each op
    except VMFault as error:
        fail(g, str(error), frame.code, op.at)
        raise
    g.depth -= 1
    return g.result


def push(g: Game, item: Item) -> None:
    """Put an item on the stack. Raise VMFault if the stack is full."""
    stack = g.world.stack
    if len(stack) >= MOST_STACK:
        raise VMFault(f"{ENDLESS}: {circle(g.image, stack)}")
    stack.append(item)


def fail(g: Game, reason: str, code: int, pc: int) -> None:
    """Store a fault in the world, which ends the game. Later faults are ignored."""
    w = g.world
    if w.fault is not None:
        return
    for item in reversed(w.stack):
        if code < 0 and isinstance(item, Frame):
            code, pc = item.code, max(item.pc - 1, 0)
    span = g.image.span_of(code, pc)
    w.fault = Fault(reason, code, pc, span)
    w.outcome = FAULT


def circle(image: Image, stack: Sequence[Item]) -> str:
    """Return the cycle of codes on a full stack: their names and lines, with the first one repeated at the end."""
    steps: list[tuple[int, int]] = []  # code, line
    for item in stack:
        if not isinstance(item, Frame | EventActivation):
            continue
        span = image.span_of(item.code, max(item.pc - 1, 0)) if isinstance(item, Frame) else -1
        step = item.code, image.program.spans[span].line if span >= 0 else 0
        if steps and steps[-1][0] == step[0] and not steps[-1][1]:
            steps[-1] = step  # an event, and its body
        elif step[0] >= 0:
            steps.append(step)
    long = next(
        (size for size in range(1, len(steps) // 2) if steps[-1 - size : -1] == steps[-1 - 2 * size : -1 - size]), 4
    )
    period = steps[-1 - long : -1] or steps
    first = period.index(min(period))
    blocks = [*period[first:], *period[:first]]
    codes = image.program.codes
    names = [f"`{codes[code].name}`" + (f" (line {line})" if line else "") for code, line in blocks]
    return " → ".join([*names, f"`{codes[blocks[0][0]].name}`"])
