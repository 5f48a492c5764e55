"""Codes that answer a value and have no effect: expressions, conditions, guards, teams."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.language.compiler import expression_lowering, preconditions
from fcbdsl.language.compiler.assembler import (
    SELF,
    SELF_THIS,
    BodyFrame,
    SlotLayout,
    open_frame,
)
from fcbdsl.language.compiler.lowering_context import Unit, memoize
from fcbdsl.language.compiler.peephole import finish_code
from fcbdsl.language.model.ir import Expr, Stmt
from fcbdsl.machine.vm.ops.calls import Rets, Retv
from fcbdsl.machine.vm.ops.flow import Jf
from fcbdsl.machine.vm.ops.registers import Among, Ladd, Lnew
from fcbdsl.machine.vm.ops.state import First

NONE = -1
"""The code number for a missing code."""


@memoize
def value_code(unit: Unit, name: str, expr: Expr, layout: SlotLayout = SELF_THIS, many: bool = False) -> int:
    """Return the code that answers one expression, as a list if `many`."""
    frame = open_frame(unit, name, layout)
    with frame.code.at(expr.span):
        if many:
            frame.code.emit(Rets, expression_lowering.emit_list(frame, expr))
        else:
            frame.code.emit(Retv, expression_lowering.emit_value(frame, expr))
    return finish_code(unit, frame.code)


@memoize
def team_of(unit: Unit, name: str, teams: Sequence[tuple[int, Expr | None]]) -> int:
    """Return the code that answers the team of a player (`self`) at the start of a game.

    `teams`: the number of each team and its players (None: all who are in no earlier team), in order.
    """
    frame = open_frame(unit, name, SELF_THIS)
    code = frame.code
    for number, players in teams:
        with code.scratch():
            other, is_member = code.label(), code.int_register()
            if players is not None:
                members = expression_lowering.emit_list(frame, players)
                code.emit(Among, is_member, expression_lowering.slot_register(frame, SELF).index, members)
                code.emit(Jf, is_member, other)
            code.emit(First, is_member, number, 1)
            code.emit(Retv, is_member)
            code.place(other)
    if code.reachable_end():
        code.emit(Retv, frame.code.constant(NONE))
    return finish_code(unit, code)


@memoize
def truth_code(unit: Unit, name: str, expr: Expr) -> int:
    """Return the code that answers a condition."""
    frame = open_frame(unit, name, SELF_THIS)
    with frame.code.at(expr.span):
        frame.code.emit(Retv, _truth(frame, expr))
    return finish_code(unit, frame.code)


@memoize
def references(unit: Unit, name: str, exprs: Sequence[Expr]) -> int:
    """Return the code that answers a list of values, in order."""
    frame = open_frame(unit, name, SELF_THIS)
    collected = frame.code.list_register()
    frame.code.emit(Lnew, collected)
    for expr in exprs:
        with frame.code.scratch(expr.span):
            frame.code.emit(Ladd, collected, expression_lowering.emit_value(frame, expr))
    frame.code.emit(Rets, collected)
    return finish_code(unit, frame.code)


def condition_code(unit: Unit, name: str, parts: Sequence[Expr | None], layout: SlotLayout = SELF_THIS) -> int:
    """Return the code that answers whether all of `parts` hold; NONE if they certainly do."""
    return guard_code(unit, name, parts, (), layout)


@memoize
def guard_code(
    unit: Unit,
    name: str,
    parts: Sequence[Expr | None],
    begins: Sequence[Stmt],
    layout: SlotLayout = SELF_THIS,
) -> int:
    """Return the code that answers whether all of `parts` hold and an effect can begin.

    Return NONE if that is always so.
    """
    if not begins and all(part is None for part in parts):
        return NONE
    frame = open_frame(unit, name, layout)
    no = frame.code.label()
    for part in parts:
        if part is not None:
            expression_lowering.branch(frame, part, no, False)
    preconditions.check_can_begin(frame, begins, no)
    if not any(no in instruction.operands for instruction in frame.code.instructions):
        return NONE
    frame.code.emit(Retv, frame.code.constant(1))
    frame.code.place(no)
    frame.code.emit(Retv, frame.code.constant(0))
    return finish_code(unit, frame.code)


def _truth(frame: BodyFrame, expr: Expr) -> int:
    """Return a register with a condition as 0 or 1."""
    out = frame.code.int_register()
    expression_lowering.flag(frame, expr, out)
    return out
