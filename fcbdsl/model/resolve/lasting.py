"""Effects that last: ``until EVENT:`` with modifiers and listeners that remember the locals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.model import ir
from fcbdsl.model.ir import Listener, Modifier, Stmt
from fcbdsl.model.resolve import listeners, modifiers, statements
from fcbdsl.model.resolve.scope import Scope
from fcbdsl.syntax.tree import Clause, Line

if TYPE_CHECKING:
    from fcbdsl.model.resolve.reader import Reader


def until(reader: Reader, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``until EVENT[ of X]:``; each line below is a modifier, ``while …:``, or a listener."""
    if not clause.parts:
        statements.incomplete(reader, line, clause, "its event")
        return ()
    if not line.tail and not line.block:
        statements.incomplete(reader, line, clause, "what lasts until then")
        return ()
    ending = listeners.subject(reader, line, clause, scope)
    changes: list[Modifier] = []
    waiting: list[Listener] = []
    for said in line.tail:
        change = modifiers.one(reader, line, said, modifiers.owner(scope, captured=True), None)
        changes += [change] if change is not None else []
    for below in line.block:
        _line(reader, below, scope, changes, waiting)
    if ending is None:
        return ()
    event, subject = ending
    return (ir.Until(event, subject, tuple(changes), tuple(waiting), line.span_of(clause)),)


def _line(reader: Reader, line: Line, scope: Scope, changes: list[Modifier], waiting: list[Listener]) -> None:
    lead = line.head.lead if line.head is not None else None
    if line.broken:
        return
    if lead in listeners.TIMINGS:
        heard = listeners.listener(reader, line, scope, captured=True)
        waiting += [heard] if heard is not None else []
    elif lead in {"while", "always"} or (line.head is not None and lead is None):
        changes += modifiers.waiting(reader, line, scope)
    else:
        changes += modifiers.lines(reader, (line,), None, scope)
