"""Pausing the garbage collector while large trees grow."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: trees hold no cycles, and looking for some takes half of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if _lasting:
                gc.freeze()
            gc.enable()


_lasting: list[bool] = []


@contextmanager
def made_to_last() -> Iterator[None]:
    """Look for no garbage in what is made meanwhile with the collector paused: whoever makes one thing and ends keeps
    it all, and to look through it takes a tenth of the time to make it."""
    _lasting.append(True)
    try:
        yield
    finally:
        _lasting.pop()
        if not _lasting:
            gc.unfreeze()
