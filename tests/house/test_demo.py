"""`make demo` finds its content in each game, and its page shows everything."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from games import ROOT, model

from demo.page import Corner, colored, excerpt, lines_of, page
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.pieces.selection import matching

WANTED: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "demo" / "demo.toml").read_text("utf-8"))
POND = {"title": "The Pond", "mission": "crossing", "pieces": ["frog/green"]}


@pytest.mark.parametrize("game", WANTED)
def test_demo_piece_is_one_definition(game: str) -> None:
    everything = printable(model(game))
    for piece in (f"mission/{WANTED[game]['mission']}", *WANTED[game]["pieces"]):
        assert len(list(matching(everything, piece))) == 1, piece


@pytest.mark.parametrize("game", WANTED)
def test_demo_card_has_short_source(game: str) -> None:
    for piece in WANTED[game]["pieces"]:
        source = excerpt(ROOT / "cards" / game, piece)
        assert source.startswith(piece.replace("/", " "))
        assert 3 <= len(source.splitlines()) <= 15


def test_missing_source_is_error(tmp_path: Path) -> None:
    (tmp_path / "a.fcb").write_text('frog greener "Greener":\n')
    with pytest.raises(ValueError, match="frog/green"):
        excerpt(tmp_path, "frog/green")


def shown(tmp_path: Path, **wanted: str) -> str:
    """Return the page on a pond with a card, a sheet and a short game."""
    (tmp_path / "cards" / "pond").mkdir(parents=True)
    (tmp_path / "cards" / "pond" / "a.fcb").write_text('frog green "Green <b>":\n  cost: 1\n\nfrog red "Red":\n')
    for name in ("cards-x.card-01-face.png", "cards-x.card-01-back.png", "mission-crossing-01.png"):
        picture = tmp_path / "pond" / "fr" / "pond" / name
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(b"")
    corner = Corner("pond", POND | wanted)
    corner.said = {what: (what, what) for what in ("checked", "tested")}
    corner.said["played"] = "fcb play", "Crossing: Won: Dry land. (decisions: 3, seed: 7, state: 0123abcd)"
    lines = [
        "Crossing",
        "   0.1  set",
        "  ══ Set-up ══",
        "  ══ Round 1 ══",
        *(f"  {n}.1    hop {n}" for n in range(40)),
        "  ── Dusk ──",
        "  41.1    sleep",
    ]
    corner.said["story"] = "fcb replay", "\n".join([*lines, "x/story.html: the story of crossing"])
    return page([corner], tmp_path, tmp_path / "cards")


def test_page_shows_each_card_beside_its_source(tmp_path: Path) -> None:
    text = shown(tmp_path)
    pair = text[text.index('<div class="pair">') : text.index("The mission sheet")]
    assert '<img src="pond/fr/pond/cards-x.card-01-face.png"' in pair
    assert "&lt;b&gt;" in pair
    assert "Red" not in pair
    assert "back" not in pair
    assert '<img src="pond/fr/pond/mission-crossing-01.png"' in text


def test_hashes_and_file_names_are_folded(tmp_path: Path) -> None:
    text = shown(tmp_path)
    folded = text[text.index("<summary>The commands") :]
    assert "0123abcd" in folded
    assert "0123abcd" not in text[: text.index("<summary>The commands")]
    assert "Crossing: Won: Dry land.</p>" in text


def test_long_game_shows_first_round_and_folds_rest(tmp_path: Path) -> None:
    text = shown(tmp_path)
    game = text[text.index("A game, played by bots") :]
    assert game.index("Round 1") < game.index("hop 0") < game.index("<details>") < game.index("hop 39")
    assert "the story of" not in game[: game.index("The commands")]


def test_log_starts_at_requested_heading(tmp_path: Path) -> None:
    game = shown(tmp_path, **{"log-from": "Dusk"}).partition("A game, played by bots")[2].partition("</div></div>")[0]
    assert "sleep" in game
    assert "hop" not in game


def test_long_lines_are_indented_when_wrapped() -> None:
    assert lines_of("frog green:\n  cost: 1") == (
        '<span style="padding-left:4ch;text-indent:-4ch"><b>frog</b> green:</span>'
        '<span style="padding-left:6ch;text-indent:-6ch"><u>  cost</u>: 1</span>'
    )


def test_highlighting_keeps_source_text() -> None:
    import html
    import re

    for path in sorted((ROOT / "cards").rglob("*.fcb")):
        source = path.read_text(encoding="utf-8")
        assert html.unescape(re.sub(r"</?[bius]>", "", colored(source))) == source
