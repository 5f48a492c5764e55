"""The numbers that a condition reads, with the values that they can have in play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod
from typing import Final, cast

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.attaining import Attaining
from fcbdsl.language.model.checks.clocks import Clocks
from fcbdsl.language.model.checks.stock import Stock
from fcbdsl.language.model.content import Board, Definition
from fcbdsl.language.model.declarations import Declared, Field, Form, Trait
from fcbdsl.language.model.ir import ByClass, conjuncts, shape, walk
from fcbdsl.language.model.ir.operators import calculate, evaluate_constant
from fcbdsl.language.model.roots import Walked, walked_roots
from fcbdsl.language.model.whole import Model

MOST_POINTS: Final = 5000
"""Most combinations of values that are tried."""
MOST_VALUES: Final = 200
"""Most values that are tried for one number."""
DEEPEST: Final = 8
GENEROUS: Final = 3
"""How many times its printed value a number is estimated to reach by modifiers."""
_ADDING: Final = ("+", "-", "=", "!=", "<", "<=", ">", ">=", "and", "or")
_COUNTED: Final = ("number", "flag", "enum")
"""Types whose values are tried one by one."""
SELF: Final = 0
FIRST: Final = 2
"""The slot of a form's first parameter, after `self` and `this`."""
INNER: Final = -1
"""Marker of the scope inside a form, where slots have another meaning; it is no slot."""


Scope = Mapping[int, "Definition | Closed"]
"""Values of slots: a thing of a definition, or an argument."""
_ScopeKey = tuple[object, ...]
"""The identities of the values of a scope, by slot."""


@dataclass(frozen=True, slots=True)
class Closed:
    """An argument with the scope of its call (a closure)."""

    expr: ir.Expr | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number that changes in play: from `low` to `high` (None: without end). `start`: its value as play begins, if
    that is known. `labels`: the names of its values, if it is a flag or an enum. `most`: the greatest value to which
    effects raise it, if it has no `high`."""

    name: str
    low: int | None
    high: int | None
    start: int | None
    labels: tuple[str, ...] = ()
    most: int | None = None

    @property
    def top(self) -> int | None:
        """Return the greatest value: the end of its range, or what effects can raise it to."""
        return self.most if self.high is None else self.high

    def show(self, value: int) -> str:
        """Return how an author writes a value."""
        return self.labels[value] if self.labels else str(value)


@dataclass(frozen=True, slots=True)
class _Declared:
    """A number that an expression reads, as it is declared, and what may limit it further.

    `is_counter`: it is a counter, so the end of the mission may. `is_raised`: the effects that raise it may. `is_set`:
    the conditions of the effects that set it may.
    """

    get: ir.Get
    leaf: Leaf
    is_counter: bool = False
    is_raised: bool = False
    is_set: bool = False

    @property
    def may_be_narrower(self) -> bool:
        """Return whether anything may limit the number further."""
        return self.is_counter or self.is_raised or self.is_set


@dataclass(frozen=True, slots=True)
class _Read:
    """A number or a count that a condition reads in a scope. `key`: equal for equal numbers (empty: a count inside of
    another one). `owner`: the definition of the thing that has the number, if that is known."""

    key: str
    node: ir.Get | ir.Quantified
    owner: Definition | None
    scope: Scope


@dataclass(slots=True)
class _Question:
    """What a condition reads in a scope, and the bound of `Numbers.reach`.

    `answers`: whether it can never hold, by the ranges of these numbers; None if its selections decide that, too.
    """

    condition: ir.Expr
    scope: Scope
    reads: Sequence[_Read]
    reach: int | None
    answers: dict[tuple[range | None, ...], bool] | None
    settled: bool | None = None
    """Whether it can never hold, if nothing narrows the ranges of its numbers; None if that is unknown."""


@dataclass(slots=True)
class Numbers:
    """The numbers of a model: tracks by id, and fields that modifiers change. `walked`: all behavior of the game."""

    model: Model
    walked: list[Walked] = field(init=False)
    tracks: dict[str, tuple[int, int] | None] = field(default_factory=dict)
    boards: list[Board] = field(default_factory=list)
    stock: Stock = field(init=False)
    mission: Definition | None = None
    """The mission in which a condition is evaluated; None: any."""
    modified: dict[str, list[ir.Modifier]] = field(default_factory=dict)
    raising: Raising = field(init=False)
    clocks: Clocks = field(init=False)
    acts: list[tuple[ir.Node, object, Declared | None]] = field(default_factory=list)
    """The statements and calls outside of tests, each with the whole behavior around it and its declaration."""
    attaining: Attaining | None = None
    """The values that stats can have, as soon as something calculates ranges."""
    _questions: dict[tuple[int, _ScopeKey], _Question] = field(default_factory=dict)
    """What conditions read, by their identity and the key of their scope."""
    _shown: dict[int, tuple[ir.Expr, str]] = field(default_factory=dict)
    """Texts that are equal for equal expressions, by the identity of these."""
    _declared: dict[tuple[int, int], _Declared] = field(default_factory=dict)
    """Numbers that expressions read, by their identity and that of the definition that has them."""

    def __post_init__(self) -> None:
        self.walked = walked_roots(self.model)
        self.stock = Stock(self.model, self.walked)
        self.raising = Raising(self)
        self.clocks = Clocks(self.model, self.raising.assigned)
        for definition in self.model.definitions.values():
            if definition.board is not None:
                self.boards.append(definition.board)
            for track in definition.tracks:
                self.tracks[track.id] = None if track.id in self.tracks else (track.low, track.high)
        for owner, root, nodes in self.walked:
            for node in nodes:
                note = _NOTES.get(node.__class__)
                if note is not None:
                    note(self, node, root, owner)

    def is_fixed(self, column: Field, owner: Definition) -> bool:
        """Return whether no modifier changes a column of the things of a definition."""
        modifiers = self.modified.get(column.id, ())
        return not any(owner.kind.is_a(m.kind.id) or m.kind.is_a(owner.kind.id) for m in modifiers)

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
            if low is not None and self.is_stuck(get):
                high = low
            return Leaf(get.of.id, low, high, low)
        key = id(get), id(owner)
        declared = self._declared.get(key)
        if declared is None:
            declared = self._declared_number(get, owner)
            if not _selects(column.default):
                self._declared[key] = declared
        leaf = declared.leaf
        if not declared.may_be_narrower:
            return leaf
        low, high, most = leaf.low, leaf.high, None
        if declared.is_counter:
            low, most = 0, self.clocks.most(column, self.mission)
        elif declared.is_raised:
            most = self.raising.most(column, owner) if owner is not None else self.raising.most_of_kind(get)
        if declared.is_set and self.attaining is not None:
            values = self.attaining.values(column, owner)
            if values is not None:
                low, high = min(values), max(values)
        return Leaf(leaf.name, low, high, leaf.start, leaf.labels, most)

    def _declared_number(self, get: ir.Get, owner: Definition | None) -> _Declared:
        """Return the number that an expression reads, by declarations alone."""
        column = get.field
        if column.id in self.modified if owner is None else not self.is_fixed(column, owner):
            return _Declared(get, Leaf(column.id, None, None, None))
        low, high, labels = column.low, column.high, self._labels(column.type)
        if column.sort in ("status", "token"):
            low, high = 0, column.limit
        elif labels:
            low, high = 0, len(labels) - 1
        start = None
        if owner is not None and column.sort in ("status", "token"):
            start = 0
        elif owner is not None and column.sort == "stat":
            start = max(0, low or 0) if column.default is None else self.at(column.default, {SELF: owner}, {})
        if owner is None:  # reading a column of nothing gives 0
            low = None if low is None else min(low, 0)
            high = None if high is None else max(high, 0)
        leaf = Leaf(column.id, low, high, start, labels)
        is_counter, is_stat = self.clocks.rises(column), column.sort == "stat" and column.type.base == "number"
        return _Declared(
            get,
            leaf,
            is_counter=high is None and is_counter,
            is_raised=high is None and not is_counter and is_stat and get.of.type.base == "thing",
            is_set=self._is_examined(get, owner),
        )

    def _is_examined(self, get: ir.Get, owner: Definition | None) -> bool:
        """Return whether an expression reads a stat of the game or of a certain thing whose values are examined.

        Stats that shipped content reads are not examined.
        """
        is_single = owner is not None or get.of.type.name == "game"
        is_stat = get.field.sort == "stat" and not self.clocks.rises(get.field)
        return is_single and is_stat and self.is_own(get)

    def attained(self, get: ir.Get, owner: Definition | None) -> tuple[int, ...] | None:
        """Return the values that a stat of the game or of a certain thing can have; None: unknown."""
        if self.attaining is None or not self._is_examined(get, owner):
            return None
        return self.attaining.values(get.field, owner)

    def is_stuck(self, get: ir.Get) -> bool:
        """Return whether an expression reads a track that no effect can move up."""
        is_track = isinstance(get.of, ir.Instance) and get.field.id == "value" and get.of.id in self.tracks
        if self.attaining is None:
            return False
        return is_track and self.is_own(get) and not self.attaining.rises(cast(ir.Instance, get.of).id)

    def is_own(self, get: ir.Get) -> bool:
        """Return whether an expression is in a file of the project."""
        return not self.model.is_lent(get.span)

    def _labels(self, type: ir.Type) -> tuple[str, ...]:
        """Return the names of the values of a flag or enum; empty for other types."""
        if type == ir.FLAG:
            return "no", "yes"
        return tuple(self.model.enums[type.name].values) if type.base == "enum" and not type.many else ()

    def at(self, expr: ir.Expr | None, scope: Scope, point: Mapping[str, int], depth: int = 0) -> int | None:
        """Return the value of an expression (a flag: 0 or 1) where the leaves have the values of `point`; None: not
        known."""
        match expr:
            case ir.Const(value=value, type=type) if type.base in ("number", "flag", "enum"):
                return value
            case ir.Var(slot=slot):
                bound = scope.get(slot)
                return self.at(bound.expr, bound.scope, point, depth + 1) if isinstance(bound, Closed) else None
            case ir.IsA(of=of, kind=kind):
                owner = self.owner(of, scope)
                return None if owner is None else int(owner.kind.is_a(kind))
            case ir.Binary(
                op="=" | "!=" as op, left=ir.Get(of=of, field=Field(id="definition")), right=ir.Def() as named
            ):
                owner = self.owner(of, scope)
                return (
                    None if owner is None else int(((owner.kind.id, owner.id) == (named.kind, named.id)) == (op == "="))
                )
            case ir.Not(operand=operand):
                inner = self.at(operand, scope, point, depth)
                return None if inner is None else int(not inner)
            case ir.Binary(op="and" | "or" as op, left=left, right=right):
                decisive = int(op == "or")
                first = self.at(left, scope, point, depth)
                if first == decisive:
                    return decisive
                second = self.at(right, scope, point, depth)
                return decisive if second == decisive else None if first is None or second is None else 1 - decisive
            case ir.Binary(op=op, left=left, right=right) if left.type.base == right.type.base in _COUNTED:
                a, b = self.at(left, scope, point, depth), self.at(right, scope, point, depth)
                return None if a is None or b is None else calculate(op, a, b)
            case ir.Quantified(quantifier="any" | "number", select=ir.Select(where=where), it=it) if where is not None:
                inner_scope = {slot: bound for slot, bound in scope.items() if slot != it}
                return 0 if self.never(where, inner_scope) else point.get(self._count_key(expr, scope))
            case ir.Quantified(quantifier="number"):
                return point.get(self._count_key(expr, scope))
            case ir.Get(of=of, type=type) if type.base in _COUNTED and not type.many:
                owner = self.owner(of, scope)
                printed = None if owner is None else self.printed(expr.field, owner)
                if printed is not None:
                    return printed
                key = self._key(expr, scope)
                return None if key is None else point.get(key)
            case ir.Apply() if depth < DEEPEST:
                answered = answered_by(expr)
                return None if answered is None else self.at(answered, scope_of_call(expr, scope), point, depth + 1)
        return None

    def owner(self, of: ir.Expr, scope: Scope) -> Definition | None:
        """Return the definition of the thing that an expression refers to; None if unknown."""
        while isinstance(of, ir.Var):
            bound = scope.get(of.slot)
            if not isinstance(bound, Closed):
                return bound
            if bound.expr is None:
                return None
            of, scope = bound.expr, bound.scope
        return self.model.definitions.get((of.kind, of.id)) if isinstance(of, ir.Instance) else None

    def leaves(self, expr: ir.Expr, scope: Scope) -> Iterator[tuple[str, Leaf]]:
        """Yield the numbers that a condition reads, by their keys."""
        yield from self._leaves(self._question(expr, scope))

    def _leaves(self, question: _Question) -> Iterator[tuple[str, Leaf]]:
        for read in question.reads:
            node = read.node
            if isinstance(node, ir.Get):
                yield read.key, self.leaf(node, read.owner)
                continue
            most = self.most_of(node.select, read.scope)
            if most is not None and read.key:
                yield read.key, Leaf(f"number of {_kind_of_count(node)}", 0, most, None)

    def _question(self, expr: ir.Expr, scope: Scope) -> _Question:
        """Return what a condition reads in a scope; memoized."""
        key = id(expr), _scope_key(scope)
        question = self._questions.get(key)
        if question is None:
            reads: list[_Read] = []
            is_plain = self._collect(expr, scope, 0, reads) and not _gives_selection(scope)
            question = _Question(expr, scope, reads, self.reach(expr, scope), {} if is_plain else None)
            self._questions[key] = question
        return question

    def _collect(self, expr: ir.Expr, scope: Scope, depth: int, reads: list[_Read]) -> bool:
        """Add the numbers that an expression reads to a list, and return whether it selects nothing."""
        nodes = walk(expr)
        selections = [node for node in nodes if isinstance(node, ir.Quantified)]
        counts = [node for node in selections if node.quantifier == "number"]
        counted = {id(inner) for count in counts for inner in walk(count.select)}
        for count in counts:
            reads.append(_Read("" if id(count) in counted else self._count_key(count, scope), count, None, scope))
        is_plain = not selections
        for node in nodes:
            if id(node) in counted:
                continue
            if isinstance(node, ir.Get) and node.type.base in _COUNTED and not node.type.many:
                owner, key = self.owner(node.of, scope), self._key(node, scope)
                if key is not None and (owner is None or self.printed(node.field, owner) is None):
                    reads.append(_Read(key, node, owner, scope))
            elif isinstance(node, ir.Apply) and depth < DEEPEST:
                answered = answered_by(node)
                if answered is not None:
                    is_plain = self._collect(answered, scope_of_call(node, scope), depth + 1, reads) and is_plain
        return is_plain

    def things(self, select: ir.Expr, scope: Scope) -> list[tuple[Definition, int]] | None:
        """Return the cards or pieces that a selection can have, with the most of each; None if that is unknown."""
        if not isinstance(select, ir.Select) or select.type.base != "thing":
            return None
        things, where = self._candidates(select, scope), select.where
        if things is None or where is None:
            return things
        return [row for row in things if not self.never(where, {**scope, select.it: row[0]})]

    def _candidates(self, select: ir.Select, scope: Scope) -> list[tuple[Definition, int]] | None:
        """Return the things among which a selection selects, with the most of each; None if that is unknown."""
        if select.source is not None:
            return self.things(select.source, scope)
        return self.stock.things(select.type.name, self.mission)

    def most_of(self, select: ir.Expr, scope: Scope) -> int | None:
        """Return the most things that a selection can have; None if that is unknown."""
        if not isinstance(select, ir.Select) or select.type.base != "thing":
            return None
        if select.source is not None and select.where is None:
            return self.most_of(select.source, scope)
        kind = select.type.name
        if kind == "space":
            boards = self.boards if self.mission is None or self.mission.board is None else [self.mission.board]
            return max((_most_spaces(select, board) for board in boards), default=None)
        if kind == "player":
            return self.most_players()
        things = self.things(select, scope)
        limits = self._limits_of(select)
        if things is not None:
            limits.append(sum(count for _, count in things))
        return min(limits, default=None)

    def _limits_of(self, select: ir.Select) -> list[int]:
        """Return limits of the number of cards or pieces in a selection: those of its zones, and of drafts."""
        limits = [self.room(zone) for zone in zones_asked(select)]
        if select.source is None:
            limits.append(self.stock.most_drafted(select.type.name, self.mission, self.most_players()))
        return [limit for limit in limits if limit is not None]

    def is_empty(self, select: ir.Expr, scope: Scope) -> bool:
        """Return whether a selection never has anything. It is not counted: the first thing that it can have is
        enough."""
        where = select.where if isinstance(select, ir.Select) and select.type.base == "thing" else None
        if where is None or select.type.name in ("space", "player"):
            return self.most_of(select, scope) == 0
        assert isinstance(select, ir.Select)
        if 0 in self._limits_of(select):
            return True
        things = self._candidates(select, scope)
        return things is not None and all(self.never(where, {**scope, select.it: thing}) for thing, _ in things)

    def most_players(self) -> int:
        """Return the most players of the mission, or of the game."""
        return ((self.mission.players if self.mission is not None else None) or self.model.players)[1]

    def room(self, zone: ir.Expr) -> int | None:
        """Return the most things that a zone can hold by its constant `limit`; None if it has none."""
        match zone:
            case ir.Instance(kind="zone", id=id):
                declared = self.model.zones.get(id)
            case ir.ZoneOf(of=of, zone=id) if of.type.name in self.model.kinds:
                kinds = self.model.kinds[of.type.name].lineage()
                declared = next((kind.zones[id] for kind in kinds if id in kind.zones), None)
            case _:
                return None
        return evaluate_constant(declared.limit) if declared is not None and declared.limit is not None else None

    def _count_key(self, count: ir.Quantified, scope: Scope) -> str:
        """Return a key that is equal for equal counts. Inside forms, counts at two places have two keys."""
        if INNER in scope or any(isinstance(bound, Closed) for bound in scope.values()):
            return f"number {id(count)}"
        return f"number {self._shape(count)}"

    def _key(self, get: ir.Get, scope: Scope) -> str | None:
        """Return a key that is equal for equal numbers; None if that is unknown."""
        of: ir.Expr | None = get.of
        while isinstance(of, ir.Var) and of.slot in scope:
            bound = scope[of.slot]
            if not isinstance(bound, Closed):
                return f"{bound.kind.id} {bound.id}'s {get.field.id}"
            of, scope = bound.expr, bound.scope
        if of is None or (INNER in scope and any(isinstance(node, ir.Var) for node in walk(of))):
            return None
        return f"{self._shape(of)}'s {get.field.id}"

    def _shape(self, expr: ir.Expr) -> str:
        """Return a text that is equal for equal expressions."""
        if id(expr) not in self._shown:
            self._shown[id(expr)] = expr, repr(shape(expr, {}))
        return self._shown[id(expr)][1]

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
                owner = self.owner(node.of, scope)
                inner = abs((self.printed(node.field, owner) if owner is not None else None) or 0)
            elif isinstance(node, ir.Apply) and depth < DEEPEST:
                answered = answered_by(node)
                inner = 0 if answered is None else self.reach(answered, scope_of_call(node, scope), depth + 1)
            if inner is None:
                return None
            total += inner
        return total

    def never(self, condition: ir.Expr, scope: Scope) -> bool:
        """Return whether a condition can never hold for any values of its numbers."""
        question = self._question(condition, scope)
        if question.settled is not None:
            return question.settled
        ranges = {key: tried_values(leaf, question.reach) for key, leaf in self._leaves(question)}
        if question.answers is None:
            return self._never_in(condition, scope, ranges)
        values = tuple(ranges.values())
        never = question.answers.get(values)
        if never is None:
            never = question.answers[values] = self._never_in(condition, scope, ranges)
        if all(map(self._is_settled, question.reads)):
            question.settled = never
        return never

    def _is_settled(self, read: _Read) -> bool:
        """Return whether nothing narrows the range of a number."""
        declared = self._declared.get((id(read.node), id(read.owner)))
        return declared is not None and not declared.may_be_narrower

    def _never_in(self, condition: ir.Expr, scope: Scope, ranges: Mapping[str, range | None]) -> bool:
        """Return whether a condition never holds while its numbers are in some ranges (None: any values)."""
        tried = value_points({key: values for key, values in ranges.items() if values is not None})
        return tried is not None and all(self.at(condition, scope, point) == 0 for point in tried)


_NOTES = ByClass()
"""Functions that record a node that changes something or runs a form, by its class."""


@_NOTES.of(ir.Modifier)
def _note_modifier(numbers: Numbers, node: ir.Modifier, root: object, owner: Declared | None) -> None:
    numbers.modified.setdefault(node.field.id, []).append(node)


@_NOTES.of(ir.Do, ir.Apply, ir.Announce)
def _note_act(numbers: Numbers, node: ir.Node, root: object, owner: Declared | None) -> None:
    numbers.acts.append((node, root, owner))


@_NOTES.of(ir.Assign)
def _note_change(numbers: Numbers, node: ir.Assign, root: object, owner: Declared | None) -> None:
    first = FIRST + len(owner.params) if isinstance(owner, Form) else FIRST
    numbers.raising.assigned.setdefault(node.target.field, []).append((node, root, first))
    numbers.acts.append((node, root, owner))


# ── how far effects raise a number ─────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Raising:
    """The greatest values of stats without an upper limit, from all effects that change them.

    `assigned`: the changes of each stat, each with the whole behavior around it and its first slot after the
    parameters. `estimates`: a printed number that
    modifiers change counts up to `GENEROUS` times, and no effect subtracts a negative number. Without it, such stats
    have no greatest value. `asked`: how often such a value was asked for. A result for which none was asked is the same
    with estimates.
    """

    numbers: Numbers
    assigned: dict[Field, list[tuple[ir.Assign, object, int]]] = field(default_factory=dict)
    estimates: bool = False
    asked: int = 0
    _known: dict[tuple[Field, int, bool], int | None] = field(default_factory=dict)

    def most(self, column: Field, owner: Definition) -> int | None:
        """Return the greatest value of a stat of the things of a definition; None if that is unknown."""
        self.asked += 1
        key = column, id(owner), self.estimates
        if key not in self._known:
            self._known[key] = None  # a stat that another one needs for its own limit
            self._known[key] = self._most(column, owner)
        return self._known[key]

    def most_of_kind(self, get: ir.Get) -> int | None:
        """Return the greatest value of a stat of any card or piece of a kind; None if that is unknown."""
        definitions = self._of_kind(get.of.type.name)
        if not any(above.id in ("card", "piece") for owner in definitions[:1] for above in owner.kind.lineage()):
            return None
        values = [self.most(get.field, owner) for owner in definitions]
        return None if None in values else max(value for value in values if value is not None)

    def _most(self, column: Field, owner: Definition) -> int | None:
        if column.id in self.numbers.modified:
            return None
        most = 0 if column.default is None else self._value(column.default, _Around(column, owner, SELF, None, 0))
        lineage = [above.id for above in owner.kind.lineage()]
        for assign, root, first in self.assigned.get(column, ()):
            of = assign.target.of
            kind = self.numbers.model.kinds.get(of.type.name)
            if kind is not None and of.type.name not in lineage and owner.kind not in kind.lineage():
                continue
            around = _Around(column, owner, of.slot if isinstance(of, ir.Var) else None, root, first)
            raised = self._value(assign.value, around) if assign.op == "=" else self._shifted(assign, around)
            most = None if most is None or raised is None else max(most, raised)
            if most is None:
                return None
        return most

    def _shifted(self, assign: ir.Assign, around: _Around) -> int | None:
        """Return the least possible value if a statement such as `HP -1` lowers a stat; None if it may raise it."""
        amount = evaluate_constant(assign.value)
        lowers = amount is not None and (amount <= 0 if assign.op == "+" else amount >= 0)
        return 0 if lowers or (assign.op == "-" and self.estimates) else None

    def _value(self, expr: ir.Expr, around: _Around, depth: int = 0) -> int | None:
        """Return the greatest value of an expression. The stat itself counts 0, because it never exceeds its limit."""
        if depth > DEEPEST:
            return None
        match expr:
            case ir.Const(value=value):
                return value
            case ir.Get(field=column, of=of):
                same = isinstance(of, ir.Var) and of.slot == around.slot
                return 0 if column is around.column else self._column(column, of, around.owner if same else None)
            case ir.Binary(op="+", left=left, right=right):
                sides = [self._value(left, around, depth + 1), self._value(right, around, depth + 1)]
                if around.reads(left) or around.reads(right) or None in sides:
                    return None
                return sum(side for side in sides if side is not None)
            case ir.Binary(op="-", left=left, right=right):
                amount = evaluate_constant(right)
                before = self._value(left, around, depth + 1)
                if before is None or around.reads(right) or (amount is None and not self.estimates):
                    return None
                if around.reads(left):
                    return before if amount is None or amount >= 0 else None
                return before if amount is None else max(before - amount, 0)
            case ir.Binary(op="/", left=left, right=ir.Const(value=value)) if value > 0:
                whole = self._value(left, around, depth + 1)
                return None if whole is None else whole // value
            case ir.Apply(form=form, args=(ir.ListOf(items=items),)) if form.op in ("lowest", "highest"):
                values = [self._value(item, around, depth + 1) for item in items]
                if any(item.type.many for item in items) or (form.op == "highest" and None in values):
                    return None
                known_values = [value for value in values if value is not None]
                return (min if form.op == "lowest" else max)(known_values, default=None)
            case ir.Var(slot=slot) if slot >= around.first and not _is_bound(around.root, slot):
                lets = [node for node in walk(around.root) if isinstance(node, ir.Let) and node.var.slot == slot]
                within = replace(around, locals=(*around.locals, slot))
                values = [self._value(let.value, within, depth + 1) for let in lets if slot not in around.locals]
                return None if None in values else max((value for value in values if value is not None), default=None)
            case ir.Quantified(quantifier="number", select=select):
                return self.numbers.most_of(select, {})
        return None

    def _column(self, column: Field, of: ir.Expr, owner: Definition | None) -> int | None:
        """Return the greatest value of a field or stat of a thing; `owner`: its definition, if that is known."""
        if column.high is not None:
            return column.high
        if column.sort in ("status", "token"):
            return column.limit
        definitions = [owner] if owner is not None else self._of_kind(of.type.name)
        if not definitions:
            return None
        values = [self._of_definition(column, definition) for definition in definitions]
        return None if None in values else max(value for value in values if value is not None)

    def _of_kind(self, kind: str) -> list[Definition]:
        definitions = self.numbers.model.definitions.values()
        return [thing for thing in definitions if thing.kind.is_a(kind)]

    def _of_definition(self, column: Field, owner: Definition) -> int | None:
        if column.sort == "stat":
            return self.most(column, owner)
        printed = self.numbers.printed(column, owner)
        if printed is not None or not self.estimates or column.sort != "field":
            return printed
        value = owner.values.get(column.id)
        written = value.expr if value is not None else (owner.kind.find(column.id) or column).default
        base = None if written is None else evaluate_constant(written)
        if base is None:
            return None
        added = [evaluate_constant(modifier.amount) or 0 for modifier in self.numbers.modified.get(column.id, ())]
        return GENEROUS * (max(base, 1) + sum(amount for amount in added if amount > 0))


@dataclass(frozen=True, slots=True)
class _Around:
    """The stat that an effect changes, the definition of its owner, the local that holds the owner, and the whole
    behavior with its first slot after parameters. `locals`: the locals whose values are being examined."""

    column: Field
    owner: Definition
    slot: int | None
    root: object
    first: int
    locals: tuple[int, ...] = ()

    def reads(self, expr: ir.Expr) -> bool:
        """Return whether an expression reads the stat."""
        return any(isinstance(node, ir.Get) and node.field is self.column for node in walk(expr))


def _is_bound(root: object, slot: int) -> bool:
    """Return whether something else than `let` sets a local."""
    for node in walk(root):
        if isinstance(node, ir.ForEach | ir.Choose | ir.Roll) and node.var is not None and node.var.slot == slot:
            return True
        if isinstance(node, ir.Listener) and any(bind.slot == slot for bind in node.binds):
            return True
    return False


def zones_asked(select: ir.Select) -> list[ir.Expr]:
    """Return the zones in which a selection wants its things to be."""
    zones: list[ir.Expr] = []
    for part in conjuncts(select.where):
        match part:
            case ir.Apply(args=(ir.Var(slot=slot), zone)) if slot == select.it and zone is not None:
                if part.form.op == "in-zone" and zone.type.base == "zone":
                    zones.append(zone)
    return zones


def _selects(expr: ir.Expr | None) -> bool:
    """Return whether an expression asks about a selection of things."""
    return any(isinstance(node, ir.Quantified) for node in walk(expr))


def _scope_key(scope: Scope) -> _ScopeKey:
    """Return a key that is equal for scopes with the same things and arguments."""
    key: list[object] = []
    around: Scope | None = None  # the arguments of a call have the same scope
    for slot, bound in scope.items():
        if not isinstance(bound, Closed):
            key += (slot, id(bound))
            continue
        key += (slot, id(bound.expr))
        if bound.scope is not around:
            around = bound.scope
            key.append(_scope_key(around))
    return tuple(key)


def _gives_selection(scope: Scope) -> bool:
    """Return whether an argument in a scope asks about a selection of things."""
    arguments = [bound for bound in scope.values() if isinstance(bound, Closed)]
    around = {id(argument.scope): argument.scope for argument in arguments}
    return any(_selects(argument.expr) for argument in arguments) or any(map(_gives_selection, around.values()))


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


def answered_by(call: ir.Apply) -> ir.Expr | None:
    """Return the expression that a relation or measure answers, if its body is only that."""
    body = call.form.body if call.form.op is None else None
    if body is not None and len(body.statements) == 1 and isinstance(body.statements[0], ir.Answer):
        return body.statements[0].value
    return None


def scope_of_call(call: ir.Apply, scope: Scope) -> Scope:
    """Return the scope inside a form, whose parameters have the arguments of a call."""
    return {INNER: Closed(None, {})} | {number + 2: Closed(arg, scope) for number, arg in enumerate(call.args)}


def tried_values(leaf: Leaf, reach: int | None) -> range | None:
    """Return the values to try for a number: up to `reach` if it has no upper bound."""
    if leaf.low is None or (leaf.top is None and reach is None):
        return None
    high = leaf.low + (reach or 0) + 2 if leaf.top is None else leaf.top
    return range(leaf.low, high + 1) if high - leaf.low < MOST_VALUES else None


def value_points(ranges: Mapping[str, Sequence[int]]) -> Iterator[dict[str, int]] | None:
    """Return an iterator over all combinations of values; None if there are too many."""
    if prod(map(len, ranges.values())) > MOST_POINTS:
        return None
    return (dict(zip(ranges, values, strict=True)) for values in product(*ranges.values()))
