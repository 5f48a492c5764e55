"""Amounts that a listener lowers below zero, so that a loss becomes a gain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.values import AmountBelowZero
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form, Param
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.ir.operators import reads_slot

FIRST: Final = 2
"""The slot of a form's first parameter, after `self` and `this`."""
Amount = tuple[int, int]
"""A parameter of a form: the id of the form, and the number of the parameter."""
LoweredParameter = tuple[ir.Listener, ir.Let, Param]
"""A listener, its statement that lowers a parameter, and the parameter."""


def amounts_below_zero(context: Context, lowered: Sequence[LoweredParameter], forms: Sequence[Form]) -> None:
    """Report listeners that subtract from an amount without a lower bound, if a form changes a stat by it."""
    if not lowered:
        return
    changes = _changes(forms)
    for listener, let, param in lowered:
        verb = listener.event.verb
        number = _number_of(verb, param)
        changed = changes.get((id(verb), number)) if number is not None else None
        if verb is not None and changed is not None:
            related = [Related(param.span, "declared without a range here")] if param.span is not None else []
            context.report(AmountBelowZero(let.span, name=param.name, verb=verb.id, changed=changed, related=related))


def _number_of(verb: Form | None, wanted: Param) -> int | None:
    """Return the number of the parameter of a verb that its event has under the same name; None if it is bounded."""
    for number, param in enumerate(verb.params if verb is not None else ()):
        if param.name == wanted.name:
            return number if param.low is None else None
    return None


def _changes(forms: Sequence[Form]) -> dict[Amount, str]:
    """Return the parameters by which forms change a stat, themselves or through other forms, with its name."""
    changed: dict[Amount, str] = {}
    givers: dict[Amount, list[Amount]] = {}
    for form in forms:
        for number, param in enumerate(form.params):
            if param.type != ir.NUMBER or param.low is not None or form.body is None:
                continue
            slot, here = FIRST + number, (id(form), number)
            for node in _unguarded(form.body, slot):
                if isinstance(node, ir.Assign) and _is_change(node, slot):
                    changed.setdefault(here, node.target.field.id)
                elif isinstance(node, ir.Do):
                    for place, arg in enumerate(node.args):
                        if arg is not None and _is_part(arg, slot):
                            givers.setdefault((id(node.form), place), []).append(here)
    queue = list(changed)
    while queue:
        amount = queue.pop()
        for giver in givers.get(amount, ()):
            if giver not in changed:
                changed[giver] = changed[amount]
                queue.append(giver)
    return changed


def _unguarded(root: object, slot: int) -> Iterator[ir.Node]:
    """Yield the nodes of a body that are not in a statement under a condition on a slot."""
    guarded = {
        id(inner)
        for node in ir.walk(root)
        if isinstance(node, ir.If) and reads_slot(node.condition, slot)
        for inner in ir.walk([node.then, node.otherwise])
    }
    return (node for node in ir.walk(root) if id(node) not in guarded)


def _is_change(assign: ir.Assign, slot: int) -> bool:
    """Return whether a statement adds the value of a slot to a stat, or subtracts it."""
    if assign.op != "=":
        return _is_part(assign.value, slot)
    stat = assign.target
    reads = any(isinstance(node, ir.Get) and node.field is stat.field for node in ir.walk(assign.value))
    return reads and _is_part(assign.value, slot)


def _is_part(value: ir.Expr, slot: int) -> bool:
    """Return whether a value is a slot, or is calculated from it without a bound."""
    match value:
        case ir.Var(slot=read):
            return read == slot
        case ir.Binary(op="+" | "-" | "*" | "/", left=left, right=right):
            return _is_part(left, slot) or _is_part(right, slot)
        case ir.Apply(args=args) if value.type == ir.NUMBER:  # a bound on the slot itself, or on the whole result
            inner = [item for arg in args for item in (arg.items if isinstance(arg, ir.ListOf) else (arg,))]
            return any(isinstance(item, ir.Binary) and _is_part(item, slot) for item in inner)
    return False


def lowered_parameters(listener: ir.Listener) -> Iterator[LoweredParameter]:
    """Yield the statements of a `before` listener that subtract from a parameter without a lower bound."""
    if listener.timing != "before" or listener.event.verb is None:
        return
    for bind, param in zip(listener.binds, listener.event.params, strict=False):
        if param.type != ir.NUMBER or param.low is not None or bind.condition is not None:
            continue
        if reads_slot(listener.condition, bind.slot):
            continue
        for node in _unguarded(listener.body, bind.slot):
            if isinstance(node, ir.Let) and node.var.slot == bind.slot and _may_be_negative(node.value):
                yield listener, node, param


def _may_be_negative(value: ir.Expr) -> bool:
    """Return whether a value subtracts something without a bound."""
    match value:
        case ir.Const(value=number):
            return number < 0
        case ir.Binary(op="-", right=ir.Const(value=number)):
            return number > 0
        case ir.Binary(op="-"):
            return True
        case ir.Binary(op="+" | "*" | "/", left=left, right=right):
            return _may_be_negative(left) or _may_be_negative(right)
    return False
