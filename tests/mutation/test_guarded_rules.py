"""A clause of a rule is guarded when a test that covers it notices a change of the content by an expectation."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Shell
from mutation.yard import SYSTEM, TESTS, yard

from fcbdsl.tools.mutation.mutants import Key, Mutant
from fcbdsl.tools.mutation.trial import Trial

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
    data: dict[str, Any] = json.loads(shell.fcb("rules", "--coverage", "--json").out)
    return data


def test_tested_rule_is_guarded_only_after_noticed_change(project: Path, shell: Shell) -> None:
    report = covered(shell)
    assert (report["engine"], report["proven"], report["guarded"], report["elsewhere"]) == (4, 4, 0, 1)
    assert report["unguarded"] == ["YARD-PURR-01a", "YARD-PURR-01b", "YARD-TOSS-01", "YARD-NAP-01"]


@pytest.mark.long
def test_only_failing_expectations_guard(project: Path, shell: Shell) -> None:
    mutated = json.loads(shell.fcb("mutate", "--guards", "--json").out)
    assert mutated == {"clauses": 4, "held": 0, "found": 2, "unguarded": ["YARD-PURR-01a", "YARD-NAP-01"]}
    report = covered(shell)
    assert report["unguarded"] == ["YARD-PURR-01a", "YARD-NAP-01"]
    assert (report["guarded"], report["lapsed"]) == (1, [])
    rows = json.loads((project / "mutation" / "guards.json").read_text(encoding="utf-8"))
    assert [(row["rule"], row["test"], row["title"]) for row in rows] == [
        ("YARD-PURR-01b", "tests/yard.fcb", "A purr strokes the other cat"),
        ("YARD-TOSS-01", "tests/yard.fcb", "Who tosses a tail gets wet"),
    ]
    again = json.loads(shell.fcb("mutate", "--guards", "--json").out)
    assert (again["held"], again["found"]) == (2, 0)
    assert json.loads((project / "mutation" / "guards.json").read_text(encoding="utf-8")) == rows


CALM = """
test "A tired cat is left alone" covers YARD-CALM-01:
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given tom#1 at A1
  given Wet on tom#1
  do stroke tom#1
  expect tom#1's energy = 3
"""
FRESH = """
test "A cat begins with 3 energy" covers YARD-FRESH-01:
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given tom#1 at A1
  expect tom#1's energy = 3
"""
TOSS = """
test "It is the coin that is tossed" covers YARD-COIN-02:
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given tom#1 at A1
  dice: coin tail
  play tom#1 tosses
"""
WRONG = """
test "A cat begins with 4 energy" covers YARD-FRESH-01:
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given tom#1 at A1
  expect tom#1's energy = 4
"""


@pytest.mark.parametrize(
    ("test", "line", "operator"),
    [
        (TOSS, "roll coin:", "value"),
        (CALM, "if target is tired: stop", "branch"),
        (FRESH, "stat energy: number 0.., starts 3", "number"),
    ],
    ids=["a die has a name", "the code stands where the relation does", "the line is no code"],
)
def test_test_guards_a_clause(project: Path, shell: Shell, test: str, line: str, operator: str) -> None:
    rule = test.split("covers ")[1].split(":")[0]
    (project / "tests" / "yard.fcb").write_text("use yard\n" + test, encoding="utf-8")
    (project / "rules.md").write_text(f"# The Yard\n\n## 1. Cats\n- **{rule}** So it is. [engine]\n", encoding="utf-8")
    system = project / "systems" / "yard.fcb"
    less = SYSTEM.replace("if target is tired or weather is rainy: stop", "if target is tired: stop")
    system.write_text(less.replace("cat with Wet has at most 2 energy", "cat with Wet has at most 5 energy"), "utf-8")
    data = json.loads(shell.fcb("mutate", system, "--operator", operator, "--guards", "--json").out)
    assert data == {"clauses": 1, "held": 0, "found": 1, "unguarded": []}
    rows = json.loads((project / "mutation" / "guards.json").read_text(encoding="utf-8"))
    assert [row["text"] for row in rows] == [line]


def test_failing_test_guards_nothing(project: Path, shell: Shell) -> None:
    (project / "tests" / "yard.fcb").write_text("use yard\n" + FRESH + WRONG, encoding="utf-8")
    (project / "rules.md").write_text(
        "# Yard\n\n## 1. Cats\n- **YARD-FRESH-01** So it is. [engine]\n", encoding="utf-8"
    )
    shell.fcb("mutate", "--guards")
    rows = json.loads((project / "mutation" / "guards.json").read_text(encoding="utf-8"))
    assert [row["title"] for row in rows] == ["A cat begins with 3 energy"]


@pytest.mark.long
def test_guard_lapses_with_its_test_or_line(project: Path, shell: Shell) -> None:
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
    assert (done.code, "No longer guarded: YARD-PURR-01b" in done.out) == (0, True)


@pytest.mark.long
def test_guard_survives_changed_comments_and_other_rules(project: Path, shell: Shell) -> None:
    shell.fcb("mutate", "--guards")
    tests = project / "tests" / "yard.fcb"
    proofs = (PURR + EMPTY).replace("covers YARD-TOSS-01:", "covers YARD-NAP-01, YARD-TOSS-01:")
    proofs = proofs.replace("  expect tom#1 is Wet", "  # a tail in the pond\n  expect tom#1 is Wet   # of course")
    assert proofs.count("YARD-NAP-01, YARD-TOSS-01") == proofs.count("# of course") == 1
    tests.write_text(proofs, encoding="utf-8")
    assert covered(shell)["lapsed"] == []


@pytest.mark.long
def test_lapsed_guard_is_retried_first(project: Path, shell: Shell) -> None:
    shell.fcb("mutate", "--guards")
    guards, tests = project / "mutation" / "guards.json", project / "tests" / "yard.fcb"
    rows = json.loads(guards.read_text(encoding="utf-8"))
    other = {**rows[0], "of": "action purr", "text": "stroke friend 2", "which": 1, "change": "`2` → `3`"}
    assert rows[0]["rule"] == "YARD-PURR-01b"
    assert rows[0] != other
    guards.write_text(json.dumps([other, *rows[1:]]), encoding="utf-8")
    more = "  expect tom#2's energy = 5\n  expect tom#2 is on B1\n"
    tests.write_text((PURR + EMPTY).replace("  expect tom#2's energy = 5\n", more), encoding="utf-8")
    assert covered(shell)["lapsed"] == ["YARD-PURR-01b (the test has changed)"]
    data = json.loads(shell.fcb("mutate", "--guards", "--json").out)
    assert (data["held"], data["found"]) == (1, 1)
    again = json.loads(guards.read_text(encoding="utf-8"))
    assert {**again[0], "seal": ""} == {**other, "seal": ""}


@pytest.fixture
def deaf() -> Iterator[None]:
    """Start a process that ignores requests to terminate; only the command may receive them."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield
    assert signal.signal(signal.SIGTERM, before) is signal.SIG_IGN


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("interruption", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_interrupted_search_keeps_guards(
    project: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch, interruption: signal.Signals
) -> None:
    real, noticed = Trial.noticing, list[bool]()

    def noticing(self: Trial, mutant: Mutant, tests: Iterable[int]) -> Iterator[tuple[int, bool]]:
        if any(noticed):
            signal.raise_signal(interruption)
        for test, looked in real(self, mutant, tests):
            noticed.append(looked)
            yield test, looked

    monkeypatch.setattr(Trial, "noticing", noticing)
    done = shell.fcb("mutate", "--guards")
    assert (done.code, "Stopped." in done.err) == (2, True)
    rows = json.loads((project / "mutation" / "guards.json").read_text(encoding="utf-8"))
    assert [row["rule"] for row in rows] == ["YARD-TOSS-01"]


def test_refused_mutant_is_not_tried_again(project: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Key] = []

    def noticing(self: Trial, mutant: Mutant, tests: Iterable[int]) -> Iterator[tuple[int, bool]]:
        tried.append(mutant.key)
        return iter(())

    monkeypatch.setattr(Trial, "noticing", noticing)
    shell.fcb("mutate", "--guards")
    assert len(tried) > 40
    assert len(set(tried)) == len(tried)


@pytest.mark.long
def test_report_separates_tested_and_guarded(project: Path, shell: Shell) -> None:
    shell.fcb("mutate", "--guards")
    done = shell.fcb("rules", "--coverage")
    assert done.code == 0
    assert done.out.splitlines()[0].split() == ["area", "rules", "tested", "guarded", "elsewhere"]
    assert "all       4       4        1          1" in done.out
    assert "Tested, not guarded: YARD-PURR-01a, YARD-NAP-01" in done.out
    assert shell.fcb("rules", "--guarded").code == 1


def test_proof_elsewhere_must_exist(project: Path, shell: Shell) -> None:
    (project / "proofs" / "test_coins.py").write_text("def test_another() -> None: ...\n", encoding="utf-8")
    done = shell.fcb("rules", "--coverage")
    assert done.code == 1
    assert "Proven elsewhere by a test that does not exist: YARD-COIN-01" in done.out


def test_unreadable_guards_are_reported(project: Path, shell: Shell) -> None:
    (project / "mutation").mkdir()
    (project / "mutation" / "guards.json").write_text("[{}]", encoding="utf-8")
    done = shell.fcb("rules", "--coverage")
    assert (done.code, "guards.json can't be read" in done.err) == (1, True)


BOTH = """
test "A purr is a purr" covers YARD-SIDE-01:
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given tom#1 at A1
  given tom#2 at B1
  play tom#1 purrs
  expect tom#2's energy = 5
"""


def _look_for(project: Path, shell: Shell, tests: str, rules: str) -> list[str]:
    """Return the guarded clauses of a yard with these tests and rules."""
    (project / "tests" / "yard.fcb").write_text("use yard\n" + tests, encoding="utf-8")
    (project / "rules.md").write_text(f"# The Yard\n\n## 1. Cats\n{rules}", encoding="utf-8")
    shell.fcb("mutate", "systems", "--operator", "statement", "--guards", "--json")
    rows = json.loads((project / "mutation" / "guards.json").read_text(encoding="utf-8"))
    return [row["rule"] for row in rows]


def test_mutant_that_breaks_other_rule_guards_nothing(project: Path, shell: Shell) -> None:
    rules = "- **YARD-SIDE-01** It strokes. [engine]\n"
    other = BOTH.replace("YARD-SIDE-01", "YARD-ELSE-01").replace("A purr is", "Another purr is")
    assert _look_for(project, shell, BOTH, rules) == ["YARD-SIDE-01"]
    (project / "mutation" / "guards.json").unlink()
    both = f"{rules}- **YARD-ELSE-01** It strokes, too. [engine]\n"
    assert _look_for(project, shell, BOTH + other, both) == []


AND = "- **YARD-SIDE-01** **a** It strokes, **b** and stays. [engine]\n"


def test_mutant_that_may_break_either_clause_guards_nothing(project: Path, shell: Shell) -> None:
    tests = BOTH.replace("YARD-SIDE-01", "YARD-SIDE-01a, YARD-SIDE-01b")
    assert _look_for(project, shell, tests, AND) == []


def test_clause_in_common_of_failing_tests_is_guarded(project: Path, shell: Shell) -> None:
    tests = BOTH.replace("YARD-SIDE-01", "YARD-SIDE-01a, YARD-SIDE-01b")
    other = BOTH.replace("YARD-SIDE-01", "YARD-SIDE-01a").replace("A purr is", "Another purr is")
    assert _look_for(project, shell, tests + other, AND) == ["YARD-SIDE-01a"]


def test_guard_of_older_fcb_lapses_unless_read(project: Path, shell: Shell) -> None:
    _look_for(project, shell, BOTH, "- **YARD-SIDE-01** It strokes. [engine]\n")
    path = project / "mutation" / "guards.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps([{**row, "failing": 0} for row in rows]), encoding="utf-8")
    report = covered(shell)
    assert (report["guarded"], report["unguarded"]) == (0, ["YARD-SIDE-01"])
    assert report["lapsed"] == ["YARD-SIDE-01 (an older fcb did not look which other tests fail)"]
    path.write_text(json.dumps([{**row, "failing": 2, "only": False} for row in rows]), encoding="utf-8")
    assert covered(shell)["lapsed"] == ["YARD-SIDE-01 (its change may break another clause)"]
    path.write_text(json.dumps([{**row, "failing": 2, "only": False, "read": True} for row in rows]), encoding="utf-8")
    assert covered(shell)["guarded"] == 1  # an author has read it
