"""Sets up each mission for each number of players, to check that its games can begin."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise, product
from typing import Final

from fcbdsl.base.diagnostics.base import Diagnostic, Related
from fcbdsl.base.diagnostics.missions import (
    BrokenAtStart,
    CannotBegin,
    EndsAtOnce,
    NobodyDecides,
    PlayersOutside,
    SetupShortage,
)
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Field, Trait
from fcbdsl.language.model.roots import game_roots
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.frames import ENDLESS
from fcbdsl.machine.vm.game import TOO_LONG, Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op import Asking
from fcbdsl.machine.vm.ops import OPS, ops_of
from fcbdsl.machine.vm.ops.asking import NOTHING_FOR
from fcbdsl.machine.vm.program import Invariant, Program
from fcbdsl.machine.vm.saving import looks_alike
from fcbdsl.machine.vm.subscribers import update_players
from fcbdsl.machine.vm.world import DONE, OPENING, RANDOM_ASKED, SINGLES_ASKED, Ask, Fault, Frame, World
from fcbdsl.play.bots.bots import Bot, FirstBot, RandomBot
from fcbdsl.play.session.source_spans import source_span

MOST_DECISIONS: Final = 200
"""Most decisions on the way to the first action."""


MOST_CHECKPOINTS: Final = 400
"""Number of moments after which no checkpoints are kept within a run, since a flow may offer nothing without end."""
MOST_STEPS: Final = 40
"""Most decisions within one action."""
MOST_SETTINGS: Final = 12
"""Most combinations of switches with which a mission is set up for each number of players."""
SEED: Final = 1
"""The seed of the games, and of the bot that decides at random."""


@dataclass(frozen=True, slots=True)
class MissionSetup:
    """A mission, a number of players, and switches that differ from their defaults."""

    mission: str
    players: int
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Shortage:
    """Something that the setup wanted and did not get: an instance of a definition, or the top of a zone (its row; the
    other is -1). `spans`: the places of the effects that run each other, the innermost last."""

    definition: int
    zone: int
    spans: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetupFailure:
    """The fault of a game: the machine's message, its line, and the failed choice.

    `who`: the player who had to choose ("": the fault is another one); `chosen`: the number of things chosen before.
    """

    fault: Fault
    who: str
    chosen: int


def starting_problems(
    model: Model, program: Program, image: Image, sources: Sequence[Source], proofs: Sequence[str] = ()
) -> Iterator[Diagnostic]:
    """Set up every mission and yield the problems of games that cannot begin, or end before any decision.

    `image`: the image of the program, which is compiled from the model. `proofs`: the names of test files, whose
    missions are not played.
    """
    named = {source.name: source for source in sources}
    image.observes_inputs = True
    decides, switches, others_checked = _has_decisions(program), Switches(image), False
    loop = loop_line(model)
    reads: dict[Moment, bool] = {}
    for definition in missions(model, program):
        if definition.span.source.name in proofs:
            continue
        failed: dict[tuple[int, int], list[tuple[MissionSetup, SetupFailure]]] = {}
        broken: dict[int, list[MissionSetup]] = {}  # by invariant
        silent: list[MissionSetup] = []
        low, high = player_range(definition, program)
        if definition.players is not None and definition.players != (low, high):
            span = definition.players_span or definition.span
            game = _players(list(range(program.players[0], program.players[1] + 1)))
            yield PlayersOutside(
                span, id=definition.id, low=definition.players[0], high=definition.players[1], game=game
            )
        short: dict[tuple[int, int], list[tuple[MissionSetup, Shortage]]] = {}  # by definition and zone
        outcome = ""
        runs = SetupRuns(image, definition.id, loop, reads)
        for cell in _cells(switches, definition.id, low, high):
            played = runs.play(cell.players, cell.settings)
            faulty = next((setup.game for setup in played if setup.game.world.fault is not None), None)
            if faulty is not None:
                failure = _failure(image, cell, faulty)
                fault = failure.fault
                where = (0, 0) if fault.reason == TOO_LONG else (fault.code, fault.span)  # at any line
                failed.setdefault(where, []).append((cell, failure))
                continue
            for shortage in played[0].missed:
                which = shortage.definition, shortage.zone
                if all(any((other.definition, other.zone) == which for other in setup.missed) for setup in played):
                    short.setdefault(which, []).append((cell, shortage))
            if decides and all(setup.is_over for setup in played):
                silent.append(cell)
            for number in sorted(set().union(*[runs.broken(each.game) for each in played])):
                broken.setdefault(number, []).append(cell)
            if loop and not cell.settings and cell.players == low:
                outcome = outcome_of_first_action(played[0])
            if not others_checked:
                others_checked = True
                yield from _other_definitions(model, program, named, played[0].game, proofs)
        for failures in failed.values():
            yield _cannot_begin(definition, program, named, failures, high - low + 1)
        for number, cells in broken.items():
            yield _unmet(model, definition, program, named, number, cells, high - low + 1)
        reports = (
            _shortage_report(model, definition, program, named, number, zone, rows, image)
            for (number, zone), rows in short.items()
        )
        yield from _merged([report for report in reports if report is not None])
        if outcome:
            cells = [MissionSetup(definition.id, low, ())]
            yield EndsAtOnce(definition.span, id=definition.id, players=_when(cells), outcome=outcome)
        if silent:
            first = "action" if program.actions else "decision"
            yield NobodyDecides(definition.span, id=definition.id, players=_when(silent), first=first)


def _cells(switches: Switches, mission: str, low: int, high: int) -> Iterator[MissionSetup]:
    """Yield the setups of a mission: each of the settings that matter, with each number of players."""
    if low <= high:
        for settings in switches.settings(mission):
            for players in range(low, high + 1):
                yield MissionSetup(mission, players, settings)


def missions(model: Model, program: Program) -> list[Definition]:
    """Return the missions that can be played: the model's definitions that are missions of the program."""
    played = {row.id for row in program.definitions if program.kinds[row.kind].policy == "mission"}
    return [
        definition
        for definition in model.definitions.values()
        if definition.id in played and definition.kind.id == "mission"
    ]


def player_range(definition: Definition, program: Program) -> tuple[int, int]:
    """Return the fewest and the most players of a mission, as far as its game has them."""
    low, high = definition.players or program.players
    return max(low, program.players[0]), min(high, program.players[1])


class Switches:
    """The switches that games of an image may read, from the code that has run so far."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self._looked = 0  # at so many of the codes that have run
        self._read: dict[int, None] = {row.switch: None for row in image.program.terrains if row.switch >= 0}

    def settings(self, mission: str) -> Iterator[tuple[tuple[str, str], ...]]:
        """Yield settings for a mission: none, then all combinations, or each value by itself if there are more than
        `MOST_SETTINGS`. A game of one setting may reveal further switches for the next."""
        done: dict[tuple[tuple[str, str], ...], None] = {}
        numbers: list[int] = []
        combinations = self._combinations(mission, numbers)
        while len(done) < MOST_SETTINGS:
            if self._numbers() != numbers:
                numbers = self._numbers()
                combinations = self._combinations(mission, numbers)
            new = next((combination for combination in combinations if combination not in done), None)
            if new is None:
                return
            done[new] = None
            yield new

    def _combinations(self, mission: str, numbers: Sequence[int]) -> Iterator[tuple[tuple[str, str], ...]]:
        """Yield settings of these variants for a mission, the defaults first."""
        program = self._image.program
        yield ()
        settled = [number for number, _ in program.definitions[self._image.missions[mission]].overrides]
        values = [_default_first(program, number) for number in numbers if number not in settled]
        if math.prod(map(len, values)) <= MOST_SETTINGS:
            for combination in product(*values):
                yield tuple(setting for setting, each in zip(combination, values, strict=True) if setting != each[0])
        else:
            yield from ((setting,) for value in values for setting in value[1:])

    def _numbers(self) -> list[int]:
        for number in self._image.linked[self._looked :]:
            for op, values in ops_of(self._image.program, number):
                for place in op.places.get("switch", ()):
                    self._read[values[place]] = None
        self._looked = len(self._image.linked)
        return sorted(self._read)


def _default_first(program: Program, number: int) -> list[tuple[str, str]]:
    switch = program.switches[number]
    usual = switch.values[switch.default]
    return [(switch.name, value) for value in (usual, *(value for value in switch.values if value != usual))]


def _has_decisions(program: Program) -> bool:
    """Return whether the program has actions or asks anything."""
    if program.actions:
        return True
    return any(issubclass(OPS[name], Asking) for name in program.ops)


@dataclass(slots=True)
class PlayedSetup:
    """The setup of a game that bots have played, up to the first question of its first round.

    `decisions`: how many there were. `is_over`: the game ended before any action. `missed`: what the setup wanted and
    did not get. `ask`: the question for which the game waits.
    """

    game: Game
    ask: Ask | None = None
    decisions: int = 0
    is_over: bool = False
    missed: list[Shortage] = field(default_factory=list)

    def copy(self) -> PlayedSetup:
        """Return an independent copy. It shares no caches, because filling them reads inputs."""
        game = self.game.clone()
        game.world.selected, game.world.bearers = game.world.selected[:], game.world.bearers.copy()
        return PlayedSetup(game, self.ask, self.decisions, self.is_over, [*self.missed])


Moment = tuple[str, int]
"""A place of the flow where a setup may continue: its sort, and the span that asks, or that offers or reads."""
START: Final[Moment] = ("start", -1)
END: Final[Moment] = ("end", -1)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment of a setup at which a copy of the game was kept: before a run of the game, within a run, or at the end
    of the setup (whose game is kept itself).

    `values`: those of the inputs of the setup: its variants, and last the number of players. `number`: how many moments
    of the setup came before. `read`: the inputs that it had read. `run`: what the copy lacks of a run.
    """

    played: PlayedSetup
    values: Sequence[int]
    moment: Moment
    number: int
    read: frozenset[int]
    run: UnfinishedRun | None = None

    def fits(self, values: Sequence[int]) -> bool:
        """Return whether a setup with these values of its inputs continues from here."""
        return all(self.values[number] == values[number] for number in self.read)

    def with_inputs(self, values: Sequence[int]) -> Checkpoint:
        """Return a copy to continue from, with these values of the inputs."""
        played = self.played.copy()
        *played.game.world.switches, players = values
        if players != self.values[-1]:
            played.game.world.players = players
            update_players(played.game)
        return Checkpoint(played, values, self.moment, self.number, self.read, self.run)


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A run of a game that has come to a moment: the fuel that is left, whether listeners have still to see changes,
    and the position that the frame had (in a copy, the op of the moment runs next)."""

    fuel: int
    has_new_changes: bool
    pc: int


class RandomTurn:
    """The first question of a setup that a bot which decides at random answers unlike the first bot: `played` up to
    there, and its `choice`. None: there is no such question."""

    __slots__ = ("bot", "choice", "played")

    def __init__(self) -> None:
        self.bot = RandomBot(SEED)
        self.choice = -1
        self.played: PlayedSetup | None = None

    def look(self, played: PlayedSetup, ask: Ask, choice: int) -> None:
        """Take notice of a question, and of the choice of the first bot."""
        if self.played is None:
            self.choice = _choice(self.bot, played.game, ask)
            if self.choice != choice:
                self.played = played.copy()


class SetupRuns:
    """Plays the setups of a mission.

    A setup depends only on those inputs that it reads: the settings of variants, and the number of players. So it
    continues from the last checkpoint of an earlier one that had read the same values. If no setup reads an input
    between two moments, a checkpoint at the first one would be of no use. So none is kept there, since it costs a copy
    of the game.
    """

    def __init__(self, image: Image, mission: str, loop: int, reads: dict[Moment, bool] | None = None) -> None:
        """`loop`: the line of the rounds. `reads`: by moment of earlier setups, whether one of them has read an input
        before the next moment; it is extended."""
        self._image = image
        self._mission = mission
        self._loop = loop
        self._reads = {} if reads is None else reads
        self._always_read = frozenset([image.players_input] if image.hears_players() else [])
        self._begun_with: dict[int, None] = {}  # the numbers of players
        self._checkpoints: list[Checkpoint] = []
        self._judged: dict[int, list[tuple[World, frozenset[int], list[int]]]] = {}  # by the number of players

    def play(self, players: int, settings: Sequence[tuple[str, str]]) -> list[PlayedSetup]:
        """Play the setup with a number of players and some settings of variants. The first one with that number is
        played by two bots if they decide differently; it must have the default of each variant.

        The games that are returned must not be changed.
        """
        is_first = players not in self._begun_with
        self._begun_with[players] = None
        begun = self._begun(players, settings, is_first)
        if begun.moment == END:
            return [begun.played]
        if not is_first:
            return [self._played(begun, FirstBot(SEED), keeps=True)]
        turn = RandomTurn()
        first = self._played(begun, FirstBot(SEED), keeps=True, turn=turn)
        if turn.played is None:
            return [first]
        turn.played.game.answer(turn.choice)
        turn.played.decisions += 1
        return [first, self._played(Checkpoint(turn.played, begun.values, START, 0, frozenset()), turn.bot)]

    def _begun(self, players: int, settings: Sequence[tuple[str, str]], is_first: bool) -> Checkpoint:
        """Return the checkpoint from which a setup continues, with these inputs. `is_first`: no decision has been made
        there, so that each of the two bots continues from it."""
        values = self._values(players, settings)
        for checkpoint in sorted(self._checkpoints, key=_number_of, reverse=True):
            if checkpoint.fits(values) and not (is_first and checkpoint.played.decisions):
                return checkpoint.with_inputs(values)
        self._image.openings.clear()  # else what the start position has read is unknown
        self._image.forget_inputs_read(except_for=self._always_read)
        game = setup.start_game(self._image, self._mission, players, SEED, dict(settings))
        start = Checkpoint(PlayedSetup(game), values, START, 0, self._image.read_inputs())
        if not self._reads.get(START, True):
            return start
        self._checkpoints.append(start)
        return start.with_inputs(values)

    def _values(self, players: int, settings: Sequence[tuple[str, str]]) -> list[int]:
        """Return the values of the inputs of a setup: of each variant of the program, then the number of players."""
        program = self._image.program
        values = [switch.default for switch in program.switches]
        numbers = {switch.name: number for number, switch in enumerate(program.switches)}
        for number, value in program.definitions[self._image.missions[self._mission]].overrides:
            values[number] = value
        for name, text in settings:
            values[numbers[name]] = program.switches[numbers[name]].values.index(text)
        return [*values, players]

    def _played(self, begun: Checkpoint, bot: Bot, keeps: bool = False, turn: RandomTurn | None = None) -> PlayedSetup:
        """Play the setup of a game to its end, from a checkpoint, which is not used afterwards. Actions before the
        first round are declined.

        `keeps`: keep the later checkpoints. `turn`: looks for the question from which another bot continues.
        """
        played, values, image = begun.played, begun.values, self._image
        moment, number, read, unfinished = begun.moment, begun.number, begun.read, begun.run
        game = played.game
        image.forget_inputs_read(except_for=read)

        def come_to(next_moment: Moment) -> bool:
            """Note whether inputs were read before this moment; return whether to keep a checkpoint here."""
            nonlocal moment, number, read
            read_before, read = read, image.read_inputs()
            self._reads[moment] = self._reads.get(moment, False) or read != read_before
            moment, number = next_moment, number + 1
            return self._reads.get(moment, True)

        def keep_moment(frame: Frame, at: int) -> None:
            nonlocal unfinished
            if unfinished is not None:  # the setup continues from here
                frame.pc = unfinished.pc
            elif keeps and number < MOST_CHECKPOINTS and come_to(("run", image.span_of(frame.code, at))):
                run = UnfinishedRun(game.fuel, game.has_new_changes, frame.pc)
                copy = played.copy()
                top = copy.game.world.stack[-1]
                assert isinstance(top, Frame)
                top.pc = at
                self._checkpoints.append(Checkpoint(copy, values, moment, number, read, run))
            unfinished = None

        def note(definition: int, zone: int, span: int) -> None:
            row = image.layout.zone_row[zone] if zone > 0 else -1
            there = row >= 0 or (definition >= 0 and image.layout.instances[definition] > 0)  # else FCB0668
            if there and _is_set_up(game, self._loop):
                frames = [item for item in game.world.stack if isinstance(item, Frame)]
                spans = [image.span_of(frame.code, max(frame.pc - 1, 0)) for frame in frames[:-1]]
                played.missed.append(Shortage(definition, row, (*spans, span)))

        game.shortage_observer, game.moment_observer = note, keep_moment
        is_kept = game.world.ask is not None
        ask = game.run() if unfinished is None else game.resume(unfinished.fuel, unfinished.has_new_changes)
        while ask is not None and _is_set_up(game, self._loop) and played.decisions < MOST_DECISIONS:
            if keeps and not is_kept and come_to(("ask", ask.span)):
                self._checkpoints.append(Checkpoint(played.copy(), values, moment, number, read))
            choice = _choice(bot, game, ask)
            if turn is not None:
                turn.look(played, ask, choice)
            game.answer(choice)
            played.decisions += 1
            ask, is_kept = game.run(), False
        game.shortage_observer = game.moment_observer = None
        before = bool(image.program.actions) or not played.decisions
        played.is_over = ask is None and bool(game.world.outcome) and before
        played.decisions += ask is not None
        played.ask = ask
        if keeps:
            come_to(END)
            self._checkpoints.append(Checkpoint(played, values, moment, number, read))
        return played

    def broken(self, game: Game) -> list[int]:
        """Return the invariants (their numbers) that do not hold in a game which has been set up."""
        image = self._image
        judged = self._judged.setdefault(game.world.players, [])
        for world, read, numbers in judged:
            if all(world.switches[at] == game.world.switches[at] for at in read) and looks_alike(world, game.world):
                return numbers
        image.forget_inputs_read()
        numbers = [
            number
            for number, row in enumerate(image.program.invariants)
            if (row.kind >= 0 or not game.world.outcome) and not _holds(game, row, self._mission)
        ]
        judged.append((game.world, image.read_inputs() - {image.players_input}, numbers))
        return numbers


def _number_of(checkpoint: Checkpoint) -> int:
    return checkpoint.number


def _choice(bot: Bot, game: Game, ask: Ask) -> int:
    """Return the option that a bot takes in a setup."""
    done = (DONE,) in ask.options and not game.world.flags & OPENING
    return ask.options.index((DONE,)) if done else bot.choose(game, ask)


def outcome_of_first_action(played: PlayedSetup) -> str:
    """Return how the game ends with its first action, whichever action is taken; empty if it may go on."""
    game, ask, bot = played.game.clone(), played.ask, FirstBot(SEED)
    for _ in range(MOST_STEPS):
        if ask is None or ask.kind == "action":
            break
        game.answer(bot.choose(game, ask))
        ask = game.run()
    outcome = ""
    if ask is None or ask.kind != "action":
        return outcome
    for number, option in enumerate(ask.options):
        if option != (DONE,):
            outcome = _outcome(game.clone(), number, ask.span)
            if not outcome:
                return ""
    return outcome


def _outcome(game: Game, number: int, offer: int) -> str:
    """Return how a game ends if a player takes an action; empty if it comes to the next one.

    `offer`: the span that offers the actions of a turn. Actions within an action are declined.
    """
    bot = FirstBot(SEED)
    game.answer(number)
    for _ in range(MOST_STEPS):
        ask = game.run()
        if ask is None:
            return ENDED.get(game.world.outcome_name(), "")
        if ask.kind == "action" and ask.span == offer:
            return ""
        game.answer(ask.options.index((DONE,)) if (DONE,) in ask.options else bot.choose(game, ask))
    return ""


ENDED: Final = {"win": "won", "lose": "lost", "draw": "drawn", "fault": "stopped by a fault"}
"""How a game has ended, in words."""


def _is_set_up(game: Game, loop: int) -> bool:
    """Return whether a game has offered no action yet, or its flow has not reached the line of the rounds."""
    if game.world.flags & OPENING:
        return True
    first = game.world.stack[0] if game.world.stack else None
    if not isinstance(first, Frame) or first.code != game.program.flow:
        return False
    span = game.image.span_of(first.code, max(first.pc - 1, 0))
    return span >= 0 and game.program.spans[span].line < loop


def loop_line(model: Model) -> int:
    """Return the line of the flow where its rounds begin; 0 if it has none."""
    statements = model.flow.statements if model.flow is not None else ()
    return next((statement.span.line for statement in statements if isinstance(statement, ir.Repeat)), 0)


def _failure(image: Image, cell: MissionSetup, failed: Game) -> SetupFailure:
    """Find out how a game failed: play it again with every choice asked."""
    assert failed.world.fault is not None
    for bot in (FirstBot(SEED), RandomBot(SEED)):
        game = setup.start_game(image, cell.mission, cell.players, SEED, dict(cell.settings))
        game.world.flags |= RANDOM_ASKED | SINGLES_ASKED
        count_here = 0
        ask, count = game.run(), 0
        while ask is not None and game.world.flags & OPENING and count < 4 * MOST_DECISIONS:
            if ask.span == failed.world.fault.span:
                count_here += 1
            game.answer(bot.choose(game, ask))
            ask, count = game.run(), count + 1
        fault = game.world.fault
        if fault is not None and fault.span == failed.world.fault.span:
            return SetupFailure(fault, _who(fault), count_here)
    return SetupFailure(failed.world.fault, _who(failed.world.fault), 0)


def _who(fault: Fault) -> str:
    """Return the player who had to choose, from the machine's message."""
    return fault.reason.removeprefix(NOTHING_FOR).partition(" (")[0] if fault.reason.startswith(NOTHING_FOR) else ""


def _cannot_begin(
    definition: Definition,
    program: Program,
    sources: Mapping[str, Source],
    failures: Sequence[tuple[MissionSetup, SetupFailure]],
    numbers: int,
) -> Diagnostic:
    """Return the report of games that fail at one line."""
    failure = failures[0][1]
    here = source_span(program, sources, failure.fault.span)
    cells = [cell for cell, _ in failures]
    span = _place_of(definition, cells, numbers)
    what = failure.fault.reason
    related = [] if here is None else [Related(here, "the setup stops here")]
    if failure.who:
        what, cure = _lacking(failure, here), MISSING
    elif what.startswith(ENDLESS):
        cure, related = CIRCLE, list(_steps(program, sources, what)) or related
        what = f"{ENDLESS}, as shown below"
    else:
        cure = LOOP if what == TOO_LONG else FAULTY
        what = "it never comes to an action or a choice: an endless loop" if what == TOO_LONG else what
    return CannotBegin(span, id=definition.id, players=_when(cells), what=what, cure=cure, related=related)


MISSING: Final = "Add it to the mission or its map, or allow other numbers of players in `players:`."
FAULTY: Final = "Change the line shown below, or the values that the mission gives it."
LOOP: Final = "Offer an action or a choice in each round of the loop, or leave it with `break`, `win` or `lose`."
CIRCLE: Final = (
    "Write an `if` before one of the steps, or store the next step in a stat and perform it in a loop of `flow`."
)


def _steps(program: Program, sources: Mapping[str, Source], reason: str) -> Iterator[Related]:
    """Yield the places where effects run each other, from the names and lines in the machine's message."""
    names = re.findall(r"`([^`]+)`(?: \(line (\d+)\))?", reason)
    codes = {code.name: code for code in reversed(program.codes)}
    for (name, line), (after, _) in pairwise(names):
        spans = codes[name].spans if name in codes else ()
        here = next((span for span in spans if span >= 0 and str(program.spans[span].line) == line), -1)
        where = source_span(program, sources, here)
        if where is not None:
            yield Related(where, f"`{name}` runs `{after}` here")


def _shortage_report(
    model: Model,
    definition: Definition,
    program: Program,
    sources: Mapping[str, Source],
    number: int,
    zone: int,
    rows: Sequence[tuple[MissionSetup, Shortage]],
    image: Image,
) -> SetupShortage | None:
    """Return the report of a setup that wants more than there is; None if the list that wants it is reported."""
    first = rows[0][1]
    places = [place for span in first.spans if (place := source_span(program, sources, span)) is not None]
    own = _own_line(model, definition, places)
    span, what = own or definition.span, ""
    if number >= 0:
        row = program.definitions[number]
        what = f"`{row.id}` from the box when none is left"
        if any(
            _is_listed_too_often(other, row.id, image.layout.instances[number]) for other in model.definitions.values()
        ):
            return None  # FCB0670
        for value in definition.values.values():
            named = [node for node in ir.walk(value.expr) if isinstance(node, ir.Def) and node.id == row.id]
            if named and value.span is not None and own is None:
                span = value.span
    else:
        what = f"a card from the empty zone `{program.zones[zone].name}`"
    related = [Related(last, "this effect gets nothing") for last in places[-1:] if last != span]
    players = _when([cell for cell, _ in rows])
    return SetupShortage(span, players=players, id=definition.id, what=what, related=related)


def _is_listed_too_often(definition: Definition, id: str, copies: int) -> bool:
    """Return whether a list of a definition names something more often than it has copies."""
    for value in definition.values.values():
        named = [node for node in ir.walk(value.expr) if isinstance(node, ir.Def) and node.id == id]
        if len(named) > copies:
            return True
    return False


def _merged(reports: Sequence[SetupShortage]) -> list[SetupShortage]:
    """Return one report for each line and number of players, which names what the line takes."""
    groups: dict[object, list[SetupShortage]] = {}
    for report in reports:
        key = (
            report.span.source.name,
            report.span.start,
            report.arguments["players"],
            str(report.arguments["what"]).partition("` ")[2],
        )
        groups.setdefault(key, []).append(report)
    out: list[SetupShortage] = []
    for same in groups.values():
        first, more = same[0], len(same) - MOST_NAMED
        names = [str(report.arguments["what"]).partition("` ")[0] + "`" for report in same[:MOST_NAMED]]
        rest = str(first.arguments["what"]).partition("` ")[2]
        what = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        if len(same) > 1:
            arguments, whole = first.arguments, f"{what} {rest}"
            merged = SetupShortage(
                first.span, players=arguments["players"], id=arguments["id"], what=whole, related=first.related
            )
            out.append(merged)
        else:
            out.append(first)
    return out


MOST_NAMED: Final = 3
"""Most definitions that one report names."""


def _own_line(model: Model, definition: Definition, places: Sequence[Span]) -> Span | None:
    """Return the author's line that makes the setup want something; None if there is none.

    It is the innermost effect in the file of the mission or in other files of the project, else the value of the
    mission for the innermost loop. `places`: the effects that run each other, the innermost last.
    """
    systems = {form.span.source.name: None for form in model.forms if form.system}
    inner = [place for place in reversed(places) if place.source.name not in systems and not model.is_lent(place)]
    here = [place for place in inner if place.source.name == definition.span.source.name]
    if inner:
        return (here or inner)[0]
    kinds = {kind.id for kind in definition.kind.lineage()}
    for place in reversed(places):
        for column in _loop_fields(model, place):
            value = definition.values.get(column.id) if column.kind in kinds else None
            if value is not None and value.span is not None:
                return value.span
    return None


def _loop_fields(model: Model, place: Span) -> Iterator[Field]:
    """Yield the fields that give the number of rounds, or the items, of the loops around a statement."""
    for _, root in game_roots(model):
        for loop in ir.walk(root):
            if isinstance(loop, ir.Repeat | ir.ForEach) and any(_is_at(node, place) for node in ir.walk(loop.body)):
                for node in ir.walk(loop.times if isinstance(loop, ir.Repeat) else loop.items):
                    if isinstance(node, ir.Get):
                        yield node.field


def _is_at(node: ir.Node, place: Span) -> bool:
    span = getattr(node, "span", None)
    return span is not None and (span.source.name, span.start) == (place.source.name, place.start)


def _holds(game: Game, row: Invariant, mission: str) -> bool:
    """Return whether an invariant holds: of the whole game, or of the mission that is played."""
    image = game.image
    definition = image.missions[mission]
    if row.kind < 0:
        return bool(game.test(row.code))
    if not image.layout.descends(image.program.definitions[definition].kind, row.kind):
        return True
    return _is_met(game, row, definition)


def _is_met(game: Game, row: Invariant, definition: int) -> bool:
    """Return whether an invariant for a kind holds for a definition."""
    self_, this = game.selves(game.image.layout.first[definition])
    return bool(game.test(row.code, self_, this))


def _other_definitions(
    model: Model, program: Program, sources: Mapping[str, Source], game: Game, proofs: Sequence[str]
) -> Iterator[Diagnostic]:
    """Yield the definitions of cards and figures that break an invariant for their kind."""
    image, kinds = game.image, program.kinds
    for row in program.invariants:
        for number in game.definitions_of(row.kind) if row.kind >= 0 else ():
            kind, id = kinds[program.definitions[number].kind].name, program.definitions[number].id
            definition = model.definitions.get((kind, id))
            if definition is None or kind == "mission" or definition.span.source.name in proofs:
                continue
            if image.layout.instances[number] and not _is_met(game, row, number):
                span = _cause_span(model, row, definition) or definition.span
                yield _requirement_report(program, sources, row, span, f"The {definition.kind.id} `{id}`")


def _unmet(
    model: Model,
    definition: Definition,
    program: Program,
    sources: Mapping[str, Source],
    number: int,
    cells: Sequence[MissionSetup],
    numbers: int,
) -> Diagnostic:
    """Return the report of a mission that breaks an invariant as soon as it is set up."""
    row = program.invariants[number]
    span = _place_of(definition, cells, numbers)
    if len({cell.players for cell in cells}) == numbers:
        span = _cause_span(model, row, definition) or span
    return _requirement_report(program, sources, row, span, f"With {_when(cells)}, the setup of `{definition.id}`")


def _requirement_report(
    program: Program, sources: Mapping[str, Source], row: Invariant, span: Span, what: str
) -> Diagnostic:
    here = source_span(program, sources, row.span)
    related = () if here is None else (Related(here, "the game requires this"),)
    says = program.texts[row.title]["en"] if row.title >= 0 else row.name
    cure = MISSION_CURE if what.startswith("With") else VALUE_CURE
    return BrokenAtStart(span, what=what, says=says, cure=cure, related=related)


MISSION_CURE: Final = "Add the missing part to the mission or its map, or remove the part that is too much."
VALUE_CURE: Final = "Change the value on this line."
MOST_CALLS: Final = 8
"""Most relations and measures inside each other in which the cause of a broken invariant is looked for."""


def _cause_span(model: Model, row: Invariant, definition: Definition) -> Span | None:
    """Return the first line of a definition that an invariant reads: of a field with a value, else the map's."""
    declared = model.invariants.get(row.name)
    if declared is None:
        return None
    kinds = {kind.id for kind in definition.kind.lineage()}
    reads: dict[str, Span] = {}
    on_map = False
    for node in _reads(declared.condition, 0):
        if isinstance(node, ir.Get) and node.field.kind in kinds and node.field.id in definition.values:
            span = definition.values[node.field.id].span
            if span is not None:
                reads[node.field.id] = span
        elif isinstance(node, ir.Select) and node.source is None:
            asks_board = any(
                isinstance(part, ir.Apply) and Trait.ASKS_BOARD in part.form.traits for part in ir.conjuncts(node.where)
            )
            on_map = on_map or asks_board or node.type.name == "space"
    if reads:
        return next(iter(reads.values()))
    return definition.board.span if on_map and definition.board is not None else None


def _reads(expr: object, depth: int) -> Iterator[ir.Node]:
    """Yield the nodes of an expression, and of the relations and measures that it uses."""
    for node in ir.walk(expr):
        yield node
        if isinstance(node, ir.Apply) and node.form.body is not None and depth < MOST_CALLS:
            yield from _reads(node.form.body, depth + 1)


def _place_of(definition: Definition, cells: Sequence[MissionSetup], numbers: int) -> Span:
    """Return a mission's `players:` line if only some of its numbers of players fail, else its head."""
    some = len({cell.players for cell in cells}) < numbers and definition.players is not None
    return definition.players_span if some and definition.players_span is not None else definition.span


def _lacking(failure: SetupFailure, here: Span | None) -> str:
    """Return a sentence with the options, the player, and the number of options found."""
    phrase = phrase_of(here) if here is not None else ""
    what = f"`{phrase}`" if phrase else "something"
    wanted, gone = failure.chosen + 1, "none is left" if failure.chosen else "there is none"
    return f"{failure.who} must choose from {what}, and {gone} ({wanted} wanted, {failure.chosen} found)"


_CHOICE = re.compile(r"\bchoose\b[^:]*?:\s*(?P<what>.+?)(?:, by .*)?$")
"""Matches a choice in a line: its options follow the colon, then the player who chooses."""


def phrase_of(span: Span) -> str:
    """Return the phrase of the source line at `span` after which a choice is made; else the text of the span."""
    line = span.source.text.split("\n")[span.line - 1 - span.source.above].split(" #")[0].strip()
    match = _CHOICE.search(line)
    if match is not None:
        return match["what"].strip()
    return span.source.text[span.start : span.end].split("\n")[0].strip()


def _when(cells: Sequence[MissionSetup]) -> str:
    """Return the numbers of players of some setups in words, with the switches that differ from their defaults.

    A combination of switches is named only if it adds a number of players.
    """
    by_settings: dict[tuple[tuple[str, str], ...], dict[int, None]] = {}
    for cell in cells:
        by_settings.setdefault(cell.settings, {})[cell.players] = None
    named: dict[int, None] = {}
    parts: list[str] = []
    for settings in sorted(by_settings, key=len):
        if all(players in named for players in by_settings[settings]):
            continue
        named |= by_settings[settings]
        switches = f" ({', '.join(map(' = '.join, settings))})" if settings else ""
        parts.append(_players(sorted(by_settings[settings])) + switches)
    return " or ".join(parts)


def _players(counts: Sequence[int]) -> str:
    """Return some numbers of players in words."""
    if len(counts) == 1:
        return f"{counts[0]} player{'s' if counts[0] != 1 else ''}"
    if counts == list(range(counts[0], counts[-1] + 1)) and len(counts) > 2:
        return f"{counts[0]} to {counts[-1]} players"
    return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]} players"
