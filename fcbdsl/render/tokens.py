"""Tokens, markers, discs for figures, trackers, tables of dice: what a table needs besides cards, sheets and aids."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.diagnostics import Diagnostic
from fcbdsl.model.checks.counts import copies
from fcbdsl.model.content import Definition
from fcbdsl.model.declarations import Die, Field
from fcbdsl.model.whole import Model
from fcbdsl.render.aids import AidMaker
from fcbdsl.render.data import colour_of
from fcbdsl.render.looks import look_of, symbol_of
from fcbdsl.render.maps import initials
from fcbdsl.render.pieces import PieceRegister
from fcbdsl.render.proofs import is_mission, printable
from fcbdsl.render.sets import needed_for
from fcbdsl.render.sheets import WORDS as SHEET_WORDS
from fcbdsl.render.sheets import sheet_of
from fcbdsl.render.views import DieTable, Disc, Supplies, Symbol

WORDS = {
    "en": {
        "tokens": "Tokens and tables",
        "components": "What there is",
        "cut": "To cut",
        "numbers": "Numbered markers, two of each",
        "trackers": "Trackers",
        "dice": "Tables of dice",
        "roll": "roll a d{faces}",
        "sheet": "Sheet of the mission",
        "aid": "Player aid",
        "marker": "Markers and tokens",
        "disc": "Discs for figures",
        "number": "Numbered markers",
        "needed": "as needed",
    },
    "fr": {
        "tokens": "Jetons et tableaux",
        "components": "Contenu",
        "cut": "À découper",
        "numbers": "Marqueurs numérotés, deux de chaque",
        "trackers": "Pistes",
        "dice": "Tableaux de dés",
        "roll": "lancez un d{faces}",
        "sheet": "Fiche de la mission",
        "aid": "Aide de jeu",
        "marker": "Marqueurs et jetons",
        "disc": "Disques de figurines",
        "number": "Marqueurs numérotés",
        "needed": "selon besoin",
    },
}
NUMBERS = 20
"""How far numbered markers go."""
LEAST = 6
"""How many there are of a token that effects may bring, of which no map shows more."""
MOST = 12
"""How many there are of a marker at most, and of one that is stacked."""
OF_FIGURES = "piece"


def supplies_of(
    model: Model, language: str, mission: Definition | None = None, players: int = 0
) -> tuple[Supplies, list[Diagnostic]]:
    """Build the view of what a table needs: for a mission and that many players, or for all the game has; and what was
    missing for it."""
    maker = _Maker(model, language, mission, players)
    return maker.supplies(), maker.problems


class _Maker(AidMaker):
    """The supplies of a table in the making."""

    def __init__(self, model: Model, language: str, mission: Definition | None, players: int) -> None:
        super().__init__(model, language)
        self.mission = mission
        self.players = players
        self.told = WORDS[language]
        scope = needed_for(mission, model) if mission is not None else list(model.definitions.values())
        shown = printable(model)
        self.scope = [one for one in scope if one in shown]
        missions = [one for one in model.definitions.values() if one.board is not None]
        self.boards = [one.board for one in ([mission] if mission is not None else missions) if one.board is not None]

    def supplies(self) -> Supplies:
        plain = self.aid("aid", ())
        sheet = sheet_of(self.mission, self.model, self.language)[0] if self.mission is not None else None
        discs = (*self.figures(), *self.counters_to_cut())
        return Supplies(
            key=f"tokens/{self.mission.id if self.mission is not None else self.model.system}",
            language=self.language,
            style=plain.style,
            seed=plain.seed,
            title=sheet.title if sheet is not None else plain.title,
            type_line=self.told["tokens"],
            colour=plain.colour,
            ink=plain.ink,
            components=tuple(self.components(discs)),
            discs=discs,
            numbers=tuple(str(at) for at in range(1, NUMBERS + 1) for _ in range(2)),
            tracks=sheet.tracks if sheet is not None else (),
            gauges=sheet.gauges if sheet is not None else (),
            dice=tuple(self.table(die) for die in self.model.dice.values() if die.name.title and not die.numbered),
            words=SHEET_WORDS[self.language] | self.told,
            footer=plain.footer,
        )

    # ── pieces to cut ────────────────────────────────────────────────────────

    def figures(self) -> list[Disc]:
        """A disc for each copy of each figure, with its initials; copies are told by number and, if the look of their
        kind has areas for markers, by the colours of these."""
        found: list[Disc] = []
        for one in self.scope:
            if any(kind.id == OF_FIGURES for kind in one.kind.lineage()):
                title = self.title(one.name, one.id, one.span)
                symbol = Symbol("plain", colour_of(one, self.model), initials(title), title)
                rims = [self.rim(area) for area in look_of(one.kind, self.model).areas]
                count = copies(one)
                for at in range(count):
                    rim = rims[at] if count <= len(rims) else ""
                    found.append(Disc(title, symbol, str(at + 1) if count > 1 else "", rim, 1, figure=True))
        return found

    def rim(self, area: str) -> str:
        symbol = symbol_of(self.model, area, "")
        return symbol.colour if symbol is not None else ""

    def counters_to_cut(self) -> list[Disc]:
        """A disc for each status and token that has a symbol; those of mission files only for their missions."""
        found: list[Disc] = []
        for kind in self.model.kinds.values():
            for field in kind.fields.values():
                if field.sort in {"status", "token"} and field.name.title and self.here(field):
                    title = self.title(field.name, field.id, field.span)
                    symbol = self.symbol(field.id, title)
                    if symbol is not None:
                        found.append(Disc(title, symbol, "", "", self.count(field), figure=False))
        return found

    def here(self, field: Field) -> bool:
        return bool(field.system) or self.mission is None or field.span.beside(self.mission.span)

    def count(self, field: Field) -> int:
        """How many of a marker there are: of a token as many as a map shows, and some for what effects bring; of a
        status one for each figure that may bear it, within bounds."""
        if field.sort == "token":
            shown = [sum(cell.tokens.get(field.id, 0) for cell in board.cells) for board in self.boards]
            return max([LEAST, *shown])
        bearers = [one for one in self.scope if any(kind.id == field.kind for kind in one.kind.lineage())]
        figures = sum(copies(one) for one in bearers)
        return max(1, min(MOST, figures if field.limit == 1 else MOST))

    # ── dice ─────────────────────────────────────────────────────────────────

    def table(self, die: Die) -> DieTable:
        """A die as a table: equal faces in a row stand together."""
        shown = [self.face(die, face) for face in die.faces]
        rows: list[tuple[str, str]] = []
        at = 0
        while at < len(shown):
            to = at
            while to + 1 < len(shown) and shown[to + 1] == shown[at]:
                to += 1
            rows.append((str(at + 1) if to == at else f"{at + 1}–{to + 1}", shown[at]))
            at = to + 1
        title = self.title(die.name, die.id, die.span)
        instead = self.told["roll"].format(faces=len(shown))
        return DieTable(title, self.symbol(die.id, title), instead, tuple(rows))

    # ── the list ─────────────────────────────────────────────────────────────

    def components(self, discs: Sequence[Disc]) -> list[tuple[str, str]]:
        """Everything that a table needs, with counts: sheet, aids, cards and boards by kind, pieces to cut, dice."""
        register = PieceRegister(self.model, printable(self.model))
        counted: dict[str, int] = {}
        if self.mission is not None:
            counted[self.told["sheet"]] = 1
            counted[self.told["aid"]] = self.players
        for one in self.scope:
            if not is_mission(one):
                noun = self.naming.kind(one.kind).many
                called = self.naming.language.finish(noun[:1].upper() + noun[1:])
                counted[called] = counted.get(called, 0) + register.copies(one)
        counted[self.told["disc"]] = sum(disc.count for disc in discs if disc.figure)
        counted[self.told["marker"]] = sum(disc.count for disc in discs if not disc.figure)
        counted[self.told["number"]] = 2 * NUMBERS
        listed = [(called, f"×{count}") for called, count in counted.items() if count]
        dice = [self.title(die.name, die.id, die.span) for die in self.model.dice.values() if die.name.title]
        return [*listed, *((die, self.told["needed"]) for die in dice)]
