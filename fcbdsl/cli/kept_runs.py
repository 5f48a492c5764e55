"""Tests, random games and coverage of an earlier ``fcb ci`` of the same sources, if all of them passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.exchange import TestCase
from fcbdsl.base.records import dataclass

if TYPE_CHECKING:
    from fcbdsl.project.project import Loader


@dataclass(frozen=True, slots=True)
class Runs:
    """The steps of a report, the last one about coverage; the rows of its tests; and the rules that passing tests
    cover, by file and title."""

    steps: Sequence[tuple[str, bool, str]]
    cases: Sequence[TestCase]
    covered: dict[tuple[str, str], Sequence[str]]


def key_of_runs(loader: Loader, options: str) -> str:
    """Return the key of the runs of a project with some options of ``fcb ci``."""
    from fcbdsl.project.project import project_key

    return project_key(loader, f"runs {loader.project!r} {options}")


def load_runs(key: str) -> Runs | None:
    """Return the runs that were kept under a key; None if there are none."""
    found = cache.load_result(key, _are_runs)
    if found is None:
        return None
    steps, cases, covered = found
    return Runs([(step, True, says) for step, says in steps], [TestCase(*one) for one in cases], covered)


def store_runs(key: str, runs: Runs) -> None:
    """Keep runs without a failure."""
    steps = [(step, says) for step, _, says in runs.steps]
    cases = [(case.place, case.name, "", case.kind) for case in runs.cases]
    cache.store_result(key, (steps, cases, {test: tuple(rules) for test, rules in runs.covered.items()}))


def _are_runs(found: object) -> bool:
    """Return whether a cached result is steps, rows of tests, and rules by test."""
    match found:
        case (list(steps), list(cases), dict(covered)):
            tests = all(_are_texts(test, 2) and _are_texts(rules) for test, rules in covered.items())
            return (
                bool(steps)
                and tests
                and all(_are_texts(one, 2) for one in steps)
                and all(_are_texts(one, 4) for one in cases)
            )
    return False


def _are_texts(found: object, count: int = -1) -> bool:
    """Return whether an object is a tuple of texts, of a number if `count` is not negative."""
    return isinstance(found, tuple) and count in (-1, len(found)) and all(isinstance(one, str) for one in found)
