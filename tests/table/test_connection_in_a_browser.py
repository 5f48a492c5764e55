"""The connection of a table in a real browser is cut and restored, and no message contains secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import games
import pytest
from chromium import Browser, installed
from test_table_in_a_browser import READY, STATE, answering, by_keys, by_mouse, host_of, open_table, play, served

from fcbdsl.cli.serve_command import bind_socket
from fcbdsl.machine.vm import setup
from fcbdsl.play.session.view import View
from fcbdsl.play.table.table import GameTable

pytestmark = pytest.mark.long

ASKED = "document.getElementById('asked').textContent"
MOST = 60
"""Most decisions of a game whose messages are searched."""


def test_a_browser_that_was_offline_shows_the_present_position(browser: Browser) -> None:
    with served("escape") as (link, table):
        browser.size(1400, 860, "dark")
        open_table(browser, link)
        play(browser, table, 3, by_mouse(browser))
        browser.wait(READY)
        browser.connect(online=False)
        browser.wait(f"{STATE} === 'cut'")
        assert "connection" in browser.see(ASKED)
        assert browser.see("document.getElementById('turn').textContent") == "No connection. fcb tries again …"
        assert browser.see("document.querySelectorAll('.hit.can').length") == 0
        assert table.choose((0,), table.n, 0) == ""
        browser.connect(online=True)
        browser.wait(READY)
        browser.wait(f"document.body.dataset.n === '{table.n}' || {STATE} === 'over'")
        play(browser, table, 5, by_mouse(browser))
        assert browser.see("document.body.dataset.cut") is None


def test_a_table_that_starts_again_is_found_without_a_click(browser: Browser) -> None:
    host = host_of("fireteam-zero", {"a-secret": (0,)})
    with bind_socket(None) as listening:
        port = listening.getsockname()[1]
        link = f"http://127.0.0.1:{port}/#a-secret"
        browser.size(390, 844, "dark")
        with answering(host, listening):
            open_table(browser, link)
            play(browser, host.table, 2, by_keys(browser))
            browser.wait(READY)
            asked = browser.see(ASKED)
    browser.wait(f"{STATE} === 'cut'")
    with bind_socket(port) as listening, answering(host, listening):
        browser.wait(READY)
        assert browser.see(ASKED) == asked
        play(browser, host.table, 2, by_keys(browser))
    browser.wait(f"{STATE} === 'cut'")
    with bind_socket(port) as listening, answering(host_of("fireteam-zero", {"another": (0,)}), listening):
        browser.wait(f"{ASKED}.includes('new link')")
        browser.go(link.replace("a-secret", "another"), link.partition("#")[0])
        browser.wait(READY)


@contextmanager
def windows(folder: Path, number: int) -> Iterator[list[Browser]]:
    program = installed()
    if program is None:
        pytest.skip("no browser is installed")
    with ExitStack() as stack:
        made = []
        for window in range(number):
            made.append(Browser(program, folder / str(window)))
            stack.callback(made[-1].close)
        yield made


def hidden_names(table: GameTable, seats: tuple[int, ...]) -> list[set[str]]:
    """Return, after each number of decisions, the names of all cards that these seats have not seen yet."""
    record, view = table.record, View(table.image, "en", seats)
    game = setup.start_game(table.image, record.mission, record.players, record.seed, record.switches)
    layout = table.image.layout
    secret = [zone for zone in range(1, layout.zones) if layout.zone_row[zone] >= 0]
    out: list[set[str]] = []
    visible: set[str] = set()
    for index in (*record.decisions, None):
        game.run()
        held = {zone: {view.names.definition(layout.definition_of[thing]) for thing in game.contents(zone)
                       if layout.definition_of[thing] >= 0} for zone in secret}  # fmt: skip
        unseen = {name for zone, names in held.items() if not view.sees(game, zone) for name in names}
        visible |= {name for zone, names in held.items() if view.sees(game, zone) for name in names}
        out.append(unseen - visible)
        if index is not None:
            game.answer(index)
    return out


def strings_of(data: object) -> Iterator[str]:
    """Return the texts of a message."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from strings_of(value)
    elif isinstance(data, list):
        for value in data:
            yield from strings_of(value)


@pytest.mark.parametrize("game", games.GAMES)
def test_messages_to_seat_omit_its_secrets(game: str, tmp_path: Path) -> None:
    """Two people and a spectator in three browsers: all their messages are searched for the names of unseen cards."""
    links = {"first": (0,), "second": (1,), "watching": ()}
    host = host_of(game, links, persons=(0, 1), seed=5)
    table = host.table
    with windows(tmp_path, 3) as opened, bind_socket(None) as listening, answering(host, listening):
        for window, token in zip(opened, links, strict=True):
            window.size(1400, 860, "dark")
            window.go(
                f"http://127.0.0.1:{listening.getsockname()[1]}/#{token}",
                f"http://127.0.0.1:{listening.getsockname()[1]}/",
            )
            window.wait(f"{STATE} !== ''")
        for number in range(MOST):
            if table.ask is None:
                break
            seat = next((number for number in table.asked() if number < 2), None)
            if seat is None:
                opened[0].wait(f"{READY} || document.body.dataset.n === '{table.n}'")
                continue
            window, n = opened[seat], table.n
            window.wait(f"document.body.dataset.n === '{n}' && {READY}")
            (by_keys if number % 2 else by_mouse)(window)(number, "question")
            window.wait(f"document.body.dataset.n !== '{n}' || {STATE} !== 'asked'")
        for window, seats in zip(opened, links.values(), strict=True):
            window.wait(f"document.body.dataset.n === '{table.n}'")
            views = [view for text in window.frames if (view := json.loads(text))["t"] in ("view", "change")]
            numbers = [view.get("n", view.get("changes", {}).get("n")) for view in views]
            assert len({*numbers}) > min(MOST, len(table.record.decisions)) // 2
            assert seats or not any('"choices"' in text for text in window.frames)
            hidden = hidden_names(table, seats)
            for n, view in zip(numbers, views, strict=True):
                names = hidden[n]
                words = " | ".join(strings_of(view))
                secrets = sorted(name for name in names if re.search(rf"\b{re.escape(name)}\b", words))
                assert secrets == [], (seats, n)
