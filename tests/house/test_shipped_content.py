"""The shipped content keeps what its own tests say: all pass, every rule is proven, every card is played."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fcbdsl.compiler import lower
from fcbdsl.project import check_project
from fcbdsl.sim.catalogue import coverage, read_catalogue
from fcbdsl.sim.content_tests import Result, run_test
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.program import Code, Program
from fcbdsl.vm.world import Frame

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
ELSEWHERE = re.compile(
    r"test |measure |mission .*, progress|weapon .*, firearm|invariant |prospect |location |envelope |dilemma |"
    r"(flow|journey|outlook)$|action .*, (requirement \d+|can begin)$"
)
"""Names of codes: of bots (measures, progress, outlook), of soaks (invariants), of campaigns; of what a failing test
says about an action that was not on offer."""


class Watched(Machine):
    """A machine that notes the codes it runs."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.ran: set[int] = set()

    def frame(self, code: int, r: list[int], s: list[tuple[int, ...]], out: int) -> Frame:
        self.ran.add(code)
        return super().frame(code, r, s, out)


@dataclass(frozen=True, slots=True)
class Played:
    """What came of all content tests, and the names of the codes that ran."""

    program: Program
    results: list[Result]
    ran: frozenset[int]


@cache
def played() -> Played:
    """All content tests of the shipped game, played."""
    model, problems = check_project([ROOT / "cards", ROOT / "missions", ROOT / "tests" / "cases" / "play"])
    assert not [problem for problem in problems if problem.severity == "error"]
    machine = Watched(lower(model, tests=True))
    results = [run_test(machine, number) for number in range(len(machine.program.tests))]
    return Played(machine.program, results, frozenset(machine.ran))


def shipped(program: Program, code: Code) -> bool:
    """Whether a code is of the game, not of a test."""
    return "tests" not in Path(program.files[program.spans[code.spans[0]].file]).parts


def test_every_content_test_passes() -> None:
    failed = [f"{one.title}: {one.failure.expected}; {one.failure.seen}" for one in played().results if one.failure]
    assert failed == []


def test_every_rule_is_proven_or_its_reason_is_given() -> None:
    catalogue = read_catalogue((RULES / "far-cry-beyond.md").read_text(encoding="utf-8"))
    proof = [(one.title, one.covers) for one in played().results if one.failure is None]
    found = coverage(catalogue, range(2, 30), proof)
    reasons = (RULES / "README.md").read_text(encoding="utf-8")
    assert [rule for rule in found.unproven if f"| {rule} |" not in reasons] == []
    assert found.unknown == []


def test_all_that_content_does_is_done_in_some_test() -> None:
    """Each effect, listener, ability and line of behaviour has run. What only bots, campaigns and soaks ask for is
    tested with them."""
    program, ran = played().program, played().ran
    own = [
        number for number, code in enumerate(program.codes) if not ELSEWHERE.match(code.name) and shipped(program, code)
    ]
    assert [program.codes[number].name for number in own if number not in ran] == []
