"""A check in which no test runs verifies each distinct step once, and finds what it finds in all steps."""

from __future__ import annotations

from pathlib import Path

import games
import pytest

from fcbdsl.base.diagnostics.files import RefusedProgram
from fcbdsl.language.compiler import BothLowerings
from fcbdsl.language.compiler.lowering import distinct_steps
from fcbdsl.machine.vm.ops import OPS
from fcbdsl.machine.vm.ops.state import Cell
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.verify import codes
from fcbdsl.project.analysis import analysis_of, no_test
from fcbdsl.project.analysis.pipeline import every_test
from fcbdsl.project.project import load_project

GAME = "fireteam-zero"


def instructions(program: Program, code: int) -> tuple[object, ...]:
    """Return the ops of a code. Numbers of codes, spaces and rows, which depend on the other steps, are resolved."""
    ints, at, out = program.codes[code].ints, 0, list[object]()
    while at < len(ints):
        op = OPS[program.ops[ints[at]]]
        out.append(op.name)
        for operand, value in zip(op.operands, ints[at + 1 :], strict=False):
            match operand.kind:
                case "code":
                    out.append(program.codes[value].name)
                case "args":
                    out.append(program.args[value])
                case "text":
                    out.append(tuple(program.texts[value].items()) if value >= 0 else ())
                case "lasting" | "labels":
                    pass
                case kind if op is not Cell or kind == "r":
                    out.append(value)
        at += 1 + len(op.operands)
    return (program.codes[code].constants, *out)


def codes_of_steps(program: Program) -> list[tuple[object, ...]]:
    """Return the instructions of the codes that steps of tests run."""
    steps = [step for test in program.tests for step in test.steps]
    numbers = [number for step in steps for number in (step.code, step.who, *(read.code for read in step.reads))]
    return [instructions(program, number) for number in numbers if number >= 0]


def test_distinct_steps_have_all_codes_of_tests() -> None:
    both = BothLowerings(games.model(GAME, tests=True))
    few, whole = both.with_distinct_steps(), both.tested()
    assert {repr(code) for code in codes_of_steps(whole)} == {repr(code) for code in codes_of_steps(few)}
    assert len(few.codes) < 0.8 * len(whole.codes)
    assert len(few.tests) == len(whole.tests)


def test_only_equal_steps_are_left_out() -> None:
    tests = games.model(GAME, tests=True).tests
    once = distinct_steps(tests)
    assert [test.steps for test in distinct_steps([*tests, *tests])[: len(tests)]] == [test.steps for test in once]
    assert not any(test.steps for test in distinct_steps([*tests, *tests])[len(tests) :])
    assert [test.steps for test in distinct_steps(once)] == [test.steps for test in once]


SYSTEM = """\
system mini "Mini":
  players: 1..2
  board: square
  languages: en
kind game:
  stat pace "pace": number 0.., starts 0
flow:
  repeat:
    pace +1
"""
STEP = "expect " + " and ".join(f"(pace + {n}) * (pace + {n + 1}) is {n * (n + 1)}" for n in range(4))
TESTS = f"""\
use mini
test "one":
  {STEP}
  {STEP}
test "two":
  expect pace is 0
  {STEP}
"""


def test_findings_are_those_in_all_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"fcb.toml": 'language = 2\nname = "mini"\ntitle = "Mini"\nlanguages = ["en"]\npaths = ["systems"]\n'}
    files |= {"systems/mini.fcb": SYSTEM, "tests/t.fcb": TESTS}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("FCB_CACHE", "")
    alone = analysis_of(load_project(root=tmp_path), needed=no_test)
    assert not alone.problems
    program = alone.program(tests=True)
    simple = program.codes[program.tests[1].steps[0].code]
    monkeypatch.setattr(codes, "MOST_REGISTERS", max(code.n_r for code in (*alone.program().codes, simple)))
    findings = [analysis_of(load_project(root=tmp_path), needed=needed).problems for needed in (no_test, every_test)]
    assert list(map(repr, findings[0])) == list(map(repr, findings[1]))
    assert [(type(problem), problem.span.line) for problem in findings[0]] == [
        (RefusedProgram, line) for line in (3, 4, 7)
    ]
