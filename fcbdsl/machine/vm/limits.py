"""Limits: once per event, per player, figure, card or game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.base import bounds
from fcbdsl.machine.vm.linked_rows import PER_FIGURE, PER_INSTANCE, PER_PLAYER

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game

SHIFT: Final = 32


def _key(g: Game, limit: int, self_: int, this: int) -> int:
    """Return the key under which uses of a limit are counted for its bearer."""
    per = g.image.limit_per[limit]
    whom = 0
    if per == PER_FIGURE:
        whom = self_ + 1
    elif per == PER_INSTANCE:
        whom = this + 1
    elif per == PER_PLAYER:
        whom = g.controller(self_) + 1
        if whom < 0:
            whom = bounds.PLAYERS - whom  # a team's
    return (limit << SHIFT) + whom


def is_free(g: Game, limit: int, self_: int, this: int) -> bool:
    """Return whether a limit (-1: none) allows another use."""
    used = g.world.used
    return limit < 0 or not used or _key(g, limit, self_, this) not in used


def use(g: Game, limit: int, self_: int, this: int) -> None:
    """Use up a limit until its event releases it."""
    if limit >= 0:
        g.world.used[_key(g, limit, self_, this)] = 1


def release(g: Game, limit: int, self_: int, this: int) -> None:
    """Make a limit available to its bearer again."""
    g.world.used.pop(_key(g, limit, self_, this), None)


def reset_limits(g: Game, event: int) -> None:
    """Release all limits that last until this event."""
    over = g.image.limits_of[event]
    if over:
        g.world.used = {key: 1 for key in g.world.used if (key >> SHIFT) not in over}
