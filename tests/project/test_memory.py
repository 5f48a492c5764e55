"""The memory of a process, as the system reports it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fcbdsl.base.memory import memory_in_use, return_memory


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system reports only the most memory")
def test_memory_in_use_follows_what_is_held() -> None:
    before = memory_in_use()
    block = bytearray(b"x") * (100 << 20)
    held = memory_in_use()
    assert before + 90 <= held <= before + 200
    del block
    return_memory()
    assert memory_in_use() < held - 50


def test_memory_is_returned_only_by_a_library_that_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda name: object())
    return_memory()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr("ctypes.CDLL")
    return_memory()
