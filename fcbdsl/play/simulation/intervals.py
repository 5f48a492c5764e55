"""How far a share that was counted may be from the true one.

Nothing here decides anything in a game: these numbers are told, and say when enough games have been played.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

Z = 1.959963984540054
"""Of a normal distribution, 95 of 100 lie within so many standard deviations."""

SURE = 3.290526731491926
"""The same of 99.9 of 100: for what is looked at again and again."""


def wilson(wins: int, games: int, z: float = Z) -> tuple[float, float]:
    """The 95 % interval of a share (E. B. Wilson, Probable inference, JASA 22, 1927), or that of another `z`; all there
    is of no games."""
    if not games:
        return 0.0, 1.0
    share, spread = wins / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return (max(0.0, middle - half) if wins else 0.0), (min(1.0, middle + half) if wins < games else 1.0)


def quartiles(values: Mapping[int, int]) -> tuple[int, int, int]:
    """A quarter, half and three quarters of the values, each so often, lie at or below these (the nearest rank)."""
    first, middle, last = (_at_quarter(values, quarter) for quarter in (1, 2, 3))
    return first, middle, last


def _at_quarter(values: Mapping[int, int], quarter: int) -> int:
    left = -(-sum(values.values()) * quarter // 4)
    for value in sorted(values):
        left -= values[value]
        if left <= 0:
            return value
    return 0
