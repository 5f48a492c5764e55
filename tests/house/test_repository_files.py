"""The repository contains sources and generated files, and no leftovers of a run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from games import ROOT

from fcbdsl.base.cache import RESULT, TABLES

LEFT = (RESULT, TABLES, ".pyc", ".so", ".prof", ".log", ".tmp", ".orig", ".rej", ".fcbc")
CORPUS = Path("tests/fuzz/corpus")
"""Inputs of the fuzzers, among them compiled programs."""
"""Endings of what runs leave: results in the cache, compiled things, profiles, halves of writes and merges."""


def tracked_files() -> list[Path]:
    """Return the paths of all files in git; skip the test outside of a repository."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a repository, or no git")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [Path(path) for path in listed.split("\0") if path]


def test_repository_contains_no_generated_files() -> None:
    left = [
        path
        for path in tracked_files()
        if path.suffix in LEFT and CORPUS not in path.parents and (ROOT / path).exists()
    ]
    assert left == []


def test_contributing_explains_each_top_folder() -> None:
    pages = (ROOT / "README.md").read_text("utf-8") + (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    folders = {path.parts[0] for path in tracked_files() if len(path.parts) > 1 and not path.parts[0].startswith(".")}
    assert [name for name in sorted(folders) if f"{name}/" not in pages and f"`{name}`" not in pages] == []
