"""Compares the win rates of missions with the targets of the project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.simulation.cell_statistics import Summary

ALL = "all"
"""The key of the default target band."""

Band = tuple[int, int]
"""Lowest and highest percentage."""
Verdict = Literal["inside", "outside", "open"]


@dataclass(frozen=True, slots=True)
class GateResult:
    """The result of a cell against its target band: its interval is inside, outside, or crosses an edge."""

    cell: Summary
    band: Band
    verdict: Verdict


def band_of(program: Program, mission: str, wanted: Mapping[str, Band]) -> Band | None:
    """Return the target band of a mission: by its id; else by one of its enum values, such as a difficulty; else the
    default."""
    names = [mission]
    for row in program.definitions:
        if row.id == mission:
            for number, value in row.values:
                field = program.fields[number]
                if field.enum >= 0:
                    names.append(program.enums[field.enum].values[value])
    return next((wanted[name] for name in (*names, ALL) if name in wanted), None)


def names_of_nothing(program: Program, wanted: Mapping[str, Band]) -> list[str]:
    """Return the targets for missions and values that do not exist."""
    names = {ALL, *(row.id for row in program.definitions), *(name for enum in program.enums for name in enum.values)}
    return [name for name in wanted if name not in names]


def compare_with_band(summary: Summary, band: Band) -> GateResult:
    """Compare a cell with its target band, by its interval."""
    low, high = band[0] / 100, band[1] / 100
    if summary.high < low or summary.low > high:
        return GateResult(summary, band, "outside")
    return GateResult(summary, band, "inside" if low <= summary.low and summary.high <= high else "open")
