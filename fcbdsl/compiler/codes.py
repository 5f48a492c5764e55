"""Bodies to codes: an effect, an answer, a guard."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.compiler import conditions, guards, statements, values
from fcbdsl.compiler.folding import fold
from fcbdsl.compiler.frames import SELF, SELF_THIS, Frame, Layout, open_frame
from fcbdsl.compiler.memory import kept
from fcbdsl.compiler.natives import bound
from fcbdsl.compiler.unit import Unit
from fcbdsl.model.declarations import Field, Form
from fcbdsl.model.ir import NOTHING, NUMBER, Body, Expr, Stmt, Type
from fcbdsl.vm.ops.arithmetic import Neg
from fcbdsl.vm.ops.calls import Rets, Retv
from fcbdsl.vm.ops.data import Ladd, Lnew
from fcbdsl.vm.ops.state import Chg

NONE = -1
"""The code number for "there is nothing to run"."""


@kept
def effect(
    unit: Unit, name: str, body: Body, layout: Layout | None = None, changes: dict[int, int] | None = None
) -> int:
    """The code of an effect; `changes`: slots that are parameters of the event being heard, which may be changed."""
    frame = open_frame(unit, name, layout or Layout(body.slots))
    frame.event_params = changes or {}
    statements.body(frame, body.statements)
    return unit.close(frame.code)


@kept
def form(unit: Unit, declared: Form, number: int) -> None:
    """Write the code of a form's body, as number `number`."""
    assert declared.body is not None
    name = f"{declared.sort} {declared.id}"
    frame = open_frame(unit, name, Layout(declared.body.slots, params=2 + len(declared.params)))
    frame.answers = None if declared.sort in {"verb", "keyword"} else declared.gives
    statements.body(frame, declared.body.statements)
    if frame.answers is not None and frame.code.reachable_end():
        _answer_nothing(frame, frame.answers)
    unit.close(frame.code, number)


def _answer_nothing(frame: Frame, gives: Type) -> None:
    """What a body answers that ends without saying."""
    if gives.many:
        empty = frame.code.list_register()
        frame.code.emit(Lnew, empty)
        frame.code.emit(Rets, empty)
    else:
        absent = 0 if gives.base in {"number", "flag", "condition", "nothing"} else -1
        frame.code.emit(Retv, values.literal(frame, absent))


@kept
def value(unit: Unit, name: str, expr: Expr, layout: Layout = SELF_THIS, many: bool = False) -> int:
    """The code that answers one expression, as a list if `many`."""
    frame = open_frame(unit, name, layout)
    with frame.code.at(expr.span):
        if many:
            frame.code.emit(Rets, values.many(frame, expr))
        else:
            frame.code.emit(Retv, values.value(frame, expr))
    return unit.close(frame.code)


@kept
def answering(unit: Unit, name: str, body: Body) -> int:
    """The code of a body that answers, with self and this."""
    frame = open_frame(unit, name, Layout(body.slots))
    frame.answers = NUMBER
    statements.body(frame, body.statements)
    if frame.code.reachable_end():
        _answer_nothing(frame, NUMBER)
    return unit.close(frame.code)


@kept
def truth(unit: Unit, name: str, expr: Expr) -> int:
    """The code that answers a condition."""
    frame = open_frame(unit, name, SELF_THIS)
    with frame.code.at(expr.span):
        frame.code.emit(Retv, _truth(frame, expr))
    return unit.close(frame.code)


@kept
def references(unit: Unit, name: str, exprs: Sequence[Expr]) -> int:
    """The code that answers a list of values, in order."""
    frame = open_frame(unit, name, SELF_THIS)
    collected = frame.code.list_register()
    frame.code.emit(Lnew, collected)
    for expr in exprs:
        with frame.code.scratch(), frame.code.at(expr.span):
            frame.code.emit(Ladd, collected, values.value(frame, expr))
    frame.code.emit(Rets, collected)
    return unit.close(frame.code)


def condition(unit: Unit, name: str, parts: Sequence[Expr | None], layout: Layout = SELF_THIS) -> int:
    """The code that answers whether all of `parts` hold; NONE if they surely do."""
    return guard(unit, name, parts, (), layout)


@kept
def guard(
    unit: Unit,
    name: str,
    parts: Sequence[Expr | None],
    begins: Sequence[Stmt],
    layout: Layout = SELF_THIS,
) -> int:
    """The code that answers whether all of `parts` hold and an effect can begin.

    NONE if nothing can stand in the way."""
    frame = open_frame(unit, name, layout)
    no = frame.code.label()
    for part in parts:
        if part is not None:
            conditions.branch(frame, part, no, False)
    guards.inline(frame, begins, no)
    if not any(no in instruction.operands for instruction in frame.code.instructions):
        return NONE
    frame.code.emit(Retv, values.literal(frame, 1))
    frame.code.place(no)
    frame.code.emit(Retv, values.literal(frame, 0))
    return unit.close(frame.code)


@kept
def action(unit: Unit, name: str, body: Body, costs: Sequence[tuple[Field, Expr]]) -> int:
    """The code of an action: its price, then its effect."""
    frame = open_frame(unit, name, Layout(body.slots))
    for field, amount in costs:
        with frame.code.scratch(), frame.code.at(amount.span):
            known = fold(frame, amount)
            if known is not None:
                price = values.literal(frame, -known)
            else:
                price = frame.code.int_register()
                frame.code.emit(Neg, price, values.value(frame, amount))
            frame.code.emit(Chg, unit.field(field), values.slot_register(frame, SELF).index, price)
    statements.body(frame, body.statements)
    return unit.close(frame.code)


@kept
def native(unit: Unit, declared: Form) -> int:
    """The code of an event verb whose body is a native op."""
    assert declared.op is not None
    slots = (("self", NOTHING), ("this", NOTHING), *((param.name, param.type) for param in declared.params))
    frame = open_frame(unit, f"{declared.sort} {declared.id}", Layout(slots, params=len(slots)))
    frame.code.emit(bound(declared), *range(2, len(slots)))
    return unit.close(frame.code)


def _truth(frame: Frame, expr: Expr) -> int:
    """A register with a condition as 0 or 1."""
    out = frame.code.int_register()
    conditions.flag(frame, expr, out)
    return out
