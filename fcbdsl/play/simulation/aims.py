"""Follows the aims of a game from question to question, and finds the actions that move them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import OPEN
from fcbdsl.play.simulation.aim_measuring import measure_way
from fcbdsl.play.simulation.win_conditions import Goals, Way, operand_value


@dataclass(slots=True)
class AimCourse:
    """The course of an aim in a game: its distance at the first question and its least distance since. `by`: how often
    each action brought it nearer."""

    start: int
    best: int
    rises: int
    reads: set[str]
    by: dict[str, int] = field(default_factory=dict)


class Tracker:
    """Follows the aims of one game. `courses`: the aims of each way to win that is open at the first question."""

    def __init__(self, goals: Goals, game: Game) -> None:
        self._goals = goals
        self._game = game
        self._ways: list[Way] = []
        self._latest: list[dict[str, int]] = []
        self.courses: list[dict[str, AimCourse]] = []

    def begin(self) -> None:
        """Start measuring: the game begins here."""
        self._ways, self._latest, self.courses = [], [], []
        for way in self._goals.ways:
            self._add(way)
        wanted = [number for courses in self.courses for course in courses.values() for number in _fields(course.reads)]
        for number in dict.fromkeys(wanted):
            for way in self._goals.whenever(number):
                if way not in self._ways:
                    self._add(way)

    def look(self, action: str = "", at: Game | None = None) -> None:
        """Measure the aims. `action`: the action since the last call; `at`: a copy of the game, if it is over."""
        for number, way in enumerate(self._ways):
            courses = self.courses[number]
            if all(course.best == 0 for course in courses.values()):
                continue
            aims = measure_way(self._goals, at or self._game, way)
            for key, course in courses.items():
                aim = aims.get(key) if aims is not None else None
                if aim is None:
                    continue
                before = self._latest[number].get(key, course.start)
                if action and aim.distance < before:
                    course.by[action] = course.by.get(action, 0) + 1
                course.best = min(course.best, aim.distance)
                course.rises = course.rises or aim.rises
                course.reads |= aim.reads
                self._latest[number][key] = aim.distance

    def won(self, action: str = "") -> None:
        """Record a win: the aims of the nearest way are fulfilled. `action`: the action that led to it."""
        last = self._game.clone()
        last.world.outcome = OPEN
        self.look(action, last)
        nearest = min(self.courses, key=lambda way: sum(course.best for course in way.values()), default=None)
        for course in (nearest or {}).values():
            course.best = 0

    def took(self, action: int, name: str) -> None:
        """Record an action, which may itself be a way to win."""
        for courses in self.courses:
            course = courses.get(f"action:{action}")
            if course is not None:
                course.best = 0
                course.by[name] = course.by.get(name, 0) + 1

    def _add(self, way: Way) -> None:
        aims = measure_way(self._goals, self._game, way)
        open_ = {key: aim for key, aim in (aims or {}).items() if aim.distance > 0}
        if open_ and all(aim.reads for aim in open_.values()):
            self._ways.append(way)
            self._latest.append({})
            self.courses.append(
                {key: AimCourse(aim.distance, aim.distance, aim.rises, set(aim.reads)) for key, aim in open_.items()}
            )


def _fields(reads: set[str]) -> list[int]:
    return [int(read.partition(" ")[2]) for read in sorted(reads) if read.startswith("field ")]


def movers(goals: Goals, reads: Sequence[str], rises: int) -> list[str]:
    """Return the names of actions that change what an aim reads, the most direct ones first."""
    ranked: list[tuple[int, str]] = []
    for action in goals.program.actions:
        steps = [
            depth
            for code, depth in goals.reached(action.body).items()
            if _changes(goals, action.body, code, reads, rises)
        ]
        if f"action {goals.program.actions.index(action)}" in reads:
            steps.append(0)
        if steps:
            ranked.append((min(steps), action.name))
    return [name for _, name in sorted(ranked)]


def _changes(goals: Goals, body: int, code: int, reads: Sequence[str], rises: int) -> bool:
    changed = goals.changed(code)
    for read in reads:
        sort, _, number = read.partition(" ")
        if sort == "track":
            turns = {("track", rises)} if rises else {("track", 1), ("track", -1)}
            if turns & changed and _names(goals, body, int(number)):
                return True
        elif (sort, 0 if sort == "place" else int(number)) in changed:
            return True
    return False


def _names(goals: Goals, body: int, definition: int) -> bool:
    """Return whether a code or one of its callees names a definition."""
    return any(
        operand.kind == "def" and operand_value(op, operand.name) == definition
        for code in goals.reached(body)
        for op in goals.code(code).declared
        for operand in op.operands
    )


def as_data(courses: Sequence[Mapping[str, AimCourse]]) -> list[dict[str, list[object]]]:
    """Return courses as plain data: for each aim its start, best, direction, reads and the actions that moved it."""
    return [
        {
            key: [course.start, course.best, course.rises, sorted(course.reads), dict(sorted(course.by.items()))]
            for key, course in way.items()
        }
        for way in courses
    ]
