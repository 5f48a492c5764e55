"""``fcb cache`` shows and deletes stored results."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell

from fcbdsl.base import cache


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache."""
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_cache_reports_place_and_size_and_is_cleared(project: Shell, place: Path) -> None:
    programs = "fcb does not remember verified programs: FCB_STATE is empty.\n"
    assert project.fcb("cache").out == f"{place}: 0 results, 0.0 MB of 500.\n{programs}"
    project.fcb("check")
    count, size = len(cache.cached_files(place)), sum(file.size for file in cache.cached_files(place)) / 1e6
    assert count > 1
    assert project.fcb("cache").out == f"{place}: {count} results, {size:.1f} MB of 500.\n{programs}"
    (place / "notes.txt").write_text("mine")
    done = project.fcb("cache", "clear")
    assert (done.code, done.out) == (0, f"{place}: deleted {count} results, {size:.1f} MB.\n")
    assert [path.name for path in place.iterdir()] == ["notes.txt"]
    assert project.fcb("check").out == "No problems.\n"


def test_disabled_cache_is_reported(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", "")
    for arguments in (["cache"], ["cache", "clear"]):
        done = project.fcb(*arguments)
        assert (done.code, "fcb caches nothing between runs" in done.out) == (0, True)


def test_cache_command_has_no_other_action(project: Shell, place: Path) -> None:
    assert project.fcb("cache", "burn").code == 2
