"""Which clauses of the rules are guarded: some change of the content is noticed by an expectation of a test that covers
the clause. What was found is kept in a file of the project, and lapses when the changed line or the test changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fcbdsl.model.lines import head_atoms, key_of
from fcbdsl.mutation.explained import root_path, shown_path
from fcbdsl.mutation.mutants import Key, Mutant
from fcbdsl.mutation.sites import spots_of
from fcbdsl.mutation.trial import Trial
from fcbdsl.syntax.tree import File, Line, String

NAME = "guards.json"
"""The file's name in the project's folder of mutation."""
MOST_TRIED = 16
"""Mutants that are tried for a clause at most."""
MOST_ALONG = 40
"""Tests of other clauses that are run on one of them at most."""
A_LINE = 2
"""Mutants of one line that are tried for a clause at most."""

Proof = tuple[str, str]
"""A test, by its file and title."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A clause, the test that noticed a change, the seal of the test's text, and the change."""

    rule: str
    test: Proof
    seal: str
    key: Key


class BadGuards(Exception):
    """The file of guards can't be read; says why."""


def read_guards(path: Path, root: Path) -> list[Guard]:
    """Read a file of guards; none if there is no file. Raises BadGuards."""
    if not path.exists():
        return []
    try:
        return [_guard(root, row) for row in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError, KeyError) as trouble:
        raise BadGuards(f"{path} can't be read: {trouble!r}; `fcb mutate --guards` makes it anew") from trouble


def _guard(root: Path, row: Mapping[str, Any]) -> Guard:
    words = {name: row[name] for name in ("rule", "test", "title", "seal", "file", "of", "text", "change")}
    if not all(isinstance(word, str) for word in words.values()) or not isinstance(row["which"], int):
        raise TypeError("an entry is made of words")
    key = Key(shown_path(root / row["file"]), row["of"], row["text"], row["which"], row["change"])
    return Guard(row["rule"], (shown_path(root / row["test"]), row["title"]), row["seal"], key)


def written(guards: Iterable[Guard], root: Path) -> str:
    """How guards are written down: one a line, by the id of the clause."""
    rows = []
    for one in sorted(guards, key=lambda guard: guard.rule):
        row = {
            "rule": one.rule,
            "test": root_path(one.test[0], root),
            "title": one.test[1],
            "seal": one.seal,
            "file": root_path(one.key.file, root),
            "of": one.key.of,
            "text": one.key.text,
            "which": one.key.which,
            "change": one.key.change,
        }
        rows.append(json.dumps(row, ensure_ascii=False))
    return "[\n" + ",\n".join(rows) + "\n]\n"


# ── what holds ────────────────────────────────────────────────────────────────────────────────


def seals(files: Iterable[File]) -> dict[Proof, str]:
    """The seals of all tests in some files."""
    out: dict[Proof, str] = {}
    for file in files:
        for line in file.lines:
            title = _title(line)
            if title is not None:
                text = file.source.text[line.offset : _end(line)]
                said = "\n".join(row.rstrip() for row in text.splitlines())
                out[file.source.name, title] = hashlib.blake2b(said.encode(), digest_size=8).hexdigest()
    return out


def _title(line: Line) -> str | None:
    """The title of a test; None if the line is none."""
    atoms = head_atoms(line) if key_of(line) == "test" else ()
    return next((atom.value for atom in atoms if isinstance(atom, String)), None)


def _end(line: Line) -> int:
    return _end(line.block[-1]) if line.block else line.end


def holding(
    guards: Iterable[Guard], files: Sequence[File], languages: Sequence[str], passed: Mapping[Proof, Sequence[str]]
) -> tuple[list[Guard], list[tuple[Guard, str]]]:
    """The guards that hold, and those that have lapsed, with the reason. `passed`: what tests that pass cover."""
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
        else:
            held.append(guard)
    return held, lapsed


# ── finding guards ────────────────────────────────────────────────────────────────────────────


def find_guards(
    trial: Trial,
    found: Sequence[Mutant],
    clauses: Sequence[str],
    progress: Callable[[str, bool], None] = lambda clause, guarded: None,
) -> list[Guard]:
    """Look for a guard of each clause: changes of lines that tests which cover it run, the most special lines first.

    `progress` is told each clause as it is done, and whether it is guarded."""
    every = trial.reach.tests
    sealed = seals(trial.files)
    covering: dict[str, list[int]] = {clause: [] for clause in clauses}
    for number, played in enumerate(every):
        for clause in played.covers if played.passed else ():
            if clause in covering:
                covering[clause].append(number)
    reached = [trial.reach.of_lines(one.key.file, one.line, one.last) or [] for one in found]
    order = sorted(range(len(found)), key=lambda number: len(reached[number]))
    guards: dict[str, Guard] = {}
    tried: dict[int, dict[int, bool]] = {}
    for clause in clauses:
        lines: dict[tuple[str, int], int] = {}
        for number in order if covering[clause] else ():
            if clause in guards or sum(lines.values()) == MOST_TRIED:
                break
            mutant = found[number]
            place = mutant.key.file, mutant.line
            own = [test for test in covering[clause] if test in reached[number]]
            if not own or lines.get(place, 0) == A_LINE:
                continue
            lines[place] = lines.get(place, 0) + 1
            along = [
                test for test in reached[number] if any(_is_open(one, covering, guards) for one in every[test].covers)
            ]
            known = tried.setdefault(number, {})
            fresh = [test for test in dict.fromkeys([*own, *along[:MOST_ALONG]]) if test not in known]
            known.update(trial.noticed(mutant, fresh) if fresh else {})
            for test, looked in known.items():
                proof = every[test].key[0], every[test].title
                for one in every[test].covers if looked else ():
                    if _is_open(one, covering, guards):
                        guards[one] = Guard(one, proof, sealed[proof], mutant.key)
        progress(clause, clause in guards)
    return list(guards.values())


def _is_open(clause: str, covering: Mapping[str, object], guards: Mapping[str, object]) -> bool:
    """Whether a guard of a clause is looked for still."""
    return clause in covering and clause not in guards
