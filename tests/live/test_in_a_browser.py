"""`fcb serve` as a whole: its processes, and the page in a real browser."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser
from pond_game import calm_pond

pytestmark = pytest.mark.long


class Serving:
    """A project that a separate process serves."""

    def __init__(self, root: Path) -> None:
        self.root = root
        command = [sys.executable, "-m", "fcbdsl", "serve"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=root, stdout=pipe, stderr=pipe, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().split()[0]
        self.address = self.link.partition("?")[0]

    def open(self, browser: Browser) -> None:
        """Follow the printed link, which exchanges its token for a cookie."""
        browser.go(self.link, self.address)

    def write(self, file: str, before: str, after: str) -> None:
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")

    def end(self) -> tuple[int, str, str]:
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    made = Serving(calm_pond(tmp_path))
    yield made
    made.process.kill()
    made.process.communicate()


WIDE = "document.documentElement.scrollWidth <= innerWidth"


def part(id: str) -> str:
    return f"(document.getElementById('{id}')?.innerText ?? '')"


def has(id: str, words: str) -> str:
    return f"{part(id)}.includes({words!r})"


def test_page_shows_saved_changes_without_a_reload(browser: Browser, serving: Serving) -> None:
    browser.size(1300, 900)
    serving.open(browser)
    browser.wait(has("status", "2 tests passed"))
    browser.see("window.kept = 1")
    serving.write("cards/pond.fcb", "Gift of flies", "Gift of gnats")
    browser.wait(has("shown", "Gift of gnats"))
    assert browser.see("[...document.querySelectorAll('#shown .card')].map(one => one.lang)") == ["en", "fr"]
    tops = browser.see("[...document.querySelectorAll('#shown .card')].map(one => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1], "side by side"
    serving.write("cards/pond.fcb", "mark fly on spot", "mark flie on spot")
    browser.wait(has("problems", "flie"))
    assert browser.see(part("status")).startswith("1 error")
    serving.write("cards/pond.fcb", "mark flie", "mark fly")
    serving.write("systems/pond.fcb", "gust: mark Wet on self", "gust: self's temper becomes gruff")
    browser.wait(has("tests", "Events so far"))
    assert browser.see("window.kept") == 1
    assert browser.complaints == []


def test_page_is_usable_by_keyboard_and_keeps_position(browser: Browser, serving: Serving) -> None:
    browser.size(1300, 900)
    serving.open(browser)
    browser.wait(has("status", "2 tests passed"))
    browser.press("Tab")
    assert browser.see("document.activeElement.className") == "skip"
    assert browser.see("document.activeElement.getBoundingClientRect().left") >= 0
    browser.press("j")
    browser.wait("location.search.includes('tree-frog')")
    browser.wait("document.readyState === 'complete' && document.documentElement.dataset.live === ''")
    browser.press("k")
    browser.wait("location.search.includes('green-frog')")
    browser.wait("document.readyState === 'complete' && document.documentElement.dataset.live === ''")
    browser.go(f"{serving.address}?file=tests/pond.fcb")
    browser.wait(has("tests", "passing"))
    browser.see("document.querySelector('#passing summary').focus()")
    browser.press("Enter")
    browser.wait("document.getElementById('passing').open")
    serving.write("tests/pond.fcb", "The breeze wets", "The breeze drenches")
    browser.wait(has("tests", "The breeze drenches"))
    assert browser.see("document.getElementById('passing').open"), "what was open is open still"
    assert browser.see("document.activeElement.matches('#passing summary')"), "and whoever was there is there still"
    browser.press("l")
    browser.wait("location.search === ''")
    browser.wait(has("where", "follows what is saved last"))
    assert browser.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(420, "light"), (420, "dark"), (1300, "dark")])
def test_page_fits_and_is_readable_in_light_and_dark(
    browser: Browser, serving: Serving, width: int, scheme: str
) -> None:
    browser.size(width, 900, scheme)
    serving.open(browser)
    for query in ("", "?file=cards/pond.fcb&piece=mission/crossing", "?file=systems/pond.fcb&piece=action/dare"):
        browser.go(serving.address + query)
        browser.wait("document.documentElement.dataset.live === ''")
        assert browser.see(WIDE), query
    colours = browser.see(
        "[document.body, ...document.querySelectorAll('.beside > section')]"
        ".map(one => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor])"
    )
    for ink, ground in colours:
        assert contrast(ink, ground) > 7


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors as WCAG 2.1 defines it."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_failed_game_can_be_replayed(browser: Browser, serving: Serving) -> None:
    serving.open(browser)
    browser.wait(has("status", "2 tests passed"))
    serving.write("systems/pond.fcb", "repeat 1 times: leaps becomes leaps + 0", "leaps becomes 1 / 0")
    browser.wait(has("games", "Replay it"))
    browser.go(serving.address.rstrip("/") + browser.see("document.querySelector('#games a').getAttribute('href')"))
    browser.wait("document.querySelectorAll('.line').length > 0")
    assert not browser.see("document.body.classList.contains('noscript')"), "its own script runs"
    browser.go(serving.address)
    browser.wait("document.documentElement.dataset.live === ''")
    code, out, err = serving.end()
    assert (code, out, err) == (0, "", "No longer serving.\n")
    browser.wait("!document.getElementById('cut').hidden")
