"""Check, test and play a game after each change while its author edits it: first the parts that the change concerns.

The tests that a change concerns follow from two sources. The first is the lines that each test ran in the earlier game
(`play.testing.impact`); the second is the difference of the two programs (`machine.vm.fingerprint`). Every test that
could notice the change is included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.failures import FailedTest
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.fingerprint import ComparedProgram, comparison_form, program_difference
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.bots import Bot
from fcbdsl.play.session.playout import Record
from fcbdsl.play.soak import soak
from fcbdsl.play.soak.inspection import Inspector
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.play.testing.impact import TestCoverage, test_keys
from fcbdsl.print.pieces.printables import is_sheet
from fcbdsl.project.analysis import analysis_of_model
from fcbdsl.project.recorded_coverage import all_tests, cached_coverage
from fcbdsl.project.source_hashes import Seals, hash_sources
from fcbdsl.project.workspace import Workspace

if TYPE_CHECKING:
    from fcbdsl.play.soak.soak import Course

MOST_GAMES = 200
"""Random games that are played after a change."""
MOST_FAILED = 5
"""Failing games after which no more are played."""
_SAVES = 61
"""The number of decisions between two saves and loads of a random game."""
_TOO_MANY = 4
"""If a change concerns more than one test in this many, the coverage of tests is recorded again when idle."""

TestName = tuple[str, str]
"""A test by its file and its title, which edits elsewhere do not move."""


@dataclass(frozen=True, slots=True)
class GameChecked:
    """The result of all checks. `sound`: there are no errors, so that tests run."""

    game: str
    problems: tuple[Diagnostic, ...]
    sound: bool


@dataclass(frozen=True, slots=True)
class TestsPlanned:
    """The number of tests to run, and of all tests; the results of the others are still valid."""

    game: str
    concerned: int
    tests: int


@dataclass(frozen=True, slots=True)
class TestRan:
    """A test has run. `failure`: a finding in its source, or None if it passes."""

    game: str
    test: TestName
    failure: Diagnostic | None


@dataclass(frozen=True, slots=True)
class TestsKnown:
    """All tests in order, with the failures of those that fail.

    `reached`: the tests that run code of a definition, a rule, a verb …, by the name of its sort and its id.
    """

    game: str
    tests: tuple[TestName, ...]
    failed: tuple[tuple[TestName, Diagnostic], ...]
    reached: tuple[tuple[str, tuple[TestName, ...]], ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """A random game that failed. `log`: its record as stored in files; `page`: its story as a page."""

    seed: int
    mission: str
    players: int
    decisions: int
    says: str
    log: bytes
    page: str


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """A random game was played, of one of these missions (none: of any). `games`: the number since the last change;
    `lost`: a new kind of failure."""

    game: str
    games: int
    missions: tuple[str, ...]
    lost: Lost | None


Found = GameChecked | TestsPlanned | TestRan | TestsKnown | GamePlayed
Tell = Callable[[Found], None]
Stopped = Callable[[], bool]
Telling = Callable[[Image, Record, Model], str]
"""Returns a page of a game of a model."""


class Interrupted(Exception):
    """A file has changed, so that the present result is no longer needed."""


@dataclass(frozen=True, slots=True)
class _Stock:
    """The results for an earlier state of a game: its tests by their hashes, their coverage, their failures, and which
    run code of which declaration."""

    seals: Seals
    program: ComparedProgram
    coverage: TestCoverage
    failed: dict[str, Diagnostic]
    reached: tuple[tuple[str, tuple[TestName, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Now:
    """The present state of a game: its program with its tests, their hashes. `game`: the program without tests, for
    comparison."""

    game: Program
    program: Program
    image: Image
    seals: Seals


class Bench:
    """Follows one game of a project. `telling` returns the page of a failed game."""

    def __init__(self, space: Workspace, telling: Telling) -> None:
        self._space = space
        self._telling = telling
        self._game = space.loader.project.game
        self._stock: _Stock | None = None
        self._now: _Now | None = None
        self._texts = self._all_texts()
        self._changed: dict[str, None] = {}
        self._concerned = 0
        self._games = self._lost = 0
        self._ways: dict[tuple[str, str], None] = {}
        """The kinds of failures in games since the last change."""

    def catch_up(self, tell: Tell, stopped: Stopped) -> None:
        """Read the files again, check the game, and run the tests that the changes since its last valid state concern.

        The first call runs all tests, unless an earlier session has. Raise Interrupted if it is stopped between two
        tests, and what `Workspace.refresh` raises.
        """
        self._now = None
        self._games = self._lost = 0
        self._ways.clear()
        self._space.refresh()
        self._note_changes()
        analysis = analysis_of_model(self._space.loader, self._space.model, self._space.problems())
        sound = not analysis.errors()
        tell(GameChecked(self._game, analysis.problems, sound))
        if not sound:
            return
        _halt(stopped)
        if analysis.refused(tests=True):
            return  # the verifier's problem with tests; one of the game itself is an error
        program = analysis.program(tests=True)
        self._now = _Now(analysis.program(), program, Image(program), self._sealed())
        _halt(stopped)
        if self._stock is None:
            self._take_stock(tell, stopped)
        else:
            self._run_concerned(self._stock, tell, stopped)

    def idle(self, tell: Tell, stopped: Stopped) -> None:
        """Play random games of the changed missions, up to a limit. Raise Interrupted if it is stopped."""
        if self._now is None:
            return
        if self._stock is not None and self._concerned * _TOO_MANY > len(self._now.program.tests):
            self._stock = self._stock_of(self._now, stopped)
            self._concerned = 0
        if not any(map(is_sheet, self._space.model.definitions.values())):
            return
        missions = self._missions()
        inspector = Inspector(self._now.image, _SAVES)
        while self._games < MOST_GAMES and self._lost < MOST_FAILED:
            _halt(stopped)
            seed = self._games + 1
            player = _Stoppable(soak.Wanderer(seed), stopped)
            course = soak.follow(
                self._now.image, soak.random_settings(self._now.image, seed, missions), player, inspector
            )
            if player.stopped:
                raise Interrupted
            self._games += 1
            self._lost += course.breach is not None
            lost = self._new_loss(self._now.image, course)
            tell(GamePlayed(self._game, self._games, missions, lost))

    # ── what has changed ───────────────────────────────────────────────────────────────────────

    def _all_texts(self) -> dict[str, str]:
        return {name: self._space.text(name) for name in self._space.files}

    def _note_changes(self) -> None:
        """Record which files have changed since the start, the latest last."""
        before, self._texts = self._texts, self._all_texts()
        for name, text in self._texts.items():
            if before.get(name) != text:
                self._changed.pop(name, None)
                self._changed[name] = None

    def _missions(self) -> tuple[str, ...]:
        """Return the missions in the files that have changed."""
        rows = self._space.model.definitions.values()
        return tuple(row.id for row in rows if is_sheet(row) and row.span.source.name in self._changed)

    def _sealed(self) -> Seals:
        space = self._space
        files = [space.tree(name) for name in space.files]
        return hash_sources(files, space.model.proofs, repr(sorted(space.loader.project.variants.items())).encode())

    # ── tests ──────────────────────────────────────────────────────────────────────────────────

    def _take_stock(self, tell: Tell, stopped: Stopped) -> None:
        """Run all tests and record their coverage, unless that is known for this very game."""
        assert self._now is not None
        tell(TestsPlanned(self._game, len(self._now.program.tests), len(self._now.program.tests)))
        self._stock = self._stock_of(self._now, stopped)
        self._concerned = 0
        self._tell_known(tell, dict(self._stock.failed))

    def _stock_of(self, now: _Now, stopped: Stopped) -> _Stock:
        coverage = cached_coverage(
            "live", now.seals, lambda: now.program, lambda program: _until(stopped, all_tests(program))
        )
        failed: dict[str, Diagnostic] = {}
        for number, played in enumerate(coverage.tests):
            if not played.passed:
                _halt(stopped)
                failure = self._run(now, number)
                if failure is not None:
                    failed[now.seals.tests[played.key]] = failure
        reached = tuple(self._reached(coverage))
        return _Stock(now.seals, comparison_form(now.game), coverage, failed, reached)

    def _run_concerned(self, stock: _Stock, tell: Tell, stopped: Stopped) -> None:
        """Run the tests that are new, and those whose results may have changed."""
        now = self._now
        assert now is not None
        then = {
            seal: number for number, seal in enumerate(stock.seals.tests[test.key] for test in stock.coverage.tests)
        }
        difference = program_difference(stock.program, comparison_form(now.game))
        apart = dict.fromkeys(stock.coverage.of_difference(difference)) if difference else {}
        keys = test_keys(now.program)
        seals = [now.seals.tests[key] for key in keys]
        concerned = [number for number, seal in enumerate(seals) if seal not in then or then[seal] in apart]
        concerned.sort(key=lambda number: (seals[number] in then, not self._mentions(now, number)))
        self._concerned = len(concerned)
        tell(TestsPlanned(self._game, len(concerned), len(keys)))
        failed = {seal: problem for seal, problem in stock.failed.items() if seal in seals}
        for number in concerned:
            _halt(stopped)
            failure = self._run(now, number)
            if failure is None:
                failed.pop(seals[number], None)
            else:
                failed[seals[number]] = failure
            tell(TestRan(self._game, _name(now.program, number), failure))
        self._tell_known(tell, failed)

    def _mentions(self, now: _Now, number: int) -> bool:
        """Return whether the latest changed file mentions the id of something in a test's title. Such tests run first,
        since they are most likely about the change."""
        last = next(reversed(self._changed), "")
        title = now.program.tests[number].title.lower()
        ids = (
            definition.id
            for definition in self._space.model.definitions.values()
            if definition.span.source.name == last
        )
        return any(id.replace("-", " ") in title for id in ids if id)

    def _run(self, now: _Now, number: int) -> Diagnostic | None:
        result = run_test(now.image, number, once=True)
        if result.failure is None:
            return None
        failure = result.failure
        row = now.program.spans[failure.span]
        source = Source(now.program.files[row.file], self._texts.get(now.program.files[row.file], ""))
        start = sum(len(line) + 1 for line in source.text.split("\n")[: row.line - 1]) + row.column - 1
        span = Span(source, start, start + max(row.end - row.column, 1))
        return FailedTest(span, test=result.title, expected=failure.expected, seen=failure.seen, notes=failure.notes)

    def _tell_known(self, tell: Tell, failed: dict[str, Diagnostic]) -> None:
        now, stock = self._now, self._stock
        assert now is not None
        assert stock is not None
        keys = test_keys(now.program)
        names = [_name(now.program, number) for number in range(len(keys))]
        by_seal = {now.seals.tests[key]: name for key, name in zip(keys, names, strict=True)}
        failures = tuple((by_seal[seal], problem) for seal, problem in failed.items() if seal in by_seal)
        tell(TestsKnown(self._game, tuple(names), failures, stock.reached))

    def _reached(self, coverage: TestCoverage) -> Iterator[tuple[str, tuple[TestName, ...]]]:
        """Yield the tests that run code of the project's own declarations, for each of these."""
        names = [(test.key[0], test.title) for test in coverage.tests]
        for declaration in self._space.declarations():
            file = declaration.span.source.name
            if declaration.sort != "test" and self._space.owns(file):
                whole = declaration.line.whole
                numbers = coverage.of_lines(file, whole.line, whole.source.position(whole.end)[0])
                yield f"{declaration.sort}/{declaration.id}", tuple(names[number] for number in numbers or ())

    # ── games ──────────────────────────────────────────────────────────────────────────────────

    def _new_loss(self, image: Image, course: Course) -> Lost | None:
        """Return a game that failed in a way that is new since the last change; else None."""
        assert self._now is not None
        if course.breach is None or course.breach.way in self._ways:
            return None
        self._ways[course.breach.way] = None
        record = replace(course.record, program=self._now.game.hash)
        page = "" if course.game is None else self._telling(image, record, self._space.model)
        says = f"{course.breach.name}: {course.breach.says}" + (
            f" ({course.breach.detail})" if course.breach.detail and course.game is not None else ""
        )
        return Lost(record.seed, record.mission, record.players, len(record.decisions), says, record.to_json(), page)


class _Stoppable:
    """A bot that decides as another and interrupts the game when a file has changed."""

    def __init__(self, bot: Bot, halted: Stopped) -> None:
        self._bot = bot
        self._halted = halted
        self.stopped = False

    def choose(self, game: Game, ask: Ask) -> int:
        if self._halted():
            self.stopped = True
            return soak.LEAVES_OFF
        return self._bot.choose(game, ask)


def _halt(stopped: Stopped) -> None:
    if stopped():
        raise Interrupted


def _until(stopped: Stopped, numbers: Sequence[int]) -> Iterator[int]:
    for number in numbers:
        _halt(stopped)
        yield number


def _name(program: Program, number: int) -> TestName:
    test = program.tests[number]
    return program.files[program.spans[test.span].file], test.title
