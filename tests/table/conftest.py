"""Tables of tests take any number of messages a second, so that no test depends on the speed of the machine."""

from __future__ import annotations

import pytest

from fcbdsl.editor.table import table_server


@pytest.fixture(autouse=True)
def any_number_of_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another test covers the limit for one browser."""
    monkeypatch.setattr(table_server, "PER_SECOND", 1_000_000)
