"""Places on a ladder of dice, and faces by count."""

from __future__ import annotations

import pytest

from fcbdsl.machine.geometry.dice import shift_on_ladder


@pytest.mark.parametrize(
    ("position", "steps", "place"),
    [(2, 0, 2), (2, 1, 1), (2, -1, 3), (0, 1, -1), (4, -1, 5), (2, 9, -1), (2, -9, 5), (0, 2 - 3, 1)],
)
def test_shifts_stop_at_ends_of_ladder(position: int, steps: int, place: int) -> None:
    """FCB-DICE-02, FCB-DICE-04: all shifts are summed, then applied, then clamped."""
    assert shift_on_ladder(position, steps, 5) == place
