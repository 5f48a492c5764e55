"""`fcb test` of an edited pack reads and lowers incrementally, and reports what it reports without a cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_runner import Shell

EDITS = (
    ("    lower alarm 1\n", "    lower alarm 2\n", 1),  # changes the result of a test
    ("  expect lose\n", "  expect no question\n", 1),  # edits a test
    ("  needs: self marked radio and ", "  needs: ", 1),  # changes the guard of an action
    ("  needs: ", "  needs: a self is ", 1),  # cannot be read
    ("  needs: a self is ", "  needs: ", 1),
    ("    lower alarm 2\n", "    lower alarm 1\n", 1),
)
"""Edits of the pack: old text, new text, and the exit code of `fcb test` afterwards."""


def test_incremental_tests_report_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    assert Shell(tmp_path, monkeypatch, capsys).fcb("new", "pack", "--template", "mission", "--lang", "en").code == 0
    shell = Shell(tmp_path / "pack", monkeypatch, capsys)
    assert "6 passed, 0 failed" in shell.fcb("test").out
    for old, new, code in EDITS:
        changed = 0
        for file in sorted((tmp_path / "pack").glob("*/*.fcb")):
            text = file.read_text(encoding="utf-8")
            changed += text.count(old)
            file.write_text(text.replace(old, new), encoding="utf-8")
        assert changed == 1
        done = shell.fcb("test")
        kept = os.environ["FCB_CACHE"]
        monkeypatch.setenv("FCB_CACHE", "")
        assert done == shell.fcb("test")
        monkeypatch.setenv("FCB_CACHE", kept)
        assert done.code == code
