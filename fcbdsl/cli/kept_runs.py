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


_RUNS = tuple[list[tuple[str, str]], list[tuple[str, str, str, str]], dict[tuple[str, str], tuple[str, ...]]]
"""The shape of stored runs."""


def key_of_runs(loader: Loader, options: str) -> str:
    """Return the key of the runs of a project with some options of ``fcb ci``."""
    from fcbdsl.project.project import project_key

    return project_key(loader, f"runs {loader.project!r} {options}")


def load_runs(key: str) -> Runs | None:
    """Return the runs that were kept under a key; None if there are none."""
    stored = cache.load_result(key, cache.shape_check(_RUNS))
    if not stored or not stored[0]:
        return None
    steps, cases, covered = stored
    return Runs([(step, True, says) for step, says in steps], [TestCase(*case) for case in cases], covered)


def store_runs(key: str, runs: Runs) -> None:
    """Keep runs without a failure."""
    steps = [(step, says) for step, _, says in runs.steps]
    cases = [(case.place, case.name, "", case.kind) for case in runs.cases]
    cache.store_result(key, (steps, cases, {test: tuple(rules) for test, rules in runs.covered.items()}))
