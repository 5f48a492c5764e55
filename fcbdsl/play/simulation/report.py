"""What many games of a cell come to: rates with their intervals, lengths, reasons, what was used and where one went."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Any, TypeVar

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.program import Event, Program
from fcbdsl.play.simulation.ablation import Worth, WorthRace
from fcbdsl.play.simulation.games import Matchup, Playout
from fcbdsl.play.simulation.intervals import quartiles, wilson
from fcbdsl.play.simulation.soundness import Aiming, AimSummary, Reason, aims_of, reasons


@dataclass(frozen=True, slots=True)
class Usage:
    """How an action or a card was used. `offered`: how many questions had it on offer; `uses`: how often somebody took
    it; `effects`: how often an effect of it was carried out, chosen or turned up, and `fruitful`: how often something
    was otherwise by that. `games`: in how many games it was taken or carried out; `won_with`, `won_without`: shares of
    wins of those games, and of the others (None: there are none)."""

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
    """An event that games are told by, in its words ("…" stands for who and what): how often it was, in how many games,
    and how often on which space."""

    name: str
    title: str
    times: int
    games: int
    spaces: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Exchange:
    """How much of a number things lost and gained by what was done in the name of others, in all games together; each
    called by its title."""

    number: str
    bearer: str
    source: str
    lost: int
    gained: int


@dataclass(frozen=True, slots=True)
class Waypoint:
    """How far a track was after so many parts of the story: what a quarter, half and three quarters of the games that
    were still going, or had just ended, had at most."""

    games: int
    low: int
    middle: int
    high: int


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
    frequent first. `content`: of what there is (`definitions` that were in play, `events`, `spaces`) how much ever met
    with anything, and how much there is. `notable`: the seeds of the shortest, a typical and the longest game, and of
    the closest defeat
    (whose end the game's outlook holds to be best). `decisions`, `parts` (of the story, each called `part`; empty: it
    has none), `tracks` at the end: what a quarter, half and three quarters of the games have at most. `courses`: how
    tracks ran; `unreached`: tiers and steps that none came to. `spaces`: how often each was come to; `stood`: how often
    each held a piece of a kind that moves (see `Observer`). `silent`: events that never were; `unmet`: titles of what
    was in play and that nothing ever happened to. `aims`: what a win asks for; `still`: those that never came
    nearer; `control`: how many of how many games random players won. `worths`: what the same seeds without it say of
    each name, if that was asked for."""

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
    worths: tuple[Worth, ...] = ()
    aims: tuple[AimSummary, ...] = ()
    still: tuple[AimSummary, ...] = ()
    control: tuple[int, int] | None = None

    @property
    def rate(self) -> float:
        """The share of games that were won."""
        return self.won / self.games if self.games else 0.0

    @property
    def unsound(self) -> tuple[Reason, ...]:
        """Why the rate says nothing of the mission; empty if nothing speaks against it."""
        return reasons(self.won, self.games, self.still, self.control)


class Tally:
    """The games of a cell, counted: it takes no more memory for more games, but for what had not been seen before.

    `ends`: how many games ended so, for that reason (a text of the program), and the lowest seed of those; `lengths`:
    the same by the number of decisions; `parts`, `tracks`: games by what they had come to; `used`: of each action and
    card the uses, the questions that had it on offer, the effects, those of which something came, the games with a use
    or an effect, and those of them that were won; `happened`: of each event how often it was, and in how many games;
    `closest`: outlook, seed (less than 0) and
    decisions of the defeat with the best outlook; `met`: definitions that something happened to in some game; `idle`:
    that were in play in some game in which nothing did."""

    def __init__(self, games: Iterable[Playout] = ()) -> None:
        self.games = self.won = 0
        self.ends: dict[tuple[str, int], tuple[int, int]] = {}
        self.lengths: dict[int, tuple[int, int]] = {}
        self.parts: Counter[int] = Counter()
        self.tracks: dict[str, Counter[int]] = {}
        self.used: dict[str, list[int]] = {}
        self.entered: Counter[str] = Counter()
        self.stood: Counter[str] = Counter()
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
        """Count one more."""
        won = game.outcome == "win"
        self.games += 1
        self.won += won
        _count(self.ends, (game.outcome, game.why), game.seed)
        _count(self.lengths, game.decisions, game.seed)
        self.parts[game.parts] += 1
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
        """Games by their number of decisions."""
        return Counter({length: games for length, (games, _) in self.lengths.items()})

    def notable(self) -> dict[str, tuple[int, int]]:
        """Seed and number of decisions of the shortest, a typical and the longest game, and of the closest defeat; of
        equal ones the first."""
        if not self.games:
            return {}
        lengths = sorted(self.lengths)
        ranks, middle = accumulate(self.lengths[length][0] for length in lengths), (self.games - 1) // 2
        typical = next(length for length, rank in zip(lengths, ranks, strict=True) if rank > middle)
        chosen = {"shortest": lengths[0], "typical": typical, "longest": lengths[-1]}
        found = {name: (self.lengths[length][1], length) for name, length in chosen.items()}
        if self.closest is not None:
            found["closest"] = -self.closest[1], self.closest[2]
        return found


K = TypeVar("K")


def _count(table: dict[K, tuple[int, int]], key: K, seed: int) -> None:
    """Count a game, and keep the lowest seed."""
    games, lowest = table.get(key, (0, seed))
    table[key] = games + 1, min(lowest, seed)


def summary(
    program: Program,
    cell: Matchup,
    tally: Tally,
    language: str,
    race: WorthRace | None = None,
    control: tuple[int, int] | None = None,
) -> Summary:
    """Sum the games of a cell up, and what its names came to when they were tried. `control`: how many of how many
    games random players won."""
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
        _ends(program, tally, language),
        {name: seed for name, (seed, _) in tally.notable().items()},
        quartiles(tally.decisions),
        quartiles(tally.parts),
        next((text_of(program, field.title, language) for field in program.fields if field.heads), ""),
        {track: quartiles(reached) for track, reached in sorted(tally.tracks.items())},
        {track: tuple(map(_waypoint, ways)) for track, ways in sorted(tally.courses.items())},
        _unreached(program, tally, language),
        tuple(sorted(uses, key=lambda use: (-use.uses, -use.effects, use.name))),
        spaces,
        _happenings(program, tally, language),
        _silent(program, tally, language),
        _exchanges(program, tally, language),
        tuple(
            text_of(program, program.definitions[number].title, language) for number in sorted(tally.idle - tally.met)
        ),
        _content(program, tally, spaces),
        _on_spaces(program, cell, tally.stood),
        race.found(lambda name: _name_of(program, name, language)) if race is not None else (),
        aims,
        still,
        control,
    )


def _content(program: Program, tally: Tally, spaces: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    present = {
        number
        for number in tally.met | tally.idle
        if program.definitions[number].title >= 0
        and program.kinds[program.definitions[number].kind].policy == "definitions"
    }
    told = [row.name for row in _telling(program)]
    return {
        "definitions": (len(present & tally.met), len(present)),
        "events": (sum(name in tally.happened for name in told), len(told)),
        "spaces": (sum(times > 0 for times in spaces.values()), len(spaces)),
    }


def _waypoint(values: Counter[int]) -> Waypoint:
    return Waypoint(values.total(), *quartiles(values))


def _unreached(program: Program, tally: Tally, language: str) -> dict[str, tuple[str, ...]]:
    """Tiers by their titles and steps by their numbers, those of tracks that were in play."""
    found: dict[str, tuple[str, ...]] = {}
    for number, track in enumerate(program.tracks):
        name = program.definitions[track.definition].id
        if name in tally.peaks:
            goals = {at: str(at) for at, _ in track.steps}
            tiers = (tier for tier in program.tiers if tier.track == number)
            goals |= {tier.at: text_of(program, tier.title, language) or str(tier.at) for tier in tiers}
            missed = tuple(goals[at] for at in sorted(goals) if at > tally.peaks[name])
            found |= {name: missed} if missed else {}
    return found


_SLOT = re.compile(r"\{\d+(?:\?\w:[^{}|]*\|([^{}|]*))?\}")


def _clause(program: Program, told: int, language: str) -> str:
    """How an event is told, of nobody in particular."""
    return _SLOT.sub(lambda slot: "…" if slot[1] is None else slot[1], text_of(program, told, language))


def _happenings(program: Program, tally: Tally, language: str) -> tuple[Happening, ...]:
    found = [
        Happening(name, title, *tally.happened[name], _sorted(tally.where.get(name, {})))
        for name, title in _clauses(program, language).items()
        if name in tally.happened
    ]
    return tuple(sorted(found, key=lambda one: (-one.times, one.name)))


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    """By name, whatever was counted first: games that were kept are read with their names in order."""
    return dict(sorted(counts.items()))


def _silent(program: Program, tally: Tally, language: str) -> tuple[str, ...]:
    return tuple(title for name, title in _clauses(program, language).items() if name not in tally.happened)


def _clauses(program: Program, language: str) -> dict[str, str]:
    """How events are told, of nobody in particular, by their names; those that are told alike with their names, too."""
    told = {row.name: _clause(program, row.told, language) for row in _telling(program)}
    times = Counter(told.values())
    return {name: f"{title} ({name})" if times[title] > 1 else title for name, title in told.items()}


def _telling(program: Program) -> Iterator[Event]:
    """Events that games are told by, but for their ends."""
    ends = (program.won, program.lost)
    return (row for number, row in enumerate(program.events) if row.told >= 0 and number not in ends)


def _exchanges(program: Program, tally: Tally, language: str) -> tuple[Exchange, ...]:
    """The largest first."""
    titles = {row.id: text_of(program, row.title, language) or row.id for row in program.definitions}
    titles_of_fields = {row.name: text_of(program, row.title, language) for row in program.fields if row.title >= 0}
    found = []
    for key in {**tally.lost, **tally.gained}:
        field, bearer, source = key.split(" ")
        told = titles_of_fields[field], titles[bearer], titles[source]
        found.append(Exchange(*told, tally.lost[key], tally.gained[key]))
    return tuple(sorted(found, key=lambda one: (-one.lost - one.gained, one.number, one.bearer, one.source)))


def _ends(program: Program, tally: Tally, language: str) -> tuple[Finish, ...]:
    told: dict[tuple[str, str], Finish] = {}
    for (outcome, why), (games, seed) in tally.ends.items():
        key = outcome, text_of(program, why, language)
        same = told.get(key, Finish(*key, 0, seed))
        told[key] = Finish(*key, same.games + games, min(same.seed, seed))
    return tuple(sorted(told.values(), key=lambda end: (-end.games, end.outcome, end.why)))


def _on_spaces(program: Program, cell: Matchup, counts: Mapping[str, int]) -> dict[str, int]:
    """What was counted on the spaces of a mission's map, those with nothing, too."""
    boards = [row.board for row in program.definitions if row.id == cell.mission and row.board >= 0]
    spaces = [space for board in boards[:1] for space in program.boards[board].cells]
    there = [space for space in spaces if space.terrain < 0 or program.terrains[space.terrain].on_board]
    found = Counter({space.name: 0 for space in there})
    found.update(counts)
    return dict(found)


def as_json(found: Sequence[Summary]) -> list[dict[str, Any]]:
    """The same as JSON-able data; shares have four places."""
    return [
        {name: rounded(value) for name, value in {**asdict(one), "rate": one.rate, "name": one.cell.name}.items()}
        | {"unsound": [reason for reason, _ in one.unsound]}
        | {"worths": [{**rounded(asdict(worth)), "verdict": worth.verdict} for worth in one.worths]}
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


def definition_of(program: Program, id: str, language: str) -> str:
    """What a definition is called, by its id."""
    return text_of(program, next((row.title for row in program.definitions if row.id == id), -1), language) or id


def space_of(program: Program, mission: str, name: str, language: str) -> str:
    """What a space of a mission's map is called, by its name."""
    boards = [program.boards[row.board] for row in program.definitions if row.id == mission and row.board >= 0]
    title = next((cell.title for board in boards[:1] for cell in board.cells if cell.name == name), -1)
    return text_of(program, title, language) or name


def _name_of(program: Program, name: str, language: str) -> str:
    """What an action of a name, or else a definition with that id, is called."""
    title = next((row.title for row in program.actions if row.name == name), -1)
    return text_of(program, title, language) or definition_of(program, name, language)


def _use(program: Program, name: str, tally: Tally, language: str) -> Usage:
    sort, _, id = name.partition(" ")
    uses, offered, effects, fruitful, games, won = tally.used[name]
    return Usage(
        name,
        _name_of(program, id, language) if sort == "action" else definition_of(program, id, language),
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
