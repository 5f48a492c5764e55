"""Limits on what a run may take of the machine, so that nobody's pack can stop it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class TookTooLong(Exception):
    """The processor time that a run may take is spent."""


@contextmanager
def limited(seconds: int, megabytes: int) -> Iterator[bool]:
    """While this lasts, this process and each that it starts take no more processor time and memory than that; yields
    whether the system can hold them to it. What goes beyond raises TookTooLong or MemoryError."""
    try:
        import resource
    except ImportError:  # no POSIX
        yield False
        return

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise TookTooLong

    spent = resource.getrusage(resource.RUSAGE_SELF)
    limits = {
        resource.RLIMIT_CPU: int(spent.ru_utime + spent.ru_stime) + seconds,
        resource.RLIMIT_AS: megabytes * 1024 * 1024,
    }
    before = {which: resource.getrlimit(which) for which in limits}
    handler = signal.signal(signal.SIGXCPU, stop)
    try:
        for which, most in limits.items():
            soft, hard = before[which]
            known = [most, *(one for one in (soft, hard) if one != resource.RLIM_INFINITY)]
            resource.setrlimit(which, (min(known), hard))
        yield True
    finally:
        for which, old in before.items():
            resource.setrlimit(which, old)
        signal.signal(signal.SIGXCPU, handler)
