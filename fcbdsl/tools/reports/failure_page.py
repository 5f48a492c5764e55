"""Failing tests as a single web page without scripts: expectation, observation, board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcbdsl.base import resources
from fcbdsl.base.records import dataclass
from fcbdsl.base.visible import visible
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.session.view import View
from fcbdsl.play.testing.content_tests import Result, run_test
from fcbdsl.tools.reports import charts

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics import Diagnostic
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.program import Program

AROUND = 3
"""Lines of a source that are shown before the one that fails."""


@dataclass(frozen=True, slots=True)
class BoardSpace:
    """A space with its contents: the codes of pieces with their names, its ground in words, and the pieces' line."""

    name: str
    middle: charts.Point
    path: str
    codes: str
    pieces: tuple[str, ...]
    ground: str


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """The board of a game in its present state: its extent, its spaces, and the lines between them."""

    left: int
    top: int
    width: int
    height: int
    net: bool
    spaces: tuple[BoardSpace, ...]
    lines: tuple[tuple[charts.Point, charts.Point], ...]

    @property
    def grounds(self) -> list[str]:
        """Return the grounds in use that are not plain."""
        return list(dict.fromkeys(space.ground for space in self.spaces if space.ground))


@dataclass(frozen=True, slots=True)
class FailedOne:
    """A failing test for the page. `rows`: lines of its source with numbers; the last one fails."""

    title: str
    place: str
    covers: tuple[str, ...]
    rows: tuple[tuple[int, str], ...]
    expected: str
    seen: str
    trace: tuple[str, ...]
    board: DrawnBoard | None
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TestedGame:
    """A game with its tests: the number of passed ones, and those that failed."""

    name: str
    passed: int
    failed: tuple[FailedOne, ...]


def tested_game(
    name: str, program: Program | None, results: Sequence[Result], findings: Sequence[Diagnostic]
) -> TestedGame:
    """Return the data of a game for the page; `findings`: those of its failed tests, in order. These are played once
    more."""
    if program is None:
        return TestedGame(name, 0, ())
    image = Image(program)
    failed = [result for result in results if result.failure is not None]
    shown = tuple(_failed(image, result, finding) for result, finding in zip(failed, findings, strict=True))
    return TestedGame(name, len(results) - len(failed), shown)


def render_failure_page(games: Sequence[TestedGame]) -> str:
    """Return the page."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resources.package_folder() / "tools" / "reports" / "templates"),
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    failed = sum(len(game.failed) for game in games)
    passed = sum(game.passed for game in games)
    return environment.get_template("failures.html.j2").render(games=games, failed=failed, passed=passed)


def _failed(image: Image, result: Result, finding: Diagnostic) -> FailedOne:
    """Play a failing test up to its failure, and return the data for the page."""
    assert result.failure is not None
    ends: list[Game] = []
    run_test(image, result.number, once=True, seen=ends.append)
    game, view = ends[-1], View(image)
    drawn = game.world.board >= 0
    board = view.board(game).split("\n") if drawn else []
    line, column = finding.span.source.position(finding.span.start)
    first = max(line - AROUND, 1)
    return FailedOne(
        result.title,
        f"{finding.span.source.name}:{line}:{column}",
        result.covers,
        tuple((number, visible(finding.span.source.line_text(number))) for number in range(first, line + 1)),
        visible(result.failure.expected),
        visible(result.failure.seen),
        tuple(visible(note) for note in result.failure.notes if note not in board),
        _board(view, game) if drawn else None,
        tuple(view.pieces(game)) if drawn else (),
    )


def _board(view: View, game: Game) -> DrawnBoard:
    board = view.program.boards[game.world.board]
    names = {cell.name: 0 for cell in board.cells if _on_board(view, game, cell.name)}
    drawn = charts.heat_map(view.program, board, names)
    cells = {cell.name: number for number, cell in enumerate(board.cells)}
    spaces = [_space(view, game, space, cells[space.name]) for space in drawn.spaces]
    return DrawnBoard(drawn.left, drawn.top, drawn.width, drawn.height, drawn.net, tuple(spaces), drawn.lines)


def _on_board(view: View, game: Game, name: str) -> bool:
    """Return whether a space is part of the board: some terrains mark holes."""
    cells = view.program.boards[game.world.board].cells
    terrain = game.terrain(next(number for number, cell in enumerate(cells) if cell.name == name))
    return terrain < 0 or view.program.terrains[terrain].on_board


def _space(view: View, game: Game, space: charts.HeatSpace, number: int) -> BoardSpace:
    terrain = game.terrain(number)
    pieces = [thing for thing in game.placed_pieces() if game.cell(thing) == number]
    return BoardSpace(
        space.short,
        space.middle,
        space.path,
        " ".join(view.drawing.code(thing) for thing in pieces),
        tuple(view.names.thing(game, thing) for thing in pieces),
        view.names.value(game, "terrain", terrain) if terrain >= 0 else "",
    )
