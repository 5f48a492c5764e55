"""Options of the whole test suite."""

from __future__ import annotations

import os

import pytest

os.environ["FCB_CACHE"] = ""  # tests, and what they start, leave the user's cache alone


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite what cases expect with what is made now")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be rewritten."""
    return bool(request.config.getoption("--update"))
