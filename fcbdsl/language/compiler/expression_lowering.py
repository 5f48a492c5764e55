"""Lowering of expressions to registers: values, conditions as jumps, selections, dice.

It is one module because each can contain any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from fcbdsl.base import bounds
from fcbdsl.language.compiler.assembler import BANKS, SELF, THIS, BodyFrame, Known, Label, Place, Register
from fcbdsl.language.compiler.inlining import DEEPEST, LARGEST
from fcbdsl.language.compiler.native_forms import native_op
from fcbdsl.language.compiler.planning import (
    CandidateLoop,
    available_place,
    candidate_loop,
    constant_fold,
    leading_conditions,
    worth_hoisting,
)
from fcbdsl.language.compiler.walk import is_loop_invariant, size, sole_answer
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, has_endings
from fcbdsl.language.model.declarations import Field, Form, Param
from fcbdsl.language.model.ir import Expr, Stmt
from fcbdsl.machine.vm.layout import PLAYED
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops.arithmetic import Add, Addi, Div, Eq, Eqi, Le, Lt, Max, Min, Mul, Ne, Neg, Sub
from fcbdsl.machine.vm.ops.board_queries import SideBetween
from fcbdsl.machine.vm.ops.calls import Callr, Calls, EffectOf, Eval
from fcbdsl.machine.vm.ops.counters import Owned
from fcbdsl.machine.vm.ops.dice_rolls import Roll, Rolleach, Rolln, Rollsum
from fcbdsl.machine.vm.ops.flow import Iter, Jeq, Jeqi, Jf, Jgei, Jgti, Jle, Jlei, Jlt, Jlti, Jmp, Jne, Jnei, Jt, Rank
from fcbdsl.machine.vm.ops.happenings import Reached
from fcbdsl.machine.vm.ops.registers import Ladd, Lat, Ldrop, Lit, Ljoin, Llen, Lmov, Lnew, Mov
from fcbdsl.machine.vm.ops.state import (
    Cell,
    Defisa,
    Dfield,
    Dfields,
    Fields,
    First,
    Isa,
    Parts,
    Played,
    Players,
    Seldefs,
    Select,
    Single,
    Stat,
    Variant,
)
from fcbdsl.machine.vm.ops.zones import Zone

# ── values ───────────────────────────────────────────────────────────────────────────────────────


ARITHMETIC: dict[str, type[Op]] = {"+": Add, "-": Sub, "*": Mul, "/": Div, "min": Min, "max": Max}


def emit_value(frame: BodyFrame, expr: Expr, into: int | None = None) -> int:
    """Emit the computation of `expr` and return the int register with the result.

    Without `into` the register may be that of a local, so it must not be written. A list gives its first element, or
    nothing.
    """
    literal = constant_fold(frame, expr)
    if literal is not None:
        if into is None:
            return frame.code.constant(literal)
        frame.code.emit(Lit, into, literal)
        return into
    return _unknown(frame, expr, into)


def _unknown(frame: BodyFrame, expr: Expr, into: int | None = None) -> int:
    """Return the register of a value that is not constant."""
    place = available_place(frame, expr)
    if isinstance(place, Register) and not place.many:
        if into is None or into == place.index:
            return place.index
        frame.code.emit(Mov, into, place.index)
        return into
    out = frame.code.int_register() if into is None else into
    with frame.code.scratch(expr.span):
        if place is not None or expr.type.many:
            items = emit_list(frame, expr)
            frame.code.emit(Lat, out, items, frame.code.constant(0))
        else:
            _compute(frame, expr, out)
    return out


def emit_list(frame: BodyFrame, expr: Expr) -> int:
    """Emit the computation of the list `expr` and return the list register with the result.

    A single value gives a list of one; nothing gives an empty list. The register may be that of a local.
    """
    place = available_place(frame, expr)
    if isinstance(place, Register) and place.many:
        return place.index
    out = frame.code.list_register()
    emit_list_into(frame, expr, out)
    return out


def emit_list_into(frame: BodyFrame, expr: Expr, out: int) -> None:
    """Emit what computes the list `expr` into a register, which `expr` must not read."""
    place = available_place(frame, expr)
    with frame.code.scratch(expr.span):
        if isinstance(place, Register) and place.many:
            frame.code.emit(Lmov, out, place.index)
        elif place is None and (expr.type.many or isinstance(expr, ir.Select | ir.ListOf)):
            _compute_list(frame, expr, out)
        else:
            _list_of_one(frame, expr, out)


def counter(frame: BodyFrame, number: int) -> int:
    """Return a fresh, writable register with a start value."""
    out = frame.code.int_register()
    frame.code.emit(Lit, out, number)
    return out


def _list_of_one(frame: BodyFrame, expr: Expr, out: int) -> None:
    item = emit_value(frame, expr)
    skip = frame.code.label()
    frame.code.emit(Lnew, out)
    frame.code.emit(Jeqi, item, -1, skip)
    frame.code.emit(Ladd, out, item)
    frame.code.place(skip)


def _compute(frame: BodyFrame, expr: Expr, out: int) -> None:
    match expr:
        case ir.Binary() if expr.op in ARITHMETIC:
            _arithmetic(frame, expr, out)
        case ir.IsA():
            op = Defisa if expr.of.type.base == "definition" else Isa
            frame.code.emit(op, out, frame.unit.kind(expr.kind), emit_value(frame, expr.of))
        case ir.Binary() | ir.Not():
            flag(frame, expr, out)
        case ir.Quantified():
            quantified_value(frame, expr, out)
        case ir.Get():
            get(frame, expr, out)
        case ir.Apply():
            apply(frame, expr, out)
        case ir.Variant():
            frame.code.emit(Variant, out, frame.unit.variant(expr.id))
        case ir.Instance():
            instance(frame, expr, out)
        case ir.ZoneOf():
            frame.code.emit(Zone, out, frame.unit.zone(expr.zone, expr.of.type.name), emit_value(frame, expr.of))
        case ir.Dice():
            lower_dice(frame, expr, out)
        case ir.Select() | ir.ListOf():
            items = emit_list(frame, expr)
            frame.code.emit(Lat, out, items, frame.code.constant(0))
        case _:
            raise AssertionError(f"no value: {expr!r}")


def _arithmetic(frame: BodyFrame, expr: ir.Binary, out: int) -> None:
    step = constant_fold(frame, expr.right)
    if step is not None and expr.op in {"+", "-"}:
        frame.code.emit(Addi, out, emit_value(frame, expr.left), step if expr.op == "+" else -step)
        return
    other = constant_fold(frame, expr.left)
    if other is not None and expr.op == "+":
        frame.code.emit(Addi, out, emit_value(frame, expr.right), other)
        return
    left = emit_value(frame, expr.left)
    frame.code.emit(ARITHMETIC[expr.op], out, left, emit_value(frame, expr.right))


def _compute_list(frame: BodyFrame, expr: Expr, out: int) -> None:
    match expr:
        case ir.Select():
            select(frame, expr, out)
        case ir.ListOf():
            _list_of(frame, expr, out)
        case ir.Get():
            get(frame, expr, out)
        case ir.Apply():
            apply(frame, expr, out)
        case ir.Dice():
            lower_dice(frame, expr, out)
        case _:
            raise AssertionError(f"no list: {expr!r}")


def _list_of(frame: BodyFrame, expr: ir.ListOf, out: int) -> None:
    """Collect items, lists spliced in."""
    code = frame.code
    code.emit(Lnew, out)
    for item in expr.items:
        with code.scratch():
            is_selected = isinstance(item, ir.Select) and not item.order and available_place(frame, item) is None
            loop = candidate_loop(frame, item) if is_selected else None
            if loop is not None and loop.parts:
                emit_loop(frame, loop, lambda it: code.emit(Ladd, out, it))
            elif item.type.many:
                code.emit(Ljoin, out, emit_list(frame, item))
            else:
                code.emit(Ladd, out, emit_value(frame, item))


def get(frame: BodyFrame, expr: ir.Get, out: int) -> None:
    """Read a column, a constant of a definition, a counter, parts, or a field with code."""
    unit, code, field = frame.unit, frame.code, expr.field
    of = emit_value(frame, expr.of)
    if expr.owner is not None:
        code.emit(Owned, out, unit.field(field), of, emit_value(frame, expr.owner))
    elif field.sort == "part":
        code.emit(Parts, out, unit.kind(field.type.name), of)
    else:
        code.emit(_reading(field, expr.of.type), out, unit.field(field), of)


def _reading(field: Field, of: ir.Type) -> type[Op]:
    """Return the op that reads a column."""
    match field.type.base:
        case "effect":
            return EffectOf
        case "condition" | "formula":
            return Eval
    if of.base == "definition":
        return Dfields if field.type.many else Dfield
    return Fields if field.type.many else Stat


def instance(frame: BodyFrame, expr: ir.Instance, out: int) -> None:
    """Read a thing by name: a copy of a definition, the game, the mission, a zone of the game, a space of the map."""
    unit, code = frame.unit, frame.code
    if expr.type.base == "zone":
        code.emit(Zone, out, unit.zones.number(("", expr.id)), SELF)  # a zone of the game: the owner does not matter
    elif expr.kind == "space":
        code.emit(Cell, out, unit.cell(expr.id))
    elif expr.kind == "side":
        a, b = [frame.code.int_register() for _ in range(2)]
        for register, name in zip((a, b), expr.id.split("/"), strict=True):
            code.emit(Cell, register, unit.cell(name))
        code.emit(SideBetween, out, a, b)
    elif expr.kind == "player":
        players = code.list_register()
        code.emit(Players, players)
        code.emit(Lat, out, players, frame.code.constant(expr.copy - 1))
    elif expr.kind == expr.id and expr.kind in PLAYED:
        code.emit(Played, out, unit.kind(expr.kind))
    elif expr.kind == expr.id == ENDING and has_endings(unit.model):
        code.emit(Reached, out)
    elif expr.kind == expr.id:
        code.emit(Single, out, unit.kind(expr.kind))
    else:
        code.emit(First, out, unit.entry(expr.kind, expr.id), expr.copy)


# ── applying forms ───────────────────────────────────────────────────────────────────────────────


def apply(frame: BodyFrame, expr: ir.Apply, out: int) -> None:
    """Lower a relation or measure: its op, its inlined answer, or a call."""
    form = expr.form
    if form.op is not None:
        op = native_op(form)
        frame.code.emit(op, out, *native_operands(frame, op, form.params, expr.args))
        return
    inner = inlined_answer(frame, expr)
    if inner is not None:
        body_frame, answer = inner
        if expr.type.many:
            emit_list_into(body_frame, answer, out)
        else:
            emit_value(body_frame, answer, out)
        return
    if _is_inlined(frame, form):
        assert form.body is not None
        inside_, end = frame.inlined(bound_parameters(frame, form, expr.args)), frame.code.label()
        _answer(inside_, form.body.statements, expr.type, out, end)
        frame.code.place(end)
        return
    arguments = call_arguments(frame, form.params, expr.args)
    frame.code.emit(Calls if expr.type.many else Callr, out, frame.unit.form_code(form), arguments)


def inlined_answer(frame: BodyFrame, expr: ir.Apply) -> tuple[BodyFrame, Expr] | None:
    """If the form only answers a small expression, return that expression and the frame in which to evaluate it.

    An argument that would be computed twice is computed first, and the expression is evaluated in a new frame. A code
    that is already long calls the form instead, and so does an instrumented code.
    """
    if frame.unit.probes is not None or len(frame.code.instructions) > bounds.INLINED_OPS:
        return None
    if frame.unit.is_told(expr.form):
        return None
    expanded = frame.unit.inliner.expanded(expr)
    if not isinstance(expanded, ir.Apply) or expanded.form is not expr.form:
        return frame, expanded
    answer = sole_answer(expr.form.body)
    if answer is None or expr.form.recursive or frame.depth >= DEEPEST or size(answer) > LARGEST:
        return None
    return frame.inlined(bound_parameters(frame, expr.form, expr.args)), answer


def _is_inlined(frame: BodyFrame, form: Form) -> bool:
    """Return whether the body of a form is inlined: it only decides between answers, and is short."""
    return (
        frame.unit.probes is None
        and len(frame.code.instructions) <= bounds.INLINED_OPS
        and not form.recursive
        and frame.depth < DEEPEST_BODY
        and form.body is not None
        and _decides(form.body.statements)
        and sum(1 for _ in ir.walk(form.body)) <= LARGEST_BODY
        and frame.unit.purity.of_form(form)
    )


LARGEST_BODY = 16
"""Largest size, in nodes, of an inlined body with statements."""
DEEPEST_BODY = 2
"""Deepest nesting of inlined bodies with statements."""


def _decides(statements: Sequence[Stmt]) -> bool:
    """Return whether statements only bind locals, decide, and finally answer."""
    last = statements[-1] if statements else None
    for statement in statements:
        if isinstance(statement, ir.If):
            ways = (statement.then.statements, statement.otherwise.statements)
            if not all(_decides(way) for way in ways if way) or not ways[0]:
                return False
        elif not isinstance(statement, ir.Let) and (statement is not last or not isinstance(statement, ir.Answer)):
            return False
    return isinstance(last, ir.Answer) or (isinstance(last, ir.If) and bool(last.otherwise.statements))


def _answer(frame: BodyFrame, statements: Sequence[Stmt], type_: ir.Type, out: int, end: Label) -> None:
    """Lower statements that decide an answer, write it into a register, and go to `end` on every path."""
    for statement in statements:
        match statement:
            case ir.Let():
                place = frame.fresh(statement.var.type.many)
                with frame.code.at(statement.span):
                    if place.many:
                        emit_list_into(frame, statement.value, place.index)
                    else:
                        emit_value(frame, statement.value, place.index)
                frame.slots[statement.var.slot] = place
            case ir.If():
                otherwise = frame.code.label()
                with frame.code.scratch(statement.span):
                    branch(frame, statement.condition, otherwise, False)
                    _answer(frame.branched(), statement.then.statements, type_, out, end)
                    frame.code.place(otherwise)
                    _answer(frame.branched(), statement.otherwise.statements, type_, out, end)
            case ir.Answer():
                with frame.code.scratch(statement.span):
                    if type_.many:
                        emit_list_into(frame, statement.value, out)
                    else:
                        emit_value(frame, statement.value, out)
                    frame.code.emit(Jmp, end)


def bound_parameters(frame: BodyFrame, form: Form, args: Sequence[Expr | None]) -> dict[int, Place]:
    """Return the places of the slots of an inlined form: arguments are computed once, constants not at all."""
    slots: dict[int, Place] = {}
    for slot in (SELF, THIS):
        if slot in frame.slots:
            slots[slot] = frame.slots[slot]
    for slot, (param, arg) in enumerate(zip(form.params, args, strict=True), start=2):
        slots[slot] = argument(frame, param, arg, constants=True)
    return slots


def argument(frame: BodyFrame, param: Param, arg: Expr | None, constants: bool = False) -> Place:
    """Return the place of an argument; with `constants`, a constant needs no register."""
    if param.type.many:
        if arg is None:
            out = frame.code.list_register()
            frame.code.emit(Lnew, out)
            return Register(out, True)
        return Register(emit_list(frame, arg), True)
    place = None if arg is None else frame.hoisted.get(id(arg))
    if place is not None:
        return place if arg is None else _clamped(frame, param, place)
    literal = -1 if arg is None else constant_fold(frame, arg)
    if literal is not None:
        if arg is not None:
            literal = clamp(literal, param.low, param.high)
        return Known(literal) if constants else Register(frame.code.constant(literal))
    assert arg is not None
    return _clamped(frame, param, Register(_unknown(frame, arg)))


def clamp(number: int, low: int | None, high: int | None) -> int:
    """Return the number, clamped to the bounds."""
    if low is not None and number < low:
        return low
    return high if high is not None and number > high else number


def _clamped(frame: BodyFrame, param: Param, place: Place) -> Place:
    """Return the place of an argument after clamping it to the bounds of its parameter."""
    if param.low is None and param.high is None:
        return place
    if isinstance(place, Known):
        return Known(clamp(place.value, param.low, param.high))
    out = frame.code.int_register()
    emit_clamp(frame, out, place.index, param.low, param.high)
    return Register(out)


def emit_clamp(frame: BodyFrame, out: int, number: int, low: int | None, high: int | None) -> None:
    """Write a number, held between bounds, into a register (which may be its own)."""
    for op, limit in ((Max, low), (Min, high)):
        if limit is not None:
            frame.code.emit(op, out, number, frame.code.constant(limit))
            number = out


def native_operands(frame: BodyFrame, op: type[Op], params: Sequence[Param], args: Sequence[Expr | None]) -> list[int]:
    """Return the operands of a native op's arguments, in order: registers, or literal values."""
    operands = []
    taken = [operand for operand in op.operands if operand.reads]
    for operand, param, arg in zip(taken, params, args, strict=True):
        if operand.kind in BANKS:
            place = argument(frame, param, arg)
            assert isinstance(place, Register)
            operands.append(place.index)
        else:
            literal = constant_fold(frame, arg) if arg is not None else None
            assert literal is not None, f"{op.name} wants a literal {operand.kind}"
            operands.append(literal)
    return operands


def call_arguments(frame: BodyFrame, params: Sequence[Param], args: Sequence[Expr | None]) -> tuple[Register, ...]:
    """Return the registers of a call's arguments: self, this, then one per parameter."""
    places = [slot_register(frame, SELF), slot_register(frame, THIS)]
    for param, arg in zip(params, args, strict=True):
        place = argument(frame, param, arg)
        assert isinstance(place, Register)
        places.append(place)
    return tuple(places)


def slot_register(frame: BodyFrame, slot: int) -> Register:
    """Return the register of `self` or `this`; nothing where the body has none."""
    place = frame.slots.get(slot, Known(-1))
    return Register(frame.code.constant(place.value)) if isinstance(place, Known) else place


# ── conditions ───────────────────────────────────────────────────────────────────────────────────


NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
JUMPS = {"=": Jeq, "!=": Jne, "<": Jlt, "<=": Jle}
COMPARED = {"=": Eq, "!=": Ne, "<": Lt, "<=": Le}
JUMPS_TO_LITERAL = {"=": Jeqi, "!=": Jnei, "<": Jlti, "<=": Jlei, ">": Jgti, ">=": Jgei}
SOME_OR_NONE = {
    (">", 0): True, ("!=", 0): True, (">=", 1): True,
    ("=", 0): False, ("<=", 0): False, ("<", 1): False,
}  # fmt: skip
"""Comparisons of a count that only test whether there is one."""
ABSENT_IS_FALSE = {"thing", "definition", "die", "zone", "direction"}


def branch(frame: BodyFrame, expr: Expr, target: Label, when: bool) -> None:
    """Jump to `target` if `expr` is `when`; else fall through."""
    literal = constant_fold(frame, expr)
    if literal is not None:
        if bool(literal) is when:
            frame.code.emit(Jmp, target)
        return
    if frame.knows(expr):
        if when:
            frame.code.emit(Jmp, target)
        return
    if id(expr) in frame.hoisted:
        _truth(frame, expr, target, when)
        return
    with frame.code.scratch(expr.span):
        match expr:
            case ir.Not():
                branch(frame, expr.operand, target, not when)
            case ir.Binary() if expr.op in {"and", "or"}:
                _connective(frame, expr, target, when)
            case ir.Binary() if expr.op in NEGATED:
                _comparison(frame, expr, target, when)
            case ir.Quantified() if expr.quantifier != "number":
                branch_quantified(frame, expr, target, when)
            case ir.Apply():
                _application(frame, expr, target, when)
            case _:
                _truth(frame, expr, target, when)


def flag(frame: BodyFrame, expr: Expr, out: int) -> None:
    """Compute a condition as 0 or 1. The condition may read `out`, because `out` is written last."""
    if isinstance(expr, ir.Binary) and expr.op in NEGATED and _compared(frame, expr, out):
        return
    no, end = frame.code.label(), frame.code.label()
    branch(frame, expr, no, False)
    frame.code.emit(Lit, out, 1)
    frame.code.emit(Jmp, end)
    frame.code.place(no)
    frame.code.emit(Lit, out, 0)
    frame.code.place(end)


def _compared(frame: BodyFrame, expr: ir.Binary, out: int) -> bool:
    """Compute a comparison by one op; False if none fits."""
    left, right, op = expr.left, expr.right, expr.op
    if op in {">", ">="}:
        left, right, op = right, left, MIRRORED[op]
    if constant_fold(frame, left) is not None and op in {"=", "!="}:
        left, right = right, left
    if isinstance(left, ir.Quantified) or isinstance(right, ir.Quantified):
        return False
    with frame.code.scratch():
        number = constant_fold(frame, right)
        if number is not None and op == "=":
            frame.code.emit(Eqi, out, emit_value(frame, left), number)
        else:
            first = emit_value(frame, left)
            frame.code.emit(COMPARED[op], out, first, emit_value(frame, right))
    return True


def _connective(frame: BodyFrame, expr: ir.Binary, target: Label, when: bool) -> None:
    if (expr.op == "and") is when:  # both sides decide: the first may end the test early
        skip = frame.code.label()
        branch(frame, expr.left, skip, not when)
        branch(frame, expr.right, target, when)
        frame.code.place(skip)
    else:
        branch(frame, expr.left, target, when)
        branch(frame, expr.right, target, when)


def _comparison(frame: BodyFrame, expr: ir.Binary, target: Label, when: bool) -> None:
    op = expr.op if when else NEGATED[expr.op]
    left, right = expr.left, expr.right
    if constant_fold(frame, left) is not None:
        left, right, op = right, left, MIRRORED[op]
    number = constant_fold(frame, right)
    if number is not None and isinstance(left, ir.Quantified) and (op, number) in SOME_OR_NONE:
        some = replace(left, quantifier="any")
        branch_quantified(frame, some, target, SOME_OR_NONE[op, number])
        return
    if number is not None:
        frame.code.emit(JUMPS_TO_LITERAL[op], emit_value(frame, left), number, target)
        return
    if op in {">", ">="}:
        left, right, op = right, left, MIRRORED[op]
    first = emit_value(frame, left)
    frame.code.emit(JUMPS[op], first, emit_value(frame, right), target)


def _application(frame: BodyFrame, expr: ir.Apply, target: Label, when: bool) -> None:
    if expr.form.op is None:
        inner = inlined_answer(frame, expr)
        if inner is not None:
            body_frame, answer = inner
            branch(body_frame, answer, target, when)
            return
    _truth(frame, expr, target, when)


def _truth(frame: BodyFrame, expr: Expr, target: Label, when: bool) -> None:
    if expr.type.many:
        with frame.code.scratch():
            count = frame.code.int_register()
            frame.code.emit(Llen, count, emit_list(frame, expr))
            frame.code.emit(Jt if when else Jf, count, target)
        return
    register = emit_value(frame, expr)
    if expr.type.base in ABSENT_IS_FALSE:
        frame.code.emit(Jnei if when else Jeqi, register, -1, target)
    else:
        frame.code.emit(Jt if when else Jf, register, target)


# ── selections ───────────────────────────────────────────────────────────────────────────────────


def emit_loop(
    frame: BodyFrame, loop: CandidateLoop, body: Callable[[int], None], it: int | None = None, reads: Expr | None = None
) -> None:
    """Emit a loop that runs `body` (given the candidate's register) for each candidate.

    `it`: a further slot that is bound to the candidate. `reads`: a condition that `body` will test.
    """
    code = frame.code
    with code.scratch():
        source = emit_list(frame, loop.source)
        candidate = code.int_register()
        its = {*loop.its} if it is None else {*loop.its, it}
        for bound in sorted(its):
            frame.slots[bound] = Register(candidate)
        end = code.label()
        parts: list[Expr] = []
        for part in loop.parts:
            if is_loop_invariant(part, its):
                branch(frame, part, end, False)
            else:
                parts.append(part)
        tested = parts if reads is None else [*parts, reads]
        leading = leading_conditions(frame, tested, its)[: len(parts)]
        index, skip = code.int_register(), code.label()
        if leading:  # other values are computed once a candidate needs them
            code.emit(Lit, index, -1)
            again = code.here()
            code.emit(Iter, source, index, candidate, end)
            for part in leading:
                branch(frame, part, again, False)
        facts = frame.facts
        for part in leading:
            frame.know(part)
        with frame.hoisting(hoist(frame, tested[len(leading) :], its)):
            if not leading:
                code.emit(Lit, index, -1)
            again = code.here()
            if not leading:
                code.emit(Iter, source, index, candidate, end)
            for part in parts[len(leading) :]:
                branch(frame, part, skip, False)
                frame.know(part)
            body(candidate)
            code.place(skip)
            if leading:
                frame.facts = facts
                code.emit(Iter, source, index, candidate, end)
                for part in leading:
                    branch(frame, part, skip, False)
            code.emit(Jmp, again)
        code.place(end)
        frame.facts = facts


def select(frame: BodyFrame, expr: ir.Select, out: int) -> None:
    """Compute the list of a selection into `out`, which must not be a register that the selection reads."""
    if expr.order:
        expanded = frame.unit.inliner.expanded(expr)
        assert isinstance(expanded, ir.Select)
        with frame.code.scratch():
            if expr.sorted:
                _sorted(frame, expanded, out)
            else:
                _ranked(frame, expanded, out)
    elif expr.source is None and expr.where is None:
        op = Seldefs if expr.type.base == "definition" else Select
        frame.code.emit(op, out, frame.unit.kind(expr.type.name))
    else:
        loop = candidate_loop(frame, expr)
        if loop.parts:
            frame.code.emit(Lnew, out)
            emit_loop(frame, loop, lambda it: frame.code.emit(Ladd, out, it))
        else:
            emit_list_into(frame, loop.source, out)


def _walk(frame: BodyFrame, expr: ir.Select, body: Callable[[int], None]) -> None:
    select = ir.Select(expr.source, expr.it, expr.where, (), expr.type, expr.span, expr.noun)
    emit_loop(frame, candidate_loop(frame, select), body)


def _ranked(frame: BodyFrame, expr: ir.Select, out: int) -> None:
    """Compute the tied best: the first criterion while filtering, each further one over the remaining candidates."""
    code = frame.code
    left: int | None = None
    for number, criterion in enumerate(expr.order):
        survivors = out if number == len(expr.order) - 1 else code.list_register()
        code.emit(Lnew, survivors)
        lowest = counter(frame, 0)  # meaningless while there is no best candidate
        if left is None:
            _walk(frame, expr, partial(_keep, frame, criterion, survivors, lowest))
        else:
            index = counter(frame, -1)
            candidate = code.int_register()
            frame.slots[expr.it] = Register(candidate)
            end, again = code.label(), code.here()
            code.emit(Iter, left, index, candidate, end)
            _keep(frame, criterion, survivors, lowest, candidate)
            code.emit(Jmp, again)
            code.place(end)
        left = survivors


def _sorted(frame: BodyFrame, expr: ir.Select, out: int) -> None:
    """Compute all candidates: the tied best, then the tied best of the others, and so on."""
    code = frame.code
    left, best = code.list_register(), code.list_register()
    candidate, index = code.int_register(), code.int_register()
    emit_list_into(frame, replace(expr, order=()), left)
    slot = frame.unit.inliner.fresh()
    frame.slots[slot] = Register(left, True)
    rest = replace(expr, source=ir.Var("left", slot, expr.type, expr.span), where=None)
    code.emit(Lnew, out)
    end, again = code.label(), code.here()
    code.emit(Llen, index, left)
    code.emit(Jlei, index, 0, end)
    with code.scratch():
        _ranked(frame, rest, best)
    code.emit(Ljoin, out, best)
    code.emit(Lit, index, -1)
    next_best = code.here()
    code.emit(Iter, best, index, candidate, again)
    code.emit(Ldrop, left, candidate)
    code.emit(Jmp, next_best)
    code.place(end)


def _keep(frame: BodyFrame, criterion: ir.Criterion, survivors: int, lowest: int, candidate: int) -> None:
    """Keep a candidate if none had a better key."""
    code = frame.code
    with code.scratch(criterion.span):
        key = emit_value(frame, criterion.key)
        if criterion.most:
            negated = code.int_register()
            code.emit(Neg, negated, key)
            key = negated
        code.emit(Rank, survivors, lowest, candidate, key)


# ── what can be computed before the loop ─────────────────────────────────────────────────────────


def hoist(frame: BodyFrame, parts: Sequence[Expr], its: set[int]) -> dict[int, Place]:
    """Compute the loop-invariant parts of a loop's conditions before it."""
    hoisted: dict[int, Place] = {}
    for part in parts:
        if not is_loop_invariant(part, its):
            for expr in worth_hoisting(frame, part, its):
                if expr.type.many:
                    hoisted[id(expr)] = Register(emit_list(frame, expr), True)
                else:
                    hoisted[id(expr)] = Register(emit_value(frame, expr))
    return hoisted


# ── quantifiers ──────────────────────────────────────────────────────────────────────────────────


def branch_quantified(frame: BodyFrame, expr: ir.Quantified, target: Label, when: bool) -> None:
    """Jump to `target` if the truth value of `any`, `no` or `every` equals `when`. The loop ends at the first candidate
    that decides."""
    code, loop = frame.code, candidate_loop(frame, expr.select)
    if expr.test is None and not loop.parts:
        with code.scratch():
            count = code.int_register()
            code.emit(Llen, count, emit_list(frame, expr.select))
            code.emit(Jt if (expr.quantifier == "any") is when else Jf, count, target)
        return
    early = expr.quantifier == "any"  # the truth value at which one candidate decides
    decided = code.label()
    exit_ = target if early is when else decided

    test = None if expr.test is None else frame.unit.inliner.expanded(expr.test)

    def decide(candidate: int) -> None:
        if test is None:
            code.emit(Jmp, exit_)
        else:
            branch(frame, test, exit_, expr.quantifier != "every")

    emit_loop(frame, loop, decide, it=expr.it, reads=test)
    if early is not when:
        code.emit(Jmp, target)
    code.place(decided)


def quantified_value(frame: BodyFrame, expr: ir.Quantified, out: int) -> None:
    """Compute `number of` as a number, the others as 0 or 1."""
    code = frame.code
    if expr.quantifier != "number":
        flag(frame, expr, out)
        return
    loop = candidate_loop(frame, expr.select)
    if expr.test is None and not loop.parts:
        code.emit(Llen, out, emit_list(frame, expr.select))
        return
    with code.scratch():
        total = counter(frame, 0)

        def count(candidate: int) -> None:
            skip = code.label()
            if expr.test is not None:
                branch(frame, expr.test, skip, False)
            code.emit(Addi, total, total, 1)
            code.place(skip)

        emit_loop(frame, loop, count, it=expr.it)
        code.emit(Mov, out, total)


# ── dice ─────────────────────────────────────────────────────────────────────────────────────────


def lower_dice(frame: BodyFrame, expr: ir.Dice, out: int) -> None:
    """Roll dice into `out`: a list register for several symbol dice, else an int register."""
    die = emit_value(frame, expr.die)
    if expr.type.many:
        count = frame.code.constant(1) if expr.count is None else emit_value(frame, expr.count)
        frame.code.emit(Rolleach if expr.each else Rolln, out, count, die)
    elif expr.count is None:
        frame.code.emit(Roll, out, die)
    else:
        frame.code.emit(Rollsum, out, emit_value(frame, expr.count), die)
