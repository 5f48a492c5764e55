"""Tokens, markers, discs for figures, trackers and tables of dice: the pieces besides cards, sheets and aids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.locales import interface_texts
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.counts import number_of_copies
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Die, Field
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.views import CardRoom, DieTable, Disc, DiscBack, Supplies, Symbol
from fcbdsl.print.pieces.aids import AidMaker
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.cards import drawing_for
from fcbdsl.print.pieces.chips import PrintedFields, colour_of, of_missions
from fcbdsl.print.pieces.copy_bounds import placed_alone
from fcbdsl.print.pieces.initials import FIGURE as FIGURE_KIND
from fcbdsl.print.pieces.initials import figure_marks, is_figure, other_initials
from fcbdsl.print.pieces.looks import TO_CUT, look_of_kind, space_width, symbol_of
from fcbdsl.print.pieces.markers import NUMBERS, MarkerLine, marker_lines
from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.pieces.sets import Walked, changed_grounds, marked_changes, needed_for
from fcbdsl.print.pieces.sheets import sheet_of
from fcbdsl.print.pieces.tree_walk import keywords_of, nodes_below

COMMON = 6
"""The faces of a die that everybody has."""
LEAST = 6
"""Copies of a token that effects may bring, if no map shows more."""
GROUND = "#5d4a1e"
"""The color of the disc of a ground without a symbol."""
MOST = 12
"""Most copies of a marker, and of a stacked one."""
FIGURE, MARKER = 0.8, 0.6
"""Diameter of the discs of figures and markers, relative to a space of a map at playing scale."""


def supplies_of(
    model: Model, language: str, mission: Definition | None = None, players: int = 0
) -> tuple[Supplies, list[Diagnostic]]:
    """Return the supplies that a table needs (discs, tokens, markers), and their problems.

    They are for a mission and its `players`, else for the whole game.
    """
    maker = _Maker(model, language, mission, players)
    return maker.supplies(), maker.problems


class _Maker(AidMaker):
    """The supplies of a table under construction."""

    def __init__(self, model: Model, language: str, mission: Definition | None, players: int) -> None:
        super().__init__(model, language)
        self.mission = mission
        self.players = players
        self.texts = of_missions(interface_texts("tokens", language), self.naming)
        scope = needed_for(mission, model) if mission is not None else list(model.definitions.values())
        shown = printable(model)
        self.scope = [definition for definition in scope if definition in shown]
        self.on_table = [
            definition
            for definition in scope
            if definition in shown or look_of_kind(definition.kind, model).size == TO_CUT
        ]
        self.bounded = placed_alone(mission, model) if mission is not None else {}
        self.lines = marker_lines(model)
        self.marks = figure_marks(model, self.naming)
        missions = [definition for definition in model.definitions.values() if definition.board is not None]
        self.boards = [
            definition.board
            for definition in ([mission] if mission is not None else missions)
            if definition.board is not None
        ]

    def supplies(self) -> Supplies:
        plain = self.aid("aid", ())
        sheet = sheet_of(self.mission, self.model, self.language)[0] if self.mission is not None else None
        discs = (*self.figures(), *self.declared(), *self.counters_to_cut())
        discs += tuple(self.grounds([disc.title for disc in discs]))
        space = space_width(self.model)
        return Supplies(
            key=f"tokens/{self.mission.id if self.mission is not None else self.model.system}",
            language=self.language,
            style=plain.style,
            seed=plain.seed,
            title=sheet.title if sheet is not None else plain.title,
            type_line=self.texts["tokens"],
            colour=plain.colour,
            ink=plain.ink,
            components=tuple(self.components(discs)),
            figure_size=round(FIGURE * space, 1),
            marker_size=round(MARKER * space, 1),
            discs=discs,
            numbers=tuple(str(at) for at in range(1, NUMBERS + 1) for _ in range(2)),
            tracks=sheet.tracks if sheet is not None else (),
            marked=self.marked_card(),
            gauges=sheet.gauges if sheet is not None else (),
            dice=tuple(self.table(die) for die in self.model.dice.values() if die.name.title),
            words=interface_texts("sheets", self.language) | self.texts,
            footer=plain.footer,
        )

    # ── pieces to cut ────────────────────────────────────────────────────────

    def figures(self) -> list[Disc]:
        """Return a disc for each copy of each figure, with its mark.

        Copies differ by number and, if the look of their kind has areas for markers, by the colors of these.
        """
        discs: list[Disc] = []
        declared = [line.name for line in self.lines]
        for definition in self.on_table:
            kinds = [kind.id for kind in definition.kind.lineage()]
            if is_figure(definition) and not any(kind in declared for kind in kinds):
                title = self.title(definition.name, definition.id, definition.span)
                symbol = Symbol("plain", colour_of(definition, self.model), self.marks[definition.id], title)
                rims = [self.rim(area) for area in look_of_kind(definition.kind, self.model).areas]
                count = self.copies(definition)
                for at in range(count):
                    has_rim = count <= len(rims)
                    rim = rims[at] if has_rim else ""
                    pattern = at + 1 if has_rim and len(rims) > 1 else 0
                    number = str(at + 1) if count > 1 or pattern else ""
                    discs.append(Disc(title, symbol, number, rim, 1, True, pattern, self.drawn(definition)))
        return discs

    def copies(self, definition: Definition) -> int:
        """Return the copies of a figure: as many as the mission can bring, if that is known, else all."""
        return self.bounded.get((definition.kind.id, definition.id), number_of_copies(definition))

    def drawn(self, definition: Definition) -> str:
        """Return the drawing on a piece to cut."""
        return drawing_for(definition, PrintedFields(definition, self.model, self.language)) or "plain"

    def declared(self) -> list[Disc]:
        """Return the discs that `layout tokens:` declares; those in a mission's file only for that mission."""
        discs: list[Disc] = []
        for line in self.lines:
            counter = next((k.fields[line.name] for k in self.model.kinds.values() if line.name in k.fields), None)
            if counter is not None and not self.here(counter):
                continue
            if line.each:
                discs += [disc for definition in self.each(line) for disc in self.of_each(line, definition)]
            else:
                title = self.called(line.name, line.titles, line.span)
                symbol = self.symbol(line.name, title) or Symbol("plain", "#222222", "", title)
                back = self.back(line, None, "")
                for count, value in line.lots:
                    discs.append(Disc(title, symbol, str(value) if value else "", "", count, figure=False, back=back))
        return discs

    def each(self, line: MarkerLine) -> list[Definition]:
        """Return the definitions for which a line wants a marker each."""
        return [
            definition for definition in self.on_table if any(self.is_of(definition, *asked) for asked in line.each)
        ]

    def is_of(self, definition: Definition, kind: str, keyword: str) -> bool:
        """Return whether a definition is of a kind and, if a keyword is given, uses it.

        It may use it itself, through definitions that are for it alone, or through those that it comes with.
        """
        if all(each.id != kind for each in definition.kind.lineage()):
            return False
        if not keyword:
            return True
        values = [value.expr for value in definition.values.values() if value.expr is not None]
        given = {node.id for node in nodes_below(values) if isinstance(node, ir.Def)}
        its = [other for other in self.model.definitions.values() if other.target is definition or other.id in given]
        return any(form.id == keyword for each in (definition, *its) for form in keywords_of(each))

    def of_each(self, line: MarkerLine, definition: Definition) -> list[Disc]:
        """Return the discs for a definition: with its initials or, if the line has `shows`, with a field on the
        symbol."""
        title = self.title(definition.name, definition.id, definition.span)
        own = symbol_of(self.model, definition.id, title, self.language) or self.symbol(line.name, title)
        drawing = own.drawing if own is not None else self.drawn(definition)
        shown = self.field(line.shows, definition) if line.shows else ""
        symbol = Symbol(drawing, colour_of(definition, self.model), "" if shown else self.marks[definition.id], title)
        lots = line.lots or ((self.copies(definition), 0),)
        back = self.back(line, definition, symbol.letter if symbol.letter.isdecimal() else "")
        figure = is_figure(definition) and any(line.name == kind for kind, _ in line.each)
        return [Disc(title, symbol, shown, "", count, figure, back=back) for count, _ in lots]

    def field(self, word: str, definition: Definition) -> str:
        """Return the text of a field of a definition."""
        chip = PrintedFields(definition, self.model, self.language).chip(word)
        return chip.value if chip is not None else ""

    def back(self, line: MarkerLine, definition: Definition | None, number: str) -> DiscBack | None:
        """Return the other face of a line's disc; `number`: the one on its face."""
        if not line.back:
            return None
        column = definition.kind.find(line.back) if definition is not None else None
        if definition is not None and column is not None and column.type.base == "number":
            number = self.field(line.back, definition)
        title = self.called(line.back, line.back_titles, line.span)
        return DiscBack(self.symbol(line.back, title) or Symbol("plain", "#5d6166", "", title), number, title)

    def marked_card(self) -> CardRoom | None:
        """Return the card for the marked spaces of tracks."""
        kind = (
            self.model.kinds.get(look_of_kind(self.mission.kind, self.model).marked)
            if self.mission is not None
            else None
        )
        if kind is None:
            return None
        size = sizes_of(self.model)[look_of_kind(kind, self.model).size]
        title = self.naming.kind(kind).one
        return CardRoom(self.naming.language.finish(with_capital(title)), size.width, size.height)

    def rim(self, area: str) -> str:
        symbol = symbol_of(self.model, area, "")
        return symbol.colour if symbol is not None else ""

    def counters_to_cut(self) -> list[Disc]:
        """Return a disc for each status and token with a symbol that no line declares.

        Those of mission files are only for their missions.
        """
        discs: list[Disc] = []
        declared = [line.name for line in self.lines]
        for kind in self.model.kinds.values():
            for field in kind.fields.values():
                counts = field.sort in {"status", "token"} and field.id not in declared
                if counts and field.name.title and self.here(field):
                    title = self.title(field.name, field.id, field.span)
                    symbol = self.symbol(field.id, title)
                    if symbol is not None:
                        discs.append(Disc(title, symbol, "", "", self.count(field), figure=False))
        return discs

    def grounds(self, titles: Sequence[str]) -> Iterator[Disc]:
        """Yield discs for each ground that spaces become, to place on the spaces.

        Their number is that of the changing spaces on a map at the start; it is a fixed one if other spaces change,
        there are too many to cut, or the number is unknown.
        """
        scenes = [
            definition
            for definition in self.model.definitions.values()
            if is_sheet(definition) and definition.board is not None
        ]
        asked = scenes if self.mission is None else [self.mission]
        walked = Walked()
        each = [(scene.board, changed_grounds(scene, self.model, walked)) for scene in asked]
        changed = [id for id in self.model.terrains if any(id in own for _, own in each)]
        needed: dict[str, int] = {}
        for board, own in each:
            if board is not None and any(cell.terrain in changed for cell in board.cells):
                there = sum(1 for cell in board.cells if cell.terrain in own)
                needed |= {id: max(needed.get(id, 0), min(there or LEAST, LEAST)) for id in own}
        for scene in asked:
            needed |= marked_changes(scene, self.model) if self.mission is not None else {}
        for id in changed:
            ground = self.model.terrains[id]
            title = self.title(ground.name, id, ground.span)
            if ground.name.title and title not in titles:
                letters = other_initials(title, self.marks.values())
                symbol = self.symbol(id, title) or Symbol("plain", GROUND, letters, title)
                yield Disc(title, symbol, "", "", needed.get(id, LEAST), figure=False)

    def here(self, field: Field) -> bool:
        """Return whether a field may come into play: that of a system or pack, but not that of another mission."""
        if self.mission is None or field.span.beside(self.mission.span):
            return True
        if field.sort in {"status", "token"} and not self.borne(field):
            return False
        return bool(field.system) or not any(
            field.span.beside(definition.span) for definition in self.model.definitions.values() if is_sheet(definition)
        )

    def borne(self, field: Field) -> bool:
        """Return whether a figure of the mission can bear a status; markers of spaces always have a place."""
        owners = [kind for kind in self.model.kinds.values() if kind.fields.get(field.id) is field]
        of_figures = [kind for kind in owners if any(above.id == FIGURE_KIND for above in kind.lineage())]
        return not of_figures or any(
            kind in definition.kind.lineage() for definition in self.on_table for kind in of_figures
        )

    def count(self, field: Field) -> int:
        """Return the copies of a marker, within bounds.

        Tokens have as many as a map shows, and at least some for effects. Statuses have one for each figure that may
        have them.
        """
        if field.sort == "token":
            shown = [sum(cell.tokens.get(field.id, 0) for cell in board.cells) for board in self.boards]
            return max([LEAST, *shown])
        bearers = [
            definition for definition in self.scope if any(kind.id == field.kind for kind in definition.kind.lineage())
        ]
        figures = sum(self.copies(bearer) for bearer in bearers)
        return max(1, min(MOST, figures if field.limit == 1 else MOST))

    # ── dice ─────────────────────────────────────────────────────────────────

    def table(self, die: Die) -> DieTable:
        """Return a die as a table: equal consecutive faces share a row.

        A die with plain numbers from 1 on has one row and a replacement by drawing; a die that everybody has has no
        rows.
        """
        shown = [self.face(die, face) for face in die.faces]
        faces = len(shown)
        instead = self.texts["roll"].format(faces=faces)
        rows: list[tuple[str, str]] = []
        at = 0
        if shown == [str(number) for number in range(1, faces + 1)]:
            rows, at = [(f"1–{faces}", self.texts["rolled"])] if faces != COMMON else [], faces
            if faces <= NUMBERS:
                instead += f", {self.texts['draw'].format(faces=faces)}"
        while at < faces:
            to = at
            while to + 1 < faces and shown[to + 1] == shown[at]:
                to += 1
            rows.append((str(at + 1) if to == at else f"{at + 1}–{to + 1}", shown[at]))
            at = to + 1
        title = self.title(die.name, die.id, die.span)
        return DieTable(title, self.symbol(die.id, title), faces, instead, tuple(rows))

    # ── the list ─────────────────────────────────────────────────────────────

    def components(self, discs: Sequence[Disc]) -> list[tuple[str, str]]:
        """Return everything that a table needs, with counts: sheet, aids, cards and boards by kind, pieces to cut,
        dice."""
        register = PieceRegister(self.model, printable(self.model))
        counted: dict[str, int] = {}
        if self.mission is not None:
            counted[self.texts["sheet"]] = 1
            counted[self.texts["aid"]] = self.players
        for definition in self.scope:
            if not is_sheet(definition):
                noun = self.naming.kind(definition.kind).many
                called = self.naming.language.finish(with_capital(noun))
                counted[called] = counted.get(called, 0) + register.copies(definition)
        counted[self.texts["disc"]] = sum(disc.count for disc in discs if disc.figure)
        if self.mission is not None:
            several = [
                definition
                for definition in self.scope
                if is_figure(definition) and (definition.kind.id, definition.id) not in self.bounded
            ]
            titles = [
                self.title(definition.name, definition.id, definition.span)
                for definition in several
                if number_of_copies(definition) > 1
            ]
            of_all = [disc.count for disc in discs if disc.figure and disc.title in titles]
            counted[self.texts["every copy"]] = sum(of_all)
        counted[self.texts["marker"]] = sum(disc.count for disc in discs if not disc.figure)
        counted[self.texts["number"]] = 2 * NUMBERS
        listed = [(called, f"×{count}") for called, count in counted.items() if count]
        dice = [self.title(die.name, die.id, die.span) for die in self.model.dice.values() if die.name.title]
        return [*listed, *((die, self.texts["needed"]) for die in dice)]
