"""Plays the games of cells (a mission, a number of players, switches) and extracts their statistics.

Game n of a cell has seed n, for every process and in any order. The statistics of a cell cover a prefix of its seeds,
so they do not depend on the number of processes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field
from itertools import count, islice
from typing import Any, BinaryIO, get_args, get_origin, get_type_hints

from fcbdsl.base.records import dataclass
from fcbdsl.base.visible import HIDDEN
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm import world as logged
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.stats import read_stat
from fcbdsl.machine.vm.teams import EVERYBODY, voice
from fcbdsl.play.bots.bots import WON, Bot, judge
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session import worker_pool
from fcbdsl.play.session.playout import Record, play_out
from fcbdsl.play.simulation.ablation_bot import AbstainingBot
from fcbdsl.play.simulation.aims import as_data
from fcbdsl.play.simulation.intervals import wilson
from fcbdsl.play.simulation.observing import Observer, card_names, use_names
from fcbdsl.play.simulation.win_conditions import game_goals

STRIDE = 20
"""The number of games between two checks of the precision of a cell."""
FORMAT = "fcb-games/7"


@dataclass(frozen=True, slots=True)
class Matchup:
    """A setup that is played many times.

    `side`: the team whose wins and losses count (its id; empty: everybody). `without`: an action or card that the bots
    (of `side`, if set) do not use (empty: none).
    """

    mission: str
    players: int
    switches: tuple[tuple[str, str], ...] = ()
    bot: str = "sensible"
    side: str = ""
    without: str = ""

    @property
    def name(self) -> str:
        """Return a name such as ``MISSION, 3 players, wind is gusty`` or ``MISSION, 2 players, wins of FOXES``."""
        parts = [f"{switch} is {value}" for switch, value in self.switches]
        parts += [f"wins of {self.side}"] if self.side else []
        parts += [f"without {self.without}"] if self.without else []
        return ", ".join([self.mission, f"{self.players} player{'' if self.players == 1 else 's'}", *parts])


@dataclass(frozen=True, slots=True)
class Playout:
    """Statistics of one game.

    `ending`: the id of its named ending, or "". `scores`: the final titled numbers of the players, by field, in games
    that single players win.

    `why`: the number of the text that it ended with; `winners`: the teams that won it (ids), or the players (numbers
    from 1) if there are no teams; empty: all won or lost. `parts`: the number of parts of its story (rounds); `tracks`:
    their final values, by definition. `used`: uses of each action and card; `own`: those offered to the cell's side;
    `entered`: arrivals on each space. `outlook`: the evaluation of the final position; `idle`: definitions (numbers) in
    play at the end that no event involved. `aims`: the aims of each way to win (see `aims.as_data`). The others are as
    in `Observer`.
    """

    seed: int
    outcome: str
    why: int
    winners: Sequence[str]
    decisions: int
    parts: int
    tracks: Mapping[str, int] = field(default_factory=dict)
    used: Mapping[str, int] = field(default_factory=dict)
    offered: Mapping[str, int] = field(default_factory=dict)
    own: Sequence[str] = ()
    entered: Mapping[str, int] = field(default_factory=dict)
    stood: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
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
    ending: str = ""
    scores: Mapping[str, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The number of games for a cell: `games` at most.

    The cell ends earlier when the interval of its win rate is at most `within` wide to both sides (a share; 0: never).
    """

    games: int
    seed: int = 1
    within: float = 0.0

    def enough(self, games: int, won: int) -> bool:
        """Return whether the first `games` games of a cell, of which `won` were won, are enough."""
        if games >= self.games:
            return True
        if not self.within or games < STRIDE or games % STRIDE:
            return False
        low, high = wilson(won, games)
        return (high - low) / 2 <= self.within


def play_once(image: Image, cell: Matchup, seed: int) -> Playout:
    """Play one game to its end. Raise CannotStart as `setup.start_game` does."""
    record = _blank(image, cell, seed)
    game = setup.start_game(image, cell.mission, cell.players, seed, record.switches)
    observer = Observer(game, cell.side, game_goals(image, cell.side))
    play_out(game, _bots(cell, seed), record, observer.ask)
    observer.close(_outcome(game, cell.side) == "win")
    return _playout_of(game, record, cell.side, observer)


def record_playout(image: Image, cell: Matchup, seed: int) -> Record:
    """Play one game again and return its record. Raise CannotStart as `setup.start_game` does."""
    record = _blank(image, cell, seed)
    play_out(setup.start_game(image, cell.mission, cell.players, seed, record.switches), _bots(cell, seed), record)
    return record


def _blank(image: Image, cell: Matchup, seed: int) -> Record:
    return Record(image.program.hash, cell.mission, cell.players, seed, dict(cell.switches))


def _bots(cell: Matchup, seed: int) -> list[Bot]:
    bots = [make_bot(cell.bot, seed + seat) for seat in range(cell.players)]
    return [AbstainingBot(bot, cell.without, cell.side) for bot in bots] if cell.without else bots


def _playout_of(game: Game, record: Record, side: str, seen: Observer) -> Playout:
    program, layout, world = game.program, game.layout, game.world
    used: Counter[str] = Counter()
    entered: Counter[str] = Counter()
    parts = 0
    for node in world.history():
        data = node.data
        if node.what == logged.L_ACTION:
            used.update(use_names(game, data[0], data[2]))
        elif node.what == logged.L_REACT and program.listeners[data[0]].offered:
            used.update(card_names(game, data[2]))
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
        _winners(game),
        len(record.decisions),
        parts,
        tracks,
        dict(used),
        dict(seen.offered),
        sorted(seen.own),
        dict(entered),
        dict(seen.stood),
        {kind: dict(spaces) for kind, spaces in seen.left.items()},
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
        program.definitions[layout.definition_of[world.ending]].id if world.ending >= 0 else "",
        _scores(game),
    )


def _scores(game: Game) -> dict[str, list[int]]:
    """Return the titled numbers of the players, by field; none if no single player wins."""
    world, layout, program = game.world, game.layout, game.program
    if world.fault is not None or not layout.players_low <= world.side < layout.players_high:
        return {}
    player = layout.named.get("player", -1)
    return {
        row.name: [read_stat(game, number, layout.players_low + seat) for seat in range(world.players)]
        for number, row in enumerate(program.fields)
        if row.kind == player and row.sort == "stat" and row.tag == "number" and row.title >= 0
    }


def _outcome(game: Game, side: str) -> str:
    """Return how a game has ended; for a side, as its players see it."""
    world = game.world
    if not side or world.outcome not in (logged.WIN, logged.LOSE):
        return world.outcome_name()
    return "win" if judge(game, _voice(game, side)) == WON else "lose"


def _winners(game: Game) -> list[str]:
    """Return the teams that won a game, or the players if it has no teams; none if all won or lost together."""
    world, layout = game.world, game.layout
    if world.side < 0 or world.outcome not in (logged.WIN, logged.LOSE):
        return []
    rows, teams = game.program.definitions, range(layout.teams_low, layout.teams_high)
    sides = {rows[layout.definition_of[team]].id: voice(game, team) for team in teams}
    sides = {name: who for name, who in sides.items() if who != EVERYBODY}
    sides = sides or {str(player + 1): player for player in range(world.players)}
    return [name for name, who in sides.items() if judge(game, who) == WON]


def _voice(game: Game, side: str) -> int:
    """Return the voice of a side (the id of a team; empty: everybody)."""
    if not side:
        return EVERYBODY
    return voice(game, next(game.layout.first[n] for n, row in enumerate(game.program.definitions) if row.id == side))


# ── many games ─────────────────────────────────────────────────────────────────────────────────


Players = Callable[[Program, Iterable[tuple[Matchup, int]]], Iterator[tuple[int, Playout]]]
"""A function that plays games of a program, each given by its cell and seed, and yields them by number as they end."""


def here(jobs: int) -> Players:
    """Return a player of games in `jobs` processes on this machine."""
    return lambda program, items: worker_pool.run_tasks(program, _play, items, jobs)


def simulate(
    program: Program,
    cells: Sequence[Matchup],
    wanted: Wanted,
    players: Players,
    stored: Mapping[tuple[Matchup, int], Playout],
    keep: Callable[[Matchup, Playout], None],
    report: Callable[[Matchup, Sequence[Playout]], None] = lambda cell, played: None,
) -> Iterator[tuple[Matchup, list[Playout]]]:
    """Play the wanted games of each cell, and yield them; see `play_cell`. The callback gets the games of a cell so
    far."""
    for cell in cells:
        games: list[Playout] = []
        for game in play_cell(program, cell, wanted, players, stored, keep):
            games.append(game)
            report(cell, games)
        yield cell, games


def play_cell(
    program: Program,
    cell: Matchup,
    wanted: Wanted,
    players: Players,
    stored: Mapping[tuple[Matchup, int], Playout],
    keep: Callable[[Matchup, Playout], None],
) -> Iterator[Playout]:
    """Play the wanted games of a cell, and yield each game as soon as it and those of lower seeds are over.

    No game stays in memory. `stored`: games that need not be played again; `keep` is called with each new one. Games
    that were begun beyond the end of the cell are kept, but not yielded.
    """
    waiting: dict[int, Playout] = {}
    missing = (seed for seed in islice(count(wanted.seed), wanted.games) if (cell, seed) not in stored)
    playing = players(program, ((cell, seed) for seed in missing))
    games = won = 0
    try:
        while not wanted.enough(games, won):
            seed = wanted.seed + games
            old = stored.get((cell, seed))
            while old is None and seed not in waiting:
                _, game = next(playing)
                keep(cell, game)
                waiting[game.seed] = game
            game = waiting.pop(seed) if old is None else old
            games += 1
            won += game.outcome == "win"
            yield game
    finally:
        playing.close()  # type: ignore[attr-defined]


def _play(image: Image, item: tuple[Matchup, int]) -> Playout:
    return play_once(image, *item)


# ── games as data ──────────────────────────────────────────────────────────────────────────────


def playout_of(content: object) -> Playout:
    """Return a game from plain data such as `asdict` and JSON make. Raise ValueError if it has another shape."""
    hints = get_type_hints(Playout)
    if not isinstance(content, dict) or content.keys() != hints.keys():
        raise ValueError("a game has other fields")
    return Playout(**{name: _shaped(hint, content[name]) for name, hint in hints.items()})


def _shaped(hint: Any, value: Any) -> Any:
    """Return a value of the shape of an annotation. Raise ValueError if it does not have it."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Mapping and isinstance(value, dict) and all(type(key) is str for key in value):
        return {_shaped(str, key): _shaped(parts[1], item) for key, item in value.items()}
    if origin is Sequence and isinstance(value, list):
        return [_shaped(parts[0], item) for item in value]
    if hint is Any:  # rows of an aim mix texts, numbers, lists and counts by name
        shapes: dict[type, Any] = {list: Sequence[Any], dict: Mapping[str, Any]}
        return _shaped(shapes.get(type(value), type(value)), value)
    if hint in (str, int, float, bool, type(None)) and type(value) is hint:
        if hint is str and (HIDDEN.search(value) or "\n" in value):
            raise ValueError("a name has control characters")
        return value
    raise ValueError(f"{str(value)[:40]!r} is no {hint}")


# ── stored games ───────────────────────────────────────────────────────────────────────────────


def playout_line(program: str, cell: Matchup, game: Playout) -> bytes:
    """Return a game as one line of a file of games."""
    content = {"format": FORMAT, "program": program, "cell": asdict(cell), "game": asdict(game)}
    return (json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n").encode()


class KeptGames(Mapping[tuple[Matchup, int], Playout]):
    """The stored games of a program in an open file of games. It remembers only their positions and reads them on
    demand.

    `others`: the number of lines that belong to another program, are torn or have an unknown format; `whole`: whether
    the last line is complete.
    """

    def __init__(self, file: BinaryIO, program: str) -> None:
        self._file = file
        self._places: dict[tuple[Matchup, int], int] = {}
        self.others = 0
        self.whole = True
        cells: dict[Matchup, Matchup] = {}
        place = 0
        for line in file:
            entry = _read(line)
            if entry is not None and entry[0] == program:
                _, cell, game = entry
                self._places[cells.setdefault(cell, cell), game.seed] = place
            else:
                self.others += 1
            self.whole = line.endswith(b"\n")
            place += len(line)

    def __getitem__(self, key: tuple[Matchup, int]) -> Playout:
        self._file.seek(self._places[key])
        entry = _read(self._file.readline())
        assert entry is not None, "a line that has been read before"
        return entry[2]

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[tuple[Matchup, int]]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _read(line: bytes) -> tuple[str, Matchup, Playout] | None:
    """Return the program, cell and game of a line; None if its format is unknown."""
    try:
        content = json.loads(line)
        of = content["cell"]
        switches = tuple((a, b) for a, b in of["switches"])
        cell = Matchup(of["mission"], of["players"], switches, of["bot"], of["side"], of["without"])
        entry = content["program"], cell, playout_of(content["game"])
        return entry if content["format"] == FORMAT else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
