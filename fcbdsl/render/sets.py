"""What a table needs to play one mission: everything that can come into play, and nothing more.

It is worked out from the model, by rules that are told in `docs/printing.md`; what can't be decided is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from fcbdsl.model import ir
from fcbdsl.model.content import Definition
from fcbdsl.model.declarations import Form, Trait
from fcbdsl.model.whole import Model
from fcbdsl.render.cards import nodes

BRACKETS = ("mission", "campaign")
"""Kinds of what a mission is chosen by, or stands beside: naming one does not bring it to the table."""


def needed_for(mission: Definition, model: Model) -> list[Definition]:
    """The definitions that can come into play in a mission, in order of declaration."""
    met: list[Form] = []
    bodies = _followed(_roots(model), met)
    todo = [mission, *_named(tuple(bodies), model), *_whole(_selected(bodies), model)]
    found: dict[tuple[str, str], Definition] = {}
    while todo:
        one = todo.pop()
        key = (one.kind.id, one.id)
        if key in found or (_lineage(one) & {*BRACKETS} and one is not mission):
            continue
        if one.target is not None and _is_for_another(one.target, mission):
            continue
        found[key] = one
        bodies = _followed([one, *one.parts], met)
        todo += [*_named(tuple(bodies), model), *_whole(_selected(bodies), model)]
        todo += [other for other in model.definitions.values() if other.target is one]
        for cell in one.board.cells if one.board is not None else ():
            todo += [other for other in model.definitions.values() if other.id in cell.places]
        regions = one.board.regions if one.board is not None else {}
        todo += [other for other in model.definitions.values() if other.id in regions]
    actions = [a for a in model.actions.values() if a.span.beside(mission.span)]
    for other in _named(tuple(action.body for action in actions), model):
        found.setdefault((other.kind.id, other.id), other)
    return [one for key, one in model.definitions.items() if key in found]


def _lineage(one: Definition) -> set[str]:
    return {kind.id for kind in one.kind.lineage()}


def _is_for_another(target: Definition, mission: Definition) -> bool:
    """Whether something is for a mission or a campaign, but not for this one."""
    return target is not mission and bool(_lineage(target) & {*BRACKETS})


def _named(tree: object, model: Model) -> list[Definition]:
    """The definitions that texts name."""
    named = [node for node in nodes(tree) if isinstance(node, ir.Def | ir.Instance)]
    return [model.definitions[one.kind, one.id] for one in named if (one.kind, one.id) in model.definitions]


def _whole(kinds: set[str], model: Model) -> list[Definition]:
    """All definitions of these kinds that are for nothing else."""
    return [one for one in model.definitions.values() if one.target is None and _lineage(one) & kinds]


def _roots(model: Model) -> list[object]:
    """What a mission is played by, whatever it is: set-up, flow, actions and rules of the system."""
    actions = [action.body for action in model.actions.values() if action.system]
    rules = [part for rule in model.rules.values() for part in (*rule.listeners, *rule.modifiers)]
    return [*model.setup, *([model.flow] if model.flow is not None else []), *actions, *rules]


def _followed(roots: Sequence[object], met: list[Form]) -> list[object]:
    """These trees, and the bodies of all forms that they come to and that were not met before."""
    bodies = list(roots)
    for body in bodies:
        for form in _forms(body):
            if form.body is not None and not any(form is one for one in met):
                met.append(form)
                bodies.append(form.body)
    return bodies


def _forms(tree: object) -> Iterator[Form]:
    for node in nodes(tree):
        if isinstance(node, ir.Do | ir.Apply):
            yield node.form


def _selected(bodies: Sequence[object], but: Set[int] = frozenset()) -> set[str]:
    """The kinds of which definitions are taken without being named: decks that are filled with all of a kind, figures
    that players choose from. `but`: not counting these selections, by their identity."""
    selections = [node for body in bodies for node in nodes(body) if isinstance(node, ir.Select)]
    taken = [one for one in selections if one.source is None and id(one) not in but]
    return {one.type.name for one in taken if one.type.base == "definition"} - {*BRACKETS}


def changed_grounds(missions: Sequence[Definition], model: Model) -> list[str]:
    """The grounds that spaces become while one of these missions is played, in order of declaration."""
    needed = {id(one): one for mission in missions for one in needed_for(mission, model)}
    own = [a.body for a in model.actions.values() if any(a.span.beside(mission.span) for mission in missions)]
    bodies = _followed([*_roots(model), *own, *(part for one in needed.values() for part in (one, *one.parts))], [])
    made: set[int] = set()
    calls = [node for body in bodies for node in nodes(body) if isinstance(node, ir.Do)]
    turning = [form for form in model.forms if Trait.SETS_TERRAIN in form.traits]
    for form in turning:
        for call in calls:
            for arg in call.args if call.form is form else ():
                if isinstance(arg, ir.Const) and arg.type.base == "terrain":
                    made.add(arg.value)
                elif isinstance(arg, ir.Var) and arg.type.base == "terrain":
                    passing = [one for one in model.forms if any(node is call for node in nodes(one.body))]
                    turning += [one for one in passing if not any(one is known for known in turning)]
    return [id for at, id in enumerate(model.terrains) if at in made]


def taken_unseen(model: Model) -> set[str]:
    """The kinds of which the system takes definitions without naming them, and somebody draws them or is dealt them:
    not those that are only ever counted, or chosen from, which all may see."""
    bodies = _followed(_roots(model), [])
    seen: set[int] = set()
    for node in (node for body in bodies for node in nodes(body)):
        if isinstance(node, ir.Choose) and not node.chance:
            seen.add(id(node.options))
        elif isinstance(node, ir.Quantified):
            seen.add(id(node.select))
    return _selected(bodies, seen)
