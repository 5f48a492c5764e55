"""The statistics of many games of a cell: rates with their intervals, lengths, reasons, uses, visits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field
from itertools import accumulate
from typing import Any, TypeVar

from fcbdsl.base.records import dataclass
from fcbdsl.base.typography import sentences
from fcbdsl.machine.vm.layout import ENDING_KIND
from fcbdsl.machine.vm.program import Event, Program
from fcbdsl.play.session.log_text import SEVERAL
from fcbdsl.play.simulation.ablation import Worth, WorthRace
from fcbdsl.play.simulation.games import Matchup, Playout
from fcbdsl.play.simulation.intervals import quartiles, wilson
from fcbdsl.play.simulation.soundness import Aiming, AimSummary, Reason, aims_of, reasons


@dataclass(frozen=True, slots=True)
class Usage:
    """Uses of an action or a card.

    `offered`: questions that offered it; `uses`: how often it was taken; `effects`: how often an effect of it ran,
    chosen or turned up; `fruitful`: how often this changed the position. `games`: games with a use or an effect;
    `won_with`, `won_without`: shares of wins of those games, and of the others (None: there are none).
    """

    name: str
    title: str
    uses: int
    offered: int
    effects: int
    fruitful: int
    games: int
    won_with: float | None
    won_without: float | None


@dataclass(frozen=True, slots=True)
class Happening:
    """An event with a text ("…" for its parameters): its number of occurrences, of games with it, and by space."""

    name: str
    title: str
    times: int
    games: int
    spaces: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Exchange:
    """How much of a number things lost and gained by the acts of others, in all games together; all by title."""

    number: str
    bearer: str
    source: str
    lost: int
    gained: int


@dataclass(frozen=True, slots=True)
class Waypoint:
    """The quartiles of a track after so many parts of the story, over the games still going or just ended."""

    games: int
    low: int
    middle: int
    high: int


@dataclass(frozen=True, slots=True)
class Finish:
    """How games ended, and why, in words; how many did, and the lowest seed of those. `ending`: the title of the named
    ending, or ""."""

    outcome: str
    why: str
    games: int
    seed: int
    ending: str = ""

    @property
    def words(self) -> str:
        """Return the title of the named ending and the reason; empty if there are none."""
        return sentences(self.ending, self.why)


@dataclass(frozen=True, slots=True)
class Summary:
    """The statistics of a cell.

    `low`, `high`: the 95 % interval of the win rate. `winners`: the wins of each team, or of each player (by number) if
    there are no teams; `shared`: the games that several of them won. `ends`: the most frequent first. `content`: for
    `definitions` that were in play, `events` and `spaces`, how many were ever involved, and how many there are.
    `notable`: the seeds of the shortest, a typical and the longest game, and of the closest defeat (by the evaluation
    of its final position).

    `decisions`, `parts` (of the story, each called `part`; empty: it has none), `tracks` (at the end): quartiles over
    games. `courses`: the course of each track; `unreached`: tiers and steps that no game reached. `spaces`: arrivals on
    each; `stood`: how often each held a piece of a moving kind, `left`: by kind how often a piece left from each
    (see `Observer`). `silent`: events that never occurred; `unmet`: titles of things in play that no event involved.

    `aims`: the conditions of a win; `still`: those that never came nearer; `control`: wins and games of random players.
    `worths`: the value of each name, if an ablation ran. `missed`: titles of the mission's named endings that no game
    reached. `scores`: quartiles of the players' final numbers, by title, in games that single players win.
    """

    cell: Matchup
    games: int
    won: int
    low: float
    high: float
    winners: Mapping[str, int]
    shared: int
    ends: tuple[Finish, ...]
    notable: Mapping[str, int]
    decisions: tuple[int, int, int]
    parts: tuple[int, int, int]
    part: str
    tracks: Mapping[str, tuple[int, int, int]]
    courses: Mapping[str, tuple[Waypoint, ...]]
    unreached: Mapping[str, tuple[str, ...]]
    uses: tuple[Usage, ...]
    spaces: Mapping[str, int]
    events: tuple[Happening, ...]
    silent: tuple[str, ...]
    exchanges: tuple[Exchange, ...]
    unmet: tuple[str, ...]
    content: Mapping[str, tuple[int, int]]
    stood: Mapping[str, int]
    left: Mapping[str, Mapping[str, int]]
    worths: tuple[Worth, ...] = ()
    aims: tuple[AimSummary, ...] = ()
    still: tuple[AimSummary, ...] = ()
    control: tuple[int, int] | None = None
    missed: tuple[str, ...] = ()
    scores: Mapping[str, tuple[tuple[int, int, int], ...]] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Return the share of games that were won."""
        return self.won / self.games if self.games else 0.0

    @property
    def unsound(self) -> tuple[Reason, ...]:
        """Return the reasons why the rate is not meaningful; empty if there are none."""
        contestants = self.cell.players if self.scores or (self.winners and self._is_won_by_players) else 0
        return reasons(self.won, self.games, self.still, self.control, contestants)

    @property
    def _is_won_by_players(self) -> bool:
        return all(name.isdecimal() for name in self.winners)


class Tally:
    """Counts of the games of a cell. Its memory does not grow with the number of games.

    `winners`: games by team or player that won them, alone or with others; `shared`: games with several winners.
    `ends`: games by outcome, named ending and reason (a text of the program), and the lowest seed of each. `lengths`:
    games by number of decisions, and lowest seeds. `parts`, `tracks`: games by value.

    `used`: for each action and card the uses, the questions that offered it, its effects and those that changed the
    position. It also counts the games with a use or an effect, and the wins among them. `happened`: for each event its
    occurrences, and its games.

    `closest`: evaluation, seed (negated) and decisions of the defeat with the best final position. `met`: definitions
    that an event involved in some game; `idle`: those in play in some game without any event.
    """

    def __init__(self, games: Iterable[Playout] = ()) -> None:
        self.games = self.won = self.shared = 0
        self.winners: Counter[str] = Counter()
        self.ends: dict[tuple[str, str, int], tuple[int, int]] = {}
        self.lengths: dict[int, tuple[int, int]] = {}
        self.parts: Counter[int] = Counter()
        self.scores: dict[str, list[Counter[int]]] = {}
        self.tracks: dict[str, Counter[int]] = {}
        self.used: dict[str, list[int]] = {}
        self.entered: Counter[str] = Counter()
        self.stood: Counter[str] = Counter()
        self.left: dict[str, Counter[str]] = {}
        self.happened: dict[str, tuple[int, int]] = {}
        self.where: dict[str, Counter[str]] = {}
        self.lost: Counter[str] = Counter()
        self.gained: Counter[str] = Counter()
        self.courses: dict[str, list[Counter[int]]] = {}
        self.peaks: dict[str, int] = {}
        self.closest: tuple[int, int, int] | None = None
        self.met: set[int] = set()
        self.idle: set[int] = set()
        self.aiming = Aiming()
        for game in games:
            self.add(game)

    def add(self, game: Playout) -> None:
        """Count a game."""
        won = game.outcome == "win"
        self.games += 1
        self.won += won
        self.winners.update(game.winners)
        self.shared += len(game.winners) > 1
        _count(self.ends, (game.outcome, game.ending, game.why), game.seed)
        _count(self.lengths, game.decisions, game.seed)
        self.parts[game.parts] += 1
        for name, values in game.scores.items():
            seats = self.scores.setdefault(name, [Counter() for _ in values])
            for seat, value in zip(seats, values, strict=True):
                seat[value] += 1
        for track, value in game.tracks.items():
            self.tracks.setdefault(track, Counter())[value] += 1
        for at, counts in enumerate((game.used, game.offered, game.effects, game.fruitful)):
            for name, times in counts.items():
                self.used.setdefault(name, [0] * 6)[at] += times
        for name in {**game.used, **game.effects}:
            self.used[name][4] += 1
            self.used[name][5] += won
        self.entered.update(game.entered)
        self.stood.update(game.stood)
        for kind, spaces in game.left.items():
            self.left.setdefault(kind, Counter()).update(spaces)
        self._add_observed(game)

    def _add_observed(self, game: Playout) -> None:
        for event, times in game.happened.items():
            before, games = self.happened.get(event, (0, 0))
            self.happened[event] = before + times, games + 1
        for event, spaces in game.where.items():
            self.where.setdefault(event, Counter()).update(spaces)
        self.lost.update(game.lost)
        self.gained.update(game.gained)
        for track, course in game.courses.items():
            ways = self.courses.setdefault(track, [])
            ways += [Counter() for _ in range(len(course) - len(ways))]
            for way, value in zip(ways, course, strict=False):
                way[value] += 1
            self.peaks[track] = max(self.peaks.get(track, course[0]), game.peaks.get(track, course[0]), *course)
        if game.outcome == "lose":
            key = game.outlook, -game.seed, game.decisions
            self.closest = key if self.closest is None else max(key, self.closest)
        self.met.update(game.met)
        self.idle.update(game.idle)
        self.aiming.add(game)

    @property
    def decisions(self) -> Counter[int]:
        """Return the games by their number of decisions."""
        return Counter({length: games for length, (games, _) in self.lengths.items()})

    def notable(self) -> dict[str, tuple[int, int]]:
        """Return seed and number of decisions of the shortest, a typical and the longest game, and of the closest
        defeat.

        Among equals it takes the first.
        """
        if not self.games:
            return {}
        lengths = sorted(self.lengths)
        ranks, middle = accumulate(self.lengths[length][0] for length in lengths), (self.games - 1) // 2
        typical = next(length for length, rank in zip(lengths, ranks, strict=True) if rank > middle)
        chosen = {"shortest": lengths[0], "typical": typical, "longest": lengths[-1]}
        games = {name: (self.lengths[length][1], length) for name, length in chosen.items()}
        if self.closest is not None:
            games["closest"] = -self.closest[1], self.closest[2]
        return games


K = TypeVar("K")


def _count(table: dict[K, tuple[int, int]], key: K, seed: int) -> None:
    """Count a game, and keep the lowest seed."""
    games, lowest = table.get(key, (0, seed))
    table[key] = games + 1, min(lowest, seed)


def cell_summary(
    program: Program,
    cell: Matchup,
    tally: Tally,
    language: str,
    race: WorthRace | None = None,
    control: tuple[int, int] | None = None,
) -> Summary:
    """Return the statistics of the games of a cell, with the results of an ablation. `control`: wins and games of
    random players."""
    aims, still = aims_of(program, cell, tally.aiming, tally.used, language)
    low, high = wilson(tally.won, tally.games)
    uses = [_use(program, name, tally, language) for name in tally.used]
    spaces = _on_spaces(program, cell, tally.entered)
    return Summary(
        cell,
        tally.games,
        tally.won,
        low,
        high,
        _winners(program, cell, tally),
        tally.shared,
        _ends(program, tally, language),
        {name: seed for name, (seed, _) in tally.notable().items()},
        quartiles(tally.decisions),
        quartiles(tally.parts),
        next((program_text(program, field.title, language) for field in program.fields if field.heads), ""),
        {track: quartiles(reached) for track, reached in sorted(tally.tracks.items())},
        {track: tuple(map(_waypoint, ways)) for track, ways in sorted(tally.courses.items())},
        _unreached(program, tally, language),
        tuple(sorted(uses, key=lambda use: (-use.uses, -use.effects, use.name))),
        spaces,
        _happenings(program, tally, language),
        _silent(program, tally, language),
        _exchanges(program, tally, language),
        tuple(
            program_text(program, program.definitions[number].title, language)
            for number in sorted(tally.idle - tally.met)
        ),
        _content(program, tally, spaces),
        _on_spaces(program, cell, tally.stood),
        {kind: _on_spaces(program, cell, spaces) for kind, spaces in sorted(tally.left.items())},
        race.worths(lambda name: _name_of(program, name, language)) if race is not None else (),
        aims,
        still,
        control,
        _missed(program, cell, tally, language),
        {_field_title(program, name, language): tuple(map(quartiles, seats)) for name, seats in tally.scores.items()},
    )


def _field_title(program: Program, name: str, language: str) -> str:
    """Return the title of a number of the players."""
    players = {number for number, row in enumerate(program.kinds) if row.name == "player"}
    title = next((row.title for row in program.fields if row.name == name and row.kind in players), -1)
    return program_text(program, title, language).partition(" / ")[0] or name


def _content(program: Program, tally: Tally, spaces: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    present = {
        number
        for number in tally.met | tally.idle
        if program.definitions[number].title >= 0
        and program.kinds[program.definitions[number].kind].policy == "definitions"
    }
    names = [row.name for row in _telling(program)]
    return {
        "definitions": (len(present & tally.met), len(present)),
        "events": (sum(name in tally.happened for name in names), len(names)),
        "spaces": (sum(times > 0 for times in spaces.values()), len(spaces)),
    }


def _waypoint(values: Counter[int]) -> Waypoint:
    return Waypoint(values.total(), *quartiles(values))


def _unreached(program: Program, tally: Tally, language: str) -> dict[str, tuple[str, ...]]:
    """Return the titles of tiers and the numbers of steps that were not reached, for tracks that were in play."""
    goals_missed: dict[str, tuple[str, ...]] = {}
    for number, track in enumerate(program.tracks):
        name = program.definitions[track.definition].id
        if name in tally.peaks:
            goals = {at: str(at) for at, _ in track.steps}
            tiers = (tier for tier in program.tiers if tier.track == number)
            goals |= {tier.at: program_text(program, tier.title, language) or str(tier.at) for tier in tiers}
            missed = tuple(goals[at] for at in sorted(goals) if at > tally.peaks[name])
            goals_missed |= {name: missed} if missed else {}
    return goals_missed


_SLOT = re.compile(r"\{\d+(?:\?(\w):([^{}|]*)\|([^{}|]*))?\}")


def _clause(program: Program, number: int, language: str) -> str:
    """Return the text of an event without its parameters; nouns behind numbers are plural."""

    def shown(slot: re.Match[str]) -> str:
        mark, agreeing, other = slot[1], slot[2], slot[3]
        return "…" if mark is None else agreeing if mark == SEVERAL else other

    return _SLOT.sub(shown, program_text(program, number, language))


def _happenings(program: Program, tally: Tally, language: str) -> tuple[Happening, ...]:
    happenings = [
        Happening(name, title, *tally.happened[name], _sorted(tally.where.get(name, {})))
        for name, title in _clauses(program, language).items()
        if name in tally.happened
    ]
    return tuple(sorted(happenings, key=lambda happening: (-happening.times, happening.name)))


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts sorted by name, since games from a file have their names in order."""
    return dict(sorted(counts.items()))


def _silent(program: Program, tally: Tally, language: str) -> tuple[str, ...]:
    return tuple(title for name, title in _clauses(program, language).items() if name not in tally.happened)


def _clauses(program: Program, language: str) -> dict[str, str]:
    """Return the texts of events without parameters, by event name; equal texts get the name added."""
    clauses = {row.name: _clause(program, row.told, language) for row in _telling(program)}
    times = Counter(clauses.values())
    return {name: f"{title} ({name})" if times[title] > 1 else title for name, title in clauses.items()}


def _telling(program: Program) -> Iterator[Event]:
    """Return the events with a text, except for the ends of games."""
    ends = (program.won, program.lost)
    return (row for number, row in enumerate(program.events) if row.told >= 0 and number not in ends)


def _exchanges(program: Program, tally: Tally, language: str) -> tuple[Exchange, ...]:
    """Return the exchanges, the largest first."""
    titles = {row.id: program_text(program, row.title, language) or row.id for row in program.definitions}
    titles_of_fields = {
        row.name: program_text(program, row.title, language) for row in program.fields if row.title >= 0
    }
    exchanges = []
    for key in {**tally.lost, **tally.gained}:
        field, bearer, source = key.split(" ")
        titled = titles_of_fields[field], titles[bearer], titles[source]
        exchanges.append(Exchange(*titled, tally.lost[key], tally.gained[key]))
    return tuple(
        sorted(
            exchanges,
            key=lambda exchange: (-exchange.lost - exchange.gained, exchange.number, exchange.bearer, exchange.source),
        )
    )


def _ends(program: Program, tally: Tally, language: str) -> tuple[Finish, ...]:
    finishes: dict[tuple[str, str, str], Finish] = {}
    for (outcome, ending, why), (games, seed) in tally.ends.items():
        title = definition_title(program, ending, language) if ending else ""
        key = outcome, title, program_text(program, why, language)
        same = finishes.get(key)
        before, first = (same.games, same.seed) if same is not None else (0, seed)
        finishes[key] = Finish(outcome, key[2], before + games, min(first, seed), title)
    return tuple(sorted(finishes.values(), key=lambda end: (-end.games, end.outcome, end.why)))


def _missed(program: Program, cell: Matchup, tally: Tally, language: str) -> tuple[str, ...]:
    """Return the titles of the named endings of a mission that no game reached."""
    reached = {ending for _, ending, _ in tally.ends}
    mission = next((number for number, row in enumerate(program.definitions) if row.id == cell.mission), -1)
    endings = (row for row in program.definitions if program.kinds[row.kind].name == ENDING_KIND)
    return tuple(
        [
            definition_title(program, row.id, language)
            for row in endings
            if row.bearer in (-1, mission) and row.id not in reached
        ]
    )


def _winners(program: Program, cell: Matchup, tally: Tally) -> dict[str, int]:
    """Return the wins of each team or player, including zeros; none if all win and lose together."""
    if not tally.winners:
        return {}
    if all(name.isdecimal() for name in tally.winners):
        return {str(player): tally.winners[str(player)] for player in range(1, cell.players + 1)}
    teams = [row.id for row in program.definitions if program.kinds[row.kind].policy == "teams"]
    return {team: tally.winners[team] for team in teams}


def _on_spaces(program: Program, cell: Matchup, counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts for all spaces of a mission's map, including zeros."""
    boards = [row.board for row in program.definitions if row.id == cell.mission and row.board >= 0]
    spaces = [space for board in boards[:1] for space in program.boards[board].cells]
    there = [space for space in spaces if space.terrain < 0 or program.terrains[space.terrain].on_board]
    totals = Counter({space.name: 0 for space in there})
    totals.update(counts)
    return dict(totals)


def as_json(summaries: Sequence[Summary]) -> list[dict[str, Any]]:
    """Return the statistics as JSON data; shares are rounded to four decimals."""
    return [
        {
            name: round_fractions(value)
            for name, value in {**asdict(summary), "rate": summary.rate, "name": summary.cell.name}.items()
        }
        | {"unsound": [reason for reason, _ in summary.unsound]}
        | {"worths": [{**round_fractions(asdict(worth)), "verdict": worth.verdict} for worth in summary.worths]}
        for summary in summaries
    ]


def round_fractions(value: Any) -> Any:
    """Return JSON data with fractions rounded to four decimals."""
    match value:
        case float():
            return round(value, 4)
        case dict():
            return {name: round_fractions(inner) for name, inner in value.items()}
        case list() | tuple():
            return [round_fractions(inner) for inner in value]
    return value


def program_text(program: Program, number: int, language: str) -> str:
    """Return a text of a program by its number, in a language or a fallback; empty if it has no number."""
    if number < 0:
        return ""
    texts = program.texts[number]
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), "")


def definition_title(program: Program, id: str, language: str) -> str:
    """Return the title of a definition, by its id."""
    return program_text(program, next((row.title for row in program.definitions if row.id == id), -1), language) or id


def space_title(program: Program, mission: str, name: str, language: str) -> str:
    """Return the title of a space of a mission's map, by its name."""
    boards = [program.boards[row.board] for row in program.definitions if row.id == mission and row.board >= 0]
    title = next((cell.title for board in boards[:1] for cell in board.cells if cell.name == name), -1)
    return program_text(program, title, language) or name


def _name_of(program: Program, name: str, language: str) -> str:
    """Return the title of an action by its name, or else of a definition by its id."""
    title = next((row.title for row in program.actions if row.name == name), -1)
    return program_text(program, title, language) or definition_title(program, name, language)


def _use(program: Program, name: str, tally: Tally, language: str) -> Usage:
    sort, _, id = name.partition(" ")
    uses, offered, effects, fruitful, games, won = tally.used[name]
    return Usage(
        name,
        _name_of(program, id, language) if sort == "action" else definition_title(program, id, language),
        uses,
        offered,
        effects,
        fruitful,
        games,
        _share(won, games),
        _share(tally.won - won, tally.games - games),
    )


def _share(won: int, games: int) -> float | None:
    return won / games if games else None
