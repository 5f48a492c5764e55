"""A game at a real table: people roll dice and draw cards by hand, and the machine does the rest.

The session finds out by trial what it needs from the table. It tries a decision in a copy of the game and asks for the
rolls and draws that occur there. Then it tries again with the answers, until no roll or draw is unknown. So no rule
needs to support it, and it asks only for what is needed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol

from fcbdsl.base import versions
from fcbdsl.machine.vm.changes import exchange_zones, place_thing, set_value
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.ops.asking import by_chance
from fcbdsl.machine.vm.world import L_MOVE, L_ROLL, RANDOM_ASKED, THING, Ask, LogEntry
from fcbdsl.play.session.playout import BadRecord, Record, close_record
from fcbdsl.play.session.session import Session
from fcbdsl.play.session.view import View

PLACE, TRACK = -1, -2
"""Targets of a correction that are not fields: the place of a thing, the value of a track."""


class Hand(Protocol):
    """The people at the table. They return None to leave the result to the machine."""

    def roll(self, game: Game, die: int) -> int | None:
        """Roll a die and return the value of its face. `game` shows what the roll is for."""

    def draw(self, game: Game, zone: int, things: Sequence[int], cover: int = -1) -> int | None:
        """Draw from a pile and return which of its things it is. `cover`: the piece under which it was face down until
        now."""


class HandSession(Session):
    """A session at a real table. Every decision may be undone; `entries` records that, too."""

    def __init__(self, game: Game, record: Record, hand: Hand) -> None:
        super().__init__(game, record, {})
        self._hand = hand
        self._view = View(game.image)
        self._before: list[tuple[Game, int, dict[int, int]]] = []
        self._dark: dict[int, int] = {}
        self._begun = False
        self.goal = 0
        """The zone that gets the card which the hand is asked for; 0: none."""
        self.entries: list[dict[str, Any]] = []
        self.log_observer: Callable[[Game, LogEntry], None] | None = None
        """Observer of the log entries of all trials, the last of which becomes the game."""
        game.world.flags |= RANDOM_ASKED

    def advance(self) -> Ask | None:
        """Return the pending question; None when the game is over."""
        if not self._begun:
            self._begun = True
            self._settle(-1, {"begin": 0})
        return self.game.world.ask

    def choose(self, index: int) -> None:
        """Take an option. Raise IndexError if there is no such option."""
        if self.game.world.ask is None or not 0 <= index < len(self.game.world.ask.options):
            raise IndexError(f"there is no option {index}")
        self._mark()
        self.record.decisions.append(index)
        option = self.game.world.ask.options[index]
        lot = option[1] if self.by_lot() and option[0] == THING else -1
        self._settle(index, {"answer": index}, lot)

    def correct(self, number: int, thing: int, value: int) -> None:
        """Correct the position: set a field of a thing, its place (`PLACE`), or a track (`TRACK`). The question is
        asked again."""
        self._mark()
        self.game = self.game.clone()
        if number == PLACE:
            place_thing(self.game, thing, value, -1)
        elif number == TRACK:
            self.game.world.write(self.game.layout.value + thing, value)
        else:
            set_value(self.game, number, thing, value, -1)
        self.game.world.ask = None
        self._settle(-1, {"correct": [number, thing, value]})

    def can_undo(self) -> bool:
        """Return whether there is a decision or correction to undo."""
        return bool(self._before)

    def revealed(self) -> bool:
        """Return False, because people at a table see all results."""
        return False

    def by_lot(self) -> bool:
        """Return whether chance answers the pending question."""
        return by_chance(self.game)

    def undo(self) -> None:
        """Undo the last decision or correction, if there is one."""
        if self._before:
            self.game, decisions, self._dark = self._before.pop()
            del self.record.decisions[decisions:]
            self.entries.append({"back": 1})

    def again(self, entries: Sequence[dict[str, Any]]) -> None:
        """Repeat recorded entries. Raise BadRecord if one is impossible."""
        hand = self._hand
        for entry in entries:
            self._hand = _Recorded(entry)
            try:
                match entry:
                    case {"begin": _}:
                        self.advance()
                    case {"answer": int(index)}:
                        self.choose(index)
                    case {"correct": [int(number), int(thing), int(value)]} if self._may(number, thing, value):
                        self.correct(number, thing, value)
                    case {"back": _}:
                        self.undo()
                    case _:
                        raise BadRecord("an entry has an unknown form")
            except (IndexError, StopIteration) as error:
                raise BadRecord(f"entry {len(self.entries) + 1} can't be replayed") from error
        self._hand = hand

    def _may(self, number: int, thing: int, value: int) -> bool:
        """Return whether a correction is possible."""
        game = self.game
        if number == PLACE:
            return thing in range(*game.image.pieces) and game.is_space(value)
        if number == TRACK:
            tracks = {game.layout.first[row.definition]: row for row in game.program.tracks}
            return thing in tracks and tracks[thing].low <= value <= tracks[thing].high
        fields = game.program.fields
        return 0 <= number < len(fields) and fields[number].tag == "number" and 0 <= thing < game.layout.things

    def _mark(self) -> None:
        self._before.append((self.game, len(self.record.decisions), dict(self._dark)))

    def _settle(self, index: int, entry: dict[str, Any], lot: int = -1) -> None:
        """Play from a decision (-1: from the present position) to the next question, with rolls and draws by hand.

        `lot`: a card that the table has just named as the result of chance.
        """
        base = self.game.clone()
        rolled: list[int] = []
        drawn: dict[int, None] = {}
        while True:
            trial = base.clone()
            if self.log_observer is not None:
                trial.log_observer = partial(self.log_observer, trial)
            if index >= 0:
                trial.answer(index)
            trial.script(tuple(rolled))
            draw, answer = self._tried(base, trial, {lot: None} | drawn, len(rolled))
            if answer is not None:
                rolled.append(answer)
                continue
            if draw is None:
                break
            pile, thing = draw
            left = [card for card in self._pool(base, pile) if card not in drawn]
            cover = base.layout.zone_owner[base.zone_of(thing)] if thing in self._dark else -1
            self.goal = max(0, trial.zone_of(thing))
            wanted = self._hand.draw(trial, pile, left, cover)
            wanted = thing if wanted is None else wanted
            _swap(base, thing, wanted)
            if thing in self._dark and wanted not in self._dark:
                del self._dark[thing]
            elif wanted in self._dark:
                self._dark[thing] = pile
            drawn[wanted] = None
        trial.world.script.clear()
        self.game = trial
        self._darken(base)
        self.entries.append(entry | ({"dice": rolled} if rolled else {}) | ({"drawn": list(drawn)} if drawn else {}))
        close_record(self.game, self.record)

    def _tried(
        self, base: Game, trial: Game, drawn: dict[int, None], rolled: int
    ) -> tuple[tuple[int, int] | None, int | None]:
        """Play a trial to the next question. Return the first draw with an unknown result, or the result of the first
        unknown roll. The roll is asked for at its point in the game, where its purpose is visible."""
        draw: tuple[int, int] | None = None
        answer: int | None = None
        left = rolled

        def note(node: LogEntry) -> None:
            nonlocal draw, answer, left
            if self.log_observer is not None:
                self.log_observer(trial, node)
            if node.what != L_ROLL or len(trial.program.dice[node.data[0]].values) == 1:
                return
            left -= 1
            if left == -1:
                draw = next(self._draws(base, trial, drawn), None)
                if draw is None:
                    die, value = node.data
                    answer = self._hand.roll(trial, die)
                    answer = value if answer is None else answer

        trial.log_observer = note
        trial.run()
        trial.log_observer = None
        if draw is None and answer is None:
            draw = next(self._draws(base, trial, drawn), None)
        return draw, answer

    def _draws(self, base: Game, trial: Game, drawn: dict[int, None]) -> Iterator[tuple[int, int]]:
        """Yield (thing, pile) for each unknown thing that has left a hidden pile, in order.

        A pile to which something was added first is left out, since it is shuffled.
        """
        asked = self._unknown(base)
        moves = [node.data for node in trial.world.history(base.world.happened) if node.what == L_MOVE]
        shown = {thing for thing, _, to, _ in moves if not self._covers(trial, to)}
        mixed: set[int] = set()
        for thing, _, to, _ in moves:
            zone = base.zone_of(thing)
            left = thing in asked and thing in shown and trial.zone_of(thing) != zone
            if left and zone not in mixed and thing not in drawn:
                yield asked[thing], thing
            mixed.add(to)

    def _unknown(self, game: Game) -> dict[int, int]:
        """Return the things in hidden places that could be several things, with the pile that they come from."""
        layout = game.layout
        piles = {
            thing: self._dark.get(thing, zone)
            for zone in range(1, layout.zones)
            if not self._view.sees(game, zone)
            for thing in game.contents(zone)
        }
        open_to_doubt = {
            pile for pile in piles.values() if len({layout.definition_of[card] for card in self._pool(game, pile)}) > 1
        }
        return {thing: pile for thing, pile in piles.items() if pile in open_to_doubt}

    def _pool(self, game: Game, pile: int) -> list[int]:
        """Return all things that a thing from a pile can be: the pile, and things taken from it unseen."""
        return [*game.contents(pile), *(thing for thing, origin in self._dark.items() if origin == pile)]

    def _covers(self, game: Game, zone: int) -> bool:
        """Return whether a zone belongs to a piece, is hidden from all, and contains at most one thing."""
        owner = game.layout.zone_owner[zone] if zone > 0 else -1
        alone = owner in range(*game.image.pieces) and len(game.contents(zone)) <= 1
        return alone and not self._view.sees(game, zone)

    def _darken(self, base: Game) -> None:
        """Record things that moved unseen from a pile under a piece, and forget those that were revealed."""
        taken = self._unknown(base)
        for thing, pile in taken.items():
            if self.game.zone_of(thing) != base.zone_of(thing) and thing not in self._dark:
                self._dark[thing] = pile
        self._dark = {
            card: pile for card, pile in self._dark.items() if self._covers(self.game, self.game.zone_of(card))
        }


class _Recorded:
    """A hand that repeats a recorded entry."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self._dice, self._drawn = iter(entry.get("dice", ())), iter(entry.get("drawn", ()))

    def roll(self, game: Game, die: int) -> int:
        value: int = next(self._dice)
        if value not in game.program.dice[die].values:
            raise IndexError(f"no face shows {value}")
        return value

    def draw(self, game: Game, zone: int, things: Sequence[int], cover: int = -1) -> int:
        thing: int = next(self._drawn)
        if thing not in things:
            raise IndexError(f"{thing} is not there")
        return thing


def _swap(game: Game, one: int, other: int) -> None:
    """Exchange the places of two things."""
    turned = {one: other, other: one}
    places = dict.fromkeys((game.zone_of(one), game.zone_of(other)))
    exchange_zones(game, {zone: tuple(turned.get(thing, thing) for thing in game.contents(zone)) for zone in places})


def session_to_json(record: Record, entries: Sequence[dict[str, Any]]) -> bytes:
    """Return the record of a table session as JSON."""
    terms = {name: getattr(record, name) for name in TERMS}
    content = {"format": versions.TABLE, **terms, "entries": list(entries)}
    return (json.dumps(content, sort_keys=True, indent=1) + "\n").encode()


def read_session(data: bytes) -> tuple[Record, list[dict[str, Any]]]:
    """Read what `session_to_json` writes: the settings of a game, and the entries.

    Raise BadRecord if it is not valid.
    """
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadRecord("it is not JSON") from error
    if not isinstance(content, dict) or content.get("format") != versions.TABLE:
        raise BadRecord("it is not the log of a table (--table)")
    shapes: dict[str, type] = {"program": str, "mission": str, "players": int, "seed": int, "switches": dict}
    shapes["entries"] = list
    for name, shape in shapes.items():
        if type(content.get(name)) is not shape:
            raise BadRecord(f"its field {name!r} is missing or of the wrong type")
    if not all(type(entry) is dict for entry in content["entries"]):
        raise BadRecord("its entries have the wrong form")
    if not all(type(value) is str for value in content["switches"].values()):
        raise BadRecord("its variants are not all texts")
    return Record(**{name: content[name] for name in TERMS}), content["entries"]


TERMS = ("program", "mission", "players", "seed", "switches")
"""The settings with which a game begins."""
