"""Queries about typed trees that several parts of the compiler use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast, get_args

from fcbdsl.language.compiler.native_forms import op_of
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import Body, ByClass, Expr, Node, Stmt, children, walk

_EXPRESSIONS: Final = frozenset(get_args(Expr))
"""The classes of expressions. A look-up is many times faster than `isinstance` with all of them."""
SIMPLE = 4
"""Nodes of a condition that may be read twice."""


def expressions(node: Node) -> list[Expr]:
    """Return every expression in `node`, itself included, outermost first."""
    return cast("list[Expr]", [inner for inner in walk(node) if inner.__class__ in _EXPRESSIONS])


def inside(expr: Expr) -> list[Expr]:
    """Return the expressions directly inside another one, those it is ordered by among them."""
    nodes = [child.key if isinstance(child, ir.Criterion) else child for child in children(expr)]
    return cast("list[Expr]", [node for node in nodes if node.__class__ in _EXPRESSIONS])


def slots_read(expr: Expr) -> frozenset[int]:
    """Return the slots that an expression mentions, those it binds included."""
    return frozenset([node.slot for node in walk(expr) if node.__class__ is ir.Var])


def free_slots(expr: Expr) -> set[int]:
    """Return the slots that an expression mentions, without the candidates of its own selections."""
    read: set[int] = set()
    bound: set[int] = set()
    for node in walk(expr):
        if isinstance(node, ir.Var):
            read.add(node.slot)
        elif isinstance(node, ir.Select | ir.Quantified):
            bound.add(node.it)
    return read - bound


def source_text(expr: Expr) -> str:
    """Return the text of an expression in its source, from its first to its last node."""
    source = expr.span.source
    spans = [node.span for node in expressions(expr) if node.span.source is source]
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    return " ".join(source.text[start:end].split())


def is_loop_invariant(expr: Expr, bound: set[int]) -> bool:
    """Return whether `expr` mentions none of the slots in `bound`."""
    nodes = walk(expr)
    read = {node.slot for node in nodes if node.__class__ is ir.Var and node.slot in bound}
    return not read or read <= {node.it for node in nodes if isinstance(node, ir.Select | ir.Quantified)}


def is_cheap(expr: Expr) -> bool:
    """Return whether an expression is cheap enough to be computed without need: no loop, call or search.

    The length of an existing list is cheap, too.
    """
    match expr:
        case ir.Quantified(select=ir.Select(source=listed, where=None, order=()), test=None) if listed is not None:
            return is_cheap(listed)
        case ir.Select() | ir.Quantified() | ir.ListOf() | ir.Dice():
            return False
        case ir.Get() if expr.field.type.base in {"condition", "formula"}:
            return False
        case ir.Apply() if not _is_cheap_form(expr.form):
            return False
    return all(is_cheap(part) for part in inside(expr))


def _is_cheap_form(form: Form) -> bool:
    op = op_of(form)
    return op is not None and (not form.gives.many or op.cheap)


def size(expr: Expr) -> int:
    """Return the number of nodes of an expression."""
    return len(expressions(expr))


def sole_answer(body: Body | None) -> Expr | None:
    """Return the expression of a body that only answers it; None for other bodies.

    For a body that decides between conditions (`if A: answer no`, …, `answer B`), return the equivalent condition.
    """
    return None if body is None else answer_of(body.statements, lambda _: None)


def answer_of(statements: tuple[Stmt, ...], other: Callable[[tuple[Stmt, ...]], Expr | None]) -> Expr | None:
    """Return the expression that statements answer; `other` handles statements of other shapes."""
    first = statements[0] if statements else None
    if isinstance(first, ir.Answer):
        return first.value
    if isinstance(first, ir.ForEach):
        return _answer_of_each(first, statements, other)
    if not isinstance(first, ir.If) or len(first.then.statements) != 1 or first.otherwise.statements:
        return other(statements)
    early, later = answer_of(first.then.statements, lambda _: None), answer_of(statements[1:], other)
    if early is None or later is None or early.type != ir.FLAG or later.type != ir.FLAG:
        return None
    test, span = first.condition, first.span
    if isinstance(early, ir.Const):
        if early.value:
            return ir.Binary("or", test, later, ir.FLAG, span)
        return ir.Binary("and", ir.Not(test, ir.FLAG, span), later, ir.FLAG, span)
    if size(test) > SIMPLE:
        return None
    yes = ir.Binary("and", test, early, ir.FLAG, span)
    no = ir.Binary("and", ir.Not(test, ir.FLAG, span), later, ir.FLAG, span)
    return ir.Binary("or", yes, no, ir.FLAG, span)


def _answer_of_each(
    loop: ir.ForEach, statements: tuple[Stmt, ...], other: Callable[[tuple[Stmt, ...]], Expr | None]
) -> Expr | None:
    """Return the answer of a search loop (`for each x in XS: if A: answer no`) and of the statements after it."""
    inner = loop.body.statements
    test = inner[0] if len(inner) == 1 else None
    if not isinstance(test, ir.If) or len(test.then.statements) != 1 or test.otherwise.statements:
        return other(statements)
    answer = test.then.statements[0]
    later = answer_of(statements[1:], other)
    if not isinstance(answer, ir.Answer) or not isinstance(answer.value, ir.Const) or answer.value.type != ir.FLAG:
        return other(statements)
    if later is None or later.type != ir.FLAG:
        return None
    word, op = ("any", "or") if answer.value.value else ("no", "and")
    quantified = ir.Quantified(word, loop.items, loop.var.slot, test.condition, ir.FLAG, loop.span)
    return ir.Binary(op, quantified, later, ir.FLAG, loop.span)


DISTURBING_NOTES = ByClass()
"""Functions that return whether an expression asks, rolls or changes something, by its class; others never do."""


@DISTURBING_NOTES.of(ir.Apply)
def _applies_disturbing(purity: Purity, node: ir.Apply) -> bool:
    return not purity.of_form(node.form)


@DISTURBING_NOTES.of(ir.Dice)
def _is_dice(purity: Purity, node: ir.Dice) -> bool:
    return True


class Purity:
    """Purity analysis: whether an expression can be evaluated without asking, rolling or changing anything."""

    def __init__(self) -> None:
        self._forms: dict[int, bool] = {}

    def of(self, expr: Expr) -> bool:
        """Return whether reading `expr` is free of effects."""
        return self.culprit(expr) is None

    def culprit(self, expr: Expr) -> Expr | None:
        """Return the outermost expression in `expr` that asks, rolls or changes something."""
        for node in walk(expr):
            disturbs = DISTURBING_NOTES.get(node.__class__)
            if disturbs is not None and disturbs(self, node):
                return cast(Expr, node)
        return None

    def of_form(self, form: Form) -> bool:
        """Return whether applying a form is free of effects."""
        if form.op is not None:
            op = op_of(form)
            return op is None or op.pure
        if id(form) not in self._forms:
            self._decide(form)
        return self._forms[id(form)]

    def _decide(self, form: Form) -> None:
        """Decide this form and the forms that it applies: one is impure if its body is, or a form that it applies."""
        users: dict[int, list[Form]] = {id(form): []}
        impure: list[Form] = []
        left = [form]
        while left:
            user = left.pop()
            self._forms[id(user)] = True
            applied = _applied_forms(user)
            if applied is None:
                impure.append(user)
                continue
            for other in applied:
                if other.op is not None or self._forms.get(id(other)) is False:
                    if not self.of_form(other):
                        impure.append(user)
                elif id(other) in users:
                    users[id(other)].append(user)
                elif id(other) not in self._forms:
                    users[id(other)] = [user]
                    left.append(other)
        while impure:
            caller = impure.pop()
            if self._forms[id(caller)]:
                self._forms[id(caller)] = False
                impure += users[id(caller)]


def _applied_forms(form: Form) -> list[Form] | None:
    """Return the forms that a form's body applies; None if it has no body, or its body rolls or changes something."""
    if form.body is None:
        return None
    out: list[Form] = []
    left: list[Node] = [form.body]
    while left:
        part = left.pop()
        if isinstance(part, Body):
            left += part.statements
        elif part.__class__ in _EXPRESSIONS:
            nodes = walk(part)
            if any(isinstance(node, ir.Dice) for node in nodes):
                return None
            out += [node.form for node in nodes if isinstance(node, ir.Apply)]
        elif isinstance(part, ir.Let | ir.If | ir.ForEach | ir.Repeat | ir.Break | ir.Answer | ir.Stop | ir.Require):
            left += children(part)
        elif isinstance(part, Stmt):
            return None
    return out


class SelfUse:
    """Analysis of the use of `self`: whether a body, or a verb, relation or measure that it uses, mentions `self`, or
    lets the controller of `self` choose."""

    def __init__(self) -> None:
        self._forms: dict[int, bool] = {}

    def of(self, body: Body) -> bool:
        """Return whether a body needs `self`."""
        forms = _forms_without_self(body)
        return forms is None or any(map(self._of_form, forms))

    def _of_form(self, form: Form) -> bool:
        """Return whether the body of a form needs `self`."""
        if id(form) not in self._forms:
            reached = {id(form): form}
            waiting = [form]
            needs = False
            while waiting and not needs:
                forms = _forms_without_self(waiting.pop().body)
                needs = forms is None or any(self._forms.get(id(used)) for used in forms)
                for used in forms or ():
                    if id(used) not in reached and id(used) not in self._forms:
                        reached[id(used)] = used
                        waiting.append(used)
            if not needs:
                self._forms.update(dict.fromkeys(reached, False))
            self._forms[id(form)] = needs
        return self._forms[id(form)]


def _forms_without_self(body: Body | None) -> list[Form] | None:
    """Return the forms with a body that a body uses; None if it mentions `self`, or lets its controller choose."""
    forms: list[Form] = []
    for node in walk(body):
        if (isinstance(node, ir.Var) and node.slot == 0) or _asks_self(node):
            return None
        if isinstance(node, ir.Do | ir.Apply) and node.form.body is not None:
            forms.append(node.form)
    return forms


def _asks_self(node: Node) -> bool:
    """Return whether a statement asks the controller of `self`, because it names no player."""
    match node:
        case ir.Choose():
            return node.by is None and not node.chance
        case ir.ChooseOne() | ir.AnyOrder():
            return node.by is None
        case ir.ForEach():
            return node.by is None and node.any_order
    return False
