"""Check, test and play a game after each change while its author edits it: first the parts that the change concerns.

The lines that each test ran in the earlier game (`play.testing.impact`) and the difference of the two programs
(`machine.vm.fingerprint`) give the tests that a change concerns. No test that could notice it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.failures import FailedTest
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.machine.vm.fingerprint import ComparedProgram, compared, differences
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.bots import Bot
from fcbdsl.play.session.playout import Record
from fcbdsl.play.soak import soak
from fcbdsl.play.soak.inspection import Inspector
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.play.testing.impact import TestCoverage, test_keys, watch
from fcbdsl.print.pieces.printables import is_mission
from fcbdsl.project.analysis import analysis_of_model
from fcbdsl.project.source_hashes import Seals, sealed
from fcbdsl.project.workspace import Workspace

if TYPE_CHECKING:
    from fcbdsl.play.soak.soak import Course

MOST_GAMES = 200
"""Random games that are played after a change."""
MOST_FAILED = 5
"""Failing games after which no more are played."""
_SAVES = 61
"""Every how many decisions a random game is saved and loaded."""
_TOO_MANY = 4
"""Where a change concerns more than one test in so many, what tests run is found out anew in idle times."""

TestName = tuple[str, str]
"""A test by its file and its title, which edits elsewhere do not move."""


@dataclass(frozen=True, slots=True)
class GameChecked:
    """All that the checks find. `sound`: there are no errors, so that tests are run."""

    game: str
    problems: tuple[Diagnostic, ...]
    sound: bool


@dataclass(frozen=True, slots=True)
class TestsPlanned:
    """So many tests are to be run of so many that there are; what is known of the others is still true."""

    game: str
    concerned: int
    tests: int


@dataclass(frozen=True, slots=True)
class TestRan:
    """A test has been run. `failure`: as a finding in its source, None if it passes."""

    game: str
    test: TestName
    failure: Diagnostic | None


@dataclass(frozen=True, slots=True)
class TestsKnown:
    """All tests that there are, in order, with the failures of those that fail; and which of them run what of a
    definition, a rule, a verb …, by the name of its sort and its id."""

    game: str
    tests: tuple[TestName, ...]
    failed: tuple[tuple[TestName, Diagnostic], ...]
    reached: tuple[tuple[str, tuple[TestName, ...]], ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """A random game that went wrong. `log`: its record as it is kept in files; `page`: its story, to be read."""

    seed: int
    mission: str
    players: int
    decisions: int
    says: str
    log: bytes
    page: str


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """A random game was played, of one of these missions (none: of any). `games`: how many since the last change;
    `lost`: it went wrong, as none before."""

    game: str
    games: int
    missions: tuple[str, ...]
    lost: Lost | None


Found = GameChecked | TestsPlanned | TestRan | TestsKnown | GamePlayed
Tell = Callable[[Found], None]
Stopped = Callable[[], bool]
Telling = Callable[[Image, Record], str]
"""Makes a page of a game."""


class Interrupted(Exception):
    """Something has changed: what is being found out is not wanted any more."""


@dataclass(frozen=True, slots=True)
class _Stock:
    """What is known of a game as it once was: its tests by their hashes, what they run, how they failed, and which run
    something of what."""

    seals: Seals
    program: ComparedProgram
    coverage: TestCoverage
    failed: dict[str, Diagnostic]
    reached: tuple[tuple[str, tuple[TestName, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Now:
    """A game as it is: its program with its tests, their hashes. `game`: the program without tests, to be compared."""

    game: Program
    program: Program
    image: Image
    seals: Seals


class Bench:
    """Follows one game of a project. `telling`: makes the page of a game that went wrong."""

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
        """In which ways games have gone wrong since the last change."""

    def catch_up(self, tell: Tell, stopped: Stopped) -> None:
        """Look at the files again; check the game, and run the tests that are concerned by what has changed since it
        was last sound. The first time all are run, unless an earlier session has. Raises Interrupted if it is stopped
        between two tests, and what `Workspace.refresh` raises."""
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
            return  # what the verifier refuses of the game is an error; this is of tests alone
        program = analysis.program(tests=True)
        self._now = _Now(analysis.program(), program, Image(program), self._sealed())
        _halt(stopped)
        if self._stock is None:
            self._take_stock(tell, stopped)
        else:
            self._run_concerned(self._stock, tell, stopped)

    def idle(self, tell: Tell, stopped: Stopped) -> None:
        """Play random games of what has changed, as many as are worth it. Raises Interrupted if it is stopped."""
        if self._now is None:
            return
        if self._stock is not None and self._concerned * _TOO_MANY > len(self._now.program.tests):
            self._stock = self._stock_of(self._now, stopped)
            self._concerned = 0
        if not any(map(is_mission, self._space.model.definitions.values())):
            return
        missions = self._missions()
        inspector = Inspector(self._now.image, _SAVES)
        while self._games < MOST_GAMES and self._lost < MOST_FAILED:
            _halt(stopped)
            seed = self._games + 1
            player = _Stoppable(soak.Wanderer(seed), stopped)
            course = soak.follow(self._now.image, soak.terms(self._now.image, seed, missions), player, inspector)
            if player.stopped:
                raise Interrupted
            self._games += 1
            self._lost += course.breach is not None
            lost = self._told(self._now.image, course)
            tell(GamePlayed(self._game, self._games, missions, lost))

    # ── what has changed ───────────────────────────────────────────────────────────────────────

    def _all_texts(self) -> dict[str, str]:
        return {name: self._space.text(name) for name in self._space.files}

    def _note_changes(self) -> None:
        """Note which files were ever written since this began: the last ones last."""
        before, self._texts = self._texts, self._all_texts()
        for name, text in self._texts.items():
            if before.get(name) != text:
                self._changed.pop(name, None)
                self._changed[name] = None

    def _missions(self) -> tuple[str, ...]:
        """The missions in the files that have changed."""
        rows = self._space.model.definitions.values()
        return tuple(one.id for one in rows if is_mission(one) and one.span.source.name in self._changed)

    def _sealed(self) -> Seals:
        space = self._space
        files = [space.tree(name) for name in space.files]
        return sealed(files, space.model.proofs, repr(sorted(space.loader.project.variants.items())).encode())

    # ── tests ──────────────────────────────────────────────────────────────────────────────────

    def _take_stock(self, tell: Tell, stopped: Stopped) -> None:
        """Run all tests and note what they run, unless that is known of this very game."""
        assert self._now is not None
        tell(TestsPlanned(self._game, len(self._now.program.tests), len(self._now.program.tests)))
        self._stock = self._stock_of(self._now, stopped)
        self._concerned = 0
        self._tell_known(tell, dict(self._stock.failed))

    def _stock_of(self, now: _Now, stopped: Stopped) -> _Stock:
        key = cache.key([b"live", now.seals.game.encode()])
        record: Any = cache.load(key, lambda found: TestCoverage.fits(found["reach"]) and Seals.fits(found["seals"]))
        coverage: TestCoverage
        if record is not None and record["seals"] == dict(now.seals.tests):
            coverage = TestCoverage.from_record(record["reach"])
        else:
            coverage = watch(now.program, _until(stopped, range(len(now.program.tests))), lambda image: None)
            cache.store(key, {"reach": coverage.to_record(), "seals": dict(now.seals.tests)})
        failed: dict[str, Diagnostic] = {}
        for number, played in enumerate(coverage.tests):
            if not played.passed:
                _halt(stopped)
                failure = self._run(now, number)
                if failure is not None:
                    failed[now.seals.tests[played.key]] = failure
        reached = tuple(self._reached(coverage))
        return _Stock(now.seals, compared(now.game), coverage, failed, reached)

    def _run_concerned(self, stock: _Stock, tell: Tell, stopped: Stopped) -> None:
        """Run the tests that are new, and those that may go otherwise than when stock was taken."""
        now = self._now
        assert now is not None
        then = {seal: number for number, seal in enumerate(stock.seals.tests[one.key] for one in stock.coverage.tests)}
        difference = differences(stock.program, compared(now.game))
        apart = dict.fromkeys(stock.coverage.of_difference(difference)) if difference else {}
        keys = test_keys(now.program)
        seals = [now.seals.tests[key] for key in keys]
        concerned = [number for number, seal in enumerate(seals) if seal not in then or then[seal] in apart]
        concerned.sort(key=lambda number: (seals[number] in then, not self._mentions(now, number)))
        self._concerned = len(concerned)
        tell(TestsPlanned(self._game, len(concerned), len(keys)))
        failed = {seal: one for seal, one in stock.failed.items() if seal in seals}
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
        """Whether the file that was written last mentions the id of something in a test's title: such tests go first,
        for they are most likely about it."""
        last = next(reversed(self._changed), "")
        title = now.program.tests[number].title.lower()
        ids = (one.id for one in self._space.model.definitions.values() if one.span.source.name == last)
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
        told = tuple((by_seal[seal], one) for seal, one in failed.items() if seal in by_seal)
        tell(TestsKnown(self._game, tuple(names), told, stock.reached))

    def _reached(self, coverage: TestCoverage) -> Iterator[tuple[str, tuple[TestName, ...]]]:
        """Which tests run something of what the project declares itself."""
        names = [(one.key[0], one.title) for one in coverage.tests]
        for one in self._space.declarations():
            file = one.span.source.name
            if one.sort != "test" and self._space.owns(file):
                whole = one.line.whole
                numbers = coverage.of_lines(file, whole.line, whole.source.position(whole.end)[0])
                yield f"{one.sort}/{one.id}", tuple(names[number] for number in numbers or ())

    # ── games ──────────────────────────────────────────────────────────────────────────────────

    def _told(self, image: Image, course: Course) -> Lost | None:
        """A game that went wrong as none did before since the last change."""
        assert self._now is not None
        if course.breach is None or course.breach.way in self._ways:
            return None
        self._ways[course.breach.way] = None
        record = replace(course.record, program=self._now.game.hash)
        page = "" if course.game is None else self._telling(image, record)
        says = f"{course.breach.name}: {course.breach.says}" + (
            f" ({course.breach.detail})" if course.breach.detail and course.game is not None else ""
        )
        return Lost(record.seed, record.mission, record.players, len(record.decisions), says, record.to_json(), page)


class _Stoppable:
    """Decides as another, and leaves off when something has changed."""

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
