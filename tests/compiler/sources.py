"""Models of small sources, read together with the prelude."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.diagnostics import Diagnostic
from fcbdsl.model.check import check
from fcbdsl.model.whole import Model
from fcbdsl.syntax.parser import parse
from fcbdsl.syntax.reading import read_source

PRELUDE = Path(__file__).parents[2] / "fcbdsl" / "systems" / "core.fcb"


def model_of(name: str, data: bytes) -> tuple[Model, list[Diagnostic]]:
    """The model of one file, and the errors in it."""
    files = []
    for file, content in ((PRELUDE.name, PRELUDE.read_bytes()), (name, data)):
        source, problems = read_source(file, content)
        assert source is not None, problems
        parsed, problems = parse(source)
        assert not problems
        files.append(parsed)
    model, problems = check(files)
    return model, [problem for problem in problems if problem.severity == "error"]
