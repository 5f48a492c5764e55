"""Runs content tests in several processes. The results do not depend on the number of processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.session import worker_pool
from fcbdsl.play.testing.content_tests import Result, run_test

SHARE = 8
"""Tests that a worker takes at a time."""

Progress = Callable[[int], object]
"""Called with the number of further tests that have run."""


def run_tests(
    program: Program, numbers: Sequence[int], jobs: int = 1, progress: Progress = lambda more: None
) -> list[Result]:
    """Run tests of a program by their numbers, in at most `jobs` processes. Return the results in that order.

    Raise what a test raises, and ChildProcessError if a worker is ended by somebody else.
    """
    share = SHARE if jobs > 1 else 1
    shares = [numbers[at : at + share] for at in range(0, len(numbers), share)]
    results: dict[int, list[Result]] = {}
    for number, share_results in worker_pool.run_tasks(program, _run_share, shares, min(jobs, len(shares))):
        results[number] = share_results
        progress(len(share_results))
    return [result for number in range(len(shares)) for result in results[number]]


def _run_share(image: Image, share: Sequence[int]) -> list[Result]:
    return [run_test(image, number) for number in share]
