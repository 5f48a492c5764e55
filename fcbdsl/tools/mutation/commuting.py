"""Neighboring statements that may change places without any effect, so that no test can notice the swap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import CHANGE
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.ir.tree_equality import same, shape
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.changing import EVERYTHING, Dependence, Matters


def commuting_statements(model: Model) -> dict[str, set[int]]:
    """Return the starts of the statements that commute with the statement before them, by file."""
    return _Commuting(model).found()


class _Commuting:
    def __init__(self, model: Model) -> None:
        self._model = model
        self._dependence = Dependence()
        self._pieces = [node for _, root in roots(model) for node in walk(root)]
        self._modified: dict[str, Matters] = {}
        """The names on which the modifiers of a field depend, by the field's name."""
        self._watched: Matters = {}
        """The names on which the conditions of `whenever` depend."""
        for node in self._pieces:
            if isinstance(node, ir.Modifier):
                self._modified.setdefault(node.field.id, {}).update(self._dependence.reads(node))
        for node in self._pieces:
            if isinstance(node, ir.Listener) and node.event is CHANGE:
                self._watched |= self._reads(node.condition)

    def found(self) -> dict[str, set[int]]:
        """Return the starts of the commuting statements, by file."""
        out: dict[str, set[int]] = {}
        for node in self._pieces:
            if isinstance(node, ir.Body):
                for first, second in pairwise(node.statements):
                    if self._commute(first, second):
                        out.setdefault(second.span.source.name, set()).add(second.span.start)
        return out

    def _commute(self, first: ir.Stmt, second: ir.Stmt) -> bool:
        if self._exclude(first, second):
            return True
        for one, other in ((first, second), (second, first)):
            if isinstance(one, ir.Let) and _leaves(other):
                return not self._reads(other).keys() & self._dependence.writes(one).keys()
        if not (_is_quiet(first) and _is_quiet(second)):
            return False
        written = self._dependence.writes(first), self._dependence.writes(second)
        read = self._reads(first), self._reads(second)
        if EVERYTHING in {**written[0], **written[1], **read[0], **read[1]}:
            return False
        seen = self._watched.keys()
        if not seen.isdisjoint(written[0]) and not seen.isdisjoint(written[1]):
            return False
        return written[0].keys().isdisjoint({**read[1], **written[1]}) and written[1].keys().isdisjoint(read[0])

    def _exclude(self, first: ir.Stmt, second: ir.Stmt) -> bool:
        """Return whether two conditions can't both hold, whatever the statements below them do, or lead to the same
        answer."""
        if not (isinstance(first, ir.If) and isinstance(second, ir.If)):
            return False
        if first.otherwise.statements or second.otherwise.statements:
            return False
        leaving = _leaves(first) and _leaves(second)
        if leaving and shape(first.then, {}) == shape(second.then, {}):
            return True
        written = {**self._dependence.writes(first), **self._dependence.writes(second)}
        for one in ir.conjuncts(first.condition):
            for other in ir.conjuncts(second.condition):
                subject = self._distinguished(one, other)
                if subject is not None and (leaving or self._is_lasting(subject, written)):
                    return True
        return False

    def _distinguished(self, one: ir.Expr, other: ir.Expr) -> ir.Expr | None:
        """Return what differs in two conditions: its value, its kind, or whether it holds."""
        for positive, negative in ((one, other), (other, one)):
            if isinstance(negative, ir.Not) and same(negative.operand, positive):
                return positive
        match one, other:
            case ir.Binary(op="=", left=left, right=ir.Const() as value), ir.Binary(
                op="=", left=subject, right=ir.Const() as unlike
            ) if value.value != unlike.value and same(left, subject):
                return subject
            case ir.IsA(of=left, kind=kind), ir.IsA(of=subject, kind=unlike) if same(left, subject):
                kinds = self._model.kinds
                above = {
                    parent.id
                    for name in (kind, unlike)
                    if name in kinds
                    for parent in kinds[name].lineage()
                    if parent.id in (kind, unlike) and parent.id != name
                }
                return None if above or kind == unlike else subject
        return None

    def _is_lasting(self, subject: ir.Expr, written: Matters) -> bool:
        """Return whether a value is made of locals that are not written, and of data of definitions."""
        for node in walk(subject):
            if isinstance(node, ir.Get):
                if node.field.sort != "field" or node.field.id in self._modified:
                    return False
            elif not isinstance(node, ir.Var | ir.Const):
                return False
        return self._dependence.reads(subject).keys().isdisjoint(written)

    def _reads(self, tree: object) -> Matters:
        """Return what a tree depends on, also through the modifiers of the fields that it reads."""
        found = self._dependence.reads(tree)
        left = list(found)
        while left:
            new = [name for name in self._modified.get(left.pop(), ()) if name not in found]
            found |= dict.fromkeys(new)
            left += new
        return found


def _leaves(statement: ir.Stmt) -> bool:
    """Return whether a statement only answers or stops, under a condition."""
    if not isinstance(statement, ir.If) or len(statement.then.statements) != 1:
        return False
    return not statement.otherwise.statements and isinstance(
        statement.then.statements[0], ir.Answer | ir.Stop | ir.Break
    )


def _is_quiet(statement: ir.Stmt) -> bool:
    """Return whether a statement, and those in it, announce no event and ask no question."""
    quiet = all(isinstance(node, ir.Let | ir.Assign | ir.If | ir.Body) for node in _statements(statement))
    return quiet and all(node.target.field.sort == "stat" for node in walk(statement) if isinstance(node, ir.Assign))


def _statements(tree: object) -> Iterator[object]:
    """Yield the statements and bodies in a tree."""
    return (node for node in walk(tree) if isinstance(node, ir.Stmt | ir.Body))
