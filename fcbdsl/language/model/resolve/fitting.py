"""Type compatibility of values, and implicit conversions."""

from __future__ import annotations

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import FLAG, NOTHING, NUMBER, Expr, Type
from fcbdsl.language.model.resolve.parse_state import ParseState

_NULLABLE = {"thing", "definition", "die", "zone", "face", "direction", "enum", "nothing", "terrain", "barrier"}


def fit(state: ParseState, expr: Expr, want: Type | None) -> Expr | None:
    """Return `expr` as a value of type `want`, or None if it can't be one.

    Conversions: a value to a list of one; a list to a condition (it is not empty); a counter to a condition (it is not
    zero); a thing to its space or its definition.
    """
    if want is None or expr.type == want:
        return expr
    if want.base in {"condition", "formula"}:
        want = Type("flag" if want.base == "condition" else "number", "", want.many)
    if want.many:
        return _fit_many(state, expr, want)
    if expr.type.many:
        if want.base == "flag":
            slot = state.hold("it", expr.type.one())
            return ir.Quantified("any", expr, slot, None, FLAG, expr.span)
        return None
    return _fit_one(state, expr, want)


def _fit_many(state: ParseState, expr: Expr, want: Type) -> Expr | None:
    if not expr.type.many:
        if expr.type == NOTHING:
            return ir.ListOf((), want, expr.span)
        item = fit(state, expr, want.one())
        return ir.ListOf((item,), want, expr.span) if item is not None else None
    if expr.type.base == "nothing":
        return ir.ListOf((), want, expr.span) if isinstance(expr, ir.ListOf) else expr
    return expr if is_compatible(state, expr.type, want) else None


def _fit_one(state: ParseState, expr: Expr, want: Type) -> Expr | None:
    have = expr.type
    if have.base == "nothing":
        return expr if want.base in _NULLABLE else None
    if have.base == "thing" and want.base == "thing" and want.name == "space" and have.name != "space":
        return space_expr(state, expr)
    if is_compatible(state, have, want):
        return expr
    if have.base == "thing" and want.base == "definition" and state.words.related(have.name, want.name or "thing"):
        return definition_expr(state, expr)
    if want.base == "flag" and isinstance(expr, ir.Get) and expr.field.sort in {"status", "token"}:
        return ir.Binary(">", expr, ir.Const(0, NUMBER, expr.span), FLAG, expr.span)
    return None


def is_compatible(state: ParseState, have: Type, want: Type) -> bool:
    """Return whether a value of one type (without regard to `many`) may be one of the other."""
    if have.base != want.base:
        return "nothing" in (have.base, want.base)
    if have.base in {"thing", "definition"}:
        return not have.name or not want.name or state.words.related(have.name, want.name)
    if have.base == "zone":
        return not have.name or not want.name or state.words.related(have.name, want.name)
    if have.base == "enum":
        return have.name == want.name
    return True


def space_expr(state: ParseState, expr: Expr) -> Expr | None:
    """Return the space of a thing."""
    return builtin(state, expr, "place")


def definition_expr(state: ParseState, expr: Expr) -> Expr | None:
    """Return the definition that a thing is an instance of."""
    definition = builtin(state, expr, "definition")
    if isinstance(definition, ir.Get):
        return ir.Get(expr, definition.field, Type("definition", expr.type.name), expr.span)
    return definition


def builtin(state: ParseState, expr: Expr, name: str) -> Expr | None:
    """Return a built-in column of a thing."""
    fields = state.words.fields(expr.type.name, name)
    return ir.Get(expr, fields[0], fields[0].type, expr.span) if fields else None


def narrow_type(state: ParseState, gives: Type, args: list[Expr | None]) -> Type:
    """Return the type of a native measure of things, narrowed to the kind that its arguments name."""
    if gives.base != "thing" or gives.name not in {"thing", "piece"}:
        return gives
    for arg in args:
        if arg is None:
            continue
        have = arg.type
        if have.base in {"zone", "definition"} and have.name:
            return Type("thing", have.name, gives.many)
        if have.base == "kind" and isinstance(arg, ir.Const):
            return Type("thing", arg.label, gives.many)
    return gives
