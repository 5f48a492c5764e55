"""What many games of a cell come to: rates with their intervals, lengths, reasons, what was used and where one went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Any, TypeVar

from fcbdsl.records import dataclass
from fcbdsl.simulation.games import Matchup, Playout
from fcbdsl.simulation.intervals import quartiles, wilson
from fcbdsl.vm.program import Program


@dataclass(frozen=True, slots=True)
class Usage:
    """How an action or a card was used. `offered`: how many questions had it on offer (a reaction's card: none).
    `games`: in how many games at all; `won_with`, `won_without`: shares of wins
    of the games in which it was used, and of the others (None: there are none)."""

    name: str
    title: str
    uses: int
    offered: int
    games: int
    won_with: float | None
    won_without: float | None


@dataclass(frozen=True, slots=True)
class Finish:
    """How games ended, and why, in words; how many did, and the lowest seed of those."""

    outcome: str
    why: str
    games: int
    seed: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What the games of a cell come to. `low`, `high`: the 95 % interval of the share of wins. `ends`: the most
    frequent first. `notable`: the seeds of the shortest, a typical and the longest game. `decisions`, `parts` (of the
    story, each called `part`; empty: it has none), `tracks` at the end: what a quarter, half and three quarters of the
    games have at most. `spaces`: how often each was come to."""

    cell: Matchup
    games: int
    won: int
    low: float
    high: float
    ends: tuple[Finish, ...]
    notable: Mapping[str, int]
    decisions: tuple[int, int, int]
    parts: tuple[int, int, int]
    part: str
    tracks: Mapping[str, tuple[int, int, int]]
    uses: tuple[Usage, ...]
    spaces: Mapping[str, int]

    @property
    def rate(self) -> float:
        """The share of games that were won."""
        return self.won / self.games if self.games else 0.0


class Tally:
    """The games of a cell, counted: it takes no more memory for more games, but for what had not been seen before.

    `ends`: how many games ended so, for that reason (a text of the program), and the lowest seed of those; `lengths`:
    the same by the number of decisions; `parts`, `tracks`: games by what they had come to; `used`: of each action and
    card the uses, the questions that had it on offer, the games in which it was used, and those of them that were
    won."""

    def __init__(self, games: Iterable[Playout] = ()) -> None:
        self.games = self.won = 0
        self.ends: dict[tuple[str, int], tuple[int, int]] = {}
        self.lengths: dict[int, tuple[int, int]] = {}
        self.parts: Counter[int] = Counter()
        self.tracks: dict[str, Counter[int]] = {}
        self.used: dict[str, list[int]] = {}
        self.entered: Counter[str] = Counter()
        for game in games:
            self.add(game)

    def add(self, game: Playout) -> None:
        """Count one more."""
        won = game.outcome == "win"
        self.games += 1
        self.won += won
        _count(self.ends, (game.outcome, game.why), game.seed)
        _count(self.lengths, game.decisions, game.seed)
        self.parts[game.parts] += 1
        for track, value in game.tracks.items():
            self.tracks.setdefault(track, Counter())[value] += 1
        for name in (*game.used, *game.offered):
            self.used.setdefault(name, [0, 0, 0, 0])
        for name, times in game.used.items():
            row = self.used[name]
            row[0] += times
            row[2] += times > 0
            row[3] += won and times > 0
        for name, times in game.offered.items():
            self.used[name][1] += times
        self.entered.update(game.entered)

    @property
    def decisions(self) -> Counter[int]:
        """Games by their number of decisions."""
        return Counter({length: games for length, (games, _) in self.lengths.items()})

    def notable(self) -> dict[str, tuple[int, int]]:
        """Seed and number of decisions of the shortest, a typical and the longest game; of equal ones the first."""
        if not self.games:
            return {}
        lengths = sorted(self.lengths)
        ranks, middle = accumulate(self.lengths[length][0] for length in lengths), (self.games - 1) // 2
        typical = next(length for length, rank in zip(lengths, ranks, strict=True) if rank > middle)
        chosen = {"shortest": lengths[0], "typical": typical, "longest": lengths[-1]}
        return {name: (self.lengths[length][1], length) for name, length in chosen.items()}


K = TypeVar("K")


def _count(table: dict[K, tuple[int, int]], key: K, seed: int) -> None:
    """Count a game, and keep the lowest seed."""
    games, lowest = table.get(key, (0, seed))
    table[key] = games + 1, min(lowest, seed)


def summary(program: Program, cell: Matchup, tally: Tally, language: str) -> Summary:
    """Sum the games of a cell up."""
    low, high = wilson(tally.won, tally.games)
    uses = [_use(program, name, tally, language) for name in tally.used]
    return Summary(
        cell,
        tally.games,
        tally.won,
        low,
        high,
        _ends(program, tally, language),
        {name: seed for name, (seed, _) in tally.notable().items()},
        quartiles(tally.decisions),
        quartiles(tally.parts),
        next((text_of(program, field.title, language) for field in program.fields if field.heads), ""),
        {track: quartiles(reached) for track, reached in sorted(tally.tracks.items())},
        tuple(sorted(uses, key=lambda use: (-use.uses, use.name))),
        _visits(program, cell, tally),
    )


def _ends(program: Program, tally: Tally, language: str) -> tuple[Finish, ...]:
    told: dict[tuple[str, str], Finish] = {}
    for (outcome, why), (games, seed) in tally.ends.items():
        key = outcome, text_of(program, why, language)
        same = told.get(key, Finish(*key, 0, seed))
        told[key] = Finish(*key, same.games + games, min(same.seed, seed))
    return tuple(sorted(told.values(), key=lambda end: (-end.games, end.outcome, end.why)))


def _visits(program: Program, cell: Matchup, tally: Tally) -> dict[str, int]:
    boards = [row.board for row in program.definitions if row.id == cell.mission and row.board >= 0]
    spaces = [space for board in boards[:1] for space in program.boards[board].cells]
    there = [space for space in spaces if space.terrain < 0 or program.terrains[space.terrain].on_board]
    visits = Counter({space.name: 0 for space in there})
    visits.update(tally.entered)
    return dict(visits)


def as_json(found: Sequence[Summary]) -> list[dict[str, Any]]:
    """The same as JSON-able data; shares have four places."""
    return [
        {name: rounded(value) for name, value in {**asdict(one), "rate": one.rate, "name": one.cell.name}.items()}
        for one in found
    ]


def rounded(value: Any) -> Any:
    """JSON-able data whose fractions have four places."""
    match value:
        case float():
            return round(value, 4)
        case dict():
            return {name: rounded(inner) for name, inner in value.items()}
        case list() | tuple():
            return [rounded(inner) for inner in value]
    return value


def text_of(program: Program, number: int, language: str) -> str:
    """A text of a program by its number, in a language or what there is instead; empty for none."""
    if number < 0:
        return ""
    texts = program.texts[number]
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), "")


def _use(program: Program, name: str, tally: Tally, language: str) -> Usage:
    sort, _, id = name.partition(" ")
    rows = [row.title for row in program.actions if row.name == id] if sort == "action" else []
    rows = rows or [row.title for row in program.definitions if row.id == id]
    uses, offered, games, won = tally.used[name]
    return Usage(
        name,
        text_of(program, rows[0], language) if rows else id,
        uses,
        offered,
        games,
        _share(won, games),
        _share(tally.won - won, tally.games - games),
    )


def _share(won: int, games: int) -> float | None:
    return won / games if games else None
