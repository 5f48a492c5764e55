"""Random games, inspected before every decision. A failing game is shortened to a script that reproduces it.

All randomness follows from the seed of each game: its mission, players, switches, and the decisions.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fcbdsl.base.records import dataclass
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import DONE, NONE, Ask
from fcbdsl.play.bots.bots import Bot
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.playout import Record, close_record
from fcbdsl.play.session.view import View
from fcbdsl.play.soak.inspection import ENDLESS, SAVED, Breach, Inspector

SAVES = 61
"""The number of decisions between two saves and loads."""
MOST_TRIALS = 3_000
"""Most games that are played to shorten one."""
RECENT = 15
"""Most lines of the log in a report."""

LEAVES_OFF = -1
"""The answer of a script that ends the game."""


@dataclass(slots=True)
class Course:
    """A game and its result. `record` contains the decisions; `breach`: the violation at the end, if any."""

    record: Record
    game: Game | None = None
    breach: Breach | None = None


# ── one game ───────────────────────────────────────────────────────────────────────────────────


def random_settings(image: Image, seed: int, among: Sequence[str] = ()) -> Record:
    """Return the settings of the random game of a seed: a mission (of `among`, if possible), a number of players, and a
    value for each switch."""
    program = image.program
    chance = Generator(seed, "terms")
    missions = [row for row in program.definitions if program.kinds[row.kind].policy == "mission"]
    missions = [row for row in missions if row.id in among] or missions
    mission = missions[chance.below(len(missions))] if missions else None
    fewest, most = program.players
    players = fewest + chance.below(most - fewest + 1)
    settled = {number for number, _ in mission.overrides} if mission is not None else set()
    switches = {
        switch.name: switch.values[chance.below(len(switch.values))]
        for number, switch in enumerate(program.switches)
        if number not in settled
    }
    return Record(program.hash, "" if mission is None else mission.id, players, seed, switches)


class Wanderer:
    """Takes any option. In most games it declines less often, so that more happens. In some it always declines, since a
    game must end even without any action."""

    def __init__(self, seed: int) -> None:
        self._chance = Generator(seed, "wanderer")
        self._patience = (1 << self._chance.below(5)) >> 1

    def choose(self, game: Game, ask: Ask) -> int:
        """Return the index of the option taken."""
        index = self._chance.below(len(ask.options))
        declines = [number for number, option in enumerate(ask.options) if option[0] in (NONE, DONE)]
        if declines and not self._patience:
            return declines[0]
        return (
            self._chance.below(len(ask.options)) if index in declines and self._chance.below(self._patience) else index
        )


def follow(image: Image, record: Record, bot: Bot, inspector: Inspector) -> Course:
    """Play a game on a record's settings until it ends, its script ends, or it violates a rule."""
    course = Course(replace(record, decisions=[], outcome="open", digest=""))
    decisions = course.record.decisions
    try:
        game = course.game = setup.start_game(image, record.mission, record.players, record.seed, record.switches)
        while True:
            ask = game.run()
            course.breach = inspector.look(game, ask, len(decisions))
            if course.breach is not None or ask is None:
                break
            index = bot.choose(game, ask)
            if index == LEAVES_OFF:
                break
            decisions.append(index)
            game.answer(index)
        close_record(game, course.record)
    except Exception as bug:  # bugs are what this search looks for; the report shows their source
        course.breach = Breach("internal error", f"{type(bug).__name__}: {bug}", traceback.format_exc())
    return course


def games(image: Image, count: int, seed: int, bot: str = "") -> Iterator[Course]:
    """Play games on random settings with increasing seeds, up to the first that fails.

    The players are wanderers, or bots of a name (a key of `bots.roster.BOTS`).
    """
    inspector = Inspector(image, SAVES)
    for number in range(seed, seed + count):
        player = make_bot(bot, number) if bot else Wanderer(number)
        course = follow(image, random_settings(image, number), player, inspector)
        yield course
        if course.breach is not None:
            return


def random_games(image: Image, mission: str, players: int, count: int) -> Iterator[Course]:
    """Play `count` random games of a mission with `players` players, up to the first that fails."""
    inspector = Inspector(image, SAVES)
    for seed in range(1, count + 1):
        drawn = random_settings(image, seed, (mission,))
        course = follow(image, replace(drawn, mission=mission, players=players), Wanderer(seed), inspector)
        yield course
        if course.breach is not None:
            return


# ── the shortest game that fails in the same way ───────────────────────────────────────────────


def shrink(image: Image, course: Course) -> Course:
    """Return a game that fails in the same way and can't be shortened: no decision can be removed or lowered.

    It uses delta debugging (Zeller and Hildebrandt, 2002): ever shorter runs of decisions are removed while the game
    still fails. A game without end is cut to the shortest path into a round that can repeat forever. If no position
    repeats, it is returned unchanged.
    """
    if course.breach is None:
        return course
    if course.breach.name == ENDLESS:
        return _round(image, course)
    return _Shrinker(image, course).shrink()


Ways = dict[str, list[tuple[int, str]]]
"""For each position, the decisions that were taken there and the positions they led to."""


def _round(image: Image, course: Course) -> Course:
    """Return the shortest path to a position that repeats, and once around the circle."""
    seen = _positions(image, course.record)
    last = {position: number for number, position in enumerate(seen)}
    again: dict[str, None] = {}
    end = -1
    for number, position in enumerate(seen):
        end = max(end, last[position])
        if number < end or position in again:
            again[position] = None
    if not again:
        return course
    ways: Ways = {}
    for before, decision, after in zip(seen, course.record.decisions, seen[1:], strict=False):
        ways.setdefault(before, []).append((decision, after))
    path, here = _shortest(ways, [([], seen[0])], again)
    back, _ = _shortest(ways, [([decision], after) for decision, after in ways[here]], {here: None})
    record = replace(course.record, decisions=[*path, *back])
    short = follow(image, record, Script(record.decisions), Inspector(image))
    first, last_one = len(path) + 1, len(path) + len(back)
    says = f"After decision {last_one} everything is as it was before decision {first}, and so on for ever."
    return replace(short, breach=short.breach or Breach(ENDLESS, says))


def _positions(image: Image, record: Record) -> list[str]:
    """Return a hash of each position with a question: of everything except the log."""
    game = setup.start_game(image, record.mission, record.players, record.seed, record.switches)
    out: list[str] = []
    for index in [*record.decisions, LEAVES_OFF]:
        ask = game.run()
        bare = game.clone()
        bare.world.log, bare.world.happened = [], 0
        out.append(bare.digest())
        if ask is None or index == LEAVES_OFF:
            break
        game.answer(index)
    return out


def _shortest(ways: Ways, begins: list[tuple[list[int], str]], goals: dict[str, None]) -> tuple[list[int], str]:
    """Return the fewest decisions from one of the first positions to a goal, and that goal. There must be a path."""
    visited = {here for _, here in begins}
    front = list(begins)
    for path, here in front:
        if here in goals:
            return path, here
        for decision, after in ways.get(here, ()):
            if after not in visited:
                visited.add(after)
                front.append(([*path, decision], after))
    raise AssertionError("no way leads there")


class _Shrinker:
    """Keeps the shortest failing game so far."""

    def __init__(self, image: Image, course: Course) -> None:
        assert course.breach is not None
        self._image = image
        self._way = course.breach.way
        self._inspector = Inspector(image, saves=1 if course.breach.name == SAVED else 0)
        self._best = course
        self._trials = 0

    def shrink(self) -> Course:
        before = None
        while before is not self._best and self._trials < MOST_TRIALS:
            before = self._best
            self._simplify_terms()
            self._drop()
            self._lower()
        return self._best

    def _attempt(self, record: Record) -> bool:
        """Play a game, and make it the best one if it fails in the same way and is not longer or higher. Return whether
        it is."""
        if self._trials >= MOST_TRIALS:
            return False
        self._trials += 1
        course = follow(self._image, record, Script(record.decisions), self._inspector)
        if course.breach is None or course.breach.way != self._way or _size(course) > _size(self._best):
            return False
        self._best = course
        return True

    def _simplify_terms(self) -> None:
        """Try default switches, and fewer players."""
        for name in list(self._best.record.switches):
            rest = {switch: value for switch, value in self._best.record.switches.items() if switch != name}
            self._attempt(replace(self._best.record, switches=rest))
        for players in range(self._image.program.players[0], self._best.record.players):
            if self._attempt(replace(self._best.record, players=players)):
                return

    def _drop(self) -> None:
        """Try without runs of decisions, long ones first."""
        run = max(1, len(self._best.record.decisions) // 2)
        while run:
            at = 0
            while at < len(self._best.record.decisions):
                decisions = self._best.record.decisions
                if not self._attempt(replace(self._best.record, decisions=decisions[:at] + decisions[at + run :])):
                    at += run
            run //= 2

    def _lower(self) -> None:
        """Try earlier options."""
        at = 0
        while at < len(self._best.record.decisions):
            decisions = self._best.record.decisions
            for index in sorted({0, decisions[at] // 2, decisions[at] - 1}):
                if 0 <= index < decisions[at]:
                    lower = [*decisions[:at], index, *decisions[at + 1 :]]
                    if self._attempt(replace(self._best.record, decisions=lower)):
                        break
            at += 1


def _size(course: Course) -> tuple[int, list[int]]:
    return len(course.record.decisions), course.record.decisions


class Script:
    """Decides as written (the last option if there is no such number), then ends the game."""

    def __init__(self, decisions: list[int]) -> None:
        self._left = iter(decisions)

    def choose(self, game: Game, ask: Ask) -> int:
        """Return the index of the option taken."""
        return min(next(self._left, LEAVES_OFF), len(ask.options) - 1)


# ── in words ───────────────────────────────────────────────────────────────────────────────────


def failure_report(image: Image, course: Course) -> str:
    """Return a report of a failing game: the violation, the position, and the events before it."""
    breach = course.breach
    assert breach is not None
    head = f"{breach.name}: {breach.says}" + (f" ({breach.detail})" if breach.detail else "")
    if course.game is None or breach.name == "internal error":
        return head + "\n"
    view = View(image)
    lines = [head, "", view.table(course.game).rstrip(), ""]
    lines += happenings(view, course.game)[-RECENT:]
    if course.game.world.ask is not None:
        lines += ["", view.question(course.game, course.game.world.ask)]
    return "\n".join(lines) + "\n"
