"""Which lines each test runs: one playing of every test on the unchanged game, watched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fcbdsl.sim.content_tests import run_test
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.program import Program

TestKey = tuple[str, int]
"""A test by the file and line it stands on."""


@dataclass(frozen=True, slots=True)
class Played:
    """A test of the unchanged game: its title, the rules it covers, whether it passes, its decisions, and the number of
    lines that it runs."""

    key: TestKey
    title: str
    covers: tuple[str, ...]
    passed: bool
    decisions: int
    lines: int


class Reach:
    """What the tests of a program run."""

    def __init__(self, tests: list[Played], lines: dict[str, dict[int, list[int]]]) -> None:
        self.tests = tests
        self._lines = lines
        """Per file and line the numbers of the tests that run something of it."""

    def of(self, file: str, first: int, last: int) -> list[int] | None:
        """The tests that run something on some lines of a file, by number; None if no code stands there at all."""
        known = [row for line, row in self._lines.get(file, {}).items() if first <= line <= last]
        return sorted({number for row in known for number in row}) if known else None

    def lines(self) -> Iterator[tuple[str, int, list[int]]]:
        """Every line with the tests that run it."""
        for file, rows in self._lines.items():
            for line, numbers in rows.items():
                yield file, line, numbers

    def to_record(self) -> dict[str, object]:
        """Return it as plain data."""
        tests = [[*one.key, one.title, list(one.covers), one.passed, one.decisions, one.lines] for one in self.tests]
        return {"tests": tests, "lines": {name: sorted(rows.items()) for name, rows in self._lines.items()}}

    @classmethod
    def fits(cls, record: Any) -> bool:
        """Whether data is what `to_record` returns."""
        try:
            return isinstance(cls.from_record(record), cls)
        except (TypeError, ValueError, KeyError, AttributeError):
            return False

    @classmethod
    def from_record(cls, record: dict[str, list[list[object]]]) -> Reach:
        """Read what `to_record` returns."""
        tests = []
        for file, line, title, covers, passed, decisions, lines in record["tests"]:
            tests.append(Played((file, line), title, tuple(covers), passed, decisions, lines))  # type: ignore[arg-type]
        return cls(tests, {name: dict(rows) for name, rows in record["lines"].items()})  # type: ignore[attr-defined]


def test_keys(program: Program) -> list[TestKey]:
    """The tests of a program, by where they stand."""
    rows = [program.spans[test.span] for test in program.tests]
    return [(program.files[row.file], row.line) for row in rows]


def watch(program: Program, progress: Iterable[int]) -> Reach:
    """Play each test once and note what it runs; `progress` counts through the tests."""
    machine = Machine(program)
    marks = machine.watch()
    places = [(row.file, row.line) for row in program.spans]
    keys = test_keys(program)
    lines: dict[str, dict[int, list[int]]] = {name: {} for name in program.files}
    for code in program.codes:
        for span in code.spans:
            if span >= 0:
                file, line = places[span]
                lines[program.files[file]].setdefault(line, [])
    tests: list[Played] = []
    for number in progress:
        marks[:] = bytes(len(marks))
        result = run_test(machine, number, once=True)
        here: dict[tuple[int, int], None] = {}
        at = marks.find(1)
        while at >= 0:
            here[places[at]] = None
            at = marks.find(1, at + 1)
        for file, line in here:
            lines[program.files[file]][line].append(number)
        passed = result.failure is None
        tests.append(Played(keys[number], result.title, result.covers, passed, result.decisions, len(here)))
    return Reach(tests, lines)
