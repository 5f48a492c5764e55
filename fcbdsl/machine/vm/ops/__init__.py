"""All ops of the machine, collected from their modules; a duplicate name fails here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from fcbdsl.machine.vm.program import Program

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


def ops_of(program: Program, code: int) -> Iterator[tuple[type[Op], tuple[int, ...]]]:
    """Yield the class of each op of a code of a verified program, with its operands."""
    ints, at = program.codes[code].ints, 0
    while at < len(ints):
        op = OPS[program.ops[ints[at]]]
        after = at + 1 + len(op.operands)
        yield op, ints[at + 1 : after]
        at = after
