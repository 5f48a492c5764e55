"""Bots by their names, for all sides or for each side."""

from __future__ import annotations

import games
import pytest

from fcbdsl.play.bots.bot_names import NAMES, NamedBot, read_bots
from fcbdsl.play.bots.roster import make_bot, unknown_side
from fcbdsl.play.simulation.games import Matchup, play_once


def test_each_name_creates_its_bot() -> None:
    assert len({type(make_bot(name, 1)) for name in NAMES}) == len(NAMES)


def test_bot_names_are_read() -> None:
    assert read_bots("search:7") == (NamedBot("search", "", 7),)
    assert read_bots("foxes=search:50, thumb") == (NamedBot("search", "foxes", 50), NamedBot("thumb"))


NO_BOTS = "", "clever", "search:", "search:0", "search:²", "search:9999999", "thumb:3", "=thumb", "thumb,first", "a=b"


@pytest.mark.parametrize("text", NO_BOTS)
def test_unknown_bot_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"bot|budget|playouts|side"):
        read_bots(text)


def test_unknown_side_is_refused() -> None:
    program = games.program("escape")
    teams = [row.id for row in program.definitions if program.kinds[row.kind].policy == "teams"]
    assert unknown_side(program, "thumb") == unknown_side(program, f"{teams[0]}=thumb,random") == ""
    assert teams[1] in unknown_side(program, f"{teams[0]}=thumb")
    assert "its teams are" in unknown_side(program, "nobody=thumb,random")
    assert "no teams" in unknown_side(games.program("fireteam-zero"), "foxes=thumb,random")


def test_bots_and_wins_are_per_side() -> None:
    """At random, one side of this game almost never wins; the wins of the other are its defeats."""
    image = games.image("beast")
    teams = [row.id for row in image.program.definitions if image.program.kinds[row.kind].policy == "teams"]
    mission = games.missions(image.program)[0]
    for bot, wins in (("random", False), (f"{teams[0]}=thumb,{teams[1]}=random", True)):
        outcomes = [play_once(image, Matchup(mission, 2, bot=bot, side=teams[0]), seed).outcome for seed in range(1, 4)]
        assert ("win" in outcomes) == wins
    other = play_once(image, Matchup(mission, 2, bot="random", side=teams[1]), 1)
    assert other.outcome == "win"
