"""`fcb ci` stores runs that passed, and reuses them for the same sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.exchange import TestCase
from fcbdsl.cli import kept_runs
from fcbdsl.cli.kept_runs import Runs
from fcbdsl.project.project import load_project

SYSTEM = Path(__file__).parents[1] / "systems" / "lanterns"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))


def test_runs_are_found_again_for_the_same_sources_and_options() -> None:
    loader = load_project(root=SYSTEM)
    runs = Runs(
        [("tests", True, "1 test, 0 failed")], [TestCase("a.fcb", "One", "", "FCB0650")], {("a.fcb", "One"): ["R"]}
    )
    kept_runs.store_runs(kept_runs.key_of_runs(loader, "2"), runs)
    loaded = kept_runs.load_runs(kept_runs.key_of_runs(load_project(root=SYSTEM), "2"))
    assert loaded is not None
    assert ([*loaded.steps], [*loaded.cases]) == (runs.steps, runs.cases)
    assert {test: [*rules] for test, rules in loaded.covered.items()} == runs.covered
    assert kept_runs.load_runs(kept_runs.key_of_runs(loader, "3")) is None
    name = loader.sources[-1].name
    edited = load_project(root=SYSTEM, unsaved={name: loader.sources[-1].text + "\n# another\n"})
    assert kept_runs.load_runs(kept_runs.key_of_runs(edited, "2")) is None


@pytest.mark.parametrize("content", [(), ([], [], {}), ([("a", 1)], [], {}), ([("a", "b")], [("c",)], {}), "text"])
def test_runs_in_other_format_are_refused(content: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path))
    cache.store_result("runs.pickle", content)
    assert kept_runs.load_runs("runs.pickle") is None
