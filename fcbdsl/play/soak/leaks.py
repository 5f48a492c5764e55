"""Checks whether a table sends a seat something that the seat must not know.

The secrets of a seat are guessed again (`bots.determinize`). The seat must be sent the same bytes: if a byte differs,
it depends on a secret.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from fcbdsl.base.records import dataclass
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import serialization, setup
from fcbdsl.machine.vm import world as logged
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Event, Relation
from fcbdsl.machine.vm.world import ACTION, LISTENER, TAGS, Ask
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.session.log_text import given
from fcbdsl.play.session.playout import Record
from fcbdsl.play.session.story import Heading, StoryLine, StoryTeller, Witness
from fcbdsl.play.soak.soak import Wanderer
from fcbdsl.play.table.foresight import Foresight
from fcbdsl.play.table.scene import SceneMaker

FORESEEN_EVERY = 4
"""The choices of one position in so many are foreseen."""
MOST_FORESEEN = 3
"""About how many choices of a question are foreseen."""
ODDS_TRIES = 3
WAYS_TRIED = 30
"""Worlds per choice, and decisions that are tried: a leak shows in the first of them."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A value sent to a seat (-1: spectators) that depends on a secret.

    `decision`: the number of decisions before. `place`: the position in the message. `instead`: the value that another
    secret would give.
    """

    seat: int
    decision: int
    place: str
    sent: str
    instead: str

    def __str__(self) -> str:
        who = f"player {self.seat + 1}" if self.seat >= 0 else "spectators"
        return f"decision {self.decision}, {who}, {self.place}: {self.sent!r}, but {self.instead!r} in a guessed world"


@dataclass(slots=True)
class _Watcher:
    """A seat that is watched. `hidden`: the things that it did not see when it last looked."""

    seat: int
    scene: SceneMaker
    teller: StoryTeller
    hidden: frozenset[int]


def leaks(image: Image, record: Record, most: int, every: int = 1, language: str = "en") -> Iterator[Leak]:
    """Play a random game of at most `most` decisions, and compare what each seat is sent at one decision in `every`."""
    game = setup.start_game(image, record.mission, record.players, record.seed, record.switches)
    wanderer, chance, witness = Wanderer(record.seed), Generator(record.seed, "leaks"), Witness(game)
    watchers = []
    for seat in (*range(record.players), -1):
        scene = SceneMaker(image, language, (seat,) if seat >= 0 else ())
        teller = StoryTeller(scene.view, game, record, witness, explained=True)
        watchers.append(_Watcher(seat, scene, teller, frozenset()))
    ask = game.run()
    for decision in range(most):
        for number, watcher in enumerate(watchers):
            if decision % every == number % every:
                yield from _compared(game, ask, watcher, witness, chance, decision)
            watcher.scene.look(game, ask)
            watcher.teller.catch_up(game)
            watcher.hidden = frozenset(_hidden(game, watcher))
        witness.stacks.clear()
        if ask is None:
            return
        game.answer(wanderer.choose(game, ask))
        ask = game.run()


def _compared(
    game: Game, ask: Ask | None, watcher: _Watcher, witness: Witness, chance: Generator, decision: int
) -> Iterator[Leak]:
    other = game.clone()
    guess(other, watcher.seat if watcher.seat >= 0 else game.world.players, chance)
    renamed = _renamed(game, other, watcher)
    guessed = Witness()
    for number, stack in witness.stacks.items():
        guessed.stacks[number] = tuple(
            (sort, what, span, _of_stack(game, sort, what, data, renamed)) for sort, what, span, data in stack
        )
    rows = [*other.world.log[: other.world.happened]]
    heard = watcher.teller.heard
    rows[heard:] = [(row[0], row[1], *_of_entry(game, row[0], row[2:], renamed)) for row in rows[heard:]]
    other.world.log, other.world.happened = rows, len(rows)
    true, other_sent = _sent(watcher, game, ask, witness), _sent(watcher, other, ask, guessed)
    for place, sent, instead in json_differences(true, other_sent):
        yield Leak(watcher.seat, decision, place, sent, instead)


def _sent(watcher: _Watcher, game: Game, ask: Ask | None, witness: Witness) -> serialization.Json:
    """Return the data that a seat receives for a position: the scene, and the lines since the last position."""
    teller = watcher.teller.fork()
    before = len(teller.story.entries)
    teller.witnessed(witness)
    teller.catch_up(game)
    lines: list[serialization.Json] = [_line(entry) for entry in teller.story.entries[before:]]
    scene = watcher.scene.fork()
    view = serialization.encode(scene.look(game, ask))
    foresight = Foresight(game, scene, (watcher.seat,), 0, game.world.happened)
    foreseen: list[serialization.Json] = []
    if foresight.asked and ask is not None and game.world.happened % FORESEEN_EVERY == 0:
        choices = range(0, len(ask.options), max(1, len(ask.options) // MOST_FORESEEN))
        foreseen += [serialization.encode(foresight.odds(choice, ODDS_TRIES)) for choice in choices]
        foreseen.append(serialization.encode(foresight.ways(WAYS_TRIED)[0]))
    return {"scene": view, "told": lines, "foreseen": foreseen}


def _line(entry: Heading | StoryLine) -> serialization.Json:
    return [entry.text, *(() if isinstance(entry, Heading) else (cause.text for cause in entry.causes))]


# ── the same log, if other things had been hidden ──────────────────────────────────────────────


def _hidden(game: Game, watcher: _Watcher) -> Iterator[int]:
    """Yield the things in zones that a seat does not see."""
    for zone in range(1, game.layout.zones):
        if not watcher.scene.view.sees(game, zone):
            yield from game.contents(zone)


def _renamed(game: Game, other: Game, watcher: _Watcher) -> dict[int, int]:
    """Return the replacement in a guessed world of each thing that was hidden all the time and differs there."""
    stayed = watcher.hidden & frozenset(_hidden(game, watcher))
    for entry in game.world.history(watcher.teller.heard):
        if entry.what == logged.L_MOVE:
            _, _, zone, _ = entry.data
            if zone <= 0 or watcher.scene.view.sees(game, zone):
                stayed -= {entry.data[0]}
    places = ((game.contents(zone), other.contents(zone)) for zone in range(1, game.layout.zones))
    changed = {a: b for one, two in places for a, b in zip(one, two, strict=True) if a != b}
    out: dict[int, int] = {}
    for thing in changed:
        ring = [thing]
        while (following := changed[ring[-1]]) != thing:
            ring.append(following)
        if stayed.issuperset(ring):
            out[thing] = changed[thing]
    return out


def _of_stack(game: Game, sort: int, what: int, data: Sequence[int], renamed: dict[int, int]) -> tuple[int, ...]:
    if sort == 1:
        return tuple(_of_parameters(game.program.events[what], (what, *data[1:]), 1, renamed)) if data else ()
    return tuple(renamed.get(thing, thing) for thing in data)


def _of_parameters(row: Event | Relation, data: Sequence[int], at: int, renamed: dict[int, int]) -> list[int]:
    """Return the data of an entry for an event or a result with its things replaced; the parameters begin at `at`."""
    out = [*data[:at]]
    for values, tag, listed in zip(given(row, data, at), row.tags, row.lists, strict=True):
        out += [len(values)] if listed else []
        out += [renamed.get(value, value) if tag == "thing" else value for value in values]
    return out


def _of_entry(game: Game, what: int, data: Sequence[int], renamed: dict[int, int]) -> list[int]:
    """Return the data of a log entry with its things replaced."""
    if what == logged.L_EVENT:
        return _of_parameters(game.program.events[data[0]], data, 1, renamed)
    if what == logged.L_RESULT:
        return _of_parameters(game.program.relations[data[0]], data, 2, renamed)
    things: Collection[int] = {
        logged.L_CHANGE: (1, 2), logged.L_MOVE: (0, 3), logged.L_ACTION: (1, 2), logged.L_REACT: (1, 2),
    }.get(what, ())  # fmt: skip
    if what == logged.L_RANDOM and TAGS[data[1]] == "thing":
        things = (0,)
    if what == logged.L_ANSWER:
        tag = data[1]
        things = (2,) if TAGS[tag] == "thing" else (3, 4) if tag in (ACTION, LISTENER) else ()
    out = [renamed.get(value, value) if at in things else value for at, value in enumerate(data)]
    if what == logged.L_CHANGE and game.program.fields[data[0]].tag == "thing":
        out[3:] = [renamed.get(value, value) for value in out[3:]]
    return out


def json_differences(
    one: serialization.Json, other: serialization.Json, place: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Yield the places at which two pieces of JSON differ, with what each of them has there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            yield from json_differences(one.get(name), other.get(name), f"{place}/{name}")
    elif isinstance(one, list) and isinstance(other, list):
        for number, (a, b) in enumerate(zip_longest(one, other)):
            yield from json_differences(a, b, f"{place}/{number}")
    elif one != other:
        yield place, str(one), str(other)
