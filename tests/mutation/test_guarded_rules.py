"""A clause of a rule is guarded when a test that covers it notices a change of the content by an expectation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Shell
from mutation.yard import SYSTEM, TESTS, yard

RULES = """# The Yard

## 1. Cats
- **YARD-PURR-01** **a** A purr costs 1 energy; **b** it strokes the other cat. [engine]
- **YARD-TOSS-01** A tail makes wet. [engine]
- **YARD-NAP-01** A nap doubles the score. [engine]
- **YARD-COIN-01** Coins fall by lot. [engine]

## Proven elsewhere
| rule | why | proven by |
|---|---|---|
| YARD-COIN-01 | Tests hand the faces in | `proofs/test_coins.py::test_coins_fall` |
"""

PURR = TESTS.replace("covers YARD-PURR-01", "covers YARD-PURR-01b")
EMPTY = """
test "A nap doubles the score, says its title" covers YARD-NAP-01, YARD-PURR-01a:
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given tom#1 at A1
  given tom#2 at B1
  play tom#1 purrs
  expect tom#1 is on A1
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = yard(tmp_path, tests=PURR + EMPTY)
    (root / "rules.md").write_text(RULES, encoding="utf-8")
    (root / "proofs").mkdir()
    (root / "proofs" / "test_coins.py").write_text("def test_coins_fall() -> None: ...\n", encoding="utf-8")
    with (root / "fcb.toml").open("a", encoding="utf-8") as settings:
        settings.write('rules = "rules.md"\n')
    return root


def covered(shell: Shell) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shell.fcb("rules", "--coverage", "--json").out)
    return found


def test_what_is_named_is_not_guarded_until_a_change_was_noticed(project: Path, shell: Shell) -> None:
    found = covered(shell)
    assert (found["engine"], found["proven"], found["guarded"], found["elsewhere"]) == (4, 4, 0, 1)
    assert found["unguarded"] == ["YARD-PURR-01a", "YARD-PURR-01b", "YARD-TOSS-01", "YARD-NAP-01"]


def test_expectations_that_see_a_change_guard_and_empty_ones_do_not(project: Path, shell: Shell) -> None:
    told = json.loads(shell.fcb("mutate", "--guards", "--json").out)
    assert told == {"clauses": 5, "held": 0, "found": 2, "unguarded": ["YARD-PURR-01a", "YARD-NAP-01", "YARD-COIN-01"]}
    found = covered(shell)
    assert found["unguarded"] == ["YARD-PURR-01a", "YARD-NAP-01"]
    assert (found["guarded"], found["lapsed"]) == (1, [])
    rows = json.loads((project / "mutation" / "guards.json").read_text(encoding="utf-8"))
    assert [(row["rule"], row["test"], row["title"]) for row in rows] == [
        ("YARD-PURR-01b", "tests/yard.fcb", "A purr strokes the other cat"),
        ("YARD-TOSS-01", "tests/yard.fcb", "Who tosses a tail gets wet"),
    ]
    again = json.loads(shell.fcb("mutate", "--guards", "--json").out)
    assert (again["held"], again["found"]) == (2, 0)
    assert json.loads((project / "mutation" / "guards.json").read_text(encoding="utf-8")) == rows


def test_a_guard_lapses_with_its_test_or_its_line(project: Path, shell: Shell) -> None:
    shell.fcb("mutate", "--guards")
    tests, system = project / "tests" / "yard.fcb", project / "systems" / "yard.fcb"
    more = (PURR + EMPTY).replace("  expect tom#1 is Wet", "  expect tom#1 is Wet\n  expect tom#1 is on A1")
    tests.write_text(more, encoding="utf-8")
    assert covered(shell)["lapsed"] == ["YARD-TOSS-01 (the test has changed)"]
    tests.write_text(PURR + EMPTY, encoding="utf-8")
    line = "let best = highest of 1, times"
    assert f'"text": "{line}"' in (project / "mutation" / "guards.json").read_text(encoding="utf-8")
    system.write_text(SYSTEM.replace(line, f"{line}  # as ever"), encoding="utf-8")
    assert covered(shell)["lapsed"] == []
    system.write_text(SYSTEM.replace(line, "let best = highest of times, 1"), encoding="utf-8")
    assert covered(shell)["lapsed"] == ["YARD-PURR-01b (the line has changed)"]
    done = shell.fcb("rules", "--coverage")
    assert (done.code, "Not guarded any more: YARD-PURR-01b" in done.out) == (0, True)


def test_the_report_tells_named_from_guarded(project: Path, shell: Shell) -> None:
    shell.fcb("mutate", "--guards")
    done = shell.fcb("rules", "--coverage")
    assert done.code == 0
    assert done.out.splitlines()[0].split() == ["area", "rules", "named", "guarded", "elsewhere"]
    assert "all       4      4        1          1" in done.out
    assert "Named, not guarded: YARD-PURR-01a, YARD-NAP-01" in done.out
    assert shell.fcb("rules", "--guarded").code == 1


def test_a_proof_elsewhere_must_be_there(project: Path, shell: Shell) -> None:
    (project / "proofs" / "test_coins.py").write_text("def test_another() -> None: ...\n", encoding="utf-8")
    done = shell.fcb("rules", "--coverage")
    assert done.code == 1
    assert "Proven elsewhere by a test that is not there: YARD-COIN-01" in done.out


def test_guards_that_cannot_be_read_are_told(project: Path, shell: Shell) -> None:
    (project / "mutation").mkdir()
    (project / "mutation" / "guards.json").write_text("[{}]", encoding="utf-8")
    done = shell.fcb("rules", "--coverage")
    assert (done.code, "guards.json can't be read" in done.err) == (1, True)
