"""Missions that need more than exists: instances of a definition, or cards of a deck that tracks draw from."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.missions import DeckTooSmall, TooManyCopies
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.behavior_references import SELF_AND_THIS
from fcbdsl.language.model.checks.missions.ground import Ground
from fcbdsl.language.model.checks.missions.mission_scene import Scene
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Field, Form, Trait
from fcbdsl.language.model.ir import walk

_DEEPEST = 6


def copies_of(definition: Definition) -> int | None:
    """Return the number of instances of a definition; None if it is not a constant."""
    value = definition.values.get("copies")
    column = definition.kind.find("copies")
    expr = value.expr if value is not None else column.default if column is not None else None
    return expr.value if isinstance(expr, ir.Const) else None


# ── instances ──────────────────────────────────────────────────────────────────────────────────


def check_copies(scene: Scene, ground: Ground) -> None:
    """Report definitions of which the map and the set-up need more instances than exist."""
    by_id = scene.context.vocabulary.by_id
    shown: dict[str, int] = {}
    last: dict[str, Span] = {}
    for cell in ground.board.cells:
        for id in cell.places:
            shown[id] = shown.get(id, 0) + 1
            last[id] = cell.span or ground.board.span
    for id, span, amount in _set_up(scene):
        shown[id] = shown.get(id, 0) + amount
        last[id] = span
    for id, count in shown.items():
        limit = copies_of(by_id[id][0]) if by_id.get(id) else None
        if limit is not None and count > limit:
            scene.context.report(TooManyCopies(last[id], name=id, count=count, copies=limit))


def supplied_definitions(scene: Scene) -> list[Definition]:
    """Return the definitions whose instances are on a mission's map or in its set-up."""
    cells = scene.mission.board.cells if scene.mission.board is not None else ()
    ids = dict.fromkeys([*(id for cell in cells for id in cell.places), *(id for id, _, _ in _set_up(scene))])
    return [definition for id in ids for definition in scene.context.vocabulary.by_id.get(id, ())]


def _set_up(scene: Scene) -> Iterator[tuple[str, Span, int]]:
    """Yield what the mission always brings into play before the first decision: definition, place, number.

    A set-up that also removes things yields nothing, because its total is uncertain.
    """
    for listener in scene.mission.listeners:
        if listener.event.id in scene.all.once and listener.condition is None:
            nodes = walk(listener.body)
            if not any(isinstance(node, ir.Do) and Trait.REMOVES in node.form.traits for node in nodes):
                for call in listener.body.statements:
                    if isinstance(call, ir.Do):
                        yield from _taken_from_box(call)


def _taken_from_box(call: ir.Do) -> Iterator[tuple[str, Span, int]]:
    """Yield the definitions whose instances a statement takes out of the box."""
    if call.form.body is None:
        return
    for statement in call.form.body.statements:
        times: ir.Expr | None = None
        inner: tuple[ir.Stmt, ...] = (statement,)
        if isinstance(statement, ir.Repeat):
            times, inner = statement.times, statement.body.statements
        for expr in (stmt.value for stmt in inner if isinstance(stmt, ir.Let)):
            if isinstance(expr, ir.Apply) and Trait.SPARES in expr.form.traits:
                sort = _given(expr.args[0], call)
                amount = ir.Const(1, ir.NUMBER, call.span) if times is None else _given(times, call)
                if isinstance(sort, ir.Def) and isinstance(amount, ir.Const):
                    yield sort.id, call.span, amount.value


def _given(expr: ir.Expr | None, call: ir.Do) -> ir.Expr | None:
    """Return the value of an expression of a form's body in a call: the argument, if it is a parameter."""
    if not isinstance(expr, ir.Var):
        return expr
    at = expr.slot - SELF_AND_THIS
    return call.args[at] if 0 <= at < len(call.args) else None


# ── decks ──────────────────────────────────────────────────────────────────────────────────────


def check_decks(scene: Scene) -> None:
    """Report lists of definitions that are shorter than their use by the setup and the steps of the tracks."""
    for kind in scene.mission.kind.lineage():
        for column in kind.fields.values():
            if column.spent_by:
                _deck(scene, column)


def _deck(scene: Scene, column: Field) -> None:
    mission = scene.mission
    wanted, last = 0, mission.span
    for track in mission.tracks if column.type.many else ():
        steps = [(len(values), body) for values, body in track.steps]
        steps += [(1, track.end)] if track.end is not None else []
        for times, body in steps if track.sort == "countdown" else ():
            uses = _uses(body.statements, column.spent_by, 0)
            if uses:
                wanted, last = wanted + times * uses, track.span
    for listener in mission.listeners if column.type.many else ():
        if listener.event.id in scene.all.once and listener.condition is None:
            uses = _uses(listener.body.statements, column.spent_by, 0)
            if uses:
                wanted, last = wanted + uses, listener.span
    value = mission.values.get(column.id)
    listed = [node for node in walk(value.expr) if isinstance(node, ir.Def)] if value is not None else []
    listed_definitions = [scene.context.model.definitions.get((node.kind, node.id)) for node in listed]
    counts = [copies_of(definition) if definition is not None else None for definition in listed_definitions]
    if value is not None and value.expr is not None and not isinstance(value.expr, ir.ListOf | ir.Def):
        return
    held = sum(count for count in counts if count is not None)
    if None not in counts and held < wanted:
        span = value.span if value is not None and value.span is not None else mission.span
        related = [Related(last, "its steps use them up")]
        verb = " ".join(column.spent_by)
        report = DeckTooSmall(span, field=column.id, held=held, wanted=wanted, verb=verb, related=related)
        scene.context.report(report)


def _uses(statements: tuple[ir.Stmt, ...], words: tuple[str, ...], depth: int) -> int:
    """Return how often statements use a verb in every case."""
    uses = 0
    for statement in statements:
        if isinstance(statement, ir.Do):
            uses += _in_form(statement.form, words, depth)
        elif isinstance(statement, ir.If | ir.Then):
            branches = (statement.then, statement.otherwise)
            uses += min(_uses(branch.statements, words, depth) for branch in branches)
        elif isinstance(statement, ir.Repeat) and isinstance(statement.times, ir.Const):
            uses += statement.times.value * _uses(statement.body.statements, words, depth)
    return uses


def _in_form(form: Form, words: tuple[str, ...], depth: int) -> int:
    if form.words == words:
        return 1
    return _uses(form.body.statements, words, depth + 1) if form.body is not None and depth < _DEEPEST else 0
