"""The maps of an open project, painted: each stroke is written to the file, and can be taken back byte for byte."""

from __future__ import annotations

import re
from typing import Any

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.files import CannotRead
from fcbdsl.base.visible import visible
from fcbdsl.editor.live.edit_journal import CannotTakeBack, EditJournal, FileHasChanged
from fcbdsl.editor.live.project_state import Desk, GameDesk
from fcbdsl.editor.lsp.word_places import in_file
from fcbdsl.editor.painter.graph_strokes import (
    GraphStroke,
    PathStroke,
    PlaceStroke,
    RemovalStroke,
    TitleStroke,
    UnlinkStroke,
    free_id,
    paint_graph,
    written_titles,
)
from fcbdsl.editor.painter.map_text import MapText, map_text, place_of
from fcbdsl.editor.painter.strokes import (
    CannotPaint,
    FillStroke,
    MarkStroke,
    SideStroke,
    Stroke,
    area,
    line,
    paint,
    ring,
)
from fcbdsl.language.model.content import Board, Cell, Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.print.export.dressing import board_looks, outline_path
from fcbdsl.print.layout.views import Sheet
from fcbdsl.print.pieces.printables import is_sheet
from fcbdsl.print.press.proofs import drawn_map, render_piece
from fcbdsl.project.analysis.source_pieces import text_hash
from fcbdsl.project.workspace import Workspace

_WORD = re.compile(r"([^\W\d]\w*(?:-\w+)*)(?: (?:[^\W\d]\w*(?:-\w+)*|\d+))?")
"""A name of a legend, perhaps with a number or a value."""
TOOLS = ("brush", "line", "fill", "ring")


class MapPainter:
    """Paints the maps of a project. Its methods may be called from several threads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._journal = EditJournal(desk)

    def maps(self) -> list[tuple[str, str]]:
        """Return the game and the id of each mission whose map can be painted."""
        with self._desk:
            return [
                (game.name, mission.id)
                for game in self._desk.games
                for mission in _missions(game.space)
                if game.space.owns(mission.span.source.name) and map_text(game.space, mission) is not None
            ]

    def state(self, game: str, mission: str) -> dict[str, Any]:
        """Return the map with all that the page shows of it. Raise CannotPaint if there is none."""
        with self._desk:
            desk, definition, drawn = self._drawn(game, mission)
            return self._state(desk, definition, drawn)

    def stroke(self, game: str, mission: str, seal: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Carry out a stroke on the text with this hash, and return the state.

        Raise CannotPaint, CannotRead or OSError; then no file has changed.
        """
        with self._desk:
            desk, definition, drawn = self._drawn(game, mission)
            if seal != text_hash(drawn.text):
                raise CannotPaint("The file has changed since. Look at the map again.")
            stroke = _graph_stroke(desk.space, drawn, asked) if drawn.is_graph else _stroke(drawn, asked)
            _check_names(desk.space, stroke)
            text = _painted(drawn, stroke)
            if text != drawn.text:
                _prove(desk.space, definition, drawn, stroke, text)
                try:
                    self._journal.write(drawn.file, drawn.text, text)
                except (FileHasChanged, OSError, CannotRead) as error:
                    desk.space.change(drawn.file, None)
                    if isinstance(error, FileHasChanged):
                        raise CannotPaint(f"{error} Look at the map again.") from error
                    raise
            return self._state(*self._drawn(game, mission))

    def take_back(self, game: str, mission: str, again: bool = False) -> dict[str, Any]:
        """Take back the last stroke, or do the last one that was taken back `again`. Raise CannotPaint."""
        with self._desk:
            try:
                self._journal.take_back(again)
            except CannotTakeBack as error:
                raise CannotPaint(str(error)) from error
            return self._state(*self._drawn(game, mission))

    # ── details ────────────────────────────────────────────────────────────────────────────────

    def _drawn(self, game: str, mission: str) -> tuple[GameDesk, Definition, MapText]:
        for desk in self._desk.games:
            for definition in _missions(desk.space) if desk.name == game else ():
                if definition.id != mission:
                    continue
                drawn = map_text(desk.space, definition)
                if drawn is None:
                    raise CannotPaint("This map cannot be painted: its lines have errors.")
                if not desk.space.owns(drawn.file):
                    raise CannotPaint(f"{drawn.file} comes with fcb.")
                return desk, definition, drawn
        raise CannotPaint("There is no such map in the project, or its file has errors.")

    def _state(self, desk: GameDesk, mission: Definition, drawn: MapText) -> dict[str, Any]:
        space, board = desk.space, drawn.board
        language = next(iter(space.loader.project.languages), "en")
        looks = board_looks(mission, space.model, language)
        view = render_piece(mission, space.model, language).view
        plan = view.map if isinstance(view, Sheet) else None
        outlines = (
            [outline_path(cell) for cell in plan.cells] if plan is not None else [cell.path for cell in looks.cells]
        )
        middles = [(f"{cell.centre.x}", f"{cell.centre.y}") for cell in plan.cells] if plan is not None else [
            (cell.x, cell.y) for cell in looks.cells]  # fmt: skip
        rows = drawn.text.split("\n")
        first, last = in_file(drawn.line.whole)[0], in_file(drawn.line.whole)[2]
        sides = {frozenset(pair): barrier for pair, barrier in board.sides.items()}
        cells = [
            {
                "id": cell.id,
                "path": path,
                "x": middle[0],
                "y": middle[1],
                "words": drawn.words_of(cell),
                "glyph": drawn.glyph_of(cell),
                "place": [place_of(cell)[0] - first, place_of(cell)[1]],
            }
            for cell, path, middle in zip(board.cells, outlines, middles, strict=True)
        ]
        edges = [
            {
                "first": board.cells[edge.first].id,
                "second": board.cells[edge.second].id,
                "path": edge.path,
                "barrier": sides.get(frozenset((board.cells[edge.first].id, board.cells[edge.second].id)), ""),
            }
            for edge in looks.edges
        ]
        model = space.model
        return {
            "title": mission.name.title.get(language) or mission.name.title.get("en") or mission.id,
            "file": drawn.file,
            "seal": text_hash(drawn.text),
            "svg": drawn_map(view) if isinstance(view, Sheet) else looks.svg,
            "width": f"{plan.width:.2f}" if plan is not None else looks.width,
            "height": f"{plan.height:.2f}" if plan is not None else looks.height,
            "cells": cells,
            "edges": edges,
            "palette": _palette(drawn),
            "graph": _graph(drawn, language, space) if drawn.is_graph else None,
            "terrains": [
                name
                for name, terrain in model.terrains.items()
                if terrain.on_board or (name == "incomplete" and not drawn.is_graph)
            ],
            "marks": [*model.marks, *_pieces(drawn, model)],
            "tokens": [field.id for field in model.kinds["space"].fields.values() if field.sort == "token"],
            "barriers": list(drawn.barriers),
            "rows": rows[first : last + 1],
            "row": first + 1,
            "problems": [
                _problem(problem, board) for problem in desk.space.problems() if problem.span.source.name == drawn.file
            ],
            "undo": len(self._journal.done),
            "redo": len(self._journal.undone),
        }


def _missions(space: Workspace) -> list[Definition]:
    return [
        definition
        for definition in space.model.definitions.values()
        if is_sheet(definition) and definition.board is not None
    ]


def _palette(drawn: MapText) -> list[dict[str, Any]]:
    """Return the contents that can be painted: the entries of the legend, or the contents of places."""
    if not drawn.is_graph:
        return [
            {"glyph": entry.glyph, "words": entry.words, "own": entry.own}
            for entry in drawn.entries.values()
            if not entry.barrier
        ]
    contents = dict.fromkeys(words for cell in drawn.board.cells if (words := drawn.words_of(cell)))
    return [{"glyph": "", "words": words, "own": True} for words in contents]


def _pieces(drawn: MapText, model: Model) -> list[str]:
    """Return the pieces and regions that the map names."""
    fields = model.kinds["space"].fields
    words = dict.fromkeys(word for entry in _palette(drawn) for word in entry["words"])
    return [word for word in words if word not in {*model.marks, *model.terrains} and word.split()[0] not in fields]


def _graph(drawn: MapText, language: str, space: Workspace) -> dict[str, Any]:
    """Return the paths of a map of places, the directions that they can have, and the titles of the places."""
    board = drawn.board
    pairs: dict[frozenset[str], tuple[str, str, str]] = {}
    for first, second, way in board.links:
        pairs.setdefault(frozenset((first, second)), (first, second, way))
    named = space.model.directions
    ways = board.directions or tuple(dict.fromkeys(way for _, _, way in board.links if way))
    return {
        "links": [{"first": first, "second": second, "way": way} for first, second, way in pairs.values()],
        "ways": [
            {"way": way, "title": (named[way].title.get(language) if way in named else "") or way} for way in ways
        ],
        "titles": {cell.id: _written_titles(drawn, cell.id) for cell in board.cells},
        "languages": list(dict.fromkeys(("en", *space.loader.project.languages))),
    }


def _written_titles(drawn: MapText, place: str) -> dict[str, str]:
    line = drawn.place_line(place)
    return written_titles(line) if line is not None else {}


def _problem(problem: Diagnostic, board: Board) -> dict[str, Any]:
    """Return a problem with the spaces that it points at, or that its message names."""
    span = in_file(problem.span)
    words = set(problem.message.replace(",", " ").replace("`", " ").replace(".", " ").split())
    spaces = [
        cell.id
        for cell in board.cells
        if cell.id in words
        or (cell.span is not None and in_file(cell.span)[0] == span[0] == span[2] and _meet(cell, span))
    ]
    return {
        "code": problem.code,
        "severity": problem.severity,
        "text": visible(problem.message),
        "help": visible(problem.advice),
        "line": span[0] + 1,
        "spaces": spaces,
    }


def _meet(cell: Cell, span: tuple[int, int, int, int]) -> bool:
    _, start, end = place_of(cell)
    return start < max(span[3], span[1] + 1) and span[1] < end


def _stroke(drawn: MapText, asked: dict[str, Any]) -> Stroke:
    """Return the stroke that a page asks for. Raise CannotPaint if it is none."""
    cells = {cell.id for cell in drawn.board.cells}
    match asked:
        case {"tool": "side", "spaces": [str(first), str(second)], "barrier": str(barrier)}:
            return SideStroke(first, second, barrier)
        case {"tool": str(tool), "spaces": [*spaces]} if (
            tool in TOOLS and spaces and cells.issuperset(space for space in spaces if isinstance(space, str))
        ):
            names = [str(space) for space in spaces]
            if not cells.issuperset(names):
                raise CannotPaint("There is no such space.")
            if tool == "line":
                names = [*line(drawn, names[0], names[-1])]
            elif tool == "fill":
                names = [*area(drawn, names[0])]
            elif tool == "ring":
                radius = asked.get("radius")
                names = [*ring(drawn, names[0], radius if isinstance(radius, int) else 1)]
        case _:
            raise CannotPaint("fcb does not understand this stroke.")
    match asked:
        case {"mark": str(word), "on": bool(on)}:
            return MarkStroke(tuple(names), word, on)
        case {"words": [*words]}:
            return FillStroke(tuple(names), tuple(map(str, words)))
    raise CannotPaint("fcb does not understand this stroke.")


def _graph_stroke(space: Workspace, drawn: MapText, asked: dict[str, Any]) -> GraphStroke:
    """Return the stroke on a map of places that a page asks for. Raise CannotPaint if it is none."""
    match asked:
        case {"tool": "brush", "spaces": [str(), *_] as places, "mark": str(word), "on": bool(on)}:
            return MarkStroke(tuple(map(str, places)), word, on)
        case {"tool": "brush", "spaces": [str(), *_] as places, "words": [*words]}:
            return FillStroke(tuple(map(str, places)), tuple(map(str, words)))
        case {"tool": "path", "spaces": [str(first), str(second)], "way": str(way)}:
            return PathStroke(first, second, way)
        case {"tool": "disconnect", "spaces": [str(first), str(second)]}:
            return UnlinkStroke(first, second)
        case {"tool": "place", "from": str(origin), "way": str(way), "titles": dict(titles), "words": [*words]}:
            named = {str(language): str(title) for language, title in titles.items()}
            model = space.model
            taken = {id for _, id in model.definitions}.union(
                model.terrains, model.marks, model.barriers, model.directions, model.kinds["space"].fields,
                drawn.board.zones, (cell.id for cell in drawn.board.cells),
            )  # fmt: skip
            return PlaceStroke(free_id(named, taken), named, tuple(map(str, words)), origin, way)
        case {"tool": "remove", "spaces": [str(place)]}:
            return RemovalStroke(place)
        case {"tool": "title", "spaces": [str(place)], "titles": dict(titles)}:
            return TitleStroke(place, {str(language): str(title) for language, title in titles.items()})
    raise CannotPaint("fcb does not understand this stroke.")


def _painted(drawn: MapText, stroke: Stroke | GraphStroke) -> str:
    """Return the text of the file after a stroke. Raise CannotPaint."""
    if drawn.is_graph and not isinstance(stroke, SideStroke):
        return paint_graph(drawn, stroke)
    assert isinstance(stroke, FillStroke | MarkStroke | SideStroke)
    return paint(drawn, stroke)


def _check_names(space: Workspace, stroke: Stroke | GraphStroke) -> None:
    """Raise CannotPaint if a name of a stroke means nothing on a space."""
    model = space.model
    fields = model.kinds["space"].fields
    for word in (
        stroke.words
        if isinstance(stroke, FillStroke | PlaceStroke)
        else (stroke.word,)
        if isinstance(stroke, MarkStroke)
        else ()
    ):
        match = _WORD.fullmatch(word)
        name = match[1] if match else ""
        ids = {id for _, id in model.definitions}
        if name not in ids and name not in fields and name not in model.terrains and name not in model.marks:
            raise CannotPaint(f"There is no terrain, token, mark or piece `{word}`.")


def _content(cell: Cell) -> tuple[object, ...]:
    """Return what the text says about a space."""
    values = sorted((name, repr(value.expr)) for name, value in cell.values.items())
    return (cell.terrain, sorted(cell.tokens.items()), sorted(cell.marks), sorted(cell.places), values)


def _facts(board: Board, cell: Cell) -> tuple[object, ...]:
    """Return what the text says about a space, its regions included, and where it is or how it is called."""
    regions = sorted(region for region, spaces in board.regions.items() if cell.id in spaces)
    where = sorted(cell.name.title.items()) if board.sort == "graph" else (cell.x, cell.y)
    return (*_content(cell), regions, where)


def _prove(space: Workspace, mission: Definition, drawn: MapText, stroke: Stroke | GraphStroke, text: str) -> None:
    """Raise CannotPaint unless the new text means the same map, apart from the stroke."""
    space.change(drawn.file, text)
    try:
        definition = next((definition for definition in _missions(space) if definition.id == mission.id), None)
        after = map_text(space, definition) if definition is not None else None
        if after is None:
            raise CannotPaint("The map would not be readable anymore.")
        _prove_spaces(drawn, after, stroke)
        if isinstance(stroke, FillStroke):
            wrong = [cell.id for cell in after.board.cells
                     if cell.id in stroke.spaces and sorted(after.words_of(cell)) != sorted(stroke.words)]  # fmt: skip
            if wrong:
                raise CannotPaint(f"{wrong[0]} would not get this content.")
        _prove_groups(drawn.board, after.board)
        _prove_sides(drawn.board, after.board, stroke)
        _prove_links(drawn.board, after.board, stroke)
    except CannotPaint:
        space.change(drawn.file, None)
        raise


def _prove_spaces(drawn: MapText, after: MapText, stroke: Stroke | GraphStroke) -> None:
    before = {cell.id: _facts(drawn.board, cell) for cell in drawn.board.cells}
    now = {cell.id: _facts(after.board, cell) for cell in after.board.cells}
    painted: set[str] = set()
    match stroke:
        case FillStroke(spaces=spaces) | MarkStroke(spaces=spaces):
            painted = {*spaces}
        case PlaceStroke(id=place) | TitleStroke(place=place):
            painted = {place}
        case RemovalStroke(place=place):
            before.pop(place)
    if {cell: what for cell, what in now.items() if cell not in painted} != {
        cell: what for cell, what in before.items() if cell not in painted
    }:
        raise CannotPaint("The stroke would change other spaces, too.")
    if not painted <= now.keys():
        raise CannotPaint("The stroke would remove a space.")
    cells = {cell.id: cell for cell in after.board.cells}
    if isinstance(stroke, PlaceStroke | TitleStroke):
        place = next(iter(painted))
        line = after.place_line(place)
        titles = written_titles(line) if line is not None else {}
        if any(titles.get(language, "") != title for language, title in stroke.titles.items()):
            raise CannotPaint(f"{place} would not get this title.")
        old = next((cell for cell in drawn.board.cells if cell.id == place), None)
        words = stroke.words if isinstance(stroke, PlaceStroke) else drawn.words_of(old) if old is not None else ()
        if after.words_of(cells[place]) != words:
            raise CannotPaint(f"{place} would not get this content.")


def _prove_groups(before: Board, after: Board) -> None:
    if (before.zones, before.routes, before.joins) != (after.zones, after.routes, after.joins):
        raise CannotPaint("The stroke would change groups of spaces, too.")


def _prove_sides(before: Board, after: Board, stroke: Stroke | GraphStroke) -> None:
    sides = {frozenset(pair): barrier for pair, barrier in before.sides.items()}
    if isinstance(stroke, SideStroke):
        pair = frozenset((stroke.first, stroke.second))
        sides.pop(pair, None)
        sides |= {pair: stroke.barrier} if stroke.barrier else {}
    if {frozenset(pair): barrier for pair, barrier in after.sides.items()} != sides:
        raise CannotPaint("The stroke would change other sides, too.")


def _prove_links(before: Board, after: Board, stroke: Stroke | GraphStroke) -> None:
    """Raise CannotPaint unless only the paths that the stroke is about have changed."""
    if before.sort != "graph":
        return
    wanted: tuple[str, str, str] | None = None
    pair: frozenset[str] = frozenset()
    removed = ""
    match stroke:
        case PathStroke(first=first, second=second, way=way):
            wanted, pair = (first, second, way), frozenset((first, second))
        case PlaceStroke(id=id, origin=origin, way=way) if origin:
            wanted, pair = (origin, id, way), frozenset((origin, id))
        case UnlinkStroke(first=first, second=second):
            pair = frozenset((first, second))
        case RemovalStroke(place=place):
            removed = place
    old, new = (
        {link for link in board.links if {*link[:2]} != pair and removed not in link[:2]} for board in (before, after)
    )
    there = {link for link in after.links if {*link[:2]} == pair or removed in link[:2]}
    if old != new:
        raise CannotPaint("The stroke would change other paths, too.")
    if (wanted is None and there) or (wanted is not None and wanted not in there):
        raise CannotPaint("The path would not be as asked for.")
