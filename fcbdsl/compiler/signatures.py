"""Whether the forms that bind native ops say the same as the ops' signatures."""

from __future__ import annotations

from fcbdsl.compiler.natives import op_named
from fcbdsl.diagnostics import Diagnostic
from fcbdsl.diagnostics.natives import OpMismatch, UnknownOp
from fcbdsl.model.declarations import Form
from fcbdsl.model.whole import Model


def signature_problems(model: Model) -> list[Diagnostic]:
    """Return a problem for every form whose `takes:` and `gives:` disagree with the op it is bound to."""
    return [problem for form in model.forms if form.op is not None for problem in _problems(form, form.op)]


def _problems(form: Form, native: str) -> list[Diagnostic]:
    op = op_named(native)
    if op is None:
        return [UnknownOp(form.span, name=native)]
    expected = [operand.kind for operand in op.operands]
    declared = ["s" if param.type.many else "r" for param in form.params]
    if form.sort in {"relation", "measure"}:
        declared.insert(0, "s" if form.gives.many else "r")
    outputs = [operand.writes for operand in op.operands][:1] == [True]
    if declared == expected and outputs is (form.sort in {"relation", "measure"}):
        return []
    return [OpMismatch(form.span, name=native, expected=" ".join(map(str, op.operands)), form=form.id)]
