"""The garbage collector while trees are built."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from fcbdsl.base import pausing
from fcbdsl.base.pausing import collector_paused, gc_disabled_until_exit


@pytest.fixture(autouse=True)
def as_python_begins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the collector run as often as outside tests, and record it."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    monkeypatch.setattr(pausing, "gc", gc)
    yield
    gc.set_threshold(*before)


def test_collector_is_enabled_again() -> None:
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


@pytest.mark.long
def test_collector_skips_lasting_objects_until_the_block_ends() -> None:
    gc.unfreeze()
    with gc_disabled_until_exit():
        with collector_paused():
            grown = [[] for _ in range(1000)]  # type: list[list[int]]
        assert gc.get_freeze_count() >= len(grown)
        with gc_disabled_until_exit():
            pass
        assert gc.get_freeze_count()
    assert not gc.get_freeze_count()
    with collector_paused():
        pass
    assert not gc.get_freeze_count()


def test_new_objects_are_moved_to_oldest_generation(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.unfreeze()
    gc.collect(1)
    monkeypatch.setattr(pausing, "_deferred", 0)
    monkeypatch.setattr(pausing, "_settled", False)
    with collector_paused():
        grown = [[] for _ in range(30_000)]  # type: list[list[int]]
        held = {id(item) for item in grown}
    assert gc.get_count()[0] < 1000
    younger = [item for generation in (0, 1) for item in gc.get_objects(generation)]
    assert held.isdisjoint(map(id, younger))  # the objects are not frozen but old, like all others of this process
    assert not gc.get_freeze_count()


GARBAGE = """
import weakref
from fcbdsl.base import pausing

class Ring:
    def __init__(self):
        self.me = self

pausing.GC_DEFER_LIMIT = 80_000
with pausing.collector_paused():
    first = weakref.ref(Ring())
for _ in range(3):
    with pausing.collector_paused():
        assert first() is not None
        rings = [Ring() for _ in range(36_000)]
assert first() is None
"""
"""A program for a separate process: it examines all objects, of which the tests have many."""


def test_garbage_is_collected_at_end() -> None:
    subprocess.run([sys.executable, "-c", GARBAGE], check=True)


@pytest.mark.long
def test_frozen_objects_of_others_stay_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with collector_paused():
            grown = [[] for _ in range(30_000)]  # type: list[list[int]]
        assert gc.get_freeze_count() >= frozen - 100 > 0
        assert grown
    finally:
        gc.unfreeze()


def test_few_objects_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def count() -> int:
        raise AssertionError("it takes as long as there is much frozen")

    monkeypatch.setattr(pausing.gc, "get_freeze_count", count)
    with collector_paused():
        grown = [[] for _ in range(5000)]  # type: list[list[int]]
    assert grown
