"""A game at a real table: dice are rolled and cards are drawn by hand, and the machine does what follows.

What is needed by hand is found out beforehand: a decision is tried in a game of its own; what is rolled or drawn there
is asked for, and the decision is tried again with what the table says, until nothing more is open. So no rule needs to
know of it, and nothing is asked that is not needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from fcbdsl.base import versions
from fcbdsl.machine.vm.changes import exchange, place, set_value
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.ops.asking import by_chance
from fcbdsl.machine.vm.world import L_MOVE, L_ROLL, RANDOM_ASKED, THING, Ask, LogEntry
from fcbdsl.play.session.playout import BadRecord, Record, close
from fcbdsl.play.session.session import Session
from fcbdsl.play.session.view import View

PLACE, TRACK = -1, -2
"""What is corrected if it is no field: where a thing stands, how far a track is."""


class Hand(Protocol):
    """What hands do at a table. None: the machine may do it."""

    def roll(self, game: Game, die: int) -> int | None:
        """Roll a die: the value of the face that it shows. What it is rolled for is under way in `game`."""

    def draw(self, game: Game, zone: int, things: Sequence[int], cover: int = -1) -> int | None:
        """Draw from a pile: which of the things that lie there it is. `cover`: what it has lain under since, unseen;
        it is turned up only now."""


class HandSession(Session):
    """A session at a real table. Everything may be taken back; `entries` keeps that, too."""

    def __init__(self, game: Game, record: Record, hand: Hand) -> None:
        super().__init__(game, record, {})
        self._hand = hand
        self._view = View(game.image)
        self._before: list[tuple[Game, int, dict[int, int]]] = []
        self._dark: dict[int, int] = {}
        self._begun = False
        self.entries: list[dict[str, Any]] = []
        game.world.flags |= RANDOM_ASKED

    def advance(self) -> Ask | None:
        """The question that is open; None when the game is over."""
        if not self._begun:
            self._begun = True
            self._settle(-1, {"begin": 0})
        return self.game.world.ask

    def choose(self, index: int) -> None:
        """Take an option. Raises IndexError if there is none of that number."""
        if self.game.world.ask is None or not 0 <= index < len(self.game.world.ask.options):
            raise IndexError(f"there is no option {index}")
        self._mark()
        self.record.decisions.append(index)
        option = self.game.world.ask.options[index]
        lot = option[1] if self.by_lot() and option[0] == THING else -1
        self._settle(index, {"answer": index}, lot)

    def correct(self, number: int, thing: int, value: int) -> None:
        """Change the position: a field of a thing has another value, or it stands elsewhere (`PLACE`), or a track is
        elsewhere (`TRACK`). What was asked is asked anew."""
        self._mark()
        self.game = self.game.clone()
        if number == PLACE:
            place(self.game, thing, value, -1)
        elif number == TRACK:
            self.game.world.write(self.game.layout.value + thing, value)
        else:
            set_value(self.game, number, thing, value, -1)
        self.game.world.ask = None
        self._settle(-1, {"correct": [number, thing, value]})

    def can_undo(self) -> bool:
        """Whether anything was done yet."""
        return bool(self._before)

    def revealed(self) -> bool:
        """Nothing: at a table everybody has seen what there was to be seen."""
        return False

    def by_lot(self) -> bool:
        """Whether the open question is one that chance answers."""
        return by_chance(self.game)

    def undo(self) -> None:
        """Go back to before the last decision or correction, if there is one."""
        if self._before:
            self.game, made, self._dark = self._before.pop()
            del self.record.decisions[made:]
            self.entries.append({"back": 1})

    def again(self, entries: Sequence[dict[str, Any]]) -> None:
        """Do again what was done. Raises BadRecord if it can't be done."""
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
                        raise BadRecord("an entry says nothing that is known")
            except (IndexError, StopIteration) as trouble:
                raise BadRecord(f"entry {len(self.entries) + 1} can't be done again") from trouble
        self._hand = hand

    def _may(self, number: int, thing: int, value: int) -> bool:
        """Whether a correction is one that could have been made."""
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
        """Play on from a decision (-1: from where the game is) to the next question, with what hands do. `lot`: a card
        that was just named, for it fell by lot."""
        base = self.game.clone()
        rolled: list[int] = []
        drawn: dict[int, None] = {}
        while True:
            trial = base.clone()
            if index >= 0:
                trial.answer(index)
            trial.script(tuple(rolled))
            found, said = self._tried(base, trial, {lot: None} | drawn, len(rolled))
            if said is not None:
                rolled.append(said)
                continue
            if found is None:
                break
            pile, thing = found
            left = [one for one in self._pool(base, pile) if one not in drawn]
            cover = base.layout.zone_owner[base.zone_of(thing)] if thing in self._dark else -1
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
        close(self.game, self.record)

    def _tried(
        self, base: Game, trial: Game, known: dict[int, None], rolled: int
    ) -> tuple[tuple[int, int] | None, int | None]:
        """Play a trial to the next question: the first thing drawn of which it is not known what it is, or else what
        the first die shows that is not known. It is asked for while it is rolled, when it can be seen what for."""
        found: tuple[int, int] | None = None
        said: int | None = None
        left = rolled

        def note(node: LogEntry) -> None:
            nonlocal found, said, left
            if node.what != L_ROLL or len(trial.program.dice[node.data[0]].values) == 1:
                return
            left -= 1
            if left == -1:
                found = next(self._draws(base, trial, known), None)
                if found is None:
                    die, value = node.data
                    said = self._hand.roll(trial, die)
                    said = value if said is None else said

        trial.witness = note
        trial.run()
        trial.witness = None
        if found is None and said is None:
            found = next(self._draws(base, trial, known), None)
        return found, said

    def _draws(self, base: Game, trial: Game, known: dict[int, None]) -> Iterator[tuple[int, int]]:
        """What has left piles into which nobody may look, in the order in which it went, of which it is not known what
        it is. Of a pile to which something has come first nothing is asked: what lies there is mixed anew."""
        asked = self._unknown(base)
        moves = [node.data for node in trial.world.history(base.world.happened) if node.what == L_MOVE]
        shown = {thing for thing, _, to, _ in moves if not self._covers(trial, to)}
        mixed: set[int] = set()
        for thing, _, to, _ in moves:
            zone = base.zone_of(thing)
            left = thing in asked and thing in shown and trial.zone_of(thing) != zone
            if left and zone not in mixed and thing not in known:
                yield asked[thing], thing
            mixed.add(to)

    def _unknown(self, game: Game) -> dict[int, int]:
        """What lies where nobody may look and could be several things, with the pile that it is from."""
        layout = game.layout
        found = {
            thing: self._dark.get(thing, zone)
            for zone in range(1, layout.zones)
            if not self._view.sees(game, zone)
            for thing in game.contents(zone)
        }
        open_to_doubt = {
            pile for pile in found.values() if len({layout.definition_of[one] for one in self._pool(game, pile)}) > 1
        }
        return {thing: pile for thing, pile in found.items() if pile in open_to_doubt}

    def _pool(self, game: Game, pile: int) -> list[int]:
        """What a thing from a pile can be: what lies there, and what was taken from there unseen."""
        return [*game.contents(pile), *(thing for thing, origin in self._dark.items() if origin == pile)]

    def _covers(self, game: Game, zone: int) -> bool:
        """Whether a zone is one of a piece, and no pile, into which nobody may look."""
        owner = game.layout.zone_owner[zone] if zone > 0 else -1
        alone = owner in range(*game.image.pieces) and len(game.contents(zone)) <= 1
        return alone and not self._view.sees(game, zone)

    def _darken(self, base: Game) -> None:
        """Note what has gone from a pile under a piece without being seen, and forget what has come to light."""
        taken = self._unknown(base)
        for thing, pile in taken.items():
            if self.game.zone_of(thing) != base.zone_of(thing) and thing not in self._dark:
                self._dark[thing] = pile
        self._dark = {one: pile for one, pile in self._dark.items() if self._covers(self.game, self.game.zone_of(one))}


class _Recorded:
    """Hands that do what they have done."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self._dice, self._drawn = iter(entry.get("dice", ())), iter(entry.get("drawn", ()))

    def roll(self, game: Game, die: int) -> int:
        value: int = next(self._dice)
        if value not in game.program.dice[die].values:
            raise IndexError(f"{value} is on no face")
        return value

    def draw(self, game: Game, zone: int, things: Sequence[int], cover: int = -1) -> int:
        thing: int = next(self._drawn)
        if thing not in things:
            raise IndexError(f"{thing} does not lie there")
        return thing


def _swap(game: Game, one: int, other: int) -> None:
    """Let two things lie in each other's place."""
    turned = {one: other, other: one}
    places = dict.fromkeys((game.zone_of(one), game.zone_of(other)))
    exchange(game, {zone: tuple(turned.get(thing, thing) for thing in game.contents(zone)) for zone in places})


def to_json(record: Record, entries: Sequence[dict[str, Any]]) -> bytes:
    """What was done at a table, as it is kept."""
    terms = {name: getattr(record, name) for name in TERMS}
    content = {"format": versions.TABLE, **terms, "entries": list(entries)}
    return (json.dumps(content, sort_keys=True, indent=1) + "\n").encode()


def read(data: bytes) -> tuple[Record, list[dict[str, Any]]]:
    """Read what `to_json` writes: the terms of a game, and what was done. Raises BadRecord."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as trouble:
        raise BadRecord("it is not JSON") from trouble
    if not isinstance(content, dict) or content.get("format") != versions.TABLE:
        raise BadRecord("it was not kept at a table (--table)")
    shapes: dict[str, type] = {"program": str, "mission": str, "players": int, "seed": int, "switches": dict}
    shapes["entries"] = list
    for name, shape in shapes.items():
        if type(content.get(name)) is not shape:
            raise BadRecord(f"its field {name!r} is missing or of the wrong type")
    if not all(type(one) is dict for one in content["entries"]):
        raise BadRecord("its entries are no entries")
    if not all(type(value) is str for value in content["switches"].values()):
        raise BadRecord("its switches are not all texts")
    return Record(**{name: content[name] for name in TERMS}), content["entries"]


TERMS = ("program", "mission", "players", "seed", "switches")
"""What a game is begun with."""
