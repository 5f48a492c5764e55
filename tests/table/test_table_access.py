"""Every screen of the table passes axe-core, if `npm install --prefix build/axe axe-core` has installed it."""

from __future__ import annotations

import json

import games
import pytest
from chromium import Browser
from test_table_in_a_browser import READY, by_mouse, open_table, play, served

pytestmark = pytest.mark.long

AXE = games.ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"


def violations(browser: Browser) -> list[str]:
    """Return the rules that the present screen breaks, each with its first element."""
    browser.see(f"{AXE.read_text(encoding='utf-8')};1")
    answer = browser.see(
        "axe.run(document, {resultTypes: ['violations']}).then(made => JSON.stringify("
        "made.violations.map(one => one.id + ' at ' + one.nodes[0].target.join(' '))))"
    )
    out: list[str] = json.loads(answer)
    return out


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed in build/axe")
@pytest.mark.parametrize("game", games.GAMES)
def test_table_screens_are_accessible(browser: Browser, game: str) -> None:
    with served(game) as (link, table):
        browser.size(1400, 860, "dark")
        open_table(browser, link)
        play(browser, table, 6, by_mouse(browser))
        browser.wait(READY)
        assert violations(browser) == []
        browser.press("?")
        assert violations(browser) == []
        browser.see("document.getElementById('talk').close()")
        browser.size(390, 844, "dark")
        for tab in ("cards", "log", "mission", "board"):
            browser.see(f"document.querySelector('#tabs [data-tab={tab}]').click()")
            assert (tab, violations(browser)) == (tab, [])


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed in build/axe")
def test_curtain_is_accessible(browser: Browser) -> None:
    with served("beast", persons=(0, 1)) as (link, _):
        browser.size(1400, 860, "dark")
        open_table(browser, link)
        assert browser.see("document.getElementById('curtain').open")
        assert violations(browser) == []
