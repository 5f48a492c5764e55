"""The normal form of effects: their behavior, without differences that neither a reader nor a game can notice.

Two trees have one normal form only if they play alike. These differences are taken out:
places in the source, spelling, and the numbers of locals (they are numbered in the order in which they are bound);
a `let` that nothing uses, and a `let` whose inputs nothing writes before its use (its value is put there);
brackets and order within a chain of `+`, of `and`, and of the conjuncts of a listener or a selection;
constant sums; `a != b` for `not a = b`, `no x` for `not any x`, `not a < b` for `a >= b`, `a < 3` for `a <= 2`;
`if a: if b: …` for `if a and b: …`; a statement written so many times in a row for `repeat … times`;
a condition on the noun of a listener for the narrower noun.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import conjuncts, walk
from fcbdsl.language.model.ir.operators import evaluate_constant

Shape = Hashable
TURNED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SPREAD = {"+", "and", "or", "min", "max"}


def normal(definition: Definition) -> Shape:
    """Return the normal form of all that a definition does."""
    shapes: list[Shape] = []
    for name, value in definition.values.items():
        if value.body is not None:
            shapes.append((name, _Reader({}).body(value.body.statements)))
    for listener in definition.listeners:
        shapes.append(_listener(listener))
    return tuple(shapes)


def _listener(listener: ir.Listener, bound: Mapping[int, Shape] | None = None) -> Shape:
    """Return the normal form of a listener. `bound`: the locals that it captures."""
    own: dict[int, Shape] = {bind.slot: ("event", at) for at, bind in enumerate(listener.binds)}
    reader = _Reader(own if bound is None else {**bound, **own})
    asked = [bind.condition for bind in listener.binds if bind.condition is not None]
    asked += [listener.condition] if listener.condition is not None else []
    conditions = {repr(reader.expr(conjunct)): None for each in asked for conjunct in conjuncts(each)}
    head = (listener.event.id, listener.timing, listener.offered, listener.limit and listener.limit.id)
    return (*head, tuple(sorted(conditions)), reader.body(listener.body.statements))


class _Reader:
    def __init__(self, bound: Mapping[int, Shape]) -> None:
        self.bound = dict(bound)
        self.names = 0
        self.lets: dict[int, tuple[Shape, frozenset[str]]] = {}
        self.noted: dict[int, Shape] = {}
        self.pending: list[Shape] = []

    def bind(self, slot: int) -> Shape:
        self.names += 1
        self.bound[slot] = ("local", self.names)
        return self.bound[slot]

    def body(self, statements: Sequence[ir.Stmt]) -> Shape:
        made: list[Shape] = []
        for at, statement in enumerate(statements):
            made += self.statement(statement, statements[at + 1 :])
        groups = [(shape, len(list(some))) for shape, some in groupby(made)]
        return tuple(shape if count == 1 else ("repeat", ("const", count), (shape,)) for shape, count in groups)

    def statement(self, statement: ir.Stmt, rest: Sequence[ir.Stmt]) -> list[Shape]:
        match statement:
            case ir.Let():
                return self.let(statement, rest)
            case ir.Choose():
                options = self.expr(statement.options)
                return [("choose", options, statement.optional, statement.chance, self.bind(statement.var.slot))]
            case ir.Assign():
                value = self.expr(statement.value)
                return [("assign", self.expr(statement.target), statement.op, value)]
            case ir.Do():
                return [("do", statement.form.id, *(None if arg is None else self.expr(arg) for arg in statement.args))]
            case ir.If():
                return self.branch(statement)
            case ir.ForEach():
                items = self.expr(statement.items)
                var = self.bind(statement.var.slot)
                return [("each", items, var, self.body(statement.body.statements))]
            case ir.Repeat():
                times = None if statement.times is None else self.expr(statement.times)
                inner = self.body(statement.body.statements)
                return [("repeat", times, inner)] if inner else []
            case ir.Roll():
                dice = (self.expr(statement.dice), statement.against and self.expr(statement.against))
                name = statement.var and self.bind(statement.var.slot)
                rows = tuple((row.low, row.high, row.faces, self.body(row.body.statements)) for row in statement.rows)
                return [("roll", dice, name, rows)]
            case ir.ChooseOne():
                options = tuple(
                    (*option.label.items(), self.body(option.body.statements)) for option in statement.options
                )
                return [("one", statement.optional, options)]
            case ir.AnyOrder():
                return [("any order", *(self.body(step.body.statements) for step in statement.steps))]
            case ir.Then():
                bodies = [self.body(body.statements) for body in (statement.tried, statement.then, statement.otherwise)]
                return [("then", *bodies)]
            case ir.Until():
                modifiers = tuple(self.modifier(modifier) for modifier in statement.modifiers)
                listeners = tuple(_listener(listener, self.bound) for listener in statement.listeners)
                subject = statement.subject and self.expr(statement.subject)
                return [("until", statement.until.id, subject, modifiers, listeners)]
            case ir.Require():
                return [("require", self.expr(statement.condition))]
            case ir.Stop():
                return [("stop",)]
        return [(type(statement).__name__, repr(statement))]

    def modifier(self, modifier: ir.Modifier) -> Shape:
        self.bound[modifier.it] = ("it", 0)
        where = sorted({repr(self.expr(part)) for part in conjuncts(modifier.where)})
        asked = modifier.condition and self.expr(modifier.condition)
        change = (modifier.field.id, modifier.kind.id, modifier.mode, self.expr(modifier.amount), asked)
        del self.bound[modifier.it]
        return change, tuple(where)

    def branch(self, one: ir.If) -> list[Shape]:
        condition = self.expr(one.condition)
        then, other = self.body(one.then.statements), self.body(one.otherwise.statements)
        if not other and isinstance(then, tuple) and len(then) == 1 and _is_plain_if(then[0]):
            _, inner, then, _ = then[0]
            condition = _spread("and", [condition, inner])
        if not then and other:
            condition, then, other = _not(condition), other, ()
        return [("if", condition, then, other)] if then or other else []

    def let(self, let: ir.Let, rest: Sequence[ir.Stmt]) -> list[Shape]:
        """Put the value where it is used if nothing writes what it reads before; else keep the binding."""
        value, slot = self.expr(let.value), let.var.slot
        used = any(isinstance(node, ir.Var) and node.slot == slot for node in walk(tuple(rest)))
        if not used or not _is_late(rest, slot, _reads(let.value)):
            self.bound[slot] = value
            return []
        return [("let", self.bind(slot), value)]

    def expr(self, expr: ir.Expr) -> Shape:
        value = evaluate_constant(expr)
        if value is not None and expr.type == ir.NUMBER:
            return ("const", value)
        match expr:
            case ir.Const():
                return ("const", expr.value, expr.type.base, expr.type.name)
            case ir.Var():
                return self.bound.get(expr.slot, ("slot", expr.slot))
            case ir.Def() | ir.Instance():
                return (type(expr).__name__, expr.kind, expr.id)
            case ir.Get():
                return ("get", expr.field.id, self.expr(expr.of))
            case ir.Apply():
                return ("apply", expr.form.id, *(None if arg is None else self.expr(arg) for arg in expr.args))
            case ir.Not():
                return _not(self.expr(expr.operand))
            case ir.IsA():
                return ("is", expr.kind, self.expr(expr.of))
            case ir.Binary():
                return self.binary(expr)
            case ir.Select():
                return self.select(expr)
            case ir.Quantified():
                select = self.expr(expr.select)
                test = None if expr.test is None else self.expr(expr.test)
                if expr.quantifier == "no":
                    return _not(("any", select, test))
                return (expr.quantifier, select, test)
            case ir.ListOf():
                return ("list", *(self.expr(item) for item in expr.items))
            case ir.Dice():
                return ("dice", None if expr.count is None else self.expr(expr.count), self.expr(expr.die))
        return (type(expr).__name__, repr(expr))

    def binary(self, binary: ir.Binary) -> Shape:
        left, right = self.expr(binary.left), self.expr(binary.right)
        if binary.op in SPREAD:
            return _spread(binary.op, [left, right])
        if binary.op == "!=":
            return _not(_equal(left, right))
        if binary.op == "=":
            return _equal(left, right)
        if binary.op in ("<", ">") and isinstance(right, tuple) and right[0] == "const" and len(right) == 2:
            value = right[1]
            assert isinstance(value, int)
            return ("<=", left, ("const", value - 1)) if binary.op == "<" else (">=", left, ("const", value + 1))
        return (binary.op, left, right)

    def select(self, selection: ir.Select) -> Shape:
        self.bound[selection.it] = (
            "it",
            sum(isinstance(shape, tuple) and shape[0] == "it" for shape in self.bound.values()),
        )
        source = None if selection.source is None else self.expr(selection.source)
        where = sorted({repr(self.expr(part)) for part in conjuncts(selection.where)})
        order = tuple((self.expr(each.key), each.most) for each in selection.order)
        del self.bound[selection.it]
        return ("select", selection.type.name, source, tuple(where), order)


def _equal(left: Shape, right: Shape) -> Shape:
    return ("=", *sorted((left, right), key=repr))


def _not(shape: Shape) -> Shape:
    if isinstance(shape, tuple) and shape[0] == "not":
        inner: Shape = shape[1]
        return inner
    if isinstance(shape, tuple) and shape[0] in TURNED:
        turned = (TURNED[shape[0]], *shape[1:])
        value = shape[2][1] if isinstance(shape[2], tuple) and shape[2][0] == "const" and len(shape[2]) == 2 else None
        if value is not None and turned[0] == "<":
            return ("<=", shape[1], ("const", value - 1))
        if value is not None and turned[0] == ">":
            return (">=", shape[1], ("const", value + 1))
        return turned
    return ("not", shape)


def _spread(op: str, shapes: Sequence[Shape]) -> Shape:
    parts: list[Shape] = []
    for shape in shapes:
        parts += shape[1:] if isinstance(shape, tuple) and shape[0] == op else (shape,)
    parts = sorted(parts, key=repr)
    unique = list(dict.fromkeys(parts)) if op != "+" else parts
    return unique[0] if len(unique) == 1 else (op, *unique)


def _is_plain_if(shape: Shape) -> bool:
    return isinstance(shape, tuple) and shape[0] == "if" and not shape[3]


def _reads(value: object) -> frozenset[str]:
    """Return the fields that a value reads, also through relations and measures."""
    names: set[str] = set()
    for node in walk(value):
        if isinstance(node, ir.Get):
            names.add(node.field.id)
        elif isinstance(node, ir.Apply) and node.form.body is not None:
            names |= _reads(node.form.body)
    return frozenset(names)


def _writes(tree: object) -> set[str]:
    names: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ir.Assign):
            names.add(node.target.field.id)
        elif isinstance(node, ir.Do):
            names |= _of_verb(node.form)
    return names


def _of_verb(form: Form) -> set[str]:
    if form.body is None:
        return {"Cold"}
    names = _writes(form.body)
    return names or {"Cold"}


def _is_late(rest: Sequence[ir.Stmt], slot: int, reads: frozenset[str]) -> bool:
    """Return whether something may have written what a value reads before its last use."""
    last = max(
        at
        for at, statement in enumerate(rest)
        if any(isinstance(n, ir.Var) and n.slot == slot for n in walk(statement))
    )
    if _writes(tuple(rest[:last])) & reads:
        return True
    nested = [
        statement for statement in rest[: last + 1] if any(isinstance(below, ir.Body) for below in walk(statement))
    ]
    return any(_writes(statement) & reads for statement in nested)
