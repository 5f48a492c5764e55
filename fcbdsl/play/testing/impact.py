"""Test coverage: one instrumented run of every test on the unchanged game, and of the review of its campaigns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.fingerprint import Difference, code_names
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op_tracing import Marks
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.testing.content_tests import run_test

TestKey = tuple[str, int]
"""A test, by its file and line."""
NONE: Mapping[TestKey, TestKey] = MappingProxyType({})


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
    """The code that each test of a program runs. Sets of tests are bit masks."""

    def __init__(
        self,
        tests: list[PlayedTest],
        lines: dict[str, dict[int, int]],
        ops: dict[str, list[int]],
        review: frozenset[str],
    ) -> None:
        self.tests = tests
        self._lines = lines
        """The tests that run code of each line, by file."""
        self._ops = ops
        """The tests that run each op, by code."""
        self.review = review
        """The codes that the review of campaigns runs."""

    def of_lines(self, file: str, first: int, last: int) -> list[int] | None:
        """Return the tests that run code on some lines of a file, by number; None if these lines have no code."""
        tests_of_lines = [tests for line, tests in self._lines.get(file, {}).items() if first <= line <= last]
        return None if not tests_of_lines else _numbers(_union(tests_of_lines))

    def shares(self, file: str, first: int, last: int) -> dict[int, float]:
        """Return the tests that run some lines of a file, each with its share of them: a line counts for all that run
        it together as one."""
        out: dict[int, float] = {}
        for line, tests in self._lines.get(file, {}).items():
            if first <= line <= last:
                for number in _numbers(tests):
                    out[number] = out.get(number, 0) + 1 / tests.bit_count()
        return out

    def of_difference(self, difference: Difference) -> list[int]:
        """Return the tests that may distinguish a changed program from the unchanged one, by number."""
        if difference.rest:
            return list(range(len(self.tests)))
        tests = [
            self._ops[code][at] for code, places in difference.ops.items() for at in places if at < len(self._ops[code])
        ]
        tests += [ran for code in difference.codes for ran in self._ops[code]]
        return _numbers(_union(tests))

    def is_reviewed(self, difference: Difference) -> bool:
        """Return whether the review of campaigns may distinguish the two programs."""
        return difference.rest or any(code in self.review for code in (*difference.ops, *difference.codes))

    def lines(self) -> Iterator[tuple[str, int, list[int]]]:
        """Yield every line with code, with the tests that run it."""
        for file, rows in self._lines.items():
            for line, tests in rows.items():
                yield file, line, _numbers(tests)

    def carried(
        self, moved: Mapping[int, int], ops: Mapping[str, list[int]], lines: Mapping[str, dict[int, int]]
    ) -> None:
        """Take over the coverage from tables of the same game with other numbers."""
        renumbered_sets: dict[int, int] = {}

        def renumbered(tests: int) -> int:
            if tests not in renumbered_sets:
                renumbered_sets[tests] = _union(1 << moved[number] for number in _numbers(tests) if number in moved)
            return renumbered_sets[tests]

        for name, row in self._ops.items():
            ops[name][:] = [old | renumbered(tests) for old, tests in zip(ops[name], row, strict=True)]
        for file, rows in self._lines.items():
            for line, tests in rows.items():
                lines[file][line] |= renumbered(tests)

    SHAPE: ClassVar[dict[str, Any]] = {
        "tests": list[tuple[str, int, str, tuple[str, ...], bool, int, int]],
        "lines": dict[str, dict[int, int]],
        "ops": dict[str, list[int]],
        "review": list[str],
    }
    """The shape of `to_record` (see `cache.has_shape`)."""

    def to_record(self) -> dict[str, Any]:
        """Return the coverage as plain data."""
        tests = [
            (*test.key, test.title, tuple(test.covers), test.passed, test.decisions, test.ops) for test in self.tests
        ]
        return {"tests": tests, "lines": self._lines, "ops": self._ops, "review": sorted(self.review)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> TestCoverage:
        """Read what `to_record` returns."""
        tests = [
            PlayedTest((file, line), title, covers, passed, decisions, ops)
            for file, line, title, covers, passed, decisions, ops in record["tests"]
        ]
        return cls(tests, record["lines"], record["ops"], frozenset(record["review"]))


def _union(tests: Iterable[int]) -> int:
    out = 0
    for test in tests:
        out |= test
    return out


def _numbers(tests: int) -> list[int]:
    return [number for number in range(tests.bit_length()) if tests >> number & 1]


def test_keys(program: Program) -> list[TestKey]:
    """Return the tests of a program, by file and line."""
    rows = [program.spans[test.span] for test in program.tests]
    return [(program.files[row.file], row.line) for row in rows]


def watch(
    program: Program,
    progress: Iterable[int],
    review: Callable[[Image], object],
    coverage: TestCoverage | None = None,
    same: Mapping[TestKey, TestKey] = NONE,
) -> TestCoverage:
    """Play each test once and record the code that it runs, then the code that `review` runs.

    `progress` counts through the tests. `coverage`: the coverage of tests of the same game; `same`: the tests that it
    contains, as their present keys with those in `coverage`. These are not played again.
    """
    marks = Marks(program)
    image = Image(program, marks)
    names = code_names(program)
    ops = {name: [0] * len(code.spans) for name, code in zip(names, program.codes, strict=True) if name}
    game = [name for number, name in enumerate(program.files) if number not in program.proofs]
    lines: dict[str, dict[int, int]] = {name: {} for name in game}
    places: list[tuple[str, int, str, int]] = [("", 0, "", 0)] * len(marks.bytes)
    for number, code in enumerate(program.codes):
        for at, span in enumerate(code.spans):
            row = program.spans[span] if span >= 0 else None
            file, line = (program.files[row.file], row.line) if row is not None else ("", 0)
            if file not in lines:
                file = ""  # lines in test files move when other tests are added or removed
            places[marks.first[number] + at] = names[number], at, file, line
            if file:
                lines[file][line] = 0
    keys = test_keys(program)
    tests: list[PlayedTest] = []
    if coverage is not None:
        then = {played.key: number for number, played in enumerate(coverage.tests)}
        moved = {then[same[key]]: number for number, key in enumerate(keys) if key in same}
        coverage.carried(moved, ops, lines)
    for number in progress:
        if coverage is not None and keys[number] in same:
            tests.append(replace(coverage.tests[then[same[keys[number]]]], key=keys[number]))
            continue
        marks.clear()
        result = run_test(image, number, once=True)
        ran = marks.ran()
        for name, at, file, line in map(places.__getitem__, ran):
            if name:
                ops[name][at] |= 1 << number
            if file:
                lines[file][line] |= 1 << number
        passed = result.failure is None
        tests.append(PlayedTest(keys[number], result.title, result.covers, passed, result.decisions, len(ran)))
    if coverage is not None:
        return TestCoverage(tests, lines, ops, coverage.review)
    marks.clear()
    review(image)
    return TestCoverage(tests, lines, ops, frozenset(places[place][0] for place in marks.ran()))
