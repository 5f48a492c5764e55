"""Tracing changes no game, and reports the ops that have run."""

from __future__ import annotations

import pond_game

from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op_tracing import Marks
from fcbdsl.play.testing.content_tests import run_test


def test_only_executed_code_is_marked() -> None:
    program = pond_game.pond()
    marks = Marks(program)
    image = Image(program, marks)
    lines = {}
    places = {
        first + at: program.spans[span].line
        for code, first in zip(program.codes, marks.first, strict=True)
        for at, span in enumerate(code.spans)
    }
    for number, test in enumerate(program.tests):
        marks.clear()
        assert run_test(image, number, once=True) == run_test(Image(program), number, once=True)
        lines[test.title] = {places[place] for place in marks.ran()}
    system = (pond_game.POND / "systems" / "pond.fcb").read_text(encoding="utf-8").splitlines()
    hop, dare = system.index("    place self on spot") + 1, system.index("    roll breeze:") + 1
    assert hop in lines["A hop costs energy"] - lines["The breeze wets"]
    assert dare in lines["The breeze wets"] - lines["A hop costs energy"]


def test_image_records_executed_codes() -> None:
    program = pond_game.pond()
    image = Image(program)
    assert image.ran() == []
    run_test(image, 0)
    first = image.ran()
    run_test(image, 1)
    names = [program.codes[number].name for number in sorted(set(image.ran()) - set(first))]
    assert any("dare" in name for name in names)
    assert not any("hop" in name for name in names)
    watched = Image(program, Marks(program))
    run_test(watched, 0, once=True)
    assert watched.ran() == first
