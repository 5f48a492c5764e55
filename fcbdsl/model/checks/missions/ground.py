"""The ground of a map, and who gets where on it."""

from __future__ import annotations

from collections.abc import Iterable

from fcbdsl.model.content import Board, Cell
from fcbdsl.model.declarations import Terrain
from fcbdsl.model.declaring.boards import HEX_STEPS
from fcbdsl.model.whole import Model

_SQUARE_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Ground:
    """A map as it is before anything is played. `opened`: spaces and sides that some text may open after all."""

    def __init__(self, model: Model, board: Board) -> None:
        self.model = model
        self.board = board
        self.cells = {cell.id: cell for cell in board.cells}
        self.opened: dict[str | tuple[str, str], None] = {}
        self.all_open = False
        self._beside = self._neighbours()

    def _neighbours(self) -> dict[str, list[str]]:
        out: dict[str, list[str]] = {cell.id: [] for cell in self.board.cells}
        if self.board.sort in {"hex", "square"}:
            steps = HEX_STEPS if self.board.sort == "hex" else _SQUARE_STEPS
            at = {(cell.x, cell.y): cell.id for cell in self.board.cells}
            for cell in self.board.cells:
                beside = (at.get((cell.x + x, cell.y + y)) for x, y in steps)
                out[cell.id] = [id for id in beside if id is not None]
        for a, b, _ in (*self.board.links, *self.board.joins):
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
        between = self._between(here, there)
        return between is None or not between.shuts or self._opened((here, there)) or self._opened((there, here))

    def _shows(self, here: str, there: str) -> bool:
        """Whether one may look from a space over the next."""
        between = self._between(here, there)
        return not any(one is not None and one.blocks_sight for one in (self.terrain(self.cells[there]), between))

    def _between(self, here: str, there: str) -> Terrain | None:
        """What stands on the side between two spaces."""
        barrier = self.board.sides.get((here, there)) or self.board.sides.get((there, here))
        return self.model.barriers.get(barrier or "")

    def _opened(self, what: str | tuple[str, str]) -> bool:
        return self.all_open or what in self.opened
