"""All ops of the machine, collected from their modules; a duplicate name fails here."""

from __future__ import annotations

from fcbdsl.machine.vm.op import Op, collect
from fcbdsl.machine.vm.ops import (
    arithmetic,
    asking,
    board_queries,
    calls,
    counters,
    dice_rolls,
    flow,
    happenings,
    registers,
    state,
    walking,
    zones,
)
from fcbdsl.machine.vm.world import TAGS

MODULES = (
    registers,
    arithmetic,
    flow,
    calls,
    state,
    counters,
    happenings,
    asking,
    dice_rolls,
    board_queries,
    walking,
    zones,
)

OPS: dict[str, type[Op]] = collect(*MODULES)
"""Ops by name, in the order of names."""

NAMES: tuple[str, ...] = tuple(OPS)
"""The value of `Program.ops` for new programs."""


def tag(name: str) -> int:
    """Return the number of an option's tag; types without a separate tag are numbers."""
    return TAGS.index(name) if name in TAGS else TAGS.index("number")
