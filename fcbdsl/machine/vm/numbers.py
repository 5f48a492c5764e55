"""Rows of numbers that ops read and write all the time: lists in plain Python; in the compiled build arrays of machine
integers, which need no objects for their numbers.

Of both one can read and write an element, ask for the length, go through them, and copy a part (`row[low:high]`). For
all else make a list of them first. No number in them is as large as 2**63 (see `serialization.BOUND`, and `within`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:  # for mypyc, which knows these names; plain Python needs neither
    from librt.vecs import vec
    from mypy_extensions import i64

    Numbers = vec[i64]

COMPILED: Final = not __file__.endswith((".py", ".pyc"))


def numbers(values: list[int]) -> Numbers:
    """A new row of these numbers."""
    return vec[i64](values) if COMPILED else cast("Numbers", values[:])


def renewed(row: Numbers, source: Numbers) -> Numbers:
    """A copy of a row; the compiled build writes it into another that nobody needs any more, if that is as long."""
    if not COMPILED or len(row) != len(source):
        return source[:]
    for at, value in enumerate(source):
        row[at] = value
    return row
