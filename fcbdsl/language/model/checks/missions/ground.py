"""The terrain of a map: reachability, the spaces of expressions, and possible changes by statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeGuard

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.behavior_references import SELF_AND_THIS, Bound
from fcbdsl.language.model.content import Board, Cell
from fcbdsl.language.model.declarations import Terrain, Trait
from fcbdsl.language.model.geometry import numbers_of, shape_of
from fcbdsl.language.model.ir import conjuncts
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.geometry.shape import Shape, corner_shut

_DEEPEST = 8


class Ground:
    """A map at the start of the game.

    `opened`: spaces and sides that some text may open. `cleared`: spaces that some text may make passable for all
    pieces.
    """

    def __init__(self, model: Model, board: Board) -> None:
        self.model = model
        self.board = board
        self.cells = {cell.id: cell for cell in board.cells}
        self.opened: dict[str | tuple[str, str], None] = {}
        self.cleared: dict[str, None] = {}
        self.all_open = False
        self._known_shape: Shape | None = None
        self._known_numbers: dict[str, int] = {}
        self._known_beside: dict[str, list[str]] = {}

    @property
    def _shape(self) -> Shape:
        if self._known_shape is None:
            self._known_shape = shape_of(self.board)
        return self._known_shape

    @property
    def _numbers(self) -> dict[str, int]:
        if not self._known_numbers:
            self._known_numbers = numbers_of(self.board)
        return self._known_numbers

    @property
    def _beside(self) -> dict[str, list[str]]:
        """Return the neighbors of each space, including spaces joined by a mark."""
        out, cells = self._known_beside, self.board.cells
        if not out:
            neighbours = self._shape.neighbours
            out |= {cell.id: [cells[b].id for b in neighbours[a]] for a, cell in enumerate(cells)}
            for a, b, _ in self.board.joins:
                out[a].append(b)
                out[b].append(a)
        return out

    def terrain(self, cell: Cell) -> Terrain | None:
        """Return the terrain of a space; None for plain ground."""
        return self.model.terrains.get(cell.terrain)

    def standable(self, cell: Cell) -> bool:
        """Return whether a piece can be on a space, whether it walked or was placed there."""
        terrain = self.terrain(cell)
        return terrain is None or terrain.standable()

    def passable(self, cell: Cell) -> bool:
        """Return whether a piece can walk there and stay."""
        terrain = self.terrain(cell)
        return terrain is None or terrain.passable()

    def reach(self, starts: Iterable[str], sight: bool = False, walking: bool = False) -> dict[str, None]:
        """Return the spaces that a piece may reach from `starts`: all that are not permanently shut off.

        With `sight`, spaces that it may see from there are included: those behind terrain that blocks movement but not
        sight. With `walking`, only terrain counts that lets every piece through, or is `cleared`.
        """
        reached = dict.fromkeys(start for start in starts if start in self.cells)
        queue = list(reached)
        for id in queue:
            for beside in self._beside[id]:
                if beside not in reached and (self._leads(id, beside, walking) or (sight and self._shows(id, beside))):
                    reached[beside] = None
                    queue.append(beside)
        return reached

    def _leads(self, here: str, there: str, walking: bool) -> bool:
        """Return whether a piece may move from a space to a neighbor."""
        free = self.passable if walking else self.standable
        if not free(self.cells[there]) and not self._opened(there) and not (walking and there in self.cleared):
            return False
        return not self._parted(self._shut, here, there)

    def around(self, start: str) -> list[str]:
        """Return the terrains that block movement around the area to which a piece can walk from a space."""
        around: dict[str, None] = {}
        for id in self.reach([start], walking=True):
            for beside in self._beside[id]:
                terrain = self.terrain(self.cells[beside])
                if terrain is not None and terrain.blocks_movement and not terrain.never_opens:
                    around[self.cells[beside].terrain] = None
        return list(around)

    def _shows(self, here: str, there: str) -> bool:
        """Return whether a piece may see from a space over the next."""
        terrain = self.terrain(self.cells[there])
        return not (terrain is not None and terrain.blocks_sight) and not self._parted(self._hidden, here, there)

    def _parted(self, shut: Callable[[int, int], bool], here: str, there: str) -> bool:
        """Return whether two neighbors are separated: the side between them is shut, or both ways round their
        corner."""
        a, b = self._numbers[here], self._numbers[there]
        return shut(a, b) or corner_shut(self._shape, shut, a, b)

    def _shut(self, a: int, b: int) -> bool:
        """Return whether a barrier shuts the side between two spaces permanently."""
        here, there = self.board.cells[a].id, self.board.cells[b].id
        between = self._between(here, there)
        return between is not None and between.shuts and not any(map(self._opened, ((here, there), (there, here))))

    def _hidden(self, a: int, b: int) -> bool:
        """Return whether a barrier blocks sight between two spaces."""
        between = self._between(self.board.cells[a].id, self.board.cells[b].id)
        return between is not None and between.blocks_sight

    def _between(self, here: str, there: str) -> Terrain | None:
        """Return the barrier on the side between two spaces, if any."""
        barrier = self.board.sides.get((here, there)) or self.board.sides.get((there, here))
        return self.model.barriers.get(barrier or "")

    def _opened(self, what: str | tuple[str, str]) -> bool:
        return self.all_open or what in self.opened


# ── the spaces of an expression ────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Spaces:
    """Spaces that an expression can refer to.

    `exact`: it refers to all of them; else possibly to fewer. `label`: the author's word for them.
    """

    ids: tuple[str, ...]
    exact: bool
    label: str


def spaces_named(expr: ir.Expr, board: Board, bound: Bound, depth: int = 0) -> Spaces | None:
    """Return the spaces of `board` that an expression names; None if that shows only in play."""
    if depth > _DEEPEST:
        return None
    match expr:
        case ir.Instance(kind="space", id=id):
            return Spaces((id,), True, id)
        case ir.ListOf(items=items):
            return _union([spaces_named(item, board, bound, depth + 1) for item in items])
        case ir.Var(slot=slot) if slot in bound:
            spaces = _union([spaces_named(value, board, bound, depth + 1) for value in bound[slot]])
            return Spaces(spaces.ids, False, spaces.label) if spaces is not None else None
        case ir.Apply(form=form, args=(ir.Const(label=label), *_)) if Trait.NAMES_SPACES in form.traits:
            return Spaces(tuple(board.zones.get(label, ())), True, label)
        case ir.Select():
            return _selected(expr, board, bound, depth)
    return None


def _selected(select: ir.Select, board: Board, bound: Bound, depth: int) -> Spaces | None:
    """Return the spaces with a mark or terrain, or in another list, that a selection may keep."""
    spaces: Spaces | None = None
    if select.source is not None:
        spaces = spaces_named(select.source, board, bound, depth + 1)
    elif select.type.name != "space":
        return None
    for test in conjuncts(select.where):
        listed = _tested(test, select.it, board)
        if listed is None:
            spaces = Spaces(spaces.ids, False, spaces.label) if spaces is not None else None
        elif spaces is None:
            spaces = listed
        else:
            both = tuple(id for id in spaces.ids if id in listed.ids)
            spaces = Spaces(both, spaces.exact and listed.exact, spaces.label)
    if spaces is not None and select.where is not None and not _all_known(select, board):
        return Spaces(spaces.ids, False, spaces.label)
    return spaces


def _all_known(select: ir.Select, board: Board) -> bool:
    return all(_tested(test, select.it, board) is not None for test in conjuncts(select.where))


def _tested(test: ir.Expr, it: int, board: Board) -> Spaces | None:
    """Return the spaces for which a condition on their mark or terrain holds; None for other conditions."""
    match test:
        case ir.Apply(form=form, args=(ir.Var(slot=slot), ir.Const(label=label), *_)) if slot == it:
            if Trait.ASKS_MARK in form.traits:
                return Spaces(tuple(cell.id for cell in board.cells if label in cell.marks), True, label)
            if Trait.ASKS_TERRAIN in form.traits:
                return Spaces(tuple(cell.id for cell in board.cells if cell.terrain == label), True, label)
    return None


def _union(parts: list[Spaces | None]) -> Spaces | None:
    resolved = [spaces for spaces in parts if spaces is not None]
    if not resolved or len(resolved) < len(parts):
        return None
    ids = tuple(dict.fromkeys(id for spaces in resolved for id in spaces.ids))
    return Spaces(
        ids, all(spaces.exact for spaces in resolved), ", ".join(dict.fromkeys(spaces.label for spaces in resolved))
    )


# ── conditions on the printed map ──────────────────────────────────────────────────────────────

Cells = Mapping[int, Cell]
"""Slots of locals, and the space that each of them is assumed to hold."""


def meant_among(cells: list[Cell], expr: ir.Expr, ground: Ground, bound: Bound, depth: int = 0) -> list[Cell]:
    """Return those of `cells` that an expression may refer to, assuming the terrain of the printed map."""
    named = spaces_named(expr, ground.board, bound)
    if named is not None:
        return [cell for cell in cells if cell.id in named.ids]
    match expr:
        case ir.Var(slot=slot) if slot in bound and depth < _DEEPEST:
            choices = [meant_among(cells, value, ground, bound, depth + 1) for value in bound[slot]]
            return [cell for cell in cells if any(cell in some for some in choices)]
        case ir.Select(source=source, it=it, where=where) if depth < _DEEPEST:
            within = cells if source is None else meant_among(cells, source, ground, bound, depth + 1)
            return [cell for cell in within if where is None or truth_on_map(where, {it: cell}, ground) is not False]
    return cells


def truth_on_map(condition: ir.Expr, cells: Cells, ground: Ground, depth: int = 0) -> bool | None:
    """Return whether a condition holds on the printed map; None if that depends on play."""
    match condition:
        case ir.Const(value=value, type=type) if type == ir.FLAG:
            return bool(value)
        case ir.Not(operand=operand):
            truth = truth_on_map(operand, cells, ground, depth)
            return None if truth is None else not truth
        case ir.Binary(op="and" | "or" as op, left=left, right=right):
            both = (truth_on_map(left, cells, ground, depth), truth_on_map(right, cells, ground, depth))
            settles = op == "or"
            return settles if settles in both else None if None in both else not settles
        case ir.Apply(args=(ir.Var(slot=slot), *_)) if slot in cells:
            return _related(condition, cells, ground, depth)
    return None


def _related(call: ir.Apply, cells: Cells, ground: Ground, depth: int) -> bool | None:
    """Return whether a relation holds whose subject is one of `cells`; None if that depends on play."""
    subject, form = call.args[0], call.form
    cell = cells[subject.slot] if isinstance(subject, ir.Var) else None
    second = call.args[1] if len(call.args) > 1 else None
    if cell is None:
        return None
    if Trait.ASKS_PASSABLE in form.traits:
        return None if ground.standable(cell) else False
    if Trait.ASKS_MARK in form.traits and isinstance(second, ir.Const):
        return second.label in cell.marks
    if Trait.ASKS_TERRAIN in form.traits and isinstance(second, ir.Const):
        return second.label == cell.terrain
    if form.body is None or len(form.body.statements) != 1 or depth >= _DEEPEST:
        return None
    answer = form.body.statements[0]
    given = {SELF_AND_THIS + at: arg for at, arg in enumerate(call.args)}
    bound = {slot: cells[arg.slot] for slot, arg in given.items() if isinstance(arg, ir.Var) and arg.slot in cells}
    return truth_on_map(answer.value, bound, ground, depth + 1) if isinstance(answer, ir.Answer) else None


# ── statements that open shut terrain and barriers ────────────────────────────────────────────


def open_up(ground: Ground, call: ir.Do, bound: Bound) -> None:
    """Record the spaces and sides that a statement may open by setting terrain or a barrier."""
    if Trait.SETS_TERRAIN in call.form.traits:
        shut = [cell for cell in ground.cells.values() if not ground.standable(cell)]
        ground.opened.update(
            {cell.id: None for cell in convertible_cells(shut, Terrain.standable, ground, call, bound)}
        )
    elif not _shuts(ground, call):
        areas = [spaces_named(arg, ground.board, bound) for arg in _spaces(call)]
        ends = [spaces.ids for spaces in areas if spaces is not None]
        if len(ends) == 2:
            ground.opened.update(dict.fromkeys((a, b) for a in ends[0] for b in ends[1]))
        else:
            ground.all_open = True


def convertible_cells(
    cells: list[Cell], fits: Callable[[Terrain], bool], ground: Ground, call: ir.Do, bound: Bound
) -> list[Cell]:
    """Return those of `cells` that a statement which sets terrain may change to a terrain that fits."""
    into = [ground.model.terrains.get(arg.label) for arg in call.args if _is_const(arg, "terrain")]
    if any(terrain is not None and not fits(terrain) for terrain in into):
        return []
    for arg in _spaces(call):
        cells = meant_among(cells, arg, ground, bound)
    return cells


def _shuts(ground: Ground, call: ir.Do) -> bool:
    """Return whether a statement sets a barrier that shuts permanently."""
    into = [ground.model.barriers.get(arg.label) for arg in call.args if _is_const(arg, "barrier")]
    return any(barrier is not None and barrier.shuts for barrier in into)


def _spaces(call: ir.Do) -> list[ir.Expr]:
    return [arg for arg in call.args if arg is not None and arg.type == ir.SPACE]


def _is_const(arg: ir.Expr | None, sort: str) -> TypeGuard[ir.Const]:
    return isinstance(arg, ir.Const) and arg.type.base == sort
