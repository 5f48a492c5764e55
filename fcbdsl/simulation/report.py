"""What many games of a cell come to: rates with their intervals, lengths, reasons, what was used and where one went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

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


def summary(program: Program, cell: Matchup, games: Sequence[Playout], language: str) -> Summary:
    """Sum the games of a cell up."""
    won = sum(game.outcome == "win" for game in games)
    low, high = wilson(won, len(games))
    named = {name for game in games for name in (*game.used, *game.offered)}
    uses = [_use(program, name, games, language) for name in named]
    return Summary(
        cell,
        len(games),
        won,
        low,
        high,
        _ends(program, games, language),
        _notable(games),
        quartiles([game.decisions for game in games]),
        quartiles([game.parts for game in games]),
        next((text_of(program, field.title, language) for field in program.fields if field.heads), ""),
        _tracks(games),
        tuple(sorted(uses, key=lambda use: (-use.uses, use.name))),
        _visits(program, cell, games),
    )


def _ends(program: Program, games: Sequence[Playout], language: str) -> tuple[Finish, ...]:
    ended: dict[tuple[str, str], list[int]] = {}
    for game in games:
        ended.setdefault((game.outcome, text_of(program, game.why, language)), []).append(game.seed)
    ends = [Finish(outcome, why, len(seeds), min(seeds)) for (outcome, why), seeds in ended.items()]
    return tuple(sorted(ends, key=lambda end: (-end.games, end.outcome, end.why)))


def _notable(games: Sequence[Playout]) -> dict[str, int]:
    by_length = sorted(games, key=lambda game: (game.decisions, game.seed))
    places = {"shortest": 0, "typical": (len(games) - 1) // 2, "longest": len(games) - 1}
    return {name: by_length[place].seed for name, place in places.items() if games}


def _tracks(games: Sequence[Playout]) -> dict[str, tuple[int, int, int]]:
    values: dict[str, list[int]] = {}
    for game in games:
        for track, value in game.tracks.items():
            values.setdefault(track, []).append(value)
    return {track: quartiles(reached) for track, reached in sorted(values.items())}


def _visits(program: Program, cell: Matchup, games: Sequence[Playout]) -> dict[str, int]:
    boards = [row.board for row in program.definitions if row.id == cell.mission and row.board >= 0]
    spaces = [space for board in boards[:1] for space in program.boards[board].cells]
    there = [space for space in spaces if space.terrain < 0 or program.terrains[space.terrain].on_board]
    visits = Counter({space.name: 0 for space in there})
    for game in games:
        visits.update(game.entered)
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


def _use(program: Program, name: str, games: Sequence[Playout], language: str) -> Usage:
    sort, _, id = name.partition(" ")
    rows = [row.title for row in program.actions if row.name == id] if sort == "action" else []
    rows = rows or [row.title for row in program.definitions if row.id == id]
    with_it = [game for game in games if game.used.get(name)]
    without = [game for game in games if not game.used.get(name)]
    return Usage(
        name,
        text_of(program, rows[0], language) if rows else id,
        sum(game.used[name] for game in with_it),
        sum(game.offered.get(name, 0) for game in games),
        len(with_it),
        _share(with_it),
        _share(without),
    )


def _share(games: Sequence[Playout]) -> float | None:
    return sum(game.outcome == "win" for game in games) / len(games) if games else None
