"""The press: makes files from a model and a list of names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from fcbdsl.base.diagnostics import Diagnostic, Problems
from fcbdsl.base.files import write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Kind
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.formats import PieceSize, papers, sizes
from fcbdsl.print.layout.views import Card, Sheet
from fcbdsl.print.pieces.aids import span_of
from fcbdsl.print.pieces.assets import instead_of_ours, sizes_of
from fcbdsl.print.pieces.cards import footer_of
from fcbdsl.print.pieces.contents import contents_of, kind_title
from fcbdsl.print.pieces.looks import check_looks, look_of_kind
from fcbdsl.print.pieces.pictures import why_unusable
from fcbdsl.print.pieces.piece import PieceRegister, PrintPiece, too_many
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.pieces.selection import edition_of, selected_definitions, selection_name
from fcbdsl.print.pieces.stamps import stamp_of
from fcbdsl.print.press.calibration import calibration_of
from fcbdsl.print.press.card_documents import CardDocument
from fcbdsl.print.press.cutting import add_registration_marks, cut_paths
from fcbdsl.print.press.imposition import Laying, Page, impose, one_up, with_bleed
from fcbdsl.print.press.options import DEFAULT_BLEED, Options, refusals
from fcbdsl.print.press.pdfx import lacking, profile_in, with_intent
from fcbdsl.print.press.proofs import (
    RenderedPiece,
    failure,
    include,
    misfit,
    misfits,
    once,
    outside,
    pieces_of_proofs,
    render_piece,
    sheet_values,
)
from fcbdsl.print.press.shops import CLEAR, RIM, Shop, inset_for, shops
from fcbdsl.print.press.storage import StoragePage, box_pages, decks_of, divider_pages, extent_of, net_of
from fcbdsl.print.typeset.ink_separation import CannotSeparate, InkOfProfile, drawn_words
from fcbdsl.print.typeset.pixels import as_seen, ink_of, opaque
from fcbdsl.print.typeset.typesetting import CannotTypeset, Typeset, typeset

COARSE = 36
"""Pixels per inch that are enough to measure the ink of a piece."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The result of a print: the written files in order, the problems, the names of pieces left out because of these
    (``kind/id``), and further notes."""

    files: tuple[Path, ...]
    problems: tuple[Diagnostic, ...]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Since:
    """The print of an earlier revision: its short name, and the stamps of all pieces and sheets by kind and id, in the
    language of the print."""

    revision: str
    stamps: Mapping[tuple[str, str], str]

    def changed(self, definition: Definition, model: Model, language: str) -> bool:
        """Return whether a piece prints differently now, or was not printed then."""
        stamp = stamp_of(render_piece(definition, model, language).view)
        return self.stamps.get((definition.kind.id, definition.id)) != stamp


def since_of(revision: str, before: Model, language: str) -> Since:
    """Return the stamps of an earlier state of a game."""
    stamps = {(d.kind.id, d.id): stamp_of(render_piece(d, before, language).view) for d in printable(before)}
    return Since(revision, stamps)


@dataclass(frozen=True, slots=True)
class _Job:
    """A print job in one language and form; `name`: the name of its files of cards."""

    model: Model
    language: str
    options: Options
    form: str
    out: Path
    name: str
    problems: Problems
    left_out: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def render(
    model: Model,
    ids: Sequence[str],
    language: str,
    paper: str,
    to: str,
    out: Path,
    options: Options | None = None,
    since: Since | None = None,
    called: str = "",
) -> Rendered:
    """Print definitions into the folder `out`.

    `ids` are names of cards, boards and missions (see `selection.matching`); none means all. `language` is ``en`` or
    ``fr``, `to` ``pdf`` or ``png``, `paper` a paper of `formats.papers`. `options` contain all other choices, and
    override `paper`.

    Cards go to ``cards.…`` (of a selection, ``cards-NAMES.…``), each mission to ``mission-ID.…``, followed by
    `selection.edition_of`. A PNG file is one page; surplus files of an earlier run are removed. Files are written
    atomically.

    `called`: another name of the file of cards. `since`: print only changes since then. A piece with an error (a text
    that doesn't fit, a template that can't be filled) is left out; with an error in layouts or `ids` no file is
    written.

    Raise OSError if a file can't be written, ValueError for contradictory `options`, and TooLargeForPaper.
    """
    options = options or Options(paper=paper)
    for refusal in refusals(options, to):
        raise ValueError(refusal)
    problems = Problems(check_looks(model))
    definitions = selected_definitions(model, ids, problems)
    if since is not None:
        definitions = [definition for definition in definitions if since.changed(definition, model, language)]
    if options.copies != "one":
        cards = [definition for definition in definitions if not is_sheet(definition)]
        problems.extend(too_many(PieceRegister(model, printable(model)), cards))
    if problems.errors:
        return Rendered((), tuple(problems.sorted()))
    name = (called or selection_name(ids, since.revision if since else "")) + edition_of(model, language, options.paper)
    job = _Job(model, language, options, to, out, name, problems)
    if own := instead_of_ours(model):
        job.notes.append(f"Drawn as the pack has it, not as the press does: {', '.join(own)}.")
    proofs = [render_piece(definition, model, language) for definition in definitions]
    sound = [proof for proof in proofs if _accepted(proof, (*proof.problems, *why_unusable(proof.definition)), job)]
    files = _cards([proof for proof in sound if isinstance(proof.view, Card)], job)
    if options.proof:
        job.notes.append(
            "Only cards and boards have the lines of --proof."
            if files
            else "No card and no board is printed: there is nothing for --proof to draw its lines on."
        )
    sheets = [(proof, proof.view) for proof in sound if isinstance(proof.view, Sheet)]
    shop = shops().get(options.shop)
    if shop is None:
        files += [file for proof, sheet in sheets for file in _sheet(proof, sheet, job)]
        if options.prepress and sheets:
            job.notes.append("--prepress is for cards and boards: sheets of missions are in RGB, words and all.")
    elif sheets:
        job.notes.append(
            f"{shop.title} makes no sheets: print those of missions, aids and tokens yourself, without --shop."
        )
    return Rendered(tuple(files), tuple(once(problems)), tuple(job.left_out), tuple(job.notes))


def try_to_print(what: str, make: Callable[[], Rendered], model: Model) -> Rendered:
    """Return the print of `make`; if it cannot be typeset, the problem, with `what` left out."""
    try:
        return make()
    except CannotTypeset as failed:
        return Rendered((), (failure(failed, model, f"The print of {what}", span_of(model)),), (what,))


def calibrate(options: Options, language: str, to: str, out: Path) -> tuple[Path, ...]:
    """Write the calibration page, for the paper and the way of turning in `options`. Raise OSError if that fails."""
    values = {"calibration": calibration_of(options, language), "language": language}
    document = typeset("calibration.typ.j2", values, to, options.dpi)
    files = {"calibration.pdf": document.files[0]}
    if to == "png":
        files = {f"calibration-{at:02}.png": opaque(png) for at, png in enumerate(document.files, start=1)}
    return tuple(_write(out / name, data) for name, data in files.items())


def _accepted(proof: RenderedPiece, problems: Sequence[Diagnostic], job: _Job) -> bool:
    """Record the problems of a piece; return whether it can be printed."""
    return include(proof.view.key, problems, job.problems, job.left_out)


def _cards(proofs: Sequence[RenderedPiece], job: _Job) -> list[Path]:
    """Write cards and boards in the wanted form, without those whose texts do not fit."""
    title = footer_of(job.model, job.language) or job.model.system or "cards"
    register = PieceRegister(job.model, printable(job.model))
    pieces = pieces_of_proofs(proofs, register, job.options.copies)
    by_key = {proof.view.key: proof.definition for proof in proofs}
    shop = shops().get(job.options.shop)
    if shop is not None:
        pieces = _for_shop(pieces, shop, job)
    made_sizes = tuple(sizes_of(job.model).values()) if shop is None else shop.sizes
    problems_of: dict[str, list[Diagnostic]] = {}
    documents: list[_Document] = []
    if shop is not None:
        measured = CardDocument(title, job.language, pieces, _each(pieces, made_sizes)).measure()
        problems_of = misfits(measured, by_key)
        by_name = {size.name: size for size in shop.sizes}
        for problem in outside(measured, by_key, {p.card.key: by_name[p.card.size] for p in pieces}, shop):
            problems_of.setdefault(str(problem.arguments["card"]).strip("`"), []).append(problem)
        job.notes.extend(_made_as(pieces, shop))
        job.notes.extend(f"{shop.title} asks for what is not made here: {what}." for what in shop.missing)
    elif pieces:
        documents = _set(pieces, shop, title, job)
        for document in documents:
            problems_of |= misfits(document.made, by_key)
    laid = {piece.card.key for piece in pieces}
    fit = {p.view.key for p in proofs if p.view.key in laid and _accepted(p, problems_of.get(p.view.key, ()), job)}
    if shop is not None or fit != laid:
        pieces = [piece for piece in pieces if piece.card.key in fit]  # the remaining pieces move up
        documents = _set(pieces, shop, title, job) if pieces else []
    if not pieces:
        return []
    files: list[Path] = []
    for document in documents:
        job.notes.extend(_bleeds(document.pages, job.options.laying()) if not (shop or job.options.one_up) else ())
        files += _cut_paths(document.pages, document.name, job) if job.options.cut_paths else []
        sides = [page.side for page in document.pages] if shop is not None or job.options.one_up else ()
        files += write_pages(document.made, job.form, job.out, document.name, job.notes, sides, job.options.sight)
    job.notes.extend(_given_up([record for document in documents for record in document.made.measures]))
    if safe := _margin_from_cut(job.options):
        job.notes.append(_drawn_in(inset_for(safe), safe))
    if job.options.prepress:
        job.notes.extend(_ink(pieces, made_sizes, job))
        job.notes.extend(_words(documents))
    copies = {piece.card.key: piece for piece in pieces_of_proofs(proofs, register, job.options.copies)}
    listed = [copies[piece.card.key] for piece in pieces]  # a shop needs the numbers of copies
    return files + _contents(listed, title, job) + _storage(listed, title, job)


SAFE = 3.0
"""Distance of words from the cut for an unknown shop."""


def _margin_from_cut(options: Options) -> float:
    """Return the distance of words from the cut; 0 without a shop, or without a bleed, as for pictures on a screen."""
    return SAFE if options.one_up and options.bleed != 0 else 0.0


GIVEN_UP = {
    "height of the picture": "With a lower picture, because their text needs the room",
    "picture": "Without a picture, because their text needs the room",
    "reminders": "Without reminders, because their text needs the room",
    "type": "In type smaller than the two sizes of their deck",
}
"""The messages about things that cards give up so that their text fits, by part of the measurement by Typst."""


def _given_up(measures: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield a sentence for each part that some cards lack and others of their deck have."""
    for part, what in GIVEN_UP.items():
        if cards := sorted({record["card"] for record in measures if record["part"] == part}):
            yield f"{what}: {', '.join(cards)}."


@dataclass(frozen=True, slots=True)
class _Document:
    """A file to write: its name, its pages, and these typeset."""

    name: str
    pages: Sequence[Page]
    made: Typeset


def _set(pieces: Sequence[PrintPiece], shop: Shop | None, title: str, job: _Job) -> list[_Document]:
    """Typeset the documents of some pieces."""
    kinds = {piece.card.key.partition("/")[0]: "" for piece in pieces}
    kinds = {kind: kind_title(job.model.kinds[kind], job.model, job.language) for kind in kinds}
    keep = shop.safe if shop is not None else _margin_from_cut(job.options) or CLEAR - RIM
    zones = keep if job.options.proof else None
    documents = []
    for name, pages in _documents(pieces, shop, job):
        if job.form == "png":
            pages = [with_bleed(page) if page.beyond else page for page in pages]
        document = CardDocument(title, job.language, pieces, pages, zones, kinds)
        dpi = job.options.dpi if shop is None else shop.dpi
        typeset_document = document.typeset(job.form, dpi, prepress=job.options.prepress, ink=job.options.ink)
        documents.append(_Document(name, pages, _pressed(typeset_document, name, job)))
    return documents


def _pressed(document: Typeset, name: str, job: _Job) -> Typeset:
    """Return a document converted for the ICC profile. If it lacks something for that, report it and return it
    unchanged."""
    if job.options.profile is None:
        return document
    profile = profile_in(job.options.profile)
    files = tuple(with_intent(file, profile) for file in document.files)
    without = list(dict.fromkeys(lack for file in files for lack in lacking(file)))
    if without:
        job.notes.append(f"{name} is no PDF/X-4: it lacks {'; '.join(without)}.")
        return document
    job.notes.append(
        f"{name} is PDF/X-4 for “{profile.title}”, as far as is seen here; have the shop's preflight look, too."
    )
    return Typeset(files, document.measures)


def _storage(pieces: Sequence[PrintPiece], title: str, job: _Job) -> list[Path]:
    """Write boxes and dividers, if wanted; report those that are too large for the paper."""
    options, paper = job.options, papers()[job.options.paper]
    decks = decks_of(pieces, job.model, job.language, options.thickness, options.sleeve)
    asked: dict[str, list[StoragePage]] = {}
    if options.boxes:
        asked["boxes"], large = box_pages(decks, paper)
        for deck in large:
            wide, high = extent_of(net_of(deck))
            job.notes.append(f"The box for {deck.title} is {wide:.0f} × {high:.0f} mm: too large for {paper.title}.")
    if options.dividers:
        asked["dividers"] = divider_pages(decks, paper)
        stand = {deck.title for page in asked["dividers"] for deck, _ in page.panels}
        for deck in (deck for deck in decks if deck.title not in stand):
            job.notes.append(f"The divider for {deck.title} is too large for {paper.title}.")
    files: list[Path] = []
    for name, pages in asked.items():
        if pages:
            values = {"title": title, "language": job.language, "pages": pages}
            document = typeset("storage.typ.j2", values, job.form, options.dpi, ink=options.ink)
            over = {measure["card"]: measure for measure in document.measures if measure["over"]}
            job.problems.extend(
                misfit(measure, job.model.kinds[kind].span, options.paper) for kind, measure in over.items()
            )
            if over:
                job.left_out.append(name)
            else:
                files += _write_pages(document, job, f"{job.name}.{name}")
    return files


def _contents(pieces: Sequence[PrintPiece], title: str, job: _Job) -> list[Path]:
    """Write the list of contents of more than one piece, if it fits its page."""
    if len(pieces) == 1:
        return []
    contents = contents_of(pieces, job.model, job.language)
    values = {"title": title, "language": job.language, "contents": contents, "paper": papers()[job.options.paper]}
    document = typeset("contents.typ.j2", values, job.form, job.options.dpi)
    wrong = [misfit(measure, span_of(job.model), job.options.paper) for measure in document.measures if measure["over"]]
    job.problems.extend(wrong)
    if wrong:
        job.left_out.append("contents")
        return []
    return _write_pages(document, job, f"{job.name}.contents")


def _each(pieces: Sequence[PrintPiece], made_sizes: Sequence[PieceSize]) -> tuple[Page, ...]:
    """Return a page for each side, for measuring."""
    return one_up([replace(piece, copies=1) for piece in pieces], made_sizes, ("face", "back"), 0.0)


def _ink(pieces: Sequence[PrintPiece], made_sizes: Sequence[PieceSize], job: _Job) -> Iterator[str]:
    """Yield the ink use of pieces, and what a shop's press needs that fcb does not make."""
    pages = _each(pieces, made_sizes)
    document = CardDocument("", job.language, pieces, pages)

    def pictures(prepress: bool, bare: bool = False) -> Sequence[bytes]:
        return document.typeset("png", COARSE, prepress=prepress, bare=bare, ink=job.options.ink).files

    by_profile, title = _reckoning(job)
    if by_profile is None:
        spent = [ink_of(png) for png in pictures(prepress=False)]
    else:
        spent = [by_profile(*both) for both in zip(pictures(True), pictures(True, bare=True), strict=True)]
    for side in ("face", "back"):
        of = [(ink, page) for ink, page in zip(spent, pages, strict=True) if page.side == side]
        (_, most), where = max(of, key=lambda row: row[0][1])
        mean = sum(ink[0] for ink, _ in of) / len(of)
        key = where.slots[0].piece.card.key
        yield f"Ink of {side}s: {mean:.0f} % on average, at most {most:.0f} % in one place ({key})."
    if by_profile is not None:
        yield f"That is reckoned by the profile “{title}”; what is in black ink alone as that."
    else:
        yield (
            "That is reckoned by the plain rule, with all grey in black, and is the least that it can be: profiles of "
            "presses spend up to three times as much. --profile reckons by one."
        )
    if job.options.profile is None:
        yield "This is no PDF/X: --profile with the ICC profile of the press makes PDF/X-4, with --one-up or --shop."
    yield "PDF/X-1a, which has all colors in inks, is not made: a prepress tool must convert and verify."


def _reckoning(job: _Job) -> tuple[InkOfProfile | None, str]:
    """Return the ink converter of the given profile, and its name; report a profile that can't convert."""
    if job.options.profile is None:
        return None, ""
    profile = profile_in(job.options.profile)
    try:
        return InkOfProfile(profile.data), profile.title
    except CannotSeparate as error:
        job.notes.append(f"The profile “{profile.title}” doesn't say what colors come to in inks ({error}).")
        return None, profile.title


MOST_NAMED = 40
"""Most words that are listed as printed in several inks."""


def _words(documents: Sequence[_Document]) -> Iterator[str]:
    """Yield a note on the inks of the words of each document, from its bytes."""
    for document in documents:
        for data in document.made.files:
            words = drawn_words(data)
            others = [f"{word} (page {page})" for word, page in words.colored.items()]
            if not others:
                yield f"{document.name}: all {words.count} words are in black ink alone or left white, all else in RGB."
                continue
            more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
            yield (
                f"{document.name}: of {words.count} words some are neither in black ink alone nor left white: "
                f"{', '.join(others[:MOST_NAMED])}{more}."
            )


def _bleeds(pages: Sequence[Page], laying: Laying) -> Iterator[str]:
    """Yield the bleed that was chosen for pieces with gaps."""
    if laying.cut == "gutter" and laying.bleed is None:
        chosen = {slot.size.name: slot.bleed.left for page in pages for slot in page.slots}
        for size, bleed in chosen.items():
            yield f"There is room for {bleed:g} mm of bleed round each {size} on {laying.paper.title}."


def _made_as(pieces: Sequence[PrintPiece], shop: Shop) -> Iterator[str]:
    """Yield a shop's replacement of unknown sizes, and how far faces are reduced for its safe zone."""
    for size in shop.sizes:
        own = sizes()[size.name]
        used = any(piece.card.size == size.name for piece in pieces)
        if used and (own.width, own.height) != (size.width, size.height):
            yield f"{shop.title} makes a {size.name} {size.width:g} × {size.height:g} mm large."
    if pieces and shop.sizes[0].inset:
        yield _drawn_in(shop.sizes[0].inset, shop.safe)


def _drawn_in(inset: float, safe: float) -> str:
    return f"Faces are drawn in by {inset:g} mm, so that words keep {safe:g} mm from the cut."


def _for_shop(pieces: Sequence[PrintPiece], shop: Shop, job: _Job) -> list[PrintPiece]:
    """Return the pieces that a shop makes, with the copies for its files; the others are left out and reported."""
    size_names = {size.name for size in shop.sizes}
    others = [piece for piece in pieces if piece.card.size not in size_names]
    if others:
        without = ", ".join(sorted({piece.card.size for piece in others}))
        job.notes.append(f"{shop.title} makes no pieces of these sizes, as far as is known here: {without}.")
        job.left_out.extend(piece.card.key for piece in others)
    taken = [piece for piece in pieces if piece.card.size in size_names]
    return [replace(piece, copies=1) for piece in taken] if shop.copies == "one" else taken


def _documents(pieces: Sequence[PrintPiece], shop: Shop | None, job: _Job) -> Iterator[tuple[str, Sequence[Page]]]:
    """Yield the name and the pages of each file."""
    options = job.options
    if shop is not None:
        for kind in dict.fromkeys(piece.deck_in(job.model).id for piece in pieces):
            deck = [piece for piece in pieces if piece.deck_in(job.model).id == kind]
            yield f"{job.name}.{shop.name}.{kind}", one_up(deck, shop.sizes, shop.order, shop.bleed)
        return
    if options.one_up:
        for size in sizes_of(job.model).values():
            bleed = DEFAULT_BLEED if options.bleed is None else options.bleed
            drawn_in = replace(size, inset=max(size.inset, inset_for(_margin_from_cut(options))))
            pages = one_up(pieces, (drawn_in,), ("face", "back"), bleed)
            if pages:
                yield f"{job.name}.{size.name}", pages
        return
    sealed = [piece for piece in pieces if job.model.kinds[piece.card.key.partition("/")[0]] in _sealed(job.model)]
    if sealed and len(sealed) < len(pieces):
        pieces = [piece for piece in pieces if piece not in sealed]
    elif sealed:
        pieces = []
    if sealed:
        hidden = _face_down(sealed, tuple(sizes_of(job.model).values()), options)
        if options.cut_paths:  # the sheets with their backs up
            hidden = [add_registration_marks(page) if page.side == "back" else page for page in hidden]
        yield f"{job.name}.sealed", hidden
        job.notes.append(
            f"{job.name}.sealed: pieces that nobody is to read yet, backs first. Print it on both sides, take the "
            f"sheets out with the backs up, and cut along the {'paths' if options.cut_paths else 'marks'} there."
        )
    if not pieces:
        return
    pages = impose(pieces, tuple(sizes_of(job.model).values()), options.laying())
    if options.cut_paths:
        pages = tuple(add_registration_marks(page) if page.side == "face" else page for page in pages)
    if options.backs == "separate":
        for side in ("face", "back"):
            yield f"{job.name}.{side}s", [page for page in pages if page.side == side]
    else:
        yield job.name, pages


def _sealed(model: Model) -> list[Kind]:
    """Return the kinds whose pieces must not be read during cutting."""
    return [kind for kind in model.kinds.values() if look_of_kind(kind, model).sealed]


def _face_down(pieces: Sequence[PrintPiece], made_sizes: Sequence[PieceSize], options: Options) -> list[Page]:
    """Return sheets with their backs first, to cut them without reading; both sides are printed in any case."""
    turned = options.backs if options.backs in ("long", "short") else "long"
    pages = impose(pieces, made_sizes, replace(options.laying(), backs=turned))
    return [page for at in range(0, len(pages), 2) for page in (pages[at + 1], pages[at])]


def _sheet(proof: RenderedPiece, sheet: Sheet, job: _Job) -> list[Path]:
    """Write a sheet in the wanted form, if it fits its page."""
    name = f"mission-{proof.definition.id}" + edition_of(job.model, job.language, job.options.paper)
    document = typeset(
        "sheet.typ.j2", sheet_values(sheet, job.options.paper), job.form, job.options.dpi, ink=job.options.ink
    )
    problems_of = misfits(document, {sheet.key: proof.definition}, job.options.paper)
    return _write_pages(document, job, name) if _accepted(proof, problems_of.get(sheet.key, ()), job) else []


def _write_pages(document: Typeset, job: _Job, name: str) -> list[Path]:
    return write_pages(document, job.form, job.out, name, job.notes, sight=job.options.sight)


def write_pages(
    document: Typeset, form: str, out: Path, name: str, notes: list[str], sides: Sequence[str] = (), sight: str = ""
) -> list[Path]:
    """Write a document: one PDF, or a PNG for each page. Those of a longer run before are removed: `notes` say so.
    `sides`: which side of a piece each page is, if a page has one piece; then PNG are numbered by pieces.
    `sight`: in whose colors PNG are shown."""
    if form == "pdf":
        return [_write(out / f"{name}.pdf", document.files[0])]
    pages = [opaque(png) for png in document.files]
    if sight:
        pages = [as_seen(png, sight) for png in pages]
    return _numbered(pages, out, name, "png", notes, sides)


def _numbered(
    pages: Sequence[bytes], out: Path, name: str, ending: str, notes: list[str], sides: Sequence[str] = ()
) -> list[Path]:
    """Write a file for each page, or with `sides` for each side of each piece."""
    of_side = [f"-{side}" for side in sides] or [""] * len(pages)
    numbers = [of_side[: at + 1].count(side) for at, side in enumerate(of_side)]
    digits = max(2, len(str(max(numbers, default=0))))
    named = [f"{name}-{number:0{digits}}{side}.{ending}" for number, side in zip(numbers, of_side, strict=True)]
    files = [_write(out / called, page) for called, page in zip(named, pages, strict=True)]
    stale = [path for path in _pages_of(out, name, ending) if path not in files] if files else []
    for path in stale:
        path.unlink()
    if stale:
        notes.append(f"Removed {len(stale)} pages of an earlier, longer run: {stale[0].name} to {stale[-1].name}.")
    return files


def _cut_paths(pages: Sequence[Page], name: str, job: _Job) -> list[Path]:
    """Write the cutting paths of each sheet: of the side with registration marks."""
    paths = [cut_paths(page, job.options.cut == "gutter").encode() for page in pages if page.dots]
    return _numbered(paths, job.out, f"{name}.cut", "svg", job.notes)


def _pages_of(folder: Path, name: str, ending: str) -> list[Path]:
    """Return the pages that were printed under a name, by this run or an earlier one."""
    numbered = re.compile(re.escape(name) + rf"-[0-9]{{2,}}(-face|-back)?\.{ending}")
    return sorted(path for path in folder.iterdir() if numbered.fullmatch(path.name))


def _write(path: Path, data: bytes) -> Path:
    write_atomically(path, data)
    return path
