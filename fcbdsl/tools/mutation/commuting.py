"""Neighboring statements that may change places without any effect, so that no test can notice the swap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from types import UnionType

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import CHANGE, Field, Form, Kind
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.ir.tree_equality import same, shape
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.changing import (
    COUNTERS,
    EVERYTHING,
    GROUND,
    MOVED,
    PLACES,
    PRESENCE,
    WORLD,
    ZONES,
    Dependence,
    Matters,
)

QUIET = ir.Let | ir.Assign | ir.If | ir.ForEach | ir.Repeat | ir.Nothing | ir.Do | ir.Announce | ir.Body
"""Statements that ask nothing by themselves. What they announce must not be heard."""
SETTABLE = ("stat", "status", "token")
"""Sorts of fields that a statement may set without moving anything."""
COUNTING = ("add-counter", "clear-counter")
"""Native verbs that change only the counters of a thing."""
MOVING = ("place", "remove", "put-top", "put-bottom", "set-holder")
"""Native verbs that move a thing. One that comes out of the box starts anew, so that its stats change."""
OF_ZONE = ("top", "contents", "size")
"""Native measures of a zone, which is their last argument."""
WHEREABOUTS: Matters = {ZONES: None, PRESENCE: None}
GROUND_KINDS = frozenset(["space", "side"])
ASKING = ir.Choose | ir.ChooseOne | ir.AnyOrder | ir.Roll
OPPOSED = {"=": ("!=", "<", ">"), "<": (">", ">="), ">": ("<=",), "<=": (), ">=": (), "!=": ()}
"""The comparisons that can't hold together with one of the same values."""
ZONE, BEING, OWN = "@zone", "@being", "@own "
"""With a kind: the zones of its things, and which of them are in play. Things of unrelated kinds are different."""
STATUS = "@status"
"""Some counter: a status may bear modifiers, so that every modified field depends on it."""


def commuting_statements(model: Model) -> dict[str, set[int]]:
    """Return the starts of the statements that commute with the statement before them, by file."""
    return _Commuting(model).starts()


@dataclass(frozen=True, slots=True)
class _Watcher:
    """A `whenever`: the names that its condition reads, and those that its effect reads and writes."""

    condition: Matters
    reads: Matters
    writes: Matters


class _Commuting:
    def __init__(self, model: Model) -> None:
        self._model = model
        self._dependence = Dependence()
        self._pieces = [node for _, root in roots(model) for node in walk(root)]
        self._kin: dict[str, list[Kind]] = {name: [] for name in model.kinds}
        """Each kind with the kinds above and below it."""
        for kind in model.kinds.values():
            for above in kind.lineage():
                self._kin[above.id].append(kind)
                if above is not kind:
                    self._kin[kind.id].append(above)
        self._heard = {id(node.event) for node in self._pieces if isinstance(node, ir.Listener)}
        """The events that something listens to or ends with, or that renew a limit, by identity."""
        self._heard |= {id(node.until) for node in self._pieces if isinstance(node, ir.Until)}
        limited = [node for node in self._pieces if isinstance(node, ir.Listener)]
        limits = [kind.limit for kind in model.kinds.values()] + [node.limit for node in limited]
        limits += [action.limit for action in model.actions.values()]
        self._heard |= {id(event) for event in limits if event is not None}
        self._announcing = {
            id(event.verb) for event in model.events.values() if event.verb is not None and id(event) in self._heard
        }
        """The verbs that announce an event that is heard, by identity."""
        self._lazy: dict[int, list[object]] = {}
        """The bodies that a field may have as its value, by the field's identity."""
        for kind in model.kinds.values():
            for field in kind.fields.values():
                if field.sort == "field" and field.default is not None:
                    self._lazy[id(field)] = [field.default]
        for definition in model.definitions.values():
            for part in (definition, *definition.parts):
                for value in part.values.values():
                    if value.body is not None:
                        self._lazy.setdefault(id(value.field), []).append(value.body)
        self._modified: dict[str, Matters] = {}
        """The names on which the modifiers of a field depend, by the field's name."""
        for node in self._pieces:
            if isinstance(node, ir.Modifier):
                # a modifier of a card, status or space applies while its bearer has that
                own = self._dependence.reads(node) | dict.fromkeys((*WORLD, MOVED, COUNTERS, STATUS))
                self._modified.setdefault(node.field.id, {}).update(own)
        self._modifying = {name for names in self._modified.values() for name in names}
        """The names on which any modifier depends."""
        self._general = {f"{prefix} {kind}" for prefix in (ZONE, BEING) for kind in model.kinds}
        self._watchers = [self._watcher(node) for node in limited if node.event is CHANGE]

    def _watcher(self, node: ir.Listener) -> _Watcher:
        condition = self._reads(node.condition)
        if all(self._has_only(statement, QUIET | ir.End, asks=False) for statement in node.body.statements):
            return _Watcher(condition, self._reads(node.body), self._writes(node.body))
        return _Watcher(condition, {EVERYTHING: None}, {EVERYTHING: None})

    def starts(self) -> dict[str, set[int]]:
        """Return the starts of the commuting statements, by file."""
        out: dict[str, set[int]] = {}
        for node in self._pieces:
            if isinstance(node, ir.Body):
                for first, second in pairwise(node.statements):
                    if self._commute(first, second):
                        out.setdefault(second.span.source.name, set()).add(second.span.start)
            elif isinstance(node, ir.If):
                for first, second in pairwise(_alternatives(node)[1:]):
                    if self._distinguish(first.condition, second.condition):
                        out.setdefault(second.span.source.name, set()).add(second.span.start)
        return out

    def _distinguish(self, one: ir.Expr, other: ir.Expr) -> bool:
        """Return whether two conditions can't hold at the same time."""
        return any(
            self._distinguished(conjunct, opposed) is not None
            for conjunct in ir.conjuncts(one)
            for opposed in ir.conjuncts(other)
        )

    def _commute(self, first: ir.Stmt, second: ir.Stmt) -> bool:
        if self._exclude(first, second):
            return True
        for one, other in ((first, second), (second, first)):
            if isinstance(one, ir.Let) and _leaves(other):
                written = self._dependence.writes(one).keys()
                return len(written) == 1 and written.isdisjoint(self._reads(other))
            if _leaves(other, loop=False) and self._is_private(one):
                return self._writes(one).keys().isdisjoint(self._reads(other))
            if self._is_private(one) and self._is_closed(other) and not _leaves(one):
                return self._keeps_apart(one, other)
        if not (self._is_quiet(first) and self._is_quiet(second)):
            return False
        return self._keeps_apart(first, second)

    def _keeps_apart(self, first: ir.Stmt, second: ir.Stmt) -> bool:
        """Return whether neither statement changes what the other reads or changes, nor does a `whenever` that it sets
        off."""
        changed = self._writes(first), self._writes(second)
        read = self._reads(first), self._reads(second)
        if EVERYTHING in {**changed[0], **changed[1], **read[0], **read[1]}:
            return False
        set_off = [
            [watcher for watcher in self._watchers if not watcher.condition.keys().isdisjoint(names)]
            for names in changed
        ]
        if set_off[0] and set_off[1]:
            return False
        for watchers, names in ((set_off[0], {**changed[1], **read[1]}), (set_off[1], {**changed[0], **read[0]})):
            for watcher in watchers:
                if EVERYTHING in watcher.writes and names:
                    return False
                if not watcher.writes.keys().isdisjoint(names):
                    return False
        for watchers, names in ((set_off[0], changed[1]), (set_off[1], changed[0])):
            if any(not watcher.reads.keys().isdisjoint(names) for watcher in watchers):
                return False
        both = [name for name in changed[0] if name in changed[1] and name not in (STATUS, GROUND, *self._general)]
        both += [name for name in changed[0] if name.startswith(OWN) and name.removeprefix(OWN) in changed[1]]
        both += [name for name in changed[0] if name in read[1]]
        both += [name for name in changed[1] if name in read[0]]
        total = _summed(first)
        if total is not None and total == _summed(second):
            both = [name for name in both if name != total]
        return all(self._are_distinct(name, first, second) for name in both)

    def _are_distinct(self, name: str, first: ir.Stmt, second: ir.Stmt) -> bool:
        """Return whether two statements use different fields of the same name, or fields of unrelated kinds."""
        if name.startswith("@") or name in self._modifying:
            return False
        sides = self._fields(name, first), self._fields(name, second)
        return all(sides) and not any(
            field == other and (not kind or not unlike or any(near.id == kind for near in self._kin.get(unlike, ())))
            for field, kind in sides[0]
            for other, unlike in sides[1]
        )

    def _fields(self, name: str, tree: object) -> set[tuple[int, str]]:
        """Return the fields of a name that a tree reads or changes, by identity, each with the kind of the thing."""
        out: set[tuple[int, str]] = set()
        for node in walk(self._reached(tree)):
            if isinstance(node, ir.Get) and node.field.id == name:
                out.add((id(node.field), _kind_of(node.of)))
            elif isinstance(node, ir.Do) and node.form.op in MOVING:
                kind = _kind_of(node.args[0])
                out |= {(id(field), kind) for field in self._renewed(node) if field.id == name}
        return out

    def _renewed(self, node: ir.Do) -> list[Field]:
        """Return the stats that may start anew when a thing moves."""
        what = node.args[0]
        kinds = self._kin.get(what.type.name, []) if what is not None else []
        kinds = kinds or list(self._model.kinds.values())
        return [field for kind in kinds for field in kind.fields.values() if field.sort in SETTABLE]

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
            case ir.Binary(op=op, left=left, right=right), ir.Binary(op=against, left=subject, right=limit) if same(
                left, subject
            ) and same(right, limit):
                opposed = against in OPPOSED.get(op, ()) or op in OPPOSED.get(against, ())
                return left if opposed and self._is_fixed(right) else None
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

    def _is_fixed(self, value: ir.Expr) -> bool:
        """Return whether a value is made of constants, locals and fields."""
        return all(isinstance(node, ir.Get | ir.Var | ir.Const | ir.Instance) for node in walk(value))

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
        """Return what a tree depends on, also through verbs, conditions of cards and modifiers of the fields that it
        reads."""
        bound = {f"@local {node.it}" for node in walk(tree) if isinstance(node, ir.Select | ir.Quantified)}
        read_names = {name: None for name in self._read_here(tree) if name not in bound}
        for inner in self._reached(tree)[1:]:
            read_names |= _without_locals(self._read_here(inner))
        left = list(read_names)
        while left:
            new = [name for name in self._modified.get(left.pop(), ()) if name not in read_names]
            read_names |= dict.fromkeys(new)
            left += new
        return self._by_kind(read_names)

    def _by_kind(self, names: Matters) -> Matters:
        """Return names with those of all zones and beings as the names of each kind."""
        for general, prefix in ((ZONES, ZONE), (PRESENCE, BEING)):
            if general in names:
                names |= self._related(prefix, "")
        return names

    def _read_here(self, tree: object) -> Matters:
        """Return what a tree reads, without the bodies of its verbs. A new record reads nothing."""
        names: Matters = {}
        for node in walk(tree):
            if isinstance(node, ir.Apply):
                if node.form.op in OF_ZONE and (kind := _kind_of(node.args[-1])):
                    names[f"{ZONE} {kind}"] = None
                elif node.form.op == "spare" and node.type.name:
                    names[f"{BEING} {node.type.name}"] = None
                elif node.form.body is None and node.form.op != "new-record":
                    names |= self._dependence.reads(replace(node, args=()))
                if node.form.op == "in-zone" and (kind := _kind_of(node.args[0])):
                    names.pop(ZONES, None)
                    names[f"{ZONE} {kind}"] = None
            elif isinstance(node, ir.Get):
                names[MOVED if node.field.id == "place" else node.field.id] = None
                if node.field.sort in ("status", "token"):
                    names[COUNTERS] = None
                elif node.field.sort == "builtin":
                    kind = _kind_of(node.of)
                    names |= {f"{ZONE} {kind}": None, f"{BEING} {kind}": None} if kind else WHEREABOUTS
            elif isinstance(node, ir.Select):
                if node.source is None and node.type.base == "thing":
                    names[f"{BEING} {node.type.name}"] = None
            elif isinstance(node, ir.Var):
                names |= self._dependence.reads(node)
        return names

    def _writes(self, tree: object) -> Matters:
        """Return what a tree changes. A stat of a space or a side may open or bar ways."""
        reached = self._reached(tree)
        written_names = {name: None for name in self._dependence.writes(_locals_in(tree)) if name.startswith("@local")}
        for node in walk(reached):
            if isinstance(node, ir.Assign):
                field = node.target.field
                written_names[field.id] = None
                kind = self._model.kinds.get(field.kind)
                if field.sort in ("status", "token"):
                    written_names[STATUS] = None
                if kind is None or not {ancestor.id for ancestor in kind.lineage()}.isdisjoint(GROUND_KINDS):
                    written_names[GROUND] = None
            elif isinstance(node, ir.Do) and node.form.op is not None:
                written_names |= self._of_native(node)
            elif isinstance(node, ir.Apply) and node.form.op == "new-record":
                written_names |= self._related(BEING, node.type.name)
        return self._by_kind(written_names)

    def _related(self, prefix: str, kind: str) -> Matters:
        """Return the names of a kind and of those above and below it; of all kinds, if it is unknown. The name of the
        kind itself appears once more, with `OWN` before it."""
        if kind not in self._kin:
            return {name: None for other in self._kin for name in (f"{prefix} {other}", f"{OWN}{prefix} {other}")}
        return {f"{prefix} {other.id}": None for other in self._kin[kind]} | {f"{OWN}{prefix} {kind}": None}

    def _of_native(self, node: ir.Do) -> Matters:
        """Return what a native verb changes. Cards have no place on the board."""
        names = dict(self._dependence.writes(node))
        if node.form.op in COUNTING:
            names[STATUS] = None
        if node.form.op in MOVING:
            kind = _kind_of(node.args[0])
            kinds = self._kin.get(kind, [])
            names.pop(PRESENCE, None)
            names |= self._related(BEING, kind)
            if names.pop(ZONES, ZONES) is None:
                names |= self._related(ZONE, kind)
            if node.form.op != "place" and kinds and all(above.id != "piece" for above in kinds):
                for name in (PLACES, MOVED):
                    names.pop(name, None)
            names |= {field.id: None for field in self._renewed(node)}
            names[STATUS] = None
        return names

    def _reached(self, tree: object) -> list[object]:
        """Return a tree, and the bodies of the forms and of the conditions of cards that it uses, directly or through
        others."""
        out = [tree]
        passed: set[int] = set()
        for piece in out:
            for node in walk(piece):
                if isinstance(node, ir.Do | ir.Apply) and node.form.body is not None and id(node.form) not in passed:
                    passed.add(id(node.form))
                    out.append(node.form.body)
                elif isinstance(node, ir.Get) and id(node.field) in self._lazy and id(node.field) not in passed:
                    passed.add(id(node.field))
                    out += self._lazy[id(node.field)]
        return out

    def _is_quiet(self, statement: ir.Stmt) -> bool:
        """Return whether a statement, with the verbs that it uses, announces no event that is heard, asks no question
        and ends nothing around it but the game."""
        own = QUIET | ir.Break if isinstance(statement, ir.ForEach | ir.Repeat) else QUIET
        return self._has_only(statement, own, asks=False)

    def _is_closed(self, statement: ir.Stmt) -> bool:
        """Return whether a statement announces no event that is heard, and ends nothing around it. It may ask."""
        own = QUIET | ir.Break if isinstance(statement, ir.ForEach | ir.Repeat) else QUIET
        return self._has_only(statement, own | ASKING, asks=True)

    def _has_only(self, statement: ir.Stmt, classes: UnionType, *, asks: bool) -> bool:
        """Return whether a statement, with the verbs that it uses, is made of harmless statements of some classes.
        Verbs may end themselves. `asks`: it may ask."""
        forms = _forms_in(statement)
        if any(id(form) in self._announcing for form in forms):
            return False
        return all(
            isinstance(node, classes) and self._is_harmless(node, asks) for node in _statements(statement)
        ) and all(
            isinstance(node, classes | ir.Break | ir.Stop | ir.Answer) and self._is_harmless(node, asks)
            for form in forms
            for node in _statements(form.body)
        )

    def _is_harmless(self, node: object, asks: bool) -> bool:
        """Return whether a statement sets only stats and counters, moves things or announces what nobody hears, and
        (unless it may ask) no player chooses its order."""
        match node:
            case ir.Assign():
                return node.target.field.sort in SETTABLE
            case ir.ForEach():
                return asks or (not node.any_order and not node.secret)
            case ir.Announce():
                return id(node.event) not in self._heard
            case ir.Do():
                return node.form.body is not None or node.form.op in (*COUNTING, *MOVING)
        return True

    def _is_private(self, statement: ir.Stmt) -> bool:
        """Return whether a statement only gives locals a value, without leaving the body around it."""
        if not isinstance(statement, ir.Let | ir.If | ir.ForEach) or _leaves(statement):
            return False
        return self._is_quiet(statement) and all(name.startswith("@local") for name in self._writes(statement))


def _alternatives(node: ir.If) -> list[ir.If]:
    """Return an `if` with the `else if` that follow it."""
    out = [node]
    while len(out[-1].otherwise.statements) == 1:
        after = out[-1].otherwise.statements[0]
        if not isinstance(after, ir.If) or not after.span.source.text.startswith("else", after.span.start):
            break
        out.append(after)
    return out


def _kind_of(value: ir.Expr | None) -> str:
    """Return the kind of a thing or of the things of a zone; empty if it is unknown."""
    return value.type.name if value is not None and value.type.base in ("thing", "zone") else ""


def _summed(statement: ir.Stmt) -> str | None:
    """Return the name of the local to which a statement only adds numbers that do not depend on it, if any."""
    lets = [node for node in walk(statement) if isinstance(node, ir.Let)]
    slots = {node.var.slot for node in lets}
    if len(slots) != 1:
        return None
    for node in lets:
        value = node.value
        if not (isinstance(value, ir.Binary) and value.op == "+" and isinstance(value.left, ir.Var)):
            return None
        if value.left.slot != node.var.slot:
            return None
    uses = sum(isinstance(node, ir.Var) and node.slot in slots for node in walk(statement))
    return f"@local {slots.pop()}" if uses == 2 * len(lets) else None


def _locals_in(tree: object) -> list[object]:
    """Return the statements of a tree that bind locals."""
    return [node for node in walk(tree) if isinstance(node, ir.Let | ir.Choose | ir.ForEach | ir.Roll)]


def _leaves(statement: ir.Stmt, *, loop: bool = True) -> bool:
    """Return whether a statement only answers or stops, under a condition. `loop`: or leaves the loop around it."""
    if not isinstance(statement, ir.If) or len(statement.then.statements) != 1:
        return False
    if statement.otherwise.statements:
        return False
    only = statement.then.statements[0]
    return isinstance(only, ir.Answer | ir.Stop) or (loop and isinstance(only, ir.Break))


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
