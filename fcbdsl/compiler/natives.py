"""Forms of the language, and the ops of the machine that they bind."""

from __future__ import annotations

from fcbdsl.model.declarations import Form
from fcbdsl.vm.op import Op
from fcbdsl.vm.ops import OPS


def op_named(native: str) -> type[Op] | None:
    """The op of a name as `op:` says it; None if there is none."""
    return OPS.get(native.upper().replace("-", "_"))


def native_name(op: type[Op]) -> str:
    """The name of an op as `op:` says it."""
    return op.name.lower().replace("_", "-")


def op_of(form: Form) -> type[Op] | None:
    """The op that a form binds; None if it has a body instead, or there is no such op."""
    return None if form.op is None else op_named(form.op)


def bound(form: Form) -> type[Op]:
    """The op of a form that is known to bind one: `signatures` has looked."""
    op = op_of(form)
    assert op is not None, form.id
    return op
