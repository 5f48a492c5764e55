"""Objectives and goals that walls separate from the entries of players' pieces, or that have too few spaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.missions import BlockedGoal, CutOffGoal, NoRoom, ObjectiveCutOff
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.behavior_references import Bound
from fcbdsl.language.model.checks.missions.climbing import clearable_spaces, may_climb
from fcbdsl.language.model.checks.missions.ground import Ground, Spaces, open_up, spaces_named
from fcbdsl.language.model.checks.missions.mission_scene import Scene, opens
from fcbdsl.language.model.content import Board, Cell, Definition
from fcbdsl.language.model.declarations import Trait
from fcbdsl.language.model.ir import conjuncts, walk
from fcbdsl.language.model.whole import Model

_DEEPEST = 8
Shown = list[tuple[str, Definition]]
"""Spaces of a map, each with a piece that is on it at the start."""

_HOLDS = {">": lambda n: n < 0, ">=": lambda n: n <= 0, "=": lambda n: n == 0}
"""Whether a count of zero passes a comparison with a number."""


@dataclass(slots=True)
class Reach:
    """The spaces that players' pieces can reach from those where they may be put (`starts`).

    `actors`: kinds of pieces that take actions. `shown`: the pieces on the map.
    """

    model: Model
    ground: Ground
    actors: dict[str, None]
    starts: list[str]
    reached: dict[str, None]
    shown: Shown


def check_reach(scene: Scene, ground: Ground) -> None:
    """Report objectives and other goals on spaces that no piece of a player can reach."""
    model = scene.context.model
    actors = scene.all.actors
    starts = [cell.id for cell in ground.board.cells if any(model.marks[mark].entry for mark in cell.marks)]
    if not starts:
        return
    starts += [cell.id for cell in ground.board.cells if _places_actor(scene, cell.places, actors)]
    starts += _opened(scene, ground)
    moved = _set_elsewhere(scene)
    related = scene.context.vocabulary.related
    shown = pieces_shown(ground, scene.context.vocabulary.by_id)
    shown = [row for row in shown if not any(related(kind, row[1].kind.id) for kind in moved)]
    reach = Reach(model, ground, actors, starts, ground.reach(starts), shown)
    named_goals = list(_objectives(scene, reach))
    for cell in ground.board.cells:
        goals = [mark for mark in cell.marks if model.marks[mark].goal]
        goals += [token for token in cell.tokens if model.kinds["space"].fields[token].goal]
        if goals and cell.id not in reach.reached and cell.id not in named_goals:
            scene.context.report(CutOffGoal(cell.span or ground.board.span, name=goals[0], space=cell.id))
            named_goals.append(cell.id)
    _blocked(scene, ground, starts, named_goals)


def _blocked(scene: Scene, ground: Ground, starts: list[str], named_goals: list[str]) -> None:
    """Report goals that no piece can walk to, because terrain blocks movement from every start.

    A mission whose content clears the way, or in which players' pieces climb, is skipped.
    """
    model = scene.context.model
    ground.cleared = clearable_spaces(scene, ground)
    walked = ground.reach(starts, walking=True)
    names: dict[str, None] = {}
    terrains: dict[str, None] = {}
    cells: list[Cell] = []
    for cell in ground.board.cells:
        goals = [mark for mark in cell.marks if model.marks[mark].goal]
        goals += [token for token in cell.tokens if model.kinds["space"].fields[token].goal]
        if not goals or cell.id in walked or cell.id in named_goals or not ground.passable(cell):
            continue
        if around := ground.around(cell.id):
            names[goals[0]] = None
            terrains |= dict.fromkeys(around)
            cells.append(cell)
    if cells and not may_climb(scene):
        spaces, name = ", ".join(cell.id for cell in cells), "`, `".join(names)
        related = [Related(cell.span, f"{cell.id}") for cell in cells[:1] if cell.span is not None]
        verb = "is" if len(cells) == 1 else "are"
        blocking = " and ".join(f"`{terrain}`" for terrain in terrains)
        scene.context.report(
            BlockedGoal(ground.board.span, spaces=f"{spaces} {verb}", name=name, terrains=blocking, related=related)
        )


def _places_actor(scene: Scene, places: list[str], actors: dict[str, None]) -> bool:
    by_id = scene.context.vocabulary.by_id
    return any(definition.kind.id in actors for id in places for definition in by_id.get(id, ()))


# ── spaces that texts open, and pieces that they move ──────────────────────────────────────────


def _opened(scene: Scene, ground: Ground) -> list[str]:
    """Note what content may open on this map, and return the spaces where it may put players' pieces.

    Texts of the system respect `never opens`. Content may do anything with spaces that it names literally.
    """
    starts: list[str] = []
    for call, bound in scene.heard.moves:
        if opens(call.form):
            open_up(ground, call, bound)
        else:
            starts += _put(ground, call, bound)
    return starts


def _set_elsewhere(scene: Scene) -> dict[str, None]:
    """Return the kinds of pieces that the mission's texts move, so that their places on the map are uncertain."""
    calls = [call for references in scene.own for call, _ in scene.all.moves(references) if not opens(call.form)]
    calls = [call for call in calls if any(arg is not None and arg.type == ir.SPACE for arg in call.args)]
    args = [arg for call in calls for arg in call.args if arg is not None and arg.type.base == "thing"]
    return {arg.type.name: None for arg in args if arg.type.name != "space"}


def _put(ground: Ground, call: ir.Do, bound: Bound) -> list[str]:
    """Return the spaces where a statement may put a piece of the players.

    Only single spaces count. A list of spaces contains goals that the piece walks to, or near which it is placed.
    """
    out: list[str] = []
    for param, arg in zip(call.form.params, call.args, strict=False):
        if arg is not None and param.type == ir.SPACE:
            spaces = spaces_named(arg, ground.board, bound)
            if spaces is not None:
                out += spaces.ids
            elif call.form.op is not None:
                ground.all_open = True
    return out


# ── objectives ─────────────────────────────────────────────────────────────────────────────────


def _objectives(scene: Scene, reach: Reach) -> Iterator[str]:
    """Report attainable fields that can't be attained; yields the spaces that were reported."""
    for owner in (scene.mission, *scene.named, *scene.aimed):
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
"""Unreachable spaces that a condition requires a piece to be on, and the place of that condition."""


def _impossible(expr: ir.Expr, reach: Reach) -> Lacking:
    """Return why a condition can never be true; None if it can."""
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
    """Return a piece on the map that a condition requires, but that players can neither reach nor see."""
    asked_for = list(pieces_asked(asked, reach.shown))
    seen = reach.ground.reach(reach.starts, sight=True) if asked_for else {}
    for space, piece, expr in asked_for:
        if space not in seen:
            return Spaces((space,), True, piece.id), expr.span
    return None


def _empty(select: ir.Expr, reach: Reach) -> Lacking:
    """Return why a selection is always empty; None if it may not be."""
    if not isinstance(select, ir.Select):
        return None
    within = _empty(select.source, reach) if select.source is not None else None
    return within or (_impossible(select.where, reach) if select.where is not None else None)


def _relation(expr: ir.Apply, reach: Reach) -> Lacking:
    """Return the unreachable spaces of a relation: being on spaces, or on spaces with a mark, directly or by its
    body."""
    traits = expr.form.traits
    if Trait.ASKS_PLACE in traits and len(expr.args) == 2 and expr.args[0] is not None and expr.args[1] is not None:
        return _stands(expr.args[0], expr.args[1], reach)
    if Trait.ASKS_MARK in traits and isinstance(expr.args[0], ir.Get) and isinstance(expr.args[1], ir.Const):
        label = expr.args[1].label
        marked = tuple(cell.id for cell in reach.ground.board.cells if label in cell.marks)
        return _lacking(expr.args[0], Spaces(marked, True, label), expr.span, reach)
    meant = _meant(expr)
    obstacle = _impossible(meant, reach) if meant is not None else None
    return (obstacle[0], expr.span) if obstacle is not None else None


def _meant(expr: ir.Expr) -> ir.Expr | None:
    """Return the condition that defines a relation of the language; None for all other expressions."""
    body = expr.form.body if isinstance(expr, ir.Apply) and expr.form.op is None else None
    if body is not None and len(body.statements) == 1 and isinstance(body.statements[0], ir.Answer):
        return body.statements[0].value
    return None


def _stands(who: ir.Expr, where: ir.Expr, reach: Reach) -> Lacking:
    spaces = spaces_named(where, reach.ground.board, {})
    return _lacking(who, spaces, where.span, reach) if spaces is not None else None


def _lacking(who: ir.Expr, spaces: Spaces, span: Span, reach: Reach) -> Lacking:
    """Return `spaces` if no piece of a player may reach one of them, else None.

    A mark that is not on the map gives None, because another check reports it.
    """
    if isinstance(who, ir.Get) and who.field.id == "place":
        who = who.of
    if who.type.base != "thing" or who.type.name not in reach.actors or not spaces.ids:
        return None
    return None if any(id in reach.reached for id in spaces.ids) else (spaces, span)


# ── pieces of the map that a condition asks for ────────────────────────────────────────────────


def pieces_asked(condition: ir.Expr, shown: Shown, depth: int = 0) -> Iterator[tuple[str, Definition, ir.Expr]]:
    """Yield the pieces of a map that a condition always requires, with the phrase."""
    for part in conjuncts(condition):
        meant = _meant(part)
        if meant is not None and depth < _DEEPEST:
            yield from ((at, piece, part) for at, piece, _ in pieces_asked(meant, shown, depth + 1))
        for node in walk(part):
            if isinstance(node, ir.Instance):
                yield from (
                    (at, piece, node) for at, piece in shown if piece.id == node.id and piece.kind.id == node.kind
                )
        if isinstance(part, ir.Quantified) and part.quantifier == "no" and part.test is None:
            for at, piece in _selected(part.select, shown):
                yield at, piece, part.select


def _selected(select: ir.Expr, shown: Shown) -> Shown:
    """Return the pieces on the map that a selection certainly holds when the game begins."""
    if not isinstance(select, ir.Select):
        return []
    among = _selected(select.source, shown) if select.source is not None else shown
    kind = select.type.name
    of_kind = [(at, piece) for at, piece in among if piece.kind.is_a(kind)]
    return [row for row in of_kind if all(_holds(test, select.it, row[1]) for test in conjuncts(select.where))]


def _holds(test: ir.Expr, it: int, piece: Definition) -> bool:
    """Return whether a condition on the candidate certainly holds for a piece on the map when the game begins."""
    match test:
        case ir.Apply(form=form, args=(ir.Var(slot=slot),)):
            return slot == it and Trait.ASKS_BOARD in form.traits
        case ir.Not(operand=ir.Binary(op=">", left=ir.Get(of=ir.Var(slot=slot), field=counter), right=ir.Const())):
            return slot == it and counter.sort == "status"
        case ir.Binary(op="=", left=ir.Get(of=ir.Var(slot=slot), field=field), right=ir.Def(id=id)):
            return slot == it and field.id == "definition" and id == piece.id
        case ir.Get(of=ir.Var(slot=slot), field=field) if slot == it and field.sort == "field":
            value = piece.values.get(field.id)
            expr = value.expr if value is not None else field.default
            return isinstance(expr, ir.Const) and expr.value != 0
    return False


def pieces_shown(ground: Ground, by_id: dict[str, list[Definition]]) -> Shown:
    """Return the pieces on a map."""
    cells = ground.board.cells
    return [(cell.id, piece) for cell in cells for id in cell.places for piece in by_id.get(id, ())[:1]]


# ── space for all pieces that must be somewhere at once, where one piece fills a space ────────

_MORE = {">=": 0, "=": 0, ">": 1}
"""Least excess of a count over the number, by comparison."""


@dataclass(frozen=True, slots=True)
class _Gathering:
    """Pieces that must be on certain spaces at once. `number` None: all pieces of the players."""

    kind: str
    number: int | None
    spaces: Spaces
    span: Span


def check_room(
    scene: Scene, asked: ir.Expr, here: Span, actors: Mapping[str, None], reached: Mapping[str, None]
) -> None:
    """Report reachable spaces that are too few for the pieces that a condition needs on them at once.

    The players have at least one piece per player.
    """
    model, board = scene.context.model, scene.mission.board
    assert board is not None
    most = (scene.mission.players or model.players)[1]
    for gathering in _gatherings(asked, board, 0):
        kind = model.kinds.get(gathering.kind)
        if kind is None or not any(above.alone for above in kind.lineage()):
            continue
        if gathering.number is None and gathering.kind not in actors:
            continue
        number = most if gathering.number is None else gathering.number
        room = sum(id in reached for id in gathering.spaces.ids)
        if 0 < room < number:
            span = gathering.span if gathering.span.beside(here) else here
            who = f"{number} players" if gathering.number is None else "any number of players"
            report = NoRoom(span, players=who, pieces=number, name=gathering.spaces.label, room=room)
            scene.context.report(report)


def _gatherings(expr: ir.Expr, board: Board, depth: int) -> Iterator[_Gathering]:
    """Yield the gatherings that a condition always requires."""
    for part in conjuncts(expr):
        match part:
            case ir.Quantified(quantifier="every", select=select, test=test, it=it) if test is not None:
                yield from _gathered(select, test, it, None, part.span, board)
            case ir.Quantified(quantifier="no", select=ir.Select() as select, test=None):
                for test in conjuncts(select.where):
                    if isinstance(test, ir.Not):
                        yield from _gathered(select, test.operand, select.it, None, part.span, board)
            case ir.Binary(
                op=op,
                left=ir.Quantified(quantifier="number", select=ir.Select() as select),
                right=ir.Const(value=value),
            ) if op in _MORE:
                for test in conjuncts(select.where):
                    yield from _gathered(select, test, select.it, value + _MORE[op], part.span, board)
            case ir.Apply() if depth < _DEEPEST:
                meant = _meant(part)
                for gathering in _gatherings(meant, board, depth + 1) if meant is not None else ():
                    yield _Gathering(gathering.kind, gathering.number, gathering.spaces, part.span)


def _gathered(
    select: ir.Expr, test: ir.Expr, it: int, number: int | None, span: Span, board: Board
) -> Iterator[_Gathering]:
    """Yield the gathering that a test of each of some pieces requires: all must be on these spaces."""
    match test:
        case ir.Apply(form=form, args=(ir.Var(slot=slot), where)) if (
            Trait.ASKS_PLACE in form.traits and slot == it and where is not None
        ):
            spaces = spaces_named(where, board, {})
            if spaces is not None:
                yield _Gathering(select.type.name, number, spaces, span)
