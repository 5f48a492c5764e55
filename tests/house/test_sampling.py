"""The sample of tests that `make test` runs: one in n parameters of a test marked `sampled(n)`, and no long test."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest


def item(name: str, **markers: int) -> Any:
    """Return a collected test with markers, each with one argument."""
    marks = {marker: SimpleNamespace(args=(value,)) for marker, value in markers.items()}
    return SimpleNamespace(nodeid=f"tests/test_a.py::{name}", get_closest_marker=marks.get)


def test_sample_leaves_out_long_tests_and_all_but_each_nth_parameter(request: pytest.FixtureRequest) -> None:
    plugins = request.config.pluginmanager.get_plugins()
    long_tests = next(plugin._long_tests for plugin in plugins if hasattr(plugin, "_long_tests"))
    drawn = [item(f"test_drawn[{at}]", sampled=3) for at in range(7)]
    items = [item("test_plain"), item("test_long", long=0), *drawn, item("test_other[0]", sampled=5)]
    left = [name.partition("::")[2] for name in sorted(long_tests(items))]
    assert left == [*(f"test_drawn[{at}]" for at in (1, 2, 4, 5)), "test_long"]
