"""Finds the pieces to print again after a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from fcbdsl.base.records import dataclass

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model


@dataclass(slots=True)
class LastPrint:
    """The last print of each game: a hash of each piece and sheet, by its key."""

    marks: dict[str, dict[str, str]] = field(default_factory=dict)

    def changed(self, game: str, model: Model, language: str) -> list[str] | None:
        """Return the keys of changed and removed pieces; None if the game was not printed yet."""
        before = self.marks.get(game)
        now = self.marks[game] = _marks(model, language)
        if before is None:
            return None
        return [key for key in {**before, **now} if before.get(key) != now.get(key)]


def _marks(model: Model, language: str) -> dict[str, str]:
    from fcbdsl.print.layout.views import Card
    from fcbdsl.print.pieces.aids import aid_of, reference_of
    from fcbdsl.print.pieces.piece import PieceRegister
    from fcbdsl.print.pieces.printables import printable
    from fcbdsl.print.pieces.stamps import stamp_of
    from fcbdsl.print.press.proofs import render_piece

    things = printable(model)
    register = PieceRegister(model, things)
    marks: dict[str, str] = {}
    for thing in things:
        view = render_piece(thing, model, language).view
        marks[view.key] = register.piece(thing, view, "game").card.mark if isinstance(view, Card) else stamp_of(view)
    for make in (aid_of, reference_of):
        aid, _ = make(model, language)
        marks[AIDS] = marks.get(AIDS, "") + repr(aid)
    return marks


AIDS = "aids"
"""The key of player aid, reference and tokens among the keys of pieces."""


def still_wanted(chosen: Mapping[str, bool], changed: Sequence[str]) -> list[str]:
    """Return which pieces and sheets to print again. `chosen`: their keys, and whether each is a sheet.

    Sheets are printed if they have changed; the pieces all or none, since they share one document.
    """
    pieces = any(not chosen.get(key) and key != AIDS for key in changed)
    return [key for key, is_sheet in chosen.items() if (key in changed if is_sheet else pieces)]
