"""Rows of numbers, plain or compiled, support the operations that the machine uses."""

from __future__ import annotations

from fcbdsl.machine.vm.numbers import COMPILED, numbers


def test_rows_are_independent() -> None:
    given = [3, -1, 1 << 52]
    row = numbers(given)
    given[0] = 4
    part, copy = row[1:], row[:]
    row[1] = 7
    assert (list(row), list(part), list(copy)) == ([3, 7, 1 << 52], [-1, 1 << 52], [3, -1, 1 << 52])
    assert (len(row), row[-1], 7 in row, 4 in row) == (3, 1 << 52, True, False)
    assert copy == numbers([3, -1, 1 << 52])
    assert copy != row


def test_plain_python_uses_lists() -> None:
    assert isinstance(numbers([1]), list) is not COMPILED
