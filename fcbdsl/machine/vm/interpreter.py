"""The interpreter: it runs what is on the stack of a world, and returns from frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.vm import departures, events, tracks
from fcbdsl.machine.vm.frames import fail, flush
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.world import NOWHERE, EventActivation, Frame, VMFault

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import LinkedCode


def execute(g: Game) -> None:
    """Run the topmost item until the stack is empty, a question is pending or the game is over."""
    w, codes = g.world, g.codes
    stack = w.stack
    while (g.has_new_changes and events.look(g)) or stack:
        item = stack[-1]
        if isinstance(item, Frame):
            frame: Frame = item  # without this variable, mypyc would check the type of `item` at each op
            places = codes[frame.code].places
            op: Op = (g.image.places(frame.code) if places is None else places)[frame.pc].op
            try:
                while True:
                    then = op.run(g, frame)
                    if then is None:
                        break
                    op = then
            except VMFault as error:
                fail(g, str(error), frame.code, op.at)
                raise
        elif isinstance(item, EventActivation):
            events.advance_event(g, item)
        else:
            tracks.advance_track(g, item)
        if w.ask is not None or w.outcome:
            return


def return_from(g: Game, f: Frame, value: i64, values: tuple[int, ...], met: bool) -> Op | None:
    """Return from a frame with its answer; `met`: false if a requirement of its effect failed.

    The result is that of the op's `run`.
    """
    if f.batch is not None:
        departures.end_auras(g)
        if f.batch:
            flush(g, f)
            return None
    stack = g.world.stack
    stack.pop()
    g.result = value
    g.list_result = values
    if f.out != NOWHERE:
        caller = stack[-1]
        assert isinstance(caller, Frame)
        if f.out >= 0:
            caller.r[f.out] = value
        else:
            caller.s[-2 - f.out] = values
    elif not met and stack:
        events.unmet(g, stack[-1])
    row = g.codes[f.code]
    if not row.looks:
        row.left = f
    elif len(f.r) == row.n_r:
        row.spare = f
    return None


def return_pure(g: Game, row: LinkedCode, f: Frame, value: i64, values: tuple[int, ...]) -> Op | None:
    """Return from a pure code: it delays no events, and its only result is its answer."""
    stack = g.world.stack
    stack.pop()
    out = f.out
    if out == NOWHERE:
        g.result = value
        g.list_result = values
    else:
        caller = stack[-1]
        assert isinstance(caller, Frame)
        if out >= 0:
            caller.r[out] = value
        else:
            caller.s[-2 - out] = values
    if len(f.r) == row.n_r:
        row.spare = f
    return None
