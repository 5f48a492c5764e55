"""A shell in an empty folder, and one in a project."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import copy_pond


@pytest.fixture(autouse=True)
def no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print no lines of progress, because their number depends on the load of the machine."""
    monkeypatch.setattr("fcbdsl.cli.common.SILENT_SECONDS", math.inf)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in an empty folder."""
    return Shell(tmp_path, monkeypatch, capsys)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a new project."""
    return Shell(copy_pond(tmp_path), monkeypatch, capsys)
