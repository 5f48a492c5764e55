"""What passes from a campaign's world into that of a mission, and back: kept stats and counters, kept zones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fcbdsl.vm import changes
from fcbdsl.vm.world import L_CHANGE

if TYPE_CHECKING:
    from fcbdsl.vm.machine import Machine
    from fcbdsl.vm.world import World


@dataclass(frozen=True, slots=True)
class CarryOver:
    """The values of `Machine.kept_stats`, and what lies in `Machine.kept_zones`, in their order."""

    values: tuple[int, ...]
    zones: tuple[tuple[int, ...], ...]


def taken(m: Machine, w: World) -> CarryOver:
    """Return what a world keeps."""
    base, mem = m.layout.base, w.mem
    values = tuple([mem[base[field] + thing] for field, thing in m.kept_stats])
    return CarryOver(values, tuple([w.zones[zone] for zone in m.kept_zones]))


def give(m: Machine, w: World, kept: CarryOver) -> None:
    """Bring a world to what was kept; what lay in a kept zone and lies in none any more goes to the box.

    What was kept has kept to its limits: it is not looked at again."""
    m.enter(w)
    differing = [row for row in zip(m.kept_zones, kept.zones, strict=True) if w.zones[row[0]] != row[1]]
    for zone, _ in differing:
        for thing in w.zones[zone]:
            changes.put(m, thing, changes.BOX, True, -1)
    for zone, things in differing:
        for thing in things:
            changes.lay(m, thing, zone, -1)
    for (field, thing), value in zip(m.kept_stats, kept.values, strict=True):
        at = m.layout.base[field] + thing
        before = w.mem[at]
        if before != value:
            w.mem[at] = value
            m.note(L_CHANGE, -1, (field, thing, -1, before, value))
