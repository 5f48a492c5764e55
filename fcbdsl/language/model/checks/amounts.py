"""Amounts that fall below zero, by a listener or at a call, so that a loss becomes a gain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.values import AmountBelowZero
from fcbdsl.base.source import Span
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


Subtraction = tuple[ir.Expr, Form, int]
"""An argument that subtracts something, the form that gets it, and its number."""


def amounts_below_zero(
    context: Context, lowered: Sequence[LoweredParameter], subtractions: Sequence[Subtraction]
) -> None:
    """Report listeners and arguments that may make an amount negative, if a form changes a stat by it."""
    stats: dict[Amount, str] = {}
    for listener, let, param in lowered:
        verb = listener.event.verb
        number = _number_of(verb, param)
        if verb is not None and number is not None:
            cure = f"{param.name} becomes highest of 0, …"
            _report(context, let.span, verb, number, stats, cure)
    for argument, form, number in subtractions:
        _report(context, argument.span, form, number, stats, "highest of 0, …")


def _report(context: Context, span: Span, verb: Form, number: int, stats: dict[Amount, str], cure: str) -> None:
    """Report an amount that may be negative, unless it changes no stat."""
    param, changed = verb.params[number], _changed(verb, number, stats)
    if changed:
        related = [Related(param.span, "declared without a range here")] if param.span is not None else []
        problem = AmountBelowZero(span, name=param.name, verb=verb.id, changed=changed, cure=cure, related=related)
        context.report(problem)


def _number_of(verb: Form | None, wanted: Param) -> int | None:
    """Return the number of the parameter of a verb that its event has under the same name; None if it is bounded."""
    for number, param in enumerate(verb.params if verb is not None else ()):
        if param.name == wanted.name:
            return number if param.low is None else None
    return None


def _changed(form: Form, number: int, stats: dict[Amount, str]) -> str:
    """Return the stat that a form changes by a parameter, itself or through other forms; empty if there is none."""
    key = id(form), number
    if key in stats:
        return stats[key]
    stats[key] = ""  # a form that uses itself adds nothing
    param, slot = form.params[number], FIRST + number
    if param.type != ir.NUMBER or param.low is not None or form.body is None:
        return ""
    for node in _unguarded(form.body, slot):
        if isinstance(node, ir.Assign) and _is_change(node, slot):
            stats[key] = node.target.field.id
        elif isinstance(node, ir.Do):
            given = [place for place, arg in enumerate(node.args) if arg is not None and _is_part(arg, slot)]
            stats[key] = next((stat for place in given if (stat := _changed(node.form, place, stats))), "")
        if stats[key]:
            break
    return stats[key]


def _unguarded(root: object, slot: int) -> Iterator[ir.Node]:
    """Yield the nodes of a body that are not in a statement under a condition on a slot, or behind one that ends."""
    nodes = ir.walk(root)
    guarded = {
        id(inner)
        for node in nodes
        if isinstance(node, ir.If) and reads_slot(node.condition, slot)
        for inner in ir.walk([node.then, node.otherwise])
    }
    for body in (node for node in nodes if isinstance(node, ir.Body)):
        for at, statement in enumerate(body.statements):
            if _may_end(statement, slot):
                guarded |= {id(inner) for inner in ir.walk(list(body.statements[at + 1 :]))}
    return (node for node in nodes if id(node) not in guarded)


def _may_end(statement: ir.Stmt, slot: int) -> bool:
    """Return whether a statement ends its body under a condition on a slot."""
    match statement:
        case ir.Require(condition=condition):
            return reads_slot(condition, slot)
        case ir.If(condition=condition, then=then):
            return reads_slot(condition, slot) and any(isinstance(node, ir.Stop) for node in then.statements)
    return False


def subtractions(root: object, calls: Sequence[ir.Do]) -> Iterator[Subtraction]:
    """Yield the arguments of calls in a behavior that subtract something from an amount without a lower bound.

    An argument is skipped if a condition around the call reads something of it.
    """
    candidates = [
        (call, arg, number)
        for call in calls
        for number, (param, arg) in enumerate(zip(call.form.params, call.args, strict=False))
        if arg is not None and param.type == ir.NUMBER and param.low is None and may_be_negative(arg)
    ]
    conditions = _conditions(root) if candidates else {}
    for call, arg, number in candidates:
        read = [ir.shape(node, {}) for node in ir.walk(arg) if isinstance(node, ir.Get | ir.Var | ir.Apply)]
        around = conditions.get(id(call), [])
        asked = {ir.shape(node, {}) for condition in around for node in ir.walk(condition)}
        if asked.isdisjoint(read):
            yield arg, call.form, number


def _conditions(root: object) -> dict[int, list[ir.Expr]]:
    """Return the conditions that were asked before each call, by the identity of the call."""
    out: dict[int, list[ir.Expr]] = {}
    for node in ir.walk(root):
        asked: list[tuple[ir.Expr, object]] = []
        match node:
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                asked.append((condition, [then, otherwise]))
            case ir.Listener(condition=condition, body=body) if condition is not None:
                asked.append((condition, body))
            case ir.Body(statements=statements):
                for at, statement in enumerate(statements):
                    if isinstance(statement, ir.If | ir.Require):
                        asked.append((statement.condition, list(statements[at + 1 :])))
        for condition, inside in asked:
            for inner in ir.walk(inside):
                if isinstance(inner, ir.Do):
                    out.setdefault(id(inner), []).append(condition)
    return out


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
            if isinstance(node, ir.Let) and node.var.slot == bind.slot and may_be_negative(node.value):
                yield listener, node, param


def may_be_negative(value: ir.Expr) -> bool:
    """Return whether a value subtracts something without a bound."""
    match value:
        case ir.Const(value=number):
            return number < 0
        case ir.Binary(op="-", right=ir.Const(value=number)):
            return number > 0
        case ir.Binary(op="-"):
            return True
        case ir.Binary(op="+" | "*" | "/", left=left, right=right):
            return may_be_negative(left) or may_be_negative(right)
    return False
