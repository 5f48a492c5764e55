"""Conditions to jumps: compare-and-branch is one op, `and`/`or` evaluate no more than they must."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.compiler import selections, values
from fcbdsl.compiler.assembler import Label
from fcbdsl.compiler.folding import fold
from fcbdsl.compiler.frames import Frame
from fcbdsl.model import ir
from fcbdsl.model.ir import Expr
from fcbdsl.vm.ops.arithmetic import Eq, Eqi, Le, Lt, Ne
from fcbdsl.vm.ops.data import Lit, Llen
from fcbdsl.vm.ops.flow import Jeq, Jeqi, Jf, Jgei, Jgti, Jle, Jlei, Jlt, Jlti, Jmp, Jne, Jnei, Jt

NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
JUMPS = {"=": Jeq, "!=": Jne, "<": Jlt, "<=": Jle}
COMPARED = {"=": Eq, "!=": Ne, "<": Lt, "<=": Le}
JUMPS_TO_LITERAL = {"=": Jeqi, "!=": Jnei, "<": Jlti, "<=": Jlei, ">": Jgti, ">=": Jgei}
SOME_OR_NONE = {
    (">", 0): True, ("!=", 0): True, (">=", 1): True,
    ("=", 0): False, ("<=", 0): False, ("<", 1): False,
}  # fmt: skip
"""Comparisons of a count that only ask whether there is one."""
ABSENT_IS_FALSE = {"thing", "definition", "die", "zone", "side", "direction"}


def branch(frame: Frame, expr: Expr, target: Label, when: bool) -> None:
    """Jump to `target` if `expr` is `when`; otherwise fall through."""
    known = fold(frame, expr)
    if known is not None:
        if bool(known) is when:
            frame.code.emit(Jmp, target)
        return
    if frame.facts and frame.fact(expr) in frame.facts:
        if when:
            frame.code.emit(Jmp, target)
        return
    if id(expr) in frame.hoisted:
        _truth(frame, expr, target, when)
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
    if isinstance(expr, ir.Binary) and expr.op in NEGATED and _compared(frame, expr, out):
        return
    no, end = frame.code.label(), frame.code.label()
    branch(frame, expr, no, False)
    frame.code.emit(Lit, out, 1)
    frame.code.emit(Jmp, end)
    frame.code.place(no)
    frame.code.emit(Lit, out, 0)
    frame.code.place(end)


def _compared(frame: Frame, expr: ir.Binary, out: int) -> bool:
    """Compute a comparison by one op; False if none fits."""
    left, right, op = expr.left, expr.right, expr.op
    if op in {">", ">="}:
        left, right, op = right, left, MIRRORED[op]
    if fold(frame, left) is not None and op in {"=", "!="}:
        left, right = right, left
    if isinstance(left, ir.Quantified) or isinstance(right, ir.Quantified):
        return False
    with frame.code.scratch():
        number = fold(frame, right)
        if number is not None and op == "=":
            frame.code.emit(Eqi, out, values.value(frame, left), number)
        else:
            first = values.value(frame, left)
            frame.code.emit(COMPARED[op], out, first, values.value(frame, right))
    return True


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
    if number is not None and isinstance(left, ir.Quantified) and (op, number) in SOME_OR_NONE:
        some = replace(left, quantifier="any")
        selections.branch_quantified(frame, some, target, SOME_OR_NONE[op, number])
        return
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
            frame.code.emit(Llen, count, values.many(frame, expr))
            frame.code.emit(Jt if when else Jf, count, target)
        return
    register = values.value(frame, expr)
    if expr.type.base in ABSENT_IS_FALSE:
        frame.code.emit(Jnei if when else Jeqi, register, -1, target)
    else:
        frame.code.emit(Jt if when else Jf, register, target)
