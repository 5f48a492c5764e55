"""Whether a selection of definitions may contain a definition, by printed values."""

from __future__ import annotations

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition

NOTHING = ("nothing", "")
"""The value of a field that holds nothing."""


def may_pick(select: ir.Select, definition: Definition) -> bool:
    """Return whether a selection of definitions may contain a definition, by its printed values."""
    kind = select.type.name
    if kind and not definition.kind.is_a(kind):
        return False
    return select.where is None or _fits(select.where, select.it, definition) is not False


def _fits(condition: ir.Expr, it: int, definition: Definition) -> bool | None:
    """Return whether a condition holds for a definition, or None if its printed values do not decide that."""
    match condition:
        case ir.Not(operand=operand):
            inner = _fits(operand, it, definition)
            return None if inner is None else not inner
        case ir.Binary(op="and" | "or" as op, left=left, right=right):
            sides = [_fits(left, it, definition), _fits(right, it, definition)]
            decisive = op == "or"
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        case ir.IsA(of=ir.Var(slot=slot), kind=kind) if slot == it:
            return definition.kind.is_a(kind)
        case ir.Binary(op="=" | "!=" as op, left=left, right=right):
            a, b = _printed(left, it, definition), _printed(right, it, definition)
            if a is None or b is None:
                bare = (a == NOTHING and _is_something(right)) or (b == NOTHING and _is_something(left))
                return (op == "!=") if bare else None
            return (a == b) == (op == "=")
        case ir.Get(type=type) if type.base == "flag":
            printed = _printed(condition, it, definition)
            return None if printed is None else printed[1] != "0"
        case _:
            return None


def _is_something(expr: ir.Expr) -> bool:
    """Return whether an expression is the definition of a thing."""
    return isinstance(expr, ir.Get) and expr.field.sort == "builtin" and expr.field.id == "definition"


def _printed(expr: ir.Expr, it: int, definition: Definition) -> tuple[str, str] | None:
    """Return the sort and value of an expression about a definition if they are printed or constant."""
    match expr:
        case ir.Const(type=type, value=value):
            return NOTHING if type.base == "nothing" else (type.base, str(value))
        case ir.Def(id=name):
            return "definition", name
        case ir.Var(slot=slot) if slot == it:
            return "definition", definition.id
        case ir.Get(of=ir.Var(slot=slot), field=column) if slot == it:
            if column.sort == "builtin" and column.id == "bearer":
                return NOTHING if definition.target is None else ("definition", definition.target.id)
            if column.sort != "field" or column.type.many:
                return None
            own = definition.values.get(column.id)
            written = own.expr if own is not None else (definition.kind.find(column.id) or column).default
            if written is None:
                return ("flag", "0") if column.type.base == "flag" else None
            return _printed(written, it, definition) if isinstance(written, ir.Const | ir.Def) else None
        case _:
            return None
