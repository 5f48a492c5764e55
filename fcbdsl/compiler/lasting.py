"""Effects that last: listeners and modifiers that remember the locals of the body that began them."""

from __future__ import annotations

from fcbdsl.compiler import behaviour, values
from fcbdsl.compiler.frames import Frame
from fcbdsl.model import ir
from fcbdsl.vm import program as vm
from fcbdsl.vm.ops.happenings import Last


def until(frame: Frame, statement: ir.Until) -> None:
    """Begin a lasting effect, from a template that is part of the program."""
    unit = frame.unit
    number = len(unit.lastings)
    unit.lastings.append(vm.Lasting(unit.event(statement.until), frame.locals, unit.spans.number(statement.span)))
    owner = behaviour.Owner("lasting", number, f"{frame.code.name}, lasting", frame.locals, captured=dict(frame.slots))
    for modifier in statement.modifiers:
        behaviour.modifier(unit, modifier, owner)
    for listener in statement.listeners:
        behaviour.listener(unit, listener, owner)
    subject = values.literal(frame, -1) if statement.subject is None else values.value(frame, statement.subject)
    frame.code.emit(Last, number, subject)
