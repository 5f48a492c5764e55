"""The limits that hold for each input, and what becomes of one that breaks them."""

from __future__ import annotations

import json
import os
import resource
import signal
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType

SECONDS = 10
"""Processor time that one input may take."""


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


def tried_apart(run: Callable[[], str]) -> tuple[str, BaseException | None, int]:
    """Run one input in a process of its own. Return its result, the failure, and the megabytes of the process."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 2, SECONDS + 2))  # what no Python handler interrupts
        result, failure = tried(run)
        why = "" if failure is None else "".join(traceback.format_exception(failure)[-12:])
        os.write(writing, json.dumps([result, why])[:60_000].encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        answer = pipe.read()
    _, status, used = os.wait4(child, 0)
    megabytes = used.ru_maxrss // 1024
    if not answer:
        return "failed", RuntimeError(f"the process ended with status {status}"), megabytes
    result, why = json.loads(answer)
    return result, RuntimeError(why) if why else None, megabytes


def peak_megabytes() -> int:
    """Return the largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def cpu_seconds() -> float:
    """Return the processor time of this process and its children."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in both)


CORPUS = Path(__file__).parent / "corpus"
"""Inputs that failed once, and the programs that new inputs are made from."""
