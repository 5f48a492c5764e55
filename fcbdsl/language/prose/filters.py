"""What filters of a selection say: each of these sees one sort of filter, or takes conditions apart and together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Field
from fcbdsl.language.model.ir import conjuncts
from fcbdsl.language.model.ir.operators import reckoned


def zone_of(select: ir.Select) -> ir.ZoneOf | None:
    """Whose zone a selection goes through, if it says no more than that."""
    where = select.where
    if select.order or not (isinstance(where, ir.Apply) and where.form.op == "in-zone"):
        return None
    return where.args[1] if isinstance(where.args[1], ir.ZoneOf) else None


def names_mark(expr: ir.Expr | None, it: int) -> str:
    """The mark that a filter asks of spaces, if it says no more than that; else nothing."""
    if not (isinstance(expr, ir.Apply) and expr.form.op == "marked"):
        return ""
    of, mark = expr.args
    return mark.label if isinstance(of, ir.Var) and of.slot == it and isinstance(mark, ir.Const) else ""


def borne(select: ir.Select) -> Field | None:
    """The token, if a selection is of all spaces that bear one and says no more."""
    where = select.where
    if select.noun != "space" or select.source is not None or not isinstance(where, ir.Binary):
        return None
    left, (op, value) = where.left, at_least(where.op, reckoned(where.right))
    if (
        isinstance(left, ir.Get)
        and left.field.sort == "token"
        and is_slot(left.of, select.it)
        and (op, value) == (">=", 1)
    ):
        return left.field
    return None


def drawn(expr: ir.Quantified) -> ir.Select:
    """The selection that a quantifier goes through; a list is one that leaves out nothing."""
    if isinstance(expr.select, ir.Select):
        return expr.select
    return ir.Select(expr.select, expr.it, None, (), expr.select.type, expr.select.span)


def counted_among(expr: ir.Quantified) -> ir.Expr | None:
    """What is asked for in a list, if the question is no more than whether it is among its members."""
    test = expr.test
    if isinstance(expr.select, ir.Select) or not (isinstance(test, ir.Binary) and test.op == "="):
        return None
    return test.right if is_slot(test.left, expr.it) else None


def both(one: ir.Expr | None, other: ir.Expr) -> ir.Expr:
    """Two conditions that must hold."""
    return other if one is None else ir.Binary("and", one, other, ir.FLAG, other.span)


def moved(test: ir.Expr, slot: int, to: int) -> ir.Expr:
    """A condition on what is in a slot, as one on what is in another."""
    return ir.rewrite(test, ir.Substitution(slots=ir.Renamed({slot: to})))


def untested(condition: ir.Expr) -> ir.Expr:
    """Read ``any ogre is near X`` as ``any ogre near X``."""
    if not isinstance(condition, ir.Quantified) or condition.quantifier != "any" or condition.test is None:
        return condition
    select = drawn(condition)
    where = both(select.where, moved(condition.test, condition.it, select.it))
    return replace(condition, select=replace(select, where=where), test=None)


def none_but(select: ir.Select) -> ir.Quantified | None:
    """Read ``no hero where A and not B`` as ``every hero where A is B``."""
    filters = conjuncts(select.where)
    if not filters or not isinstance(filters[-1], ir.Not) or isinstance(filters[-1].operand, ir.Get):
        return None
    rest: ir.Expr | None = None
    for part in filters[:-1]:
        rest = both(rest, part)
    kept = replace(select, where=rest)
    return ir.Quantified("every", kept, select.it, filters[-1].operand, ir.FLAG, select.span)


def in_piles(expr: ir.Expr, it: int) -> bool:
    """Whether a filter asks that a candidate is in a zone, or in one of several."""
    parts = linked(expr) if isinstance(expr, ir.Binary) and expr.op == "or" else [expr]
    return all(isinstance(one, ir.Apply) and one.form.op == "in-zone" and is_slot(one.args[0], it) for one in parts)


def excludes_self(expr: ir.Expr, it: int) -> bool:
    """Whether a filter says no more than `except self`."""
    return excluded(expr, it) == 0


def excluded(expr: ir.Expr, it: int) -> int:
    """The slot of the only one whom a filter leaves out; -1 if it says anything else."""
    op = "!="
    if isinstance(expr, ir.Not):
        expr, op = expr.operand, "="
    if not (
        isinstance(expr, ir.Binary) and expr.op == op and is_slot(expr.left, it) and isinstance(expr.right, ir.Var)
    ):
        return -1
    return expr.right.slot


def names_sort(expr: ir.Expr, it: int) -> ir.Def | None:
    """The definition whose instances a filter keeps, if it says no more than that."""
    if not (isinstance(expr, ir.Binary) and expr.op == "=" and isinstance(expr.right, ir.Def)):
        return None
    of = expr.left
    return expr.right if isinstance(of, ir.Get) and is_definition(of, expr.right) and is_slot(of.of, it) else None


def is_definition(left: ir.Get, right: ir.Expr) -> bool:
    """Whether a comparison asks of which definition something is (``x is DEFINITION``)."""
    return left.field.id == "definition" and left.field.sort == "builtin" and isinstance(right, ir.Def)


def names_barrier(expr: ir.Expr, it: int) -> str:
    """The barrier that sides must bear which a filter keeps, if it says no more than that; else nothing."""
    if not (isinstance(expr, ir.Apply) and expr.form.op == "bears" and is_slot(expr.args[0], it)):
        return ""
    return expr.args[1].label if isinstance(expr.args[1], ir.Const) else ""


def names_ground(expr: ir.Expr, it: int) -> str:
    """The ground that spaces must be of which a filter keeps, if it says no more than that; else nothing."""
    if not (isinstance(expr, ir.Apply) and expr.form.op == "terrain-is" and is_slot(expr.args[0], it)):
        return ""
    return expr.args[1].label if isinstance(expr.args[1], ir.Const) and expr.args[1].value >= 0 else ""


def linked(expr: ir.Binary) -> list[ir.Expr]:
    """The parts of a chain of one of `and` and `or`."""
    sides = (expr.left, expr.right)
    return [p for s in sides for p in (linked(s) if isinstance(s, ir.Binary) and s.op == expr.op else [s])]


def conjunction(conditions: Sequence[ir.Expr]) -> ir.Expr:
    """All of some conditions, at least one, as one."""
    made: ir.Expr | None = None
    for condition in conditions:
        made = both(made, condition)
    assert made is not None
    return made


WHEREABOUTS = frozenset(
    ["beside", "beside-side", "linked", "touches", "connected", "within", "sees", "sees-past", "on", "in-region"]
)
"""Native relations that hold only between things on the board."""


def says_where(expr: ir.Expr | None, slot: int) -> bool:
    """Whether who is in a slot is on the board if a condition holds, because it says where he is: a relation to what
    else is there, or one that is made of such."""
    for part in conjuncts(expr):
        match part:
            case ir.Quantified(quantifier="any", select=ir.Select(where=where)):
                if says_where(where, slot):
                    return True
            case ir.Apply(form=form, args=args) if any(is_slot(one, slot) or is_place_of(one, slot) for one in args):
                said = form.body.statements if form.body is not None else ()
                answered = said[0].value if len(said) == 1 and isinstance(said[0], ir.Answer) else None
                at = next(n for n, one in enumerate(args) if is_slot(one, slot) or is_place_of(one, slot))
                if form.op in WHEREABOUTS or says_where(answered, at + 2):
                    return True
    return False


def at_least(op: str, value: int | None) -> tuple[str, int | None]:
    """Say ``more than 0`` as ``1 or more``."""
    return (">=", value + 1) if op == ">" and value is not None else (op, value)


def is_place_of(expr: ir.Expr | None, slot: int) -> bool:
    """Whether an expression is the space on which that very local stands: what is near it is near its space."""
    return isinstance(expr, ir.Get) and expr.field.id == "place" and is_slot(expr.of, slot)


def is_game(expr: ir.Expr | None) -> bool:
    """Whether an expression is the game itself: what it has is nobody's."""
    return isinstance(expr, ir.Instance) and expr.kind == "game"


def is_slot(expr: ir.Expr | None, slot: int) -> bool:
    """Whether an expression is that very local."""
    return isinstance(expr, ir.Var) and expr.slot == slot
