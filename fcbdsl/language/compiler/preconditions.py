"""Guards: whether an effect could begin, derived from its first statements.

The prefix of an effect that changes nothing (`require`, `let`, `choose`, and the prefixes of verbs that it runs) is
read as a condition. A mandatory `choose x` holds if there is an x for which the rest of the prefix holds. The first
real effect ends the prefix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler import expression_lowering
from fcbdsl.language.compiler.assembler import BodyFrame, Label, Register
from fcbdsl.language.compiler.inlining import DEEPEST
from fcbdsl.language.compiler.native_forms import op_of
from fcbdsl.language.compiler.planning import candidate_loop
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import Stmt
from fcbdsl.machine.vm.ops.calls import Eval, Perform
from fcbdsl.machine.vm.ops.flow import Jf, Jmp


def beginning(statements: Sequence[Stmt]) -> list[Stmt]:
    """Return the first statements of an effect, which include all that decide whether it can begin."""
    for number, statement in enumerate(statements, 1):
        if isinstance(statement, ir.If):
            break  # the guard looks for another `if` behind it
        if not isinstance(statement, ir.Require | ir.Nothing | ir.Let | ir.Choose):
            return list(statements[:number])
    return list(statements)


@dataclass(frozen=True, slots=True)
class Exits:
    """Jump targets of a test: `fail` if the prefix can't be met, `done` if it can. `inside`: the verbs entered."""

    fail: Label
    done: Label
    inside: tuple[Form, ...] = ()


def check_can_begin(frame: BodyFrame, statements: Sequence[Stmt], fail: Label) -> None:
    """Jump to `fail` unless the effect can begin; fall through if it can.

    The locals of the effect get new registers, so that nothing of the frame is overwritten.
    """
    way = Exits(fail, frame.code.label())
    if not _may_fail(frame, statements, way):
        return
    with frame.code.scratch():
        _prefix(frame.branched(), tuple(statements), way)
    frame.code.place(way.done)


def _prefix(frame: BodyFrame, statements: tuple[Stmt, ...], way: Exits) -> None:
    """Test how `statements` begin; every path ends in a jump to `done` or `fail`."""
    if not _may_fail(frame, statements, way):
        frame.code.emit(Jmp, way.done)
        return
    statement, rest = statements[0], statements[1:]
    pure = frame.unit.purity.of
    with frame.code.at(statement.span):
        match statement:
            case ir.Require() if pure(statement.condition):
                expression_lowering.branch(frame, statement.condition, way.fail, False)
                frame.know(statement.condition)
                _prefix(frame, rest, way)
            case ir.Nothing():
                _prefix(frame, rest, way)
            case ir.Let() if pure(statement.value):
                _bind(frame, statement)
                _prefix(frame, rest, way)
            case ir.Choose() if pure(statement.options) and not statement.optional and statement.up_to is None:
                _exists(frame, statement, rest, way)
            case ir.Choose(exactly=True, up_to=count) if count is not None and pure(count) and pure(statement.options):
                _are_enough(frame, statement, count, way)
            case ir.ChooseOne() if not statement.optional:
                _some_option(frame, statement.options, way)
            case ir.AnyOrder():
                _some_option(frame, statement.steps, way)
            case ir.If() if pure(statement.condition):
                _either(frame, statement, rest, way)
            case ir.Do() if _can_follow(frame, statement, way):
                assert statement.form.body is not None
                entered = frame.inlined(expression_lowering.bound_parameters(frame, statement.form, statement.args))
                inside = replace(way, inside=(*way.inside, statement.form))
                _prefix(entered, statement.form.body.statements, inside)
            case ir.Do() if _performed(statement) is not None:
                _can_perform(frame, statement, way)
            case _:
                frame.code.emit(Jmp, way.done)


def _may_fail(frame: BodyFrame, statements: Sequence[Stmt], way: Exits) -> bool:
    """Return whether the prefix of `statements` may contain a test. Without one, it needs no code, even for locals."""
    for statement in statements:
        match statement:
            case ir.Nothing() | ir.Let():
                continue
            case ir.Do() if _can_follow(frame, statement, way):
                assert statement.form.body is not None
                inside = replace(way, inside=(*way.inside, statement.form))
                return _may_fail(frame, statement.form.body.statements, inside)
            case ir.Do():
                return _performed(statement) is not None
            case _:
                return isinstance(statement, ir.Require | ir.Choose | ir.ChooseOne | ir.AnyOrder | ir.If)
    return False


def _performed(statement: ir.Do) -> ir.Get | None:
    """Return the effect field that a statement runs; None for other statements."""
    if op_of(statement.form) is Perform and isinstance(statement.args[0], ir.Get):
        return statement.args[0]
    return None


def _can_perform(frame: BodyFrame, statement: ir.Do, way: Exits) -> None:
    """Test whether the effect of a field can begin, by the guard of that field."""
    effect = _performed(statement)
    assert effect is not None
    can = frame.code.int_register()
    frame.code.emit(Eval, can, frame.unit.guard_field(effect.field), expression_lowering.emit_value(frame, effect.of))
    frame.code.emit(Jf, can, way.fail)
    frame.code.emit(Jmp, way.done)


def _bind(frame: BodyFrame, statement: ir.Let) -> None:
    """Bind a local to a register of the guard's own."""
    place = frame.fresh(statement.var.type.many)
    if place.many:
        expression_lowering.emit_list_into(frame, statement.value, place.index)
    else:
        expression_lowering.emit_value(frame, statement.value, place.index)
    frame.slots[statement.var.slot] = place


def _exists(frame: BodyFrame, statement: ir.Choose, rest: tuple[Stmt, ...], way: Exits) -> None:
    """Test whether some option satisfies the rest: the loop continues when one fails it, and fails at its end."""
    code = frame.code
    if not _may_fail(frame, rest, way):
        it = frame.unit.inliner.fresh()
        some = ir.Quantified("any", statement.options, it, None, ir.FLAG, statement.span)
        expression_lowering.branch(frame, some, way.fail, False)
        code.emit(Jmp, way.done)
        return

    def attempt(candidate: int) -> None:
        frame.slots[statement.var.slot] = Register(candidate)
        again = code.label()
        _prefix(frame, rest, replace(way, fail=again))
        code.place(again)

    expression_lowering.emit_loop(frame, candidate_loop(frame, statement.options), attempt)
    code.emit(Jmp, way.fail)


def _are_enough(frame: BodyFrame, statement: ir.Choose, count: ir.Expr, way: Exits) -> None:
    """Test whether there are enough things to choose from; the rest of the prefix is not tested."""
    span = statement.span
    number = ir.Quantified("number", statement.options, frame.unit.inliner.fresh(), None, ir.NUMBER, span)
    expression_lowering.branch(frame, ir.Binary(">=", number, count, ir.FLAG, span), way.fail, False)
    frame.code.emit(Jmp, way.done)


def _some_option(frame: BodyFrame, options: Sequence[ir.Option], way: Exits) -> None:
    for option in options:
        other = frame.code.label()
        _prefix(frame.branched(), option.body.statements, replace(way, fail=other))
        frame.code.place(other)
    frame.code.emit(Jmp, way.fail)


def _either(frame: BodyFrame, statement: ir.If, rest: tuple[Stmt, ...], way: Exits) -> None:
    """Test each branch, continuing after the `if` (unless another one follows, which would multiply the paths)."""
    otherwise = frame.code.label()
    after = () if any(isinstance(later, ir.If) for later in rest) else rest
    expression_lowering.branch(frame, statement.condition, otherwise, False)
    _prefix(frame.branched(), (*statement.then.statements, *after), way)
    frame.code.place(otherwise)
    _prefix(frame.branched(), (*statement.otherwise.statements, *after), way)


def _can_follow(frame: BodyFrame, statement: ir.Do, way: Exits) -> bool:
    """Return whether a verb at the start of the effect can be read as part of the prefix."""
    form = statement.form
    return (
        form.body is not None
        and not any(form is outer for outer in way.inside)
        and len(way.inside) < DEEPEST
        and all(arg is None or frame.unit.purity.of(arg) for arg in statement.args)
    )
