"""Native forms of the language: the ops that they bind, and a check that the signatures agree."""

from __future__ import annotations

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.natives import OpMismatch, UnknownOp
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops import OPS


def op_named(native: str) -> type[Op] | None:
    """Return the op with a name as written in `op:`; None if there is none."""
    return OPS.get(native.upper().replace("-", "_"))


def native_name(op: type[Op]) -> str:
    """Return the name of an op as written in `op:`."""
    return op.name.lower().replace("_", "-")


def op_of(form: Form) -> type[Op] | None:
    """Return the op that a form binds; None if it has a body instead, or there is no such op."""
    return None if form.op is None else op_named(form.op)


def native_op(form: Form) -> type[Op]:
    """Return the op of a form that certainly binds one, as `signature_problems` has checked."""
    op = op_of(form)
    assert op is not None, form.id
    return op


def signature_problems(model: Model) -> list[Diagnostic]:
    """Return a problem for every form whose `takes:` and `gives:` disagree with its op."""
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
