"""What `make demo` shows of each game is there, and stands on its page."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from games import ROOT, model

from demo.__main__ import Corner, page
from fcbdsl.render.proofs import printable
from fcbdsl.render.selection import matching

WANTED: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "demo" / "demo.toml").read_text("utf-8"))


@pytest.mark.parametrize("game", WANTED)
def test_what_is_shown_of_a_game_is_in_it(game: str) -> None:
    everything = printable(model(game))
    for piece in (f"mission/{WANTED[game]['mission']}", *WANTED[game]["pieces"]):
        assert matching(everything, piece), piece


def test_pictures_stand_on_the_page_wherever_they_were_printed(tmp_path: Path) -> None:
    """`render` writes into a folder for each game."""
    picture = tmp_path / "pond" / "fr" / "pond" / "card-01.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"")
    corner = Corner("pond")
    corner.said = {what: (what, what) for what in ("checked", "tested", "played")}
    assert '<img src="pond/fr/pond/card-01.png"' in page([corner], tmp_path)
