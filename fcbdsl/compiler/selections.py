"""Selections to filter loops: one pass over the candidates, one more per criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from fcbdsl.compiler import conditions, values
from fcbdsl.compiler.assembler import Label
from fcbdsl.compiler.folding import fold
from fcbdsl.compiler.frames import Frame, Place, Register, held
from fcbdsl.compiler.walk import invariant, is_cheap
from fcbdsl.model import ir
from fcbdsl.model.ir import Expr, children, conjuncts
from fcbdsl.vm.ops.arithmetic import Addi, Neg
from fcbdsl.vm.ops.data import Ladd, Llen, Lnew, Mov
from fcbdsl.vm.ops.flow import Iter, Jf, Jmp, Jt, Rank
from fcbdsl.vm.ops.state import Seldefs, Select


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk over candidates: the list they come from, the slots that hold one, the conditions it must meet."""

    source: Expr
    its: tuple[int, ...]
    parts: tuple[Expr, ...]


def walk_of(frame: Frame, items: Expr) -> Walk:
    """How to walk over `items`: unordered selections are filtered on the way, also one within the other."""
    its: tuple[int, ...] = ()
    parts: tuple[Expr, ...] = ()
    items = frame.unit.inliner.expanded(items)
    while isinstance(items, ir.Select) and not items.order and held(frame, items) is None:
        its = (*its, items.it)
        if items.where is not None:
            parts = (*conjuncts(items.where, negated=True), *parts)
        if items.source is None:
            return Walk(ir.Select(None, items.it, None, (), items.type, items.span), its, parts)
        items = items.source
    return Walk(items, its, parts)


def each(
    frame: Frame, items: Expr, body: Callable[[int], None], it: int | None = None, reads: Expr | None = None
) -> None:
    """Emit a loop that runs `body` (given the candidate's register) for each element of `items`.

    `it`: a further slot that is bound to the candidate. `reads`: a condition that `body` will test.
    """
    code = frame.code
    with code.scratch():
        walk = walk_of(frame, items)
        source = values.many(frame, walk.source)
        candidate = code.int_register()
        its = {*walk.its} if it is None else {*walk.its, it}
        for bound in sorted(its):
            frame.slots[bound] = Register(candidate)
        end = code.label()
        for part in walk.parts:
            if invariant(part, its):
                conditions.branch(frame, part, end, False)
        with frame.hoisting(hoist(frame, walk.parts if reads is None else (*walk.parts, reads), its)):
            index = values.literal(frame, -1)
            again, skip = code.here(), code.label()
            code.emit(Iter, source, index, candidate, end)
            for part in walk.parts:
                if not invariant(part, its):
                    conditions.branch(frame, part, skip, False)
                    frame.know(part)
            body(candidate)
            code.place(skip)
            code.emit(Jmp, again)
        code.place(end)


def select(frame: Frame, expr: ir.Select, out: int) -> None:
    """Compute the list a selection stands for; nothing that it reads may live in `out`."""
    if expr.order:
        expanded = frame.unit.inliner.expanded(expr)
        assert isinstance(expanded, ir.Select)
        with frame.code.scratch():
            _ranked(frame, expanded, out)
    elif expr.source is None and expr.where is None:
        op = Seldefs if expr.type.base == "definition" else Select
        frame.code.emit(op, out, frame.unit.kind(expr.type.name))
    else:
        walk = walk_of(frame, expr)
        if walk.parts:
            frame.code.emit(Lnew, out)
            each(frame, expr, lambda it: frame.code.emit(Ladd, out, it))
        else:
            values.many_into(frame, walk.source, out)


def _walk(frame: Frame, expr: ir.Select, body: Callable[[int], None]) -> None:
    each(frame, ir.Select(expr.source, expr.it, expr.where, (), expr.type, expr.span, expr.noun), body)


def _ranked(frame: Frame, expr: ir.Select, out: int) -> None:
    """The tied best: the first criterion while filtering, each further one over what was left."""
    code = frame.code
    left: int | None = None
    for number, criterion in enumerate(expr.order):
        kept = out if number == len(expr.order) - 1 else code.list_register()
        code.emit(Lnew, kept)
        lowest = values.literal(frame, 0)  # of no meaning while nothing is kept
        if left is None:
            _walk(frame, expr, partial(_keep, frame, criterion, kept, lowest))
        else:
            index = values.literal(frame, -1)
            candidate = code.int_register()
            frame.slots[expr.it] = Register(candidate)
            end, again = code.label(), code.here()
            code.emit(Iter, left, index, candidate, end)
            _keep(frame, criterion, kept, lowest, candidate)
            code.emit(Jmp, again)
            code.place(end)
        left = kept


def _keep(frame: Frame, criterion: ir.Criterion, kept: int, lowest: int, candidate: int) -> None:
    """Keep a candidate if none had a better key."""
    code = frame.code
    with code.scratch(), code.at(criterion.span):
        key = values.value(frame, criterion.key)
        if criterion.most:
            negated = code.int_register()
            code.emit(Neg, negated, key)
            key = negated
        code.emit(Rank, kept, lowest, candidate, key)


# ── what can be computed before the loop ───────────────────────────────────────────────────────


def hoist(frame: Frame, parts: Sequence[Expr], its: set[int]) -> dict[int, Place]:
    """Before a loop: compute what its conditions need that does not depend on the candidate."""
    found: dict[int, Place] = {}
    for part in parts:
        if not invariant(part, its):
            for expr in _worth_hoisting(frame, part, its):
                if expr.type.many:
                    found[id(expr)] = Register(values.many(frame, expr), True)
                else:
                    found[id(expr)] = Register(values.value(frame, expr))
    return found


def _worth_hoisting(frame: Frame, expr: Expr, its: set[int], always: bool = True) -> list[Expr]:
    """The outermost parts of `expr` that do not change in the loop and cost something; but only cheap ones where they
    would not `always` be computed."""
    if isinstance(expr, ir.Var) or held(frame, expr) is not None or fold(frame, expr) is not None:
        return []
    if invariant(expr, its):
        return [expr] if frame.unit.purity.of(expr) and (always or is_cheap(expr)) else []
    if isinstance(expr, ir.Select | ir.Quantified):
        inner = its | {expr.it}
        return [found for child in _inside(expr) for found in _worth_hoisting(frame, child, inner, always=False)]
    if isinstance(expr, ir.Binary) and expr.op in {"and", "or"}:
        right = _worth_hoisting(frame, expr.right, its, always=False)
        return _worth_hoisting(frame, expr.left, its, always) + right
    native = isinstance(expr, ir.Apply) and expr.form.op is not None
    literals = [child for child in _inside(expr) if native and fold(frame, child) is not None]
    return literals + [found for child in _inside(expr) for found in _worth_hoisting(frame, child, its, always)]


def _inside(expr: Expr) -> Iterator[Expr]:
    """The expressions directly inside another one, those it is ordered by among them."""
    for child in children(expr):
        if isinstance(child, Expr):
            yield child
        elif isinstance(child, ir.Criterion):
            yield child.key


# ── quantifiers ────────────────────────────────────────────────────────────────────────────────


def branch_quantified(frame: Frame, expr: ir.Quantified, target: Label, when: bool) -> None:
    """Jump to `target` if `any`/`no`/`every` is `when`; the walk ends at the first candidate that decides."""
    code = frame.code
    if expr.test is None and not walk_of(frame, expr.select).parts:
        with code.scratch():
            count = code.int_register()
            code.emit(Llen, count, values.many(frame, expr.select))
            code.emit(Jt if (expr.quantifier == "any") is when else Jf, count, target)
        return
    early = expr.quantifier == "any"  # the truth value at which one candidate decides
    decided = code.label()
    exit_ = target if early is when else decided

    test = None if expr.test is None else frame.unit.inliner.expanded(expr.test)

    def decide(candidate: int) -> None:
        if test is None:
            code.emit(Jmp, exit_)
        else:
            conditions.branch(frame, test, exit_, expr.quantifier != "every")

    each(frame, expr.select, decide, it=expr.it, reads=test)
    if early is not when:
        code.emit(Jmp, target)
    code.place(decided)


def quantified_value(frame: Frame, expr: ir.Quantified, out: int) -> None:
    """`number of` as a number, the others as 0 or 1."""
    code = frame.code
    if expr.quantifier != "number":
        conditions.flag(frame, expr, out)
        return
    if expr.test is None and not walk_of(frame, expr.select).parts:
        code.emit(Llen, out, values.many(frame, expr.select))
        return
    with code.scratch():
        total = values.literal(frame, 0)

        def count(candidate: int) -> None:
            skip = code.label()
            if expr.test is not None:
                conditions.branch(frame, expr.test, skip, False)
            code.emit(Addi, total, total, 1)
            code.place(skip)

        each(frame, expr.select, count, it=expr.it)
        code.emit(Mov, out, total)
