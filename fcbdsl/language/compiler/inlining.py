"""Inlining of small relations and measures, so that later passes can optimize their bodies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, Final

from fcbdsl.base import bounds
from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler.walk import answer_of, expressions, size, sole_answer
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import NOTHING, Expr, Stmt, Substitution, substitute

LARGEST = 80
"""Largest size, in nodes, of an inlined body."""
DEEPEST = 8
"""Deepest nesting of inlined bodies."""
FIRST_FRESH = 1 << 20
"""First slot number for candidates of inlined bodies; no body has that many slots."""


@dataclass(frozen=True, slots=True)
class _InlinedBody:
    """The answer of a form, its size in nodes, and the slots that it mentions repeatedly."""

    answer: Expr
    nodes: int
    repeated: frozenset[int]


class Inliner:
    """Replaces applications by the form's answer, and sources of selections by shorter lists (`choose_access_path`).

    A relation whose result the log shows (`is_told`) is not replaced. Results are memoized, so that the same tree gives
    the same tree. `earlier`: forms of an earlier lowering of the model. The rests of relations among them are used
    again, so that each has one code.
    """

    def __init__(
        self,
        narrowed: Callable[[ir.Select], ir.Select],
        is_told: Callable[[Form], bool],
        deepest: int = DEEPEST,
        earlier: Iterable[Form] = (),
    ) -> None:
        self._narrowed = narrowed
        self._is_told = is_told
        self._deepest = deepest
        self._made: dict[int, tuple[Expr, Expr]] = {}
        self._next = FIRST_FRESH
        self._begun: dict[str, Expr | None] = {}
        self._rests = {_rest_key(form, form.body.statements): form for form in earlier if _is_rest(form) and form.body}
        self._nodes = 0
        self._inlined: dict[int, _InlinedBody | None] = {}  # by the identity of forms

    def renew_rests(self, forms: Iterable[Form]) -> list[Form]:
        """Give the rests of an earlier lowering the present statements of their relations. Return those that changed.

        `forms`: those of the model.
        """
        before = [(left, left.body) for left in self._rests.values()]
        with_rests = {words for words, _ in self._rests}
        for form in forms:
            if form.words in with_rests:
                self._beginning(form)
        return [left for left, body in before if left.body is not body]

    def expanded(self, expr: Expr) -> Expr:
        """Return the expression with every application inlined that allows it."""
        cached = self._made.get(id(expr))
        if cached is None:
            self._nodes = bounds.INLINED_NODES
            cached = (expr, self._expanded(expr, self._deepest))
            self._made[id(expr)] = cached
            self._made[id(cached[1])] = (cached[1], cached[1])
        return cached[1]

    def _expanded(self, expr: Any, left: int) -> Any:
        out = ir.rebuilt(expr, lambda child: self._expanded(child, left))
        if isinstance(out, ir.Apply) and left:
            answer = self._answer(out)
            if answer is not None:
                return self._expanded(answer, left - 1)
        return self._narrowed(out) if isinstance(out, ir.Select) else out

    def _answer(self, expr: ir.Apply) -> Expr | None:
        """Return the answer of a small form with its arguments inserted, if none would be computed twice."""
        if id(expr.form) not in self._inlined:
            self._inlined[id(expr.form)] = self._body_of(expr.form)
        inlined = self._inlined[id(expr.form)]
        if inlined is None or inlined.nodes > self._nodes:
            return None
        self._nodes -= inlined.nodes
        values: dict[int, Expr] = {}
        for slot, (param, arg) in enumerate(zip(expr.form.params, expr.args, strict=True), start=2):
            if arg is None:
                empty = param.type.many
                arg = ir.ListOf((), param.type, expr.span) if empty else ir.Const(-1, NOTHING, expr.span, "nothing")
            elif slot in inlined.repeated and not isinstance(arg, ir.Var | ir.Const | ir.Def | ir.Text):
                return None
            values[slot] = arg
        return substitute(inlined.answer, Substitution(values=values, slots=_Fresh(self)))

    def _body_of(self, form: Form) -> _InlinedBody | None:
        """Return the answer of a form that may be inlined; None for other forms."""
        answer = sole_answer(form.body) or self._beginning(form)
        if answer is None or form.recursive or self._is_told(form):
            return None
        if any(param.low is not None or param.high is not None for param in form.params):
            return None  # a call clamps its arguments to their bounds
        nodes = size(answer)
        if nodes > LARGEST:
            return None
        uses = Counter([node.slot for node in expressions(answer) if isinstance(node, ir.Var)])
        return _InlinedBody(answer, nodes, frozenset([slot for slot, count in uses.items() if count > 1]))

    def _beginning(self, form: Form) -> Expr | None:
        """Return a relation that begins with early answers as a condition: those answers, joined with a call of the
        rest."""
        if form.body is None or form.sort != "relation" or len(form.body.statements) < 2:
            return None
        if form.id not in self._begun:
            slots, whole = form.body.slots, len(form.body.statements)

            def rest(statements: tuple[Stmt, ...]) -> Expr | None:
                if len(statements) in {0, whole}:
                    return None
                left = self._rests.setdefault(_rest_key(form, statements), copy(form))
                if not _is_rest(left) or left.body is None or not _are_same(left.body.statements, statements):
                    left.words = (*form.words, REST)
                    left.body = ir.Body(statements, slots)
                params = tuple(ir.Var(p.name, n, p.type, form.span) for n, p in enumerate(form.params, start=2))
                return ir.Apply(left, params, ir.FLAG, form.span)

            self._begun[form.id] = answer_of(form.body.statements, rest)
        return self._begun[form.id]

    def fresh(self) -> int:
        """Return a slot that nothing else uses."""
        self._next += 1
        return self._next - 1


REST: Final = "(rest)"
"""Last word of the form that contains a relation's statements after its early answers."""


def _is_rest(form: Form) -> bool:
    return form.words[-1:] == (REST,)


def _rest_key(form: Form, statements: Sequence[Stmt]) -> tuple[tuple[str, ...], int]:
    """Return what identifies the rest of a relation: the words of the relation, and the number of statements left."""
    return tuple(word for word in form.words if word != REST), len(statements)


def _are_same(first: Sequence[Stmt], second: Sequence[Stmt]) -> bool:
    """Return whether two sequences contain the same objects."""
    return len(first) == len(second) and all(a is b for a, b in zip(first, second, strict=True))


class _Fresh(dict[int, int]):
    """New slots for the candidates of an inlined body; `self` and `this` stay those of the caller."""

    def __init__(self, inliner: Inliner) -> None:
        super().__init__()
        self._inliner = inliner

    def __missing__(self, slot: int) -> int:
        self[slot] = slot if slot < 2 else self._inliner.fresh()
        return self[slot]
