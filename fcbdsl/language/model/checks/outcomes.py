"""Evaluation of conditions over all values that their numbers can have.

It finds conditions that never hold, and values for which none of several conditions holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product
from math import prod
from typing import Final

from fcbdsl.base.diagnostics.base import Diagnostic, Related
from fcbdsl.base.diagnostics.dead import NeverMet, NeverTaken, NoneApplies, NoneThere, TooFewCopies
from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.content import Board, Definition, Test, Value
from fcbdsl.language.model.declarations import Field, Trait
from fcbdsl.language.model.ir import conjuncts, shape, walk
from fcbdsl.language.model.ir.operators import calculate, evaluate_constant
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model

MOST_POINTS: Final = 5000
"""Most combinations of values that are tried."""
MOST_VALUES: Final = 200
"""Most values that are tried for one number."""
_DEEPEST: Final = 8
_ADDING: Final = ("+", "-", "=", "!=", "<", "<=", ">", ">=", "and", "or")
SELF: Final = 0
INNER: Final = -1
"""Marker of the scope inside a form, where slots have another meaning; it is no slot."""


def outcomes(model: Model) -> Iterator[Diagnostic]:
    """Yield diagnostics of four kinds: conditions that can never hold although the game needs them, gaps between
    conditions of which one must hold, definitions without copies that something needs, and actions that nobody can
    take."""
    numbers = Numbers(model)
    yield from _never_met(model, numbers)
    yield from _gaps(model, numbers)
    yield from _none_there(model)
    yield from _too_few(model)
    yield from _never_taken(model, numbers)


# ── numbers ────────────────────────────────────────────────────────────────────────────────────


Scope = Mapping[int, "Definition | Closed"]
"""Values of slots: a thing of a definition, or an argument."""


@dataclass(frozen=True, slots=True)
class Closed:
    """An argument with the scope of its call (a closure)."""

    expr: ir.Expr | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number that changes in play: from `low` to `high` (None: without end). `start`: its value as play begins, if
    that is known."""

    name: str
    low: int | None
    high: int | None
    start: int | None


@dataclass(slots=True)
class Numbers:
    """The numbers of a model: tracks by id, and fields that modifiers change."""

    model: Model
    tracks: dict[str, tuple[int, int] | None] = field(default_factory=dict)
    boards: list[Board] = field(default_factory=list)
    board: Board | None = None
    """The map of the mission whose condition is evaluated; None: any of `boards`."""
    modified: dict[str, list[ir.Modifier]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for definition in self.model.definitions.values():
            if definition.board is not None:
                self.boards.append(definition.board)
            for track in definition.tracks:
                self.tracks[track.id] = None if track.id in self.tracks else (track.low, track.high)
        for _, root in roots(self.model):
            for node in walk(root):
                if isinstance(node, ir.Modifier):
                    self.modified.setdefault(node.field.id, []).append(node)

    def is_fixed(self, column: Field, owner: Definition) -> bool:
        """Return whether no modifier changes a column of the things of a definition."""
        lineage = {kind.id for kind in owner.kind.lineage()}
        for modifier in self.modified.get(column.id, ()):
            below = {kind.id for kind in modifier.kind.lineage()}
            if modifier.kind.id in lineage or owner.kind.id in below:
                return False
        return True

    def printed(self, column: Field, owner: Definition) -> int | None:
        """Return the printed number of a definition in a field; None if it is unknown or may change."""
        if column.sort != "field" or not self.is_fixed(column, owner):
            return None
        value = owner.values.get(column.id)
        written = value.expr if value is not None else (owner.kind.find(column.id) or column).default
        return None if written is None else evaluate_constant(written)

    def leaf(self, get: ir.Get, owner: Definition | None) -> Leaf:
        """Return the number that an expression reads. `owner`: the definition of the thing that it is of, if that is
        known."""
        column = get.field
        if isinstance(get.of, ir.Instance) and column.id == "value" and get.of.id in self.tracks:
            low, high = self.tracks[get.of.id] or (None, None)
            return Leaf(get.of.id, low, high, low)
        if column.id in self.modified if owner is None else not self.is_fixed(column, owner):
            return Leaf(column.id, None, None, None)
        low, high = column.low, column.high
        if column.sort in ("status", "token"):
            low, high = 0, column.limit
        start = None
        if owner is not None and column.sort == "stat" and column.default is not None:
            start = self.at(column.default, {SELF: owner}, {})
        if owner is None:  # reading a column of nothing gives 0
            low = None if low is None else min(low, 0)
            high = None if high is None else max(high, 0)
        return Leaf(column.id, low, high, start)

    def at(self, expr: ir.Expr | None, scope: Scope, point: Mapping[str, int], depth: int = 0) -> int | None:
        """Return the value of an expression (a flag: 0 or 1) where the leaves have the values of `point`; None: not
        known."""
        match expr:
            case ir.Const(value=value, type=type) if type.base in ("number", "flag"):
                return value
            case ir.Var(slot=slot):
                bound = scope.get(slot)
                return self.at(bound.expr, bound.scope, point, depth + 1) if isinstance(bound, Closed) else None
            case ir.Not(operand=operand):
                inner = self.at(operand, scope, point, depth)
                return None if inner is None else int(not inner)
            case ir.Binary(op="and" | "or" as op, left=left, right=right):
                sides = [self.at(left, scope, point, depth), self.at(right, scope, point, depth)]
                decisive = int(op == "or")
                if decisive in sides:
                    return decisive
                return None if None in sides else 1 - decisive
            case ir.Binary(op=op, left=left, right=right) if {left.type.base, right.type.base} == {"number"}:
                a, b = self.at(left, scope, point, depth), self.at(right, scope, point, depth)
                return None if a is None or b is None else calculate(op, a, b)
            case ir.Quantified(quantifier="any" | "number", select=ir.Select(where=where), it=it) if where is not None:
                inner_scope = {slot: bound for slot, bound in scope.items() if slot != it}
                return 0 if self.never(where, inner_scope) else point.get(_count_key(expr))
            case ir.Quantified(quantifier="number"):
                return point.get(_count_key(expr))
            case ir.Get(of=of, type=type) if type.base == "number" and not type.many:
                owner = self._owner(of, scope)
                known = None if owner is None else self.printed(expr.field, owner)
                key = _key(expr, scope)
                return known if known is not None or key is None else point.get(key)
            case ir.Apply() if depth < _DEEPEST:
                answered = _answered(expr)
                return None if answered is None else self.at(answered, _given(expr, scope), point, depth + 1)
        return None

    def _owner(self, of: ir.Expr, scope: Scope) -> Definition | None:
        """Return the definition of the thing that an expression refers to; None if unknown."""
        while isinstance(of, ir.Var):
            bound = scope.get(of.slot)
            if not isinstance(bound, Closed):
                return bound
            if bound.expr is None:
                return None
            of, scope = bound.expr, bound.scope
        return None

    def leaves(self, expr: object, scope: Scope, depth: int = 0) -> Iterator[tuple[str, Leaf]]:
        """Yield the numbers that a condition reads, by their keys."""
        nodes = walk(expr)
        counts = [node for node in nodes if isinstance(node, ir.Quantified) and node.quantifier == "number"]
        counted = {id(inner) for count in counts for inner in walk(count.select)}
        for count in counts:
            most = self.most_of(count.select)
            if most is not None and id(count) not in counted:
                yield _count_key(count), Leaf(f"number of {_kind_of_count(count)}", 0, most, None)
        for node in nodes:
            if id(node) in counted:
                continue
            if isinstance(node, ir.Get) and node.type == ir.NUMBER:
                owner, key = self._owner(node.of, scope), _key(node, scope)
                if key is not None and (owner is None or self.printed(node.field, owner) is None):
                    yield key, self.leaf(node, owner)
            elif isinstance(node, ir.Apply) and depth < _DEEPEST:
                answered = _answered(node)
                if answered is not None:
                    yield from self.leaves(answered, _given(node, scope), depth + 1)

    def most_of(self, select: ir.Expr) -> int | None:
        """Return the most things that a selection can have; None if that is unknown."""
        if not isinstance(select, ir.Select) or select.type.base != "thing":
            return None
        if select.source is not None:
            return self.most_of(select.source)
        kind = select.type.name
        if kind == "space":
            boards = self.boards if self.board is None else [self.board]
            return max((_most_spaces(select, board) for board in boards), default=None)
        if kind == "player":
            return self.model.players[1]
        declared = self.model.kinds.get(kind)
        if declared is None or not any(above.id in ("piece", "card") for above in declared.lineage()):
            return None
        total = 0
        for definition in self.model.definitions.values():
            if any(above is declared for above in definition.kind.lineage()):
                copies = _copies(self.model, (definition.kind.id, definition.id))
                if copies is None:
                    return None
                total += copies
        return total

    def reach(self, expr: object, scope: Scope, depth: int = 0) -> int | None:
        """Return a bound above which a number cannot change a condition; None if unknown."""
        total = 0
        for node in walk(expr):
            inner: int | None = 0
            if isinstance(node, ir.Const):
                inner = abs(node.value)
            elif isinstance(node, ir.Binary) and node.op not in _ADDING:
                return None
            elif isinstance(node, ir.Get):
                owner = self._owner(node.of, scope)
                inner = abs((self.printed(node.field, owner) if owner is not None else None) or 0)
            elif isinstance(node, ir.Apply) and depth < _DEEPEST:
                answered = _answered(node)
                inner = 0 if answered is None else self.reach(answered, _given(node, scope), depth + 1)
            if inner is None:
                return None
            total += inner
        return total

    def limits(self, condition: ir.Expr, scope: Scope) -> str:
        """Return the greatest counts that a condition compares, in words; empty if it compares none."""
        found = [leaf for _, leaf in self.leaves(condition, scope) if leaf.name.startswith("number of ")]
        return ", and ".join(f"`{leaf.name}` is at most {leaf.high}" for leaf in found)

    def never(self, condition: ir.Expr, scope: Scope) -> bool:
        """Return whether a condition can never hold for any values of its numbers."""
        reach = self.reach(condition, scope)
        ranges = {key: _tried(leaf, reach) for key, leaf in self.leaves(condition, scope)}
        points = _points({key: values for key, values in ranges.items() if values is not None})
        return points is not None and all(self.at(condition, scope, point) == 0 for point in points)


def _count_key(count: ir.Quantified) -> str:
    """Return the key of a count. Equal counts at two places have two keys."""
    return f"number {id(count)}"


def _kind_of_count(count: ir.Quantified) -> str:
    return count.select.type.name


def _most_spaces(select: ir.Select, board: Board) -> int:
    """Return the number of spaces of a map, if the selection asks for marks: of those that have them."""
    marks = [
        part.args[1].label
        for part in conjuncts(select.where)
        if isinstance(part, ir.Apply) and Trait.ASKS_MARK in part.form.traits and isinstance(part.args[1], ir.Const)
    ]
    return sum(all(mark in cell.marks for mark in marks) for cell in board.cells)


def _key(get: ir.Get, scope: Scope) -> str | None:
    """Return a key that is equal for equal numbers; None if that is unknown."""
    of: ir.Expr | None = get.of
    while isinstance(of, ir.Var) and of.slot in scope:
        bound = scope[of.slot]
        if not isinstance(bound, Closed):
            return f"{bound.kind.id} {bound.id}'s {get.field.id}"
        of, scope = bound.expr, bound.scope
    if of is None or (INNER in scope and any(isinstance(node, ir.Var) for node in walk(of))):
        return None
    return f"{shape(of, {})!r}'s {get.field.id}"


def _answered(call: ir.Apply) -> ir.Expr | None:
    """Return the expression that a relation or measure answers, if its body is only that."""
    body = call.form.body if call.form.op is None else None
    if body is not None and len(body.statements) == 1 and isinstance(body.statements[0], ir.Answer):
        return body.statements[0].value
    return None


def _given(call: ir.Apply, scope: Scope) -> Scope:
    """Return the scope inside a form, whose parameters have the arguments of a call."""
    return {INNER: Closed(None, {})} | {number + 2: Closed(arg, scope) for number, arg in enumerate(call.args)}


def _tried(leaf: Leaf, reach: int | None) -> range | None:
    """Return the values to try for a number: up to `reach` if it has no upper bound."""
    if leaf.low is None or (leaf.high is None and reach is None):
        return None
    high = leaf.low + (reach or 0) + 2 if leaf.high is None else leaf.high
    return range(leaf.low, high + 1) if high - leaf.low < MOST_VALUES else None


def _points(ranges: Mapping[str, range]) -> list[dict[str, int]] | None:
    """Return all combinations of values; None if there are too many."""
    if prod(map(len, ranges.values())) > MOST_POINTS:
        return None
    return [dict(zip(ranges, values, strict=True)) for values in product(*ranges.values())]


# ── conditions that the game needs ─────────────────────────────────────────────────────────────


def _condition(value: Value | None) -> ir.Expr | None:
    """Return the expression of a condition that is a single expression."""
    last = value.body.statements if value is not None and value.body is not None else ()
    return last[0].value if len(last) == 1 and isinstance(last[0], ir.Answer) else None


def _selecting(model: Model) -> dict[tuple[str, str], None]:
    """Return the kinds among whose things one must be chosen, with the conditions for it."""
    found: dict[tuple[str, str], None] = {}
    for owner, root in roots(model):
        if isinstance(owner, Test):
            continue
        for node in walk(root):
            if isinstance(node, ir.Choose) and not node.optional and isinstance(node.options, ir.Select):
                select = node.options
                for part in conjuncts(select.where):
                    match part:
                        case ir.Get(of=ir.Var(slot=slot), field=Field(type=ir.Type(base="condition")) as column):
                            if slot == select.it:
                                found[select.type.name, column.id] = None
    return found


def _never_met(model: Model, numbers: Numbers) -> Iterator[Diagnostic]:
    chosen = _selecting(model)
    for definition in model.definitions.values():
        if model.proof_of(definition.span):
            continue
        lineage = [kind.id for kind in definition.kind.lineage()]
        for value in definition.values.values():
            asked = _condition(value)
            needed = value.field.attainable or any((kind, value.field.id) in chosen for kind in lineage)
            numbers.board = definition.board
            if not needed or asked is None:
                continue
            scope = _scope(definition)
            whole = numbers.never(asked, scope)
            for part in (
                [asked] if whole else [disjunct for disjunct in _disjuncts(asked) if numbers.never(disjunct, scope)]
            ):
                why = numbers.limits(part, scope) or "no value of its numbers matches"
                what = f"{'The' if whole else 'This part of the'} `{value.field.id}`"
                span = (value.span or definition.span) if whole else part.span
                found = NeverMet(span, what=what, name=definition.id, why=why)
                if not whole or not value.field.attainable:
                    found.severity = "warning"  # other parts, or others of its sort, can still be true
                yield found


def _disjuncts(condition: ir.Expr) -> list[ir.Expr]:
    """Return the alternatives of a condition."""
    if isinstance(condition, ir.Binary) and condition.op == "or":
        return [*_disjuncts(condition.left), *_disjuncts(condition.right)]
    return [condition]


def _scope(definition: Definition) -> Scope:
    """Return the scope of a condition of a definition: `self` is the thing that the definition is for."""
    return {} if definition.target is None else {SELF: definition.target}


def _gaps(model: Model, numbers: Numbers) -> Iterator[Diagnostic]:
    """Yield values for which no condition holds, although one of several things must be chosen."""
    for kind, column in _selecting(model):
        groups: dict[int, list[Definition]] = {}
        for definition in model.definitions.values():
            if definition.target is not None and any(above.id == kind for above in definition.kind.lineage()):
                groups.setdefault(id(definition.target), []).append(definition)
        for group in groups.values():
            asked = [_condition(definition.values.get(column)) for definition in group]
            target = group[0].target
            if target is None or None in asked or all(model.is_lent(definition.span) for definition in group):
                continue
            gap = _gap(numbers, [expr for expr in asked if expr is not None], target)
            if gap is not None:
                last = group[-1]
                value = last.values[column]
                others = [definition.values[column].span for definition in group[:-1]]
                related = [Related(span, "this is another one") for span in others if span is not None]
                yield NoneApplies(
                    value.span or last.span, kind=group[0].kind.id, target=target.id, field=column, gap=gap,
                    related=related,
                )  # fmt: skip


def _gap(numbers: Numbers, asked: Sequence[ir.Expr], target: Definition) -> str | None:
    """Return the values of one number for which no condition holds, in words.

    An end of its range counts only if the number begins there. For example, a figure with 0 hit points has left play.
    """
    scope: Scope = {SELF: target}
    leaves = {key: leaf for expr in asked for key, leaf in numbers.leaves(expr, scope)}
    if len(leaves) != 1:
        return None
    ((key, leaf),) = leaves.items()
    ends = [end for end in (leaf.high, leaf.start) if end is not None]
    if leaf.low is None or not ends or max(ends) - leaf.low >= MOST_VALUES:
        return None
    values = range(leaf.low, max(ends) + 1)
    held = {value: [numbers.at(expr, scope, {key: value}) for expr in asked] for value in values}
    open_ = [value for value in values if all(each == 0 for each in held[value])]
    edges = [end for end in (values[0], values[-1]) if end != leaf.start]
    inner = [value for value in open_ if value not in edges]
    if not inner:
        return None
    return f"{leaf.name} = {' or '.join(map(str, inner))}"


# ── definitions without copies ─────────────────────────────────────────────────────────────────


def _none_there(model: Model) -> Iterator[Diagnostic]:
    """Yield definitions with no copies that a list, a map or an effect needs."""
    absent = {
        (definition.kind.id, definition.id): value
        for definition in model.definitions.values()
        if (value := definition.values.get("copies")) is not None
        and value.expr is not None
        and evaluate_constant(value.expr) == 0
    }
    if not absent:
        return
    needed: dict[tuple[str, str], Related] = {}
    for definition in model.definitions.values():
        if model.proof_of(definition.span):
            continue
        for value in definition.values.values():
            for node in (*walk(value.expr), *walk(value.body)):
                if (
                    isinstance(node, ir.Def | ir.Instance)
                    and (node.kind, node.id) in absent
                    and node.id != definition.id
                ):
                    needed.setdefault((node.kind, node.id), Related(node.span, f"`{definition.id}` needs it"))
    for owner, root in roots(model):
        if isinstance(owner, Test) or (owner is not None and model.proof_of(owner.span)):
            continue
        for node in walk(root):
            if isinstance(node, ir.Def | ir.Instance) and (node.kind, node.id) in absent:
                needed.setdefault((node.kind, node.id), Related(node.span, "this needs it"))
            elif isinstance(node, ir.Choose) and isinstance(node.options, ir.Select) and not _asks_copies(node.options):
                for which in _choosable(model, node.options, absent):
                    needed.setdefault(which, Related(node.options.span, "players may choose it here"))
    for which, related in needed.items():
        value = absent[which]
        yield NoneThere(value.span or model.definitions[which].span, name=which[1], related=[related])


def _choosable(model: Model, options: ir.Select, absent: Mapping[tuple[str, str], Value]) -> Iterator[tuple[str, str]]:
    """Yield the definitions without copies that may be among all definitions of a kind from which something is
    chosen."""
    if options.source is None and options.type.base == "definition":
        for which in absent:
            if any(above.id == options.type.name for above in model.definitions[which].kind.lineage()):
                yield which


def _asks_copies(options: ir.Select) -> bool:
    return any(isinstance(node, ir.Get) and node.field.id == "copies" for node in walk(options.where))


def _too_few(model: Model) -> Iterator[Diagnostic]:
    """Yield lists of cards or figures that name a definition more often than it has copies."""
    for definition in model.definitions.values():
        if model.proof_of(definition.span):
            continue
        for listed, value in definition.values.items():
            named = Counter((node.kind, node.id) for node in walk(value.expr) if isinstance(node, ir.Def))
            for which, count in named.items():
                copies = _copies(model, which) if count > 1 else None
                if copies is not None and 0 < copies < count:
                    span = value.span or definition.span
                    yield TooFewCopies(
                        span, list=listed, owner=definition.id, name=which[1], count=count, copies=copies
                    )


def _copies(model: Model, which: tuple[str, str]) -> int | None:
    """Return how many copies a card or figure has; None of anything else, or if that is not known."""
    definition = model.definitions.get(which)
    if definition is None or not any(above.id in ("card", "piece") for above in definition.kind.lineage()):
        return None
    value = definition.values.get("copies")
    declared = definition.kind.find("copies")
    expr = value.expr if value is not None else declared.default if declared is not None else None
    return 1 if expr is None else evaluate_constant(expr)


# ── actions that nobody can take ───────────────────────────────────────────────────────────────


def _never_taken(model: Model, numbers: Numbers) -> Iterator[Diagnostic]:
    """Yield actions that no effect offers to their actors, or whose `needs` can never be true."""
    offered: dict[str, None] = {}
    for owner, root in roots(model):
        if not isinstance(owner, Test) and not (owner is not None and model.proof_of(owner.span)):
            offers = [node.actors for node in walk(root) if isinstance(node, ir.Offer)]
            for actors in offers:
                named = actors.items if isinstance(actors, ir.ListOf) else (actors,)
                offered |= {expr.type.name: None for expr in named}
    if not offered:
        return  # the game offers nothing yet, or asks in another way
    for action in model.actions.values():
        if action.by is None or model.proof_of(action.span):
            continue
        by = action.by.type.name
        if not any(_related(model, by, kind) for kind in offered):
            cure = f"Offer it somewhere (`offer {by}`), or write `by: {next(iter(offered))}`."
            yield NeverTaken(action.span, name=action.id, why=f"no effect offers the actions of `{by}`", cure=cure)
        elif action.needs is not None and numbers.never(action.needs, {}):
            cure = "Ask in `needs:` for a value inside the range of the number."
            yield NeverTaken(action.span, name=action.id, why="its `needs` can never be true", cure=cure)


def _related(model: Model, one: str, other: str) -> bool:
    """Return whether a thing of one kind may be of the other, too, or play for it."""
    if {one, other} <= {"player", TEAM} or "thing" in (one, other):
        return True
    kinds = [model.kinds.get(one), model.kinds.get(other)]
    lines = [[above.id for above in kind.lineage()] if kind is not None else [] for kind in kinds]
    return one in lines[1] or other in lines[0]
