"""The limits that hold for each input, and what becomes of one that breaks them."""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NamedTuple

SECONDS = 10
"""Processor time that one input may take."""


class Input(NamedTuple):
    """One wrong input: what it was made from, how to run it, and its file."""

    name: str
    run: Callable[[], str]
    file: Callable[[], bytes]


class Tried(NamedTuple):
    """The result of an input, the failure as text if there is one, its time, and the memory of its process so far."""

    result: str
    why: str
    seconds: float
    megabytes: int


class Hang(BaseException):
    """An input takes too long. No handler of the code under test catches it."""


def _ring(number: int, frame: FrameType | None) -> None:
    raise Hang(f"more than {SECONDS} s of processor time")


def tried(run: Callable[[], str]) -> tuple[str, BaseException | None]:
    """Run one input. Return its result, and the exception if it is a failure."""
    signal.signal(signal.SIGVTALRM, _ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return run(), None
    except (Exception, Hang) as failure:
        return "failed", failure
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def warm_up(inputs: Sequence[Input]) -> None:
    """Load what inputs need, so that the processes which run them need not load it again."""
    for input in inputs:
        with suppress(Exception):
            tried(input.run)
    gc.collect()
    gc.freeze()


class Batch:
    """Inputs that run in a separate process."""

    def __init__(self, made: Callable[[int], Input], numbers: range) -> None:
        """Start the process."""
        self.numbers = numbers
        self._reading, writing = os.pipe()
        self._child = os.fork()
        if not self._child:
            os.close(self._reading)
            _run_all(made, numbers, writing)
            os._exit(0)
        os.close(writing)

    def results(self) -> Iterator[Tried]:
        """Yield the result of each input. Ends early, after the input that ended the process."""
        count, megabytes = 0, 0
        with open(self._reading, "rb") as pipe:
            for line in pipe:
                if line.endswith(b"\n"):
                    tried_input = Tried(*json.loads(line))
                    count, megabytes = count + 1, tried_input.megabytes
                    yield tried_input
        _, status = os.waitpid(self._child, 0)
        if count < len(self.numbers):
            yield Tried("failed", f"the process ended with status {status}", SECONDS, megabytes)


def _run_all(made: Callable[[int], Input], numbers: range, writing: int) -> None:
    """Run inputs in this process, and write a line about each."""
    gc.disable()  # it would look through whole projects after each edit; the process ends before its garbage is large
    for number in numbers:
        made_input = made(number)
        before = cpu_seconds()
        limit = int(before) + SECONDS + 3  # for what no Python handler interrupts
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        result, failure = tried(made_input.run)
        why = "" if failure is None else "".join(traceback.format_exception(failure)[-12:])
        answer = Tried(result, why[-20_000:], cpu_seconds() - before, peak_megabytes())
        data = json.dumps(answer).encode() + b"\n"
        while data:
            data = data[os.write(writing, data) :]


def peak_megabytes() -> int:
    """Return the largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def cpu_seconds() -> float:
    """Return the processor time of this process and its children."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in both)


CORPUS = Path(__file__).parent / "corpus"
"""Inputs that failed once, and the programs that new inputs are made from."""
