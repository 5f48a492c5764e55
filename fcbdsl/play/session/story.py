"""The story of a game: its events step by step, under headings, each line with its causes.

A step is a decision; step 0 is the time before the first one. 12.3 is the third line of step 12.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.base.typography import with_capital
from fcbdsl.machine.vm import events, setup
from fcbdsl.machine.vm import world as logged
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op import Asking
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import ACTION, LISTENER, TAGS, EventActivation, Frame, LogEntry, TrackMove
from fcbdsl.play.session.log_text import (
    bearer_of_roll,
    change_text,
    event_text,
    is_named_later,
    is_passage,
    log_line,
    moved_on,
    movement_text,
    owned_roll,
)
from fcbdsl.play.session.playout import Divergence, Record
from fcbdsl.play.session.view import View

MOST_LISTED = 8
"""Most things that one line lists when they move the same way."""
_LABEL = re.compile(r"\s?: ")
"""Between an actor and the label of an act."""
LOOKED_BACK = 20
"""The number of lines that are searched for the cause of a change."""
DEEPEST = 4
"""Most levels of indentation of a line."""
LONGEST = 90
"""Most characters of a line with several changes."""
CALLED = 2
"""The number of codes, the innermost first, to which a roll belongs."""
ACTORS = (0, 1)
"""The registers of the actor of a step and of its subject."""
QUIET = ("none", "done")
"""Tags of answers without a line: declining causes no event."""
TELLING = ("number", "flag")
"""Tags of stats whose changes get a line; others are internal (a target, a phase)."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A code that was running when an event happened: its text ("": none), its name, and its source."""

    text: str
    code: str
    place: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The start of a part (level 1) or of a section of a part (2)."""

    level: int
    text: str
    step: int


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of the story. `depth`: its indentation below the line that it follows from. `causes`: the nearest first;
    none if the story is for certain seats, which may not know them. `entry`: the number of its first log entry."""

    step: int
    number: int
    depth: int
    text: str
    place: str
    causes: tuple[Cause, ...]
    entry: int = 0

    @property
    def name(self) -> str:
        """Return the name by which users refer to the line."""
        return f"{self.step}.{self.number}"


@dataclass(slots=True)
class Story:
    """A whole game. `boards`: drawings of the board, by the step after which it changed."""

    title: str
    outcome: str = ""
    entries: list[Heading | StoryLine] = field(default_factory=list)
    boards: dict[int, str] = field(default_factory=dict)

    def lines(self) -> Iterator[StoryLine]:
        """Return the lines without headings."""
        return (entry for entry in self.entries if isinstance(entry, StoryLine))

    def between(self, first: int, last: int) -> Iterator[Heading | StoryLine]:
        """Yield the lines of some steps, with their headings."""
        pending: list[Heading] = []
        for entry in self.entries:
            if isinstance(entry, Heading):
                pending = [above for above in pending if above.level < entry.level] + [entry]
            elif first <= entry.step <= last:
                yield from pending
                pending = []
                yield entry


def retold(
    image: Image, record: Record, view: View, shown: Callable[[int, Game], None] = lambda step, game: None
) -> Story:
    """Play a record again and return its story, as the view's onlookers may know it.

    `shown` is called after each step with its number. Raise Divergence as `playout.replay` does.
    """
    game = setup.start_game(image, record.mission, record.players, record.seed, record.switches)
    teller = StoryTeller(view, game, record)
    for number, index in enumerate(record.decisions, 1):
        ask = game.run()
        teller.catch_up(game)
        shown(number - 1, game)
        if ask is None:
            raise Divergence(f"the game was over before decision {number} of {len(record.decisions)}")
        if not 0 <= index < len(ask.options):
            raise Divergence(f"decision {number} takes option {index + 1} of {len(ask.options)}")
        game.answer(index)
    game.run()
    teller.catch_up(game)
    shown(len(record.decisions), game)
    teller.story.outcome = view.outcome(game)
    return teller.story


@dataclass(slots=True)
class _Draft:
    """A line that may still grow.

    `path`: the places that `thing` has reached; `heap`: things that moved the same way; `times`: repetitions of the
    event; `grown`: whether the line already contains changes that the event caused; `changed`: their stats and things.
    """

    node: LogEntry
    depth: int
    text: str
    causes: tuple[Cause, ...]
    stack: tuple[_Item, ...]
    thing: int = -1
    path: list[str] = field(default_factory=list)
    goal: str = ""
    heap: list[str] = field(default_factory=list)
    times: int = 1
    grown: bool = False
    changed: list[Sequence[int]] = field(default_factory=list)


class Witness:
    """Records the stack at each log entry of a game."""

    def __init__(self, game: Game | None = None) -> None:
        self.stacks: dict[int, tuple[_Item, ...]] = {}
        self.bearers: dict[int, int] = {}
        """The thing that keeps the result of a roll, by the number of the entry."""
        self.rolled: dict[int, tuple[_Item, ...]] = {}
        """The stack at each roll, by the number of the entry."""
        self._bearers: dict[int, tuple[int, ...]] = {}
        """The registers of the things for which a step happens, by its code."""
        if game is not None:
            self.watch(game)

    def watch(self, game: Game) -> None:
        """Add the events of a game to the story as they happen."""
        game.log_observer = lambda node: self.note(game, node)

    def note(self, game: Game, node: LogEntry) -> None:
        """Record the stack at an entry that a game has just added to its log."""
        self.stacks[node.number] = _stack(game, node)
        if node.what == logged.L_ROLL:
            self.rolled[node.number] = self.stacks[node.number]
            self.bearers[node.number] = bearer_of_roll(game, node)

    def rolls_aside(self, game: Game) -> set[int]:
        """Return the numbers of the rolls that belong to a step or event that is over.

        A roll belongs to the code that rolls and to the code that called it. In an answer to the innermost event under
        way, it belongs to the event. It does not belong to the same step of another thing."""
        bearers = self._bearers = self._bearers or {row.code: row.bearers for row in game.program.stages}
        now = [_known_by(item, bearers) for item in _under_way(game)]
        innermost = max((at for at, item in enumerate(now) if item[0] == _EVENT), default=-1)
        aside: set[int] = set()
        for number, stack in self.rolled.items():
            then = [_known_by(item, bearers) for item in stack]
            pairs = enumerate(zip(now, then, strict=False))
            same = next((at for at, (left, right) in pairs if left != right), min(len(now), len(then)))
            answers = 0 <= innermost < same
            ended = any(item[0] == _EVENT for item in then[same:])
            ended = ended or (same < min(len(now), len(then)) and now[same][:2] == then[same][:2])
            if ended or (len(then) - same > CALLED and not answers):
                aside.add(number)
        return aside


class StoryTeller:
    """Turns the log into a story during the game, so that each line contains only what was known at that time."""

    def __init__(
        self,
        view: View,
        game: Game,
        record: Record,
        witness: Witness | None = None,
        explained: bool = False,
        answers: bool = True,
    ) -> None:
        """Create a teller. `witness`: the witness of a game with several tellers; its owner clears it. Such a teller
        draws no boards. `explained`: seats receive causes, too, as far as they can see them. `answers`: whether choices
        get a line."""
        self.view = view
        self.names = view.names
        self.labels = view.labels
        title = self.names.say("begins", view.mission(record.mission), str(record.players), str(record.seed))
        self.story = Story(title)
        self._step = 0
        self._number = 0
        self._witness = witness or Witness(game)
        self._explained = explained or view.seats is None
        self._draws = witness is None
        self._answers = answers
        self.heard = 0
        """The number of the log entry up to which the story is complete."""
        self._drafts: list[_Draft] = []
        self._titles = {row.code: self.names.text(row.title) for row in view.program.stages if not row.is_keyword}
        self._bearers = {row.code: (*ACTORS, *row.bearers) for row in view.program.stages}
        self._under: list[_Step] = []
        """The steps that contain the last line; the first `_covered` of them lead to the present part."""
        self._covered = 0
        self._parted = False
        self._board = ""
        self._nearest = ""
        """The nearest cause of the last line."""
        self._again = -1
        """The face that the last answer chose to roll again; -1: none."""
        self._rolled: tuple[_Item, ...] = ()
        """The stack at the last roll of the action under way."""

    def fork(self) -> StoryTeller:
        """Return an independent copy with the same progress."""
        other = copy.copy(self)
        other.story = Story(self.story.title, entries=self.story.entries[:], boards=self.story.boards.copy())
        other._drafts = []
        return other

    def seen_by(self, view: View) -> StoryTeller:
        """Return a copy with the same progress that tells what other onlookers may know from now on."""
        other = self.fork()
        other.view, other.names, other.labels = view, view.names, view.labels
        return other

    def witnessed(self, witness: Witness) -> None:
        """Use the stacks of another witness from now on."""
        self._witness = witness

    def catch_up(self, game: Game, asking: bool = False, until: int | None = None) -> None:
        """Add the log entries since the last call to the story.

        `asking`: also add the headings of the steps that the pending question belongs to. `until`: the number of the
        last entry that is told, for a table that is asked for a roll in the middle of a step."""
        happened = game.world.happened if until is None else until
        fresh = [node for node in game.world.history(self.heard) if node.number <= happened]
        self.heard = happened
        passing = moved_on(fresh) if self.view.seats is not None else frozenset()
        for at, node in enumerate(fresh):
            if node.what == logged.L_RANDOM and is_named_later(self.view, game, node, fresh, at):
                continue
            if self.view.seats is not None and is_passage(self.view, game, node, at in passing):
                continue
            self._add_entry(game, fresh, at, self._witness.stacks.get(node.number, ()))
        if asking and (game.world.ask is not None or until is not None):
            self._sections(game, _under_way(game))
        self._flush()
        if not self._draws:
            return
        self._witness.stacks.clear()
        board = self.view.board(game) if game.world.board >= 0 else ""
        if board != self._board:
            self.story.boards[self._step] = self._board = board

    # ── one entry ──────────────────────────────────────────────────────────────────────────────

    def _add_entry(self, game: Game, fresh: Sequence[LogEntry], at: int, stack: tuple[_Item, ...]) -> None:
        node = fresh[at]
        data = node.data
        if node.what == logged.L_ANSWER:
            self._flush()
            self._step, self._number = self._step + 1, 0
        if node.what == logged.L_CHANGE and self.view.program.fields[data[0]].heads:
            self._part(data[0], data[4], stack)
            return
        text = self._text(game, node)
        if node.what == logged.L_ANSWER:
            self._again = data[2] if TAGS[data[1]] == "face" else -1
        elif node.what == logged.L_ROLL and self._again in self.view.program.dice[data[0]].values:
            die = self.view.program.dice[data[0]]
            faces = [self.names.roll(data[0], value) for value in (data[1], self._again)]
            text = self.names.say("rolls-again", self.names.text(die.title, die.name), *faces)
            self._again = -1
        elif node.what == logged.L_ROLL and text:
            text = owned_roll(self.view, game, fresh, at, self._witness.bearers.get(node.number, -1)) or text
        if text and not self._is_in_last_line(game, node, stack):
            self._sections(game, stack)
            self._add(game, node, text, stack)

    def _text(self, game: Game, node: LogEntry) -> str:
        """Return the text of an entry; empty for most."""
        match node.what:
            case logged.L_ANSWER:
                return self._answer(game, node.data)
            case logged.L_EVENT:
                return self._event(game, node.data)
            case logged.L_CHANGE if self.view.program.fields[node.data[0]].tag not in TELLING:
                return ""
            case logged.L_END:
                return ""  # the story ends with it
        return log_line(self.view, game, node)

    def _answer(self, game: Game, data: Sequence[int]) -> str:
        """Return the text of a decision, except for actions and reactions: these have entries in the log."""
        who, option = data[0], tuple(data[1:])
        if not self._answers or option[0] in (ACTION, LISTENER) or TAGS[option[0]] in QUIET:
            return ""
        if self.view.seats is not None and not set(deciding_seats(game, who)) & set(self.view.seats):
            return ""
        return self.names.say("chooses", self.names.who(game, who), self.names.option(game, option))

    def _event(self, game: Game, data: Sequence[int]) -> str:
        program = self.view.program
        if data[0] in (program.won, program.lost, program.track_moved):
            return ""  # the story ends with the former; a change of the track has a line
        if not program.events[data[0]].has_line:
            return ""
        text = event_text(self.view, game, data)
        return with_capital(text)

    def _part(self, field: int, value: int, stack: tuple[_Item, ...]) -> None:
        """Begin a part; the steps that lead to it get no headings."""
        title = self.names.field(field)
        self._head(1, f"{title[:1].upper()}{title[1:]} {value}")
        self._under = self._steps(stack)
        self._covered, self._parted = len(self._under), True

    def _sections(self, game: Game, stack: Sequence[_Item]) -> None:
        """Add headings for the steps of the game's course that have begun since the last line."""
        steps = self._steps(stack)
        same = 0
        while same < min(len(steps), len(self._under)) and steps[same] == self._under[same]:
            same += 1
        self._covered = min(self._covered, same)
        if same < len(steps) or same < len(self._under) - 1:
            for depth in range(max(same, self._covered), len(steps)):
                self._head(depth - self._covered + 1 + self._parted, self._heading(game, steps[depth]))
        self._under = steps

    def _steps(self, stack: Sequence[_Item]) -> list[_Step]:
        """Return the steps under way from the game's course down to the first action or event."""
        out: list[_Step] = []
        for place, (sort, number, _, given) in enumerate(stack):
            if sort != _FRAME or number in self.labels:
                break
            if number in self._titles:
                things = _bearing(given, self._bearers[number])
                out.append((place, self._titles[number], next(filter(self._has_turns, things), -1)))
        return out

    def _has_turns(self, thing: int) -> bool:
        """Return whether a thing is a piece or a player."""
        layout = self.view.image.layout
        return thing in range(*self.view.image.pieces) or layout.players_low <= thing < layout.players_high

    def _heading(self, game: Game, step: _Step) -> str:
        """Return the title of a step, with the piece or player whom it concerns."""
        _, title, whose = step
        if whose < 0 or self.view.hides(game, whose):
            return title
        return self.names.say("does", title, self.names.thing(game, whose))

    def _head(self, level: int, text: str) -> None:
        self._flush()
        self.story.entries.append(Heading(level, text, self._step))

    def _is_in_last_line(self, game: Game, node: LogEntry, stack: tuple[_Item, ...]) -> bool:
        """Return whether the previous line contains this entry already.

        A roll is contained in a line that shows the result; a change is added to the line of the event that caused it.
        """
        last = self._drafts[-1] if self._drafts else None
        if last is None:
            return False
        if node.what == logged.L_EVENT and last.node.what == logged.L_ROLL:
            row = self.view.program.events[node.data[0]]
            return "{" not in self.names.text(row.told)
        if node.what == logged.L_EVENT and last.node.what == logged.L_EVENT:
            return last.node.data[0] != node.data[0] and last.text.startswith(self._event(game, node.data))
        within = len(stack) > len(last.stack) and all(a[:2] == b[:2] for a, b in zip(last.stack, stack, strict=False))
        if (
            node.what == logged.L_CHANGE
            and last.node.what == logged.L_EVENT
            and within
            and node.data[1] in last.node.data
            and node.data[:2] not in last.changed
        ):
            bearer, change = change_text(self.view, game, node.data)
            if bearer and bearer not in last.text:
                return False  # the line would not say whose number it is
            last.changed.append(node.data[:2])
            if change.casefold() in last.text.casefold():
                return True
            last.text = f"{last.text[:-1]}, {change})" if last.grown else f"{last.text} ({change})"
            last.grown = True
            return True
        return False

    # ── lines ──────────────────────────────────────────────────────────────────────────────────

    def _add(self, game: Game, node: LogEntry, text: str, stack: tuple[_Item, ...]) -> None:
        """Add the text of an entry as a line, or extend the last line by it."""
        causes = self._causes(game, stack) if self._explained else ()
        depth = min(DEEPEST, len({cause.text for cause in causes if cause.text}))
        nearest = next((cause.text for cause in causes if cause.text), "")
        if node.what == logged.L_ACTION:
            self._rolled = ()
        if node.what == logged.L_ROLL and nearest not in ("", self._nearest) and self._drafts:
            text = f"{text} ({nearest})"  # another roll than the one that the last lines lead to
        elif node.what == logged.L_ROLL and (stage := self._stage_of_roll(stack)):
            text = f"{text} ({stage})"
        elif node.what == logged.L_CHANGE and (card := self._untold_card(causes, text)):
            text = f"{text} ({card})"
        self._nearest = nearest
        last = self._drafts[-1] if self._drafts else None
        draft = _Draft(node, depth, text, causes, stack)
        if node.what == logged.L_MOVE:
            thing, space, zone, _ = node.data
            shown, goal = movement_text(self.view, game, node.data)
            draft.thing, draft.goal = thing, goal
            if space >= 0:
                self._forget_arrival(thing, space)
                last = self._drafts[-1] if self._drafts else None
                draft.path = [goal]
                if last is not None and last.path and last.thing == thing:
                    last.path += [goal] if goal != last.path[-1] else []
                    last.text = self.names.say("moves-to", shown, " → ".join(last.path))
                    return
            elif zone > 0:
                draft.heap = [shown]
                if last is not None and last.heap and last.goal == goal:
                    last.heap.append(shown)
                    last.text = self.names.say("moves-to", self._listed(last.heap), goal)
                    return
        elif node.what == logged.L_CHANGE and last is not None and self._grows(game, last, draft):
            last.text += f", {change_text(self.view, game, node.data)[1]}"
            return
        elif last is not None and last.text.split(" (×")[0] == text and last.depth == depth:
            last.times += 1
            last.text = self.names.say("times", text, str(last.times))
            return
        self._drafts.append(draft)

    def _stage_of_roll(self, stack: tuple[_Item, ...]) -> str:
        """Return the titled step that a roll belongs to, and the last roll of the same action does not."""
        before, self._rolled = self._rolled, stack
        same = 0
        while same < min(len(before), len(stack)) and before[same][:2] == stack[same][:2]:
            same += 1
        within = any(sort == _FRAME and number in self.labels for sort, number, _, _ in stack[:same])
        further = (self._titles.get(number, "") for sort, number, _, _ in stack[same:] if sort == _FRAME)
        return next(filter(None, further), "") if within else ""

    def _grows(self, game: Game, last: _Draft, draft: _Draft) -> bool:
        """Return whether the last line shows other changes of the same thing by the same cause, and is still short."""
        node, before = draft.node, last.node
        bearer, change = change_text(self.view, game, node.data)
        if before.what != logged.L_CHANGE or not bearer or not draft.text.endswith(change):
            return False
        causes = [[(cause.text, cause.code) for cause in line.causes] for line in (last, draft)]
        alike = before.data[1] == node.data[1] and causes[0] == causes[1] and last.times == 1
        return alike and before.data[0] != node.data[0] and len(last.text) + len(change) < LONGEST

    def _untold_card(self, causes: Sequence[Cause], text: str) -> str:
        """Return the card or action that is the nearest cause, if neither the text nor the last lines name it."""
        nearest = next((cause for cause in causes if cause.text), None)
        if nearest is None or nearest.code.startswith("event "):
            return ""
        lines = [entry.text for entry in self.story.entries[-LOOKED_BACK:] if isinstance(entry, StoryLine)]
        lines += [self.story.title, *(draft.text for draft in self._drafts), text]
        label = _LABEL.split(nearest.text)[-1]
        return "" if any(label in line for line in lines) else nearest.text

    def _listed(self, heap: list[str]) -> str:
        """Return things by name, each once, with their number; long lists are shortened."""
        unique = list(dict.fromkeys(heap))
        shown = [
            self.names.say("times", name, str(heap.count(name))) if heap.count(name) > 1 else name for name in unique
        ]
        more = len(shown) - MOST_LISTED
        return ", ".join(shown) if more <= 0 else self.names.say("and-more", ", ".join(shown[:MOST_LISTED]), str(more))

    def _forget_arrival(self, thing: int, space: int) -> None:
        """Remove an event that announces the arrival of a thing on a space, if it is the last line: the move
        follows."""
        if self._drafts:
            node = self._drafts[-1].node
            if node.what == logged.L_EVENT and {thing, space} <= set(node.data[1:]):
                self._drafts.pop()

    def _flush(self) -> None:
        for draft in self._drafts:
            self._number += 1
            place = self.names.place(draft.node.span)
            line = StoryLine(self._step, self._number, draft.depth, draft.text, place, draft.causes, draft.node.number)
            self.story.entries.append(line)
        self._drafts.clear()

    # ── causes ─────────────────────────────────────────────────────────────────────────────────

    def _causes(self, game: Game, stack: tuple[_Item, ...]) -> tuple[Cause, ...]:
        """Return the causes of an entry, nearest first, without the acts of things that the seats do not see."""
        shown = [item for item in reversed(stack) if item[0] != _FRAME or not self.view.hides(game, item[3][0])]
        return tuple(self._cause(game, item) for item in shown)

    def _cause(self, game: Game, item: _Item) -> Cause:
        sort, number, span, data = item
        place = self.names.place(span)
        if sort == _EVENT:
            text = event_text(self.view, game, data)
            return Cause(with_capital(text), f"event {self.view.program.events[number].name}", place)
        if sort == _TRACK:
            return Cause(self.names.thing(game, number), "track", place)
        label = self.labels.get(number, "")
        text = self.view.done_by(game, data[0], label) if label else ""
        return Cause(text, self.view.program.codes[number].name, place)


_Step = tuple[int, str, int]
"""A step under way: its place on the stack, its title, and the piece or player whom it concerns (-1: none)."""
_FRAME, _EVENT, _TRACK = range(3)
_Item = tuple[int, int, int, tuple[int, ...]]
"""An item on the stack: its sort, its number, its span, and what it was given (a code; the actor first) or the log
entry (an event)."""


def _under_way(game: Game) -> list[_Item]:
    """Return the items on the stack without their places."""
    out: list[_Item] = []
    for item in game.world.stack:
        if isinstance(item, Frame):
            out.append((_FRAME, item.code, -1, tuple(item.r[: game.program.codes[item.code].params])))
        elif isinstance(item, EventActivation):
            out.append((_EVENT, item.event, -1, ()))
        elif isinstance(item, TrackMove):
            out.append((_TRACK, item.track, -1, ()))
    return out


def _known_by(item: _Item, bearers: Mapping[int, tuple[int, ...]]) -> tuple[int, int, tuple[int, ...]]:
    """Return the sort and number of an item on the stack, and the actor of a code with the things of its step.

    `bearers`: the registers of these things, by the code."""
    sort, number, _, given = item
    return sort, number, (*given[:1], *_bearing(given, bearers.get(number, ()))) if sort == _FRAME else ()


def _bearing(given: Sequence[int], registers: Sequence[int]) -> tuple[int, ...]:
    """Return the values of registers; a damaged program may name others than those of the code."""
    return tuple([given[at] for at in registers if 0 <= at < len(given)])


def _stack(game: Game, node: LogEntry) -> tuple[_Item, ...]:
    """Return the stack at the time of an entry, the outermost item first."""
    out: list[_Item] = []
    last = len(game.world.stack) - 1
    for at, item in enumerate(game.world.stack):
        if isinstance(item, Frame):
            span = node.span if at == last else _called_from(game, item)
            out.append((_FRAME, item.code, span, tuple(item.r[: game.program.codes[item.code].params])))
        elif isinstance(item, EventActivation):
            out.append((_EVENT, item.event, item.span, events.log_row(game, item.event, item.r, item.s, item.span)[2:]))
        elif isinstance(item, TrackMove):
            out.append((_TRACK, item.track, item.span, ()))
    return tuple(out)


def _called_from(game: Game, frame: Frame) -> int:
    """Return the span at which a frame waits: that of the op that asks, or of the op before the next one."""
    ops = game.image.code(frame.code)
    at = frame.pc if frame.pc < len(ops) and isinstance(ops[frame.pc], Asking) else max(0, frame.pc - 1)
    return game.image.span_of(frame.code, at)
