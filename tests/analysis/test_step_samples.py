"""A check in which no test runs verifies a sample of the steps of tests, and finds what it finds in all steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import games
import pytest

from fcbdsl.base.diagnostics.files import RefusedProgram
from fcbdsl.language.compiler import BothLowerings
from fcbdsl.language.compiler.assembler import MOST_CONSTANTS
from fcbdsl.language.compiler.step_samples import StepSamples, sample_steps
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Step
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.ops import OPS
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.verify import codes
from fcbdsl.project.analysis import analysis_of, no_test
from fcbdsl.project.analysis.pipeline import every_test
from fcbdsl.project.project import load_project

GAME = "fireteam-zero"


def ops_of_codes(program: Program) -> set[str]:
    """Return the names of the ops of all codes."""
    out = set[str]()
    for code in program.codes:
        at = 0
        while at < len(code.ints):
            op = OPS[program.ops[code.ints[at]]]
            out.add(op.name)
            at += 1 + len(op.operands)
    return out


def codes_of_steps(program: Program) -> dict[int, list[list[int]]]:
    """Return the numbers of the codes that each step runs, for each test."""
    return {
        number: [
            [code for code in (step.code, step.who, *(read.code for read in step.reads)) if code >= 0]
            for step in test.steps
        ]
        for number, test in enumerate(program.tests)
    }


def shared_codes(program: Program) -> set[str]:
    """Return the names of all codes that belong to no step."""
    return {code.name for code in program.codes if not code.name.startswith("test ")}


def test_sample_contains_each_construct() -> None:
    both = BothLowerings(games.model(GAME, tests=True))
    few, whole = both.with_sample_steps(), both.tested()
    assert ops_of_codes(few) == ops_of_codes(whole)
    assert shared_codes(few) == shared_codes(whole)
    assert len(few.codes) < 0.5 * len(whole.codes)


@pytest.mark.parametrize("game", games.first_few(games.SMALLEST_FIRST, 2))
def test_sample_contains_each_map_mission_and_setting(game: str) -> None:
    both = BothLowerings(games.model(game, tests=True))
    few, whole = both.with_sample_steps(), both.tested()
    assert len(few.tests) < len(whole.tests)
    assert {*few.boards} == {*whole.boards}
    rows = [{(test.mission, test.players, test.overrides, test.board < 0) for test in of.tests} for of in (few, whole)]
    assert rows[0] == rows[1]


def test_sample_contains_each_test_with_an_unfit_title() -> None:
    model = games.model(GAME, tests=True)
    first = model.tests[0]
    empty = [replace(first, title=title, rows=[]) for title in ("a", "b", "c\nd", "e\nf")]
    assert [test.title for test in sample_steps([*empty, *empty])] == ["a", "c\nd", "e\nf"]


def test_program_with_sample_contains_the_stored_codes() -> None:
    both = BothLowerings(games.model(GAME, tests=True))
    stored, program = both.snapshot().codes, both.with_sample_steps()
    assert len(stored) > len(both.program.codes)  # with the reasons why actions are not available
    assert program.codes[: len(stored)] == stored
    assert both.shared < {*range(len(stored))}


def test_sample_of_sample_is_itself() -> None:
    tests = games.model(GAME, tests=True).tests
    once = sample_steps(tests)
    assert [test.steps for test in sample_steps([*tests, *tests])] == [test.steps for test in once]
    assert [test.steps for test in sample_steps(once)] == [test.steps for test in once]


# ── the bound of registers ──────────────────────────────────────────────────────────────────────


def assert_bound_holds(model: Model) -> None:
    """Assert that no step of a model's tests has a code with more registers than its bound."""
    program, samples = BothLowerings(model).tested(), StepSamples()
    numbers = codes_of_steps(program)
    for number, test in enumerate(model.tests):
        for step, own in zip(test.steps, numbers[number], strict=True):
            bound = samples.registers(step)
            for code in (program.codes[code] for code in own):
                assert max(code.n_r, code.n_s) <= bound
                assert max(code.n_r - len(code.constants), code.n_s) <= bound - MOST_CONSTANTS, code.name


@pytest.mark.parametrize("game", games.first_few(games.SMALLEST_FIRST, 2))
def test_bound_holds_for_shipped_steps(game: str) -> None:
    assert_bound_holds(games.model(game, tests=True))


def bodies(model: Model) -> Iterator[ir.Body]:
    """Yield the effects of a game, except those that belong to a relation or measure, or leave a loop around them."""
    yield from (form.body for form in model.forms if form.body is not None and form.sort in ("verb", "keyword"))
    yield from (action.body for action in model.actions.values())
    for definition in model.definitions.values():
        yield from (value.body for value in definition.values.values() if value.body is not None)


@pytest.mark.parametrize("game", games.first_few(games.SMALLEST_FIRST, 2))
def test_bound_holds_for_effects_as_steps(game: str) -> None:
    model = games.model(game, tests=True)
    mission = next(test for test in model.tests if test.board is None)
    effects = [body for body in bodies(model) if not any(isinstance(node, ir.Answer) for node in ir.walk(body))]
    steps = [Step("do", body.statements[0].span, body=body) for body in effects if body.statements]
    assert len(steps) > 20
    assert_bound_holds(replace(model, tests=[replace(mission, rows=[(step, 0) for step in steps])]))


def combined(conditions: list[ir.Expr], random: Random, depth: int) -> ir.Expr:
    """Return a random condition with many parts."""
    condition = random.choice(conditions)
    if not depth:
        return condition
    if random.random() < 0.2:
        return ir.Not(combined(conditions, random, depth - 1), ir.FLAG, condition.span)
    left, right = (combined(conditions, random, depth - 1) for _ in range(2))
    return ir.Binary(random.choice(("and", "or", "=")), left, right, ir.FLAG, condition.span)


@pytest.mark.parametrize("game", games.first_few(games.SMALLEST_FIRST, 2))
def test_bound_holds_for_generated_steps(game: str) -> None:
    model, random = games.model(game, tests=True), Random(7)
    mission = next(test for test in model.tests if test.board is None and test.mission is not None)
    same = [test for test in model.tests if test.mission == mission.mission and test.board is None]
    steps = [step for test in same for step in test.steps]
    conditions = [step.expr for step in steps if step.sort == "expect" and step.expr is not None]
    generated = [Step("expect", mission.span, expr=combined(conditions, random, n % 6)) for n in range(120)]
    effects = [step.body.statements for step in steps if step.sort == "do" and step.body is not None]
    for n in range(120):
        condition = combined(conditions, random, n % 4)
        ways = [ir.Body(random.choice(effects)) for _ in range(2)]
        generated.append(Step("do", mission.span, body=ir.Body((ir.If(condition, *ways, mission.span),), SLOTS)))
    assert_bound_holds(replace(model, tests=[replace(mission, rows=[(step, 0) for step in generated])]))


SLOTS = (("self", ir.NOTHING), ("this", ir.NOTHING))


# ── findings ─────────────────────────────────────────────────────────────────────────────────────


SYSTEM = """\
system mini "Mini":
  players: 1..2
  board: square
  languages: en
kind game:
  stat pace "pace": number 0.., starts 0
measure depth:
  takes: of N (number)
  gives: number
  value: DEEP
flow:
  repeat:
    pace +1
"""
TESTS = """\
use mini
test "one":
  STEP
  STEP
test "two":
  expect pace is 0
  expect pace is 1
  STEP
"""


def nested(inmost: str, levels: int = 20) -> str:
    """Return an expression whose value needs a register per level."""
    return inmost if not levels else f"(pace {'*+'[levels % 2]} {nested(inmost, levels - 1)})"


def test_findings_are_those_in_all_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"fcb.toml": 'language = 2\nname = "mini"\ntitle = "Mini"\nlanguages = ["en"]\npaths = ["systems"]\n'}
    files |= {"systems/mini.fcb": SYSTEM.replace("DEEP", nested("N"))}
    files |= {"tests/t.fcb": TESTS.replace("STEP", f"expect {nested('depth of depth of depth of depth of pace')} is 1")}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("FCB_CACHE", "")
    alone = analysis_of(load_project(root=tmp_path), needed=no_test)
    assert not alone.problems
    program = alone.program(tests=True)
    simple, large = alone.model.tests[1].steps[1:]
    need = max(code.n_r for code in program.codes)
    assert max(code.n_r for code in alone.program().codes) < need
    assert StepSamples().registers(simple) < need <= StepSamples().registers(large)
    for limit in (need, need - 1):
        monkeypatch.setattr(codes, "MOST_REGISTERS", limit)
        assert [len(test.steps) for test in sample_steps(alone.model.tests)] == [1, 1]
        findings = [
            analysis_of(load_project(root=tmp_path), needed=needed).problems for needed in (no_test, every_test)
        ]
        assert list(map(repr, findings[0])) == list(map(repr, findings[1]))
        lines = (3, 4, 8) if limit < need else ()
        assert [(type(problem), problem.span.line) for problem in findings[0]] == [
            (RefusedProgram, line) for line in lines
        ]
