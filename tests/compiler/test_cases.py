"""Golden listings: sources in tests/cases/lower and the code that comes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.compiler import lower
from fcbdsl.model.check import check
from fcbdsl.syntax import parse, read_source
from fcbdsl.vm.disasm import disassemble
from fcbdsl.vm.verify import verify

CASES = Path(__file__).parents[1] / "cases" / "lower"
PRELUDE = Path(__file__).parents[2] / "fcbdsl" / "systems" / "core.fcb"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.fcb")), ids=lambda path: path.stem)
def test_listing(path: Path, update: bool) -> None:
    files = []
    for file in (PRELUDE, path):
        source, problems = read_source(file.name, file.read_bytes())
        assert source is not None, problems
        parsed, problems = parse(source)
        assert not problems
        files.append(parsed)
    model, problems = check(files)
    assert not [problem for problem in problems if problem.severity == "error"]
    program = lower(model)
    assert not list(verify(program))
    listing = disassemble(program, None)
    expected = path.with_suffix(".asm")
    if update:
        expected.write_text(listing, encoding="utf-8")
    assert listing == expected.read_text(encoding="utf-8")
