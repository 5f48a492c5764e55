"""Ranges of numbers in every game: the least and the greatest value that an expression or a measure can have."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from fcbdsl.base.records import dataclass
from fcbdsl.base.words import WAIT
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.attaining import Attaining
from fcbdsl.language.model.checks.number_values import (
    DEEPEST,
    Closed,
    Numbers,
    Scope,
    answered_by,
    scope_of_call,
    zones_asked,
)
from fcbdsl.language.model.ir import shape, walk
from fcbdsl.language.model.ir.operators import evaluate_constant

Interval = tuple[int | None, int | None]
"""The lowest and the highest value of a number; None: open."""
ANY: Interval = (None, None)
ZERO: Interval = (0, 0)


def range_hull(a: Interval, b: Interval) -> Interval:
    """Return the smallest range that contains two ranges."""
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    high = None if a[1] is None or b[1] is None else max(a[1], b[1])
    return low, high


def compare_ranges(op: str, a: Interval, b: Interval) -> bool | None:
    """Return the result of a comparison of two numbers if their ranges decide it; else None."""
    below = a[1] is not None and b[0] is not None and a[1] < b[0]
    above = a[0] is not None and b[1] is not None and a[0] > b[1]
    not_above = a[1] is not None and b[0] is not None and a[1] <= b[0]
    not_below = a[0] is not None and b[1] is not None and a[0] >= b[1]
    alike = a[0] is not None and a[0] == a[1] == b[0] == b[1]
    yes, no = {
        "<": (below, not_below),
        "<=": (not_above, above),
        ">": (above, not_above),
        ">=": (not_below, below),
        "=": (alike, below or above),
        "!=": (below or above, alike),
    }.get(op, (False, False))
    return True if yes else False if no else None


def add_ranges(a: Interval, b: Interval) -> Interval:
    """Return the range of the sum of two numbers."""
    low = None if a[0] is None or b[0] is None else a[0] + b[0]
    high = None if a[1] is None or b[1] is None else a[1] + b[1]
    return low, high


def _negated(a: Interval) -> Interval:
    return None if a[1] is None else -a[1], None if a[0] is None else -a[0]


def _multiplied(a: Interval, b: Interval) -> Interval:
    """Return the range of a product. A number that is always 0 makes it 0."""
    if ZERO in (a, b):
        return ZERO
    if a[0] is not None and a[0] >= 0 and b[0] is not None and b[0] >= 0:
        return a[0] * b[0], None if a[1] is None or b[1] is None else a[1] * b[1]
    ends = [None if x is None or y is None else x * y for x in a for y in b]
    ends_known = [end for end in ends if end is not None]
    return ANY if None in ends else (min(ends_known), max(ends_known))


def _repeated(times: int | None, each: Interval) -> Interval:
    """Return the range of a sum of at most `times` summands (None: any number), each in a range that contains 0."""
    low = 0 if each[0] == 0 else None if times is None or each[0] is None else times * each[0]
    high = 0 if each[1] == 0 else None if times is None or each[1] is None else times * each[1]
    return low, high


@dataclass(slots=True)
class Ranges:
    """The ranges of expressions in one mission: that of `numbers`."""

    numbers: Numbers

    def __post_init__(self) -> None:
        numbers = self.numbers
        if numbers.attaining is None:
            numbers.attaining = Attaining(numbers.model, numbers.modified, numbers.acts, self.truth)

    def never(self, condition: ir.Expr, scope: Scope) -> bool:
        """Return whether a condition can never hold for any values of its numbers."""
        return self.numbers.never(condition, scope) or self.truth(condition, scope) is False

    def limits(self, condition: ir.Expr, scope: Scope) -> str:
        """Return the greatest counts, sums and stats that a condition compares, in words; empty if it compares none."""
        limits: dict[str, None] = {}
        inside = {
            id(inner)
            for node in walk(condition)
            if isinstance(node, ir.Quantified)
            for inner in walk(node.select)
        }  # fmt: skip
        for node in walk(condition):
            high = None
            if isinstance(node, ir.Quantified) and node.quantifier == "number" and id(node) not in inside:
                high = self.of(node, scope)[1]
                name = f"number of {node.select.type.name}"
            elif isinstance(node, ir.Apply) and node.type == ir.NUMBER and id(node) not in inside:
                high = self.of(node, scope)[1]
                name = node.form.id
            if high is not None:
                is_below = isinstance(condition, ir.Binary) and condition.op in ("<", "<=") and node is condition.left
                limits[f"`{name}` is at least 0" if is_below else f"`{name}` is at most {high}"] = None
        limits = self._unattained(condition, scope) or limits or self._limits_of_stats(condition, scope)
        return ", and ".join(limits or self._limits_of_numbers(condition, scope))

    def _unattained(self, condition: ir.Expr, scope: Scope) -> dict[str, None]:
        """Return the stats of a condition that no effect can change, in words."""
        out: dict[str, None] = {}
        attaining = self.numbers.attaining
        assert attaining is not None
        for get in (node for node in walk(condition) if isinstance(node, ir.Get)):
            owner = self.numbers.owner(get.of, scope)
            if self.numbers.is_stuck(get) and isinstance(get.of, ir.Instance):
                waits = attaining.waits_to_rise(get.of.id)
                name = f"`{get.of.id}`"
                out[f"the effects that would raise {name} {WAIT}" if waits else f"no effect can raise {name}"] = None
                continue
            values = self.numbers.attained(get, owner)
            if values is not None and len(values) == 1:
                name = f"`{get.field.id}`" + ("" if owner is None else f" of `{owner.id}`")
                waits = attaining.waits(get.field, owner)
                out[f"the effects that would change {name} {WAIT}" if waits else f"no effect can change {name}"] = None
        return out

    def _limits_of_numbers(self, condition: ir.Expr, scope: Scope) -> dict[str, None]:
        """Return the ranges of the numbers that a condition compares with something, in words."""
        limits: dict[str, None] = {}
        for node in walk(condition):
            if not isinstance(node, ir.Binary) or node.op not in ("<", "<=", ">", ">=", "=", "!="):
                continue
            for side, below in ((node.left, node.op in ("<", "<=")), (node.right, node.op in (">", ">="))):
                if isinstance(side, ir.Get) and side.type == ir.NUMBER:
                    leaf = self.numbers.leaf(side, self.numbers.owner(side.of, scope))
                    if below and leaf.low is not None:
                        limits[f"`{leaf.name}` is at least {leaf.low}"] = None
                    elif not below and leaf.top is not None:
                        limits[f"`{leaf.name}` is at most {leaf.top}"] = None
        return limits

    def _limits_of_stats(self, condition: ir.Expr, scope: Scope) -> dict[str, None]:
        """Return the greatest values of the stats of things that a condition selects, in words."""
        limits: dict[str, None] = {}
        for select in (node for node in walk(condition) if isinstance(node, ir.Select)):
            things = self.numbers.things(replace(select, where=None), scope)
            for node in walk(select) if things else ():
                if isinstance(node, ir.Get) and isinstance(node.of, ir.Var) and node.of.slot == select.it:
                    tops = [self.numbers.leaf(node, definition).top for definition, _ in things or ()]
                    if node.type == ir.NUMBER and None not in tops:
                        limits[f"`{node.field.id}` is at most {max(top for top in tops if top is not None)}"] = None
        return limits

    def truth(self, condition: ir.Expr, scope: Scope, state: State | None = None, depth: int = 0) -> bool | None:
        """Return whether a condition always holds (True), never does (False), or may do either (None)."""
        match condition:
            case ir.Const(type=type, value=value) if type == ir.FLAG:
                return bool(value)
            case ir.Not(operand=operand):
                inner = self.truth(operand, scope, state, depth)
                return None if inner is None else not inner
            case ir.Binary(op="and" | "or" as op, left=left, right=right):
                sides = [self.truth(left, scope, state, depth), self.truth(right, scope, state, depth)]
                decisive = op == "or"
                if decisive in sides or (None in sides and (has_opposites(condition) or _excludes(condition))):
                    return decisive
                return None if None in sides else not decisive
            case ir.Binary(op=op, left=left, right=right) if left.type == right.type == ir.NUMBER:
                return compare_ranges(op, self.of(left, scope, state, depth), self.of(right, scope, state, depth))
            case ir.Quantified(quantifier="any" | "no" as word, select=select, test=None) if self._is_defined(select):
                return (word == "no") if self.numbers.is_empty(select, scope) else None
            case ir.Apply(form=form) if depth < DEEPEST and form.op is None:
                answer = answered_by(condition)
                return None if answer is None else self.truth(answer, scope_of_call(condition, scope), None, depth + 1)
        exact = self.numbers.at(condition, scope, {})
        return None if exact is None else bool(exact)

    def _is_defined(self, select: ir.Expr) -> bool:
        """Return whether a selection is of cards or pieces of which the game defines some."""
        return select.type.base == "thing" and bool(self.numbers.stock.things(select.type.name, None))

    def of(self, expr: ir.Expr, scope: Scope, state: State | None = None, depth: int = 0) -> Interval:
        """Return the range of a number. `state`: the ranges of locals, by slot."""
        exact = self.numbers.at(expr, scope, {})
        if exact is not None:
            return exact, exact
        match expr:
            case ir.Var(slot=slot):
                if state is not None and slot in state:
                    return state[slot]
                bound = scope.get(slot)
                if isinstance(bound, Closed) and bound.expr is not None and depth < DEEPEST:
                    return self.of(bound.expr, bound.scope, None, depth + 1)
            case ir.Binary(op="+", left=left, right=right):
                return add_ranges(self.of(left, scope, state, depth), self.of(right, scope, state, depth))
            case ir.Binary(op="-", left=left, right=right):
                return add_ranges(self.of(left, scope, state, depth), _negated(self.of(right, scope, state, depth)))
            case ir.Binary(op="*", left=left, right=right):
                return _multiplied(self.of(left, scope, state, depth), self.of(right, scope, state, depth))
            case ir.Binary(op="/", left=left, right=ir.Const(value=value)) if value > 0:
                low, high = self.of(left, scope, state, depth)
                return None if low is None else low // value, None if high is None else high // value
            case ir.Binary(op="min" | "max" as op, left=left, right=right):
                return _extreme(op, self.of(left, scope, state, depth), self.of(right, scope, state, depth))
            case ir.Quantified(quantifier="number", select=select):
                return 0, self.numbers.most_of(select, scope)
            case ir.Get() if expr.type == ir.NUMBER:
                return self._of_column(expr, scope)
            case ir.Apply(form=form) if form.op in _EXTREMES and _listed(expr):
                bounds = [self.of(item, scope, state, depth) for item in _listed(expr)]
                out = bounds[0]
                for interval in bounds[1:]:
                    out = _extreme(_EXTREMES[form.op], out, interval)
                return out
            case ir.Apply(form=form) if form.op == "size" and expr.args[0] is not None:
                return 0, self._most_in(expr.args[0])
            case ir.Apply(form=form) if form.op is None and form.body is not None and depth < DEEPEST:
                return _Run(self, scope_of_call(expr, scope), depth + 1).answers(form.body)
        return ANY

    def _of_column(self, get: ir.Get, scope: Scope) -> Interval:
        """Return the range of a column; for a printed number, of those of all things that there can be."""
        owner = self.numbers.owner(get.of, scope)
        leaf = self.numbers.leaf(get, owner)
        low, high = leaf.low, leaf.top
        if owner is None and get.field.sort == "field" and get.of.type.base == "thing":
            things = self.numbers.stock.things(get.of.type.name, self.numbers.mission)
            printed = [self.numbers.printed(get.field, definition) for definition, _ in things or ()]
            values = [value for value in printed if value is not None]
            if things is not None and len(values) == len(printed):
                low, high = min([0, *values]), max([0, *values])  # reading a column of nothing gives 0
        return low, high

    def _most_in(self, zone: ir.Expr) -> int | None:
        """Return the most things in a zone: its limit, or all things that it takes."""
        things = self.numbers.stock.things(zone.type.name, self.numbers.mission)
        bounds = (self.numbers.room(zone), None if things is None else sum(count for _, count in things))
        return min((bound for bound in bounds if bound is not None), default=None)


def has_opposites(condition: ir.Expr) -> bool:
    """Return whether a chain of `and` or of `or` has a part and its opposite."""
    op = condition.op if isinstance(condition, ir.Binary) else ""
    parts = dict.fromkeys(_statement(part, True) for part in _chain(condition, op))
    return any((key, not holds) in parts for key, holds in parts)


def _excludes(condition: ir.Expr) -> bool:
    """Return whether the parts of a chain of `and` leave no value to a number that they compare with constants."""
    if not isinstance(condition, ir.Binary) or condition.op != "and":
        return False
    ranges: dict[Hashable, Interval] = {}
    for part in _chain(condition, "and"):
        if not isinstance(part, ir.Binary) or part.op not in _ALLOWED or part.left.type != ir.NUMBER:
            continue
        limit = evaluate_constant(part.right)
        if limit is None or isinstance(part.left, ir.Const):
            continue
        key, (low, high) = shape(part.left, {}), _ALLOWED[part.op](limit)
        before = ranges.get(key, ANY)
        lows = [end for end in (low, before[0]) if end is not None]
        highs = [end for end in (high, before[1]) if end is not None]
        ranges[key] = max(lows, default=None), min(highs, default=None)
        if lows and highs and max(lows) > min(highs):
            return True
    return False


_ALLOWED: dict[str, Callable[[int], Interval]] = {
    "<": lambda limit: (None, limit - 1),
    "<=": lambda limit: (None, limit),
    ">": lambda limit: (limit + 1, None),
    ">=": lambda limit: (limit, None),
    "=": lambda limit: (limit, limit),
}
"""The values that a comparison with a constant allows."""


def _chain(condition: ir.Expr, op: str) -> list[ir.Expr]:
    if isinstance(condition, ir.Binary) and condition.op == op:
        return [*_chain(condition.left, op), *_chain(condition.right, op)]
    return [condition]


_OPPOSITES = {"<=": ">", ">=": "<", "!=": "="}


def _statement(condition: ir.Expr, holds: bool) -> tuple[Hashable, bool]:
    """Return a key that is equal for a condition and its opposite, and whether the condition is the positive one."""
    match condition:
        case ir.Not(operand=operand):
            return _statement(operand, not holds)
        case ir.Quantified(quantifier="no", test=None):
            return _statement(replace(condition, quantifier="any"), not holds)
        case ir.Binary(op=op) if op in _OPPOSITES:
            return _statement(replace(condition, op=_OPPOSITES[op]), not holds)
    return shape(condition, {}), holds


_EXTREMES = {"lowest": "min", "highest": "max"}


def _listed(call: ir.Expr) -> tuple[ir.Expr, ...]:
    """Return the numbers of which a measure gives the lowest or highest; empty if they are not listed one by one."""
    given = call.args[0] if isinstance(call, ir.Apply) else None
    return given.items if isinstance(given, ir.ListOf) and not any(item.type.many for item in given.items) else ()


def _extreme(op: str, a: Interval, b: Interval) -> Interval:
    """Return the range of the lower (`min`) or the higher (`max`) of two numbers."""
    if op == "max":
        low, high = _extreme("min", _negated(a), _negated(b))
        return _negated((low, high))
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    highs = [end for end in (a[1], b[1]) if end is not None]
    return low, min(highs, default=None)


# ── measures with several statements ───────────────────────────────────────────────────────────

State = Mapping[int, Interval]
"""Ranges of the locals of a body, by slot."""


@dataclass(slots=True)
class _Run:
    """All runs of the body of a measure at once: each local has the range of its values in all of them."""

    ranges: Ranges
    scope: Scope
    depth: int
    results: list[Interval] = field(default_factory=list)

    def answers(self, body: ir.Body) -> Interval:
        """Return the range of the answers of a body; a body that ends without one answers 0."""
        changed = dict.fromkeys([*(let.var.slot for let in _lets(body)), *(var.slot for var in _bound(body))])
        state: dict[int, Interval] = {}
        for slot, bound in self.scope.items():
            if slot in changed and isinstance(bound, Closed) and bound.expr is not None:
                given = bound.expr
                state[slot] = self.ranges.of(given, bound.scope, None, self.depth) if given.type == ir.NUMBER else ANY
        self.scope = {slot: bound for slot, bound in self.scope.items() if slot not in changed}
        if self._run(body.statements, state) is not None:
            self.results.append(ZERO)
        return _all(self.results)

    def _run(self, statements: Sequence[ir.Stmt], state: dict[int, Interval]) -> dict[int, Interval] | None:
        """Return the locals after some statements; None if they never end without an answer."""
        for statement in statements:
            match statement:
                case ir.Let(var=var, value=value):
                    state = {**state, var.slot: self._value(value, state)}
                case ir.Answer(value=value):
                    self.results.append(self._value(value, state))
                    return None
                case ir.Stop():
                    self.results.append(ZERO)
                    return None
                case ir.If(condition=condition, then=then, otherwise=otherwise):
                    holds = self.ranges.truth(condition, self.scope, state, self.depth)
                    ends = [
                        self._run(branch.statements, state)
                        for branch, skipped in ((then, False), (otherwise, True))
                        if holds is None or holds is not skipped
                    ]
                    joined = _joined([end for end in ends if end is not None])
                    if joined is None:
                        return None
                    state = joined
                case ir.ForEach(body=body):
                    state = self._loop(statement, state)
                    self._run(body.statements, dict(state))  # for the answers inside
                case ir.Nothing():
                    pass
                case _:
                    lets = _lets(statement)
                    state = {**state, **{let.var.slot: ANY for let in lets}}
                    if any(isinstance(node, ir.Answer | ir.Stop | ir.Require) for node in walk(statement)):
                        self.results.append(ANY)
                    state |= {var.slot: ANY for var in _bound(statement)}
        return state

    def _value(self, value: ir.Expr, state: State) -> Interval:
        if value.type == ir.NUMBER:
            return self.ranges.of(value, self.scope, state, self.depth)
        return ANY

    def _loop(self, loop: ir.ForEach, state: dict[int, Interval]) -> dict[int, Interval]:
        """Return the locals after a loop, and during all of its rounds."""
        changes: dict[int, list[ir.Let]] = {}
        for let in _lets(loop.body):
            changes.setdefault(let.var.slot, []).append(let)
        sums = {slot: lets for slot, lets in changes.items() if all(_summand(let) is not None for let in lets)}
        inside: dict[int, Interval] = {**state, **dict.fromkeys(changes, ANY)}
        inside |= {var.slot: ANY for var in _bound(loop.body)}
        for _ in range(2):  # the second time with the ranges of locals that others use
            for slot, lets in changes.items():
                if slot not in sums and all(_extreme_of(let) or not _reads(let.value, slot) for let in lets):
                    values = [self._value(value, inside) for let in lets for value in _extreme_of(let) or (let.value,)]
                    inside[slot] = _all([*values, state.get(slot, ZERO)])
        out = dict(inside)
        for slot in sums:
            out[slot] = add_ranges(state.get(slot, ZERO), self._total(loop, slot, self.scope, inside))
        return out

    def _total(self, loop: ir.ForEach, slot: int, scope: Scope, state: State, whole_kind: bool = False) -> Interval:
        """Return the range of what all rounds of a loop add to a local. Each round may be skipped.

        `whole_kind`: of the rounds of all its runs together, if no thing comes twice.
        """
        within = [inner for inner in walk(loop.body) if isinstance(inner, ir.ForEach)]
        apart = [inner for inner in within if _of_its_zone(loop, inner)]

        def of_body(own: Scope) -> Interval:
            return self._added(loop.body, slot, own, state, apart)

        total = self._rounds(loop, scope, of_body, whole_kind)
        for inner in apart:  # a thing is in one zone at a time, so no thing comes in two rounds
            once = self._total(inner, slot, scope, state, whole_kind=True)
            nested = self._rounds(loop, scope, partial(self._of_inner, inner, slot, state), whole_kind)
            total = add_ranges(total, _narrower(once, nested))
        return total

    def _of_inner(self, inner: ir.ForEach, slot: int, state: State, scope: Scope) -> Interval:
        return self._total(inner, slot, scope, state)

    def _rounds(
        self, loop: ir.ForEach, scope: Scope, single: Callable[[Scope], Interval], whole_kind: bool
    ) -> Interval:
        """Return the range of a sum over the rounds of a loop, of each of which `single` returns the range."""
        var, items = loop.var.slot, loop.items
        plain = {slot: bound for slot, bound in scope.items() if slot != var}
        if not isinstance(items, ir.Select):
            return _repeated(None, single(plain))
        things = self.ranges.numbers.things(items, scope)
        most = None if whole_kind else self.ranges.numbers.most_of(items, scope)
        out = _repeated(most, single(plain))
        if things is not None:
            ones = [(single({**scope, var: definition}), count) for definition, count in things]
            each = ZERO
            for own, count in ones:
                each = add_ranges(each, _repeated(count, own))
            out = _narrower(out, each)
            if most is not None:
                out = _narrower(out, _repeated(most, _all([ZERO, *(own for own, _ in ones)])))
        return out

    def _added(self, body: ir.Body, slot: int, scope: Scope, state: State, without: Sequence[ir.ForEach]) -> Interval:
        """Return the range of what a body may add to a local, except in some of its loops."""
        total = ZERO
        for node in _outside_loops(body):
            if isinstance(node, ir.ForEach):
                if not any(node is left_out for left_out in without):
                    total = add_ranges(total, self._total(node, slot, scope, state))
            elif isinstance(node, ir.Let) and node.var.slot == slot:
                summand = _summand(node)
                assert summand is not None  # only such locals are sums
                sign, value = summand
                amounts = self.ranges.of(value, scope, state, self.depth)
                total = add_ranges(total, range_hull(ZERO, amounts if sign > 0 else _negated(amounts)))
            elif isinstance(node, ir.Repeat) and any(let.var.slot == slot for let in _lets(node)):
                return ANY
        return total


def _joined(states: Sequence[dict[int, Interval]]) -> dict[int, Interval] | None:
    """Return the locals after one of several branches."""
    if not states:
        return None
    slots = dict.fromkeys(slot for state in states for slot in state)
    return {slot: _all([state.get(slot, ANY) for state in states]) for slot in slots}


def _all(ranges: Sequence[Interval]) -> Interval:
    out = ranges[0]
    for interval in ranges[1:]:
        out = range_hull(out, interval)
    return out


def _narrower(a: Interval, b: Interval) -> Interval:
    """Return what two ranges of one number have in common."""
    lows = [end for end in (a[0], b[0]) if end is not None]
    highs = [end for end in (a[1], b[1]) if end is not None]
    return max(lows, default=None), min(highs, default=None)


def _lets(node: object) -> list[ir.Let]:
    return [let for let in walk(node) if isinstance(let, ir.Let)]


def _bound(statement: object) -> list[ir.Var]:
    """Return the locals that a statement sets other than by `let`."""
    out: list[ir.Var] = []
    for node in walk(statement):
        if isinstance(node, ir.Choose | ir.Roll) and node.var is not None:
            out.append(node.var)
    return out


def _reads(value: ir.Expr, slot: int) -> bool:
    return any(isinstance(node, ir.Var) and node.slot == slot for node in walk(value))


def _summand(let: ir.Let) -> tuple[int, ir.Expr] | None:
    """Return what `let sum = sum + X` adds, with its sign; None of any other statement."""
    slot = let.var.slot
    match let.value:
        case ir.Binary(op="+" | "-" as op, left=ir.Var(slot=left), right=right) if left == slot:
            return None if _reads(right, slot) else (1 if op == "+" else -1, right)
        case ir.Binary(op="+", left=left, right=ir.Var(slot=right)) if right == slot:
            return None if _reads(left, slot) else (1, left)
    return None


def _extreme_of(let: ir.Let) -> tuple[ir.Expr, ...]:
    """Return what `let best = lowest of best, X` (or `highest`) may become; empty for any other statement."""
    slot = let.var.slot
    is_extreme = isinstance(let.value, ir.Apply) and let.value.form.op in _EXTREMES
    others = [item for item in _listed(let.value) if not (isinstance(item, ir.Var) and item.slot == slot)]
    return tuple(others) if is_extreme and not any(_reads(item, slot) for item in others) else ()


def _outside_loops(body: ir.Body) -> Iterator[ir.Node]:
    """Yield the nodes of a body, and its loops without the nodes inside."""
    inside: dict[int, None] = {}
    for node in walk(body):
        if id(node) in inside:
            continue
        if isinstance(node, ir.ForEach):
            inside |= {id(inner): None for inner in walk(node.body)}
        yield node


def _of_its_zone(outer: ir.ForEach, inner: ir.ForEach) -> bool:
    """Return whether the items of an inner loop are in a zone of the outer loop's thing, so no item comes twice."""
    if not isinstance(outer.items, ir.Select) or outer.items.source is not None:
        return False
    if not isinstance(inner.items, ir.Select):
        return False
    for zone in zones_asked(inner.items):
        if isinstance(zone, ir.ZoneOf) and isinstance(zone.of, ir.Var) and zone.of.slot == outer.var.slot:
            return True
    return False
