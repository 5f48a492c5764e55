"""Rolls: dice to values, values to rows."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.compiler import statements, values
from fcbdsl.compiler.assembler import Label
from fcbdsl.compiler.frames import Frame, Register
from fcbdsl.model import ir
from fcbdsl.vm.ops.arithmetic import Sub
from fcbdsl.vm.ops.data import Lhas
from fcbdsl.vm.ops.dice import Roll, Rolln, Rollsum
from fcbdsl.vm.ops.flow import Jeqi, Jgti, Jlti, Jmp, Jnei, Jt


def roll(frame: Frame, statement: ir.Roll) -> None:
    """Roll, bind the value, do the first row that fits."""
    code = frame.code
    rolled = _rolled(frame, statement)
    end = code.label()
    for row in statement.rows:
        with code.scratch(), code.at(row.span):
            other = code.label()
            if rolled.many:
                _fits_some(frame, rolled.index, row, other)
            else:
                _fits(frame, rolled.index, row, other)
            statements.body(frame, row.body.statements)
            code.emit(Jmp, end)
            code.place(other)
    code.place(end)


def _rolled(frame: Frame, statement: ir.Roll) -> Register:
    """The register with the value of the roll: the local's, if it has one."""
    many = statement.dice.type.many
    out = frame.fresh(many) if statement.var is None else Register(frame.register_of(statement.var), many)
    if many:
        values.many_into(frame, statement.dice, out.index)
    elif statement.against is None:
        values.value(frame, statement.dice, out.index)
    else:
        with frame.code.scratch():
            first, second = frame.code.int_register(), frame.code.int_register()
            values.value(frame, statement.dice, first)
            values.value(frame, statement.against, second)
            frame.code.emit(Sub, out.index, first, second)
    return out


def dice(frame: Frame, expr: ir.Dice, out: int) -> None:
    """Roll dice into `out`: a list register for several symbol dice, else an int register."""
    die = values.value(frame, expr.die)
    if expr.type.many:
        count = values.literal(frame, 1) if expr.count is None else values.value(frame, expr.count)
        frame.code.emit(Rolln, out, count, die)
    elif expr.count is None:
        frame.code.emit(Roll, out, die)
    else:
        frame.code.emit(Rollsum, out, values.value(frame, expr.count), die)


def _fits(frame: Frame, rolled: int, row: ir.Row, other: Label) -> None:
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


def _bearing(frame: Frame, symbols: Sequence[int]) -> list[int]:
    """Those symbols, and the faces that show one of them among several."""
    known = frame.unit.symbols
    several = frame.unit.model.faces_shown()
    sought = {known.value(symbol) for symbol in symbols}
    return [*symbols, *(known.number(face) for face in several if not sought.isdisjoint(face.split()))]


def _fits_some(frame: Frame, rolled: int, row: ir.Row, other: Label) -> None:
    """Several symbol dice: jump to `other` unless one of them shows one of the row's faces."""
    code = frame.code
    if not row.faces:
        return
    fits = code.label()
    shows = code.int_register()
    for face in row.faces:
        with code.scratch():
            code.emit(Lhas, shows, rolled, values.literal(frame, face))
        code.emit(Jt, shows, fits)
    code.emit(Jmp, other)
    code.place(fits)
