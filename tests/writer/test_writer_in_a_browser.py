"""The editor in a real browser: a mistake, its fix, a save and its undo, by keys; conflicts; small screens."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from chromium import AXE, Browser
from pond_game import calm_pond

from fcbdsl.cli.serve_command import MOST_OF_TEXT, bind_socket
from fcbdsl.editor.live.live_server import Hub, make_live_app
from fcbdsl.editor.live.project_state import Desk
from fcbdsl.editor.writer.writer_server import make_writer_app
from fcbdsl.project.workspace import Workspace

pytestmark = pytest.mark.long

CARDS = "cards/pond.fcb"


class Written:
    """A project whose editor a browser shows."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.desk, self.hub = Desk([Workspace(root=root)]), Hub()
        self.address = ""

    @property
    def disk(self) -> bytes:
        return (self.root / CARDS).read_bytes()

    def write(self, text: bytes) -> None:
        """Save the file as another program does."""
        (self.root / CARDS).write_bytes(text)
        self.desk.refresh([self.root / CARDS])
        self.hub.publish()


@contextmanager
def served(browser: Browser, folder: Path, writes: bool = True) -> Iterator[Written]:
    written = Written(calm_pond(folder))
    with bind_socket(None) as listening:
        port = listening.getsockname()[1]
        editor = make_writer_app(written.desk, written.hub, port, writes)
        app: Any = make_live_app(written.desk, written.hub, port, "a-token", texts=editor)
        config = uvicorn.Config(app, lifespan="off", log_level="error", ws_max_size=MOST_OF_TEXT)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
        thread.start()
        written.address = f"http://127.0.0.1:{port}/write/"
        browser.go(f"{written.address}?token=a-token", written.address)
        yield written
        server.should_exit = True
        thread.join(20)


TEXT = "[...document.querySelectorAll('.cm-line')].map(one => one.textContent).join('\\n')"


def open_at(browser: Browser, written: Written, words: str) -> None:
    """Open the file of cards, with the cursor at the end of the first row with some words."""
    rows = written.disk.decode().splitlines()
    line = next(at for at, row in enumerate(rows, 1) if words in row)
    browser.see(f"window.former = 1; location.assign('{written.address}?file={written.root / CARDS}&line={line}')")
    browser.wait(
        "window.former === undefined && document.querySelectorAll('.declares').length > 0"
        " && document.querySelector('#faces .card') !== null"
    )
    browser.see("document.querySelector('.cm-content').focus()")
    browser.press("End")


def shows(id: str, words: str) -> str:
    return f"document.getElementById({id!r}).textContent.includes({words!r})"


def test_mistake_is_fixed_saved_and_undone_by_keys(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path) as written:
        browser.size(1400, 860, "light")
        before = written.disk
        open_at(browser, written, "choose spots")
        row = next(row for row in before.decode().split("\n") if "choose spots" in row)
        browser.insert("\n    for each spot in spotss: mark fly on spot")
        browser.wait("document.querySelectorAll('.cm-lintRange-error').length > 0")
        browser.wait("document.querySelectorAll('#found .cure').length > 0")
        assert browser.see(shows("found", "spotss"))
        browser.wait("document.querySelector('#faces .old') !== null")  # the last print is gray
        assert browser.see("document.getElementById('save').disabled") is False
        assert written.disk == before
        browser.press("Enter", "Alt")
        browser.wait("document.querySelectorAll('.cm-lintRange-error').length === 0")
        browser.wait("document.querySelector('#faces .old') === null")
        browser.press("s", "Control")
        browser.wait("document.getElementById('save').disabled")
        assert written.disk == before.replace(
            row.encode(), row.encode() + b"\n    for each spot in spots: mark fly on spot", 1
        )
        for _ in range(2):
            browser.press("z", "Control")
        browser.wait("document.getElementById('save').disabled === false")
        browser.press("s", "Control")
        browser.wait("document.getElementById('save').disabled")
        assert written.disk == before
        assert browser.complaints == []


def test_save_is_taken_back_after_a_reload(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path) as written:
        browser.size(1400, 860, "light")
        before = written.disk.replace(b"\n", b"\r\n")
        written.write(before)
        open_at(browser, written, "Gift of flies")
        browser.insert(" # mine")
        browser.wait("!document.getElementById('save').disabled")
        browser.click("document.getElementById('save')")
        browser.wait("document.getElementById('save').disabled")
        assert written.disk == before.replace(b'"Gift of flies":', b'"Gift of flies": # mine')
        browser.see("window.former = 1; location.reload()")
        browser.wait("window.former === undefined && document.getElementById('take-back')?.disabled === false")
        browser.click("document.getElementById('take-back')")
        browser.wait(shows("told", "as before the save"))
        assert written.disk == before
        assert not browser.see(f"({TEXT}).includes('# mine')")
        assert browser.complaints == []


def test_change_on_the_disk_is_read_or_reported(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path) as written:
        browser.size(1400, 860, "light")
        open_at(browser, written, "Gift of flies")
        first = written.disk
        written.write(first.replace(b"Gift of flies", b"Gift of gnats"))
        browser.wait(f"({TEXT}).includes('Gift of gnats')")
        browser.wait(shows("faces", "Gift of gnats"))
        browser.insert(" # mine")
        other = first.replace(b"Gift of flies", b"Gift of bees")
        written.write(other)
        browser.wait("!document.getElementById('conflict').hidden")
        assert browser.see("document.activeElement.id") == "take"
        assert browser.see(shows("difference", "Gift of bees"))
        assert browser.see(shows("difference", "# mine"))
        browser.press("s", "Control")
        browser.wait(shows("conflict-why", "has changed on the disk"))
        assert written.disk == other
        browser.click("document.getElementById('take')")
        browser.wait(f"({TEXT}).includes('Gift of bees')")
        assert browser.see("document.getElementById('save').disabled")
        browser.press("z", "Control")  # the author's own text is still there
        browser.wait(f"({TEXT}).includes('# mine')")
        browser.press("s", "Control")
        browser.wait("document.getElementById('save').disabled")
        assert b"Gift of gnats" in written.disk
        assert b"# mine" in written.disk
        browser.insert(" again")
        written.write(other)
        browser.wait("!document.getElementById('conflict').hidden")
        browser.click("document.getElementById('keep')")
        browser.wait("document.getElementById('save').disabled")
        assert b"# mine again" in written.disk
        assert [text for text in browser.complaints if "409" not in text] == []


HELD = """(() => { const real = window.fetch; window.held = []; window.fetch = async (path, ...more) => {
    const answer = await real(path, ...more);
    if (path.startsWith('%s')) await new Promise(done => window.held.push(done));
    return answer; }; })()"""
"""Keeps the answers to some requests back until `RELEASED`."""
RELEASED = "(() => { for (const done of window.held.splice(0)) done(); })()"


def test_saves_wait_for_one_another(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path) as written:
        browser.size(1400, 860, "light")
        open_at(browser, written, "Gift of flies")
        browser.see(HELD % "/write/save")
        browser.insert(" # one")
        browser.press("s", "Control")
        browser.wait("window.held.length === 1")
        browser.insert(" # two")
        browser.press("s", "Control")
        assert b"# one" in written.disk
        assert b"# two" not in written.disk
        browser.see(RELEASED)
        browser.wait("window.held.length === 1")
        browser.see(RELEASED)
        browser.wait("document.getElementById('save').disabled")
        assert b"# one # two" in written.disk
        assert browser.complaints == []


def test_late_answer_does_not_replace_a_later_text(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path) as written:
        browser.size(1400, 860, "light")
        open_at(browser, written, "Gift of flies")
        browser.see(HELD % "/write/text")
        written.write(written.disk.replace(b"Gift of flies", b"Gift of gnats"))
        browser.wait("window.held.length === 1")
        browser.insert(" # mine")
        browser.press("s", "Control")
        browser.wait("!document.getElementById('conflict').hidden")
        browser.click("document.getElementById('take')")
        browser.see("document.querySelector('.cm-content').focus()")
        browser.press("End")
        browser.insert(" # later")
        browser.press("s", "Control")
        browser.wait("document.getElementById('save').disabled")
        browser.see("window.held[0]()")
        browser.see("new Promise(done => setTimeout(done, 500))")
        assert browser.see(f"({TEXT}).includes('# later')")
        assert b"Gift of gnats" in written.disk
        assert b"# later" in written.disk


def test_words_are_completed_described_and_formatted(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path) as written:
        browser.size(1400, 860, "dark")
        open_at(browser, written, "choose spots")
        browser.press("Enter")
        for letter in "choo":
            browser.insert(letter)
        chosen = "document.querySelector('.cm-tooltip-autocomplete li[aria-selected]')"
        pending = "document.querySelector('.cm-tooltip-autocomplete-disabled')"
        browser.wait(f"{chosen}?.textContent.includes('choose') && !{pending}")
        time.sleep(0.3)  # CodeMirror takes no proposal in the first moment
        browser.press("Enter")
        browser.wait(f"({TEXT}).includes('\\n    choose\\n')")
        browser.press("z", "Control")
        browser.insert("   ")
        browser.press("F", "Alt", "Shift")
        browser.wait(shows("told", "formatted"))
        browser.see("location.reload()")
        open_at(browser, written, "mark fly on spot")
        browser.press("F1")
        browser.wait("document.querySelector('.said') !== null || " + shows("told", "no description"))
        assert browser.complaints == []


def test_text_survives_a_lost_connection(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path) as written:
        browser.size(1400, 860, "light")
        open_at(browser, written, "choose spots")
        browser.see(
            "(() => { const close = WebSocket.prototype.send; WebSocket.prototype.send = function() "
            "{ WebSocket.prototype.send = close; this.close(); }; })()"
        )
        browser.insert("\n    for each spot in spotss: mark fly on spot")
        browser.wait("!document.getElementById('cut').hidden")
        browser.wait("document.getElementById('cut').hidden")
        browser.wait("document.querySelectorAll('#found .cure').length > 0")
        assert browser.see(f"({TEXT}).includes('spotss')")


def test_without_write_nothing_can_be_typed(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path, writes=False) as written:
        browser.size(1400, 860, "light")
        open_at(browser, written, "choose spots")
        before = browser.see(TEXT)
        browser.press("x")
        browser.press("Enter", "Alt")
        browser.press("F", "Alt", "Shift")
        assert browser.see(TEXT) == before
        assert browser.see("document.getElementById('save')") is None


def test_small_screen_shows_one_part_at_a_time(browser: Browser, tmp_path: Path) -> None:
    shown = (
        "[...document.querySelectorAll('main > section')].filter(one => getComputedStyle(one).visibility === 'visible')"
    )
    with served(browser, tmp_path) as written:
        browser.size(390, 844, "light")
        open_at(browser, written, "choose spots")
        for name in ("text", "print", "problems", "tests"):
            browser.click(f"document.getElementById('tab-{name}')")
            assert browser.see(f"{shown}.map(one => one.id).join()") == name
            assert browser.see("document.documentElement.scrollWidth <= innerWidth")
        browser.press("ArrowLeft")
        assert browser.see("document.activeElement.id") == "tab-problems"
        browser.see(f"window.former = 1; location.assign('{written.address}?file={written.root / CARDS}&line=19')")
        browser.wait("window.former === undefined && document.querySelector('#faces .drawn') !== null")
        widths = "['clientWidth', 'scrollWidth'].map(one => document.querySelector('#faces .drawn')[one])"
        browser.click("document.getElementById('tab-print')")
        seen, whole = browser.see(widths)
        assert whole <= seen, "the map fits its width"
        assert browser.see("[...document.querySelectorAll('#tabs button')].every(one => one.clientHeight >= 40)")


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (make axe)")
def test_editor_is_accessible(browser: Browser, tmp_path: Path) -> None:
    with served(browser, tmp_path) as written:
        for width, height, scheme in ((1400, 860, "light"), (390, 844, "dark")):
            browser.size(width, height, scheme)
            open_at(browser, written, "choose spots")
            assert (width, browser.violations()) == (width, "")
            browser.insert("\n    for each spot in spotss: mark fly on spot")
            browser.wait("document.querySelectorAll('#found .cure').length > 0")
            browser.wait("document.querySelectorAll('.cm-lintRange-error').length > 0")
            for part in ("text", "problems") if width < 900 else ("text",):
                browser.see(f"document.getElementById('tab-{part}').click()")
                assert (width, part, browser.violations()) == (width, part, "")
            written.write(written.disk + b"# others\n")
            browser.wait("!document.getElementById('conflict').hidden")
            assert (width, "conflict", browser.violations()) == (width, "conflict", "")
            browser.click("document.getElementById('take')")
