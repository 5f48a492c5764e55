"""Runs content tests in several processes: each has an image of the program of its own, and takes a share at a time.

What comes of it is the same whatever the number of processes. A worker ends when the process that it works for does,
however that ends: it then finds the pipe closed that leads there.
"""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import pickle
import signal
from collections.abc import Callable, Iterable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from fcbdsl.testing.content_tests import Result, run_test
from fcbdsl.vm.image import Image
from fcbdsl.vm.program import Program

SHARE = 8
"""Tests that a worker takes at a time."""

Progress = Callable[[int], object]
"""Is told how many more tests have been run."""


def run_tests(
    program: Program, numbers: Sequence[int], jobs: int = 1, progress: Progress = lambda more: None
) -> list[Result]:
    """Run tests of a program by their numbers, in at most so many processes; the results are in that order.

    Raises what a test raises, and ChildProcessError if a worker is ended by somebody else."""
    shares = [numbers[at : at + SHARE] for at in range(0, len(numbers), SHARE)]
    if min(jobs, len(shares)) > 1:
        found = _spread(program, shares, min(jobs, len(shares)), progress)
        return [result for share in found for result in share]
    image = Image(program)
    results = []
    for number in numbers:
        results.append(run_test(image, number))
        progress(1)
    return results


def _spread(
    program: Program, shares: Sequence[Sequence[int]], jobs: int, progress: Progress
) -> Iterable[Sequence[Result]]:
    """Have workers run the shares; give each the next one when it is done with its own."""
    method = _method()
    context: Any = multiprocessing.get_context(method)
    crew: dict[Connection, BaseProcess] = {}
    found: dict[int, Sequence[Result]] = {}
    left = iter(enumerate(shares))
    try:
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            inherited = (*crew, ours) if method == "fork" else ()
            worker = context.Process(target=_work, args=(program, theirs, inherited), daemon=True)
            worker.start()
            theirs.close()  # or its end would never be seen
            crew[ours] = worker
        for ours in crew:
            ours.send(next(left))
        while len(found) < len(shares):
            for ready in wait(list(crew)):
                assert isinstance(ready, Connection)
                number, found[number] = _received(ready)
                progress(len(found[number]))
                share = next(left, None)
                if share is not None:
                    ready.send(share)
    finally:
        for worker in crew.values():
            worker.terminate()
        for ours, worker in crew.items():
            worker.join()
            ours.close()
    return [found[number] for number in range(len(shares))]


def _method() -> str:
    """How processes are begun: forked ones have the program already."""
    methods = multiprocessing.get_all_start_methods()
    return "fork" if methods[0] != "spawn" and "fork" in methods else "spawn"


def _received(ours: Connection) -> tuple[int, Sequence[Result]]:
    """What a worker made of a share, by its number."""
    try:
        number, made = ours.recv()
    except (EOFError, ConnectionError) as end:
        raise ChildProcessError(errno.ECHILD, "A process that ran tests was ended from outside") from end
    if isinstance(made, Exception):
        raise made
    return number, made


def _work(program: Program, theirs: Connection, inherited: Sequence[Connection]) -> None:
    """Run shares of tests until nobody asks any more. `inherited`: ends of pipes that are none of this process's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for whoever waits for the results
    for one in inherited:
        one.close()
    image = Image(program)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            number, share = theirs.recv()
            try:
                theirs.send((number, [run_test(image, test) for test in share]))
            except ConnectionError:
                return
            except Exception as bug:
                theirs.send((number, _portable(bug)))


def _portable(bug: Exception) -> Exception:
    """The same exception, or one that says the same, if it can't be sent."""
    try:
        pickle.loads(pickle.dumps(bug))
    except Exception:
        return RuntimeError(f"{type(bug).__name__}: {bug}")
    return bug
