"""Patterns of filters: each function recognizes one sort of filter, or takes conditions apart and joins them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Field, Form
from fcbdsl.language.model.ir import conjuncts
from fcbdsl.language.model.ir.operators import evaluate_constant


def zone_of(select: ir.Select) -> ir.ZoneOf | None:
    """Return the zone of a selection that has no other filter; else None."""
    where = select.where
    if select.order or not (isinstance(where, ir.Apply) and where.form.op == "in-zone"):
        return None
    return where.args[1] if isinstance(where.args[1], ir.ZoneOf) else None


def names_mark(expr: ir.Expr | None, it: int) -> str:
    """Return the mark that a filter of spaces tests, if that is all; else empty."""
    if not (isinstance(expr, ir.Apply) and expr.form.op == "marked"):
        return ""
    of, mark = expr.args
    return mark.label if isinstance(of, ir.Var) and of.slot == it and isinstance(mark, ir.Const) else ""


def borne(select: ir.Select) -> Field | None:
    """Return the token if a selection contains all spaces with that token, and nothing else; else None."""
    where = select.where
    if select.noun != "space" or select.source is not None or not isinstance(where, ir.Binary):
        return None
    left, (op, value) = where.left, at_least(where.op, evaluate_constant(where.right))
    if (
        isinstance(left, ir.Get)
        and left.field.sort == "token"
        and is_slot(left.of, select.it)
        and (op, value) == (">=", 1)
    ):
        return left.field
    return None


def as_selection(expr: ir.Quantified) -> ir.Select:
    """Return the selection of a quantifier; a list becomes a selection without conditions."""
    if isinstance(expr.select, ir.Select):
        return expr.select
    return ir.Select(expr.select, expr.it, None, (), expr.select.type, expr.select.span)


def membership_value(expr: ir.Quantified) -> ir.Expr | None:
    """Return the searched value if a quantifier only asks whether it is in a list; else None."""
    test = expr.test
    if isinstance(expr.select, ir.Select) or not (isinstance(test, ir.Binary) and test.op == "="):
        return None
    return test.right if is_slot(test.left, expr.it) else None


def both(one: ir.Expr | None, other: ir.Expr) -> ir.Expr:
    """Return the conjunction of two conditions."""
    return other if one is None else ir.Binary("and", one, other, ir.FLAG, other.span)


def with_slot(test: ir.Expr, slot: int, to: int) -> ir.Expr:
    """Return a condition on the value of one slot as a condition on another."""
    return ir.substitute(test, ir.Substitution(slots=ir.Renamed({slot: to})))


def without_test(condition: ir.Expr) -> ir.Expr:
    """Read ``any ogre is near X`` as ``any ogre near X``."""
    if not isinstance(condition, ir.Quantified) or condition.quantifier != "any" or condition.test is None:
        return condition
    select = as_selection(condition)
    where = both(select.where, with_slot(condition.test, condition.it, select.it))
    return replace(condition, select=replace(select, where=where), test=None)


def none_but(select: ir.Select) -> ir.Quantified | None:
    """Return ``no hero where A and not B`` as ``every hero where A is B``; None for other selections."""
    filters = conjuncts(select.where)
    if not filters or not isinstance(filters[-1], ir.Not) or isinstance(filters[-1].operand, ir.Get):
        return None
    rest: ir.Expr | None = None
    for part in filters[:-1]:
        rest = both(rest, part)
    narrowed = replace(select, where=rest)
    return ir.Quantified("every", narrowed, select.it, filters[-1].operand, ir.FLAG, select.span)


def in_piles(expr: ir.Expr, it: int) -> bool:
    """Return whether a filter asks that a candidate is in a zone, or in one of several."""
    parts = chain_parts(expr) if isinstance(expr, ir.Binary) and expr.op == "or" else [expr]
    return all(isinstance(part, ir.Apply) and part.form.op == "in-zone" and is_slot(part.args[0], it) for part in parts)


def excludes_self(expr: ir.Expr, it: int) -> bool:
    """Return whether a filter is only `except self`."""
    return exclusion_slot(expr, it) == 0


def exclusion_slot(expr: ir.Expr, it: int) -> int:
    """Return the slot of the only thing that a filter excludes; -1 if it is another filter."""
    op = "!="
    if isinstance(expr, ir.Not):
        expr, op = expr.operand, "="
    if not (
        isinstance(expr, ir.Binary) and expr.op == op and is_slot(expr.left, it) and isinstance(expr.right, ir.Var)
    ):
        return -1
    return expr.right.slot


def names_sort(expr: ir.Expr, it: int) -> ir.Def | None:
    """Return the definition whose instances a filter keeps, if that is all; else None."""
    if not (isinstance(expr, ir.Binary) and expr.op == "=" and isinstance(expr.right, ir.Def)):
        return None
    of = expr.left
    return expr.right if isinstance(of, ir.Get) and is_definition(of, expr.right) and is_slot(of.of, it) else None


def is_definition(left: ir.Get, right: ir.Expr) -> bool:
    """Return whether a comparison tests the definition of a thing (``x is DEFINITION``)."""
    return left.field.id == "definition" and left.field.sort == "builtin" and isinstance(right, ir.Def)


def names_barrier(expr: ir.Expr, it: int) -> str:
    """Return the barrier that a filter of sides tests, if that is all; else empty."""
    if not (isinstance(expr, ir.Apply) and expr.form.op == "bears" and is_slot(expr.args[0], it)):
        return ""
    return expr.args[1].label if isinstance(expr.args[1], ir.Const) else ""


def names_ground(expr: ir.Expr, it: int) -> str:
    """Return the terrain that a filter of spaces tests, if that is all; else empty."""
    if not (isinstance(expr, ir.Apply) and expr.form.op == "terrain-is" and is_slot(expr.args[0], it)):
        return ""
    return expr.args[1].label if isinstance(expr.args[1], ir.Const) and expr.args[1].value >= 0 else ""


def chain_parts(expr: ir.Binary) -> list[ir.Expr]:
    """Return the parts of a chain of one of `and` and `or`."""
    sides = (expr.left, expr.right)
    return [p for s in sides for p in (chain_parts(s) if isinstance(s, ir.Binary) and s.op == expr.op else [s])]


def conjunction(conditions: Sequence[ir.Expr]) -> ir.Expr:
    """Return at least one condition joined by `and`."""
    joined: ir.Expr | None = None
    for condition in conditions:
        joined = both(joined, condition)
    assert joined is not None
    return joined


WHEREABOUTS = frozenset(
    ["beside", "beside-side", "linked", "touches", "connected", "within", "sees", "sees-past", "on", "in-region"]
)
"""Native relations that only hold between things on the board."""


def says_where(expr: ir.Expr | None, slot: int) -> bool:
    """Return whether a condition implies that the thing in a slot is on the board.

    This holds for a relation of position to something on the board, or one that is defined by such relations.
    """
    for part in conjuncts(expr):
        match part:
            case ir.Quantified(quantifier="any", select=ir.Select(where=where)):
                if says_where(where, slot):
                    return True
            case ir.Apply(form=form, args=args) if any(is_slot(arg, slot) or is_place_of(arg, slot) for arg in args):
                statements = form.body.statements if form.body is not None else ()
                answered = (
                    statements[0].value if len(statements) == 1 and isinstance(statements[0], ir.Answer) else None
                )
                at = next(n for n, arg in enumerate(args) if is_slot(arg, slot) or is_place_of(arg, slot))
                if form.op in WHEREABOUTS or says_where(answered, at + 2):
                    return True
    return False


NEIGHBORS = frozenset(["beside", "linked"])
"""Native relations of neighbors, which hold in both directions."""


def neighbor_relation(select: ir.Select) -> tuple[ir.Select, ir.Apply] | None:
    """Return a selection without its only relation to a local, and this relation turned around; None for others.

    ``hurt hero adjacent to self`` is ``hurt hero``, and self adjacent to one of these."""
    parts = conjuncts(select.where)
    relations = [
        part
        for part in parts
        if isinstance(part, ir.Apply)
        and part.form.op in NEIGHBORS
        and is_slot(part.args[0], select.it)
        and isinstance(part.args[-1], ir.Var)
        and not is_slot(part.args[-1], select.it)
    ]
    if len(relations) != 1 or select.order or select.source is not None:
        return None
    (relation,) = relations
    assert isinstance(relation, ir.Apply)
    rest: ir.Expr | None = None
    for part in parts:
        rest = rest if part is relation else both(rest, part)
    first, *between, last = relation.args
    return replace(select, where=rest), replace(relation, args=(last, *between, first))


DISTANCES = frozenset(["range", "range-over-corners"])
"""Native measures of how far two things on the board are apart."""


def is_position(expr: ir.Expr, slot: int) -> bool:
    """Return whether a condition relates the place of the thing in a slot to that of another one."""
    if not isinstance(expr, ir.Apply) or not expr.args or not is_slot(expr.args[0], slot):
        return False
    others = expr.args[1:]
    return any(isinstance(argument, ir.Var) for argument in others) and _measures_places(expr.form, set())


def _measures_places(form: Form, seen: set[str]) -> bool:
    """Return whether a relation or measure reads places on the board, itself or by what it calls."""
    if form.op in WHEREABOUTS | DISTANCES:
        return True
    if form.body is None or form.id in seen:
        return False
    seen.add(form.id)
    return any(_measures_places(call.form, seen) for call in ir.walk(form.body) if isinstance(call, ir.Apply))


def at_least(op: str, value: int | None) -> tuple[str, int | None]:
    """Return ``more than 0`` as ``1 or more``."""
    return (">=", value + 1) if op == ">" and value is not None else (op, value)


def is_place_of(expr: ir.Expr | None, slot: int) -> bool:
    """Return whether an expression is the space of exactly that local; something near it is near its space."""
    return isinstance(expr, ir.Get) and expr.field.id == "place" and is_slot(expr.of, slot)


def is_game(expr: ir.Expr | None) -> bool:
    """Return whether an expression is the game itself, whose columns have no owner."""
    return isinstance(expr, ir.Instance) and expr.kind == "game"


def is_slot(expr: ir.Expr | None, slot: int) -> bool:
    """Return whether an expression is the local of a slot."""
    return isinstance(expr, ir.Var) and expr.slot == slot
