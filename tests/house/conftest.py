"""Frees what the tests of a file have cached after the last of them."""

from __future__ import annotations

from functools import _lru_cache_wrapper
from types import ModuleType

import imports
import pytest


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Function, nextitem: pytest.Item | None) -> None:
    """Clear the caches of a file after its last test, and those of `imports` after the last test of this folder.

    Syntax trees of the whole package take hundreds of megabytes.
    """
    if nextitem is None or nextitem.path != item.path:
        clear_caches(item.module)
    if nextitem is None or nextitem.path.parent != item.path.parent:
        clear_caches(imports)


def clear_caches(module: ModuleType) -> None:
    """Clear the caches of the functions of a module."""
    for value in vars(module).values():
        if isinstance(value, _lru_cache_wrapper) and value.__module__ == module.__name__:
            value.cache_clear()
