"""Selections that need not look at everything: what a filter says can sometimes be listed directly.

`weapon in weapons of self` walks that zone instead of all weapons; `space adjacent to self` walks the neighbours.
The candidates then come in the order of that list: a zone's own order, the directions of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Protocol

from fcbdsl.compiler.natives import native_name, op_of
from fcbdsl.compiler.walk import Purity, invariant
from fcbdsl.model import ir
from fcbdsl.model.declarations import Form, Param
from fcbdsl.model.ir import FLAG, Expr, conjuncts
from fcbdsl.source import Span
from fcbdsl.vm.op import Op
from fcbdsl.vm.ops.counters import Owners


class Kinds(Protocol):
    """What has to be known of a model: which kinds descend from which, and what may be read without effect."""

    purity: Purity

    def descends(self, kind: str, ancestor: str) -> bool:
        """Whether a kind is another one, or descends from it."""


def narrowed(kinds: Kinds, expr: ir.Select) -> ir.Select:
    """The same selection drawing from a shorter list, if its conditions name one."""
    if expr.source is not None or expr.where is None or expr.type.base != "thing":
        return expr
    parts = conjuncts(expr.where, negated=True)
    for number, part in enumerate(parts):
        source = _source(kinds, expr, part)
        if source is not None:
            rest = parts[:number] + parts[number + 1 :] if _exact(part) else parts
            if not kinds.descends(source.type.name or "thing", expr.type.name):
                candidate = ir.Var("it", expr.it, expr.type.one(), expr.span)
                rest = [ir.IsA(candidate, expr.type.name, FLAG, expr.span), *rest]
            where = reduce(lambda a, b: ir.Binary("and", a, b, FLAG, expr.span), rest) if rest else None
            return replace(expr, source=source, where=where)
    return expr


def _source(kinds: Kinds, expr: ir.Select, part: Expr) -> Expr | None:
    """The list that a condition names, which does not depend on the candidate."""
    if isinstance(part, ir.Binary) and part.op == "or":
        both = [_first(kinds, expr, side) for side in (part.left, part.right)]
        if all(isinstance(side, ir.Apply) for side in both) and _are_apart(both):
            return ir.ListOf(tuple(side for side in both if side is not None), expr.type, part.span)
        return None
    if isinstance(part, ir.Apply):
        return _listed(kinds, expr, part)
    return _owners(kinds, expr, part) if isinstance(part, ir.Binary) else None


def _first(kinds: Kinds, expr: ir.Select, side: Expr) -> Expr | None:
    """The first list that one of several conditions names."""
    return next(
        (found for part in conjuncts(side, negated=True) if (found := _source(kinds, expr, part)) is not None), None
    )


def _are_apart(lists: Sequence[Expr | None]) -> bool:
    """Whether two lists can have nothing in common: the contents of zones of different names."""
    names = {one.args[0].zone for one in lists if isinstance(one, ir.Apply) and isinstance(one.args[0], ir.ZoneOf)}
    names |= {one.args[0].id for one in lists if isinstance(one, ir.Apply) and isinstance(one.args[0], ir.Instance)}
    return len(names) == len(lists)


def _exact(part: Expr) -> bool:
    """Whether the list that a condition names holds nothing else."""
    if isinstance(part, ir.Binary) and part.op == "or":
        return _exact(part.left) and _exact(part.right)
    if isinstance(part, ir.Binary):
        return part.op == ">"
    return isinstance(part, ir.Apply) and (op := op_of(part.form)) is not None and op.lists_exactly


def _listed(kinds: Kinds, expr: ir.Select, part: ir.Apply) -> ir.Apply | None:
    """The list of what is in a relation to something."""
    op = op_of(part.form)
    if op is None or op.lister is None or len(part.args) != 2:
        return None
    it, other = part.args
    if not _is_candidate(expr, it) or other is None or not _is_fixed(kinds, expr, other):
        return None
    if op.lister.lists and not kinds.descends(expr.type.name, op.lister.lists):
        return None
    return _list(op.lister, (other,), op.lister.lists or other.type.name, part.span)


def _owners(kinds: Kinds, expr: ir.Select, part: ir.Binary) -> ir.Apply | None:
    """The owners of the markers on something: ``MARKER on x by it > 0``."""
    count = part.left
    if not isinstance(count, ir.Get) or count.owner is None or count.field.owned_by is None:
        return None
    if not isinstance(part.right, ir.Const) or (part.op, part.right.value) != (">", 0):
        return None
    if not _is_candidate(expr, count.owner) or not _is_fixed(kinds, expr, count.of):
        return None
    sort = ir.Const(0, ir.Type("counter"), part.span, count.field.id)
    return _list(Owners, (sort, count.of), count.field.owned_by, part.span)


def _is_candidate(expr: ir.Select, other: Expr | None) -> bool:
    return isinstance(other, ir.Var) and other.slot == expr.it


def _is_fixed(kinds: Kinds, expr: ir.Select, other: Expr) -> bool:
    return invariant(other, {expr.it}) and kinds.purity.of(other)


def _list(op: type[Op], args: tuple[Expr, ...], holds: str, span: Span) -> ir.Apply:
    """A native op that gives things of the kind `holds`, applied to arguments."""
    params = [Param(f"p{number}", arg.type) for number, arg in enumerate(args)]
    gives, name = ir.Type("thing", holds, True), native_name(op)
    return ir.Apply(Form("measure", (name,), span, params=params, gives=gives, op=name), args, gives, span)
