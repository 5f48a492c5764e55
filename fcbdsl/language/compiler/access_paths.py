"""Access paths: selections that iterate over a shorter list than all things of a kind.

`weapon in weapons of self` iterates over that zone instead of all weapons; `space adjacent to self` over the neighbors.
The candidates then have the order of that list: that of the zone, or the directions of the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Protocol

from fcbdsl.base.source import Span
from fcbdsl.language.compiler.native_forms import native_name, op_of
from fcbdsl.language.compiler.walk import Purity, is_loop_invariant
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form, Param
from fcbdsl.language.model.ir import FLAG, Expr, Substitution, conjuncts, substitute
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops.counters import Owners


class Kinds(Protocol):
    """The facts about a model that the pass needs: ancestors of kinds, and pure forms."""

    purity: Purity

    def descends(self, kind: str, ancestor: str) -> bool:
        """Return whether a kind is another one, or descends from it."""

    def fresh(self) -> int:
        """Return a slot that nothing else uses."""


def choose_access_path(kinds: Kinds, expr: ir.Select) -> ir.Select:
    """Return the selection with a shorter source list, if its conditions allow one."""
    if expr.where is None or expr.type.base != "thing":
        return expr
    if expr.source is not None:
        return _narrowed_within(kinds, expr)
    parts = conjuncts(expr.where, negated=True)
    for number, part in enumerate(parts):
        apart = _listed_apart(kinds, expr, part)
        if apart is not None:
            return replace(expr, source=apart, where=_joined(parts[:number] + parts[number + 1 :], expr.span))
        source = _source(kinds, expr, part)
        if source is not None:
            rest = parts[:number] + parts[number + 1 :] if _exact(part) else parts
            return _drawing_from(kinds, source, expr, rest)
    return expr


def _drawing_from(kinds: Kinds, source: Expr, expr: ir.Select, parts: list[Expr]) -> ir.Select:
    """Return a selection of all of a kind as one from a list, under some conditions."""
    if not kinds.descends(source.type.name or "thing", expr.type.name):
        candidate = ir.Var("it", expr.it, expr.type.one(), expr.span)
        parts = [ir.IsA(candidate, expr.type.name, FLAG, expr.span), *parts]
    return replace(expr, source=source, where=_joined(parts, expr.span))


def _joined(parts: list[Expr], span: Span) -> Expr | None:
    """Return conditions joined by `and`; None if there are none."""
    return reduce(lambda a, b: ir.Binary("and", a, b, FLAG, span), parts) if parts else None


def _narrowed_within(kinds: Kinds, expr: ir.Select) -> ir.Select:
    """Return a selection from another selection with a shorter source list (`blocker on spot`, where `blocker` is a
    noun).

    Only lists sorted by number qualify, because the original selection has that order.
    """
    chain = [expr]
    while isinstance(chain[-1].source, ir.Select):
        chain.append(chain[-1].source)
    last = chain[-1]
    if last.source is not None or any(select.order for select in chain[1:]) or last.type.base != "thing":
        return expr
    parts = conjuncts(expr.where, negated=True) if expr.where is not None else []
    for number, part in enumerate(parts):
        source = _listed(kinds, expr, part) if isinstance(part, ir.Apply) else None
        if source is not None and (op := op_of(source.form)) is not None and op.lists_by_number:
            inner = conjuncts(last.where, negated=True) if last.where is not None else []
            narrowed = _drawing_from(kinds, source, last, inner)
            for outer in reversed(chain[1:-1]):
                narrowed = replace(outer, source=narrowed)
            rest = parts[:number] + parts[number + 1 :] if _exact(part) else parts
            return replace(expr, source=narrowed, where=_joined(rest, expr.span))
    return expr


def _listed_apart(kinds: Kinds, expr: ir.Select, part: Expr) -> ir.ListOf | None:
    """Split `in A and …, or in B and …` into the list of A with its other conditions, and that of B with its own."""
    if not isinstance(part, ir.Binary) or part.op != "or":
        return None
    lists: list[Expr] = []
    items: list[Expr] = []
    for side in (part.left, part.right):
        conditions = conjuncts(side, negated=True)
        call = next(
            (condition for condition in conditions if isinstance(condition, ir.Apply) and _exact(condition)), None
        )
        source = _listed(kinds, expr, call) if isinstance(call, ir.Apply) else None
        if source is None:
            return None
        it = kinds.fresh()
        candidate = Substitution(values={expr.it: ir.Var("it", it, expr.type.one(), expr.span)})
        rest = [substitute(condition, candidate) for condition in conditions if condition is not call]
        all_of_them = ir.Select(None, it, None, (), expr.type, expr.span)
        lists.append(source)
        items.append(_drawing_from(kinds, source, all_of_them, rest))
    return ir.ListOf(tuple(items), expr.type, part.span) if _are_apart(lists) else None


def _source(kinds: Kinds, expr: ir.Select, part: Expr) -> Expr | None:
    """Return the list in a condition that does not depend on the candidate."""
    if isinstance(part, ir.Binary) and part.op == "or":
        both = [_first(kinds, expr, side) for side in (part.left, part.right)]
        if all(isinstance(side, ir.Apply) for side in both) and _are_apart(both):
            return ir.ListOf(tuple(side for side in both if side is not None), expr.type, part.span)
        return None
    if isinstance(part, ir.Apply):
        return _listed(kinds, expr, part)
    return _owners(kinds, expr, part) if isinstance(part, ir.Binary) else None


def _first(kinds: Kinds, expr: ir.Select, side: Expr) -> Expr | None:
    """Return the first list in one of several conditions."""
    return next(
        (source for part in conjuncts(side, negated=True) if (source := _source(kinds, expr, part)) is not None), None
    )


def _are_apart(lists: Sequence[Expr | None]) -> bool:
    """Return whether two lists are certainly disjoint: the contents of zones with different names."""
    names = {call.args[0].zone for call in lists if isinstance(call, ir.Apply) and isinstance(call.args[0], ir.ZoneOf)}
    names |= {call.args[0].id for call in lists if isinstance(call, ir.Apply) and isinstance(call.args[0], ir.Instance)}
    return len(names) == len(lists)


def _exact(part: Expr) -> bool:
    """Return whether the list of a condition contains only things that meet it."""
    if isinstance(part, ir.Binary) and part.op == "or":
        return _exact(part.left) and _exact(part.right)
    if isinstance(part, ir.Binary):
        return part.op == ">"
    return isinstance(part, ir.Apply) and (op := op_of(part.form)) is not None and op.lists_exactly


def _listed(kinds: Kinds, expr: ir.Select, part: ir.Apply) -> ir.Apply | None:
    """Return the list of things that are in a relation to a fixed value; None if the relation has no such list."""
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
    """Return the owners of the markers on something: ``MARKER on x by it > 0``."""
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
    return is_loop_invariant(other, {expr.it}) and kinds.purity.of(other)


def _list(op: type[Op], args: tuple[Expr, ...], holds: str, span: Span) -> ir.Apply:
    """Return a native op that gives things of the kind `holds`, applied to arguments."""
    params = [Param(f"p{number}", arg.type) for number, arg in enumerate(args)]
    gives, name = ir.Type("thing", holds, True), native_name(op)
    return ir.Apply(Form("measure", (name,), span, params=params, gives=gives, op=name), args, gives, span)
