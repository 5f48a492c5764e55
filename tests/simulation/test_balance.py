"""The tables of the page on balance, from stored games."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pond_game import pond

from benchmarks.balance import PAGE, Cell, Count, counted, facts, play_fingerprint, read, table, written
from fcbdsl.play.simulation.games import Matchup, Playout, playout_line

CELL = Matchup("crossing", 2, bot="thumb")
KEY = Cell("crossing", 2, "thumb", "")


def lines(cell: Matchup, program: str, won: int, games: int) -> list[bytes]:
    """Return stored games, the first of which are won."""
    ends = ["win" if seed < won else "lose" for seed in range(games)]
    return [playout_line(program, cell, Playout(seed, end, -1, (), 9, 3)) for seed, end in enumerate(ends)]


def test_games_count_once_and_for_main_program() -> None:
    old, new = lines(CELL, "old", 2, 3), lines(CELL, pond().hash, 1, 4)
    switched = lines(Matchup("crossing", 2, (("wind", "gusty"),), "thumb"), pond().hash, 0, 9)
    without = lines(Matchup("crossing", 2, bot="thumb", without="hop"), pond().hash, 9, 9)
    assert counted([*old, *new, *new[:2], b'{"torn', *switched, *without]) == {KEY: Count(pond().hash, 4, 1)}


def test_balance_page_can_be_parsed() -> None:
    other = Cell("return", 1, "thumb", "")
    counts = {KEY: Count("p" * 12, 100, 90, "s" * 12), Cell("crossing", 3, "thumb", ""): Count("q" * 12, 400, 45)}
    missions = ["crossing", "return"]
    rows = table(missions, {"crossing": (40, 70)}, counts, "q" * 64, "t" * 12)
    page = f"**pond**: {facts(missions, counts)}\n{rows}"
    both, plays = ", ".join(("p" * 12, "q" * 12)), ", ".join(("s" * 12, "t" * 12))
    assert read(page) == {cell: Count(both, count.games, count.won, plays) for cell, count in counts.items()}
    again = {**read(page), other: Count("r" * 64, 9, 3)}
    rows = table(missions, {}, again, "r" * 64, "t" * 12)
    assert rows.splitlines()[2].endswith(f"| `{'p' * 12}`, `{'q' * 12}` | `{'s' * 12}`, `{'t' * 12}` (stale) |")
    assert rows.splitlines()[3].endswith(f"| `{'r' * 12}` | `{'t' * 12}` |")
    sided = {Cell("crossing", 2, "thumb", "frogs"): Count("p" * 12, 10, 5, "t" * 12)}
    assert read(facts(missions, sided) + table(missions, {}, sided, "p" * 64, "t" * 12)) == sided


def test_row_with_other_results_is_stale() -> None:
    counts = {KEY: Count("p" * 12, 100, 90, "s" * 12), Cell("return", 2, "thumb", ""): Count("q" * 12, 100, 45)}
    fresh, stale = table(["crossing", "return"], {}, counts, "r" * 64, "s" * 12).splitlines()[2:]
    assert fresh.endswith(f"| `{'p' * 12}` | `{'s' * 12}` |")
    assert stale.endswith(f"| `{'q' * 12}` | (stale) |")


def test_a_changed_text_does_not_make_a_row_stale() -> None:
    program = pond()
    renamed = replace(program, texts=tuple({"en": f"{number}"} for number in range(len(program.texts)))).sealed()
    assert renamed.hash != program.hash
    assert play_fingerprint(renamed) == play_fingerprint(program)
    wider = replace(program, fields=tuple(replace(field, high=7) for field in program.fields)).sealed()
    assert play_fingerprint(wider) != play_fingerprint(program)


@pytest.mark.long
def test_page_marks_stale_rows() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written(page, {}) == page, (
        "A game plays differently: run `python -m benchmarks.balance` to mark its rows stale."
    )


def test_rates_surely_outside_target_are_bold() -> None:
    counts = {KEY: Count("p", 100, 90), Cell("crossing", 3, "thumb", ""): Count("p", 100, 45)}
    text = table(["crossing", "unplayed"], {"crossing": (40, 70)}, counts, "p")
    assert "| `crossing` | 40–70 % | **90/100 (83–94 %)** | 45/100 (36–55 %) |" in text
    assert "unplayed" not in text
    assert "**" not in table(["crossing"], {"crossing": (40, 90)}, counts, "p")
