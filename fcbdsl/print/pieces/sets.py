"""The pieces for one mission: everything that can come into play, and nothing more.

They are derived from the model, by the rules in `docs/print-table.md`. Undecidable cases are included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Form, Trait
from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces.tree_walk import nodes_below

BRACKETS = ("mission", "campaign")
"""Kinds for choosing a mission or for its surroundings: naming one of these does not bring it to the table."""


class Walked:
    """The nodes of bodies that name something, found once for all missions that share the bodies."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[object, list[_Naming]]] = {}
        """The body and its nodes, by the identity of the body; the body is kept so that no other one gets it."""

    def below(self, body: object) -> list[_Naming]:
        """Return the nodes below a body that name definitions or forms, or select."""
        if id(body) not in self._found:
            self._found[id(body)] = body, [node for node in nodes_below(body) if isinstance(node, _Naming)]
        return self._found[id(body)][1]


_Naming = ir.Def | ir.Instance | ir.Do | ir.Apply | ir.Select


def needed_for(mission: Definition, model: Model, walked: Walked | None = None) -> list[Definition]:
    """Return the definitions that can come into play in a mission, in order of declaration.

    Calls for several missions of a model may share `walked`."""
    walked = walked or Walked()
    for_it: dict[int, list[Definition]] = {}
    called: dict[str, list[Definition]] = {}
    of_kind: dict[str, list[Definition]] = {}  # those that are for nothing else
    for definition in model.definitions.values():
        called.setdefault(definition.id, []).append(definition)
        if definition.target is not None:
            for_it.setdefault(id(definition.target), []).append(definition)
        else:
            for kind in definition.kind.lineage():
                of_kind.setdefault(kind.id, []).append(definition)
    met: set[int] = set()
    whole: set[str] = set()
    needed: dict[tuple[str, str], Definition] = {}
    todo = [mission]

    def take_what(bodies: Sequence[object]) -> None:
        """Add the definitions that these name, and all of the kinds from which they take any."""
        todo.extend(_named(bodies, model, walked))
        for kind in sorted(_selected(bodies, walked) - whole):
            whole.add(kind)
            todo.extend(of_kind.get(kind, ()))

    take_what(_followed(_roots(model), met, walked))
    while todo:
        definition = todo.pop()
        key = (definition.kind.id, definition.id)
        if key in needed or (definition is not mission and _lineage(definition) & {*BRACKETS}):
            continue
        if definition.target is not None and _is_for_another(definition.target, mission):
            continue
        needed[key] = definition
        take_what(_followed([definition, *definition.parts], met, walked))
        todo += for_it.get(id(definition), ())
        if definition.board is not None:
            placed = [id for cell in definition.board.cells for id in cell.places]
            todo += [other for id in (*placed, *definition.board.regions) for other in called.get(id, ())]
    actions = [a for a in model.actions.values() if a.span.beside(mission.span)]
    for other in _named([action.body for action in actions], model, walked):
        needed.setdefault((other.kind.id, other.id), other)
    return [definition for key, definition in model.definitions.items() if key in needed]


def _lineage(definition: Definition) -> set[str]:
    return {kind.id for kind in definition.kind.lineage()}


def _is_for_another(target: Definition, mission: Definition) -> bool:
    """Return whether something is for a mission or a campaign, but not for this one."""
    return target is not mission and bool(_lineage(target) & {*BRACKETS})


def _named(bodies: Sequence[object], model: Model, walked: Walked) -> list[Definition]:
    """Return the definitions that texts name."""
    named = [node for body in bodies for node in walked.below(body) if isinstance(node, ir.Def | ir.Instance)]
    return [
        model.definitions[mention.kind, mention.id]
        for mention in named
        if (mention.kind, mention.id) in model.definitions
    ]


def _roots(model: Model) -> list[object]:
    """Return the code of every mission: setup, flow, actions and rules of the system."""
    actions = [action.body for action in model.actions.values() if action.system]
    rules = [part for rule in model.rules.values() for part in (*rule.listeners, *rule.modifiers)]
    return [*model.setup, *([model.flow] if model.flow is not None else []), *actions, *rules]


def _followed(roots: Sequence[object], met: set[int], walked: Walked) -> list[object]:
    """Return `roots` and the bodies of all forms that they reach. Skip forms in `met` (their identities) and add the
    others to it."""
    bodies = list(roots)
    for body in bodies:
        for form in _forms(body, walked):
            if form.body is not None and id(form) not in met:
                met.add(id(form))
                bodies.append(form.body)
    return bodies


def _forms(body: object, walked: Walked) -> Iterator[Form]:
    for node in walked.below(body):
        if isinstance(node, ir.Do | ir.Apply):
            yield node.form


def _selected(bodies: Sequence[object], walked: Walked, but: Set[int] = frozenset()) -> set[str]:
    """Return the kinds from which definitions are taken without being named: decks that are filled with all of a kind,
    figures that players choose from. `but`: selections to leave out, by their identity."""
    selections = [node for body in bodies for node in walked.below(body) if isinstance(node, ir.Select)]
    taken = [selection for selection in selections if selection.source is None and id(selection) not in but]
    return {select.type.name for select in taken if select.type.base == "definition"} - {*BRACKETS}


def changed_grounds(mission: Definition, model: Model, walked: Walked | None = None) -> list[str]:
    """Return the grounds that spaces become during a mission, in order of declaration.

    `walked`: see `needed_for`."""
    walked = walked or Walked()
    own = [action.body for action in model.actions.values() if action.span.beside(mission.span)]
    needed = [part for definition in needed_for(mission, model, walked) for part in (definition, *definition.parts)]
    bodies = _followed([*_roots(model), *own, *needed], set(), walked)
    numbers: set[int] = set()
    calls = [node for body in bodies for node in walked.below(body) if isinstance(node, ir.Do)]
    turning = [form for form in model.forms if Trait.SETS_TERRAIN in form.traits]
    for form in turning:
        for call in calls:
            for arg in call.args if call.form is form else ():
                if isinstance(arg, ir.Const) and arg.type.base == "terrain":
                    numbers.add(arg.value)
                elif isinstance(arg, ir.Var) and arg.type.base == "terrain":
                    passing = [form for form in model.forms if any(node is call for node in nodes_below(form.body))]
                    turning += [form for form in passing if not any(form is turned for turned in turning)]
    return [id for at, id in enumerate(model.terrains) if at in numbers]


def marked_changes(mission: Definition, model: Model) -> dict[str, int]:
    """Return the grounds that only marked spaces of a mission become, with the number of spaces that have these marks.

    A ground is left out if something turns spaces without a named mark into it, because their number is unknown.
    """
    own = [action.body for action in model.actions.values() if action.span.beside(mission.span)]
    walked = Walked()
    needed = [part for definition in needed_for(mission, model, walked) for part in (definition, *definition.parts)]
    bodies = _followed([*_roots(model), *own, *needed], set(), walked)
    turning = [form for form in model.forms if Trait.SETS_TERRAIN in form.traits]
    grounds, marks = list(model.terrains), list(model.marks)
    counts: dict[str, int] = {}
    for ground in changed_grounds(mission, model, walked):
        makers = [form for form in model.forms if form.body is not None and _turns(form.body, turning, grounds, ground)]
        changed_marks: set[str] = set()
        certain = True
        for body in bodies:
            here = [
                node
                for node in nodes_below(body)
                if isinstance(node, ir.Do)
                and (node.form in makers or (node.form in turning and _names(node, grounds, ground)))
            ]
            inside = any(body is form.body for form in makers)
            for call in here:
                named = _marks_in(call.args, marks) or _marks_in(call.form.body, marks) or _marks_in(body, marks)
                changed_marks |= named
                certain = certain and (bool(named) or inside)
        cells = mission.board.cells if mission.board is not None else ()
        count = sum(1 for cell in cells if changed_marks & {*cell.marks})
        if certain and count:
            counts[ground] = count
    return counts


def _turns(body: object, turning: Sequence[Form], grounds: Sequence[str], ground: str) -> bool:
    """Return whether a body turns spaces into a given ground."""
    return any(
        isinstance(node, ir.Do) and node.form in turning and _names(node, grounds, ground) for node in nodes_below(body)
    )


def _names(call: ir.Do, grounds: Sequence[str], ground: str) -> bool:
    return any(
        isinstance(arg, ir.Const) and arg.type.base == "terrain" and grounds[arg.value] == ground for arg in call.args
    )


def _marks_in(tree: object, marks: Sequence[str]) -> set[str]:
    """Return the marks that a tree names."""
    return {marks[node.value] for node in nodes_below(tree) if isinstance(node, ir.Const) and node.type.base == "mark"}


def taken_unseen(model: Model) -> set[str]:
    """Return the kinds from which players draw or are dealt definitions unseen.

    Kinds that are only counted, or chosen from openly, are left out.
    """
    walked = Walked()
    bodies = _followed(_roots(model), set(), walked)
    seen: set[int] = set()
    for node in (node for body in bodies for node in nodes_below(body)):
        if isinstance(node, ir.Choose) and not node.chance:
            seen.add(id(node.options))
        elif isinstance(node, ir.Quantified):
            seen.add(id(node.select))
    return _selected(bodies, walked, seen)
