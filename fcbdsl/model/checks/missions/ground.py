"""The ground of a map, and who gets where on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fcbdsl.game.shape import corner_shut
from fcbdsl.model.content import Board, Cell
from fcbdsl.model.declarations import Terrain
from fcbdsl.model.geometry import numbers_of, shape_of
from fcbdsl.model.whole import Model


class Ground:
    """A map as it is before anything is played. `opened`: spaces and sides that some text may open after all."""

    def __init__(self, model: Model, board: Board) -> None:
        self.model = model
        self.board = board
        self.cells = {cell.id: cell for cell in board.cells}
        self.opened: dict[str | tuple[str, str], None] = {}
        self.all_open = False
        self._shape = shape_of(board)
        self._numbers = numbers_of(board)
        self._beside = self._neighbours()

    def _neighbours(self) -> dict[str, list[str]]:
        """The spaces to which each leads: its neighbours, and those to which a mark joins it."""
        cells = self.board.cells
        out = {cell.id: [cells[b].id for b in self._shape.neighbours[a]] for a, cell in enumerate(cells)}
        for a, b, _ in self.board.joins:
            out[a].append(b)
            out[b].append(a)
        return out

    def terrain(self, cell: Cell) -> Terrain | None:
        """What fills a space; None for plain ground."""
        return self.model.terrains.get(cell.terrain)

    def standable(self, cell: Cell) -> bool:
        """Whether a piece can be there, however it came."""
        terrain = self.terrain(cell)
        return terrain is None or terrain.standable()

    def passable(self, cell: Cell) -> bool:
        """Whether a piece can walk there and stay."""
        terrain = self.terrain(cell)
        return terrain is None or terrain.passable()

    def reach(self, starts: Iterable[str], sight: bool = False) -> dict[str, None]:
        """The spaces that a piece may get to from `starts`: all that nothing shuts off for good; with `sight`, also
        what it may see from there (as far as can be said: over what lets through no piece, but hides nothing)."""
        reached = dict.fromkeys(start for start in starts if start in self.cells)
        queue = list(reached)
        for id in queue:
            for beside in self._beside[id]:
                if beside not in reached and (self._leads(id, beside) or (sight and self._shows(id, beside))):
                    reached[beside] = None
                    queue.append(beside)
        return reached

    def _leads(self, here: str, there: str) -> bool:
        """Whether a piece may get from a space to a neighbour."""
        if not self.standable(self.cells[there]) and not self._opened(there):
            return False
        return not self._parted(self._shut, here, there)

    def _shows(self, here: str, there: str) -> bool:
        """Whether one may look from a space over the next."""
        terrain = self.terrain(self.cells[there])
        return not (terrain is not None and terrain.blocks_sight) and not self._parted(self._hidden, here, there)

    def _parted(self, shut: Callable[[int, int], bool], here: str, there: str) -> bool:
        """Whether what shuts sides parts two neighbours: the side between them, or both ways round their corner."""
        a, b = self._numbers[here], self._numbers[there]
        return shut(a, b) or corner_shut(self._shape, shut, a, b)

    def _shut(self, a: int, b: int) -> bool:
        """Whether a barrier shuts the side between two spaces for good."""
        here, there = self.board.cells[a].id, self.board.cells[b].id
        between = self._between(here, there)
        return between is not None and between.shuts and not any(map(self._opened, ((here, there), (there, here))))

    def _hidden(self, a: int, b: int) -> bool:
        """Whether a barrier hides what is on the other side of it."""
        between = self._between(self.board.cells[a].id, self.board.cells[b].id)
        return between is not None and between.blocks_sight

    def _between(self, here: str, there: str) -> Terrain | None:
        """What stands on the side between two spaces."""
        barrier = self.board.sides.get((here, there)) or self.board.sides.get((there, here))
        return self.model.barriers.get(barrier or "")

    def _opened(self, what: str | tuple[str, str]) -> bool:
        return self.all_open or what in self.opened
