"""Values that stats can never have, because no effect sets them, or because the effects wait for each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from typing import Final

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.facts import ending_word
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import CHANGE, Action, Declared, Event, Field, Form, Kind, Trait
from fcbdsl.language.model.ir import children, walk
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.model.whole import Model

THIS: Final = 1
FIRST: Final = 2
"""The slot of a form's first parameter, after `self` and `this`."""
MOST_SITES: Final = 6
"""Most effects that set one stat; with more of them, it may have any value."""
MOST_STEPS: Final = 400
"""Most effects that are examined for one stat."""
DEEPEST: Final = 12
_TRACK: Final = "track"

Bound = Mapping[int, Definition]
"""Slots that hold a thing of a definition."""


@dataclass(frozen=True, slots=True)
class EffectSite:
    """A statement, the whole behavior around it, and the declaration that has it."""

    node: ir.Assign | ir.Do | ir.Apply | ir.Announce
    root: object
    owner: Declared | None


Key = tuple[object, ...]


@dataclass(slots=True)
class Attaining:
    """The values that stats can have, from the conditions under which effects set them.

    It is a least fixpoint: a stat has its first value, and another one only if an effect that sets it may run. That
    depends on conditions, and so on other stats. `_open`: what is being examined. `_circular`: an answer depended on
    something that was being examined.

    `modified`: the ids of stats that modifiers change. `acts`: the statements and calls outside of tests, each with the
    behavior around it and its declaration. `truth`: whether a condition always holds, never does, or may do either.
    """

    model: Model
    modified: Collection[str]
    acts: Sequence[tuple[ir.Node, object, Declared | None]]
    truth: Callable[[ir.Expr, Bound], bool | None]
    _sites: dict[Field, list[EffectSite]] = field(default_factory=dict)
    _calls: dict[int, list[EffectSite]] = field(default_factory=dict)
    _announced: dict[str, list[EffectSite]] = field(default_factory=dict)
    _raising: dict[str, list[EffectSite]] = field(default_factory=dict)
    _given: dict[str, None] = field(default_factory=dict)  # stats to which maps give values
    _sorts: dict[str, str] = field(default_factory=dict)  # of tracks, by id
    _trails: dict[tuple[int, int], list[tuple[ir.Node, ir.Node]]] = field(default_factory=dict)
    _indexed: bool = False
    _known: dict[Key, tuple[int, ...] | None] = field(default_factory=dict)
    _waiting: dict[Key, None] = field(default_factory=dict)
    _open: dict[Key, tuple[int, ...]] = field(default_factory=dict)
    _circular: bool = False
    _steps: int = 0

    def values(self, column: Field, owner: Definition | None) -> tuple[int, ...] | None:
        """Return the values that a stat of the game, or of the things of a definition, can have; None: any."""
        key = column, id(owner)
        if key in self._known or key in self._open:
            return self._memoized(key)
        if (
            column.sort != "stat"
            or column.kept
            or column.type.many
            or column.type.base not in ("flag", "enum", "number")
        ):
            return None
        first = 0 if column.default is None else evaluate_constant(column.default)
        if first is None or column.id in self.modified or (owner is not None and column.id in owner.values):
            return None
        self._index()
        if column.id in self._given:
            return None
        sites = self._sites.get(column, [])
        if not sites or len(sites) > MOST_SITES:
            return None  # a stat that nothing changes is reported elsewhere
        return self._examined(key, (first,), lambda key: self._set(key, column, owner, sites))

    def rises(self, track: str) -> bool:
        """Return whether something may move a track up."""
        self._index()
        names = (track, self._sorts.get(track, _TRACK), _TRACK, "")
        sites = [site for name in dict.fromkeys(names) for site in self._raising.get(name, ())]
        if not sites or len(sites) > MOST_SITES:
            return True  # a track that nothing moves is reported elsewhere
        out = self._examined(
            (_TRACK, track), (0,), lambda key: (1,) if any(self._runs(s, {}, 0) for s in sites) else (0,)
        )
        return out is None or 1 in out

    def waits(self, column: Field, owner: Definition | None) -> bool:
        """Return whether effects that would change a stat wait for each other."""
        return (column, id(owner)) in self._waiting

    def waits_to_rise(self, track: str) -> bool:
        """Return whether effects that would move a track up wait for each other."""
        return (_TRACK, track) in self._waiting

    def _index(self) -> None:
        """Record the statements that set stats, move tracks, run forms and announce events, outside of tests."""
        if self._indexed:
            return
        self._indexed = True
        for definition in self.model.definitions.values():
            for cell in definition.board.cells if definition.board is not None else ():
                self._given |= dict.fromkeys(cell.values)
            self._sorts |= {track.id: track.sort for track in definition.tracks}
        for node, root, owner in self.acts:
            if owner is not None and self.model.proof_of(owner.span):
                continue
            if isinstance(node, ir.Assign):
                self._sites.setdefault(node.target.field, []).append(EffectSite(node, root, owner))
            elif isinstance(node, ir.Do | ir.Apply):
                site = EffectSite(node, root, owner)
                self._calls.setdefault(id(node.form), []).append(site)
                if Trait.RAISES in node.form.traits:
                    line = node.args[0]
                    sort = line.type.name if line is not None else ""
                    self._raising.setdefault(line.id if isinstance(line, ir.Instance) else sort, []).append(site)
            elif isinstance(node, ir.Announce):
                self._announced.setdefault(node.event.id, []).append(EffectSite(node, root, owner))

    def _examined(self, key: Key, first: tuple[int, ...], examine: object) -> tuple[int, ...] | None:
        """Return the values of something, memoized unless they depend on what is being examined."""
        if key in self._known or key in self._open:
            return self._memoized(key)
        if not self._open:
            self._steps = 0
        before, self._circular = self._circular, False
        self._open[key] = first
        assert callable(examine)
        out: tuple[int, ...] | None = examine(key)
        del self._open[key]
        if not self._open or not self._circular:
            self._known[key] = out
            if self._circular:
                self._waiting[key] = None
        self._circular = bool(self._open) and (self._circular or before)
        return out

    def _memoized(self, key: Key) -> tuple[int, ...] | None:
        """Return the values of something that was examined, or that is being examined."""
        if key in self._known:
            self._circular = self._circular or key in self._waiting
            return self._known[key]
        self._circular = True
        return self._open[key]

    def _set(
        self, key: Key, column: Field, owner: Definition | None, sites: Sequence[EffectSite]
    ) -> tuple[int, ...] | None:
        """Return the first value of a stat, and those that effects which may run set."""
        values = dict.fromkeys(self._open[key])
        grown = True
        while grown:
            grown = False
            for site in sites:
                assert isinstance(site.node, ir.Assign)
                value = evaluate_constant(site.node.value) if site.node.op == "=" else None
                if value in values:
                    continue
                bound = _bound(site.node.target.of, owner)
                if bound is not None and self._runs(site, bound, 0):
                    if value is None:
                        return None
                    values[value] = None
                    self._open[key] = tuple(values)
                    grown = True
        return tuple(values)

    # ── which effects run ──────────────────────────────────────────────────────────────────────

    def _runs(self, site: EffectSite, bound: Bound, depth: int) -> bool:
        """Return whether a statement may run while some slots hold things of definitions."""
        self._steps += 1
        if self._steps > MOST_STEPS or depth > DEEPEST:
            return True
        owner = site.owner
        thing = bound.get(THIS)
        if isinstance(owner, Definition) and thing is not None and thing is not owner and not owner.parts:
            return False
        if isinstance(owner, Kind) and thing is not None and owner not in thing.kind.lineage():
            return False
        for ancestor, below in self._trail(site):
            if not self._passes(ancestor, below, bound, depth):
                return False
        match owner:
            case Action(needs=needs):
                return needs is None or self._may(needs, bound, True, depth)
            case Form():
                return self._called(owner, bound, depth)
        return True

    def _trail(self, site: EffectSite) -> list[tuple[ir.Node, ir.Node]]:
        """Return the nodes around a statement, each with its child on the way there."""
        key = id(site.root), id(site.node)
        if key not in self._trails:
            path = _path(site.root, site.node)
            self._trails[key] = list(pairwise(path))
        return self._trails[key]

    def _called(self, form: Form, bound: Bound, depth: int) -> bool:
        """Return whether something may run a form with such arguments."""
        calls = self._calls.get(id(form), ())
        if not calls:
            return not self.model.is_lent(form.span)  # one of the project is reported elsewhere
        if len(calls) > MOST_SITES:
            return True
        key = ("form", id(form), *((slot, id(thing)) for slot, thing in sorted(bound.items(), key=lambda row: row[0])))

        def examine(key: Key) -> tuple[int, ...]:
            for call in calls:
                assert isinstance(call.node, ir.Do | ir.Apply)
                outside = _outside(call.node, bound)
                if outside is not None and self._runs(call, outside, depth + 1):
                    return (1,)
            return (0,)

        return 1 in (self._examined(key, (0,), examine) or (1,))

    def _happens(self, event: Event, depth: int) -> bool:
        """Return whether an event may happen."""
        if event is CHANGE:
            return True
        if event.verb is not None:
            return event.verb.op is not None or self._called(event.verb, {}, depth + 1)
        sites = self._announced.get(event.id, ())
        if not sites or len(sites) > MOST_SITES:
            return True
        out = self._examined(
            ("event", event.id), (0,), lambda key: (1,) if any(self._runs(s, {}, depth + 1) for s in sites) else (0,)
        )
        return 1 in (out or (1,))

    def _passes(self, ancestor: ir.Node, below: object, bound: Bound, depth: int) -> bool:
        """Return whether a run may get from a node to the one below it that contains the statement."""
        match ancestor:
            case ir.If(condition=condition, then=then, otherwise=otherwise) if below is then or below is otherwise:
                return self._may(condition, bound, below is then, depth)
            case ir.Listener(event=event, condition=condition):
                if condition is not None and not self._may(condition, bound, True, depth):
                    return False
                return self._happens(event, depth)
            case ir.Body(statements=statements):
                for statement in statements:
                    if statement is below:
                        break
                    match statement:
                        case ir.Require(condition=condition):
                            if not self._may(condition, bound, True, depth):
                                return False
                        case ir.If(condition=condition, then=then) if ending_word(statement) or _stops(then):
                            if not self._may(condition, bound, False, depth):
                                return False
        return True

    def _may(self, condition: ir.Expr, bound: Bound, wanted: bool, depth: int) -> bool:
        """Return whether a condition may be as `wanted`."""
        if depth > DEEPEST:
            return True
        match condition:
            case ir.Not(operand=operand):
                return self._may(operand, bound, not wanted, depth)
            case ir.Binary(op="and" | "or" as op, left=left, right=right):
                sides = (self._may(side, bound, wanted, depth) for side in (left, right))
                return all(sides) if (op == "and") == wanted else any(sides)
            case ir.Get(type=ir.Type(base="flag"), field=column, of=of):
                if column.type.base == "condition":
                    asked = _condition(column, _thing(of, bound, self.model.definitions))
                    return asked is None or self._may(asked, {}, wanted, depth + 1)
                return self._has(condition, bound, lambda value: bool(value) == wanted)
            case ir.Get(field=Field(type=ir.Type(base="condition")) as column, of=of):
                asked = _condition(column, _thing(of, bound, self.model.definitions))
                return asked is None or self._may(asked, {}, wanted, depth + 1)
            case ir.Binary(op="=" | "!=" as op, left=ir.Get() as get, right=ir.Const(value=number)) if (
                get.type.base == "enum"
            ):
                return self._has(get, bound, lambda value: (value == number) == ((op == "=") == wanted))
            case ir.Apply(form=Form(op=None, body=ir.Body(statements=(ir.Answer(value=value),))), args=args):
                definitions = self.model.definitions
                things = {FIRST + at: _thing(arg, bound, definitions) for at, arg in enumerate(args) if arg is not None}
                inner = {slot: thing for slot, thing in things.items() if thing is not None}
                return self._may(value, inner, wanted, depth + 1)
        holds = self.truth(condition, bound)
        return holds is None or holds == wanted

    def _has(self, get: ir.Get, bound: Bound, fits: object) -> bool:
        """Return whether a stat may have a value that fits."""
        assert callable(fits)
        owner = _thing(get.of, bound, self.model.definitions)
        if owner is None and get.of.type.name != "game":
            return True
        values = self.values(get.field, owner)
        return values is None or any(fits(value) for value in values)


def _stops(body: ir.Body) -> bool:
    return any(isinstance(statement, ir.Stop) for statement in body.statements)


def _bound(target: ir.Expr, owner: Definition | None) -> Bound | None:
    """Return the slots that must hold a thing of a definition so that an effect changes it; None if it never does."""
    match target:
        case ir.Instance(kind=kind, id=id):
            return {} if owner is None or (kind, id) == (owner.kind.id, owner.id) else None
        case ir.Var(slot=slot) if owner is not None:
            return {slot: owner}
    return {}


def _outside(call: ir.Do | ir.Apply, bound: Bound) -> Bound | None:
    """Return what slots must hold at a call so that its arguments hold these things; None if they never do."""
    out: dict[int, Definition] = {}
    for slot, thing in bound.items():
        argument = call.args[slot - FIRST] if FIRST <= slot < FIRST + len(call.args) else None
        match argument:
            case ir.Instance(kind=kind, id=id) | ir.Def(kind=kind, id=id):
                if (kind, id) != (thing.kind.id, thing.id):
                    return None
            case ir.Var(slot=place):
                out[place] = thing
    return out


def _thing(of: ir.Expr, bound: Bound, definitions: Mapping[tuple[str, str], Definition]) -> Definition | None:
    """Return the definition of the thing that an expression means, if it is known."""
    if isinstance(of, ir.Instance):
        return definitions.get((of.kind, of.id))
    return bound.get(of.slot) if isinstance(of, ir.Var) else None


def _condition(column: Field, owner: Definition | None) -> ir.Expr | None:
    """Return the expression of a condition of a definition; None if it is unknown or is no single expression."""
    if owner is None:
        return None
    value = owner.values.get(column.id)
    statements = value.body.statements if value is not None and value.body is not None else ()
    last = statements[0] if len(statements) == 1 else None
    return last.value if isinstance(last, ir.Answer) else None


def _path(tree: object, target: ir.Node) -> list[ir.Node]:
    """Return the nodes from a tree down to a node in it."""
    if isinstance(tree, list | tuple):
        for part in tree:
            path = _path(part, target)
            if path:
                return path
        return []
    if not isinstance(tree, ir.Node):
        return []
    if tree is target:
        return [tree]
    if not any(node is target for node in walk(tree)):
        return []
    for child in children(tree):
        path = _path(child, target)
        if path:
            return [tree, *path]
    return []
