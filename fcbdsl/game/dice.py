"""Dice: places on a ladder and faces by count. The dice themselves are content."""

from __future__ import annotations

from collections.abc import Sequence


def shifted(position: int, steps: int, length: int) -> int:
    """The place `steps` nearer the best end of a ladder of `length` dice, counted from the best (0).

    Past the best end it is -1, past the worst it is `length`: the sure ends, which need no roll.
    """
    place = position - steps
    if place < 0:
        return -1
    return place if place < length else length


def face(counts: Sequence[int], number: int) -> int:
    """The face on which `number` falls, from 0, when face f stands for `counts[f]` numbers in a row."""
    left = number
    for index in range(len(counts)):
        left -= counts[index]
        if left < 0:
            return index
    raise ValueError(f"{number} is beyond the {sum(counts)} sides of the die")
