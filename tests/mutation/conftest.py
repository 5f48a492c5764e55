from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path / "yard", monkeypatch, capsys)
