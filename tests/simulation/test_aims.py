"""The conditions of a win are derived from a program, and meaningless rates are reported."""

from __future__ import annotations

from pond_game import image

from fcbdsl.play.simulation.aims import Goals
from fcbdsl.play.simulation.games import Matchup, play_once
from fcbdsl.play.simulation.soundness import AimSummary, reasons, with_random

STILL = (AimSummary(("Sluice",), 1, 10, 0, 0, ()),)


def test_aims_come_from_program() -> None:
    assert Goals(image()).ways
    games = [play_once(image(), Matchup("crossing", 2, bot="random"), seed) for seed in range(1, 9)]
    rows = [row for game in games for way in game.aims for row in way.values()]
    assert rows
    assert all(0 <= best <= start and start > 0 for start, best, *_ in rows)
    assert any(best < start for start, best, *_ in rows)
    for game in games:
        if game.outcome == "win":
            assert any(all(row[1] == 0 for row in way.values()) for way in game.aims)


def test_meaningless_win_rates_are_refused() -> None:
    def words(
        won: int, games: int, still: tuple[AimSummary, ...] = (), control: tuple[int, int] | None = None
    ) -> list[str]:
        return [word for word, _ in reasons(won, games, still, control)]

    assert words(5, 10) == []
    assert words(0, 10, STILL) == ["unsound-still", "unsound-none"]
    assert words(10, 10) == ["unsound-all"]
    assert words(2, 10, (), (9, 40)) == ["unsound-random"]
    assert words(2, 10, (), (8, 40)) == []


def test_random_bots_replace_counted_side() -> None:
    assert with_random(Matchup("a", 2, bot="random")) is None
    other = with_random(Matchup("a", 2, bot="thumb"))
    assert other is not None
    assert other.bot == "random"
    other = with_random(Matchup("a", 2, bot="foxes=sensible,thumb", side="foxes"))
    assert other is not None
    assert other.bot == "foxes=random,thumb"
