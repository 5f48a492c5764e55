"""The painter in a real browser, by mouse and by keys."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from chromium import AXE, Browser
from land import GRAPH, HEX, SQUARE, Painted, land

from fcbdsl.cli.serve_command import bind_socket
from fcbdsl.editor.live.live_server import Hub, make_live_app
from fcbdsl.editor.painter.painter_server import make_painter_app

pytestmark = pytest.mark.long

BAY, HOUSE, ROAD = "missions/bay.fcb", "missions/house.fcb", "missions/road.fcb"


@contextmanager
def open_painter(browser: Browser, folder: Path, mission: str) -> Iterator[Painted]:
    painted = Painted(land(folder, {"house": "square", "road": "graph"}.get(mission, "hex")))
    with bind_socket(None) as listening:
        port = listening.getsockname()[1]
        app: Any = make_live_app(painted.desk, Hub(), port, "a-token", None, make_painter_app(painted.painter))
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="error"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{port}/map/paint?game={painted.game}&mission={mission}"
        browser.go(f"{address}&token=a-token", address)
        browser.wait("document.querySelectorAll('.space').length > 0")
        yield painted
        server.should_exit = True
        thread.join(20)


def space(name: str) -> str:
    return f"document.querySelector('.space[data-space={name}]')"


def choose(browser: Browser, tool: str, words: str) -> None:
    browser.see(f"document.querySelector('[name=tool][value={tool}]').click()")
    label = f"[...document.querySelectorAll('#palette label')].find(one => one.lastChild.textContent === {words!r})"
    browser.see(f"{label}.querySelector('input').click()")


def until_text(browser: Browser, words: str) -> None:
    browser.wait(f"document.getElementById('text').textContent.includes({words!r})")


def test_a_map_is_painted_with_the_mouse(browser: Browser, tmp_path: Path) -> None:
    with open_painter(browser, tmp_path / "land", "bay") as painted:
        browser.size(1400, 860, "dark")
        choose(browser, "brush", "marsh")
        browser.click(space("A1"))
        until_text(browser, "m . m .")
        choose(browser, "line", "rock")
        browser.click(space("A4"))
        browser.click(space("D4"))
        until_text(browser, "# # # #")
        choose(browser, "fill", "marsh")
        browser.click(space("A4"))
        until_text(browser, "m m m m")
        choose(browser, "mark", "ford")
        browser.click(space("A1"))
        until_text(browser, "marsh, ford")
        choose(browser, "side", "hedge")
        browser.click("document.querySelector('.edge[aria-label^=\"A3/B3\"]')")
        until_text(browser, "hedge: A3/B3")
        browser.picture(tmp_path / "painter.png")
        assert browser.see("document.querySelectorAll('pre .new').length") == 1
        for left in range(4, -1, -1):
            browser.click("document.getElementById('undo')")
            browser.wait(f"document.getElementById('undo').disabled === {'true' if not left else 'false'}")
            browser.wait(f"document.querySelectorAll('.space').length === 15 || {left} >= 0")
        browser.wait("!document.getElementById('text').textContent.includes('ford')")
        assert painted.text(BAY) == HEX
        assert browser.complaints == []


def test_a_map_is_painted_with_keys(browser: Browser, tmp_path: Path) -> None:
    with open_painter(browser, tmp_path / "land", "house") as painted:
        browser.size(1400, 860, "dark")
        browser.press("ArrowRight")
        assert browser.see("document.activeElement.dataset.space") == "B1"
        browser.press("2")
        browser.press("Enter")
        until_text(browser, "|.  m  m |")
        assert browser.see("document.activeElement.dataset.space") == "B1", "the cursor stays"
        browser.press("f")
        browser.press("ArrowDown")
        browser.press("Enter")
        browser.wait(f"{space('B2')}.getAttribute('aria-label') === 'B2: marsh'")
        browser.press("u")
        browser.wait(f"{space('B2')}.getAttribute('aria-label') === 'B2: plain'")
        browser.press("u")
        browser.wait("document.getElementById('undo').disabled")
        assert painted.text(HOUSE) == SQUARE
        browser.press("y")
        until_text(browser, "|.  m  m |")
        assert browser.complaints == []


def field(language: str) -> str:
    return f"document.querySelector('#call input[name={language}]')"


def test_a_map_of_places_is_painted_with_the_mouse(browser: Browser, tmp_path: Path) -> None:
    with open_painter(browser, tmp_path / "land", "road") as painted:
        browser.size(1400, 860, "dark")
        choose(browser, "brush", "rock")
        browser.click(space("well"))
        until_text(browser, 'well "Well": rock')
        choose(browser, "mark", "ford")
        browser.click(space("hill"))
        until_text(browser, "hill: ford")
        choose(browser, "path", "south")
        browser.click(space("oak"))
        browser.click(space("well"))
        until_text(browser, "oak S well")
        choose(browser, "path", "no path")
        browser.click("document.querySelector('.edge[aria-label=\"mill N hill\"]')")
        browser.wait("!document.getElementById('text').textContent.includes('mill N hill')")
        choose(browser, "place", "north")
        browser.click(space("oak"))
        browser.insert("Tower")
        browser.click("document.querySelector('#call button')")
        until_text(browser, "oak N tower")
        browser.see("document.querySelector('[name=tool][value=title]').click()")
        browser.click(space("tower"))
        browser.wait(f"{field('en')}.value === 'Tower'")
        browser.click(field("fr"))
        browser.insert("Tour")
        browser.click("document.querySelector('#call button')")
        until_text(browser, 'tower "Tower", fr "Tour"')
        browser.picture(tmp_path / "places.png")
        browser.see("document.querySelector('[name=tool][value=remove]').click()")
        browser.click(space("hill"))
        browser.wait("document.getElementById('here').textContent.includes('names hill')")
        browser.click(space("tower"))
        browser.wait("!document.getElementById('text').textContent.includes('tower')")
        for left in range(6, -1, -1):
            browser.click("document.getElementById('undo')")
            browser.wait(f"document.getElementById('undo').disabled === {'true' if not left else 'false'}")
        browser.wait("document.getElementById('text').textContent.includes('mill N hill')")
        assert painted.text(ROAD) == GRAPH
        assert [text for text in browser.complaints if "409" not in text] == []


def test_a_map_of_places_is_painted_with_keys(browser: Browser, tmp_path: Path) -> None:
    with open_painter(browser, tmp_path / "land", "road") as painted:
        browser.size(1400, 860, "dark")
        browser.see(f"{space('oak')}.focus()")
        browser.press("p")
        browser.press("3")
        browser.press("Enter")
        browser.press("ArrowUp")
        assert browser.see("document.activeElement.dataset.space") == "well"
        browser.press("Enter")
        until_text(browser, "oak S well")
        browser.press("a")
        browser.press("5")
        browser.press("Enter")
        browser.wait(f"document.activeElement === {field('en')}")
        browser.insert("Barn")
        browser.press("Enter")
        until_text(browser, "well barn")
        browser.see(f"{space('barn')}.focus()")
        browser.press("x")
        browser.press("Enter")
        browser.wait("!document.getElementById('text').textContent.includes('barn')")
        browser.press("u")
        until_text(browser, "well barn")
        browser.press("u")
        browser.wait("!document.getElementById('text').textContent.includes('barn')")
        browser.press("u")
        browser.wait("document.getElementById('undo').disabled")
        assert painted.text(ROAD) == GRAPH
        assert browser.complaints == []


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed in build/axe")
def test_the_painter_is_accessible(browser: Browser, tmp_path: Path) -> None:
    with open_painter(browser, tmp_path / "land", "bay"):
        for width, height in ((1400, 860), (390, 844)):
            browser.size(width, height, "dark")
            for tool in ("brush", "ring", "side"):
                browser.see(f"document.querySelector('[name=tool][value={tool}]').click()")
                assert (width, tool, browser.violations()) == (width, tool, "")
            browser.see("location.assign('/map/')")
            browser.wait("document.querySelectorAll('main li').length === 2")
            assert (width, "maps", browser.violations()) == (width, "maps", "")
            browser.see("history.back()")
            browser.wait("document.querySelectorAll('.space').length > 0")


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed in build/axe")
def test_the_painter_of_places_is_accessible(browser: Browser, tmp_path: Path) -> None:
    with open_painter(browser, tmp_path / "land", "road"):
        for width, height in ((1400, 860), (390, 844)):
            browser.size(width, height, "dark")
            for tool in ("brush", "path", "place", "title", "remove"):
                browser.see(f"document.querySelector('[name=tool][value={tool}]').click()")
                assert (width, tool, browser.violations()) == (width, tool, "")
