"""Pausing the garbage collector while large trees are built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

GC_DEFER_LIMIT = 2_000_000
"""Most objects that may be made while the collector is paused before a full collection: at most half a gigabyte."""

FEW_OBJECTS = 20_000
"""Number of young objects that the collector scans faster than it counts frozen ones, which Python does one by one."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector while data is built that stays in use.

    A search for cycles in such data takes half of the time. Afterwards the new objects count as old, as if the
    collector had scanned them. After more than `GC_DEFER_LIMIT` such objects, it does a full collection.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _promote()
            gc.enable()


def _promote() -> None:
    """Move young objects to the old generation, unless there are few of them."""
    global _deferred
    young = gc.get_count()[0]
    if _lasting:
        gc.freeze()
        return
    if young <= max(FEW_OBJECTS, gc.get_threshold()[0]):
        return
    if _settled or gc.get_freeze_count():
        return  # unfreezing is global: it would affect objects frozen elsewhere
    _deferred += young
    if _deferred > GC_DEFER_LIMIT:
        gc.collect()
        _deferred = 0
    else:
        gc.freeze()
        gc.unfreeze()


def settle() -> None:
    """Collect garbage now, and exclude all remaining objects from later collections: they live as long as this
    process."""
    global _settled
    gc.collect()
    gc.freeze()
    _settled = True


_settled = False
"""Whether `settle` has frozen objects: to count those of an open project takes as long as to lower an edit."""
_lasting: list[bool] = []
_deferred = 0


@contextmanager
def gc_disabled_until_exit() -> Iterator[None]:
    """Exclude objects that are made meanwhile, with the collector paused, from garbage collection.

    A process that builds one result and ends keeps all of it. A scan would take a tenth of the time of the build.
    """
    _lasting.append(True)
    try:
        yield
    finally:
        global _settled
        _lasting.pop()
        if not _lasting:
            gc.unfreeze()
            _settled = False
