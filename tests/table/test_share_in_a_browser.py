"""The file of ``fcb share`` in a real browser, opened from the disk, without a network."""

from __future__ import annotations

import time
from pathlib import Path

import games
import pytest
from chromium import PATIENCE, Browser
from test_table_in_a_browser import READY, STATE, by_keys, by_mouse

from fcbdsl.editor.table.onefile import one_file
from fcbdsl.editor.table.pyodide import NoPyodide, find_pyodide, read_pyodide
from fcbdsl.machine.vm import fcbc
from fcbdsl.play.session.playout import Record, read_record, replay
from fcbdsl.play.table.alone import GamePlan
from fcbdsl.print.export.dressing import dressing_of
from fcbdsl.print.pieces.printables import is_sheet

pytestmark = pytest.mark.long

LARGEST = 8_000_000
"""Most bytes of a file with a shipped mission."""


def shared_file(game: str, folder: Path, seats: tuple[int, ...]) -> Path:
    """Write the file of the first mission of a game."""
    try:
        core = find_pyodide(games.ROOT / "build" / "pyodide" / "node_modules" / "pyodide")
        read_pyodide(core)
    except NoPyodide as missing:
        pytest.skip(str(missing))
    model, program = games.model(game), games.program(game)
    mission = games.missions(program)[0]
    definition_of_mission = next(
        definition for definition in model.definitions.values() if definition.id == mission and is_sheet(definition)
    )
    dressings = [dressing_of(definition_of_mission, model, language) for language in ("en", "fr")]
    plan = GamePlan(
        mission,
        max(2, program.players[0]),
        seats,
        "random",
        {dressing.language: dressing.name() for dressing in dressings},
        {},
        seed=3,
    )
    made = one_file(
        plan,
        dressings[0].title,
        fcbc.file_and_hash(program)[0],
        {dressing.name(): dressing.to_json() for dressing in dressings},
        core,
    )
    assert len(made.html) <= LARGEST
    path = folder / "mission.html"
    path.write_bytes(made.html)
    return path


def play(browser: Browser, most: int, take: object) -> None:
    """Answer some questions."""
    assert callable(take)
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


def downloaded(browser: Browser, folder: Path) -> Record:
    """Save the log of the game as a person does."""
    folder.mkdir()
    browser.keep_downloads(folder)
    browser.click("document.getElementById('save-log')")
    end = time.monotonic() + PATIENCE
    while not (logs := [path for path in folder.glob("*.log.json") if path.stat().st_size]):  # it is empty at first
        assert time.monotonic() < end, "no log has come"
        browser.see("1")
    return read_record(logs[0].read_bytes())


@pytest.mark.parametrize("game", games.GAMES)
def test_shared_file_plays_from_disk_without_requests(browser: Browser, tmp_path: Path, game: str) -> None:
    path = shared_file(game, tmp_path, seats=(0,))
    browser.size(1400, 860, "dark")
    browser.go(path.as_uri())
    play(browser, 12, by_mouse(browser))
    browser.wait(READY)
    log = downloaded(browser, tmp_path / "first")
    assert len(log.decisions) >= 12
    assert log.digest
    assert replay(games.image(game), log).digest() == log.digest

    asked = browser.see("document.getElementById('asked').textContent")
    browser.see("location.reload()")
    browser.wait(f"document.getElementById('asked')?.textContent === {asked!r} && {READY}")
    assert downloaded(browser, tmp_path / "second") == log

    assert path.as_uri() in browser.requests
    assert [request for request in browser.requests if not request.startswith(("file:", "data:", "blob:"))] == []
    assert browser.complaints == []


def test_two_people_play_shared_file_on_phone_in_french(browser: Browser, tmp_path: Path) -> None:
    path = shared_file("beast", tmp_path, seats=(0, 1))
    browser.size(390, 844, "dark")
    browser.go(path.as_uri())
    browser.wait(READY)
    chosen = "const it = document.querySelector('#tools select'); it.value = 'fr'"
    browser.see(f"(() => {{ {chosen}; it.dispatchEvent(new Event('change')); }})()")
    browser.wait("document.documentElement.lang === 'fr'")
    play(browser, 10, by_keys(browser))
    assert browser.see("document.documentElement.scrollWidth <= innerWidth")
    assert browser.complaints == []


def test_damaged_shared_file_is_reported(browser: Browser, tmp_path: Path) -> None:
    path = shared_file("escape", tmp_path, seats=(0,))
    before, mark, after = path.read_text(encoding="utf-8").partition('id="part-program">')
    path.write_text(before + mark + "AAAA" + after[4:], encoding="utf-8")
    browser.go(path.as_uri())
    browser.wait("document.body.dataset.cut === 'lost'")
    assert "cannot go on" in browser.see("document.getElementById('asked').textContent")
    assert browser.see("document.getElementById('why').textContent") != ""
