"""Rules catalogs: their rules, the tests that name each, and which are guarded.

A catalog is a Markdown page with numbered sections (``## 5. Board``) and rules as list items. A rule begins with a bold
id (``- **FCB-BOARD-01** …``) and ends in tags (``[engine]``). A ruling below a rule belongs to it.

A rule with several statements has lettered clauses, in bold: ``- **FCB-BOARD-01** **a** One thing; **b** another.``

A table under ``## Proven elsewhere``, in the page or in the README beside it, names tests that are not written in
content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from string import ascii_lowercase
from typing import Any

from fcbdsl.base.records import dataclass

_SECTION = re.compile(r"## (\d+)\.")
_RULE = re.compile(r"- \*\*([A-Z]+(?:-[A-Z0-9]+)+)\b[^*]*\*\*(.*)")
_TAG = re.compile(r"\[([a-z]+)\]")
_LETTER = re.compile(r"\*\*([a-z])\*\*")
_ELSEWHERE = re.compile(r"^\| *([A-Z]+(?:-[A-Z0-9]+)+[a-z]?) *\|[^|]*\|([^|]*)\|", re.MULTILINE)
_PROOF = re.compile(r"`([^`]+\.py)(?:::(\w+))?`")


class BadCatalogue(Exception):
    """A catalog can't be read; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class CatalogueRule:
    """A rule: its id, the number of its section, its tags, and the letters of its clauses (none: it is one clause)."""

    id: str
    section: int
    tags: tuple[str, ...]
    letters: tuple[str, ...] = ()

    @property
    def area(self) -> str:
        """Return the words between the game's prefix and the number: ``KW-NUDGE`` of ``GAME-KW-NUDGE-01``."""
        return "-".join(self.id.split("-")[1:-1])

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return the ids of the rule's clauses; a rule without letters is one clause."""
        return tuple(f"{self.id}{letter}" for letter in self.letters) or (self.id,)


@dataclass(frozen=True, slots=True)
class OutsideTest:
    """A test that is not written in content: its file, and its name (empty: all of the file)."""

    path: str
    name: str


@dataclass(slots=True)
class Coverage:
    """The engine's rules of a catalog, in order, and the passing tests that name each.

    `tests`: by the id of a rule or clause. `guarded`: clauses for which some change of the content makes only tests of
    their rule fail, by an expectation. `elsewhere`: clauses that tests outside of the content prove.
    """

    rules: list[CatalogueRule]
    tests: dict[str, list[str]] = field(default_factory=dict)
    guarded: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    unknown: list[str] = field(default_factory=list)
    """Ids that tests name and that the catalog does not contain."""
    printed: dict[str, bool] = field(default_factory=dict)
    """Rules of print, and whether tests prove each; these tests are not part of the content."""

    @property
    def unproven(self) -> list[str]:
        """Return the rules that no passing test names completely, here or elsewhere, in the order of the catalog."""
        return [rule.id for rule in self.rules if not self.is_named(rule)]

    @property
    def unprinted(self) -> list[str]:
        """Return the rules of print that no test proves, in the order of the catalog."""
        return [id for id, proven in self.printed.items() if not proven]

    @property
    def unguarded(self) -> list[str]:
        """Return the clauses that are neither guarded nor proven elsewhere, in the order of the catalog."""
        proven = self.guarded | self.elsewhere
        return [clause for rule in self.rules for clause in rule.clauses if clause not in proven]

    def is_clause_tested(self, clause: str) -> bool:
        """Return whether a passing test of the content names a clause, or its whole rule."""
        return clause in self.tests or clause.rstrip(ascii_lowercase) in self.tests

    def is_named(self, rule: CatalogueRule) -> bool:
        """Return whether passing tests name a rule, or each of its clauses is named or proven outside of content
        tests."""
        return rule.id in self.tests or all(clause in self.tests or clause in self.elsewhere for clause in rule.clauses)

    def is_tested(self, rule: CatalogueRule) -> bool:
        """Return whether passing tests of the content name a rule, or each of its clauses."""
        return rule.id in self.tests or all(clause in self.tests for clause in rule.clauses)

    def is_guarded(self, rule: CatalogueRule) -> bool:
        """Return whether each clause of a rule is guarded or proven elsewhere, and at least one is not proven
        elsewhere."""
        proven = self.guarded | self.elsewhere
        return proven.issuperset(rule.clauses) and not self.is_elsewhere(rule)

    def is_elsewhere(self, rule: CatalogueRule) -> bool:
        """Return whether every clause of a rule is proven elsewhere."""
        return self.elsewhere.issuperset(rule.clauses)

    def areas(self) -> dict[str, tuple[int, int, int, int]]:
        """Return for each area, in the order of the catalog: its rules, those that are named, guarded, and proven
        elsewhere."""
        out: dict[str, tuple[int, int, int, int]] = {}
        for rule in self.rules:
            rules, named, guarded, elsewhere = out.get(rule.area, (0, 0, 0, 0))
            out[rule.area] = (
                rules + 1,
                named + self.is_named(rule),
                guarded + self.is_guarded(rule),
                elsewhere + self.is_elsewhere(rule),
            )
        return out

    def to_record(self, catalogue: str) -> dict[str, Any]:
        """Return the coverage as plain data for tools; `catalogue` is its name in reports. `proven` counts the rules
        that passing tests name, here or elsewhere."""
        areas = {
            area: {"engine": rules, "proven": named, "guarded": guarded, "elsewhere": elsewhere}
            for area, (rules, named, guarded, elsewhere) in self.areas().items()
        }
        return {
            "catalogue": catalogue,
            "engine": len(self.rules),
            "proven": len(self.rules) - len(self.unproven),
            "guarded": sum(self.is_guarded(rule) for rule in self.rules),
            "elsewhere": sum(self.is_elsewhere(rule) for rule in self.rules),
            "printed": {"rules": len(self.printed), "elsewhere": sum(self.printed.values())},
            "areas": areas,
            "unproven": self.unproven,
            "unguarded": self.unguarded,
            "unprinted": self.unprinted,
            "tests": self.tests,
        }


def read_catalogue(text: str) -> list[CatalogueRule]:
    """Return the rules of a catalogue in order. Raise BadCatalogue if letters of clauses are not in order."""
    rules: list[CatalogueRule] = []
    letters: list[list[str]] = []
    section = 0
    for line in text.splitlines():
        if heading := _SECTION.match(line):
            section = int(heading[1])
        elif rule := _RULE.match(line):
            rules.append(CatalogueRule(rule[1], section, tuple(_TAG.findall(rule[2]))))
            letters.append(_LETTER.findall(rule[2]))
        elif line.startswith(" ") and rules:
            letters[-1] += _LETTER.findall(line)
    out: list[CatalogueRule] = []
    for bare, clause_letters in zip(rules, letters, strict=True):
        if clause_letters != list(ascii_lowercase[: len(clause_letters)]):
            raise BadCatalogue(
                f"{bare.id} has the clauses {', '.join(clause_letters)}: letters begin with a and leave none out"
            )
        out.append(CatalogueRule(bare.id, bare.section, bare.tags, tuple(clause_letters)))
    return out


def read_elsewhere(text: str) -> dict[str, list[OutsideTest]]:
    """Return the entries of the table `Proven elsewhere`: rules or clauses, with the tests that prove each."""
    start = text.find("## Proven elsewhere")
    if start < 0:
        return {}
    end = text.find("\n## ", start)
    rows = _ELSEWHERE.findall(text[start : end if end >= 0 else len(text)])
    return {id: [OutsideTest(path, name) for path, name in _PROOF.findall(proofs)] for id, proofs in rows}


def coverage(
    rules: Iterable[CatalogueRule],
    sections: range,
    passed: Iterable[tuple[str, Iterable[str]]],
    guarded: Iterable[str] = (),
    elsewhere: Mapping[str, object] | None = None,
) -> Coverage:
    """Match the [engine] rules of some sections with passing tests, and the [print] rules with their proofs elsewhere.

    `passed`: pairs of a title and the ids that it names; `guarded`: the guarded clauses; `elsewhere`: rules and clauses
    that other tests prove.
    """
    every = {rule.id: rule for rule in rules}
    wanted = [rule for rule in every.values() if "engine" in rule.tags and rule.section in sections]
    ids = {id: None for rule in wanted for id in (rule.id, *rule.clauses)}
    ids_known = {id: None for rule in every.values() for id in (rule.id, *rule.clauses)}
    others = elsewhere or {}
    coverage = Coverage(wanted)
    for rule in every.values():
        if "print" in rule.tags and "engine" not in rule.tags and rule.section in sections:
            coverage.printed[rule.id] = all(clause in (elsewhere or {}) for clause in rule.clauses)
    for title, covers in passed:
        for id in covers:
            if id in ids:
                coverage.tests.setdefault(id, []).append(title)
            elif id not in ids_known and id not in coverage.unknown:
                coverage.unknown.append(id)
    coverage.unknown += [id for id in others if id not in ids_known and id not in coverage.unknown]
    coverage.tests = {id: coverage.tests[id] for id in ids_known if id in coverage.tests}
    clauses = [clause for rule in wanted for clause in rule.clauses]
    coverage.guarded = frozenset(clauses).intersection(guarded)
    coverage.elsewhere = frozenset(
        clause for rule in wanted for clause in rule.clauses if clause in others or rule.id in others
    )
    return coverage
