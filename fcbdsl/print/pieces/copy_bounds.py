"""Bounds of the copies of a figure that a mission can use.

A bound is known for figures that come only from the map. The analysis follows every expression that takes a copy out of
the box back to its possible values, through locals, loops, choices and calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.counts import begun_with, number_of_copies
from fcbdsl.language.model.content import Definition, Test
from fcbdsl.language.model.declarations import Form, Trait
from fcbdsl.language.model.roots import behavior_owners, behaviour, of_game
from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces.sets import BRACKETS, needed_for
from fcbdsl.print.pieces.tree_walk import nodes_below

ANYTHING = "thing"
"""The kind of all things."""
SELF_AND_THIS = 2
"""The number of locals of a form before its parameters."""
Taken = tuple[str, str]
"""The things that can be taken: all of a kind, or (if the second is not empty) one definition of it."""


def placed_alone(mission: Definition, model: Model) -> dict[tuple[str, str], int]:
    """Return the most copies of definitions that a mission can use, by kind and id, as far as this is known.

    It is known for definitions that come only from its map, if no code takes another copy out of the box.
    """
    placed: dict[str, int] = {}
    for cell in mission.board.cells if mission.board is not None else ():
        for id in cell.places:
            placed[id] = placed.get(id, 0) + 1
    taken = _Box(mission, model).taken()
    begun = begun_with(model)
    return {
        (definition.kind.id, definition.id): min(number_of_copies(definition), placed[definition.id])
        for definition in model.definitions.values()
        if definition.id in placed
        and not definition.kind.seated
        and not begun[definition.kind.id, definition.id]
        and not any((kind.id, id) in taken for kind in definition.kind.lineage() for id in ("", definition.id))
        and (ANYTHING, "") not in taken
    }


class _Box:
    """The box of a game, and all that can be taken out of it during a mission."""

    def __init__(self, mission: Definition, model: Model) -> None:
        self.bodies: list[tuple[Form | None, object]] = []
        self.calls: list[tuple[Form | None, object, ir.Do | ir.Apply]] = []
        needed = needed_for(mission, model)
        others = [
            definition
            for definition in model.definitions.values()
            if definition is not mission and definition.kind.id in BRACKETS
        ]
        for owner in behavior_owners(model):
            if isinstance(owner, Test) or (
                isinstance(owner, Definition) and not any(owner is definition for definition in needed)
            ):
                continue
            span = getattr(owner, "span", None)
            if span is not None and any(span.beside(other.span) for other in others) and not span.beside(mission.span):
                continue
            form = owner if isinstance(owner, Form) else None
            for root in behaviour(owner) if owner is not None else of_game(model):
                self.bodies.append((form, tuple(root) if isinstance(root, list) else root))
        for form, root in self.bodies:
            calls = [node for node in nodes_below(root) if isinstance(node, ir.Do | ir.Apply)]
            self.calls += [(form, root, node) for node in calls]
        self.asked: list[tuple[int, int]] = []

    def taken(self) -> set[Taken]:
        """Return the definitions of which code takes a copy out of the box, and those of which a text names a copy."""
        taken = {
            (node.kind, node.id)
            for _, root in self.bodies
            for node in nodes_below(root)
            if isinstance(node, ir.Instance)
        }
        for form, root, call in self.calls:
            if Trait.SPARES in call.form.traits:
                taken |= set(self.values(call.args[0], form, root))
        return taken

    def values(self, expr: ir.Expr | None, form: Form | None, root: object) -> Iterator[Taken]:
        """Yield the possible definitions of an expression in a body of a form (or of none)."""
        match expr:
            case None:
                return
            case ir.Def(kind=kind, id=id):
                yield kind, id
            case ir.ListOf(items=items):
                for item in items:
                    yield from self.values(item, form, root)
            case ir.Select(source=source) if source is not None:
                yield from self.values(source, form, root)
            case ir.Var(slot=slot):
                values = list(self.local(slot, form, root))
                of_kind = (expr.type.name or ANYTHING, "")
                yield from values if (ANYTHING, "") not in values else [of_kind]
            case _ if expr.type.base == "definition":
                yield expr.type.name or ANYTHING, ""

    def local(self, slot: int, form: Form | None, root: object) -> Iterator[Taken]:
        """Yield the possible definitions of a local: of its assigned values, or of the arguments for a parameter."""
        if (id(root), slot) in self.asked:
            return
        self.asked.append((id(root), slot))
        given = [value for node in nodes_below(root) for local, value in _given(node) if local == slot]
        for value in given:
            yield from self.values(value, form, root) if value is not None else [(ANYTHING, "")]
        at = slot - SELF_AND_THIS
        if form is not None and 0 <= at < len(form.params):
            yield from self.values(form.params[at].default, None, None)
            for user, where, call in self.calls:
                if call.form is form:
                    yield from self.values(call.args[at], user, where)
        elif not given:
            yield ANYTHING, ""
        self.asked.pop()


def _given(node: object) -> Iterator[tuple[int, ir.Expr | None]]:
    """Yield the locals that a node assigns, each with its value, a list that contains it, or None: unknown."""
    match node:
        case ir.Let(var=var, value=value) | ir.ForEach(var=var, items=value) | ir.Choose(var=var, options=value):
            yield var.slot, value
        case ir.Select(it=it, source=source):
            yield it, node if source is None else source
        case ir.Listener(binds=binds):
            yield from ((bind.slot, None) for bind in binds)
