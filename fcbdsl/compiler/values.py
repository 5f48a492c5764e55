"""Expressions to registers."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl import bounds
from fcbdsl.compiler import conditions, rolls, selections
from fcbdsl.compiler.assignment import BANKS
from fcbdsl.compiler.folding import fold
from fcbdsl.compiler.frames import SELF, THIS, Frame, Known, Place, Register, held
from fcbdsl.compiler.inlining import DEEPEST, LARGEST
from fcbdsl.compiler.natives import bound
from fcbdsl.compiler.walk import size, sole_answer
from fcbdsl.model import ir
from fcbdsl.model.declarations import Field, Form, Param
from fcbdsl.model.ir import Expr
from fcbdsl.vm.layout import PLAYED
from fcbdsl.vm.op import Op
from fcbdsl.vm.ops.arithmetic import Add, Addi, Div, Max, Min, Mul, Sub
from fcbdsl.vm.ops.calls import Callr, Calls, Effect, Eval
from fcbdsl.vm.ops.counters import Owned
from fcbdsl.vm.ops.data import Ladd, Lat, Lit, Ljoin, Lmov, Lnew, Mov
from fcbdsl.vm.ops.flow import Jeqi
from fcbdsl.vm.ops.state import (
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
    Single,
    Stat,
    Variant,
)
from fcbdsl.vm.ops.zones import Zone

ARITHMETIC: dict[str, type[Op]] = {"+": Add, "-": Sub, "*": Mul, "/": Div, "min": Min, "max": Max}


def value(frame: Frame, expr: Expr, into: int | None = None) -> int:
    """Emit what computes `expr` and return the int register that holds it.

    Without `into` the register may be the local's own: it must not be written. A list gives its first
    element, or nothing.
    """
    known = fold(frame, expr)
    if known is not None:
        out = frame.code.int_register() if into is None else into
        frame.code.emit(Lit, out, known)
        return out
    place = held(frame, expr)
    if isinstance(place, Register) and not place.many:
        return _moved(frame, place.index, into)
    out = frame.code.int_register() if into is None else into
    with frame.code.scratch(), frame.code.at(expr.span):
        if place is not None or expr.type.many:
            items = many(frame, expr)
            frame.code.emit(Lat, out, items, literal(frame, 0))
        else:
            _compute(frame, expr, out)
    return out


def many(frame: Frame, expr: Expr) -> int:
    """Emit what computes the list `expr` and return the list register that holds it.

    A single value gives a list of one; nothing gives an empty list. The register may be the local's own.
    """
    place = held(frame, expr)
    if isinstance(place, Register) and place.many:
        return place.index
    out = frame.code.list_register()
    many_into(frame, expr, out)
    return out


def many_into(frame: Frame, expr: Expr, out: int) -> None:
    """Emit what computes the list `expr` into a register, which `expr` must not read."""
    place = held(frame, expr)
    with frame.code.scratch(), frame.code.at(expr.span):
        if isinstance(place, Register) and place.many:
            frame.code.emit(Lmov, out, place.index)
        elif place is None and (expr.type.many or isinstance(expr, ir.Select | ir.ListOf)):
            _compute_list(frame, expr, out)
        else:
            _list_of_one(frame, expr, out)


def literal(frame: Frame, number: int) -> int:
    """A fresh register that holds `number`."""
    out = frame.code.int_register()
    frame.code.emit(Lit, out, number)
    return out


def _moved(frame: Frame, register: int, into: int | None) -> int:
    if into is None or into == register:
        return register
    frame.code.emit(Mov, into, register)
    return into


def _list_of_one(frame: Frame, expr: Expr, out: int) -> None:
    item = value(frame, expr)
    skip = frame.code.label()
    frame.code.emit(Lnew, out)
    frame.code.emit(Jeqi, item, -1, skip)
    frame.code.emit(Ladd, out, item)
    frame.code.place(skip)


def _compute(frame: Frame, expr: Expr, out: int) -> None:
    match expr:
        case ir.Binary() if expr.op in ARITHMETIC:
            _arithmetic(frame, expr, out)
        case ir.IsA():
            op = Defisa if expr.of.type.base == "definition" else Isa
            frame.code.emit(op, out, frame.unit.kind(expr.kind), value(frame, expr.of))
        case ir.Binary() | ir.Not():
            conditions.flag(frame, expr, out)
        case ir.Quantified():
            selections.quantified_value(frame, expr, out)
        case ir.Get():
            get(frame, expr, out)
        case ir.Apply():
            apply(frame, expr, out)
        case ir.Variant():
            frame.code.emit(Variant, out, frame.unit.variant(expr.id))
        case ir.Instance():
            instance(frame, expr, out)
        case ir.ZoneOf():
            frame.code.emit(Zone, out, frame.unit.zone(expr.zone, expr.of.type.name), value(frame, expr.of))
        case ir.Dice():
            rolls.dice(frame, expr, out)
        case ir.Select() | ir.ListOf():
            items = many(frame, expr)
            frame.code.emit(Lat, out, items, literal(frame, 0))
        case _:
            raise AssertionError(f"no value: {expr!r}")


def _arithmetic(frame: Frame, expr: ir.Binary, out: int) -> None:
    step = fold(frame, expr.right)
    if step is not None and expr.op in {"+", "-"}:
        frame.code.emit(Addi, out, value(frame, expr.left), step if expr.op == "+" else -step)
        return
    other = fold(frame, expr.left)
    if other is not None and expr.op == "+":
        frame.code.emit(Addi, out, value(frame, expr.right), other)
        return
    left = value(frame, expr.left)
    frame.code.emit(ARITHMETIC[expr.op], out, left, value(frame, expr.right))


def _compute_list(frame: Frame, expr: Expr, out: int) -> None:
    match expr:
        case ir.Select():
            selections.select(frame, expr, out)
        case ir.ListOf():
            _list_of(frame, expr, out)
        case ir.Get():
            get(frame, expr, out)
        case ir.Apply():
            apply(frame, expr, out)
        case ir.Dice():
            rolls.dice(frame, expr, out)
        case _:
            raise AssertionError(f"no list: {expr!r}")


def _list_of(frame: Frame, expr: ir.ListOf, out: int) -> None:
    """Collect items, lists spliced in."""
    code = frame.code
    code.emit(Lnew, out)
    for item in expr.items:
        with code.scratch():
            if item.type.many:
                code.emit(Ljoin, out, many(frame, item))
            else:
                code.emit(Ladd, out, value(frame, item))


def get(frame: Frame, expr: ir.Get, out: int) -> None:
    """Read a column, a constant of a definition, a counter, parts, or a field that holds code."""
    unit, code, field = frame.unit, frame.code, expr.field
    of = value(frame, expr.of)
    if expr.owner is not None:
        code.emit(Owned, out, unit.field(field), of, value(frame, expr.owner))
    elif field.sort == "part":
        code.emit(Parts, out, unit.kind(field.type.name), of)
    else:
        code.emit(_reading(field, expr.of.type), out, unit.field(field), of)


def _reading(field: Field, of: ir.Type) -> type[Op]:
    """The op that reads a column."""
    match field.type.base:
        case "effect":
            return Effect
        case "condition" | "formula":
            return Eval
    if of.base == "definition":
        return Dfields if field.type.many else Dfield
    return Fields if field.type.many else Stat


def instance(frame: Frame, expr: ir.Instance, out: int) -> None:
    """A thing by name: a copy of a definition, the game, the mission, a zone of the game, a space of the map."""
    unit, code = frame.unit, frame.code
    if expr.type.base == "zone":
        code.emit(Zone, out, unit.zones.number(("", expr.id)), SELF)  # a zone of the game: whose does not matter
    elif expr.kind == "space":
        code.emit(Cell, out, unit.cell(expr.id))
    elif expr.kind == "player":
        players = code.list_register()
        code.emit(Players, players)
        code.emit(Lat, out, players, literal(frame, expr.copy - 1))
    elif expr.kind == expr.id and expr.kind in PLAYED:
        code.emit(Played, out, unit.kind(expr.kind))
    elif expr.kind == expr.id:
        code.emit(Single, out, unit.kind(expr.kind))
    else:
        code.emit(First, out, unit.entry(expr.kind, expr.id), expr.copy)


# ── applying forms ─────────────────────────────────────────────────────────────────────────────


def apply(frame: Frame, expr: ir.Apply, out: int) -> None:
    """A relation or measure: its op, its inlined answer, or a call."""
    form = expr.form
    if form.op is not None:
        op = bound(form)
        frame.code.emit(op, out, *native_operands(frame, op, form.params, expr.args))
        return
    inner = inlined_answer(frame, expr)
    if inner is not None:
        body_frame, answer = inner
        if expr.type.many:
            many_into(body_frame, answer, out)
        else:
            value(body_frame, answer, out)
        return
    arguments = frame.unit.arguments(call_arguments(frame, form.params, expr.args))
    frame.code.emit(Calls if expr.type.many else Callr, out, frame.unit.form_code(form), arguments)


def inlined_answer(frame: Frame, expr: ir.Apply) -> tuple[Frame, Expr] | None:
    """If the form only answers a small expression: that expression, and the frame to read it in.

    Where an argument would be computed twice, it is computed first and the expression read in a frame of its own. A
    code that has grown long calls what it needs."""
    if len(frame.code.instructions) > bounds.INLINED_OPS:
        return None
    expanded = frame.unit.inliner.expanded(expr)
    if not isinstance(expanded, ir.Apply) or expanded.form is not expr.form:
        return frame, expanded
    answer = sole_answer(expr.form.body)
    if answer is None or expr.form.recursive or frame.depth >= DEEPEST or size(answer) > LARGEST:
        return None
    return frame.inlined(bound_parameters(frame, expr.form, expr.args)), answer


def bound_parameters(frame: Frame, form: Form, args: Sequence[Expr | None]) -> dict[int, Place]:
    """Where the slots of an inlined form live: arguments are computed once, constants not at all."""
    slots: dict[int, Place] = {}
    for slot in (SELF, THIS):
        if slot in frame.slots:
            slots[slot] = frame.slots[slot]
    for slot, (param, arg) in enumerate(zip(form.params, args, strict=True), start=2):
        slots[slot] = argument(frame, param, arg, constants=True)
    return slots


def argument(frame: Frame, param: Param, arg: Expr | None, constants: bool = False) -> Place:
    """Where an argument lives; a constant needs no register if `constants` are welcome."""
    if param.type.many:
        if arg is None:
            out = frame.code.list_register()
            frame.code.emit(Lnew, out)
            return Register(out, True)
        return Register(many(frame, arg), True)
    place = None if arg is None else frame.hoisted.get(id(arg))
    if place is not None:
        return place
    known = -1 if arg is None else fold(frame, arg)
    if known is not None:
        return Known(known) if constants else Register(literal(frame, known))
    assert arg is not None
    return Register(value(frame, arg))


def native_operands(frame: Frame, op: type[Op], params: Sequence[Param], args: Sequence[Expr | None]) -> list[int]:
    """The operands of a native op's arguments, in order: registers, or what the op wants to have literally."""
    operands = []
    taken = [operand for operand in op.operands if operand.reads]
    for operand, param, arg in zip(taken, params, args, strict=True):
        if operand.kind in BANKS:
            place = argument(frame, param, arg)
            assert isinstance(place, Register)
            operands.append(place.index)
        else:
            known = fold(frame, arg) if arg is not None else None
            assert known is not None, f"{op.name} wants a literal {operand.kind}"
            operands.append(known)
    return operands


def call_arguments(frame: Frame, params: Sequence[Param], args: Sequence[Expr | None]) -> list[Register]:
    """The registers of a call's arguments: self, this, then one per parameter."""
    places = [slot_register(frame, SELF), slot_register(frame, THIS)]
    for param, arg in zip(params, args, strict=True):
        place = argument(frame, param, arg)
        assert isinstance(place, Register)
        places.append(place)
    return places


def slot_register(frame: Frame, slot: int) -> Register:
    """The register of `self` or `this`; nothing where the body has none."""
    place = frame.slots.get(slot, Known(-1))
    return Register(literal(frame, place.value)) if isinstance(place, Known) else place
