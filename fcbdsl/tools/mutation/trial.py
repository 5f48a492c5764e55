"""Trying mutants: compiling the changed sources and running the tests that can notice."""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from fcbdsl.base.catalog import Catalog
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import Relowering, program_without_hash, signature_problems
from fcbdsl.language.model.lines import keyword_of
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.tree import File
from fcbdsl.machine.vm.fingerprint import ComparedProgram, comparison_form, program_difference
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.campaign.review import review
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.play.testing.impact import TestCoverage, TestKey, test_keys
from fcbdsl.tools.mutation.mentions import TestMentions
from fcbdsl.tools.mutation.mutants import Mutant
from fcbdsl.tools.mutation.result_cache import Fate, Past, Verdict
from fcbdsl.tools.mutation.workbench import Change, Follower, Workbench

FIRST = 24
"""How many tests are compiled at first: these kill most mutants."""
THEN = 160
"""How many are compiled next, before all the others."""
MOST_DECISIONS = 4
"""A test that needs this many times its decisions on the unchanged game, and `SPARE` more, is in an endless loop."""
SPARE = 100
PARTS = 50
"""The resolution when tests are compared by their share of a declaration."""


@dataclass(slots=True)
class Trial:
    """A project whose mutants are tried.

    `files`: parsed, in order of dependence, with the tests; `proofs`: the names of files with tests. `game`: the
    unchanged program. `past`: results of earlier runs. `catalogs`: its translations, which are part of the program.
    """

    files: Sequence[File]
    proofs: Sequence[str]
    switches: Mapping[str, str]
    spoken: Sequence[str]
    reach: TestCoverage
    game: Program
    past: Past | None = None
    catalogs: Sequence[Catalog] = ()
    _whole: Workbench | None = None
    _bench: Workbench | None = None
    _follower: Follower | None = None
    _relowering: Relowering | None = None
    _compared: dict[bool, ComparedProgram] = field(default_factory=dict)
    _mentions: TestMentions | None = None
    _kills: Counter[tuple[str, int]] = field(default_factory=Counter)
    """How often tests have killed mutants of a file, by file and test: such a test is likely to kill others."""

    @property
    def model(self) -> Model:
        """Return the model of the unchanged game, read from whole files.

        Its places count from the beginnings of files. Those of a cached model may count from declarations.
        """
        if self._whole is None:
            self._whole = Workbench(self.files, self.switches, self.spoken, self.proofs, self.catalogs)
        return self._whole.model

    def prepare(self) -> None:
        """Prepare for many mutants: each then reads and compiles only the parts that depend on its declaration."""
        model = self.model
        self._bench = self._whole
        with collector_paused():
            self._relowering = Relowering(model)
        self.follower.prepare()
        gc.freeze()  # none of these objects is freed, so the collector need not scan them

    def verdict(self, mutant: Mutant) -> Verdict:
        """Check a mutant and run the tests that can notice it, the likeliest first, until one fails.

        Cached results with equal inputs are reused: for a survivor only new tests run.
        """
        cached = self.past.result_of(mutant) if self.past is not None else None
        tried: frozenset[int] = frozenset()
        if cached is not None:
            fate, new = cached
            if not new:
                return Verdict(mutant, fate, known=True)
            tried = frozenset(range(len(self.reach.tests))) - new
        change = self._change(mutant) if self._bench is not None else None
        if change is None or self._relowering is None:
            return self._tried(mutant, None, tried)
        try:
            if not change.sound:
                return Verdict(mutant, Fate.INVALID)
            with collector_paused():
                program = self._relowering.again(change.forms)
            return self._tried(mutant, program, tried)
        finally:
            change.undo()

    def is_quick(self, mutant: Mutant) -> bool:
        """Return whether a mutant needs only its own declaration to be read and compiled again, not the whole game."""
        change = self._change(mutant) if self._bench is not None else None
        if change is not None:
            change.undo()
        return change is not None

    def noticing(self, mutant: Mutant, tests: Iterable[int]) -> Iterator[tuple[int, bool | None]]:
        """Run some tests on a mutant and yield for each whether it fails by an expectation (None: it passes).

        A mutant that the check refuses yields nothing. The iterable of tests may depend on the results so far.
        """
        change = self._change(mutant) if self._bench is not None else None
        program = None
        try:
            if change is None or self._relowering is None:
                tests = list(tests)
            elif change.sound:
                with collector_paused():
                    program = self._relowering.again(change.forms)
            else:
                return
            image = self._linked(mutant, [] if program is not None else list(tests), program)
            if isinstance(image, Verdict):
                return
            numbers = {key: number for number, key in enumerate(test_keys(image.program))}
            for test in tests:
                yield test, self._fails(image, test, numbers)
        finally:
            if change is not None:
                change.undo()

    def _fails(self, image: Image, test: int, numbers: Mapping[TestKey, int]) -> bool | None:
        """Run a test. Return whether it fails by an expectation; None if it passes."""
        played = self.reach.tests[test]
        most = played.decisions * MOST_DECISIONS + SPARE
        failure = run_test(image, numbers[played.key], once=True, most=most).failure
        return None if failure is None else failure.looked

    def _tried(self, mutant: Mutant, program: Program | None, tried: frozenset[int]) -> Verdict:
        """Return the verdict on a mutant. `program`: its game with all tests, if it exists; `tried`: tests that are
        known to pass."""
        likely = [number for number in self.order(mutant) if number not in tried][:FIRST]
        image = self._linked(mutant, likely, program)
        if isinstance(image, Verdict):
            return image
        killed = self._run(mutant, image, likely, 0)
        if killed is not None:
            return killed
        model = self._checked(mutant)
        if isinstance(model, Verdict):
            return model
        alone = program_without_hash(model) if program is None else program
        difference = program_difference(self._base(program is not None), comparison_form(alone))
        if not difference:
            return Verdict(mutant, Fate.SAME, len(likely))
        left = set(self.reach.of_difference(difference)) - tried.union(likely)
        rest = self._sorted(mutant, left)
        ran = len(likely)
        for batch in (rest,) if program is not None else (rest[:THEN], rest[THEN:]):
            if not batch:
                continue
            image = self._linked(mutant, batch, program)
            if isinstance(image, Verdict):
                return replace(image, tests=ran)
            killed = self._run(mutant, image, batch, ran)
            if killed is not None:
                return killed
            ran += len(batch)
        if self.reach.is_reviewed(difference) and self._is_flawed(
            mutant, alone if program is None else program_without_hash(model)
        ):
            return Verdict(mutant, Fate.INVALID, ran)
        return Verdict(mutant, Fate.SURVIVED, ran)

    def _linked(self, mutant: Mutant, tests: Sequence[int], program: Program | None) -> Image | Verdict:
        """Return the image of a mutant with some tests; the verdict if the check refuses it."""
        changed = program or self.program(mutant, tests)
        return changed if isinstance(changed, Verdict) else Image(changed)

    def _change(self, mutant: Mutant) -> Change | None:
        """Read the declaration of a mutant again; None if more must be read, or the change can't be parsed."""
        assert self._bench is not None
        file = next(file for file in self.files if file.source.name == mutant.key.file)
        new, problems = parse(Source(file.source.name, mutant.applied(file.source.text)))
        if _errors(problems) or len(new.lines) != len(file.lines):
            return None
        number = max((n for n, line in enumerate(file.lines) if line.offset <= mutant.start), default=-1)
        old = file.lines[number]
        at = max((n for n, line in enumerate(old.block) if line.offset <= mutant.start), default=-1)
        if number < 0 or at < 0 or new.lines[number].offset != old.offset:
            return None
        return self._bench.change(old, new.lines[number], at)

    def _run(self, mutant: Mutant, image: Image, batch: Sequence[int], ran: int) -> Verdict | None:
        """Run some tests on a mutant's image; return the verdict if one kills it. `ran`: the number of tests before
        these."""
        numbers = {key: number for number, key in enumerate(test_keys(image.program))}
        for count, test in enumerate(batch, start=ran + 1):
            looked = self._fails(image, test, numbers)
            if looked is not None:
                self._kills[mutant.key.file, test] += 1
                return Verdict(mutant, Fate.KILLED, count, self.reach.tests[test].key, looked)
        return None

    def _base(self, relowered: bool) -> ComparedProgram:
        """Return the unchanged program in the form for comparison. `relowered`: lowered incrementally for many
        mutants, with the declarations of the tests."""
        if relowered not in self._compared:
            program = self._relowering.program if relowered and self._relowering is not None else self.game
            self._compared[relowered] = comparison_form(program)
        return self._compared[relowered]

    def order(self, mutant: Mutant) -> list[int]:
        """Return the numbers of the tests that are likely to notice a mutant: those that run its lines.

        If these lines have no code, any test may notice it.
        """
        reached = self.reach.of_lines(mutant.key.file, min(mutant.first, mutant.line), mutant.last)
        killer = self.past.killer(mutant) if self.past is not None else None
        numbers = self._sorted(mutant, reached if reached is not None else range(len(self.reach.tests)))
        if killer is None or not self.reach.tests[killer].passed:
            return numbers
        return [killer, *(number for number in numbers if number != killer)]

    def _sorted(self, mutant: Mutant, numbers: Iterable[int]) -> list[int]:
        """Return the passing tests in order of their likelihood to notice a mutant.

        First come tests that mention the change, above all in a `refuse` or `expect not offered`. Then come tests that
        run parts of its declaration that few tests run, those that have killed mutants of its file, and the shortest.
        """
        if self._mentions is None:
            self._mentions = TestMentions(self.files, [test.key for test in self.reach.tests])
        tests, kills, name = self.reach.tests, self._kills, mutant.key.file
        mentioned = self._mentions.of(mutant)
        near = self.reach.shares(name, *self._declaration(mutant))

        def rank(number: int) -> tuple[float, float, int, int]:
            share = round(near.get(number, 0) * PARTS) + kills[name, number]
            return -mentioned[number], -share, tests[number].ops, number

        return sorted((number for number in numbers if tests[number].passed), key=rank)

    def _declaration(self, mutant: Mutant) -> tuple[int, int]:
        """Return the first and the last line of a mutant's declaration."""
        lines = next(file.lines for file in self.files if file.source.name == mutant.key.file)
        starts = [line.span.line for line in lines]
        at = bisect_right(starts, mutant.line) - 1
        return starts[at], starts[at + 1] - 1 if at + 1 < len(starts) else mutant.last

    def program(self, mutant: Mutant, tests: Sequence[int]) -> Program | Verdict:
        """Return the changed game with some tests; the verdict if the check refuses it."""
        keys = {self.reach.tests[number].key for number in tests}
        files = self.follower.changed(mutant)
        if files is None:
            return Verdict(mutant, Fate.INVALID)
        with collector_paused():
            model, problems = self.follower.model([_with_tests(file, keys) for file in files], whole=False)
            refused = self._refused(mutant, [*problems, *signature_problems(model)])
            return refused if refused is not None else program_without_hash(model, tests=True)

    @property
    def follower(self) -> Follower:
        """Return the files with a checker that follows from mutant to mutant."""
        if self._follower is None:
            self._follower = Follower(self.files, self.switches, self.spoken, self.proofs, self.catalogs)
        return self._follower

    def _checked(self, mutant: Mutant) -> Model | Verdict:
        """Return the model of a mutant, without tests, if the whole check accepts it, else the verdict."""
        files = self.follower.changed(mutant)
        if files is None:
            return Verdict(mutant, Fate.INVALID)
        model, problems = self.follower.model([_with_tests(file, set()) for file in files], whole=True)
        return self._refused(mutant, problems) or model

    def _refused(self, mutant: Mutant, problems: Sequence[Diagnostic]) -> Verdict | None:
        """Return the verdict on a mutant with errors: invalid, or killed if all errors are in files of the tests."""
        errors = [problem for problem in problems if problem.severity == "error"]
        if not errors:
            return None
        inside = all(error.span.source.name in self.proofs for error in errors)
        return Verdict(mutant, Fate.KILLED if inside else Fate.INVALID)

    def _is_flawed(self, mutant: Mutant, program: Program) -> bool:
        """Return whether the review of its campaigns finds errors in a mutant."""
        return _errors(review(program, {file.source.name: file.source for file in self.follower.changed(mutant) or ()}))


def _errors(problems: Sequence[Diagnostic]) -> bool:
    return any(problem.severity == "error" for problem in problems)


def _with_tests(file: File, keys: set[TestKey]) -> File:
    """Return a file with only the given tests."""
    name = file.source.name
    lines = tuple(line for line in file.lines if keyword_of(line) != "test" or (name, line.span.line) in keys)
    return file if len(lines) == len(file.lines) else replace(file, lines=lines)
