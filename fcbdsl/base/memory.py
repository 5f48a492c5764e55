"""The memory of this process: how much it uses, and how free memory goes back to the system."""

from __future__ import annotations

import contextlib
import os
import sys


def memory_in_use() -> int:
    """Return the memory that this process uses, in megabytes; 0 where the system does not report it.

    Where the system reports only the most memory that a process has ever used, return that.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as status:
            return int(status.read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # no POSIX
        return 0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used >> (20 if sys.platform == "darwin" else 10)


def return_memory() -> None:
    """Give free memory back to the system, if its C library can: that of GNU."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).malloc_trim(0)
