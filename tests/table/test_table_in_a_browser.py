"""The table in a real browser: whole games by the mouse alone and by keys alone, on large and small screens."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import games
import pytest
import uvicorn
from chromium import Browser

from fcbdsl.cli.serve_command import bind_socket
from fcbdsl.cli.table_command import looks_of
from fcbdsl.editor.table.action_requirements import reasons_of
from fcbdsl.editor.table.table_server import TableHost, make_table_app
from fcbdsl.machine.vm import setup
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.playout import Record
from fcbdsl.play.table.table import GameTable

pytestmark = pytest.mark.long

MOST = 900
"""Most decisions of a game that is played to its end."""


@contextmanager
def answering(host: TableHost, listening: socket.socket) -> Iterator[None]:
    """Serve a table at a socket of this machine."""
    port = listening.getsockname()[1]
    app: Any = make_table_app(host, [f"127.0.0.1:{port}"], port)
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="error"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    yield
    server.should_exit = True
    thread.join(20)


def host_of(
    game: str, links: dict[str, tuple[int, ...]], persons: tuple[int, ...] = (0,), seed: int = 1, bot: str = "random"
) -> TableHost:
    """A table of a game; bots play all seats but those of `persons`."""
    image = games.image(game)
    mission = games.missions(image.program)[0]
    record = Record(image.program.hash, mission, max(2, image.program.players[0]), seed)
    bots = {seat: make_bot(bot, seat) for seat in range(record.players) if seat not in persons}
    model = games.model(game)
    return TableHost(
        GameTable(image, record, bots),
        links,
        looks_of(model, mission),
        ("en", "fr"),
        pace=0,
        reasons=lambda: reasons_of(model, ("en", "fr")),
    )


@contextmanager
def served(
    game: str, persons: tuple[int, ...] = (0,), seed: int = 1, bot: str = "random"
) -> Iterator[tuple[str, GameTable]]:
    """Return a table of a game at a port of this machine, and the link of its persons."""
    host = host_of(game, {"a-secret": persons}, persons, seed, bot)
    with bind_socket(None) as listening, answering(host, listening):
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/#a-secret", host.table


STATE = "(document.body?.dataset.state ?? '')"
READY = f"['asked', 'over'].includes({STATE}) || document.getElementById('curtain')?.open === true"


SHOWN = (
    "['choices', 'tracks', 'goals', 'mine', 'others', 'told'].map(name => document.getElementById(name).textContent)"
    ".concat([...document.querySelectorAll('#plan .piece')].map(one => one.textContent + one.style.transform).sort())"
    ".join('\\n').replaceAll('Since your last decision', '')"
)
"""All that the page shows of the game."""


def open_table(browser: Browser, link: str) -> None:
    browser.go(link, link.partition("#")[0])
    browser.wait(READY)


def play(browser: Browser, table: GameTable, most: int, take: Any) -> None:
    """Let `take` answer each question until the game is over."""
    for number in range(most):
        browser.wait(READY)
        if browser.see("document.getElementById('curtain').open"):
            take(number, "curtain")
            browser.wait("!document.getElementById('curtain').open")
            continue
        if browser.see(STATE) == "over":
            return
        before = browser.see("document.body.dataset.n")
        take(number, "question")
        browser.wait(f"document.body.dataset.n !== {before!r} || document.getElementById('curtain').open")


def by_mouse(browser: Browser) -> Any:
    def take(number: int, what: str) -> None:
        if what == "curtain":
            browser.click("document.querySelector('#curtain button')")
            return
        lit = browser.see("document.querySelectorAll('.hit.can').length")
        if lit and number % 2:
            browser.click(f"document.querySelectorAll('.hit.can')[{number * 7 % lit}]")
            if not browser.see("document.querySelector('#acts button:not(#undo):not(#why-not)') !== null"):
                return
        options = browser.see("document.querySelectorAll('#choices button').length")
        browser.click(f"document.querySelectorAll('#choices button')[{number * 5 % options}]")

    return take


def by_keys(browser: Browser) -> Any:
    def take(number: int, what: str) -> None:
        if what == "curtain":
            browser.press("Enter")
            return
        if number % 3 == 2 and browser.see("document.querySelectorAll('.hit.can').length"):
            browser.press("ArrowRight")
            browser.press("ArrowDown")
            browser.press("Enter")
            if not browser.see("document.querySelector('#acts button:not(#undo):not(#why-not)') !== null"):
                return
        options = browser.see("document.querySelectorAll('#choices button').length")
        browser.press(str(1 + number * 5 % min(options, 9)))

    return take


def replayed(table: GameTable) -> str:
    """Return the state after the same decisions without a browser."""
    record = table.record
    game = setup.start_game(table.image, record.mission, record.players, record.seed, record.switches)
    for index in record.decisions:
        game.run()
        game.answer(index)
    game.run()
    return game.digest()


@pytest.mark.parametrize("game", games.GAMES)
@pytest.mark.parametrize("way", ["mouse", "keys"])
def test_game_is_played_to_end(browser: Browser, game: str, way: str) -> None:
    """Two people play at one screen."""
    with served(game, persons=(0, 1)) as (link, table):
        browser.size(1400, 860, "dark")
        open_table(browser, link)
        play(browser, table, MOST, by_mouse(browser) if way == "mouse" else by_keys(browser))
        assert browser.see(STATE) == "over"
        assert table.ask is None
        assert table.session.game.digest() == replayed(table)
        assert browser.complaints == []


@pytest.mark.parametrize("game", games.GAMES)
def test_two_people_play_at_one_screen(browser: Browser, game: str) -> None:
    with served(game, persons=(0, 1)) as (link, table):
        browser.size(390, 844, "dark")
        open_table(browser, link)
        play(browser, table, 30, by_mouse(browser))
        assert browser.see("document.documentElement.scrollWidth <= innerWidth")
        assert browser.complaints == []


def test_reload_keeps_position_and_undo_works(browser: Browser) -> None:
    with served("fireteam-zero") as (link, table):
        browser.size(1400, 860, "dark")
        open_table(browser, link)
        play(browser, table, 6, by_mouse(browser))
        browser.wait(READY)
        asked, seen = browser.see("document.getElementById('asked').textContent"), browser.see(SHOWN)
        browser.see("location.reload()")
        # the changes have made the same page as the whole view, as soon as that is drawn
        browser.wait(f"document.getElementById('asked')?.textContent === {asked!r} && {SHOWN} === {json.dumps(seen)}")
        assert browser.see("location.hash") == ""
        for _ in range(20):
            play(browser, table, 1, by_keys(browser))
            if browser.see("document.querySelector('#undo')?.disabled === false"):
                break
        browser.press("u")
        browser.wait("document.getElementById('told').textContent.includes('took back')")
        assert browser.complaints == []


COUNTED = """(() => { const send = WebSocket.prototype.send; window.sent = 0;
    WebSocket.prototype.send = function(text) { window.sent += 1; return send.call(this, text); }; })()"""


def test_held_key_decides_nothing(browser: Browser) -> None:
    """A held key repeats thirty times a second, which would answer the next questions, too."""
    pressed = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '1', repeat: %s, bubbles: true})), sent"
    with served("fireteam-zero") as (link, _):
        open_table(browser, link)
        browser.wait(READY)
        browser.see(COUNTED)
        assert browser.see(pressed % "true") == 0
        assert browser.see(pressed % "false") == 1


def test_language_can_change_at_table(browser: Browser) -> None:
    with served("beast") as (link, _):
        browser.size(1400, 860, "dark")
        open_table(browser, link)
        chosen = "const it = document.querySelector('#tools select'); it.value = 'fr'"
        browser.see(f"(() => {{ {chosen}; it.dispatchEvent(new Event('change')); }})()")
        browser.wait(
            "document.documentElement.lang === 'fr' && document.getElementById('turn').textContent.includes('À vous')"
        )
        assert "Joueur 1" in browser.see("document.getElementById('asked').textContent")
        assert browser.complaints == []
