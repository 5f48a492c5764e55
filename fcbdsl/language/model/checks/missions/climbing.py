"""Whether players' pieces may cross terrain that blocks movement: they climb it, or content clears it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.behavior_references import SELF_AND_THIS, References, parameter
from fcbdsl.language.model.checks.missions.ground import Ground, convertible_cells
from fcbdsl.language.model.checks.missions.mission_scene import Scene
from fcbdsl.language.model.declarations import Action, Declared, Form, Terrain, Trait
from fcbdsl.language.model.ir import conjuncts, walk
from fcbdsl.language.model.ir.operators import calculate, evaluate_constant

Changeable = tuple[str, str]
"""Kind and id of a field."""

_DEEPEST = 8
_CLIMBING = "climbing"
"""The preposition of the flag by which a walk may cross terrain that blocks movement."""


def clearable_spaces(scene: Scene, ground: Ground) -> dict[str, None]:
    """Return the spaces that content or the game may turn into ground that everybody can pass.

    A form counts only if something uses it. If each use gives the space without locals, only these spaces count.
    """
    blocked = [cell for cell in ground.board.cells if ground.standable(cell) and not ground.passable(cell)]
    if not blocked or not scene.heard.turns:
        return {}
    heard = scene.heard_texts
    used = _used(heard)
    clearable: dict[str, None] = {}
    for references, call in scene.heard.turns:
        if isinstance(references.owner, Form) and references.owner not in used:
            continue
        given = _given(references, call, used, heard)
        for bound in references.bound(call) or [{}]:
            cells = convertible_cells(blocked, Terrain.passable, ground, call, {**bound, **given})
            clearable |= {cell.id: None for cell in cells}
    return clearable


def _used(heard: Iterable[References]) -> dict[Form, None]:
    """Return the forms that texts use, directly or through forms."""
    bodies = [references for references in heard if isinstance(references.owner, Form)]
    used = {form: None for references in heard if not isinstance(references.owner, Form) for form in references.forms}
    grown = True
    while grown:
        more = {
            form: None
            for references in bodies
            if references.owner in used
            for form in references.forms
            if form not in used
        }
        used |= more
        grown = bool(more)
    return used


def _given(
    owned: References, call: ir.Do, used: Mapping[Form, None], heard: Iterable[References]
) -> dict[int, list[ir.Expr]]:
    """Return the spaces that uses of a form give to the parameters which a statement of it takes, by slot.

    Parameters for which a use gives a local are left out: they may be any space.
    """
    out: dict[int, list[ir.Expr]] = {}
    for arg in call.args:
        at = parameter(owned, arg) if arg is not None else None
        if at is None:
            continue
        given = []
        for references in heard:
            if not isinstance(references.owner, Form) or references.owner in used:
                given += [use.args[at] for use in references.calls if use.form is owned.owner and at < len(use.args)]
        given_here = [expr for expr in given if expr is not None and not _is_local(expr)]
        if given_here and len(given_here) == len(given):
            out[SELF_AND_THIS + at] = given_here
    return out


def _is_local(expr: ir.Expr) -> bool:
    """Return whether an expression depends on locals, or on `self` or `this`."""
    nodes = list(walk(expr))
    own = {node.it for node in nodes if isinstance(node, ir.Select | ir.Quantified)}
    return any(isinstance(node, ir.Var) and node.slot not in own for node in nodes)


def may_climb(scene: Scene) -> bool:
    """Return whether players' pieces may climb while a mission is played.

    The condition of such a walk may hold from the start, or it reads a value that a text of this mission changes.
    """
    heard = scene.heard_texts
    return any(
        _begins(condition, 0) is not False or _changes(scene, heard, dict.fromkeys(_stats(condition, 0)))
        for condition in _conditions(scene, heard)
    )


def _conditions(scene: Scene, heard: Iterable[References]) -> Iterator[ir.Expr]:
    """Yield the conditions on which walks of players' pieces climb."""
    related = scene.context.vocabulary.related
    for references in heard:
        if any(_climb_at(form) is not None for form in references.forms):
            for node in walk(references.root):
                if isinstance(node, ir.Apply | ir.Do):
                    at = _climb_at(node.form)
                    arg = node.args[at] if at is not None else None
                    movers = [arg.type for arg in node.args if arg is not None and _is_piece(arg.type)]
                    if arg is not None and any(
                        related(type.name, actor) for type in movers for actor in scene.all.actors
                    ):
                        yield arg


def _is_piece(type: ir.Type) -> bool:
    return type.base == "thing" and not type.many and type != ir.SPACE


def _climb_at(form: Form) -> int | None:
    """Return the number of the parameter that makes a walk climb; None if there is none."""
    if form.op is None:
        return None
    places = [at for at, param in enumerate(form.params) if param.preposition == _CLIMBING and param.type == ir.FLAG]
    return places[0] if places else None


# ── the value of a condition ───────────────────────────────────────────────────────────────────


def _begins(expr: ir.Expr, depth: int) -> bool | None:
    """Return whether a condition holds at the start of the game; None if unknown."""
    match expr:
        case ir.Not(operand=operand):
            inner = _begins(operand, depth)
            return None if inner is None else not inner
        case ir.Binary(op="and" | "or" as op, left=left, right=right):
            both = (_begins(left, depth), _begins(right, depth))
            settles = op == "or"
            return settles if settles in both else None if None in both else not settles
        case ir.Binary(op=op, left=left, right=right):
            a, b = _starting(left), _starting(right)
            result = calculate(op, a, b) if a is not None and b is not None else None
            return None if result is None else bool(result)
        case ir.Apply(form=form) if depth < _DEEPEST:
            meant = _answer(form)
            return _begins(meant, depth + 1) if meant is not None else None
    value = _starting(expr)
    return None if value is None else bool(value)


def _starting(expr: ir.Expr) -> int | None:
    """Return the value of a constant, or the start value of a stat; None if unknown."""
    if isinstance(expr, ir.Get) and expr.field.sort == "stat" and expr.field.kind == "game" and expr.field.default:
        return evaluate_constant(expr.field.default)
    return evaluate_constant(expr)


def _answer(form: Form) -> ir.Expr | None:
    """Return the condition of a relation that consists of one answer; None for others."""
    only = form.body.statements if form.body is not None else ()
    return only[0].value if len(only) == 1 and isinstance(only[0], ir.Answer) else None


def _stats(expr: ir.Expr, depth: int) -> Iterator[Changeable]:
    """Yield the changeable values that a condition reads, also through relations."""
    for node in walk(expr):
        if isinstance(node, ir.Get):
            yield node.field.kind, node.field.id
        elif isinstance(node, ir.Apply) and depth < _DEEPEST:
            meant = _answer(node.form)
            if meant is not None:
                yield from _stats(meant, depth + 1)


# ── texts that change it ───────────────────────────────────────────────────────────────────────


def _changes(scene: Scene, heard: Iterable[References], read: Mapping[Changeable, None]) -> bool:
    """Return whether any active text changes a value in `read`, directly or through forms."""
    changing = {
        references.owner: None
        for references in scene.all.references
        if isinstance(references.owner, Form) and _assigns(references, read)
    }
    grown = True
    while grown:
        users = [
            references.owner
            for references in scene.all.references
            if isinstance(references.owner, Form) and _uses(references, changing)
        ]
        more = [form for form in users if form not in changing]
        changing.update(dict.fromkeys(more))
        grown = bool(more)
    texts = [
        references
        for references in heard
        if not isinstance(references.owner, Form) and not _lacks_mark(scene, references.owner)
    ]
    return any(_uses(text, changing) or _assigns(text, read) for text in texts)


def _lacks_mark(scene: Scene, owner: Declared | None) -> bool:
    """Return whether a text belongs to an action that needs a mark which is not on the map."""
    board = scene.mission.board
    if board is None or not isinstance(owner, Action) or owner.needs is None:
        return False
    for part in conjuncts(owner.needs):
        if isinstance(part, ir.Apply) and Trait.ASKS_MARK in part.form.traits:
            mark = part.args[1]
            if isinstance(mark, ir.Const) and not any(mark.label in cell.marks for cell in board.cells):
                return True
    return False


def _uses(references: References, forms: Mapping[Form, None]) -> bool:
    return any(form in forms for form in references.forms)


def _assigns(references: References, read: Mapping[Changeable, None]) -> bool:
    """Return whether a text itself assigns or modifies a value in `read`."""
    nodes = list(walk(references.root))
    fields = [node.target.field for node in nodes if isinstance(node, ir.Assign)]
    fields += [node.field for node in nodes if isinstance(node, ir.Modifier)]
    return any((field.kind, field.id) in read for field in fields)
