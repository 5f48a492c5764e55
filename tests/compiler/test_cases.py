"""Golden listings: sources in tests/cases/lower and their code."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.disasm import disassemble
from fcbdsl.machine.vm.verify.verifier import verify_program
from tests.compiler.sources import model_of

CASES = Path(__file__).parents[1] / "cases" / "lower"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.fcb")), ids=lambda path: path.stem)
def test_bytecode_listing_is_approved(path: Path, update: bool) -> None:
    model, errors = model_of(path.name, path.read_bytes())
    assert not errors
    program = lower(model)
    assert not list(verify_program(program))
    listing = disassemble(program, None)
    expected = path.with_suffix(".asm")
    if update:
        expected.write_text(listing, encoding="utf-8")
    assert listing == expected.read_text(encoding="utf-8")
