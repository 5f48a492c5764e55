"""The pages of `fcb serve` pass axe-core: the preview of each sort of piece, with and without problems."""

from __future__ import annotations

import pytest
from chromium import AXE, Browser
from test_in_a_browser import Serving, has, serving

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (make axe)"),
]
__all__ = ["serving"]


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_preview_is_accessible(browser: Browser, serving: Serving, width: int, scheme: str) -> None:
    browser.size(width, 860, scheme)
    serving.open(browser)
    browser.wait(has("status", "2 tests passed"))
    for query in ("", "?file=cards/pond.fcb&piece=mission/crossing", "?file=systems/pond.fcb&piece=action/dare"):
        browser.go(serving.address + query)
        browser.wait("document.documentElement.dataset.live === ''")
        assert (query, browser.violations()) == (query, "")
    browser.go(serving.address + "?file=cards/pond.fcb&piece=trick/gift")
    browser.wait("document.documentElement.dataset.live === ''")
    serving.write("cards/pond.fcb", "mark fly on spot", "mark flie on spot")
    browser.wait(has("problems", "flie"))
    assert browser.violations() == ""
