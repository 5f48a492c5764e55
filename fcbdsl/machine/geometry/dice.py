"""Dice: places on a ladder and faces by count. The dice themselves are content."""

from __future__ import annotations


def shift_on_ladder(position: int, steps: int, length: int) -> int:
    """Return the place `steps` nearer the best end of a ladder of `length` dice, counted from the best (0).

    Past the best end it is -1, past the worst it is `length`: the sure ends, which need no roll.
    """
    place = position - steps
    if place < 0:
        return -1
    return place if place < length else length
