"""The sources that the tests of this room read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "tests/cases/syntax").glob("*/*.fcb"))
SHIPPED = sorted(path for top in ("fcbdsl/systems", "cards", "missions") for path in (ROOT / top).rglob("*.fcb"))
