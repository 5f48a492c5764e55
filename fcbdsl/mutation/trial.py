"""Trying mutants: compiling the changed sources and running the tests that can notice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from fcbdsl.campaign.review import review
from fcbdsl.compiler import lower, signature_problems
from fcbdsl.diagnostics.base import Diagnostic
from fcbdsl.model.check import check, declare
from fcbdsl.model.lines import key_of
from fcbdsl.model.whole import Model
from fcbdsl.mutation.mutants import Mutant
from fcbdsl.mutation.reach import Reach, TestKey, test_keys
from fcbdsl.sim.content_tests import run_test
from fcbdsl.source import Source
from fcbdsl.syntax import parse
from fcbdsl.syntax.pausing import collector_paused
from fcbdsl.syntax.tree import File
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.program import Program

FIRST = 24
"""How many tests are compiled at first: most mutants fall to one of them."""
MOST_DECISIONS = 4
"""A test that needs so many times its decisions on the unchanged game, and `SPARE` more, has got into a circle."""
SPARE = 100


class Fate(Enum):
    """What becomes of a mutant."""

    INVALID = "invalid"
    """The check refuses it."""
    KILLED = "killed"
    """A test fails."""
    SURVIVED = "survived"
    """Every test that can notice it passes."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant. `tests`: how many ran; `killer`: the test that failed; `looked`: at a step that looks
    (an expectation), not at one that acts or by a fault."""

    mutant: Mutant
    fate: Fate
    tests: int = 0
    killer: TestKey | None = None
    looked: bool = False


@dataclass(slots=True)
class Trial:
    """A project whose mutants are tried. `files`: parsed, in order of need, tests among them."""

    files: Sequence[File]
    switches: Mapping[str, str]
    spoken: Sequence[str]
    reach: Reach

    def verdict(self, mutant: Mutant) -> Verdict:
        """Try a mutant: check it, run what can notice it, the most likely first, until something does."""
        order = self.order(mutant)
        rest = [order[:FIRST], order[FIRST:]]
        ran = 0
        for batch in rest:
            if ran and not batch:
                break
            program = self.program(mutant, batch)
            if program is None:
                return Verdict(mutant, Fate.INVALID)
            machine = Machine(program)
            numbers = {key: number for number, key in enumerate(test_keys(program))}
            for test in batch:
                played = self.reach.tests[test]
                ran += 1
                most = played.decisions * MOST_DECISIONS + SPARE
                result = run_test(machine, numbers[played.key], once=True, most=most)
                if result.failure is not None:
                    return Verdict(mutant, Fate.KILLED, ran, played.key, result.failure.looked)
        if not self.is_sound(mutant):
            return Verdict(mutant, Fate.INVALID, ran)
        return Verdict(mutant, Fate.SURVIVED, ran)

    def order(self, mutant: Mutant) -> list[int]:
        """The tests that can notice a mutant, by number: those that run its lines, the shortest first.

        If no code stands there, any test may."""
        found = self.reach.of(mutant.key.file, mutant.line, mutant.last)
        numbers = found if found is not None else range(len(self.reach.tests))
        able = [number for number in numbers if self.reach.tests[number].passed]
        return sorted(able, key=lambda number: (self.reach.tests[number].lines, number))

    def program(self, mutant: Mutant, tests: Sequence[int]) -> Program | None:
        """The changed game with some tests; None if the check refuses it."""
        keys = {self.reach.tests[number].key for number in tests}
        files = self.changed(mutant)
        if files is None:
            return None
        with collector_paused():
            model, problems = declare(
                [_with_tests(file, keys) for file in files], switches=self.switches, spoken=self.spoken
            )
            if _errors([*problems, *signature_problems(model)]):
                return None
            return lower(model, tests=True)

    def changed(self, mutant: Mutant) -> list[File] | None:
        """The files with a change; None if it can't be parsed."""
        out: list[File] = []
        for file in self.files:
            if file.source.name == mutant.key.file:
                file, problems = parse(Source(file.source.name, mutant.applied(file.source.text)))
                if _errors(problems):
                    return None
            out.append(file)
        return out

    def is_sound(self, mutant: Mutant) -> bool:
        """Whether the whole check accepts a mutant, with its missions and campaigns."""
        files = self.changed(mutant)
        if files is None:
            return False
        model, problems = check(files, switches=self.switches, spoken=self.spoken)
        if _errors(problems):
            return False
        return not _errors(reviewed(model, files))


def reviewed(model: Model, files: Sequence[File]) -> list[Diagnostic]:
    """What is wrong with the campaigns of a model."""
    if not any(kind == "campaign" for kind, _ in model.definitions):
        return []
    return review(lower(model), {file.source.name: file.source for file in files})


def _errors(problems: Sequence[Diagnostic]) -> bool:
    return any(problem.severity == "error" for problem in problems)


def _with_tests(file: File, keys: set[TestKey]) -> File:
    """A file with those of its tests alone that are to run."""
    name = file.source.name
    kept = tuple(line for line in file.lines if key_of(line) != "test" or (name, line.span.line) in keys)
    return file if len(kept) == len(file.lines) else replace(file, lines=kept)
