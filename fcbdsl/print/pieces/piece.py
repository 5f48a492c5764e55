"""Pieces: the printed form of a card or board, its copies, and its marks for sorting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.print import TooManyPieces
from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.counts import begun_with, number_of_copies
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Kind
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.views import Card
from fcbdsl.print.pieces.looks import has_own_back, look_of_kind
from fcbdsl.print.pieces.stamps import stamp_of

COPIES = ("game", "one")
"""The copies of a piece to print: as many as the game has, or one of each."""


@dataclass(frozen=True, slots=True)
class PrintPiece:
    """A card or board to print, with its mark: it is the one of that `number` among the `of` of its title.

    There are `copies` of it. `stamp` is a short hash of its whole print.
    """

    card: Card
    copies: int
    number: int
    of: int
    stamp: str

    def kind_in(self, model: Model) -> Kind:
        """Return the kind that the piece shows as its title: see `titled_kind`."""
        return titled_kind(model.kinds[self.card.key.partition("/")[0]])

    def deck_in(self, model: Model) -> Kind:
        """Return the kind of its deck: see `deck_kind`."""
        return deck_kind(model.kinds[self.card.key.partition("/")[0]], model)


def titled_kind(kind: Kind) -> Kind:
    """Return the kind whose title the pieces of a kind have: itself, or the nearest ancestor with one."""
    return next((ancestor for ancestor in kind.lineage() if ancestor.name.title), kind)


def deck_kind(kind: Kind, model: Model) -> Kind:
    """Return the kind of the deck of a kind's pieces: the farthest ancestor with a title and the same back."""
    held = titled_kind(kind)
    back = _deck_back(held, model)
    return next(
        (above for above in reversed(held.lineage()) if above.name.title and back == _deck_back(above, model)), held
    )


def _deck_back(kind: Kind, model: Model) -> tuple[str, ...]:
    """Return what identifies the back and the format of a kind's pieces; its name, if it has its own back."""
    look = look_of_kind(kind, model)
    if not look.back_title or has_own_back(kind, model):
        return (kind.id,)
    return (look.size, look.back_colour or look.colour, *look.back_title.values())


def _field(definition: Definition, name: str) -> int:
    """Return the number in a field of a definition; 0 if it has none."""
    value, field = definition.values.get(name), definition.kind.find(name)
    expr = value.expr if value is not None else field.default if field is not None else None
    return expr.value if isinstance(expr, ir.Const) else 0


class PieceRegister:
    """The register of all pieces of a game: the number of each among those of its title (see `titled_kind`), and the
    number of copies."""

    def __init__(self, model: Model, printable: Iterable[Definition]) -> None:
        self._revision = model.revision
        self._model = model
        self._begun = begun_with(model)
        self._places: dict[tuple[str, str], int] = {}
        self._totals: Counter[str] = Counter()
        self._own: Counter[str] = Counter()  # of the project, which come before those that it uses
        for definition in printable:
            kind = titled_kind(definition.kind).id
            self._totals[kind] += 1
            self._own[kind] += not model.is_lent(definition.span)
            self._places[definition.kind.id, definition.id] = self._totals[kind]

    def number(self, definition: Definition) -> int:
        """Return the number of a definition among those of its title, from 1, in order of declaration."""
        return self._places[definition.kind.id, definition.id]

    def copies(self, definition: Definition) -> int:
        """Return its copies in a printed game: the number in its look, else the number of its things in play."""
        look = look_of_kind(definition.kind, self._model)
        in_play = max(number_of_copies(definition), self._begun[definition.kind.id, definition.id])
        return look.copies or (_field(definition, look.copies_of) if look.copies_of else 0) or in_play

    def piece(self, definition: Definition, card: Card, printed: str) -> PrintPiece:
        """Return the piece of a definition; `printed`: one of `COPIES`."""
        totals = self._totals if self._model.is_lent(definition.span) else self._own
        number, of, count = self.number(definition), totals[titled_kind(definition.kind).id], self.copies(definition)
        stamp = stamp_of(card)
        place = f"{number}/{of}" + (f"\u00a0×{count}" if count > 1 else "")
        mark = " · ".join(part for part in (place, self._revision, stamp) if part)
        return PrintPiece(replace(card, mark=mark), 1 if printed == "one" else count, number, of, stamp)


def too_many(register: PieceRegister, definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    """Yield a problem if definitions are more pieces, with their copies, than one print run may have, at the
    largest."""
    copies = [(register.copies(definition), definition) for definition in definitions]
    count = sum(each for each, _ in copies)
    if count > bounds.PRINTED:
        most, definition = max(copies, key=lambda row: row[0])
        yield TooManyPieces(
            definition.span, count=f"{count:,}", copies=f"{most:,}", card=definition.id, most=f"{bounds.PRINTED:,}"
        )
