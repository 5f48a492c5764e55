"""Ablation: the value of each action and card, from the same seeds with bots that do not use it, one name after
another.

Names race as settings do (`racing`): all play the same seeds in rounds. A name drops out when its value is known well
enough, or when the remaining games can't make it known. Only whole rounds are evaluated, so the figures do not depend
on the number of processes. A game in which a name was never offered is the same without it, and is not played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import sqrt
from typing import Literal

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.simulation.games import STRIDE, Matchup, Players, Playout
from fcbdsl.play.simulation.intervals import SURE
from fcbdsl.play.simulation.pairs import Shift, paired_difference

LITTLE = 0.05
"""A name has little value if its interval reaches at most this far to both sides."""
WIDE = 0.2
"""A result continues until its interval reaches at most this far to both sides: a race that stops where a difference
looks largest overestimates it."""
HOPE = 0.6
"""How far a difference may exceed its estimate, as a share of half its 99.9 % interval: the share of a 95 %
interval."""
Verdict = Literal["helps", "hinders", "little", "open"]


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a name to the bots of a cell.

    `pairs`: games compared. `played`: those of them that were played again. `won`: games won with it and without it.
    `wins`: the share of wins with it minus that without it, with its 99.9 % interval.
    """

    name: str
    title: str
    pairs: int
    played: int
    won: tuple[int, int]
    wins: Shift

    @property
    def verdict(self) -> Verdict:
        """Return what the interval shows: more wins with the name, fewer wins, little difference, or nothing yet."""
        return _verdict(self.wins)


def _verdict(wins: Shift) -> Verdict:
    if wins.is_shown:
        return "helps" if wins.value > 0 else "hinders"
    return "little" if max(-wins.low, wins.high) <= LITTLE else "open"


@dataclass(frozen=True, slots=True)
class Seen:
    """The facts about a game that a comparison with the game without a name needs.

    `won`; the names that were `offered` in it (where sides play: to the side that abstains); those of them that were
    `taken`.
    """

    won: bool
    offered: frozenset[str]
    taken: frozenset[str]


def seen_of(cell: Matchup, game: Playout) -> Seen:
    """Return the facts about a game of a cell."""
    offered = _names(game.own if cell.side else game.offered)
    return Seen(game.outcome == "win", offered, offered & _names(game.used))


def _names(uses: Iterable[str]) -> frozenset[str]:
    """Return the NAMEs of uses in the form `action NAME` or `card NAME`, which bots abstain from."""
    return frozenset(use.partition(" ")[2] for use in uses)


@dataclass(slots=True)
class _Runner:
    """A name in the race: pairs by who won them (with it, without it)."""

    name: str
    played: int = 0
    counts: dict[tuple[bool, bool], int] = field(default_factory=dict)

    def add(self, won_with: bool, won_without: bool) -> None:
        key = won_with, won_without
        self.counts[key] = self.counts.get(key, 0) + 1

    def wins(self) -> Shift:
        both, alone, without, neither = (
            self.counts.get(key, 0) for key in ((True, True), (True, False), (False, True), (False, False))
        )
        return paired_difference(both, without, alone, neither, SURE)

    def worth(self, titled: Callable[[str], str]) -> Worth:
        won = [sum(times for key, times in self.counts.items() if key[at]) for at in (0, 1)]
        pairs = sum(self.counts.values())
        return Worth(self.name, titled(self.name), pairs, self.played, (won[0], won[1]), self.wins())

    def is_known(self, games: int, most: int) -> bool:
        """Return whether the interval is conclusive after `games`, or is not expected to be after all `most` games.

        The second is the case if half the interval after `most` games would still exceed the present difference.
        """
        wins = self.wins()
        half = (wins.high - wins.low) / 2
        verdict = _verdict(wins)
        if verdict == "open":
            return abs(wins.value) + half * HOPE < half * sqrt(games / most)
        return verdict == "little" or half <= WIDE


Progress = Callable[[int, int, int, int], None]
"""Called after each game with the round, the number of names in the race, the games played, and all games."""


class WorthRace:
    """The race of the names that were taken in the games of a cell. `worths` may be called at any time and counts whole
    rounds."""

    def __init__(self, cell: Matchup, seed: int, games: Sequence[Seen]) -> None:
        """Take the games of the cell, from `seed` on."""
        self._cell, self._seed, self._games = cell, seed, games
        taken = sorted({name for game in games for name in game.taken})
        self._running = [_Runner(name) for name in taken]
        self._runners = list(self._running)

    def run(
        self,
        program: Program,
        players: Players,
        games_before: Mapping[tuple[Matchup, int], Playout],
        keep: Callable[[Matchup, Playout], None],
        report: Progress = lambda round, running, done, games: None,
    ) -> None:
        """Play until every name is known or has had all games. `games_before`, `keep`: see `games.play_cell`."""
        done = number = 0
        while done < len(self._games) and self._running:
            number += 1
            seeds = range(done, min(done + STRIDE, len(self._games)))
            wanted = [
                (runner, at) for at in seeds for runner in self._running if runner.name in self._games[at].offered
            ]
            items = [(replace(self._cell, without=runner.name), self._seed + at) for runner, at in wanted]
            won: dict[tuple[Matchup, int], bool] = {}
            for key, game in _played(program, items, players, games_before, keep):
                won[key] = game.outcome == "win"
                report(number, len(self._running), len(won), len(items))
            for runner in self._running:
                for at in seeds:
                    key = replace(self._cell, without=runner.name), self._seed + at
                    runner.played += key in won
                    runner.add(self._games[at].won, won.get(key, self._games[at].won))
            done = seeds.stop
            self._running = [runner for runner in self._running if not runner.is_known(done, len(self._games))]

    def worths(self, titled: Callable[[str], str]) -> tuple[Worth, ...]:
        """Return the value of each name, the largest first. `titled` returns the title of a name."""
        worths = [runner.worth(titled) for runner in self._runners if runner.counts]
        return tuple(sorted(worths, key=lambda worth: (-worth.wins.value, worth.name)))


def _played(
    program: Program,
    items: Sequence[tuple[Matchup, int]],
    players: Players,
    games_before: Mapping[tuple[Matchup, int], Playout],
    keep: Callable[[Matchup, Playout], None],
) -> Iterator[tuple[tuple[Matchup, int], Playout]]:
    """Yield the games of all items; play those that are not known."""
    missing = []
    for item in items:
        game = games_before.get(item)
        if game is None:
            missing.append(item)
        else:
            yield item, game
    for number, game in players(program, missing):
        keep(missing[number][0], game)
        yield missing[number], game
