"""Rules catalogues: which rules there are, and which of them a passing test proves.

A catalogue is a Markdown page with numbered sections (``## 5. Board``) and rules as list items that begin with a bold
id (``- **FCB-BOARD-01** …``) and end in tags (``[engine]``). A ruling below a rule belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

_SECTION = re.compile(r"## (\d+)\.")
_RULE = re.compile(r"- \*\*([A-Z]+(?:-[A-Z0-9]+)+)\b[^*]*\*\*(.*)")
_TAG = re.compile(r"\[([a-z]+)\]")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its id, the number of its section, and its tags."""

    id: str
    section: int
    tags: tuple[str, ...]

    @property
    def area(self) -> str:
        """What stands between the game's prefix and the number: ``KW-NUDGE`` of ``GAME-KW-NUDGE-01``."""
        return "-".join(self.id.split("-")[1:-1])


@dataclass(slots=True)
class Coverage:
    """The engine's rules of a catalogue, in order, and the passing tests that name each."""

    rules: list[Rule]
    tests: dict[str, list[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    """Ids that tests name and the catalogue does not have."""

    @property
    def unproven(self) -> list[str]:
        """Rules without a passing test, in the order of the catalogue."""
        return [rule.id for rule in self.rules if rule.id not in self.tests]

    def areas(self) -> dict[str, tuple[int, int]]:
        """Rules and proven rules by area, in the order of the catalogue."""
        out: dict[str, tuple[int, int]] = {}
        for rule in self.rules:
            rules, proven = out.get(rule.area, (0, 0))
            out[rule.area] = rules + 1, proven + (rule.id in self.tests)
        return out

    def to_record(self, catalogue: str) -> dict[str, Any]:
        """Return the coverage as plain data for tools; `catalogue` is the name it is shown by."""
        return {
            "catalogue": catalogue,
            "engine": len(self.rules),
            "proven": len(self.rules) - len(self.unproven),
            "areas": {area: {"engine": rules, "proven": proven} for area, (rules, proven) in self.areas().items()},
            "unproven": self.unproven,
            "tests": self.tests,
        }


def read_catalogue(text: str) -> list[Rule]:
    """Return the rules of a catalogue in order."""
    rules: list[Rule] = []
    section = 0
    for line in text.splitlines():
        if heading := _SECTION.match(line):
            section = int(heading[1])
        elif rule := _RULE.match(line):
            rules.append(Rule(rule[1], section, tuple(_TAG.findall(rule[2]))))
    return rules


def coverage(rules: Iterable[Rule], sections: range, passed: Iterable[tuple[str, Iterable[str]]]) -> Coverage:
    """Match the [engine] rules of some sections with passing tests: pairs of a title and the ids it proves."""
    every = {rule.id: rule for rule in rules}
    wanted = [rule for rule in every.values() if "engine" in rule.tags and rule.section in sections]
    ids = {rule.id for rule in wanted}
    found = Coverage(wanted)
    for title, covers in passed:
        for id in covers:
            if id in ids:
                found.tests.setdefault(id, []).append(title)
            elif id not in every and id not in found.unknown:
                found.unknown.append(id)
    found.tests = {id: found.tests[id] for id in every if id in found.tests}
    return found
