"""Checks for pieces that a map or a text puts on impassable or occupied spaces."""

from __future__ import annotations

from fcbdsl.base.diagnostics.missions import NobodyCanStand, TwoOnOneSpace
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.ground import Ground, convertible_cells, spaces_named
from fcbdsl.language.model.checks.missions.mission_scene import Scene
from fcbdsl.language.model.content import Cell
from fcbdsl.language.model.declarations import Terrain


def check_standing(scene: Scene, ground: Ground) -> None:
    """Report pieces that the map or a statement puts where they can't be."""
    for cell in ground.board.cells:
        _check_placed_by_map(scene, ground, cell)
    _check_placed_by_text(scene, ground)


def _check_placed_by_map(scene: Scene, ground: Ground, cell: Cell) -> None:
    """Check the pieces and entries that the map has on a space."""
    context = scene.context
    span = cell.span or ground.board.span
    entries = [mark for mark in cell.marks if context.model.marks[mark].entry]
    if not ground.standable(cell) and (cell.places or entries):
        what = f"The map shows `{(cell.places or entries)[0]}` on {cell.id}"
        context.report(NobodyCanStand(span, what=what, why=f"it is {cell.terrain}"))
    pieces = [piece for id in cell.places for piece in context.vocabulary.by_id.get(id, ())[:1]]
    alone = [piece for piece in pieces if any(kind.alone for kind in piece.kind.lineage())]
    if len(alone) > 1:
        names = " and ".join(f"`{piece.id}`" for piece in alone[:2])
        context.report(TwoOnOneSpace(span, names=names, space=cell.id))


def _check_placed_by_text(scene: Scene, ground: Ground) -> None:
    """Check the pieces that the mission's texts put somewhere."""
    for references in scene.own:
        for call, bound in ((do, bound) for do in references.calls if _wanting(do) for bound in references.bound(do)):
            for wants, arg in _wanting(call):
                spaces = spaces_named(arg, ground.board, bound)
                if spaces is not None and spaces.exact:
                    _refused(scene, ground, call, wants, arg, spaces.ids)


def _fitting(scene: Scene, ground: Ground, cells: list[Cell], wants: str) -> list[Cell]:
    """Return the spaces that do not fit at the start, but that content may change so that they do."""
    fits = Terrain.passable if wants == "passable" else Terrain.standable
    out: list[Cell] = []
    own = {id(references): None for references in scene.own}
    for references, call in scene.heard.turns:
        if id(references) in own or scene.all.is_content(call.span.source.name):
            for bound in references.bound(call):
                out += convertible_cells(cells, fits, ground, call, bound)
    return out


def _wanting(call: ir.Do) -> list[tuple[str, ir.Expr]]:
    """Return the arguments of a statement with a required sort of space, and that sort."""
    pairs = zip(call.form.params, call.args, strict=False)
    return [(param.wants, arg) for param, arg in pairs if param.wants and arg is not None]


def _refused(scene: Scene, ground: Ground, call: ir.Do, wants: str, arg: ir.Expr, ids: tuple[str, ...]) -> None:
    fits = ground.passable if wants == "passable" else ground.standable
    cells = [ground.cells[id] for id in ids if id in ground.cells]
    bad = [cell for cell in cells if not fits(cell)]
    convertible = _fitting(scene, ground, bad, wants) if bad else []
    bad = [cell for cell in bad if cell not in convertible]
    if bad:
        here = ", ".join(f"{cell.id} is {cell.terrain}" for cell in bad)
        map = f" on the map of `{scene.mission.id}`" if not arg.span.beside(ground.board.span) else ""
        what = f"`{call.form.id}` wants {wants} spaces"
        scene.context.report(NobodyCanStand(arg.span, what=what, why=here + map))
