"""Models of small sources, read together with the prelude."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.decoding import read_source
from fcbdsl.language.syntax.parser import parse

PRELUDE = Path(__file__).parents[2] / "fcbdsl" / "content" / "systems" / "core.fcb"


def model_of(name: str, data: bytes, more: dict[str, bytes] | None = None) -> tuple[Model, list[Diagnostic]]:
    """Return the model of a file and perhaps more, and their errors."""
    files = []
    for file, content in ((PRELUDE.name, PRELUDE.read_bytes()), (name, data), *(more or {}).items()):
        source, problems = read_source(file, content)
        assert source is not None, problems
        parsed, problems = parse(source)
        assert not problems
        files.append(parsed)
    model, problems = check(files)
    return model, [problem for problem in problems if problem.severity == "error"]
