"""A pool of processes for one task: each has an image of the program, and takes one item at a time.

A worker ends when its parent process does, for any reason: the pipe to the parent is then closed.
"""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program

Item = TypeVar("Item")
Made = TypeVar("Made")


def run_tasks(
    program: Program,
    task: Callable[[Image, Item], Made],
    items: Iterable[Item],
    jobs: int,
    imaged: Callable[[Program], Image] = Image,
) -> Iterator[tuple[int, Made]]:
    """Run a task (a function of a module) for each item in `jobs` processes.

    Yield the number and the result of each item as soon as it is ready. All workers end when the caller stops
    iterating. `imaged` (another such function) makes the image that a process works with.

    Raise what the task raises, and ChildProcessError if a worker is ended by somebody else.
    """
    if jobs > 1:
        yield from _spread(program, task, items, jobs, imaged)
        return
    image = imaged(program)
    for number, item in enumerate(items):
        yield number, task(image, item)


def _spread(
    program: Program,
    task: Callable[[Image, Item], Made],
    items: Iterable[Item],
    jobs: int,
    imaged: Callable[[Program], Image],
) -> Iterator[tuple[int, Made]]:
    """Distribute the items among workers: each gets the next one when it is ready."""
    method = _method()
    context: Any = multiprocessing.get_context(method)
    crew: dict[Connection, BaseProcess] = {}
    left = iter(enumerate(items))
    firsts = list(islice(left, jobs))
    busy = len(firsts)
    try:
        for _ in firsts:
            ours, theirs = context.Pipe()
            inherited = (*crew, ours) if method == "fork" else ()
            worker = context.Process(target=_work, args=(program, task, theirs, inherited, imaged), daemon=True)
            start_process(worker)
            theirs.close()  # or the end of the worker would never be seen
            crew[ours] = worker
        for ours, first in zip(crew, firsts, strict=True):  # after all have started: a fork may swallow an interrupt
            ours.send(first)
        while busy:
            for ready in wait(list(crew)):
                assert isinstance(ready, Connection)
                number, result = _received(ready)
                busy -= 1
                yield number, result
                following = next(left, None)
                if following is not None:
                    ready.send(following)
                    busy += 1
    finally:
        for worker in crew.values():
            worker.terminate()
        for ours, worker in crew.items():
            worker.join()
            ours.close()


def start_process(process: BaseProcess) -> None:
    """Start a process that Ctrl-C never reaches, not even before its own code runs.

    A terminal sends Ctrl-C to all processes. A process that is still importing would print a traceback.
    """
    if sys.platform == "win32":
        process.start()
        return
    from multiprocessing import resource_tracker  # Windows and Pyodide have none

    resource_tracker.ensure_running()  # when it starts, it unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _method() -> str:
    """Return the start method for processes: forked ones have the program already."""
    methods = multiprocessing.get_all_start_methods()
    return "fork" if methods[0] != "spawn" and "fork" in methods else "spawn"


def _received(ours: Connection) -> tuple[int, Any]:
    """Return the number of an item and the result of a worker."""
    try:
        number, result = ours.recv()
    except (EOFError, ConnectionError) as end:
        raise ChildProcessError(errno.ECHILD, "Another program ended a worker process") from end
    if isinstance(result, Exception):
        raise result
    return number, result


def _work(
    program: Program,
    task: Callable[[Image, Any], Any],
    theirs: Connection,
    inherited: Sequence[Connection],
    imaged: Callable[[Program], Image],
) -> None:
    """Run the task for items until the parent closes the pipe. `inherited`: ends of pipes of other processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles it
    for connection in inherited:
        connection.close()
    image = imaged(program)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            number, item = theirs.recv()
            try:
                theirs.send((number, task(image, item)))
            except ConnectionError:
                return
            except Exception as bug:
                theirs.send((number, _portable(bug)))


def _portable(bug: Exception) -> Exception:
    """Return the exception, or a RuntimeError with its text if it can't be pickled."""
    try:
        pickle.loads(pickle.dumps(bug))
    except Exception:
        return RuntimeError(f"{type(bug).__name__}: {bug}")
    return bug
