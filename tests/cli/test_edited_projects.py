"""`fcb test` of an edited project reads and lowers incrementally, and reports what it reports without a cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import copy_pond

EDITS = (
    ("  expect green-frog's energy = 2\n", "  expect green-frog's energy = 1\n", 1),  # a test that fails
    ("  expect green-frog's energy = 1\n", "  expect green-frog's energy = a\n", 1),  # cannot be read
    ("  expect green-frog's energy = a\n", "  expect green-frog's energy = 2\n", 0),
    ("  costs: 1 energy\n  effect:\n    choose spot", "  costs: 2 energy\n  effect:\n    choose spot", 1),
    ("  costs: 2 energy\n  effect:\n    choose spot", "  costs: 1 energy\n  effect:\n    choose spot", 0),
    ("# ", "# A comment: ", 0),
)
"""Edits: old text, new text where it is found first, and the exit code of `fcb test` afterwards."""


def test_incremental_tests_report_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = copy_pond(tmp_path)
    shell = Shell(root, monkeypatch, capsys)
    for old, new, code in (("", "", 0), *EDITS):
        files = [file for file in sorted(root.glob("*/*.fcb")) if old in file.read_text(encoding="utf-8")]
        files[0].write_text(files[0].read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
        monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
        done = shell.fcb("test")
        monkeypatch.setenv("FCB_CACHE", "")
        assert done == shell.fcb("test")
        assert done.code == code
