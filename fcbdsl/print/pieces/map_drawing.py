"""Draws the spaces, lines and routes of a board to scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import atan2, degrees, sqrt

from fcbdsl.base import locales
from fcbdsl.base.source import Span
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Cell
from fcbdsl.language.model.declarations import Field, Name, Terrain
from fcbdsl.language.model.geometry import numbers_of, shape_of
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.titles import Naming, without_agreement
from fcbdsl.machine.geometry.shape import Shape
from fcbdsl.print.layout.floors import slabs
from fcbdsl.print.layout.plots import RADIUS, Edge, Outline, Plot, edges, plots_of, rings
from fcbdsl.print.layout.plots import borders as borders_of
from fcbdsl.print.layout.views import (
    CellView,
    GroundView,
    Point,
    RouteView,
    SideView,
    Symbol,
)
from fcbdsl.print.pieces.chips import colour_of
from fcbdsl.print.pieces.initials import figure_marks, initials, is_figure, other_initials
from fcbdsl.print.pieces.looks import PLAIN_GROUND, ground_look, layout_of, symbol_of, symbol_title
from fcbdsl.print.pieces.map_lines import sides_of_grid
from fcbdsl.print.pieces.model_facts import ModelFacts

SPACING = 3.2
"""Distance between hatching lines."""
STYLES = (
    "faint",
    "thin",
    "bold",
    "gap",
    "door",
    "wall",
    "rope",
    "route",
    "region",
    "solid",
    "crossed",
    "hatched",
    "void",
    "tinted",
    "partial",
)
"""Styles of line, in the order of drawing (later ones on top); then of ground."""
PAVED = ("plain", "solid", "tinted")
"""Styles of ground with a floor, where spaces are rooms."""
UNDECLARED = "#fbf8f1"
"""The color of things without a symbol."""
APART = 1.5
"""Distance between routes that share spaces."""
NOWHERE = Point(0.0, 0.0)
_NO_PLOT = Plot(NOWHERE, (), ())
"""The geometry of every space of a map without places."""


class Drawer:
    """One board being drawn; collects the legend in order of first appearance.

    With the `facts` of its model it is only checked: all spaces and lines have the same place, and lines without words
    are left out."""

    def __init__(
        self,
        board: Board,
        model: Model,
        naming: Naming,
        facts: ModelFacts | None = None,
    ) -> None:
        self.board = board
        self.model = model
        self.naming = naming
        self.placed = facts is None
        self._facts = facts
        self.legend: dict[tuple[Symbol, str], int] = {}
        self.lines: dict[str, dict[str, list[str]]] = {}  # by style: the titles drawn with it, with their remarks
        self.cells = {cell.id: cell for cell in board.cells}
        self.plots = plots_of(board) if self.placed else dict.fromkeys(self.cells, _NO_PLOT)
        self.letters: dict[str, str] = {}  # of things without a symbol, by name
        self._titles: dict[str, str] = {}  # of grounds and barriers, by name
        self._looks: dict[tuple[str, str], GroundView | None] = {}  # by name and style of a ground
        self._textured: dict[str, bool] = {}  # by name of a ground
        self._symbols: dict[tuple[str, int], tuple[Symbol, str] | None] = {}  # with their words, by name and number
        self._placed = {id: definition for (_, id), definition in reversed(model.definitions.items())}
        standing = dict.fromkeys(board.sides.values())
        barriers = [barrier for barrier in self.model.barriers.values() if barrier.id in standing]
        self.alike = [barrier.id for at, barrier in enumerate(barriers) if self._rivals(barrier, barriers[:at])]
        grounds = [ground for ground in map(self.ground, board.cells) if ground is not None]
        grounds = [ground for ground in dict.fromkeys(grounds) if symbol_of(model, ground.id, "") is None]
        self.alike += [ground.id for ground in grounds if self._doubles(ground, grounds)]

    def _rivals(self, barrier: Terrain, others: list[Terrain]) -> bool:
        """Return whether one of `others` on the map is drawn like a barrier."""
        return any(other is not barrier and self.fence(other.id) == self.fence(barrier.id) for other in others)

    def _doubles(self, ground: Terrain, others: list[Terrain]) -> bool:
        """Return whether another ground of the map is drawn like one that only its style identifies."""
        style = ground_style(ground)
        return style not in {"plain", "partial"} and any(
            other is not ground and ground_style(other) == style for other in others
        )

    def spoken(self, cells: Sequence[CellView]) -> str:
        """Return the words of the map for a screen reader: its spaces, and the places of things, regions, barriers and
        routes."""
        names = {cell.id: cell.name for cell in cells}
        there = [cell.name for cell in cells if cell.style != "partial" and cell.name]
        words = locales.interface_texts("sheets", self.naming.language.code)
        sentences = [words["spaces"].format(count=len(there), first=there[0], last=there[-1])] if there else []
        spots: dict[str, list[str]] = {}
        for cell in cells:
            ground = [cell.ground.title] if cell.ground is not None else []
            for thing in dict.fromkeys([*ground, *(mark.alt for mark in cell.symbols)]):
                if thing:
                    spots.setdefault(thing, []).append(cell.name)
        for name, spaces in self.board.regions.items():
            spots.setdefault(self.region_title(name), []).extend(names[space] for space in spaces if space in names)
        for (one, other), id in self.board.sides.items():
            barrier = self.model.barriers.get(id)
            if barrier is not None and names.get(one) and names.get(other):
                signs = [sign for sign, _ in self._own(barrier, [self.cells[one], self.cells[other]])]
                title = " ".join([self._title(barrier), *signs])
                spots.setdefault(title, []).append(f"{names[one]}–{names[other]}")
        route = with_capital(without_agreement(self.naming.language.nouns["route"].one))
        for name in self.board.routes:
            stops = [names[stop] for stop in self.board.zones[name] if stop in names]
            spots.setdefault(f"{route} {self.board.route_letter(name)}".strip(), []).extend(stops)
        sentences += [
            words["spots"].format(thing=thing, spaces=", ".join(filter(None, where))) for thing, where in spots.items()
        ]
        return self.naming.language.finish(". ".join(sentences))

    def cell(self, cell: Cell) -> CellView:
        """Return the view of a space with its contents."""
        plot, ground = self.plots[cell.id], self.ground(cell)
        style = ground_style(ground)
        things = [self.symbol(name, number) for name, number in self._things(cell, ground)]
        symbols = tuple([symbol for symbol in things if symbol is not None])
        look = self.look(ground, style)
        told_by_line = (
            style == "plain" or look is not None or (style == "hatched" and ground is not None and ground.gives_cover)
        )
        lettered = ground is not None and ground.id in self.alike
        if ground is not None and not told_by_line and not lettered and symbol_of(self.model, ground.id, "") is None:
            self._named(style, ground)
        return CellView(
            id=cell.id,
            name=self.naming.language.finish(with_capital(self.naming.space(cell))),
            centre=plot.centre,
            outlines=plot.outlines,
            style=style,
            hatching=ground_lines(style, plot.outlines) if look is None and self.placed else (),
            symbols=symbols,
            low=round(max(0.0, RADIUS - plot.half), 2),
            floor=slabs(plot.outlines) if self._is_room(style) and look is None else (),
            ground=look,
        )

    def _is_room(self, style: str) -> bool:
        """Return whether a space with a style of ground has a floor."""
        return self.board.sort == "areas" and style in PAVED and self.placed

    def _things(self, cell: Cell, ground: Terrain | None) -> list[tuple[str, int]]:
        """Return the names of the symbols on a space: ground with a symbol, tokens, titled values, marks, pieces.

        Each has a number: the count of a token that can occur several times, the value of a number, else 0.
        """
        own = [(cell.terrain, 0)] if ground is not None and not self._has_texture(ground) else []
        if not (cell.tokens or cell.values or cell.marks or cell.places):
            return own  # as most spaces of a map
        tokens = [(name, 0 if self._single(name) else count) for name, count in cell.tokens.items() if count]
        marked = [(name, 0) for name in (*cell.marks, *cell.places)]
        return [*own, *tokens, *self._values(cell), *marked]

    def ground(self, cell: Cell) -> Terrain | None:
        """Return the declared ground of a space."""
        return self.model.terrains.get(cell.terrain)

    def _has_texture(self, ground: Terrain) -> bool:
        """Return whether a ground has a texture in place of its symbol. A letter is drawn in any case."""
        if ground.id not in self._textured:
            self._textured[ground.id] = self._is_textured(ground)
        return self._textured[ground.id]

    def _is_textured(self, ground: Terrain) -> bool:
        symbol = symbol_of(self.model, ground.id, "", self.naming.language.code)
        lettered = symbol is not None and symbol.letter != ""
        return not lettered and self.look(ground, ground_style(ground)) is not None

    def look(self, ground: Terrain | None, style: str) -> GroundView | None:
        """Return the texture of a ground. The legend has its title unless the ground is plain."""
        key = (ground.id if ground is not None else PLAIN_GROUND, style)
        if key not in self._looks:
            self._looks[key] = self._look(ground, style)
        return self._looks[key]

    def _look(self, ground: Terrain | None, style: str) -> GroundView | None:
        if style == "partial":
            return None
        if ground is None or ground.id == PLAIN_GROUND:
            return ground_look(self.model, self.names_of(PLAIN_GROUND))
        symbol = symbol_of(self.model, ground.id, "", self.naming.language.code)
        lettered = symbol is not None and symbol.letter != ""  # the legend has the letter
        return ground_look(self.model, [ground.id], "" if lettered else self._title(ground))

    def names_of(self, ground: str) -> list[str]:
        """Return the names that can have a texture in `layout grounds:`: of plain ground also the id of a mission."""
        return self._plain_names if ground == PLAIN_GROUND else [ground]

    @cached_property
    def _plain_names(self) -> list[str]:
        own = [definition.id for definition in self.model.definitions.values() if definition.board is self.board]
        return [*own, PLAIN_GROUND]

    def _values(self, cell: Cell) -> Iterator[tuple[str, int]]:
        """Yield the initial titled numbers above 0 of a space, and its titled flags."""
        for name, value in cell.values.items():
            constant = value.expr.value if isinstance(value.expr, ir.Const) and value.field.name.title else 0
            if constant > 0 and value.field.type in (ir.NUMBER, ir.FLAG):
                yield name, constant if value.field.type == ir.NUMBER else 0

    def _single(self, token: str) -> bool:
        """Return whether a space has at most one of a token."""
        return any(kind.fields[token].limit == 1 for kind in self.model.kinds.values() if token in kind.fields)

    def symbol(self, name: str, number: int = 0) -> Symbol | None:
        """Return the symbol of a name on the map.

        Pieces without one get the symbol of their kind and a letter, several tokens their number.
        """
        if (name, number) not in self._symbols:
            self._symbols[name, number] = self._made_symbol(name, number)
        drawn = self._symbols[name, number]
        if drawn is None:
            return None
        self.legend[drawn] = self.legend.get(drawn, 0) + 1
        return drawn[0]

    def _made_symbol(self, name: str, number: int) -> tuple[Symbol, str] | None:
        """Return the symbol of a name on the map, and its words in the legend."""
        placed = self._placed.get(name)
        is_explained = placed is not None or symbol_of(self.model, name, "") is not None
        if not is_explained and name in self.model.terrains and name not in self.alike:
            return None  # its ground shows it
        title = self.title(name)
        symbol = symbol_of(self.model, name, title, self.naming.language.code)
        if not is_explained:
            self.naming.unmarked(name, self.declared(name))
            symbol = Symbol("plain", UNDECLARED, self.letter(name, title), title)
        if symbol is None and placed is not None:
            symbols = (symbol_of(self.model, kind.id, title) for kind in placed.kind.lineage())
            base = next((symbol for symbol in symbols if symbol is not None), Symbol("plain", "#8c1d18", "", title))
            colour = colour_of(placed, self.model) if is_figure(placed) else base.colour
            symbol = Symbol(base.drawing, colour, self.letter(name, title), title)
        if symbol is not None and number and (number > 1 or symbol.drawing == "plain"):
            title = self.naming.language.bound(f"{title} {number}")
            symbol = Symbol(symbol.drawing, symbol.colour, str(number), title)
        return None if symbol is None else (symbol, title)

    def letter(self, name: str, title: str) -> str:
        """Return a letter or two for something that nothing else identifies, unique on the map.

        For a figure these are the letters of its disc, for a barrier those of the aid.
        """
        if name not in self.letters:
            taken = [*self.letters.values(), *(symbol.letter for symbol, _ in self.legend)]
            declared = symbol_of(self.model, name, title, self.naming.language.code)
            mark = self.marks.get(name, "") or (declared.letter if declared is not None else "")
            self.letters[name] = mark if mark and mark not in taken else other_initials(title, taken)
        return self.letters[name]

    @cached_property
    def marks(self) -> Mapping[str, str]:
        """Return the marks of figures, as on their discs."""
        return figure_marks(self.model, self.naming) if self._facts is None else self._facts.marks(self.naming)

    def title(self, name: str) -> str:
        """Return the title of a mark, ground or barrier in the legend."""
        declared = self._name(name)
        if name in self.model.marks:
            return self.naming.language.finish(with_capital(self.naming.mark(name)))
        if declared is None or not declared.title.get(self.naming.language.code):
            title = symbol_title(self.model, name, self.naming.language.code)
            first = declared.title.get(REFERENCE, "") if declared is not None else ""
            if not title:
                first = first or symbol_title(self.model, name, REFERENCE)
                title = self.naming.missing(name, self.board.span, first)
            return self.naming.language.finish(title)
        title = self.naming.title(declared, name)
        piece = self._placed.get(name)
        carded = piece is not None and layout_of(piece.kind, self.model) is not None
        return self.naming.language.finish(self.naming.language.headline(title) if carded else with_capital(title))

    def declared(self, name: str) -> Span:
        """Return the place where a name on the map is declared."""
        for table in (self.model.terrains, self.model.barriers, self.model.marks):
            if name in table:
                return table[name].span
        fields = (kind.fields[name] for kind in self.model.kinds.values() if name in kind.fields)
        return next((field.span for field in fields), self.board.span)

    def _name(self, name: str) -> Name | None:
        if name in self.model.terrains:
            return self.model.terrains[name].name
        for kind in self.model.kinds.values():
            if name in kind.fields and (kind.fields[name].sort == "token" or kind.id == "space"):
                return kind.fields[name].name
        return self._placed[name].name if name in self._placed else None

    # ── lines ────────────────────────────────────────────────────────────────

    def sides(self) -> list[SideView]:
        """Return every edge of every space once, in its style; barriers last, so that they are on top."""
        if self._facts is not None:
            return self._worded_sides(self._facts)
        if self.board.sort == "graph":
            return [SideView(a, b, "thin") for plot in self.plots.values() for a, b in edges(plot.outlines[0])]
        drawn = [
            SideView(start, end, self._style(owners), self._side_letter(owners))
            for (start, end), owners in self.borders()
        ]
        return sorted(drawn, key=lambda side: STYLES.index(side.style))

    def _worded_sides(self, facts: ModelFacts) -> list[SideView]:
        """Return the sides that have words in the legend or on the map: barriers, and edges of cover; without their
        places."""
        if self.board.sort == "graph":
            return []
        ends = {name: None for side in self.board.sides for name in side}
        covers = {cell.id: None for cell in self.board.cells if self._is_worded_cover(self.ground(cell))}
        return [
            SideView(NOWHERE, NOWHERE, self._style(owners), self._side_letter(owners))
            for owners in (facts.sides(self.board) if ends or covers else ())
            if all(cell.id in ends for cell in owners) or (covers and any(cell.id in covers for cell in owners))
        ]

    def _is_worded_cover(self, ground: Terrain | None) -> bool:
        """Return whether the legend explains the edges of a ground that gives cover."""
        return ground is not None and ground.gives_cover and self.look(ground, ground_style(ground)) is None

    def borders(self) -> Iterator[tuple[Edge, list[Cell]]]:
        """Yield each line between two spaces, or at the rim of one, with these spaces."""
        if self.board.sort == "areas":
            covers = {cell.id: cell.covers for cell in self.board.cells}
            for edge, names in borders_of(covers, self.plots):
                yield edge, [self.cells[name] for name in names]
            return
        rims = [edges(self.plots[cell.id].outlines[0]) for cell in self.board.cells]
        for number, at, owners in sides_of_grid(self.board, self._shape):
            yield rims[number][at], owners

    @cached_property
    def _shape(self) -> Shape:
        return shape_of(self.board)

    def _side_letter(self, owners: Sequence[Cell]) -> str:
        """Return the letter of the barrier between two spaces, if others are drawn like it."""
        barrier = self._barrier(owners)
        if barrier is None:
            return ""
        letter = self.letter(barrier.id, self._title(barrier)) if barrier.id in self.alike else ""
        return letter + "".join(sign for sign, _ in self._own(barrier, owners))

    def _style(self, owners: Sequence[Cell]) -> str:
        """Return the style of the side between two spaces (or at the edge of one)."""
        barrier = self._barrier(owners)
        if barrier is not None:
            remarks = [words for _, words in self._words(self._common(barrier))]
            remarks += self._explained(self._own(barrier, owners))
            return self._named(self.fence(barrier.id), barrier, remarks)
        grounds = [ground for ground in map(self.ground, owners) if ground is not None]
        covering = next((ground for ground in grounds if ground.gives_cover), None)
        if covering is not None:
            return "bold" if self.look(covering, ground_style(covering)) else self._named("bold", covering)
        if len(grounds) == len(owners) and not any(ground.on_board for ground in grounds):
            return "faint"
        return "thin"

    def _own(self, barrier: Terrain, owners: Sequence[Cell]) -> list[tuple[str, str]]:
        """Return the initial values of a side that differ from those of other sides with its barrier: a sign and words
        for each."""
        a, b = owners[0].id, owners[1].id
        own = self.board.side_values.get((a, b)) or self.board.side_values.get((b, a)) or {}
        values = dict(barrier.values) | {value.field: value.expr for value in own.values() if value.expr is not None}
        return self._words({field: expr for field, expr in values.items() if field not in self._common(barrier)})

    def _common(self, barrier: Terrain) -> dict[Field, ir.Expr]:
        """Return the common initial values of all sides of the map with a barrier."""
        own = [values for side, values in self.board.side_values.items() if self.board.sides.get(side) == barrier.id]
        changed = {value.field.id for values in own for value in values.values()}
        return {field: expr for field, expr in barrier.values if field.id not in changed}

    def _words(self, values: dict[Field, ir.Expr]) -> list[tuple[str, str]]:
        """Return titled numbers above 0 and flags: a sign for each, and its words."""
        remarks: list[tuple[str, str]] = []
        for field, expr in values.items():
            if (
                isinstance(expr, ir.Const)
                and expr.value > 0
                and field.name.title
                and field.type in (ir.NUMBER, ir.FLAG)
            ):
                title = self.naming.single(field)
                counts = field.type == ir.NUMBER
                remarks.append((str(expr.value), f"{title} {expr.value}") if counts else (initials(title), title))
        return remarks

    def _explained(self, signs: list[tuple[str, str]]) -> list[str]:
        """Return what the signs at a side mean: a number is the value of its field (``number = lock``)."""
        number = locales.interface_texts("sheets", self.naming.language.code)["number on it"]
        remarks = [
            (number, words.removesuffix(f" {sign}")) if sign.isdecimal() else (sign, words) for sign, words in signs
        ]
        return [f"{sign} = {self.naming.language.bound(words)}" for sign, words in remarks]

    def _barrier(self, owners: Sequence[Cell]) -> Terrain | None:
        if len(owners) != 2:
            return None
        a, b = owners[0].id, owners[1].id
        barrier = self.board.sides.get((a, b)) or self.board.sides.get((b, a))
        return self.model.barriers[barrier] if barrier is not None else None

    def _named(self, style: str, ground: Terrain | None, remarks: Sequence[str] = ()) -> str:
        """Record a style of line or ground for the legend, and return the style. `remarks`: remarks on it."""
        if ground is None:
            noun = self.naming.language.nouns["route" if style == "route" else "space"]
            title = self.naming.language.finish(with_capital(without_agreement(noun.one)))
        else:
            title = self._title(ground)
            if ground.id in self.alike and ground.id in self.model.barriers:
                title = f"{title} ({self.letter(ground.id, title)})"
        lines = self.lines.setdefault(style, {}).setdefault(title, [])
        lines += [words for words in remarks if words not in lines]
        return style

    def rows(self, style: str) -> list[tuple[str, str]]:
        """Return the rows of the legend for a style: one, except for regions, whose sorts have separate colors."""
        titles = self.titles_in_style(style)
        return [(style, text) for text in titles] if style == "region" else [(style, ", ".join(titles))]

    def titles_in_style(self, style: str) -> list[str]:
        """Return the titles that are drawn in a style, with their remarks."""
        rows = self.lines[style].items()
        return [
            f"{title} ({self.naming.language.finish(', '.join(remarks))})" if remarks else title
            for title, remarks in rows
        ]

    def region_title(self, name: str) -> str:
        """Return the name of a region of the map."""
        region = self._placed[name]
        return self.naming.language.finish(with_capital(self.naming.title(region.name, name)))

    def kind_title(self, name: str) -> str:
        """Return the sort of a region of the map."""
        kind = self._placed[name].kind
        return self.naming.language.finish(with_capital(self.naming.title(kind.name, kind.id)))

    def _title(self, ground: Terrain) -> str:
        """Return the title of a ground or a barrier."""
        if ground.id not in self._titles:
            self._titles[ground.id] = self._made_title(ground)
        return self._titles[ground.id]

    def _made_title(self, ground: Terrain) -> str:
        nouns = self.naming.language.nouns
        if not ground.name.title and ground.id in nouns:
            noun = nouns[ground.id]
        else:
            noun = self.naming.noun(ground.name, ground.id, ground.span)
        return self.naming.language.finish(with_capital(without_agreement(noun.one)))

    def fence(self, barrier: str) -> str:
        """Return the drawing of a barrier: ``gap``, ``wall`` or ``door``.

        A gap stops nothing. A wall is a barrier that never opens; if the game declares none, it is the first declared
        one that blocks movement and sight. In a game with a `hinge`, every barrier that blocks both and has none is a
        wall.
        """
        declared = self.model.barriers[barrier]
        if not declared.blocks_movement and not declared.blocks_sight:
            return "gap"
        if any(other.hinge for other in self.model.barriers.values()):
            return "wall" if declared.blocks_movement and declared.blocks_sight and not declared.hinge else "door"
        closed = [b for b in self.model.barriers.values() if b.blocks_movement and b.blocks_sight]
        walls = [b for b in closed if b.never_opens] or closed[:1]
        return "wall" if declared in walls or not closed else "door"

    def ropes(self) -> list[SideView]:
        """Return the lines between spaces that marks join, from rim to rim of their symbols."""
        drawn: list[SideView] = []
        for first, second, mark in self.board.joins:
            title = self.title(mark)
            self.lines.setdefault("rope", {}).setdefault(title, [])
            a, b = self.plots[first].centre, self.plots[second].centre
            share = 0.5 * RADIUS / max(sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2), 1.0)
            drawn.append(SideView(point_between(a, b, share), point_between(b, a, share), "rope"))
        return drawn

    def links(self) -> list[SideView]:
        """Return the links between places of a graph."""
        if self.board.sort != "graph":
            return []
        links: dict[tuple[str, str], SideView] = {}
        for start, end, _ in self.board.links:
            key = (min(start, end), max(start, end))
            if start in self.cells and end in self.cells and key not in links:
                links[key] = SideView(self.plots[start].centre, self.plots[end].centre, "thin")
        return list(links.values())

    # ── routes ───────────────────────────────────────────────────────────────

    def routes(self) -> list[RouteView]:
        """Return every route as a line through the centers of its spaces, closed if its end is next to its
        beginning."""
        views: list[RouteView] = []
        for at, name in enumerate(self.board.routes):
            stops = self.board.zones[name]
            if not stops:
                continue
            self._named("route", None)
            closed = len(stops) > 2 and stops[0] != stops[-1] and self._next_to(stops[-1], stops[0])
            shift = (at - (len(self.board.routes) - 1) / 2) * APART
            middles = [self.plots[stop].centre for stop in stops + stops[: 1 if closed else 0]]
            points = tuple(Point(middle.x + shift, middle.y + shift) for middle in middles)
            label = Point(middles[0].x - RADIUS * 0.55, middles[0].y - RADIUS * 0.5)
            arrows = tuple(step_arrow(a, b) for a, b in pairwise(points) if a != b)
            views.append(RouteView(self.board.route_letter(name), label, points, arrows))
        return views

    def _next_to(self, first: str, second: str) -> bool:
        """Return whether two spaces are neighbors."""
        numbers = numbers_of(self.board)
        return numbers[second] in self._shape.neighbours[numbers[first]]


def ground_style(ground: Terrain | None) -> str:
    """Return the style of the ground of a space."""
    if ground is None:
        return "plain"
    if not ground.on_board:
        return "partial"
    if ground.blocks_sight:
        return "solid" if ground.blocks_movement else "crossed"
    if ground.blocks_movement or ground.gives_cover:
        return "hatched"
    if not ground.footing:
        return "void"
    return "plain" if ground.id == "plain" else "tinted"


def step_arrow(start: Point, end: Point, share: float = 0.58) -> tuple[Point, float]:
    """Return the head of an arrow past the middle of a line, or at a `share` of it, and its direction."""
    tip = Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
    return tip, round(degrees(atan2(end.y - start.y, end.x - start.x)), 1)


def ground_lines(style: str, outlines: Sequence[Outline]) -> tuple[Edge, ...]:
    """Return the lines of a ground inside its outlines."""
    if style == "crossed":
        turned = hatching([tuple(Point(-point.x, point.y) for point in outline) for outline in outlines])
        return (*hatching(outlines), *((Point(-a.x, a.y), Point(-b.x, b.y)) for a, b in turned))
    return hatching(outlines) if style == "hatched" else depths(outlines) if style == "void" else ()


def depths(outlines: Sequence[Outline]) -> tuple[Edge, ...]:
    """Return two smaller copies of the outlines, one inside the other: the edges of a pit."""
    return tuple(edge for by in (1.5, 3.0) for edge in rings(outlines, by))


def point_between(a: Point, b: Point, share: float) -> Point:
    """Return the point at a share of the line from a to b."""
    return Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)


def hatching(outlines: Sequence[Outline]) -> tuple[Edge, ...]:
    """Return rising diagonal lines, SPACING apart, cut to outlines: inside after each odd crossing."""
    sums = [point.x + point.y for outline in outlines for point in outline]
    lines: list[Edge] = []
    level = (int(min(sums) // SPACING) + 1) * SPACING
    while level < max(sums):
        crossings = [
            crossing
            for outline in outlines
            for start, end in edges(outline)
            if (crossing := _crossing(start, end, level)) is not None
        ]
        crossings.sort(key=lambda point: point.x)
        lines += [(a, b) for a, b in zip(crossings[::2], crossings[1::2], strict=True) if b.x - a.x > 0.5]
        level += SPACING
    return tuple(lines)


def _crossing(start: Point, end: Point, level: float) -> Point | None:
    """Return where an edge crosses the line x + y = level; a corner on it belongs to the edge beyond."""
    a, b = start.x + start.y - level, end.x + end.y - level
    if (a < 0) == (b < 0):
        return None
    share = a / (a - b)
    return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
