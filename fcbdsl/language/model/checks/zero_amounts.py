"""Parameters that are amounts: a form with such a parameter does nothing by it at 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from enum import IntEnum
from typing import Final

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form, Trait
from fcbdsl.language.model.ir import shape, walk
from fcbdsl.language.model.ir.operators import calculate, evaluate_constant

FIRST: Final = 2
"""The slot of a form's first parameter, after `self` and `this`."""
_MOVING: Final = {Trait.RAISES, Trait.LOWERS, Trait.SETS_COUNTER}
"""Traits of native forms that do nothing at 0."""
_CLAMPS: Final = {"lowest": "min", "highest": "max"}


class Dose(IntEnum):
    """How a form uses a parameter: not only as an amount; as an amount that may also be negative, as in
    `HP becomes HP + amount`; or as an amount that has no effect below 1, as in `repeat amount times`."""

    NO = 0
    SIGNED = 1
    COUNTED = 2


class Amounts:
    """The parameters of forms that are amounts, memoized."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Dose] = {}

    def dose(self, form: Form, number: int) -> Dose:
        """Return how a form uses its parameter of that number."""
        key = id(form), number
        if key not in self._known:
            self._known[key] = Dose.NO  # a form that uses itself
            self._known[key] = self._dose(form, number)
        return self._known[key]

    def _dose(self, form: Form, number: int) -> Dose:
        if form.params[number].type != ir.NUMBER:
            return Dose.NO
        if form.op is not None:
            return Dose.COUNTED if _MOVING & {*form.traits} else Dose.NO
        if form.body is None:
            return Dose.NO
        run = _Run(self, {FIRST + number: _zero(form.body, FIRST + number)})
        return run.result if run.passes(form.body.statements) is not None else Dose.NO


def _zero(node: object, slot: int) -> ir.Expr | None:
    """Return 0, at the first place in a tree that reads a slot."""
    read = next((inner for inner in walk(node) if isinstance(inner, ir.Var) and inner.slot == slot), None)
    return None if read is None else ir.Const(0, ir.NUMBER, read.span)


@dataclass(slots=True)
class _Run:
    """A run of a body in which a parameter is 0. `locals`: the values of slots that depend on it (None: unknown).

    `result`: how the body has used the parameter as an amount so far.
    """

    amounts: Amounts
    locals: dict[int, ir.Expr | None]
    result: Dose = field(default=Dose.NO)

    def passes(self, statements: Sequence[ir.Stmt]) -> bool | None:
        """Return whether a run gets to the end of some statements; None if one uses the parameter in another way."""
        for statement in statements:
            goes_on = self._passes(statement)
            if goes_on is not True:
                return goes_on
        return True

    def _passes(self, statement: ir.Stmt) -> bool | None:
        """Return the same for one statement."""
        match statement:
            case ir.Stop() | ir.Break() | ir.Answer():
                return None if self._reads(statement) else False
            case ir.Let(var=var, value=value):
                if self._reads(value):
                    self.locals[var.slot] = self._value(value)
                else:
                    self.locals.pop(var.slot, None)
                return True
            case ir.Assign(target=target, op=op, value=value):
                return self._changes(target, op, value)
            case ir.Do(form=form, args=args):
                return self._gives(form, args)
            case ir.Announce():
                return True  # the number of an event that has happened anyway
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                return self._branches(condition, then, otherwise)
            case ir.Require(condition=condition):
                if not self._reads(condition):
                    return True
                holds = self._truth(condition)
                if holds is False:
                    self._note(Dose.COUNTED)
                return holds
            case ir.Repeat(times=times) if times is not None and self._reads(times):
                return self._is_counted(times)
            case ir.Choose(options=options, by=by, up_to=up_to):
                if self._reads((options, by)):
                    return None
                return True if not self._reads(up_to) else self._is_counted(up_to)
        bodies = [child for child in ir.children(statement) if isinstance(child, ir.Body | ir.Option)]
        others = [child for child in ir.children(statement) if not isinstance(child, ir.Body | ir.Option)]
        if self._reads(others):
            return None
        for part in bodies:
            inner = part.body if isinstance(part, ir.Option) else part
            if self.passes(inner.statements) is None:
                return None
        return True

    def _branches(self, condition: ir.Expr, then: ir.Body, otherwise: ir.Body) -> bool | None:
        """Run the branches of an `if` that can run."""
        bodies = [then, otherwise]
        is_asked = self._reads(condition)
        if is_asked:
            holds = self._truth(condition)
            if holds is None:
                return None
            bodies = [then if holds else otherwise]
        ends = [self.passes(body.statements) for body in bodies]
        if None in ends:
            return None
        if is_asked and not any(ends):
            self._note(Dose.COUNTED)
        return any(ends)

    def _changes(self, target: ir.Get, op: str, value: ir.Expr) -> bool | None:
        """Run a change of a stat."""
        if self._reads(target):
            return None
        if not self._reads(value):
            return True
        result = self._value(value)
        if result is None or not (_is_zero(result) if op != "=" else self._is_same(result, target)):
            return None
        self._note(Dose.SIGNED)
        return True

    def _gives(self, form: Form, args: Sequence[ir.Expr | None]) -> bool | None:
        """Run a verb."""
        for number, arg in enumerate(args):
            if arg is None or not self._reads(arg):
                continue
            dose = self.amounts.dose(form, number) if _is_zero(self._value(arg)) else Dose.NO
            if dose is Dose.NO:
                return None
            self._note(dose)
        return True

    def _is_counted(self, times: ir.Expr | None) -> bool | None:
        if times is None or not _is_zero(self._value(times)):
            return None
        self._note(Dose.COUNTED)
        return True

    def _note(self, dose: Dose) -> None:
        """Record a use as an amount; the weakest one counts."""
        self.result = dose if self.result is Dose.NO else min(self.result, dose)

    def _reads(self, node: object) -> bool:
        """Return whether a tree reads the parameter, or a local that depends on it."""
        return any(isinstance(inner, ir.Var) and inner.slot in self.locals for inner in walk(node))

    def _value(self, expr: ir.Expr) -> ir.Expr | None:
        """Return an expression without the parameter; None if that is unknown."""
        if not self._reads(expr):
            return expr
        match expr:
            case ir.Var(slot=slot):
                return self.locals[slot]
            case ir.Binary(op="+" | "-" | "*" | "/" as op, left=left, right=right):
                a, b = self._value(left), self._value(right)
                if a is None or b is None:
                    return None
                if op == "*" and (_is_zero(a) or _is_zero(b)):
                    return a if _is_zero(a) else b
                if _is_zero(b) and op != "/":
                    return a
                if _is_zero(a) and op != "-":
                    return b if op == "+" else a
                return replace(expr, left=a, right=b)
            case ir.Binary(op="min" | "max" as op, left=left, right=right):
                return self._clamped(expr, op, (left, right))
            case ir.Apply(form=form, args=(ir.ListOf(items=items),)) if form.op in _CLAMPS:
                return self._clamped(expr, _CLAMPS[form.op], items)
        return None

    def _clamped(self, expr: ir.Expr, op: str, items: Sequence[ir.Expr]) -> ir.Expr | None:
        """Return the lowest (`min`) or highest (`max`) of some values without the parameter."""
        values = [self._value(item) for item in items]
        known_values = [value for value in values if value is not None]
        if len(known_values) < len(values):
            return None
        zero = next((value for value in known_values if _is_zero(value)), None)
        if zero is not None and op == "max" and all(_is_zero(value) or _is_below(value) for value in known_values):
            return zero
        if isinstance(expr, ir.Binary):
            return replace(expr, left=known_values[0], right=known_values[1])
        if isinstance(expr, ir.Apply) and isinstance(expr.args[0], ir.ListOf):
            return replace(expr, args=(replace(expr.args[0], items=tuple(known_values)),))
        return None

    def _is_same(self, value: ir.Expr, target: ir.Get) -> bool:
        """Return whether a value is that of a stat, or lies between it and a bound."""
        match value:
            case ir.Get():
                return value.field is target.field and shape(value.of, {}) == shape(target.of, {})
            case ir.Binary(op="min" | "max", left=left, right=right):
                return self._is_same(left, target) or self._is_same(right, target)
            case ir.Apply(form=form, args=(ir.ListOf(items=items),)) if form.op in _CLAMPS:
                return any(self._is_same(item, target) for item in items)
        return False

    def _truth(self, condition: ir.Expr) -> bool | None:
        """Return whether a condition holds at 0; None if that is unknown."""
        match condition:
            case ir.Not(operand=operand):
                inner = self._truth(operand)
                return None if inner is None else not inner
            case ir.Binary(op="and" | "or" as op, left=left, right=right):
                sides = [self._truth(left), self._truth(right)]
                decisive = op == "or"
                if decisive in sides:
                    return decisive
                return None if None in sides else not decisive
            case ir.Binary(op=op, left=left, right=right) if left.type == right.type == ir.NUMBER:
                values = [self._value(side) for side in (left, right)]
                numbers = [None if value is None else evaluate_constant(value) for value in values]
                if numbers[0] is None or numbers[1] is None:
                    return None
                result = calculate(op, numbers[0], numbers[1])
                return None if result is None else bool(result)
        return None


def _is_zero(expr: ir.Expr | None) -> bool:
    return isinstance(expr, ir.Const) and expr.type == ir.NUMBER and expr.value == 0


def _is_below(expr: ir.Expr) -> bool:
    """Return whether a value is 0 minus a number that is never negative."""
    if not isinstance(expr, ir.Binary) or expr.op != "-" or not _is_zero(expr.left):
        return False
    return isinstance(expr.right, ir.Get) and expr.right.field.low is not None and expr.right.field.low >= 0
