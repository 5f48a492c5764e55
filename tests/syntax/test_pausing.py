"""The collector of garbage while trees grow."""

from __future__ import annotations

import gc

from fcbdsl.syntax.pausing import collector_paused, made_to_last


def test_it_comes_on_again() -> None:
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_is_made_to_last_is_not_looked_through_until_that_is_over() -> None:
    gc.unfreeze()
    with made_to_last():
        with collector_paused():
            grown = [[] for _ in range(1000)]  # type: list[list[int]]
        assert gc.get_freeze_count() >= len(grown)
        with made_to_last():
            pass
        assert gc.get_freeze_count()
    assert not gc.get_freeze_count()
    with collector_paused():
        pass
    assert not gc.get_freeze_count()
