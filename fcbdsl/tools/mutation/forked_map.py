"""A function applied to many items in several processes, which get its state by forking."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def forked_map(
    apply: Callable[[Item], Result], items: Sequence[Item], jobs: int, chunk: int = 1
) -> Iterator[tuple[int, Result]]:
    """Yield each result with the number of its item, as soon as it is known.

    `jobs`: number of processes; where processes can't fork, there is one. `chunk`: items that a process gets at a time.
    """
    if jobs < 2 or len(items) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield from enumerate(map(apply, items))
        return
    global _shared
    _shared = apply, items
    try:
        with multiprocessing.get_context("fork").Pool(min(jobs, len(items)), _begin) as pool:
            yield from pool.imap_unordered(_apply_to, range(len(items)), chunksize=chunk)
    finally:
        _shared = None


_shared: tuple[Callable[[Any], Any], Sequence[Any]] | None = None
"""State for forked processes, set before they start."""


def _begin() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the process that waits for the results decides when to end


def _apply_to(number: int) -> tuple[int, Any]:
    assert _shared is not None
    apply, items = _shared
    return number, apply(items[number])
