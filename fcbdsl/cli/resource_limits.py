"""Limits on the resources of a run, so that a stranger's pack can't block the machine."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class TookTooLong(Exception):
    """The processor time of a run is used up."""


@contextmanager
def limit_resources(seconds: int, megabytes: int) -> Iterator[bool]:
    """Limit the processor time and memory of this process and its children; yield whether the system supports it.

    Exceeding the limits raises TookTooLong or MemoryError.
    """
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
            bounds = [most, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)]
            resource.setrlimit(which, (min(bounds), hard))
        yield True
    finally:
        for which, old in before.items():
            resource.setrlimit(which, old)
        signal.signal(signal.SIGXCPU, handler)
