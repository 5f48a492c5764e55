"""Compares two programs on the same cells and seeds, game by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from math import sqrt
from typing import Any

from fcbdsl.base.records import dataclass
from fcbdsl.play.simulation.games import Matchup, Playout
from fcbdsl.play.simulation.intervals import Z, wilson
from fcbdsl.play.simulation.soundness import Reason

EXTREMES = ("unsound-none", "unsound-all", "unsound-contest", "unsound-alone")
"""Reasons that are a difference if only one of two programs has them."""
Why = Callable[[Playout], str]
"""Returns the reason for a game's end, in words that two programs share."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A difference, with its interval (by default 95 %)."""

    value: float
    low: float
    high: float

    @property
    def is_shown(self) -> bool:
        """Return whether zero is outside the interval."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class FinishPair:
    """An ending, and the number of games with it in the first and in the second program."""

    outcome: str
    why: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """A cell, played by two programs with the same seeds.

    `won`: by the first, by the second; `only`: games that only one of them won; `wins`: the difference of the win
    rates. `decisions`, `parts`: the differences of the mean lengths. `alike`: games with equal records in both;
    `apart`: the seed of the first different game (-1: none).
    """

    cell: Matchup
    games: int
    won: tuple[int, int]
    only: tuple[int, int]
    wins: Shift
    decisions: Shift
    parts: Shift
    ends: tuple[FinishPair, ...]
    alike: int
    apart: int
    unsound: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Why the comparison is not valid: the program (A, B), and the word and parts of the reason."""


def unsound_pair(before: Sequence[Reason], after: Sequence[Reason]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the reason why the rates of two programs cannot be compared.

    Zero or all wins in only one program is a difference. Bots that never came nearer to a win, or are worse than random
    players, make any comparison invalid.
    """
    both = {word for word, _ in before} & {word for word, _ in after}
    return tuple(
        (name, (word, *parts))
        for name, reasons in (("A", before), ("B", after))
        for word, parts in reasons
        if word in both or word not in EXTREMES
    )


def paired_difference(both: int, first: int, second: int, neither: int, z: float = Z) -> Shift:
    """Return the difference of two shares counted on the same pairs: won in both, in one of them, in neither.

    Its interval is the 95 % one, or that of another `z`, by method 10 of R. G. Newcombe, Improved confidence intervals
    for the difference between binomial proportions based on paired data, Statistics in Medicine 17 (1998).
    """
    games = both + first + second + neither
    if not games:
        return Shift(0.0, -1.0, 1.0)
    before, after = (both + first) / games, (both + second) / games
    (low_1, high_1), (low_2, high_2) = wilson(both + first, games, z), wilson(both + second, games, z)
    spread = (both + first) * (second + neither) * (both + second) * (first + neither)
    surplus = float(both * neither - first * second)
    if surplus > 0:
        surplus = max(0.0, surplus - games / 2)  # continuity correction
    phi = surplus / sqrt(spread) if spread else 0.0
    down = _joined(after - low_2, high_1 - before, phi)
    up = _joined(high_2 - after, before - low_1, phi)
    value = after - before
    return Shift(value, max(-1.0, value - down), min(1.0, value + up))


def _joined(one: float, other: float, phi: float) -> float:
    return sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))


def mean_difference(pairs: Sequence[tuple[int, int]]) -> Shift:
    """Return the mean of differences, with the interval of a normal distribution; infinite for fewer than two pairs."""
    if len(pairs) < 2:
        return Shift(float(sum(after - before for before, after in pairs)), float("-inf"), float("inf"))
    changes = [after - before for before, after in pairs]
    mean = sum(changes) / len(changes)
    variance = sum((change - mean) ** 2 for change in changes) / (len(changes) - 1)
    half = Z * sqrt(variance / len(changes))
    return Shift(mean, mean - half, mean + half)


def pair_playouts(
    cell: Matchup, before: Sequence[Playout], after: Sequence[Playout], why_before: Why, why_after: Why
) -> Pairing:
    """Compare the games that two programs have both played."""
    pairs = list(zip(before, after, strict=False))
    wins = Counter((one.outcome == "win", other.outcome == "win") for one, other in pairs)
    counts = [wins[True, True], wins[True, False], wins[False, True], wins[False, False]]
    ends = [
        Counter((pair[at].outcome, why(pair[at])) for pair in pairs) for at, why in enumerate((why_before, why_after))
    ]
    rows = [FinishPair(*end, ends[0][end], ends[1][end]) for end in ends[0] | ends[1]]
    apart = [one.seed for one, other in pairs if _course(one) != _course(other)]
    return Pairing(
        cell,
        len(pairs),
        (counts[0] + counts[1], counts[0] + counts[2]),
        (counts[1], counts[2]),
        paired_difference(*counts),
        mean_difference([(one.decisions, other.decisions) for one, other in pairs]),
        mean_difference([(one.parts, other.parts) for one, other in pairs]),
        tuple(sorted(rows, key=lambda row: (-abs(row.after - row.before), -row.before, row.outcome, row.why))),
        len(pairs) - len(apart),
        min(apart, default=-1),
    )


def _course(game: Playout) -> tuple[object, ...]:
    """Return what identifies the course of a game in different programs (the numbers of texts differ)."""
    return game.outcome, game.decisions, game.parts, game.tracks, game.used, game.offered, game.entered


def pairing_json(pairing: Pairing) -> dict[str, Any]:
    """Return a pairing as JSON data; intervals of fewer than two games are null."""
    data = asdict(pairing)
    for name in ("decisions", "parts"):
        if pairing.games < 2:
            data[name] |= {"low": None, "high": None}
    return data
