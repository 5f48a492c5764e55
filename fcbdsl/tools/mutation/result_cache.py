"""Cached results of earlier runs on mutants, as plain data.

The test that killed a mutant is a hint: that test runs first. That a mutant survives, or that the check refuses it,
holds as long as its inputs are equal: the changed game, and the tests. New tests are run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from enum import Enum
from typing import Any

from fcbdsl.base.cache import has_shape
from fcbdsl.base.records import dataclass
from fcbdsl.play.testing.impact import PlayedTest, TestKey
from fcbdsl.project.source_hashes import Seals, hash_parts
from fcbdsl.tools.mutation.mutants import Mutant


class Fate(Enum):
    """The result of trying a mutant."""

    INVALID = "invalid"
    """The check refuses it."""
    KILLED = "killed"
    """A test fails, or the check refuses a test."""
    SURVIVED = "survived"
    """Every test that can notice it passes."""
    SAME = "same"
    """It compiles to the same game: only its sources differ."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a mutant.

    `tests`: the number of tests that ran; `killer`: the test that failed; `looked`: at an expectation, not at an acting
    step or by a fault. `known`: the result comes from an earlier run, and none of its inputs has changed.
    """

    mutant: Mutant
    fate: Fate
    tests: int = 0
    killer: TestKey | None = None
    looked: bool = False
    known: bool = False


def hash_with(seals: Seals, mutant: Mutant) -> str:
    """Return the hash of the game with the change that a mutant makes."""
    key = mutant.key.file, mutant.start, mutant.end, mutant.new
    return hash_parts([seals.game.encode(), repr(key).encode()])


_RECORD = {
    "game": str,
    "killers": dict[tuple[str, str, str, int, str], tuple[str, str]],
    "decided": dict[str, tuple[str, str]],
    "sets": dict[str, list[str]],
}
"""The shape of `Past.to_record` (see `cache.has_shape`)."""


class Past:
    """The cached results for the mutants of one project. `record`: the result of `to_record` of an earlier run."""

    def __init__(self, seals: Seals, tests: Sequence[PlayedTest], record: Mapping[str, Any] | None = None) -> None:
        self._seals = seals
        self._tests = [seals.tests[test.key] for test in tests]
        self._proofs = [(test.key[0], test.title) for test in tests]
        self._numbers = {proof: number for number, proof in enumerate(self._proofs)}
        self._places = {test.key: number for number, test in enumerate(tests)}
        self._all = hash_parts(seal.encode() for seal in self._tests)
        self._killers: dict[tuple[object, ...], tuple[str, str]] = {}
        self._decided: dict[str, tuple[str, str]] = {}
        self._sets: dict[str, list[str]] = {self._all: self._tests}
        if record is not None:
            self.learn(record)

    def killer(self, mutant: Mutant) -> int | None:
        """Return the number of the test that killed a mutant, if that test still exists."""
        proof = self._killers.get(astuple(mutant.key))
        return None if proof is None else self._numbers.get(proof)

    def result_of(self, mutant: Mutant) -> tuple[Fate, frozenset[int]] | None:
        """Return the cached result of a mutant that was not killed, and the numbers of tests that are new since."""
        cached = self._decided.get(hash_with(self._seals, mutant))
        if cached is None:
            return None
        fate = Fate(cached[0])
        tried = frozenset(self._sets[cached[1]]) if fate is Fate.SURVIVED and cached[1] != self._all else None
        new = () if tried is None else (number for number, seal in enumerate(self._tests) if seal not in tried)
        return fate, frozenset(new)

    def note(self, verdict: Verdict) -> None:
        """Record the result of a mutant."""
        key = hash_with(self._seals, verdict.mutant)
        if verdict.fate is not Fate.KILLED:
            self._decided[key] = verdict.fate.value, self._all
            return
        self._decided.pop(key, None)
        if verdict.killer is not None:
            self._killers[astuple(verdict.mutant.key)] = self._proofs[self._places[verdict.killer]]

    def learn(self, record: Mapping[str, Any]) -> None:
        """Take over the newer results of another run; existing entries win."""
        self._killers = {**record["killers"], **self._killers}
        if record["game"] != self._seals.game:
            return
        self._sets = {**record["sets"], **self._sets}
        for key, (fate, tried) in record["decided"].items():
            if tried in self._sets:
                self._decided.setdefault(key, (fate, tried))

    def to_record(self) -> dict[str, Any]:
        """Return the results as plain data."""
        used = {tried for _, tried in self._decided.values()}
        return {
            "game": self._seals.game,
            "killers": self._killers,
            "decided": self._decided,
            "sets": {name: seals for name, seals in self._sets.items() if name in used},
        }

    @staticmethod
    def fits(record: Any) -> bool:
        """Return whether data is what `to_record` returns."""
        fates = {fate.value for fate in Fate}
        return has_shape(record, _RECORD) and all(fate in fates for fate, _ in record["decided"].values())
