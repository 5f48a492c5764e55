"""The sources that the tests of the syntax read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "tests/cases/syntax").glob("*/*.fcb"))
SYSTEMS = ROOT / "fcbdsl" / "content" / "systems"
SHIPPED = sorted(path for top in (SYSTEMS, ROOT / "cards", ROOT / "missions") for path in top.rglob("*.fcb"))
