"""What each test runs: one playing of every test on the unchanged game, watched; and of what its campaigns run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fcbdsl.mutation.difference import Difference, code_names
from fcbdsl.sim.content_tests import run_test
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.program import Program

TestKey = tuple[str, int]
"""A test by the file and line it stands on."""


@dataclass(frozen=True, slots=True)
class PlayedTest:
    """A test of the unchanged game: its title, the rules it covers, whether it passes, its decisions, and the number of
    ops that it runs."""

    key: TestKey
    title: str
    covers: tuple[str, ...]
    passed: bool
    decisions: int
    ops: int


class TestCoverage:
    """What the tests of a program run. Sets of tests are numbers whose bits count them."""

    def __init__(
        self,
        tests: list[PlayedTest],
        lines: dict[str, dict[int, int]],
        ops: dict[str, list[int]],
        review: frozenset[str],
    ) -> None:
        self.tests = tests
        self._lines = lines
        """Per file and line the tests that run something of it."""
        self._ops = ops
        """Per code and op the tests that run it."""
        self.review = review
        """The codes that the review of campaigns runs."""

    def of_lines(self, file: str, first: int, last: int) -> list[int] | None:
        """The tests that run something on some lines of a file, by number; None if no code stands there at all."""
        known = [tests for line, tests in self._lines.get(file, {}).items() if first <= line <= last]
        return None if not known else _numbers(_union(known))

    def of_difference(self, found: Difference) -> list[int]:
        """The tests that can tell a changed program from the unchanged one, by number."""
        if found.rest:
            return list(range(len(self.tests)))
        tests = [
            self._ops[code][at] for code, places in found.ops.items() for at in places if at < len(self._ops[code])
        ]
        tests += [ran for code in found.codes for ran in self._ops[code]]
        return _numbers(_union(tests))

    def is_reviewed(self, found: Difference) -> bool:
        """Whether the review of campaigns can tell them apart."""
        return found.rest or any(code in self.review for code in (*found.ops, *found.codes))

    def lines(self) -> Iterator[tuple[str, int, list[int]]]:
        """Every line with code, with the tests that run it."""
        for file, rows in self._lines.items():
            for line, tests in rows.items():
                yield file, line, _numbers(tests)

    def to_record(self) -> dict[str, Any]:
        """Return it as plain data."""
        tests = [[*one.key, one.title, list(one.covers), one.passed, one.decisions, one.ops] for one in self.tests]
        return {"tests": tests, "lines": self._lines, "ops": self._ops, "review": sorted(self.review)}

    @classmethod
    def fits(cls, record: Any) -> bool:
        """Whether data is what `to_record` returns."""
        try:
            lists = [record["tests"], record["review"], *record["ops"].values(), *(row[3] for row in record["tests"])]
            tables = [record["ops"], record["lines"], *record["lines"].values()]
            tests = [[type(value) for value in row] for row in record["tests"]]
            words = [
                *record["review"],
                *record["ops"],
                *record["lines"],
                *(one for row in record["tests"] for one in row[3]),
            ]
            numbers = [one for row in record["ops"].values() for one in row]
            numbers += [one for row in record["lines"].values() for pair in row.items() for one in pair]
        except (TypeError, ValueError, KeyError, AttributeError, IndexError):
            return False
        return (
            all(type(one) is list for one in lists)
            and all(type(one) is dict for one in tables)
            and all(row == [str, int, str, list, bool, int, int] for row in tests)
            and all(type(word) is str for word in words)
            and all(type(number) is int for number in numbers)
        )

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> TestCoverage:
        """Read what `to_record` returns."""
        tests = [
            PlayedTest((file, line), title, tuple(covers), passed, decisions, ops)
            for file, line, title, covers, passed, decisions, ops in record["tests"]
        ]
        return cls(tests, record["lines"], record["ops"], frozenset(record["review"]))


def _union(tests: Iterable[int]) -> int:
    out = 0
    for each in tests:
        out |= each
    return out


def _numbers(tests: int) -> list[int]:
    return [number for number in range(tests.bit_length()) if tests >> number & 1]


def test_keys(program: Program) -> list[TestKey]:
    """The tests of a program, by where they stand."""
    rows = [program.spans[test.span] for test in program.tests]
    return [(program.files[row.file], row.line) for row in rows]


def watch(program: Program, progress: Iterable[int], review: Callable[[Machine], object]) -> TestCoverage:
    """Play each test once and note what it runs, then what `review` runs; `progress` counts through the tests."""
    machine = Machine(program)
    marks = machine.watch()
    names = code_names(program)
    ops = {name: [0] * len(code.spans) for name, code in zip(names, program.codes, strict=True) if name}
    lines: dict[str, dict[int, int]] = {name: {} for name in program.files}
    places: list[tuple[str, int, str, int]] = [("", 0, "", 0)] * len(marks.bytes)
    for number, code in enumerate(program.codes):
        for at, span in enumerate(code.spans):
            row = program.spans[span] if span >= 0 else None
            file, line = (program.files[row.file], row.line) if row is not None else ("", 0)
            places[marks.first[number] + at] = names[number], at, file, line
            if file:
                lines[file][line] = 0
    keys = test_keys(program)
    tests: list[PlayedTest] = []
    for number in progress:
        marks.clear()
        result = run_test(machine, number, once=True)
        ran = marks.ran()
        for name, at, file, line in map(places.__getitem__, ran):
            if name:
                ops[name][at] |= 1 << number
            if file:
                lines[file][line] |= 1 << number
        passed = result.failure is None
        tests.append(PlayedTest(keys[number], result.title, result.covers, passed, result.decisions, len(ran)))
    marks.clear()
    review(machine)
    return TestCoverage(tests, lines, ops, frozenset(places[place][0] for place in marks.ran()))
