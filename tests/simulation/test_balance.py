"""The tables of the page on balance, from games that were kept."""

from __future__ import annotations

from pond import pond

from benchmarks.balance import Cell, Count, counted, table
from fcbdsl.simulation.games import Matchup, Playout, line_of

CELL = Matchup("crossing", 2, bot="thumb")
KEY = Cell("crossing", 2, "thumb", "")


def lines(cell: Matchup, program: str, won: int, games: int) -> list[bytes]:
    """Kept games, the first of which are won."""
    ends = ["win" if seed < won else "lose" for seed in range(games)]
    return [line_of(program, cell, Playout(seed, end, -1, -1, 9, 3)) for seed, end in enumerate(ends)]


def test_a_game_counts_once_and_only_of_the_program_with_most() -> None:
    old, new = lines(CELL, "old", 2, 3), lines(CELL, pond().hash, 1, 4)
    switched = lines(Matchup("crossing", 2, (("wind", "gusty"),), "thumb"), pond().hash, 0, 9)
    assert counted([*old, *new, *new[:2], b'{"torn', *switched]) == {KEY: Count(pond().hash, 4, 1)}


def test_what_surely_lies_outside_is_bold() -> None:
    counts = {KEY: Count("p", 100, 90), Cell("crossing", 3, "thumb", ""): Count("p", 100, 45)}
    text = table(["crossing", "unplayed"], {"crossing": (40, 70)}, counts)
    assert "| `crossing` | 40–70 % | **90/100 (83–94 %)** | 45/100 (36–55 %) |" in text
    assert "unplayed" not in text
    assert "**" not in table(["crossing"], {"crossing": (40, 90)}, counts)
