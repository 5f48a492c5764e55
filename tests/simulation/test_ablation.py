"""Ablation: the value of a card, measured by the same seeds with and without it."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from pond_game import pond

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.simulation.ablation import Seen, Worth, WorthRace, seen_of
from fcbdsl.play.simulation.games import Matchup, Players, Playout, Wanted, here, play_cell, play_once
from fcbdsl.project.project import check_project


@functools.cache
def foxhunt() -> Program:
    """Return a game of two sides."""
    model, problems = check_project([Path(__file__).parents[1] / "systems" / "foxhunt"])
    assert problems == []
    return lower(model)


CELL = Matchup("crossing", 2, bot="random")


def keep_none(cell: Matchup, game: Playout) -> None:
    pass


def games_of(cell: Matchup, games: int) -> list[Playout]:
    return list(play_cell(pond(), cell, Wanted(games), here(1), {}, keep_none))


def titled(name: str) -> str:
    return name.title()


@pytest.mark.long
def test_impact_compares_same_seeds() -> None:
    games = games_of(CELL, 30)
    race = WorthRace(CELL, 1, [seen_of(CELL, game) for game in games])
    race.run(pond(), here(1), {}, keep_none)
    worths = {worth.name: worth for worth in race.worths(titled)}
    assert worths.keys() == {name.partition(" ")[2] for game in games for name in game.used}
    for name, worth in worths.items():
        without = games_of(Matchup("crossing", 2, bot="random", without=name), worth.pairs)
        won = [sum(game.outcome == "win" for game in side) for side in (games[: worth.pairs], without)]
        assert worth.won == tuple(won), name
        assert round(worth.wins.value - (won[0] - won[1]) / worth.pairs, 9) == 0
        assert worth.title == name.title()
    assert worths["hop"].verdict == "helps"
    assert worths["hop"].pairs < 400


def unasked(offered: list[tuple[bool, str]]) -> tuple[WorthRace, list[tuple[Matchup, int]]]:
    """Return a race of games that offered names, and the list of those that were then played again (all are lost)."""
    asked: list[tuple[Matchup, int]] = []

    def nobody(program: Program, items: Iterable[tuple[Matchup, int]]) -> Iterator[tuple[int, Playout]]:
        for number, (cell, seed) in enumerate(items):
            asked.append((cell, seed))
            yield number, Playout(seed, "lose", 0, (), 1, 1)

    players: Players = nobody
    games = [Seen(won, frozenset(names.split()), frozenset(names.split()[:1])) for won, names in offered]
    race = WorthRace(CELL, 7, games)
    race.run(pond(), players, {}, keep_none)
    return race, asked


def test_games_without_offer_are_not_replayed() -> None:
    race, asked = unasked([(True, "hop"), (True, ""), (False, "leap hop"), (True, "hop leap")])
    assert {(cell.without, seed) for cell, seed in asked} == {
        ("hop", 7),
        ("leap", 9),
        ("hop", 9),
        ("hop", 10),
        ("leap", 10),
    }
    worths = {worth.name: worth for worth in race.worths(titled)}
    assert {name: (worth.pairs, worth.played, worth.won) for name, worth in worths.items()} == {
        "hop": (4, 3, (3, 1)),
        "leap": (4, 2, (3, 2)),
    }


def test_finished_ablation_plays_no_more_games() -> None:
    """One name without which everything is lost, and one that is on offer once."""
    race, asked = unasked([(seed % 2 == 0, "hop" if seed else "leap") for seed in range(400)])
    worths = {worth.name: worth for worth in race.worths(titled)}
    assert worths["hop"].verdict == "helps"
    assert worths["hop"].pairs < 400
    assert (worths["leap"].verdict, worths["leap"].played) == ("little", 1)
    assert worths["leap"].pairs < 400
    assert len(asked) == worths["hop"].played + 1


def worth_of(random: Random, games: int, first: float, second: float) -> Worth:
    """Return the result for a name when that many games are won with it, and without it, independently."""

    def players(program: Program, items: Iterable[tuple[Matchup, int]]) -> Iterator[tuple[int, Playout]]:
        for number, (_, seed) in enumerate(items):
            yield number, Playout(seed, "win" if random.random() < second else "lose", 0, (), 1, 1)

    names = frozenset(["hop"])
    race = WorthRace(CELL, 1, [Seen(random.random() < first, names, names) for _ in range(games)])
    race.run(pond(), players, {}, keep_none)
    return race.worths(titled)[0]


def test_false_positives_are_at_most_one_percent() -> None:
    random = Random(3)
    useless = [worth_of(random, 200, 0.5, 0.5) for _ in range(600)]
    assert sum(worth.wins.is_shown for worth in useless) <= 6
    assert sum(worth.pairs for worth in useless) < 0.85 * 200 * 600
    useful = [worth_of(random, 200, 0.7, 0.4) for _ in range(60)]
    assert sum(worth.verdict == "helps" for worth in useful) > 50
    assert abs(sum(worth.wins.value for worth in useful) / 60 - 0.3) < 0.05


@pytest.mark.long
def test_ablation_applies_to_the_side_whose_wins_are_counted() -> None:
    taken = {}
    for side in ("foxes", "hounds"):
        cell = Matchup("woods", 3, bot="random", side=side)
        games = list(play_cell(foxhunt(), cell, Wanted(12), here(1), {}, keep_none))
        race = WorthRace(cell, 1, [seen_of(cell, game) for game in games])
        race.run(foxhunt(), here(1), {}, keep_none)
        taken[side] = {worth.name for worth in race.worths(titled)}
        assert any("action run" in game.used for game in games)
        without = [play_once(Image(foxhunt()), replace(cell, without="run"), game.seed).used for game in games]
        assert any("action run" in used for used in without) == (side == "foxes")
    assert taken == {"foxes": set(), "hounds": {"smoke", "musk", "sniff", "run"}}
