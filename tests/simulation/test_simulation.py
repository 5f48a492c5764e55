"""Many games: the same report for any number of processes, with early stops, in one run or several."""

from __future__ import annotations

import gc
import pickle
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pond_game import image, pond

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.playout import Record, play_out
from fcbdsl.play.simulation.cell_statistics import Tally, as_json, cell_summary
from fcbdsl.play.simulation.games import (
    FORMAT,
    STRIDE,
    KeptGames,
    Matchup,
    Playout,
    Wanted,
    here,
    play_cell,
    play_once,
    playout_line,
    simulate,
)
from fcbdsl.play.simulation.intervals import quartiles, wilson
from fcbdsl.tools.reports.simulation_text import simulation_report
from tests.campaign.small_campaign import program

CELL = Matchup("crossing", 1, bot="random")


def games(wanted: Wanted, jobs: int = 1, known: dict[tuple[Matchup, int], Playout] | None = None) -> list[Playout]:
    """Return the games of the cell; assert that none is played twice."""
    seeds: list[int] = []
    ((_, played),) = simulate(pond(), [CELL], wanted, here(jobs), known or {}, lambda _, game: seeds.append(game.seed))
    assert len(seeds) == len(set(seeds))
    assert not {seed for _, seed in known or {}} & set(seeds)
    return played


def test_simulated_game_equals_played_game() -> None:
    record = Record(pond().hash, "crossing", 2, 3)
    game = setup.start_game(image(), "crossing", 2, 3, {})
    play_out(game, [make_bot("random", 3 + seat) for seat in range(2)], record)
    playout = play_once(image(), replace(CELL, players=2), 3)
    assert (playout.outcome, playout.decisions) == (record.outcome, len(record.decisions))


def test_uses_offers_and_entries_are_counted() -> None:
    played = games(Wanted(12))
    hops = sum(game.used.get("action hop", 0) for game in played)
    assert hops > 0
    assert all(game.used.get(name, 0) <= game.offered.get(name, 0) for game in played for name in ("action hop",))
    assert sum(game.used.get("card puddle", 0) + game.used.get("card gift", 0) for game in played) == sum(
        game.used.get("action trick", 0) for game in played
    )
    assert sum(sum(game.entered.values()) for game in played) >= hops + len(played)
    assert {track for game in played for track in game.tracks} == {"heron"}


@pytest.mark.parametrize("jobs", [2, 3])
def test_result_does_not_depend_on_number_of_processes(jobs: int) -> None:
    wanted = Wanted(3 * STRIDE, within=0.2)
    assert games(wanted, jobs) == games(wanted)


def test_early_end_depends_on_prefix_of_seeds() -> None:
    whole = games(Wanted(5 * STRIDE))
    for within in (0.25, 0.15, 0.1):
        played = games(Wanted(5 * STRIDE, within=within))
        assert played == whole[: len(played)]
        assert len(played) % STRIDE == 0
        for length in range(STRIDE, len(played) + 1, STRIDE):
            low, high = wilson(sum(game.outcome == "win" for game in whole[:length]), length)
            assert (high - low <= 2 * within) == (length == len(played)) or length == len(whole)


def test_cached_games_are_not_played_again() -> None:
    whole = games(Wanted(10))
    cached = {(CELL, game.seed): game for game in whole if game.seed % 3}
    assert games(Wanted(10), known=cached) == whole
    assert games(Wanted(10), known={(CELL, game.seed): game for game in whole}) == whole
    assert games(Wanted(4, seed=3), known=cached) == whole[2:6]


def test_saved_games_belong_to_program() -> None:
    whole = games(Wanted(4))
    data = b"".join(playout_line(pond().hash, CELL, game) for game in whole)
    other = playout_line("another", CELL, whole[0])
    torn = playout_line(pond().hash, CELL, whole[0])[:-20] + b"\n"
    cached = KeptGames(BytesIO(data + other + torn + b"[]\n{}\n\xff\n"), pond().hash)
    assert dict(cached) == {(CELL, game.seed): game for game in whole}
    assert (cached.others, cached.whole) == (5, True)
    assert not KeptGames(BytesIO(data + b'{"torn'), pond().hash).whole
    assert FORMAT.encode() in data


def test_report_is_summary_of_games() -> None:
    whole = games(Wanted(30))
    summary = cell_summary(pond(), CELL, Tally(whole), "fr")
    assert summary.games == 30 == sum(end.games for end in summary.ends)
    assert summary.won == sum(end.games for end in summary.ends if end.outcome == "win")
    assert {end.why for end in summary.ends} <= {"De l'autre côté !", "Le héron se réveille.", ""}
    assert all(min(game.seed for game in whole if game.outcome == end.outcome) <= end.seed for end in summary.ends)
    hop = next(use for use in summary.uses if use.name == "action hop")
    assert (hop.title, hop.uses) == ("Sauter", sum(game.used.get("action hop", 0) for game in whole))
    assert set(summary.spaces) == {"A1", "B1", "C1", "A2", "B2", "C2"}
    assert summary.spaces["B2"] == 0  # nobody reaches the reed
    assert as_json([summary])[0]["rate"] == round(summary.won / 30, 4)
    lengths = {game.seed: game.decisions for game in whole}
    assert lengths[summary.notable["shortest"]] == min(lengths.values())
    assert lengths[summary.notable["longest"]] == max(lengths.values())
    assert lengths[summary.notable["typical"]] == sorted(lengths.values())[(30 - 1) // 2]
    for seed in summary.notable.values():
        assert seed == min(other for other, length in lengths.items() if length == lengths[seed])


def test_uses_are_counted_per_game() -> None:
    whole = games(Wanted(40))
    for use in cell_summary(pond(), CELL, Tally(whole), "en").uses:
        having = [game for game in whole if game.used.get(use.name)]
        without = [game for game in whole if game not in having]
        assert (use.games, use.uses) == (len(having), sum(game.used[use.name] for game in having))
        assert use.offered == sum(game.offered.get(use.name, 0) for game in whole)
        for share, some in ((use.won_with, having), (use.won_without, without)):
            assert share == (sum(game.outcome == "win" for game in some) / len(some) if some else None)


@pytest.mark.long
def test_memory_does_not_grow_with_games() -> None:
    whole = games(Wanted(40))
    tally = Tally(whole)
    size = len(pickle.dumps(vars(tally)))
    for again in range(1, 26):
        for game in whole:
            tally.add(replace(game, seed=game.seed + 40 * again))
    assert tally.games == 26 * 40
    assert len(pickle.dumps(vars(tally))) < 1.1 * size
    stored = KeptGames(BytesIO(b"".join(playout_line(pond().hash, CELL, game) for game in whole)), pond().hash)
    with only_what_is_new():
        for cached in ({}, stored):
            held = [alive() for _ in play_cell(pond(), CELL, Wanted(40), here(1), cached, lambda cell, game: None)]
            assert len(held) == 40
            assert 1 <= max(held) <= 2


@contextmanager
def only_what_is_new() -> Iterator[None]:
    """Exclude the millions of older objects of the test process from garbage collection meanwhile."""
    thawed = not gc.get_freeze_count()
    gc.freeze()
    try:
        yield
    finally:
        if thawed:  # otherwise they stay frozen
            gc.unfreeze()


def alive() -> int:
    """Return how many games are in memory, of those made since the others were frozen."""
    return sum(isinstance(item, Playout) for item in gc.get_objects())


def test_no_games_give_no_figures() -> None:
    summary = cell_summary(pond(), CELL, Tally(), "en")
    assert (summary.low, summary.high, summary.rate, summary.ends, summary.uses) == (0.0, 1.0, 0.0, (), ())


@given(st.integers(1, 10_000).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_wilson_interval_is_correct(counted: tuple[int, int]) -> None:
    """At Wilson's bounds, the share is 1.96 standard errors of the bound away."""
    wins, games = counted
    low, high = wilson(wins, games)
    assert 0 <= low <= wins / games <= high <= 1
    for bound in (low, high):
        if 0 < bound < 1:
            distance = (Fraction(wins, games) - Fraction(bound)) ** 2
            error = Fraction(bound) * (1 - Fraction(bound)) / games
            assert abs(float(distance / error) - 1.959963984540054**2) < 1e-4


@given(st.lists(st.integers(0, 100), min_size=1))
def test_quartiles_split_values(values: list[int]) -> None:
    for quarter, value in zip((1, 2, 3), quartiles(Counter(values)), strict=True):
        assert value in values
        assert 4 * sum(item <= value for item in values) >= quarter * len(values)
        assert 4 * sum(item < value for item in values) < quarter * len(values)


RACE = """
system race "Race":
  board: square
  players: 2..3
kind player:
  stat gold: number 0..
mission mine "Mine":
  map square:
    art: |
      +--+
      |. |
      +--+
flow:
  for each player:
    choose one, by player:
      "Dig": player's gold +1
      "Rest": nothing
  win player where gold = 1 "Rich."
  lose "Poor."
"""


def test_every_winner_counts() -> None:
    made = program("", RACE)
    cell = Matchup("mine", 2, bot="random")
    playouts = [play_once(Image(made), cell, seed) for seed in range(12)]
    assert {tuple(playout.winners) for playout in playouts} == {("1", "2"), ("1",), ("2",), ()}
    report = cell_summary(made, cell, Tally(playouts), "en")
    assert report.winners == {seat: sum(seat in playout.winners for playout in playouts) for seat in ("1", "2")}
    assert report.shared == sum(len(playout.winners) == 2 for playout in playouts)
    wins = ", ".join(f"player {seat} {games}" for seat, games in report.winners.items())
    assert f"  wins by side: {wins} (won together: {report.shared})" in simulation_report(made, [report], "en").split(
        "\n"
    )


def test_games_of_single_players_show_final_numbers() -> None:
    contest = program("", RACE.replace("stat gold:", 'stat gold "gold":'))
    cell = Matchup("mine", 2, bot="random")
    playouts = [play_once(Image(contest), cell, seed) for seed in range(12)]
    won = [playout for playout in playouts if playout.winners]
    assert all(playout.scores.keys() == {"gold"} for playout in won)
    assert all(not playout.scores for playout in playouts if not playout.winners)
    assert {tuple(playout.scores["gold"]) for playout in won} == {(1, 1), (1, 0), (0, 1)}
    report = cell_summary(contest, cell, Tally(playouts), "en")
    assert list(report.scores) == ["gold"]
    assert len(report.scores["gold"]) == 2
    assert "  gold at the end, by seat: " in simulation_report(contest, [report], "en")


@pytest.mark.parametrize(("players", "reason"), [(2, "unsound-contest"), (3, "unsound-contest")])
def test_game_that_someone_always_wins_is_not_called_easy(players: int, reason: str) -> None:
    contest = program("", RACE.replace('  lose "Poor."', '  win player "Peace."'))
    cell = Matchup("mine", players, bot="random")
    report = cell_summary(contest, cell, Tally([play_once(Image(contest), cell, seed) for seed in range(6)]), "en")
    assert [word for word, _ in report.unsound] == [reason]
    text = simulation_report(contest, [report], "en")
    assert "players win singly, and someone wins each of the 6 games" in text
    assert "too easy" not in text


def test_player_alone_is_not_called_too_good() -> None:
    alone = program("", RACE.replace("2..3", "1..3").replace('  lose "Poor."', '  win player "Peace."'))
    cell = Matchup("mine", 1, bot="random")
    report = cell_summary(alone, cell, Tally([play_once(Image(alone), cell, seed) for seed in range(6)]), "en")
    assert [word for word, _ in report.unsound] == ["unsound-alone"]
    assert "a player alone has no opponent" in simulation_report(alone, [report], "en")
