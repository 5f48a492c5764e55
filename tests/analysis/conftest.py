"""A shell in a project, as for the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import copy_pond


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a new project."""
    return Shell(copy_pond(tmp_path), monkeypatch, capsys)
