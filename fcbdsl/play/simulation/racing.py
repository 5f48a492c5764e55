"""A race of settings: many begin, each plays a few games of every cell, and who is surely too far off drops out.

Racing is from O. Maron, A. W. Moore, Hoeffding Races: Accelerating Model Selection Search for Classification and
Function Approximation, NIPS 6 (1994); the intervals here are Wilson's. All settings play the same seeds, and are held
against what is wanted after whole rounds alone, so that the race goes the same for any number of processes. What is
looked at in every cell after every round must be wider than 95 %: one of 99.9 % sends at most one good setting of 25
off in ten rounds of four cells. Who wins a race should be played again on other seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Literal

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.simulation.games import STRIDE, Matchup, Wanted, here, simulate
from fcbdsl.play.simulation.gates import Band
from fcbdsl.play.simulation.intervals import SURE, wilson

Setting = tuple[int, ...]
"""A value for each number that is tuned."""


@dataclass(slots=True)
class Lane:
    """How a setting has done in a cell: games and wins."""

    games: int = 0
    wins: int = 0

    @property
    def rate(self) -> float:
        """The share of games that were won."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 99.9 % interval of that share."""
        return wilson(self.wins, self.games, SURE)

    def is_outside(self, band: Band) -> bool:
        """Whether the share surely lies outside of a band."""
        low, high = self.interval
        return high < band[0] / 100 or low > band[1] / 100

    def is_inside(self, band: Band) -> bool:
        """Whether it surely lies inside."""
        low, high = self.interval
        return band[0] / 100 <= low and high <= band[1] / 100


@dataclass(slots=True)
class Runner:
    """A setting in the race: how it did in each cell, and in which round it dropped out (0: it did not). `refused`: why
    it never began."""

    setting: Setting
    lanes: list[Lane] = field(default_factory=list)
    dropped: int = 0
    refused: str = ""

    @property
    def is_running(self) -> bool:
        """Whether it may still win."""
        return not self.dropped and not self.refused

    def off(self, bands: Sequence[Band]) -> float:
        """How far its worst cell is from the middle of what is wanted there, as a share of half the band."""
        return max(
            abs(lane.rate - (band[0] + band[1]) / 200) / max(0.005, (band[1] - band[0]) / 200)
            for lane, band in zip(self.lanes, bands, strict=True)
        )


Verdict = Literal["inside", "open", "none"]
"""What a race has come to: its best setting is shown inside all bands; it may be inside; no setting is left."""


def verdict(best: Runner, bands: Sequence[Band]) -> Verdict:
    """What a race has come to, by its best setting."""
    if not best.is_running:
        return "none"
    inside = all(lane.is_inside(band) for lane, band in zip(best.lanes, bands, strict=True))
    return "inside" if inside else "open"


def games_to_show(best: Runner, bands: Sequence[Band]) -> int | None:
    """How many games of each setup would show that a setting is inside all bands, if its rates stay as they are. None:
    no number would, for some rate is outside its band or on its edge."""
    most = 0
    for lane, (low, high) in zip(best.lanes, bands, strict=True):
        games = max(lane.games, 1)
        while games <= MOST_GAMES:
            least, greatest = wilson(round(lane.rate * games), games, SURE)
            if low / 100 <= least and greatest <= high / 100:
                break
            games += max(1, games // 20)
        else:
            return None
        most = max(most, games)
    return most


def flat(runners: Sequence[Runner], cells: Sequence[Matchup]) -> list[tuple[Matchup, bool, int]]:
    """The setups in which every setting lost all games, or won all (True), and how many games each setting played at
    least: nothing can be tuned there."""
    ran = [one for one in runners if not one.refused]
    found = []
    for number, cell in enumerate(cells):
        lanes = [one.lanes[number] for one in ran]
        if lanes and all(not lane.wins for lane in lanes):
            found.append((cell, False, min(lane.games for lane in lanes)))
        elif lanes and all(lane.wins == lane.games for lane in lanes):
            found.append((cell, True, min(lane.games for lane in lanes)))
    return found


MOST_GAMES = 100_000
"""Beyond so many games it is not computed how many would show that a setting is inside."""

Played = Callable[[int, int, int], None]
"""Told before a runner plays: the round, the number of the runner, how many are running."""


def race(
    settings: Sequence[Setting],
    present: Setting,
    cells: Sequence[Matchup],
    bands: Sequence[Band],
    games: int,
    seed: int,
    jobs: int,
    program_of: Callable[[Setting], Program | str],
    told: Played = lambda round, number, running: None,
) -> list[Runner]:
    """Let settings race, `games` of each cell at most for each of them; the best comes first: those still running by
    how near their worst cell is to the middle of what is wanted, then by how little they change (`present`); then those
    that dropped out, the last ones first.

    `program_of`: the program of a setting, or why there is none. Raises what `simulate` raises."""
    runners = [Runner(setting, [Lane() for _ in cells]) for setting in settings]
    number = 0
    done = 0
    while done < games and any(_is_open(one, bands) for one in runners):
        number += 1
        more = min(STRIDE, games - done)
        running = [one for one in runners if one.is_running]
        known: dict[str, list[int]] = {}  # what programs came to in this round: a number may change nothing
        for at, runner in enumerate(running):
            told(number, at, len(running))
            program = program_of(runner.setting)
            if isinstance(program, str):
                runner.refused = program
                continue
            if program.hash not in known:
                known[program.hash] = list(_played(program, cells, seed + done, more, jobs))
            for lane, won in zip(runner.lanes, known[program.hash], strict=True):
                lane.games += more
                lane.wins += won
            if any(lane.is_outside(band) for lane, band in zip(runner.lanes, bands, strict=True)):
                runner.dropped = number
        done += more

    def rank(one: Runner) -> tuple[bool, int, float, int, Setting]:
        change = sum(abs(a - b) for a, b in zip(one.setting, present, strict=True))
        return bool(one.refused), -(one.dropped or number + 1), one.off(bands), change, one.setting

    return sorted(runners, key=rank)


def _is_open(one: Runner, bands: Sequence[Band]) -> bool:
    """Whether it is running and not yet surely what is wanted."""
    return one.is_running and not all(lane.is_inside(band) for lane, band in zip(one.lanes, bands, strict=True))


def _played(program: Program, cells: Sequence[Matchup], seed: int, games: int, jobs: int) -> Iterator[int]:
    """How many of some games of each cell are won."""
    for _, played in simulate(program, cells, Wanted(games, seed), here(jobs), {}, lambda cell, game: None):
        yield sum(game.outcome == "win" for game in played)
