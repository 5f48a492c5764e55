"""Conditions to jumps: compare-and-branch is one op, `and`/`or` evaluate no more than they must."""

from __future__ import annotations

from fcbdsl.compiler import selections, values
from fcbdsl.compiler.assembler import Label
from fcbdsl.compiler.folding import fold
from fcbdsl.compiler.frames import Frame
from fcbdsl.model import ir
from fcbdsl.model.ir import Expr

NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
JUMPS = {"=": "JEQ", "!=": "JNE", "<": "JLT", "<=": "JLE"}
JUMPS_TO_LITERAL = {"=": "JEQI", "!=": "JNEI", "<": "JLTI", "<=": "JLEI", ">": "JGTI", ">=": "JGEI"}
ABSENT_IS_FALSE = {"thing", "definition", "die", "zone", "side", "direction"}


def branch(frame: Frame, expr: Expr, target: Label, when: bool) -> None:
    """Jump to `target` if `expr` is `when`; otherwise fall through."""
    known = fold(frame, expr)
    if known is not None:
        if bool(known) is when:
            frame.code.emit("JMP", target)
        return
    with frame.code.scratch(), frame.code.at(expr.span):
        match expr:
            case ir.Not():
                branch(frame, expr.operand, target, not when)
            case ir.Binary() if expr.op in {"and", "or"}:
                _connective(frame, expr, target, when)
            case ir.Binary() if expr.op in NEGATED:
                _comparison(frame, expr, target, when)
            case ir.Quantified() if expr.quantifier != "number":
                selections.branch_quantified(frame, expr, target, when)
            case ir.Apply():
                _application(frame, expr, target, when)
            case _:
                _truth(frame, expr, target, when)


def flag(frame: Frame, expr: Expr, out: int) -> None:
    """Compute a condition as 0 or 1. `out` may be read by the condition: it is written last."""
    no, end = frame.code.label(), frame.code.label()
    branch(frame, expr, no, False)
    frame.code.emit("LIT", out, 1)
    frame.code.emit("JMP", end)
    frame.code.place(no)
    frame.code.emit("LIT", out, 0)
    frame.code.place(end)


def _connective(frame: Frame, expr: ir.Binary, target: Label, when: bool) -> None:
    if (expr.op == "and") is when:  # both sides decide: the first may end the test early
        skip = frame.code.label()
        branch(frame, expr.left, skip, not when)
        branch(frame, expr.right, target, when)
        frame.code.place(skip)
    else:
        branch(frame, expr.left, target, when)
        branch(frame, expr.right, target, when)


def _comparison(frame: Frame, expr: ir.Binary, target: Label, when: bool) -> None:
    op = expr.op if when else NEGATED[expr.op]
    left, right = expr.left, expr.right
    if fold(frame, left) is not None:
        left, right, op = right, left, MIRRORED[op]
    number = fold(frame, right)
    if number is not None:
        frame.code.emit(JUMPS_TO_LITERAL[op], values.value(frame, left), number, target)
        return
    if op in {">", ">="}:
        left, right, op = right, left, MIRRORED[op]
    first = values.value(frame, left)
    frame.code.emit(JUMPS[op], first, values.value(frame, right), target)


def _application(frame: Frame, expr: ir.Apply, target: Label, when: bool) -> None:
    if expr.form.op is None:
        inner = values.inlined_answer(frame, expr)
        if inner is not None:
            body_frame, answer = inner
            branch(body_frame, answer, target, when)
            return
    _truth(frame, expr, target, when)


def _truth(frame: Frame, expr: Expr, target: Label, when: bool) -> None:
    if expr.type.many:
        with frame.code.scratch():
            count = frame.code.int_register()
            frame.code.emit("LLEN", count, values.many(frame, expr))
            frame.code.emit("JT" if when else "JF", count, target)
        return
    register = values.value(frame, expr)
    if expr.type.base in ABSENT_IS_FALSE:
        frame.code.emit("JNEI" if when else "JEQI", register, -1, target)
    else:
        frame.code.emit("JT" if when else "JF", register, target)
