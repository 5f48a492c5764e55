"""Whether missions are won as often as their project wants them to be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.simulation.report import Summary

ALL = "all"
"""The key of what is wanted of missions of which nothing else is said."""

Band = tuple[int, int]
"""At least and at most so many percent."""
Verdict = Literal["inside", "outside", "open"]


@dataclass(frozen=True, slots=True)
class GateResult:
    """What a cell comes to beside what is wanted: its interval lies inside the band, outside of it, or on its edge."""

    cell: Summary
    band: Band
    verdict: Verdict


def band_of(program: Program, mission: str, wanted: Mapping[str, Band]) -> Band | None:
    """What is wanted of a mission: by its id; else by a value that it has (of an enum, such as a difficulty); else of
    all."""
    names = [mission]
    for row in program.definitions:
        if row.id == mission:
            for number, value in row.values:
                field = program.fields[number]
                if field.enum >= 0:
                    names.append(program.enums[field.enum].values[value])
    return next((wanted[name] for name in (*names, ALL) if name in wanted), None)


def names_of_nothing(program: Program, wanted: Mapping[str, Band]) -> list[str]:
    """What is wanted of missions and values that there are none of."""
    known = {ALL, *(row.id for row in program.definitions), *(name for enum in program.enums for name in enum.values)}
    return [name for name in wanted if name not in known]


def judged(one: Summary, band: Band) -> GateResult:
    """Hold a cell against its band: only what its interval shows counts."""
    low, high = band[0] / 100, band[1] / 100
    if one.high < low or one.low > high:
        return GateResult(one, band, "outside")
    return GateResult(one, band, "inside" if low <= one.low and one.high <= high else "open")
