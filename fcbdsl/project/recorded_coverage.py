"""The coverage of a game's tests, recorded once: an unchanged test of an unchanged game is never played again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fcbdsl.base import cache
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.testing.impact import TestCoverage, TestKey, test_keys, watch
from fcbdsl.project.source_hashes import Seals

Recorded = tuple[Seals, TestCoverage]
"""A coverage, and the hashes of the sources that it belongs to."""
Tests = Callable[[Program], Iterable[int]]
"""Returns the numbers of a program's tests, and reports the progress while they are taken."""


def all_tests(program: Program) -> range:
    """Return the numbers of a program's tests."""
    return range(len(program.tests))


def recorded_coverage(
    seals: Seals,
    program: Callable[[], Program],
    before: Recorded | None,
    tests: Tests = all_tests,
    review: Callable[[Image], object] = lambda _: None,
) -> TestCoverage:
    """Return the coverage of the tests of the game with these hashes. `program` returns it with its tests.

    Tests that the coverage `before` contains for this game are not played again. `review`: see `watch`.
    """
    if before is not None and before[0] == seals:
        return before[1]
    game, coverage, same = program(), None, {}
    if before is not None and before[0].game == seals.game:
        coverage, then = before[1], {seal: key for key, seal in before[0].tests.items()}
        same = {key: then[seals.tests[key]] for key in test_keys(game) if seals.tests[key] in then}
    return watch(game, tests(game), review, coverage, same)


def cached_coverage(
    purpose: str,
    seals: Seals,
    program: Callable[[], Program],
    tests: Tests = all_tests,
    review: Callable[[Image], object] = lambda _: None,
) -> TestCoverage:
    """Return what `recorded_coverage` returns, based on the coverage in the cache for a `purpose`; cache the result."""
    key = cache.result_key([purpose.encode(), seals.game.encode()])
    shape = {"coverage": TestCoverage.SHAPE, "tests": dict[TestKey, str]}
    record: Any = cache.load_result(key, cache.shape_check(shape))
    before: Recorded | None = None
    if record is not None:
        before = Seals(seals.game, record["tests"]), TestCoverage.from_record(record["coverage"])
    coverage = recorded_coverage(seals, program, before, tests, review)
    if before is None or before[0] != seals:
        cache.store_result(key, {"coverage": coverage.to_record(), "tests": dict(seals.tests)})
    return coverage
