"""Proofs: the views of pieces before print, with checks of words, glyphs and fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from fcbdsl.base.diagnostics import Diagnostic, Problems
from fcbdsl.base.diagnostics.print import (
    FailedTypesetting,
    MissingGender,
    MissingWording,
    OutsideSafeZone,
    SheetOverflow,
    TextOverflow,
    TextTooWide,
    UnusablePicture,
    gaps_as_errors,
)
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.formats import PieceSize, papers
from fcbdsl.print.layout.views import Card, MapView, Sheet
from fcbdsl.print.pieces.assets import sizes_of, with_icons
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.model_facts import ModelFacts
from fcbdsl.print.pieces.pictures import defining
from fcbdsl.print.pieces.piece import PieceRegister, PrintPiece
from fcbdsl.print.pieces.printables import is_sheet, languages_on_request, printable_languages
from fcbdsl.print.pieces.sheets import is_sheet_changed, sheet_of, worded_sheet
from fcbdsl.print.pieces.stamps import stamp_of
from fcbdsl.print.press.genders import with_genders
from fcbdsl.print.typeset.glyphs import missing_glyphs, title_gaps

if TYPE_CHECKING:
    from fcbdsl.print.press.shops import Shop
    from fcbdsl.print.typeset.typesetting import CannotTypeset, Typeset


@dataclass(frozen=True, slots=True)
class RenderedPiece:
    """The view of a definition in a language, a card or a sheet, and the problems with its words."""

    definition: Definition
    view: Card | Sheet
    problems: tuple[Diagnostic, ...]


def render_piece(definition: Definition, model: Model, language: str) -> RenderedPiece:
    """Return the view of a definition as it will be printed, with the problems found while making it."""
    view, problems = view_of(definition, model, language)
    return _rendered(definition, model, view, problems)


def view_of(definition: Definition, model: Model, language: str) -> tuple[Card | Sheet, list[Diagnostic]]:
    """Return the view of a definition, without the drawings of the pack, and the problems found while making it."""
    return (sheet_of if is_sheet(definition) else card_of)(definition, model, language)


class CheckedPages:
    """The views of a model's definitions for checks of their words, which need no places on maps."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.facts = ModelFacts(model)
        self.covered: dict[str, None] = {}  # texts for which the fonts have all glyphs
        self._kept: dict[tuple[int, str], tuple[Card | Sheet, list[Diagnostic]]] = {}

    def view(self, definition: Definition, language: str, keep: bool = False) -> tuple[Card | Sheet, list[Diagnostic]]:
        """Return the view of a definition, and the problems found while making it. It is made once if it is to be
        kept."""
        page = self._kept.get((id(definition), language))
        if page is None or self.model.gender_trial is not None:
            page = (worded_sheet if is_sheet(definition) else card_of)(definition, self.model, language, self.facts)
            if keep:
                self._kept[id(definition), language] = page
        return page

    def is_changed(self, definition: Definition, language: str, things: Iterable[Definition]) -> bool:
        """Return whether the view of a definition differs from the one that was kept, since values of some things have
        changed."""
        before, _ = self._kept[id(definition), language]
        facts = self.facts.after_change(things)
        if isinstance(before, Sheet):
            return is_sheet_changed(before, definition, self.model, facts)
        return before != card_of(definition, self.model, language, facts)[0]


def _rendered(
    definition: Definition,
    model: Model,
    plain: Card | Sheet,
    problems: Sequence[Diagnostic],
    covered: dict[str, None] | None = None,
) -> RenderedPiece:
    """Return a view as it will be printed, with all of its problems. `covered`: see `missing_glyphs`."""
    view = with_icons(plain, model)
    glyphs = [*missing_glyphs(view, view.key, definition.span, covered), *title_gaps(view, definition.span)]
    return RenderedPiece(definition, view, (*problems, *glyphs))


def once(problems: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield problems. A missing wording or gender is reported only for the first card that needs it; a note names the
    others."""
    firsts: dict[object, Diagnostic] = {}
    others: dict[object, dict[object, None]] = {}
    reported: list[Diagnostic] = []
    for problem in Problems(problems).sorted():
        if isinstance(problem, MissingWording | MissingGender):
            wording = (problem.code, problem.arguments["name"], problem.arguments["language"])
            card = problem.arguments["card"]
            if wording in firsts:
                if card != firsts[wording].arguments["card"]:
                    others.setdefault(wording, {})[card] = None
                continue
            firsts[wording] = problem
        reported.append(problem)
    for which, cards in others.items():
        firsts[which].notes = (f"also printed on {', '.join(map(str, cards))}",)
    yield from reported


def include(key: str, diagnostics: Sequence[Diagnostic], problems: Problems, left_out: list[str]) -> bool:
    """Add findings about a piece to `problems`, and return whether it is printed.

    A piece with an error or with a gap in its words is not printed. Then its key is added to `left_out`."""
    judged = gaps_as_errors(diagnostics)
    problems.extend(judged)
    if any(finding.severity == "error" for finding in judged):
        left_out.append(key)
        return False
    return True


def own_problems(model: Model, definition: Definition, pages: CheckedPages | None = None) -> list[Diagnostic]:
    """Return the problems with the print of a definition of a model without errors, in each of its languages."""
    pages = CheckedPages(model) if pages is None else pages
    problems: list[Diagnostic] = []
    for language in printable_languages(model):
        make = partial(pages.view, definition, language)
        view, noted, missing = with_genders(model, language, f"{definition.kind.id} `{definition.id}`", make)
        problems += [*_rendered(definition, model, view, noted, pages.covered).problems, *missing]
    return problems


# ── fit ────────────────────────────────────────────────────────────────────────────────────────


Tell = Callable[[str], None]
"""Called with the progress of a slow check."""


def silent(what: str) -> None:
    """Show no progress."""


def fit_problems(model: Model, definitions: Sequence[Definition], tell: Tell = silent) -> list[Diagnostic]:
    """Return the problems of definitions that do not fit their card or sheet, in each language and on each paper.

    The model must have no errors. `tell` is called with the progress, because this takes long.
    """
    from fcbdsl.print.typeset.typesetting import CannotTypeset, measure_document

    problems = Problems()
    register = PieceRegister(model, definitions)
    for language in languages_on_request(model):
        proofs = [render_piece(definition, model, language) for definition in definitions]
        pieces = pieces_of_proofs(proofs, register, "one")
        by_key = {proof.view.key: proof.definition for proof in proofs}
        if pieces:
            tell(f"{len(pieces)} pieces, {language}")
            try:
                problems.extend(all_of(misfits(_measured_cards(model, language, pieces), by_key)))
            except CannotTypeset as failed:
                problems.extend(card_failures(failed, model, language, pieces, by_key))
        for proof in proofs:
            if isinstance(proof.view, Sheet):
                for paper in papers():
                    tell(f"{proof.view.key}, {language}, {papers()[paper].title}")
                    try:
                        measured = measure_document("sheet.typ.j2", sheet_values(proof.view, paper))
                        problems.extend(all_of(misfits(measured, by_key, paper)))
                    except CannotTypeset as failed:
                        what = f"The sheet of `{proof.view.key}` ({language}, {papers()[paper].title})"
                        problems.extend([failure(failed, model, what, proof.definition.span)])
    return problems.sorted()


def _measured_cards(model: Model, language: str, pieces: Sequence[PrintPiece]) -> Typeset:
    """Typeset some cards, each on a separate page; their size does not depend on the paper. Raise CannotTypeset."""
    from fcbdsl.print.press.card_documents import CardDocument
    from fcbdsl.print.press.imposition import one_up

    pages = one_up(pieces, tuple(sizes_of(model).values()), ("face", "back"), 0.0)
    return CardDocument("", language, pieces, pages).measure()


MOST_ATTEMPTS: Final = 64
"""Most parts of a document that are typeset to find the cards at fault."""


def card_failures(
    failed: CannotTypeset,
    model: Model,
    language: str,
    pieces: Sequence[PrintPiece],
    by_key: Mapping[str, Definition],
) -> list[Diagnostic]:
    """Return a finding for each card that cannot be typeset, or for all cards together if each of them can be.

    The document is halved repeatedly; `failed` is the error of the whole document.
    """
    from fcbdsl.print.typeset.typesetting import CannotTypeset

    problems: list[Diagnostic] = []
    waiting, attempts = [(failed, list(pieces))], 0
    while waiting:
        why, part = waiting.pop()
        if len(part) == 1:
            key = part[0].card.key
            problems.append(failure(why, model, f"The card of `{key}` ({language})", by_key[key].span))
            continue
        middle = len(part) // 2
        for half in (part[middle:], part[:middle]):
            attempts += 1
            if attempts <= MOST_ATTEMPTS:
                try:
                    _measured_cards(model, language, half)
                except CannotTypeset as again:
                    waiting.append((again, half))
    if not problems:
        what = f"The document of all cards ({language})"
        problems.append(failure(failed, model, what, by_key[pieces[0].card.key].span))
    return problems


def failure(failed: CannotTypeset, model: Model, what: str, span: Span) -> Diagnostic:
    """Return the problem with a document (`what`, at `span`) that could not be typeset, or with the picture at
    fault."""
    definition = defining(model, failed.picture)
    if definition is not None and definition.art is not None:
        return UnusablePicture(definition.art.span, path=definition.art.path, why=failed.why)
    return FailedTypesetting(span, what=what, why=failed.why)


def pieces_of_proofs(proofs: Sequence[RenderedPiece], register: PieceRegister, copies: str) -> list[PrintPiece]:
    """Return the pieces of all proofs except sheets. `copies`: see `piece.COPIES`."""
    return [register.piece(p.definition, p.view, copies) for p in proofs if isinstance(p.view, Card)]


def sheet_values(sheet: Sheet, paper: str) -> dict[str, object]:
    """Return the values of the template of a sheet."""
    on, stamp = papers()[paper], stamp_of(sheet)
    return {
        "sheet": replace(sheet, map=sheet.map and undrawn(sheet.map)),
        "map_svg": drawn_map(sheet, LABEL_LATER),
        "page_width": on.width,
        "page_height": on.height,
        "stamp": stamp,
    }


def undrawn(drawn: MapView) -> MapView:
    """Return a map without its drawing: its sheet tries several widths, and iterates over the rest each time."""
    from fcbdsl.print.pieces.web import swatch_of

    named = {
        cell.name: replace(cell, outlines=(), hatching=(), symbols=(), floor=(), furniture=()) for cell in drawn.cells
    }
    return replace(
        drawn,
        cells=tuple(named.values()),
        sides=(),
        links=(),
        ropes=(),
        routes=(),
        swatches=tuple(map(swatch_of, drawn.grounds)),
    )


LABEL = 3.0
"""The size of the names of spaces on a map, in its units."""
LABEL_LATER = "LABEL"
"""A placeholder for the size of names on a map whose template determines its size."""


def drawn_map(sheet: Sheet, label: float | str = LABEL) -> str:
    """Return a sheet's map as SVG; empty if it has none. `label`: the size of the names of its spaces."""
    if sheet.map is None:
        return ""
    from fcbdsl.print.pieces.web import fill_page

    return fill_page("map.svg.j2", {"map": sheet.map, "label": label})


def misfits(typeset_document: Typeset, by_key: dict[str, Definition], paper: str = "") -> dict[str, list[Diagnostic]]:
    """Return the measures of Typst as findings, by the keys of the cards and sheets. `paper`: the paper of a sheet."""
    measured: dict[tuple[str, str], Diagnostic] = {}
    for record in (*typeset_document.measures, *_over_drawings(typeset_document.measures)):
        if record["over"]:
            finding = misfit(record, by_key[record["card"]].span, paper)
            measured.setdefault((record["card"], finding.message), finding)  # once for all copies
    by_card: dict[str, list[Diagnostic]] = {}
    for (card, _), problem in measured.items():
        by_card.setdefault(card, []).append(problem)
    return by_card


AIR = 0.9
"""The least distance of a title from the drawing in its head, in millimeters."""


def _over_drawings(measures: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the titles and type lines that come too near to the drawing in the head of their card, as parts that need
    more width."""
    drawings = [measure for measure in measures if measure["part"] == "drawing in the head"]
    for words in measures:
        for drawn in drawings if words["part"] in ("title", "type line") else ():
            if (words["card"], words["page"]) != (drawn["card"], drawn["page"]):
                continue
            apart = max(
                max(words[at], drawn[at]) - min(words[at] + words[long], drawn[at] + drawn[long])
                for at, long in (("x", "width"), ("y", "height"))
            )
            if apart < AIR - 0.01:
                part = f"{words['part']} beside its drawing"
                have = max(0.0, words["width"] + apart - AIR)
                yield {**words, "part": part, "need": words["width"], "have": have, "across": True, "over": True}


def outside(
    measured: Typeset, by_key: dict[str, Definition], size_of: dict[str, PieceSize], shop: Shop
) -> list[Diagnostic]:
    """Return problems outside the safe zone of a shop, for faces with a page each: the worst of each piece."""
    worst: dict[str, tuple[float, dict[str, Any]]] = {}
    for record in measured.measures:
        size = size_of[record["card"]]
        right, bottom = record["x"] + record["width"], record["y"] + record["height"]
        room = min(record["x"], record["y"], size.width - right, size.height - bottom)
        if room < shop.safe - 0.01 and room < worst.get(record["card"], (shop.safe, {}))[0]:
            worst[record["card"]] = (room, record)
    return [
        OutsideSafeZone(
            by_key[card].span,
            part=record["part"],
            card=f"`{card}`",
            language=record["language"],
            room=f"{room:.1f}",
            safe=f"{shop.safe:.1f}",
            shop=shop.title,
        )
        for card, (room, record) in worst.items()
    ]


def misfit(record: dict[str, Any], span: Span, paper: str = "") -> Diagnostic:
    """Return the problem of one part that needs more space than it has."""
    arguments = {
        "part": record["part"],
        "card": f"`{record['card']}`",
        "language": f"{record['language']}, {papers()[paper].title}" if paper else record["language"],
        "need": f"{max(record['need'], round(record['have'], 1) + 0.1):.1f}",  # more than it has, once rounded
        "have": f"{record['have']:.1f}",
    }
    sort = TextTooWide if record["across"] else SheetOverflow if paper else TextOverflow
    return sort(span, **arguments)


def all_of(by_card: dict[str, list[Diagnostic]]) -> list[Diagnostic]:
    """Return all findings of `misfits`."""
    return [finding for some in by_card.values() for finding in some]
