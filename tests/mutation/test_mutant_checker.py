"""A checker that goes from mutant to mutant reports what a fresh checker reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from yard import yard

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.diagnostics.report import findings_to_json
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import program_without_hash
from fcbdsl.language.model.check import check
from fcbdsl.project.analysis import analysis_of
from fcbdsl.project.project import load_project, parse_all
from fcbdsl.tools.mutation.mutants import mutants
from fcbdsl.tools.mutation.sites import SourceMeanings
from fcbdsl.tools.mutation.workbench import Follower


def has_errors(problems: Sequence[Diagnostic]) -> bool:
    return any(problem.severity == "error" for problem in problems)


def test_mutant_has_the_problems_and_program_of_a_fresh_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(yard(tmp_path))
    loader = load_project()
    analysis = analysis_of(loader)
    files = parse_all(loader.sources, Problems())
    proofs = analysis.model.proofs
    follower = Follower(files, {}, (), proofs)
    follower.prepare()
    meanings = SourceMeanings(analysis.model)
    texts = {file.source.name: file.source.text for file in files}
    every = [
        mutant for file in files if not file.source.name.endswith("core.fcb") for mutant in mutants(file, meanings)
    ]
    shorter = [
        mutant for mutant in every if "\n" in texts[mutant.key.file][mutant.start : mutant.end]
    ]  # what is below them moves
    seen = [0, 0]
    for mutant in [*Random(3).sample(every, 16), *shorter[:3], every[-1]]:
        changed = follower.changed(mutant)
        now = texts | {mutant.key.file: mutant.applied(texts[mutant.key.file])}
        wrong = Problems()
        afresh = parse_all([Source(name, text) for name, text in now.items()], wrong)
        assert (changed is None) == has_errors(wrong.taken()), mutant
        if changed is None:
            continue
        model, problems = follower.model(changed, whole=True)
        other, expected = check(afresh, proofs=proofs)
        assert findings_to_json(problems) == findings_to_json(expected), mutant
        seen[has_errors(problems)] += 1
        if not has_errors(problems):
            assert program_without_hash(model, tests=True) == program_without_hash(other, tests=True), mutant
    assert min(seen) > 0
