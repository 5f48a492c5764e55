"""Selections to filter loops: one pass over the candidates, one more per criterion."""

from __future__ import annotations

from collections.abc import Callable

from fcbdsl.compiler import conditions, values
from fcbdsl.compiler.assembler import Label
from fcbdsl.compiler.folding import fold
from fcbdsl.compiler.frames import Frame, Place, Register, held
from fcbdsl.compiler.narrowing import narrowed
from fcbdsl.compiler.walk import children, conjuncts, invariant
from fcbdsl.model import ir
from fcbdsl.model.ir import Expr


def each(frame: Frame, items: Expr, body: Callable[[int], None], it: int | None = None) -> None:
    """Emit a loop that runs `body` (given the candidate's register) for each element of `items`.

    An unordered selection is filtered while it is walked; anything else is computed first.
    `it`: a further slot that is bound to the candidate.
    """
    code = frame.code
    with code.scratch():
        if isinstance(items, ir.Select) and not items.order and held(frame, items) is None:
            items = narrowed(frame.unit, items)
            source, where, slot = candidates(frame, items), items.where, items.it
        else:
            source, where, slot = values.many(frame, items), None, None
        candidate = code.int_register()
        for bound in (slot, it):
            if bound is not None:
                frame.slots[bound] = Register(candidate)
        end = code.label()
        found = hoist(frame, where, slot, end) if where is not None and slot is not None else {}
        with frame.hoisting(found):
            index = values.literal(frame, -1)
            again, skip = code.here(), code.label()
            code.emit("ITER", source, index, candidate, end)
            if where is not None:
                _filter(frame, where, slot, skip)
            body(candidate)
            code.place(skip)  # only a plain jump may go backward: there fuel is charged
            code.emit("JMP", again)
        code.place(end)


def select(frame: Frame, expr: ir.Select, out: int) -> None:
    """Compute the list a selection stands for. `out` may be read by it: it is written last."""
    code = frame.code
    expr = narrowed(frame.unit, expr)
    if not expr.order:
        if expr.where is None:
            candidates(frame, expr, out)
            return
        with code.scratch():
            fresh = code.list_register()
            code.emit("LNEW", fresh)
            _walk(frame, expr, lambda it: code.emit("LADD", fresh, it))
            code.emit("LMOV", out, fresh)
        return
    with code.scratch():
        best = _ranked(frame, expr)
        code.emit("LMOV", out, best)


def _walk(frame: Frame, expr: ir.Select, body: Callable[[int], None]) -> None:
    each(frame, ir.Select(expr.source, expr.it, expr.where, (), expr.type, expr.span, expr.noun), body)


def _ranked(frame: Frame, expr: ir.Select) -> int:
    """The tied best: the first criterion while filtering, each further one over what was left."""
    code = frame.code
    best = _rank_into(frame, expr.order[0], lambda body: _walk(frame, expr, body))
    for criterion in expr.order[1:]:
        left = best

        def again(body: Callable[[int], None], source: int = left) -> None:
            index = values.literal(frame, -1)
            candidate = code.int_register()
            frame.slots[expr.it] = Register(candidate)
            end, top = code.label(), code.here()
            code.emit("ITER", source, index, candidate, end)
            body(candidate)
            code.emit("JMP", top)
            code.place(end)

        best = _rank_into(frame, criterion, again)
    return best


def _rank_into(frame: Frame, criterion: ir.Criterion, loop: Callable[[Callable[[int], None]], None]) -> int:
    code = frame.code
    kept = code.list_register()
    code.emit("LNEW", kept)
    lowest = values.literal(frame, 0)  # of no meaning while nothing is kept

    def keep(candidate: int) -> None:
        with code.scratch(), code.at(criterion.span):
            key = values.value(frame, criterion.key)
            if criterion.most:
                negated = code.int_register()
                code.emit("NEG", negated, key)
                key = negated
            code.emit("RANK", kept, lowest, candidate, key)

    loop(keep)
    return kept


def candidates(frame: Frame, expr: ir.Select, into: int | None = None) -> int:
    """The list register with what a selection draws from."""
    if expr.source is not None:
        return values.many(frame, expr.source, into)
    out = frame.code.list_register() if into is None else into
    frame.code.emit("SELDEFS" if expr.type.base == "definition" else "SELECT", out, frame.unit.kind(expr.type.name))
    return out


def _filter(frame: Frame, where: Expr, slot: int | None, skip: Label) -> None:
    """Go on to the next candidate unless `where` holds; parts tested before the loop are left out."""
    for part in conjuncts(where):
        if slot is None or not invariant(part, {slot}):
            conditions.branch(frame, part, skip, False)


# ── what can be computed before the loop ───────────────────────────────────────────────────────


def hoist(frame: Frame, where: Expr, slot: int, end: Label) -> dict[int, Place]:
    """Before the loop: test the parts of `where` that do not depend on the candidate, and compute
    what the others need that does not depend on it either."""
    found: dict[int, Place] = {}
    parts = conjuncts(where)
    for part in parts:
        if invariant(part, {slot}):
            conditions.branch(frame, part, end, False)
    for part in parts:
        if not invariant(part, {slot}):
            for expr in _worth_hoisting(frame, part, slot):
                if expr.type.many:
                    found[id(expr)] = Register(values.many(frame, expr), True)
                else:
                    found[id(expr)] = Register(values.value(frame, expr))
    return found


def _worth_hoisting(frame: Frame, expr: Expr, slot: int) -> list[Expr]:
    """The outermost parts of `expr` that cost something, always get computed and do not change in the loop."""
    if fold(frame, expr) is not None or held(frame, expr) is not None:
        return []
    if isinstance(expr, ir.Const | ir.Text | ir.Def | ir.Var):
        return []
    if invariant(expr, {slot}):
        return [expr] if frame.unit.purity.of(expr) else []
    if isinstance(expr, ir.Select | ir.Quantified):
        return []
    if isinstance(expr, ir.Binary) and expr.op in {"and", "or"}:
        return _worth_hoisting(frame, expr.left, slot)
    return [found for child in children(expr) for found in _worth_hoisting(frame, child, slot)]


# ── quantifiers ────────────────────────────────────────────────────────────────────────────────


def branch_quantified(frame: Frame, expr: ir.Quantified, target: Label, when: bool) -> None:
    """Jump to `target` if `any`/`no`/`every` is `when`; the walk ends at the first candidate that decides."""
    code = frame.code
    early = expr.quantifier == "any"  # the truth value at which one candidate decides
    decided = code.label()
    exit_ = target if early is when else decided

    def test(candidate: int) -> None:
        if expr.test is None:
            code.emit("JMP", exit_)
        else:
            conditions.branch(frame, expr.test, exit_, expr.quantifier != "every")

    each(frame, expr.select, test, it=expr.it)
    if early is not when:
        code.emit("JMP", target)
    code.place(decided)


def quantified_value(frame: Frame, expr: ir.Quantified, out: int) -> None:
    """`number of` as a number, the others as 0 or 1."""
    code = frame.code
    if expr.quantifier != "number":
        conditions.flag(frame, expr, out)
        return
    if expr.test is None and not (isinstance(expr.select, ir.Select) and expr.select.where is not None):
        code.emit("LLEN", out, values.many(frame, expr.select))
        return
    with code.scratch():
        total = values.literal(frame, 0)

        def count(candidate: int) -> None:
            skip = code.label()
            if expr.test is not None:
                conditions.branch(frame, expr.test, skip, False)
            code.emit("ADDI", total, total, 1)
            code.place(skip)

        each(frame, expr.select, count, it=expr.it)
        code.emit("MOV", out, total)
