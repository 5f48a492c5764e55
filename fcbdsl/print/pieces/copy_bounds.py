"""How many copies of a figure a mission can bring, where that can be told.

It can be told of those that come by the map alone: all places are looked at where something takes a copy out of the
box, and what is taken there is followed back to what it can be, through locals, loops, choices and calls."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.counts import begun_with, copies
from fcbdsl.language.model.content import Definition, Test
from fcbdsl.language.model.declarations import Form, Trait
from fcbdsl.language.model.roots import behaviour, of_game, owners
from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces.cards import nodes
from fcbdsl.print.pieces.sets import BRACKETS, needed_for

ANYTHING = "thing"
"""The kind of which everything is."""
SELF_AND_THIS = 2
"""How many locals of a form come before its parameters."""
Taken = tuple[str, str]
"""What can be taken: all of a kind, or (if the second is not empty) one definition of it."""


def placed_alone(mission: Definition, model: Model) -> dict[tuple[str, str], int]:
    """How many of a definition a mission can bring at most, by kind and id, for those of which that is known: they come
    by its map alone, as nothing that can happen takes another copy out of the box. Of all others nothing is said."""
    placed: dict[str, int] = {}
    for cell in mission.board.cells if mission.board is not None else ():
        for id in cell.places:
            placed[id] = placed.get(id, 0) + 1
    taken = _Box(mission, model).taken()
    begun = begun_with(model)
    return {
        (one.kind.id, one.id): min(copies(one), placed[one.id])
        for one in model.definitions.values()
        if one.id in placed
        and not one.kind.seated
        and not begun[one.kind.id, one.id]
        and not any((kind.id, id) in taken for kind in one.kind.lineage() for id in ("", one.id))
        and (ANYTHING, "") not in taken
    }


class _Box:
    """The box of a game, and all that can be taken out of it while a mission is played."""

    def __init__(self, mission: Definition, model: Model) -> None:
        self.bodies: list[tuple[Form | None, object]] = []
        self.calls: list[tuple[Form | None, object, ir.Do | ir.Apply]] = []
        needed = needed_for(mission, model)
        others = [one for one in model.definitions.values() if one is not mission and one.kind.id in BRACKETS]
        for owner in owners(model):
            if isinstance(owner, Test) or (isinstance(owner, Definition) and not any(owner is one for one in needed)):
                continue
            span = getattr(owner, "span", None)
            if span is not None and any(span.beside(other.span) for other in others) and not span.beside(mission.span):
                continue
            form = owner if isinstance(owner, Form) else None
            for root in behaviour(owner) if owner is not None else of_game(model):
                self.bodies.append((form, tuple(root) if isinstance(root, list) else root))
        for form, root in self.bodies:
            found = [node for node in nodes(root) if isinstance(node, ir.Do | ir.Apply)]
            self.calls += [(form, root, node) for node in found]
        self.asked: list[tuple[int, int]] = []

    def taken(self) -> set[Taken]:
        """What something takes a copy of out of the box, and the definitions of which a text names a copy."""
        found = {
            (node.kind, node.id) for _, root in self.bodies for node in nodes(root) if isinstance(node, ir.Instance)
        }
        for form, root, call in self.calls:
            if Trait.SPARES in call.form.traits:
                found |= set(self.values(call.args[0], form, root))
        return found

    def values(self, expr: ir.Expr | None, form: Form | None, root: object) -> Iterator[Taken]:
        """What definitions an expression can be, that stands in a body of a form (or of none)."""
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
                found = list(self.local(slot, form, root))
                known = (expr.type.name or ANYTHING, "")
                yield from found if (ANYTHING, "") not in found else [known]
            case _ if expr.type.base == "definition":
                yield expr.type.name or ANYTHING, ""

    def local(self, slot: int, form: Form | None, root: object) -> Iterator[Taken]:
        """What definitions a local can be: all that it is given, or that is given for a parameter."""
        if (id(root), slot) in self.asked:
            return
        self.asked.append((id(root), slot))
        given = [value for node in nodes(root) for local, value in _given(node) if local == slot]
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
    """The locals that a node gives a value, and what: its value, the list of which it is one, or None: who knows."""
    match node:
        case ir.Let(var=var, value=value) | ir.ForEach(var=var, items=value) | ir.Choose(var=var, options=value):
            yield var.slot, value
        case ir.Select(it=it, source=source):
            yield it, node if source is None else source
        case ir.Listener(binds=binds):
            yield from ((bind.slot, None) for bind in binds)
