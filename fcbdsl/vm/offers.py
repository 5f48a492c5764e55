"""Actions on offer: which may be taken, and taking one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.vm import limits
from fcbdsl.vm.world import ACTION, L_ACTION, NOWHERE, Entry, Option

if TYPE_CHECKING:
    from fcbdsl.vm.machine import Machine


def options(m: Machine, actors: tuple[int, ...]) -> list[Option]:
    """Every (action, actor, subject) whose actor, limit and guard allow it, by actor, action and subject."""
    found: list[Option] = []
    for actor in actors:
        for number in range(len(m.program.actions)):
            if m.acts(number, actor):
                _subjects(m, number, actor, found)
    return found


def _subjects(m: Machine, number: int, actor: int, found: list[Option]) -> None:
    """Add an actor's options of one action, one per subject that its guard allows."""
    action = m.program.actions[number]
    if action.by >= 0 and not m.call(action.by, [actor, -1], []):
        return
    subjects: tuple[int, ...] = (-1,)
    if action.subject >= 0:
        m.list_result = ()
        m.call(action.subject, [actor, -1], [])
        subjects = m.list_result
    for this in subjects:
        if limits.is_free(m, action.limit, actor, this) and (
            action.guard < 0 or m.call(action.guard, [actor, this], [])
        ):
            found.append((ACTION, number, actor, this))


def begin(m: Machine, option: Option, span: int) -> None:
    """Take an action; when it is over, the machine announces that the actor has acted."""
    _, number, actor, this = option
    action = m.program.actions[number]
    limits.use(m, action.limit, actor, this)
    m.note(L_ACTION, action.span if span < 0 else span, (number, actor, this))
    if m.program.acted >= 0:
        m.push(Entry(m.program.acted, -1, [-1, -1, actor], [(), (), ()], action.span))
    m.push(m.frame(action.body, [actor, this], [], NOWHERE))
