"""Computes the available actions, and begins the action that a player takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.vm import limits
from fcbdsl.machine.vm.frames import call, new_frame, push
from fcbdsl.machine.vm.world import ACTION, L_ACTION, NO_LISTS, NOWHERE, EventActivation, Option, VMFault

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game


def options(g: Game, actors: tuple[int, ...]) -> list[Option]:
    """Return every (action, actor, subject) that the program offers now, actor by actor.

    Actors that are not in play have no actions. If `g.is_lookahead`, only the first actor with actions counts.
    """
    listed_options: list[Option] = []
    code = g.image.offers
    if code < 0:
        return listed_options
    for actor in actors:
        if actor >= 0 and not g.in_play(actor):
            continue
        call(g, code, [actor, -1], NO_LISTS)
        listed: tuple[int, ...] = g.list_result
        if len(listed) % 2:
            raise VMFault("what is on offer are no actions")
        for at in range(0, len(listed), 2):
            number = listed[at]
            if not 0 <= number < len(g.elsewhere):
                raise VMFault("what is on offer are no actions")
            if not g.elsewhere[number]:
                listed_options.append((ACTION, number, actor, listed[at + 1]))
        if g.is_lookahead and listed_options:
            break
    return listed_options


def begin_action(g: Game, option: Option, span: int) -> None:
    """Take an action; when it is over, the machine announces that the actor has acted."""
    number, actor, this = option[1], option[2], option[3]
    action = g.image.actions[number]
    limits.use(g, action.limit, actor, this)
    g.note((L_ACTION, action.span if span < 0 else span, number, actor, this))
    if g.image.acted >= 0:
        push(g, EventActivation(g.image.acted, -1, [-1, -1, actor], [(), (), ()], action.span))
    push(g, new_frame(g, action.body, [actor, this], NO_LISTS, NOWHERE))
