"""Pausing the garbage collector while large trees are built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

PUT_OFF = 2_000_000
"""Most objects that may be made while the collector is paused before a full collection: at most half a gigabyte."""

LITTLE = 20_000
"""Number of young objects that the collector scans faster than it counts the frozen ones.

Python counts frozen objects one by one, and an open project has frozen everything that it has read.
"""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector while data is built that stays in use.

    A search for cycles in such data takes half of the time. Afterwards the new objects count as old, as if the
    collector had scanned them. After more than `PUT_OFF` such objects, it does a full collection.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _grow_old()
            gc.enable()


def _grow_old() -> None:
    """Move young objects to the old generation, unless there are few of them."""
    global _put_off
    made = gc.get_count()[0]
    if _lasting:
        gc.freeze()
        return
    if made <= max(LITTLE, gc.get_threshold()[0]):
        return
    if gc.get_freeze_count():
        return  # unfreezing is global: it would affect objects frozen elsewhere
    _put_off += made
    if _put_off > PUT_OFF:
        gc.collect()
        _put_off = 0
    else:
        gc.freeze()
        gc.unfreeze()


def settle() -> None:
    """Collect garbage now, and exclude all remaining objects from later collections: they live as long as this
    process."""
    gc.collect()
    gc.freeze()


_lasting: list[bool] = []
_put_off = 0


@contextmanager
def made_to_last() -> Iterator[None]:
    """Exclude objects that are made meanwhile, with the collector paused, from garbage collection.

    A process that builds one result and ends keeps all of it. A scan would take a tenth of the time of the build.
    """
    _lasting.append(True)
    try:
        yield
    finally:
        _lasting.pop()
        if not _lasting:
            gc.unfreeze()
