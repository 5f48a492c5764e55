"""Rows of numbers that ops access all the time: lists in plain Python, arrays of machine integers in the compiled
build.

Arrays need no objects for their numbers. Both support reading and writing an element, the length, iteration, and
copying a part (`row[low:high]`). For everything else, convert them to a list first. All numbers in them are below 2**63
(see `serialization.BOUND`, and `within`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:  # for mypyc, which knows these names; plain Python needs neither
    from librt.vecs import vec
    from mypy_extensions import i64

    Numbers = vec[i64]

COMPILED: Final = not __file__.endswith((".py", ".pyc"))


def numbers(values: list[int]) -> Numbers:
    """Return a new row of these numbers."""
    return vec[i64](values) if COMPILED else cast("Numbers", values[:])


def copy_row(row: Numbers, source: Numbers) -> Numbers:
    """Return a copy of a row; the compiled build reuses another row of the same length that is no longer needed."""
    if not COMPILED or len(row) != len(source):
        return source[:]
    for at, value in enumerate(source):
        row[at] = value
    return row


def are_equal(row: Numbers, other: Numbers) -> bool:
    """Return whether two rows have the same numbers."""
    if not COMPILED:
        return cast("object", row) == cast("object", other)
    return list(row) == list(other)
