"""Neighboring statements that may change places without any effect, so that no test can notice the swap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import CHANGE, Form
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.ir.tree_equality import same, shape
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.changing import COUNTERS, EVERYTHING, GROUND, MOVED, WORLD, Dependence, Matters

QUIET = ir.Let | ir.Assign | ir.If | ir.ForEach | ir.Repeat | ir.Nothing | ir.Do | ir.Body
"""Statements that announce nothing and ask nothing by themselves."""
SETTABLE = ("stat", "status", "token")
"""Sorts of fields that a statement may set without moving anything."""
COUNTING = ("add-counter", "clear-counter")
"""Native verbs that change only the counters of a thing."""
GROUND_KINDS = frozenset(["space", "side"])
STATUS = "@status"
"""Some counter: a status may bear modifiers, so that every modified field depends on it."""


def commuting_statements(model: Model) -> dict[str, set[int]]:
    """Return the starts of the statements that commute with the statement before them, by file."""
    return _Commuting(model).starts()


class _Commuting:
    def __init__(self, model: Model) -> None:
        self._model = model
        self._dependence = Dependence()
        self._pieces = [node for _, root in roots(model) for node in walk(root)]
        self._announcing = {id(event.verb) for event in model.events.values() if event.verb is not None}
        """The verbs that announce an event, by identity."""
        self._modified: dict[str, Matters] = {}
        """The names on which the modifiers of a field depend, by the field's name."""
        self._watched: Matters = {}
        """The names on which the conditions of `whenever` depend."""
        for node in self._pieces:
            if isinstance(node, ir.Modifier):
                # a modifier of a card, status or space applies while its bearer has that
                own = self._dependence.reads(node) | dict.fromkeys((*WORLD, MOVED, COUNTERS, STATUS))
                self._modified.setdefault(node.field.id, {}).update(own)
        for node in self._pieces:
            if isinstance(node, ir.Listener) and node.event is CHANGE:
                self._watched |= self._reads(node.condition)

    def starts(self) -> dict[str, set[int]]:
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
                written = self._dependence.writes(one).keys()
                return len(written) == 1 and written.isdisjoint(self._reads(other))
        if not (self._is_quiet(first) and self._is_quiet(second)):
            return False
        changed = self._writes(first), self._writes(second)
        read = self._reads(first), self._reads(second)
        if EVERYTHING in {**changed[0], **changed[1], **read[0], **read[1]}:
            return False
        if not self._watched.keys().isdisjoint({**changed[0], **changed[1]}):
            return False
        if changed[0].keys() & changed[1].keys() - {STATUS, GROUND}:  # these mean different fields
            return False
        return changed[0].keys().isdisjoint(read[1]) and changed[1].keys().isdisjoint(read[0])

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
        for conjunct in ir.conjuncts(first.condition):
            for other in ir.conjuncts(second.condition):
                subject = self._distinguished(conjunct, other)
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
        """Return what a tree depends on, also through verbs and through the modifiers of the fields that it reads."""
        bound = {f"@local {node.it}" for node in walk(tree) if isinstance(node, ir.Select | ir.Quantified)}
        read_names = {name: None for name in self._dependence.reads(tree) if name not in bound}
        for form in _forms_in(tree):
            read_names |= _without_locals(self._dependence.reads(form.body))
        left = list(read_names)
        while left:
            new = [name for name in self._modified.get(left.pop(), ()) if name not in read_names]
            read_names |= dict.fromkeys(new)
            left += new
        return read_names

    def _writes(self, tree: object) -> Matters:
        """Return what a tree changes. A stat of a space or a side may open or bar ways."""
        forms = _forms_in(tree)
        written_names = self._dependence.writes(tree)
        for form in forms:
            written_names |= _without_locals(self._dependence.writes(form.body))
        for node in walk([tree, [form.body for form in forms]]):
            if isinstance(node, ir.Assign):
                field = node.target.field
                kind = self._model.kinds.get(field.kind)
                if field.sort in ("status", "token"):
                    written_names[STATUS] = None
                if kind is None or not {ancestor.id for ancestor in kind.lineage()}.isdisjoint(GROUND_KINDS):
                    written_names[GROUND] = None
            elif isinstance(node, ir.Do) and node.form.op in COUNTING:
                written_names[STATUS] = None
        return written_names

    def _is_quiet(self, statement: ir.Stmt) -> bool:
        """Return whether a statement, with the verbs that it uses, announces no event, asks no question, moves nothing
        and ends nothing around it."""
        if isinstance(statement, ir.Assign) and statement.target.field.sort not in SETTABLE:
            return False
        forms = _forms_in(statement)
        if any(id(form) in self._announcing for form in forms):
            return False
        own = QUIET | ir.Break if isinstance(statement, ir.ForEach | ir.Repeat) else QUIET
        return all(isinstance(node, own) and _is_harmless(node) for node in _statements(statement)) and all(
            isinstance(node, QUIET | ir.Break | ir.Stop | ir.Answer) and _is_harmless(node)
            for form in forms
            for node in _statements(form.body)
        )


def _leaves(statement: ir.Stmt) -> bool:
    """Return whether a statement only answers or stops, under a condition."""
    if not isinstance(statement, ir.If) or len(statement.then.statements) != 1:
        return False
    return not statement.otherwise.statements and isinstance(
        statement.then.statements[0], ir.Answer | ir.Stop | ir.Break
    )


def _is_harmless(node: object) -> bool:
    """Return whether a statement sets only stats and counters, and no player chooses its order."""
    match node:
        case ir.Assign():
            return node.target.field.sort in SETTABLE
        case ir.ForEach():
            return not node.any_order and not node.secret
        case ir.Do():
            return node.form.body is not None or node.form.op in COUNTING
    return True


def _forms_in(tree: object) -> list[Form]:
    """Return the verbs, relations and measures with a body that a tree uses, directly or through others."""
    forms: dict[int, Form] = {}
    left = [tree]
    while left:
        for node in walk(left.pop()):
            if isinstance(node, ir.Do | ir.Apply) and node.form.body is not None and id(node.form) not in forms:
                forms[id(node.form)] = node.form
                left.append(node.form.body)
    return list(forms.values())


def _without_locals(names: Matters) -> Matters:
    return {name: None for name in names if not name.startswith("@local")}


def _statements(tree: object) -> Iterator[object]:
    """Yield the statements and bodies in a tree."""
    return (node for node in walk(tree) if isinstance(node, ir.Stmt | ir.Body))
