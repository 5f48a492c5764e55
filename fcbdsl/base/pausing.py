"""Pausing the garbage collector while large trees grow."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

PUT_OFF = 2_000_000
"""How many objects may be made with the collector paused before it looks for garbage among all there are: half a
gigabyte of them at most."""

LITTLE = 20_000
"""How many young objects the collector looks through in less time than it takes to ask whether anything is frozen:
Python counts that one by one, and an open project has frozen all that it has read."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: what grows is in use, and to look for cycles in it takes half of the time.

    What was made counts as old afterwards, as if the collector had looked through it already. Once more than `PUT_OFF`
    objects have come to be old so, it looks through all there are."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _grow_old()
            gc.enable()


def _grow_old() -> None:
    """Let what is young be old, unless there is little of it."""
    global _put_off
    made = gc.get_count()[0]
    if _lasting:
        gc.freeze()
        return
    if made <= max(LITTLE, gc.get_threshold()[0]):
        return
    if gc.get_freeze_count():
        return  # to thaw everything would thaw what somebody else has frozen
    _put_off += made
    if _put_off > PUT_OFF:
        gc.collect()
        _put_off = 0
    else:
        gc.freeze()
        gc.unfreeze()


def settle() -> None:
    """Look for garbage now, and never again in what is left: it lives as long as this process."""
    gc.collect()
    gc.freeze()


_lasting: list[bool] = []
_put_off = 0


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
