"""Limits: once per event, per player, figure, card or game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fcbdsl.vm.machine import Machine

SHIFT = 32


def _key(m: Machine, limit: int, self_: int, this: int) -> int:
    """The number under which a limit is counted for whom it concerns."""
    per = m.program.limits[limit].per
    whom = 0
    if per == "player":
        whom = m.controller(self_) + 1
    elif per == "figure":
        whom = self_ + 1
    elif per == "instance":
        whom = this + 1
    return (limit << SHIFT) + whom


def is_free(m: Machine, limit: int, self_: int, this: int) -> bool:
    """Whether a limit (-1: none) allows once more."""
    return limit < 0 or _key(m, limit, self_, this) not in m.w.used


def use(m: Machine, limit: int, self_: int, this: int) -> None:
    """Use a limit up until its event."""
    if limit >= 0:
        m.w.used[_key(m, limit, self_, this)] = 1


def refresh(m: Machine, event: int) -> None:
    """Make the limits free again that last until this event."""
    over = m.limits_of[event]
    if over:
        m.w.used = {key: 1 for key in m.w.used if (key >> SHIFT) not in over}
