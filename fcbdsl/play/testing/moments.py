"""Converts a moment of a played game to a content test: the position before an action, the action, its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Literal

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.changes import BOX
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import ACTION, DONE, L_RANDOM, L_ROLL, NONE, ORDER_KEPT, RANDOM_ASKED, STAGED, Ask, Option
from fcbdsl.play.session.playout import Divergence, Record
from fcbdsl.play.testing.content_tests import Failure, run_test
from fcbdsl.play.testing.spelling import Spelling

Sort = Literal["setting", "given", "play", "expect"]
MOST_TRIALS = 2_000
"""Most times that a test is run to shorten it."""


class NoMoment(ValueError):
    """A moment that the game does not have, or that a test can't express."""


@dataclass(frozen=True, slots=True)
class TestLine:
    """A line of a test, below its head."""

    sort: Sort
    text: str


@dataclass(slots=True)
class Moment:
    """A test in lines, and the parts of the position and the events that it can't express, with their number."""

    title: str
    lines: list[TestLine] = field(default_factory=list)
    untold: dict[str, int] = field(default_factory=dict)

    def say(self, sort: Sort, text: str | None, what: str) -> None:
        """Add a line; None: it can't be expressed."""
        if text is None:
            self.miss(what)
        else:
            self.lines.append(TestLine(sort, text))

    def miss(self, what: str) -> None:
        """Count a part of the position that no step of a test can express."""
        self.untold[what] = self.untold.get(what, 0) + 1


@dataclass(frozen=True, slots=True)
class _Taken:
    """An action as taken: the number of its decision (from 1), the game before it, and its option."""

    decision: int
    game: Game
    index: int
    option: Option


def moment_of(image: Image, record: Record, step: int | None, spelling: Spelling) -> Moment:
    """Write the action of a record in which decision `step` was taken (None: the last action) as a test.

    Raise NoMoment, and `playout.Divergence` if the record does not replay.
    """
    taken, asked = _action_at(image, record, step)
    before = taken.game
    out = Moment(f"{record.mission or record.program[:8]}, seed {record.seed}, decision {taken.decision}")
    staged = setup.start_game(image, record.mission, record.players, record.seed, record.switches, flow=False)
    _setting(out, image.program, record, staged)
    _position(out, spelling, staged, before)
    after = _course(out, spelling, taken, asked)
    _changes(out, spelling, before, after)
    return out


def _action_at(image: Image, record: Record, step: int | None) -> tuple[_Taken, list[tuple[Ask, int]]]:
    """Return the action in which a decision was taken, and the decisions after it, with the questions that they
    answered."""
    count = len(record.decisions)
    if step is not None and not 1 <= step <= count:
        raise NoMoment(f"there is no decision {step}: the log has {count}")
    game = setup.start_game(image, record.mission, record.players, record.seed, record.switches)
    taken: _Taken | None = None
    later: list[tuple[Ask, int]] = []
    for number, index in enumerate(record.decisions, 1):
        ask = game.run()
        if ask is None or not 0 <= index < len(ask.options):
            raise Divergence(f"decision {number} of {count} does not fit")
        if ask.options[index][0] == ACTION and (step is None or number <= step):
            taken, later = _Taken(number, game.clone(), index, ask.options[index]), []
        elif taken is not None:
            later.append((ask, index))
        game.answer(index)
    if taken is None:
        raise NoMoment("no action was taken before it" if step is not None else "no action is taken in this game")
    return taken, later


def _setting(out: Moment, program: Program, record: Record, staged: Game) -> None:
    """Write the mission, the number of players and the variants."""
    if record.mission:
        sort = next(
            program.kinds[row.kind].policy
            for row in program.definitions
            if row.id == record.mission and program.kinds[row.kind].policy in ("mission", "campaign")
        )
        out.say("setting", f"use {sort} {record.mission}", "mission")
    out.say("setting", f"players: {record.players}", "players")
    for switch, value in zip(program.switches, staged.world.switches, strict=True):
        if value != switch.default and switch.name in record.switches:
            out.say("setting", f"given variant {switch.name} is {switch.values[value]}", "variant")


# ── the position ───────────────────────────────────────────────────────────────────────────────


def _position(out: Moment, spelling: Spelling, staged: Game, game: Game) -> None:
    """Write the steps that turn the position at the start of a test into that of `game`."""
    layout, world = spelling.layout, game.world
    moved = list(spelling.moved(staged, game))
    for thing in moved:
        if not game.in_play(thing):
            name = spelling.thing(game, thing)
            out.say("given", None if name is None else f"do remove {name}", "thing out of play")
    for what, text in spelling.ground(staged, game):
        out.say("given", None if text is None else f"do {text}", what)
    for thing in moved:
        if world.mem[layout.place + thing] >= 0:
            out.say("given", _stands(spelling, game, thing), "piece on the board")
    for thing in range(layout.body):
        player = world.mem[layout.controller + thing]
        if player != staged.world.mem[layout.controller + thing] and world.mem[layout.place + thing] < 0:
            name, seat = spelling.thing(game, thing), spelling.thing(game, player)
            plain = name is not None and (seat or "").startswith("player#")
            text = f"given {name} played by {(seat or '').replace('#', ' ')}" if plain else None
            out.say("given", text, "who decides for something")
    for zone in range(BOX + 1, layout.zones):
        if world.zones[zone] != staged.world.zones[zone]:
            _lay(out, spelling, game, zone, staged.world.zones[zone])
    for what, text in spelling.states(staged, game):
        out.say("given", None if text is None else f"given {text}", what)
    for _ in world.effects:
        out.miss("effect that lasts")
    for _ in world.used:
        out.miss("limit that is used up")
    for key, count in world.markers.items():
        if staged.world.markers.get(key) != count:
            out.miss("marker with an owner")


def _stands(spelling: Spelling, game: Game, thing: int) -> str | None:
    layout, world = spelling.layout, game.world
    name, space = spelling.thing(game, thing), spelling.thing(game, world.mem[layout.place + thing])
    if name is None or space is None:
        return None
    led = (spelling.is_seated(thing) or world.mem[layout.controller + thing] >= 0) and game.controller(thing) >= 0
    whose = f" for player {game.controller(thing) + 1}" if led else ""
    return f"given {name} at {space}{whose}"


def _lay(out: Moment, spelling: Spelling, game: Game, zone: int, before: Sequence[int]) -> None:
    """Write the steps that fill a zone, from the bottom up; things that are already in place are left out."""
    things = game.world.zones[zone]
    unchanged = len(before) if things[: len(before)] == tuple(before) else 0
    pile = spelling.zone(game, zone)
    for thing in things[unchanged:]:
        name = spelling.thing(game, thing)
        out.say("given", None if None in (name, pile) else f"given {name} in {pile}", "thing in a zone")


# ── what happened ──────────────────────────────────────────────────────────────────────────────


def _course(out: Moment, spelling: Spelling, taken: _Taken, asked: Sequence[tuple[Ask, int]]) -> Game:
    """Take the action again by itself, as a test does, and write its rolls and decisions. Return the game
    afterwards."""
    game = taken.game.clone()
    chances = _chances(taken, asked)
    game.world.stack.clear()
    game.world.ask = None
    game.world.flags |= STAGED | RANDOM_ASKED | ORDER_KEPT
    logged = game.world.happened
    game.begin_action(taken.option)
    play = _played(spelling, game, taken.option)
    answers = []
    decisions = list(asked)
    while (ask := game.run()) is not None:
        index = _decided(ask, decisions, chances)
        if index < 0:
            break
        answers.append(_answer(spelling, game, ask, index))
        game.answer(index)
    if game.world.ask is not None:
        raise NoMoment("what was decided does not fit the action when it is taken by itself")
    rolls = [node.data for node in game.world.history(logged) if node.what == L_ROLL]
    faces = [spelling.face(die, value) for die, value in rolls if len(game.program.dice[die].values) > 1]
    if None in faces:
        raise NoMoment("no test can name a face that was rolled")
    if faces:
        out.say("play", f"dice: {', '.join(face or '' for face in faces)}", "")
    out.say("play", play, "")
    for answer in answers:
        out.say("play", answer, "")
    return game


def _played(spelling: Spelling, game: Game, option: Option) -> str:
    """Return the step that takes an action."""
    _, action, actor, subject = option
    row, who = game.program.actions[action], spelling.thing(game, actor)
    if who is None:
        raise NoMoment(f"no test can name who takes `{row.name}`")
    named = spelling.thing(game, subject) if subject >= 0 else ""
    if named is None:
        raise NoMoment(f"no test can name what `{row.name}` is done with")
    return " ".join(["play", who, *row.words, *([named] if named else [])])


def _chances(taken: _Taken, asked: Sequence[tuple[Ask, int]]) -> list[int]:
    """Return the random picks since an action was begun, in order."""
    again = taken.game.clone()
    first = again.world.happened
    for index in (taken.index, *(index for _, index in asked)):
        again.answer(index)
        again.run()
    return [node.data[0] for node in again.world.history(first) if node.what == L_RANDOM]


def _decided(ask: Ask, decisions: list[tuple[Ask, int]], chances: list[int]) -> int:
    """Return the option taken: the decision that answered this question, or the random pick; -1: neither."""
    for place, (question, index) in enumerate(decisions):
        if (question.options, question.who, question.span) == (ask.options, ask.who, ask.span):
            del decisions[: place + 1]  # questions between these belong to the flow around the action
            return index
    for place, value in enumerate(chances):
        index = next((at for at, option in enumerate(ask.options) if option[1:2] == (value,)), -1)
        if index >= 0:
            del chances[place]
            return index
    return next((at for at, option in enumerate(ask.options) if option[0] in (NONE, DONE)), -1)


def _answer(spelling: Spelling, game: Game, ask: Ask, index: int) -> str:
    option = ask.options[index]
    if option[0] in (NONE, DONE):
        return "decline" if option[0] == NONE else "answer done"
    if option[0] == ACTION:
        return _played(spelling, game, option)
    text = spelling.option(game, option)
    if text is None:
        raise NoMoment(f"no test can name what was answered to a question ({ask.kind})")
    return f"answer {text}"


def _changes(out: Moment, spelling: Spelling, before: Game, after: Game) -> None:
    """Write expectations for all differences between two positions."""
    layout, world = spelling.layout, after.world
    for thing in spelling.moved(before, after):
        name = spelling.thing(after, thing)
        if name is None:
            out.miss("thing that was moved")
        elif world.mem[layout.place + thing] >= 0:
            space = spelling.thing(after, world.mem[layout.place + thing])
            out.say("expect", f"expect {name} is on {space}", "space")
        elif world.mem[layout.zone + thing] > BOX:
            pile = spelling.zone(after, world.mem[layout.zone + thing])
            out.say("expect", None if pile is None else f"expect {name} in {pile}", "zone")
        elif before.world.mem[layout.place + thing] >= 0:
            out.say("expect", f"expect not {name} on board", "thing that left play")
    for what, text in spelling.states(before, after):
        out.say("expect", None if text is None else f"expect {text}", f"change of {what}")
    if world.outcome and world.fault is None:
        out.say("expect", f"expect {world.outcome_name()}", "end")


# ── the shortest test that still passes ────────────────────────────────────────────────────────


def source_of_test(moment: Moment, system: str, comments: Sequence[str] = ()) -> str:
    """Return the test as the text of a file."""
    head = [f"use {system}", "", *(f"# {comment}" for comment in comments), f'test "{moment.title}":']
    return "\n".join([*head, *(f"  {line.text}" for line in moment.lines)]) + "\n"


def passing(image: Image, number: int, moment: Moment, first: int) -> tuple[Moment, Failure | None]:
    """Remove from a compiled test its failing expectations, then every `given` line that it does not need.

    `first`: the line number of its first line in the file. Return the rest, and a failure at any other step.
    """
    program = image.program
    steps = program.tests[number].steps
    lines = [program.spans[step.span].line - first for step in steps]
    lines_left = list(range(len(moment.lines)))
    out = replace(moment, lines=[], untold=dict(moment.untold))
    while (failure := _run(image, number, lines_left, lines)) is not None:
        at = program.spans[failure.span].line - first if failure.span >= 0 else -1
        if at not in lines_left or moment.lines[at].sort != "expect":
            return moment, failure
        lines_left.remove(at)
        out.miss("change that happens only in the game itself")
    if not any(moment.lines[at].sort == "expect" for at in lines_left):
        return replace(out, lines=[moment.lines[at] for at in lines_left]), None
    trials = iter(range(MOST_TRIALS))
    size = len(lines_left)
    while size:
        given = [at for at in lines_left if moment.lines[at].sort == "given"]
        shorter = False
        for start in range(0, len(given), size):
            chunk = set(given[start : start + size])
            rest = [at for at in lines_left if at not in chunk]
            if next(trials, -1) >= 0 and _run(image, number, rest, lines) is None:
                lines_left, shorter = rest, True
        size = size if shorter and size == 1 else size // 2
    out.lines = [moment.lines[at] for at in lines_left]
    return out, None


def _run(image: Image, number: int, lines_left: Sequence[int], lines: Sequence[int]) -> Failure | None:
    """Return the failure if only some lines of a test are played; its settings always apply."""
    alive = set(lines_left)
    steps = [step for step, line in zip(image.program.tests[number].steps, lines, strict=True) if line in alive]
    return run_test(image, number, once=True, steps=steps).failure
