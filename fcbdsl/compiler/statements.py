"""Statements to instructions."""

from __future__ import annotations

from typing import assert_never

from fcbdsl.compiler import conditions, guards, lasting, rolls, values
from fcbdsl.compiler.assembler import Label
from fcbdsl.compiler.frames import SELF, Frame, Register
from fcbdsl.compiler.natives import bound
from fcbdsl.compiler.walk import slots_read
from fcbdsl.model import ir
from fcbdsl.model.ir import Body, Stmt
from fcbdsl.vm.ops.arithmetic import Addi
from fcbdsl.vm.ops.asking import AT_RANDOM, OPTIONAL, AskMany, AskOne, AskOption, Offer, Play
from fcbdsl.vm.ops.calls import Call, Do, Require, Rets, Retv, Stop
from fcbdsl.vm.ops.counters import Chgowned, Setowned
from fcbdsl.vm.ops.data import Ladd, Lmov, Lnew
from fcbdsl.vm.ops.flow import Iter, Jf, Jlei, Jmp, Jnei
from fcbdsl.vm.ops.happenings import Announce, Batch, Cancel, End, Flush, Setp, Setps
from fcbdsl.vm.ops.state import Chg, Set
from fcbdsl.vm.world import OUTCOMES


def body(frame: Frame, statements: tuple[Stmt, ...]) -> None:
    """Lower statements in order."""
    for statement in statements:
        with frame.code.scratch(), frame.code.at(statement.span):
            lower_statement(frame, statement)


def lower_statement(frame: Frame, statement: Stmt) -> None:
    """Lower one statement; temporaries it takes are the caller's to free."""
    match statement:
        case ir.Let():
            assign_local(frame, statement.var, statement.value)
        case ir.Assign():
            _assign(frame, statement)
        case ir.Do():
            do(frame, statement)
        case ir.Announce():
            event = statement.event
            arguments = values.call_arguments(frame, event.params, statement.args)
            frame.code.emit(Announce, frame.unit.event(event), frame.unit.arguments(arguments))
        case ir.If():
            _if(frame, statement)
        case ir.ForEach():
            _for_each(frame, statement)
        case ir.Repeat():
            _repeat(frame, statement)
        case ir.Choose():
            _choose(frame, statement)
        case ir.ChooseOne():
            _choose_one(frame, statement)
        case ir.Roll():
            rolls.roll(frame, statement)
        case ir.Play():
            _play(frame, statement)
        case ir.Require():
            _require(frame, statement)
        case ir.Stop():
            frame.code.emit(Stop)
        case ir.Break():
            frame.code.emit(Jmp, frame.loops[-1])
        case ir.Cancel():
            frame.code.emit(Cancel)
        case ir.Answer():
            _answer(frame, statement)
        case ir.Until():
            lasting.until(frame, statement)
        case ir.Offer():
            _offer(frame, statement)
        case ir.End():
            side = values.literal(frame, -1) if statement.side is None else values.value(frame, statement.side)
            why = frame.unit.texts.number(statement.why)
            frame.code.emit(End, OUTCOMES.index(statement.outcome), side, why)
        case _:
            assert_never(statement)


def _offer(frame: Frame, statement: ir.Offer) -> None:
    """Who may act is looked up anew before every action: an action may change that."""
    done, again = frame.code.label(), frame.code.here()
    with frame.code.scratch():
        actors = values.many(frame, statement.actors)
        by = values.literal(frame, -1) if statement.by is None else values.value(frame, statement.by)
        frame.code.emit(Offer, actors, by, done)
    if not statement.once:
        frame.code.emit(Jmp, again)
    frame.code.place(done)


def assign_local(frame: Frame, var: ir.Var, expr: ir.Expr) -> None:
    """Bind a local; a parameter of the event being heard is changed for everybody."""
    register = frame.register_of(var)
    many = frame.place_of(var) == Register(register, True)
    if many and var.slot not in slots_read(expr):
        values.many_into(frame, expr, register)
    elif many:
        frame.code.emit(Lmov, register, values.many(frame, expr))
    else:
        values.value(frame, expr, register)
    if var.slot in frame.event_params:
        frame.code.emit(Setps if many else Setp, frame.event_params[var.slot], register)


def _assign(frame: Frame, statement: ir.Assign) -> None:
    target = statement.target
    of = values.value(frame, target.of)
    amount = values.value(frame, statement.value)
    number = frame.unit.field(target.field)
    if target.owner is not None:
        owner = values.value(frame, target.owner)
        frame.code.emit(Setowned if statement.op == "=" else Chgowned, number, of, owner, amount)
        return
    frame.code.emit(Set if statement.op == "=" else Chg, number, of, amount)


def do(frame: Frame, statement: ir.Do) -> None:
    """A verb: its native op, an event the machine announces, or a plain call."""
    form = statement.form
    if form.op is not None and form.event is None:
        op = bound(form)
        frame.code.emit(op, *values.native_operands(frame, op, form.params, statement.args))
        return
    arguments = frame.unit.arguments(values.call_arguments(frame, form.params, statement.args))
    if form.event is None:
        frame.code.emit(Call, frame.unit.form_code(form), arguments)
    else:
        frame.code.emit(Do, frame.unit.verb(form), arguments)


def _if(frame: Frame, statement: ir.If) -> None:
    code = frame.code
    otherwise, end = code.label(), code.label()
    conditions.branch(frame, statement.condition, otherwise, False)
    body(frame, statement.then.statements)
    if statement.otherwise.statements:
        code.emit(Jmp, end)
    code.place(otherwise)
    body(frame, statement.otherwise.statements)
    code.place(end)


def _play(frame: Frame, statement: ir.Play) -> None:
    """Have a mission played, and go on as it ended."""
    code = frame.code
    won = code.int_register()
    code.emit(Play, won, values.value(frame, statement.mission))
    lost, end = code.label(), code.label()
    code.emit(Jf, won, lost)
    body(frame, statement.won.statements)
    code.emit(Jmp, end)
    code.place(lost)
    body(frame, statement.lost.statements)
    code.place(end)


def _loop_body(frame: Frame, inner: Body, end: Label) -> None:
    frame.loops.append(end)
    body(frame, inner.statements)
    frame.loops.pop()


def _for_each(frame: Frame, statement: ir.ForEach) -> None:
    """The list is fixed before the first round: what the body changes does not change it."""
    code = frame.code
    items = values.many(frame, statement.items)
    if isinstance(statement.items, ir.Var):
        kept = code.list_register()
        code.emit(Lmov, kept, items)
        items = kept
    index = values.literal(frame, -1)
    outermost = statement.together and not frame.together
    if outermost:
        frame.together = True
        code.emit(Batch)
    end, again = code.label(), code.here()
    code.emit(Iter, items, index, frame.register_of(statement.var), end)
    _loop_body(frame, statement.body, end)
    code.emit(Jmp, again)
    code.place(end)
    if outermost:
        frame.together = False
        code.emit(Flush)


def _repeat(frame: Frame, statement: ir.Repeat) -> None:
    code = frame.code
    end = code.label()
    if statement.times is None:
        again = code.here()
        _loop_body(frame, statement.body, end)
        code.emit(Jmp, again)
        code.place(end)
        return
    left = code.int_register()
    values.value(frame, statement.times, left)
    again = code.here()
    code.emit(Jlei, left, 0, end)
    code.emit(Addi, left, left, -1)
    _loop_body(frame, statement.body, end)
    code.emit(Jmp, again)
    code.place(end)


def _require(frame: Frame, statement: ir.Require) -> None:
    met = frame.code.label()
    conditions.branch(frame, statement.condition, met, True)
    frame.code.emit(Require, values.literal(frame, 0))
    frame.code.place(met)


def _answer(frame: Frame, statement: ir.Answer) -> None:
    if frame.answers is not None and frame.answers.many:
        frame.code.emit(Rets, values.many(frame, statement.value))
    else:
        frame.code.emit(Retv, values.value(frame, statement.value))


# ── decisions ──────────────────────────────────────────────────────────────────────────────────


def chooser(frame: Frame, by: ir.Expr | None) -> int:
    """The register with who is asked: the given player, or `self`, whose controller the machine knows."""
    if by is not None:
        return values.value(frame, by)
    return values.slot_register(frame, SELF).index


def _choose(frame: Frame, statement: ir.Choose) -> None:
    code = frame.code
    options = values.many(frame, statement.options)
    by = chooser(frame, statement.by)
    tag = frame.unit.tag(statement.options.type)
    why = frame.unit.texts.number(_purpose(frame, statement))
    out = frame.register_of(statement.var)
    if statement.up_to is not None:
        code.emit(AskMany, out, options, by, values.value(frame, statement.up_to), tag, why)
        return
    flags = OPTIONAL * statement.optional + AT_RANDOM * statement.chance
    code.emit(AskOne, out, options, by, flags, tag, why)


def _purpose(frame: Frame, statement: ir.Choose) -> dict[str, str]:
    """What is chosen, for the question: the author's word for it; in other languages, the titles of its kind."""
    kind = frame.unit.model.kinds.get(statement.options.type.name)
    titles = kind.name.title if kind is not None else {}
    return {**titles, "en": statement.var.name}


def _choose_one(frame: Frame, statement: ir.ChooseOne) -> None:
    """Ask which of the options that can be met is done."""
    code = frame.code
    allowed = code.list_register()
    code.emit(Lnew, allowed)
    for number, option in enumerate(statement.options):
        with code.scratch(), code.at(option.span):
            skip = code.label()
            guards.inline(frame, option.body.statements, skip)
            code.emit(Ladd, allowed, values.literal(frame, number))
            code.place(skip)
    chosen = code.int_register()
    labels = frame.unit.option_labels(statement.options)
    code.emit(AskOption, chosen, allowed, chooser(frame, statement.by), int(statement.optional), labels)
    end = code.label()
    for number, option in enumerate(statement.options):
        after = code.label()
        code.emit(Jnei, chosen, number, after)
        body(frame, option.body.statements)
        if number < len(statement.options) - 1:
            code.emit(Jmp, end)
        code.place(after)
    code.place(end)
