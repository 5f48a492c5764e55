"""Pages for authors work as written: each block is a file, and each command prints what the page shows."""

from __future__ import annotations

import pytest
from cli_runner import Shell
from games import ROOT, shared_cache
from page_runner import run_page


@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "commands"), [("own-keyword", 6), ("own-campaign", 7), ("share-pack", 10), ("fr/tutoriel", 13)]
)
def test_page_works_as_written(shell: Shell, page: str, commands: int) -> None:
    with shared_cache():
        assert run_page(ROOT / "docs" / f"{page}.md", shell) == commands
