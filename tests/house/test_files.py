"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fcbdsl.files import write_atomically


def test_a_file_is_written_with_its_folder(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b.txt"
    write_atomically(target, b"whole")
    assert target.read_bytes() == b"whole"
    assert os.listdir(target.parent) == ["b.txt"]


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "b.txt"
    target.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["b.txt"]
