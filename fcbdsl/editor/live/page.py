"""The live page, and its parts, which are sent again when they change.

All data from sources is untrusted: the template engine escapes it, and characters that could hide text are made
visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import PurePath
from typing import Any
from urllib.parse import urlencode

from fcbdsl.base import bounds, locales
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.base.visible import visible
from fcbdsl.editor.live import background_runner
from fcbdsl.editor.live.background_runner import TestName
from fcbdsl.editor.live.project_state import Choice, Desk, GameDesk, LiveFace, piece_key
from fcbdsl.print.export.webpage import dressing
from fcbdsl.print.layout.views import Style
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.looks import style_of
from fcbdsl.print.pieces.printables import is_sheet
from fcbdsl.print.pieces.web import all_drawings, fill_page, own_drawings
from fcbdsl.print.typeset.folders import TEMPLATES
from fcbdsl.print.typeset.glyphs import texts
from fcbdsl.project.workspace import Workspace

PARTS = ("status", "where", "shown", "problems", "tests", "games")
"""The parts of the page, by the ids of their elements."""
MOST_SHOWN = bounds.SHOWN_PROBLEMS
"""Most problems in the list; the page gives the number of the rest."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A place in a source: its line in three parts, with the middle one marked."""

    place: str
    before: str
    marked: str
    after: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding, prepared for the page."""

    severity: str
    code: str
    message: str
    advice: str
    notes: tuple[str, ...]
    places: tuple[Excerpt, ...]
    here: bool


@dataclass(frozen=True, slots=True)
class ShownTest:
    """A test: `state` is ``passed``, ``failed`` or ``waiting``; with the finding if it fails."""

    title: str
    file: str
    state: str
    failure: Problem | None = None


def whole_page(desk: Desk, choice: Choice) -> str:
    """Return the whole page in its present state."""
    with desk:
        style = style_of(desk.shown(choice)[0].space.model)
    values = _values(desk, choice)
    parts = {part: fill_page("live-part.html.j2", {**values, "part": part}) for part in PARTS}
    sheet = (TEMPLATES / "live.css").read_text(encoding="utf-8")
    return fill_page("live.html.j2", {**values, "parts": parts, "own_style": sheet, **dress(style)})


def parts_of(desk: Desk, choice: Choice) -> dict[str, str]:
    """Return the parts of the page in their present state."""
    values = _values(desk, choice)
    return {part: fill_page("live-part.html.j2", {**values, "part": part}) for part in PARTS}


@cache
def dress(style: Style) -> dict[str, object]:
    """Return the fonts, style and all drawings, cached since the shown pieces change often.

    The fonts are not extended for missing letters: the browser shows these in others.
    """
    return {**dressing([], style), "drawings": all_drawings()}


def script() -> str:
    """Return the script of the page."""
    return (TEMPLATES / "live.js").read_text(encoding="utf-8")


def _values(desk: Desk, choice: Choice) -> dict[str, Any]:
    with desk:
        game, at = desk.shown(choice)
        faces, fresh = desk.faces(game, at) if at.file else ((), True)
        problems = sorted(
            game.findings(), key=lambda problem: (problem.span.source.name != at.file, problem.severity != "error")
        )
        pieces = desk.pieces(game, at.file) if at.file else []
        title = next((piece.title or piece.id for piece in pieces if piece_key(piece) == at.piece), "")
        line = next((piece.span.line for piece in pieces if piece_key(piece) == at.piece), 0)
        own = [_test(game, test) for test in desk.tests_of(game, at)] if at.file else []
        shown = {(test.file, test.title) for test in own}
        return {
            "project": game.space.loader.project.title or game.space.loader.project.name or game.name or "fcb",
            "trouble": desk.trouble,
            "ended": desk.ended,
            "games": [game.name for game in desk.games],
            "links": {game.name: choice_link(game.name, next(iter(desk.files(game)), "")) for game in desk.games},
            "at": at,
            "follows": not choice.file,
            "title": title,
            "line": line,
            "files": _folders(desk.files(game), at, game),
            "pieces": [
                (
                    piece_key(piece),
                    piece.title or piece.id,
                    choice_link(at.game, at.file, piece_key(piece)),
                    table_link(game, piece_key(piece)),
                )
                for piece in pieces
            ],
            "table": table_link(game, at.piece),
            "painted": painter_link(desk, game, at.piece),
            "written": writer_link(at.game, at.file, line) if desk.editor and at.file else "",
            "editor": desk.editor,
            **shown_faces(game.space, faces, fresh),
            "tally": _tally(problems),
            "sound": game.sound,
            "problems": [shown_problem(problem, at.file) for problem in problems[:MOST_SHOWN]],
            "more": max(len(problems) - MOST_SHOWN, 0),
            "tests": sorted(own, key=lambda test: ("failed", "waiting", "passed").index(test.state)),
            "others": [_test(game, test) for test in game.failed if test not in shown],
            "passed": sum(test.state == "passed" for test in own),
            "tested": _tested(game),
            "failed": any(test in game.failed for test in game.tests),
            "running": game.running,
            "played": game.games,
            "missions": game.missions,
            "most_games": background_runner.MOST_GAMES,
            "lost": [(game_lost, urlencode({"game": game.name, "seed": game_lost.seed})) for game_lost in game.lost],
        }


def shown_faces(space: Workspace, faces: Sequence[LiveFace], fresh: bool) -> dict[str, object]:
    """Return what the template of printed forms needs. `fresh`: they are those of the present text."""
    return {
        "faces": faces,
        "is_sheet": any(face.map or _is_sheet(face) for face in faces),
        "fresh": fresh,
        "drawings_of_pack": own_drawings(texts(faces)),
        "names": {
            language: locales.interface_texts("webpage", language)["name"] for language in locales.rules_languages()
        },
        "sizes": sizes_of(space.model),
    }


def writer_link(game: str, file: str, line: int = 0) -> str:
    """Return the address that opens a file in the editor."""
    return "/write/?" + urlencode({"game": game, "file": file, **({"line": line} if line else {})})


def choice_link(game: str, file: str, piece: str = "") -> str:
    """Return the address of a choice."""
    query = {"game": game, "file": file, "piece": piece}
    return "/?" + urlencode({name: value for name, value in query.items() if value})


def table_link(game: GameDesk, piece: str) -> str:
    """Return the address that opens a table for a piece; empty if it is no mission, or while there are errors."""
    sort, _, id = piece.partition("/")
    definition = game.space.model.definitions.get((sort, id)) if game.sound else None
    return "/play/?" + urlencode({"game": game.name, "mission": id}) if definition and is_sheet(definition) else ""


def painter_link(desk: Desk, game: GameDesk, piece: str) -> str:
    """Return the address that paints the map of a mission; empty if the painter is off, or cannot paint it."""
    sort, _, id = piece.partition("/")
    definition = game.space.model.definitions.get((sort, id)) if desk.paints else None
    board = definition.board if definition is not None and is_sheet(definition) else None
    if board is None or not game.space.owns(board.span.source.name):
        return ""
    return "/map/paint?" + urlencode({"game": game.name, "mission": id})


def _is_sheet(face: LiveFace) -> bool:
    return face.view is not None and not hasattr(face.view, "back")


def _folders(files: Sequence[str], at: Choice, game: GameDesk) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """Return files by folder: for each its name, its value in a form, and whether it is shown."""
    out: dict[str, list[tuple[str, str, bool]]] = {}
    for name in files:
        path = PurePath(name)
        out.setdefault(path.parent.as_posix(), []).append((path.name, name, name == at.file))
    return list(out.items())


def _tally(problems: Iterable[Diagnostic]) -> str:
    counts = {"error": 0, "warning": 0}
    for problem in problems:
        counts[problem.severity] += 1
    counted = [f"{count} {noun}{'s' * (count != 1)}" for noun, count in counts.items() if count]
    return ", ".join(counted) or "no problems"


def _tested(game: GameDesk) -> str:
    """Return the state of the tests, in words."""
    if not game.sound:
        return "tests wait until there are no errors"
    if game.running and game.concerned:
        return f"{len(game.run)} of {game.concerned} tests run" if game.counted else f"running {game.concerned} tests"
    if game.running:
        return "looking which tests to run"
    failed = sum(test in game.failed for test in game.tests)
    if not game.tests:
        return "no tests"
    return f"{failed} of {len(game.tests)} tests failed" if failed else f"{len(game.tests)} tests passed"


def _test(game: GameDesk, test: TestName) -> ShownTest:
    failure = game.failed.get(test)
    if failure is None:
        return ShownTest(test[1], test[0], "passed")
    waits = not game.sound or (game.running and test not in game.run)
    return ShownTest(test[1], test[0], "waiting" if waits else "failed", shown_problem(failure, ""))


def shown_problem(problem: Diagnostic, file: str) -> Problem:
    """Return a finding for the page. `file`: the one that the page shows."""
    places = [_excerpt(problem.span), *(_excerpt(other.span, other.label) for other in problem.related)]
    return Problem(
        problem.severity,
        problem.code,
        visible(problem.message),
        visible(problem.advice),
        tuple(map(visible, problem.notes)),
        tuple(places),
        problem.span.source.name == file,
    )


def _excerpt(span: Span, label: str = "") -> Excerpt:
    line, column = span.source.position(span.start)
    text = span.source.line_text(line)
    start, end = column - 1, column - 1 + max(span.end - span.start, 1)
    return Excerpt(
        f"{span.source.name}:{line}:{column}",
        visible(text[:start]),
        visible(text[start:end]),
        visible(text[end:]),
        visible(label),
    )
