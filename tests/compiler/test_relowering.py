"""A model that is lowered again after a small change plays like one that is lowered from scratch."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games import first_few
from mutation.yard import yard
from pond_game import POND

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import Relowering, program_without_hash
from fcbdsl.language.model.check import check
from fcbdsl.language.syntax.parser import parse
from fcbdsl.machine.vm.fingerprint import ComparedProgram, comparison_form
from fcbdsl.machine.vm.program import Program
from fcbdsl.project.project import load_project, parse_all
from fcbdsl.tools.mutation.mutants import mutants
from fcbdsl.tools.mutation.sites import SourceMeanings
from fcbdsl.tools.mutation.workbench import Workbench
from tests.compiler.sources import PRELUDE

AGAIN = re.compile(r" \(\d+\)")


GROWING = ("limits", "verbs", "areas")
"""Tables that are numbered by first mention: an unused row stays."""


def comparable(program: Program) -> tuple[dict[str, object], str]:
    """Return the content of a program, with names for numbers; of codes written twice, the later one.

    Reasons why an action is not available are left out, because they are not lowered again.
    """
    form: ComparedProgram = comparison_form(program)
    for name in GROWING:
        del form.tables[name]
    codes: dict[str, object] = {}
    telling = {program.codes[requirement.code].name for action in program.actions for requirement in action.requires}
    for name, ops in form.codes.items():
        if AGAIN.sub("", name) not in telling:
            codes[AGAIN.sub("", name)] = AGAIN.sub("", repr(ops))
    return codes, AGAIN.sub("", repr((form.tables, form.tied)))


@pytest.mark.long
@pytest.mark.parametrize("project", first_few(["pond", "yard"], 1))
def test_repeated_lowering_is_equal(project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(yard(tmp_path) if project == "yard" else POND)
    files = parse_all(load_project().sources, Problems())
    bench = Workbench(files, {}, ())
    relowering = Relowering(bench.model)
    first = comparable(relowering.program)
    system = next(file for file in files if file.source.name.startswith("systems"))
    compared = 0
    for mutant in mutants(system, SourceMeanings(bench.model)):
        new, problems = parse(Source(system.source.name, mutant.applied(system.source.text)))
        number = max(n for n, line in enumerate(system.lines) if line.offset <= mutant.start)
        at = max((n for n, line in enumerate(system.lines[number].block) if line.offset <= mutant.start), default=-1)
        if problems or at < 0:
            continue
        change = bench.change(system.lines[number], new.lines[number], at)
        if change is None:
            continue
        model, reported = check([new if file is system else file for file in files])
        sound = not any(problem.severity == "error" for problem in reported)
        assert change.sound is sound
        if sound:
            program = relowering.again(change.forms)
            fresh = program_without_hash(model, tests=True)
            if program is None:  # the documented case: there are more lasting effects, or fewer
                assert len(fresh.lastings) != len(relowering.program.lastings)
                change.undo()
                continue
            codes, rows = comparable(program)
            if len(fresh.fields) < len(program.fields):
                change.undo()
                continue  # a column of guards that is no longer used keeps its place
            afresh = comparable(fresh)
            assert rows == afresh[1]
            assert {name: codes[name] for name in afresh[0]} == afresh[0], mutant.key.change
            compared += 1
        change.undo()
    assert compared > 30
    again = relowering.again(())
    assert again is not None
    assert comparable(again)[1] == first[1]
    assert first[0].items() <= comparable(again)[0].items()


RESTED = """system farm "Farm":
  board: square
kind sheep is piece:
  stat wool: number 0..9
relation dry:
  takes: a (sheep)
  is: a's wool < 9
relation shorn:
  takes: a (sheep)
  effect:
    if a's wool > 7: answer no
    for each sheep:
      if sheep's wool > 3: answer sheep is dry
    answer yes
action shear "Shear":
  by: sheep
  form: shears
  effect:
    for each sheep where it is shorn: sheep's wool becomes 1
flow:
  repeat: offer sheep, until done
"""


def test_changed_rest_of_a_relation_is_lowered_again() -> None:
    """The statements after a relation's early answers have a code of their own, which each edit must renew."""
    core, file = parse_all([Source("core.fcb", PRELUDE.read_text("utf-8")), Source("farm.fcb", RESTED)], Problems())
    bench = Workbench([core, file], {}, ())
    relowering = Relowering(bench.model)
    first = comparable(relowering.program)
    assert any("(rest)" in name for name in first[0])
    numbers = {line.span.line: number for number, line in enumerate(file.lines)}
    for old, new, head in (
        ("wool > 3", "wool > 4", 8),
        ("wool < 9", "wool < 8", 5),
        ("wool > 7", "wool > 6", 8),
        ("answer yes", "answer no", 8),
    ):
        changed, problems = parse(Source("farm.fcb", RESTED.replace(old, new)))
        assert not problems
        before, after = (of.lines[numbers[head]] for of in (file, changed))
        change = bench.change(before, after, len(before.block) - 1)
        assert change is not None
        assert change.sound
        program = relowering.again(change.forms)
        assert program is not None
        fresh = comparable(program_without_hash(check([core, changed])[0], tests=True))
        codes = comparable(program)[0]
        assert {name: codes[name] for name in fresh[0]} == fresh[0], new
        change.undo()
    again = relowering.again(())
    assert again is not None
    assert first[0].items() <= comparable(again)[0].items()
