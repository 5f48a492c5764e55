"""Comparisons of pairs: valid intervals, and differences only where there are some."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fcbdsl.play.simulation.games import Matchup, Playout
from fcbdsl.play.simulation.pairs import mean_difference, pair_playouts, paired_difference

COUNTS = st.tuples(*[st.integers(0, 60)] * 4).filter(sum)


@given(COUNTS)
def test_paired_interval_contains_estimate_and_is_antisymmetric(counts: tuple[int, int, int, int]) -> None:
    both, first, second, neither = counts
    shift, turned = paired_difference(*counts), paired_difference(both, second, first, neither)
    assert -1 <= shift.low <= shift.value <= shift.high <= 1
    assert abs(shift.low + turned.high) < 1e-9
    assert abs(shift.high + turned.low) < 1e-9
    lost = paired_difference(neither, second, first, both)  # defeats instead of wins
    assert abs(shift.low + lost.high) < 1e-9


def test_paired_interval_of_known_case() -> None:
    """Counted by hand: 50 pairs; 13 won by the first alone, none by the second alone."""
    shift = paired_difference(36, 13, 0, 1)
    assert (round(shift.value, 2), shift.is_shown) == (-0.26, True)
    more = paired_difference(360, 130, 0, 10)
    assert shift.low < more.low < more.value < more.high < shift.high
    assert not paired_difference(20, 4, 5, 21).is_shown
    assert not paired_difference(0, 0, 0, 0).is_shown


def test_paired_intervals_have_coverage() -> None:
    """Paired results: the second wins each game that the first wins, and one in five of the others."""
    random = Random(5)
    held = 0
    for _ in range(400):
        firsts = [random.random() < 0.5 for _ in range(80)]
        seconds = [first or random.random() < 0.2 for first in firsts]
        pairs = list(zip(firsts, seconds, strict=True))
        shift = paired_difference(
            *[pairs.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]
        )
        held += shift.low <= 0.1 <= shift.high
    assert 0.93 <= held / 400 <= 0.99


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), min_size=2, max_size=40))
def test_mean_intervals_are_correct(pairs: list[tuple[int, int]]) -> None:
    shift = mean_difference(pairs)
    assert shift.low <= shift.value <= shift.high
    assert abs(shift.value - sum(b - a for a, b in pairs) / len(pairs)) < 1e-9


def test_games_are_paired_by_seed() -> None:
    def game(seed: int, outcome: str, why: int, decisions: int) -> Playout:
        return Playout(seed, outcome, why, (), decisions, 3)

    before = [game(1, "win", 0, 5), game(2, "lose", 1, 9), game(3, "lose", 1, 7)]
    after = [game(1, "win", 4, 5), game(2, "win", 4, 6), game(3, "lose", 5, 7)]
    pairs = pair_playouts(
        Matchup("mire", 2), before, after, lambda played: ["Home.", "Night."][played.why],
        lambda played: {4: "Home.", 5: "Rain."}[played.why],
    )  # fmt: skip
    assert (pairs.games, pairs.won, pairs.only, pairs.alike, pairs.apart) == (3, (1, 2), (0, 1), 2, 2)
    assert {(end.why, end.before, end.after) for end in pairs.ends} == {
        ("Home.", 1, 2),
        ("Night.", 2, 0),
        ("Rain.", 0, 1),
    }
    assert pairs.decisions.value == -1
