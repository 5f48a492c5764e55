"""Lowering of rolls: dice to values, values to rows."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.language.compiler import expression_lowering
from fcbdsl.language.compiler.assembler import BodyFrame, Label, Register
from fcbdsl.language.model import ir
from fcbdsl.machine.vm.ops.arithmetic import Sub
from fcbdsl.machine.vm.ops.flow import Jeqi, Jf, Jgti, Jlti, Jmp, Jnei, Jt
from fcbdsl.machine.vm.ops.registers import Ladd, Ldrop, Lhas


def roll_value(frame: BodyFrame, statement: ir.Roll) -> Register:
    """Return the register with the value of the roll: the local's, if it has one."""
    if statement.instead is not None:
        return _rerolled(frame, statement, statement.instead)
    many = statement.dice.type.many
    out = frame.fresh(many) if statement.var is None else Register(frame.register_of(statement.var), many)
    if many:
        expression_lowering.emit_list_into(frame, statement.dice, out.index)
    elif statement.against is None:
        expression_lowering.emit_value(frame, statement.dice, out.index)
    else:
        with frame.code.scratch():
            first, second = frame.code.int_register(), frame.code.int_register()
            expression_lowering.emit_value(frame, statement.dice, first)
            expression_lowering.emit_value(frame, statement.against, second)
            frame.code.emit(Sub, out.index, first, second)
    return out


def _rerolled(frame: BodyFrame, statement: ir.Roll, instead: ir.Expr) -> Register:
    """Roll in place of a value in the local's list, if the list contains it."""
    code, var = frame.code, statement.var
    assert var is not None
    pool = frame.register_of(var)
    end = code.label()
    with code.scratch():
        held = code.int_register()
        old = expression_lowering.emit_value(frame, instead)
        code.emit(Lhas, held, pool, old)
        code.emit(Jf, held, end)
        new = code.int_register()
        expression_lowering.emit_value(frame, statement.dice, new)
        code.emit(Ldrop, pool, old)
        code.emit(Ladd, pool, new)
    code.place(end)
    return Register(pool, True)


def fits(frame: BodyFrame, rolled: int, row: ir.Row, other: Label) -> None:
    """Jump to `other` unless the value is in the row's range or among its faces."""
    code = frame.code
    if row.faces:
        fits = code.label()
        faces = _bearing(frame, row.faces)
        for face in faces[:-1]:
            code.emit(Jeqi, rolled, face, fits)
        code.emit(Jnei, rolled, faces[-1], other)
        code.place(fits)
        return
    if row.low is not None and row.low == row.high:
        code.emit(Jnei, rolled, row.low, other)
        return
    if row.low is not None:
        code.emit(Jlti, rolled, row.low, other)
    if row.high is not None:
        code.emit(Jgti, rolled, row.high, other)


def _bearing(frame: BodyFrame, symbols: Sequence[int]) -> list[int]:
    """Return `symbols`, and the faces with several symbols that contain one of them."""
    symbol_table = frame.unit.symbols
    several = frame.unit.model.faces_shown()
    sought = {symbol_table.value(symbol) for symbol in symbols}
    return [*symbols, *(symbol_table.number(face) for face in several if not sought.isdisjoint(face.split()))]


def fits_some(frame: BodyFrame, rolled: int, row: ir.Row, other: Label) -> None:
    """Jump to `other` unless one of several symbol dice shows one of the row's faces."""
    code = frame.code
    if not row.faces:
        return
    fits = code.label()
    shows = code.int_register()
    for face in row.faces:
        with code.scratch():
            code.emit(Lhas, shows, rolled, frame.code.constant(face))
        code.emit(Jt, shows, fits)
    code.emit(Jmp, other)
    code.place(fits)
