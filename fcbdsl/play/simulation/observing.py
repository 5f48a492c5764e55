"""Observes a game while it is played: events by place, losses and gains, the course of tracks, and which effects
changed the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import world as logged
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import ACTION, LISTENER, Ask, Frame, LogEntry, TrackMove
from fcbdsl.play.bots.roster import asked_side
from fcbdsl.play.simulation.aims import Tracker
from fcbdsl.play.simulation.win_conditions import Goals

CONSEQUENCES = (logged.L_CHANGE, logged.L_MOVE, logged.L_BOARD, logged.L_LASTING, logged.L_END)
"""Log entries that change the position."""


@dataclass(slots=True)
class _Effect:
    """An effect that is running. `depth`: items on the stack below it; `code`: the code that it runs; `price`: the code
    that pays for it (-1: none); `fruitful`: whether it has changed the position."""

    name: str
    depth: int
    code: int
    price: int
    fruitful: bool = False


class Observer:
    """Observes one game. Names are those of the program: of events, of definitions by id, of spaces.

    `happened`: occurrences of each event with a text; `where`: the same counts by space. `lost`, `gained`: how much of
    a titled number things lost and gained by the acts of others, by definition (``FIELD BEARER SOURCE``).

    `courses`: the value of each track at the start of each part of the story, and at the end; `peaks`: its highest
    value.

    `offered`: the number of questions that offered an action or card; `own`: those offered to the observed side.

    `met`: definitions that were subject or object of an event after the first question, or whose effect ran. `effects`:
    how often an effect of a card ran, chosen or not; `fruitful`: how often this changed the position.

    `stood`: how often each space held a piece of a moving kind at the start of a part, and at the end (set by `close`).
    `left`: for each kind, how often its pieces left the board from each space after the first question.
    """

    def __init__(self, game: Game, side: str = "", goals: Goals | None = None) -> None:
        """Observe a game. `side`: the id of a team (empty: no separate counts). `goals`: the ways to win, whose aims
        are measured."""
        self._game = game
        self._side = side
        self._asked = False
        self.happened: Counter[str] = Counter()
        self.where: dict[str, Counter[str]] = {}
        self.lost: Counter[str] = Counter()
        self.gained: Counter[str] = Counter()
        self.courses: dict[str, list[int]] = {}
        self.peaks: dict[str, int] = {}
        self.offered: Counter[str] = Counter()
        self.own: set[str] = set()
        self.met: set[int] = set()
        self.effects: Counter[str] = Counter()
        self.fruitful: Counter[str] = Counter()
        self.stood: Counter[str] = Counter()
        self.left: dict[str, Counter[str]] = {}
        self._under_way: list[_Effect] = []
        self._stances: Counter[tuple[int, str]] = Counter()
        self._exits: Counter[tuple[int, str]] = Counter()
        self._moving: set[int] = set()
        self.tracker = Tracker(goals, game) if goals is not None else None
        self._bodies = {row.body: row.name for row in game.program.actions} if goals is not None else {}
        self._has_begun = self._has_acted = self._is_changed = False
        self._latest = ""
        things = range(game.layout.body)
        self._cells = {thing: cell for thing in things if (cell := game.cell(thing)) >= 0}
        game.log_observer = self._note
        game.effect_observer = self._begin

    def ask(self, ask: Ask) -> None:
        """Record the options of a question."""
        self._asked = True
        self._aim(ask.kind == "action")
        names: list[str] = []
        for option in ask.options:
            if option[0] == ACTION:
                names += use_names(self._game, option[1], option[3])
            elif option[0] == LISTENER:
                names += card_names(self._game, option[3])
        self.offered.update(dict.fromkeys(names, 1))
        if self._side and names and asked_side(self._game, ask) == self._side:
            self.own.update(names)

    def _aim(self, acting: bool) -> None:
        """Measure the aims: from the first question on, and from the start again at the first question with actions."""
        if self.tracker is None:
            return
        if not self._has_begun or (acting and not self._has_acted):
            self.tracker.begin()
        elif self._is_changed and (acting or not self._has_acted):
            self.tracker.look(self._latest)
        else:
            return
        self._has_begun, self._has_acted = True, self._has_acted or acting
        self._is_changed, self._latest = False, ""

    def close(self, won: bool = False) -> None:
        """Record the final positions of tracks and pieces, and whether the game was won."""
        self._mark()
        if self.tracker is not None and won:
            self.tracker.won(self._latest)
        for (kind, space), times in self._stances.items():
            if kind in self._moving:
                self.stood[space] += times
        for (kind, space), times in self._exits.items():
            self.left.setdefault(self._game.program.kinds[kind].name, Counter())[space] += times

    # ── entries of the log ─────────────────────────────────────────────────────────────────────

    def _note(self, node: LogEntry) -> None:
        data = node.data
        if node.what in CONSEQUENCES:
            self._is_changed = True
            self._latest = self._under_action() or self._latest
            if self._under_way:
                self._bear_fruit()
        if node.what == logged.L_EVENT:
            self._event(data)
        elif node.what == logged.L_CHANGE:
            self._change(*data)
        elif node.what in (logged.L_MOVE, logged.L_ACTION, logged.L_REACT):
            if node.what == logged.L_MOVE:
                self._move(data[0])
            elif node.what == logged.L_ACTION:
                self._latest = self._game.program.actions[data[0]].name
                if self.tracker is not None:
                    self.tracker.took(data[0], self._latest)
            self._meet(*(data[:1] if node.what == logged.L_MOVE else data[1:3]))
            if node.what == logged.L_REACT:
                listener = self._game.image.listeners[data[0]]
                self._carry_out(data[2], len(self._game.world.stack), listener.body, listener.spends)

    def _under_action(self) -> str:
        """Return the name of the innermost action under way; empty if there is none, or nothing is measured.

        Players may act during the action of another one, which goes on later."""
        if self.tracker is None:
            return ""
        for item in reversed(self._game.world.stack):
            if isinstance(item, Frame) and (name := self._bodies.get(item.code)):
                return name
        return ""

    # ── results of effects ─────────────────────────────────────────────────────────────────────

    def _begin(self, frame: Frame) -> None:
        self._carry_out(frame.r[1], len(self._game.world.stack) - 1, frame.code, -1)

    def _carry_out(self, thing: int, depth: int, code: int, price: int) -> None:
        """Record the start of an effect of a thing, `depth` items above the bottom of the stack. Effects above it have
        ended."""
        while self._under_way and self._under_way[-1].depth >= depth:
            self._under_way.pop()
        program = self._game.program
        number = self._game.layout.definition_of[thing] if thing >= 0 else -1
        row = program.definitions[number] if number >= 0 else None
        if row is not None and row.title >= 0 and program.kinds[row.kind].policy == "definitions":
            name = f"card {row.id}"
            self.effects[name] += 1
            self.met.add(number)
            self._under_way.append(_Effect(name, depth, code, price))

    def _bear_fruit(self) -> None:
        """Record a change of the position for each running effect, unless it pays the price of that effect."""
        stack = self._game.world.stack
        while self._under_way and not self._is_running(self._under_way[-1]):
            self._under_way.pop()
        for effect in self._under_way:
            above = stack[effect.depth + 1] if effect.depth + 1 < len(stack) else None
            paying = effect.price >= 0 and isinstance(above, Frame) and above.code == effect.price
            if not effect.fruitful and not paying:
                effect.fruitful = True
                self.fruitful[effect.name] += 1

    def _is_running(self, effect: _Effect) -> bool:
        stack = self._game.world.stack
        item = stack[effect.depth] if effect.depth < len(stack) else None
        return isinstance(item, Frame) and item.code == effect.code

    def _event(self, data: tuple[int, ...]) -> None:
        game = self._game
        row = game.program.events[data[0]]
        things = [thing for thing in _things(row.lists, row.tags, data) if thing >= 0]
        self._meet(*things)
        if row.told < 0:
            return
        self.happened[row.name] += 1
        cell = next((cell for cell in map(game.cell, things) if cell >= 0), -1)
        if cell >= 0:
            name = game.program.boards[game.world.board].cells[cell].name
            self.where.setdefault(row.name, Counter())[name] += 1

    def _change(self, field: int, thing: int, owner: int, before: int, after: int) -> None:
        game = self._game
        row = game.program.fields[field]
        if row.heads:
            self._mark()
        if game.image.is_track[thing]:
            name = self._id(thing)
            self.peaks[name] = max(self.peaks.get(name, before), after)
        self._meet(thing)
        bearer = self._id(thing)
        if row.tag != "number" or row.title < 0 or not bearer or row.sort not in ("stat", "token"):
            return
        source = self._source(thing)
        if source:
            side = self.gained if after > before else self.lost
            side[f"{row.name} {bearer} {source}"] += abs(after - before)

    def _source(self, bearer: int) -> str:
        """Return the actor of what happens: the innermost running code's thing that has a definition and is not the
        bearer."""
        for item in reversed(self._game.world.stack):
            thing = item.r[0] if isinstance(item, Frame) else item.track if isinstance(item, TrackMove) else -1
            name = self._id(thing) if thing not in (-1, bearer) else ""
            if name:
                return name
        return ""

    def _mark(self) -> None:
        game = self._game
        for number, track in enumerate(game.program.tracks):
            if game.in_play(game.layout.first[track.definition]):
                name = game.program.definitions[track.definition].id
                self.courses.setdefault(name, []).append(game.track_value(number))

        spaces = game.program.boards[game.world.board].cells if self._cells else ()
        for thing in self._cells:
            cell = game.cell(thing)
            if cell >= 0:
                self._stances[self._kind(thing), spaces[cell].name] += 1

    def _move(self, thing: int) -> None:
        """Record a new place of a thing; its kind counts as moving if it went from space to space."""
        cell = self._game.cell(thing)
        if cell >= 0:
            if self._asked and self._cells.get(thing, cell) != cell:
                self._moving.add(self._kind(thing))
            self._cells[thing] = cell
            return
        former = self._cells.pop(thing, -1)
        spaces = self._game.program.boards[self._game.world.board].cells if former >= 0 else ()
        if self._asked and 0 <= former < len(spaces) and self._kind(thing) >= 0:
            self._exits[self._kind(thing), spaces[former].name] += 1

    def _kind(self, thing: int) -> int:
        number = self._game.layout.definition_of[thing]
        return self._game.program.definitions[number].kind if number >= 0 else -1

    def _meet(self, *things: int) -> None:
        if self._asked:
            definition_of = self._game.layout.definition_of
            self.met.update(definition_of[thing] for thing in things if thing >= 0 and definition_of[thing] >= 0)

    def _id(self, thing: int) -> str:
        """Return the definition's id of a thing; empty if it has none."""
        number = self._game.layout.definition_of[thing] if thing >= 0 else -1
        return self._game.program.definitions[number].id if number >= 0 else ""


def _things(lists: tuple[bool, ...], tags: tuple[str, ...], data: tuple[int, ...]) -> Iterator[int]:
    """Yield the things among the parameters of an event, from its log entry."""
    at = 1
    for number, listed in enumerate(lists):
        length = data[at] if listed else 1
        at += listed
        if tags[number] == "thing":
            yield from data[at : at + length]
        at += length


def use_names(game: Game, action: int, subject: int) -> list[str]:
    """Return the names under which an action, and the card that it uses, are counted."""
    return [f"action {game.program.actions[action].name}", *card_names(game, subject)]


def card_names(game: Game, thing: int) -> list[str]:
    """Return the name under which the definition of a thing is counted, as a list; empty without a definition."""
    number = game.layout.definition_of[thing] if thing >= 0 else -1
    return [f"card {game.program.definitions[number].id}"] if number >= 0 else []
