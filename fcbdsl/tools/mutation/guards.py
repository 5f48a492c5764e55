"""Finds which clauses of the rules are guarded: some change of the content breaks the clause and no other.

A change guards a clause if two conditions are met. All failing tests cover the clause, and have no other clause in
common; each of them fails at an expectation. The results are stored in a file of the project. An entry lapses when the
changed line or the test changes.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from fcbdsl.base.bounds import GUARDS_BYTES
from fcbdsl.base.files import CannotRead, read_utf8
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.lines import head_atoms, keyword_of
from fcbdsl.language.syntax.tree import File, Line, String
from fcbdsl.tools.mutation.explained import root_path, shown_path
from fcbdsl.tools.mutation.mutants import Key, Mutant
from fcbdsl.tools.mutation.sites import spots_of
from fcbdsl.tools.mutation.trial import Trial

NAME = "guards.json"
"""The file's name in the project's folder of mutation."""
MOST_QUICK = 8, 24, 120
"""Most mutants with a quick trial that are tried for a clause: in the first round, the second, the third."""
MOST_SLOW = 8
"""Most mutants with a slow trial for a clause: each reads and compiles the whole game."""
A_LINE = 4
"""Most mutants of one line that are tried for a clause."""
FOCUSED = 3
"""Most clauses of a focused test: the search begins with changes that such tests may notice."""

WORD = re.compile(r"[\w-]+")

Proof = tuple[str, str]
"""A test, by its file and title."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A clause, the test that noticed a change, the hash of the test's steps, and the change. `failing`: the number of
    failing tests, all of the clause; 0 in a file of an older fcb, which did not count them. `only`: no other clause can
    be meant; an older fcb did not examine that. `read`: an author has read the change, and it breaks this clause."""

    rule: str
    test: Proof
    seal: str
    key: Key
    failing: int
    only: bool = False
    read: bool = False


class BadGuards(Exception):
    """The file of guards can't be read; the message gives the reason."""


def read_guards(path: Path, root: Path) -> list[Guard]:
    """Read a file of guards; none if there is no file. Raise BadGuards if it is not valid."""
    if not path.exists():
        return []
    try:
        rows = json.loads(read_utf8(path, GUARDS_BYTES))
        if not isinstance(rows, list):
            raise TypeError("guards are a list")
        return [_guard(root, row) for row in rows]
    except (CannotRead, OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadGuards(f"{path} can't be read: {error!r}; `fcb mutate --guards` makes it anew") from error


def _guard(root: Path, row: Mapping[str, Any]) -> Guard:
    words = {name: row[name] for name in ("rule", "test", "title", "seal", "file", "of", "text", "change")}
    if not all(isinstance(word, str) for word in words.values()):
        raise TypeError("an entry is made of words")
    if type(row["which"]) is not int or row["which"] < 1:
        raise TypeError("lines are counted from 1")
    key = Key(shown_path(root / row["file"]), row["of"], row["text"], row["which"], row["change"])
    failing = row.get("failing", 0)
    if type(failing) is not int or failing < 0:
        raise TypeError("the number of failing tests is a number from 0 on")
    flags = [row.get(name, False) for name in ("only", "read")]
    if any(type(flag) is not bool for flag in flags):
        raise TypeError("`only` and `read` are true or false")
    return Guard(row["rule"], (shown_path(root / row["test"]), row["title"]), row["seal"], key, failing, *flags)


def guards_to_json(guards: Iterable[Guard], root: Path) -> str:
    """Return guards as JSON, one per line, sorted by clause."""
    rows = []
    for guard in sorted(guards, key=lambda guard: guard.rule):
        row = {
            "rule": guard.rule,
            "test": root_path(guard.test[0], root),
            "title": guard.test[1],
            "seal": guard.seal,
            "file": root_path(guard.key.file, root),
            "of": guard.key.of,
            "text": guard.key.text,
            "which": guard.key.which,
            "change": guard.key.change,
            "failing": guard.failing,
            "only": guard.only,
        } | ({"read": True} if guard.read else {})
        rows.append(json.dumps(row, ensure_ascii=False))
    return "[\n" + ",\n".join(rows) + "\n]\n"


# ── validity of guards ────────────────────────────────────────────────────────────────────────


def seals(files: Iterable[File]) -> dict[Proof, str]:
    """Return the hashes of all tests in some files: of their steps, without comments and covered rules."""
    out: dict[Proof, str] = {}
    for file in files:
        for line in file.lines:
            title = _title(line)
            if title is not None:
                content = "\n".join(_lines_without_comments(line))
                out[file.source.name, title] = hashlib.blake2b(content.encode(), digest_size=8).hexdigest()
    return out


def _lines_without_comments(line: Line, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a block, without comments."""
    for each in line.block:
        yield f"{depth} {each.source.text[each.offset : each.end].rstrip()}"
        if each.raw is not None:
            yield each.raw
        yield from _lines_without_comments(each, depth + 1)


def _title(line: Line) -> str | None:
    """Return the title of a test; None for other lines."""
    atoms = head_atoms(line) if keyword_of(line) == "test" else ()
    return next((atom.value for atom in atoms if isinstance(atom, String)), None)


def holding(
    guards: Iterable[Guard], files: Sequence[File], languages: Sequence[str], passed: Mapping[Proof, Sequence[str]]
) -> tuple[list[Guard], list[tuple[Guard, str]]]:
    """Return the valid guards, and the lapsed ones with the reason. `passed`: the clauses that passing tests cover."""
    sealed = seals(files)
    lines: dict[tuple[str, str, str], int] = {}
    for file in files:
        for spot in spots_of(file, languages):
            place = file.source.name, spot.of, spot.text
            lines[place] = lines.get(place, 0) + 1
    held: list[Guard] = []
    lapsed: list[tuple[Guard, str]] = []
    for guard in guards:
        if guard.test not in passed:
            lapsed.append((guard, "there is no such test, or it fails"))
        elif guard.rule not in passed[guard.test]:
            lapsed.append((guard, "the test does not cover it any more"))
        elif sealed.get(guard.test) != guard.seal:
            lapsed.append((guard, "the test has changed"))
        elif lines.get((guard.key.file, guard.key.of, guard.key.text), 0) < guard.key.which:
            lapsed.append((guard, "the line has changed"))
        elif not guard.failing:
            lapsed.append((guard, "an older fcb did not look which other tests fail"))
        elif not (guard.only or guard.read) and (guard.failing > 1 or len(passed[guard.test]) > 1):
            lapsed.append((guard, "its change may break another clause"))
        else:
            held.append(guard)
    return held, lapsed


# ── finding guards ────────────────────────────────────────────────────────────────────────────


def find_guards(
    trial: Trial,
    mutants: Sequence[Mutant],
    clauses: Sequence[str],
    guards: dict[str, Guard],
    once: Mapping[str, Key],
) -> Iterator[str]:
    """Look for a guard of each clause: changes of lines that its tests run, the most specific lines first.

    Yield each clause as it is done. `guards`: by clause, filled as they are found. `once`: changes that guarded clauses
    before; they are tried first.
    """
    search = _Search(trial, mutants, clauses, guards)
    for clause, key in once.items():
        search.try_again(clause, key)
    counted: set[str] = set()
    for most in MOST_QUICK:
        for number in search.chosen(most, quick=True):
            search.try_on_all(number)
            yield from (clause for clause in guards if clause not in counted)
            counted.update(guards)
    for number in search.chosen(MOST_SLOW, quick=False):
        search.try_on_all(number)
    yield from (clause for clause in clauses if clause not in counted)


def _able(trial: Trial, mutant: Mutant) -> frozenset[int]:
    """Return the tests that may notice a mutant: those that run its lines.

    If these lines have no code, these are the tests that run code of its declaration; without any, all tests.
    """
    name = mutant.key.file
    ran = trial.reach.of_lines(name, min(mutant.first, mutant.line), mutant.last)
    if ran is None:
        lines = next(file.lines for file in trial.files if file.source.name == name)
        starts = [line.span.line for line in lines]
        at = bisect_right(starts, mutant.line)
        ran = trial.reach.of_lines(name, starts[at - 1], starts[at] - 1 if at < len(starts) else mutant.last)
    return frozenset(range(len(trial.reach.tests)) if ran is None else ran)


def _words(files: Iterable[File]) -> dict[Proof, frozenset[str]]:
    """Return the words of all tests in some files, titles included."""
    tests = ((file.source.name, _title(line), line) for file in files for line in file.lines)
    return {
        (name, title): frozenset(WORD.findall("\n".join([title, *_lines_without_comments(line)]).lower()))
        for name, title, line in tests
        if title is not None
    }


class _Search:
    """A search for the guards of some clauses."""

    def __init__(
        self,
        trial: Trial,
        mutants: Sequence[Mutant],
        clauses: Sequence[str],
        guards: dict[str, Guard],
    ) -> None:
        self.guards = guards
        self._trial = trial
        self._found = mutants
        self._tests = trial.reach.tests
        self._seals = seals(trial.files)
        passed = frozenset(number for number, played in enumerate(self._tests) if played.passed)
        self._covering: dict[str, set[int]] = {clause: set() for clause in clauses}
        for number, played in enumerate(self._tests):
            for clause in played.covers if number in passed else ():
                if clause in self._covering:
                    self._covering[clause].add(number)
        self._able = [_able(trial, mutant) & passed for mutant in mutants]
        """The tests that may notice each mutant."""
        self._order = sorted(range(len(mutants)), key=lambda number: len(self._able[number]))
        self._quick: dict[int, bool] = {}
        self._tried: set[int] = set()
        """Mutants that were tried, by number."""
        self._words = _words(trial.files)

    def try_again(self, clause: str, key: Key) -> None:
        """Try the change that guarded a clause before, if it is still possible."""
        number = next((number for number in self._order if self._found[number].key == key), None)
        if number is not None and self._is_open(clause):
            self.try_on_all(number)

    def try_on_all(self, number: int) -> None:
        """Run a change against all tests that may notice it, if one of them covers an open clause."""
        if number not in self._tried and any(map(self._is_of_use, self._able[number])):
            self._tried.add(number)
            self._try(number)

    def chosen(self, most: int, *, quick: bool) -> list[int]:
        """Return the changes to try next: for each open clause the first `most` that its tests may notice.

        There are at most a few for each line. Those that few tests run come first; slow ones are ordered by the words
        that their lines share with the tests.
        """
        out: set[int] = set()
        for clause, covering in self._covering.items():
            own = {test for test in covering if len(self._tests[test].covers) <= FOCUSED} or covering
            if own and self._is_open(clause):
                order = self._order if quick else self._related(own)
                out.update(islice(self._changes(order, own, quick=quick), most))
        return [number for number in self._order if number in out]

    def _related(self, own: set[int]) -> list[int]:
        """Return all changes, ordered by the number of words that their lines share with some tests."""
        words = frozenset[str]().union(*(self._words[self._proof(test)] for test in own))

        def shared(number: int) -> int:
            key = self._found[number].key
            return len(words.intersection(WORD.findall(f"{key.of} {key.text}".lower())))

        return sorted(self._order, key=shared, reverse=True)

    def _changes(self, order: Iterable[int], own: set[int], *, quick: bool) -> Iterator[int]:
        """Yield untried changes that some tests may notice, in the given order, a few of each line."""
        lines: dict[tuple[str, int], int] = {}
        for number in order:
            place = self._found[number].key.file, self._found[number].line
            fresh = number not in self._tried and not own.isdisjoint(self._able[number])
            if fresh and lines.get(place, 0) < A_LINE and self._is_quick(number) == quick:
                lines[place] = lines.get(place, 0) + 1
                yield number

    def _is_quick(self, number: int) -> bool:
        if number not in self._quick:
            self._quick[number] = self._trial.is_quick(self._found[number])
        return self._quick[number]

    def _try(self, number: int) -> None:
        """Run the tests that may notice a mutant until the results exclude all open clauses."""
        failing: list[int] = []
        common: set[str] | None = None
        tests = sorted(self._able[number], key=lambda test: (self._tests[test].ops, test))
        for test, looked in self._trial.noticing(self._found[number], tests):
            if looked is None:
                continue
            failing.append(test)
            covers = self._tests[test].covers
            common = (set(covers) if common is None else common.intersection(covers)) if looked else set()
            if not any(map(self._is_open, common)):
                return
        if common is None or len(common) != 1:
            return
        clause, proof, key = next(iter(common)), self._proof(failing[0]), self._found[number].key
        self.guards[clause] = Guard(clause, proof, self._seals[proof], key, len(failing), only=True)

    def _proof(self, test: int) -> Proof:
        played = self._tests[test]
        return played.key[0], played.title

    def _is_of_use(self, test: int) -> bool:
        """Return whether a test covers a clause that still needs a guard."""
        return any(self._is_open(clause) for clause in self._tests[test].covers)

    def _is_open(self, clause: str) -> bool:
        """Return whether a clause still needs a guard."""
        return clause in self._covering and clause not in self.guards
