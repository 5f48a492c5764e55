"""`make audit` claims nothing about packages that were not audited."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("audit", ROOT / "release" / "audit.py")
assert SPEC is not None
assert SPEC.loader is not None
audit = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(audit)

SOUND: dict[str, Any] = {"name": "a", "version": "1", "vulns": []}
WEAK = {"name": "b", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["3"]}]}
SKIPPED = {"name": "c", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("packages", "code", "strict", "message"),
    [
        ([SOUND], 0, 0, "1 of 1 packages audited, 0 known"),
        ([SOUND, WEAK], 1, 1, "VULNERABLE: b 2: CVE-1, fixed in 3"),
        ([SOUND, SKIPPED], 1, 1, "Skipped: the audit of c, because:"),
        ([SKIPPED], 0, 1, "0 of 1 packages audited"),
        ([], 1, 1, "0 of 0 packages audited"),
    ],
    ids=["sound", "vulnerable", "some skipped", "all skipped", "none"],
)
def test_audit_fails_unless_all_was_audited(
    packages: list[dict[str, Any]], code: int, strict: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (audit.report(packages, False), audit.report(packages, True)) == (code, strict)
    assert message in capsys.readouterr().out
