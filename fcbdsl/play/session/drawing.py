"""A game's board as a sketch: codes for pieces, characters for ground and tokens, and a legend."""

from __future__ import annotations

from collections.abc import Iterable

from fcbdsl.base.typography import with_capital
from fcbdsl.base.words import NETS
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Cell
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.sketch import WIDTH, sketch

GROUNDS = "#%&=~^@$"
"""Characters of terrains, in the order of their declaration; all others share the last."""
PLAIN, STROKE = ".", "|"


class BoardPainter:
    """Draws the boards of one program; every code stays the same throughout a game."""

    def __init__(self, image: Image, names: Names) -> None:
        self.image = image
        self.program = image.program
        self.names = names
        self._codes = self._figure_codes()
        self._tokens = self._token_signs()

    def code(self, thing: int) -> str:
        """Return the short name of a piece: two letters, and its number if its definition has several."""
        layout = self.image.layout
        number = layout.definition_of[thing]
        if number not in self._codes:
            return "?"
        return self._codes[number] + (str(self.names.copy(thing)) if layout.instances[number] > 1 else "")

    def is_net(self, game: Game) -> bool:
        """Return whether the board of a game consists of places with links, which have a line each."""
        return game.world.board >= 0 and self.program.boards[game.world.board].sort in NETS

    def board(self, game: Game, places: bool = True) -> str:
        """Return the board of a game, and its legend, if wanted with the `places` of marks and regions."""
        board = self.program.boards[game.world.board]
        pieces = self._pieces(game)
        labels = [self._label(game, number, cell, pieces.get(number, [])) for number, cell in enumerate(board.cells)]
        ways = [self.names.text(title, "") for title in self.program.directions]
        titles = [self.names.cell(cell) for cell in board.cells]
        if board.sort in NETS:
            grounds = [self._ground(game, number) for number in range(len(board.cells))]
            heads = [f"{title} ({ground})" if ground else title for title, ground in zip(titles, grounds, strict=True)]
            drawn = sketch(board, labels, self._barriers(game), ways, titles, self.names.say("colon"), heads)
        else:
            drawn = sketch(board, labels, self._barriers(game), ways, titles, self.names.say("colon"))
        legend = [*self._legend(game), *(self._spots(*spots) for spots in self.places(game) if places)]
        return drawn + "".join(f"{line}\n" for line in legend)

    # ── labels of spaces ───────────────────────────────────────────────────────────────────────

    def _pieces(self, game: Game) -> dict[int, list[int]]:
        """Return the pieces on each space, by the number of the space."""
        out: dict[int, list[int]] = {}
        for thing in game.placed_pieces():
            out.setdefault(game.cell(thing), []).append(thing)
        return out

    def _label(self, game: Game, number: int, cell: Cell, pieces: list[int]) -> str:
        """Return the piece, ground and tokens of a space, as far as they fit; nothing for a hole in the board."""
        terrain = game.terrain(number)
        if terrain >= 0 and not self.program.terrains[terrain].on_board:
            return ""
        ground = GROUNDS[min(terrain, len(GROUNDS) - 1)] if terrain >= 0 else ""
        tokens = [sign for field, sign in self._tokens.items() if self._count(game, field, number) > 0]
        if self.program.boards[game.world.board].sort in NETS:
            counts = [f"{self.names.field(field)} {self._count(game, field, number)}" for field in self._tokens
                    if self._count(game, field, number) > 0]  # fmt: skip
            return ", ".join([self.names.thing(game, thing) for thing in pieces] + counts)
        return "".join([*(self.code(thing) for thing in pieces), ground, *tokens])[: WIDTH - 2] or PLAIN

    def _ground(self, game: Game, number: int) -> str:
        """Return the terrain of a space, in words; empty for plain ground and for a hole in the board."""
        terrain = game.terrain(number)
        if terrain < 0 or not self.program.terrains[terrain].on_board:
            return ""
        return self.names.value(game, "terrain", terrain)

    def _count(self, game: Game, field: int, number: int) -> int:
        return game.base_value(field, game.space(number))

    def _barriers(self, game: Game) -> dict[tuple[int, int], str]:
        """Return the character of each barrier, by its side."""
        sides = zip(game.shape().sides, game.barriers(), strict=True)
        return {
            side: self._barrier_sign(barrier, self.is_open(game, number, barrier))
            for number, (side, barrier) in enumerate(sides)
            if barrier >= 0
        }

    def is_open(self, game: Game, side: int, barrier: int) -> bool:
        """Return whether a barrier that can be opened is open."""
        row = self.program.barriers[barrier]
        return row.hinge >= 0 and bool(game.value(row.hinge, game.side(side))) == row.ajar

    def _barrier_sign(self, barrier: int, is_open: bool = False) -> str:
        """Return the character of a barrier: a stroke for the first sort, letters for others, capital ones when
        closed."""
        row = self.program.barriers[barrier]
        letter = self.names.text(row.title, row.name)[:1]
        if barrier == 0 and row.hinge < 0:
            return STROKE
        return letter.lower() if is_open else letter.upper()

    # ── the legend ─────────────────────────────────────────────────────────────────────────────

    def _legend(self, game: Game) -> Iterable[str]:
        """Yield the meanings of the characters on this board."""
        board = self.program.boards[game.world.board]
        grounds = sorted({game.terrain(number) for number in range(len(board.cells))} - {-1})
        signs = [
            f"{GROUNDS[min(number, len(GROUNDS) - 1)]} {self.names.value(game, 'terrain', number)}"
            for number in grounds
            if self.program.terrains[number].on_board and board.sort not in NETS
        ]
        signs += [
            f"{sign} {self.names.field(field)}"
            for field, sign in self._tokens.items()
            if board.sort not in NETS
            and any(self._count(game, field, number) > 0 for number in range(len(board.cells)))
        ]
        standing = sorted(set(game.barriers()) - {-1})
        for barrier in standing:
            name = self.names.value(game, "barrier", barrier)
            signs.append(f"{self._barrier_sign(barrier)} {name}")
            if self.program.barriers[barrier].hinge >= 0:
                marks = self.names.marks_in(self.program.barriers[barrier].grammar)
                opened = self.names.say("is-open", name, marks=marks)
                signs.append(f"{self._barrier_sign(barrier, is_open=True)} {opened}")
        if signs:
            yield "   ".join(signs)

    def places(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the titles of the marks and regions of the board, each with its spaces."""
        board = self.program.boards[game.world.board]
        for mark in range(len(self.program.marks)):
            spots = [self.names.cell(cell) for cell in board.cells if mark in cell.marks]
            if spots and (name := self.names.mark(mark)):
                yield name, ", ".join(spots)
        for region, cells in board.regions:
            yield self.names.definition(region), ", ".join([self.names.cell(board.cells[cell]) for cell in cells])

    def grounds(self, game: Game) -> dict[str, str]:
        """Return the titles of the terrains on the board now, each with its spaces."""
        cells = self.program.boards[game.world.board].cells
        spaces: dict[str, list[str]] = {}
        for number, cell in enumerate(cells):
            if name := self._ground(game, number):
                spaces.setdefault(name, []).append(self.names.cell(cell))
        return {name: ", ".join(names) for name, names in spaces.items()}

    def _spots(self, name: str, spots: str) -> str:
        """Return a name and the spaces that have it."""
        return self.names.say("does", with_capital(name), spots)

    # ── codes ──────────────────────────────────────────────────────────────────────────────────

    def _figure_codes(self) -> dict[int, str]:
        """Return two letters for each definition of a piece, all different."""
        layout = self.image.layout
        piece = layout.named.get("piece", -1)
        taken: set[str] = set()
        codes: dict[int, str] = {}
        for number, row in enumerate(self.program.definitions):
            if piece >= 0 and layout.descends(row.kind, piece):
                codes[number] = next(
                    code for code in _abbreviations(self.names.definition(number)) if code not in taken
                )
                taken.add(codes[number])
        return codes

    def _token_signs(self) -> dict[int, str]:
        """Return a different small letter for each token; `*` if all letters are taken."""
        taken: set[str] = set()
        signs: dict[int, str] = {}
        for number, row in enumerate(self.program.fields):
            if row.sort == "token":
                letters = [c for c in self.names.field(number).lower() if c.isalpha()]
                sign = next((c for c in (*letters, *"abcdefghijklmnopqrstuvwxyz") if c not in taken), "*")
                signs[number] = sign
                taken.add(sign)
        return signs


def _abbreviations(title: str) -> Iterable[str]:
    """Yield short codes for a title, the most descriptive first; then numbered ones without end.

    They have two letters, or begin with a letter and end with the number at the end of the title."""
    words = ["".join(c for c in word if c.isalnum()) for word in title.split()]
    words = [word for word in words if word]
    letters = "".join(words) or "X"
    if len(words) > 1 and words[-1].isdecimal():
        yield f"{words[0][0].upper()}{words[-1]}"
        yield f"{''.join(words[:-1])[:2].capitalize()}{words[-1]}"
    elif len(words) > 1:
        yield (words[0][0] + words[-1][0]).upper()
    yield letters[:2].capitalize()
    for other in letters[2:]:
        yield letters[0].upper() + other.lower()
    number = 1
    while True:
        yield f"{letters[0].upper()}{number}"
        number += 1
