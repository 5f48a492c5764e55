"""The looks of a mission at a table in the browser: its bare board, its symbols, and the faces of its cards as HTML.

A dressing is plain data beside a program, in one language. It needs neither Typst nor Jinja to be shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fcbdsl.base.cache import result_key
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Board, Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES, Paragraph
from fcbdsl.language.prose.titles import Naming
from fcbdsl.machine.vm import serialization
from fcbdsl.print.export.webpage import dressing as page_dressing
from fcbdsl.print.layout.views import Card, CellView, GaugeView, Sheet, TrackView
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.looks import style_of
from fcbdsl.print.pieces.map_drawing import Drawer
from fcbdsl.print.pieces.maps import map_of
from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.pieces.sheets import goal_sections
from fcbdsl.print.pieces.web import fill_page, fragment, symbol_id
from fcbdsl.print.press.proofs import render_piece

LABEL = 2.6
"""The size of the names of spaces, in the units of the drawing."""


@dataclass(frozen=True, slots=True)
class TableLook:
    """How a thing looks: a drawing (a symbol of the sprite), its colour, and a letter or two instead of a drawing.
    `face`: the face of its card as HTML; `wide`: its width in millimetres."""

    title: str
    drawing: str
    colour: str
    letter: str = ""
    face: str = ""
    wide: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A space: its name, its middle, its outline as an SVG path, its marks, and the symbol of its ground."""

    id: str
    name: str
    x: str
    y: str
    path: str
    marks: tuple[str, ...] = ()
    ground: TableLook | None = None


@dataclass(frozen=True, slots=True)
class BoardEdge:
    """The lines between two spaces, as an SVG path."""

    first: int
    second: int
    path: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class BoardLooks:
    """A board without anything that can move or change. `alt`: its description in words."""

    width: str
    height: str
    unit: str
    svg: str
    alt: str
    cells: tuple[BoardCell, ...]
    edges: tuple[BoardEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class BarrierLook:
    """How a barrier is drawn: ``wall``, ``door`` or ``gap``; and its letter, if others are drawn alike."""

    style: str
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A titled block of the mission sheet as HTML. `goal`: the table shows it all the time."""

    title: str
    html: str
    goal: bool = False


@dataclass(frozen=True, slots=True)
class TrackStep:
    """The text of the effect when a track reaches one of the values `at`."""

    at: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Dressing:
    """The looks of a mission in one language.

    `fonts` and `style`: the style sheet of faces, for elements inside ``.faces``; `sprite`: its drawings. `looks`: by
    ``kind/id``; `tokens`: looks of tokens on spaces, by title; `tracks`: the steps of countdowns, by ``kind/id``.
    """

    mission: str
    language: str
    title: str
    fonts: str
    style: str
    sprite: str
    passages: tuple[Passage, ...]
    looks: dict[str, TableLook]
    tokens: dict[str, TableLook]
    barriers: dict[str, BarrierLook]
    tracks: dict[str, tuple[TrackStep, ...]]
    board: BoardLooks | None = None

    def to_json(self) -> bytes:
        """Return the dressing as canonical JSON."""
        return serialization.canonical(serialization.encode(self))

    def name(self) -> str:
        """Return the name that follows from the content."""
        return result_key([self.to_json()])[:20]


def dressing_of(mission: Definition, model: Model, language: str) -> Dressing:
    """Make the dressing of a mission."""
    naming = Naming(model, LANGUAGES[language], mission.id, mission.span)
    sheet = render_piece(mission, model, language).view
    assert isinstance(sheet, Sheet)
    drawer = Drawer(mission.board, model, naming) if mission.board is not None else None
    faces = dict(_faces(model, language))
    looks = dict(_looks(model, language, faces, drawer))
    tokens = dict(_tokens(model, drawer)) if drawer is not None else {}
    passages = tuple(_passages(sheet, mission, model))
    plan = _board(mission.board, model, naming, drawer) if mission.board is not None and drawer is not None else None
    grounds = [cell.ground for cell in plan.cells if cell.ground is not None] if plan is not None else []
    drawings = sorted({look.drawing for look in (*looks.values(), *tokens.values(), *grounds)})
    worn = page_dressing([list(faces.values()), sheet, drawings], style_of(model))
    return Dressing(
        mission=mission.id,
        language=language,
        title=sheet.title,
        fonts=fragment("words.html.j2", "dressed", worn["fonts"], ""),
        style=f".faces {{ {str(worn['style']).replace(':root', '&')} }}",
        sprite=fragment("words.html.j2", "all_drawings", worn["drawings"]),
        passages=passages,
        looks={name: _named(look) for name, look in looks.items()},
        tokens={name: _named(look) for name, look in tokens.items()},
        barriers=_barriers(drawer) if drawer is not None else {},
        tracks=_tracks(sheet, mission),
        board=plan
        and replace(
            plan, cells=tuple(replace(cell, ground=cell.ground and _named(cell.ground)) for cell in plan.cells)
        ),
    )


def board_looks(mission: Definition, model: Model, language: str) -> BoardLooks:
    """Make the looks of a mission's board alone."""
    assert mission.board is not None
    naming = Naming(model, LANGUAGES[language], mission.id, mission.span)
    return _board(mission.board, model, naming, Drawer(mission.board, model, naming))


def _named(look: TableLook) -> TableLook:
    """Return a look with the id of its drawing in the sprite."""
    return replace(look, drawing=symbol_id(look.drawing))


# ── the board ──────────────────────────────────────────────────────────────────────────────────


def _board(board: Board, model: Model, naming: Naming, drawer: Drawer) -> BoardLooks:
    bare = replace(
        board,
        cells=[replace(cell, tokens={}, values={}, marks=[], places=[]) for cell in board.cells],
        sides={},
        side_values={},
    )
    drawn = map_of(bare, model, naming)
    plain = tuple(replace(cell, symbols=()) for cell in drawn.cells)
    first = board.cells[0].id
    left, top = (
        drawn.cells[0].centre.x - drawer.plots[first].centre.x,
        drawn.cells[0].centre.y - drawer.plots[first].centre.y,
    )
    return BoardLooks(
        width=f"{drawn.width:.2f}",
        height=f"{drawn.height:.2f}",
        unit=f"{drawn.unit:g}",
        svg=fill_page("map.svg.j2", {"map": replace(drawn, cells=plain), "label": LABEL}),
        alt=map_of(board, model, naming).alt,
        cells=tuple(_cell(view, [drawer.title(mark) for mark in cell.marks if _is_named(drawer, mark)])
                    for view, cell in zip(drawn.cells, board.cells, strict=True)),
        edges=tuple(_edges(board, drawer, left, top)),
    )  # fmt: skip


def _is_named(drawer: Drawer, mark: str) -> bool:
    return bool(drawer.model.marks[mark].name.title) if mark in drawer.model.marks else False


def _cell(view: CellView, marks: Sequence[str]) -> BoardCell:
    grounds = [TableLook(symbol.alt, symbol.drawing, symbol.colour, symbol.letter) for symbol in view.symbols]
    ground = grounds[0] if grounds else None
    return BoardCell(
        view.id, view.name, f"{view.centre.x}", f"{view.centre.y}", outline_path(view), tuple(marks), ground
    )


def outline_path(view: CellView) -> str:
    """Return the outlines of a space as an SVG path."""
    return "".join("M" + " ".join(f"{p.x},{p.y}" for p in outline) + "Z" for outline in view.outlines)


def _edges(board: Board, drawer: Drawer, left: float, top: float) -> Iterator[BoardEdge]:
    """Yield the lines between neighbours on which a barrier can be drawn."""
    if board.sort == "graph":
        return
    numbers = {cell.id: number for number, cell in enumerate(board.cells)}
    lines_of: dict[tuple[int, int], list[tuple[float, float, float, float]]] = {}
    for (start, end), owners in drawer.borders():
        if len(owners) == 2:
            first, second = sorted(numbers[cell.id] for cell in owners)
            line = (start.x + left, start.y + top, end.x + left, end.y + top)
            lines_of.setdefault((first, second), []).append(line)
    for (first, second), lines in lines_of.items():
        path = "".join(f"M{a:.2f},{b:.2f}L{c:.2f},{d:.2f}" for a, b, c, d in lines)
        a, b, c, d = lines[len(lines) // 2]
        yield BoardEdge(first, second, path, f"{(a + c) / 2:.2f}", f"{(b + d) / 2:.2f}")


def _barriers(drawer: Drawer) -> dict[str, BarrierLook]:
    out = {}
    for barrier in drawer.model.barriers.values():
        letter = drawer.letter(barrier.id, drawer.title(barrier.id)) if barrier.id in drawer.alike else ""
        out[barrier.id] = BarrierLook(drawer.fence(barrier.id), letter)
    return out


# ── pieces and cards ───────────────────────────────────────────────────────────────────────────


def _faces(model: Model, language: str) -> Iterator[tuple[str, Card]]:
    register = PieceRegister(model, printable(model))
    for definition in printable(model):
        if not is_sheet(definition):
            view = render_piece(definition, model, language).view
            if isinstance(view, Card):
                yield view.key, register.piece(definition, view, "one").card


def _looks(
    model: Model, language: str, faces: dict[str, Card], drawer: Drawer | None
) -> Iterator[tuple[str, TableLook]]:
    sizes = sizes_of(model)
    for kind, id in model.definitions:
        name = f"{kind}/{id}"
        card = faces.get(name)
        symbol = drawer.symbol(id) if drawer is not None and (card is None or not card.drawing) else None
        if card is None and symbol is None:
            continue
        title = card.title if card is not None else drawer.title(id) if drawer is not None else id
        drawing = (
            card.drawing if card is not None and card.drawing else symbol.drawing if symbol is not None else "plain"
        )
        colour = symbol.colour if symbol is not None and card is None else card.colour if card is not None else ""
        size = sizes[card.size] if card is not None else None
        yield (
            name,
            TableLook(
                title=title,
                drawing=drawing,
                colour=colour,
                letter=symbol.letter if symbol is not None else "",
                face=fragment("card.html.j2", "face", card, size) if card is not None else "",
                wide=f"{size.width:g}" if size is not None else "",
                high=f"{size.height:g}" if size is not None else "",
            ),
        )


def _tokens(model: Model, drawer: Drawer) -> Iterator[tuple[str, TableLook]]:
    """Yield the looks of tokens on spaces, by the titles that a scene gives them."""
    for kind in model.kinds.values():
        for field in kind.fields.values():
            if field.sort != "token":
                continue
            symbol = drawer.symbol(field.id)
            title = field.name.title.get(drawer.naming.language.code) or field.name.title.get("en", "") or field.id
            if symbol is not None:
                yield title, TableLook(title, symbol.drawing, symbol.colour, symbol.letter)


# ── the mission sheet ──────────────────────────────────────────────────────────────────────────


def _passages(sheet: Sheet, mission: Definition, model: Model) -> Iterator[Passage]:
    goals = [section.title for section in goal_sections(mission, model, sheet.language)]
    for section in sheet.sections:
        html = fragment("words.html.j2", "prose", section.text)
        yield Passage(section.title, html, section.title in goals)
    blocks: list[TrackView | GaugeView] = [*sheet.tracks, *sheet.gauges]
    for track in blocks:
        if track.text:
            yield Passage(track.title, fragment("words.html.j2", "prose", track.text))
    for title, text in sheet.keywords:
        yield Passage(title, fragment("words.html.j2", "prose", text))


def _tracks(sheet: Sheet, mission: Definition) -> dict[str, tuple[TrackStep, ...]]:
    """Return the text of each step of the countdowns of a mission."""
    countdowns = [track for track in mission.tracks if track.sort == "countdown"]
    return {
        f"{track.sort}/{track.id}": tuple(_track_step(paragraph, track.high) for paragraph in view.text)
        for track, view in zip(countdowns, sheet.tracks, strict=True)
    }


def _track_step(paragraph: Paragraph, high: int) -> TrackStep:
    """Return a paragraph of a track, and the values in its heading. A heading without numbers means `high`."""
    head = "".join(run.text for run in paragraph.runs if run.style == "heading")
    text = "".join(run.text for run in paragraph.runs if run.style not in ("heading", "icon"))
    return TrackStep(tuple(map(int, re.findall(r"\d+", head))) or ((high,) if head else ()), text.strip())
