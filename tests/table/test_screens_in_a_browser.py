"""The screens of a table in a real browser: accessible in each state, and alike from version to version."""

from __future__ import annotations

from pathlib import Path

import games
import pytest
from chromium import AXE, Browser
from PIL import Image, ImageChops, ImageStat
from test_table_in_a_browser import READY, STATE, answering, by_keys, by_mouse, open_table, play, replayed, served

from fcbdsl.cli.replay_command import drawn_boards, replay_story
from fcbdsl.cli.serve_command import bind_socket
from fcbdsl.cli.stories import render_story
from fcbdsl.cli.table_command import looks_of
from fcbdsl.editor.table.table_server import TableHost
from fcbdsl.play.simulation.games import Matchup, record_playout
from fcbdsl.play.table.story_table import StoryTable

pytestmark = pytest.mark.long

SCREENS = Path(__file__).parent / "screens"
"""Small pictures of the screens; `--update` stores the present ones."""
SCALE = 10
"""Pixels of the window for one of a stored picture, so that letters of other fonts make the same gray."""
TOLERANCE = 5.0
"""The greatest average difference of a screen and its picture, of 256 steps."""
SIZES = {"desktop": (1400, 860), "phone": (390, 840)}
SETTLED = "document.getAnimations().forEach(one => { try { one.finish() } catch { one.cancel() } })"
"""Ends all animations; one without end cannot be finished."""
MOST = 900
CUT_EVERY = 12
"""Decisions between two losses of the network."""


def small(browser: Browser, folder: Path) -> Image.Image:
    """Return a small picture of the window."""
    browser.see("document.activeElement?.blur()")
    browser.picture(folder / "screen.png")
    whole = Image.open(folder / "screen.png").convert("RGB")
    return whole.resize((whole.width // SCALE, whole.height // SCALE), Image.Resampling.BOX)


def difference(one: Image.Image, other: Image.Image) -> float:
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games.GAMES)
def test_screen_looks_like_its_picture(browser: Browser, tmp_path: Path, game: str, size: str, update: bool) -> None:
    stored = SCREENS / f"{game}-{size}.png"
    with served(game) as (link, table):
        browser.size(*SIZES[size], "dark")
        open_table(browser, link)
        play(browser, table, 3, by_keys(browser))
        browser.wait(READY)
        browser.see(SETTLED)
        now = small(browser, tmp_path)
        if update:
            SCREENS.mkdir(exist_ok=True)
            now.save(stored, optimize=True)
        then = Image.open(stored).convert("RGB")
        assert then.size == now.size
        assert difference(then, now) <= TOLERANCE
        browser.see("document.getElementById('plan').style.visibility = 'hidden'")
        assert difference(then, small(browser, tmp_path)) > TOLERANCE, "a screen without its board is reported"


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (make axe)")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games.GAMES)
def test_table_is_accessible_in_each_state(browser: Browser, game: str, size: str) -> None:
    with served(game) as (link, table):
        browser.size(*SIZES[size], "dark")
        open_table(browser, link)
        assert ("asked", browser.violations()) == ("asked", "")
        play(browser, table, 4, by_mouse(browser))
        browser.wait(READY)
        assert ("later", browser.violations()) == ("later", "")
        browser.connect(online=False)
        browser.wait(f"{STATE} === 'cut'")
        assert ("cut", browser.violations()) == ("cut", "")
        browser.connect(online=True)
        browser.wait(READY)
        play(browser, table, MOST, by_keys(browser))
        assert browser.see(STATE) == "over"
        assert ("over", browser.violations()) == ("over", "")


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (make axe)")
@pytest.mark.parametrize("size", SIZES)
def test_curtain_is_accessible(browser: Browser, size: str) -> None:
    with served("escape", persons=(0, 1)) as (link, table):
        browser.size(*SIZES[size], "dark")
        open_table(browser, link)
        for _ in range(60):
            if browser.see("document.getElementById('curtain').open"):
                break
            play(browser, table, 1, by_keys(browser))
            browser.wait(READY)
        assert browser.see("document.getElementById('curtain').open")
        assert browser.violations() == ""


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (make axe)")
@pytest.mark.parametrize("size", SIZES)
def test_story_is_accessible(browser: Browser, tmp_path: Path, size: str) -> None:
    """A finished game at the table, and as a separate page."""
    image, model = games.image("beast"), games.model("beast")
    mission = games.missions(image.program)[0]
    record = record_playout(image, Matchup(mission, 2, bot="random"), 1)
    story = StoryTable(image, record, lambda of: {})
    host = TableHost(story.table, {"a-secret": (0,)}, looks_of(model, mission), ("en",), pace=0, story=story)
    browser.size(*SIZES[size], "dark")
    with bind_socket(None) as listening, answering(host, listening):
        open_table(browser, f"http://127.0.0.1:{listening.getsockname()[1]}/#a-secret")
        for key in (".", "-", "e"):
            assert (key, browser.violations()) == (key, "")
            before = browser.see("document.body.dataset.n")
            browser.press(key)
            browser.wait(f"document.body.dataset.n !== {before!r}")
        assert ("over", browser.violations()) == ("over", "")
    boards = drawn_boards(image, record, "en", None)
    steps = replay_story(image, record, "en", None, boards.note)
    (tmp_path / "story.html").write_text(render_story(steps, "en", drawn=boards.looks(model)), encoding="utf-8")
    for scheme in ("light", "dark"):
        browser.size(*SIZES[size], scheme)
        browser.go((tmp_path / "story.html").as_uri())
        assert (scheme, browser.violations()) == (scheme, "")


@pytest.mark.parametrize("game", games.GAMES)
def test_game_is_played_to_end_with_network_losses(browser: Browser, game: str) -> None:
    with served(game) as (link, table):
        browser.size(1400, 860, "dark")
        open_table(browser, link)
        losses = 0
        for _ in range(MOST // CUT_EVERY):
            play(browser, table, CUT_EVERY, by_mouse(browser))
            browser.wait(READY)
            if browser.see(STATE) == "over":
                break
            browser.connect(online=False)
            browser.wait(f"{STATE} === 'cut'")
            browser.connect(online=True)
            browser.wait(READY)
            losses += 1
        assert browser.see(STATE) == "over"
        assert losses > 0
        assert table.session.game.digest() == replayed(table)
