"""State carried over between a campaign's world and that of a mission: stats, counters and zones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fcbdsl.machine.vm import changes
from fcbdsl.machine.vm.world import L_CHANGE

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game


class CarryOver(NamedTuple):
    """The values of `Image.kept_stats` and the contents of `Image.kept_zones`, in their order."""

    values: tuple[int, ...]
    zones: tuple[tuple[int, ...], ...]


def carry_over(g: Game) -> CarryOver:
    """Return the values and contents that a campaign takes from a game."""
    w = g.world
    mem, zones = w.mem, w.zones
    values = tuple([mem[cell] for cell in g.image.kept_cells])
    return CarryOver(values, tuple([zones[zone] for zone in g.image.kept_zones]))


def give(g: Game, carried: CarryOver) -> None:
    """Apply carried-over state to a game. Things that leave a kept zone without entering another go to the box.

    Limits are not checked again, because the state met them in the other world.
    """
    g.refuel()
    w = g.world
    differing = [row for row in zip(g.image.kept_zones, carried.zones, strict=True) if w.zones[row[0]] != row[1]]
    for zone, _ in differing:
        for thing in w.zones[zone]:
            changes.put(g, thing, changes.BOX, True, -1)
    for zone, things in differing:
        for thing in things:
            changes.lay(g, thing, zone, -1)
    for (field, thing), value in zip(g.image.kept_stats, carried.values, strict=True):
        at = g.layout.base[field] + thing
        before = w.mem[at]
        if before != value:
            w.write(at, value)
            w.bearers = {}
            g.note((L_CHANGE, -1, field, thing, -1, before, value))
