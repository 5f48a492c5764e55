"""Generated pages are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import history
from fcbdsl.cli.pages import pages

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", list(pages()))
def test_generated_page_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == pages()[name], "run `make docs`"


def test_performance_page_is_up_to_date() -> None:
    assert history.PAGE.read_text(encoding="utf-8") == history.page(history.runs())
