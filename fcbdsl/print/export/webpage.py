"""A single web page for a game: the selection in all its languages, in one file without external resources."""

from __future__ import annotations

import hashlib
import io
import logging
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from fcbdsl.base.diagnostics import Diagnostic, Problems
from fcbdsl.base.files import write_atomically
from fcbdsl.base.locales import interface_texts
from fcbdsl.base.locales import rules_languages as spoken_by_fcb
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.views import Aid, Card, Sheet, Style
from fcbdsl.print.pieces.aids import reference_of, span_of
from fcbdsl.print.pieces.assets import asset_credits, sizes_of
from fcbdsl.print.pieces.cards import footer_of
from fcbdsl.print.pieces.contents import kind_title
from fcbdsl.print.pieces.looks import check_looks, style_of
from fcbdsl.print.pieces.pictures import why_unusable
from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.printables import MISSION, is_sheet, printable, printable_languages
from fcbdsl.print.pieces.selection import selected_definitions, selection_name
from fcbdsl.print.pieces.web import drawings_in, fill_page
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import Rendered, Since
from fcbdsl.print.press.proofs import RenderedPiece, drawn_map, include, once, render_piece
from fcbdsl.print.typeset.folders import TEMPLATES
from fcbdsl.print.typeset.glyphs import FONTS, fonts, missing_glyphs, texts
from fcbdsl.print.typeset.typesetting import pictures_in

AIDS = "aids"
PLAINLY = "Faces that a template draws are for paper: on the page their words stand in the usual face, which flows."

FACES = (
    ("Press Title", 800, "normal", "BarlowCondensed_800ExtraBold.ttf"),
    ("Press Title", 600, "normal", "BarlowCondensed_600SemiBold.ttf"),
    ("Press", 400, "normal", "SourceSans3_400Regular.ttf"),
    ("Press", 400, "italic", "SourceSans3_400Regular_Italic.ttf"),
    ("Press", 700, "normal", "SourceSans3_700Bold.ttf"),
)
"""The fonts of every page: family, weight, style, file."""
LETTERS = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027), 0x202F, 0x2212)))
"""The letters that every page's fonts contain, besides those it uses: so most pages share the same fonts."""
KEPT_FEATURES = ("kern", "liga", "mark", "mkmk", "ccmp", "locl")
KEPT_NAMES = (0, 13, 14)
"""The kept names of a font: its copyright and its license. A subset may not have a reserved name."""


@dataclass(frozen=True, slots=True)
class PagePiece:
    """A piece on a page: its view in each language, and the drawn maps of a sheet."""

    key: str
    copies: int
    views: tuple[Card | Sheet | Aid, ...]
    maps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageGroup:
    """The pieces of a kind under its title in each language. `sort`: ``cards``, ``sheets`` or ``aids``."""

    id: str
    sort: str
    titles: dict[str, str]
    pieces: tuple[PagePiece, ...]


@dataclass(frozen=True, slots=True)
class PageFont:
    """A font of a page, reduced to the letters of the page, as a ``data:`` address."""

    family: str
    weight: int
    style: str
    address: str


def render_page(
    model: Model,
    ids: Sequence[str],
    language: str,
    out: Path,
    options: Options | None = None,
    since: Since | None = None,
    called: str = "",
    aids: bool = False,
    alone: bool = False,
) -> Rendered:
    """Write a page with the cards, boards and sheets of a selection (see `press.render`).

    It includes the rules reference if it is for everything or with `aids`. `ids` alone make a page without aids, aids
    alone one without pieces. The page is in all languages of the model and opens in `language`, or only in that if
    `alone`. Its name consists of the game and the selection, and nothing is left out for lack of space.

    Pieces with an error are left out; with an error in layouts or `ids` no page is written. Raise OSError if the file
    can't be written.
    """
    options = options or Options()
    problems = Problems(check_looks(model))
    wanted = selected_definitions(model, ids, problems) if ids or not aids else []
    if since is not None:
        wanted = [definition for definition in wanted if since.changed(definition, model, language)]
    if problems.errors:
        return Rendered((), tuple(problems.sorted()))
    languages = [language, *(code for code in printable_languages(model) if code != language and not alone)]
    left_out: list[str] = []
    groups = _groups(wanted, model, languages, options, problems, left_out)
    if aids or not (ids or since):
        groups += _aids(model, languages, problems, left_out)
    if not groups:
        return Rendered((), tuple(once(problems)), tuple(left_out))
    asked = [*ids, *([AIDS] if aids and not called else [])]
    name = called or selection_name(asked, since.revision if since is not None else "", model.system or "cards")
    file = out / f"{name}.html"
    write_atomically(file, _page(model, groups, languages).encode())
    views = [view for group in groups for piece in group.pieces for view in piece.views]
    drawn = any(isinstance(view, Card) and view.own is not None for view in views)
    return Rendered((file,), tuple(once(problems)), tuple(left_out), (PLAINLY,) if drawn else ())


def _groups(
    wanted: Sequence[Definition],
    model: Model,
    languages: Sequence[str],
    options: Options,
    problems: Problems,
    left_out: list[str],
) -> list[PageGroup]:
    """Return the pieces without errors, kind by kind: cards and boards, then sheets."""
    register = PieceRegister(model, printable(model))
    pieces_of: dict[str, list[PagePiece]] = {}
    for definition in sorted(wanted, key=is_sheet):
        proofs = [render_piece(definition, model, language) for language in languages]
        wrong: list[Diagnostic] = [
            *why_unusable(definition),
            *(problem for proof in proofs for problem in proof.problems),
        ]
        if include(proofs[0].view.key, wrong, problems, left_out):
            pieces_of.setdefault(definition.kind.id, []).append(_piece(definition, proofs, register, options))
    groups: list[PageGroup] = []
    for kind, pieces in pieces_of.items():
        sort = "sheets" if any(ancestor.id == MISSION for ancestor in model.kinds[kind].lineage()) else "cards"
        titles = {language: kind_title(model.kinds[kind], model, language) for language in languages}
        alike = next((at for at, group in enumerate(groups) if (group.sort, group.titles) == (sort, titles)), -1)
        if alike < 0:
            groups.append(PageGroup(kind, sort, titles, tuple(pieces)))
        else:  # a reader cannot distinguish these kinds by their titles
            groups[alike] = replace(groups[alike], pieces=(*groups[alike].pieces, *pieces))
    return groups


def _piece(
    definition: Definition, proofs: Sequence[RenderedPiece], register: PieceRegister, options: Options
) -> PagePiece:
    views: list[Card | Sheet | Aid] = []
    maps: list[str] = []
    copies = 1
    for proof in proofs:
        if isinstance(proof.view, Sheet):
            views.append(proof.view)
            maps.append(drawn_map(proof.view))
        else:
            piece = register.piece(definition, proof.view, options.copies)
            views.append(piece.card)
            copies = piece.copies
    return PagePiece(proofs[0].view.key, copies, tuple(views), tuple(maps))


def _aids(model: Model, languages: Sequence[str], problems: Problems, left_out: list[str]) -> list[PageGroup]:
    """Return the rules reference, which contains the content of the player aid."""
    views: list[Aid] = []
    wrong: list[Diagnostic] = []
    for language in languages:
        aid, aid_problems = reference_of(model, language)
        wrong += [*aid_problems, *missing_glyphs(aid, aid.key, span_of(model))]
        views.append(aid)
    if not include(views[0].key, wrong, problems, left_out) or not any(aid.blocks for aid in views):
        return []
    titles = {language: interface_texts("webpage", language)["rules"] for language in languages}
    return [PageGroup(AIDS, AIDS, titles, (PagePiece(views[0].key, 1, tuple(views)),))]


def _page(model: Model, groups: Sequence[PageGroup], languages: Sequence[str]) -> str:
    views = [view for group in groups for piece in group.pieces for view in piece.views]
    script = (TEMPLATES / "page.js").read_text(encoding="utf-8")
    drawn = [drawn for group in groups for piece in group.pieces for drawn in piece.maps]
    shown = {language: interface_texts("webpage", language) for language in spoken_by_fcb()}
    return fill_page(
        "page.html.j2",
        {
            "titles": {language: footer_of(model, language) or model.system or "cards" for language in languages},
            "languages": languages,
            "words": shown,
            "groups": groups,
            "sizes": sizes_of(model),
            "credits": sorted({picture.credit for picture in pictures_in(views) if picture.credit})
            + asset_credits(model),
            "script": script,
            "script_hash": b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            **dressing([views, drawn, shown], style_of(model)),
        },
    )


def dressing(shown: object, style: Style | None = None) -> dict[str, object]:
    """Return what a page needs so that its content displays without other files: fonts with licenses, style, drawings.

    `style`: the style of the game, whose titles may have a separate font.
    """
    faces = [(family, weight, slant, FONTS / name) for family, weight, slant, name in FACES]
    if style is not None and style.font:
        place = fonts()[style.font] if style.file is None else style.file.place
        faces.append(("Press Own", 700, "normal", place))
    if style is not None:  # for two faces of one family a browser tries the later one first
        faces += [
            ("Press", 700 if cut.weight >= 600 else 400, "italic" if cut.italic else "normal", cut.place)
            for cut in style.cuts
        ]
    letters = {letter for text in texts(shown) for letter in text} | LETTERS
    letters |= {letter.upper() for letter in letters if len(letter.upper()) == 1}
    parts: list[str] = []
    page_fonts = []
    for family, weight, slant, place in faces:
        data, copyright = _with_letters(place, frozenset(letters))
        page_fonts.append(PageFont(family, weight, slant, f"data:font/woff;base64,{b64encode(data).decode()}"))
        parts += [copyright] if copyright not in parts else []
    sheet = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    return {"fonts": page_fonts, "fonts_told": parts, "style": sheet, "drawings": drawings_in(texts(shown))}


@cache
def _with_letters(path: Path, letters: frozenset[str]) -> tuple[bytes, str]:
    """Return a font with only some letters, compressed for the web, and its copyright and license as text."""
    from fontTools import subset  # type: ignore[import-untyped]
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    logging.getLogger("fontTools").setLevel(logging.ERROR)  # glyphs.py has reported missing letters
    with TTFont(path, lazy=True, recalcTimestamp=False) as font:
        names = " ".join(str(font["name"].getDebugName(at) or "") for at in KEPT_NAMES)
        options = subset.Options(
            name_IDs=list(KEPT_NAMES), hinting=False, layout_features=list(KEPT_FEATURES), flavor="woff"
        )
        cut = subset.Subsetter(options)
        cut.populate(unicodes=sorted(map(ord, letters)))
        cut.subset(font)
        packed = io.BytesIO()
        subset.save_font(font, packed, options)
    return packed.getvalue(), names
