"""Confidence intervals for observed rates.

These floats decide nothing in a game: they are only shown, and determine when enough games have been played.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

Z = 1.959963984540054
"""Standard deviations on both sides that contain 95 % of a normal distribution."""

SURE = 3.290526731491926
"""Standard deviations that contain 99.9 %: for results that are checked again and again."""


def wilson(wins: int, games: int, z: float = Z) -> tuple[float, float]:
    """Return the 95 % interval of a share (E. B. Wilson, Probable inference, JASA 22, 1927), or that of another `z`.
    For no games it is the whole range."""
    if not games:
        return 0.0, 1.0
    share, spread = wins / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return (max(0.0, middle - half) if wins else 0.0), (min(1.0, middle + half) if wins < games else 1.0)


def quartiles(values: Mapping[int, int]) -> tuple[int, int, int]:
    """Return the quartiles of the values with their counts (nearest rank)."""
    first, middle, last = (_at_quarter(values, quarter) for quarter in (1, 2, 3))
    return first, middle, last


def _at_quarter(values: Mapping[int, int], quarter: int) -> int:
    left = -(-sum(values.values()) * quarter // 4)
    for value in sorted(values):
        left -= values[value]
        if left <= 0:
            return value
    return 0
