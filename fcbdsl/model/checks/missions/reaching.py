"""Objectives and goals that walls cut off from where players' pieces enter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fcbdsl.diagnostics.missions import CutOffGoal, ObjectiveCutOff
from fcbdsl.model import ir
from fcbdsl.model.checks.missions.asked import Shown, pieces_asked, pieces_shown
from fcbdsl.model.checks.missions.ground import Ground
from fcbdsl.model.checks.missions.opening import open_up
from fcbdsl.model.checks.missions.room import check_room
from fcbdsl.model.checks.missions.said import Bound
from fcbdsl.model.checks.missions.scene import Scene, opens
from fcbdsl.model.checks.missions.spaces import Spaces, spaces_named
from fcbdsl.model.declarations import Trait
from fcbdsl.model.whole import Model
from fcbdsl.source import Span

_HOLDS = {">": lambda n: n < 0, ">=": lambda n: n <= 0, "=": lambda n: n == 0}
"""Whether a count of nothing passes a comparison with a number."""


@dataclass(slots=True)
class Reach:
    """Where players' pieces can get (`reached`), and what may come into their sight (`seen`).

    `actors`: kinds of pieces that take actions; `shown`: the pieces of the map."""

    model: Model
    ground: Ground
    actors: dict[str, None]
    reached: dict[str, None]
    seen: dict[str, None]
    shown: Shown


def check_reach(scene: Scene, ground: Ground) -> None:
    """Report an objective that asks for spaces nobody can get to, and other goals that nobody can get to."""
    model = scene.context.model
    actors = _actors(model)
    starts = [cell.id for cell in ground.board.cells if any(model.marks[mark].entry for mark in cell.marks)]
    if not starts:
        return
    starts += [cell.id for cell in ground.board.cells if _places_actor(scene, cell.places, actors)]
    starts += _opened(scene, ground, actors)
    moved = _set_elsewhere(scene)
    related = scene.context.vocabulary.related
    shown = pieces_shown(ground, scene.context.vocabulary.by_id)
    shown = [row for row in shown if not any(related(kind, row[1].kind.id) for kind in moved)]
    reach = Reach(model, ground, actors, ground.reach(starts), ground.reach(starts, sight=True), shown)
    told = list(_objectives(scene, reach))
    for cell in ground.board.cells:
        goals = [mark for mark in cell.marks if model.marks[mark].goal]
        goals += [token for token in cell.tokens if model.kinds["space"].fields[token].goal]
        if goals and cell.id not in reach.reached and cell.id not in told:
            scene.context.report(CutOffGoal(cell.span or ground.board.span, name=goals[0], space=cell.id))


def _actors(model: Model) -> dict[str, None]:
    """Kinds of which players move pieces: the narrowest that take actions; wider ones act only where they are lent."""
    by = {action.by.type.name: None for action in model.actions.values() if action.by is not None}
    wider = {above.id: None for name in by if name in model.kinds for above in model.kinds[name].lineage()[1:]}
    own = [name for name in by if name not in wider]
    return {kind.id: None for kind in model.kinds.values() if any(above.id in own for above in kind.lineage())}


def _places_actor(scene: Scene, places: list[str], actors: dict[str, None]) -> bool:
    by_id = scene.context.vocabulary.by_id
    return any(one.kind.id in actors for id in places for one in by_id.get(id, ()))


# ── what texts may open, and whom they may put elsewhere ──────────────────────────────────────


def _opened(scene: Scene, ground: Ground, actors: dict[str, None]) -> list[str]:
    """Note what content may open on this map, and return the spaces where it may put players' pieces.

    The system's own texts keep to what `never opens`; content may do with literally named spaces what it likes."""
    heard = {id(said): None for said in scene.heard}
    starts: list[str] = []
    for said, call, bound in scene.all.moving:
        if id(said) in heard:
            if opens(call.form):
                open_up(ground, call, bound)
            else:
                starts += _put(scene, ground, call, bound, actors)
    return starts


def _set_elsewhere(scene: Scene) -> dict[str, None]:
    """Kinds of pieces that the mission's own texts set elsewhere: they need not stay where the map shows them."""
    own = {id(said): None for said in scene.own}
    calls = [call for said, call, _ in scene.all.moving if id(said) in own and not opens(call.form)]
    calls = [call for call in calls if any(arg is not None and arg.type == ir.SPACE for arg in call.args)]
    args = [arg for call in calls for arg in call.args if arg is not None and arg.type.base == "thing"]
    return {arg.type.name: None for arg in args if arg.type.name != "space"}


def _put(scene: Scene, ground: Ground, call: ir.Do, bound: Bound, actors: dict[str, None]) -> list[str]:
    """Where a statement may put a piece of the players: a single space that it is given (a list of them are goals
    that the piece walks to, or near which it is set down)."""
    given = [arg for arg in call.args if arg is not None]
    pieces = [arg.type.name for arg in given if arg.type.base in {"thing", "definition"} and arg.type.name != "space"]
    related = scene.context.vocabulary.related
    if pieces and not any(related(name, actor) for name in pieces for actor in actors):
        return []
    out: list[str] = []
    for param, arg in zip(call.form.params, call.args, strict=False):
        if arg is not None and param.type == ir.SPACE:
            found = spaces_named(arg, ground.board, bound)
            if found is not None:
                out += found.ids
            elif call.form.op is not None:
                ground.all_open = True
    return out


# ── objectives ─────────────────────────────────────────────────────────────────────────────────


def _objectives(scene: Scene, reach: Reach) -> Iterator[str]:
    """Report attainable fields that can't be attained; yields the spaces that were reported."""
    theirs = [one for one in scene.context.model.definitions.values() if one.target is scene.mission]
    for owner in (scene.mission, *scene.named, *theirs):
        for column in (column for kind in owner.kind.lineage() for column in kind.fields.values()):
            value = owner.values.get(column.id)
            if column.attainable and value is not None and value.body is not None and value.span is not None:
                last = value.body.statements[-1:]
                asked = last[0].value if last and isinstance(last[0], ir.Answer) else None
                if asked is not None:
                    check_room(scene, asked, value.span, reach.actors, reach.reached)
                lacking = (_impossible(asked, reach) or _walled_in(asked, reach)) if asked is not None else None
                if lacking is not None:
                    spaces, span = lacking
                    here = span if span.beside(value.span) else value.span
                    scene.context.report(ObjectiveCutOff(here, field=column.id, name=spaces.label))
                    yield from spaces.ids


Lacking = tuple[Spaces, Span] | None
"""Spaces that a condition needs somebody to be on though nobody gets there, and where it says so."""


def _impossible(expr: ir.Expr, reach: Reach) -> Lacking:
    """Why a condition can never hold; None if it may hold for all that is known here."""
    match expr:
        case ir.Binary(op="and", left=left, right=right):
            return _impossible(left, reach) or _impossible(right, reach)
        case ir.Binary(op="or", left=left, right=right):
            first = _impossible(left, reach)
            return first if first is not None and _impossible(right, reach) is not None else None
        case ir.Binary(op=op, left=ir.Quantified(quantifier="number") as counted, right=ir.Const(value=value)):
            none = _empty(counted.select, reach)
            return none if none is not None and op in _HOLDS and not _HOLDS[op](value) else None
        case ir.Binary(op="=", left=left, right=right):
            return _stands(left, right, reach) or _stands(right, left, reach)
        case ir.Quantified(quantifier="any", select=select, test=test):
            return _empty(select, reach) or (_impossible(test, reach) if test is not None else None)
        case ir.Quantified(quantifier="every", select=select, test=test) if select.type.name in reach.actors:
            return _impossible(test, reach) if test is not None else None
        case ir.Apply():
            return _relation(expr, reach)
    return None


def _walled_in(asked: ir.Expr, reach: Reach) -> Lacking:
    """A piece of the map that a condition asks for, where nobody gets and nobody looks."""
    for space, piece, expr in pieces_asked(asked, reach.shown):
        if space not in reach.seen:
            return Spaces((space,), True, piece.id), expr.span
    return None


def _empty(select: ir.Expr, reach: Reach) -> Lacking:
    """Why a selection never holds anything."""
    if not isinstance(select, ir.Select):
        return None
    within = _empty(select.source, reach) if select.source is not None else None
    return within or (_impossible(select.where, reach) if select.where is not None else None)


def _relation(expr: ir.Apply, reach: Reach) -> Lacking:
    """Standing on spaces, or on spaces of a mark; or a relation that says so in its own words."""
    traits = expr.form.traits
    if Trait.ASKS_PLACE in traits and len(expr.args) == 2 and expr.args[0] is not None and expr.args[1] is not None:
        return _stands(expr.args[0], expr.args[1], reach)
    if Trait.ASKS_MARK in traits and isinstance(expr.args[0], ir.Get) and isinstance(expr.args[1], ir.Const):
        label = expr.args[1].label
        marked = tuple(cell.id for cell in reach.ground.board.cells if label in cell.marks)
        return _lacking(expr.args[0], Spaces(marked, True, label), expr.span, reach)
    body = expr.form.body
    if body is not None and len(body.statements) == 1 and isinstance(body.statements[0], ir.Answer):
        found = _impossible(body.statements[0].value, reach)
        return (found[0], expr.span) if found is not None else None
    return None


def _stands(who: ir.Expr, where: ir.Expr, reach: Reach) -> Lacking:
    spaces = spaces_named(where, reach.ground.board, {})
    return _lacking(who, spaces, where.span, reach) if spaces is not None else None


def _lacking(who: ir.Expr, spaces: Spaces, span: Span, reach: Reach) -> Lacking:
    """Nothing if some player's piece may come to one of the spaces; a mark that the map lacks is another matter."""
    if isinstance(who, ir.Get) and who.field.id == "place":
        who = who.of
    if who.type.base != "thing" or who.type.name not in reach.actors or not spaces.ids:
        return None
    return None if any(id in reach.reached for id in spaces.ids) else (spaces, span)
