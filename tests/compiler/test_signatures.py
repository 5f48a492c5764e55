"""The signatures of forms that bind native ops agree with the ops."""

from __future__ import annotations

from textwrap import dedent

import pytest

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.natives import OpMismatch, UnknownOp
from fcbdsl.language.compiler import signature_problems
from tests.compiler.sources import PRELUDE, model_of


def codes(text: str) -> list[str]:
    model, errors = model_of("own.fcb", f'system own "Own":\n  languages: en\n\n{dedent(text).strip()}\n'.encode())
    assert not errors
    return [problem.code for problem in signature_problems(model)]


def test_prelude_fits_ops() -> None:
    assert PRELUDE.exists()
    assert codes("") == []


@pytest.mark.parametrize("diagnostic", [UnknownOp, OpMismatch], ids=lambda cls: cls.code)
def test_signature_mistakes_are_reported_at_place(diagnostic: type[Diagnostic]) -> None:
    assert codes(diagnostic.bad) == [diagnostic.code]
    assert codes(diagnostic.good) == []


def test_arguments_must_fit_signature() -> None:
    assert codes("measure around:\n  takes: a (thing)\n  gives: space\n  op: neighbours") == ["FCB0802"]
    assert codes("measure around:\n  takes: a (thing)\n  gives: many space\n  op: neighbours") == []
    assert codes("verb walk:\n  takes: a (thing)\n  op: neighbours") == ["FCB0802"]
