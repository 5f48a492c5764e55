"""Lowering of statements to instructions, of bodies to codes, and of listeners and modifiers to rows.

It is one module because a statement may begin lasting listeners, whose bodies are statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler import expression_lowering, preconditions, rolls
from fcbdsl.language.compiler.assembler import (
    SELF,
    Assembler,
    BodyFrame,
    Changed,
    Label,
    Place,
    Register,
    SlotLayout,
    open_frame,
)
from fcbdsl.language.compiler.lowering_context import Unit, memoize
from fcbdsl.language.compiler.native_forms import native_op
from fcbdsl.language.compiler.peephole import finish_code
from fcbdsl.language.compiler.planning import constant_fold
from fcbdsl.language.compiler.value_codes import NONE, condition_code, guard_code, value_code
from fcbdsl.language.compiler.walk import slots_read
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import CHANGE, Field, Form, Kind, Param, Trait
from fcbdsl.language.model.ir import NOTHING, NUMBER, Body, Expr, Stmt, Type
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.column_types import Scope
from fcbdsl.machine.vm.ops.arithmetic import Addi, Neg
from fcbdsl.machine.vm.ops.asking import (
    ANSWERED,
    AT_RANDOM,
    OPTIONAL,
    WON_BY,
    AskMany,
    AskOne,
    AskOption,
    Oblige,
    Offer,
    Play,
)
from fcbdsl.machine.vm.ops.calls import Call, Do, Met, NeedSelf, Require, Rets, Retv, Stop
from fcbdsl.machine.vm.ops.counters import Chgowned, Setowned
from fcbdsl.machine.vm.ops.flow import (
    Absent,
    Gone,
    Iter,
    Jeq,
    Jeqi,
    Jf,
    Jle,
    Jlei,
    Jmp,
    Jne,
    Jnei,
    Jt,
    Seal,
    Secret,
    Stay,
)
from fcbdsl.machine.vm.ops.happenings import (
    Announce,
    Batch,
    Cancel,
    End,
    EndAs,
    EndFor,
    EndForAs,
    Flush,
    Last,
    Reached,
    Setp,
    Setps,
    Tell,
)
from fcbdsl.machine.vm.ops.registers import Among, Ladd, Ldrop, Lit, Ljoin, Llen, Lmov, Lnew, Lpop, Lpops
from fcbdsl.machine.vm.ops.state import Chg, Set
from fcbdsl.machine.vm.ops.zones import Renew
from fcbdsl.machine.vm.world import DRAWN, OUTCOMES

# ── statements ───────────────────────────────────────────────────────────────────────────────────


_DEEPEST = 6
"""Most nested measures that are searched for an instance from the box."""


def lower_statements(frame: BodyFrame, statements: tuple[Stmt, ...]) -> None:
    """Lower statements in order."""
    for statement in statements:
        with frame.code.scratch(statement.span):
            if frame.unit.probes is not None:
                _emit_probe(frame, statement)
            lower_statement(frame, statement)


def _emit_probe(frame: BodyFrame, node: ir.Node, way: str = "") -> None:
    """Emit a probe if the node is instrumented for coverage."""
    if frame.unit.probes is not None and frame.unit.probes.watches(node, way):
        with frame.code.scratch():
            frame.code.emit(Lit, frame.code.int_register(), 0)
        frame.unit.probes.register(frame.code.instructions[-1], node, way)


def _way(frame: BodyFrame, of: ir.Node, statements: tuple[Stmt, ...], way: str = "") -> None:
    """Lower one of the ways that a statement may take."""
    _emit_probe(frame, of, way)
    lower_statements(frame, statements)


def lower_statement(frame: BodyFrame, statement: Stmt) -> None:
    """Lower one statement; temporaries it takes are the caller's to free."""
    match statement:
        case ir.Let():
            assign_local(frame, statement.var, statement.value)
            _renew(frame, statement.value, frame.register_of(statement.var), statement.var.type.many)
        case ir.Assign():
            _assign(frame, statement)
        case ir.Do():
            do(frame, statement)
        case ir.Announce():
            event = statement.event
            arguments = _passed(frame, event.params, statement.args)
            frame.code.emit(Announce, frame.unit.event(event), arguments)
            if frame.tried is not None:
                _note_unmet(frame, frame.tried)
        case ir.If():
            _if(frame, statement)
        case ir.Then():
            _then(frame, statement)
        case ir.ForEach():
            _for_each(frame, statement)
        case ir.Repeat():
            _repeat(frame, statement)
        case ir.Choose():
            _choose(frame, statement)
        case ir.ChooseOne():
            _choose_one(frame, statement)
        case ir.AnyOrder():
            _any_order(frame, statement)
        case ir.Roll():
            _roll(frame, statement)
        case ir.Play():
            _play(frame, statement)
        case ir.Require():
            _require(frame, statement)
        case ir.Nothing():
            pass
        case ir.Stop():
            frame.code.emit(Stop)
        case ir.Break():
            frame.code.emit(Jmp, frame.loops[-1])
        case ir.Cancel():
            frame.code.emit(Cancel)
        case ir.Answer():
            _answer(frame, statement)
        case ir.Until():
            lower_until(frame, statement)
        case ir.Offer():
            _offer(frame, statement)
        case ir.End():
            why = frame.unit.texts.number(statement.why)
            if statement.side is not None and statement.side.type.many:
                sides = expression_lowering.emit_list(frame, statement.side)
                if statement.ending is not None:
                    ending = expression_lowering.emit_value(frame, statement.ending)
                    frame.code.emit(EndForAs, OUTCOMES.index(statement.outcome), sides, why, ending)
                    return
                frame.code.emit(EndFor, OUTCOMES.index(statement.outcome), sides, why)
                return
            side = (
                frame.code.constant(-1)
                if statement.side is None
                else expression_lowering.emit_value(frame, statement.side)
            )
            if statement.ending is not None:
                ending = expression_lowering.emit_value(frame, statement.ending)
                frame.code.emit(EndAs, OUTCOMES.index(statement.outcome), side, why, ending)
                return
            frame.code.emit(End, OUTCOMES.index(statement.outcome), side, why)
        case _:
            assert_never(statement)


def _offer(frame: BodyFrame, statement: ir.Offer) -> None:
    """Lower an offer. The actors are computed again before every action, because an action may change them."""
    done, again = frame.code.label(), frame.code.here()
    with frame.code.scratch():
        actors = expression_lowering.emit_list(frame, statement.actors)
        by = frame.code.constant(-1) if statement.by is None else expression_lowering.emit_value(frame, statement.by)
        if statement.free is not None:
            free = frame.code.label()
            expression_lowering.branch(frame, statement.free, free, True)
            frame.code.emit(Oblige, actors, by, done)
            frame.code.emit(Jmp, again)
            frame.code.place(free)
        frame.code.emit(Offer, actors, by, done)
    if not statement.once:
        frame.code.emit(Jmp, again)
    frame.code.place(done)


def assign_local(frame: BodyFrame, var: ir.Var, expr: ir.Expr) -> None:
    """Bind a local. If it is a parameter of the current event, all listeners see the new value."""
    register = frame.register_of(var)
    many = frame.place_of(var) == Register(register, True)
    if many and var.slot not in slots_read(expr):
        expression_lowering.emit_list_into(frame, expr, register)
    elif many:
        frame.code.emit(Lmov, register, expression_lowering.emit_list(frame, expr))
    else:
        expression_lowering.emit_value(frame, expr, register)
    if var.slot in frame.event_params:
        parameter, low, high = frame.event_params[var.slot]
        expression_lowering.emit_clamp(frame, register, register, low, high)
        frame.code.emit(Setps if many else Setp, parameter, register)


def _assign(frame: BodyFrame, statement: ir.Assign) -> None:
    target = statement.target
    of = expression_lowering.emit_value(frame, target.of)
    amount = expression_lowering.emit_value(frame, statement.value)
    _renew(frame, statement.value, amount)
    number = frame.unit.field(target.field)
    if target.owner is not None:
        owner = expression_lowering.emit_value(frame, target.owner)
        frame.code.emit(Setowned if statement.op == "=" else Chgowned, number, of, owner, amount)
        return
    frame.code.emit(Set if statement.op == "=" else Chg, number, of, amount)


def _renew(frame: BodyFrame, value: ir.Node | None, register: int, many: bool = False) -> None:
    """Reset what an effect has taken from the box; `many`: the register is that of a list."""
    if frame.pure or not _is_spare(value):
        return
    if not many:
        frame.code.emit(Renew, register)
        return
    with frame.code.scratch():
        index, thing = expression_lowering.counter(frame, -1), frame.code.int_register()
        end, again = frame.code.label(), frame.code.here()
        frame.code.emit(Iter, register, index, thing, end)
        frame.code.emit(Renew, thing)
        frame.code.emit(Jmp, again)
        frame.code.place(end)


def _passed(frame: BodyFrame, params: Sequence[Param], args: Sequence[ir.Expr | None]) -> tuple[Register, ...]:
    """Return the places of arguments; instances from the box are reset."""
    arguments = expression_lowering.call_arguments(frame, params, args)
    for place, arg in zip(arguments[2:], args, strict=True):
        _renew(frame, arg, place.index, place.many)
    return arguments


def _is_spare(value: ir.Node | None, depth: int = 0) -> bool:
    """Return whether a value may be an instance from the box, or contain one; an effect that takes it resets it.

    A measure may answer one: the effect that uses the measure takes it. A pure body only reads it.
    """
    if isinstance(value, ir.ListOf):
        return any(_is_spare(item, depth) for item in value.items)
    if isinstance(value, ir.Select):
        return _is_spare(value.source, depth)
    if not isinstance(value, ir.Apply) or depth > _DEEPEST:
        return False
    body = value.form.body if value.form.op is None else None
    return Trait.SPARES in value.form.traits or any(_is_spare(part, depth + 1) for part in ir.walk(body))


def do(frame: BodyFrame, statement: ir.Do) -> None:
    """Lower a verb: its native op, an event the machine announces, or a plain call."""
    form = statement.form
    if form.op is not None and form.event is None:
        op = native_op(form)
        operands = expression_lowering.native_operands(frame, op, form.params, statement.args)
        for operand, param, arg in zip(operands, form.params, statement.args, strict=True):
            _renew(frame, arg, operand, param.type.many)
        frame.code.emit(op, *operands)
        if Trait.FAILS in form.traits and frame.tried is not None:
            _note_unmet(frame, frame.tried)
        return
    arguments = _passed(frame, form.params, statement.args)
    if form.event is None:
        frame.code.emit(Call, frame.unit.form_code(form), arguments)
    else:
        frame.code.emit(Do, frame.unit.verb(form), arguments)
    if frame.tried is not None:
        _note_unmet(frame, frame.tried)


def _note_unmet(frame: BodyFrame, tried: int) -> None:
    """Note in a register if what has just been begun could not be done."""
    met, done = frame.code.int_register(), frame.code.label()
    frame.code.emit(Met, met)
    frame.code.emit(Jt, met, done)
    frame.code.emit(Lit, tried, 0)
    frame.code.place(done)


def _if(frame: BodyFrame, statement: ir.If) -> None:
    code = frame.code
    otherwise, end = code.label(), code.label()
    expression_lowering.branch(frame, statement.condition, otherwise, False)
    _way(frame, statement, statement.then.statements, "then")
    if statement.otherwise.statements or frame.unit.probes is not None:
        code.emit(Jmp, end)
    code.place(otherwise)
    _way(frame, statement, statement.otherwise.statements, "else")
    code.place(end)


def _then(frame: BodyFrame, statement: ir.Then) -> None:
    """Lower a `then` statement. The tried body clears a register when something could not be done."""
    code, outer = frame.code, frame.tried
    frame.tried = code.int_register()
    code.emit(Lit, frame.tried, 1)
    lower_statements(frame, statement.tried.statements)
    done, frame.tried = frame.tried, outer
    otherwise, end = code.label(), code.label()
    code.emit(Jf, done, otherwise)
    _way(frame, statement, statement.then.statements, "then")
    code.emit(Jmp, end)
    code.place(otherwise)
    if outer is not None:
        code.emit(Lit, outer, 0)
    _way(frame, statement, statement.otherwise.statements, "else")
    code.place(end)


def _roll(frame: BodyFrame, statement: ir.Roll) -> None:
    """Lower a roll: bind the value, and run the first row that fits."""
    code = frame.code
    rolled = rolls.roll_value(frame, statement)
    end = code.label()
    for row in statement.rows:
        with code.scratch(row.span):
            other = code.label()
            if rolled.many:
                rolls.fits_some(frame, rolled.index, row, other)
            else:
                rolls.fits(frame, rolled.index, row, other)
            _way(frame, row, row.body.statements)
            code.emit(Jmp, end)
            code.place(other)
    code.place(end)


def _play(frame: BodyFrame, statement: ir.Play) -> None:
    """Lower a played mission and the rows for its result. A draw without a separate row counts as lost."""
    code = frame.code
    won = code.int_register()
    code.emit(Play, won, expression_lowering.emit_value(frame, statement.mission))
    rows = {row.end: row for row in statement.rows if row.team is None and row.ending is None}
    lost, end = code.label(), code.label()
    if frame.unit.endings:
        for row in sorted(statement.rows, key=lambda row: row.team is None):  # the rows of teams are narrower
            if row.ending is not None:
                _ending_row(frame, won, row, row.ending, end)
        for row in statement.rows:
            if isinstance(row.team, ir.Instance) and row.ending is None:
                _play_row(frame, won, WON_BY + frame.unit.team_number(row.team.id), row, end)
        drawn = ANSWERED.index(DRAWN)
        if "drawn" in rows:
            _play_row(frame, won, drawn, rows["drawn"], end)
        else:
            code.emit(Jeqi, won, drawn, lost)
    code.emit(Jf, won, lost)
    if "won" in rows:
        _way(frame, rows["won"], rows["won"].body.statements)
    code.emit(Jmp, end)
    code.place(lost)
    if "lost" in rows:
        _way(frame, rows["lost"], rows["lost"].body.statements)
    code.place(end)


def _ending_row(frame: BodyFrame, ended: int, row: ir.PlayRow, ending: ir.Expr, end: Label) -> None:
    """Lower the row for a named ending of a mission."""
    code = frame.code
    other = code.label()
    with code.scratch(row.span):
        reached = code.int_register()
        code.emit(Reached, reached)
        code.emit(Jne, reached, expression_lowering.emit_value(frame, ending), other)
    if isinstance(row.team, ir.Instance):
        code.emit(Jnei, ended, WON_BY + frame.unit.team_number(row.team.id), other)
    elif row.end == "won":
        code.emit(Jf, ended, other)
        code.emit(Jeqi, ended, ANSWERED.index(DRAWN), other)
    else:
        code.emit(Jnei, ended, ANSWERED.index(DRAWN) if row.end == "drawn" else 0, other)
    _way(frame, row, row.body.statements)
    code.emit(Jmp, end)
    code.place(other)


def _play_row(frame: BodyFrame, ended: int, how: int, row: ir.PlayRow, end: Label) -> None:
    """Lower the row for one result of a mission."""
    other = frame.code.label()
    frame.code.emit(Jnei, ended, how, other)
    _way(frame, row, row.body.statements)
    frame.code.emit(Jmp, end)
    frame.code.place(other)


def _loop_body(frame: BodyFrame, inner: Body, end: Label) -> None:
    frame.loops.append(end)
    lower_statements(frame, inner.statements)
    frame.loops.pop()


def _for_each(frame: BodyFrame, statement: ir.ForEach) -> None:
    """Lower a loop. The list is fixed before the first round; things that leave play meanwhile are skipped."""
    code = frame.code
    items = expression_lowering.emit_list(frame, statement.items)
    _renew(frame, statement.items, items, True)
    if statement.any_order:
        _for_each_chosen(frame, statement, items)
        return
    if statement.secret:
        _for_each_in_secret(frame, statement, items)
        return
    if isinstance(statement.items, ir.Var):
        copied = code.list_register()
        code.emit(Lmov, copied, items)
        items = copied
    absent = _absent(frame, statement, items)
    index = expression_lowering.counter(frame, -1)
    outermost = statement.together and not frame.together
    if outermost:
        frame.together = True
        code.emit(Batch)
    end, again = code.label(), code.here()
    code.emit(Iter, items, index, frame.register_of(statement.var), end)
    if absent is not None:
        code.emit(Gone, frame.register_of(statement.var), absent, again)
    _loop_body(frame, statement.body, end)
    code.emit(Jmp, again)
    code.place(end)
    if outermost:
        frame.together = False
        code.emit(Flush)


STEADY = frozenset({"space", "side", "region", "player", "team", "ending", "mission", "campaign", "game", "track"})
"""Built-in kinds whose things never come into play or leave it during a game."""


def _absent(frame: BodyFrame, statement: ir.ForEach, items: int) -> int | None:
    """Return a list of those things of a loop that are not in play as it begins; None if none can leave play in it."""
    type_ = statement.var.type
    if type_.base != "thing" or frame.answers is not None:
        return None
    kind = frame.unit.model.kinds.get(type_.name)
    if kind is not None and any(above.id in STEADY for above in kind.lineage()):
        return None
    if not any(isinstance(node, ir.Do | ir.Announce | ir.Offer) for node in ir.walk(statement.body)):
        return None
    absent = frame.code.list_register()
    if isinstance(statement.items, ir.Select):
        frame.code.emit(Lnew, absent)
    else:
        frame.code.emit(Absent, absent, items)
    return absent


def _for_each_chosen(frame: BodyFrame, statement: ir.ForEach, items: int) -> None:
    """Lower a loop whose next item is chosen before each round."""
    code = frame.code
    left, size = code.list_register(), code.int_register()
    out = frame.register_of(statement.var)
    code.emit(Lmov, left, items)
    absent = _absent(frame, statement, items)
    end, again = code.label(), code.here()
    if absent is not None:
        code.emit(Stay, left, absent)
    code.emit(Llen, size, left)
    code.emit(Jlei, size, 0, end)
    with code.scratch():
        question = (0, frame.unit.tag(statement.items.type), _purpose(frame, statement.var, statement.items))
        code.emit(AskOne, out, left, chooser(frame, statement.by), *question)
    code.emit(Ldrop, left, out)
    _loop_body(frame, statement.body, end)
    code.emit(Jmp, again)
    code.place(end)


def _for_each_in_secret(frame: BodyFrame, statement: ir.ForEach, items: int) -> None:
    """Lower a loop with secret choices: first all players choose, then the rest runs for one after the other."""
    code = frame.code
    choosing, rest = statement.body.statements[: statement.secret], statement.body.statements[statement.secret :]
    those, values, size = code.list_register(), code.list_register(), code.int_register()
    code.emit(Lmov, those, items)
    index, who = expression_lowering.counter(frame, -1), frame.register_of(statement.var)
    carry, end, again = code.label(), code.label(), code.here()
    code.emit(Secret, those, index, who, values, carry, end)
    lower_statements(frame, choosing)
    places = [
        (frame.register_of(choice.var), choice.var.type.many)
        for choice in choosing
        if isinstance(choice, ir.Let | ir.Choose)
    ]
    for local, many in places:
        if many:
            code.emit(Llen, size, local)
            code.emit(Ladd, values, size)
            code.emit(Ljoin, values, local)
            code.emit(Lnew, local)
        else:
            code.emit(Ladd, values, local)
            code.emit(Lit, local, -1)
    code.emit(Seal, who, values, again)
    code.place(carry)
    for local, many in places:
        code.emit(Lpops if many else Lpop, local, values)
    _loop_body(frame, Body(rest), end)
    code.emit(Jmp, again)
    code.place(end)


def _repeat(frame: BodyFrame, statement: ir.Repeat) -> None:
    code = frame.code
    end = code.label()
    if statement.times is None:
        again = code.here()
        _loop_body(frame, statement.body, end)
        code.emit(Jmp, again)
        code.place(end)
        return
    left = code.int_register()
    expression_lowering.emit_value(frame, statement.times, left)
    again = code.here()
    code.emit(Jlei, left, 0, end)
    code.emit(Addi, left, left, -1)
    _loop_body(frame, statement.body, end)
    code.emit(Jmp, again)
    code.place(end)


def _require(frame: BodyFrame, statement: ir.Require) -> None:
    met = frame.code.label()
    expression_lowering.branch(frame, statement.condition, met, True)
    frame.code.emit(Require, frame.code.constant(0))
    frame.code.place(met)


def _answer(frame: BodyFrame, statement: ir.Answer) -> None:
    if frame.answers is not None and frame.answers.many:
        frame.code.emit(Rets, expression_lowering.emit_list(frame, statement.value))
    else:
        result = expression_lowering.emit_value(frame, statement.value)
        if frame.relation >= 0:
            frame.code.emit(Tell, frame.relation, result)
        frame.code.emit(Retv, result)


# ── decisions ────────────────────────────────────────────────────────────────────────────────────


def chooser(frame: BodyFrame, by: ir.Expr | None) -> int:
    """Return the register with the chooser: the given player, or `self`, whose controller is asked."""
    if by is not None:
        return expression_lowering.emit_value(frame, by)
    return expression_lowering.slot_register(frame, SELF).index


def _choose(frame: BodyFrame, statement: ir.Choose) -> None:
    code = frame.code
    options = expression_lowering.emit_list(frame, statement.options)
    by = chooser(frame, statement.by)
    tag = frame.unit.tag(statement.options.type)
    why = _purpose(frame, statement.var, statement.options)
    out = frame.register_of(statement.var)
    flags = OPTIONAL * statement.optional + AT_RANDOM * statement.chance
    if statement.up_to is None:
        code.emit(AskOne, out, options, by, flags, tag, why)
    elif statement.exactly:
        count = expression_lowering.emit_value(frame, statement.up_to, code.int_register())
        _choose_exactly(code, out, options, count, (by, flags, tag, why))
    else:
        code.emit(AskMany, out, options, by, expression_lowering.emit_value(frame, statement.up_to), tag, why)
    _renew(frame, statement.options, out, statement.up_to is not None)
    if frame.tried is not None and (statement.optional or statement.up_to is not None):
        _note_none(frame, frame.tried, out, statement.up_to is not None)


def _note_none(frame: BodyFrame, tried: int, chosen: int, many: bool) -> None:
    """Emit that a declined choice counts as not done."""
    code, some, number = frame.code, frame.code.label(), chosen
    if many:
        number = code.int_register()
        code.emit(Llen, number, chosen)
    code.emit(Jnei, number, 0 if many else -1, some)
    code.emit(Lit, tried, 0)
    code.place(some)


def _choose_exactly(code: Assembler, out: int, options: int, missing: int, question: tuple[int, int, int, int]) -> None:
    """Ask for one thing after the other, until `missing` things are chosen.

    If exactly as many options are left, all are taken. If there are fewer, the question has no options, like any choice
    that can't be made.
    """
    left, chosen, size = code.list_register(), code.int_register(), code.int_register()
    code.emit(Lmov, left, options)
    code.emit(Lnew, out)
    ask, all, end = code.label(), code.label(), code.label()
    again = code.here()
    code.emit(Jlei, missing, 0, end)
    code.emit(Llen, size, left)
    code.emit(Jeq, size, missing, all)
    code.emit(Jle, missing, size, ask)
    code.emit(Lnew, left)
    code.place(ask)
    code.emit(AskOne, chosen, left, *question)
    code.emit(Ladd, out, chosen)
    code.emit(Ldrop, left, chosen)
    code.emit(Addi, missing, missing, -1)
    code.emit(Jmp, again)
    code.place(all)
    code.emit(Ljoin, out, left)
    code.place(end)


def _purpose(frame: BodyFrame, var: ir.Var, options: Expr) -> int:
    """Return the text number of the chosen thing: the author's word, with the kind's titles in other languages."""
    kind = frame.unit.model.kinds.get(options.type.name)
    titles = kind.name.title if kind is not None else {}
    return frame.unit.texts.number({**titles, "en": var.name})


def _choose_one(frame: BodyFrame, statement: ir.ChooseOne) -> None:
    """Ask which of the options that can be met is done."""
    code = frame.code
    allowed = _allowed(frame, statement.options)
    chosen = code.int_register()
    labels = frame.unit.option_labels(statement.options)
    code.emit(AskOption, chosen, allowed, chooser(frame, statement.by), int(statement.optional), labels)
    if frame.tried is not None:
        _note_none(frame, frame.tried, chosen, False)
    _chosen(frame, statement.options, chosen)


def _allowed(frame: BodyFrame, options: Sequence[ir.Option], left: int | None = None) -> int:
    """Return the list register with the numbers of the possible options; `left`: only of those in that list."""
    code = frame.code
    allowed = code.list_register()
    code.emit(Lnew, allowed)
    for number, option in enumerate(options):
        with code.scratch(option.span):
            skip = code.label()
            if left is not None:
                there = code.int_register()
                code.emit(Among, there, frame.code.constant(number), left)
                code.emit(Jf, there, skip)
            preconditions.check_can_begin(frame, option.body.statements, skip)
            code.emit(Ladd, allowed, frame.code.constant(number))
            code.place(skip)
    return allowed


def _chosen(frame: BodyFrame, options: Sequence[ir.Option], chosen: int) -> None:
    """Run the option with a number."""
    code, end = frame.code, frame.code.label()
    for number, option in enumerate(options):
        after = code.label()
        code.emit(Jnei, chosen, number, after)
        _way(frame, option, option.body.statements)
        if number < len(options) - 1:
            code.emit(Jmp, end)
        code.place(after)
    code.place(end)


def _any_order(frame: BodyFrame, statement: ir.AnyOrder) -> None:
    """Ask which of the remaining possible steps comes next, until there is none."""
    code = frame.code
    left, size, chosen = code.list_register(), code.int_register(), code.int_register()
    code.emit(Lnew, left)
    for number in range(len(statement.steps)):
        with code.scratch():
            code.emit(Ladd, left, frame.code.constant(number))
    end, again = code.label(), code.here()
    with code.scratch():
        allowed = _allowed(frame, statement.steps, left)
        code.emit(Llen, size, allowed)
        code.emit(Jlei, size, 0, end)
        labels = frame.unit.option_labels(statement.steps)
        code.emit(AskOption, chosen, allowed, chooser(frame, statement.by), 0, labels)
    code.emit(Ldrop, left, chosen)
    _chosen(frame, statement.steps, chosen)
    code.emit(Jmp, again)
    code.place(end)
    if frame.tried is not None:
        all_done = code.label()
        code.emit(Llen, size, left)
        code.emit(Jlei, size, 0, all_done)
        code.emit(Lit, frame.tried, 0)
        code.place(all_done)


# ── effects that last ────────────────────────────────────────────────────────────────────────────


def lower_until(frame: BodyFrame, statement: ir.Until) -> None:
    """Begin a lasting effect, from a template that is part of the program."""
    unit = frame.unit
    number = len(unit.lastings)
    span = unit.spans.number(statement.span)
    unit.lastings.append(vm.Lasting(unit.event(statement.until), frame.locals, span, frame.things))
    owner = Owner("lasting", number, f"{frame.code.name}, lasting", frame.locals, captured=dict(frame.slots))
    for changed in statement.modifiers:
        modifier(unit, changed, owner)
    for heard in statement.listeners:
        add_listener(unit, heard, owner)
    subject = (
        frame.code.constant(-1)
        if statement.subject is None
        else expression_lowering.emit_value(frame, statement.subject)
    )
    frame.code.emit(Last, number, subject)


# ── codes ────────────────────────────────────────────────────────────────────────────────────────


@memoize
def effect(
    unit: Unit,
    name: str,
    body: Body,
    layout: SlotLayout | None = None,
    changes: dict[int, Changed] | None = None,
    owned: bool = False,
) -> int:
    """Return the code of an effect.

    `changes`: the slots for parameters of the current event that the effect may change. `owned`: the effect belongs to
    a held thing, so it needs a holder if it uses `self`.
    """
    frame = open_frame(unit, name, layout or SlotLayout(body.slots))
    frame.event_params = changes or {}
    if owned and unit.self_use.of(body):
        frame.code.emit(NeedSelf)
    lower_statements(frame, body.statements)
    return finish_code(unit, frame.code)


@memoize
def supposition(unit: Unit, name: str, body: Body) -> int:
    """Return the code of a guess's restriction: an effect that answers 1 if it reaches its end."""
    frame = open_frame(unit, name, SlotLayout(body.slots))
    lower_statements(frame, body.statements)
    if frame.code.reachable_end():
        frame.code.emit(Retv, frame.code.constant(1))
    return finish_code(unit, frame.code)


@memoize
def form(unit: Unit, declared: Form, number: int) -> None:
    """Write the code of a form's body, as number `number`."""
    assert declared.body is not None
    name = f"{declared.sort} {declared.id}"
    frame = open_frame(unit, name, SlotLayout(declared.body.slots, params=2 + len(declared.params)))
    frame.answers = None if declared.sort in {"verb", "keyword"} else declared.gives
    frame.pure = frame.answers is not None and unit.purity.of_form(declared)
    frame.relation = unit.relation(declared)
    lower_statements(frame, declared.body.statements)
    if frame.answers is not None and frame.code.reachable_end():
        _answer_nothing(frame, frame.answers)
    elif frame.answers is None and _is_one_try(declared.body.statements):
        _require_done(frame)
    finish_code(unit, frame.code, number)


def _is_one_try(statements: tuple[Stmt, ...]) -> bool:
    """Return whether statements are a single built-in verb that may do nothing."""
    only = statements[0] if len(statements) == 1 else None
    return isinstance(only, ir.Do) and only.form.event is None and Trait.FAILS in only.form.traits


def _require_done(frame: BodyFrame) -> None:
    """End the code unmet if the op before could not do anything."""
    done = frame.code.int_register()
    frame.code.emit(Met, done)
    frame.code.emit(Require, done)


def _answer_nothing(frame: BodyFrame, gives: Type) -> None:
    """Emit the answer of a body that ends without one."""
    if gives.many:
        empty = frame.code.list_register()
        frame.code.emit(Lnew, empty)
        frame.code.emit(Rets, empty)
    else:
        absent = 0 if gives.base in {"number", "flag", "condition", "nothing"} else -1
        frame.code.emit(Retv, frame.code.constant(absent))


@memoize
def answering(unit: Unit, name: str, body: Body) -> int:
    """Return the code of a body that answers, with self and this."""
    frame = open_frame(unit, name, SlotLayout(body.slots))
    frame.answers, frame.pure = NUMBER, True
    lower_statements(frame, body.statements)
    if frame.code.reachable_end():
        _answer_nothing(frame, NUMBER)
    return finish_code(unit, frame.code)


@memoize
def number_code(unit: Unit, name: str, body: Body, params: int) -> int:
    """Return the code of a body that answers a number; its parameters are self, this and `params` of an event."""
    frame = open_frame(unit, name, SlotLayout(body.slots, params=2 + params))
    frame.answers, frame.pure = NUMBER, True
    lower_statements(frame, body.statements)
    return finish_code(unit, frame.code)


@memoize
def action_code(unit: Unit, name: str, body: Body, costs: Sequence[tuple[Field, Expr]]) -> int:
    """Return the code of an action: its price, then its effect."""
    frame = open_frame(unit, name, SlotLayout(body.slots))
    for field, amount in costs:
        with frame.code.scratch(amount.span):
            literal = constant_fold(frame, amount)
            if literal is not None:
                price = frame.code.constant(-literal)
            else:
                price = frame.code.int_register()
                frame.code.emit(Neg, price, expression_lowering.emit_value(frame, amount))
            frame.code.emit(Chg, unit.field(field), expression_lowering.slot_register(frame, SELF).index, price)
    lower_statements(frame, body.statements)
    return finish_code(unit, frame.code)


@memoize
def native(unit: Unit, declared: Form) -> int:
    """Return the code of an event verb whose body is a native op."""
    assert declared.op is not None
    slots = (("self", NOTHING), ("this", NOTHING), *((param.name, param.type) for param in declared.params))
    frame = open_frame(unit, f"{declared.sort} {declared.id}", SlotLayout(slots, params=len(slots)))
    frame.code.emit(native_op(declared), *range(2, len(slots)))
    if Trait.FAILS in declared.traits:
        _require_done(frame)
    return finish_code(unit, frame.code)


# ── listeners and modifiers ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of listeners and modifiers.

    `first`: the register at which the event's parameters, or the candidate, begin. `captured`: the places of locals
    that a lasting effect keeps. `condition`: an additional condition of all its behavior. `kind`: the kind whose
    offers, limits and prices apply.
    """

    scope: Scope
    number: int
    name: str
    first: int = 2
    captured: dict[int, Place] | None = None
    condition: Expr | None = None
    kind: Kind | None = None

    def layout(self, slots: Sequence[tuple[str, Type]], first: int, extra: int) -> SlotLayout:
        """Return the layout of a code that gets `extra` values beside self and this, the first in slot `first`."""
        return SlotLayout(slots, self.first + extra, first, self.captured, self.first - first)


def add_listener(unit: Unit, heard: ir.Listener, owner: Owner) -> None:
    """Add a listener. Its registers: self and this (or the captured ones), then the event's parameters."""
    name = f"{owner.name}, {heard.timing} {heard.event.id}"
    layout = owner.layout(heard.body.slots, heard.first, len(heard.event.params))
    tests = [owner.condition, *(bind.condition for bind in heard.binds), heard.condition]
    params = enumerate(zip(heard.binds, heard.event.params, strict=False))
    bounds = {bind.slot: (n, param.low, param.high) for n, (bind, param) in params}
    changes = bounds if heard.timing == "before" else {}
    offer = _governing(owner.kind)
    offered = heard.offered or (offer is not None and offer.offered)
    usable, spends = unit_prices(unit, offer)
    unit.listeners.append(
        vm.Listener(
            event=unit.event(heard.event),
            timing=heard.timing,
            scope=owner.scope,
            owner=owner.number,
            condition=condition_code(unit, f"{name}, if", tests, layout),
            guard=guard_code(unit, f"{name}, can", (), heard.body.statements, layout) if offered else NONE,
            body=effect(unit, name, heard.body, layout, changes),
            limit=_limit(unit, heard, offer),
            rearms=heard.event is CHANGE and not heard.once,
            offered=offered,
            usable=usable,
            spends=spends,
            first=owner.first,
            title=unit.texts.number(heard.title),
            span=unit.spans.number(heard.span),
        )
    )


def _limit(unit: Unit, heard: ir.Listener, offer: Kind | None) -> int:
    if heard.event is CHANGE:  # the limit is the record that it has run
        return unit.limit(CHANGE, "instance", f"listener {unit.spans.number(heard.span)}")
    if heard.limit is not None or offer is None:
        return unit.limit(heard.limit, "instance", f"listener {unit.spans.number(heard.span)}")
    return unit.limit(offer.limit, offer.limit_per or "instance", f"kind {offer.id}")


def unit_prices(unit: Unit, kind: Kind | None) -> tuple[int, int]:
    """Return the codes (usable, spends) of a kind whose listeners are offered."""
    if kind is None:
        return NONE, NONE
    prices = unit.prices.get(kind.id)
    if prices is None:
        usable = NONE
        if kind.usable is not None:
            usable = answering(unit, f"{kind.id}, usable", kind.usable)
        spends = NONE if kind.spends is None else effect(unit, f"{kind.id}, spends", kind.spends)
        prices = unit.prices[kind.id] = (usable, spends)
    return prices


def _governing(kind: Kind | None) -> Kind | None:
    """Return the kind itself or the nearest ancestor that defines how its listeners are offered."""
    for above in kind.lineage() if kind is not None else ():
        if above.offered or above.usable or above.spends or above.limit:
            return above
    return None


def modifier(unit: Unit, changed: ir.Modifier, owner: Owner) -> None:
    """Add a modifier. Its registers: self and this (or the captured ones), then the candidate."""
    name = f"{owner.name}, {changed.field.id}"
    layout = owner.layout(changed.slots, changed.it, 1)
    own = owner.scope != "lasting" and _is_about_self(changed)
    tests = [owner.condition, changed.condition]
    unit.modifiers.append(
        vm.Modifier(
            field=unit.field(changed.field),
            kind=unit.kind(changed.kind.id),
            scope=owner.scope,
            owner=owner.number,
            mode=changed.mode,
            amount=value_code(unit, f"{name}, amount", changed.amount, layout),
            it=owner.first,
            where=NONE if own else condition_code(unit, f"{name}, whose", [changed.where], layout),
            condition=condition_code(unit, f"{name}, while", tests, layout),
            own=own,
            span=unit.spans.number(changed.span),
        )
    )


def _is_about_self(changed: ir.Modifier) -> bool:
    """Return whether a modifier affects `self` alone: its `where` is `it = self`."""
    where = changed.where
    if not isinstance(where, ir.Binary) or where.op != "=":
        return False
    sides = (where.left, where.right)
    return {side.slot if isinstance(side, ir.Var) else -1 for side in sides} == {0, changed.it}
