"""A race of settings: each plays a few games of every cell per round, and those surely outside their target drop out.

Racing is from O. Maron, A. W. Moore, Hoeffding Races: Accelerating Model Selection Search for Classification and
Function Approximation, NIPS 6 (1994); the intervals here are Wilson's. All settings play the same seeds and are
compared after whole rounds alone, so the race does not depend on the number of processes. Repeated checks in every cell
need an interval wider than 95 %: one of 99.9 % drops at most one good setting of 25 in ten rounds of four cells. Play
the winner of a race again on other seeds.
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
    """The result of a setting in a cell: games and wins."""

    games: int = 0
    wins: int = 0

    @property
    def rate(self) -> float:
        """Return the share of games that were won."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 99.9 % interval of that share."""
        return wilson(self.wins, self.games, SURE)

    def is_outside(self, band: Band) -> bool:
        """Return whether the share is surely outside of a band."""
        low, high = self.interval
        return high < band[0] / 100 or low > band[1] / 100

    def is_inside(self, band: Band) -> bool:
        """Return whether the share is surely inside a band."""
        low, high = self.interval
        return band[0] / 100 <= low and high <= band[1] / 100


@dataclass(slots=True)
class Runner:
    """A setting in the race: its result in each cell, and the round in which it dropped out (0: still running).
    `refused`: why it never began."""

    setting: Setting
    lanes: list[Lane] = field(default_factory=list)
    dropped: int = 0
    refused: str = ""

    @property
    def is_running(self) -> bool:
        """Return whether the setting is still in the race."""
        return not self.dropped and not self.refused

    def off(self, bands: Sequence[Band]) -> float:
        """Return the distance of the worst cell from the middle of its target band, in halves of the band."""
        return max(
            abs(lane.rate - (band[0] + band[1]) / 200) / max(0.005, (band[1] - band[0]) / 200)
            for lane, band in zip(self.lanes, bands, strict=True)
        )


Verdict = Literal["inside", "open", "none"]
"""The result of a race: its best setting is surely inside all bands; it may be inside; no setting is left."""


def race_result(best: Runner, bands: Sequence[Band]) -> Verdict:
    """Return the result of a race, from its best setting."""
    if not best.is_running:
        return "none"
    inside = all(lane.is_inside(band) for lane, band in zip(best.lanes, bands, strict=True))
    return "inside" if inside else "open"


def games_to_show(best: Runner, bands: Sequence[Band]) -> int | None:
    """Return how many games of each setup would show that a setting is inside all bands, at its present rates.

    Return None if no number would, since some rate is outside its band or on its edge.
    """
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
    """Return the setups in which every setting lost all games, or won all (True), with the fewest games of a setting.

    Nothing can be tuned there.
    """
    ran = [runner for runner in runners if not runner.refused]
    unvaried = []
    for number, cell in enumerate(cells):
        lanes = [runner.lanes[number] for runner in ran]
        if lanes and all(not lane.wins for lane in lanes):
            unvaried.append((cell, False, min(lane.games for lane in lanes)))
        elif lanes and all(lane.wins == lane.games for lane in lanes):
            unvaried.append((cell, True, min(lane.games for lane in lanes)))
    return unvaried


MOST_GAMES = 100_000
"""The highest number of games that is tried to show that a setting is inside."""

Played = Callable[[int, int, int], None]
"""Called before a runner plays with the round, the number of the runner, and how many are running."""


def race(
    settings: Sequence[Setting],
    present: Setting,
    cells: Sequence[Matchup],
    bands: Sequence[Band],
    games: int,
    seed: int,
    jobs: int,
    program_of: Callable[[Setting], Program | str],
    report: Played = lambda round, number, running: None,
) -> list[Runner]:
    """Race settings against each other with at most `games` games in each cell. Return them, the best first.

    Those still running come first: by the distance of their worst cell from the middle of its band, then by the size of
    their change from `present`. Then come those that dropped out, the last ones first.

    `program_of` returns the program of a setting, or why there is none. Raise what `simulate` raises.
    """
    runners = [Runner(setting, [Lane() for _ in cells]) for setting in settings]
    number = 0
    done = 0
    while done < games and any(_is_open(runner, bands) for runner in runners):
        number += 1
        more = min(STRIDE, games - done)
        running = [runner for runner in runners if runner.is_running]
        results: dict[str, list[int]] = {}  # the results of this round by program: settings may share one
        for at, runner in enumerate(running):
            report(number, at, len(running))
            program = program_of(runner.setting)
            if isinstance(program, str):
                runner.refused = program
                continue
            if program.hash not in results:
                results[program.hash] = list(_played(program, cells, seed + done, more, jobs))
            for lane, won in zip(runner.lanes, results[program.hash], strict=True):
                lane.games += more
                lane.wins += won
            if any(lane.is_outside(band) for lane, band in zip(runner.lanes, bands, strict=True)):
                runner.dropped = number
        done += more

    def rank(runner: Runner) -> tuple[bool, int, float, int, Setting]:
        change = sum(abs(a - b) for a, b in zip(runner.setting, present, strict=True))
        return bool(runner.refused), -(runner.dropped or number + 1), runner.off(bands), change, runner.setting

    return sorted(runners, key=rank)


def _is_open(runner: Runner, bands: Sequence[Band]) -> bool:
    """Return whether a runner is still running and not yet surely inside its bands."""
    return runner.is_running and not all(lane.is_inside(band) for lane, band in zip(runner.lanes, bands, strict=True))


def _played(program: Program, cells: Sequence[Matchup], seed: int, games: int, jobs: int) -> Iterator[int]:
    """Yield how many of some games of each cell are won."""
    for _, played in simulate(program, cells, Wanted(games, seed), here(jobs), {}, lambda cell, game: None):
        yield sum(game.outcome == "win" for game in played)
