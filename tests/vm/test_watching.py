"""A watched machine plays the same game, and knows what has run."""

from __future__ import annotations

import pond

from fcbdsl.sim.content_tests import run_test
from fcbdsl.vm.machine import Machine


def test_only_what_runs_is_marked() -> None:
    program = pond.pond()
    machine = Machine(program)
    marks = machine.watch()
    lines = {}
    for number, test in enumerate(program.tests):
        marks[:] = bytes(len(marks))
        assert run_test(machine, number, once=True) == run_test(Machine(program), number, once=True)
        ran = {program.spans[span].line for span, mark in enumerate(marks) if mark}
        lines[test.title] = ran
    system = (pond.POND / "systems" / "pond.fcb").read_text(encoding="utf-8").splitlines()
    hop, dare = system.index("    place self on spot") + 1, system.index("    roll breeze:") + 1
    assert hop in lines["A hop costs energy"] - lines["The breeze wets"]
    assert dare in lines["The breeze wets"] - lines["A hop costs energy"]
