"""The list of contents of a printed game: each piece with its number, its copies and its stamp, kind by kind."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.base.locales import interface_texts
from fcbdsl.base.records import dataclass
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model.declarations import Kind
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES
from fcbdsl.language.prose.reading import NOWHERE
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.pieces.assets import asset_credits
from fcbdsl.print.pieces.piece import PrintPiece


@dataclass(frozen=True, slots=True)
class ListedKind:
    """A kind: its title, the number of its pieces in words, and for each its number, title, copies and stamp."""

    title: str
    count: str
    rows: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class PrintContents:
    """The list: its title, the number of pieces in words, and the kinds in their order.

    `continued`: the heading of a kind that continues on another page; `credits`: for pictures, drawings and fonts.
    """

    title: str
    count: str
    kinds: tuple[ListedKind, ...]
    continued: str
    credits: str


def contents_of(pieces: Sequence[PrintPiece], model: Model, language: str) -> PrintContents:
    """Return the list of some pieces."""
    by_kind: dict[str, list[PrintPiece]] = {}
    pieces = [piece for piece in pieces if piece.copies > 0]
    for piece in pieces:
        by_kind.setdefault(piece.kind_in(model).id, []).append(piece)
    kinds = []
    for kind, of_kind in by_kind.items():
        title = kind_title(model.kinds[kind], model, language)
        of_kind.sort(key=lambda piece: piece.number)
        rows = tuple((str(p.number), p.card.title, f"×{p.copies}" if p.copies > 1 else "", p.stamp) for p in of_kind)
        kinds.append(ListedKind(title, number_of_pieces(of_kind, language), rows))
    whose = dict.fromkeys(p.card.picture.credit for p in pieces if p.card.picture is not None and p.card.picture.credit)
    lines = [
        interface_texts("contents", language)[word].format(names=" · ".join(names))
        for word, names in (("credits", whose), ("made", asset_credits(model)))
        if names
    ]
    credits = " — ".join(lines)
    words_of, goes_on = interface_texts("contents", language), interface_texts("sheets", language)["continued"]
    return PrintContents(words_of["contents"], number_of_pieces(pieces, language), tuple(kinds), goes_on, credits)


def kind_title(kind: Kind, model: Model, language: str) -> str:
    """Return the title of pieces of a kind, with a capital letter."""
    title = Naming(model, LANGUAGES[language], "contents", NOWHERE).kind(kind).many
    return LANGUAGES[language].finish(with_capital(title))


def number_of_pieces(pieces: Sequence[PrintPiece], language: str) -> str:
    """Return the number of pieces, in words."""
    count = sum(piece.copies for piece in pieces)
    text = interface_texts("contents", language)["piece" if count == 1 else "pieces"]
    return LANGUAGES[language].bound(text.format(count=count))
