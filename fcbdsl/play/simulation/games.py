"""Plays the games of cells – a mission, a number of players, switches – and keeps what is needed of each.

Game n of a cell has seed n, whoever plays it and in whatever order; what is said of a cell is said of a prefix of its
seeds, so that it is the same for any number of processes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field
from itertools import count, islice
from typing import Any, BinaryIO, get_args, get_origin, get_type_hints

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm import world as logged
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.teams import EVERYBODY, voice
from fcbdsl.play.bots.bots import WON, Bot, judge
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session import worker_pool
from fcbdsl.play.session.playout import Record, play_out
from fcbdsl.play.simulation.ablation_bot import AbstainingBot
from fcbdsl.play.simulation.aims import as_data, goals_of
from fcbdsl.play.simulation.intervals import wilson
from fcbdsl.play.simulation.observing import Observer, cards, uses

STRIDE = 20
"""Whether a cell is known well enough is asked after so many games, and again after as many more."""
FORMAT = "fcb-games/6"


@dataclass(frozen=True, slots=True)
class Matchup:
    """What is played many times. `side`: whose wins and defeats these are (the id of a team; empty: everybody's).
    `without`: what bots leave be, where sides play those of `side` (an action or a card; empty: nothing)."""

    mission: str
    players: int
    switches: tuple[tuple[str, str], ...] = ()
    bot: str = "sensible"
    side: str = ""
    without: str = ""

    @property
    def name(self) -> str:
        """By which it is known: ``MISSION, 3 players, wind is gusty``, ``MISSION, 2 players, wins of FOXES``."""
        said = [f"{switch} is {value}" for switch, value in self.switches]
        said += [f"wins of {self.side}"] if self.side else []
        said += [f"without {self.without}"] if self.without else []
        return ", ".join([self.mission, f"{self.players} player{'' if self.players == 1 else 's'}", *said])


@dataclass(frozen=True, slots=True)
class Playout:
    """One game. `why`: the number of the text it ended with; `side`: whose end it was (a thing), or -1.

    `parts`: into how many parts its story falls (rounds); `tracks`: where each ended, by definition; `used`: how often
    each action and each card was; `own`: which were on offer to the cell's side; `entered`: how often each space was
    come to; `outlook`: how good the end was in the game's own eyes; `idle`: definitions (numbers) that were in play in
    the end and had met with nothing; `aims`: for each way to win its aims (see `aims.as_data`). The others are as in
    `Observer`."""

    seed: int
    outcome: str
    why: int
    side: int
    decisions: int
    parts: int
    tracks: Mapping[str, int] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)
    offered: Mapping[str, int] = field(default_factory=dict)
    own: Sequence[str] = ()
    entered: Mapping[str, int] = field(default_factory=dict)
    stood: Mapping[str, int] = field(default_factory=dict)
    effects: Mapping[str, int] = field(default_factory=dict)
    fruitful: Mapping[str, int] = field(default_factory=dict)
    happened: Mapping[str, int] = field(default_factory=dict)
    where: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    gained: Mapping[str, int] = field(default_factory=dict)
    courses: Mapping[str, Sequence[int]] = field(default_factory=dict)
    peaks: Mapping[str, int] = field(default_factory=dict)
    outlook: int = 0
    met: Sequence[int] = ()
    idle: Sequence[int] = ()
    aims: Sequence[Mapping[str, Sequence[Any]]] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many games of a cell: at most so many, fewer as soon as the interval of its rate of wins is no wider than
    `within` to both sides (a share; 0: all)."""

    games: int
    seed: int = 1
    within: float = 0.0

    def enough(self, games: int, won: int) -> bool:
        """Whether so many games, the first of their cell, of which so many were won, are all that is wanted."""
        if games >= self.games:
            return True
        if not self.within or games < STRIDE or games % STRIDE:
            return False
        low, high = wilson(won, games)
        return (high - low) / 2 <= self.within


def play(image: Image, cell: Matchup, seed: int) -> Playout:
    """Play one game to its end. Raises CannotStart as `setup.start`."""
    record = _blank(image, cell, seed)
    game = setup.start(image, cell.mission, cell.players, seed, record.switches)
    observer = Observer(game, cell.side, goals_of(image, cell.side))
    play_out(game, _bots(cell, seed), record, observer.ask)
    observer.close(_outcome(game, cell.side) == "win")
    return _kept(game, record, cell.side, observer)


def recorded(image: Image, cell: Matchup, seed: int) -> Record:
    """Play one game to its end again, for its record. Raises CannotStart as `setup.start`."""
    record = _blank(image, cell, seed)
    play_out(setup.start(image, cell.mission, cell.players, seed, record.switches), _bots(cell, seed), record)
    return record


def _blank(image: Image, cell: Matchup, seed: int) -> Record:
    return Record(image.program.hash, cell.mission, cell.players, seed, dict(cell.switches))


def _bots(cell: Matchup, seed: int) -> list[Bot]:
    bots = [make_bot(cell.bot, seed + seat) for seat in range(cell.players)]
    return [AbstainingBot(bot, cell.without, cell.side) for bot in bots] if cell.without else bots


def _kept(game: Game, record: Record, side: str, seen: Observer) -> Playout:
    program, layout, world = game.program, game.layout, game.world
    used: Counter[str] = Counter()
    entered: Counter[str] = Counter()
    parts = 0
    for node in world.history():
        data = node.data
        if node.what == logged.L_ACTION:
            used.update(uses(game, data[0], data[2]))
        elif node.what == logged.L_REACT and program.listeners[data[0]].offered:
            used.update(cards(game, data[2]))
        elif node.what == logged.L_MOVE and data[1] >= 0:
            entered[program.boards[world.board].cells[data[1] - layout.spaces_low].name] += 1
        elif node.what == logged.L_CHANGE and program.fields[data[0]].heads:
            parts += 1
    tracks = {
        program.definitions[track.definition].id: game.track_value(number)
        for number, track in enumerate(program.tracks)
        if game.in_play(layout.first[track.definition])
    }
    outcome = _outcome(game, side)
    why = world.why if world.fault is None else -1
    present = {
        number
        for number, row in enumerate(program.definitions)
        if program.kinds[row.kind].policy == "definitions" and row.title >= 0 and game.in_play(layout.first[number])
    }
    return Playout(
        record.seed,
        outcome,
        why,
        world.side,
        len(record.decisions),
        parts,
        tracks,
        dict(used),
        dict(seen.offered),
        sorted(seen.own),
        dict(entered),
        dict(seen.stood),
        dict(seen.effects),
        dict(seen.fruitful),
        dict(seen.happened),
        {event: dict(spaces) for event, spaces in seen.where.items()},
        dict(seen.lost),
        dict(seen.gained),
        dict(seen.courses),
        seen.peaks,
        game.outlook(_voice(game, side)) if world.fault is None else 0,
        sorted(seen.met),
        sorted(present - seen.met),
        as_data(seen.tracker.courses) if seen.tracker is not None else [],
    )


def _outcome(game: Game, side: str) -> str:
    """How a game has ended; if for a side, as its players see it."""
    world = game.world
    if not side or world.outcome not in (logged.WIN, logged.LOSE):
        return world.outcome_name()
    return "win" if judge(game, _voice(game, side)) == WON else "lose"


def _voice(game: Game, side: str) -> int:
    """Who speaks for a side (the id of a team; empty: for everybody)."""
    if not side:
        return EVERYBODY
    return voice(game, next(game.layout.first[n] for n, row in enumerate(game.program.definitions) if row.id == side))


# ── many of them ───────────────────────────────────────────────────────────────────────────────


Players = Callable[[Program, Iterable[tuple[Matchup, int]]], Iterator[tuple[int, Playout]]]
"""Who plays games of a program, each given by its cell and seed, and yields them by their numbers as they end."""


def here(jobs: int) -> Players:
    """So many processes of this machine."""
    return lambda program, items: worker_pool.done(program, _play, items, jobs)


def simulate(
    program: Program,
    cells: Sequence[Matchup],
    wanted: Wanted,
    players: Players,
    known: Mapping[tuple[Matchup, int], Playout],
    keep: Callable[[Matchup, Playout], None],
    told: Callable[[Matchup, Sequence[Playout]], None] = lambda cell, played: None,
) -> Iterator[tuple[Matchup, list[Playout]]]:
    """Play what is wanted of each cell, and yield its games; see `played`. `told` is given those of a cell so far."""
    for cell in cells:
        games: list[Playout] = []
        for game in played(program, cell, wanted, players, known, keep):
            games.append(game)
            told(cell, games)
        yield cell, games


def played(
    program: Program,
    cell: Matchup,
    wanted: Wanted,
    players: Players,
    known: Mapping[tuple[Matchup, int], Playout],
    keep: Callable[[Matchup, Playout], None],
) -> Iterator[Playout]:
    """Play what is wanted of a cell, and yield each game as soon as it and those of lower seeds are over: nothing else
    is remembered of them.

    `known`: games that need not be played again; `keep` is given each new one. Games that were begun beyond the end of
    the cell are kept, but not yielded."""
    waiting: dict[int, Playout] = {}
    missing = (seed for seed in islice(count(wanted.seed), wanted.games) if (cell, seed) not in known)
    playing = players(program, ((cell, seed) for seed in missing))
    games = won = 0
    try:
        while not wanted.enough(games, won):
            seed = wanted.seed + games
            kept = known.get((cell, seed))
            while kept is None and seed not in waiting:
                _, game = next(playing)
                keep(cell, game)
                waiting[game.seed] = game
            game = waiting.pop(seed) if kept is None else kept
            games += 1
            won += game.outcome == "win"
            yield game
    finally:
        playing.close()  # type: ignore[attr-defined]


def _play(image: Image, item: tuple[Matchup, int]) -> Playout:
    return play(image, *item)


# ── games as data ──────────────────────────────────────────────────────────────────────────────


def playout_of(content: object) -> Playout:
    """Return a game from plain data such as `asdict` and JSON make. Raises ValueError if it has another shape."""
    hints = get_type_hints(Playout)
    if not isinstance(content, dict) or content.keys() != hints.keys():
        raise ValueError("a game has other fields")
    return Playout(**{name: _shaped(hint, content[name]) for name, hint in hints.items()})


def _shaped(hint: Any, value: Any) -> Any:
    """Return a value of the shape of an annotation. Raises ValueError if it is none."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Mapping and isinstance(value, dict) and all(type(key) is str for key in value):
        return {key: _shaped(parts[1], one) for key, one in value.items()}
    if origin is Sequence and isinstance(value, list):
        return [_shaped(parts[0], one) for one in value]
    if hint is Any:  # rows of an aim mix texts, numbers, lists and counts by name
        shapes: dict[type, Any] = {list: Sequence[Any], dict: Mapping[str, Any]}
        return _shaped(shapes.get(type(value), type(value)), value)
    if hint in (str, int, float, bool, type(None)) and type(value) is hint:
        return value
    raise ValueError(f"{str(value)[:40]!r} is no {hint}")


# ── games that are kept ────────────────────────────────────────────────────────────────────────


def line_of(program: str, cell: Matchup, game: Playout) -> bytes:
    """A game as one line of a file of games."""
    content = {"format": FORMAT, "program": program, "cell": asdict(cell), "game": asdict(game)}
    return (json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n").encode()


class KeptGames(Mapping[tuple[Matchup, int], Playout]):
    """The games of a program in such a file, which stays open. Only where each one stands in it is remembered; a game
    is read when somebody asks for it. `others`: how many lines are of another program, torn or of no known form;
    `whole`: whether the last one has its end."""

    def __init__(self, file: BinaryIO, program: str) -> None:
        self._file = file
        self._places: dict[tuple[Matchup, int], int] = {}
        self.others = 0
        self.whole = True
        cells: dict[Matchup, Matchup] = {}
        place = 0
        for line in file:
            found = _read(line)
            if found is not None and found[0] == program:
                _, cell, game = found
                self._places[cells.setdefault(cell, cell), game.seed] = place
            else:
                self.others += 1
            self.whole = line.endswith(b"\n")
            place += len(line)

    def __getitem__(self, key: tuple[Matchup, int]) -> Playout:
        self._file.seek(self._places[key])
        found = _read(self._file.readline())
        assert found is not None, "a line that has been read before"
        return found[2]

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[tuple[Matchup, int]]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _read(line: bytes) -> tuple[str, Matchup, Playout] | None:
    """The program, cell and game of a line; None if it is of no known form."""
    try:
        content = json.loads(line)
        of = content["cell"]
        switches = tuple((a, b) for a, b in of["switches"])
        cell = Matchup(of["mission"], of["players"], switches, of["bot"], of["side"], of["without"])
        found = content["program"], cell, playout_of(content["game"])
        return found if content["format"] == FORMAT else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
